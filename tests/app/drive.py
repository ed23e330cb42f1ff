"""What these tests share: a home of their own for each, runs of the program, and reading of its store."""
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata

PROGRAM = os.path.abspath(sys.argv.pop(1))  # the first argument of every test here
failures = []
checks = 0

# who runs the tests may ignore these (nohup, a job in the background), and programs inherit that
for number in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


class Place:
    """A folder with a home, a store and packs in it; removed at the end."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix='quiztutor-test-')
        self.store = os.path.join(self.root, 'store.db')
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith('XDG_') and name not in (
                                'QUIZTUTOR_STORE', 'QUIZTUTOR_CONTENT', 'LANGUAGE', 'LINES', 'COLUMNS')}
        for name in ('home', 'data', 'config', 'content'):
            os.mkdir(self.path(name))
        self.environment.update({
            'HOME': self.path('home'), 'XDG_DATA_HOME': self.path('data'), 'XDG_CONFIG_HOME': self.path('config'),
            'QUIZTUTOR_STORE': self.store, 'QUIZTUTOR_CONTENT': self.path('content'), 'LC_ALL': 'C.UTF-8',
            'TZ': 'UTC'})

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *arguments, input='', timeout=60, env=None, **more):
        """The program run to its end: status, standard output and standard error as text."""
        environment = dict(self.environment, **(env or {}))
        for name in [name for name, value in environment.items() if value is None]:
            del environment[name]
        done = subprocess.run([PROGRAM, *arguments], input=input if isinstance(input, bytes) else input.encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, env=environment, **more)
        return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')

    def rows(self, query, *values, store=None):
        path = (store or self.store).replace('%', '%25').replace('?', '%3f').replace('#', '%23')
        with contextlib.closing(sqlite3.connect('file:%s' % path, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def age(self, days, store=None):
        """Lets so many days pass: moves the log into the past, and makes what is derived from it anew."""
        path, back = store or self.store, days * 86400000
        with contextlib.closing(sqlite3.connect(path)) as connection:
            triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                connection.execute('DROP TRIGGER "%s"' % name)
            for table, column in (('attempt', 'answered_at'), ('event', 'at'), ('session', 'started_at')):
                connection.execute('UPDATE %s SET %s = %s - ?' % (table, column, column), (back,))
            for _, sql in triggers:
                connection.execute(sql)
            connection.commit()
        return self.run('store', 'rebuild', '--store', path)

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def uuid_text(blob):
    text = blob.hex()
    return '-'.join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def check(condition, *what):
    """Counts and says a failure, and goes on: one run shows all of them."""
    global checks
    checks += 1
    if not condition:
        failures.append(what)
        print('FAIL:', *what, flush=True)
    return condition


def same(got, expected, *what):
    return check(got == expected, *what, '\n    expected:', repr(expected), '\n    got:     ', repr(got))


def holds(text, part, *what):
    return check(part in text, *what, '\n    expected in it:', repr(part), '\n    got:', repr(text))


def finish():
    print('%d checks, %d failed' % (checks, len(failures)))
    sys.exit(1 if failures or not checks else 0)  # a test that looked at nothing has not passed


def slice_of(whole):
    """So many rounds, or their n-th part with $TEST_SLICE=n: what tests/slice.h is for those in C."""
    parts = int(os.environ.get('TEST_SLICE') or 1)
    return -(-whole // max(1, parts))


def tame(text):
    """No byte that could drive a terminal."""
    return not any(unicodedata.category(letter) == 'Cc' and letter not in '\n\t' for letter in text)


class Talk:
    """A JSON-lines session held line by line."""

    def __init__(self, place, *arguments, **more):
        self.process = subprocess.Popen([PROGRAM, 'practise', '--jsonl', *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.environment, **more)
        self.events = []

    def say(self, line):
        self.process.stdin.write(line.encode() + b'\n')
        self.process.stdin.flush()

    def event(self):
        """The next event, None at the end."""
        line = self.process.stdout.readline()
        if not line:
            return None
        self.events.append(json.loads(line))
        return self.events[-1]

    def until(self, *kinds):
        while (event := self.event()) and event['event'] not in kinds:
            pass
        return event or {'event': None}

    def end(self):
        """No more input: status and standard error; the events left are in `events`."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        while self.event():
            pass
        errors = self.process.stderr.read().decode('utf-8', 'replace')
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(30), errors

    def results(self):
        return [event for event in self.events if event['event'] == 'result']
