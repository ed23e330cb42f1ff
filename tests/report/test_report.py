"""test_report.py QUIZTUTOR [PART…]: the report command, from a store to what it writes, against figures worked out apart."""
import csv
import io
import json
import os
import random
import statistics
import sys

import loader
from loader import DAY, NOON, Log, drive

import figures  # noqa: E402

same = drive.same


def near(found, wanted, *where):
    """Unrounded, so nearly all digits; None is null."""
    if wanted is None or found is None:
        same(found, wanted, *where)
    else:
        same(abs(found - wanted) <= 1e-9 * max(1, abs(wanted)), True, *where, 'found', found, 'wanted', wanted)


def by_question(report):
    return {item['question']: item for item in report['items'] if not item['older']}


def fill(log, rows, maxima=None, pack='p', kind='practice'):
    """Rows of marks: a learner each, None where nothing was shown."""
    for k, row in enumerate(rows):
        for place, mark in enumerate(row):
            if mark is not None:
                log.attempt('L%03d' % k, pack, 'q%d' % (place + 1), mark, maxima[place] if maxima else 1, kind=kind)


def column(report, name, count):
    items = by_question(report)
    return [items['q%d' % (k + 1)][name] for k in range(count)]


def to_six(found, wanted, *where):
    same([None if value is None else round(value, 6) for value in found],
         [None if value is None else round(value, 6) for value in wanted], *where)


def of_digits(*rows):
    return [[int(mark) for mark in row] for row in rows]


# ---- the figures that the issue gives ----

def test_figures():
    six = of_digits('1111', '1110', '1101', '1010', '1000', '0001')
    with Log() as log:
        fill(log, six)
        fill(log, [row + [1] for row in six], pack='constant')
        fill(log, [[2, 1, .5], [2, .5, 1], [1, 1, 0], [1, 0, .5], [0, 0, 0]], [2, 1, 1], pack='partial')
        fill(log, of_digits('10', '01', '10', '01', '11'), pack='against')
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
        for name, wanted in (
                ('facility', (83.333333, 50, 50, 50)),
                ('discrimination', (23.354968, 72.760688, 18.569534, -15.617376)),
                ('discriminative_efficiency', (33.333333, 100, 20, -20)),
                ('effective_weight', (21.782837, 32.674255, 26.678418, 18.864490)),
                ('alpha_if_deleted', (.272727, -.529412, .310345, .658537))):
            to_six(column(report, name, 4), wanted, name)
        for name, wanted in (('alpha', 36.363636), ('error_ratio', 79.772404), ('standard_error', .966092),
                             ('skewness', .075066), ('kurtosis', -1.549587)):
            to_six([report[name]], [wanted], name)
        same(report['sittings'], 6, 'sittings')
        same(report['complete_sittings'], 6, 'complete ones')
        same([item['n'] for item in report['items']], [6] * 4, 'n')
        flags = {flag['question'] for flag in report['flags'] if flag['flag'] == 'negative discrimination'}
        same(flags, {'q4'}, 'the question that goes against the others')

        report = log.report('items', '--pack', 'constant', '--to', 'json')
        same(column(report, 'discrimination', 5)[4], None, 'discrimination of a constant item')
        same('same' in report['items'][4]['not_available']['discrimination'], True, 'why', report['items'][4])
        to_six([report['alpha']], [34.090909], 'alpha with a constant item')

        report = log.report('items', '--pack', 'partial', '--to', 'json')
        to_six(column(report, 'facility', 3), (60, 50, 40), 'facility of partial marks')
        to_six(column(report, 'discrimination', 3), (96.253342, 41.885391, 54.592083), 'discrimination of partial marks')
        to_six([report['alpha'], report['standard_error']], [72.413793, .774597], 'partial marks')

        report = log.report('items', '--pack', 'against', '--to', 'json')
        to_six([report['alpha'], report['error_ratio']], [-400, 223.606798], 'alpha below 0')
        same(any('Alpha is below 0' in note for note in report['notes']), True, 'and why', report['notes'])

        report = log.report('items', '--to', 'json')
        same({row['pack']: None if row['alpha'] is None else round(row['alpha'], 6) for row in report['packs']},
             {'p': 36.363636, 'constant': 34.090909, 'partial': 72.413793, 'against': -400, 'seed': None}, 'all packs')


def test_certainty():
    with Log() as log:
        for k, (mark, certainty) in enumerate(((1, 3), (1, 2), (0, 3), (1, 1), (None, None))):
            log.attempt('Ana', 'p', 'q%d' % k, mark, certainty=certainty)
        for k in range(3):  # was never asked
            log.attempt('Bob', 'p', 'q%d' % k, None)
        log.attempt('Bob', 'p', 'q4', 0)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
        to_six([report['average'], report['accuracy'], report['bonus']], [0, .6, -.06], 'certainty marks')
        report = log.report('items', '--pack', 'p', '--learner', 'Bob', '--to', 'json')
        same([report[name] for name in ('average', 'accuracy', 'bonus')], [None] * 3, 'nobody was asked')


def test_attempts():
    with Log() as log:
        for name, marks in (('A', '011'), ('B', '1'), ('C', '001'), ('D', '0')):
            for mark in marks:
                log.attempt(name, 'p', 'q1', int(mark))
        log.done()
        for which, wanted in (('first', .25), ('last', .75), ('best', .75), ('all', .5)):
            report = log.report('items', '--pack', 'p', '--attempts', which, '--to', 'json')
            same(report['items'][0]['facility'], 100 * wanted, which)
            same(report['items'][0]['n'], 8 if which == 'all' else 4, which, 'n')
            same(report['notes'][0].startswith('Attempts used: ' + ('all' if which == 'all' else 'the ' + which)), True, which,
                 report['notes'])
            same('4 learners' in report['notes'][1], True, which, 'how many', report['notes'])
        report = log.report('items', '--pack', 'p', '--to', 'json')
        same(report['items'][0]['facility'], 25, 'first is the default')


# ---- a second opinion on random data ----

def check_complete(r, where):
    items, people = r.randint(2, 7), r.randint(3, 25)
    maxima = [r.choice((1, 1, 2, .5, 3)) for _ in range(items)]
    skill = [r.random() for _ in range(people)]
    rows = [[maxima[k] * r.choice((0, 1 / 3, .5)) if r.random() > skill[row] else maxima[k] for k in range(items)]
            for row in range(people)]
    with Log() as log:
        fill(log, rows, maxima)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    wanted, test = figures.complete(rows, maxima)
    found = by_question(report)
    for name, value in test.items():
        near(report[name], value, where, name, rows)
    for k in range(items):
        item = found['q%d' % (k + 1)]
        shares = sum(row[k] / maxima[k] for row in rows)
        near(item['facility'], 100 * shares / people, where, 'facility')
        low, high = figures.wilson(shares, people)
        near(item['facility_low'], 100 * low, where, 'low')
        near(item['facility_high'], 100 * high, where, 'high')
        for name, value in wanted[k].items():
            near(item[name], value, where, name, 'of', k, rows, maxima)


def check_partial(r, where):
    items, people = r.randint(4, 8), r.randint(4, 20)
    rows = [[r.choice((0, 1, 1, .5)) if r.random() < .7 else None for _ in range(items)] for _ in range(people)]
    rows = [row if any(mark is not None for mark in row) else [1] + row[1:] for row in rows]
    for k in range(items):
        if all(row[k] is None for row in rows):
            rows[0][k] = 1
    whole = [row for row in rows if None not in row]
    if len(whole) >= 3:
        rows = [row[:-1] + [None] if row in whole[2:] else row for row in rows]
    if sum(1 for row in rows if None not in row) >= 3 or all(row[-1] is None for row in rows):
        return
    with Log() as log:
        fill(log, rows)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    found = by_question(report)
    same([report[name] for name in ('alpha', 'error_ratio', 'standard_error')], [None] * 3, where, 'different items')
    same('different items' in report['not_available']['alpha'], True, where, report['not_available'])
    same(report['rest_score'], 'mean share of the other questions', where, 'labelled so')
    for k in range(items):
        item, shown = found['q%d' % (k + 1)], [row[k] for row in rows if row[k] is not None]
        same(item['n'], len(shown), where, 'n')
        near(item['facility'], 100 * sum(shown) / len(shown), where, 'facility')
        discrimination, efficiency = figures.partial(rows, k)
        near(item['discrimination'], discrimination, where, 'discrimination of', k, rows)
        near(item['discriminative_efficiency'], efficiency, where, 'efficiency of', k, rows)
        same('rest_score' in item and item['effective_weight'], None, where, 'no weight')


def test_random(rounds=12, first=1):
    for k in range(first, first + rounds):
        check_complete(random.Random(k), 'round %d:' % k)
        check_partial(random.Random(k), 'round %d, in part:' % k)


def test_rounds():
    test_random(drive.slice_of(100), 100)


# ---- choices ----

def choices(*texts, right=0):
    return {'choices': [{'correct': k == right, 'text': text} for k, text in enumerate(texts)], 'explanation': 'e', 'marks': 1,
            'prompt': 'Which of these?', 'tags': ['colour'], 'type': 'single-choice'}


def test_choices():
    """Two orders of the same choices are one question; who chose what, and how well they do otherwise."""
    r = random.Random(7)
    texts, rows, chose = ['Red', 'Green', 'Blue'], [], []
    with Log() as log:
        here = log.text('p', 'q1', 'r' * 16, choices(*texts))
        there = log.text('p', 'q1', 'r' * 16, choices('Blue', 'Red', 'Green', right=1))
        for k in range(30):
            row = [None] + [r.choice((0, 1)) for _ in range(5)]
            pick = r.choice(texts if k else ['Blue'])
            row[0] = int(pick == 'Red')
            turned = k % 2
            log.attempt('L%02d' % k, 'p', 'q1', row[0], revision='r' * 16, content=there if turned else here,
                        response=[(['Blue', 'Red', 'Green'] if turned else texts).index(pick) + 1], elapsed=1000 * (k + 1))
            for place in range(1, 6):
                log.attempt('L%02d' % k, 'p', 'q%d' % (place + 1), row[place])
            rows.append(row)
            chose.append(pick)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    found = {row['choice']: row for row in report['choices']}
    same(sorted(found), sorted(texts), 'the choices')
    totals = [sum(row[1:]) for row in rows]
    for text in texts:
        same(found[text]['chosen'], chose.count(text), text)
        same(found[text]['right'], text == 'Red', text)
        near(found[text]['share'], chose.count(text) / 30, text)
        near(found[text]['correlation'], figures.correlation([int(one == text) for one in chose], totals), text)
    item = by_question(report)['q1']
    same(item['median_time'], 15500, 'median time')
    near(item['guess_score'], 100 / 3, 'guess score')
    same(item['prompt'], 'Which of these?', 'prompt')


def test_flags():
    """Each flag where it belongs, with its reason, and none where nothing is wrong."""
    with Log() as log:
        wrong_key = log.text('p', 'key', 'k' * 16, choices('Said right', 'Is right', 'Neither'))
        idle = log.text('p', 'idle', 'i' * 16, choices('Right', 'Wrong', 'Nobody'))
        for k in range(24):
            strong, name = k % 2, 'L%02d' % k
            log.attempt(name, 'p', 'key', int(not strong), revision='k' * 16, content=wrong_key,
                        response=[2 if strong else 1])
            log.attempt(name, 'p', 'idle', strong, revision='i' * 16, content=idle, response=[1 if strong else 2])
            log.attempt(name, 'p', 'easy', 1)
            log.attempt(name, 'p', 'hard', 0)
            for place in range(3):
                log.attempt(name, 'p', 'good%d' % place, int(strong if k % 5 else not strong))
        log.event('reported', 'L00', {'question': ['p', 'key'], 'text': 'I think 2 is right'})
        log.event('reported', 'L01', {'question': ['p', 'key'], 'text': None})
        log.event('reported', 'L01', {'question': ['other', 'key'], 'text': None})
        log.attempt('L23', 'p', 'easy', 0, undone=True)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    raised = {}
    for flag in report['flags']:
        raised.setdefault(flag['question'], set()).add(flag['flag'])
        same(bool(flag['reason']), True, 'a reason', flag)
    same(raised, {'key': {'negative discrimination', 'idle distractor', 'distractor of the strong', 'key probably wrong'},
                  'idle': {'idle distractor'}, 'easy': {'too easy'}, 'hard': {'too hard'}}, 'flags')
    items = by_question(report)
    same(items['key']['reports'], 2, 'reports')
    same(items['easy']['reports'], 0, 'no reports')
    same(items['easy']['undone'], 1, 'taken back')
    same(items['hard']['undone'], 0, 'none taken back')
    same(items['easy']['n'], 24, 'what was taken back does not count')
    same(any('1 answer was taken back' in note for note in report['notes']), True, 'and this is said', report['notes'])


def test_flags_of_few():
    """Of fewer than 10 answers a flag is a hint: it says of how many, and does not stand out."""
    for count in 9, 10:
        with Log() as log:
            for k in range(count):
                log.attempt('L%02d' % k, 'p', 'hard', 0)
                log.attempt('L%02d' % k, 'p', 'good', k % 2)
            log.done()
            report = log.report('items', '--pack', 'p', '--to', 'json')
            text = log.report('items', '--pack', 'p', '--to', 'text')
        few = count < 10
        same([flag['flag'] for flag in report['flags']], ['too hard'], count)
        same('(of 9 answers)' in report['flags'][0]['reason'], few, report['flags'])
        same('(of 9 answers)' in by_question(report)['hard']['flags'], few, by_question(report)['hard'])
        same(any('fewer than 10 answers are hints' in note for note in report['notes']), few, report['notes'])
        same('!' in str(text), not few, text)


def test_voided():
    """A question whose answers are all voided is still named."""
    with Log() as log:
        for k in range(3):
            log.event('voided', 'L%02d' % k, attempt=log.attempt('L%02d' % k, 'p', 'bad', k % 2))
            log.attempt('L%02d' % k, 'p', 'good', k % 2)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    same([row['question'] for row in report['items']], ['good'], 'items')
    same(any('bad' in note and 'voided' in note for note in report['notes']), True, report['notes'])


# ---- what counts ----

def test_omitted():
    with Log() as log:
        for name, marks in (('A', (1, None, 1)), ('B', (None, None, 0)), ('C', (0, None, None)), ('D', (1, 1))):
            for k, mark in enumerate(marks):
                log.attempt(name, 'p', 'q%d' % (k + 1), mark)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
    same([(item['n'], item['omitted'], item['facility']) for item in report['items']],
         [(4, 1, 50), (4, 3, 25), (3, 1, 100 / 3)], 'omitted counts 0; not presented is left out')
    same((report['sittings'], report['complete_sittings']), (4, 3), 'sittings')


def test_revisions():
    """Statistics start anew with a revision: the newest makes the sittings, older ones stand below it."""
    with Log() as log:
        for k in range(4):
            name = 'L%d' % k
            log.attempt(name, 'p', 'q1', 0, revision='a' * 16, at=NOON - 9 * DAY)
            log.attempt(name, 'p', 'q1', 1, revision='b' * 16)
            for place in range(2, 5):
                log.attempt(name, 'p', 'q%d' % place, k % place % 2)
        log.done()
        report = log.report('items', '--pack', 'p', '--to', 'json')
        same([(item['question'], item['revision'][0], item['older'], item['facility']) for item in report['items'][:2]],
             [('q1', 'b', False, 100), ('q1', 'a', True, 0)], 'older ones below')
        same(report['complete_sittings'], 4, 'complete over the newest')
        same(any('4 questions in 5 revisions' in note for note in report['notes']), True, 'revisions', report['notes'])
        report = log.report('items', '--pack', 'p', '--revision', 'a' * 16, '--to', 'json')
        same([(item['question'], item['older'], item['n']) for item in report['items']], [('q1', False, 4)], '--revision')


def test_filters():
    with Log() as log:
        tagged = log.text('p', 'q1', 'r' * 16, choices('Red', 'Green'))
        for k, name in enumerate(('Ana', 'Bob', 'Cyn')):
            log.attempt(name, 'p', 'q1', 1, content=tagged, revision='r' * 16, at=NOON + k * DAY)
            log.attempt(name, 'p', 'q2', 0, kind='exam', at=NOON + k * DAY)
        log.member('Ana', 'Lab 1')
        log.member('Cyn', 'Lab 1')
        log.event('reported', 'Bob', {'question': ['p', 'q1'], 'text': 'why?'})
        log.event('reported', 'Cyn', {'question': ['p', 'q1'], 'text': 'why?'})
        log.attempt('Cyn', 'p', 'q1', 0, content=tagged, revision='r' * 16, at=NOON + 2 * DAY, undone=True)
        log.attempt('Night', 'p', 'q3', 1, at=NOON + 15 * 3600000 + 1800000)             # 03:30, still the 30th
        log.attempt('Night', 'p', 'q4', 1, at=NOON + 15 * 3600000 + 1800000, offset=3600)  # 04:30 there: the 1st
        log.done()

        def seen(*arguments):
            report = log.report('items', '--pack', 'p', *arguments, '--to', 'json')
            return {item['question']: item['n'] for item in report['items']}
        same(seen(), {'q1': 3, 'q2': 3, 'q3': 1, 'q4': 1}, 'all')
        same(seen('--learner', 'ana'), {'q1': 1, 'q2': 1}, '--learner, under folding')
        same(seen('--group', 'LAB 1'), {'q1': 2, 'q2': 2}, '--group, under folding')
        same(seen('--group', 'lab 1', '--learner', 'Bob'), {}, 'who is not of the group')
        for arguments, wanted in (((), (1, 2)), (('--group', 'Lab 1'), (1, 1)), (('--learner', 'Bob'), (0, 1)),
                                  (('--session', 'practice'), (1, 2)), (('--tag', 'colour'), (1, 2)),
                                  (('--until', '2026-11-30'), (0, 2)), (('--since', '2026-12-02'), (1, 0))):
            item = log.report('items', '--pack', 'p', *arguments, '--to', 'json')['items'][0]
            same((item['question'], item['undone'], item['reports']), ('q1', *wanted), 'taken back and reported', arguments)
        who = drive.uuid_text(log.learners['Bob'])
        same(seen('--learner', who), {'q1': 1, 'q2': 1}, '--learner by id')
        same(seen('--tag', 'colour'), {'q1': 3}, '--tag by the text that was asked')
        for kind in 'items', 'class', 'misconceptions', 'problems', 'attempts':
            for arguments, part in ((('--tag', 'none'), 'the tag "none"'), (('--tag', 'Color'), 'did you mean "colour"?'),
                                    (('--revision', 'r' * 15), 'did you mean "%s"?' % ('r' * 16)), (('--revision', ''), 'revision ""')):
                errors = log.report(kind, *arguments, status=1)
                same(part in errors, True, kind, 'not known', arguments, errors)
        same(seen('--tag', 'colour', '--session', 'exam'), {}, 'known, but not there')
        same(seen('--revision', 'r' * 16), {'q1': 3}, 'a revision that was asked')
        notes = log.report('items', '--pack', 'p', '--to', 'json')['notes']
        same(sum('95% interval (Wilson 1927)' in note for note in notes), 1, 'what stands in brackets is said', notes)
        same(any('Wilson' in note for note in log.report('problems', '--to', 'json')['notes']), False, 'where anything does')
        same(seen('--session', 'exam'), {'q2': 3}, '--session')
        same(seen('--session', 'paper'), {}, '--session of none')
        same(seen('--since', '2026-12-01'), {'q1': 2, 'q2': 2, 'q4': 1}, '--since')
        same(seen('--until', '2026-11-30'), {'q1': 1, 'q2': 1, 'q3': 1}, '--until, inclusive, days begin at 04:00')
        same(seen('--since', '2026-12-01', '--until', '2026-12-01'), {'q1': 1, 'q2': 1, 'q4': 1}, 'one day')
        log.place.write('config/quiztutor/config.yaml', 'day_starts: "00:00"\n')
        same(seen('--until', '2026-11-30'), {'q1': 1, 'q2': 1}, 'days begin when the setting says')


def test_helped():
    """An answer after one was taken back in its session is never a first one."""
    with Log() as log:
        log.attempt('Ana', 'p', 'q1', 0, session='s', undone=True)
        log.attempt('Ana', 'p', 'q1', 1, session='s')
        log.attempt('Bob', 'p', 'q1', 1)
        log.attempt('Ana', 'p', 'q1', 0, session='later')
        log.done()
        for which, wanted in (('first', (1, 100)), ('last', (2, 50)), ('best', (2, 100)), ('all', (3, 200 / 3))):
            report = log.report('items', '--pack', 'p', '--attempts', which, '--to', 'json')
            item = report['items'][0]
            same(item['n'], wanted[0], which)
            near(item['facility'], wanted[1], which)


# ---- several stores ----

def test_stores():
    """Taken together: the same id once, one person known in both once, what one has taken back taken back."""
    with Log() as one:
        two = Log('two.db', place=one.place)
        one.learner('Ana', login='ana')
        two.learner('Ana M.', login='ana')
        both = one.attempt('Ana', 'p', 'q1', 1)
        two.attempt('Ana M.', 'p', 'q1', 1, who=both)
        gone = one.attempt('Ana', 'p', 'q2', 0)
        two.attempt('Ana M.', 'p', 'q2', 0, who=gone, undone=True)
        two.attempt('Ana M.', 'p', 'q3', 0, at=NOON - DAY)
        one.attempt('Ana', 'p', 'q3', 1)
        one.learner('Bob', external='17')
        two.learner('Robert', external='17')
        one.attempt('Bob', 'p', 'q1', 0)
        two.attempt('Robert', 'p', 'q1', 1, at=NOON + DAY)
        two.learner('Zoe')
        two.attempt('Zoe', 'p', 'q1', 1)
        one.learner('ZOE', login='zoe')
        one.attempt('ZOE', 'p', 'q3', 1)
        one.done(), two.done()
        before = [log.bytes() for log in (one, two)]
        report = one.report('items', '--pack', 'p', '--to', 'json', '--store', two.store)
        same([(item['question'], item['n'], item['facility'], item['undone']) for item in report['items']],
             [('q1', 3, 200 / 3, 0), ('q3', 2, 50, 0)], 'two stores')
        same('3 learners' in report['notes'][1], True, 'learners', report['notes'])
        same(any('2 stores' in note for note in report['notes']), True, 'said so', report['notes'])
        for learner, wanted in (('ana', 2), ('Robert', 1)):
            report = one.report('items', '--pack', 'p', '--learner', learner, '--to', 'json', '--store', two.store)
            same(len(report['items']), wanted, learner)
        rows = list(csv.DictReader(io.StringIO(one.report('attempts', '--pack', 'p', '--to', 'csv', '--store', two.store))))
        same(len(rows), 8, 'the log')
        same(len({row['attempt'] for row in rows}), 8, 'each id once')
        same([row['question'] for row in rows if row['undone'] == 'true'], ['q2'], 'taken back')
        same({row['learner'] for row in rows}, {'Ana M.', 'Robert', 'Zoe'}, 'by one name each, of the store named first')
        same([log.bytes() for log in (one, two)] == before, True, 'stores brought together stay as they are')
        errors = one.report('items', '--store', one.place.path('none.db'), status=1)
        same('there is no store' in errors and not os.path.exists(one.place.path('none.db')), True, 'one is missing', errors)
        again = one.report('items', '--pack', 'p', '--to', 'json', '--store', one.store)
        same([(item['question'], item['n']) for item in again['items']], [('q1', 2), ('q2', 1), ('q3', 2)], 'a store twice')


# ---- the raw log ----

HEADER = ('attempt,session,learner,learner_id,login,device,pack,question,revision,content,seed,showing,shown,response,outcome,'
          'mark,marks,graded,certainty,hints,retried,helped,elapsed_ms,answered_at,origin,kind,seq,undone')


def test_log():
    names = ['=HYPERLINK("x")', 'Doe, "Jo"', 'ليلى', '<script>alert(1)</script>', "'quoted", '-1', '@home']
    with Log() as log:
        for k, name in enumerate(names):
            log.attempt(name, 'p', 'q1', 1 if k else None, elapsed=None if k == 1 else 1234, at=NOON + k, offset=3600)
        log.attempt(names[0], 'p', 'q1', .5, undone=True)
        log.done()
        text = log.report('attempts', '--pack', 'p', '--to', 'csv')
        same(text.split('\r\n')[0], HEADER, 'the header')
        rows = list(csv.DictReader(io.StringIO(text)))
        whole = list(csv.DictReader(io.StringIO(log.report('attempts', '--to', 'csv'))))
        same([row['seq'] for row in whole], [str(seq) for seq in sorted(int(row['seq']) for row in whole)], 'in its order')
        same([row for row in whole if row['pack'] == 'p'], sorted(rows, key=lambda row: int(row['seq'])), 'of one pack the same')
        rows.sort(key=lambda row: int(row['seq']))  # it comes learner by learner
        same([row['learner'] for row in rows], ["'" + name if name[0] in "=+-@'" else name for name in names + names[:1]],
             'formula-safe')
        same([row['outcome'] for row in rows], ['omitted'] + ['right'] * 6 + ['partly'], 'outcomes')
        same([row['mark'] for row in rows], ['0'] + ['1'] * 6 + ['0.5'], 'numbers stay numbers')
        same([row['elapsed_ms'] for row in rows[:3]], ['1234', '', '1234'], 'times')
        same(rows[1]['answered_at'], '2026-11-30T13:00:00.001+01:00', 'a moment')
        same([row['undone'] for row in rows], ['false'] * 7 + ['true'], 'taken back')
        stored = log.place.rows('SELECT * FROM attempt WHERE pack_id = ? ORDER BY seq', 'p', store=log.store)
        for row, kept in zip(rows, stored):
            same(row['attempt'].replace('-', ''), kept['attempt_id'].hex(), 'id')
            same(row['session'].replace('-', ''), kept['session_id'].hex(), 'session')
            same(row['learner_id'].replace('-', ''), kept['learner_id'].hex(), 'learner')
            same(row['device'].replace('-', ''), kept['device_id'].hex(), 'device')
            same(row['seq'], str(kept['seq']), 'seq')
            same(row['response'], kept['response'] or '', 'response')
        report = log.report('attempts', '--pack', 'p', '--to', 'json')
        same(sorted(row['learner'] for row in report['attempts']), sorted(names + names[:1]), 'names in JSON')
        same(report['notes'][1], '8 attempts of 7 learners, on days from 2026-11-30 to 2026-11-30 that begin at 04:00.', 'how made')
        page = log.report('attempts', '--pack', 'p', '--to', 'html')
        same('<script' in page, False, 'HTML is safe')
        for arguments in ((), ('--pack', 'p')):
            text = log.report('attempts', *arguments)
            same(all(len(line) <= 80 for line in text.splitlines()), True, 'no wider than 80')
        same('\x1b' in text, False, 'no escape sequences where there is no terminal')
        same(log.report('attempts', '--pack', 'p', '--learner', '-1', '--to', 'csv').count('\r\n'), 2, 'one learner')


# ---- the command ----

def test_command():
    with Log() as log:
        log.attempt('Anna', 'astronomy', 'q1', 1)
        log.attempt('Bob', 'astronomy', 'q1', 0)
        log.done()
        place = log.place
        for arguments, wanted, word in (
                (('items', '--pack', 'astronomi'), 1, 'astronomy'), (('items', '--pack', 'sed'), 1, 'seed'),
                (('items', '--pack', 'nothing-like-it'), 1, 'nothing-like-it'), (('items', '--learner', 'Ana'), 1, 'Anna'),
                (('items', '--learner', 'nobody'), 1, 'nobody'), (('items', '--group', 'nobody'), 1, 'nobody'),
                (('items', '--learner', 'ann'), 1, 'Anna'), (('items', '--tag', 'nothing'), 1, 'the tag "nothing"'),
                (('problems', '--revision', 'nothing'), 1, 'nothing'),
                (('itms',), 2, 'items'), (('items', 'class'), 2, 'class'), (('items', '--to', 'doc'), 2, 'doc'),
                (('items', '--attempts', 'some'), 2, 'some'), (('items', '--session', 'import'), 2, 'import'),
                (('items', '--since', '2026-02-30'), 2, '2026-02-30'), (('items', '--until', 'soon'), 2, 'soon'),
                (('items', '--since', '2026-12-02', '--until', '2026-12-01'), 2, '2026-12-01'),
                (('items', '--for', 'moodle'), 2, 'grades'), (('grades',), 2, '--for'),
                (('grades', '--for', 'excel'), 2, 'excel'), (('items', '--bogus'), 2, 'bogus')):
            errors = log.report(*arguments, status=wanted)
            same(word in errors and errors.startswith('quiztutor: ') and errors.count('\n') == 1, True, arguments, errors)
        none = place.path('none.db')
        errors = log.report('items', status=1, store=none)
        same('there is no store' in errors, True, 'no store', errors)
        same(os.path.exists(none), False, 'and none is made')
        before = place.rows('SELECT count(*) AS n FROM learner', store=log.store)
        log.report('items', '--learner', 'Carla', status=1)
        same(place.rows('SELECT count(*) AS n FROM learner', store=log.store), before, 'no learner is made')
        report = log.report('items', '--pack', place.path('content', 'seed.yaml'), '--to', 'json')
        same([item['pack'] for item in report['items']], ['seed'], 'a pack by path')
        report = log.report('items', '--pack', 'seed', '--to', 'json')
        same(report['items'][0]['prompt'], 'Which is it?', 'the seed')
        same(report['subtitle'], 'Seed', 'its title')
        place.write('content/unasked.yaml', loader.SEED.replace('id: seed', 'id: unasked'))
        same(log.report('items', '--pack', 'unasked', '--to', 'json')['items'], [], 'known to the library alone')


def test_files():
    with Log() as log:
        for k in range(50):
            log.attempt('L%d' % k, 'p', 'q1', k % 2)
        log.done()
        place, wanted = log.place, log.report('items', '--pack', 'p', '--to', 'csv')
        for name, start in (('a.csv', 'question,'), ('a.json', '{"report":"items"'), ('a.html', '<!DOCTYPE html>')):
            path = place.path(name)
            same(log.report('items', '--pack', 'p', '-o', path), '', 'to a file')
            with open(path, newline='', encoding='utf-8') as file:
                same(file.read(40).startswith(start), True, name, 'by its ending')
        path = place.path('b.txt')
        log.report('items', '--pack', 'p', '--to', 'csv', '-o', path)
        with open(path, newline='', encoding='utf-8') as file:
            same(file.read(), wanted, '--to before the ending')
        os.chmod(path, 0o640)
        log.report('items', '--pack', 'p', '-o', path)
        same(os.stat(path).st_mode & 0o777, 0o640, 'its mode stays')
        os.symlink('b.txt', place.path('link.txt'))
        log.report('items', '--pack', 'p', '--to', 'csv', '-o', place.path('link.txt'))
        same(os.path.islink(place.path('link.txt')), True, 'a link stays one')
        with open(path, encoding='utf-8') as file:
            same(file.read(9), 'question,', 'and what it leads to is written')
        log.report('items', '--pack', 'p', '-o', path)
        with open(path, encoding='utf-8') as file:
            kept = file.read()
        listed = sorted(os.listdir(place.root))
        for bad in ('/dev/full', place.path('no', 'such', 'folder.csv'), place.path('content')):
            errors = log.report('items', '--pack', 'p', '--to', 'csv', '-o', bad, status=1)
            same(errors.startswith('quiztutor: ') and bad in errors, True, bad, errors)
        log.report('items', '--pack', 'nowhere', '-o', path, status=1)
        with open(path, encoding='utf-8') as file:
            same(file.read(), kept, 'what was there stays')
        same(sorted(os.listdir(place.root)), listed, 'nothing half is left')
        with open('/dev/full', 'w', encoding='utf-8') as full:
            import subprocess
            done = subprocess.run([drive.PROGRAM, 'report', 'attempts', '--store', log.store, '--to', 'csv'], stdout=full,
                                  stderr=subprocess.PIPE, env=place.environment, check=False)
        same(done.returncode, 1, 'a full disk behind standard output')


TESTS = {name[5:]: test for name, test in list(globals().items()) if name.startswith('test_')}


def main():
    for name in sys.argv[1:] or [name for name in TESTS if name != 'rounds']:
        TESTS[name]()
    drive.finish()


if __name__ == '__main__':
    main()
