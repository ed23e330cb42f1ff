"""A made-up class whose log is written row by row, and what reports must say of it, reckoned from the raw rows
alone: by Python's sqlite3, and the words of the contract. Nothing here knows the program's summaries."""
import contextlib
import hashlib
import json
import math
import os
import random
import sqlite3
import sys
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))
from drive import PROGRAM, Place  # noqa: E402,F401

DAY = 86400000
NAMES = ['=HYPERLINK("x")', 'Doe, Jane "JD"', 'ليلى العلي', '<script>alert(1)</script>', "'Ο Άλφα", 'José']
ONE, NOBODY = 'One Answer', 'No Body'

PACK = '''format: quiztutor/1
id: lists
title: "Lists, \\"quotes\\" & <b>"
questions:
  - id: pick
    prompt: "Which <b>one</b>?"
    choices: [{correct: Alpha}, {wrong: Beta, misconception: beta-tag}, {wrong: "=Gamma", misconception: gamma-tag}]
    explanation: E
    tags: [letters, greek]
  - id: many
    prompt: Which of them?
    choices: [{correct: A}, {correct: B}, {wrong: C, misconception: beta-tag}, {wrong: D}]
    explanation: E
    tags: [letters]
    marks: 2
    marking: net-correct
  - id: truth
    prompt: Is it so?
    true_false: true
    misconception: truth-tag
    explanation: E
    tags: [facts]
  - id: number
    prompt: How much?
    number: {answer: 12, tolerance: 0.5, unit: s, wrong: [{value: 24, misconception: double-tag}]}
    explanation: E
  - id: order
    prompt: In which order?
    order: [one, two, three]
    misconception: gamma-tag
    explanation: E
    tags: [facts, letters]
'''
ORPHAN = ('gone', 'orphan')  # a question of a pack that the library has not


def choice(text, correct=False, tag=None):
    made = {'correct': correct, 'text': text}
    return dict(made, misconception=tag) if tag else made


BODIES = {
    ('lists', 'pick'): dict(type='single-choice', marks=1, prompt='Which <b>one</b>?', tags=['letters', 'greek'],
                            choices=[choice('Alpha', True), choice('Beta', tag='beta-tag'),
                                     choice('=Gamma', tag='gamma-tag')]),
    ('lists', 'many'): dict(type='multiple-choice', marks=2, prompt='Which of them?', tags=['letters'],
                            marking='net-correct',
                            choices=[choice('A', True), choice('B', True), choice('C', tag='beta-tag'), choice('D')]),
    ('lists', 'truth'): dict(type='true-false', marks=1, prompt='Is it so?', tags=['facts'], truth=True,
                             misconception='truth-tag'),
    ('lists', 'number'): dict(type='number', marks=1, prompt='How much?', tags=[],
                              number={'answer': '12', 'tolerance': '0.5', 'unit': 's', 'value': 12,
                                      'wrong': [{'misconception': 'double-tag', 'number': 24, 'value': '24'}]}),
    ('lists', 'order'): dict(type='order', marks=1, prompt='In which order?', tags=['facts', 'letters'],
                             order=['one', 'two', 'three'], misconception='gamma-tag'),
    ORPHAN: dict(type='single-choice', marks=3, prompt='Where\nam I?', tags=['lost'],
                 choices=[choice('Here', True), choice('There', tag='beta-tag')]),
}
for body in BODIES.values():
    body['explanation'] = 'E'

# response, its words, outcome, share, and the misconceptions it shows
RESPONSES = {
    ('lists', 'pick'): [('[1]', 'Alpha', 'right', 1, []), ('[2]', 'Beta', 'wrong', 0, ['beta-tag']),
                        ('[3]', '=Gamma', 'wrong', 0, ['gamma-tag'])],
    ('lists', 'many'): [('[1,2]', 'A; B', 'right', 1, []), ('[1]', 'A', 'partly', .5, []),
                        ('[1,2,3]', 'A; B; C', 'partly', .5, ['beta-tag']), ('[4]', 'D', 'wrong', 0, [])],
    ('lists', 'truth'): [('true', 'True', 'right', 1, []), ('false', 'False', 'wrong', 0, ['truth-tag'])],
    ('lists', 'number'): [('"12"', '12', 'right', 1, []), ('"24.2"', '24.2', 'wrong', 0, ['double-tag']),
                          ('"7"', '7', 'wrong', 0, [])],
    ('lists', 'order'): [('[1,2,3]', 'one; two; three', 'right', 1, []),
                         ('[2,1,3]', 'two; one; three', 'wrong', 0, ['gamma-tag'])],
    ORPHAN: [('[1]', 'Here', 'right', 1, []), ('[2]', 'There', 'wrong', 0, ['beta-tag'])],
}
RIGHT = {('lists', 'pick'): 'Alpha', ('lists', 'many'): 'A; B', ('lists', 'truth'): 'True',
         ('lists', 'number'): '12 s', ('lists', 'order'): 'one; two; three', ORPHAN: 'Here'}
CAN_SHOW = {key: {tag for row in rows for tag in row[4]} for key, rows in RESPONSES.items()}
GUESS = {('lists', 'pick'): 1 / 3, ('lists', 'many'): 1 / 15, ('lists', 'truth'): 1 / 2, ('lists', 'number'): 0,
         ('lists', 'order'): 1 / 6, ORPHAN: 1 / 2}


class World(Place):
    """Its store has learners, groups, sessions, answers, and events of every kind that reports look at."""

    def __init__(self, seed, zone='UTC', starts='04:00', store=None, now=None):
        super().__init__()
        self.random = random.Random(seed)
        self.environment['TZ'] = zone
        self.day_starts = int(starts[:2]) * 60 + int(starts[3:])
        self.write('content/lists.yaml', PACK)
        self.write('config/quiztutor/config.yaml', 'day_starts: "%s"\n' % starts)
        import time
        self.now = now or int(time.time() * 1000)
        # the store is made by the program itself
        status, _, error = self.run('practise', 'lists', '--jsonl', '--learner', ONE, '--limit', '1',
                                     '--seed', '1', input='1\n')
        if status:
            raise SystemExit('no store: ' + error)

    def today(self):
        import time
        os.environ['TZ'] = self.environment['TZ']
        time.tzset()
        now = time.time()
        return self.day(int(now * 1000), time.localtime(now).tm_gmtoff)

    def day(self, at, offset):
        return (at + offset * 1000 - self.day_starts * 60000) // DAY

    def open(self):
        connection = sqlite3.connect(self.store)
        connection.row_factory = sqlite3.Row
        return contextlib.closing(connection)

    def id(self):
        return uuid.UUID(int=self.random.getrandbits(128), version=4).bytes

    def seq(self, db):
        db.execute('UPDATE meta SET next_seq = next_seq + 1')
        return db.execute('SELECT next_seq - 1 FROM meta').fetchone()[0]

    def learner(self, db, name, login=None, external=None, groups=()):
        key = self.id()
        db.execute('INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at) VALUES(?,?,?,?,?,?)',
                   (key, name, name.casefold(), login, external, self.now - 100 * DAY))
        for group in groups:
            db.execute('INSERT INTO member(group_key, learner_id, group_name) VALUES(?,?,?)',
                       (group.casefold(), key, group))
        return key

    def text(self, db, key):
        body = json.dumps(BODIES[key], sort_keys=True, separators=(',', ':'), ensure_ascii=False)
        content = hashlib.sha256(body.encode()).digest()
        db.execute('INSERT OR IGNORE INTO question_text VALUES(?,?,?,?,?)', (content, *key, revision(key), body))
        return content

    def session(self, db, learner, kind, at, offset):
        session = self.id()
        device = db.execute('SELECT device_id FROM meta').fetchone()[0]
        db.execute('INSERT INTO session(session_id, seq, learner_id, device_id, kind, origin, seed, options, plan, '
                   'started_at, utc_offset_s) VALUES(?,?,?,?,?,?,?,?,?,?,?)',
                   (session, self.seq(db), learner, device, kind, 'plain', 1,
                    '{"limit":null,"mode":"all","packs":["lists"],"tag":null}', '[]', at, offset))
        return session

    def attempt(self, db, learner, session, key, row, at, offset, showing=1, elapsed=None, revised=None):
        made = self.id()
        response, _, outcome, share, _ = row
        marks = BODIES[key]['marks']
        device = db.execute('SELECT device_id FROM meta').fetchone()[0]
        db.execute(
            'INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id, revision, '
            'content, seed, showing, shown, response, outcome, mark, marks, elapsed_ms, answered_at, utc_offset_s, '
            'origin) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)',
            (self.seq(db), made, session, learner, device, *key, revised or revision(key), self.text(db, key), 1,
             showing, None, response, outcome, share * marks, marks, elapsed, at, offset, 'plain'))
        return made

    def event(self, db, kind, learner, at, offset, session=None, attempt=None, body=None):
        device = db.execute('SELECT device_id FROM meta').fetchone()[0]
        db.execute('INSERT INTO event(seq, event_id, kind, session_id, attempt_id, learner_id, device_id, body, at, '
                   'utc_offset_s) VALUES(?,?,?,?,?,?,?,?,?,?)',
                   (self.seq(db), self.id(), kind, session, attempt, learner, device,
                    json.dumps(body) if body is not None else None, at, offset))

    def fill(self, sessions=6):
        """Weeks of practice and exams, with answers taken back, graded anew and voided, near the day's beginning
        and in several zones."""
        draw = self.random
        with self.open() as db:
            for place, name in enumerate(NAMES):
                learner = self.learner(db, name, login='login%d' % place if place % 2 else None,
                                       external='id-%d' % place if place < 4 else None,
                                       groups=['Lab A'] if place < 4 else ['Übung'])
                at = self.now - draw.randrange(20, 60) * DAY
                for _ in range(sessions):
                    offset = draw.choice([0, 3600, 19800, -18000, 7200])
                    kind = draw.choice(['practice', 'practice', 'exam'])
                    session = self.session(db, learner, kind, at, offset)
                    self.work(db, learner, session, kind, at, offset)
                    at += draw.randrange(1, 6) * DAY + draw.randrange(DAY)
                    if at > self.now - 2 * DAY:
                        break
            self.learner(db, NOBODY, groups=['Lab A'])
            db.commit()
        return self.rebuild()

    def work(self, db, learner, session, kind, at, offset):
        draw = self.random
        showings = {}
        for key in draw.choices(list(BODIES), k=draw.randrange(2, 9)):
            at += draw.randrange(1, 90 * 60000)  # over the day's beginning now and then
            rows = RESPONSES[key]
            row = draw.choice(rows) if draw.random() < .9 else (None, '', 'omitted', 0, [])
            elapsed = draw.choice([None, draw.randrange(60000)])
            revised = 'older' if draw.random() < .1 else None
            showings[key] = showings.get(key, 0) + 1
            made = self.attempt(db, learner, session, key, row, at, offset, showings[key], elapsed, revised)
            fate = draw.random()
            if fate < .1 and kind == 'practice':
                self.event(db, 'undone', learner, at + 1, offset, session, made)
                showings[key] += 1
                self.attempt(db, learner, session, key, rows[0], at + 2, offset, showings[key], 1000, revised)
            elif fate < .2:
                marks = BODIES[key]['marks']
                for body in draw.choice([[{'outcome': 'right', 'mark': marks, 'marks': marks}],
                                         [{'outcome': 'right', 'mark': marks, 'marks': marks},
                                          {'outcome': 'wrong', 'mark': 0, 'marks': marks}]]):
                    self.event(db, 'regraded', learner, at + 3, offset, None, made, dict(body, reason='r', by='t'))
            elif fate < .25:
                self.event(db, 'voided', learner, at + 3, offset, None, made, {'reason': 'r', 'by': 't'})
            elif fate < .35:
                self.event(db, 'reported', learner, at + 3, offset, session, None,
                           {'question': list(key), 'showing': 1, 'text': draw.choice(['', '=bad "one", <i>', 'ش'])})

    def rebuild(self):
        return self.run('store', 'rebuild')

    def log(self):
        """Counted attempts as reports see them: by learner, in the order of the log."""
        with self.open() as db:
            undone = {row[0] for row in db.execute("SELECT attempt_id FROM event WHERE kind = 'undone'")}
            gradings = {}
            for row in db.execute("SELECT * FROM event WHERE kind IN ('regraded','accepted','voided') ORDER BY seq"):
                gradings[row['attempt_id']] = row
            all_rows = db.execute('SELECT attempt.*, learner.name, session.kind FROM attempt JOIN learner '
                                  'USING(learner_id) JOIN session USING(session_id) ORDER BY attempt.seq').fetchall()
        taken_back, made = set(), []
        for row in all_rows:
            key = (row['pack_id'], row['question_id'])
            if row['attempt_id'] in undone:
                taken_back.add((row['session_id'], key))
                continue
            outcome, mark, marks, voided = row['outcome'], row['mark'], row['marks'], False
            grading = gradings.get(row['attempt_id'])
            if grading is not None and grading['kind'] == 'voided':
                voided = True
            elif grading is not None:
                body = json.loads(grading['body'])
                outcome, mark, marks = body['outcome'], body['mark'], body['marks']
            made.append(dict(learner=row['name'], key=key, outcome=outcome, share=mark / marks, marks=marks,
                             voided=voided, helped=(row['session_id'], key) in taken_back, at=row['answered_at'],
                             day=self.day(row['answered_at'], row['utc_offset_s']), offset=row['utc_offset_s'],
                             session=row['session_id'], kind=row['kind'], revision=row['revision'], told=row['outcome'],
                             response=row['response'], elapsed=row['elapsed_ms'] or 0, seq=row['seq'],
                             graded=grading is not None))
        return made, len(undone)

    def report(self, *arguments, status=0):
        done, out, error = self.run('report', *arguments)
        if done != status:
            raise AssertionError('report %s: status %d: %s' % (' '.join(arguments), done, error))
        return out

    def json(self, *arguments):
        return json.loads(self.report(*arguments, '--to', 'json'))


def revision(key):
    return hashlib.sha256('/'.join(key).encode()).hexdigest()[:16]


def choose(rows, use='first'):
    """The chosen ones of a learner's attempts at one question, in the order of the log."""
    good = [row for row in rows if not row['voided']]
    if use == 'first':
        return [row for row in rows[:1] if not row['voided'] and not row['helped']]
    if use == 'last':
        return good[-1:]
    if use == 'best':
        return [max(good, key=lambda row: row['share'])] if good else []
    return good


def groups(rows, *keys):
    made = {}
    for row in rows:
        made.setdefault(tuple(row[key] for key in keys), []).append(row)
    return made


def wilson(right, count, z=1.959963984540054):
    """Wilson 1927."""
    share = right / count
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)


def close(one, other, most=1e-9):
    return one == other or (one is not None and other is not None and abs(one - other) <= most * max(1, abs(other)))
