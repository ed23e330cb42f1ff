"""test_ends.py PROGRAM [NAME…]: from a store at one end to the tables at the other, where somebody did what nobody should: copied
a disk, wrote into the store behind the program's back, left the network away for weeks, or kept a kiosk in a cupboard while a
learner of it was erased.
"""
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import postgres  # first: it takes the python that has psycopg2
import filled
import many

sys.path.insert(0, os.path.join(postgres.ROOT, "tests", "app"))
from drive import PROGRAM, Place, check, finish, holds, same, slice_of  # noqa: E402

WEEKS = slice_of(50000)  # attempts that wait; `weeks=N` on the command line: so many
MEMORY_MB = 64

# that runs a program, and says how much memory it had at most: small, since what is started counts from what starts it
WATCHED = "import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); _, status, usage = os.wait4(pid, 0);" \
          " sys.stderr.write('\\n%d' % usage.ru_maxrss); sys.exit(os.waitstatus_to_exitcode(status))"


@contextlib.contextmanager
def places(count=1):
    made = [Place() for _ in range(count)]
    try:
        for place in made:
            place.environment["LSAN_OPTIONS"] = os.environ.get("LSAN_OPTIONS", "")
        yield made
    finally:
        for place in made:
            place.remove()


def begin(place, rows, seed):
    same(place.run("learner", "add", "Zed")[0], 0)
    filled.fill(place.store, rows, seed)


def in_one_file(path):
    with contextlib.closing(filled.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def imaged(place, other):
    """The other's disk is a copy of this one's."""
    in_one_file(place.store)
    for end in "", "-sync":
        if os.path.exists(place.store + end):
            shutil.copy(place.store + end, other.store + end)


def centre(server):
    database = server.make_database()
    server.install(database)
    return database, server.address("lab", database)


def sync(place, address, words=""):
    status, output, errors = place.run("sync", address)
    same(status, 0, output, errors)
    holds(output, words)
    return output


def keys(path):
    """Of all of the log."""
    rows = filled.local(path)
    return {(table, row[0]): row for table in ("session", "attempt", "event") for row in rows[table]}


def central_keys(server, database):
    rows = filled.central(server, database)
    found = {(table, row[0]): row for table in ("session", "attempt", "event") for row in rows[table]}
    same(len(found), sum(len(rows[table]) for table in ("session", "attempt", "event")), "rows that are there twice")
    return {key: row for key, row in found.items() if not (key[0] == "event" and row[1] == "merged")}


def count(server, database, sql):
    return server.run("postgres", database, "SELECT count(*) FROM quiztutor." + sql)[0][0]


# ---- a disk image ----

def add_at(path, rows, seed, now):
    """More of the log, by a clock that says something else."""
    filler = filled.Filler(path, seed)
    filler.now = now
    filler.rows(rows)
    filler.close()


def copied(server):
    """Two machines from one image; it had been synced once. One thinks that it is 1970. They take turns."""
    database, address = centre(server)
    with places(2) as (one, other):
        begin(one, 300, 1)
        sync(one, address, "300 of 300 rows sent")
        imaged(one, other)
        for turn in range(3):
            add_at(one.store, 100 + turn, 10 + turn, int(time.time() * 1000) - 600000000)
            add_at(other.store, 90 + turn, 20 + turn, 60000)
            if turn < 2:  # the last time the other comes first
                sync(one, address, "%d of %d rows sent" % (100 + turn, 100 + turn))
            said = sync(other, address, "%d of %d rows sent" % (90 + turn, 90 + turn))
            holds(said, "notice")
        sync(one, address, "102 of 102 rows sent")
        expected = {**keys(one.store), **keys(other.store)}
        same(len(expected), 300 + 303 + 273)
        same(central_keys(server, database) == expected, True, "all columns of all rows of both")
        notices = server.run("postgres", database, "SELECT what, detail, times FROM quiztutor.notice WHERE what <> 'merged' ORDER BY what")
        same([what for what, _, _ in notices], ["clock", "copied store"])
        holds(notices[0][1], "1970-01-01")
        same(notices[0][2], 273)  # each row that had that clock
        holds(notices[1][1], "two stores bear this id")
        same(count(server, database, "rejected"), 0)
        same(count(server, database, "machine"), 1)  # as far as anybody can tell
        sync(one, address, "nothing waited to be sent")
        sync(other, address, "nothing waited to be sent")


# ---- behind the program's back ----

POISON = [
    ("response", b'"\xff\xfe"', "UTF-8"),
    ("response", b'{"a', "JSON"),
    ("shown", b'"a\0b"', "NUL"),
    ("answered_at", 9223372036854775807, "no time"),
    ("mark", float("inf"), "mark"),
    ("pack_id", b"p" * 4000, "longer"),
    ("certainty", -1, "certainty"),
    ("session_id", bytes(16), "session"),
    ("learner_id", b"\x01" * 16, "learner"),
]


def poisoned(server):
    """One row of 500 can't be taken; which the server can't know beforehand. It is kept aside, the others are in."""
    with places(1) as (place,):
        begin(place, 10, 30)
        with contextlib.closing(sqlite3.connect(place.store)) as db:
            first, = db.execute("SELECT count(*) FROM attempt").fetchone()
        many.fill(place.store, 500 - first, learners=10, packs=2, questions=20)
        in_one_file(place.store)
        with open(place.store, "rb") as file:
            whole = file.read()
        for number, (column, value, word) in enumerate(POISON):
            with open(place.store, "wb") as file:
                file.write(whole)
            for end in "-sync", "-wal", "-shm":
                with contextlib.suppress(FileNotFoundError):
                    os.remove(place.store + end)
            with contextlib.closing(sqlite3.connect(place.store)) as db:
                for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'attempt'").fetchall():
                    db.execute(f'DROP TRIGGER "{name}"')
                db.execute("PRAGMA ignore_check_constraints = ON")
                if isinstance(value, bytes) and not column.endswith("_id") or column == "pack_id":
                    db.execute(f"UPDATE attempt SET {column} = CAST(? AS TEXT) WHERE seq = (SELECT seq FROM attempt ORDER BY seq LIMIT 1 OFFSET ?)",
                               (value, 37 * number + 11))
                else:
                    db.execute(f"UPDATE attempt SET {column} = ? WHERE seq = (SELECT seq FROM attempt ORDER BY seq LIMIT 1 OFFSET ?)",
                               (value, 37 * number + 11))
                db.commit()
                bad, = db.execute("SELECT attempt_id FROM attempt ORDER BY seq LIMIT 1 OFFSET ?", (37 * number + 11,)).fetchone()
            database, address = centre(server)
            sync(place, address, "1 can't be taken and is kept there, aside")
            same(count(server, database, "attempt"), 499, column, word)
            (kind, machine_id, reason, came), = server.run("postgres", database, "SELECT kind, uuid_send(id), reason, came FROM quiztutor.rejected")
            same((kind, bytes(machine_id)), ("attempt", bad))
            holds(reason, word)
            check({"answered_at": "at"}.get(column, column) in came or value == bytes(16), column, json.dumps(came)[:300])  # all zero: none
            same(central_keys(server, database) == keys_but(place.store, bad), True, "all others are there", column)
            sync(place, address, "nothing waited to be sent")


def keys_but(path, bad):
    """keys() of a store one of whose texts may be none."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        return {(table, row[0]): tuple(row) for table in ("session", "attempt", "event")
                for row in db.execute("SELECT %s FROM %s" % (", ".join(filled.COLUMNS[table]), table)) if row[0] != bad}


# ---- the server away for weeks ----

def watched(place, *arguments):
    """What it said, and its memory at most in MB. Where the program is built with a sanitizer that says nothing of it."""
    done = subprocess.run([sys.executable, "-S", "-E", "-c", WATCHED, PROGRAM, *arguments], env=place.environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=1800)
    errors, _, most = done.stderr.rpartition("\n")
    same(done.returncode, 0, done.stdout, errors)
    return done.stdout, int(most) / 1024


def sanitized():
    with open(PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


def weeks(server):
    """So many attempts wait. The sync catches up, in little memory, and is stopped in the midst once, with nothing lost by it."""
    database, address = centre(server)
    with places(1) as (place,):
        same(place.run("learner", "add", "Zed")[0], 0)
        many.fill(place.store, WEEKS)
        with contextlib.closing(sqlite3.connect(place.store)) as db:
            rows, = db.execute("SELECT (SELECT count(*) FROM attempt) + (SELECT count(*) FROM session)").fetchone()
        holds(place.run("sync", "--status")[1], "%d rows wait to be sent" % rows)
        began = time.monotonic()
        said, most = watched(place, "sync", address)
        holds(said, "%d of %d rows sent" % (rows, rows))
        print("%d attempts that waited: %.1f s, %.1f MB at most" % (WEEKS, time.monotonic() - began, most))
        check(sanitized() or most < MEMORY_MB, most, "MB")
        with contextlib.closing(sqlite3.connect(place.store)) as db:
            expected = db.execute("SELECT count(*), sum(seq), sum(elapsed_ms), sum(mark), count(DISTINCT session_id) FROM attempt").fetchone()
        got, = server.run("postgres", database, "SELECT count(*), sum(machine_seq)::bigint, sum(elapsed_ms)::bigint, sum(mark),"
                          " count(DISTINCT session_id) FROM quiztutor.attempt")
        same(got, expected)
        same(place.run("sync", "--status", "--json")[1].split(",")[0], '{"waiting":0')


# ---- erased ----

def traces(server, database, name, learner, ids):
    """Where anything is left of them at the centre: by their id, the ids of their rows, or their name."""
    found = []
    for table, in server.run("postgres", database, "SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'quiztutor'::regnamespace"
                             " AND c.relkind = 'r'"):
        for row, in server.run("postgres", database, f"SELECT t::text FROM quiztutor.{table} AS t"):
            if name in row or learner in row or any(one in row for one in ids):
                found.append((table, row[:200]))
    return found


def text_id(value):
    hexes = value.hex()
    return "-".join((hexes[:8], hexes[8:12], hexes[12:16], hexes[16:20], hexes[20:]))


def erased(server):
    """A tutor erases a learner at the centre; a kiosk that was away has more answers of theirs, and answers of others."""
    database, address = centre(server)
    with places(2) as (one, late):
        begin(one, 400, 40)
        imaged(one, late)
        with contextlib.closing(sqlite3.connect(one.store)) as db:
            db.execute("PRAGMA foreign_keys = ON")
            learner, name = db.execute("SELECT l.learner_id, l.name FROM learner AS l JOIN attempt USING(learner_id) WHERE l.name LIKE 'Ünsal%'").fetchone()
        sync(one, address, "400 of 400 rows sent")
        add_at(late.store, 300, 41, int(time.time() * 1000) - 500000000)
        ids = [text_id(key) for (_, key), row in {**keys(one.store), **keys(late.store)}.items() if learner in row]
        check(len(ids) > 20, ids)
        check(traces(server, database, name, text_id(learner), ids))
        erase(one, server, database, name)
        same(traces(server, database, name, text_id(learner), ids), [])
        others = set(central_keys(server, database))
        said = sync(late, address)
        holds(said, "of erased learners dropped")
        same(traces(server, database, name, text_id(learner), ids), [], "a late kiosk brings nothing back")
        check(set(central_keys(server, database)) > others, "answers of the others came")
        expected = {key for key, row in {**keys(one.store), **keys(late.store)}.items() if learner not in row and not about(row, ids)}
        got = set(central_keys(server, database))
        same((expected - got, got - expected), (set(), set()))
        for place in one, late:
            sync(place, address)
            holds(place.run("practise", "--jsonl", "tour")[2] + name, name)  # which takes over what was pulled
            with contextlib.closing(sqlite3.connect(place.store)) as db:
                for table in "learner", "session", "attempt", "schedule", "member":
                    same(db.execute(f"SELECT count(*) FROM {table} WHERE learner_id = ?", (learner,)).fetchone(), (0,), table, "on a machine")
            sync(place, address)
        same(traces(server, database, name, text_id(learner), ids), [], "nor does one where they were erased")


def about(row, ids):
    """An event that names no learner, but a session or an attempt of theirs."""
    return len(row) == len(filled.COLUMNS["event"]) and any(value and text_id(value) in ids for value in row[2:4])


def erase(place, server, database, name):
    """By a tutor."""
    status, output, errors = place.run("learner", "erase", name, "--yes", "--store", server.address("anna", database))
    same(status, 0, output, errors)


TESTS = (copied, poisoned, weeks, erased)


def main():
    global WEEKS
    names = []
    for word in sys.argv[1:]:
        if word.startswith("weeks="):
            WEEKS = int(word[6:])
            word = "weeks"
        names.append(word)
    with postgres.Server() as server:
        for test in TESTS:
            if not names or test.__name__ in names:
                began = time.monotonic()
                test(server)
                print("%-20s %5.1f s" % (test.__name__, time.monotonic() - began), flush=True)
    finish()


main()
