"""test_schedule.py QUIZTUTOR: what `schedule show` and `store info` tell, of stores made by real sessions.

Time passes between the sessions by moving all that is stored into the past; figures are held against the second opinion
of learner.py.
"""
import contextlib
import json
import os
import re
import sqlite3
import time
import unicodedata

import drive
import learner
from console import Console
from drive import check, holds, same

DAY = 86400000
EAST = 12 - time.gmtime().tm_hour  # hours: it is noon there, so that no day ends while the tests run
QUESTIONS = ('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta')


class Noon(drive.Place):
    def __init__(self):
        super().__init__()
        self.environment['TZ'] = 'NOON%d' % -EAST


def pack(questions=QUESTIONS, name='small', right=1):
    """Questions of three choices of which the first is right, the last one true or false."""
    text = 'format: quiztutor/1\nid: %s\ntitle: Small %s\nshuffle: none\nquestions:\n' % (name, name)
    for question in questions[:-1]:
        text += '  - id: %s\n    prompt: What is %s?\n    choices:\n' % (question, question)
        for k in (1, 2, 3):
            text += '      - %s: %s %d\n' % ('correct' if k == right else 'wrong', question, k)
        text += '    explanation: It is.\n    tags: [letters]\n'
    return text + '  - {id: %s, prompt: Is it?, true_false: true, explanation: It is.}\n' % questions[-1]


def practise(place, *lines, learner='Ana', packs=('small',)):
    """A session in the author's order; the responses in its order."""
    status, output, errors = place.run('practise', '--jsonl', '--mode', 'all', '--seed', '1', '--restart', '--learner',
                                       learner, *packs, input=''.join(line + '\n' for line in lines))
    same(status, 0, 'a session', errors)
    return drive.json_lines(output)


def days_pass(place, days):
    """All that is stored happened as many days earlier."""
    ms = days * DAY
    with contextlib.closing(sqlite3.connect(place.store)) as store:
        triggers = store.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            store.execute('DROP TRIGGER %s' % name)
        store.execute('UPDATE attempt SET answered_at = answered_at - ?', (ms,))
        store.execute('UPDATE event SET at = at - ?', (ms,))
        store.execute('UPDATE session SET started_at = started_at - ?', (ms,))
        for _, sql in triggers:
            store.execute(sql)
        store.commit()
    place.run('store', 'rebuild')


def show(place, *arguments, **more):
    return place.run('schedule', 'show', '--learner', 'Ana', *arguments, **more)


def columns(line):
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in 'WF' else 1
               for letter in line)


def weeks(place):
    """Four sessions over some weeks: what is known well, badly, and not at all."""
    place.write('content/small.yaml', pack())
    practise(place, '1', '2', '1', '2', '1', ':finish')          # zeta is never asked
    days_pass(place, 3)
    practise(place, '1', '1', ':hint', '1', '2', '1', ':finish')
    days_pass(place, 9)
    practise(place, '1', '1', '1', '1', ':skip', ':finish')
    days_pass(place, 15)
    practise(place, '1', '3', ':finish')


def same_as_known(got, one, memory, today, now, what):
    schedule = one.schedule
    same((got['answers'], got['right'], got['last']), (one.counted, one.right, one.outcome), what, 'answers')
    same(got['phase'], ('new', 'learning', 'review', 'relearning')[schedule.phase], what, 'phase')
    for name, value in (('stability', schedule.stability), ('difficulty', schedule.difficulty),
                        ('retrievability', schedule.recall(memory, today))):
        check(abs(got[name] - value) <= 1e-9 * max(1, abs(value)), what, name, got[name], 'expected', value)
    due = (schedule.due_day * DAY) // 1000
    same(got['due_day'], time.strftime('%Y-%m-%d', time.gmtime(due)), what, 'due day')
    same(got['due_at'], schedule.due_at or None, what, 'due at')
    same((got['interval'], got['lapses'], got['right_days']), (schedule.interval, schedule.lapses, schedule.run), what)
    same(got['due'], schedule.due(now, today), what, 'due')


def test_figures():
    with Noon() as place:
        weeks(place)
        status, output, errors = show(place, 'small', '--json')
        same((status, errors), (0, ''), 'all as JSON')
        listed = json.loads(output)
        same([one['question'] for one in listed], list(QUESTIONS), 'every question, in the order of the pack')
        with contextlib.closing(sqlite3.connect(place.store)) as store:
            known = {key[2]: one for key, one in learner.learn(store, lambda *_: learner.Rules()).items()}
        memory, now = learner.Memory(), round(time.time() * 1000)
        today = learner.local_day(now, EAST * 3600)
        for got in listed:
            guess = 1 / 2 if got['question'] == 'zeta' else 1 / 3
            same(got['guess'], guess, got['question'], 'guess')
            same((got['retention'], got['parameters'], got['learner']), (0.9, 'default', 'Ana'), got['question'])
            if got['question'] not in known:
                same((got['question'], got['phase'], got['stability'], got['due_day'], got['last']),
                     ('zeta', 'new', None, None, None), 'never answered')
                continue
            same_as_known(got, known[got['question']], memory, today, now, got['question'])
            same(got['mastered'], known[got['question']].schedule.mastered(guess), got['question'], 'mastered')
            one = show(place, 'small', got['question'], '--json')
            same((one[0], json.loads(one[1])), (0, got), 'one is as in the list')


def field(output, name):
    """A field of an explanation, its lines joined."""
    found = re.search(r'^%s +(.*(?:\n {11}.*)*)' % name, output, re.MULTILINE)
    return re.sub(r'\s+', ' ', found[1]) if found else None


def test_words():
    with Noon() as place:
        weeks(place)
        for question in QUESTIONS[:-1]:
            figures = json.loads(show(place, 'small', question, '--json')[1])
            status, output, errors = show(place, 'small', question)
            same((status, errors), (0, ''), question)
            holds(output, 'What is %s?\nsmall/%s, Ana\n' % (question, question), 'its head')
            holds(field(output, 'Answers'), 'answered %d time' % figures['answers'], question)
            holds(field(output, 'Answers'), '%d right; last ' % figures['right'], question)
            today = figures['answered_at'] > (time.time() - 43200) * 1000
            holds(field(output, 'Today'), 'from tomorrow on' if today else
                  'a chance of %.0f%%' % (100 * figures['retrievability']), question)
            holds(field(output, 'Memory'), 'difficulty %.1f' % figures['difficulty'], question)
            same(field(output, 'Due').startswith('now'), figures['due'], question, field(output, 'Due'))
            same(field(output, 'Mastered') == 'yes', figures['mastered'], question, field(output, 'Mastered'))
            same(bool(field(output, 'Forgotten')), figures['lapses'] > 0, question)
            holds(output, '100% ┤', 'the curve')
            check(all(columns(line) <= 80 for line in output.splitlines()), question, 'lines of 80', output)
            output = show(place, 'small', question, env={'LC_ALL': 'C'})[1]
            check(output.isascii(), question, 'ASCII where nothing else can be shown', output)
            holds(output, '100% +', 'the curve in ASCII')
            check('┤' not in show(place, 'small', question, env={'ACCESSIBLE': '1'})[1], 'no drawing is read out')
        status, output, errors = show(place, 'small', 'zeta')
        same((status, errors, field(output, 'Answers'), field(output, 'Due')), (0, '', 'never: it is new', None), output)
        check('┤' not in output, 'no curve of what was never answered', output)
        table = show(place, 'small')[1].splitlines()
        same([line.split()[0] for line in table[3:]], list(QUESTIONS), 'the table')
        same(len({len(line) for line in table[2:]}), 1, 'columns that end together', table)


def test_narrow():
    with Noon() as place:
        weeks(place)
        long = 'a-question-whose-name-is-longer-than-the-terminal-is-wide'
        place.write('content/long.yaml', pack((long, 'zeta'), 'long'))
        practise(place, '1', ':finish', packs=('long',))
        for arguments in (('small', 'alpha'), ('small',), ('long',), ('long', long)):
            for width in (40, 61, 200):
                console = Console(place, 'schedule', 'show', '--learner', 'Ana', *arguments, columns=width)
                status, said = console.end()
                same(status, 0, arguments, width)
                widest = max(columns(line) for line in said.splitlines())
                check(widest <= width, arguments, 'at', width, 'columns:', widest, said)
                check(width < 200 or len(arguments) < 2 or widest == 100, 'as wide as is of use', widest)
        console = Console(place, 'store', 'info', columns=40)
        status, said = console.end()
        same(status, 0, 'info')
        check(all(columns(line) <= 40 for line in said.splitlines() if place.root not in line), said)


def test_marks():
    with Noon() as place:
        place.write('content/small.yaml', pack())
        practise(place, ':star', '1', ':suspend', '2', ':finish')
        alpha, beta = (json.loads(show(place, 'small', name, '--json')[1]) for name in ('alpha', 'beta'))
        same((alpha['starred'], alpha['suspended'], beta['starred'], beta['suspended']), (True, False, False, True), 'marks')
        same(field(show(place, 'small', 'alpha')[1], 'Marks'), 'starred')
        output = show(place, 'small', 'beta')[1]
        same(field(output, 'Marks'), 'suspended')
        same(field(output, 'Due'), 'never, while it is suspended')
        holds(show(place, 'small')[1], 'suspended', 'in the table')


def test_markup():
    with Noon() as place:
        place.write('content/small.yaml', pack().replace('title:', 'markup: light\ntitle:')
                    .replace('What is alpha?', 'What is *the* `alpha`?'))
        practise(place, '1', ':finish')
        same(show(place, 'small', 'alpha')[1].splitlines()[0], 'What is the alpha?', 'without its marks')


def test_changed_key():
    with Noon() as place:
        place.write('content/small.yaml', pack())
        practise(place, '1', '1', '1', '1', '1', '1')
        days_pass(place, 2)
        place.write('content/small.yaml', pack(right=2))
        one = json.loads(show(place, 'small', 'alpha', '--json')[1])
        same((one['overturned'], one['due']), (True, True), 'another key')
        holds(field(show(place, 'small', 'alpha')[1], 'Due'), 'now: its key has changed', 'said')
        place.write('content/small.yaml', pack().replace('What is', 'What then is'))
        same(json.loads(show(place, 'small', 'alpha', '--json')[1])['overturned'], False, 'another wording')


def test_refused():
    with Noon() as place:
        place.write('content/small.yaml', pack())
        status, output, errors = show(place, 'small')
        same((status, output), (1, ''), 'no store')
        holds(errors, 'no store at', 'says so')
        check(not os.path.exists(place.store), 'makes none')
        practise(place, '1', ':finish')
        for arguments, part in (
                (('small', 'alpa'), 'did you mean "alpha"?'),
                (('small', 'unlike-any-of-them'), 'small has no question "unlike-any-of-them"'),
                (('smal',), 'small'),
                (('small', '--learner', 'Anna'), 'did you mean "Ana"?'),
                (('small', '--learner', 'Zacharias'), 'Zacharias')):
            status, output, errors = show(place, *arguments)
            same((status, output), (1, ''), arguments)
            holds(errors, part, arguments)
        for arguments in ((), ('small', 'alpha', 'beta')):
            status, output, errors = show(place, *arguments)
            same((status, output), (2, ''), arguments, errors)
        same(place.run('store', 'info', 'small')[0], 2, 'info takes nothing')
        path = place.write('broken.yaml', 'format: quiztutor/1\n')
        status, output, errors = show(place, path)
        same((status, output), (1, ''), 'a pack with errors')
        holds(errors, 'broken.yaml:', 'its diagnostics')
        place.write('content/small.yaml', pack(QUESTIONS[1:]))
        status, output, errors = show(place, 'small', 'alpha')
        same((status, output), (1, ''), 'gone from the pack')
        holds(errors, 'any more', 'where it is to be found')


def info(place, *arguments, **more):
    status, output, errors = place.run('store', 'info', *arguments, **more)
    same((status, errors), (0, ''), 'store info')
    return output


def test_totals():
    with Noon() as place:
        place.write('content/small.yaml', pack())
        practise(place, '1', '2', ':undo', '1', ':finish')
        practise(place, '1', learner='Bea')
        told = json.loads(info(place, '--json'))
        row = place.rows('SELECT (SELECT count(*) FROM learner) AS learners, (SELECT count(*) FROM session) AS sessions,'
                         ' (SELECT count(*) FROM attempt) AS attempts, (SELECT count(*) FROM event) AS events,'
                         ' (SELECT count(*) FROM schedule) AS scheduled, (SELECT min(answered_at) FROM attempt) AS first_at,'
                         ' (SELECT max(answered_at) FROM attempt) AS newest_at')[0]
        for name, value in row.items():
            same(told[name], value, name)
        same((told['undone'], told['exams_open'], told['path']), (1, 0, place.store), 'the others')
        same(told['schema'], place.rows('PRAGMA user_version')[0]['user_version'], 'schema')
        same((told['orphans'], told['unreadable'], told['parameters']), ([], [], []), 'nothing else')
        output = info(place)
        same(field(output, 'Answers'), '4, 1 of them taken back', output)
        same((field(output, 'Learners'), field(output, 'Newest')), ('2', 'today'), output)
        check('Their answers' not in output, output)


def orphans(place):
    return {(one['pack'], one['question'], one['reason']): one['answers']
            for one in json.loads(info(place, '--json'))['orphans']}


def test_orphans():
    with Noon() as place:
        many = tuple('question-%02d' % i for i in range(30))
        place.write('content/small.yaml', pack())
        place.write('content/many.yaml', pack(many, 'many'))
        practise(place, '1', '2', '1', '1', '1', 't', ':finish')
        practise(place, *['1'] * 30, packs=('many',))
        same(orphans(place), {}, 'all there')
        place.write('content/small.yaml', pack(('renamed',) + QUESTIONS[2:]))
        same(orphans(place), {('small', 'alpha', 'question'): 1, ('small', 'beta', 'question'): 1}, 'renamed, deleted')
        output = info(place)
        holds(output, '2 questions with answers are in no pack of the library', 'said')
        holds(output, 'small/alpha', 'which')
        check('error' not in output, 'no errors', output)
        os.remove(place.path('content', 'many.yaml'))
        same(len(orphans(place)), 32, 'all of a pack')
        same({key[2] for key in orphans(place) if key[0] == 'many'}, {'pack'}, 'why')
        output = info(place)
        holds(output, 'and 12 more', 'as many as can be read')
        same(len(re.findall(r'^(?:many|small)/', output, re.MULTILINE)), 20, 'and no more')
        place.write('content/many.yaml', 'format: quiztutor/1\nid: many\n')
        same({key[2] for key in orphans(place) if key[0] == 'many'}, {'unreadable'}, 'not known')
        output = info(place)
        holds(output, '2 questions with answers are in no pack', 'those that are known to be')
        holds(output, '1 pack does not load', 'the others wait')
        holds(output.replace('\n', ' '), '30 questions with answers wait', 'as many')
        holds(output, 'many.yaml', 'which')
        check('many/question' not in output, 'not blamed', output)
        status, _, errors = place.run('practise', '--plain', '--learner', 'Ana', 'small', input=':finish\n')
        same((status, errors), (0, ''), 'practice goes on')
        status, output, errors = place.run(env={'QUIZTUTOR_CONTENT': '/nonexistent'}, input='')
        same((status, errors), (0, ''), 'an empty library')
        same(len(json.loads(info(place, '--json', env={'QUIZTUTOR_CONTENT': '/nonexistent'}))['orphans']),
             len(place.rows('SELECT DISTINCT pack_id, question_id FROM attempt')), 'everything')


def test_library():
    """What the list says, and the progress behind it on a terminal."""
    with Noon() as place:
        place.write('content/small.yaml', pack())
        place.write('content/other.yaml', pack(name='other'))
        holds(place.run('--plain', '--learner', 'Ana')[1], '  small: 6 questions, new\n', 'before anything')
        practise(place, '1', '2', '1', ':finish')
        output = place.run('--plain', '--learner', 'Ana')[1]
        check(re.search(r'  small: 6 questions, 3 new, 0 mastered, due in \d+ minutes?$', output, re.M), output)
        place.run('practise', '--plain', '--learner', 'Ben', 'other', input='1\n:suspend\n')
        output = place.run('--plain', '--learner', 'Ben')[1]
        check(re.search(r'  other: 6 questions, 4 new, 0 mastered, due ', output, re.M), 'a suspended one is not new', output)
        days_pass(place, 2)
        output = place.run('--plain', '--learner', 'Ana')[1]
        holds(output, '  small: 6 questions, 3 due, 3 new, 0 mastered\n', 'two days on')
        practise(place, '1', '1', '1', '1', '1', 't', ':finish')
        practise(place, '1', '1', '1', '1', '1', 't', ':finish')
        output = place.run('--plain', '--learner', 'Ana')[1]
        check(re.search(r'  small: 6 questions, 0 mastered, due ([A-Z0-9t]\w+|in \d+ minutes?)$', output, re.M), output)
        console = Console(place, '--plain', '--learner', 'Ana')
        console.expect('t for your progress, or Enter to leave > ')
        console.type('t\n')
        said = console.expect('or Enter to leave > ')
        holds(said, 'Progress of Ana\n', 'whose')
        holds(said, '1 day of practice in a row', 'streak')
        holds(said, '0 of 10 mastered, 5 seen', 'topics')
        console.type('\n')
        same(console.end()[0], 0, 'left')


for test in (test_figures, test_words, test_narrow, test_marks, test_markup, test_changed_key, test_refused, test_totals, test_orphans,
             test_library):
    test()
drive.finish()
