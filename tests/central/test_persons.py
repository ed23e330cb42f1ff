"""test_persons.py PROGRAM [TEST…]: learners at the central store: what is pulled of them, who is merged, who is erased."""
import hashlib
import json
import time

import postgres  # first: it takes the python that has psycopg2
import psycopg2
from centre import Centre, answers, refused, run_tests, run_together
from machine import Machine, mark_of, new_id, pull

from drive import check, same


def names_stay(server):
    """What a machine says of a learner who is known changes nothing; a tutor's change is pulled."""
    with Centre(server) as centre:
        lab, anna = centre.connect(), centre.connect(centre.anna)
        machine = Machine()
        learner = machine.learner("Ada", login="ada", groups='[["7b","7B"],["choir","Choir"]]', plain=2, time_factor=1.5)
        machine.send(lab)
        version, _, _, server_row = pull(lab)[0]
        same(pull(lab)[1][3], {"name": "Ada", "login": "ada", "external_id": None, "time_factor": 1.5, "plain": 2,
                               "groups": ["7B", "Choir"], "created_at": pull(lab)[1][3]["created_at"]})
        same(pull(lab, version)[1:], [])
        machine.learner("Eva", id=learner, login="eva", external_id="9", groups='[["x","X"]]')
        machine.send(lab)
        same(pull(lab, version), [(version, "server", pull(lab)[0][2], server_row)])
        steps = (("UPDATE quiztutor.learner SET name = 'Ada L', name_key = 'ada l' WHERE learner_id = %s", "learner", "name", "Ada L"),
                 ("DELETE FROM quiztutor.member WHERE group_key = 'choir' AND learner_id = %s", "learner", "groups", ["7B"]),
                 ("INSERT INTO quiztutor.member(school, group_key, learner_id, group_name) VALUES(quiztutor.own_school(), 'a', %s, 'A')",
                  "learner", "groups", ["7B", "A"]),
                 ("INSERT INTO quiztutor.pin(school, learner_id, kept) VALUES(quiztutor.own_school(), %s, 'argon')", "pin", "kept", "argon"),
                 ("UPDATE quiztutor.pin SET kept = NULL WHERE learner_id = %s", "pin", "kept", None))
        for sql, kind, key, value in steps:
            with anna.cursor() as cursor:
                cursor.execute(sql, (learner,))
                same(cursor.rowcount, 1, sql)
            anna.commit()
            items = pull(lab, version)
            same([(row[1], row[2], row[3][key]) for row in items[1:]], [(kind, learner, value)], sql)
            check(items[0][0] == items[1][0] == version + 1, items)
            version = items[0][0]
        # a whole class in one transaction is one change
        with anna.cursor() as cursor:
            for number in range(40):
                cursor.execute("INSERT INTO quiztutor.learner(school, learner_id, name, name_key, created_at)"
                               " VALUES(quiztutor.own_school(), %s, %s, %s, 0)", (new_id(), "N%d" % number, "n%d" % number))
            for pack in ("tour", "tour2", "tour"):
                cursor.execute("SELECT quiztutor.set_pack(%s, %s)", (pack, hashlib.sha256(pack.encode()).digest()))
        anna.commit()
        items = pull(lab, version)
        same((items[0][0], len(items)), (version + 1, 43))
        same(items[-2][3]["hash"], hashlib.sha256(items[-2][3]["pack"].encode()).hexdigest())
        centre.rows("SELECT quiztutor.set_pack('tour', NULL)", role=centre.anna)
        same([row[3] for row in pull(lab, version + 1)[1:]], [{"pack": "tour", "hash": None}])
        same(len(pull(lab, 99999)), len(pull(lab, 0)))  # of a server that was brought back
        # changes are seen in their order: one that is not committed yet holds the next one up
        with anna.cursor() as cursor:
            cursor.execute("UPDATE quiztutor.learner SET plain = 1 WHERE learner_id = %s", (learner,))
            late = centre.connect(centre.anna)
            with late.cursor() as second:
                second.execute("SET lock_timeout = '200ms'")
                try:
                    second.execute("SELECT quiztutor.set_pack('late', NULL)")
                    check(False, "not held up")
                except psycopg2.errors.LockNotAvailable:
                    check(True)
        anna.rollback()


def merged(server):
    """A learner who is merged into another: by a tutor, by a machine, and what machines still send of them."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine = Machine()
        ada, bob, eve = machine.learner("Ada"), machine.learner("Bob", login="bob", plain=1), machine.learner("Eve")
        text = machine.text()
        sessions = {who: machine.session(who) for who in (ada, bob, eve)}
        for who, session in sessions.items():
            machine.event("flagged", attempt_id=machine.attempt(who, session, text), session_id=session, learner_id=who)
        machine.send(lab)
        centre.rows("INSERT INTO quiztutor.pin(school, learner_id, kept) VALUES(1, %s, 'bob''s')", bob, role=centre.anna)
        same(centre.rows("SELECT * FROM quiztutor.merge_learner(%s, %s)", bob, ada, role=centre.anna), [(1, 1, 1)])
        items = pull(lab)
        same([(row[2], row[3]) for row in items if row[1] == "merged"], [(bob, {"into": ada})])
        same([row[3]["login"] for row in items if row[2] == ada and row[1] == "learner"], ["bob"])
        same([(row[2], row[3]["kept"]) for row in items if row[1] == "pin"], [(ada, "bob's")])
        same(centre.rows("SELECT learner_id::text, count(*) FROM quiztutor.attempt GROUP BY 1 ORDER BY 2"), [(eve, 1), (ada, 2)])
        body, = centre.rows("SELECT body FROM quiztutor.event WHERE kind = 'merged'")[0]
        same(json.loads(body), {"from": bob, "sessions": [sessions[bob]]})
        late = machine.attempt(bob, sessions[bob], text)  # a machine that has not pulled
        machine.event("hinted", session_id=sessions[bob], learner_id=bob)
        same(machine.send(lab)[:3], (2, 0, 0))
        same(centre.rows("SELECT learner_id::text FROM quiztutor.attempt WHERE attempt_id = %s", late), [(ada,)])
        same(centre.count("event", "learner_id = '%s'" % bob), 0)
        # by a machine; chains end at who remains
        machine.learner("Ada", id=ada, merged_into=eve)
        machine.learner("Bob", id=bob, merged_into=eve)
        same(machine.send(lab, keep=True)[2], 0)
        same(machine.send(lab)[2], 0)
        same(centre.rows("SELECT DISTINCT learner_id::text FROM quiztutor.attempt"), [(eve,)])
        same({row[2]: row[3]["into"] for row in pull(lab) if row[1] == "merged"}, {ada: eve, bob: eve})
        same([(what, about) for what, about, *_ in centre.notices()], [("merged", ada)])
        # the other way round, or to who is not known: nothing
        machine.learner("Eve", id=eve, merged_into=ada)
        machine.learner("Eve", id=eve, merged_into=new_id())
        same(machine.send(lab)[2], 0)
        same(centre.rows("SELECT merged_into FROM quiztutor.learner WHERE learner_id = %s", eve), [(None,)])
        new = machine.learner("New", merged_into=eve)
        machine.attempt(new, sessions[eve], text)
        same(machine.send(lab)[:3], (1, 0, 0))
        same(centre.rows("SELECT DISTINCT learner_id::text FROM quiztutor.attempt"), [(eve,)])
        for wrong in ((eve, eve), (eve, new_id()), (ada, eve)):
            refused("QT004", centre.connect(centre.anna), "SELECT * FROM quiztutor.merge_learner(%s, %s)", *wrong)


def erased(server):
    """Who was erased is gone from every table, and stays gone whoever sends them again, under whatever name."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine = Machine()
        ada, eve, was = machine.learner("Ada Unique", groups='[["g","G"]]'), machine.learner("Eve"), machine.learner("Ada Second")
        shared, own, second = machine.text("shared"), machine.text("own"), machine.text("exam")
        mine = machine.session(ada, plan=json.dumps([["tour", "exam", "r1", 1, second.hex(), 1]]), word="exam")
        hers, late = machine.session(eve), machine.session(was)
        attempts = [machine.attempt(ada, mine, text, question=name) for text, name in ((shared, "shared"), (own, "own"))]
        kept = machine.attempt(eve, hers, shared, question="shared")
        twin = machine.text("twin")  # the same text under two names, of which hers is not the one it is kept by
        machine.attempt(ada, mine, twin, question="twin")
        machine.attempt(eve, hers, twin, question="twin", pack="copy")
        machine.attempt(was, late, shared, question="shared")
        machine.event("flagged", session_id=mine, learner_id=ada)
        machine.event("regraded", attempt_id=attempts[0])
        about = machine.event("voided", attempt_id=kept, session_id=mine, learner_id=ada)
        machine.attempt(ada, new_id(), shared)  # parked
        rows = machine.rows
        machine.send(lab, keep=True)
        centre.rows("SELECT * FROM quiztutor.merge_learner(%s, %s)", was, ada, role=centre.anna)
        centre.rows("INSERT INTO quiztutor.pin(school, learner_id, kept) VALUES(1, %s, 'x')", ada, role=centre.anna)
        version = pull(lab)[0][0]
        same(centre.rows("SELECT * FROM quiztutor.erase_learner(%s)", ada, role=centre.anna), [(2, 4, 3, 2)])
        same(sorted((row[1], row[2]) for row in pull(lab, version)[1:]), sorted([("erased", mark_of(ada)), ("erased", mark_of(was))]))
        same({row[2] for row in pull(lab) if row[1] == "learner"}, {eve})
        nowhere(centre, (ada, was, "Ada Unique", "Ada Second", mine, *attempts))
        same(centre.rows("SELECT session_id, learner_id, attempt_id::text FROM quiztutor.event WHERE event_id = %s", about), [(None, None, kept)])
        same(centre.rows("SELECT question_id FROM quiztutor.question_text ORDER BY 1"), [("shared",), ("twin",)])
        # everything once more, from this machine and from a late one that knows them under another name
        same(machine.send(lab, keep=True)[3], 2 + 2 + 5 + 2)  # learners, sessions, attempts, events
        other = Machine()
        other.rows = [dict(row, name=b"Ada Other") if row["kind"] == "l" else dict(row) for row in rows if row.get("id") != about]
        for row in other.rows:
            if row["kind"] == "a" and row["learner_id"] == ada:
                row["response"] = b"\xff"  # nor is what can't be read of them kept aside
        taken, before, parked, dropped, _ = other.send(lab)
        same((taken, parked, dropped), (0, 0, 11))
        nowhere(centre, (ada, was, "Ada Unique", "Ada Second", "Ada Other", mine, *attempts))
        same(centre.rejected(), [])
        # a learner who was merged, on their machine, into who was erased
        third = Machine()
        alias = third.learner("Ada Third", merged_into=ada)
        third.session(alias)
        third.send(lab)
        nowhere(centre, ("Ada Third",))
        refused("QT004", centre.connect(centre.anna), "SELECT * FROM quiztutor.erase_learner(%s)", ada)
        # the mark is that of src/store/roster.c
        same(centre.rows("SELECT quiztutor.mark_of('01890a5d-ac96-774b-bcce-b302099a8057')::text"),
             [(mark_of("01890a5d-ac96-774b-bcce-b302099a8057"),)])


def nowhere(centre, words):
    """That no row of any table holds one of these."""
    for table, in centre.rows("SELECT relname FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'r'"):
        text = repr(centre.rows("SELECT to_jsonb(t)::text FROM quiztutor.%s AS t" % table))
        for word in words:
            check(word not in text, table, word)


def erased_elsewhere(server):
    """A machine that tells of somebody whom it has erased is not obeyed, but a tutor is told."""
    with Centre(server) as centre:
        lab = centre.connect()
        machine, learner, session, *_ = answers()
        machine.event("erased", learner_id=mark_of(learner))
        machine.event("erased", learner_id=mark_of(new_id()))
        same(machine.send(lab, keep=True), (6, 0, 0, 0, 1))
        same(machine.send(lab), (0, 6, 0, 0, 0))
        same((centre.count("attempt"), centre.count("learner"), centre.count("event")), (3, 1, 2))
        same([(what, about) for what, about, *_ in centre.notices()], [("erased", learner)])
        centre.rows("SELECT * FROM quiztutor.erase_learner(%s)", learner, role=centre.anna)
        same(centre.notices(), [])


def erased_meanwhile(server):
    """Rows that are being sent while their learner is erased do not stay."""
    with Centre(server) as centre:
        lab = centre.connect()
        for turn in range(6):
            machine, learner, session, text, _ = answers(0)
            machine.send(lab)
            for _ in range(400):
                machine.attempt(learner, session, text)

            def erase(_):
                time.sleep(turn / 200)
                centre.rows("SELECT * FROM quiztutor.erase_learner(%s)", learner, role=centre.anna)

            def send(_):
                machine.send(lab)
            run_together(lambda task: task(None), [send, erase])
            same((centre.count("attempt"), centre.count("session"), centre.count("behind"), centre.count("rejected")), (0, 0, 0, 0))
        # held up, not refused, while another transaction takes rows in
        machine, learner, *_ = answers()
        with lab.cursor() as cursor:
            batch = machine.put(cursor)
            cursor.execute("SELECT * FROM quiztutor.ingest(%s, 1)", (batch,))
            anna = centre.connect(centre.anna)
            with anna.cursor() as second:
                second.execute("SET lock_timeout = '200ms'")
                try:
                    second.execute("SELECT * FROM quiztutor.erase_learner(%s)", (learner,))
                    check(False, "not held up")
                except psycopg2.errors.LockNotAvailable:
                    check(True)
        lab.rollback()


run_tests((names_stay, merged, erased, erased_elsewhere, erased_meanwhile))
