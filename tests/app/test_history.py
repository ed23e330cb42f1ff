"""test_history.py QUIZTUTOR [ROUNDS] [FIRST]: what a learner's past means for the next plan.

Sessions of random responses, some cut and never taken up again, then plans under every mode, held against what the
contract says of them: `new` and `mistakes` in their own order, `due` before new ones, limits last. What is due is looked at
a hundred days later, when everything is that was ever answered.
"""
import random
import sys

import drive
import oracle
import test_conform
from drive import same


class Past:
    """Of each question of a pack: the outcomes that count, the last one last."""

    def __init__(self):
        self.outcomes = {}
        self.marks = {}

    def add(self, session):
        self.marks = session.marks
        for made in session.attempts:
            item = made['item']
            if made in item.standing:
                self.outcomes.setdefault((item.pack['id'], item.question['id']), []).append(made['outcome'])

    def seen(self, key):
        return key in self.outcomes

    def graded(self, key):
        """Whether an answer to it has a grade: leaving it out has none."""
        return any(outcome != 'omitted' for outcome in self.outcomes.get(key, []))

    def mistaken(self, key):
        return self.seen(key) and self.outcomes[key][-1] != 'right'


def plan_of(place, packs, *arguments):
    """The plan, by putting off every question once: nothing of this is an answer."""
    arguments = ['practise', '--jsonl', '--learner', 'Ana', *arguments, *[pack['id'] for pack in packs]]
    count = drive.json_lines(place.run(*arguments)[1])[0]['questions']
    status, output, errors = place.run(*arguments, input=':skip\n' * count)
    same(status, 0, arguments, errors)
    listed = [(event['pack'], event['question']) for event in drive.json_lines(output) if event['event'] == 'question']
    return listed[:count], count


def check_apart(packs, plan, where):
    """Topics apart: two neighbours of one topic only where all that is left is of it, or so many are that they must."""
    topic = {(pack['id'], question['id']): (question.get('tags') or [pack['id']])[0] for pack in packs
             for question in pack['questions']}
    listed = [topic[key] for key in plan]
    alike = sum(1 for one, other in zip(listed, listed[1:]) if one == other)
    most = max((listed.count(one) for one in listed), default=0)
    same(alike, max(0, most - (len(listed) - most) - 1), where, 'topics apart', listed)


def one(k):
    r = random.Random(k)
    packs = [test_conform.make_pack(r, 'pack-%d' % i) for i in range(r.choice((1, 2, 3)))]
    past, where = Past(), 'round %d:' % k
    with drive.Place() as place:
        limit = r.choice((0, 1, 3, 20))
        place.write('config/quiztutor/config.yaml', 'new_per_day: %d\n' % limit)
        for pack in packs:
            place.write('content/%s.yaml' % pack['id'], oracle.pack_yaml(pack))
        for _ in range(r.choice((0, 1, 2, 4))):
            some = r.sample(packs, r.randint(1, len(packs)))
            script = test_conform.Script(r, some, r.randint(1, 5), marks=past.marks)
            same(place.run('practise', '--jsonl', '--mode', 'all', '--learner', 'Ana', '--seed', str(script.session.seed),
                           *[pack['id'] for pack in some], input=''.join(line + '\n' for line in script.lines))[0],
                 0, where, 'a session')
            past.add(script.session)
        seed = r.randint(1, 9)
        order = [(pack['id'], question['id']) for pack in packs for question in oracle.question_order(pack, seed)]
        suspended, starred = (past.marks.get(what, set()) for what in ('suspended', 'starred'))
        new = [key for key in order if not past.seen(key) and key not in suspended]
        mistakes = [key for key in order if past.mistaken(key) and key not in suspended]
        given = ['--seed', str(seed)]
        same(plan_of(place, packs, '--mode', 'all', *given)[0], order, where, 'all')
        same(plan_of(place, packs, '--mode', 'new', *given)[0], new, where, 'new')
        same(plan_of(place, packs, '--mode', 'mistakes', *given)[0], mistakes, where, 'mistakes')
        same(plan_of(place, packs, '--mode', 'starred', *given)[0], [key for key in order if key in starred], where,
             'starred ones, suspended or not')
        cut = r.randint(1, 6)
        same(plan_of(place, packs, '--mode', 'new', '--limit', str(cut), *given)[0], new[:cut], where, 'new, cut')
        # today: every step is still running, and new ones are few
        graded = [key for key in order if past.graded(key) and key not in suspended]
        fresh = [key for key in order if not past.graded(key) and key not in suspended]
        started = len([key for key in order if past.seen(key)])
        due, count = plan_of(place, packs, *given)
        same(due, fresh[:max(0, limit - started)], where, 'nothing is due yet', 'limit', limit, 'seen', started)
        if past.outcomes:
            same(place.age(100)[0], 0, where, 'a hundred days')
        due, count = plan_of(place, packs, *given)
        same(count, len(graded) + len(fresh[:limit]), where, 'due: how many', 'limit', limit, 'graded', len(graded))
        same(sorted(due[:len(graded)]), sorted(graded), where, 'due: all that was answered')
        same(due[len(graded):], fresh[:limit], where, 'due: then new ones')
        same(plan_of(place, packs, *given)[0], due, where, 'the same seed and store, the same plan')
        check_apart(packs, due[:len(graded)], where)
        cut = r.randint(1, 30)
        many, count = plan_of(place, packs, '--limit', str(cut), *given)
        same(count, min(cut, len(graded) + len(fresh)), where, '--limit overrides the measure of new ones')
        same(many[len(graded):], fresh[:max(0, cut - len(graded))], where, '--limit: then new ones')
        # what was put off is no answer
        same(plan_of(place, packs, '--mode', 'new', *given)[0], new, where, 'still new')


def main():
    rounds = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for k in range(first, first + rounds):
        one(k)
    drive.finish()


if __name__ == '__main__':
    main()
