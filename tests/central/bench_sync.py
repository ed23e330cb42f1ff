"""1,000,000 attempts into a central store by `sync`, against `\\copy` of the same rows by psql, in committed batches of the same
size, into a bare table with the same columns, primary key and indexes, on the same server. Runs alternate; the least of each
counts, and sync may take ALLOWED times as long.

usage: bench_sync.py PROGRAM [ATTEMPTS [RUNS]]; status 1 when it takes longer.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

import postgres
import many

PROGRAM = os.path.abspath(sys.argv[1])
ATTEMPTS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 2
ALLOWED = 2.0
BATCH = 10000  # SYNC_BATCH_MOST

# a small server's, for both
SETTINGS = "shared_buffers = 512MB\nmax_wal_size = 4GB\ncheckpoint_timeout = 30min\n"


def cpu(server):
    """Seconds of all of the server's processes, those that ended too."""
    ticks = 0
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if name == str(server.pid()) or fields[1] == str(server.pid()):
            ticks += sum(int(field) for field in (fields[11:15] if name == str(server.pid()) else fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Timed:
    """Wall time, and CPU time of the server and of the client."""

    def __init__(self, server):
        self.server = server

    def __enter__(self):
        self.begun, self.server_cpu, before = time.monotonic(), cpu(self.server), os.times()
        self.client = before.children_user + before.children_system
        return self

    def __exit__(self, kind, value, trace):
        self.wall, after = time.monotonic() - self.begun, os.times()
        self.server_cpu, self.client = cpu(self.server) - self.server_cpu, after.children_user + after.children_system - self.client

    def __str__(self):
        return "%.2f s (CPU: server %.2f, client %.2f)" % (self.wall, self.server_cpu, self.client)


def sync(server, store, environment):
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    for left in ("-sync", "-sync-lock"):
        if os.path.exists(store + left):
            os.remove(store + left)
    server.run("postgres", database, "CHECKPOINT")
    with Timed(server) as timed:
        subprocess.run([PROGRAM, "sync", server.address("lab", database)], env=environment, check=True, stdout=subprocess.DEVNULL)
    (count,), = server.run("postgres", database, "SELECT count(*) FROM quiztutor.attempt")
    if count != ATTEMPTS:
        sys.exit("bench_sync: %d attempts arrived" % count)
    return database, timed


def dump(server, database, folder):
    """What arrived as files of a batch each, and the statements that read them."""
    lines = []
    for number, first in enumerate(range(0, ATTEMPTS, BATCH)):
        name = os.path.join(folder, "rows-%04d" % number)
        with open(name, "wb") as file:
            server.psql("postgres", database, "-c", "COPY (SELECT * FROM quiztutor.attempt WHERE machine_seq IN (SELECT machine_seq"
                        " FROM numbered WHERE place > %d AND place <= %d) ORDER BY seq) TO STDOUT" % (first, first + BATCH), stdout=file)
        lines.append("\\copy bare FROM '%s'\n" % name)
    script = os.path.join(folder, "script")
    with open(script, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return script


def copy(server, script):
    database = server.make_database()
    server.install(database)
    server.run("owner", database, "CREATE TABLE bare(LIKE quiztutor.attempt INCLUDING INDEXES)")
    server.run("postgres", database, "CHECKPOINT")
    with Timed(server) as timed:
        server.psql("owner", database, "-f", script)
    (count,), = server.run("postgres", database, "SELECT count(*) FROM bare")
    if count != ATTEMPTS:
        sys.exit("bench_sync: %d attempts were copied" % count)
    server.run("postgres", "postgres", "DROP DATABASE " + database)
    return timed


def main():
    folder = tempfile.mkdtemp(prefix="quiztutor-bench-")
    try:
        store = os.path.join(folder, "store.db")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC", "QUIZTUTOR_STORE": store}
        subprocess.run([PROGRAM, "learner", "add", "First"], env=environment, check=True, stdout=subprocess.DEVNULL)
        many.fill(store, ATTEMPTS)
        with postgres.Server(durable=True, settings=SETTINGS) as server:
            synced, copied, script = [], [], None
            for _ in range(RUNS):
                database, timed = sync(server, store, environment)
                synced.append(timed)
                print("sync:  ", timed, flush=True)
                if not script:
                    server.run("postgres", database, "CREATE TABLE numbered AS SELECT machine_seq, row_number() OVER (ORDER BY seq) AS place"
                               " FROM quiztutor.attempt")
                    server.run("postgres", database, "CREATE INDEX ON numbered(place)")
                    server.run("postgres", database, "CREATE INDEX ON quiztutor.attempt(machine_seq)")
                    script = dump(server, database, folder)
                server.run("postgres", "postgres", "DROP DATABASE " + database)
                copied.append(copy(server, script))
                print("\\copy: ", copied[-1], flush=True)
            ratio = min(timed.wall for timed in synced) / min(timed.wall for timed in copied)
            work = min(timed.server_cpu for timed in synced) / min(timed.server_cpu for timed in copied)
            print("%d attempts: sync takes %.2f times as long as \\copy (allowed: %.1f), the server's CPU time %.2f times"
                  % (ATTEMPTS, ratio, ALLOWED, work))
            return 1 if ratio > ALLOWED else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
