"""test_completions.py ROOT PROGRAM BASH ZSH: what the shells complete, asked of the shells themselves.

The words of options that completions.py keeps must stand in the help of those options. zsh is asked only whether it takes
the file, and only where it is installed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, PROGRAM, BASH, ZSH = (Path(argument).resolve() for argument in sys.argv[1:5])
del sys.argv[1:5]
sys.path.insert(0, str(ROOT / "src/cli"))
import completions  # noqa: E402

ASK = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
compopt() { :; }
_quiztutor
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
"""


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        (Path(self.folder.name) / "a file.yaml").write_text("")

    def ask(self, *words):
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:/usr/bin:/bin", "QUIZTUTOR_CONTENT": str(ROOT / "content"),
                       "QUIZTUTOR_STORE": "/nonexistent/store.db"}
        done = subprocess.run(["bash", "-c", ASK, "ask", str(BASH), "quiztutor", *words], env=environment, text=True,
                              cwd=self.folder.name, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.splitlines()

    def test_commands_and_parts(self):
        self.assertEqual(self.ask("prac"), ["practise"])
        self.assertEqual(self.ask("store", "re"), ["restore", "rebuild"])
        self.assertEqual(self.ask("--plain", "wor"), ["worksheet"])
        self.assertEqual(self.ask("report", "pro"), ["progress", "problems"])
        tables = completions.Tables(PROGRAM)
        self.assertEqual(self.ask(""), list(tables.commands))
        for command, parts in tables.parts.items():
            self.assertEqual(self.ask(command, ""), list(parts))

    def test_options_are_those_of_the_command(self):
        self.assertEqual(self.ask("practise", "--mo"), ["--mode"])
        self.assertEqual(self.ask("check", "--mo"), [])
        self.assertEqual(self.ask("practise", "tour", "--lim"), ["--limit"])
        for command, options in completions.Tables(PROGRAM).uses.items():
            if command != "quiztutor":
                self.assertEqual(self.ask(command, "--"), options)

    def test_words_of_options(self):
        self.assertEqual(self.ask("practise", "--mode", ""), ["due", "new", "mistakes", "starred", "all"])
        self.assertEqual(self.ask("export", "tour", "--to", "qti"), ["qti12", "qti21"])
        self.assertEqual(self.ask("report", "--to", "h"), ["html"])
        self.assertEqual(self.ask("learner", "export", "--to", ""), ["csv", "json"])
        self.assertEqual(self.ask("import", "x", "--from", "ai"), ["aiken"])
        self.assertEqual(self.ask("practise", "--limit", ""), [])

    def test_packs_and_files(self):
        self.assertEqual(self.ask("practise", "t"), ["tour", "training-across-many-devices", "training-numbers"])
        self.assertEqual(self.ask("schedule", "show", "to"), ["tour"])
        self.assertEqual(self.ask("report", "--pack", "to"), ["tour"])
        self.assertEqual(self.ask("practise", "--mode", "all", "to"), ["tour"])
        self.assertEqual(self.ask("add", "a"), ["a file.yaml"])
        self.assertEqual(self.ask("practise", "a"), ["a file.yaml"])
        self.assertEqual(self.ask("practise", "--store", "a"), ["a file.yaml"])
        self.assertEqual(self.ask("store", "backup", "--rotate", "a"), ["a file.yaml"])

    def test_words_are_those_of_the_help(self):
        tables = completions.Tables(PROGRAM)
        for name, words in completions.WORDS.items():
            text = tables.options[name][1] if name in tables.options else tables.commands[name][1]
            for word in words.split():
                self.assertIn(word, text.replace(",", "").replace(":", "").split(), name)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_takes_the_file(self):
        done = subprocess.run(["zsh", "-f", "-n", str(ZSH)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = ZSH.read_text()
        for command in completions.Tables(PROGRAM).commands:
            self.assertIn(f"\n        {command})\n", text)


if __name__ == "__main__":
    unittest.main()
