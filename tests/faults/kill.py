"""kill.py QUIZTUTOR [ROUNDS] [FIRST]: practice killed at random moments loses nothing that was told.

Each round makes a pack and a script of responses from its number, runs it as JSON lines, and sends SIGKILL after a
random time or a random number of bytes of output. Then every attempt that was printed must be in the store, the store
must be whole, and --resume must go on where the log stands, in the order that the oracle of tests/app tells.
"""
import json
import os
import random
import select
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))
import drive
import oracle
import test_conform

ROUNDS_A_STORE = 5  # the first of them may be killed while the store is being made
QUIET = {'question', 'session', 'summary', 'unreadable', 'retry', 'help'}  # events behind which nothing is stored


class Tally:
    rounds = printed = missing = cut = resumed = schedules = 0


def make_script(r):
    """Packs, seed and a script that doesn't finish by itself before everything is asked."""
    while True:
        packs = [test_conform.make_pack(r, 'pack-%d' % i) for i in range(r.choice((1, 2)))]
        script = test_conform.Script(r, packs, r.choice((1, 7, 4294967295, r.randint(2, 4294967295))))
        if len(script.lines) >= 8 and ':finish' not in script.lines and 'q' not in script.lines:
            return packs, script


def run_killed(place, arguments, lines, after_bytes, after_seconds):
    """Runs until so many bytes came or so much time went, then kills. All that was printed before the end."""
    feed = place.write('script', ''.join(line + '\n' for line in lines))
    with open(feed, 'rb') as script:
        process = subprocess.Popen([drive.PROGRAM, *arguments], stdin=script, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=place.environment)
    output, end = b'', time.monotonic() + after_seconds
    while len(output) < after_bytes and (left := end - time.monotonic()) > 0:
        if select.select([process.stdout], [], [], left)[0]:
            part = os.read(process.stdout.fileno(), min(65536, after_bytes - len(output)))
            if not part:
                break
            output += part
    process.kill()
    rest, errors = process.communicate()
    return output + rest, process.returncode, errors.decode('utf-8', 'replace')


def whole_lines(output):
    return drive.json_lines(output[:output.rfind(b'\n') + 1].decode())


def stored_log(place, learner):
    """What the store holds of this learner, in its order: kind, question, identifier."""
    if not os.path.exists(place.store) or not place.rows("SELECT 1 FROM sqlite_schema WHERE name = 'event'"):
        return []  # killed before the store was made
    rows = place.rows(
        'SELECT a.seq AS seq, \'attempt\' AS kind, a.question_id AS question, a.attempt_id AS id FROM attempt a '
        'JOIN learner l ON l.learner_id = a.learner_id WHERE l.name = ?1 '
        'UNION ALL SELECT e.seq, e.kind, NULL, e.event_id FROM event e '
        'JOIN learner l ON l.learner_id = e.learner_id WHERE l.name = ?1 ORDER BY 1', learner)
    return [(row['kind'], row['question'], drive.uuid_text(row['id'])) for row in rows]


def consumed(script, count):
    """How many lines it takes until so much is in the log, and the session as it stands then."""
    session = script.make()
    session.start()
    for i, line in enumerate(script.lines):
        if len(session.log) == count:
            return i, session
        session.feed(line)
    return len(script.lines), session


def go_on(place, arguments, script, at, session, where):
    """The rest of the script, resumed: the events that one process would have gone on with."""
    Tally.resumed += 1
    expected = session.resume()
    known = len(session.attempts)
    for line in script.lines[at:]:
        expected += session.feed(line)
    expected += session.end()
    rest = ''.join(line + '\n' for line in script.lines[at:])
    status, output, errors = place.run(*arguments, '--resume', *names_of(session.packs), input=rest)
    drive.same(status, 0, where, 'resumed', errors)
    got = drive.json_lines(output)
    fresh = [event['attempt'] for event in got if event['event'] == 'result']
    before = [entry[2] for entry in stored_log(place, arguments[-1]) if entry[0] == 'attempt'][:known]
    names = {id(made): name for made, name in zip(session.attempts, before + fresh)}
    test_conform.compare(expected, got, names, where + ' resumed at line %d:' % at)


def names_of(packs):
    return [pack['id'] for pack in packs]


def one(place, k, speed):
    r = random.Random(k)
    packs, script = make_script(r)
    where, learner = 'round %d:' % k, 'learner %d' % k
    for pack in packs:
        place.write('content/%s.yaml' % pack['id'], oracle.pack_yaml(pack))
    arguments = ['practise', '--jsonl', '--learner', learner]
    size = sum(len(str(event)) for event in script.flat())
    by_bytes = r.random() < 0.5
    output, status, errors = run_killed(
        place, ['practise', '--jsonl', '--mode', 'all', '--seed', str(script.session.seed), '--learner', learner,
                *names_of(packs)], script.lines, r.randrange(size) if by_bytes else 1 << 30,
        30.0 if by_bytes else r.random() * speed.seconds * (len(script.lines) + 10))
    drive.check(status in (0, -9), where, 'status', status, errors)
    Tally.rounds += 1
    Tally.cut += status == -9
    printed = whole_lines(output)
    expected = script.flat()
    drive.same([event['event'] for event in printed], [event['event'] for event in expected[:len(printed)]], where,
               'printed before the end')
    log = stored_log(place, learner)
    stored = {entry[2] for entry in log}
    for event in printed:
        if event['event'] == 'result':
            Tally.printed += 1
            if event['attempt'] not in stored:
                Tally.missing += 1
                drive.check(False, where, 'told, but not in the store:', event)
    acted = sum(event['event'] not in QUIET and event.get('hint', '') is not None for event in printed)
    drive.check(acted <= len(log), where, 'acts told', acted, 'stored', len(log))
    at, session = consumed(script, len(log))
    drive.same([entry[0] for entry in log], [entry[0] for entry in session.log], where, 'the log, in order')
    drive.same([entry[1] for entry in log if entry[1]],
               [entry[1].question['id'] for entry in session.log if entry[0] == 'attempt'], where, 'questions in order')
    if log and not session.over and not all(item.standing for item in session.plan):
        go_on(place, arguments, script, at, session, where)


def in_step(place, k):
    """The schedules are as the log says."""
    if not place.rows("SELECT 1 FROM sqlite_schema WHERE name = 'schedule'"):
        return  # killed while the store was being made
    status, output, errors = place.run('store', 'rebuild', '--json')
    drive.same(status, 0, 'round', k, 'rebuild', errors)
    report = json.loads(output)
    drive.same((report['different'], report['moved']), (0, 0), 'round', k, 'schedules', report)
    Tally.schedules += report['questions']


class Speed:
    """Seconds that one response takes here, so that kills fall everywhere in a run."""

    def __init__(self, place):
        r = random.Random(0)
        packs, script = make_script(r)
        for pack in packs:
            place.write('content/%s.yaml' % pack['id'], oracle.pack_yaml(pack))
        begun = time.monotonic()
        place.run('practise', '--jsonl', '--mode', 'all', '--seed', str(script.session.seed), '--learner', 'speed',
                  *names_of(packs), input=''.join(line + '\n' for line in script.lines))
        self.seconds = (time.monotonic() - begun) / (len(script.lines) + 10)


def main():
    rounds = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with drive.Place() as place:
        speed = Speed(place)
    for begin in range(first, first + rounds, ROUNDS_A_STORE):
        with drive.Place() as place:
            for k in range(begin, min(begin + ROUNDS_A_STORE, first + rounds)):
                one(place, k, speed)
                if os.path.exists(place.store):
                    drive.same(place.rows('PRAGMA integrity_check'), [{'integrity_check': 'ok'}], 'round', k, 'integrity')
                    drive.same(place.rows('PRAGMA foreign_key_check'), [], 'round', k, 'foreign keys')
                    in_step(place, k)
    print('%d rounds, %d killed in time, %d resumed; %d attempts printed, %d of them not in the store' %
          (Tally.rounds, Tally.cut, Tally.resumed, Tally.printed, Tally.missing))
    drive.check(Tally.schedules > Tally.rounds, 'schedules compared', Tally.schedules)
    drive.check(Tally.cut * 2 > Tally.rounds, 'most rounds were killed before their end', Tally.cut, Tally.rounds)
    drive.finish()


if __name__ == '__main__':
    main()
