"""test_roster.py PROGRAM KIOSK: the roster at the centre: what a tutor changes there by `learner`, by the same words as in a
store of one machine, and what machines make of it when it comes to them, at a kiosk between two learners."""

import contextlib
import json
import os
import pty
import select
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import postgres  # first: it takes the python that has psycopg2

sys.path.insert(0, os.path.join(postgres.ROOT, "tests", "app"))
KIOSK = os.path.abspath(sys.argv.pop())
from drive import PROGRAM, check, finish, same  # noqa: E402

WAIT_S = 60
PACK = """format: quiztutor/1
id: p
title: P
questions:
  - id: q1
    prompt: One?
    choices: [{correct: yes1}, no1]
    explanation: E1
"""


def says(text, *parts):
    for part in parts:
        check(part in text, "expected in it:", repr(part), "got:", repr(text))


def wait_for(condition, *what):
    until = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(("not in time", *what))
        time.sleep(0.02)


class Machine:
    """A folder with a store and a pack; `address`: its centre."""

    def __init__(self, address=None):
        self.address, self.folder = address, tempfile.mkdtemp(prefix="qt")
        self.store = os.path.join(self.folder, "data", "store.db")
        os.mkdir(os.path.join(self.folder, "data"))
        os.mkdir(os.path.join(self.folder, "content"))
        self.write("content/p.yaml", PACK)
        self.write("content/q.yaml", PACK.replace("id: p", "id: q").replace("title: P", "title: Q"))
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": self.folder,
                            "QUIZTUTOR_CONTENT": os.path.join(self.folder, "content"), "TERM": "xterm",
                            "TMPDIR": self.folder, "LSAN_OPTIONS": os.environ.get("LSAN_OPTIONS", "")}

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def run(self, *arguments, store=None, input=None, program=PROGRAM):
        environment = {**self.environment, "QUIZTUTOR_STORE": store or self.store}
        done = subprocess.run([program, *arguments], input=input or "", capture_output=True, text=True, timeout=WAIT_S,
                              env=environment)
        return done.returncode, done.stdout, done.stderr

    def fine(self, *arguments, **more):
        status, output, errors = self.run(*arguments, **more)
        same(status, 0, arguments, output, errors)
        return output

    def practise(self, name):
        self.fine("practise", "--jsonl", "--mode", "all", "--learner", name, "p", input="1\n")

    def sync(self):
        return self.fine("sync", self.address)

    def rows(self, sql, *values):
        with contextlib.closing(sqlite3.connect(self.store, timeout=30)) as db:
            return db.execute(sql, values).fetchall()


def listed(output):
    """The roster but for what differs between two stores."""
    return [{key: value for key, value in learner.items() if key != "learner_id"} for learner in json.loads(output)]


# ---- the same words over both ----

def both(server):
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    tutor = server.address("anna", database)
    with Machine() as machine:
        roster = machine.write("roster.csv", "name,login,external_id,group,time_factor,plain\n"
                               "Ada,ada,E1,7a;choir,1.25,\nBo,bo,,7a,,yes\nCy,,E3,7b,,large\nDi,,,,,\nAda,ada2,E4,7b,,\n")
        again = machine.write("again.csv", "name,login,external_id,group\nAda Lovelace,ada,E1,7c\nBo,bo,E1,7a\nEve,,,\n"
                              ",nobody,,\n,,,\nCyrus,,E3,\nX\u200bY,,,\nFay,cy,E3,7b\n")
        said = {}
        for store in machine.store, tutor:
            answers = said[store] = []
            for arguments, typed in [
                (("add", "--from", roster), None), (("add", "--from", roster), None), (("list", "--json"), None),
                (("add", "--from", again), None), (("list", "--json"), None), (("list", "--group", "7a"), None),
                (("list", "--group", "7"), None), (("add", "Gil", "--login", "gil", "--group", "X", "--group", "Y"), None),
                (("add", "Gil", "--group", "Z"), None), (("add", "Hal", "--login", "gil"), None), (("add", "Ida", "--login", "gil", "--external-id", "E3"), None),
                (("rename", "gil", "  Gilbert "), None), (("rename", "Nobody", "X"), None), (("rename", "gil", "di"), None),
                (("rename", "gil", "\u202e"), None), (("merge", "Di", "Di", "--yes"), None), (("merge", "Di", "Gilbert"), None),
                (("merge", "Di", "Gilbert", "--yes"), None), (("list", "--json"), None), (("add", "Di", "--group", "7d"), None),
                (("rename", "Di", "Gil again"), None), (("pin", "gil"), "2468\n"), (("pin", "gil"), "1\n"),
                (("pin", "--clear", "gil"), None), (("pin", "--clear", "gil"), None), (("pin", "Nobody"), "2468\n"),
                (("erase", "Cyrus"), None), (("erase", "Cyrus", "--yes"), None), (("list", "--json"), None),
                (("erase", "Nobody", "--yes"), None),
            ]:
                status, output, errors = machine.run("learner", *arguments, store=store, input=typed)
                if arguments[-1] == "--json":
                    output = listed(output)
                elif "erase" in arguments and store == tutor:
                    output = output.replace("Machines erase what they have of them after their next sync.\n", "")
                answers.append((arguments, status, output, errors))
        for one, other in zip(*said.values()):
            same(other, one)
        check(any(row[2] and row[0][0] == "list" and len(row[2]) >= 5 for row in said[tutor]), said[tutor])
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.tombstone"), [(1,)])


# ---- several of one name ----

def several(server):
    database = server.make_database()
    server.install(database, machines=["lab", "lab2"], tutors=["anna"])
    tutor = server.address("anna", database)
    with Machine(server.address("lab", database)) as one, Machine(server.address("lab2", database)) as other:
        for machine in one, other:
            machine.practise("Ada")
            machine.sync()
        ids = [row["learner_id"] for row in json.loads(one.fine("learner", "list", "--json", store=tutor))]
        same(len(ids), 2)
        for arguments in ("rename", "Ada", "X"), ("erase", "ada", "--yes"), ("pin", "--clear", "Ada"), ("merge", "Ada", "Ada", "--yes"):
            status, output, errors = one.run("learner", *arguments, store=tutor)
            same(status, 1)
            says(errors, '2 learners there are called "', "learner list --json")
        status, output, errors = one.run("learner", "add", "Ada", "--group", "7a", store=tutor)
        same(status, 1)
        says(output + errors, 'there are several learners "Ada": tell them apart by login or external_id')
        # each machine leaves the other's out, and says so
        for machine in one, other:
            machine.sync()
            machine.practise("Bo")
            says(machine.fine("sync", "--status"), "left out: Ada (another learner here has this name")
            same(machine.rows("SELECT name FROM learner ORDER BY name"), [("Ada",), ("Bo",)])
        # made one at the centre, by id: one on both
        own = [machine.rows("SELECT lower(hex(learner_id)) FROM learner WHERE name = 'Ada'")[0][0] for machine in (one, other)]
        says(one.fine("learner", "merge", ids[0], ids[1], "--yes", store=tutor), "1 answer moved")
        for machine in one, other:
            machine.sync()
            machine.practise("Bo")
            same(machine.rows("SELECT lower(hex(learner_id)) FROM learner WHERE name = 'Ada' AND merged_into IS NULL"),
                 [(ids[1].replace("-", ""),)])
            same(machine.rows("SELECT count(*) FROM attempt JOIN learner USING(learner_id) WHERE name = 'Ada'"), [(1,)])
            check("Ada" not in machine.fine("sync", "--status"))
            same(machine.fine("store", "rebuild", "--json").count('"different":0'), 1)
        check(set(own) == {one_id.replace("-", "") for one_id in ids})


# ---- a kiosk ----

class Kiosk:
    """A kiosk in lines on a terminal, its journal in a file."""

    def __init__(self, machine):
        config = machine.write("kiosk.yaml", "format: quiztutor-kiosk/1\nstore: %s\ncontent: %s\nplain: true\nroster: open\n"
                               % (machine.store, machine.environment["QUIZTUTOR_CONTENT"]))
        self.machine, self.config, self.said = machine, config, ""
        self.journal = os.path.join(machine.folder, "journal")
        terminal, child = pty.openpty()
        environment = {**machine.environment, "ASAN_OPTIONS": "detect_leaks=0"}
        with open(self.journal, "ab") as journal:
            self.process = subprocess.Popen([KIOSK, "kiosk", "--config", config], stdin=child, stdout=child, stderr=journal,
                                            env=environment, start_new_session=True)
        os.close(child)
        self.terminal = terminal

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        os.close(self.terminal)  # which hangs up
        try:
            same(self.process.wait(20), 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def see(self, text):
        until = time.monotonic() + WAIT_S
        while text not in self.said:
            if time.monotonic() > until or not select.select([self.terminal], [], [], WAIT_S)[0]:
                raise AssertionError(("never seen", text, self.said[-500:], self.tells()))
            self.said += os.read(self.terminal, 65536).decode("utf-8", "replace")
        self.said = self.said.split(text, 1)[1]

    def type(self, text):
        os.write(self.terminal, text.encode())

    def answer(self, name, pin=None):
        self.type(name + "\n")
        if pin:
            self.see("PIN")
            self.type(pin + "\n")
        self.see("A number, or q to sign out")
        self.type("1\n")
        self.see("One?")
        self.type("1\n")
        self.see("Why: E1")
        self.type("\x04")
        self.see("A number, or q to sign out")
        self.type("q\n")
        self.see("Signed out.")
        self.see("Your name or ID >")

    def tells(self):
        with open(self.journal) as file:
            return file.read()


def at_a_kiosk(server):
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    tutor = server.address("anna", database)
    with Machine(server.address("lab", database)) as machine:
        machine.fine("learner", "add", "Ana")
        with Kiosk(machine) as kiosk:
            kiosk.see("Your name or ID >")
            kiosk.answer("Ana")
            machine.sync()
            # a roster made at the centre is there at the next learner
            machine.fine("learner", "add", "Zora", "--external-id", "Z1", "--group", "7a", store=tutor)
            machine.fine("learner", "pin", "Zora", store=tutor, input="2468\n")
            machine.sync()
            wait_for(lambda: machine.rows("SELECT 1 FROM learner WHERE name = 'Zora'"), "Zora")
            kiosk.answer("Z1", pin="2468")
            says(kiosk.tells(), "<6>quiztutor: kiosk roster taken over: 1 learners, 1 PINs, 0 merged, 0 erased, 0 left out")
            # another PIN, and another name
            machine.fine("learner", "pin", "Zora", store=tutor, input="1357\n")
            machine.fine("learner", "rename", "Zora", "Zoraida", store=tutor)
            machine.sync()
            wait_for(lambda: machine.rows("SELECT 1 FROM learner WHERE name = 'Zoraida'"), "Zoraida")
            kiosk.type("Zoraida\n")
            kiosk.see("Your PIN")
            kiosk.type("2468\n")
            kiosk.see("Your PIN")  # once more
            kiosk.type("1357\n")
            kiosk.see("A number, or q to sign out")
            # erased while she is signed in: it waits until she has gone
            says(machine.fine("learner", "erase", "Zoraida", "--yes", store=tutor), "Zoraida is erased: ")
            machine.sync()
            kiosk.type("2\n")
            kiosk.see("One?")
            kiosk.type("1\n")
            kiosk.see("Why: E1")
            kiosk.type("\x04")
            kiosk.see("A number, or q to sign out")
            check(machine.rows("SELECT 1 FROM learner WHERE name = 'Zoraida'"))
            kiosk.type("q\n")
            kiosk.see("Signed out.")
            wait_for(lambda: not machine.rows("SELECT 1 FROM learner WHERE name = 'Zoraida'"), "erased")
            wait_for(lambda: machine.rows("SELECT unclean FROM meta") == [(0,)], "clean")
            kiosk.type("Zoraida\n")
            kiosk.see("is new here")
            says(kiosk.tells(), "1 erased")
            check("Zora" not in kiosk.tells() and "Ana" not in kiosk.tells(), kiosk.tells())
        # nothing of her is left, here or there, and none of it comes back
        machine.sync()
        for name in os.listdir(os.path.dirname(machine.store)):
            with open(os.path.join(os.path.dirname(machine.store), name), "rb") as file:
                check(b"Zoraida" not in file.read(), name)
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.learner"), [(1,)])
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.attempt AS a JOIN quiztutor.learner USING(school,"
                        " learner_id) WHERE name <> 'Ana'"), [(0,)])


# ---- a late machine ----

def late(server):
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    tutor = server.address("anna", database)
    with Machine(server.address("lab", database)) as machine, tempfile.TemporaryDirectory(prefix="qt") as image:
        machine.practise("Ada")
        machine.practise("Bo")
        machine.sync()
        shutil.copytree(os.path.dirname(machine.store), os.path.join(image, "data"))  # as it was then
        machine.practise("Ada")  # not yet sent
        says(machine.fine("learner", "erase", "Ada", "--yes", store=tutor), "Ada is erased: 1 session, 1 answer\n",
             "Machines erase what they have of them after their next sync.\n")
        says(machine.sync(), "of erased learners dropped")
        machine.practise("Bo")  # which takes over what came
        same(machine.rows("SELECT name FROM learner"), [("Bo",)])
        # an old image of the disk: she is there again, until its next sync and practice
        shutil.rmtree(os.path.dirname(machine.store))
        shutil.copytree(os.path.join(image, "data"), os.path.dirname(machine.store))
        same(machine.rows("SELECT count(*) FROM learner"), [(2,)])
        machine.practise("Ada")
        machine.sync()
        machine.practise("Bo")
        same(machine.rows("SELECT name FROM learner"), [("Bo",)])
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.learner"), [(1,)])
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.attempt AS a JOIN quiztutor.learner USING(school,"
                        " learner_id) WHERE name <> 'Bo'"), [(0,)])
        # whoever begins anew under that name is somebody else
        machine.practise("Ada")
        machine.sync()
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.learner"), [(2,)])


# ---- a machine that is new ----

def new_machine(server):
    """The roster comes before the store does: who practises first is who the centre means."""
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    with Machine(server.address("lab", database)) as machine:
        machine.fine("learner", "add", "Ada", store=server.address("anna", database))
        says(machine.sync(), "nothing to send, since there is no store yet; ")
        check(not os.path.exists(machine.store), "a store is made")
        machine.practise("ada")
        machine.sync()
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.learner"), [(1,)])
        same(server.run("postgres", database, "SELECT count(*) FROM quiztutor.attempt"), [(1,)])
        shutil.rmtree(os.path.dirname(machine.store))
        status, _, errors = machine.run("sync", machine.address)
        same(status, 1)
        says(errors, "there is no store at", "practise first")


# ---- what was fetched can't be read ----

def damaged(server):
    database = server.make_database()
    server.install(database, machines=["lab"], tutors=["anna"])
    with Machine(server.address("lab", database)) as machine:
        machine.practise("Ada")
        machine.sync()
        machine.fine("learner", "add", "Bo", store=server.address("anna", database))
        with open(machine.store + "-sync", "r+b") as file:
            file.seek(2000)
            file.write(b"\xff" * 3000)
        status, output, errors = machine.run("practise", "--jsonl", "--mode", "all", "--learner", "Ada", "p", input="1\n")
        same(status, 0, errors)  # practice goes on
        says(errors, "quiztutor: the roster that was fetched can't be taken over: ", "is damaged: the next sync makes it anew")
        machine.sync()
        status, output, errors = machine.run("practise", "--jsonl", "--mode", "all", "--learner", "Ada", "p", input="1\n")
        same((status, errors), (0, ""))
        same(machine.rows("SELECT name FROM learner ORDER BY name"), [("Ada",), ("Bo",)])
        os.chmod(machine.store + "-sync", 0)
        if os.getuid():
            status, output, errors = machine.run("practise", "--jsonl", "--mode", "all", "--learner", "Ada", "p", input="1\n")
            same(status, 0)
            says(errors, "can't be taken over")


def main():
    with postgres.Server() as server:
        for test in both, several, at_a_kiosk, late, new_machine, damaged:
            began = time.monotonic()
            test(server)
            print("%s: %.1f s" % (test.__name__, time.monotonic() - began), flush=True)
    finish()


main()
