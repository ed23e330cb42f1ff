"""Stores with rows of every kind, made by hand: the program makes the file, SQL fills it, and nothing is as it likely is.

fill(path, rows, seed) adds to a store: learners (some merged), sessions, attempts and events with every column used, null
where it may be, texts with what makes trouble elsewhere. compare(store, rows_of) holds all columns of all rows of the log
against what a central store has.
"""

import hashlib
import json
import random
import re
import sqlite3
import uuid

IS_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAMES = ["Ünsal", "O'Neil", 'quo"te', "\\N", "%s", "🙂", "Ада", "null", "NaN"]
ODD = ["", "ü", "a\tb", 'quo"te', "\\N", "\\.", "line\nline", "\u2028", "🙂" * 3, "%s", "'; --"]

# Of each table of the log: its key, then the other columns that both stores have. Times and ids as SQLite has them.
COLUMNS = {
    "session": ["session_id", "learner_id", "device_id", "kind", "origin", "seed", "options", "plan", "started_at", "utc_offset_s"],
    "attempt": [
        "attempt_id", "session_id", "learner_id", "device_id", "boot_id", "pack_id", "question_id", "revision", "content", "seed",
        "showing", "shown", "response", "outcome", "mark", "marks", "certainty", "hints", "retried", "elapsed_ms", "answered_at",
        "utc_offset_s", "origin",
    ],
    "event": ["event_id", "kind", "session_id", "attempt_id", "learner_id", "device_id", "body", "at", "utc_offset_s"],
    "question_text": ["content", "pack_id", "question_id", "revision", "body"],
    "learner": ["learner_id", "name", "name_key", "login", "external_id", "created_at", "merged_into", "time_factor", "plain"],
    "member": ["learner_id", "group_key", "group_name"],
}


def connect(path):
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.execute("PRAGMA synchronous = OFF")
    return db


class Filler:
    def __init__(self, path, seed=1):
        self.db, self.random = connect(path), random.Random(seed)
        self.device = self.db.execute("SELECT device_id FROM meta").fetchone()[0]
        self.learners = [row[0] for row in self.db.execute("SELECT learner_id FROM learner WHERE merged_into IS NULL")]
        self.contents, self.now = [], 1_700_000_000_000 + seed * 1000
        self.seed = seed

    def id(self):
        return uuid.UUID(int=self.random.getrandbits(128), version=4).bytes

    def learner(self, name, group=None, merged_into=None, **more):
        learner = self.id()
        self.db.execute("INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at, merged_into, time_factor, plain)"
                        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (learner, name, name.casefold(), more.get("login"), more.get("external_id"), self.now, merged_into,
                         more.get("time_factor", 1), more.get("plain", 0)))
        if group:
            self.db.execute("INSERT INTO member(group_key, learner_id, group_name) VALUES(?, ?, ?)", (group.casefold(), learner, group))
        if merged_into is None:
            self.learners.append(learner)
        return learner

    def text(self):
        body = json.dumps({"prompt": self.random.choice(ODD) + str(self.random.random()), "type": "single-choice"}, sort_keys=True)
        content = hashlib.sha256(body.encode()).digest()
        question = f"q{len(self.contents)}"
        self.db.execute("INSERT INTO question_text VALUES(?, ?, ?, ?, ?)", (content, "tour", question, content.hex()[:16], body))
        self.contents.append((content, question, content.hex()[:16]))

    def seq(self):
        seq = self.db.execute("SELECT next_seq FROM meta").fetchone()[0]
        self.db.execute("UPDATE meta SET next_seq = next_seq + 1")
        return seq

    def rows(self, count, of_session=20):
        """`count` rows of the log, in one transaction."""
        draw, made = self.random, 0
        self.db.execute("BEGIN IMMEDIATE")
        while len(self.contents) < 40:
            self.text()
        seq = self.db.execute("SELECT next_seq FROM meta").fetchone()[0]
        while made < count:
            learner, session = draw.choice(self.learners), self.id()
            self.now += 60_000
            self.db.execute("INSERT INTO session VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            (session, seq, learner, self.device, draw.choice(["practice", "exam", "paper"]), "screen", draw.getrandbits(31),
                             '{"limit":null,"mode":"due","packs":["tour"],"tag":null}',
                             json.dumps([["tour", question, revision] for _, question, revision in self.contents[:9]]), self.now, 3600))
            seq, made = seq + 1, made + 1
            attempts, events = [], []
            for i in range(min(of_session, count - made)):
                content, question, revision = draw.choice(self.contents)
                known, outcome = draw.random() < 0.9, draw.choice(["right", "partly", "wrong", "omitted"])
                attempt = self.id()
                self.now += 5000
                if i and i % 9 == 0:
                    body = draw.choice([None, json.dumps({"text": draw.choice(ODD)})])
                    events.append((seq, self.id(), draw.choice(["hinted", "flagged", "reported"]), session, attempts[-1][1] if attempts else None,
                                   learner, self.device, body, self.now, -18000))
                else:
                    attempts.append((seq, attempt, session, learner, self.device, self.device if known else None, "tour", question, revision,
                                     content if known else None, draw.getrandbits(32), 1 + i % 3, draw.choice([None, '{"choices":[2,1]}']),
                                     None if outcome == "omitted" else json.dumps(draw.choice([[1], [1, 3], True] + ODD)), outcome,
                                     draw.choice([0, 0.5, 1 / 3, 1]), 1.0, draw.choice([None, 1, 3]), i % 2, draw.choice([None, 0, 4321]),
                                     self.now, 3600, "screen", i % 7 == 0))
                seq, made = seq + 1, made + 1
            self.db.executemany("INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, boot_id, pack_id, question_id, revision,"
                                " content, seed, showing, shown, response, outcome, mark, marks, certainty, hints, elapsed_ms, answered_at,"
                                " utc_offset_s, origin, retried) VALUES(?" + ", ?" * 23 + ")", attempts)
            self.db.executemany("INSERT INTO event VALUES(?" + ", ?" * 9 + ")", events)
        self.db.execute("UPDATE meta SET next_seq = ?", (seq,))
        self.db.execute("COMMIT")

    def close(self):
        self.db.close()


def fill(path, rows, seed=1):
    filler = Filler(path, seed)
    if not filler.learners or len(filler.learners) < 5:
        for i, odd in enumerate(NAMES):
            filler.learner(f"{odd} {seed}-{i}", group=draw_group(i), login=f"l{seed}-{i}" if i % 2 else None,
                           external_id=f"x{seed}/{i}" if i % 3 == 0 else None, time_factor=1 + i / 4, plain=i % 3)
        filler.learner(f"Old {seed}", merged_into=filler.learners[-1])
    filler.rows(rows)
    filler.close()


def draw_group(i):
    return [None, "7a", "Größe"][i % 3]


def plain(value):
    """A value of either store in one form."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, str) and IS_ID.fullmatch(value):
        return uuid.UUID(value).bytes
    return value


def local(path):
    """{table: sorted rows} of a store."""
    db = connect(path)
    found = {table: sorted((tuple(row) for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}")), key=repr)
             for table, columns in COLUMNS.items()}
    db.close()
    return found


def central(server, database):
    """The same of a central store, and whether each row's place in the log of its machine is kept."""
    return {table: sorted((tuple(plain(value) for value in row)
                           for row in server.run("postgres", database, f"SELECT {', '.join(columns)} FROM quiztutor.{table}")), key=repr)
            for table, columns in COLUMNS.items()}


def places(path):
    db = connect(path)
    found = {row[0]: row[1] for table, key in (("session", "session_id"), ("attempt", "attempt_id"), ("event", "event_id"))
             for row in db.execute(f"SELECT {key}, seq FROM {table}")}
    db.close()
    return found


def central_places(server, database):
    return {plain(row[0]): row[1] for table, key in (("session", "session_id"), ("attempt", "attempt_id"), ("event", "event_id"))
            for row in server.run("postgres", database, f"SELECT {key}, machine_seq FROM quiztutor.{table}")}
