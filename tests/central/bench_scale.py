"""What a central store costs, a row, a round and a report at a time: the figures that doc/SCALING.md adds up. Processor time is
counted, which is the same on a busy machine; where time on the clock is meant, it says so.

usage: bench_scale.py PROGRAM [ATTEMPTS]
"""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

import postgres
import many

PROGRAM = os.path.abspath(sys.argv[1])
ATTEMPTS = int(sys.argv[2]) if len(sys.argv) > 2 else 200000
EACH = 500  # attempts of a learner
LEARNERS = ATTEMPTS // EACH
ROUNDS = 50
SETTINGS = "shared_buffers = 512MB\nmax_wal_size = 4GB\ncheckpoint_timeout = 30min\nautovacuum = off\n"


def ticks_of(path):
    with open(path, encoding="utf-8") as file:
        return [int(field) for field in file.read().rsplit(")", 1)[1].split()[11:15]]


def cpu(server):
    """Seconds of the server's processes, those that ended too."""
    ticks = sum(ticks_of(f"/proc/{server.pid()}/stat"))
    with open(f"/proc/{server.pid()}/task/{server.pid()}/children", encoding="utf-8") as file:
        for child in file.read().split():
            with contextlib.suppress(OSError):
                ticks += sum(ticks_of(f"/proc/{child}/stat")[:2])
    return ticks / os.sysconf("SC_CLK_TCK")


class Spent:
    def __init__(self, server):
        self.server = server

    def __enter__(self):
        self.begun, self.at_server, times = time.monotonic(), cpu(self.server), os.times()
        self.client = times.children_user + times.children_system
        return self

    def __exit__(self, kind, value, trace):
        times = os.times()
        self.wall, self.at_server = time.monotonic() - self.begun, cpu(self.server) - self.at_server
        self.client = times.children_user + times.children_system - self.client


def private_mb(pid):
    """Of a process alone."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1024


def wal(server):
    return server.run("postgres", "postgres", "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint")[0][0]


def main():
    folder = tempfile.mkdtemp(prefix="quiztutor-bench-")
    try:
        store = os.path.join(folder, "store.db")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC", "QUIZTUTOR_STORE": store}

        def run(*arguments):
            subprocess.run([PROGRAM, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

        run("learner", "add", "First")
        many.fill(store, ATTEMPTS, learners=LEARNERS)
        print("%d attempts of %d learners" % (ATTEMPTS, LEARNERS))
        print("a machine's store: %.0f bytes an attempt" % (os.path.getsize(store) / ATTEMPTS))
        with postgres.Server(durable=True, settings=SETTINGS) as server:
            database = server.make_database()
            server.install(database)
            lab, anna = server.address("lab", database), server.address("anna", database)
            logged = wal(server)
            with Spent(server) as spent:
                run("sync", lab)
            print("sync: %.1f us of the server, %.1f us of the machine, %.0f bytes of WAL an attempt"
                  % (spent.at_server / ATTEMPTS * 1e6, spent.client / ATTEMPTS * 1e6, (wal(server) - logged) / ATTEMPTS))
            logged = wal(server)
            with Spent(server) as spent:
                run("sync", "--summaries", anna)
            print("summaries of all: %.1f us of the server, %.1f us of the program, %.0f bytes of WAL an attempt"
                  % (spent.at_server / ATTEMPTS * 1e6, spent.client / ATTEMPTS * 1e6, (wal(server) - logged) / ATTEMPTS))
            connection = server.connect("postgres", database, autocommit=True)
            with contextlib.closing(connection), connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
            for name, rows, table, indexes in server.run("postgres", database, "SELECT relname, reltuples::bigint, pg_table_size(oid),"
                                                         " pg_indexes_size(oid) FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'r'"
                                                         " AND reltuples > 100 ORDER BY 3 DESC"):
                print("%-14s %8d rows, %4.0f bytes a row, %4.0f of indexes; %6.1f bytes an attempt"
                      % (name, rows, table / rows, indexes / rows, (table + indexes) / ATTEMPTS))
            with Spent(server) as spent:
                for _ in range(ROUNDS):
                    run("sync", lab)
            print("a round with nothing new: %.1f ms of the server, %.1f ms of the machine, %.0f ms on the clock"
                  % (spent.at_server / ROUNDS * 1e3, spent.client / ROUNDS * 1e3, spent.wall / ROUNDS * 1e3))
            rounds = []
            for number in range(ROUNDS):
                many.fill(store, many.SESSION, learners=1, seed=100 + number)
                with Spent(server) as spent:
                    run("sync", lab)
                rounds.append(spent)
            print("a round with a session of %d attempts: %.1f ms of the server, %.1f ms of the machine, %.0f ms on the clock"
                  % (many.SESSION, *(sum(getattr(one, what) for one in rounds) / ROUNDS * 1e3 for what in ("at_server", "client", "wall"))))
            with Spent(server) as spent:
                run("sync", "--summaries", anna)
            print("summaries of a learner after a session: %.1f ms of the server, %.1f ms of the program"
                  % (spent.at_server / ROUNDS * 1e3, spent.client / ROUNDS * 1e3))
            connection = server.connect("lab", database, autocommit=True)
            with contextlib.closing(connection), connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM quiztutor.pull(0, 1)")
                print("a connection that has pulled: %.1f MB of memory" % private_mb(connection.get_backend_pid()))
            for name, arguments in (("class of 30", ["class", "--group", "class 1"]), ("progress", ["progress", "--learner", "Learner 1-00031"]),
                                    ("items of a pack", ["items", "--pack", "pack-01"])):
                with Spent(server) as spent:
                    for _ in range(10):
                        run("report", *arguments, "--store", anna)
                print("report %-16s %.1f ms of the server, %.1f ms of the program" % (name, spent.at_server * 100, spent.client * 100))
            with open(os.path.join(folder, "dump"), "wb") as file, Spent(server) as spent:
                subprocess.run([os.path.join(server.programs, "pg_dump"), "-Fc", "-d", server.address("postgres", database)], stdout=file, check=True,
                               env=server.environment)
            size = server.run("postgres", database, "SELECT pg_database_size(current_database())")[0][0]
            print("pg_dump: %.1f us an attempt (server and program), %.0f bytes; the database: %.0f bytes an attempt"
                  % ((spent.at_server + spent.client) / ATTEMPTS * 1e6, os.path.getsize(os.path.join(folder, "dump")) / ATTEMPTS, size / ATTEMPTS))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
