"""test_schema.py PROGRAM [TEST…]: rows as machines send them: those that can't be taken, copies of stores, clocks, many machines at once."""
import hashlib
import random
import threading
import time

import postgres  # first: it takes the python that has psycopg2
from centre import Centre, answers, run_tests, run_together
from machine import Machine, new_id, pull

from drive import holds, same

DAY_MS = 86400000


# ---- rows that can't be taken ----

# name of the poison, what a row of 500 is given, the reason
HASH = hashlib.sha256(b"no such text").digest()
POISON = (
    ({"response": b"[1,\xff]"}, "response is not UTF-8"),
    ({"question_id": b"q\xc0\xaf"}, "question_id is not UTF-8"),
    ({"pack_id": b"tour\0"}, "pack_id holds a NUL byte"),
    ({"revision": b"\xed\xa0\x80"}, "revision is not UTF-8"),
    ({"response": b"[1,"}, "response is not JSON"),
    ({"shown": b"choices"}, "shown is not JSON"),
    ({"shown": b"[" * 100000}, "shown is not JSON"),
    ({"outcome": "perhaps"}, "outcome is none of right, partly, wrong, omitted"),
    ({"outcome": None}, "outcome is none of right, partly, wrong, omitted"),
    ({"origin": "nowhere"}, "origin is none of screen, plain, jsonl, paper, kiosk, import"),
    ({"mark": float("nan")}, "mark is no number"),
    ({"marks": float("inf")}, "marks is no number"),
    ({"mark": None}, "mark is no number"),
    ({"pack_id": None}, "pack_id is missing"),
    ({"pack_id": ""}, "pack_id is missing"),
    ({"question_id": "q" * 5000}, "question_id is longer than 1000 bytes"),
    ({"seed": None}, "seed is missing"),
    ({"showing": 1 << 40}, "showing is no count"),
    ({"hints": -1}, "hints is no count"),
    ({"certainty": 1 << 40}, "certainty is not from 0 to 100"),
    ({"at": None}, "answered_at is no time"),
    ({"at": (1 << 63) - 1}, "answered_at is no time"),
    ({"utc_offset_s": 1 << 40}, "utc_offset_s is more than a day"),
    ({"content": b"short"}, "content is no hash"),
    ({"content": HASH}, "the text of its question is missing"),
    ({"session_id": None}, "its session is missing"),
    ({"learner_id": None}, "its learner is missing"),
    ({"device_id": None}, "its device is missing"),
    ({"session_id": "00000000-0000-7000-8000-000000000001"}, "its session is not known"),
    ({"learner_id": "00000000-0000-7000-8000-000000000001"}, "its learner is not known"),
)


def poisoned(server):
    """Of 500 attempts one can't be taken: it is parked with its reason, and 499 are in."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, learner, session, text, _ = answers(0)
        machine.send(lab)
        draw = random.Random(8)
        for number, (poison, reason) in enumerate(POISON):
            good = [machine.attempt(learner, session, text) for _ in range(500)]
            row = machine.rows[draw.randrange(500)]
            row.update({name: value.encode() if isinstance(value, str) and name in ("outcome", "origin", "pack_id", "question_id") else value
                        for name, value in poison.items()})
            same(machine.send(lab, keep=True), (499, 0, 1, 0, 0), reason)
            same(centre.rows("SELECT reason FROM quiztutor.rejected WHERE id = %s", row["id"]), [(reason,)])
            same(centre.rows("SELECT count(*) FROM quiztutor.attempt WHERE attempt_id = ANY(%s::uuid[])", good), [(499,)])
            if number % 8 == 0:  # once more changes nothing
                same(machine.send(lab, keep=True), (0, 499, 1, 0, 0), reason)
            machine.rows = []
        same(centre.count("attempt"), 499 * len(POISON))
        same(centre.count("rejected"), len(POISON))
        same(centre.count("inbox"), 0)
        # what was parked can be read: texts as texts, what is none as bytes
        came = dict(centre.rows("SELECT reason, came FROM quiztutor.rejected"))
        same(came["outcome is none of right, partly, wrong, omitted"].get("outcome"), None)
        same(came["response is not UTF-8"]["response"], "\\x" + b"[1,\xff]".hex())
        same(came["response is not UTF-8"]["question_id"], "q1")


def poisoned_large(server):
    """A row that is no good, and too large to be kept as it came, holds nothing up either."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, *_ = answers(2)
        huge = new_id()
        with lab.cursor() as cursor:
            batch = machine.put(cursor)
            cursor.execute("INSERT INTO quiztutor.inbox(batch, place, store_id, kind, id, seq, shown, outcome)"
                           " VALUES(%s, 100, %s, 'a', %s, 100, convert_to(repeat('x', 140000000), 'UTF8'), 'bogus')",
                           (batch, machine.store_id, huge))
            cursor.execute("SELECT * FROM quiztutor.ingest(%s, 1)", (batch,))
            same(cursor.fetchone()[:3], (3, 0, 1))
        lab.commit()
        (kind, key, reason, waits), = centre.rejected()
        same((kind, key, waits), ("attempt", huge, False))
        holds(reason, "too large to be kept here")
        same(centre.rows("SELECT length(came ->> 'shown') FROM quiztutor.rejected"), [(1000,)])


def poisoned_kinds(server):
    """Likewise learners, texts, sessions and events; and what leans on one that was parked."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine = Machine()
        good = machine.learner("Good")
        text = machine.text("good")
        bad = {
            machine.learner(b"\xff"): "name is not UTF-8", machine.learner(""): "name is missing",
            machine.learner("a\x1b[2Jb"): "name holds control characters", machine.learner("n" * 3000): "name is longer than 2000 bytes",
            machine.learner("x", time_factor=99.0): "time_factor is not from 1 to 10",
            machine.learner("x", groups="[[1"): "groups is not JSON",
            machine.learner("x", name_key=None): "name_key is missing",
            machine.learner("x", login="l" * 3000): "login is longer than 2000 bytes",
        }
        shape = machine.learner("x", groups='{"a":1}')  # JSON, but of no list
        for content, columns in ((HASH, {"body": b"\xff"}), (HASH[::-1], {"body": "{"}), (b"x" * 31, {}), (b"y" * 32, {"pack_id": None})):
            machine.text("bad", content=content, **columns)
        session = machine.session(good)
        for columns, reason in (({"word": "party"}, "kind is none of practice, exam, paper, import"), ({"plan": "["}, "plan is not JSON"),
                                ({"options": b"\xff"}, "options is not UTF-8"), ({"origin": None}, "origin is none of"),
                                ({"seed": None}, "seed is missing"), ({"at": None}, "started_at is no time")):
            bad[machine.session(good, **columns)] = reason
        parked = [key for key in bad]
        bad[machine.session(parked[0])] = "its learner is not known"
        bad[machine.attempt(good, list(bad)[-1], text)] = "its session is not known"
        bad[machine.attempt(good, session, HASH)] = "the text of its question is missing"
        bad[machine.event("hinted", session_id=list(bad)[8], learner_id=good)] = "its session is not known"
        bad[machine.event("hinted", session_id=session, learner_id=parked[0])] = "its learner is not known"
        bad[machine.event("reported", session_id=session, learner_id=good, body="{")] = "body is not JSON"
        bad[machine.event(b"\xff", learner_id=good)] = "kind is not UTF-8"
        bad[machine.event("", learner_id=good)] = "kind is missing"
        machine.add("?", id=new_id())
        kept = [machine.attempt(good, session, text) for _ in range(20)]
        early = machine.event("regraded", attempt_id=new_id(), body="{}")  # its attempt may come later
        counts = machine.send(lab)
        same(counts[:2], (22, 0))
        same(counts[2], len(bad) + 4 + 1 + 1)
        found = {item: reason for kind, item, reason, waits in centre.rejected()}
        for item, reason in bad.items():
            holds(found.get(item, "nothing"), reason, item)
        holds(found.get(shape, ""), "cannot extract elements")
        same(sorted(reason for kind, item, reason, waits in centre.rejected() if kind == "question_text"),
             ["body is not JSON", "body is not UTF-8", "content is no hash", "pack_id is missing"])
        same(centre.rows("SELECT learner_id::text FROM quiztutor.learner"), [(good,)])
        same(centre.count("attempt"), 20)
        same(centre.count("event", "event_id = '%s'" % early), 1)
        same(pull(lab)[1][3]["name"], "Good")
        # many of them at once
        for _ in range(300):
            machine.attempt(good, session, text, response=b"\xff")
        same(machine.send(lab)[:3], (0, 0, 300))


def comes_in_later(server):
    """What waits for something that is parked, or was not sent, comes in when that does."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, learner, session, text, attempts = answers(4)
        event = machine.event("flagged", session_id=session, attempt_id=attempts[0], learner_id=learner, body='{"text":"\\\\x41 é"}')
        rows = machine.rows
        learner_row, text_row, session_row, log = rows[0], rows[1], rows[2], rows[3:]
        same(machine.send(lab, rows=log), (0, 0, 5, 0, 0))
        same(machine.send(lab, rows=[learner_row]), (0, 0, 0, 0, 0))
        same({reason for _, _, reason, _ in centre.rejected()}, {"its session is not known"})
        same(machine.send(lab, rows=[session_row])[0], 1)
        same({reason for _, _, reason, _ in centre.rejected()}, {"the text of its question is missing"})
        same(centre.count("event"), 1)
        same(machine.send(lab, rows=[text_row])[0], 0)
        same(centre.rejected(), [])
        same(centre.rows("SELECT attempt_id::text FROM quiztutor.attempt ORDER BY machine_seq"), [(item,) for item in attempts])
        same(centre.rows("SELECT body, machine_seq FROM quiztutor.event"), [('{"text":"\\\\x41 é"}', machine.seq - 1)])
        same(centre.count("inbox"), 0)
        # very many that wait cost nothing while nothing comes that they could wait for
        stuck = Machine()
        unknown, session = new_id(), new_id()
        for _ in range(3000):
            stuck.attempt(unknown, session)
        stuck.send(lab)
        again = Machine(stuck.store_id, stuck.device_id, stuck.seq)
        learner = again.learner("Other")
        again.attempt(learner, again.session(learner))
        same(again.send(lab), (2, 0, 0, 0, 0))
        same(centre.count("rejected", "reason = 'its learner is not known'"), 3000)
        again.learner("Found", id=unknown)
        again.session(unknown, id=session)
        same(again.send(lab), (1, 0, 0, 0, 0))
        same((centre.count("rejected"), centre.count("attempt")), (0, 3005))
        # what another machine brought: at a tutor's word, or when the first is heard of again
        first, second = Machine(), Machine()
        learner = first.learner("Eve")
        ready = first.rows
        first.rows = []
        session = first.session(learner)
        first.attempt(learner, session)
        same(first.send(lab), (0, 0, 2, 0, 0))
        second.rows = ready
        same(second.send(lab)[2], 0)
        same(centre.count("rejected"), 2)
        same(centre.rows("SELECT quiztutor.retry_rejected()", role=centre.anna), [(0,)])
        same((centre.count("rejected"), centre.count("attempt")), (0, 3006))
        # a row that was parked, and is sent once more as it should be
        third, learner, session, text, _ = answers(0)
        broken = third.attempt(learner, session, text, outcome="?")
        whole = dict(third.rows[-1], outcome=b"wrong")
        same(third.send(lab)[2], 1)
        third.rows = [whole]
        third.session(learner)
        same(third.send(lab), (2, 0, 0, 0, 0))  # although its number had been passed: no copy's
        same(centre.rejected(), [])


# ---- copies, clocks ----

def copied(server):
    """Two stores of one disk image, one of them with its clock at 1970: nothing is lost, both are flagged."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, learner, session, text, attempts = answers(5)
        same(machine.send(lab), (6, 0, 0, 0, 0))
        copy = machine.copy()
        ours = [machine.attempt(learner, session, text) for _ in range(6)]
        theirs = [copy.attempt(learner, session, text, at=1000 * number) for number in range(4)]
        same(machine.send(lab), (6, 0, 0, 0, 0))
        same(copy.send(lab, keep=True), (4, 0, 0, 0, 8))
        same(copy.send(lab), (0, 4, 0, 0, 0))  # once more: no more notices
        found = {item for item, in centre.rows("SELECT attempt_id::text FROM quiztutor.attempt")}
        same(found, set(attempts + ours + theirs))
        notices = centre.notices()
        same([(what, about, times) for what, about, _, times in notices],
             [("clock", machine.device_id, 4), ("copied store", machine.device_id, 4)])
        holds(notices[0][2], "1970-01-01")
        holds(notices[1][2], "rows 7 to 10 came twice")
        late = Machine()
        learner = late.learner("Late")
        late.event("kiosk", at=int(time.time() * 1000) + 40 * DAY_MS)
        late.session(learner, at=-62135596800000 - DAY_MS)
        same(late.send(lab)[4], 2)
        holds(centre.rows("SELECT detail FROM quiztutor.notice WHERE store_id = %s", late.store_id)[0][0], "no day of any calendar to")
        # two copies at once, over and over: none waits for the other for ever
        stores = [machine.copy(), machine.copy()]
        made = []

        def work(store):
            connection = centre.server.connect(centre.lab, centre.database)
            for _ in range(10):
                made.extend(store.attempt(learner, session, text) for _ in range(20))
                store.send(connection)
            connection.close()
        before = centre.count("attempt")
        run_together(work, stores)
        same(centre.count("attempt") - before, 400)


def eight_at_once(server):
    """Eight machines with the same learners and texts, and attempts of one another's stores among their own: no deadlock,
    everything once."""
    with Centre(server) as centre:
        first = Machine()
        learners = [first.learner("L%d" % number) for number in range(30)]
        texts = [first.text("q%d" % number) for number in range(40)]
        shared = first.rows
        first.rows = []
        common = []  # as where one store was merged into several others, each in its own order
        session = first.session(learners[0])
        for _ in range(200):
            first.attempt(learners[0], session, texts[0])
        common = first.rows
        expected, lock = set(), threading.Lock()
        before = centre.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = %s", centre.database)

        def work(number):
            draw = random.Random(number)
            connection = centre.server.connect(centre.lab, centre.database)
            machine, mine = Machine(), set()
            for turn in range(12):
                machine.rows = [dict(row) for row in shared]
                draw.shuffle(machine.rows)
                for learner in draw.sample(learners, 10):
                    session = machine.session(learner)
                    for _ in range(6):
                        mine.add(machine.attempt(learner, session, draw.choice(texts)))
                    mine.add(machine.event("starred", session_id=session, learner_id=learner, body="{}"))
                some = [dict(row, seq=machine.seq + place) for place, row in enumerate(common)]
                machine.seq += len(some)
                if turn % 2:
                    some = some[:1] + some[:0:-1]
                mine.update(row["id"] for row in some[1:])
                machine.rows += some
                same(sum(machine.send(connection)[:4]), len(some) + 10 * 8)
            connection.close()
            with lock:
                expected.update(mine)
        run_together(work, range(8))
        found = centre.rows("SELECT attempt_id::text FROM quiztutor.attempt UNION ALL SELECT event_id::text FROM quiztutor.event")
        same(len(found), len(expected))
        same({item for item, in found}, expected)
        same((centre.count("learner"), centre.count("question_text"), centre.count("rejected")), (30, 40, 0))
        same(centre.count("behind"), 30)
        same(centre.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = %s", centre.database), before)


def order_of_log(server):
    """Rows of a batch are numbered as on their machine, whatever their kind."""
    with Centre(server) as centre:
        machine, learner, session, text, _ = answers(0)
        for _ in range(5):
            attempt = machine.attempt(learner, session, text)
            machine.event("undone", session_id=session, attempt_id=attempt, learner_id=learner)
        machine.send(centre.connect())
        machine.attempt(learner, session, text)
        machine.send(centre.connect())
        rows = centre.rows("SELECT seq, machine_seq FROM quiztutor.attempt UNION SELECT seq, machine_seq FROM quiztutor.event"
                           " UNION SELECT seq, machine_seq FROM quiztutor.session ORDER BY 1")
        same([number for _, number in rows], list(range(1, 13)))
        same(len({seq for seq, _ in rows}), 12)
        same(centre.rows("SELECT since_seq <= %s FROM quiztutor.behind", rows[0][0]), [(True,)])


def behind(server):
    """Whose sums are behind: who answered, and of whose answers something is said later."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, learner, session, text, attempts = answers(2)
        quiet = machine.learner("Quiet")
        known = machine.rows
        machine.send(lab)
        same(centre.rows("SELECT learner_id::text FROM quiztutor.behind"), [(learner,)])

        def told(send, expected):
            centre.rows("DELETE FROM quiztutor.behind", role="owner")
            send()
            same([item for item, in centre.rows("SELECT learner_id::text FROM quiztutor.behind")], expected)
        told(lambda: (machine.event("regraded", attempt_id=attempts[0], body="{}"), machine.send(lab)), [learner])
        told(lambda: (machine.event("starred", learner_id=quiet, session_id=None, body="{}"), machine.send(lab)), [quiet])
        told(lambda: (machine.event("kiosk"), machine.send(lab)), [])
        told(lambda: (machine.session(quiet), machine.send(lab)), [])
        told(lambda: machine.send(lab, rows=known), [])
        told(lambda: centre.rows("SELECT * FROM quiztutor.merge_learner(%s, %s)", quiet, learner, role=centre.anna), [learner])
        same(centre.rows("SELECT since_seq FROM quiztutor.behind"), [(0,)])


run_tests((poisoned, poisoned_large, poisoned_kinds, comes_in_later, copied, eight_at_once, order_of_log, behind))
