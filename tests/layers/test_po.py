"""test_po.py ROOT: fails when a catalogue of po/ is not whole.

Every message of the sources must be translated, none may be fuzzy, formats must agree, and po/POTFILES must name just
those files that hold messages. `po/update` brings all of it up to date but the translations.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

MESSAGE = re.compile(r"\b(tr|ntr|trc|N_)\(\s*\"")
KEYWORDS = ["--keyword", "--keyword=tr", "--keyword=ntr:1,2", "--keyword=trc:1c,2", "--keyword=N_"]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def holds_messages(path):
    return MESSAGE.search(path.read_text(encoding="utf-8")) is not None


def listed(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def catalogue(root, template, path):
    """What is wrong with one catalogue, as text."""
    checked = run("msgfmt", "--check", "--output-file=/dev/null", str(path))
    if checked.returncode:
        return checked.stderr
    # merged without guessing, so that a changed message counts as one without translation
    merged = run("msgmerge", "--quiet", "--no-fuzzy-matching", str(path), template)
    missing = run("msgattrib", "--untranslated", "--no-obsolete", input=merged.stdout)
    fuzzy = run("msgattrib", "--only-fuzzy", "--no-obsolete", input=path.read_text(encoding="utf-8"))
    return "\n".join(f"{path.relative_to(root)}: {title}:\n{output.stdout}"
                     for title, output in (("not translated", missing), ("fuzzy", fuzzy)) if output.stdout.strip())


def main():
    root = Path(sys.argv[1])
    sources = [path for folder in ("src", "include") for path in sorted((root / folder).rglob("*.[ch]"))]
    held = {path.relative_to(root).as_posix() for path in sources if holds_messages(path)}
    potfiles = set(listed(root / "po/POTFILES"))
    faults = [f"po/POTFILES does not name {name}" for name in sorted(held - potfiles)]
    faults += [f"po/POTFILES names {name}, which holds no message" for name in sorted(potfiles - held)]
    languages = (root / "po/LINGUAS").read_text().split()
    with tempfile.TemporaryDirectory() as folder:
        template = f"{folder}/quiztutor.pot"
        made = run("xgettext", "--from-code=UTF-8", *KEYWORDS, f"--output={template}", "--", *sorted(held), cwd=root)
        if made.returncode:
            sys.exit(made.stderr)
        for language in languages:
            faults += filter(None, [catalogue(root, template, root / f"po/{language}.po")])
        count = Path(template).read_text(encoding="utf-8").count("\nmsgid ") - 1
    if not languages:
        faults.append("po/LINGUAS names no language")
    print("\n".join(faults) if faults else f"{count} messages of {len(held)} files in {', '.join(languages)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
