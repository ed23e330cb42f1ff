#!/usr/bin/env python3
"""test_numbers.py PROGRAM ROOT [SEEDS]: parametrised questions through the whole program, over JSON lines.

Which values a seed draws is worked out here from the published rule, what the answers are by the formulas that
tests/content/training_numbers.py holds by hand. Each right answer must be marked right, each known slip wrong, with its
own feedback and misconception; and a question missed once returns with the values of the next seed.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys

ROOT = sys.argv.pop(2)
SEEDS = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 40
sys.path.insert(0, os.path.join(ROOT, 'tests', 'content'))

from drive import PROGRAM, Place, check, finish, slice_of  # noqa: E402
from oracle import Stream, showing_seed  # noqa: E402
from training_numbers import QUESTIONS, typed  # noqa: E402

PACK = os.path.join(ROOT, 'content', 'training-numbers.yaml')


def drawn(question, seed):
    """The values of one showing: the first ones under seed 1, else a draw for each name in the file's order."""
    given = QUESTIONS[question][0]
    if seed == 1:
        return {name: values[0] for name, values in given.items()}
    stream = Stream('training-numbers', question, seed)
    return {name: values[stream.below(len(values))] for name, values in given.items()}


class Session:
    """One session, answered as it goes: with the slip of a number the first time, right when it comes again."""

    def __init__(self, place, seed, slip):
        self.place, self.seed, self.slip = place, seed, slip
        self.shown, self.expected, self.seen = {}, {}, set()

    def answer(self, event):
        question = event['question']
        _, _, right, wrongs = QUESTIONS[question]
        self.shown[question] = self.shown.get(question, 0) + 1
        values = drawn(question, showing_seed(self.seed, self.shown[question]))
        for number in values.values():
            check(f'{number}' in event['prompt'] or f'{number:,}' in event['prompt'], 'values of the seed are shown',
                  self.seed, question, values, event['prompt'])
        check(not re.search('[{}]', event['prompt']), 'no brace is left', event['prompt'])
        self.seen.add((question, tuple(values.values())))
        if self.slip < len(wrongs) and self.shown[question] == 1:
            wrong, misconception = wrongs[self.slip]
            self.expected[question] = 'wrong', misconception
            return typed(wrong(**values))
        self.expected[question] = 'right', None
        return typed(right(**values))

    def run(self):
        store = self.place.path('store-%d-%d.db' % (self.seed, self.slip))
        with subprocess.Popen([PROGRAM, 'practise', '--jsonl', '--store', store, '--seed', str(self.seed), PACK],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              env=self.place.environment) as program:
            results = []
            for line in program.stdout:
                event = json.loads(line)
                if event['event'] == 'question':
                    program.stdin.write(self.answer(event) + '\n')
                    program.stdin.flush()
                elif event['event'] == 'result':
                    self.result(event)
                    results.append(self.expected[event['question']])
                elif event['event'] in ('unreadable', 'retry'):
                    check(False, 'answers are readable', event)
                    break
                elif event['event'] == 'summary':
                    check(event['asked'] == len(QUESTIONS), 'all are asked', event)
            program.stdin.close()
        self.stored(store, results)

    def result(self, event):
        outcome, misconception = self.expected[event['question']]
        check(event['outcome'] == outcome, 'the outcome', self.seed, self.slip, event)
        check(bool(event['feedback']) == (misconception is not None), 'a slip is told apart', self.seed, event)

    def stored(self, store, results):
        """The bodies that the store keeps name the misconception of each slip, and the values."""
        with sqlite3.connect('file:%s?mode=ro' % store, uri=True) as connection:
            rows = connection.execute('SELECT outcome, shown, body FROM attempt JOIN question_text USING (content) '
                                      'ORDER BY seq').fetchall()
        check(len(rows) == len(results), 'every answer is stored', len(rows), len(results))
        for (outcome, shown, body), (expected, misconception) in zip(rows, results):
            body = json.loads(body)
            check(outcome == expected, 'the stored outcome', outcome, expected)
            check(json.loads(shown)['given'] == body['given'], 'the stored values', shown, body['given'])
            tags = [wrong.get('misconception') for wrong in body['number'].get('wrong', [])]
            check(misconception is None or misconception in tags, 'the misconception', misconception, body)


def main():
    seen = set()
    with Place() as place:
        for seed in range(1, slice_of(SEEDS) + 1):
            for slip in range(3):
                session = Session(place, seed, slip)
                session.run()
                seen |= session.seen
    everything = sum(1 for given, *_ in QUESTIONS.values() for _ in combinations(given))
    print('%d of %d combinations seen' % (len(seen), everything))
    finish()


def combinations(given):
    count = 1
    for values in given.values():
        count *= len(values)
    return range(count)


if __name__ == '__main__':
    main()
