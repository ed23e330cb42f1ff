"""test_pin.py QUIZTUTOR: `learner pin` on pipes and on a terminal, and all the places where a PIN must never come up."""
import ctypes
import os
import re
import signal
import sqlite3
import subprocess
import termios

import console
import drive
from drive import check, holds, same

PACK = '''format: quiztutor/1
id: p
title: P
questions:
  - id: q1
    prompt: One?
    choices: [{correct: yes1}, no1]
    explanation: E1
'''
SODIUM = ctypes.CDLL('libsodium.so.23')
PIN, OTHER = 'zebra-2468', 'giraffe-1357'


def begin():
    place = drive.Place()
    place.write('content/p.yaml', PACK)
    for name in 'Ann', 'Bea':
        status, _, errors = place.run('practise', '--jsonl', '--learner', name, 'p', input='1\n')
        same(status, 0, errors)
    return place


def pin(place, *arguments, typed=b'', **more):
    """`learner pin` with bytes on a pipe: status, output, errors."""
    done = subprocess.run([drive.PROGRAM, 'learner', 'pin', *arguments], input=typed, capture_output=True, timeout=60, env=place.environment, **more)
    check(drive.tame(done.stderr.decode()), done.stderr)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def kept(place, name='Ann'):
    rows = place.rows('SELECT kept FROM pin JOIN learner USING(learner_id) WHERE name = ?', name)
    return rows[0]['kept'] if rows else None


def opens(text, typed):
    """By libsodium itself."""
    typed = typed.encode()
    return SODIUM.crypto_pwhash_str_verify(text.encode(), typed, ctypes.c_ulonglong(len(typed))) == 0


def test_pipe(place):
    same(pin(place, 'Ann', typed=b'2468\n'), (0, 'Ann has a new PIN\n', ''))
    check(opens(kept(place), '2468') and not opens(kept(place), '2469'))
    holds(kept(place), '$argon2id$v=19$m=19456,t=2,p=1$')
    before = kept(place)
    for line, why in ((b'', 'nothing came'), (b'\n', 'shorter than 4'), (b'123\n', 'shorter than 4'), (b'\r\n', 'shorter than 4'), (b'1' * 65 + b'\n', 'longer than 64'), (b'2468\0\n', 'control'),
                      (b'24\x1b[A68\n', 'control'), (b'2468\xff\n', 'UTF-8'), (b'7' * 10_000_000, 'longer than 64'),
                      (b'\xc3\xa9' * 5_000_000 + b'\n', 'longer than 64'), (b'\0' * 10_000, 'longer than 64')):
        status, output, errors = pin(place, 'Ann', typed=line)
        same((status, output), (1, ''), line[:20])
        holds(errors, why)
        check('2468' not in errors, errors)
        same(kept(place), before, 'it stays')
    for line, reads in ((b'13579\r\nnot this\n', '13579'), (b'no end', 'no end'), ('cafe\u0301'.encode(), 'caf\u00e9'), (b' spaces ', ' spaces '), (b'5' * 64, '5' * 64)):
        same(pin(place, 'Ann', typed=line)[0], 0)
        check(opens(kept(place), reads), reads)
    same(pin(place, 'Ann', typed=b'2468')[0], 0)
    first = kept(place)
    same(pin(place, 'Bea', typed=b'2468')[0], 0)
    check(kept(place, 'Bea') != first, 'salted')


def test_clear_and_usage(place):
    same(pin(place, 'Ann', '--clear'), (0, 'Ann had no PIN\n', ''))
    pin(place, 'ann', typed=b'2468')
    same(pin(place, 'Ann', '--clear'), (0, 'Ann has no PIN any more\n', ''))
    same(kept(place), None)
    for arguments, status, why in (((), 2, 'NAME, or --code'), (('Ann', 'Bea'), 2, 'takes'), (('Ann', '--code'), 2, 'nobody'), (('--code', '--clear'), 2, 'nobody'),
                                   (('Ann', '--yes'), 2, '--yes'), (('Anne',), 1, 'did you mean "Ann"'), (('../x\x1b[31m',), 1, 'no learner')):
        got, output, errors = pin(place, *arguments, typed=b'2468\n')
        same((got, output), (status, ''), arguments, errors)
        holds(errors, why)
        check('\x1b' not in errors, errors)
    same(place.run('learner', 'list', '--clear')[0], 2)
    same(place.rows('SELECT count(*) AS n FROM pin')[0]['n'], 0)


def test_waits_are_forgotten(place):
    """A PIN that is set anew ends the wait of who forgot it."""
    pin(place, 'Ann', typed=b'2468')
    with sqlite3.connect(place.store) as db:
        db.execute("INSERT INTO pin_try SELECT learner_id, 9, 480000, 0, 0, NULL, NULL FROM learner")
    db.close()
    pin(place, 'Ann', typed=b'1357')
    same(place.rows('SELECT name FROM pin_try JOIN learner ON who = learner_id'), [{'name': 'Bea'}])


def test_code(place):
    status, output, errors = pin(place, '--code', typed=b'opens it\n')
    same((status, errors), (0, ''))
    match = re.fullmatch(r'tutor_code: "(\$argon2id\$[^"]+)"\n', output)
    check(match and opens(match[1], 'opens it'), output)
    status, output, errors = pin(place, '--code', typed=b'opens i\n')
    same((status, output), (1, ''))
    holds(errors, 'shorter than 8')
    same(place.rows('SELECT count(*) AS n FROM pin')[0]['n'], 0)


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def test_terminal(place):
    run = console.Console(place, 'learner', 'pin', 'Ann')
    run.expect('PIN of Ann: ')
    check(not echoes(run.terminal))
    run.type(PIN + '\n')
    run.expect('Once more: ')
    run.type(PIN + '\n')
    shown = run.expect('has a new PIN')
    check(PIN not in shown, shown)
    same(run.end()[0], 0)
    check(opens(kept(place), PIN))
    run = console.Console(place, 'learner', 'pin', 'Ann')
    run.expect('PIN of Ann: ')
    run.type(OTHER + '\n')
    run.expect('Once more: ')
    run.type(OTHER + '!\n')
    shown = run.expect('not the same')
    check(OTHER not in shown, shown)
    same(run.end()[0], 1)
    check(opens(kept(place), PIN), 'it stays')


def test_terminal_ways_out(place):
    """However it ends, the terminal echoes again and nothing has changed."""
    def sent(number):
        return lambda run: os.kill(run.pid, number)

    def typed(text):
        return lambda run: run.type(text)

    for act, ends in ((typed('\x03'), -signal.SIGINT), (sent(signal.SIGTERM), -signal.SIGTERM), (sent(signal.SIGHUP), -signal.SIGHUP), (typed('\x04'), 1)):
        run = console.Console(place, 'learner', 'pin', 'Ann')
        run.expect('PIN of Ann: ')
        act(run)
        same(run.end()[0], ends)
        same(kept(place), None)
    run = console.Console(place, 'learner', 'pin', 'Ann')
    run.expect('PIN of Ann: ')
    run.type('\x1a\x1c' + PIN + '\n')  # neither stops nor aborts: both are characters, and no PIN's
    run.expect('Once more: ')
    run.type('\x1a\x1c' + PIN + '\n')
    run.expect('control characters')
    same(run.end()[0], 1)


def test_echo_is_put_back(place):
    master, slave = os.openpty()
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([drive.PROGRAM, 'learner', 'pin', 'Ann'], stdin=slave, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=place.environment)
            shown = b''
            while b'PIN of Ann' not in shown:
                got = os.read(process.stderr.fileno(), 100)
                if not check(got, 'it ended early'):
                    break
                shown += got
            check(not echoes(slave))
            process.send_signal(number)
            same(process.wait(20), -number)
            check(echoes(slave))
            process.stderr.close()
    finally:
        os.close(master)
        os.close(slave)


def test_never_told(place):
    """No report, export, submission, merge or message holds a PIN or what is kept of one."""
    pin(place, 'Ann', typed=PIN.encode())
    pin(place, 'Bea', typed=OTHER.encode())
    texts = []
    for command in (('learner', 'export', '--to', 'csv'), ('learner', 'export', '--to', 'json'), ('learner', 'list', '--json'), ('learner', 'list'), ('report', 'attempts', '--to', 'csv'),
                    ('report', 'class', '--to', 'json'), ('report', 'progress', '--learner', 'Ann', '--to', 'html'), ('store', 'info', '--json'), ('config',)):
        status, output, errors = place.run(*command)
        same(status, 0, command, errors)
        texts.append(output + errors)
    status, _, errors = place.run('submit', '--learner', 'Ann', '-o', place.path('ann.qts'))
    same(status, 0, errors)
    with open(place.path('ann.qts'), 'rb') as file:
        texts.append(file.read().decode('latin-1'))
    same(place.run('store', 'merge', place.store, place.path('ann.qts'), '--store', place.path('other.db'))[0], 0)
    same(place.rows('SELECT (SELECT count(*) FROM attempt) AS attempts, (SELECT count(*) FROM pin) + (SELECT count(*) FROM pin_try) AS pins', store=place.path('other.db')),
         [{'attempts': 2, 'pins': 0}])
    for name in os.listdir(os.path.dirname(place.store)):  # what was typed is not even in the store
        path = os.path.join(os.path.dirname(place.store), name)
        if os.path.isfile(path):
            with open(path, 'rb') as file:
                found = file.read()
            check(PIN.encode() not in found and OTHER.encode() not in found, name)
    for text in texts:
        for secret in (PIN, OTHER, 'argon2', kept(place)[31:]):
            check(secret not in text, secret, text[:300])


def test_backup_and_erase(place):
    pin(place, 'Ann', typed=PIN.encode())
    same(place.run('store', 'backup', place.path('copy.db'))[0], 0)
    pin(place, 'Ann', '--clear')
    same(place.run('store', 'restore', place.path('copy.db'))[0], 0)
    check(opens(kept(place), PIN))
    mark = kept(place)[31:].encode()
    same(place.run('learner', 'erase', 'Ann', '--yes', '--backups')[0], 0)
    folder = os.path.dirname(place.store)
    for path in [os.path.join(folder, name) for name in os.listdir(folder)] + [place.path('copy.db')]:
        if os.path.isfile(path):
            with open(path, 'rb') as file:
                check(mark not in file.read(), path)


def test_store_that_is_not_there(place):
    status, _, errors = pin(place, 'Ann', '--store', place.path('none.db'), typed=b'2468\n')
    same(status, 1)
    check(not os.path.exists(place.path('none.db')), errors)


def main():
    for test in (test_pipe, test_clear_and_usage, test_waits_are_forgotten, test_code, test_terminal, test_terminal_ways_out, test_echo_is_put_back, test_never_told,
                 test_backup_and_erase, test_store_that_is_not_there):
        with begin() as place:
            test(place)
    drive.finish()


if __name__ == '__main__':
    main()
