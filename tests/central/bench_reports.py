"""`report class` (a group of 30) and `report progress` of a central store with 10,000,000 attempts of 20,000 learners, against one
full scan that counts them, in the same run. What the server does for either may take a hundredth of it, its start apart: a new
connection reads the catalogue and plans each statement, which the same report of somebody who never answered takes, too. Whole
commands are told beside that.

A twentieth of the learners is made on a machine, sent by `sync` and brought up by `sync --summaries`. The others are their like:
the same log and the same sums under other ids, copied on the server, so that all sums are what the program makes of the log.

usage: bench_reports.py PROGRAM [ATTEMPTS [RUNS]]; status 1 when something takes longer than allowed, at 10,000,000 only: of fewer
a scan takes no longer than a connection.
"""
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import postgres
import many

PROGRAM = os.path.abspath(sys.argv[1])
ATTEMPTS = int(sys.argv[2]) if len(sys.argv) > 2 else 10000000
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 9
EACH = 500  # attempts of a learner
ALIKE = 20  # learners with the same log
GROUP = "class 1"  # one of 30
ALLOWED = 0.01
LARGE = 10000000

SETTINGS = "shared_buffers = 1GB\nmax_wal_size = 8GB\ncheckpoint_timeout = 1h\nmaintenance_work_mem = 512MB\nautovacuum = off\nfsync = off\n"

# of a table its columns that differ between those who are alike: ids by their first byte, places in the log by a step
IDS = {"learner_id", "session_id", "attempt_id", "event_id"}
PLACES = {"seq", "last_seq"}
TABLES = ["learner", "session", "attempt", "schedule", "learner_pack", "learner_day"]


def multiply(server, database):
    """Everybody but the group's members has so many who are alike."""
    run = lambda sql: server.run("postgres", database, "SET search_path = quiztutor; " + sql)  # noqa: E731
    step, = server.run("postgres", database, "SELECT max(seq) + 1 FROM quiztutor.attempt")[0]
    for table in TABLES:
        columns = [row[0] for row in server.run("postgres", database, "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass"
                                                " AND attnum > 0 AND NOT attisdropped ORDER BY attnum", ("quiztutor." + table,))]
        indexes = server.run("postgres", database, "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
                             " WHERE indrelid = %s::regclass AND NOT indisprimary", ("quiztutor." + table,))
        (key, made), = server.run("postgres", database, "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass"
                                  " AND contype = 'p'", ("quiztutor." + table,))
        for name, _ in indexes:
            run("DROP INDEX " + name)
        run(f"ALTER TABLE {table} DROP CONSTRAINT {key}")
        run(f"CREATE TABLE pattern AS SELECT * FROM {table}")
        for number in range(1, ALIKE):
            values = ["encode(set_byte(uuid_send(%s), 0, %d), 'hex')::uuid" % (column, 16 + number) if column in IDS
                      else "%s + %d" % (column, step * number) if column in PLACES
                      else "%s || ' %d'" % (column, number) if table == "learner" and column in ("name", "name_key") else column
                      for column in columns]
            run(f"INSERT INTO {table}({', '.join(columns)}) SELECT {', '.join(values)} FROM pattern")
        run("DROP TABLE pattern")
        run(f"ALTER TABLE {table} ADD CONSTRAINT {key} {made}")
        for _, definition in indexes:
            run(definition)
    connection = server.connect("postgres", database, autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")
    connection.close()


def least(call):
    return min(call() for _ in range(RUNS))


def timed(arguments, environment):
    began = time.monotonic()
    subprocess.run([PROGRAM, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return (time.monotonic() - began) * 1000


def served(server, arguments, environment):
    """ms that the server worked for it, by its own log."""
    begun = len(server.log_text())
    timed(arguments, environment)
    return sum(float(duration) for duration in re.findall(r"duration: ([0-9.]+) ms", server.log_text()[begun:]))


def scan(server, database, more=""):
    """ms of one count, and its plan's node that reads."""
    connection = server.connect("postgres", database, autocommit=True)
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexonlyscan = off; SET enable_bitmapscan = off; SET jit = off;" + more)
        cursor.execute("EXPLAIN SELECT count(*) FROM quiztutor.attempt")
        plan = [row[0].strip(" ->").split("  ")[0] for row in cursor.fetchall()][-1]
        best = None
        for _ in range(3):
            began = time.monotonic()
            cursor.execute("SELECT count(*) FROM quiztutor.attempt")
            took = (time.monotonic() - began) * 1000
            best = took if best is None or took < best else best
        (count,), = cursor.fetchall()
    connection.close()
    return best, plan, count


def measure(server, name, of, nobody, address, environment):
    """ms of the whole command, and of what the server did; each with the same of who never answered."""
    commands = [["report", name, *who, "--store", address] for who in (of, nobody)]
    whole = [least(lambda: timed(command, environment)) for command in commands]  # noqa: B023
    server.run("postgres", "postgres", "ALTER ROLE anna SET log_min_duration_statement = 0")
    work = [least(lambda: served(server, command, environment)) for command in commands]  # noqa: B023
    server.run("postgres", "postgres", "ALTER ROLE anna RESET ALL")
    return (*whole, *work)


def main():
    learners = max(30 * 2, ATTEMPTS // EACH // ALIKE)
    folder = tempfile.mkdtemp(prefix="quiztutor-bench-")
    try:
        store = os.path.join(folder, "store.db")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC", "QUIZTUTOR_STORE": store}
        subprocess.run([PROGRAM, "learner", "add", "First"], env=environment, check=True, stdout=subprocess.DEVNULL)
        many.fill(store, learners * EACH, learners=learners)
        with contextlib.closing(sqlite3.connect(store)) as db:
            db.execute("INSERT INTO member(group_key, learner_id, group_name) SELECT 'nobody yet', learner_id, 'Nobody Yet' FROM learner"
                       " WHERE name = 'First'")
            db.commit()
        with postgres.Server(settings=SETTINGS) as server:
            database = server.make_database()
            server.install(database)
            subprocess.run([PROGRAM, "sync", server.address("lab", database)], env=environment, check=True, stdout=subprocess.DEVNULL)
            began, address = time.monotonic(), server.address("anna", database)
            subprocess.run([PROGRAM, "sync", "--summaries", address], env=environment, check=True, stdout=subprocess.DEVNULL)
            print("summaries of %d attempts brought up in %.1f s" % (learners * EACH, time.monotonic() - began), flush=True)
            multiply(server, database)
            sizes = server.run("postgres", database, "SELECT relname, pg_table_size(oid), pg_indexes_size(oid), (SELECT reltuples)::bigint FROM pg_class"
                               " WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'r' AND pg_table_size(oid) > 1000000 ORDER BY 2 DESC")
            for name, table, indexes, rows in sizes:
                print("%-14s %9d rows, %6d MB, indexes %6d MB, %4.0f bytes a row" % (name, rows, table >> 20, indexes >> 20, (table + indexes) / max(1, rows)))
            whole, plan, count = scan(server, database, "SET max_parallel_workers_per_gather = 0")
            print("one scan that counts %d attempts: %.0f ms (%s)" % (count, whole, plan))
            print("  by several processes: %.0f ms (%s)" % scan(server, database)[:2])
            failed = False
            for name, of, nobody in (("class", ["--group", GROUP], ["--group", "nobody yet"]),
                                     ("progress", ["--learner", "Learner 1-00031"], ["--learner", "First"])):
                took, start, work, begin = measure(server, name, of, nobody, address, environment)
                share = (work - begin) / whole
                failed |= share > ALLOWED and count >= LARGE
                print("%-8s %.1f ms on the server, %.1f beyond its start: %.2f %% of the scan (allowed: %.0f %%), %.2f %% with it; the whole"
                      " command %.1f ms, of nobody's answers %.1f" % (name, work, work - begin, share * 100, ALLOWED * 100, work / whole * 100, took,
                                                                      start), flush=True)
            return 1 if failed else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
