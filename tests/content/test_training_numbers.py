#!/usr/bin/env python3
"""test_training_numbers.py INSTANCES ROOT: the pack content/training-numbers.yaml, over every combination of its values.

The formulas are those of training_numbers.py, written down by hand. INSTANCES is the built program that puts values in
and marks responses.
"""

import itertools
import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

from training_numbers import QUESTIONS, F, typed

INSTANCES, ROOT = sys.argv[1], Path(sys.argv[2])
PACK = ROOT / "content" / "training-numbers.yaml"


def cases():
    """(id, values, typed response, misconception or None when it is right) for all combinations."""
    for place, (name, (given, _, answer, wrongs)) in enumerate(QUESTIONS.items()):
        for picks in itertools.product(*(range(len(values)) for values in given.values())):
            values = {key: given[key][pick] for key, pick in zip(given, picks)}
            yield name, place, picks, values, typed(answer(**values)), None
            for wrong, misconception in wrongs:
                yield name, place, picks, values, typed(wrong(**values)), misconception


class TrainingNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = list(cases())
        lines = [f"{place} {' '.join(map(str, picks))}\t{text}\n" for _, place, picks, _, text, _ in cls.cases]
        done = subprocess.run([INSTANCES, PACK], input="".join(lines), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.results = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(cls.results) == len(cls.cases)

    def test_all_are_there(self):
        """As many combinations as the table has, and none fails."""
        self.assertEqual(len({(place, picks) for _, place, picks, _, _, _ in self.cases}),
                         12 + 18 + 9 + 12 + 9 + 24 + 4 + 54 + 8 + 81 + 243 + 18 + 6)
        for case, result in zip(self.cases, self.results):
            self.assertNotIn("error", result, case)

    def test_values(self):
        """Answer and known wrong values are those worked out here, to the last digits that a double has."""
        for (name, _, _, values, _, _), result in zip(self.cases, self.results):
            _, _, answer, wrongs = QUESTIONS[name]
            given = json.loads(result["given"])
            self.assertEqual(given, values, name)
            self.assertEqual(list(given), sorted(given))
            for found, formula in zip([result["value"], *result["wrong"]], [answer, *(wrong for wrong, _ in wrongs)],
                                      strict=True):
                expected = float(formula(**values))
                self.assertTrue(math.isclose(found, expected, rel_tol=1e-12), (name, values, found, expected))

    def test_marks(self):
        """Right answers are right, known slips wrong and told apart, with something to say."""
        for case, result in zip(self.cases, self.results):
            if case[-1] is None:
                self.assertEqual((result["outcome"], result["misconception"]), ("right", None), case)
            else:
                self.assertEqual((result["outcome"], result["misconception"]), ("wrong", case[-1]), case)
                self.assertGreater(len(result["feedback"]), 40, case)

    def test_slips_are_far(self):
        """No known wrong value within the tolerance, by this file's own arithmetic."""
        for name, _, _, values, _, misconception in self.cases:
            _, tolerance, answer, wrongs = QUESTIONS[name]
            right = answer(**values)
            for wrong, _ in wrongs:
                self.assertGreater(abs(wrong(**values) - right), F(tolerance) * F(abs(float(right))) + F("1e-6"),
                                   (name, values, misconception))

    def test_explanations(self):
        """The explanation ends up at the answer, and no brace is left in a text."""
        for (name, _, _, values, _, _), result in zip(self.cases, self.results):
            value = float(QUESTIONS[name][2](**values))
            shown = f"{value:,.0f}" if value == int(value) and QUESTIONS[name][1] == 0 else f"{value:.3f}"
            self.assertIn(shown, result["explanation"], (name, values))
            for text in (result["prompt"], result["explanation"]):
                self.assertNotRegex(text, "[{}]")
            for key, number in values.items():
                self.assertTrue(f"{number}" in result["prompt"] or f"{number:,}" in result["prompt"], (name, key))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
