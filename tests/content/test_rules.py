#!/usr/bin/env python3
"""test_rules.py QUIZTUTOR ROOT: each rule that the sources of src/content name can be explained, and no other; and what
`check` does with the reviewer's warnings as people and scripts see it."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

QUIZTUTOR, ROOT = sys.argv[1], Path(sys.argv[2])
TOLD = re.compile(r'\breport_(error|warning)\s*\((?:[^;"]|"(?:[^"\\]|\\.)*"\s*[^,])*?"([a-z][a-z-]*)"\s*,', re.S)
ADVICE = re.compile(r'"([a-z][a-z-]*)",\s*REVIEW_ADVICE')

PACK = """format: quiztutor/1
id: sample
title: Sample
questions:
  - id: one
    prompt: Which of these is not red?
    choices: [Blood, correct: Grass, {wrong: None of these, pin: last}]
    explanation: It is green.
"""


def run(*arguments):
    done = subprocess.run([QUIZTUTOR, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def rules_told():
    """{name: "error" or "warning"} of all sources."""
    found = {}
    for path in sorted((ROOT / "src" / "content").glob("*.c")):
        for match in TOLD.finditer(path.read_text(encoding="utf-8")):
            found[match[2]] = match[1]
    return found


class Rules(unittest.TestCase):
    def check(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sample.yaml"
            path.write_text(text, encoding="utf-8")
            return run("check", *options, path)

    def test_store(self):
        """What attempts show: the wrong choice most taken, by whatever form of the question it was answered in."""
        pack = PACK.replace("[Blood, correct: Grass,", "[{wrong: Blood, feedback: No.}, correct: Grass, Rust,").replace("not red", "NOT red")
        with tempfile.TemporaryDirectory() as folder:
            path, store = Path(folder) / "sample.yaml", Path(folder) / "store.db"
            path.write_text(pack, encoding="utf-8")
            before = run("check", path)
            status, text, errors = run("check", "--store", store, path)
            self.assertEqual((status, text), (1, ""))
            self.assertIn("no store at", errors)
            for i in range(5):
                given = subprocess.run([QUIZTUTOR, "practise", path, "--store", store, "--learner", f"L{i}", "--jsonl", "--seed", "1"],
                                       input="3\n:finish\n", capture_output=True, text=True)
                self.assertEqual(given.returncode, 0, given.stderr)
                self.assertEqual("[most-tempting-choice]" in run("check", "--store", store, path)[1], i == 4)
            self.assertIn("5 of 5 answers", run("check", "--store", store, path)[1])
            self.assertEqual(run("check", path), before)
            for change, told in ((("It is green.", "Green."), True),
                                 (("Rust", "{wrong: Rust, feedback: Iron.}"), False), (("Rust", "Fire"), False)):
                path.write_text(pack.replace(*change), encoding="utf-8")
                status, text, errors = run("check", "--store", store, path)
                self.assertEqual("[most-tempting-choice]" in text, told, change)
            moved = pack.replace("{wrong: Blood, feedback: No.}, correct: Grass, Rust", "Rust, correct: Grass, {wrong: Blood, feedback: No.}")
            path.write_text(moved, encoding="utf-8")
            text = run("check", "--store", store, "--json", path)[1]
            one = [entry for entry in json.loads(text) if entry["rule"] == "most-tempting-choice"]
            self.assertEqual([(entry["line"], entry["column"]) for entry in one], [(7, 15)])

    def test_loader_rules(self):
        told = rules_told()
        self.assertGreater(len(told), 50)
        for name in ("unknown-key", "comment-cuts-text", "setting", "indentation", "file-too-large"):
            self.assertIn(name, told)
        for name, kind in told.items():
            status, text, errors = run("check", "--explain", name)
            self.assertEqual((status, errors), (0, ""), name)
            self.assertTrue(text.startswith(name + "\n"), text)
            self.assertEqual("a warning on reading" in text, kind == "warning", text)
            self.assertEqual(f"# check: allow {name}" in text, kind == "warning", text)
        table = (ROOT / "src" / "content" / "review_loader_rules.c").read_text(encoding="utf-8")
        listed = set(re.findall(r'^    (?:ERROR|WARNING)\("([a-z-]+)"|"([a-z-]+)",\s*REVIEW_FAULT', table, re.M))
        listed = {name or fault for name, fault in listed}
        self.assertEqual(listed, set(told))

    def test_advice(self):
        names = ADVICE.findall((ROOT / "src" / "content" / "review_rules.c").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(names), 15)
        for name in names:
            status, text, errors = run("check", "--explain", name)
            self.assertEqual((status, errors), (0, ""), name)
            parts = text.split("\n\n")
            self.assertEqual(len(parts), 5, text)
            self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
            self.assertIn(f"# check: allow {name}\n", text)

    def test_unknown(self):
        self.assertEqual(run("check", "--explain", "negativ-stem"),
                         (2, "", 'quiztutor: there is no rule "negativ-stem"; did you mean "negative-stem"?\n'))
        status, text, errors = run("check", "--explain", "qqqqqqqqq")
        self.assertEqual((status, text), (2, ""))
        self.assertIn('no rule "qqqqqqqqq"', errors)
        self.assertEqual(run("check", "--explain", "tab", "x.yaml")[0], 2)
        self.assertEqual(run("check", "--explain")[0], 2)
        status, text, errors = run("check")
        self.assertEqual((status, text), (2, ""))
        self.assertIn("needs an argument", errors)

    def test_strict(self):
        status, text, errors = self.check(PACK)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(text, r"sample\.yaml:6:31: warning: .*\[negative-stem\]\n    prompt: Which of these is not red\?\n"
                               r" {30}\^~~\nhint: ")
        self.assertEqual(self.check(PACK, "--strict")[0], 1)
        allowed = PACK.replace("id: one", "id: one  # check: allow negative-stem")
        status, text, errors = self.check(allowed, "--strict")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("1 question, nothing to mend", text)

    def test_json(self):
        status, text, errors = self.check(PACK, "--json")
        self.assertEqual((status, errors), (0, ""))
        [one] = json.loads(text)
        self.assertEqual((one["line"], one["column"], one["end_line"], one["end_column"]), (6, 31, 6, 34))
        self.assertEqual((one["severity"], one["rule"]), ("warning", "negative-stem"))
        self.assertTrue(one["message"] and one["hint"])
        status, text, errors = self.check(PACK.replace("questions:", "# check: allow negative-stem\nquestions:"), "--json")
        self.assertEqual((status, json.loads(text)), (0, []))

    def test_errors_first(self):
        status, text, errors = self.check(PACK.replace("prompt:", "promt:"))
        self.assertEqual((status, errors), (1, ""))
        self.assertIn("[unknown-key]", text)
        self.assertNotIn("[negative-stem]", text)

    def test_shipped(self):
        packs = sorted((ROOT / "content").glob("*.yaml"))
        self.assertGreaterEqual(len(packs), 2)
        status, text, errors = run("check", "--strict", *packs)
        self.assertEqual((status, errors), (0, ""), text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
