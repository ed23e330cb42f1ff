"""test_kiosk_state.py QUIZTUTOR KIOSK_STATE MANUAL: what monitoring is told of a kiosk that runs, stands still, is full, damaged, gone,
locked or busy, and that being asked changes nothing."""
import contextlib
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import time

import drive
from drive import check, holds, same

STATE, MANUAL = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
PACK = '''format: quiztutor/1
id: p
title: P
questions:
  - id: q1
    prompt: One?
    choices: [{correct: yes1}, no1]
    explanation: E1
'''
NOBODY = 65534


def begin(answered=True):
    place = drive.Place()
    os.chmod(place.root, 0o755)
    os.mkdir(place.path('kiosk'), 0o700)
    place.store = place.environment['QUIZTUTOR_STORE'] = place.path('kiosk', 'store.db')
    pack = place.write('content/p.yaml', PACK)
    place.write('kiosk.yaml', 'format: quiztutor-kiosk/1\nstore: %s\ncontent: %s\n' % (place.store, os.path.dirname(pack)))
    if answered:
        status, _, errors = place.run('practise', '--jsonl', '--learner', 'Ann', 'p', input='1\n')
        same(status, 0, errors)
    return place


def ask(place, what='status', json_wanted=True, config=None, **more):
    """Status and what was said, as an object where it is JSON."""
    command = [STATE, config or place.path('kiosk.yaml'), what] + ['--json'] * json_wanted
    done = subprocess.run(command, capture_output=True, timeout=60, env=place.environment, stdin=subprocess.DEVNULL, **more)
    same(done.stderr, b'')
    text = done.stdout.decode()
    return done.returncode, json.loads(text) if json_wanted else text


@contextlib.contextmanager
def kiosk(place, how='run'):
    """A run on the store, ended in order."""
    with subprocess.Popen([STATE, place.store, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=place.environment) as process:
        same(process.stdout.readline(), b'up\n')
        yield process
        process.stdin.close()


def said(answer, level):
    return ' | '.join(problem['text'] for problem in answer['problems'] if problem['level'] == level)


def files(place):
    """All that lies around the store, but for what SQLite keeps in memory shared between who has it open."""
    found = {}
    for folder, _, names in os.walk(place.root):
        for name in names:
            if not name.endswith('-shm'):
                with open(os.path.join(folder, name), 'rb') as file:
                    found[os.path.join(folder, name)] = (hashlib.sha256(file.read()).hexdigest(), os.stat(file.fileno()).st_mtime_ns)
    return found


def test_running(place):
    with kiosk(place):
        before = files(place)
        status, answer = ask(place)
        same(files(place), before)
    same(status, 0, answer)
    same((answer['status'], answer['code'], answer['problems']), ('ok', 0, []))
    same((answer['running'], answer['waiting'], answer['unclean_exits'], answer['unclean_at']), (True, 0, 0, None))
    same(answer['damage'], {'checked': 'whole', 'found': None, 'set_aside': 0})
    same(answer['packs'], [{'id': 'p', 'sha256': hashlib.sha256(PACK.encode()).hexdigest(), 'practice': True}])
    same(answer['last_attempt_at'], place.rows('SELECT max(answered_at) AS at FROM attempt')[0]['at'])
    same(answer['schema'], place.rows('PRAGMA user_version')[0]['user_version'])
    with open('/proc/sys/kernel/random/boot_id') as file:
        same(answer['boot_id'], file.read().strip())
    disk = os.statvfs(place.path('kiosk'))
    check(abs(answer['free_bytes'] - disk.f_bavail * disk.f_bsize) < 100_000_000, answer['free_bytes'])
    same(answer['version'], place.run('--version')[1].split()[1])
    same(answer['second_log_bytes'], os.path.getsize(place.store + '-attempts'))
    check(answer['reserve'] and answer['store_bytes'] >= os.path.getsize(place.store))


def test_words(place):
    with kiosk(place):
        status, text = ask(place, json_wanted=False)
        same((status, text.splitlines()[0]), (0, 'OK: the kiosk runs'))
        holds(text, 'Newest answer')
    status, text = ask(place, json_wanted=False)
    same((status, text.splitlines()[0]), (2, 'CRITICAL: the kiosk does not run'))


def test_stopped(place):
    with kiosk(place):
        pass
    before = files(place)
    status, answer = ask(place)
    same((status, answer['running'], said(answer, 'critical')), (2, False, 'the kiosk does not run'))
    same(files(place), before)
    same(answer['unclean_exits'], 0)


def test_killed(place):
    """A run that was killed counts as one that ended without warning, before and after the next one notices it."""
    with kiosk(place) as process:
        process.kill()
        process.wait()
    status, answer = ask(place)
    same((status, answer['running'], answer['unclean_exits']), (2, False, 1))
    holds(said(answer, 'warning'), 'without warning')
    with kiosk(place):
        status, answer = ask(place)
        same((status, answer['running'], answer['unclean_exits']), (1, True, 1))
    check(abs(answer['unclean_at'] - time.time() * 1000) < 60000)


def test_writing(place):
    """While another process writes all the time, answers come, and the writer goes on."""
    with kiosk(place, 'write'):
        count = 'SELECT count(*) AS n FROM event'
        first = place.rows(count)[0]['n']
        for _ in range(5):
            status, answer = ask(place)
            same((status, answer['running'], answer['damage']['checked']), (0, True, 'whole'), answer)
        check(place.rows(count)[0]['n'] > first)
    same(place.run('store', 'check')[0], 0)


def test_missing(place):
    status, answer = ask(place)
    same((status, answer['schema'], answer['running'], answer['damage']['checked']), (2, None, None, 'not'))
    holds(said(answer, 'critical'), 'there is no store yet; start the kiosk')
    place.write('kiosk/store.db-attempts', '')
    holds(said(ask(place)[1], 'critical'), 'the store is gone; start the kiosk')
    check(not os.path.exists(place.store))


def test_config(place):
    status, answer = ask(place, config=place.path('none.yaml'))
    same((status, answer['packs'], answer['store']), (2, None, None))
    holds(said(answer, 'critical'), 'no such file')
    odd = os.fsencode(place.path()) + b'/\xff\x1b.yaml'
    same(ask(place, config=odd)[1]['config'], place.path() + '/\\xff\\x1b.yaml')
    place.write('kiosk.yaml', 'format: quiztutor-kiosk/1\nidel: 4\n')
    status, answer = ask(place)
    same(status, 2)
    holds(said(answer, 'critical'), 'kiosk.yaml:2:1')
    place.write('kiosk.yaml', 'format: quiztutor-kiosk/1\nstore: %s\ncontent: %s\n' % (place.store, place.path('content')))
    place.write('content/bad.yaml', 'format: quiztutor/1\nid: bad\n')
    with kiosk(place):
        status, answer = ask(place)
    same((status, answer['packs'], answer['running']), (2, None, True))
    holds(said(answer, 'critical'), 'bad.yaml')


def test_damaged(place):
    """Bytes in the middle, the head, and a file that is none: critical, said in words, and left as it is."""
    place.run('store', 'rebuild')
    with contextlib.closing(sqlite3.connect(place.store)) as connection:
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        connection.execute('PRAGMA journal_mode = DELETE')
    with open(place.store, 'rb') as file:
        whole = file.read()
    pages = [whole[at:at + 4096] for at in range(0, len(whole), 4096)]
    inner = next(place for place, page in enumerate(pages) if place > 1 and page[0] in (10, 13) and any(page[100:]))
    for damaged in (whole[:inner * 4096] + b'\xa5' * 4096 + whole[inner * 4096 + 4096:], whole[:8000], b'SQLite format 4\0' + whole[16:], b'x' * 5000):
        with open(place.store, 'wb') as file:
            file.write(damaged)
        before = files(place)
        status, answer = ask(place)
        same((status, answer['code']), (2, 2))
        check('damaged' in said(answer, 'critical') or 'not a quiztutor store' in said(answer, 'critical'), answer['problems'])
        check(answer['damage']['found'], answer['damage'])
        same(files(place), before)


def test_aside(place):
    for name in 'store.db-damaged-20261130T101010Z', 'store.db-damaged-20261130T101010Z-wal':
        place.write('kiosk/' + name, 'x')
    with kiosk(place):
        status, answer = ask(place)
    same((status, answer['damage']['set_aside']), (1, 1))
    holds(said(answer, 'warning'), '1 damaged store was set aside: store.db-damaged-20261130T101010Z')


def test_locked(place):
    """Another program holds the whole file: how the store is doing is not known, which is told after some seconds."""
    with contextlib.closing(sqlite3.connect(place.store, isolation_level=None)) as connection:
        connection.execute('PRAGMA locking_mode = EXCLUSIVE')
        connection.execute('BEGIN EXCLUSIVE')
        began = time.monotonic()
        status, answer = ask(place)
        check(time.monotonic() - began < 20)
    same((status, answer['status'], answer['running'], answer['damage']['checked']), (3, 'unknown', None, 'not'), answer['problems'])
    check(said(answer, 'unknown'), answer)


def test_users(place):
    """As the kiosk's user it says the same as to root; to anybody else that it is not known."""
    if os.geteuid() != 0:
        return
    with kiosk(place):
        pass
    for folder, _, names in os.walk(place.path('kiosk')):
        for name in [folder] + [os.path.join(folder, name) for name in names]:
            os.chown(name, NOBODY, NOBODY)
    status, own = ask(place, user=NOBODY, group=NOBODY, extra_groups=[])
    same((status, own['running'], own['damage']['checked']), (2, False, 'whole'))
    status, roots = ask(place)
    same({name: value for name, value in roots.items() if name != 'free_bytes'}, {name: value for name, value in own.items() if name != 'free_bytes'})
    for folder, _, names in os.walk(place.path('kiosk')): # what root looked at, the kiosk can still use
        same([name for name in names if os.stat(os.path.join(folder, name)).st_uid != NOBODY], [])
    status, other = ask(place, user=NOBODY - 1, group=NOBODY - 1, extra_groups=[])
    same((status, other['running'], other['schema']), (3, None, None), other)
    os.chmod(place.path('kiosk.yaml'), 0o640)
    status, other = ask(place, user=NOBODY - 1, group=NOBODY - 1, extra_groups=[])
    same((status, said(other, 'unknown')), (3, "the configuration can't be read by this user"), other)


def test_full(place):
    """A disk without room for anything more; only where a small one can be mounted."""
    script = '''mount -t tmpfs -o size=2m,mode=700 none "$1/kiosk" || exit 77
"$2" "$1/kiosk/store.db" run </dev/null >/dev/null || exit 76
rm -f "$1/kiosk/store.db-shm"
cat /dev/zero >"$1/kiosk/filler" 2>/dev/null
"$2" "$1/kiosk.yaml" status --json'''
    done = subprocess.run(['unshare', '-rm', 'sh', '-c', script, 'sh', place.root, STATE], capture_output=True, timeout=60, env=place.environment)
    if done.returncode in (1, 77):
        print('no disk could be mounted:', done.stderr.decode().strip())
        return
    same((done.returncode, done.stderr), (2, b''))
    answer = json.loads(done.stdout)
    check('full' in said(answer, 'critical'), answer['problems'])
    check(answer['free_bytes'] < 4_000_000)


def test_check(place):
    """The other look, by its exit status and JSON."""
    status, answer = ask(place, 'check')
    rows = {row['name']: row for row in answer['checks']}
    same(len(rows), len(answer['checks']))
    same(status, 1 if answer['bad'] else 0)
    same(answer['bad'], sum(row['state'] in ('bad', 'unknown') for row in rows.values()))
    same((rows['config']['state'], rows['packs']['state'], rows['store']['state'], rows['clock']['state']), ('good',) * 4)
    for name, file, fine in ('sysrq', 'kernel/sysrq', ('0',)), ('dmesg', 'kernel/dmesg_restrict', ('1',)), ('suid-dumpable', 'fs/suid_dumpable', ('0',)):
        try:
            with open('/proc/sys/' + file) as text:
                same(rows[name]['state'], 'good' if text.read().strip() in fine else 'bad', name)
        except OSError:
            check(rows[name]['state'] in ('apart', 'unknown'), rows[name])
    status, text = ask(place, 'check', json_wanted=False)
    for row in rows.values():
        check(row['state'] != 'bad' or row['todo'], row)
        holds(' '.join(text.split()), ' '.join(row['found'].split())[:40])


def manual(section):
    """Words of a section's lists, in their order."""
    with open(MANUAL) as file:
        text = file.read().split('.Sh ' + section + '\n')[1].split('.Sh ')[0]
    return [word for line in text.splitlines() if line.startswith('.It Cm ') for word in line[7:].split(' , ')]


def test_manual(place):
    """What the manual lists is what there is."""
    same(manual('CHECKING A MACHINE'), [row['name'] for row in ask(place, 'check')[1]['checks']])
    same(sorted(manual('MONITORING')), sorted(ask(place)[1]))


def main():
    for name, test in list(globals().items()):
        if name.startswith('test_'):
            with begin(answered=name != 'test_missing') as place:
                test(place)
    drive.finish()


main()
