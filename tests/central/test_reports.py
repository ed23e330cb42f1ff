"""test_reports.py QUIZTUTOR [PART…]: the same attempts in a store on SQLite and in a central one: what reports say of
them must be the same bytes.

What must differ: `seq`, which is each store's own number. Its order must not.
"""
import csv
import hashlib
import io
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "report"))

import postgres  # noqa: E402  first: it looks for its python
import machine  # noqa: E402
import stored  # noqa: E402
from world import BODIES, DAY, RESPONSES, World, revision  # noqa: E402
import drive  # noqa: E402

check, same = drive.check, drive.same
CONTENT = os.path.join(HERE, "..", "..", "content")
KINDS = ["class", "progress", "items", "misconceptions", "problems", "attempts"]
TWINS = "Sam Twin"
ODD = ["Żółć Ωmega", "\u00e9clair", "名前", "a", "\U0001f9d1\u200d\U0001f393 Ada"]


class Both(World):
    """One store, and a central one that has all of it."""

    def __init__(self, server, seed=11):
        super().__init__(seed)
        self.server = server
        self.database = server.make_database()
        server.install(self.database, school="Elm Street", machines=["lab"], tutors=["anna"])
        server.install(self.database, school="Oak Road", machines=["other"], tutors=["bob"])
        self.address = server.address("anna", self.database)

    def send(self):
        connection = self.server.connect("lab", self.database)
        try:
            return stored.send(self.store, connection, batch=400)
        finally:
            connection.close()

    def central(self, sql, *parameters):
        return self.server.run("postgres", self.database, "SET search_path = quiztutor; " + sql, parameters or None)

    def both(self, *arguments, env=None):
        return (self.run(*arguments, "--store", self.store, env=env),
                self.run(*arguments, "--store", self.address, env=env))

    def compare(self, *arguments, status=0, plain=lambda text: text, env=None):
        for _ in range(2):  # "made at" is of the minute: one of two pairs is within one
            here, there = self.both(*arguments, env=env)
            if here == there:
                break
        if status is not None:
            same(here[0], status, "status", arguments, here[2])
        same(there[0], here[0], "status of the central store", arguments, there[2])
        same(without_address(there[2], self), without_address(here[2], self), "standard error", arguments)
        if here[0]:
            plain = str
        one, other = plain(here[1]), plain(there[1])
        if not check(one == other, "what the stores say differs", arguments):
            tell_difference(one, other)
        return here[1]

    def extreme(self, db):
        """All that the world's own does not have."""
        draw = self.random
        learners = [self.learner(db, name, groups=["Odd Ones"] if place % 2 else ["Odd Ones", "Lab A"])
                    for place, name in enumerate(ODD)]
        learners += [self.learner(db, TWINS, external="twin-%d" % place, groups=["Odd Ones"]) for place in range(2)]
        for learner in learners:
            at = self.now - draw.randrange(5, 40) * DAY
            for kind in draw.sample(["practice", "exam", "paper", "import"], 3):
                offset = draw.choice([0, 20700, -34200, 50400, -43200])
                session = self.session(db, learner, kind, at, offset)
                self.work(db, learner, session, kind, at, offset)
                self.odd_attempts(db, learner, session, at, offset)
                at += draw.randrange(1, 4) * DAY
        self.marks(db, learners)
        self.odd_gradings(db)
        return learners

    def put(self, db, table, values):
        db.execute("INSERT INTO %s(%s) VALUES(%s)" % (table, ", ".join(values), ", ".join("?" * len(values))),
                   list(values.values()))

    def odd_attempts(self, db, learner, session, at, offset):
        """Hints, certainty, a spelling checked, no content, no time; several at one moment, from several zones; a key
        that was overturned."""
        device = db.execute("SELECT device_id FROM meta").fetchone()[0]
        key = ("lists", "pick")
        base = dict(session_id=session, learner_id=learner, device_id=device, pack_id="lists", seed=9, marks=1.0,
                    answered_at=at + 500, utc_offset_s=offset, origin="kiosk", showing=1)
        for more in (dict(question_id="pick", revision=revision(key), content=self.text(db, key), response="[1]",
                          outcome="right", mark=1.0, certainty=3, hints=2, shown='{"choices":[3,1,2]}'),
                     dict(question_id="typed", revision="0000000000000001", content=None, response='"Ωmega"',
                          outcome="right", mark=1.0, retried=1, elapsed_ms=0),
                     dict(question_id="card", revision="0000000000000002", content=None,
                          response=str(self.random.randrange(1, 5)), outcome="right", mark=1.0, elapsed_ms=86400000),
                     dict(question_id="naught", revision="0000000000000003", content=None, response=None,
                          outcome="omitted", mark=0.0, marks=0.0, utc_offset_s=3600),
                     dict(question_id="truth", revision="overturned", content=self.overturned(db), response="false",
                          outcome="right", mark=1.0, certainty=1, answered_at=at + 700, boot_id=self.id())):
            self.put(db, "attempt", {**base, "seq": self.seq(db), "attempt_id": self.id(), **more})

    def overturned(self, db):
        body = json.dumps(dict(BODIES["lists", "truth"], truth=False), sort_keys=True, separators=(",", ":"))
        content = hashlib.sha256(body.encode()).digest()
        db.execute("INSERT OR IGNORE INTO question_text VALUES(?,?,?,?,?)",
                   (content, "lists", "truth", "overturned", body))
        return content

    def marks(self, db, learners):
        for learner in learners:
            for kind, question, on in (("starred", "pick", True), ("starred", "pick", False), ("starred", "many", True),
                                       ("suspended", "never seen", True), ("suspended", "truth", True),
                                       ("starred", "unseen", False), ("starred", "", "neither")):
                self.event(db, kind, learner, self.now - DAY, 0, None, None, {"question": ["lists", question], "on": on})

    def odd_gradings(self, db):
        rows = db.execute("SELECT attempt_id, learner_id, seq FROM attempt ORDER BY seq").fetchall()
        for place, (attempt, learner, _) in enumerate(rows):
            body = {3: {"outcome": "partly"}, 5: {"mark": 0.25}, 7: {"outcome": "maybe", "mark": "1", "marks": 4},
                    9: {"marks": 0, "mark": 0, "outcome": "wrong"}, 11: {}}.get(place % 37)
            if body is not None:
                self.event(db, ["regraded", "accepted"][place % 2], None, self.now, 0, None, attempt, body)
        self.event(db, "regraded", None, self.now, 0, None, self.id(), {"outcome": "right"})  # of nothing that is here
        for body in ({"question": ["lists", "pick"], "text": "Ω \n\"two\""}, {"question": ["gone"]}, {"text": "whose?"}):
            self.event(db, "reported", rows[0][1], self.now - DAY, 3600, None, None, body)

    def practised(self):
        """By the program itself: every type of question, hints, skips, undo."""
        for name in ("tour.yaml", "training-numbers.yaml"):
            shutil.copy(os.path.join(CONTENT, name), self.path("content", name))
        for seed, pack in ((5, "tour"), (6, "training-numbers"), (7, "training-numbers")):
            lines = "\n".join([":hint", "1", ":skip", "2", ":undo", "1", "1,2", "true", "0.5", ":report so so"] + ["1"] * 20)
            status, _, error = self.run("practise", pack, "--jsonl", "--learner", "Nia Nine", "--seed", str(seed), "--limit",
                                        "9", "--certainty", "--mode", "all", input=lines + "\n")
            same(status, 0, "practised", pack, error)

    def all_of_it(self):
        same(self.fill()[0], 0, "filled")
        self.practised()
        with self.open() as db:
            self.extreme(db)
            db.commit()
        status, _, error = self.run("learner", "merge", "José", "'Ο Άλφα", "--yes")
        same(status, 0, "merged", error)
        same(self.rebuild()[0], 0, "rebuilt")
        taken = self.send()
        same(taken[2:4], [0, 0], "none of it was parked", taken,
             self.central("SELECT kind, reason, came FROM rejected LIMIT 3"))


def without_address(text, both):
    return text.replace(both.address, "STORE").replace(both.store, "STORE")


def tell_difference(one, other):
    for here, there in zip(one.splitlines() + [""], other.splitlines() + [""]):
        if here != there:
            print("  SQLite:    ", here[:300], "\n  PostgreSQL:", there[:300])
            return


def rank_json(text):
    """Each seq replaced by how many are smaller."""
    report = json.loads(text)
    ranks = {seq: rank for rank, seq in enumerate(sorted(row["seq"] for row in report["attempts"]))}
    for row in report["attempts"]:
        row["seq"] = ranks[row["seq"]]
    return json.dumps(report, indent=1)


def rank_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    place = rows[0].index("seq")
    ranks = {seq: rank for rank, seq in enumerate(sorted((row[place] for row in rows[1:]), key=int))}
    return json.dumps([row[:place] + [ranks.get(row[place])] + row[place + 1:] for row in rows], indent=1)


def plain_of(kind, to):
    if kind != "attempts":
        return lambda text: text
    return {"json": rank_json, "csv": rank_csv}.get(to, lambda text: text)


# ---- every kind, with every filter ----

def filters_of(kind, learner):
    """Ways to ask for the kind."""
    days = [time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400 * back)) for back in (25, 8)]
    revised = revision(("lists", "pick"))
    ways = [[], ["--pack", "lists"], ["--pack", "tour"], ["--pack", "lists", "--pack", "gone"], ["--group", "lab a"],
            ["--group", "Odd Ones", "--pack", "lists"], ["--tag", "letters"], ["--since", days[0]], ["--until", days[1]],
            ["--since", days[0], "--until", days[1], "--group", "ÜBUNG"], ["--session", "exam"], ["--session", "paper"],
            ["--revision", revised], ["--attempts", "last"], ["--attempts", "best"], ["--attempts", "all"],
            ["--learner", "名前"], ["--learner", "login3", "--pack", "lists"],
            ["--learner", "Nia Nine", "--attempts", "all", "--session", "practice"]]
    if kind == "progress":
        ways = [way if "--learner" in way else way + ["--learner", learner] for way in ways] + [
            ["--learner", name] for name in ("José", "\u00e9clair", "No Body", "Nia Nine")]
    return ways


def part_reports(both):
    both.all_of_it()
    good = 0
    for kind in KINDS:
        ways = filters_of(kind, "Doe, Jane \"JD\"")
        for place, way in enumerate(ways[::len(ways) // drive.slice_of(len(ways))]):
            good += both.compare("report", kind, *way, "--to", "json", plain=plain_of(kind, "json"), status=None) != ""
            if place % 5 == 0:
                to = ["text", "csv", "csv" if kind == "attempts" else "html"][place // 5 % 3]
                both.compare("report", kind, *way, "--to", to, plain=plain_of(kind, to))
    check(good > drive.slice_of(90), "most of them are reports", good)
    for system in ("moodle", "canvas"):
        for way in ([], ["--pack", "lists", "--attempts", "best"], ["--group", "Odd Ones"]):
            both.compare("report", "grades", "--for", system, *way, "--to", "csv")
    for arguments in (["--learner", "Nobody Here"], ["--learner", "Nia Nin"], ["--group", "Lab"], ["--pack", "list"],
                      ["--tag", "lettres"], ["--revision", "ffff"], ["--learner", b"\xff\xfe".decode("utf-8", "surrogateescape")]):
        both.compare("report", "class", *arguments, status=1)
    # machines can bring several of one name: there nobody is guessed
    status, _, error = both.run("report", "progress", "--learner", TWINS, "--store", both.address)
    same(status, 1)
    check('2 learners there are called "%s"' % TWINS in error, error)
    copy = both.path("copy.db")
    same(both.run("store", "backup", copy)[0], 0, "a copy")
    for kind in ("class", "items", "misconceptions"):
        here, there = (both.run("report", kind, "--to", "json", "--store", store, "--store", copy)
                       for store in (both.store, both.address))
        same(there, here, "several stores, one of them the central one", kind)
    both.compare("check", both.path("content/lists.yaml"))
    both.compare("learner", "list")
    both.compare("learner", "list", "--json")


# ---- what is kept is what SQLite keeps ----

def kept_here(both, table, order):
    rows = [dict(row) for row in both.rows("SELECT * FROM %s ORDER BY %s" % (table, order))]
    for row in rows:
        row["learner_id"] = str(uuid.UUID(bytes=row["learner_id"]))
        row.pop("last_seq", None)
    return rows


def kept_there(both, table, order):
    connection = both.server.connect("anna", both.database)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM quiztutor.%s ORDER BY %s" % (table, order))
            names = [column.name for column in cursor.description]
            rows = [dict(zip(names, row)) for row in cursor.fetchall()]
    finally:
        connection.close()
    for row in rows:
        for name in ("school", "last_seq", "first_offset", "last_offset", "regraded"):
            row.pop(name, None)
        if row.get("content") is not None:
            row["content"] = bytes(row["content"])
    return rows


def compare_kept(both, *what):
    for table, order in (("schedule", "learner_id, pack_id, question_id"), ("learner_pack", "learner_id, pack_id"),
                         ("learner_day", "learner_id, day")):
        here, there = kept_here(both, table, order), kept_there(both, table, order)
        same(len(there), len(here), "rows of", table, *what)
        for one, other in zip(here, there):
            if not same(other, one, "a row of", table, *what):
                break
    return len(here)


def behind(both):
    return both.central("SELECT count(*) FROM behind")[0][0]


def part_sums(both):
    both.all_of_it()
    check(behind(both) > 10, "all are behind at first")
    both.report("class", "--group", "Lab A", "--store", both.address)
    left = behind(both)
    check(left > 5, "others than the group's are left behind", left)
    both.report("progress", "--learner", "\u00e9clair", "--store", both.address)
    same(behind(both), left - (1 if left else 0), "one learner more is not")
    both.report("class", "--store", both.address)
    same(behind(both), 0, "nobody is behind a report of all")
    check(compare_kept(both, "at first") > 10, "there are days")
    # more of the same: answers, some taken back, gradings of old ones, stars
    for again in range(2):
        with both.open() as db:
            learner = both.learner(db, "Late %d" % again, groups=["Lab A"])
            session = both.session(db, learner, "practice", both.now - DAY, 7200)
            both.work(db, learner, session, "practice", both.now - DAY, 7200)
            known = db.execute("SELECT learner_id FROM learner WHERE name_key = 'a'").fetchone()[0]
            session = both.session(db, known, "practice", both.now - DAY, 0)
            both.work(db, known, session, "practice", both.now - DAY, 0)
            attempt = db.execute("SELECT attempt_id, learner_id, session_id FROM attempt ORDER BY attempt_id LIMIT 1 OFFSET ?",
                                 (20 + again,)).fetchone()
            both.event(db, ["regraded", "undone"][again], attempt[1] if again else None, both.now, 0, None, attempt[0],
                       {"outcome": "wrong", "mark": 0, "marks": 1})
            both.marks(db, [known])
            db.commit()
        both.rebuild()
        both.send()
        check(behind(both) > 0, "who has more is behind")
        both.compare("report", "class", "--to", "json")
        compare_kept(both, "after more", again)
        same(behind(both), 0, "and then nobody")
    # two made one, and one erased, in each of the stores by itself
    for arguments in (["merge", "login3", "\u00e9clair"], ["erase", "ليلى العلي"]):
        here, there = both.both("learner", *arguments, "--yes")
        same((here[0], there[0]), (0, 0), arguments, here[2], there[2])
        for kind in ("class", "items", "attempts"):
            both.compare("report", kind, "--to", "json", plain=plain_of(kind, "json"))
        compare_kept(both, arguments)


# ---- a tutor's word, stored at the centre ----

def part_regrade(both):
    both.all_of_it()
    pack = both.path("content/lists.yaml")
    with open(pack, encoding="utf-8") as file:
        changed = file.read().replace("true_false: true", "true_false: false")
    with open(pack, "w", encoding="utf-8") as file:
        file.write(changed)
    for arguments in (["--void", "number"], ["--accept", "pick=Beta"], []):
        both.compare("regrade", pack, *arguments)  # shown
        shown = apply_both(both, pack, arguments)
        check(re.search(r"[1-9]\d* (is|are) marked", shown), "some are marked otherwise", arguments, shown[-300:])
        for kind in ("class", "items", "attempts"):
            both.compare("report", kind, "--to", "json", plain=plain_of(kind, "json"))
    compare_kept(both, "after regrading")
    told = both.central("SELECT count(*), count(DISTINCT device_id), min(store_id::text) FROM event WHERE store_id ="
                        " (SELECT server_id FROM meta)")[0]
    check(told[0] > 5 and told[1] == 1, "they are the centre's own", told)


def apply_both(both, pack, arguments):
    here, there = both.both("regrade", pack, *arguments, "--apply", "--reason", "key was wrong")
    same(there, here, "regraded", arguments)
    return here[1]


# ---- who sees what, and what is refused ----

def part_rights(both):
    both.all_of_it()
    other = both.server.address("bob", both.database)
    status, out, error = both.run("report", "class", "--to", "json", "--store", other)
    same((status, json.loads(out)["learners"] if out else None), (0, 0), "another school's tutor sees nobody", error)
    status, _, error = both.run("report", "class", "--store", both.server.address("lab", both.database))
    same(status, 1, "a machine reads no reports", error)
    good = both.path("good.db")
    same(both.run("store", "backup", good)[0], 0, "a backup")
    for arguments in (["practise", "lists"], ["store", "restore", good], ["store", "merge", good], [], ["store", "info"], ["store", "backup", "x.db"], ["submit"], ["schedule", "show", "lists"],
                      ["store", "rebuild"], ["mark", "W1-Q9W1DFWF077YMJ-s17", "--learner", "a"]):
        status, out, error = both.run(*arguments, env={"QUIZTUTOR_STORE": both.address})
        same(status, 1, "refused", arguments, out, error)
        check("central store" in error and both.server.folder not in error, "in words", arguments, error)
    check(not os.path.exists(both.path("postgresql:")), "no folder is made of an address")
    both.write("config/quiztutor/config.yaml", "store: \"%s\"\nday_starts: \"04:00\"\n" % both.address)
    status, out, error = both.run("report", "class", "--to", "json", env={"QUIZTUTOR_STORE": None})
    same((status, json.loads(out or "{}").get("learners", 0) > 5), (0, True), "by the settings' file", error)
    secret = both.address.replace("anna@", "anna:s3cret@")
    for way in ({"QUIZTUTOR_STORE": secret}, {}):
        given = [] if way else ["--store", secret]
        status, out, error = both.run("report", "class", *given, env=way)
        check(status != 0 and "s3cret" not in out + error, "a password is refused, and not repeated", status, error)
    status, out, error = both.run("report", "class", "--to", "json",
                                  env={"QUIZTUTOR_STORE": both.address, "XDG_CONFIG_HOME": both.path("none")})
    same((status, error), (0, ""), "days begin as the school has it")
    both.write("config/quiztutor/config.yaml", "day_starts: \"05:30\"\n")
    status, out, error = both.run("report", "class", "--to", "json", "--store", both.address)
    check(status == 0 and "04:00" in error, "days that begin otherwise are told", error)


def part_screens(both):
    """A tutor at a terminal: no transaction stays open while they look."""
    both.all_of_it()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(drive.PROGRAM, [drive.PROGRAM, "report", "class", "--store", both.address],
                  dict(both.environment, TERM="xterm", LINES="24", COLUMNS="80"))
    try:
        seen = read_until(terminal, "Doe, Jane")
        check("Doe, Jane" in seen, "the class is on the screen", seen[-500:])
        states = both.central("SELECT state FROM pg_stat_activity WHERE usename = 'anna'")
        until = time.monotonic() + 60
        while states != [("idle",)] and time.monotonic() < until:
            time.sleep(0.02)
            states = both.central("SELECT state FROM pg_stat_activity WHERE usename = 'anna'")
        same(states, [("idle",)], "its connection waits for nothing")
        os.write(terminal, b"\r")
        seen = read_until(terminal, "Packs and their topics")
        check("Packs and their topics" in seen, "a learner is opened", seen[-500:])
        os.write(terminal, b"qqq")
        read_until(terminal, None)
        same(os.waitpid(process, 0)[1], 0, "it ends")
        process = 0
    finally:
        if process:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        os.close(terminal)


def read_until(terminal, wanted):
    """What is written, until it holds that; None: to its end."""
    seen, until = b"", time.monotonic() + 60
    while time.monotonic() < until and (wanted is None or wanted.encode() not in seen):
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    return seen.decode("utf-8", "replace")


# ---- one state, and waiting for who is at it ----

def part_waits(both):
    both.all_of_it()
    holder = both.server.connect("anna", both.database)
    with holder.cursor() as cursor:
        cursor.execute("SELECT learner_id FROM quiztutor.behind ORDER BY learner_id LIMIT 1 FOR UPDATE")
    report = subprocess.Popen([drive.PROGRAM, "report", "class", "--to", "json", "--store", both.address],
                              env=both.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        until = time.monotonic() + 60
        waits = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'anna' AND wait_event_type = 'Lock'"
        while not both.central(waits)[0][0] and time.monotonic() < until and report.poll() is None:
            time.sleep(0.02)
        same(report.poll(), None, "it waits for who brings a learner up")
        holder.rollback()
        out, error = report.communicate(timeout=60)
    finally:
        holder.close()
        if report.poll() is None:
            report.kill()
            report.wait()
    same((report.returncode, out.decode()), (0, both.report("class", "--to", "json")), "then all of it is there", error)
    # a role that may not write sees no old figures
    both.central("INSERT INTO behind SELECT DISTINCT school, learner_id, 0 FROM learner_pack")
    both.central("ALTER ROLE anna SET default_transaction_read_only = on")
    status, out, error = both.run("report", "class", "--store", both.address)
    check((status, out) == (1, "") and "summed up" in error, "what can't be summed up is no report", error)
    both.central("ALTER ROLE anna RESET default_transaction_read_only")
    status, out, error = both.run("sync", "--summaries", both.address)
    same((status, behind(both)), (0, 0), "a service brings all up", out, error)
    both.compare("report", "class", "--to", "json")
    # cut off: nothing is half made
    both.central("INSERT INTO behind SELECT DISTINCT school, learner_id, 0 FROM learner_pack")
    both.server.restart("immediate")
    both.compare("report", "class", "--to", "json")
    compare_kept(both, "after the server was cut off")
    both.server.stop()
    status, out, error = both.run("report", "class", "--store", both.address)
    check(status == 1 and out == "" and len(error.splitlines()) == 1, "a server that is away is told in a line", error)
    both.server.start()


# ---- without memory ----

def part_memory(both):
    """The program that is the last argument reads while allocations fail."""
    both.all_of_it()
    both.compare("report", "class", "--to", "json")
    done = subprocess.run([sys.argv[-1], both.address, str(drive.slice_of(200))], env=both.environment, timeout=200,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    same(done.returncode, 0, "without memory", done.stdout.decode())
    both.compare("report", "class", "--to", "json")
    compare_kept(both, "after all of them")


PARTS = {name[5:]: function for name, function in list(globals().items()) if name.startswith("part_")}


def main():
    wanted = [name for name in sys.argv[1:] if name in PARTS] or list(PARTS)
    with postgres.Server() as server:
        for name in wanted:
            with Both(server) as both:
                PARTS[name](both)
    print("%d checks, %d failures" % (drive.checks, len(drive.failures)))
    return bool(drive.failures) or not drive.checks


sys.exit(main())
