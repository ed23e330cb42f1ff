"""A machine as the central store sees it: makes rows of a store and sends them, without the program."""
import hashlib
import io
import json
import os
import time
import uuid

DAY_MS = 86400000
TEXTS = {"word", "pack_id", "question_id", "revision", "content", "shown", "response", "outcome", "origin", "options",
         "plan", "body", "name", "name_key", "login", "external_id", "groups"}


def new_id(at=None):
    """A UUIDv7."""
    at = int(time.time() * 1000) if at is None else at
    value = bytearray(max(at, 0).to_bytes(6, "big") + os.urandom(10))
    value[6] = 0x70 | value[6] & 0x0f
    value[8] = 0x80 | value[8] & 0x3f
    return str(uuid.UUID(bytes=bytes(value)))


def mark_of(learner):
    """As roster_mark in src/store/roster.c."""
    return str(uuid.UUID(bytes=hashlib.sha256(b"quiztutor erased" + uuid.UUID(learner).bytes).digest()[:16]))


def field(value):
    """In COPY's text format."""
    if value is None:
        return "\\N"
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return str(value)


class Machine:
    """seq counts on; what is made waits until it is sent."""

    def __init__(self, store_id=None, device_id=None, start=1):
        self.store_id = store_id or new_id()
        self.device_id = device_id or new_id()
        self.seq = start
        self.rows = []

    def copy(self):
        """Of the same disk image."""
        other = Machine(self.store_id, self.device_id, self.seq)
        other.rows = [dict(row) for row in self.rows]
        return other

    def add(self, kind, **columns):
        row = {"kind": kind}
        if kind in "sae":
            row.update(seq=self.seq, device_id=self.device_id, at=int(time.time() * 1000), utc_offset_s=0)
            self.seq += 1
        row.update(columns)
        for name in TEXTS & set(row):
            if isinstance(row[name], str):
                row[name] = row[name].encode()
        self.rows.append(row)
        return row

    def learner(self, name="Ada", **columns):
        columns.setdefault("id", new_id())
        self.add("l", name=name, **{"name_key": name.lower(), "at": int(time.time() * 1000), "plain": 0,
                                    "time_factor": 1.0, "groups": "[]", **columns})
        return columns["id"]

    def text(self, question="q1", pack="tour", **columns):
        body = json.dumps({"prompt": question})
        columns.setdefault("content", hashlib.sha256((pack + "/" + question).encode()).digest())
        self.add("t", **{"pack_id": pack, "question_id": question, "revision": "r1", "body": body, **columns})
        return columns["content"]

    def session(self, learner, **columns):
        columns.setdefault("id", new_id())
        self.add("s", learner_id=learner, **{"word": "practice", "origin": "kiosk", "seed": 7, "options": "{}",
                                             "plan": "[]", **columns})
        return columns["id"]

    def attempt(self, learner, session, content=None, question="q1", pack="tour", **columns):
        columns.setdefault("id", new_id())
        self.add("a", learner_id=learner, session_id=session, content=content,
                 **{"pack_id": pack, "question_id": question, "revision": "r1", "seed": 5, "showing": 1,
                    "shown": '{"choices":[2,1]}', "response": "[1]", "outcome": "right", "mark": 1.0, "marks": 1.0,
                    "hints": 0, "retried": 0, "elapsed_ms": 4000, "origin": "kiosk", **columns})
        return columns["id"]

    def event(self, kind, **columns):
        columns.setdefault("id", new_id())
        self.add("e", word=kind, **columns)
        return columns["id"]

    def put(self, cursor, rows=None, **other):
        """COPY into the inbox; the batch's id."""
        rows = self.rows if rows is None else rows
        batch = str(uuid.uuid4())
        rows = [{"batch": batch, "place": place, "store_id": self.store_id, **row, **other}
                for place, row in enumerate(rows, 1)]
        columns = sorted({name for row in rows for name in row})
        text = "".join("\t".join(field(row.get(name)) for name in columns) + "\n" for row in rows)
        cursor.copy_expert("COPY quiztutor.inbox(%s) FROM STDIN" % ", ".join(columns), io.StringIO(text))
        return batch

    def send(self, connection, protocol=1, rows=None, keep=False):
        """One batch; (taken, before, parked, erased, notices). keep: the rows can be sent again."""
        with connection.cursor() as cursor:
            batch = self.put(cursor, rows)
            cursor.execute("SELECT * FROM quiztutor.ingest(%s, %s)", (batch, protocol))
            counts = cursor.fetchone()
        connection.commit()
        if not keep:
            self.rows = []
        return counts


def pull(connection, since=0, protocol=1):
    """[(version, kind, id, body), …]"""
    with connection.cursor() as cursor:
        cursor.execute("SELECT version, kind, id::text, body FROM quiztutor.pull(%s, %s)", (since, protocol))
        rows = [(version, kind, item, json.loads(body)) for version, kind, item, body in cursor.fetchall()]
    connection.commit()
    return rows
