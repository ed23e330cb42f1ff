"""`store load`: attempts made elsewhere, from a table."""
import csv
import io
import os
import random
import resource
import signal
import subprocess
import time

import drive
from drive import check, holds, same

HEAD = 'learner,pack,question,mark,marks\n'
SIX = {'A': '1111', 'B': '1110', 'C': '1101', 'D': '1010', 'E': '1000', 'F': '0001'}


def six():
    return HEAD + ''.join('%s,six,q%d,%s,1\n' % (name, i + 1, mark) for name, marks in SIX.items() for i, mark in enumerate(marks))


def load(place, text, *more, name='results.csv', **options):
    return place.run('store', 'load', place.write(name, text), *more, **options)


def counts(output):
    """taken, had already, refused of the summary line."""
    words = output.split(': ', 1)[1].replace(',', '').replace(';', '').split()
    return int(words[0]), int(words[2]), int(words[5])


def log(place, store=None):
    """Everything that was loaded, whatever its order and numbers."""
    rows = place.rows('SELECT attempt.*, learner.name, session.kind FROM attempt JOIN learner USING(learner_id) JOIN session USING(session_id)', store=store)
    return sorted(tuple(sorted((key, value) for key, value in row.items() if key not in ('seq', 'device_id'))) for row in rows)


def whole(place, store=None):
    more = ('--store', store) if store else ()
    same(place.run('store', 'check', *more)[0], 0, 'the store is sound')
    holds(place.run('store', 'rebuild', *more)[1], 'no difference')


def refused(row, reason, head=HEAD):
    """This row is refused for this reason, its neighbours are taken."""
    before, after = 'A,p,before,1,1', 'A,p,after,1,1'
    width = head.count(',') - 4
    text = head + before + ',' * width + '\n' + row + '\n' + after + ',' * width + '\n'
    with drive.Place() as inner:
        path = inner.write('results.csv', text)
        status, output, errors = inner.run('store', 'load', path)
        same(status, 1, row, errors)
        lines = [line for line in errors.splitlines() if 'new learner' not in line]
        same(len(lines), 1, row, errors)
        check(lines and lines[0].startswith('quiztutor: %s:3: ' % path) and reason in lines[0] and drive.tame(errors), row, 'expected:', reason, errors)
        same(counts(output), (2, 0, 1), row)
        same({row['question_id'] for row in inner.rows('SELECT question_id FROM attempt')}, {'before', 'after'}, row)


def fails(text, reason):
    """The file as a whole is refused: one line, nothing stored."""
    with drive.Place() as place:
        status, output, errors = load(place, text)
        same((status, output), (1, ''), text[:60])
        check(errors.count('\n') == 1 and errors.startswith('quiztutor: ') and reason in errors and drive.tame(errors), text[:60], 'expected:', reason, errors)
        if os.path.exists(place.store):
            same(place.rows('SELECT count(*) AS n FROM attempt')[0]['n'], 0, text[:60])


def ordinary():
    with drive.Place() as place:
        status, output, errors = load(place, six())
        same((status, counts(output)), (0, (24, 0, 0)))
        same(sorted(errors.splitlines()), ['quiztutor: new learner "%s"' % name for name in SIX], 'who is new is told')
        rows = place.rows('SELECT name, question_id, mark, marks, outcome, kind, attempt.origin, content, response, hints, certainty'
                          ' FROM attempt JOIN learner USING(learner_id) JOIN session USING(session_id)')
        same({(row['name'], row['question_id']): row['mark'] for row in rows},
             {(name, 'q%d' % (i + 1)): float(mark) for name, marks in SIX.items() for i, mark in enumerate(marks)})
        same({(row['kind'], row['origin'], row['content'], row['response']) for row in rows}, {('import', 'import', None, None)})
        same({(row['mark'], row['outcome']) for row in rows}, {(1.0, 'right'), (0.0, 'wrong')})
        same(place.rows('SELECT count(*) AS n FROM session')[0]['n'], 6, 'a session for each learner')
        whole(place)
        before = log(place)
        same((load(place, six())[0], counts(load(place, six())[1])), (0, (0, 24, 0)), 'the same once more')
        same(log(place), before)
        # the order of columns, a mark of byte order, other separators, line ends and blank lines are no difference
        rows = list(csv.reader(io.StringIO(six())))
        turned = '\ufeff' + '\r\n\r\n'.join(';'.join(reversed(row)) for row in rows)
        same(counts(load(place, turned)[1]), (0, 24, 0))
        same(counts(load(place, '\n'.join('\t'.join(row) for row in rows))[1]), (0, 24, 0))
        same(log(place), before)
        # of equal rows each is one; one more is one more
        twice = HEAD + 'A,six,q1,1,1\n' * 3
        same(counts(load(place, twice)[1]), (2, 1, 0))
        same(counts(load(place, twice)[1]), (0, 3, 0))
        same(place.run('store', 'load', '--json', place.write('x.csv', twice))[1], '{"taken":0,"before":3,"refused":0,"new_learners":0,"reasons":[]}\n')


def ids_are_of_the_cells():
    """Two stores that load one file have the same attempts, learners and sessions."""
    with drive.Place() as one, drive.Place() as other:
        load(one, six())
        load(other, six())
        keys = 'SELECT attempt_id, session_id, learner_id, pack_id, question_id FROM attempt ORDER BY 1'
        same(one.rows(keys), other.rows(keys))
        ids = {row['attempt_id'] for row in one.rows(keys)}
        same(len(ids), 24)
        check(all(row[6] >> 4 == 8 and row[8] >> 6 == 2 for row in ids), 'UUIDs of version 8')
        later = HEAD.strip() + ',answered_at\n' + 'A,six,q1,1,1,\n'
        same(counts(load(one, later)[1]), (0, 1, 0), 'an empty column says nothing')
        same(counts(load(one, later.replace('1,1,\n', '1,1,2026-01-02\n'))[1]), (1, 0, 0), 'another day is another attempt')


def outcomes():
    with drive.Place() as place:
        load(place, HEAD + 'A,p,none,,2\nA,p,right,2,2\nA,p,nearly,1.9999999999,2\nA,p,partly,1,2\nA,p,wrong,0,2\nA,p,little,0.0001,2\n')
        same({row['question_id']: (row['outcome'], row['mark'], row['marks']) for row in place.rows('SELECT * FROM attempt')},
             {'none': ('omitted', 0, 2), 'right': ('right', 2, 2), 'nearly': ('right', 1.9999999999, 2), 'partly': ('partly', 1, 2),
              'wrong': ('wrong', 0, 2), 'little': ('partly', 0.0001, 2)})
        whole(place)
    refused('A,p,q,3,2', 'mark: must be from 0')
    refused('A,p,q,-1,2', 'mark: must be from 0')
    refused('A,p,q,1,0', 'marks: must be above 0')
    refused('A,p,q,1,-2', 'marks: must be above 0')
    refused('A,p,q,1,', 'marks: nothing stands there')
    refused('A,p,q,1,1000001', 'marks: must be above 0')
    for number in 'nan', 'inf', '1e999', '0x1', 'one', '1 2', '1..2':
        refused('A,p,q,%s,1' % number, 'mark: ')
    refused('A,p,q,"0,5",1', 'decimal point')
    refused('A,,q,1,1', 'pack: nothing stands there')
    refused('A,p,,1,1', 'question: nothing stands there')
    refused(',p,q,1,1', 'learner: ')
    refused('"   ",p,q,1,1', 'learner: ')
    refused('%s,p,q,1,1' % ('x' * 65), 'learner: ')
    refused('a\u202eb,p,q,1,1', 'learner: ')
    refused('A,p\x1bq,q,1,1', 'pack: ')
    refused('A,%s,q,1,1' % ('p' * 65), 'pack: ')
    refused('A,p,q,1', 'fewer cells')
    refused('A,p,q,1,1,more', 'more cells')
    refused('A,p,q\0,1,1', 'NUL')
    refused('A,p,"q"q,1,1', 'quotation mark')


def columns():
    """Every other column, good and bad."""
    def with_column(name, good, bad, reason):
        head = HEAD.strip() + ',' + name + '\n'
        for value in good:
            with drive.Place() as place:
                status, output, errors = load(place, head + 'A,p,q,1,1,%s\n' % value)
                same((status, counts(output)), (0, (1, 0, 0)), name, value, errors)
                whole(place)
        for value in bad:
            refused('A,p,q,1,1,%s' % value, reason, head)

    with_column('attempt', ['', '0190f5c2-7a10-7000-8000-000000000001', '0190F5C2-7A10-7000-8000-000000000001'], ['17', 'x' * 36, '0190f5c2-7a10-7000-8000-00000000000'], 'attempt: ')
    with_column('session', ['', '0190f5c2-7a10-7000-8000-000000000001'], ['no'], 'session: ')
    with_column('device', ['0190f5c2-7a10-7000-8000-000000000001'], ['no'], 'device: ')
    with_column('content', ['', 'a' * 64], ['a' * 63, 'g' * 64], 'content: ')
    with_column('seed', ['1', '4294967295', ''], ['0', '4294967296', '1.5', 'x'], 'seed: ')
    with_column('showing', ['2'], ['0', '-1'], 'showing: ')
    with_column('shown', ['"{""choices"":[2,1]}"', ''], ['{', 'x'], 'shown: ')
    with_column('response', ['[1]', 'true', '"""text"""'], ['[1', 'text'], 'response: ')
    with_column('outcome', ['right', ''], ['wrong', 'omitted', 'correct'], 'outcome: ')
    with_column('certainty', ['1', '3', '0', ''], ['4', '-1', 'x'], 'certainty: ')
    with_column('hints', ['0', '3'], ['-1', '99999999'], 'hints: ')
    with_column('retried', ['true', 'false', '1', '0', ''], ['yes'], 'retried: ')
    with_column('helped', ['true', 'anything'], [], '')
    with_column('seq', ['7', 'anything'], [], '')
    with_column('elapsed_ms', ['0', '12345', ''], ['-1', '1e300', 'x'], 'elapsed_ms: ')
    with_column('graded', ['regraded', 'accepted', 'voided', ''], ['no'], 'graded: ')
    with_column('undone', ['true', 'false'], ['maybe'], 'undone: ')
    with_column('kind', ['practice', 'exam', 'paper', 'import', ''], ['lesson'], 'kind: write practice, exam, paper or import, not "lesson"')
    with_column('origin', ['screen', 'plain', 'jsonl', 'paper', 'kiosk', 'import'], ['web'], 'origin: write screen, plain, jsonl, paper, kiosk or import, not "web"')
    with_column('revision', ['0123456789abcdef', ''], ['0123456789abcdef0'], 'revision: ')
    with_column('answered_at', ['2026-01-31', '2026-01-31T10:55Z', '2026-01-31 10:55:01', '2026-01-31T10:55:01.5+01:00', '2024-02-29T00:00:00-0930'],
                ['2026-02-30', '31.01.2026', '2026-01-31T24:00', '2026-01-31T10:55+1', '2026-01-31Tx', '1969-12-31', '2026-01-31T10:55:00.Z', '2026-01-31T1:55'], 'answered_at: ')
    refused('A,p,q,1,1,1969-12-31', 'is before 1970', HEAD.strip() + ',answered_at\n')
    refused('A,p,q,1,1,2999-01-01', 'yet to come', HEAD.strip() + ',answered_at\n')
    with drive.Place() as place:
        load(place, HEAD.strip() + ',answered_at\nA,p,a,1,1,2026-01-31T10:55:01.25+01:00\nA,p,b,1,1,2026-07-01\nA,p,c,1,1,2026-07-01T10:00\n', env={'TZ': 'Europe/Berlin'})
        same({row['question_id']: (row['answered_at'], row['utc_offset_s']) for row in place.rows('SELECT * FROM attempt')},
             {'a': (1769853301250, 3600), 'b': (1782900000000, 7200), 'c': (1782892800000, 7200)})
        # undone and voided ones are known as such
        load(place, HEAD.strip() + ',undone,graded\nB,p,a,1,1,true,\nB,p,b,1,1,,voided\n')
        same(sorted(row['kind'] for row in place.rows('SELECT kind FROM event')), ['undone', 'voided'])
        whole(place)


def heads():
    fails('learner,pack,question,mark\nA,p,q,1\n', 'no column "marks"')
    fails('learner,pack,question,mark,marks,responce\nA,p,q,1,1,\n', 'is "response" meant?')
    fails('learner,pack,question,mark,marks,shoe size\n', 'no column "shoe_size"')
    fails('learner,pack,question,mark,marks,mark\n', 'two columns "mark"')
    fails('learner,pack,question,mark,marks,\nA,p,q,1,1,\n', 'column 6')
    fails('', 'empty')
    fails('\n\n', 'empty')
    fails(HEAD.encode() + 'J\u00fcrgen,p,q,1,1\n'.encode('cp1252'), 'byte 34 (0xFC, in line 2)')
    fails(HEAD.encode('utf-16'), 'UTF-16')
    fails('x,' * 100000 + 'y\n', 'more than 1000 columns')
    with drive.Place() as place:
        status, output, errors = place.run('store', 'load', place.path('none.csv'))
        same((status, output, errors.count('\n')), (1, '', 1))
        same(place.run('store', 'load', place.root)[0], 1)
        same(place.run('store', 'load')[0], 2)
        same(place.run('store', 'load', 'a', 'b')[0], 2)
        check(not os.path.exists(place.store), 'no store is made of nothing')
        # what a quotation mark swallows is told, what stands before it is taken
        status, output, errors = load(place, HEAD + 'A,p,q,1,1\nA,p,"r,1,1\nA,p,s,1,1\n')
        same((status, counts(output)), (1, (1, 0, 1)))
        holds(errors, 'results.csv:3: a quotation mark opens here')
        # a row of 100,000 cells is one row that is refused
        status, output, errors = load(place, HEAD + 'B,p,q,1,1' + ',' * 100000 + 'x\nB,p,r,1,1\n')
        same((status, counts(output)), (1, (1, 0, 1)))


def names():
    """Names that are formulas, hold separators, or are in other scripts, there and back."""
    people = ['=HYPERLINK("x")', 'a, "b"', '\u0645\u0631\u064a\u0645', '<script>alert(1)</script>', "'t Hooft", "'quoted", '+1', '-1', '@x', 'Ana']
    with drive.Place() as place, drive.Place() as other:
        table = io.StringIO()
        writer = csv.writer(table)
        writer.writerow(HEAD.strip().split(','))
        for name in people:
            guarded = "'" + name if name[0] in "=+-@\t'" else name
            writer.writerow([guarded, 'p', 'q', 1, 1])
        same(load(place, table.getvalue())[0], 0)
        same(sorted(row['name'] for row in place.rows('SELECT name FROM learner')), sorted(people))
        status, output, _ = place.run('report', 'attempts', '--to', 'csv')
        same(status, 0)
        same(load(other, output)[0], 0)
        same(sorted(row['name'] for row in other.rows('SELECT name FROM learner')), sorted(people))
        same(log(other), log(place), 'what is reported can be loaded')
        same(counts(load(place, output)[1]), (0, len(people), 0), 'and is here already')


def round_trip():
    """A practised store, reported as CSV and loaded elsewhere: ids, responses, times and what was taken back."""
    with drive.Place() as place, drive.Place() as other:
        place.write('content/p.yaml', 'format: quiztutor/1\nid: p\ntitle: T\nquestions:\n' + ''.join(
            '- id: q%d\n  prompt: Q %d?\n  choices:\n  - correct: A\n  - B\n  - C\n  explanation: E\n' % (i, i) for i in range(4)))
        place.run('practise', '--jsonl', '--learner', 'Ana', '--seed', '5', 'p', input='1\n2\n:undo\n1\n:skip\n3\n:skip\n')
        status, table, _ = place.run('report', 'attempts', '--to', 'csv')
        same(status, 0)
        rows = list(csv.DictReader(io.StringIO(table)))
        check(any(row['undone'] == 'true' for row in rows), 'one was taken back')
        same(counts(load(other, table)[1]), (len(rows), 0, 0))
        same(other.rows("SELECT count(*) AS n FROM event WHERE kind = 'undone'"), [{'n': sum(row['undone'] == 'true' for row in rows)}])
        kept = 'attempt_id, session_id, learner_id, device_id, pack_id, question_id, revision, showing, shown, response, outcome, mark, marks, hints, elapsed_ms, answered_at, retried'
        same(other.rows('SELECT %s FROM attempt ORDER BY attempt_id' % kept), place.rows('SELECT %s FROM attempt ORDER BY attempt_id' % kept))
        whole(other)
        same(counts(load(place, table)[1]), (0, len(rows), 0))
        whole(place)


def matching():
    """By external id, then login, then id, then name; never two people for one."""
    head = HEAD.strip() + ',learner_id,login,external_id\n'
    with drive.Place() as place:
        load(place, head + 'Ana,p,1,1,1,,ana,s1\nBen,p,1,1,1,,ben,\nCleo,p,1,1,1,0190f5c2-7a10-7000-8000-000000000001,,\n')
        load(place, head + 'Anna,p,2,1,1,,,s1\nBenjamin,p,2,1,1,,ben,\nKleo,p,2,1,1,0190f5c2-7a10-7000-8000-000000000001,,\nANA,p,3,1,1,,,\nAna,p,4,1,1,s1,,\n')
        same({row['name']: row['n'] for row in place.rows('SELECT name, count(*) AS n FROM attempt JOIN learner USING(learner_id) GROUP BY name')},
             {'Ana': 4, 'Ben': 2, 'Cleo': 2})
        status, output, errors = load(place, head + 'Ana,p,5,1,1,,,s2\nBen,p,5,1,1,,benny,\n')
        same((status, counts(output)), (1, (1, 0, 1)), 'another external id: another person; another login alone: not told apart')
        holds(errors, 'another login')
        same(place.rows('SELECT count(*) AS n FROM learner')[0]['n'], 4)
        status, output, errors = load(place, HEAD + 'Ana,p,6,1,1\n')
        same((status, counts(output)), (1, (0, 0, 1)), 'two are called Ana')
        holds(errors, 'several learners')
        whole(place)


def nothing_in_between():
    """Killed at any moment, or with no room: all of the file, or nothing of it."""
    text = HEAD + ''.join('L%d,p,q%d,%d,1\n' % (i % 40, i // 40, i % 2) for i in range(4000))
    with drive.Place() as place:
        load(place, six())
        path = place.write('many.csv', text)
        r = random.Random(1)
        seen = set()
        begun = time.monotonic()
        place.run('store', 'load', path, '--store', place.path('timed.db'))
        span = time.monotonic() - begun
        for _ in range(12):
            process = subprocess.Popen([drive.PROGRAM, 'store', 'load', path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=place.environment)
            try:
                process.wait(r.uniform(0, span))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            count = place.rows('SELECT count(*) AS n FROM attempt')[0]['n']
            check(count in (24, 4024), 'all or nothing', count)
            seen.add(count)
        whole(place)
        same(counts(place.run('store', 'load', path)[1])[2], 0)
        same(place.rows('SELECT count(*) AS n FROM attempt')[0]['n'], 4024)
    with drive.Place() as place:
        load(place, six())
        path = place.write('many.csv', text)
        before = log(place)

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
        status, output, errors = place.run('store', 'load', path, preexec_fn=little_room)
        same((status, output), (1, ''), 'no room')
        check(errors.startswith('quiztutor: '), errors)
        same(log(place), before)
        whole(place)
        # a store that can't be written
        same(place.run('store', 'load', path, '--store', '/proc/nothing/store.db')[0], 1)


def erased():
    """Who was erased does not come in again by the same file."""
    with drive.Place() as place:
        load(place, six())
        same(place.run('learner', 'erase', 'B', '--yes')[0], 0)
        status, output, errors = load(place, six())
        same((status, counts(output)), (1, (0, 20, 4)))
        same(errors.count('"B" was erased here'), 4)


def unknown_questions():
    """A question that its pack does not have is taken, and told once, with the line and what is near."""
    with drive.Place() as place:
        place.write('content/p.yaml', 'format: quiztutor/1\nid: p\ntitle: T\nquestions:\n- {id: tensor, prompt: Q?, true_false: true, explanation: E}\n')
        status, output, errors = load(place, HEAD + 'A,p,tensor,1,1\nA,p,tenser,1,1\nB,p,tenser,0,1\nB,p,zz9,0,1\nB,other,zz9,0,1\n')
        same((status, counts(output)), (0, (5, 0, 0)), errors)
        path = place.path('results.csv')
        same([line for line in errors.splitlines() if 'new learner' not in line],
             ['quiztutor: %s:3: warning: the pack p has no question "tenser"; taken as it stands; did you mean "tensor"?' % path,
              'quiztutor: %s:5: warning: the pack p has no question "zz9"; taken as it stands' % path])


def many():
    """100,000 rows, in seconds, and in memory that does not grow with what the store holds."""
    r, rows = random.Random(3), drive.slice_of(100000)
    text = HEAD + ''.join('L%d,p%d,q%d,%s,1\n' % (r.randrange(300), r.randrange(5), r.randrange(40), r.choice(('0', '1', '0.5', ''))) for _ in range(rows))
    with drive.Place() as place:
        path = place.write('many.csv', text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        same(counts(place.run('store', 'load', path, timeout=280)[1]), (rows, 0, 0))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print('%d rows: %.1f s of processor time, %d MB' % (rows, used, after.ru_maxrss // 1024))
        whole(place)
        same(counts(place.run('store', 'load', path, timeout=280)[1]), (0, rows, 0))


if __name__ == '__main__':
    import sys
    for test in (unknown_questions, ordinary, ids_are_of_the_cells, outcomes, columns, heads, names, round_trip, matching, nothing_in_between, erased) if len(sys.argv) < 2 else (many,):
        test()
    drive.finish()
