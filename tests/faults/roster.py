"""roster.py QUIZTUTOR [ROUNDS]: erasing, restoring and regrading that is killed at any moment, or finds the disk full.

Whatever was killed, the store is whole: with all of the learner, or with none; as it was, or as the backup has it; with all the changes, or none. The
same command once more brings it to its end. Where the disk is full it is told, and nothing half-made stays behind. A
full disk needs a file system of its own, so root; else that part is left out, and this is said.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))
import drive
from drive import check, same

WORDS = (b'Vera Verloren', b'veralogin', b'VERAEXTERNAL', b'typed by her')
PACK = 'format: quiztutor/1\nid: p\ntitle: P\nquestions:\n' + ''.join(
    '  - id: q%d\n    prompt: Q%d?\n    text: {accept: [right]}\n    explanation: %s\n' % (i, i, 'E' * 500)
    for i in range(30))


def prepare(place):
    """A store with Vera and Bob, and a backup of it; copies to start from."""
    pack = place.write('content/p.yaml', PACK)
    place.run('learner', 'add', 'Vera Verloren', '--login', 'veralogin', '--external-id', 'VERAEXTERNAL')
    for name in 'veralogin', 'Bob':
        status, _, err = place.run('practise', '--jsonl', '--mode', 'all', '--limit', '30', '--learner', name, pack,
                                   input='typed by %s\n' % ('her' if name != 'Bob' else 'him') * 60)
        same(status, 0, 'practice', err)
    same(place.run('store', 'backup', place.path('backup.db'))[0], 0, 'backup')
    same(place.run('practise', '--jsonl', '--mode', 'all', '--limit', '1', '--learner', 'Bob', pack, input='x\n')[0], 0)
    os.mkdir(place.path('start'))
    for name in os.listdir(place.root):
        if name.startswith('store.db') or name == 'backup.db':
            shutil.copy(place.path(name), place.path('start', name))


def start_again(place, folder=None):
    folder = folder or place.root
    for name in os.listdir(folder):
        if name.startswith('store.db') or name.startswith('backup.db'):
            os.unlink(os.path.join(folder, name))
    for name in os.listdir(place.path('start')):
        shutil.copy(place.path('start', name), os.path.join(folder, name))


def run_killed(place, seconds, *arguments):
    """Runs for so long, then kills; whether it had ended before."""
    process = subprocess.Popen([drive.PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=place.environment)
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        pass  # a wait of less than a millisecond is what this is about
    process.kill()
    return process.wait() != -signal.SIGKILL


def attempts(place, name, store=None):
    return place.rows('SELECT count(*) AS n FROM attempt JOIN learner USING(learner_id) WHERE name = ?', name,
                      store=store)[0]['n']


def traces(*paths):
    found = []
    for path in paths:
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data = file.read()
            found += [(word, os.path.basename(path)) for word in WORDS if word in data]
    return found


def sound(place, *what):
    status, out, err = place.run('store', 'check')
    same((status, err), (0, ''), *what, 'sound')


def duration(place, *arguments):
    start_again(place)
    begun = time.monotonic()
    same(place.run(*arguments)[0], 0, *arguments)
    return time.monotonic() - begun


def kill_erase(place, rounds, dice):
    arguments = 'learner', 'erase', 'Vera Verloren', '--yes', '--backups'
    whole = duration(place, *arguments)
    seen = {'there': 0, 'gone': 0}
    for number in range(rounds):
        start_again(place)
        hers, his = attempts(place, 'Vera Verloren'), attempts(place, 'Bob')
        run_killed(place, dice.uniform(0, whole * 1.1), *arguments)
        sound(place, 'erase', number)
        left = attempts(place, 'Vera Verloren')
        # a backup that was being written when the program was killed, some time before
        shutil.copy(place.path('start', 'store.db'), place.path('backup.db.partial'))
        seen['gone' if left == 0 else 'there'] += 1
        check(left in (0, hers), 'all or nothing', number, left)
        same(attempts(place, 'Bob'), his, "Bob's", number)
        status, out, err = place.run(*arguments)
        same(status, 0, 'once more', number, err)
        same(traces(place.store, place.store + '-wal', place.store + '-journal'), [], 'no byte of it', number)
        same(traces(place.path('backup.db'), place.path('backup.db.partial')), [], 'nor in the backup', number)
        status, out, _ = place.run('store', 'rebuild', '--json')
        check('"different":0' in out, 'in step', number, out)
    print('erase: killed with all of it there %(there)d times, %(gone)d times with none' % seen)


def kill_restore(place, rounds, dice):
    arguments = 'store', 'restore', place.path('backup.db')
    whole = duration(place, *arguments)
    seen = {'old': 0, 'new': 0}
    for number in range(rounds):
        start_again(place)
        old, new = attempts(place, 'Bob'), attempts(place, 'Bob', store=place.path('backup.db'))
        same(old != new, True, 'they differ')
        run_killed(place, dice.uniform(0, whole * 1.1), *arguments)
        sound(place, 'restore', number)
        now = attempts(place, 'Bob')
        seen['old' if now == old else 'new'] += 1
        check(now in (old, new), 'one or the other', number, now)
        status, out, err = place.run(*arguments)
        same(status, 0, 'once more', number, err)
        same(attempts(place, 'Bob'), new, 'restored', number)
        same([name for name in os.listdir(place.root) if 'restoring' in name], [], 'nothing is left', number)
        sound(place, 'restore at last', number)
    print('restore: killed with the old one %(old)d times, %(new)d times with the new one' % seen)


def regraded(place):
    return place.rows("SELECT count(*) AS n FROM event WHERE kind = 'regraded'")[0]['n']


def kill_regrade(place, rounds, dice):
    """What one of them typed everywhere is right now."""
    pack = place.write('regraded/p.yaml', PACK.replace('accept: [right]', 'accept: [right, typed by him]'))
    arguments = 'regrade', pack, '--apply', '--reason', 'as good'
    whole = duration(place, *arguments)
    many = regraded(place)
    check(many >= 30, 'many changes', many)
    seen = {0: 0, many: 0}
    for number in range(rounds):
        start_again(place)
        run_killed(place, dice.uniform(0.3 * whole, 2 * whole), *arguments)  # its one commit comes late
        sound(place, 'regrade', number)
        now = regraded(place)
        check(now in seen, 'all or nothing', number, now)
        seen[now] = seen.get(now, 0) + 1
        status, out, err = place.run(*arguments)
        same(status, 0, 'once more', number, err)
        same(regraded(place), many, 'each once', number)
        status, out, _ = place.run('store', 'rebuild', '--json')
        check('"different":0' in out, 'in step', number, out)
    print('regrade: killed with none %d times, with all %d times' % (seen[0], seen[many]))
    return arguments


def fill(folder, leave):
    """Fills the disk but for so many bytes."""
    file = os.open(os.path.join(folder, 'filler'), os.O_WRONLY | os.O_CREAT, 0o600)
    size, written = 65536, 0
    while size >= 512:
        try:
            written += os.write(file, b'x' * size)
        except OSError:
            size //= 2
    os.ftruncate(file, max(0, written - leave))
    os.close(file)


def full_disk(place, regrade):
    disk = place.path('disk')
    os.mkdir(disk)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'none', disk], stderr=subprocess.DEVNULL).returncode:
        print('no file system of its own to be had: the full disk is left out')
        return
    place.environment['QUIZTUTOR_STORE'] = place.store = os.path.join(disk, 'store.db')
    backup = os.path.join(disk, 'backup.db')
    for leave in 0, 4096, 20000, 60000, 120000, 250000, 400000, 600000:
        start_again(place, disk)
        place.run('store', 'info')  # with a reserve
        old = attempts(place, 'Bob')
        fill(disk, leave)
        status, out, err = place.run('store', 'backup', os.path.join(disk, 'more.db'))
        check(status == 0 or err.startswith('quiztutor: '), 'backup told', leave, err)
        same(os.path.exists(os.path.join(disk, 'more.db')), status == 0, 'whole or not at all', leave)
        status, out, err = place.run(*regrade)
        now = regraded(place)
        check((status == 0 and now >= 30) or (status == 1 and now == 0 and err.startswith('quiztutor: ')), 'regrade', leave,
              now, err)
        status, out, err = place.run('store', 'restore', backup)
        check(status == 0 or (attempts(place, 'Bob') == old and err.startswith('quiztutor: ')), 'restore', leave, err)
        status, out, err = place.run('learner', 'erase', 'Vera Verloren', '--yes')
        check(status == 0 or err.startswith('quiztutor: '), 'erase', leave, err)
        left = [name for name in os.listdir(disk) if 'restoring' in name or 'partial' in name or 'new-' in name]
        same(left, [], 'nothing half-made', leave)
        os.unlink(os.path.join(disk, 'filler'))
        sound(place, 'full', leave)
        if status:
            again = place.run('learner', 'erase', 'Vera Verloren', '--yes')
            same(again[0], 0, 'with room again', leave, again[2])
        same(traces(place.store, place.store + '-wal'), [], 'no byte of it', leave)
        for name in os.listdir(disk):
            os.unlink(os.path.join(disk, name))
    subprocess.run(['umount', disk], check=True)


def main():
    rounds = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 25)
    dice = random.Random(11)
    with drive.Place() as place:
        prepare(place)
        kill_erase(place, rounds, dice)
        kill_restore(place, rounds, dice)
        full_disk(place, kill_regrade(place, rounds, dice))
    drive.finish()


if __name__ == '__main__':
    if not os.environ.get('ROSTER_OWN_SPACE') and os.geteuid() == 0 and shutil.which('unshare'):
        os.environ['ROSTER_OWN_SPACE'] = '1'
        command = ['unshare', '-m', '--propagation', 'private', sys.executable, '-B', __file__, drive.PROGRAM, *sys.argv[1:]]
        if subprocess.run(command[:4] + ['true'], stderr=subprocess.DEVNULL).returncode == 0:
            os.execvp(command[0], command)
    main()
