"""`store merge` and `submit`: other stores and submitted files taken in, several stores in one report."""
import contextlib
import glob
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

import drive
from console import Console
from drive import check, holds, same

MIGRATIONS = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'db', 'sqlite', '0*.sql')))
NUMBERS = ('sessions', 'answers', 'events', 'new_learners', 'before', 'refused', 'running')
LOG = ('attempt_id, session_id, device_id, boot_id, pack_id, question_id, revision, content, seed, showing, shown, response, outcome, mark, marks, certainty,'
       ' hints, elapsed_ms, answered_at, utc_offset_s, origin, retried')


def pack(place, name='p', count=6):
    place.write('content/%s.yaml' % name, 'format: quiztutor/1\nid: %s\ntitle: T\nquestions:\n' % name + ''.join(
        '- id: q%d\n  prompt: Question %d?\n  choices:\n  - correct: A\n  - B\n  - C\n  explanation: E\n' % (i, i) for i in range(count)))


def practise(place, store, learner, lines='1\n2\n3\n1\n:undo\n2\n!\n1\n', *more):
    status, output, errors = place.run('practise', '--jsonl', '--store', store, *(('--learner', learner) if learner else ()), *more, 'p', input=lines)
    same(status, 0, errors)
    return drive.json_lines(output)


def merge(place, *files, store=None, status=0, **more):
    """What is told of each file, as its numbers in order; and standard error."""
    got, output, errors = place.run('store', 'merge', '--json', *files, *(('--store', store) if store else ()), **more)
    same(got, status, files, errors)
    check(drive.tame(errors), errors)
    told = json.loads(output) if output else []
    same([file['file'] for file in told], [file for file in files if file != '--yes'] if output else [], errors)
    return [None if file['problem'] else tuple(file[name] for name in NUMBERS) for file in told], errors


def log(place, store=None):
    return place.rows('SELECT %s, (SELECT name FROM learner WHERE learner.learner_id = attempt.learner_id) AS name FROM attempt ORDER BY attempt_id' % LOG, store=store)


def events(place, store=None):
    return place.rows('SELECT event_id, kind, session_id, attempt_id, device_id, body, at, utc_offset_s FROM event ORDER BY event_id', store=store)


def derived(place, store=None):
    """Schedules and sums by name, whatever the ids and numbers of the rows."""
    rows = []
    for table in 'schedule', 'learner_pack', 'learner_day':
        found = place.rows('SELECT learner.name AS whose, %s.* FROM %s JOIN learner USING(learner_id)' % (table, table), store=store)
        rows += sorted(str(sorted((key, value) for key, value in row.items() if key not in ('learner_id', 'last_seq', 'due_day', 'due_at', 'interval_days'))) for row in found)
    return rows


def whole(place, store=None):
    more = ('--store', store) if store else ()
    same(place.run('store', 'check', *more)[::2], (0, ''), 'the store is sound')
    holds(place.run('store', 'rebuild', *more)[1], 'no difference')


def quiet(path):
    """The bytes of a store that nobody has open, its log put into it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    with open(path, 'rb') as file:
        return file.read()


def change(path, *statements):
    """Does to a store what no program of ours would."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute('PRAGMA ignore_check_constraints = ON')
        for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute('DROP TRIGGER "%s"' % name)
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def two_labs():
    with drive.Place() as place:
        pack(place)
        one, two, all_ = place.path('one.db'), place.path('two.db'), place.path('all.db')
        practise(place, one, 'Ana')
        practise(place, one, 'Ben', '1\n1\n')
        practise(place, two, 'Cleo')
        before = quiet(one), quiet(two)
        told, errors = merge(place, one, two, store=all_)
        same((told[0][1], told[1][1]), (len(log(place, one)), len(log(place, two))), errors)
        same([row[3] for row in told], [2, 1], 'learners')
        same(errors, '')
        same(log(place, all_), sorted(log(place, one) + log(place, two), key=lambda row: row['attempt_id']))
        same(events(place, all_), sorted(events(place, one) + events(place, two), key=lambda row: row['event_id']))
        check(any(row['kind'] == 'undone' for row in events(place, all_)), 'one was taken back')
        whole(place, all_)
        same((quiet(one), quiet(two)), before, 'the others are as they were')
        same(derived(place, one), [row for row in derived(place, all_) if "('whose', 'Cleo')" not in row], 'and what follows from the log is the same')
        # twice is once; what has come meanwhile is taken
        told, errors = merge(place, one, two, store=all_)
        same([row[:4] for row in told], [(0, 0, 0, 0)] * 2)
        practise(place, one, 'Ben', '1\n', '--restart')
        told, errors = merge(place, one, two, one, store=all_)
        check(told[0][1] >= 1 and told[1][1] == told[2][1] == 0, told)
        whole(place, all_)
        # merged into one of them; and into itself
        merge(place, two, store=one)
        same(log(place, one), log(place, all_))
        same(merge(place, one, store=one)[0][0][:4], (0, 0, 0, 0))
        whole(place, one)
        # a line for people
        status, output, errors = place.run('store', 'merge', two, '--store', all_)
        same((status, errors, output), (0, '', '%s: 0 answers taken, %d had already, 0 rows refused\n' % (two, len(log(place, two)))))


def older():
    """Stores of every version are taken as they are."""
    for version in range(1, len(MIGRATIONS)):
        with drive.Place() as place:
            path = place.path('old.db')
            with contextlib.closing(sqlite3.connect(path)) as connection:
                for migration in MIGRATIONS[:version]:
                    with open(migration) as file:
                        connection.executescript(file.read())
                connection.execute('INSERT INTO meta(one, store_id, device_id, next_seq) VALUES(1, ?, ?, 4)', (os.urandom(16), os.urandom(16)))
                learner, session = os.urandom(16), os.urandom(16)
                connection.execute("INSERT INTO learner(learner_id, name, name_key, login, created_at) VALUES(?, 'Old', 'old', 'old', 1)", (learner,))
                connection.execute("INSERT INTO session VALUES(?, 1, ?, ?, 'practice', 'plain', 5, '{}', '[]', 1000, 0)", (session, learner, os.urandom(16)))
                for seq in 2, 3:
                    connection.execute("INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id, revision, seed, outcome, mark, marks,"
                                       " answered_at, utc_offset_s, origin) VALUES(?, ?, ?, ?, ?, 'p', ?, '', 1, 'right', 1, 1, 1700000000000, 0, 'plain')",
                                       (seq, os.urandom(16), session, learner, os.urandom(16), 'q%d' % seq))
                connection.execute('PRAGMA user_version = %d' % version)
                connection.commit()
            before = quiet(path)
            same(merge(place, path)[0], [(1, 2, 0, 1, 0, 0, 0)], version)
            whole(place)
            same(quiet(path), before, version)
            same([name for name in os.listdir(place.root) if 'version' in name], [], 'and nothing is left beside it')
            status, output, errors = place.run('report', 'class', '--to', 'csv', '--store', path, '--store', place.store)
            same((status, output.count('Old')), (0, 1), version, errors)
            same(quiet(path), before, version)


def learners():
    """External id, then login, then id, then name; who is somebody else stays so."""
    def people(place, store):
        return {row['name']: row['n'] for row in place.rows('SELECT name, (SELECT count(*) FROM attempt WHERE attempt.learner_id = learner.learner_id) AS n FROM learner', store=store)}

    def world(one, two, expected, status=0):
        with drive.Place() as place:
            pack(place)
            for path, (name, login, external) in (('one.db', one), ('two.db', two)):
                practise(place, place.path(path), name, '1\n1\n')
                change(place.path(path), 'UPDATE learner SET login = %s, external_id = %s' % tuple('NULL' if text is None else "'%s'" % text for text in (login, external)))
            told, errors = merge(place, place.path('two.db'), store=place.path('one.db'), status=status)
            found = people(place, place.path('one.db'))
            if isinstance(expected, list):
                found = sorted('%s %d' % (row['name'], row['n']) for row in place.rows(
                    'SELECT name, count(*) AS n FROM attempt JOIN learner USING(learner_id) GROUP BY learner_id', store=place.path('one.db')))
            same(found, expected, one, two, errors)
            whole(place, place.path('one.db'))
            same(merge(place, place.path('two.db'), store=place.path('one.db'), status=status)[0][0][:4], (0, 0, 0, 0))
            return errors

    # a name alone is somebody only where neither has an external id; either is told
    for here, there in ((None, 's1'), ('s1', None)):
        holds(world(('Ana', 'ana', here), ('Ana', None, there), ['Ana 2', 'Ana 2']), '"Ana" is a new learner: somebody else here bears the name')
    holds(world(('Good', None, None), ('good', None, None), {'Good': 4}), '"good" is taken for "Good" here, by the name alone')
    same(world(('Ana', None, 's1'), ('Anna', None, 's1'), {'Ana': 4}), '')
    world(('Ana', 'ana', None), ('Anna', 'ana', 's1'), {'Ana': 4})
    world(('Ana', None, None), ('ANA', None, None), {'Ana': 4})
    world(('Ana', 'ana', None), ('Ana', None, None), {'Ana': 4})
    world(('Ana', 'lab', 's1'), ('Ben', 'lab', 's2'), {'Ana': 2, 'Ben': 2})
    world(('Ana', None, None), ('Ben', None, None), {'Ana': 2, 'Ben': 2})
    holds(world(('Ana', 'ana', None), ('Ana', 'other', None), {'Ana': 2}, 1), 'another login')


def submitted():
    with drive.Place() as place, drive.Place() as tutor:
        pack(place)
        practise(place, place.store, 'Ana')
        practise(place, place.store, 'Ben')
        os.chdir(place.root)
        status, output, errors = place.run('submit', '--learner', 'Ana')
        same((status, errors), (0, ''))
        name, = glob.glob('quiztutor-*.qts')
        check(name.startswith('quiztutor-Ana-20') and output.startswith(name + ': '), output)
        check(os.path.getsize(name) < 200000, 'small', os.path.getsize(name))
        same(os.stat(name).st_mode & 0o777, 0o600, 'nobody else reads it')
        # holds what is Ana's, and nothing of Ben's
        with open(name, 'rb') as file:
            data = file.read()
        ben = place.rows("SELECT learner_id FROM learner WHERE name = 'Ben'")[0]['learner_id']
        check(b'Ben' not in data and ben not in data, 'nobody else is in it')
        same([row for row in log(place) if row['name'] == 'Ana'], log(place, name))
        whole(place, name)
        # never over what is there
        for number in 2, 3:
            same(place.run('submit', '--learner', 'Ana')[1].split(':')[0], name.replace('.qts', '-%d.qts' % number))
        place.write('mine.qts', 'mine')
        status, output, errors = place.run('submit', '--learner', 'Ana', '-o', 'mine.qts')
        same((status, output), (1, ''))
        holds(errors, 'there already')
        with open('mine.qts') as file:
            same(file.read(), 'mine')
        same(place.run('submit', '--learner', 'Ben', '-o', 'ben.qts')[0], 0)
        same(sorted(glob.glob('.quiztutor*')), [])
        # many are taken
        files = [place.path(path) for path in (name, 'ben.qts', name.replace('.qts', '-2.qts'))]
        told, errors = merge(tutor, *files)
        same([row[3] for row in told], [1, 1, 0])
        same(log(tutor), log(place))
        same(events(tutor), events(place))
        same(derived(tutor), derived(place))
        whole(tutor)
        # several at once in a report, those that are the same once
        status, output, errors = tutor.run('report', 'attempts', '--to', 'csv', *[word for file in files for word in ('--store', file)])
        same((status, output.count('\n')), (0, 1 + len(log(place))), errors)
        # refusals
        status, output, errors = place.run('submit', '--learner', 'Anna', '-o', 'x.qts')
        same((status, output), (1, ''))
        holds(errors, 'did you mean "Ana"?')
        same(place.run('submit', 'x')[0], 2)
        same(place.run('submit', '--learner', 'Ana', '-o', 'none/x.qts')[0], 1)
        same(place.run('submit', '--learner', 'Ana', '--store', place.path('none.db'))[0], 1)

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        status, output, errors = place.run('submit', '--learner', 'Ana', '-o', 'cut.qts', preexec_fn=little_room)
        same((status, output, glob.glob('cut*') + glob.glob('.quiztutor*')), (1, '', []), 'no half file')


def exams():
    """A running exam is left out until it is handed in; handed in twice by copies it is there once."""
    with drive.Place() as place:
        pack(place)
        lab, all_, copy = place.path('lab.db'), place.path('all.db'), place.path('copy.db')
        talk = drive.Talk(place, '--exam', '--store', lab, '--learner', 'Ana', 'p')
        for line in '1', '2':
            talk.until('question')
            talk.say(line)
            talk.until('noted')
        talk.process.kill()
        talk.process.wait()
        told, _ = merge(place, lab, store=all_)
        same(told, [(0, 0, 0, 0, 0, 0, 1)])
        same(place.run('submit', '--learner', 'Ana', '--store', lab, '-o', place.path('ana.qts'))[0], 0)
        same(place.rows('SELECT count(*) AS n FROM session', store=place.path('ana.qts')), [{'n': 0}])
        quiet(lab)
        shutil.copy(lab, copy)
        for store in lab, copy:
            place.run('practise', '--jsonl', '--exam', '--resume', '--store', store, '--learner', 'Ana', 'p', input='1\n')
        if place.rows("SELECT count(*) AS n FROM event WHERE kind = 'handed-in'", store=lab)[0]['n'] != 1:
            return check(False, 'the exam was not handed in')
        told, _ = merge(place, lab, store=all_)
        same(told[0][:2] + told[0][5:], (1, 6, 0, 0))
        told, errors = merge(place, copy, store=all_, status=1)
        same(told[0][1], 0)
        holds(errors, 'handed in here')
        same(place.rows("SELECT count(*) AS n FROM attempt", store=all_), [{'n': 6}])
        whole(place, all_)


def refused():
    """Damaged files by name, bad rows by id; what is good is taken."""
    with drive.Place() as place:
        pack(place)
        good, bad = place.path('good.db'), place.path('bad.db')
        practise(place, good, 'Ana')
        count = len(log(place, good))
        quiet(good)
        # no stores, and broken ones: the good one among them is taken
        place.write('text.db', 'no store at all\n' * 100)
        place.write('empty.db', '')
        with open(good, 'rb') as file:
            data = bytearray(file.read())
        page = int.from_bytes(data[16:18], 'big')
        r = random.Random(4)
        for i in range(page * 3, len(data), page):
            for _ in range(40):
                data[i + r.randrange(page)] = r.randrange(256)
        place.write('broken.db', bytes(data))
        files = [place.path(name) for name in ('text.db', 'empty.db', 'broken.db', 'none.db')] + [place.root, good]
        told, errors = merge(place, *files, status=1)
        same((told[:-1], told[-1][1]), ([None] * 5, count), errors)
        for name in files[:-1]:
            holds(errors, name)
        whole(place)
        # a later version, and a view in the place of a table
        shutil.copy(good, bad)
        change(bad, 'PRAGMA user_version = 99')
        holds(merge(place, bad, status=1)[1], 'later release')
        shutil.copy(good, bad)
        change(bad, 'ALTER TABLE event RENAME TO other',
               'CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM other, n')
        same(merge(place, bad, status=1, timeout=20)[0], [None])
        whole(place)

        def row(statement, reason, taken=None):
            with drive.Place() as inner:
                path = inner.path('bad.db')
                shutil.copy(good, path)
                change(path, 'PRAGMA foreign_keys = OFF', statement)
                told, errors = merge(inner, path, status=1)
                holds(errors, reason, statement)
                if taken is not None and told[0]:
                    same(told[0][1], taken, statement)
                if os.path.exists(inner.store):
                    whole(inner)

        one = '(SELECT max(seq) FROM attempt)'
        row('UPDATE attempt SET mark = 5 WHERE seq = %s' % one, 'bad', count - 1)
        row('UPDATE attempt SET mark = -1 WHERE seq = %s' % one, 'bad', count - 1)
        row("UPDATE attempt SET outcome = 'great' WHERE seq = %s" % one, 'bad', count - 1)
        row("UPDATE attempt SET response = '{' WHERE seq = %s" % one, 'bad response', count - 1)
        row("UPDATE attempt SET origin = 'web' WHERE seq = %s" % one, 'bad origin', count - 1)
        row("UPDATE attempt SET utc_offset_s = 1000000 WHERE seq = %s" % one, 'bad', count - 1)
        row("UPDATE attempt SET pack_id = '' WHERE seq = %s" % one, 'bad', count - 1)
        row("UPDATE attempt SET device_id = x'' WHERE seq = %s" % one, 'bad', count - 1)
        row("UPDATE attempt SET attempt_id = x'0102' WHERE seq = %s" % one, 'bad attempt_id', count - 1)
        row("UPDATE session SET kind = 'party'", 'bad session.kind', 0)
        row("UPDATE session SET plan = 'x'", 'bad session.plan', 0)
        row("UPDATE learner SET name = ''", 'learner', 0)
        row("UPDATE learner SET name = char(27) || '[2J'", 'learner', 0)
        row("UPDATE learner SET login = char(10)", 'damaged', 0)
        row("UPDATE event SET kind = 'party' WHERE kind = 'undone'", 'bad event.kind', count)
        row("UPDATE event SET body = 'x' WHERE kind = 'undone'", 'bad event.body', count)
        row("UPDATE event SET attempt_id = randomblob(16) WHERE kind = 'undone'", 'not here', count)
        # a question's text that is not what its hash says is not taken for it
        with drive.Place() as inner:
            path = inner.path('bad.db')
            shutil.copy(good, path)
            change(path, "UPDATE question_text SET body = '{}'")
            merge(inner, path)
            same(inner.rows('SELECT count(*) AS n FROM question_text'), [{'n': 0}])
            same(inner.rows('SELECT count(content) AS n FROM attempt'), [{'n': 0}])
            whole(inner)


def at_once():
    """A store that is practised in while it is merged: what is taken is as it was at one moment."""
    with drive.Place() as place:
        pack(place, count=400)
        lab, all_ = place.path('lab.db'), place.path('all.db')
        talk = drive.Talk(place, '--mode', 'all', '--store', lab, '--learner', 'Ana', 'p')
        talk.until('question')
        for i in range(60):
            talk.say(str(i % 3 + 1))
            talk.until('result')
            if i % 6 == 5:
                told, errors = merge(place, lab, store=all_)
                check(told[0] is not None, errors)
                same(len(log(place, all_)), i + 1)
        talk.end()
        merge(place, lab, store=all_)
        same(log(place, all_), log(place, lab))
        whole(place, all_)


def read_only():
    """From a stick that can't be written, by an ordinary user."""
    if os.geteuid():
        return
    with drive.Place() as place:
        pack(place)
        lab = place.path('stick', 'lab.db')
        os.mkdir(place.path('stick'))
        os.mkdir(place.path('mine'))
        practise(place, lab, 'Ana')
        quiet(lab)
        for path in glob.glob(lab + '-*'):
            os.unlink(path)
        os.chmod(place.root, 0o755)
        os.chmod(lab, 0o444)
        os.chmod(place.path('stick'), 0o555)
        os.chown(place.path('mine'), 65534, 65534)

        def nobody():
            os.setgid(65534)
            os.setuid(65534)
        told, errors = merge(place, lab, store=place.path('mine', 's.db'), preexec_fn=nobody)
        same(told[0][1], len(log(place, place.path('mine', 's.db'))), errors)
        same(os.listdir(place.path('stick')), ['lab.db'])


def nothing_in_between():
    """Killed at any moment, or without room: all files or none."""
    with drive.Place() as place:
        rows = 'learner,pack,question,mark,marks\n' + ''.join('L%d,p,q%d,1,1\n' % (i % 40, i // 40) for i in range(4000))
        lab, all_ = place.path('lab.db'), place.path('all.db')
        place.run('store', 'load', place.write('x.csv', rows), '--store', lab)
        place.run('store', 'load', place.write('y.csv', 'learner,pack,question,mark,marks\nA,p,q,1,1\n'), '--store', all_)
        r = random.Random(2)
        begun = time.monotonic()
        merge(place, lab, store=place.path('timed.db'))
        span = time.monotonic() - begun
        for _ in range(10):
            process = subprocess.Popen([drive.PROGRAM, 'store', 'merge', lab, '--store', all_], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=place.environment)
            try:
                process.wait(r.uniform(0, span))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            check(len(log(place, all_)) in (1, 4001), 'all or nothing')
        merge(place, lab, store=all_)
        same(len(log(place, all_)), 4001)
        whole(place, all_)

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
        small = place.path('small.db')
        place.run('store', 'load', place.path('y.csv'), '--store', small)
        status, output, errors = place.run('store', 'merge', lab, '--store', small, preexec_fn=little_room)
        same((status, output), (1, ''), errors)
        same(len(log(place, small)), 1)
        whole(place, small)


def names(place, store):
    return {row['name'] for row in place.rows('SELECT name FROM learner WHERE merged_into IS NULL', store=store)}


def marks(place, store):
    return place.rows("SELECT count(*) AS n FROM event WHERE kind = 'erased'", store=store)[0]['n']


def erased():
    """Nobody who was erased comes in again; who was erased elsewhere goes, once somebody agreed."""
    with drive.Place() as place:
        pack(place)
        one, two = place.path('one.db'), place.path('two.db')
        practise(place, one, 'Ana')
        practise(place, one, 'Ben')
        merge(place, one, store=two)
        same(place.run('learner', 'erase', 'Ana', '--yes', '--store', one)[0], 0)
        told, errors = merge(place, two, store=one, status=1)
        holds(errors, 'was erased here')
        same({row['name'] for row in log(place, one)}, {'Ben'})

        # a file alone erases nobody; what else is in it is taken
        before = log(place, two)
        practise(place, one, 'Cem')
        for told_new in 8, 0:
            status, output, errors = place.run('store', 'merge', one, '--store', two)
            same((status, names(place, two), marks(place, two)), (1, {'Ana', 'Ben', 'Cem'}, 0), errors)
            holds(errors, '1 learner was erased there, and is here: Ana.')
            holds(errors, 'That was not done: say so with --yes')
            check('!' not in errors, errors)
            got = len(log(place, two)) - len(before)
            check(got > 0, 'the rest was taken', output)
            holds(output, '%d answers taken' % (got if told_new else 0))
        whole(place, two)
        holds(json.dumps(json.loads(place.run('store', 'merge', '--json', one, '--store', two)[1])[0]), '"erasures": 2')

        # asked on a terminal: no, then yes
        console = Console(place, 'store', 'merge', one, '--store', two)
        holds(console.expect('[y/N]'), 'Ana')
        console.type('n\n')
        same((console.end()[0], names(place, two), marks(place, two)), (0, {'Ana', 'Ben', 'Cem'}, 0))
        third = place.path('third.db')
        shutil.copy(two, third)
        console = Console(place, 'store', 'merge', one, '--store', third)
        console.expect('[y/N]')
        console.type('y\n')
        same((console.end()[0], names(place, third)), (0, {'Ben', 'Cem'}))

        told, errors = merge(place, one, '--yes', store=two)
        holds(errors, 'erased here, too: Ana')
        same({row['name'] for row in log(place, two)}, {'Ben', 'Cem'})
        data = quiet(two)
        check(b'Ana' not in data, 'not even in places given free')
        whole(place, one)
        whole(place, two)
        same(merge(place, one, store=two)[1], '', 'told once')
        same(place.run('store', 'check', '--yes', '--store', two)[0], 2, 'no other part takes it')


def forged():
    """A file that says of everybody that they were erased erases nobody, and keeps nobody out."""
    with drive.Place() as place:
        pack(place)
        mine, bad, late = place.path('mine.db'), place.path('bad.db'), place.path('late.db')
        practise(place, mine, 'Ana')
        shutil.copy(mine, bad)
        same(place.run('learner', 'erase', 'Ana', '--yes', '--store', bad)[0], 0)
        same(place.run('store', 'merge', bad, '--store', mine)[0], 1)
        same((names(place, mine), marks(place, mine)), ({'Ana'}, 0))
        # who is not known here is not kept out either
        status, _, errors = place.run('store', 'merge', bad, '--store', late)
        same((status, marks(place, late)), (1, 0), errors)
        holds(errors, 'People who are not known here were erased there.')
        merge(place, mine, store=late)
        same(names(place, late), {'Ana'})
        # agreed: they are
        kept = place.path('kept.db')
        merge(place, bad, '--yes', store=kept)
        same(marks(place, kept), 2)
        holds(merge(place, mine, store=kept, status=1)[1], 'was erased here')
        same(merge(place, bad, store=kept)[1], '', 'and nothing is asked any more')
        whole(place, kept)


def erased_by_login():
    """The same person by login or external id, or made one of two here, is who was erased there."""
    for column, value in ('login', 'ana'), ('external_id', 'E7'):
        with drive.Place() as place:
            pack(place)
            one, two = place.path('one.db'), place.path('two.db')
            for store, name in (one, 'Ana Lima'), (two, 'Lima, Ana'):
                roster = place.write('roster.csv', 'name,%s\n"%s",%s\n' % (column, name, value))
                same(place.run('learner', 'add', '--from', roster, '--store', store)[0], 0)
                practise(place, store, name)
            practise(place, two, 'Maria')
            same(place.run('learner', 'merge', 'Lima, Ana', 'Maria', '--yes', '--store', two)[0], 0)
            same(place.run('learner', 'erase', 'Ana Lima', '--yes', '--store', one)[0], 0)
            holds(merge(place, one, store=two, status=1)[1], 'is here: Maria.')
            holds(merge(place, one, '--yes', store=two)[1], 'erased here, too: Maria')
            same((names(place, two), log(place, two)), (set(), []))
            whole(place, two)
            # who got the login afterwards is not, nor is the same name alone
            three = place.path('three.db')
            same(place.run('learner', 'add', '--from', place.write('roster.csv', 'name,%s\nNew,%s\n' % (column, value)),
                           '--store', three)[0], 0)
            holds(merge(place, one, store=three, status=1)[1], 'People who are not known here')
            merge(place, one, '--yes', store=three)
            same(names(place, three), {'New'})
            practise(place, two, 'Ana Lima')
            same(names(place, two), {'Ana Lima'})


def graded_anew():
    """What a tutor said of answers comes along with them: by the key, for one more answer, and void."""
    with drive.Place() as place:
        pack(place)
        one, all_, ana, of_ana = place.path('one.db'), place.path('all.db'), place.path('ana.qts'), place.path('ana.db')
        for learner in 'Ana', 'Ben':
            practise(place, one, learner, '1\n2\n' * 6, '--seed', '1')
        merge(place, one, store=all_)  # the answers come first, what was said of them later
        yes = ('--apply', '--reason', 'so it is', '--store', one)
        same(place.run('regrade', 'p', '--accept', 'q1=B', *yes)[0], 0)
        same(place.run('regrade', 'p', '--void', 'q2', *yes)[0], 0)
        pack(place, count=1)
        place.write('content/p.yaml', open(place.path('content/p.yaml')).read().replace('- correct: A\n  - B', '- A\n  - correct: B'))
        same(place.run('regrade', 'p', *yes)[0], 0)
        said = [row for row in events(place, one) if row['kind'] in ('regraded', 'accepted', 'voided')]
        same({row['kind'] for row in said}, {'accepted', 'regraded', 'voided'})
        for store in all_, place.path('new.db'):
            told, errors = merge(place, one, store=store)
            same((errors, told[0][5]), ('', 0))
            same(events(place, store), events(place, one))
            same(derived(place, store), derived(place, one))
            whole(place, store)
            same(merge(place, one, store=store)[0][0][:4], (0, 0, 0, 0))
        # what one learner hands in is marked as it is here, and says nothing of others
        same(place.run('submit', '--learner', 'Ana', '-o', ana, '--store', one)[0], 0)
        same(merge(place, ana, store=of_ana)[1], '')
        hers = {row['attempt_id'] for row in log(place, of_ana)}
        same([row for row in events(place, of_ana) if row['kind'] in ('regraded', 'accepted', 'voided')],
             [row for row in said if row['attempt_id'] in hers])
        check(hers and len(hers) < len(log(place, one)), 'hers alone')
        whole(place, of_ana)
        # a file that grades an answer of somebody else is refused
        bens = place.rows("SELECT attempt_id FROM attempt JOIN learner USING(learner_id) WHERE name = 'Ben'", store=one)[0]['attempt_id']
        forged = place.path('forged.qts')
        shutil.copy(ana, forged)
        change(forged, "UPDATE attempt SET attempt_id = x'%s' WHERE seq = (SELECT min(seq) FROM attempt)" % bens.hex(),
               "UPDATE event SET attempt_id = x'%s', event_id = randomblob(16) WHERE kind = 'voided'" % bens.hex())
        before = events(place, all_)
        holds(merge(place, forged, store=all_, status=1)[1], "another learner's")
        same(events(place, all_), before)


if __name__ == '__main__':
    for test in (graded_anew, two_labs, older, learners, submitted, exams, refused, at_once, read_only, nothing_in_between, erased, forged,
                 erased_by_login):
        test()
    drive.finish()
