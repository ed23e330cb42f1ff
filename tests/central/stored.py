"""Rows of a store on SQLite as its machine sends them, for tests that need the same log in both."""
import contextlib
import json
import sqlite3
import uuid

import machine

# the inbox's columns, by kind; where a store calls a column otherwise: (there, here)
LEARNER = ["name", "name_key", "login", "external_id", "time_factor", "plain", ("created_at", "at")]
TEXT = ["content", "pack_id", "question_id", "revision", "body"]
SESSION = ["seq", "learner_id", "device_id", ("kind", "word"), "origin", "seed", "options", "plan", ("started_at", "at"),
           "utc_offset_s"]
ATTEMPT = ["seq", "session_id", "learner_id", "device_id", "boot_id", "pack_id", "question_id", "revision", "content",
           "seed", "showing", "shown", "response", "outcome", "mark", "marks", "certainty", "hints", "retried",
           "elapsed_ms", ("answered_at", "at"), "utc_offset_s", "origin"]
EVENT = ["seq", ("kind", "word"), "session_id", "attempt_id", "learner_id", "device_id", "body", "at", "utc_offset_s"]
IDS = {"learner_id", "session_id", "attempt_id", "device_id", "boot_id", "merged_into"}


def taken(row, columns):
    made = {}
    for column in columns:
        there, here = column if isinstance(column, tuple) else (column, column)
        value = row[there]
        if value is not None and there in IDS:
            value = str(uuid.UUID(bytes=value))
        made[here] = value
    return made


def rows_of(path):
    """(store id, the rows in the order in which each needs earlier ones only)"""
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % path, uri=True)) as db:
        db.row_factory = sqlite3.Row
        store = str(uuid.UUID(bytes=db.execute("SELECT store_id FROM meta").fetchone()[0]))
        members = {}
        for row in db.execute("SELECT learner_id, group_key, group_name FROM member ORDER BY group_key"):
            members.setdefault(row["learner_id"], []).append([row["group_key"], row["group_name"]])
        learners, log = [], []
        for row in db.execute("SELECT * FROM learner ORDER BY merged_into IS NOT NULL, created_at, learner_id"):
            made = dict(taken(row, LEARNER + ["merged_into"]), kind="l", id=str(uuid.UUID(bytes=row["learner_id"])))
            made["groups"] = json.dumps(members.get(row["learner_id"], []))
            learners.append(made)
        texts = [dict(taken(row, TEXT), kind="t") for row in db.execute("SELECT * FROM question_text ORDER BY content")]
        for table, kind, columns in (("session", "s", SESSION), ("attempt", "a", ATTEMPT), ("event", "e", EVENT)):
            for row in db.execute("SELECT * FROM " + table):
                log.append(dict(taken(row, columns), kind=kind, id=str(uuid.UUID(bytes=row[table + "_id"]))))
    log.sort(key=lambda row: row["seq"])
    return store, learners + texts + log


def send(path, connection, batch=5000):
    """All of the store, as its machine would; what the centre said of each batch, added up."""
    store, rows = rows_of(path)
    sender = machine.Machine(store_id=store)
    for row in rows:
        for name in machine.TEXTS & set(row):
            if isinstance(row[name], str):
                row[name] = row[name].encode()
    sums = [0] * 5
    for start in range(0, len(rows), batch):
        counts = sender.send(connection, rows=rows[start:start + batch])
        sums = [one + other for one, other in zip(sums, counts)]
    return sums
