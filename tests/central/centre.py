"""What tests of the central schema share: a database with two schools, rows to begin with, statements that are to be
refused, and the run of the tests."""
import os
import sys
import threading
import time

import postgres  # first: it takes the python that has psycopg2
import psycopg2
from machine import Machine

sys.path.insert(0, os.path.join(postgres.ROOT, "tests", "app"))
from drive import check, finish, same  # noqa: E402

DENIED = "42501"  # SQLSTATE


class Centre:
    """A database with two schools; roles are the whole server's, so those of each have names of their own."""

    def __init__(self, server):
        self.server, self.database = server, server.make_database()
        self.lab, self.anna = "lab_" + self.database, "anna_" + self.database
        self.other_lab, self.other_tutor = "other_" + self.database, "otto_" + self.database
        server.install(self.database, "Elm Street", [self.lab], [self.anna])
        server.install(self.database, "Oak Lane", [self.other_lab], [self.other_tutor])
        self.connections = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        for connection in self.connections:
            connection.close()

    def connect(self, role=None, autocommit=False):
        connection = self.server.connect(role or self.lab, self.database, autocommit)
        self.connections.append(connection)
        return connection

    def rows(self, sql, *parameters, role="owner"):
        return self.server.run(role, self.database, sql, parameters)

    def count(self, table, where="true"):
        return self.rows("SELECT count(*) FROM quiztutor.%s WHERE %s" % (table, where))[0][0]

    def rejected(self):
        return self.rows("SELECT kind, id::text, reason, waits FROM quiztutor.rejected ORDER BY kind, machine_seq, id")

    def notices(self):
        return self.rows("SELECT what, about::text, detail, times FROM quiztutor.notice ORDER BY what, about")


def answers(count=3, **columns):
    """A machine with a learner, a session, a text and so many attempts; (machine, learner, session, text, attempts)."""
    machine = Machine()
    learner = machine.learner(groups='[["7b","7B"]]')
    text = machine.text()
    session = machine.session(learner)
    return machine, learner, session, text, [machine.attempt(learner, session, text, **columns) for _ in range(count)]


def refused(state, connection, sql, *parameters):
    """That a statement is refused, and why; the message."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters or None)
            rows = cursor.fetchall() if cursor.description else cursor.statusmessage
        check(False, "not refused:", sql, rows)
        return ""
    except psycopg2.Error as error:
        same(error.pgcode, state, sql, error)
        return str(error)
    finally:
        connection.rollback()


def run_together(work, items):
    errors = []

    def guarded(item):
        try:
            work(item)
        except BaseException as error:  # told by the main thread
            errors.append(error)
    threads = [threading.Thread(target=guarded, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(errors, [])


def run_tests(tests):
    """All of them, or those that are named, over one server."""
    chosen = [test for test in tests if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]]
    with postgres.Server() as server:
        for test in chosen:
            began = time.monotonic()
            test(server)
            print("%-20s %5.1f s" % (test.__name__, time.monotonic() - began), flush=True)
    finish()
