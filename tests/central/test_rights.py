"""test_rights.py PROGRAM INIT_MEMORY [TEST…]: who may do what in the central store, called as anybody with a role could; and
how it is made."""
import contextlib
import os
import subprocess
import sys
import time

import postgres  # first: it takes the python that has psycopg2
import psycopg2
from centre import DENIED, Centre, answers, refused, run_tests, run_together
from machine import Machine, new_id, pull

from drive import PROGRAM, check, holds, same

INIT_MEMORY = os.path.abspath(sys.argv.pop(1))  # the second argument
LOG = ("session", "attempt", "event")


# ---- rights ----

def objects(centre):
    """Every table, view, sequence and function of the schema, as SQL names them."""
    relations = centre.rows("SELECT c.oid::regclass::text, c.relkind FROM pg_class AS c"
                            " WHERE c.relnamespace = 'quiztutor'::regnamespace AND c.relkind IN ('r', 'v', 'S', 'm', 'p')")
    functions = centre.rows("SELECT p.oid::regprocedure::text, p.prosecdef, coalesce(array_to_string(p.proconfig, ' '), '')"
                            " FROM pg_proc AS p WHERE p.pronamespace = 'quiztutor'::regnamespace")
    check(len(relations) > 20 and len(functions) > 30, len(relations), len(functions))
    return relations, functions


def machine_rights(server):
    """A machine may fill the inbox and call two functions, and no more of anything."""
    with Centre(server) as centre:
        machine, learner, *_ = answers()
        lab = centre.connect()
        same(machine.send(lab)[:2], (4, 0))
        relations, functions = objects(centre)
        for name, kind in relations:
            name = name if "." in name else "quiztutor." + name
            if kind == "S":
                refused(DENIED, lab, "SELECT nextval('%s')" % name)
                refused(DENIED, lab, "SELECT last_value FROM %s" % name)
                continue
            column = centre.rows("SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum = 1", name)[0][0]
            refused(DENIED, lab, "SELECT 1 FROM %s" % name)
            refused(DENIED, lab, "SELECT %s FROM %s" % (column, name))
            refused(DENIED, lab, "UPDATE %s SET %s = DEFAULT" % (name, column))
            refused(DENIED, lab, "DELETE FROM %s" % name)
            if name != "quiztutor.inbox":
                refused(DENIED, lab, "INSERT INTO %s DEFAULT VALUES" % name)
            refused(DENIED, lab, "COPY %s TO STDOUT" % name)
            if kind == "r":
                refused(DENIED, lab, "TRUNCATE %s" % name)
                refused(DENIED, lab, "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE" % name)
                refused(DENIED, lab, "SELECT 1 FROM %s FOR UPDATE" % name)
                refused(DENIED, lab, "CREATE INDEX ON %s(%s)" % (name, column))
                refused(DENIED, lab, "CREATE TRIGGER t BEFORE INSERT ON %s EXECUTE FUNCTION suppress_redundant_updates_trigger()" % name)
                refused(DENIED, lab, "ALTER TABLE %s DISABLE ROW LEVEL SECURITY" % name)
        allowed = {"quiztutor.ingest(uuid,integer)", "quiztutor.pull(bigint,integer)"}
        same({name for name, *_ in functions if centre.rows("SELECT has_function_privilege(%s, %s::regprocedure, 'EXECUTE')", centre.lab, name)[0][0]},
             allowed)
        for sql in ("CREATE TABLE t(a integer)", "CREATE TABLE public.t(a integer)", "CREATE TABLE quiztutor.t(a integer)",
                    "CREATE TEMPORARY TABLE t(a integer)", "CREATE TABLE pg_temp.t(a integer)", "SELECT 1 INTO TEMP t",
                    "CREATE TEMPORARY SEQUENCE s", "CREATE TEMPORARY VIEW v AS SELECT 1", "CREATE VIEW public.v AS SELECT 1",
                    "CREATE SCHEMA mine", "CREATE SCHEMA AUTHORIZATION CURRENT_USER", "CREATE ROLE r",
                    "CREATE FUNCTION public.f() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
                    "CREATE FUNCTION pg_temp.f() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
                    "CREATE OPERATOR public.+ (FUNCTION = int4pl, LEFTARG = integer, RIGHTARG = integer)",
                    "CREATE TYPE public.t AS (a integer)", "CREATE EXTENSION hstore",
                    "COPY (SELECT 1) TO '/tmp/quiztutor-never'", "COPY (SELECT 1) TO PROGRAM 'true'",
                    "ALTER ROLE %s SUPERUSER" % centre.lab, "SET ROLE owner", "SET SESSION AUTHORIZATION owner"):
            refused(DENIED, lab, sql)
        same(pull(lab)[0][3]["school"], "Elm Street")  # and all is as before


def inbox_rights(server):
    """Whose a row of the inbox is can't be said, nor can another's rows be had by their batch."""
    with Centre(server) as centre:
        lab, other = centre.connect(), centre.connect(centre.other_lab)
        refused(DENIED, lab, "INSERT INTO quiztutor.inbox(role, batch, place, store_id, kind) VALUES(%s, %s, 1, %s, 'a')",
                centre.other_lab, new_id(), new_id())
        machine, *_ = answers()
        with lab.cursor() as cursor:
            batch = machine.put(cursor)
        lab.commit()  # by a client that does not call ingest()
        with other.cursor() as cursor:
            try:
                cursor.execute("SELECT * FROM quiztutor.ingest(%s, 1)", (batch,))
                check(False, "another's batch was taken", cursor.fetchall())
            except psycopg2.Error as error:
                same(error.pgcode, "QT003", error)
        other.rollback()
        same([centre.count(table) for table in LOG], [0, 0, 0])
        # a role inside a row of the machine's own is no column; a school is none of any
        same(centre.rows("SELECT count(*) FROM information_schema.columns WHERE table_name = 'inbox' AND column_name = 'school'"), [(0,)])
        for wrong in ({"store_id": new_id()}, {"place": 0}, {"place": 65536}):
            machine, *_ = answers()
            machine.rows[-1].update(wrong)
            try:
                machine.send(lab)
                check(False, "taken", wrong)
            except psycopg2.Error as error:
                same(error.pgcode, "QT003", error)
                lab.rollback()
        with lab.cursor() as cursor:  # of nothing
            cursor.execute("SELECT * FROM quiztutor.ingest(%s, 1)", (new_id(),))
            same(cursor.fetchall(), [(0, 0, 0, 0, 0)])
        lab.rollback()
        lab.set_session(isolation_level="SERIALIZABLE")
        holds(refused("QT003", lab, "SELECT * FROM quiztutor.ingest(%s, 1)", new_id()), "read committed")


def schools_apart(server):
    """What is another school's can't be reached, by machine or tutor."""
    with Centre(server) as centre:
        machine, learner, session, text, attempts = answers()
        machine.event("flagged", session_id=session, attempt_id=attempts[0], learner_id=learner)
        machine.attempt(learner, new_id())
        machine.send(centre.connect())
        anna, otto = centre.connect(centre.anna), centre.connect(centre.other_tutor)
        with anna.cursor() as cursor:
            cursor.execute("INSERT INTO quiztutor.pin(school, learner_id, kept) VALUES(quiztutor.own_school(), %s, 'x')", (learner,))
            cursor.execute("SELECT quiztutor.set_pack('tour', %s)", (bytes(32),))
        anna.commit()
        relations, functions = objects(centre)
        reading = {"quiztutor." + name if "." not in name else name for name, kind in relations if kind in "rv"}
        reading -= {"quiztutor.inbox"} | {name for name in reading if ".hold_" in name}
        seen = set()
        for name in sorted(reading):
            with otto.cursor() as cursor, anna.cursor() as own:
                cursor.execute("SELECT * FROM %s" % name)
                found = cursor.fetchall()
                own.execute("SELECT count(*) FROM %s" % name)
                if own.fetchone()[0]:
                    seen.add(name)
                check(not any(learner in map(str, row) or "Elm Street" in map(str, row) for row in found), name, found)
                if name not in ("quiztutor.meta", "quiztutor.school", "quiztutor.role"):
                    same(found, [], name)
        check({"quiztutor." + name for name in ("learner", "member", "attempt", "session", "event", "question_text", "behind",
                                                "rejected", "machine", "pin", "pack", "counted_attempt")} <= seen, seen)
        for sql in ("UPDATE quiztutor.learner SET name = 'x'", "UPDATE quiztutor.pin SET kept = NULL",
                    "DELETE FROM quiztutor.member", "DELETE FROM quiztutor.behind", "DELETE FROM quiztutor.schedule"):
            with otto.cursor() as cursor:
                cursor.execute(sql)
                same(cursor.rowcount, 0, sql)
        otto.commit()
        school = centre.rows("SELECT school FROM quiztutor.school WHERE name = 'Elm Street'")[0][0]
        own = centre.rows("SELECT school FROM quiztutor.school WHERE name = 'Oak Lane'")[0][0]
        for table, columns in (("learner(school, learner_id, name, name_key, created_at)", "'%s', 'x', 'x', 0" % new_id()),
                               ("member(school, group_key, learner_id, group_name)", "'x', '%s', 'x'" % learner),
                               ("pin(school, learner_id, kept)", "'%s', 'x'" % learner),
                               ("behind(school, learner_id, since_seq)", "'%s', 0" % learner),
                               ("event(school, event_id, seq, kind, device_id, at, utc_offset_s, store_id, machine_seq)",
                                "'%s', 1, 'voided', '%s', 0, 0, '%s', 0" % (new_id(), new_id(), new_id()))):
            refused(DENIED, otto, "INSERT INTO quiztutor.%s VALUES(%d, %s)" % (table, school, columns))
        refused(DENIED, anna, "UPDATE quiztutor.learner SET school = %d" % own)
        refused("QT004", otto, "SELECT * FROM quiztutor.erase_learner(%s)", learner)
        refused("QT004", otto, "SELECT * FROM quiztutor.merge_learner(%s, %s)", learner, new_id())
        # the same ids, sent by another school's machine, are others
        machine.rows = [row for row in answers()[0].rows]
        other, learner2, *_ = answers(1)
        for row in other.rows:
            if row["kind"] == "l":
                row["id"] = learner
            elif row.get("learner_id"):
                row["learner_id"] = learner
        other.rows[-1]["id"] = attempts[0]
        same(other.send(centre.connect(centre.other_lab))[:2], (2, 0))
        same(centre.count("attempt"), 4)
        same([row[2] for row in pull(centre.connect(centre.other_lab)) if row[1] == "learner"], [learner])


def hangs(server):
    """A machine that hangs in the midst of its transaction, after rows enough and two learners made one, holds up no other school."""
    with Centre(server) as centre:
        machine = Machine()
        one = machine.learner()
        two = machine.learner()
        lab = centre.connect()
        machine.send(lab)
        machine.learner(id=two, merged_into=one)
        for _ in range(26000):  # 40 MB
            machine.text(body='"%s"' % os.urandom(750).hex(), content=os.urandom(32))
        with lab.cursor() as cursor:
            cursor.execute("SELECT * FROM quiztutor.ingest(%s, 1)", (machine.put(cursor),))
        other = centre.connect(centre.other_lab)
        with other.cursor() as cursor:
            cursor.execute("SET statement_timeout = '20s'")
        other.commit()
        there, learner, *_ = answers()
        same(there.send(other)[0], 4)
        tutor = centre.connect(centre.other_tutor)
        with tutor.cursor() as cursor:
            cursor.execute("SET statement_timeout = '20s'")
            cursor.execute("SELECT * FROM quiztutor.erase_learner(%s)", (learner,))
            same(cursor.fetchall(), [(1, 3, 0, 1)])
        lab.rollback()


def tutor_rights(server):
    """A tutor reads, keeps the roster and sums up; the log is not theirs to change, nor what stands behind it."""
    with Centre(server) as centre:
        machine, learner, session, *_ = answers()
        machine.send(centre.connect())
        anna = centre.connect(centre.anna)
        for sql in ("UPDATE quiztutor.attempt SET mark = 0", "DELETE FROM quiztutor.attempt", "DELETE FROM quiztutor.event",
                    "TRUNCATE quiztutor.session", "DELETE FROM quiztutor.learner", "UPDATE quiztutor.learner SET merged_into = NULL",
                    "UPDATE quiztutor.learner SET changed = 0", "UPDATE quiztutor.school SET changed = 0",
                    "UPDATE quiztutor.meta SET newest = 9", "INSERT INTO quiztutor.tombstone VALUES(1, '%s', 0, 0)" % new_id(),
                    "DELETE FROM quiztutor.tombstone", "UPDATE quiztutor.role SET school = 2", "DELETE FROM quiztutor.pin",
                    "SELECT 1 FROM quiztutor.inbox", "DELETE FROM quiztutor.rejected", "DELETE FROM quiztutor.question_text",
                    "SELECT quiztutor.bump(1)", "SELECT quiztutor.set_school('x')", "SELECT quiztutor.restored()",
                    "SELECT quiztutor.set_role('x', 'Oak Lane', 'tutor')", "SELECT * FROM quiztutor.erase_in(1, '%s')" % learner,
                    "SELECT * FROM quiztutor.ingest('%s', 1)" % new_id(), "SELECT * FROM quiztutor.pull(0, 1)",
                    "CREATE TEMPORARY TABLE t(a integer)", "CREATE TABLE public.t(a integer)", "CREATE TABLE quiztutor.t(a integer)"):
            refused(DENIED, anna, sql)
        same(centre.rows("SELECT has_function_privilege(%s, 'quiztutor.outdate(integer)', 'EXECUTE')", centre.anna), [(True,)])
        # views with the owner's rights would show all schools
        same(centre.rows("SELECT relname FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'v'"
                         " AND NOT 'security_invoker=true' = ANY(coalesce(reloptions, '{}'))"), [])
        # every table with a school has row security, but for the inbox, which has none to see
        same(centre.rows("SELECT relname FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'r'"
                         " AND NOT relrowsecurity ORDER BY 1"), [("inbox",), ("meta",)])


def search_path(server):
    """Functions with the owner's rights find nothing of their caller's making, even where one may make something."""
    with Centre(server) as centre:
        _, functions = objects(centre)
        for name, definer, settings in functions:
            if definer:
                check("search_path=quiztutor, pg_temp" in settings, name, settings)
        # what an owner should never allow; all that a machine could then make
        server.run("postgres", centre.database, "GRANT CREATE, TEMPORARY ON DATABASE %s TO %s" % (centre.database, centre.lab))
        lab = centre.connect()
        with lab.cursor() as cursor:
            cursor.execute("CREATE SCHEMA trap; CREATE TEMPORARY TABLE role(name text, school integer, duty text);"
                           " CREATE TEMPORARY TABLE meta(oldest integer, newest integer);"
                           " CREATE TEMPORARY TABLE inbox(batch uuid); CREATE TEMPORARY TABLE tombstone(school integer, mark uuid)")
            cursor.execute("INSERT INTO pg_temp.role VALUES(%s, 2, 'machine'); INSERT INTO pg_temp.meta VALUES(7, 9)", (centre.lab,))
            for place in ("trap", "pg_temp"):
                cursor.execute("CREATE FUNCTION %s.now_ms() RETURNS bigint LANGUAGE plpgsql AS"
                               " 'BEGIN RAISE ''caught''; END'" % place)
                cursor.execute("CREATE FUNCTION %s.convert_from(bytea, name) RETURNS text LANGUAGE plpgsql AS"
                               " 'BEGIN RAISE ''caught''; END'" % place)
                cursor.execute("CREATE FUNCTION %s.equal(uuid, uuid) RETURNS boolean LANGUAGE plpgsql AS"
                               " 'BEGIN RAISE ''caught''; END'" % place)
                cursor.execute("CREATE OPERATOR %s.= (FUNCTION = %s.equal, LEFTARG = uuid, RIGHTARG = uuid)" % (place, place))
            cursor.execute("SET search_path = trap, pg_temp, quiztutor, pg_catalog")
        lab.commit()
        machine, learner, *_ = answers()
        same(machine.send(lab), (4, 0, 0, 0, 0))
        same(pull(lab)[0][3]["school"], "Elm Street")
        same(centre.rows("SELECT DISTINCT school FROM quiztutor.attempt"), [(1,)])


def append_only(server):
    """Not even the owner changes the log by mistake."""
    with Centre(server) as centre:
        machine, learner, session, text, attempts = answers()
        machine.event("flagged", session_id=session, attempt_id=attempts[0], learner_id=learner)
        machine.send(centre.connect())
        owner = centre.connect("owner")
        for table in (*LOG, "question_text"):
            for sql in ("UPDATE quiztutor.%s SET school = school", "DELETE FROM quiztutor.%s", "TRUNCATE quiztutor.%s"):
                holds(refused("23000", owner, sql % table), "append-only")
            same(centre.count(table) > 0, True)
        centre.rows("SELECT * FROM quiztutor.erase_learner(%s)", learner, role=centre.anna)
        with owner.cursor() as cursor:  # nor after somebody was erased in the same transaction
            machine, learner, *_ = answers()
            machine.send(centre.connect())
            cursor.execute("SET search_path = quiztutor; SELECT * FROM erase_in(1, %s)", (learner,))
        try:
            with owner.cursor() as cursor:
                cursor.execute("DELETE FROM quiztutor.attempt")
            check(False, "deleted")
        except psycopg2.Error as error:
            holds(str(error), "append-only")
        owner.rollback()


# ---- versions ----

def versions(server):
    """A server of protocol N takes N and the one before it, and refuses others in words that say what to do."""
    with Centre(server) as centre:
        machine, *_ = answers()
        lab = centre.connect()
        same(centre.rows("SELECT oldest, newest FROM quiztutor.meta"), [(1, 1)])
        centre.rows("UPDATE quiztutor.meta SET oldest = 6, newest = 7")
        for protocol, words in ((5, "update this machine"), (8, "update the central store"), (None, "update this machine")):
            for call in ("SELECT * FROM quiztutor.pull(0, %s)", "SELECT * FROM quiztutor.ingest('" + new_id() + "', %s)"):
                said = refused("QT001", lab, call, protocol)
                holds(said, "takes protocol 6 to 7")
                holds(said, words)
        try:
            machine.send(lab, protocol=5, keep=True)
            check(False, "taken")
        except psycopg2.Error as error:
            lab.rollback()
        same(centre.count("attempt"), 0)
        for protocol in (6, 7):
            machine, *_ = answers()
            same(machine.send(lab, protocol=protocol)[0], 4)
            same(pull(lab, protocol=protocol)[0][3], {"school": "Elm Street", "schema": 1, "oldest": 6, "newest": 7})


def roles(server):
    """Roles of no school, of the wrong duty, or with more rights than they are to have."""
    with Centre(server) as centre:
        outsider = "outsider_" + centre.database
        server.run("postgres", "postgres", "CREATE ROLE %s LOGIN IN ROLE quiztutor_machine, quiztutor_tutor" % outsider)
        connection = centre.connect(outsider)
        for call in ("SELECT * FROM quiztutor.pull(0, 1)", "SELECT * FROM quiztutor.erase_learner('%s')" % new_id(),
                     "SELECT quiztutor.set_pack('x', NULL)", "SELECT quiztutor.retry_rejected()"):
            holds(refused("QT002", connection, call), "has no school")
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM quiztutor.learner")
            same(cursor.fetchone()[0], 0)
        connection.rollback()
        server.run("postgres", "postgres", "GRANT quiztutor_tutor TO %s" % centre.lab)
        holds(refused("QT002", centre.connect(), "SELECT * FROM quiztutor.erase_learner(%s)", new_id()), "is there for a machine")
        owner = centre.connect("owner")
        holds(refused("QT002", owner, "SELECT quiztutor.set_role(%s, 'Oak Lane', 'machine')", centre.lab), "another school's")
        for powerful in ("postgres", "owner"):
            holds(refused("QT002", owner, "SELECT quiztutor.set_role(%s, 'Oak Lane', 'machine')", powerful), "may do more")
        holds(refused("QT002", owner, "SELECT quiztutor.set_role('new', 'Nowhere', 'machine')"), "no school")
        same(server.run("postgres", "postgres", "SELECT count(*) FROM pg_roles WHERE rolname = 'new'"), [(0,)])
        # from one duty to another: the old one's rights are gone
        centre.rows("SELECT quiztutor.set_role(%s, 'Elm Street', 'machine')", centre.anna)
        refused(DENIED, centre.connect(centre.anna), "SELECT 1 FROM quiztutor.learner")
        same(pull(centre.connect(centre.anna))[0][3]["school"], "Elm Street")
        same(server.run("postgres", "postgres", "SELECT rolpassword IS NULL FROM pg_authid WHERE rolname = %s", (centre.anna,)), [(True,)])


# ---- making and migrating ----

def sync_init(server, database, *arguments, role="owner"):
    done = subprocess.run([PROGRAM, "sync", "--init", server.address(role, database), *arguments], stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
                               "LSAN_OPTIONS": os.environ.get("LSAN_OPTIONS", "")}, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def shape(server, database):
    """All that the schema is, to compare."""
    return [server.run("postgres", database, sql) for sql in (
        "SELECT table_name, column_name, data_type, collation_name, column_default, is_nullable, ordinal_position"
        " FROM information_schema.columns WHERE table_schema = 'quiztutor' ORDER BY 1, 7",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'quiztutor' ORDER BY 1",
        "SELECT p.oid::regprocedure::text, prosrc, prosecdef, proconfig, proacl::text FROM pg_proc AS p"
        " WHERE pronamespace = 'quiztutor'::regnamespace ORDER BY 1",
        "SELECT viewname, definition FROM pg_views WHERE schemaname = 'quiztutor' ORDER BY 1",
        "SELECT tablename, policyname, roles::text, qual FROM pg_policies WHERE schemaname = 'quiztutor' ORDER BY 1, 2",
        "SELECT relname, relacl::text, relrowsecurity FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace"
        " AND relkind IN ('r', 'v', 'S') ORDER BY 1",
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2")]


def made(server):
    """The program makes what the files say, once or by several at the same time, and by whom it may be made."""
    by_files = server.make_database()
    server.install(by_files, "Elm", ["made_m"], ["made_t"])
    by_program = server.make_database()
    results = []
    run_together(lambda _: results.append(sync_init(server, by_program, "--school", "Elm", "--machine", "made_m", "--tutor", "made_t")), range(3))
    same([status for status, _, _ in results], [0, 0, 0], results)
    for ours, theirs in zip(shape(server, by_program), shape(server, by_files)):
        same(ours, theirs)
    same(server.run("owner", by_program, "SELECT name, duty FROM quiztutor.role ORDER BY 1"), [("made_m", "machine"), ("made_t", "tutor")])
    with contextlib.closing(server.connect("made_m", by_program)) as connection:
        machine, *_ = answers()
        same(machine.send(connection)[0], 4)
        same(sync_init(server, by_program, "--school", "Oak", "--machine", "made_n")[0], 0)  # while machines are there
        machine, *_ = answers()
        same(machine.send(connection)[0], 4)
    holds(sync_init(server, by_program, "--school", "Oak", "--machine", "made_m")[2], "another school's")
    # what schedules are made with: everybody's are behind where that changes, and only there
    scheduling = "SELECT quiztutor.set_scheduling('Elm', %s, %s, %s)"
    for starts, retention, packs, changed in ((240, 0.9, '{"tour":0.8}', 2), (240, 0.9, '{"tour": 0.80}', 0), (0, 0.9, '{"tour":0.8}', 2)):
        server.run("owner", by_program, "DELETE FROM quiztutor.behind")
        server.run("owner", by_program, scheduling, (starts, retention, packs))
        same(server.run("owner", by_program, "SELECT count(*), max(since_seq) FROM quiztutor.behind"), [(changed, 0 if changed else None)])
    holds(sync_init(server, by_program, role="postgres")[2], "no superuser")
    holds(sync_init(server, by_program, role="made_t")[2], "does not allow that")
    server.run("owner", by_program, "UPDATE quiztutor.meta SET version = version + 1")
    status, _, said = sync_init(server, by_program)
    same(status != 0, True)
    holds(said, "newer release")
    server.run("postgres", "postgres", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0 OWNER owner")
    holds(sync_init(server, "latin")[2], "UTF-8")
    # a database whose owner it is not: machines could make tables there
    server.run("postgres", "postgres", "CREATE ROLE lodger LOGIN CREATEROLE")
    server.run("postgres", "postgres", "CREATE DATABASE rented")
    server.run("postgres", "postgres", "GRANT CREATE ON DATABASE rented TO lodger")
    holds(sync_init(server, "rented", role="lodger")[2], "its owner is to run this")


def brought_back(server):
    """The rights of a database are in no backup of it: who sets up again sees to them."""
    database = server.make_database()
    server.install(database, "Elm", ["back_m"], ["back_t"])
    server.run("postgres", database, "GRANT TEMPORARY ON DATABASE %s TO PUBLIC" % database)
    server.run("postgres", database, "GRANT CREATE ON SCHEMA public TO PUBLIC")
    server.run("postgres", database, "ALTER SCHEMA public OWNER TO owner")
    may = "SELECT has_database_privilege('back_m', current_database(), 'TEMPORARY'), has_schema_privilege('back_m', 'public', 'CREATE')"
    same(server.run("owner", database, may), [(True, True)])
    same(sync_init(server, database)[0], 0)
    same(server.run("owner", database, may), [(False, False)])


def made_without_memory(server):
    """Whichever allocation fails, nothing is half made, and the store can be made afterwards."""
    database = server.make_database()
    done = subprocess.run([INIT_MEMORY, server.address("owner", database)], capture_output=True, text=True, timeout=120)
    same((done.returncode, done.stderr), (0, ""))
    check(int(done.stdout or 0) > 3, done.stdout)
    same(server.run("owner", database, "SELECT name, day_starts, retention, retention_by_pack FROM quiztutor.school"),
         [("Elm", 300, 0.9, {"other": 0.95, "tour": 0.8})])
    same(server.run("owner", database, "SELECT name, duty FROM quiztutor.role ORDER BY 1"),
         [("init_m", "machine"), ("init_n", "machine"), ("init_t", "tutor")])


def migrated(server):
    """From each older version the newest is reached, with the rows that were there."""
    newest = len([name for name in os.listdir(postgres.MIGRATIONS) if name[:4].isdigit()])
    same(server.run("owner", fresh_database(server), "SELECT version FROM quiztutor.meta"), [(newest,)])
    expected = shape(server, fresh_database(server))
    for version in range(1, newest):
        database = server.make_database()
        server.install(database, "Elm", ["made_m"], ["made_t"], version=version)
        machine, *_ = answers()
        with contextlib.closing(server.connect("made_m", database)) as connection:
            same(machine.send(connection)[0], 4)
        same(sync_init(server, database)[0], 0)
        same(shape(server, database), expected, version)
        same(server.run("owner", database, "SELECT count(*) FROM quiztutor.attempt"), [(3,)])


def fresh_database(server):
    database = server.make_database()
    server.install(database, "Elm", ["made_m"], ["made_t"])
    return database


def passwords(server):
    """Roles without a password are not let in where one is asked for; ~/.pgpass is what lets them in."""
    with Centre(server) as centre:
        rules = os.path.join(server.data, "pg_hba.conf")
        with open(rules, encoding="utf-8") as file:
            before = file.read()
        home = os.path.join(server.folder, "home")
        os.mkdir(home)
        kept = os.path.join(home, ".pgpass")
        try:
            with open(rules, "w", encoding="utf-8") as file:
                file.write("local %s %s scram-sha-256\n" % (centre.database, centre.lab) + before)
            server.run("postgres", "postgres", "SELECT pg_reload_conf()")
            server.run("postgres", "postgres", "ALTER ROLE %s PASSWORD 'a:b\\c'" % centre.lab)

            def attempt():
                return subprocess.run(["psql", "-X", "-w", "-At", "-c", "SELECT kind FROM quiztutor.pull(0, 1)",
                                       server.address(centre.lab, centre.database)], capture_output=True, text=True,
                                      env={"PATH": os.environ["PATH"], "HOME": home, "PGPASSFILE": kept, "LC_ALL": "C.UTF-8"})
            until = time.monotonic() + 30
            while attempt().returncode == 0 and time.monotonic() < until:  # until the rules are read
                time.sleep(0.02)
            holds(attempt().stderr, "no password supplied")
            for password, status in (("wrong", 2), ("a\\:b\\\\c", 0)):
                with open(kept, "w", encoding="utf-8") as file:
                    file.write("*:*:%s:%s:%s\n" % (centre.database, centre.lab, password))
                os.chmod(kept, 0o600)
                same(attempt().returncode, status, password)
            same(attempt().stdout, "server\n")
        finally:
            with open(rules, "w", encoding="utf-8") as file:
                file.write(before)
            server.run("postgres", "postgres", "SELECT pg_reload_conf()")


run_tests((machine_rights, inbox_rights, schools_apart, hangs, tutor_rights, search_path, append_only, versions, roles, made, brought_back, made_without_memory,
           migrated, passwords))
