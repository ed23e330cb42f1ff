"""Exams through the whole program: against a second opinion, on a terminal, killed, late, and handed in by others.

Run with QUIZTUTOR, and optionally the number of random exams and the first one's number.
"""
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
import console
import drive
import kinds
import oracle
import test_conform
from drive import Place, Talk, check, holds, same

# ---- packs with sections ------------------------------------------------------------------------------------------

def parted_pack(r, name):
    """A random pack, most often in sections that pick some of their questions."""
    pack = test_conform.make_pack(r, name)
    count = len(pack['questions'])
    if r.random() < 0.7:
        cuts = sorted(r.sample(range(1, count), min(count - 1, r.randint(0, 2)))) if count > 1 else []
        pack['sections'] = []
        for first, last in zip([0] + cuts, cuts + [count]):
            section = {'title': 'Part %d' % len(pack['sections']), 'first': first, 'count': last - first,
                       'pick': r.randint(1, last - first) if r.random() < 0.6 else last - first}
            if r.random() < 0.5:
                section['intro'] = 'Look at this.'
            pack['sections'].append(section)
    if r.random() < 0.7:
        pack['minutes'] = r.choice((5, 20.5, 600))
    if r.random() < 0.7:
        pack['pass'] = r.choice((10, 50, 60.5, 100))
    return pack


def pack_text(pack):
    flat = oracle.pack_yaml({key: value for key, value in pack.items() if key != 'sections'})
    head, questions = flat.split('questions:\n', 1)
    exam = {key: pack[key] for key in ('minutes', 'pass') if key in pack}
    if exam:
        head += 'exam: ' + json.dumps(exam) + '\n'
    if 'sections' not in pack:
        return head + 'questions:\n' + questions
    parts = ['  - id:' + part for part in ('\n' + questions).split('\n  - id:')[1:]]
    out = head + 'sections:\n'
    for section in pack['sections']:
        out += '  - title: ' + section['title'] + '\n'
        if 'intro' in section:
            out += '    intro: ' + section['intro'] + '\n'
        if section['pick'] < section['count']:
            out += '    pick: %d\n' % section['pick']
        out += '    questions:\n'
        for part in parts[section['first']:section['first'] + section['count']]:
            out += '\n'.join('    ' + line if line else '' for line in part.rstrip('\n').split('\n')) + '\n'
    return out


def asked(pack, seed):
    """(question, section or None) in the order that an exam asks them."""
    if 'sections' not in pack:
        return [(question, None) for question in oracle.question_order(pack, seed) if 'recall' not in question]
    order = []
    for number, section in enumerate(pack['sections'], 1):
        places = list(range(section['first'], section['first'] + section['count']))
        if seed != 1 and pack.get('shuffle', 'all') == 'all':
            oracle.Stream(pack['id'], '#%d' % number, seed).shuffle(places)
        order += [(pack['questions'][place], section) for place in places[:section['pick']]]
    return [entry for entry in order if 'recall' not in entry[0]]  # cards are never asked


BLANK = object()

# ---- the second opinion -------------------------------------------------------------------------------------------

class Exam:
    """What an exam says to each line, and what it hands in."""

    def __init__(self, packs, seed):
        self.packs, self.seed = packs, seed
        self.entries = [(pack, question, section) for pack in packs for question, section in asked(pack, seed)]
        self.shown = [kinds.Shown(pack, question, seed) for pack, question, _ in self.entries]
        self.given = [None] * len(self.entries)  # the answer; BLANK: left blank
        self.flags = [False] * len(self.entries)
        self.at = 0 if self.entries else None
        self.events, self.over = [], not self.entries

    def next_open(self, after):
        count = len(self.entries)
        places = [(after + step) % count for step in range(1, count + 1)]
        return next((place for place in places if self.given[place] is None), None)

    def go(self, entry):
        self.at = entry
        if entry is None:
            self.over = True
            return
        pack, question, section = self.entries[entry]
        shown, given = self.shown[entry], self.given[entry]
        self.events.append({
            'event': 'question', 'number': entry + 1, 'of': len(self.entries), 'again': False, 'pack': pack['id'],
            'question': question['id'], 'type': oracle.kind(question), 'prompt': shown.text(question['prompt']),
            'choices': shown.choices, 'targets': shown.targets, 'unit': question.get('number', {}).get('unit'), 'hints': 0,
            'section': section and section['title'], 'intro': section and section.get('intro'),
            'flagged': self.flags[entry],
            'given': None if given is None else [] if given is BLANK else shown.told(given)})

    def say(self, event, **more):
        self.events.append({'event': event, 'number': self.at + 1, **more})

    def answer(self, answer):
        self.given[self.at] = answer
        self.say('noted')
        self.go(self.next_open(self.at))

    def line(self, line):
        question = self.entries[self.at][1]
        if line.strip() == '':
            self.answer(BLANK)
        elif line == ':overview':
            numbers = lambda wanted: [i + 1 for i in range(len(self.entries)) if wanted(i)]
            self.events.append({'event': 'overview', 'answered': numbers(lambda i: self.given[i] is not None and self.given[i] is not BLANK),
                                'blank': numbers(lambda i: self.given[i] is BLANK),
                                'open': numbers(lambda i: self.given[i] is None),
                                'flagged': numbers(lambda i: self.flags[i])})
        elif line.startswith(':go'):
            place = int(line[4:]) if line[4:].isdigit() else 0
            if 1 <= place <= len(self.entries):
                self.go(place - 1)
            else:
                self.say('unreadable')
        else:
            self.read(question, line)

    def read(self, question, line):
        what, value = oracle.read(question, line)
        if what == 'pick':
            order = self.shown[self.at].order
            self.answer({order[place - 1] for place in value})
        elif what == 'new' and (read := self.shown[self.at].read(value))[0] == 'pick':
            self.answer(read[1])
        elif what == 'skip':
            self.say('skipped')
            self.go(self.next_open(self.at))
        elif what == 'flag':
            self.flags[self.at] = not self.flags[self.at]
            self.say('flagged', on=self.flags[self.at])
        elif what == 'report':
            self.say('reported')
        elif what == 'help':
            self.say('help')
        elif what == 'finish':
            self.over = True
        else:
            self.say('unreadable')

    def results(self):
        out = []
        for entry, (pack, question, _) in enumerate(self.entries):
            shown, answer = self.shown[entry], self.given[entry]
            left = answer is None or answer is BLANK
            value = 0 if left else shown.share(answer)
            out.append({
                'event': 'result', 'number': entry + 1, 'again': False, 'pack': pack['id'], 'question': question['id'],
                'outcome': 'skipped' if left else oracle.outcome_of(value),
                'mark': value * question.get('marks', 1), 'marks': question.get('marks', 1),
                'response': [] if left else shown.told(answer), 'answer': shown.answers(),
                'explanation': shown.text(question['explanation'])})
        return out

    def summary(self):
        results = self.results()
        count = lambda outcome: sum(1 for result in results if result['outcome'] == outcome)
        mark, marks = sum(result['mark'] for result in results), sum(result['marks'] for result in results)
        sections = []
        for entry, (pack, question, section) in enumerate(self.entries):
            if section is None and len(self.packs) == 1:
                continue
            key = (pack['id'], section and section['title'])
            if not sections or sections[-1][0] != key:
                sections.append([key, section['title'] if section else pack.get('title', 'A pack'), 0, 0])
            sections[-1][2] += results[entry]['mark']
            sections[-1][3] += results[entry]['marks']
        wanted = None
        if self.entries and all('pass' in pack for pack, _, _ in self.entries):
            wanted = sum(pack['pass'] * question.get('marks', 1) for pack, question, _ in self.entries) / 100
        return {'event': 'summary', 'asked': len(results), 'right': count('right'), 'partly': count('partly'),
                'wrong': count('wrong'), 'skipped': count('skipped'), 'mark': mark, 'marks': marks, 'finished': True,
                'passed': None if wanted is None else mark >= wanted - 1e-9 * wanted,
                'sections': [(title, mark, marks) for _, title, mark, marks in sections]}


def near(one, other):
    if isinstance(one, float) or isinstance(other, float):
        return isinstance(one, (int, float)) and abs(one - other) <= 1e-9 * max(1, abs(one))
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(near(a, b) for a, b in zip(one, other))
    return one == other


def agrees(got, expected, *what):
    """All that is expected of an event is in it."""
    got = dict(got)
    if got.get('event') == 'summary':
        got['sections'] = [(part['title'], part['mark'], part['marks']) for part in got['sections']]
    wrong = {key: (value, got.get(key)) for key, value in expected.items() if not near(got.get(key), value)}
    return check(not wrong, *what, 'expected and got:', wrong, 'in', got)


def random_line(r, exam):
    question, chance = exam.entries[exam.at][1], r.random()
    if chance < 0.55 and kinds.kind(question):
        exam.now, exam.open = exam.shown[exam.at], oracle.Item(1, None, question)
        return test_conform.new_line(r, exam, r.random() < 0.6)
    if chance < 0.55:
        count = len(oracle.texts(question))
        many = oracle.kind(question) == 'multiple-choice'
        places = r.sample(range(1, count + 1), r.randint(1, count) if many else 1)
        return r.choice(('true', 'false', 't', 'f', '1', '2')) if oracle.kind(question) == 'true-false' \
            else test_conform.say(r, places, count)
    return r.choice(('', '', ':skip', ':skip', ':flag', ':flag', ':overview',
                     ':go %d' % r.randint(1, len(exam.entries)), ':go 0', ':go x', ':go', ':hint', ':undo', ':star',
                     ':suspend', '99', 'nonsense of words', 'q',
                     ':report bad', ':help', ':nothing'))


def write_packs(place, packs):
    for pack in packs:
        place.write('content/%s.yaml' % pack['id'], pack_text(pack))


def make(number):
    r = random.Random(number)
    packs = [parted_pack(r, 'pack-%d' % i) for i in range(r.choice((1, 1, 2)))]
    return r, packs, r.choice((1, 2, 7, r.randint(2, 4294967295)))


def attempts(place, session=None):
    return place.rows('SELECT question_id, pack_id, response, outcome, mark, marks, answered_at, hex(attempt_id) AS id '
                      'FROM attempt WHERE (? IS NULL OR session_id = ?) ORDER BY seq', session, session)


def check_random(number):
    """One random exam, spoken through in JSON lines, against the second opinion."""
    r, packs, seed = make(number)
    exam, lines = Exam(packs, seed), []
    exam.go(exam.at)
    for _ in range(200):
        if exam.over:
            break
        lines.append(random_line(r, exam) if r.random() < 0.98 else ':finish')
        exam.line(lines[-1])
    with Place() as place:
        write_packs(place, packs)
        status, out, errors = place.run('practise', '--exam', '--jsonl', '--seed', str(seed), '--learner', 'Ana',
                                        *[pack['id'] for pack in packs], input=''.join(line + '\n' for line in lines))
        name = 'exam %d' % number
        told = 'quiztutor: new learner "Ana"\n' if exam.entries else ''  # nothing to ask: nobody is written down
        if not (same(status, 0, name, errors) and same(errors, told, name)):
            return
        events = drive.json_lines(out)
        minutes = sum(pack.get('minutes', 0) for pack in packs)
        agrees(events[0], {'event': 'session', 'exam': True, 'minutes': minutes or None,
                           'questions': len(exam.entries), 'resumed': False, 'seed': seed}, name)
        check((events[0]['deadline'] is None) == (not minutes or not exam.entries), name, events[0])
        expected = exam.events + exam.results() + [exam.summary()]
        if same(len(events) - 1, len(expected), name, 'events', lines):
            for got, wanted in zip(events[1:], expected):
                if not agrees(got, wanted, name, lines):
                    break
        stored = attempts(place)
        same([row['id'].lower() for row in stored],
             [event['attempt'].replace('-', '') for event in events if event['event'] == 'result'], name)
        for row, result in zip(stored, exam.results()):
            same((row['question_id'], row['outcome'].replace('omitted', 'skipped'), row['mark'], row['marks']),
                 tuple(result[key] for key in ('question', 'outcome', 'mark', 'marks')), name)
        status, out, errors = place.run('store', 'check')
        same(status, 0, name, out, errors)
        status, out, errors = place.run('store', 'rebuild')
        same(status, 0, name, out, errors)


# ---- by hand --------------------------------------------------------------------------------------------------------

QUESTION = '''  - id: %s
    prompt: "Is %s so?"
    true_false: true
    explanation: Since it is.
'''


def plain_pack(place, ids='abc', head='', name='p'):
    place.write('content/%s.yaml' % name, 'format: quiztutor/1\nid: %s\ntitle: A pack\n%squestions:\n%s' % (
        name, head, ''.join(QUESTION % (letter, letter) for letter in ids)))


def exam(place, *more, **options):
    return Talk(place, '--exam', '--learner', 'Ana', '--seed', '1', *more, **options)


def edit(place, *statements):
    """Changes the store behind the program's back: the log's triggers stand aside."""
    with contextlib.closing(sqlite3.connect(place.store)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute('DROP TRIGGER "%s"' % name)
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()


def let_pass(place, minutes):
    """So much time has gone since the exams began."""
    edit(place, "UPDATE session SET started_at = started_at - %d, options = json_set(options, '$.steady',"
         " (options ->> '$.steady') - %d)" % (minutes * 60000, minutes * 60000),
         "UPDATE event SET at = at - %d, body = json_set(body, '$.steady', (body ->> '$.steady') - %d)"
         " WHERE kind = 'answered'" % (minutes * 60000, minutes * 60000))


def check_late():
    """Left, and its time went by: the next start of anything hands in what was answered, and says so."""
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        talk = exam(place, 'p')
        talk.until('question')
        talk.say('t')
        talk.until('noted')
        talk.process.kill()
        talk.end()
        same(attempts(place), [])
        let_pass(place, 29)
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--resume', '--learner', 'Ana', 'p',
                                        input='')
        check(drive.json_lines(out)[0]['resumed'], out, errors)
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        talk = exam(place, 'p')
        talk.until('question')
        talk.say('f')
        talk.until('noted')
        talk.process.kill()
        talk.end()
        let_pass(place, 30)
        status, out, errors = place.run(input='')  # the library, as somebody else
        holds(errors, '(Ana) was handed in when its time was up')
        same([(row['question_id'], row['outcome']) for row in attempts(place)],
             [('a', 'wrong'), ('b', 'omitted'), ('c', 'omitted')])
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--resume', '--learner', 'Ana', 'p', input='')
        holds(errors, 'no open exam of these packs')
        same(len(attempts(place)), 6)
        same(place.run('store', 'rebuild')[0], 0)
    with Place() as place:  # who goes on with it too late sees the paper, and another's is handed in as well
        plain_pack(place, head='exam: {minutes: 30}\n')
        for learner in ('Bob', 'Ana'):
            talk = Talk(place, '--exam', '--learner', learner, '--seed', '1', 'p')
            talk.until('question')
            talk.say('t')
            talk.until('noted')
            talk.process.kill()
            talk.end()
        let_pass(place, 31)
        status, out, errors = place.run('practise', '--plain', '--exam', '--resume', '--learner', 'Ana', 'p',
                                        input='f\nf\n')
        holds(out, 'Time was up at ')
        holds(out, '1 right, 0 partly, 0 wrong, 2 left blank.')
        holds(errors, '(Bob) was handed in when its time was up')
        same([row['outcome'] for row in attempts(place)], ['right', 'omitted', 'omitted'] * 2)


def check_time_up():
    """The time is up while a line is waited for; what comes afterwards is not taken."""
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 0.05, pass: 50}\n')
        talk = exam(place, 'p')
        talk.until('question')
        talk.say('t')
        talk.until('noted')
        event = talk.until('time-up', 'result')
        same(event['event'], 'time-up')
        with contextlib.suppress(BrokenPipeError):
            talk.say('t')
        status, errors = talk.end()
        same(status, 0, errors)
        same([event['outcome'] for event in talk.results()], ['right', 'skipped', 'skipped'])
        summary = talk.events[-1]
        same((summary['passed'], summary['pass'], summary['mark']), (False, 50, 1))
        rows = place.rows("SELECT count(*) AS n FROM event WHERE kind = 'answered'")
        same(rows[0]['n'], 1)
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', '--seed', '1', 'p',
                                        input='t\n')  # the input ends at once: handed in, not late
        check('Time was up' not in out, out)
        holds(out, '1 right, 0 partly, 0 wrong, 2 left blank. 1 of 3 marks. Not passed: 50% are needed.')


def check_minutes():
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        plain_pack(place, name='q', head='exam: {minutes: 12.5}\n')
        plain_pack(place, name='r')
        for arguments, minutes in ((('p',), 30), (('p', '--minutes', '5'), 5), (('p', 'q'), 42.5), (('r',), None),
                                   (('r', '--minutes', '7'), 7), (('p', 'r'), 30)):
            talk = exam(place, *arguments)
            session = talk.event()
            same(session['minutes'], minutes, arguments)
            check((session['deadline'] is None) == (minutes is None), session)
            talk.end()
        edit(place, 'UPDATE learner SET time_factor = 2')
        talk = exam(place, 'p')
        same(talk.event()['minutes'], 60)
        talk.end()
        status, out, errors = place.run('practise', '--exam', '--plain', '--learner', 'Ana', 'p', input=':overview\n')
        holds(out, '60 min, extended from 30')
        for arguments in (('--minutes', '0', '--exam', 'p'), ('--minutes', '1.5', '--exam', 'p'),
                          ('--minutes', '5', 'p'), ('--exam', '--mode', 'new', 'p')):
            status, out, errors = place.run('practise', *arguments, input='')
            same(status, 2, arguments, errors)


def check_certainty():
    with Place() as place:
        plain_pack(place)
        talk = exam(place, '--certainty', 'p')
        talk.until('question')
        for line, event in (('t', 'certainty'), ('4', 'unreadable'), ('3', 'noted'), ('f', 'certainty'),
                            (':undo', 'question'), ('f', 'certainty'), ('2', 'noted'), ('', 'noted')):
            talk.say(line)
            same(talk.until('certainty', 'unreadable', 'noted', 'question')['event'], event, line)
            if event == 'noted' and line != '':
                talk.until('question')
        status, errors = talk.end()
        same(status, 0, errors)
        same([(result['outcome'], result['certainty'], result['certainty_mark']) for result in talk.results()],
             [('right', 3, 3), ('wrong', 2, -2), ('skipped', None, None)])
        same((talk.events[-1]['sure'], talk.events[-1]['certainty_marks']), (2, 1))


def check_restart():
    with Place() as place:
        plain_pack(place)
        for arguments, counts in ((('p',), (0, 0)), (('--resume', 'p'), (1, 0)), (('--restart', 'p'), (0, 1)),
                                  (('p',), (0, 1))):
            talk = Talk(place, '--exam', '--learner', 'Ana', *arguments)
            same(talk.event()['resumed'], bool(counts[0]), arguments)
            talk.until('question')
            talk.say('t')
            talk.until('noted')
            rows = place.rows("SELECT count(*) AS n FROM event WHERE kind = 'handed-in'")
            same(rows[0]['n'], counts[1], arguments)
            talk.process.kill()
            talk.end()


def check_two():
    """Many come past the deadline at once: it is handed in once."""
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        for _ in range(5):
            talk = exam(place, 'p')
            talk.until('question')
            talk.say('t')
            talk.until('noted')
            talk.process.kill()
            talk.end()
        let_pass(place, 45)
        runs = [subprocess.Popen([drive.PROGRAM], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, env=place.environment) for _ in range(4)]
        errors = ''.join(run.communicate()[1].decode() for run in runs)
        same([run.returncode for run in runs], [0] * 4, errors)
        check('could not' not in errors, errors)
        rows = place.rows("SELECT count(*) AS n, count(DISTINCT session_id) AS sessions FROM event"
                          " WHERE kind = 'handed-in'")
        same((rows[0]['n'], rows[0]['sessions']), (5, 5))
        same([row['outcome'] for row in attempts(place)], ['right', 'omitted', 'omitted'] * 5)
        same(place.run('store', 'rebuild')[0], 0)


def check_changed():
    """A question that is gone leaves the paper; its answer stays."""
    with Place() as place:
        plain_pack(place)
        talk = exam(place, 'p')
        talk.until('question')
        talk.say('t')
        talk.until('noted')
        talk.process.kill()
        talk.end()
        plain_pack(place, 'bc')
        status, out, errors = place.run('practise', '--exam', '--resume', '--jsonl', '--learner', 'Ana', 'p',
                                        input='t\nt\n')
        holds(errors, '1 question is gone or was changed; it left this exam, but counts as it was left')
        same([(row['question_id'], row['outcome']) for row in attempts(place)],
             [('a', 'right'), ('b', 'right'), ('c', 'right')])
        same([event['question'] for event in drive.json_lines(out) if event['event'] == 'result'], ['b', 'c'])


def check_mended():
    """A wording that was mended is kept as it was asked; the one that was answered before stays as it was."""
    with Place() as place:
        plain_pack(place)
        talk = exam(place, 'p')
        talk.until('question')
        talk.say('t')
        talk.until('noted')
        talk.process.kill()
        talk.end()
        path = place.path('content/p.yaml')
        with open(path) as file:
            text = file.read()
        place.write('content/p.yaml', text.replace('Is b so?', 'Is b so, then?'))
        status, out, errors = place.run('practise', '--exam', '--resume', '--jsonl', '--learner', 'Ana', 'p',
                                        input='t\nt\n')
        same((status, errors), (0, ''))
        prompts = [json.loads(row['body'])['prompt'] for row in place.rows(
            'SELECT body FROM attempt JOIN question_text USING (content) ORDER BY seq')]
        same(prompts, ['Is a so?', 'Is b so, then?', 'Is c so?'])


def check_empty():
    with Place() as place:
        plain_pack(place)
        status, out, errors = place.run('practise', '--exam', '--jsonl', '--tag', 'none', 'p', input='')
        events = drive.json_lines(out)
        same((status, events[0]['questions'], events[-1]['asked']), (0, 0, 0), errors)
        status, out, errors = place.run('practise', '--exam', '--plain', '--tag', 'none', 'p', input='')
        same((status, out), (0, 'There is no question to ask: --tag leaves none.\n'), errors)
        same(place.rows('SELECT * FROM session'), [])


# ---- on a terminal --------------------------------------------------------------------------------------------------

def check_plain_terminal():
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        arguments = ('practise', '--plain', '--exam', '--learner', 'Ana', '--seed', '1', 'p')
        desk = console.Console(place, *arguments)
        desk.expect('Enter begins, q leaves > ')
        desk.type('\n')
        desk.expect('Question 1 of 3')
        desk.type('t\n')
        desk.expect('Noted.')
        desk.expect('Question 2 of 3')
        desk.type(':flag\n')
        desk.expect('Flagged.')
        desk.type(':finish\n')
        desk.expect('2 open, 1 flagged. 30 min left. Enter hands in, n goes on, l leaves it open > ')
        desk.type('n\n')
        desk.expect('Question 2 of 3, flagged, 30 min left')
        desk.type('\x04')
        desk.expect('The exam stays open until ')
        status, rest = desk.end()
        same(status, 0)
        same(attempts(place), [])
        desk = console.Console(place, *arguments)
        desk.expect('An exam of these packs is open: 1 of 3 answered')
        desk.type('\n')
        desk.expect('Question 2 of 3')
        os.kill(desk.pid, signal.SIGHUP)
        desk.end()
        same(attempts(place), [])
        desk = console.Console(place, *arguments)
        desk.expect('Enter goes on with it')
        desk.type('\n')
        desk.expect('Question 2 of 3')
        desk.type('f\n')
        desk.expect('Question 3 of 3')
        desk.type('\n')
        desk.expect('Left blank.')
        desk.expect('0 open, 1 flagged.')
        desk.type(':go 2\n')
        desk.expect('Noted so far: 2')
        desk.type('t\n')
        desk.expect('0 open, 1 flagged.')
        desk.type('\n')
        desk.expect('2 right, 0 partly, 0 wrong, 1 left blank. 2 of 3 marks.')
        status, rest = desk.end()
        same(status, 0)
        same([row['outcome'] for row in attempts(place)], ['right', 'right', 'omitted'])


WORDED = """format: quiztutor/1
id: p
title: A pack
exam: {minutes: %s}
questions:
  - {id: a, prompt: First, true_false: true, explanation: Yes.}
  - {id: b, prompt: Second one, true_false: true, explanation: Yes.}
  - {id: c, prompt: And the third, true_false: true, explanation: Yes.}
"""


def check_screens():
    """On the screens: hung up in the midst of it, gone on with, handed in."""
    with Place() as place:
        place.write('content/p.yaml', WORDED % 30)
        arguments = ('practise', '--exam', '--learner', 'Ana', '--seed', '1', 'p')
        desk = console.Console(place, *arguments)
        desk.expect('Begin the exam?')
        same(os.path.exists(place.store) and place.rows('SELECT * FROM session') or [], [])
        desk.type('\r')
        desk.expect('First')
        desk.type('1')
        desk.type('\r')
        desk.expect('Second one')
        same(len(place.rows("SELECT * FROM event WHERE kind = 'answered'")), 1)
        os.close(desk.terminal)  # the line is cut
        _, status = os.waitpid(desk.pid, 0)
        check(os.waitstatus_to_exitcode(status) in (-signal.SIGHUP, 0, 129), status)
        same(attempts(place), [])
        desk = console.Console(place, *arguments)
        desk.expect('1 of 3 answered')
        desk.type('\r')
        desk.expect('Second one')
        os.kill(desk.pid, signal.SIGTERM)
        status, rest = desk.end()
        holds(rest, 'The exam stays open until ')
        desk = console.Console(place, 'practise', '--exam', '--learner', 'Ana', '--resume', 'p')
        desk.expect('Second one')
        desk.type('q')
        desk.expect('Hand in?')
        desk.type('\r')
        desk.expect('handed in')
        desk.type('q')
        status, rest = desk.end()
        same([row['outcome'] for row in attempts(place)], ['right', 'omitted', 'omitted'])


def check_screens_time_up():
    with Place() as place:
        place.write('content/p.yaml', WORDED % 0.05)
        desk = console.Console(place, 'practise', '--exam', '--learner', 'Ana', '--seed', '1', 'p')
        desk.expect('Begin the exam?')
        desk.type('\r')
        desk.expect('less than a minute left')
        desk.expect('First')
        desk.expect('Time was up at ')
        desk.type('q')
        desk.end()
        same([row['outcome'] for row in attempts(place)], ['omitted'] * 3)


# ---- killed ---------------------------------------------------------------------------------------------------------

def check_killed(number):
    """Killed at a random moment, and gone on with, again and again: nothing that was noted is lost."""
    r, packs, seed = make(number)
    packs[0]['minutes'] = 600
    told = Exam(packs, seed)
    told.go(told.at)
    names = [pack['id'] for pack in packs]
    with Place() as place:
        write_packs(place, packs)
        for turn in range(6):
            arguments = ['--seed', str(seed)] if turn == 0 else ['--resume']
            talk = Talk(place, '--exam', '--learner', 'Ana', *arguments, *names)
            session = talk.until('session')
            if turn:
                check(session.get('resumed'), number, turn, session)
            event, budget = talk.until('question', 'result', 'summary'), r.randint(0, 8)
            while event['event'] == 'question' and budget:
                budget -= 1
                told.at = event['number'] - 1
                line = random_line(r, told)
                if line in (':finish', 'q') or told.next_open(told.at) == told.at:
                    break  # the last open one: an answer would hand in
                before = len(told.events)
                told.line(line)
                talk.say(line)
                for expected in told.events[before:]:
                    got = talk.event()
                    if not (got and agrees(got, expected, 'killed', number, turn, line)):
                        return
                    event = got if got['event'] == 'question' else event
            if r.random() < 0.5:
                with contextlib.suppress(BrokenPipeError):  # one more on its way: kept whole or not at all
                    talk.say(':flag')
            talk.process.kill()
            talk.end()
            stored = place.rows("SELECT body FROM event WHERE kind = 'answered' ORDER BY seq")
            newest = {}
            for row in stored:
                body = json.loads(row['body'])
                newest[tuple(body['question'])] = body['response']
            for entry, (pack, question, _) in enumerate(told.entries):
                response, given = newest.get((pack['id'], question['id']), 'none'), told.given[entry]
                if given is None:
                    same(response, 'none', 'killed', number, turn)
                elif given is BLANK:
                    same(response, None, 'killed', number, turn)
                else:
                    same(response, told.shown[entry].response(given), 'killed', number, turn)
            flags = place.rows("SELECT body FROM event WHERE kind = 'flagged' ORDER BY seq")
            told.flags = [False] * len(told.entries)
            for row in flags:
                body = json.loads(row['body'])
                for entry, (pack, question, _) in enumerate(told.entries):
                    if [pack['id'], question['id']] == body['question']:
                        told.flags[entry] = body['on']
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--resume', '--learner', 'Ana', *names,
                                        input=':finish\n')
        events = drive.json_lines(out)
        results = [event for event in events if event['event'] == 'result']
        for got, wanted in zip(results, told.results()):
            agrees(got, wanted, 'killed', number, 'results')
        same(len(results), len(told.entries), number, errors)
        same(place.run('store', 'check')[0], 0, number)
        same(place.run('store', 'rebuild')[0], 0, number)


def main():
    rounds = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for number in range(first, first + rounds):
        check_random(number)
    for number in range(first, first + max(1, rounds // 6)):
        check_killed(number)
    if len(sys.argv) > 1:
        drive.finish()
    for one in (check_late, check_time_up, check_minutes, check_certainty, check_restart, check_two, check_changed,
                check_mended, check_empty, check_plain_terminal, check_screens, check_screens_time_up):
        one()
    drive.finish()


if __name__ == '__main__':
    main()
