"""test_days.py QUIZTUTOR CLOCK: where days begin, nights that are an hour longer or shorter, travel, clocks that are set
wrong, backlogs, `schedule trace`: the program against a second opinion on learning, moment by moment.
"""
import contextlib
import datetime
import json
import random
import sqlite3
import sys

import drive
import learner
import oracle
import test_learning
import timeline
from drive import check, same


def fixed(place, name, zone, begin, questions=6, **settings):
    """A world with one pack, in which nothing but time is left to chance."""
    world = test_learning.World(1, place, zone, begin)
    world.where, world.new_per_day, world.starts, world.retention = name, 20, 240, 0.9
    for key, value in settings.items():
        setattr(world, key, value)
    world.settings()
    world.packs = [{'id': 'days', 'questions': [
        {'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E', 'true_false': i % 2 == 0, 'tags': ['t%d' % (i % 3)]}
        for i in range(questions)]}]
    world.write(world.packs[0])
    return world


def practise(world, where, *arguments, answers=10 ** 9, wrong=(), moves=None):
    """A session of right answers but to `wrong`; moves: {number of answers: what then happens to the clock}."""
    where = world.where + ' ' + where
    known = world.known().get('Ana', {})
    plan = world.plan(world.packs, 1, known)
    talk = drive.Talk(world.place, '--learner', 'Ana', '--seed', '1', *arguments, 'days')
    event, given = talk.until('question', 'summary'), 0
    while event['event'] == 'question':
        if given >= answers:
            talk.say(':finish')
        else:
            world.time.go(1000)
            if moves and given in moves:
                moves[given]()
            question = [one for one in world.packs[0]['questions'] if one['id'] == event['question']][0]
            right = question['true_false'] != (event['question'] in wrong and not event['again'])
            talk.say('true' if right else 'false')
            given += 1
        event = talk.until('question', 'summary')
    status, errors = talk.end()
    same(status, 0, where, errors)
    if not arguments:
        same(talk.events[0]['questions'], len(plan.first + plan.due + plan.fresh), where, 'how many')
        world.check_plan(talk, plan, plan.first + plan.due + plan.fresh, where)
    world.compare(where)
    for row in world.schedules().values():
        check(row['interval_days'] >= 0 and row['due_day'] >= row['last_day'] and row['stability'] > 0, where, row)
    return talk, errors, plan


def asked(talk):
    return [event['question'] for event in talk.results()]


# ---- where a day begins ----------------------------------------------------------------------------------------------------

def at_four():
    with drive.Place() as place:
        world = fixed(place, 'a day begins at four:', 'Europe/Berlin', '2024-05-10 22:00', 9, new_per_day=3)
        talk, _, _ = practise(world, '22:00')
        same(asked(talk), ['q0', 'q1', 'q2'], 'three new ones')
        world.time.local('2024-05-11 03:59')
        talk, _, plan = practise(world, '03:59')
        same((sorted(asked(talk)), plan.fresh), (['q0', 'q1', 'q2'], []), '03:59: still the same day, no more new ones')
        days = {row['question_id']: row['last_day'] for row in world.schedules().values()}
        same(set(days.values()), {learner.local_day(world.time.wall, 7200)}, 'the day before')
        world.time.local('2024-05-11 04:01')
        talk, _, plan = practise(world, '04:01')
        same(plan.fresh, [('days', 'q3'), ('days', 'q4'), ('days', 'q5')], '04:01: three more')
    with drive.Place() as place:
        # two answers two minutes apart, on two days: the second is a day after the first
        world = fixed(place, 'across four:', 'Europe/Berlin', '2024-05-11 03:50', 1)
        practise(world, '03:50')
        world.time.local('2024-05-11 04:01')
        practise(world, '04:01')
        row, = world.schedules().values()
        same((row['last_day'], row['phase']), (learner.local_day(world.time.moment('2024-05-11 12:00'), 7200), 2), 'next day')
        expected = learner.Memory().next(*learner.Memory().first(3), 3, 1)
        check(test_learning.near(row['stability'], expected[0]), 'a day went by', row['stability'], expected)


def nights():
    """The nights on which daylight saving begins and ends, with days that begin at 4:00, and within the odd hour."""
    spring = ['2024-03-30 03:58', '2024-03-30 23:30', '2024-03-31 01:58', '2024-03-31 03:01', '2024-03-31 03:58',
              '2024-03-31 04:02', '2024-03-31 12:00', '2024-04-01 03:58', '2024-04-01 04:02']
    autumn = ['2024-10-26 23:30', '2024-10-27 02:20', ('2024-10-27 02:45', 0), ('2024-10-27 02:10', 1),
              ('2024-10-27 02:45', 1), '2024-10-27 03:58', '2024-10-27 04:02', '2024-10-28 03:58', '2024-10-28 04:02']
    for name, moments in (('spring:', spring), ('autumn:', autumn)):
        for starts in (240, 150):
            with drive.Place() as place:
                world = fixed(place, 'night of %s days from %d' % (name, starts), 'Europe/Berlin', '2024-01-01 12:00', 12,
                              new_per_day=4, starts=starts)
                before = None
                for moment in moments:
                    moment, fold = moment if isinstance(moment, tuple) else (moment, 0)
                    world.time.local(moment, fold)
                    _, errors, _ = practise(world, '%s/%d' % (moment, fold), wrong=('q1', 'q4'))
                    same([line for line in errors.splitlines() if 'new learner' not in line], [], moment, 'nothing to warn of')
                    rows = world.schedules()
                    for key, row in (before or {}).items():
                        check(rows[key]['last_day'] >= row['last_day'], moment, 'no day goes back', key)
                    before = rows


def travel():
    for name, there, moments in (
            ('to Japan', 'Asia/Tokyo', ('2024-05-10 20:00', '2024-05-11 09:00')),
            ('to Hawaii', 'Pacific/Honolulu', ('2024-05-10 20:00', '2024-05-10 11:00')),
            ('over the date line', 'Pacific/Kiritimati', ('2024-05-10 20:00', '2024-05-12 03:30'))):
        with drive.Place() as place:
            world = fixed(place, name, 'Europe/Berlin', moments[0])
            practise(world, 'before')
            before = world.schedules()
            world.time.travel(there)
            at = world.time.moment(moments[1])
            if at > world.time.wall:
                world.time.local(moments[1])
            else:
                world.time.go(15 * timeline.MINUTE)
            _, errors, _ = practise(world, 'after', answers=3, wrong=('q1',))
            same(errors, '', name, 'nothing to warn of')
            after = world.schedules()
            changed = [key for key in after if after[key] != before[key]]
            same(len(changed), min(3, len(changed)), name, 'only what was answered')
            offsets = place.rows('SELECT DISTINCT utc_offset_s AS o FROM attempt')
            same(len(offsets), 2, name, 'each answer keeps its own offset')
            world.time.go(3 * timeline.DAY)
            world.time.travel('Europe/Berlin')
            practise(world, 'home again')
            test_learning.rebuild(world, name)


def warnings(errors):
    return [line for line in errors.splitlines() if 'new learner' not in line]


def odd_clocks():
    day = timeline.DAY
    for name, before, inside, expected in (
            ('a day back between sessions', -day, None, (0, 0)),  # it is still after all answers
            ('three days back between sessions', -3 * day, None, (1, 0)),
            ('ten days back between sessions', -10 * day, None, (1, 0)),
            ('a clock that lost its battery', -(19850 * day), None, (1, 0)),
            ('a century ahead between sessions', 36524 * day, None, (0, 0)),
            ('half an hour back', -30 * timeline.MINUTE, None, (0, 0)),
            ('a week forward between sessions', 7 * day, None, (0, 0)),
            ('a day back in a session', 0, -day, (1, 0)),
            ('a week forward in a session', 0, 7 * day, (1, 0)),
            ('a week forward in a session, then right', 0, (7 * day, -7 * day), (None, 1))):
        with drive.Place() as place:
            world = fixed(place, name + ':', 'Europe/Berlin', '2024-05-10 12:00', 8)
            practise(world, 'first', wrong=('q2',))
            world.time.go(26 * timeline.HOUR)
            practise(world, 'second', wrong=('q3',))
            world.time.go(26 * timeline.HOUR)
            world.time.set(before)
            count = len(place.rows('SELECT 1 FROM attempt'))
            first = inside[0] if isinstance(inside, tuple) else inside
            moves = {2: lambda: world.time.set(first)} if first else None
            talk, errors, _ = practise(world, 'then', '--mode', 'all', wrong=('q4',), moves=moves)
            if expected[0] is not None:
                same(len(warnings(errors)), expected[0], name, 'warnings', errors)
            if isinstance(inside, tuple):
                world.time.set(inside[1])
            count += len(talk.results())
            world.time.go(timeline.HOUR)
            talk, errors, _ = practise(world, 'and later', '--mode', 'all')
            same(len(warnings(errors)), expected[1], name, 'warnings in the next session', errors)
            same(len(place.rows('SELECT 1 FROM attempt')), count + len(talk.results()), name, 'nothing lost')
            test_learning.rebuild(world, name)
            if before < 0:
                world.time.set(-before)  # right again
            world.time.go(1000 * day)
            talk, _, plan = practise(world, 'in the end')
            same(len(plan.due), 8, name, 'all due in the end')


# ---- backlogs ---------------------------------------------------------------------------------------------------------------

def backlog():
    with drive.Place() as place:
        world = fixed(place, 'a backlog:', 'UTC', '2024-05-10 08:00', 270, new_per_day=300)
        practise(world, 'all new')
        world.time.go(15 * timeline.MINUTE)
        talk, _, _ = practise(world, 'the steps')
        same(talk.events[0]['questions'], 200, 'two hundred at most')
        talk, _, _ = practise(world, 'the steps, the rest')
        world.time.local('2024-08-01 08:00')
        talk, _, plan = practise(world, 'far later', answers=60)
        same((talk.events[0]['questions'], talk.events[0]['waiting']), (200, 70), 'a backlog is spread')
        talk, _, _ = practise(world, 'the same day')
        same((talk.events[0]['questions'], talk.events[0]['waiting']), (140, 70), 'what is left of the day')
        talk, _, _ = practise(world, 'enough for today')
        same((talk.events[0]['questions'], talk.events[0]['waiting']), (0, 70), 'enough for today')
        world.time.local('2024-08-02 04:00')
        talk, _, plan = practise(world, 'the day after')
        same(set(asked(talk)) >= {key[1] for key in plan.due}, True, 'the rest on the day after')
        check(len(plan.due) >= 70, len(plan.due))


def large():
    """A pack of which not everything is looked at: the plan is the same."""
    with drive.Place() as place:
        world = fixed(place, 'large:', 'UTC', '2024-05-10 08:00', 5200, new_per_day=260)
        for i in range(4):
            practise(world, 'day %d' % i, answers=300 if i == 0 else 40, wrong=('q3', 'q8'))
            world.time.go(2 * timeline.DAY + timeline.HOUR)
        practise(world, 'a backlog', answers=25)
        world.time.go(20 * timeline.MINUTE)
        practise(world, 'the same day', answers=3)
        known = world.known()['Ana']
        due = sorted(key for key, one in known.items() if one.schedule.due(world.time.wall, world.time.day()))
        for _, question in due[:2]:
            one = [one for one in world.packs[0]['questions'] if one['id'] == question][0]
            one['true_false'] = not one['true_false']
        world.write(world.packs[0])
        _, _, plan = practise(world, 'keys overturned', answers=5)
        same(len(plan.first), 2, 'large: overturned')


def elsewhere():
    """Two sessions at once of one learner: whatever was taken back, every schedule is what the log says."""
    r = random.Random(3)
    with drive.Place() as place:
        world = fixed(place, 'two at once:', 'UTC', '2024-05-10 08:00', 6)
        for day in range(12):
            talks = [drive.Talk(place, '--learner', 'Ana', '--mode', 'all', '--seed', str(seed), 'days') for seed in (1, 7)]
            for talk in talks:
                talk.until('question')
            for _ in range(25):
                talk = r.choice(talks)
                if talk.events[-1]['event'] == 'summary':
                    continue
                world.time.go(r.choice((2000, 90000)))
                talk.say(r.choice(('true', 'false', 'true', 'false', ':undo', ':skip', ':star', ':suspend')))
                talk.until('question', 'summary', 'unreadable', 'starred', 'suspended')
                world.compare('two at once, day %d' % day)
            for talk in talks:
                same(talk.end()[0], 0, 'two at once')
            world.time.go(r.randint(1, 6) * timeline.DAY)
        test_learning.rebuild(world, 'two at once')


# ---- what won't stay --------------------------------------------------------------------------------------------------------

def leeches():
    """Help is offered at the eighth time a question is forgotten, and at every fourth after."""
    with drive.Place() as place:
        world = fixed(place, 'a leech:', 'UTC', '2024-05-10 08:00', 1)
        lapses, offered = 0, {}
        practise(world, 'new')
        world.time.go(15 * timeline.MINUTE)
        practise(world, 'a step')
        while lapses < 21:
            row, = world.schedules().values()
            world.time.go(max(1, row['due_day'] - world.time.day()) * timeline.DAY)
            talk, _, plan = practise(world, 'forgotten', wrong=('q0',))
            lapses += 1
            same([event['outcome'] for event in talk.results()], ['wrong', 'right'], 'a leech')
            offered.update({(lapses, event['outcome']): event['lapses'] for event in talk.results() if event['lapses']})
        same(offered, {(count, 'wrong'): count for count in (8, 12, 16, 20)}, 'when help is offered')
        same(world.known()['Ana'][('days', 'q0')].schedule.lapses, lapses, 'lapses')


# ---- planning towards a day, and settings that change -------------------------------------------------------------------------

def until():
    for questions, limit, answered, days in ((30, 20, 0, 10), (30, 2, 0, 10), (100, 20, 40, 7), (12, 5, 12, 30), (9, 20, 3, 1),
                                             (23, 20, 5, 4), (50, 3, 9, 60)):
        with drive.Place() as place:
            world = fixed(place, 'until:', 'Europe/Berlin', '2024-05-10 08:00', questions, new_per_day=limit)
            if answered:
                practise(world, 'before', '--mode', 'all', answers=answered, wrong=('q1', 'q5'))
                world.time.go(26 * timeline.HOUR)
                practise(world, 'before', answers=4)
                world.time.go(26 * timeline.HOUR)
            known = world.known().get('Ana', {})
            today = world.time.day()
            date = datetime.date(1970, 1, 1) + datetime.timedelta(days=today + days)
            talk, errors, _ = practise(world, 'until', '--until', str(date), answers=0)
            expected = learner.until(world.packs, 1, known, today, today + days, lambda pack: world.rules_of(None, pack), limit)
            got = talk.events[0].get('until') or {}
            remembered = expected.pop('remembered')
            same({key: got.get(key) for key in expected}, expected, 'until', questions, limit, answered, days, got)
            check(test_learning.near(got.get('remembered', 0), remembered), 'remembered', got, remembered)
            started = sum(1 for one in known.values() if one.times and one.times[0] >= learner.day_began(
                world.time.wall, 7200, 240))
            same(talk.events[0]['new'], min(max(0, expected['new_a_day'] - started), questions - len(known)),
                 'until: new ones today', questions, limit, answered, days)
    with drive.Place() as place:
        world = fixed(place, 'until:', 'Europe/Berlin', '2024-05-10 08:00')
        for bad in ('2024-05-09', '2024-02-30', 'tomorrow', '2024-5-20', ''):
            status, output, errors = place.run('practise', '--jsonl', '--until', bad, 'days')
            check(status in (1, 2) and output == '' and errors.startswith('quiztutor: '), 'until', bad, status, output, errors)


def changed_settings():
    with drive.Place() as place:
        world = fixed(place, 'settings:', 'Europe/Berlin', '2024-05-10 08:00', 12)
        for _ in range(4):
            practise(world, 'before', wrong=('q1', 'q7'))
            world.time.go(49 * timeline.HOUR)
        for retention, by_pack, starts in ((0.8, {}, 240), (0.8, {'days': 0.97}, 240), (0.7, {}, 60), (0.9, {}, 600)):
            world.retention, world.by_pack, world.starts, world.rules = retention, by_pack, starts, {}
            world.settings()
            before = world.schedules()
            status, output, errors = place.run('store', 'rebuild', '--json')
            same((status, errors), (0, ''), 'rebuild')
            report, after = json.loads(output), world.schedules()
            same(report['different'], 0, 'rebuild: not different', report)
            world.compare('rebuilt with %g %s %d' % (retention, by_pack, starts))
            moved = sum(1 for key in after if after[key]['due_day'] != before[key]['due_day'])
            check(starts != 240 or report['moved'] == moved, 'rebuild: moved', report, moved)
            practise(world, 'after %g %d' % (retention, starts))
            world.time.go(49 * timeline.HOUR)
        # what is no longer as the log says is found, and mended
        right = world.schedules()
        for harm in ('UPDATE schedule SET stability = stability * 1.001 WHERE question_id = \'q3\'',
                     'DELETE FROM schedule WHERE question_id = \'q3\'',
                     'UPDATE schedule SET suspended = 1 WHERE question_id = \'q3\'',
                     'UPDATE schedule SET question_id = \'q99\' WHERE question_id = \'q3\'',
                     'UPDATE schedule SET due_day = due_day + 1'):
            with contextlib.closing(sqlite3.connect(place.store)) as connection, connection:
                connection.execute(harm)
            report = json.loads(place.run('store', 'rebuild', '--json')[1])
            check(report['different'] >= 1 and report['first'], harm, report)
            same(world.schedules(), right, harm)


def fitted():
    """Once parameters are fitted, the schedules of whom they are for are made with them, and nobody else's."""
    with drive.Place() as place:
        world = fixed(place, 'fitted:', 'UTC', '2024-05-10 08:00', 30, new_per_day=40)
        for day in range(6):
            practise(world, 'day %d' % day, '--mode', 'all', wrong=('q%d' % day, 'q%d' % (day + 7)) if day < 2 else ())
            world.time.go((3 + 9 * day) * timeline.DAY)
        place.run('practise', '--jsonl', '--learner', 'Bea', 'days', input='true\n' * 20)
        before = {key: row for key, row in world.schedules().items()}
        status, said, errors = place.run('schedule', 'fit', '--learner', 'Ana')
        same(status, 0, 'fit', said, errors)
        kept = place.rows('SELECT learner_id, weights FROM parameters')
        if not same(len(kept), 1, 'fit: parameters kept', said):
            return
        weights = json.loads(kept[0]['weights'])
        same(len(weights), 21, 'fit: parameters')
        ana = learner.Rules(learner.Memory(weights))
        everyone = learner.Rules()
        world.rules_of = lambda who, pack: ana if who in (None, kept[0]['learner_id']) else everyone
        world.compare('fitted')
        after = world.schedules()
        for key, row in before.items():
            same(after[key] == row, key[0] != kept[0]['learner_id'], 'fit: only Ana\'s schedules change', key)
        world.time.go(15 * timeline.DAY)
        practise(world, 'after the fit')
        test_learning.rebuild(world, 'fitted')


# ---- a trace -----------------------------------------------------------------------------------------------------------------

def traces(rounds=150):
    r = random.Random(7)
    with drive.Place() as place:
        for k in range(rounds):
            history = [(r.randint(1, 4), r.choice((0, 0, 1, r.randint(1, 20), r.randint(1, 1000))))
                       for _ in range(r.choice((1, 2, 5, 12, 40)))]
            status, output, errors = place.run('schedule', 'trace', '--json', *['%d@%d' % step for step in history])
            same(status, 0, 'trace', history, errors)
            got, expected = json.loads(output), learner.trace(history)
            if not same(len(got), len(history), 'trace', history):
                continue
            for one, other in zip(got, expected):
                fine = one['interval'] == other['interval'] and all(
                    one[name] == other[name] or test_learning.near(one[name], other[name])
                    for name in ('stability', 'difficulty', 'retrievability'))
                check(fine, 'trace', history, one, other)
        for bad in ('5@0', '0@1', '3@-1', '3@x', '3@', '@3', '3', '3@1.5', '3@99999999999999999999', '', '3@0 3@2', '33@1',
                    '3@1@1', '+3@1', '3@ 1', '3@0x1'):
            status, output, errors = place.run('schedule', 'trace', bad)
            same((status, output), (2, ''), 'trace', repr(bad), errors)
            check(errors.startswith('quiztutor: '), 'trace', repr(bad), errors)
        same(place.run('schedule', 'trace')[0], 2, 'trace of nothing')


def main():
    check(timeline.works(), 'the clock does not reach the program')
    for part in (at_four, nights, travel, odd_clocks, backlog, large, elsewhere, leeches, until, changed_settings, fitted, traces):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part()
    drive.finish()


if __name__ == '__main__':
    main()
