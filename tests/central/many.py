"""Stores with very many attempts, as a school makes them: learners practise twenty questions of a pack at a time, in turns.

fill(path, attempts, …) adds to a store that the program has made. Indexes are made afterwards, which is several times as fast.
"""
import hashlib
import json
import random
import sqlite3

SESSION = 20  # attempts
RESPONSES = [("[1]", "right", 1.0), ("[2]", "wrong", 0.0), ("[3]", "wrong", 0.0), ("[4]", "wrong", 0.0)]
ORDERS = [json.dumps({"choices": order}, separators=(",", ":")) for order in ([1, 2, 3, 4], [2, 1, 4, 3], [4, 3, 2, 1], [3, 1, 2, 4])]


class Ids:
    """UUIDs version 7: they ascend with the time that they are made at."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.at, self.count = 0, 0

    def make(self, at):
        self.count = self.count + 1 if at == self.at else 0
        self.at = at
        noise = self.random.getrandbits(62)
        return (at.to_bytes(6, "big") + (0x7000 | self.count & 0xfff).to_bytes(2, "big") + (0x8000000000000000 | noise).to_bytes(8, "big"))


def texts(packs, questions):
    """(content, pack, question, revision, body) of each question."""
    for pack in range(packs):
        for question in range(questions):
            body = json.dumps({"choices": [{"correct": i == 0, "text": f"answer {i} of {question}"} for i in range(4)],
                               "explanation": "It follows from the first.", "prompt": f"Which of these is it, in case {pack}/{question}?",
                               "type": "single-choice"}, sort_keys=True, separators=(",", ":"))
            content = hashlib.sha256(body.encode()).digest()
            yield content, f"pack-{pack:02}", f"question-{question:03}", content.hex()[:16], body


def fill(path, attempts, learners=200, packs=20, questions=100, seed=1, start=1_790_000_000_000):
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -200000")
    draw, ids = random.Random(seed), Ids(seed)
    asked = list(texts(packs, questions))
    db.execute("BEGIN IMMEDIATE")
    indexes = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
                         " AND tbl_name IN ('session', 'attempt', 'event')").fetchall()
    for name, _ in indexes:
        db.execute(f'DROP INDEX "{name}"')
    device, seq = db.execute("SELECT device_id, next_seq FROM meta").fetchone()
    db.executemany("INSERT OR IGNORE INTO question_text(content, pack_id, question_id, revision, body) VALUES(?, ?, ?, ?, ?)", asked)
    who = [ids.make(start + i) for i in range(learners)]
    db.executemany("INSERT INTO learner(learner_id, name, name_key, created_at) VALUES(?, ?, ?, ?)",
                   ((one, f"Learner {seed}-{i:05}", f"learner {seed}-{i:05}", start) for i, one in enumerate(who)))
    db.executemany("INSERT INTO member(group_key, learner_id, group_name) VALUES(?, ?, ?)",
                   ((f"class {i // 30}", one, f"Class {i // 30}") for i, one in enumerate(who)))
    boot, now, made, turn = ids.make(start), start + 1_000_000, 0, 0
    while made < attempts:
        rows, sessions = [], []
        while made + len(rows) < attempts and len(rows) < 20000:
            learner, session, pack = who[turn % learners], ids.make(now), draw.randrange(packs)
            sessions.append((session, seq, learner, device, "practice", "screen", draw.getrandbits(31),
                             '{"limit":20,"mode":"due","packs":["pack-%02d"],"tag":null}' % pack, "[]", now, 3600))
            seq, turn = seq + 1, turn + 1
            for place in range(min(SESSION, attempts - made - len(rows))):
                now += 1 + draw.randrange(2000)
                content, pack_id, question, revision, _ = asked[pack * questions + draw.randrange(questions)]
                response, outcome, mark = RESPONSES[0 if draw.random() < 0.6 else draw.randrange(4)]
                rows.append((seq, ids.make(now), session, learner, device, boot, pack_id, question, revision, content, draw.getrandbits(31),
                             1 + (place > 15), draw.choice(ORDERS), response, outcome, mark, 1.0, None, 0, 2000 + draw.randrange(40000),
                             now, 3600, "screen", 0))
                seq += 1
        db.executemany("INSERT INTO session VALUES(?" + ", ?" * 10 + ")", sessions)
        db.executemany("INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, boot_id, pack_id, question_id, revision,"
                       " content, seed, showing, shown, response, outcome, mark, marks, certainty, hints, elapsed_ms, answered_at,"
                       " utc_offset_s, origin, retried) VALUES(?" + ", ?" * 23 + ")", rows)
        made += len(rows)
    for _, sql in indexes:
        db.execute(sql)
    db.execute("UPDATE meta SET next_seq = ?", (seq,))
    db.execute("COMMIT")
    db.close()
