"""chaos.py PROGRAM [ATTEMPTS [SEED]]: stores of eight machines, which are practised in meanwhile, sync with one centre while
the machines' programs are killed, their connections are cut after any number of bytes, and the server is stopped at once, is
killed, or loses a process. What a mark says was sent must be there after each of that; and in the end, once it is quiet, each
row of each store is there with all its columns, once, and nothing else is.
"""
import contextlib
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

import postgres  # first: it takes the python that has psycopg2
import filled
import psycopg2

sys.path.insert(0, os.path.join(postgres.ROOT, "tests", "app"))
from drive import PROGRAM, check, finish, same, slice_of  # noqa: E402

ATTEMPTS = int(sys.argv[1]) if len(sys.argv) > 1 else slice_of(4000)
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
STORES = 8
PIECES = 10  # in which half of the log comes while it is being sent
LEAST = {"killed": 12, "cut": 12, "server": 4}  # before it gets quiet
WAIT_S = 60
LONGEST_S = 1800

# what a sync may say of a centre like this one: never that anything is wrong there, or refused
EXPECTED = ("broke off", "is starting or being stopped", "can't be reached", "does not answer")

# of each table of the log, its key
LOG = {"session": "session_id", "attempt": "attempt_id", "event": "event_id"}


class Cutter:
    """Stands between the machines and the server. While `wild`, three connections of four end after a number of bytes that is
    drawn for each way; half of those by a reset."""

    def __init__(self, folder, seed):
        self.folder, self.random = folder, random.Random(seed)
        self.wild, self.ended, self.cut = True, False, 0
        self.threads, self.lock = [], threading.Lock()

    def __enter__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(50)
        self._spawn(self._accept)
        return self

    def __exit__(self, kind, value, trace):
        self.ended = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join(WAIT_S)

    def address(self, role, database):
        port = self.listener.getsockname()[1]
        return f"postgresql://{role}@127.0.0.1:{port}/{database}?sslmode=disable&gssencmode=disable"

    def _spawn(self, call, *arguments):
        thread = threading.Thread(target=call, args=arguments, daemon=True)
        self.threads = [other for other in self.threads if other.is_alive()] + [thread]
        thread.start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.folder + "/.s.PGSQL.5432")
            except OSError:
                client.close()
                server.close()
                continue
            limits = [None, None]
            with self.lock:
                if self.wild and self.random.random() < 0.75:
                    # most of what a client says is rows, what it hears is some hundred bytes a batch
                    limits[self.random.random() < 0.5] = int(10 ** self.random.uniform(0, 6))
            client.settimeout(None)
            state = {"open": 2}
            for limit, source, target in ((limits[0], client, server), (limits[1], server, client)):
                self._spawn(self._pump, source, target, limit, state)

    def _pump(self, source, target, left, state):
        try:
            while not self.ended:
                data = source.recv(65536)
                if not data:
                    return
                if left is not None and len(data) >= left:
                    target.sendall(data[:left])
                    self._cut(source, target)
                    return
                left = left - len(data) if left is not None else None
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in source, target:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            with self.lock:
                state["open"] -= 1
                if state["open"] == 0:
                    source.close()
                    target.close()

    def _cut(self, *ends):
        with self.lock:
            self.cut += 1
            reset = self.random.random() < 0.5
        for end in ends:
            if reset and end.family == socket.AF_INET:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Machine:
    """A store, practised in and synced by two threads."""

    def __init__(self, number):
        self.number, self.random = number, random.Random(SEED * 1000 + number)
        self.folder = tempfile.mkdtemp(prefix="qt")
        self.store = os.path.join(self.folder, "store.db")
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": self.folder,
                            "QUIZTUTOR_STORE": self.store, "TMPDIR": self.folder,
                            "LSAN_OPTIONS": os.environ.get("LSAN_OPTIONS", "")}
        self.process, self.killed, self.through, self.errors = None, 0, 0, []
        self.run("learner", "add", "Zed")
        # an attempt in six rows is an event or a session
        self.rows = ATTEMPTS * 6 // 5 // STORES
        filled.fill(self.store, self.rows - self.rows // 2, SEED * 1000 + number)
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            self.store_id, = db.execute("SELECT store_id FROM meta").fetchone()

    def run(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=WAIT_S)
        return done.returncode, done.stdout + done.stderr

    def practise(self, pause):
        left = self.rows // 2
        for piece in range(PIECES, 0, -1):
            time.sleep(pause)
            filled.fill(self.store, left // piece, SEED * 1000 + STORES * piece + 500 + self.number)
            left -= left // piece

    def sync(self, address):
        """Once; perhaps not to its end."""
        self.process = subprocess.Popen([PROGRAM, "sync", address], env=self.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            patience = 10 ** self.random.uniform(-2.5, 0.5) if self.random.random() < 0.6 else WAIT_S
            try:
                _, errors = self.process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()
                self.killed += 1
                return
        finally:
            self.process.kill()
        if self.process.returncode == 0:
            self.through += 1
        elif not any(words in errors for words in EXPECTED):
            self.errors.append((self.process.returncode, errors))

    def mark(self):
        """Up to where the centre has said that it has all."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.store}-sync?mode=ro", uri=True)) as db:
                return db.execute("SELECT seq FROM mark").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # there is none yet

    def keys(self, upto):
        with contextlib.closing(sqlite3.connect(self.store, timeout=WAIT_S)) as db:
            return {(table, row[0]) for table, key in LOG.items() for row in db.execute(f"SELECT {key} FROM {table} WHERE seq <= ?", (upto,))}

    def remove(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def there(server, database, machine):
    """Keys of the log that the centre has of a store."""
    return {(table, bytes(row[0])) for table, key in LOG.items()
            for row in insist(server, database, f"SELECT uuid_send({key}) FROM quiztutor.{table} WHERE store_id = '{machine.store_id.hex()}'")}


def insist(server, database, sql):
    """Its rows, also of a server that is about to recover."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            return server.run("postgres", database, sql)
        except psycopg2.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def hold_marks(server, database, marks):
    for machine, mark in marks.items():
        lost = machine.keys(mark) - there(server, database, machine)
        check(not lost, "lost", len(lost), "rows up to", mark, "that were acknowledged to store", machine.number, list(lost)[:3])


def strike(server, draw):
    """Something happens to the server; what."""
    blow = draw.choice(["immediate", "crash", "fast", "process"])
    if blow == "process":  # one of them gone, all of them start anew
        with contextlib.suppress(ProcessLookupError):
            os.kill(draw.choice(children(server)), signal.SIGKILL)
        return blow
    if blow == "crash":
        server.crash()
    else:
        server.stop(blow)
    time.sleep(draw.choice([0, 0.05, 0.3]))
    server.start(wait=False)
    return blow


def children(server):
    with open(f"/proc/{server.pid()}/task/{server.pid()}/children", encoding="utf-8") as file:
        return [int(pid) for pid in file.read().split()]


def chaos(server, database, machines, cutter):
    draw, quiet, blows = random.Random(SEED), threading.Event(), {}
    address = cutter.address("lab", database)

    def syncing(machine):
        while not quiet.is_set():
            machine.sync(address)

    pace = max(0.2, ATTEMPTS / 40000)
    practising = [threading.Thread(target=machine.practise, args=(pace,)) for machine in machines]
    threads = practising + [threading.Thread(target=syncing, args=(machine,)) for machine in machines]
    for thread in threads:
        thread.start()
    until = time.monotonic() + LONGEST_S
    try:
        while any(thread.is_alive() for thread in practising) or sum(machine.killed for machine in machines) < LEAST["killed"] \
                or cutter.cut < LEAST["cut"] or sum(blows.values()) < LEAST["server"]:
            check(time.monotonic() < until, "it never got quiet") or sys.exit(1)
            time.sleep(draw.uniform(0.1, 2))
            marks = {machine: machine.mark() for machine in draw.sample(machines, 3)}
            blow = strike(server, draw)
            blows[blow] = blows.get(blow, 0) + 1
            server.wait()
            hold_marks(server, database, marks)
    finally:
        quiet.set()
        for thread in threads:
            thread.join()
    return blows


def compare(server, database, machines):
    """All columns of all rows."""
    here = [filled.local(machine.store) for machine in machines]
    central = filled.central(server, database)
    for table in filled.COLUMNS:
        rows = [row for one in here for row in one[table]]
        if table == "question_text":  # one for all; those that no attempt names stay where they are
            named = {row[8] for one in here for row in one["attempt"]}
            rows = {row for row in rows if row[0] in named}
        counts = {}
        for row in central[table]:
            counts[row] = counts.get(row, 0) + 1
        lost, added = set(rows) - set(counts), set(counts) - set(rows)
        if table == "event":  # the centre says of a merge what a machine says in its row of the learner
            added = {row for row in added if row[1] != "merged"}
        check(not lost, table, len(lost), "missing", list(lost)[:2])
        check(not added, table, len(added), "that are of no store", list(added)[:2])
        same(sum(counts.values()) - len(counts), 0, table, "duplicated")
    places = filled.central_places(server, database)
    expected = {key: seq for machine in machines for key, seq in filled.places(machine.store).items()}
    same({key: places.get(key) for key in expected} == expected, True, "places in the logs")
    for wrong in "rejected", "notice WHERE what <> 'merged'", "inbox":
        same(server.run("postgres", database, f"SELECT count(*) FROM quiztutor.{wrong}"), [(0,)], wrong)
    return len(central["attempt"]), sum(len(rows) for rows in central.values())


def main():
    began, machines = time.monotonic(), []
    try:
        with postgres.Server(durable=True) as server:
            database = server.make_database()
            server.install(database)
            for number in range(STORES):
                machines.append(Machine(number))
            with Cutter(server.folder, SEED) as cutter:
                blows = chaos(server, database, machines, cutter)
                cutter.wild = False
                for machine in machines:
                    status, said = machine.run("sync", cutter.address("lab", database))
                    same(status, 0, said)
                    status, said = machine.run("sync", cutter.address("lab", database))
                    check("nothing waited to be sent" in said, said)
                    same(machine.errors, [])
            attempts, rows = compare(server, database, machines)
            print("%d attempts, %d rows of %d stores in %.0f s (seed %d): %d syncs came through, %d were killed, %d connections cut; "
                  "the server: %s" % (attempts, rows, STORES, time.monotonic() - began, SEED, sum(one.through for one in machines),
                                      sum(one.killed for one in machines), cutter.cut,
                                      ", ".join("%d %s" % (times, blow) for blow, times in sorted(blows.items()))))
    finally:
        for machine in machines:
            machine.remove()
    finish()


main()
