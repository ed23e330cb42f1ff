"""test_learning.py QUIZTUTOR CLOCK [DAYS] [FIRST]: weeks of practice against a second opinion on learning.

Several learners practise over simulated days, with random packs, responses, certainty, hints, undo, skips, stars and
suspending; packs are edited in between. After each session every schedule is made again from the log by learner.py and held
against the store's; each plan is held against the one that the log before it calls for. World k is made from k alone.
"""
import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import sys

import drive
import kinds
import learner
import oracle
import test_conform
import timeline
from drive import check, same

SETTLED = ('question', 'certainty', 'unreadable', 'hint', 'flagged', 'reported', 'help', 'starred', 'suspended', 'summary',
           'not-stored', 'retry')
WORDS = {learner.NEW: 'new', learner.LEARNING: 'learning', learner.REVIEW: 'review', learner.RELEARNING: 'relearning'}


# ---- packs and their changes -------------------------------------------------------------------------------------------

def make_new(r, question, name):
    kind = r.choice(('number', 'given', 'text', 'order', 'match', 'recall'))
    if kind == 'number':
        question['number'] = {'answer': '7.5'}
    elif kind == 'given':  # the values stand in the prompt
        question['given'] = {'a': [1, 2, 3, 4], 'b': {'from': 10, 'to': 90, 'step': 10}}
        question['derive'] = {'sum': ('a + b', lambda values: values['a'] + values['b'])}
        question.update(number={'answer': 'sum'}, prompt='What is {a} + {b}?', explanation='It is {sum}.')
    elif kind == 'text':
        question['text'] = {'accept': ['tensor parallelism of ' + name]}
    elif kind == 'order':
        question['order'] = ['item %d of %s' % (i, name) for i in range(r.choice((2, 3, 4)))]
        question['marking'] = r.choice(('net-correct', 'each-decision'))
    elif kind == 'match':
        question['match'] = [('left %d' % i, 'right %d' % (i % 2)) for i in range(r.choice((2, 3)))]
        question['marking'] = r.choice(('all-or-nothing', 'each-decision'))
    else:
        question['recall'] = 'The back of ' + name


def make_question(r, name):
    question = {'id': name, 'prompt': 'What of %s?' % name, 'explanation': 'Because of %s.' % name}
    if r.random() < 0.3:
        make_new(r, question, name)
    elif r.random() < 0.25:
        question['true_false'] = r.random() < 0.5
    else:
        count = r.choice((2, 3, 3, 4, 4, 5, 6))
        right = 1 if r.random() < 0.65 else r.randint(1, count)
        correct = r.sample(range(count), right)
        question['choices'] = [{'text': 'choice %d of %s' % (i, name), 'right': i in correct} for i in range(count)]
        for i, choice in enumerate(question['choices']):
            if r.random() < 0.15:
                choice['id'] = 'c%d' % i
        if oracle.kind(question) == 'multiple-choice' and r.random() < 0.6:
            question['marking'] = r.choice(('net-correct', 'each-decision'))
    if r.random() < 0.3:
        question['hints'] = ['hint %d' % i for i in range(r.randint(1, 2))]
    if r.random() < 0.7:
        question['tags'] = r.sample(('one', 'two', 'three', 'four'), r.randint(1, 2))
    if r.random() < 0.2:
        question['marks'] = r.choice((0.5, 2, 3))
    return question


def make_pack(r, name, count):
    pack = {'id': name, 'title': 'Pack ' + name, 'questions': [make_question(r, 'q%d' % i) for i in range(count)]}
    if r.random() < 0.5:
        pack['shuffle'] = r.choice(('all', 'choices', 'none'))
    return pack


def edit(r, pack, count):
    """Changes one thing of a pack, as its author would; `count` numbers what is new."""
    question = r.choice(pack['questions'])
    choices = question.get('choices')
    what = r.choice(('wording', 'wording', 'choice', 'distractor', 'overturn', 'overturn', 'delete', 'rename', 'add', 'order'))
    if what == 'wording':
        question['explanation'] += ' Mended.'
    elif what == 'choice' and choices:
        r.choice(choices)['text'] += '!'
    elif what == 'distractor' and choices and len(choices) < 9:
        choices.insert(r.randint(0, len(choices)), {'text': 'distractor %d' % count, 'right': False})
    elif what == 'overturn' and choices and len(choices) > 1:
        right = r.choice([choice for choice in choices if choice['right']])
        other = r.choice([choice for choice in choices if choice is not right])
        if r.random() < 0.7:
            right['right'] = False
        if not other['right']:
            other['right'] = True
        if not any(choice['right'] for choice in choices):
            right['right'] = True
        if oracle.kind(question) != 'multiple-choice':
            question.pop('marking', None)
    elif what == 'overturn' and 'true_false' in question:
        question['true_false'] = not question['true_false']
    elif what == 'delete' and len(pack['questions']) > 3:
        pack['questions'].remove(question)
    elif what == 'rename':
        question['id'] = 'r%d' % count
    elif what == 'add':
        pack['questions'].append(make_question(r, 'n%d' % count))
    elif what == 'order' and choices:
        r.shuffle(choices)
    return what


# ---- a session -----------------------------------------------------------------------------------------------------------

class Person:
    def __init__(self, r, name):
        self.name = name
        self.skill = r.uniform(0.5, 0.95)
        self.certainty = r.random() < 0.5
        self.calm = r.random() < 0.4  # answers and little else


class Script:
    """Lines of a session and the time before each, so that it can be held once more."""

    def __init__(self):
        self.lines = []


class World:
    def __init__(self, k, place, zone='UTC', begin='2024-03-01 09:00'):
        self.r = r = random.Random(k)
        self.where, self.place = 'world %d' % k, place
        self.time = timeline.Timeline(place, zone, begin)
        self.packs, self.edits = [], 0
        self.new_per_day = r.choice((3, 8, 20))
        self.starts = r.choice((240, 240, 0, 330))
        self.retention, self.by_pack = r.choice((0.9, 0.9, 0.8, 0.95)), {}
        self.rules = {}
        self.kept = {}  # texts of the questions as they were asked
        self.counts = {}

    def settings(self):
        lines = ['new_per_day: %d' % self.new_per_day, 'day_starts: "%02d:%02d"' % divmod(self.starts, 60),
                 'retention: %g' % self.retention]
        if self.by_pack:
            lines += ['retention_by_pack:'] + ['  %s: %g' % pair for pair in self.by_pack.items()]
        self.place.write('config/quiztutor/config.yaml', '\n'.join(lines) + '\n')

    def write(self, pack):
        self.place.write('content/%s.yaml' % pack['id'], oracle.pack_yaml(pack))

    def rules_of(self, _, pack):
        if pack not in self.rules:
            self.rules[pack] = learner.Rules(retention=self.by_pack.get(pack, self.retention), starts=self.starts)
        return self.rules[pack]

    @contextlib.contextmanager
    def reading(self, store=None):
        with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % (store or self.place.store), uri=True)) as connection:
            connection.row_factory = None
            yield connection

    def known(self):
        """Of each learner's name: what the log says of each question."""
        if not os.path.exists(self.place.store):
            return {}
        with self.reading() as connection:
            log = learner.read_log(connection)
            names = dict(connection.execute('SELECT learner_id, name FROM learner'))
            out = {}
            for (who, pack, question), one in learner.learn(connection, self.rules_of, log).items():
                one.key = log[1].get(one.content)
                out.setdefault(names[who], {})[pack, question] = one
        return out

    def schedules(self):
        with self.reading() as connection:
            return schedule_rows(connection)

    # -- what the store says against what the log says

    def compare(self, where):
        with self.reading() as connection:
            stored, expected = schedule_rows(connection), learner.learn(connection, self.rules_of)
        same(sorted(stored), sorted(expected), where, 'questions with a schedule')
        for key, one in expected.items():
            if key in stored:
                compare_row(stored[key], one, (where,) + key[1:])
        self.counts['rows'] = self.counts.get('rows', 0) + len(expected)

    # -- a session

    def plan(self, packs, seed, known, **options):
        return learner.Plan(packs, seed, known, self.time.wall, self.time.offset(), self.starts,
                            lambda pack: self.rules_of(None, pack), self.new_per_day, **options)

    def session(self, person, packs, where, limit=None, tag=None, most=10 ** 9, mode='due'):
        r = self.r
        seed = r.choice((1, r.randint(2, 2 ** 32 - 1), r.randint(2, 9)))
        known = self.known().get(person.name, {})
        plan = self.plan(packs, seed, known, limit=limit, tag=tag)
        where = '%s %s seed %d' % (where, mode, seed)
        arguments = ['--learner', person.name, '--seed', str(seed), '--mode', mode]
        arguments += ['--certainty'] * person.certainty + (['--limit', str(limit)] if limit else [])
        arguments += (['--tag', tag] if tag else []) + [pack['id'] for pack in packs]
        again = None
        if r.random() < 0.1 and os.path.exists(self.place.store):
            again = self.copy()
        script = Script()
        talk = drive.Talk(self.place, *arguments)
        head = talk.event()
        if head is None:
            check(False, where, 'no session:', *talk.end())
            return
        if mode == 'due':
            expected = plan.first + plan.due + plan.fresh
            same([head.get(key) for key in ('due', 'new', 'waiting', 'new_waiting', 'reset')],
                 [len(plan.first) + len(plan.due), len(plan.fresh), plan.waiting, plan.new_waiting, len(plan.first)], where,
                 'due, new, waiting, new waiting and reset')
        else:
            expected = self.wanted(packs, seed, known, mode, limit, tag)
        same(head['questions'], len(expected), where, 'how many', len(plan.first), len(plan.due), len(plan.fresh))
        event = talk.until(*SETTLED)
        answered = 0
        while event['event'] not in ('summary', None):
            line = self.line(person, event, packs, answered >= most)
            undo = event['event'] == 'question' and r.random() < 0.1 and line[0] != ':'
            before = self.schedules() if undo and os.path.exists(self.place.store) else {}
            event, done = self.say(talk, script, line)
            while undo and event['event'] == 'certainty':
                event, done = self.say(talk, script, self.line(person, event, packs, False))
            answered += any(other['event'] == 'result' for other in done)
            if undo and event['event'] == 'question' and any(other['event'] == 'result' for other in done):
                taken = [other for other in done if other['event'] == 'result'][0]
                event, done = self.say(talk, script, ':undo')
                same([other.get('attempt') for other in done if other['event'] == 'undone'], [taken['attempt']], where,
                     'undone')
                key = taken['pack'], taken['question']
                same(self.schedules(), before, where, key, 'undo leaves the schedules as they were')
                same((event.get('pack'), event.get('question')), key, where, 'asked again at once')
                self.counts['undone'] = self.counts.get('undone', 0) + 1
        status, errors = talk.end()
        same(status, 0, where, errors)
        if plan.first and mode == 'due':
            self.counts['reset'] = self.counts.get('reset', 0) + 1
        check('Sanitizer' not in errors and 'runtime error' not in errors, where, errors)
        self.check_results(talk, where)
        self.check_summary(talk, where)
        self.check_plan(talk, plan if mode == 'due' else None, expected, where)
        self.counts['sessions'] = self.counts.get('sessions', 0) + 1
        self.counts['answers'] = self.counts.get('answers', 0) + len(talk.results())
        if again:
            self.once_more(again, arguments, script, talk.events, where)

    def killed(self, person, packs, where):
        """A session killed while it stores, and perhaps taken up again, today or on another day."""
        talk = drive.Talk(self.place, '--learner', person.name, '--mode', 'all', *[pack['id'] for pack in packs])
        event, script = talk.until(*SETTLED), Script()
        for _ in range(self.r.randint(0, 6)):
            if event['event'] in ('summary', None):
                break
            event, _ = self.say(talk, script, self.line(person, event, packs, False))
        if event['event'] not in ('summary', None):
            self.time.go(2000)
            talk.say(self.line(person, event, packs, False))
            talk.process.kill()
        told = len([event for event in talk.results()])
        talk.end()
        stored = self.place.rows('SELECT count(*) AS n FROM attempt WHERE session_id = ?',
                                 bytes.fromhex(talk.events[0]['session'].replace('-', '')))[0]['n'] if os.path.exists(
                                     self.place.store) else 0
        check(stored - 1 <= told <= stored, where, 'killed: told', told, 'stored', stored)
        if os.path.exists(self.place.store):
            self.compare(where + ' killed')
        if self.r.random() < 0.3:
            self.time.go(self.r.choice((1, 30, 5 * 24)) * timeline.HOUR)
        talk = drive.Talk(self.place, '--learner', person.name, '--resume', *[pack['id'] for pack in packs])
        event, left = talk.until(*SETTLED), self.r.choice((3, 100))
        while event['event'] not in ('summary', None):
            left -= 1
            event, _ = self.say(talk, script, self.line(person, event, packs, left < 0))
        status, errors = talk.end()
        same(status, 0, where, 'resumed', errors)
        check('Sanitizer' not in errors and 'runtime error' not in errors, where, errors)
        self.counts['killed'] = self.counts.get('killed', 0) + 1

    @staticmethod
    def wanted(packs, seed, known, mode, limit, tag):
        """The plan under the modes that have nothing to do with what is due."""
        out = []
        for pack in packs:
            for question in oracle.question_order(pack, seed):
                one = known.get((pack['id'], question['id'])) or learner.Known()
                takes = {'all': True, 'starred': one.starred, 'new': not one.counted and not one.suspended,
                         'mistakes': one.counted and one.outcome != 'right' and not one.suspended}[mode]
                if takes and (tag is None or tag in question.get('tags', [])):
                    out.append((pack['id'], question['id']))
        return out[:limit]

    def check_summary(self, talk, where):
        """Certainty-based marks stand beside the plain ones: those of first answers, where nothing helped."""
        gone = {event['attempt'] for event in talk.events if event['event'] == 'undone'}
        first, aided, retried = {}, set(), set()  # aided: numbers of questions with a hint given, or whose answer was shown
        for event in talk.events:
            if event['event'] == 'retry':  # the spelling was to be checked, at this showing
                retried.add(event['number'])
            if event['event'] == 'skipped':
                retried.discard(event['number'])
            if event['event'] == 'result' or (event['event'] == 'hint' and event['hint'] is not None):
                helped = event['number'] in aided | retried
                aided.add(event['number'])
            if event['event'] != 'result':
                continue
            expected = None
            if event.get('certainty') and not helped:
                expected = learner.certainty_mark(event['outcome'], event['mark'] / event['marks'], event['certainty'])
            got = event.get('certainty_mark')
            check(got == expected or (got is not None and expected is not None and abs(got - expected) < 1e-9), where,
                  'certainty-based mark', event, expected)
            if event['attempt'] not in gone:
                first.setdefault((event['pack'], event['question']), expected)
        sure = [mark for mark in first.values() if mark is not None]
        summary = talk.events[-1]
        same((summary.get('sure'), summary.get('certainty_marks') is None), (len(sure), not sure), where, 'how many were sure')
        check(not sure or abs(summary['certainty_marks'] - sum(sure)) < 1e-9, where, 'certainty marks', summary, sum(sure))

    def library(self, person, where):
        """The list of packs as text: what is due and mastered in each."""
        status, output, errors = self.place.run('--learner', person.name)
        same((status, errors), (0, ''), where, 'the library')
        known = self.known().get(person.name, {})
        plan = self.plan(self.packs, 1, known)
        for pack in self.packs:
            mine = {key: one for key, one in known.items() if key[0] == pack['id'] and key[1] in
                    {question['id'] for question in pack['questions']}}
            due = sum(1 for key in plan.all_due if key[0] == pack['id'])
            turned = sum(1 for key in plan.all_first if key[0] == pack['id'])
            mastered = sum(1 for question in pack['questions'] if (one := mine.get((pack['id'], question['id']))) and
                           one.schedule.mastered(learner.guess_of(question)))
            self.counts['mastered'] = self.counts.get('mastered', 0) + mastered
            found = re.search('^  %s: .*' % pack['id'], output, re.M)
            if check(found, where, 'library', pack['id'], output):
                said = {name: int(number) for number, name in re.findall(r'(\d+) (question|due|mastered)', found.group(0))}
                same((said['question'], said.get('mastered', 0)), (len(pack['questions']), mastered), where, found.group(0))
                check(due <= said.get('due', 0) <= due + turned, where, 'library: due', due, turned, found.group(0))

    def say(self, talk, script, line):
        pause = self.r.choice((1500, 4000, 9000, 30000, 61000)) if self.r.random() < 0.97 else 11 * timeline.MINUTE
        self.time.go(pause)
        script.lines.append((pause, line))
        talk.say(line)
        mark = len(talk.events)
        return talk.until(*SETTLED), talk.events[mark:]

    def line(self, person, event, packs, stop):
        r = self.r
        if event['event'] == 'certainty':
            return r.choice('12333' if r.random() < 0.95 else ('0', 'x', ''))
        if stop or (r.random() < 0.004 and not person.calm):
            return ':finish'
        if event['event'] == 'retry':
            return self.answer(person, self.open, packs)
        if event['event'] in ('question', 'unreadable', 'hint', 'starred', 'suspended', 'flagged', 'help', 'reported'):
            if event['event'] == 'question':
                self.open = event
            dice = r.random()
            if not person.calm or dice < 0.2:
                dice = r.random()
                for bound, word in ((0.05, ':hint'), (0.10, ':skip'), (0.13, ':undo'), (0.15, ':star'), (0.162, ':suspend'),
                                    (0.17, ':flag'), (0.18, 'what?')):
                    if dice < bound:
                        return word
        return self.answer(person, self.open, packs)

    def answer(self, person, event, packs):
        r = self.r
        pack = [pack for pack in packs if pack['id'] == event['pack']][0]
        question = [question for question in pack['questions'] if question['id'] == event['question']][0]
        right = r.random() < person.skill
        if kinds.kind(question):
            return self.answer_new(question, event, right)
        if oracle.kind(question) == 'true-false':
            return 'true' if question['true_false'] == right else 'false'
        good = {choice['text'] for choice in question['choices'] if choice['right']}
        places = [i + 1 for i, text in enumerate(event['choices']) if text in good]
        if not right:
            size = r.randint(1, len(event['choices'])) if oracle.kind(question) == 'multiple-choice' else 1
            places = r.sample(range(1, len(event['choices']) + 1), size)
        return ','.join(map(str, places))

    def answer_new(self, question, event, right):
        r, kind = self.r, kinds.kind(question)
        if kind == 'recall':
            return r.choice('34' if right else '12')
        if kind == 'text':
            text = question['text']['accept'][0]
            return text if right else r.choice((text.replace('ll', 'l', 1), 'gradients'))
        if kind == 'number':
            values = [int(value) for value in re.findall(r'\d+(?= [+]|[?])', event['prompt'])]
            value = sum(values) if 'given' in question else 7.5
            return '%g' % (value if right else value + 1)
        good = [event['choices'].index(text) + 1 for text in question['order']] if kind == 'order' else \
            [event['targets'].index(text) + 1 for _, text in question['match']]
        if not right:
            r.shuffle(good)
        return ' '.join(map(str, good))

    def check_results(self, talk, where):
        """What a result tells of its schedule is what the store keeps, for the last result of each question."""
        results = {(event['pack'], event['question']): event for event in talk.results()}
        gone = {event['attempt'] for event in talk.events if event['event'] == 'undone'}
        if not results:
            return
        with self.reading() as connection:
            rows = {(row['pack_id'], row['question_id'], row['last_seq']): row for row in schedule_rows(connection).values()}
            attempts = dict(connection.execute('SELECT attempt_id, seq FROM attempt'))
        for key, event in results.items():
            row = rows.get(key + (attempts[bytes.fromhex(event['attempt'].replace('-', ''))],))
            if event['attempt'] in gone or not check(row is not None, where, key, 'its last answer is the schedule\'s'):
                continue
            day = None if not row['phase'] else str(learner_date(row['due_day']))
            same(event.get('due'), day, where, key, 'the day it comes again')

    def check_plan(self, talk, plan, expected, where):
        stored = self.place.rows('SELECT plan FROM session WHERE session_id = ?',
                                 bytes.fromhex(talk.events[0]['session'].replace('-', '')))
        if not stored:
            return
        listed = [(entry[0], entry[1]) for entry in json.loads(stored[0]['plan'])]
        same(sorted(listed), sorted(expected), where, 'what is asked')
        if not plan:
            same(listed, expected, where, 'in which order')
            return
        first, due = listed[:len(plan.first)], listed[len(plan.first):len(plan.first) + len(plan.due)]
        same(sorted(first), sorted(plan.first), where, 'what was overturned comes first')
        same(listed[len(first) + len(due):], plan.fresh, where, 'new ones in their order')
        if sorted(due) != sorted(plan.due):
            return
        item = {entry[3]: entry for entry in plan.items}
        topics = [item[key][2] for key in due]
        pairs = sum(1 for one, next in zip(topics, topics[1:]) if one == next)
        same(pairs, learner.apart_least(topics), where, 'the same topic twice in a row', topics)
        for topic in set(topics):
            listed = [item[key][:2] for key in due if item[key][2] == topic]
            same(listed, sorted(listed), where, 'within a topic what is likeliest forgotten comes first')
        check(due == plan.due, where, 'the queue', [item[key][:3] for key in due], [item[key][:3] for key in plan.due])
        self.counts['due'] = self.counts.get('due', 0) + len(due)

    # -- the same once more

    def copy(self):
        there = self.place.path('copy')
        shutil.rmtree(there, ignore_errors=True)
        os.mkdir(there)
        for ending in ('', '-wal'):
            if os.path.exists(self.place.store + ending):
                shutil.copy(self.place.store + ending, os.path.join(there, 'store.db' + ending))
        return there, self.time.state()

    def once_more(self, again, arguments, script, events, where):
        there, state = again
        now, self.time.wall = self.time.state(), 0
        self.time.restore(state)
        environment = dict(self.place.environment)
        self.place.environment['QUIZTUTOR_STORE'] = os.path.join(there, 'store.db')
        talk = drive.Talk(self.place, *arguments)
        self.place.environment.clear()
        self.place.environment.update(environment)
        talk.until(*SETTLED)
        for pause, line in script.lines:
            self.time.go(pause)
            talk.say(line)
            talk.until(*SETTLED)
        talk.end()
        same(nameless(talk.events), nameless(events), where, 'the same lines from the same store and seed')
        with self.reading(os.path.join(there, 'store.db')) as connection:
            same(nameless_rows(schedule_rows(connection)), nameless_rows(self.schedules()), where, 'and the same schedules')
        self.time.restore(now)
        self.counts['twice'] = self.counts.get('twice', 0) + 1


def learner_date(day):
    import datetime
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=day)


def schedule_rows(connection):
    cursor = connection.execute('SELECT * FROM schedule')
    names = [column[0] for column in cursor.description]
    rows = (dict(zip(names, row)) for row in cursor)
    return {(row['learner_id'], row['pack_id'], row['question_id']): row for row in rows}


def nameless(events):
    """Events without what differs from run to run."""
    return [{key: value for key, value in event.items() if key not in ('session', 'attempt')} for event in events]


def nameless_rows(rows):
    return sorted(tuple(str(value) for key, value in row.items() if key != 'learner_id') for row in rows.values())


def near(got, expected):
    return abs(got - expected) <= 1e-9 * max(abs(got), abs(expected))


def compare_row(row, one, where):
    schedule = one.schedule
    fields = {'phase': schedule.phase, 'step': schedule.step, 'answers': schedule.answers, 'lapses': schedule.lapses,
              'run': schedule.run, 'counted': one.counted, 'right_answers': one.right, 'starred': one.starred,
              'suspended': one.suspended, 'outcome': one.outcome, 'revision': one.revision, 'content': one.content}
    if schedule.phase:
        fields.update({'last_at': schedule.last_at, 'last_day': schedule.last_day, 'due_day': schedule.due_day,
                       'due_at': schedule.due_at, 'interval_days': schedule.interval})
    if schedule.run:
        fields['run_day'] = schedule.run_day
    if one.counted:
        fields.update({'answered_at': one.answered_at, 'last_seq': one.last_seq})
    wrong = {name: (row[name], value) for name, value in fields.items() if row[name] != value}
    for name in ('stability', 'difficulty'):
        if not near(row[name], getattr(schedule, name)):
            wrong[name] = row[name], getattr(schedule, name)
    check(not wrong, *where, '(stored, expected):', wrong)


def results(talk):
    return [event for event in talk.events if event['event'] == 'result']


# ---- weeks ---------------------------------------------------------------------------------------------------------------

def weeks(k, days):
    with drive.Place() as place:
        r = random.Random(k)
        zone = r.choice(('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'))
        world = World(k, place, zone, r.choice(('2024-03-01 09:00', '2024-10-05 09:00', '2025-12-20 09:00')))
        world.packs = [make_pack(r, 'pack-%d' % i, r.choice((5, 12, 25))) for i in range(r.choice((1, 2, 3)))]
        if r.random() < 0.5:
            world.by_pack[world.packs[0]['id']] = r.choice((0.75, 0.97))
        world.settings()
        for pack in world.packs:
            world.write(pack)
        people = [Person(r, name) for name in ('Ana', 'Bertá', 'Cleo')[:r.choice((1, 2, 3))]]
        for day in range(days):
            where = '%s day %d:' % (world.where, day)
            world.time.go(r.choice((20, 22, 24, 24, 25, 27)) * timeline.HOUR if r.random() < 0.85 else
                          r.randint(2, 15) * timeline.DAY)
            if day and r.random() < 0.35:
                pack = r.choice(world.packs)
                world.edits += 1
                edit(r, pack, world.edits)
                world.write(pack)
            for person in people:
                if r.random() < 0.2:
                    continue
                for _ in range(r.choice((1, 1, 2))):
                    world.time.go(r.choice((1, 5, 15, 60)) * timeline.MINUTE)
                    packs = r.sample(world.packs, r.randint(1, len(world.packs)))
                    world.session(person, packs, where + ' ' + person.name, limit=r.choice((None, None, None, 3, 10)),
                                  tag=r.choice((None,) * 6 + ('one', 'two')), most=r.choice((10 ** 9, 10 ** 9, 12)),
                                  mode=r.choice(('due',) * 8 + ('new', 'mistakes', 'starred', 'all')))
                if r.random() < 0.07:
                    world.killed(person, r.sample(world.packs, r.randint(1, len(world.packs))), where + ' ' + person.name)
            if os.path.exists(place.store):
                world.compare(where)
                if r.random() < 0.3:
                    world.library(r.choice(people), where)
            if day % 10 == 9 or day == days - 1:
                rebuild(world, where)
        print(world.where, zone, 'new', world.new_per_day, 'starts', world.starts, world.counts, flush=True)


def rebuild(world, where):
    status, said, errors = world.place.run('store', 'rebuild')
    same(status, 0, where, 'store rebuild', said, errors)
    before = world.schedules()
    check('no difference' in said.lower() or 'none' in said.lower() or ' 0 ' in said, where, 'store rebuild finds:', said)
    world.compare(where + ' rebuilt')
    same(world.schedules(), before, where, 'rebuilt rows')


drive.Talk.results = results


def main():
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    worlds = drive.slice_of(int(sys.argv[3]) if len(sys.argv) > 3 else 3)
    check(timeline.works(), 'the clock does not reach the program')
    for k in range(first, first + worlds):
        weeks(k, days)
    drive.finish()


if __name__ == '__main__':
    main()
