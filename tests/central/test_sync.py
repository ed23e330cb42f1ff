"""test_sync.py PROGRAM [NO-MEMORY.so] [TEST…]: `sync` between stores and a real central one.

Whatever happens in between, in the end each row of a store is at the centre once, with all its columns.
"""

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import pty
import random
import re
import resource
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import postgres  # first: it takes the python that has psycopg2
import between
import filled

sys.path.insert(0, os.path.join(postgres.ROOT, "tests", "app"))
from drive import PROGRAM, check, finish, same, slice_of  # noqa: E402

MIGRATIONS = sorted(glob.glob(os.path.join(postgres.ROOT, "db", "sqlite", "0*.sql")))
NO_MEMORY = [os.path.abspath(name) for name in sys.argv[1:] if name.endswith(".so")]  # no_memory.c, where it can be preloaded
WAIT_S = 60


class Place:
    """A folder with a store, and the program in it."""

    def __init__(self, server, rows=0, seed=1):
        self.server, self.folder = server, tempfile.mkdtemp(prefix="qt")
        self.store = os.path.join(self.folder, "store.db")
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": self.folder,
                            "QUIZTUTOR_STORE": self.store, "TERM": "xterm", "TMPDIR": self.folder,
                            "LSAN_OPTIONS": os.environ.get("LSAN_OPTIONS", "")}
        same(self.run("learner", "add", "Zed")[0], 0)
        if rows:
            filled.fill(self.store, rows, seed)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder)

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
                   "env": self.environment, **options}
        return subprocess.Popen([PROGRAM, *arguments], **options)

    def run(self, *arguments, **options):
        process = self.start(*arguments, **options)
        try:
            output, errors = process.communicate(timeout=WAIT_S)
        except BaseException:
            process.kill()
            process.communicate()
            raise
        return process.returncode, output, errors

    def sync(self, address, *more, status=0):
        got, output, errors = self.run("sync", address, *more)
        same(got, status, output, errors)
        return output + errors

    def forget(self):
        for end in "-sync", "-sync-lock":
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.store + end)


def whole(server, database, *places):
    """All that the stores have is at the centre: each column of each row, at its place, and nothing else."""
    here, there = [filled.local(place.store) for place in places], filled.central(server, database)
    for table in filled.COLUMNS:
        rows = sorted((row for one in here for row in one[table] if table != "question_text"), key=repr)
        if table == "question_text":  # one for all; those that no attempt names stay here
            rows = sorted({row for one in here for row in one[table]} & set(there[table]), key=repr)
            named = {row[8] for one in here for row in one["attempt"]} - {None}
            same({row[0] for row in there[table]}, named)
        got = [row for row in there[table] if not (table == "event" and row[1] == "merged")]
        if got != rows:
            lost, more = set(rows) - set(got), set(got) - set(rows)
            check(False, table, len(lost), "lost", list(lost)[:1], len(more), "too many", list(more)[:1], len(got), len(rows))
        check(True)
    where = filled.central_places(server, database)
    expected = {key: seq for place in places for key, seq in filled.places(place.store).items()}
    same({key: where.get(key) for key in expected}, expected)
    same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.rejected"), [(0,)])
    same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.inbox"), [(0,)])


def says(text, *parts):
    for part in parts:
        check(part in text, "expected in it:", repr(part), "got:", repr(text))


def centre(server, **more):
    database = server.make_database()
    server.install(database, **more)
    return database, server.address("lab", database)


def wait_for(condition, *what):
    until = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(("not in time", *what))
        time.sleep(0.02)


# ---- the ordinary way ----

def ordinary(server):
    database, address = centre(server)
    with Place(server, 2500) as place:
        says(place.run("sync", "--status")[1], "no sync has got through yet; 2500 rows wait to be sent")
        says(place.sync(address), "2500 of 2500 rows sent")
        whole(server, database, place)
        says(place.sync(address), "nothing waited to be sent")
        says(place.run("sync", "--status")[1], "; 0 rows wait to be sent")
        told = json.loads(place.run("sync", "--status", "--json")[1])
        same((told["waiting"], told["version"]), (0, 1))
        check(abs(told["last_sync_at"] / 1000 - time.time()) < WAIT_S, told)
        filled.fill(place.store, 300, 2)
        says(place.run("sync", "--status", "--json")[1], '"waiting":300')
        says(place.sync(address), "300 of 300 rows sent")
        whole(server, database, place)
        place.forget()  # the mark is lost: all of it goes again, and changes nothing
        before = server.run("postgres", database, "SELECT seq FROM quiztutor.attempt ORDER BY seq")
        says(place.sync(address), "2800 of 2800 rows sent")
        same(server.run("postgres", database, "SELECT seq FROM quiztutor.attempt ORDER BY seq"), before)
        whole(server, database, place)


def two_stores(server):
    database, address = centre(server)
    with Place(server, 700, 3) as one, Place(server, 800, 4) as other:
        one.sync(address)
        other.sync(address)
        whole(server, database, one, other)
        # a learner of nobody's answers goes too
        same(one.run("learner", "add", "Quiet One")[0], 0)
        one.sync(address)
        whole(server, database, one, other)


def another_centre(server):
    first, address = centre(server)
    second, elsewhere = centre(server)
    with Place(server, 400, 5) as place:
        place.sync(address)
        says(place.sync(elsewhere), "400 of 400 rows sent", "looked at again")
        whole(server, second, place)
        filled.fill(place.store, 100, 6)
        says(place.sync(address), "500 of 500 rows sent")
        whole(server, first, place)


def numbers_again(server):
    """A store that was made anew from a backup gives numbers again that were sent before."""
    database, address = centre(server)
    with Place(server, 400, 7) as place:
        backup = place.store + ".kept"
        with contextlib.closing(filled.connect(place.store)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(place.store, backup)
        filled.fill(place.store, 100, 8)
        place.sync(address)
        for end in "-wal", "-shm":
            with contextlib.suppress(FileNotFoundError):
                os.remove(place.store + end)
        os.replace(backup, place.store)
        filled.fill(place.store, 100, 9)  # as many as were lost: the same numbers
        says(place.sync(address), "500 of 500 rows sent", "looked at again")
        ours, there = filled.local(place.store), filled.central(server, database)
        same(set(ours["attempt"]) - set(there["attempt"]), set())
        same(set(ours["event"]) - set(there["event"]), set())


# ---- cut off ----

def killed(server):
    """SIGKILL before each message of the client's: opening, each statement, each piece of rows, the end."""
    database, direct = centre(server)
    with Place(server, 200, 10) as place, between.Proxy(server.folder) as proxy:
        address = proxy.address("lab", database)
        place.sync(address)
        filled.fill(place.store, 1200, 11)
        proxy.reset()
        shutil.copy(place.store, place.store + ".before")
        shutil.copy(place.store + "-sync", place.store + "-sync.before")
        place.sync(address)
        every = list(range(1, proxy.messages + 1))
        whole(server, database, place)
        draw = random.Random(1)
        for seed, at in enumerate(sorted(draw.sample(every, min(len(every), slice_of(14))))):
            filled.fill(place.store, 1100, 100 + seed)
            process = place.start("sync", address)
            proxy.reset(stop_at=(at, process.kill))
            process.communicate(timeout=WAIT_S)
            proxy.reset()
            check(process.returncode in (0, -signal.SIGKILL), process.returncode)
        place.sync(direct)
        whole(server, database, place)


def cut(server):
    """The connection is cut at any byte, of either direction; what was cut off is told, and goes with the next one."""
    database, direct = centre(server)
    with Place(server, 300, 12) as place, between.Proxy(server.folder) as proxy:
        address = proxy.address("lab", database)
        place.sync(address)
        draw, failed = random.Random(2), 0
        for seed in range(slice_of(16)):
            filled.fill(place.store, 150, 200 + seed)
            proxy.reset(cut_after=draw.randint(1, 4000) if seed % 3 == 0 else draw.randint(3000, 300_000))
            status, output, errors = place.run("sync", address)
            proxy.reset()
            check(status in (0, 1), status, output, errors)
            if status:
                failed += 1
                check(re.search("broke off|can't be reached|being stopped|did not answer", errors), errors)
                check(len(errors.splitlines()) == 1, errors)
        check(failed > 0, failed)
        place.sync(direct)
        whole(server, database, place)


def stopped(server):
    database, address = centre(server)
    with Place(server, 300, 13) as place:
        server.stop("immediate")
        says(place.sync(address, status=1), "can't be reached")
        server.start()
        place.sync(address)
        whole(server, database, place)
        # in the midst of a batch: the server goes while the rows are there and nothing is committed
        filled.fill(place.store, 3000, 14)
        lock = server.connect("owner", database)
        with between.Proxy(server.folder) as proxy:
            lock.cursor().execute("LOCK TABLE quiztutor.attempt IN ACCESS EXCLUSIVE MODE")
            process = place.start("sync", proxy.address("lab", database))
            wait_for(lambda: server.run("postgres", database, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%ingest(%'"
                                        " AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()") == [(1,)])
            server.stop("immediate")
            errors = process.communicate(timeout=WAIT_S)[1]
            same(process.returncode, 1, errors)
        server.start()
        place.sync(address)
        whole(server, database, place)


def swallowed(server):
    """A network that takes everything and brings nothing ends a sync by the time that the address gives it."""
    database, direct = centre(server)
    with Place(server, 3000, 15) as place, between.Proxy(server.folder) as proxy:
        more = "&connect_timeout=1&tcp_user_timeout=500&options=-c%20statement_timeout%3D500"
        address = proxy.address("lab", database, more)
        for after in [0, 150, 2500, 200_000]:
            proxy.reset(swallow_after=after)
            began = time.monotonic()
            errors = place.sync(address, status=1)
            check(time.monotonic() - began < 20, time.monotonic() - began)
            check("does not answer" in errors or "has not answered" in errors, errors)
        # who stops a service that waits does not wait for that time
        proxy.reset(swallow_after=2500)
        process = place.start("sync", proxy.address("lab", database), "--every", "1s")
        wait_for(lambda: proxy.messages > 3)
        process.terminate()
        began = time.monotonic()
        same((process.communicate(timeout=WAIT_S), process.returncode), (("", ""), 0))
        check(time.monotonic() - began < 10)
        place.sync(direct)
        whole(server, database, place)


def no_memory(server):
    """Wherever libpq gets no memory: said, or got over; never a crash, and never a row too few."""
    if not NO_MEMORY:
        return
    database, direct = centre(server)
    with Place(server, 40, 30) as place:
        count = os.path.join(place.folder, "count")
        place.environment.update(LD_PRELOAD=NO_MEMORY[0], LIBPQ_COUNT=count)
        place.sync(direct)
        with open(count, encoding="ascii") as file:
            pieces = int(file.read())
        check(pieces > 100, pieces)
        failed = 0
        for at in sorted(random.Random(3).sample(range(1, pieces + 1), min(pieces, slice_of(24)))):
            place.environment["LIBPQ_FAILS"] = str(at)
            status, _, errors = place.run("sync", direct)
            check(status in (0, 1), at, status, errors)
            check(status == 0 or len(errors.splitlines()) == 1, at, errors)
            failed += "memory" in errors
        check(failed > slice_of(24) // 4, failed)
        del place.environment["LD_PRELOAD"]
        filled.fill(place.store, 10, 31)
        place.sync(direct)
        whole(server, database, place)


# ---- the store ----

def written_meanwhile(server):
    """Whoever stores meanwhile never waits: this writer has no patience at all."""
    database, address = centre(server)
    with Place(server, 2500, 16) as place:
        ended, faults, written = threading.Event(), [], [0]

        def write():
            try:
                filler = filled.Filler(place.store, 17)
                filler.db.execute("PRAGMA busy_timeout = 0")
                while not ended.is_set():
                    filler.rows(5)
                    written[0] += 5
                    ended.wait(0.005)
                filler.close()
            except sqlite3.Error as error:
                faults.append(error)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for _ in range(3):
                place.sync(address)
        finally:
            ended.set()
            writer.join()
        same(faults, [])
        check(written[0] > 20, written)
        place.sync(address)
        whole(server, database, place)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def older(server):
    """A store that no later release has opened yet is sent as it is, and stays so."""
    database, address = centre(server)
    with Place(server) as place:
        for name in os.listdir(place.folder):
            os.remove(os.path.join(place.folder, name))
        db = filled.connect(place.store)
        for version, path in enumerate(MIGRATIONS[:6], 1):
            with open(path, encoding="utf-8") as file:
                db.executescript(file.read())
            db.execute("PRAGMA user_version = %d" % version)
        db.execute("INSERT INTO meta(one, store_id, device_id, next_seq) VALUES(1, randomblob(16), randomblob(16), 1)")
        db.close()
        filled.fill(place.store, 300, 18)
        before = digest(place.store)
        says(place.sync(address), "300 of 300 rows sent")
        same(digest(place.store), before)
        whole(server, database, place)


def damaged(server):
    database, address = centre(server)
    with Place(server, 2000, 19) as place:
        db = filled.connect(place.store)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        size = os.path.getsize(place.store)
        with open(place.store, "r+b") as file:
            for at in range(size // 3 // 4096 * 4096, size - 4096, 4096):
                file.seek(at)
                file.write(b"\xa5" * 4096)
        says(place.sync(address, status=1), "damaged")
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.inbox"), [(0,)])
        with open(place.store, "r+b") as file:
            file.write(b"no store at all ")
        place.sync(address, status=1)
        os.remove(place.store)
        says(place.sync(address), "there is no store yet")
        check(not os.path.exists(place.store), "a store is made where one may be healing")


def no_room(server):
    """What the sync keeps has no room: said, and nothing is lost."""
    database, address = centre(server)
    with Place(server, 300, 20) as place:

        def little():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

        status, _, errors = place.run("sync", address, preexec_fn=little)
        same(status, 1)
        says(errors, "full")
        check(len(errors.splitlines()) == 1, errors)
        same([name for name in os.listdir(place.folder) if "partial" in name and os.path.getsize(os.path.join(place.folder, name)) > 0], [])
        place.sync(address)
        whole(server, database, place)


def one_at_a_time(server):
    database, address = centre(server)
    with Place(server, 300, 21) as place:
        with open(place.store + "-sync-lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            says(place.sync(address, status=1), "another sync of this store is running")
        place.sync(address)
        whole(server, database, place)


# ---- addresses, roles, passwords ----

def isolation(server):
    """A database whose transactions are serializable unless somebody says otherwise takes rows all the same."""
    database, address = centre(server)
    server.run("postgres", "postgres", "ALTER DATABASE %s SET default_transaction_isolation = 'serializable'" % database)
    with Place(server, 50, 23) as place:
        place.sync(address)
        whole(server, database, place)


def refused(server):
    database, address = centre(server, tutors=["anna"])
    with Place(server, 50, 22) as place:
        for role, base, words in [
            ("nobody-there", database, "does not let this role in"),
            ("anna", database, "is no machine's there"),
            ("owner", database, "is no machine's there"),
            ("lab", "postgres", "there is no central store of quiztutor"),
            ("lab", "no-such", "is not there"),
        ]:
            errors = place.sync(server.address(role, base), status=1)
            says(errors, words)
            check(len(errors.splitlines()) == 1, errors)
        status, _, errors = place.run("report", "class", "--store", address)
        same((status, len(errors.splitlines())), (1, 1), errors)
        says(errors, "is no tutor's there")
        # something else at that port
        for answer in b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"E\0\0\0\x08abc\0", bytes(range(256)) * 8:
            with socket.socket() as other:
                other.bind(("127.0.0.1", 0))
                other.listen(2)

                def speak():
                    with contextlib.suppress(OSError):
                        while True:
                            end, _ = other.accept()
                            with end:
                                end.recv(4096)
                                end.sendall(answer)

                threading.Thread(target=speak, daemon=True).start()
                errors = place.sync("postgresql://lab@127.0.0.1:%d/x?sslmode=disable&connect_timeout=2" % other.getsockname()[1], status=1)
                check("postgresql://lab@127.0.0.1" in errors and len(errors.splitlines()) == 1, errors)
                other.shutdown(socket.SHUT_RDWR)
        says(place.sync("postgresql://lab@127.0.0.1:1/x", status=1), "can't be reached")
        place.sync(address)


SECRET = "s3cr3t-w0rd"


def no_passwords(server):
    """An address with a password is refused before anything is done, however it is written, and is not repeated."""
    with Place(server) as place:
        for address in [
            f"postgresql://lab:{SECRET}@127.0.0.1:1/x",
            f"postgres://lab:{SECRET}@127.0.0.1:1/x",
            f"postgresql://lab%3A{SECRET}@127.0.0.1:1/x",
            f"postgresql://lab:12/{SECRET}@127.0.0.1/x",
            f"postgresql://lab:12?{SECRET}@127.0.0.1/x",
            f"postgresql://lab:{SECRET}/x",
            f"postgresql://lab@127.0.0.1:1/x?password={SECRET}",
            f"postgresql://lab@127.0.0.1:1/x?p%61ss%77ord={SECRET}",
            f"postgresql://lab@127.0.0.1:1/x?sslmode=disable&PASSWORD={SECRET}",
            f"postgresql://lab@127.0.0.1:1/x?sslpassword={SECRET}",
            f"postgresql://lab@127.0.0.1:1/x?{SECRET}",
            f"POSTGRESQL://lab:{SECRET}@127.0.0.1:1/x",
            f"host=127.0.0.1 user=lab password={SECRET}",
        ]:
            for arguments in ["sync", address], ["sync", "--init", address], ["sync", "--every", "60s", address]:
                status, output, errors = place.run(*arguments)
                same(status, 1, address)
                check(SECRET not in output + errors, address, errors)
                check(re.search("password in the address|can't be read|is named like", errors), errors)


def kept_passwords(server):
    """A password out of .pgpass, or of a service file, is seen neither in the list of processes nor in any log."""
    database, _ = centre(server)
    folder = server.folder
    hba = os.path.join(server.data, "pg_hba.conf")
    shutil.copy(hba, hba + ".kept")
    server.run("postgres", database, f"ALTER ROLE lab PASSWORD '{SECRET}'")
    try:
        with open(hba, "w", encoding="ascii") as file:
            file.write("local all lab scram-sha-256\nlocal all all trust\n")
        server.run("postgres", database, "ALTER SYSTEM SET log_statement = 'all'")
        server.run("postgres", database, "ALTER SYSTEM SET log_connections = on")
        server.run("postgres", database, "ALTER SYSTEM SET log_min_messages = debug1")
        server.run("postgres", database, "SELECT pg_reload_conf()")
        already = len(server.log_text())
        with Place(server, 100, 23) as place:
            address = server.address("lab", database)
            says(place.sync(address, status=1), "wants a password, and there is none")
            passfile = os.path.join(place.folder, ".pgpass")
            for word, status in ("wr0ng-w0rd", 1), (SECRET, 0):
                with open(passfile, "w", encoding="ascii") as file:
                    file.write(f"*:*:*:lab:{word}\n")
                os.chmod(passfile, 0o600)
                said = place.sync(address, status=status)
                check(SECRET not in said and word not in said, said)
            says(said, "100 of 100 rows sent")
            service = os.path.join(place.folder, ".pg_service.conf")
            with open(service, "w", encoding="ascii") as file:
                file.write(f"[centre]\nhost={folder}\ndbname={database}\nuser=lab\npassword={SECRET}\n")
            os.remove(passfile)
            filled.fill(place.store, 50, 24)
            seen, lock = [], server.connect("owner", database)
            lock.cursor().execute("LOCK TABLE quiztutor.attempt IN ACCESS EXCLUSIVE MODE")
            process = place.start("sync", "postgresql:///?service=centre")
            wait_for(lambda: server.run("postgres", database, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%ingest(%'"
                                        " AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()") == [(1,)])
            for path in glob.glob("/proc/[0-9]*/cmdline"):
                with contextlib.suppress(OSError), open(path, "rb") as file:
                    seen.append(file.read())
            check(any(b"service=centre" in line for line in seen))
            check(not any(SECRET.encode() in line for line in seen), "in the list of processes")
            lock.close()
            output, errors = process.communicate(timeout=WAIT_S)
            same((process.returncode, SECRET in output + errors), (0, False), errors)
            whole(server, database, place)
        check(SECRET not in server.log_text()[already:], "in the server's log")
    finally:
        shutil.copy(hba + ".kept", hba)
        server.run("postgres", database, "ALTER SYSTEM RESET ALL")
        server.run("postgres", database, "SELECT pg_reload_conf()")


# ---- what is told ----

def progress(server):
    database, address = centre(server)
    with Place(server, 4000, 25) as place:
        main, side = pty.openpty()
        process = place.start("sync", address, stdout=side, stderr=side)
        os.close(side)
        shown = b""
        with contextlib.suppress(OSError):
            while select.select([main], [], [], WAIT_S)[0]:
                data = os.read(main, 4096)
                if not data:
                    break
                shown += data
        os.close(main)
        same(process.wait(WAIT_S), 0)
        text = shown.decode()
        steps = [int(sent) for sent in re.findall(r"\r(\d+) of 4000 rows", text)]
        check(len(steps) > 2 and steps == sorted(steps) and steps[0] == 0 and steps[-1] == 4000, steps)
        says(text, "4000 of 4000 rows sent\r\n")
        same(text.count("\n"), 1)
        whole(server, database, place)
        place.forget()
        same(place.run("sync", address)[2], "")  # no progress where nobody watches


def usage(server):
    with Place(server) as place:
        for arguments, words in [
            (["sync"], "needs an address"),
            (["sync", "--status", "postgresql://a@b/c"], "takes no address"),
            (["sync", "--status", "--init"], "two jobs"),
            (["sync", "--every", "0s", "postgresql://a@b/c"], "--every takes"),
            (["sync", "--every", "5 minutes", "postgresql://a@b/c"], "--every takes"),
            (["sync", "--every", "9999999999999999999h", "postgresql://a@b/c"], "--every takes"),
            (["sync", "--every", "60s", "--init", "postgresql://a@b/c"], "does not go with"),
            (["sync", "--school", "Elm", "postgresql://a@b/c"], "go with --init"),
            (["sync", "--init", "--machine", "lab", "postgresql://a@b/c"], "whose school"),
            (["sync", "--json", "postgresql://a@b/c"], "goes with --status"),
        ]:
            status, _, errors = place.run(*arguments)
            same(status, 2, arguments)
            says(errors, words)


def service(server):
    """--every: one line for each change of state, an end in order, and rows that come later go by themselves."""
    database, address = centre(server)
    with Place(server, 200, 26) as place:
        server.stop("immediate")
        log = open(os.path.join(place.folder, "log"), "w+", encoding="utf-8")
        process = place.start("sync", "--every", "1s", address, stdout=log, stderr=log)

        def lines():
            with open(log.name, encoding="utf-8") as file:
                return file.read().splitlines()

        def sent():
            return server.run("postgres", database, "SELECT (SELECT count(*) FROM quiztutor.attempt) + (SELECT count(*) FROM quiztutor.session)"
                              " + (SELECT count(*) FROM quiztutor.event)")[0][0]

        try:
            wait_for(lambda: len(lines()) == 1)
            says(lines()[0], "can't be reached")
            server.start()
            wait_for(lambda: len(lines()) == 2)
            says(lines()[1], "in step", "200 of 200 rows sent")
            had = sent()
            filled.fill(place.store, 70, 27)
            wait_for(lambda: sent() == had + 70)
            server.stop("immediate")
            wait_for(lambda: len(lines()) == 3)
            server.start()
            wait_for(lambda: len(lines()) == 4, lines())
            process.send_signal(signal.SIGTERM)
            same(process.wait(WAIT_S), 0)
            same(len(lines()), 4, lines())
            whole(server, database, place)
        finally:
            process.kill()
            process.wait()
            log.close()


def set_up(server):
    """From an empty database, by the program alone; what is there stays when it is done again."""
    database = server.make_database()
    owner = server.address("owner", database)
    with Place(server, 100, 28) as place:
        for _ in range(2):
            status, output, errors = place.run("sync", "--init", owner, "--school", "Größe", "--machine", "lab", "--machine", "lab2", "--tutor", "anna")
            same((status, errors), (0, ""))
            says(output, "ready", "no password yet")
        place.sync(server.address("lab", database))
        place.forget()
        place.sync(server.address("lab2", database))
        whole(server, database, place)
        same(server.run("postgres", database, "SELECT name FROM quiztutor.school"), [("Größe",)])
        same(place.run("sync", "--init", server.address("lab", database))[0], 1)
        says(place.run("sync", "--summaries", server.address("anna", database))[1], "learners brought up to date")
        says(place.run("sync", "--summaries", server.address("anna", database))[1], "0 learners brought up to date")
        same(place.run("sync", "--summaries", server.address("lab", database))[0], 1)


def packs_wanted(server):
    database, address = centre(server, tutors=["anna"])
    with Place(server) as place:
        content = os.path.join(place.folder, "content")
        os.mkdir(content)
        shutil.copy(os.path.join(postgres.ROOT, "content", "tour.yaml"), content)
        place.environment["QUIZTUTOR_CONTENT"] = content
        says(place.run("sync", "--packs", server.address("anna", database))[1], "1 pack")
        says(place.sync(address), "fetched")
        same(server.run("postgres", database, "SELECT pack_id, encode(hash, 'hex') FROM quiztutor.pack"), [("tour", digest(os.path.join(content, "tour.yaml")))])
        says(place.run("sync", "--packs", address)[2], "is no tutor's there")


TESTS = (ordinary, two_stores, another_centre, numbers_again, killed, cut, stopped, swallowed, no_memory, written_meanwhile, older, damaged, no_room,
         one_at_a_time, isolation, refused, no_passwords, kept_passwords, progress, usage, service, set_up, packs_wanted)


def main():
    names = [name for name in sys.argv[1:] if not name.endswith(".so")]
    chosen = [test for test in TESTS if not names or test.__name__ in names]
    with postgres.Server() as server:
        for test in chosen:
            began = time.monotonic()
            test(server)
            print("%-20s %5.1f s" % (test.__name__, time.monotonic() - began), flush=True)
    finish()


main()
