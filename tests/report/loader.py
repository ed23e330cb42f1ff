"""Puts attempts into a store that the program made, as if they had been answered."""
import contextlib
import hashlib
import json
import os
import sqlite3
import sys
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))

import drive  # noqa: E402

SEED = '''format: quiztutor/1
id: seed
title: Seed
language: en
licence: CC0-1.0
questions:
  - id: one
    prompt: Which is it?
    choices:
      - correct: This
      - wrong: That
    explanation: It is this.
'''
NOON = 1796040000000  # 2026-11-30T12:00:00Z, a Monday
DAY = 86400000


class Log:
    """A place whose store holds what `attempt` was told; `done` before the program looks at it."""

    def __init__(self, name='store.db', place=None):
        self.place = place or drive.Place()
        self.store = self.place.path(name)
        if not os.path.exists(self.place.path('content', 'seed.yaml')):
            self.place.write('content/seed.yaml', SEED)
        status, _, errors = self.place.run('practise', '--jsonl', '--learner', 'Seed', '--store', self.store, 'seed', input='1\n')
        drive.same(status, 0, 'a store is made', errors)
        self.connection = sqlite3.connect(self.store)
        self.learners, self.sessions, self.contents, self.showings = {}, {}, set(), {}
        self.seq = self.connection.execute('SELECT next_seq FROM meta').fetchone()[0]
        self.device = self.connection.execute('SELECT device_id FROM meta').fetchone()[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(sqlite3.ProgrammingError):
            self.connection.close()
        self.place.remove()

    def next(self):
        self.seq += 1
        return self.seq - 1

    def learner(self, name, login=None, external=None, who=None):
        if name not in self.learners:
            self.learners[name] = who or uuid.uuid4().bytes
            self.connection.execute(
                'INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at) VALUES(?,?,?,?,?,0)',
                (self.learners[name], name, name.casefold(), login, external))
        return self.learners[name]

    def session(self, learner, kind='practice', name=''):
        key = learner, kind, name
        if key not in self.sessions:
            self.sessions[key] = uuid.uuid4().bytes
            self.connection.execute(
                'INSERT INTO session(session_id, seq, learner_id, device_id, kind, origin, seed, options, plan, started_at,'
                " utc_offset_s) VALUES(?,?,?,?,?,'jsonl',1,'{}','[]',?,0)",
                (self.sessions[key], self.next(), self.learner(learner), self.device, kind, NOON))
        return self.sessions[key]

    def text(self, pack, question, revision, body):
        """Keeps the question as it was asked; returns its content hash."""
        text = json.dumps(body, sort_keys=True, separators=(',', ':'), ensure_ascii=False)
        content = hashlib.sha256(text.encode()).digest()
        if content not in self.contents:
            self.contents.add(content)
            self.connection.execute('INSERT INTO question_text VALUES(?,?,?,?,?)', (content, pack, question, revision, text))
        return content

    def attempt(self, learner, pack, question, mark, marks=1, *, revision='0123456789abcdef', content=None, response=None,
                kind='practice', certainty=None, elapsed=1000, at=NOON, offset=0, who=None, session='', undone=False):
        """`mark` None: left out. Returns the attempt's id."""
        outcome = ('omitted' if mark is None else 'right' if mark == marks else 'wrong' if mark == 0 else 'partly')
        if response is None and mark is not None:
            response = [1]
        what = who or uuid.uuid4().bytes
        shown = learner, kind, session, pack, question
        self.showings[shown] = self.showings.get(shown, 0) + 1
        self.connection.execute(
            'INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id, revision, content,'
            " seed, showing, response, outcome, mark, marks, certainty, hints, elapsed_ms, answered_at, utc_offset_s, origin)"
            " VALUES(?,?,?,?,?,?,?,?,?,1,?,?,?,?,?,?,0,?,?,?,'jsonl')",
            (self.next(), what, self.session(learner, kind, session), self.learner(learner), self.device, pack, question,
             revision, content, self.showings[shown], None if mark is None else json.dumps(response), outcome, mark or 0, marks, certainty, elapsed,
             at, offset))
        if undone:
            self.event('undone', learner, attempt=what, kind=kind, session=session)
        return what

    def event(self, what, learner, body=None, attempt=None, kind='practice', session='', at=NOON):
        self.connection.execute(
            'INSERT INTO event(seq, event_id, kind, session_id, attempt_id, learner_id, device_id, body, at, utc_offset_s)'
            ' VALUES(?,?,?,?,?,?,?,?,?,0)',
            (self.next(), uuid.uuid4().bytes, what, self.session(learner, kind, session), attempt, self.learner(learner),
             self.device, json.dumps(body) if body is not None else None, at))

    def member(self, learner, group):
        self.connection.execute('INSERT INTO member(group_key, learner_id, group_name) VALUES(?,?,?)',
                                (group.casefold(), self.learner(learner), group))

    def bytes(self):
        with open(self.store, 'rb') as file:
            return file.read()

    def done(self):
        self.connection.execute('UPDATE meta SET next_seq = ?', (self.seq,))
        self.connection.commit()
        self.connection.close()
        status, _, errors = self.place.run('store', 'rebuild', '--store', self.store)
        drive.same(status, 0, 'the store is rebuilt', errors)
        return self

    def report(self, *arguments, status=0, store=None):
        """Standard output; of --to json the object."""
        given = ['report', *arguments, '--store', store or self.store]
        found, output, errors = self.place.run(*given)
        drive.same(found, status, given, errors)
        if status:
            return errors
        return json.loads(output) if 'json' in arguments else output
