"""test_german.py BINARY CATALOGUES PACK: German people read German, scripts read what they always read."""

import os
import subprocess
import sys
import tempfile


def practise(binary, catalogues, pack, form, language):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "QUIZTUTOR_LOCALEDIR": catalogues, "LANGUAGE": language, "LC_ALL": "C.UTF-8",
                       "QUIZTUTOR_STORE": f"{folder}/store.db"}
        done = subprocess.run([binary, "practise", form, "--seed", "1", "--learner", "Ana", pack], env=environment,
                              input="2\n", capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{form} in {language or 'no language'}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def shape(lines):
    """JSON lines without what differs from session to session: the UUIDs."""
    return [part for part in lines.replace('"', " ").split() if part.count("-") != 4]


def main():
    binary, catalogues, pack = sys.argv[1:]
    german = practise(binary, catalogues, pack, "--plain", "de")
    english = practise(binary, catalogues, pack, "--plain", "")
    faults = [f"says nothing of {word!r}:\n{text}" for text, words in (
        (german, ("Richtig.", "Warum: ", "auf Anhieb richtig")), (english, ("Right.", "Why: ", "right the first time")))
        for word in words if word not in text]
    if shape(practise(binary, catalogues, pack, "--jsonl", "de")) != shape(practise(binary, catalogues, pack, "--jsonl", "")):
        faults.append("JSON lines change with the language")
    print("\n".join(faults) if faults else "speaks German to people only")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
