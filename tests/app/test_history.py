"""test_history.py QUIZTUTOR [ROUNDS] [FIRST]: what a learner's past means for the next plan.

Sessions of random responses, some cut and never taken up again, then plans under every mode, held against what the
contract says of them: `new` and `mistakes` in their own order, `due` before new ones, limits last.
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

    def add(self, session):
        for made in session.attempts:
            item = made['item']
            if made in item.standing:
                self.outcomes.setdefault((item.pack['id'], item.question['id']), []).append(made['outcome'])

    def seen(self, key):
        return key in self.outcomes

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
            script = test_conform.Script(r, some, r.randint(1, 5))
            same(place.run('practise', '--jsonl', '--mode', 'all', '--learner', 'Ana', '--seed', str(script.session.seed),
                           *[pack['id'] for pack in some], input=''.join(line + '\n' for line in script.lines))[0],
                 0, where, 'a session')
            past.add(script.session)
        seed = r.randint(1, 9)
        order = [(pack['id'], question['id']) for pack in packs for question in oracle.question_order(pack, seed)]
        new = [key for key in order if not past.seen(key)]
        mistakes = [key for key in order if past.mistaken(key)]
        given = ['--seed', str(seed)]
        same(plan_of(place, packs, '--mode', 'all', *given)[0], order, where, 'all')
        same(plan_of(place, packs, '--mode', 'new', *given)[0], new, where, 'new')
        same(plan_of(place, packs, '--mode', 'mistakes', *given)[0], mistakes, where, 'mistakes')
        cut = r.randint(1, 6)
        same(plan_of(place, packs, '--mode', 'new', '--limit', str(cut), *given)[0], new[:cut], where, 'new, cut')
        # due: those not right the last time, then the rest of the seen, then new ones; the day's measure of new ones
        seen = [key for key in order if past.seen(key)]
        started = len(seen)  # all of them today
        due, count = plan_of(place, packs, *given)
        left = new[:max(0, limit - started)]
        same(count, len(seen) + len(left), where, 'due: how many', 'limit', limit, 'seen', len(seen), 'new', len(new))
        same(sorted(due[:len(mistakes)]), sorted(mistakes), where, 'due: not right the last time first')
        same(sorted(due[:len(seen)]), sorted(seen), where, 'due: then the others seen')
        same(due[len(seen):], left, where, 'due: then new ones')
        cut = r.randint(1, 30)
        many, count = plan_of(place, packs, '--limit', str(cut), *given)
        same(many, (due[:len(seen)] + new)[:cut], where, '--limit overrides the measure of new ones')
        # what was put off is no answer
        same(plan_of(place, packs, '--mode', 'new', *given)[0], new, where, 'still new')


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for k in range(first, first + rounds):
        one(k)
    drive.finish()


if __name__ == '__main__':
    main()
