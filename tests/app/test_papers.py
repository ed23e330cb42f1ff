"""test_papers.py QUIZTUTOR CLOCK [EXAMS] [FIRST]: exams against a second opinion.

Random papers of sections with `pick`, random turns, and what may happen to somebody who sits an exam: the program is
killed, the machine started anew, the clock set wrong, the deadline passes while nobody is there. What was answered in
time is what is handed in, once; nothing late is.
"""
import contextlib
import json
import os
import random
import signal
import sqlite3
import sys

import drive
import kinds
import oracle
import test_conform
import test_learning
import timeline
from drive import check, same

SETTLED = ('question', 'certainty', 'unreadable', 'flagged', 'reported', 'help', 'overview', 'summary', 'not-stored')
MINUTE = timeline.MINUTE


# ---- papers ------------------------------------------------------------------------------------------------------------

def make_pack(r, name):
    pack = {'id': name, 'title': 'Pack ' + name, 'sections': []}
    if r.random() < 0.3:
        pack['marking'] = r.choice(('net-correct', 'each-decision'))
    for k in range(r.choice((1, 2, 3))):
        section = {'title': 'Section %d' % (k + 1), 'questions': [
            test_learning.make_question(r, 's%dq%d' % (k, i)) for i in range(r.choice((1, 3, 6)))]}
        if r.random() < 0.6:
            section['pick'] = r.randint(1, len(section['questions']))
        pack['sections'].append(section)
    if r.random() < 0.8:
        pack['exam'] = {'minutes': r.choice((5, 30, 90))}
        if r.random() < 0.6:
            pack['exam']['pass'] = r.choice((30, 50, 75))
    pack['questions'] = [question for section in pack['sections'] for question in section['questions']]
    return pack


def pack_yaml(pack):
    head = oracle.pack_yaml(dict(pack, questions=[])).split('questions:')[0]
    if 'exam' in pack:
        head += 'exam: {%s}\n' % ', '.join('%s: %d' % pair for pair in pack['exam'].items())
    out = head + 'sections:\n'
    for section in pack['sections']:
        out += '  - title: %s\n' % section['title']
        if 'pick' in section:
            out += '    pick: %d\n' % section['pick']
        listed = oracle.pack_yaml(dict(pack, questions=section['questions'])).split('questions:\n')[1]
        out += '    questions:\n' + ''.join('    ' + line + '\n' for line in listed.splitlines())
    return out


def paper(packs, seed, tag=None, limit=None):
    """(pack, section from 1, question) in the order asked."""
    out = []
    for pack in packs:
        for k, section in enumerate(pack['sections'], 1):
            listed = section['questions'][:]
            if seed != 1:
                oracle.Stream(pack['id'], '#%d' % k, seed).shuffle(listed)
            out += [(pack, k, question) for question in listed[:section.get('pick')]
                    if (tag is None or tag in question.get('tags', [])) and 'recall' not in question]  # no cards
    return out[:limit]


# ---- an exam -------------------------------------------------------------------------------------------------------------

class Exam:
    """What the exam should be: its questions, what is kept of each, where it stands and what time it is."""

    def __init__(self, r, place, time, packs, seed, tag=None, limit=None, minutes=None, factor=1.0, certainty=False):
        self.r, self.place, self.time, self.packs, self.seed = r, place, time, packs, seed
        self.paper = paper(packs, seed, tag, limit)
        self.kept = [None] * len(self.paper)  # (answer or None for a blank, certainty, wall)
        self.flags = [False] * len(self.paper)
        self.current = 0 if self.paper else None
        self.certainty = certainty
        if minutes is None:
            given = [pack['exam']['minutes'] for pack in packs if 'exam' in pack]
            minutes = sum(given) if given else None
        self.limit = None if minutes is None else round(minutes * factor * MINUTE)
        self.arguments = ['--exam', '--learner', 'Ana'] + ['--certainty'] * certainty
        self.started = self.anchor = self.stored = None
        self.session, self.over, self.late = None, False, False

    # -- time

    def elapsed(self):
        """By the clock that nobody sets, from the last moment of this boot at which it was known."""
        boot, steady, then = self.anchor
        assert boot == self.time.boot
        return then + self.time.steady - steady

    def resume(self):
        """A new process knows what is stored: in another boot only the wall clock, and that time never goes back."""
        self.anchor = self.stored
        if self.stored[0] != self.time.boot:
            self.anchor = self.time.boot, self.time.steady, max(self.time.wall - self.started, self.stored[2])

    def in_time(self):
        return self.limit is None or self.elapsed() < self.limit

    # -- turns

    def open_after(self, place):
        count = len(self.paper)
        for step in range(1, count + 1):
            if self.kept[(place + step) % count] is None:
                return (place + step) % count
        return None

    def order(self, place):
        pack, _, question = self.paper[place]
        return kinds.Shown(pack, question, self.seed).order

    def expect(self, event, where):
        """The question on show."""
        pack, section, question = self.paper[self.current]
        shown = kinds.Shown(pack, question, self.seed)
        expected = {'number': self.current + 1, 'of': len(self.paper), 'pack': pack['id'], 'question': question['id'],
                    'choices': shown.choices, 'targets': shown.targets, 'prompt': shown.text(question['prompt']), 'again': False, 'hints': 0, 'flagged':
                    self.flags[self.current], 'section': 'Section %d' % section}
        kept = self.kept[self.current]
        if kept:
            expected['given'] = shown.told(kept[0]) if kept[0] else []
        got = {key: event.get(key) for key in expected}
        if kept and not kept[0]:
            got['given'] = got['given'] or []
        same(got, expected, where, 'the question on show')

    def begin(self, talk, where, resumed=False):
        head = talk.event()
        if head is None:
            check(False, where, 'no session', *talk.end())
            return None
        self.session = bytes.fromhex(head['session'].replace('-', ''))
        same((head['event'], head['questions'], head['resumed'], head.get('exam')),
             ('session', len(self.paper), resumed, True), where, head)
        minutes = head.get('minutes')
        same(minutes or None, self.limit / MINUTE if self.limit else None, where, 'minutes')
        if not resumed:
            self.started = self.time.wall
            self.anchor = self.stored = self.time.boot, self.time.steady, 0
        return head

    def say(self, talk, line):
        """A line. Once the time is up the program hands in by itself, and may be gone before the line comes."""
        try:
            talk.say(line)
        except BrokenPipeError:
            check(not self.in_time(), 'gone before its time', line)

    def turn(self, talk, event, where):
        """One line, and what must come of it. The next settled event."""
        r, place = self.r, self.current
        pack, _, question = self.paper[place]
        dice = r.random()
        self.time.go(r.choice((500, 3000, 20000, 70000)))
        if dice < 0.08:
            self.say(talk, ':flag')
            event = self.next(talk)
            if self.in_time():
                self.flags[place] = not self.flags[place]
                same((event['event'], event.get('number'), event.get('on')), ('flagged', place + 1, self.flags[place]), where)
                event = talk.events[-1]
            return self.after(event)
        if dice < 0.14:
            target = r.randint(1, len(self.paper))
            self.say(talk, ':go %d' % target)
            if self.in_time():
                self.current = target - 1
            return self.after(self.next(talk))
        if dice < 0.19:
            self.say(talk, r.choice((':skip', 's')) if not kinds.kind(question) and len(oracle.texts(question)) < 19 else ':skip')
            if self.in_time():
                self.current = self.open_after(place) if self.open_after(place) is not None else place
            return self.after(self.next(talk))
        if dice < 0.23:
            self.say(talk, ':overview')
            event = self.next(talk)
            if self.in_time():
                numbers = lambda test: [i + 1 for i, kept in enumerate(self.kept) if test(i, kept)]
                same({key: event.get(key) for key in ('event', 'answered', 'blank', 'open', 'flagged')},
                     {'event': 'overview', 'answered': numbers(lambda i, kept: kept and kept[0]),
                      'blank': numbers(lambda i, kept: kept and not kept[0]), 'open': numbers(lambda i, kept: not kept),
                      'flagged': numbers(lambda i, kept: self.flags[i])}, where, 'overview')
            return self.after(event)
        if dice < 0.27:
            self.say(talk, r.choice((':hint', ':undo', ':what?', ':go 0', ':go x', ':go 999')))
            event = self.next(talk)
            check(not self.in_time() or event['event'] == 'unreadable', where, event)
            return self.after(event)
        places, sure = None, 0
        if dice < 0.32:
            self.say(talk, '')
        else:
            places, typed = self.choose(pack, question, r.random() < 0.65)
            self.say(talk, typed)
            if self.certainty and self.in_time():
                event = self.next(talk)
                if event['event'] == 'certainty':
                    sure = r.choice((1, 2, 3))
                    self.time.go(r.choice((500, 9000)))
                    self.say(talk, str(sure))
        if self.in_time():
            self.kept[place] = places, sure, self.time.wall
            self.anchor = self.stored = self.time.boot, self.time.steady, self.elapsed()
            self.current = self.open_after(place)
        return self.after(self.next(talk))

    def choose(self, pack, question, right):
        """An answer, and how it is typed."""
        shown = kinds.Shown(pack, question, self.seed)
        if kinds.kind(question):
            self.now, self.open = shown, oracle.Item(1, pack, question)
            typed = test_conform.new_line(self.r, self, right)
            return shown.read(typed)[1], typed
        places = oracle.right_places(question) if right else self.picked(question)
        return places, ','.join(str(shown.order.index(one) + 1) for one in sorted(places))

    def picked(self, question):
        count = len(oracle.texts(question))
        size = self.r.randint(1, count) if oracle.kind(question) == 'multiple-choice' else 1
        return set(self.r.sample(range(1, count + 1), size))

    @staticmethod
    def next(talk):
        return talk.until(*SETTLED)

    def after(self, event):
        self.over = event['event'] in ('summary', None)
        return event

    # -- what is handed in

    def outcome(self, place):
        pack, _, question = self.paper[place]
        kept, marks = self.kept[place], question.get('marks', 1)
        if not kept or not kept[0]:
            return 'omitted', 0.0, marks
        value = kinds.Shown(pack, question, self.seed).share(kept[0])
        return oracle.outcome_of(value), value * marks, marks

    def compare(self, where):
        """The attempts in the store against what was answered in time."""
        rows = self.place.rows('SELECT * FROM attempt WHERE session_id = ? ORDER BY seq', self.session)
        handed = self.place.rows('SELECT body FROM event WHERE session_id = ? AND kind = ?', self.session, 'handed-in')
        same((len(handed), len(rows)), (1, len(self.paper)), where, 'handed in once, every question')
        by_key = {(row['pack_id'], row['question_id']): row for row in rows}
        for place, (pack, _, question) in enumerate(self.paper):
            row = by_key.get((pack['id'], question['id']))
            if not check(row is not None, where, 'no attempt of', question['id']):
                continue
            outcome, mark, marks = self.outcome(place)
            kept = self.kept[place]
            response = None
            if kept and kept[0]:
                response = kinds.Shown(pack, question, self.seed).response(kept[0])
            same((row['outcome'], json.loads(row['response']) if row['response'] else None, row['certainty'] or 0,
                  row['showing'], row['seed']),
                 (outcome, response, kept[1] if kept and kept[0] else 0, 1, self.seed),
                 where, question['id'])
            check(abs(row['mark'] - mark) < 1e-9 and abs(row['marks'] - marks) < 1e-9, where, row['mark'], mark)
            if not kinds.kind(question):
                same(row['revision'], oracle.revision(pack, question), where, question['id'])
            if kept and kept[0]:
                same(row['answered_at'], kept[2], where, question['id'], 'answered at')

    def compare_told(self, events, where):
        results = [event for event in events if event['event'] == 'result']
        same([(event['pack'], event['question']) for event in results],
             [(pack['id'], question['id']) for pack, _, question in self.paper], where, 'the whole paper')
        total = {'right': 0, 'partly': 0, 'wrong': 0, 'omitted': 0}
        mark = marks = 0.0
        for place, event in enumerate(results):
            outcome, got, of = self.outcome(place)
            total[outcome] += 1
            mark, marks = mark + got, marks + of
            same(event['outcome'], 'skipped' if outcome == 'omitted' else outcome, where, event['question'])
            check(abs(event['mark'] - got) < 1e-9, where, event, got)
        last = events[-1]
        same([last.get(key) for key in ('event', 'right', 'partly', 'wrong', 'skipped')],
             ['summary'] + [total[key] for key in ('right', 'partly', 'wrong', 'omitted')], where, 'summary')
        check(abs(last['mark'] - mark) < 1e-9 and abs(last['marks'] - marks) < 1e-9, where, 'marks', last, mark, marks)
        wanted = [pack.get('exam', {}).get('pass') for pack in self.packs]
        if len(self.packs) == 1:
            passed = None if wanted[0] is None else mark >= marks * wanted[0] / 100 - 1e-9
            same(last.get('passed'), passed, where, 'passed', mark, marks, wanted)
            listed = {}
            for place, (_, section, _) in enumerate(self.paper):
                got, of = listed.get(section, (0.0, 0.0))
                listed[section] = got + self.outcome(place)[1], of + self.outcome(place)[2]
            got = [(one['title'], round(one['mark'], 6), round(one['marks'], 6)) for one in last.get('sections', [])]
            same(got, [('Section %d' % section, round(one, 6), round(of, 6)) for section, (one, of) in sorted(listed.items())],
                 where, 'by section')


def schedules(place, where):
    """Exams count for the schedule like any answers."""
    world = test_learning.World(1, place)
    world.retention, world.starts = 0.9, 240
    world.compare(where)
    test_learning.rebuild(world, where)


def one(k):
    r = random.Random(k)
    where = 'exam %d' % k
    with drive.Place() as place:
        time = timeline.Timeline(place, r.choice(('UTC', 'Europe/Berlin')), '2024-06-03 10:00')
        packs = [make_pack(r, 'exam-%d' % i) for i in range(r.choice((1, 1, 2)))]
        for pack in packs:
            place.write('content/%s.yaml' % pack['id'], pack_yaml(pack))
        factor = 1.0
        if r.random() < 0.3:  # a learner with more time
            place.run('practise', '--jsonl', '--mode', 'all', '--learner', 'Ana', packs[0]['id'], input=':skip\n')
            factor = r.choice((1.25, 2))
            with contextlib.closing(sqlite3.connect(place.store)) as connection, connection:
                connection.execute('UPDATE learner SET time_factor = ?', (factor,))
        seed = r.choice((1, r.randint(2, 9), r.randint(2, 2 ** 32 - 1)))
        tag = 'one' if r.random() < 0.1 else None
        limit = r.randint(1, 6) if r.random() < 0.2 else None
        minutes = r.choice((None, None, 3, 45))
        exam = Exam(r, place, time, packs, seed, tag, limit, minutes, factor, r.random() < 0.4)
        given = ['--seed', str(seed)] + (['--tag', tag] if tag else []) + (['--limit', str(limit)] if limit else [])
        given += ['--minutes', str(minutes)] if minutes else []
        names = [pack['id'] for pack in packs]
        talk = drive.Talk(place, *exam.arguments, *given, *names)
        if not exam.begin(talk, where) or not exam.paper:
            talk.end()
            return
        event = exam.next(talk)
        finished, interrupted = False, 0
        while not exam.over:
            if event['event'] == 'question':
                exam.expect(event, where)
            dice = r.random()
            if dice < 0.04 and exam.in_time():
                talk.say(':finish')
                event, finished = exam.after(exam.next(talk)), True
            elif dice < 0.10:
                time.set(r.choice((-timeline.HOUR, -3 * timeline.DAY, 2 * timeline.HOUR)))  # of no account in one boot
            elif dice < 0.16 and interrupted < 3:
                interrupted += 1
                talk.process.kill() if r.random() < 0.5 else talk.process.send_signal(signal.SIGHUP)
                talk.end()
                away(r, exam)
                exam.resume()
                talk = drive.Talk(place, *exam.arguments, '--resume', *names)
                if not exam.in_time():
                    # gone while away: the start of any command has handed it in
                    head = talk.event()
                    talk.process.kill()
                    talk.end()
                    exam.compare(where + ' late')
                    schedules(place, where)
                    return
                if not exam.begin(talk, where, True):
                    return
                event = exam.next(talk)
                if event['event'] == 'question':
                    exam.current = event['number'] - 1
                exam.after(event)
            else:
                event = exam.turn(talk, event, where)
        status, errors = talk.end()
        same(status, 0, where, errors)
        check('Sanitizer' not in errors and 'runtime error' not in errors, where, errors)
        exam.compare(where)
        exam.compare_told(talk.events, where)
        same(any(event['event'] == 'time-up' for event in talk.events), not exam.in_time() and not finished, where, 'time is up')
        schedules(place, where)


def away(r, exam):
    """Nobody sits there."""
    time = exam.time
    dice = r.random()
    if dice < 0.4:
        time.go(r.choice((1000, 60000, 4 * MINUTE)))
    elif dice < 0.6:
        time.go(r.choice((1000, 60000)))
        time.set(-timeline.HOUR)
    elif dice < 0.8:
        time.go(30000)
        time.reboot()
        if r.random() < 0.5:
            time.set(r.choice((-timeline.HOUR, 90000)))
    else:
        time.go(r.choice((20 * MINUTE, 3 * timeline.HOUR, 4 * timeline.DAY)))


# ---- told one by one -----------------------------------------------------------------------------------------------------

def simple(place, minutes=30, questions=4):
    pack = {'id': 'paper', 'title': 'Paper', 'exam': {'minutes': minutes}, 'sections': [{'title': 'Section 1', 'questions': [
        {'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E', 'true_false': True} for i in range(questions)]}]}
    pack['questions'] = pack['sections'][0]['questions']
    other = {'id': 'other', 'questions': [{'id': 'q', 'prompt': 'P?', 'explanation': 'E', 'true_false': True}]}
    place.write('content/paper.yaml', pack_yaml(pack))
    place.write('content/other.yaml', oracle.pack_yaml(other))
    return timeline.Timeline(place, 'UTC', '2024-06-03 10:00'), pack


def sit(place, *lines, arguments=('--exam', '--seed', '1', '--learner', 'Ana', 'paper')):
    """An exam held for some lines; the talk is left open."""
    talk = drive.Talk(place, *arguments)
    event = talk.until(*SETTLED)
    for line in lines:
        talk.say(line)
        event = talk.until(*SETTLED)
    return talk, event


def outcomes(place):
    return [row['outcome'] for row in place.rows(
        'SELECT outcome FROM attempt JOIN session USING (session_id) WHERE kind = ? ORDER BY question_id', 'exam')]


def handed_in(place):
    return place.rows('SELECT count(*) AS n FROM event WHERE kind = ?', 'handed-in')[0]['n']


def late():
    # the deadline passes while the program waits: it hands in by itself
    with drive.Place() as place:
        time, _ = simple(place)
        talk, _ = sit(place, 'true', 'false')
        time.go(30 * MINUTE - 1)
        talk.say(':overview')
        same(talk.until(*SETTLED)['event'], 'overview', 'a millisecond is left')
        time.go(1)
        same(talk.until('time-up', 'summary')['event'], 'time-up', 'the time is up while it waits')
        talk.until('summary')
        same(talk.end()[0], 0, 'status')
        same(outcomes(place), ['right', 'wrong', 'omitted', 'omitted'], 'what was answered in time')
    # an answer that comes too late
    for certainty in (False, True):
        with drive.Place() as place:
            time, _ = simple(place)
            arguments = ['--exam', '--seed', '1', '--learner', 'Ana', 'paper'] + ['--certainty'] * certainty
            talk, event = sit(place, *(['true', '3', 'true'] if certainty else ['true']), arguments=arguments)
            os.kill(talk.process.pid, signal.SIGSTOP)
            time.go(31 * MINUTE)
            talk.say('3' if certainty else 'true')
            os.kill(talk.process.pid, signal.SIGCONT)
            talk.until('summary')
            talk.end()
            same(outcomes(place), ['right', 'omitted', 'omitted', 'omitted'], 'nothing late is taken', certainty)
    # handed in by whatever opens the store next
    for command in (('practise', '--jsonl', '--learner', 'Bea', '--mode', 'all', 'other'),
                    ('practise', '--plain', '--learner', 'Bea', 'other'),
                    ('practise', '--jsonl', '--exam', '--learner', 'Bea', 'paper'),
                    ('practise', '--jsonl', '--exam', '--resume', '--learner', 'Ana', 'paper'),
                    ('practise', '--jsonl', '--learner', 'Ana', 'other'), ('store', 'rebuild')):
        for hours in (0.4, 0.6):
            with drive.Place() as place:
                time, _ = simple(place)
                talk, _ = sit(place, 'true', 'false', ':go 1', 'false')
                talk.process.kill()
                talk.end()
                time.go(round(hours * timeline.HOUR))
                if '--resume' in command and hours < 0.5:
                    continue
                status, output, errors = place.run(*command, input='')
                same(status, 0, command, errors)
                # of the exam that was left: a resume that comes too late says so, and begins another one
                mine = place.rows('SELECT session_id FROM event WHERE kind = ? AND session_id = ('
                                  'SELECT session_id FROM session WHERE kind = ? ORDER BY seq LIMIT 1)', 'handed-in', 'exam')
                same(len(mine), int(hours > 0.5), command, hours, 'handed in')
                if mine:
                    check(errors != '', command, 'it is said')
                    rows = place.rows('SELECT outcome FROM attempt WHERE session_id = ? ORDER BY question_id',
                                      mine[0]['session_id'])
                    same([row['outcome'] for row in rows], ['wrong', 'wrong', 'omitted', 'omitted'], command, 'as answered')
                    place.run(*command, input='')
                    same(place.rows('SELECT count(*) AS n FROM attempt WHERE session_id = (SELECT session_id FROM event'
                                    ' WHERE kind = ? ORDER BY seq LIMIT 1)', 'handed-in')[0]['n'], 4, command, 'once')
                    same(place.run('store', 'check')[0], 0, command, 'store check')
                    report = json.loads(place.run('store', 'rebuild', '--json')[1])
                    same(report['different'], 0, command, 'rebuild')


def extend(place, time, minutes):
    """More time for the one exam, as an event of the log."""
    with contextlib.closing(sqlite3.connect(place.store, timeout=20)) as connection, connection:
        connection.execute('BEGIN IMMEDIATE')
        seq, device = connection.execute('SELECT next_seq, device_id FROM meta').fetchone()
        session, who = connection.execute(
            'SELECT session_id, learner_id FROM session WHERE kind = ?', ('exam',)).fetchone()
        body = json.dumps({'minutes': minutes})
        connection.execute('INSERT INTO event VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, 0)',
                           (seq, os.urandom(16), 'extended', session, who, device, body, time.wall))
        connection.execute('UPDATE meta SET next_seq = next_seq + 1')


def clocks():
    # set back an hour within a boot: nothing gained; across boots: nothing before the last event
    with drive.Place() as place:
        time, _ = simple(place)
        talk, _ = sit(place, 'true')
        time.go(20 * MINUTE)
        time.set(-timeline.HOUR)
        talk.say('true')
        talk.until(*SETTLED)
        time.go(10 * MINUTE - 1000)
        talk.say(':overview')
        same(talk.until(*SETTLED)['event'], 'overview', 'a second is left')
        time.go(1000)
        same(talk.until('time-up', 'question')['event'], 'time-up', 'thirty minutes after it began')
        talk.until('summary')
        talk.end()
        same(outcomes(place), ['right', 'right', 'omitted', 'omitted'], 'set back')
    with drive.Place() as place:
        time, _ = simple(place)
        talk, _ = sit(place, 'true')
        time.go(20 * MINUTE)
        talk.say('true')
        talk.until(*SETTLED)
        talk.process.kill()
        talk.end()
        time.reboot()
        time.set(-3 * timeline.HOUR)
        talk, event = sit(place, arguments=('--exam', '--resume', '--learner', 'Ana', 'paper'))
        same((event.get('question'), talk.events[0]['resumed']), ('q2', True), 'resumed after a new start')
        talk.say('false')
        talk.until(*SETTLED)
        # the clock is right again: twenty-nine minutes after the beginning, then thirty
        time.set(3 * timeline.HOUR)
        time.go(9 * MINUTE)
        talk.say(':overview')
        same(talk.until(*SETTLED)['event'], 'overview', 'twenty-nine minutes')
        time.go(MINUTE)
        same(talk.until('time-up', 'question')['event'], 'time-up', 'thirty')
        talk.until('summary')
        talk.end()
        same(outcomes(place), ['right', 'right', 'wrong', 'omitted'], 'after a new start')
    # another process hands it in while this one is stopped: once, and this one says so
    with drive.Place() as place:
        time, _ = simple(place)
        talk, _ = sit(place, 'true')
        os.kill(talk.process.pid, signal.SIGSTOP)
        time.go(31 * MINUTE)
        same(place.run('practise', '--jsonl', '--learner', 'Bea', 'other', input='')[0], 0, 'somebody else starts')
        os.kill(talk.process.pid, signal.SIGCONT)
        talk.until('summary')
        same(talk.end()[0], 0, 'the one that was stopped')
        same((handed_in(place), outcomes(place)), (1, ['right', 'omitted', 'omitted', 'omitted']), 'handed in once')
    # a tutor gives ten minutes more: while it waits, while nobody is there, and too late
    for when in ('waiting', 'away', 'too late'):
        with drive.Place() as place:
            time, _ = simple(place)
            talk, _ = sit(place, 'true')
            if when == 'too late':
                time.go(30 * MINUTE)
                same(talk.until('time-up')['event'], 'time-up', when)
                talk.until('summary')
                talk.end()
                extend(place, time, 10)
                before = outcomes(place)
                place.run('practise', '--jsonl', '--learner', 'Bea', 'other', input='')
                same((handed_in(place), outcomes(place)), (1, before), when)
                continue
            time.go(29 * MINUTE)
            extend(place, time, 10)
            if when == 'away':
                talk.process.kill()
                talk.end()
            time.go(5 * MINUTE)
            if when == 'away':
                same(place.run('practise', '--jsonl', '--learner', 'Bea', 'other', input='')[0], 0, when)
                same(handed_in(place), 0, when, 'still open')
                talk, _ = sit(place, arguments=('--exam', '--resume', '--learner', 'Ana', 'paper'))
            talk.say('false')
            same(talk.until(*SETTLED)['event'], 'question', when, 'taken in the time given')
            time.go(6 * MINUTE)
            same(talk.until('time-up', 'question')['event'], 'time-up', when, 'and then it is over')
            talk.until('summary')
            talk.end()
            same((handed_in(place), outcomes(place)), (1, ['right', 'wrong', 'omitted', 'omitted']), when)
    # without a limit it stays open for days
    with drive.Place() as place:
        time, pack = simple(place)
        del pack['exam']
        place.write('content/paper.yaml', pack_yaml(pack))
        talk, _ = sit(place, 'true', ':go 4', 'false', ':go 1', ':flag')
        talk.process.kill()
        talk.end()
        time.go(40 * timeline.DAY)
        same(handed_in(place), 0, 'open')
        talk, event = sit(place, ':overview', arguments=('--exam', '--resume', '--learner', 'Ana', 'paper'))
        same((event['answered'], event['flagged'], event['open']), ([1, 4], [1], [2, 3]), 'as it was left')
        talk.say(':finish')
        talk.until('summary')
        talk.end()
        same(outcomes(place), ['right', 'omitted', 'omitted', 'wrong'], 'days after')


def main():
    check(timeline.works(), 'the clock does not reach the program')
    exams = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 25)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    late()
    clocks()
    for k in range(first, first + exams):
        one(k)
    drive.finish()


if __name__ == '__main__':
    main()
