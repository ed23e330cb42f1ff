"""test_fit.py QUIZTUTOR: `schedule fit` on logs of simulated learners: whose answers it takes, what it keeps and when, the
figures it tells against a second reckoning, and being stopped."""
import contextlib
import json
import math
import os
import pty
import random
import select
import signal
import sqlite3
import subprocess
import sys
import termios
import time
import uuid

import drive
import oracle
from drive import check, holds, same

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'unit', 'scoring'))
import fit_figures  # noqa: E402

DAY = 86400000
PACK = {'id': 'short', 'questions': [
    {'id': 'first', 'prompt': 'P?', 'explanation': 'E', 'true_false': True},
    {'id': 'second', 'prompt': 'P?', 'explanation': 'E', 'true_false': True}]}


def lives(weights, questions, answers, seed):
    """Histories of (grade, days, ms) by somebody who remembers by these weights."""
    draw = random.Random(seed)
    for _ in range(questions):
        day, memory, history = 19000 + draw.randrange(60), None, []
        for i in range(answers):
            days = 0
            if i and history[-1][0] != 1:
                days = max(1, min(400, round(memory[0] * draw.uniform(0.3, 2))))
            recall = fit_figures.retrievability(weights, days, memory[0]) if memory else 0.6
            best = 4 if days or not i else 3  # Easy takes a day's first answer
            grade = 1 if draw.random() >= recall else draw.choice((2, 3, 3, 3, 3, best))
            day += days
            memory = fit_figures.step(weights, memory, grade, days)
            history.append((grade, days, day * DAY + 12 * 3600000 + i * 60000))
        yield history


def store(place, learner, histories):
    """Puts them into the log of a learner who is there, as attempts of the session that they have."""
    outcomes = {1: ('wrong', None), 2: ('partly', None), 3: ('right', None), 4: ('right', 3)}
    with contextlib.closing(sqlite3.connect(place.store)) as connection:
        who, session, device = connection.execute(
            'SELECT learner_id, session_id, session.device_id FROM session JOIN learner USING(learner_id) WHERE name = ?',
            (learner,)).fetchone()
        seq = connection.execute('SELECT next_seq FROM meta').fetchone()[0]
        answers = [(at, number, i, grade) for number, history in enumerate(histories)
                   for i, (grade, _, at) in enumerate(history)]
        for at, number, _, grade in sorted(answers):
            outcome, certainty = outcomes[grade]
            connection.execute(
                'INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id, revision,'
                ' seed, response, outcome, mark, marks, certainty, answered_at, utc_offset_s, origin)'
                " VALUES(?, ?, ?, ?, ?, 'made', ?, '0123456789abcdef', 2, 'true', ?, 0, 1, ?, ?, 0, 'jsonl')",
                (seq, uuid.uuid4().bytes, session, who, device, 'q%d' % number, outcome, certainty, at))
            seq += 1
        connection.execute('UPDATE meta SET next_seq = ?', (seq,))
        connection.commit()
    same(place.run('store', 'rebuild')[0], 0, 'rebuilt')


def meet(place, *learners):
    """Each answers one question, so that the store knows them."""
    name = place.write('content/short.yaml', oracle.pack_yaml(PACK))
    for learner in learners:
        status, _, errors = place.run('practise', '--jsonl', '--limit', '1', '--learner', learner, name, input='t\n')
        same(status, 0, learner, errors)


def test_nothing(place):
    status, output, errors = place.run('schedule', 'fit')
    same((status, output), (1, ''), 'no store')
    holds(errors, place.store, 'no store')
    same(os.path.exists(place.store), False, 'no store is made')
    meet(place, 'Ana', 'Ben')
    status, output, errors = place.run('schedule', 'fit')
    same((status, errors), (0, ''), 'no usable answer')
    holds(output, '0 usable answers, and a fit needs 64: nothing was changed.', 'none')
    holds(output, 'at least a day after', 'what counts')
    status, output, _ = place.run('schedule', 'fit', '--json', '--learner', 'Ana')
    same((status, json.loads(output)), (0, {'learner': 'Ana', 'usable': 0, 'needed': 64, 'kept': False}), 'as JSON')
    status, output, errors = place.run('schedule', 'fit', '--learner', 'Anna')
    same((status, output), (1, ''), 'an unknown learner')
    holds(errors, 'did you mean "Ana"?', 'the nearest name')
    status, _, errors = place.run('schedule', 'fit', 'Ana')
    same(status, 2, 'an argument too many', errors)
    same(place.rows('SELECT * FROM parameters'), [], 'nothing kept')


def held_out(histories, split):
    return [(history, i) for history in histories for i, (_, days, at) in enumerate(history) if i and days and at >= split]


def log_loss(weights, histories, split):
    _, loss, rmse, auc = fit_figures.figures(weights, histories, split, 2 ** 62)
    return loss, rmse, auc


def test_learner(place):
    ana = list(lives(fit_figures.OTHERS, 260, 12, 1))
    store(place, 'Ana', ana)
    store(place, 'Ben', list(lives(fit_figures.DEFAULTS, 8, 9, 2)))
    usable = sum(1 for history in ana for i, (_, days, _) in enumerate(history) if i and days)
    before = place.rows("SELECT * FROM schedule ORDER BY question_id, learner_id")

    status, output, _ = place.run('schedule', 'fit', '--learner', 'Ben', '--json')
    told = json.loads(output)
    same(status, 0, 'Ben')
    check(0 < told['usable'] < 64 and not told['kept'], 'his answers alone are too few', told)

    status, output, errors = place.run('schedule', 'fit', '--learner', 'Ana', '--json')
    same((status, errors), (0, ''), 'Ana; no progress where standard error is no terminal')
    told = json.loads(output)
    same((told['learner'], told['usable'], told['needed'], told['kept']), ('Ana', usable, 64, True), 'Ana')
    same(told['old']['parameters'], 'default', 'in force before')
    same(told['old']['weights'], fit_figures.DEFAULTS, 'the defaults')
    same(told['held_out'], len(held_out(ana, told['held_out_since'])), 'held out')
    same(told['fitted_to'] + told['held_out'], usable, 'all are one or the other')
    check(abs(told['held_out'] / usable - 0.2) < 0.01, 'a fifth is held out', told['held_out'], usable)
    for key in 'old', 'new':
        for name, figure in zip(('log_loss', 'rmse_bins', 'auc'),
                                log_loss(told[key]['weights'], ana, told['held_out_since'])):
            check(math.isclose(told[key][name], figure, rel_tol=1e-9), key, name, told[key][name], figure)
    truth = log_loss(fit_figures.OTHERS, ana, told['held_out_since'])[0]
    check(truth * 0.98 < told['new']['log_loss'] < truth * 1.03 < told['old']['log_loss'], 'it found who she is', told, truth)

    kept = place.rows('SELECT name, weights, report FROM parameters JOIN learner USING(learner_id)')
    same(len(kept), 1, 'kept')
    same((kept[0]['name'], json.loads(kept[0]['weights'])), ('Ana', told['new']['weights']), 'as told')
    same(json.loads(kept[0]['report']), told, 'with what it was judged by')
    after = place.rows("SELECT * FROM schedule ORDER BY question_id, learner_id")
    name = {row['learner_id']: row['name'] for row in place.rows('SELECT learner_id, name FROM learner')}
    moved = {name[one['learner_id']] for one, other in zip(before, after) if one['stability'] != other['stability']}
    same(moved, {'Ana'}, 'whose schedules were made anew')
    status, output, errors = place.run('store', 'rebuild')
    same((status, place.rows("SELECT * FROM schedule ORDER BY question_id, learner_id")), (0, after), 'and not again')

    rows = place.rows('SELECT * FROM parameters')
    status, output, errors = place.run('schedule', 'fit', '--learner', 'Ana')
    same((status, errors), (0, ''), 'a second time')
    holds(output, 'nothing was changed', 'what is no better')
    holds(output, 'fitted to this learner', 'what was in force')
    same(place.rows('SELECT * FROM parameters'), rows, 'is not kept')


def test_everyone(place):
    """Without --learner, everyone's; the learner of the settings does not matter."""
    place.write('config/quiztutor/config.yaml', 'learner: Ben\n')
    status, output, errors = place.run('schedule', 'fit')
    same((status, errors), (0, ''), 'everyone')
    for part in ('The old parameters are the defaults', 'log loss', 'RMSE(bins)', 'AUC', 'old', 'new', 'kept for everyone',
                 'made anew'):
        holds(output, part, 'everyone')
    table = [line for line in output.splitlines() if line.endswith(' is better')]
    same([line.split()[-3] for line in table], ['lower', 'lower', 'higher'], 'table')
    same(len({line.index(line.split()[-3]) for line in table}), 1, 'aligned', output)
    check(all(len(line) <= 80 for line in output.splitlines()), 'fits 80 columns', output)
    same(place.rows('SELECT count(*) AS n FROM parameters WHERE learner_id = zeroblob(16)'), [{'n': 1}], 'kept')
    status, output, _ = place.run('schedule', 'fit', '--json')
    told = json.loads(output)
    same((told['learner'], told['old']['parameters'], told['kept']), (None, 'everyone', False), 'once more')
    status, output, _ = place.run('schedule', 'fit', '--json', '--store', place.store, '--learner', 'Ana')
    same(json.loads(output)['old']['parameters'], 'own', 'Ana has her own')


def terminal_read(master, into, until, seconds=60):
    """Reads from a terminal until it said something; the other end's end is an end too."""
    end = time.monotonic() + seconds
    while until not in into[0] and time.monotonic() < end:
        if not select.select([master], [], [], 1)[0]:
            continue
        try:
            part = os.read(master, 4096)
        except OSError:
            return
        if not part:
            return
        into[0] += part.decode()


def begin_on_terminal(place, stopped):
    master, slave = pty.openpty()
    if stopped:
        termios.tcflow(slave, termios.TCOOFF)
    process = subprocess.Popen([drive.PROGRAM, 'schedule', 'fit', '--learner', 'Ana'], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, env=place.environment)
    return master, slave, process


def test_terminal(place):
    master, slave, process = begin_on_terminal(place, False)
    output = process.communicate(timeout=60)[0].decode()
    os.close(slave)
    said = ['']
    terminal_read(master, said, 'never said', 5)
    os.close(master)
    same(process.returncode, 0, 'on a terminal')
    holds(output, 'log loss', 'the table on standard output')
    holds(said[0], 'fitting to', 'progress')
    holds(said[0], '100 %', 'up to its end')
    same(said[0].count('\n'), 1, 'one line', said[0])


def test_stop(place):
    """^C: the terminal takes nothing, so the fit stands still at its first word on it; then the signal comes."""
    before = place.rows('SELECT * FROM parameters'), place.rows('SELECT * FROM schedule')
    for number in signal.SIGINT, signal.SIGTERM:
        master, slave, process = begin_on_terminal(place, True)
        opened = lambda: any(os.path.realpath('/proc/%d/fd/%s' % (process.pid, fd)) == os.path.realpath(place.store)
                             for fd in os.listdir('/proc/%d/fd' % process.pid))
        end = time.monotonic() + 60
        while process.poll() is None and not opened() and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(number)
        termios.tcflow(slave, termios.TCOON)
        said = ['']
        terminal_read(master, said, 'nothing was changed')
        output = process.communicate(timeout=60)[0].decode()
        os.close(slave)
        os.close(master)
        same((process.returncode, output), (-number, ''), 'ends as it was told to', said[0])
        holds(said[0], 'quiztutor: stopped: nothing was changed', 'and says so')
        same((place.rows('SELECT * FROM parameters'), place.rows('SELECT * FROM schedule')), before, 'nothing kept')
        same(place.run('store', 'check')[0], 0, 'the store is sound')


if __name__ == '__main__':
    with drive.Place() as shared:
        test_nothing(shared)
        test_learner(shared)
        test_everyone(shared)
        test_terminal(shared)
        test_stop(shared)
    drive.finish()
