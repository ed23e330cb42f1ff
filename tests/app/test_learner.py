"""test_learner.py QUIZTUTOR: the roster by the command line: who is taken in, renamed, made one, erased; backups."""
import csv
import io
import json
import os
import pty
import select
import sqlite3
import stat
import subprocess
import sys
import time

import drive
from drive import check, holds, same

PACK = '''format: quiztutor/1
id: p
title: P
shuffle: none
questions:
  - id: q1
    prompt: One?
    choices: [{correct: yes1}, no1]
    explanation: E1
  - id: q2
    prompt: Two?
    choices: [{correct: yes2}, no2]
    explanation: E2
  - id: q3
    prompt: Name?
    text: {accept: [tensor]}
    explanation: E3
'''
OWN = PACK.replace('id: p\n', 'id: own\n').replace('One?', 'Only hers?')


def answer(place, learner, lines, pack='p.yaml', *more):
    status, out, err = place.run('practise', '--jsonl', '--mode', 'all', '--seed', '1', '--learner', learner, *more,
                                 place.path('content', pack), input=''.join(line + '\n' for line in lines))
    same(status, 0, 'practice of', learner, err)
    return [event for event in drive.json_lines(out) if event['event'] == 'result']


def begin():
    place = drive.Place()
    place.write('content/p.yaml', PACK)
    place.write('content/own.yaml', OWN)
    return place


def listed(place, *more):
    status, out, err = place.run('learner', 'list', '--json', *more)
    same(status, 0, 'list', err)
    return json.loads(out) if status == 0 else []


def find_bytes(words, *paths):
    """Which words stand in which files, as bytes."""
    found = []
    for path in paths:
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data = file.read()
            found += [(word, os.path.basename(path)) for word in words if word.encode() in data]
    return found


def sound(place, what):
    same(place.run('store', 'check')[0], 0, what, 'sound')
    status, out, _ = place.run('store', 'rebuild', '--json')
    same((status, json.loads(out)['different'] if status == 0 else None), (0, 0), what, 'in step')


def roster():
    with begin() as place:
        same(place.run('learner', 'list')[0], 1, 'no store yet')
        text = ('\ufeffplain;external_id;name;group;login;time_factor\r\n'
                'true;E1; Anna  Arendt ;Year 1;anna;1.25\r\n'
                ';E2;"B, ""Ben""";Year 1 ; ben;\r\n'.replace('Year 1 ; ben', 'Year 1;ben') +
                ';;=HYPERLINK("x");;;\r\n'
                '\r\n'
                ';E4;آنا;"Year 2; Labs";;\r\n')
        path = place.write('roster.csv', text)
        status, out, err = place.run('learner', 'add', '--from', path)
        same((status, err), (0, ''), 'a roster with semicolons')
        same(out, '4 learners added\n', 'counted')
        same(place.run('learner', 'add', '--from', path)[1], '4 as before\n', 'twice is once')
        people = {person['name']: person for person in listed(place)}
        same(sorted(people), sorted(['Anna Arendt', 'B, "Ben"', '=HYPERLINK("x")', 'آنا']), 'names')
        anna = people['Anna Arendt']
        same((anna['login'], anna['external_id'], anna['groups'], anna['time_factor'], anna['plain'], anna['last_at']),
             ('anna', 'E1', ['Year 1'], 1.25, True, None), 'all columns')
        same(people['آنا']['groups'], ['Labs', 'Year 2'], 'several groups')
        same([person['name'] for person in listed(place, '--group', 'year 1')], ['Anna Arendt', 'B, "Ben"'], 'by group')
        status, out, err = place.run('learner', 'list', '--group', 'Yaer 1')
        same(status, 1, 'unknown group')
        holds(err, 'Year 1', 'the nearest group')
        # commas, a line in another group, by external id under another name, and lines that are refused
        text = ('name,login,external_id,group,time_factor,plain\n'
                'Anna A.,,E1,Year 2,,no\n'
                'Bad\u202eName,x,,,,\n'
                'Cy,,,,12,\n'
                'Cy,,,,,maybe\n'
                ',,E9,,,\n'
                'Dee,anna,E5,,,\n'
                '"Open,,,,,\n')
        path = place.write('second.csv', text)
        status, out, err = place.run('learner', 'add', '--from', path)
        same(status, 1, 'lines were refused')
        holds(out, '1 changed, 6 lines refused', 'counted')
        same(sorted(int(line[len(path) + 1:].split(':')[0]) for line in err.splitlines()), [3, 4, 5, 6, 7, 8],
             'each by its line', err)
        anna = next(person for person in listed(place) if person['external_id'] == 'E1')
        same((anna['name'], anna['groups'], anna['time_factor'], anna['plain']), ('Anna A.', ['Year 2'], 1.25, False),
             'what is not said stays')
        for text, word in (('name,nmae\nA,B\n', 'nmae'), ('login\n', None), ('', 'empty'), ('name,name\n', 'twice'),
                           ('group\nA\n', 'nobody')):
            status, out, err = place.run('learner', 'add', '--from', place.write('bad.csv', text))
            if word:
                same(status, 1, 'a bad header', text)
                holds(err, word, 'why')
            else:
                same((status, out), (0, 'no learners in it\n'), 'nobody')
        same(place.run('learner', 'add', '--from', place.path('none.csv'))[0], 1, 'no such file')
        same(place.run('learner', 'add')[0], 2, 'whom')
        same(place.run('learner', 'add', 'Eve', '--from', path)[0], 2, 'both')
        same(place.run('learner', 'add', 'Eve', '--mode', 'all')[0], 2, 'no such option')
        same(place.run('learner', 'rename', 'Eve')[0], 2, 'too few')
        same(place.run('learner', 'sing')[0], 2, 'no such part')
        # one by one
        same(place.run('learner', 'add', 'Eve', '--login', 'eve', '--external-id', 'E7', '--group', 'X', '--group', 'Y')[1],
             '1 learner added\n', 'one')
        same(next(person for person in listed(place) if person['login'] == 'eve')['groups'], ['X', 'Y'], 'two groups')
        same(place.run('learner', 'add', 'Eve', '--group', 'Z')[1], '1 changed\n', 'joins')
        status, out, err = place.run('learner', 'add', 'Fay', '--login', 'eve', '--external-id', 'E8')
        same((status, out), (1, ''), 'refused')
        holds(err, 'quiztutor: ', 'why')
        # renamed
        status, out, err = place.run('learner', 'rename', 'eve', '  Eva ')
        same((status, out), (0, 'Eve is now called Eva\n'), 'renamed')
        status, out, err = place.run('learner', 'rename', 'Evi', 'X')
        same(status, 1, 'unknown')
        holds(err, 'Eva', 'nearest')
        place.run('learner', 'add', 'Gil')
        place.run('learner', 'add', 'Hal')
        same(place.run('learner', 'rename', 'gil', 'HAL')[0], 1, "another's name")
        same(len(place.rows('SELECT 1 FROM learner')), 7, 'nobody was lost')
        out = place.run('learner', 'list')[1]
        check(drive.tame(out), 'the list drives no terminal')
        sound(place, 'roster')


def merge():
    with begin() as place:
        first = answer(place, 'Ann', ['1', '2', 'tensor'])
        second = answer(place, 'Anne', ['1', '1', 'x'])
        answer(place, 'Bob', ['2'])
        status, out, err = place.run('learner', 'merge', 'Ann', 'Anne')
        same((status, out), (1, ''), 'asks, and nobody answers')
        holds(err, '--yes', 'how')
        same(len(listed(place)), 3, 'nothing was done')
        for one, other in (('Ann', 'ann'), ('Ann', 'Ame'), ('Zoe', 'Ann')):
            same(place.run('learner', 'merge', one, other, '--yes')[0], 1, one, other)
        status, out, err = place.run('learner', 'merge', 'Ann', 'Anne', '--yes')
        same((status, err), (0, ''), 'merged')
        holds(out, '1 session, %d answers moved' % len(first), 'told')
        same(sorted(person['name'] for person in listed(place)), ['Anne', 'Bob'], 'one of two')
        rows = place.rows('SELECT count(*) AS n, count(DISTINCT learner_id) AS who FROM attempt JOIN learner USING(learner_id)'
                          ' WHERE name = ? AND merged_into IS NULL', 'Anne')
        same((rows[0]['n'], rows[0]['who']), (len(first) + len(second), 1), 'the answers of both')
        counted = place.rows("SELECT question_id, counted FROM schedule JOIN learner USING(learner_id) WHERE name = 'Anne'"
                             " ORDER BY question_id")
        per_question = {}
        for result in first + second:
            per_question[result['question']] = per_question.get(result['question'], 0) + 1
        same({row['question_id']: row['counted'] for row in counted}, per_question, 'schedules of both')
        sound(place, 'merge')
        # the old name goes on meaning the same person
        answer(place, 'Ann', ['1'])
        same(sorted(person['name'] for person in listed(place)), ['Anne', 'Bob'], 'nobody new')
        status, out, err = place.run('report', 'class', '--to', 'json')
        if same(status, 0, 'class', err):
            learners = json.loads(out)['class']
            same(sorted((row['learner'], row['sessions']) for row in learners), [('Anne', 3), ('Bob', 1)], 'class', out[:300])
        # while a session is running it waits
        talk = drive.Talk(place, '--mode', 'all', '--learner', 'Bob', place.path('content/p.yaml'))
        talk.until('question')
        talk.say('1')
        talk.until('result')
        status, out, err = place.run('learner', 'merge', 'Bob', 'Anne', '--yes')
        same(status, 1, 'while Bob practises')
        holds(err, 'Bob', 'who')
        same(place.run('learner', 'erase', 'Bob', '--yes')[0], 1, 'nor erased')
        same(place.run('store', 'restore', place.store)[0], 1, 'nor restored')
        talk.end()
        same(place.run('learner', 'merge', 'Bob', 'Anne', '--yes')[0], 0, 'afterwards')
        sound(place, 'merge of three')


def export():
    with begin() as place:
        place.run('learner', 'add', 'Secret Name', '--login', 'secretlogin', '--external-id', 'SECRETID')
        place.run('learner', 'add', 'Other Name')
        answer(place, 'secretlogin', [':report this is wrong, says Secret Name', '1', '2', 'x'])
        answer(place, 'Other Name', ['1'])
        attempts = list(csv.DictReader(io.StringIO(place.run('report', 'attempts', '--to', 'csv')[1])))
        status, out, err = place.run('learner', 'export')
        same(status, 0, 'export')
        holds(err, 'pseudonym', 'said so')
        rows = list(csv.DictReader(io.StringIO(out)))
        same(list(rows[0]), list(attempts[0]), 'the columns of report attempts')
        same(len(rows), len(attempts), 'all rows')
        check(not any(word in out for word in ('Secret', 'secret', 'SECRET', 'Other', 'this is wrong')), 'no names', out)
        for column in ('attempt', 'session', 'learner', 'learner_id', 'device'):
            check(not {row[column] for row in rows} & {row[column] for row in attempts}, 'no', column)
            same(len({row[column] for row in rows}), len({row[column] for row in attempts}), 'as many', column)
        same([(row['question'], row['outcome'], row['response']) for row in rows],
             [(row['question'], row['outcome'], row['response']) for row in attempts], 'what was answered')
        same(len({(row['learner'], row['learner_id']) for row in rows}), 2, 'one pseudonym each')
        again = list(csv.DictReader(io.StringIO(place.run('learner', 'export')[1])))
        check(not {row['learner'] for row in rows} & {row['learner'] for row in again}, 'others in the next export')
        path = place.path('out.json')
        same(place.run('learner', 'export', '-o', path)[0], 0, 'JSON by the ending')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        check(not any(word in text for word in ('Secret', 'secret', 'SECRET', 'Other')), 'no names in JSON')
        tables = [value for value in json.loads(text).values() if isinstance(value, list) and value and
                  isinstance(value[0], dict) and 'attempt' in value[0]]
        same([len(table) for table in tables], [len(attempts)], 'rows in JSON')
        same(place.run('learner', 'export', '-o', place.path('no/where.csv'))[0], 1, 'an unwritable place')
        same(place.run('learner', 'export', '--to', 'html')[0], 2, 'no such format')
        if os.path.exists('/dev/full'):
            same(place.run('learner', 'export', '-o', '/dev/full')[0], 1, 'a full disk')


WORDS = ('Vera Verloren', 'vera verloren', 'veralogin', 'VERAEXTERNAL', 'her typed answer', 'her report', 'Only hers')


def fill(place):
    """Vera, who must go without a trace, and Bob, who stays."""
    place.run('learner', 'add', 'Vera Verloren', '--login', 'veralogin', '--external-id', 'VERAEXTERNAL', '--group', 'G')
    place.run('learner', 'add', 'Bob', '--group', 'G')
    answer(place, 'veralogin', [':report her report', '1', '2', 'her typed answer'])
    answer(place, 'veralogin', ['1', '1'], 'own.yaml')
    answer(place, 'Bob', ['1', '1'])
    place.run('practise', '--jsonl', '--exam', '--learner', 'veralogin', place.path('content/own.yaml'),
              input='1\n')


def erase():
    with begin() as place:
        fill(place)
        backup, moved = place.path('backup.db'), place.path('moved.db')
        same(place.run('store', 'backup', backup)[0], 0, 'backup')
        same(stat.S_IMODE(os.stat(backup).st_mode), 0o600, 'for its owner alone')
        same(place.run('store', 'backup', moved)[0], 0, 'another')
        os.rename(moved, place.path('elsewhere.db'))
        version = place.store + '-version-2'
        with open(backup, 'rb') as file, open(version, 'wb') as other:
            other.write(file.read())
        before = find_bytes(WORDS, place.store, place.store + '-wal')
        same(sorted({word for word, _ in before}), sorted(WORDS), 'all of it is there')
        bobs = place.rows("SELECT count(*) AS n FROM attempt JOIN learner USING(learner_id) WHERE name = 'Bob'")[0]['n']
        status, out, err = place.run('learner', 'erase', 'Vera Verloren')
        same((status, out), (1, ''), 'asks first')
        same(len(listed(place)), 2, 'nothing was done')
        status, out, err = place.run('learner', 'erase', 'Vera Verlorn', '--yes')
        same(status, 1, 'a wrong name')
        status, out, err = place.run('learner', 'erase', 'Vera Verloren', '--yes')
        same(status, 0, 'erased', err)
        holds(out, backup, 'names the backup')
        holds(out, version, 'and the copy from before a migration')
        holds(err, moved, 'and the one that is gone')
        same(find_bytes(WORDS, place.store, place.store + '-wal', place.store + '-shm', place.store + '-journal'), [],
             'no byte of it')
        same(sorted({word for word, _ in find_bytes(WORDS, backup)}), sorted(WORDS), 'the backup still has it')
        events = place.rows("SELECT body, session_id, attempt_id FROM event WHERE kind = 'erased'")
        check(events and all(event == {'body': None, 'session_id': None, 'attempt_id': None} for event in events),
              'events that tell nothing', events)
        same(place.rows('SELECT count(*) AS n FROM attempt')[0]['n'], bobs, 'the others stay')
        same([row['name'] for row in place.rows('SELECT name FROM learner')], ['Bob'], 'one is left')
        same(place.rows("SELECT count(*) AS n FROM question_text WHERE pack_id = 'own'")[0]['n'], 0, 'nor her questions')
        check(place.rows("SELECT count(*) AS n FROM question_text WHERE pack_id = 'p'")[0]['n'] >= 2, "Bob's stay")
        sound(place, 'erase')
        status, out, err = place.run('learner', 'erase', 'VERA verloren', '--yes')
        same((status, 'was erased before' in out), (0, True), 'once more', err)
        same(place.run('learner', 'erase', 'Vera Verlorn', '--yes')[0], 1, 'a wrong name')
        # what comes in again is refused
        status, out, err = place.run('store', 'restore', backup)
        same(status, 0, 'restored', err)
        holds(out, '1 learner of the backup was erased since', 'told')
        same([person['name'] for person in listed(place)], ['Bob'], 'she is not back')
        same(find_bytes(WORDS, place.store, place.store + '-wal'), [], 'no byte of it is back')
        sound(place, 'restore after erase')
        # a backup once more, with the present store, and all known ones written anew
        same(place.run('store', 'backup', backup)[0], 0, 'renewed')
        same(find_bytes(WORDS, backup), [], 'without her')


def erase_backups():
    with begin() as place:
        fill(place)
        backup = place.path('backup.db')
        place.run('store', 'backup', backup)
        version = place.store + '-version-3'
        with open(backup, 'rb') as file, open(version, 'wb') as other:
            other.write(file.read())
        os.chmod(version, 0o600)
        old_id = place.rows('SELECT store_id FROM meta')[0]['store_id']
        status, out, err = place.run('store', 'restore', backup)
        same(status, 0, 'restored', err)
        kept = out.strip().splitlines()[-1].split(': ')[-1]
        check(os.path.exists(kept), 'what was there is kept', out)
        check(place.rows('SELECT store_id FROM meta')[0]['store_id'] != old_id, 'a store of its own')
        status, out, err = place.run('learner', 'erase', 'veralogin', '--yes', '--backups')
        same((status, err), (0, ''), 'erased')
        same(out.count('written anew'), 3, 'all three', out)
        files = [place.path(name) for name in os.listdir(place.root) if os.path.isfile(place.path(name))]
        same(find_bytes(WORDS, *files), [], 'no byte of it anywhere')
        for path in backup, version, kept:
            same(place.run('store', 'check', '--store', path)[0], 0, path)
            same([row['name'] for row in place.rows('SELECT name FROM learner', store=path)], ['Bob'], path)
            same(stat.S_IMODE(os.stat(path).st_mode), 0o600, path)
        # a backup that can't be written anew is told, and the store is clean all the same
        place.run('learner', 'add', 'Wim')
        os.unlink(backup)
        os.mkdir(backup)
        status, out, err = place.run('learner', 'erase', 'Wim', '--yes', '--backups')
        same(status, 1, 'not all')
        holds(err, backup, 'which')
        same(find_bytes(['Wim'], place.store, place.store + '-wal'), [], 'the store is clean')


def backup_and_restore():
    with begin() as place:
        answer(place, 'Bob', ['1'])
        backup = place.path('b.db')
        talk = drive.Talk(place, '--mode', 'all', '--learner', 'Ann', place.path('content/p.yaml'))
        talk.until('question')
        talk.say('1')
        talk.until('result')
        same(place.run('store', 'backup', backup)[0], 0, 'while it is in use')
        same(len(place.rows('SELECT 1 FROM attempt', store=backup)), 2, 'all that was told')
        check(not os.path.exists(backup + '-wal'), 'in one file')
        status, out, err = place.run('store', 'restore', backup)
        same(status, 1, 'while somebody practises')
        holds(err, 'practising', 'why')
        talk.end()
        for path, what in ((place.write('mine.txt', 'text'), 'no backup'), (place.store, 'the store'),
                           (place.path('no/such/folder.db'), 'no folder'), (place.root, 'a folder')):
            content = open(path, 'rb').read() if os.path.isfile(path) else None
            same(place.run('store', 'backup', path)[0], 1, what)
            if content is not None:
                check(open(path, 'rb').read() == content, what, 'is untouched')
        same(place.run('store', 'backup', backup)[0], 0, 'the same again')
        answer(place, 'Cy', ['1', '1'])
        newer = place.write('newer.db', open(backup, 'rb').read())
        connection = sqlite3.connect(newer)
        connection.execute('PRAGMA user_version = 99')
        connection.close()
        cut = place.write('cut.db', open(backup, 'rb').read()[:20000])
        count = len(place.rows('SELECT 1 FROM attempt'))
        for path, what in ((place.path('none.db'), 'none'), (place.path('mine.txt'), 'no store'), (newer, 'newer'),
                           (cut, 'damaged'), (place.store, 'itself'), (place.root, 'a folder')):
            status, out, err = place.run('store', 'restore', path)
            same((status, out), (1, ''), what)
            check(err.startswith('quiztutor: ') and len(err.splitlines()) == 1, what, err)
            same(len(place.rows('SELECT 1 FROM attempt')), count, what, 'changes nothing')
        same([name for name in os.listdir(place.root) if 'restoring' in name or 'partial' in name], [], 'nothing is left')
        status, out, err = place.run('store', 'restore', backup)
        same(status, 0, 'restored', err)
        same(len(place.rows('SELECT 1 FROM attempt')), 2, 'as it was')
        sound(place, 'restore')
        answer(place, 'Bob', ['2'])
        # a damaged store is kept as it is
        with open(place.store, 'r+b') as file:
            file.seek(100)
            file.write(b'\xff' * 3000)
        same(place.run('store', 'check')[0], 1, 'damaged')
        status, out, err = place.run('store', 'restore', backup)
        same(status, 0, 'restored over a damaged one', err)
        holds(err, 'damaged', 'told')
        same(len(place.rows('SELECT 1 FROM attempt')), 2, 'whole again')
        sound(place, 'restore over damage')
        # where there is none yet
        there = place.path('new.db')
        same(place.run('store', 'restore', backup, '--store', there)[0], 0, 'a new place')
        same(len(place.rows('SELECT 1 FROM attempt', store=there)), 2, 'all of it')


def retention():
    with begin() as place:
        for name in 'Ann', 'Bob':
            answer(place, name, ['1'])
        place.age(800)
        answer(place, 'Bob', ['1'])
        place.run('learner', 'add', 'Never There', '--group', 'A', '--group', 'B')
        place.run('learner', 'add', 'Ann', '--group', 'A', '--group', 'B')
        information = json.loads(place.run('store', 'info', '--json')[1])
        same((information['retain_months'], information['over_retention']), (None, []), 'no such setting')
        for span, names in (('24 months', ['Ann']), ('2 years', ['Ann']), ('27 months', []), ('30 months', [])):
            place.write('config/quiztutor/config.yaml', 'retain: %s\n' % span)
            information = json.loads(place.run('store', 'info', '--json')[1])
            same(information['over_retention'], names, span)
            status, out, _ = place.run('store', 'info')
            check(('learner erase' in out) == bool(names), span, out)
        same(len(listed(place)), 3, 'nobody was erased')
        place.write('config/quiztutor/config.yaml', 'retain: 24\n')
        same(place.run('store', 'info')[0], 1, 'not a span')


def shown_on_terminal(place, wanted, *arguments):
    """What the program writes on a terminal until `wanted` is in it, or it ends."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.clear()
        os.environ.update(place.environment, TERM='xterm-256color')
        os.execv(drive.PROGRAM, [drive.PROGRAM, *arguments])
    text, end = b'', time.monotonic() + 20
    while time.monotonic() < end and wanted not in text:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
    os.close(terminal)
    os.waitpid(child, 0)
    return text


def plain():
    with begin() as place:
        place.write('roster.csv', 'name,plain\nAnn,true\nBob,false\nCy,Large\nDi,huge\n')
        errors = place.run('learner', 'add', '--from', place.path('roster.csv'))[2]
        holds(errors, 'plain is true, false or large', 'refused')
        listed = json.loads(place.run('learner', 'list', '--json')[1])
        same({one['name']: (one['plain'], one['large']) for one in listed},
             {'Ann': (True, False), 'Bob': (False, False), 'Cy': (False, True)}, 'how they read')
        pack = place.path('content/p.yaml')
        text = shown_on_terminal(place, b';17H', 'practise', '--learner', 'cy', '--mode', 'all', pack)
        check(b';17H' in text, 'large on the screens, in short lines', text)
        text = shown_on_terminal(place, b'> ', 'practise', '--learner', 'ann', '--mode', 'all', pack)
        check(b'> ' in text and b'\x1b[' not in text, 'line by line', text)
        text = shown_on_terminal(place, b'all keys', 'practise', '--learner', 'bob', '--mode', 'all', pack)
        check(b'all keys' in text and b';17H' not in text, 'screens', text)


def time_factor():
    with begin() as place:
        place.run('learner', 'add', 'Ann')
        place.write('roster.csv', 'name,time_factor\nAnn,1.5\n')
        same(place.run('learner', 'add', '--from', place.path('roster.csv'))[1], '1 changed\n', 'time factor')
        status, out, err = place.run('practise', '--plain', '--exam', '--minutes', '20', '--learner', 'Ann',
                                     place.path('content/p.yaml'), input='1\n')
        holds(out, '30', 'half as long again')


if __name__ == '__main__':
    for test in (roster, merge, export, erase, erase_backups, backup_and_restore, retention, plain, time_factor):
        test()
    drive.finish()
