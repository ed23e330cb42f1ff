#!/usr/bin/env python3
"""content_quality.py finds each fault that it is there to find, and passes a pack without any."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "content_quality.py")


def question(number, right=None, texts=None, prompt=None, more="", drop=(), feedback="Not so."):
    """One question with four choices; by default the right place goes round and all choices are of one length."""
    right = number % 4 if right is None else right
    texts = texts or ["choice %d%s" % (number, letter) for letter in "abcd"]
    lines = ["  - id: q%d" % number, "    prompt: %s" % (prompt or "What is number %d?" % number), "    choices:"]
    for place, text in enumerate(texts):
        if place == right:
            lines.append("      - correct: %s" % text)
        else:
            lines.append("      - wrong: %s" % text)
            if feedback:
                lines.append("        feedback: %s" % feedback)
    for field in ("explanation: Because.", "source: A book", "tags: [one]"):
        if field.split(":")[0] not in drop:
            lines.append("    " + field)
    return "\n".join(lines) + "\n" + more


def pack(questions):
    return "format: quiztutor/1\nid: sample\ntitle: Sample\nquestions:\n" + "".join(questions)


class ContentQuality(unittest.TestCase):
    def examine(self, text, minimum=1):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sample.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([sys.executable, SCRIPT, "--min", str(minimum), path], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def finds(self, fault, text, minimum=1):
        status, told = self.examine(text, minimum)
        self.assertEqual(status, 1, told)
        self.assertIn(fault, told)

    def test_good_pack(self):
        status, told = self.examine(pack(question(n) for n in range(32)), 30)
        self.assertEqual((status, told), (0, "1 pack, 32 questions: no faults\n"))

    def test_missing_fields(self):
        for field in ("explanation", "source", "tags"):
            self.finds("q1: no %s" % field, pack([question(1, drop=[field])]))

    def test_feedback(self):
        self.finds("q1: no feedback on any wrong choice", pack([question(1, feedback=None)]))
        statement = "  - {id: t, prompt: So it is., true_false: true, explanation: It is., source: A book, tags: [one]}\n"
        self.finds("t: no feedback on the wrong answer", pack([statement]))

    def test_prompt(self):
        self.finds("q1: prompt does not end", pack([question(1, prompt="Number one")]))
        self.finds("q2: same prompt as q1", pack([question(1, prompt="Which one?"), question(2, prompt="Which  one?")]))

    def test_choices(self):
        self.finds("two choices are the same: b", pack([question(1, texts=["a", "b", "b", "c"])]))
        self.finds("no choice is correct", pack([question(1, right=9)]))

    def test_ids_and_number(self):
        self.finds("q1: id used twice", pack([question(1), question(1, prompt="Again?")]))
        self.finds("2 questions, fewer than 3", pack([question(1), question(2)]), 3)

    def test_figure(self):
        self.finds("figure line 2 has 77 columns", pack([question(1, more="    figure: |\n      x\n      %s\n" % ("-" * 77))]))
        status, told = self.examine(pack([question(1, more="    figure: |\n      %s\n" % ("-" * 76))]))
        self.assertEqual(status, 0, told)

    def test_longest(self):
        def texts(n, longest):
            return [("a rather longer choice " if place == longest else "a choice ") + "abcd"[place] for place in range(4)]
        self.finds("a right choice is the longest in 16 of 16", pack(question(n, texts=texts(n, n % 4)) for n in range(16)))
        self.finds("a right choice is the longest in 0 of 16", pack(question(n, texts=texts(n, (n + 1) % 4)) for n in range(16)))
        # a little above chance: no significant tail, but a fault
        self.finds("a right choice is the longest in 5 of 16",
                   pack(question(n, texts=texts(n, n % 4 if n < 5 else (n + 1) % 4)) for n in range(16)))
        even = pack(question(n, texts=texts(n, (n // 4) % 4)) for n in range(16))
        self.assertEqual(self.examine(even)[0], 0)

    def test_shortest(self):
        def texts(shortest):
            return [("choice " if place == shortest else "a choice ") + "abcd"[place] for place in range(4)]
        self.finds("a right choice is the shortest in 16 of 16", pack(question(n, texts=texts(n % 4)) for n in range(16)))

    def test_places(self):
        self.finds("right choices by place", pack(question(n, right=1) for n in range(16)))

    def test_form(self):
        self.finds("anchor &a", pack([question(1, more="    x-a: &a text\n")]))
        self.finds("alias *a", pack([question(1, more="    x-a: &a text\n    x-b: *a\n")]))
        self.finds("tag tag:yaml.org,2002:str", pack([question(1, more="    x-a: !!str text\n")]))
        self.finds("second document", pack([question(1)]) + "---\nmore: text\n")
        self.finds("key hint twice", pack([question(1, more="    hint: One.\n    hint: Two.\n")]))
        self.finds("sample.yaml", "format: [unclosed\n")
        self.finds("no pack of the right form", "just a text\n")


if __name__ == "__main__":
    unittest.main()
