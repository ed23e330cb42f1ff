"""`report class`: each figure against what Python reckons from the raw rows, over made-up classes in several zones and
with days that begin at several hours; by the summaries and by the log alike."""
import datetime
import json
import math
import statistics
import time
import unittest

from world import BODIES, NAMES, NOBODY, ONE, DAY, World, choose, close, groups, wilson

USES = {'first': 'first_try_share', 'last': 'last_try_share', 'best': 'best_try_share', 'all': 'all_tries_share'}
WORLDS = [(1, 'UTC', '04:00'), (2, 'Asia/Kolkata', '00:00'), (3, 'America/New_York', '04:00'), (4, 'Europe/Berlin', '06:30')]


def moment(text):
    return None if text is None else round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def offset(seconds):
    return '%s%02d:%02d' % ('-' if seconds < 0 else '+', abs(seconds) // 3600, abs(seconds) // 60 % 60)


def expected(world, rows, use):
    """A learner's line."""
    tries = [row for of in groups(rows, 'key').values() for row in choose(of, use)]
    misses = [sum(not row['voided'] and row['outcome'] in ('wrong', 'partly') for row in of)
              for of in groups(rows, 'key').values()]
    last = max(rows, key=lambda row: row['at']) if rows else None
    right = sum(row['outcome'] == 'right' for row in tries)
    return {
        'last_seen': last and last['at'],
        'sessions': len({row['session'] for row in rows}),
        'questions': len({row['key'] for row in rows}),
        'attempts': len(rows),
        'share': right / len(tries) if tries else None,
        'interval': wilson(right, len(tries)) if tries else (None, None),
        'right': right,
        'partly': sum(row['outcome'] == 'partly' for row in tries),
        'wrong': sum(row['outcome'] == 'wrong' for row in tries),
        'omitted': sum(row['outcome'] == 'omitted' for row in tries),
        'minutes': sum(row['elapsed'] for row in rows) / 60000,
        'stuck': sum(count >= 3 for count in misses),
        'day': last and last['day'],
        'offset': last and last['offset'],
        'tries': len(tries),
    }


class Class(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.worlds = []
        for seed, zone, starts in WORLDS:
            world = World(seed, zone, starts)
            status, out, error = world.fill()
            assert status == 0, error
            cls.worlds.append(world)

    @classmethod
    def tearDownClass(cls):
        for world in cls.worlds:
            world.remove()

    def check(self, world, arguments, wanted, names, use='first', until=None):
        report = world.json('class', *arguments)
        log, _ = world.log()
        by_name = groups([row for row in log if wanted(row)], 'learner')
        lines = {line['learner']: line for line in report['class']}
        self.assertEqual(sorted(lines), sorted(names), arguments)
        figures = {name: expected(world, by_name.get((name,), []), use) for name in names}
        share = USES[use]
        for name, line in lines.items():
            with self.subTest(arguments=arguments, learner=name, zone=world.environment['TZ']):
                figure = figures[name]
                self.assertEqual(moment(line['last_seen']), figure['last_seen'])
                for key in 'sessions', 'questions', 'attempts', 'right', 'partly', 'wrong', 'omitted', 'stuck':
                    self.assertEqual(line[key], figure[key], key)
                self.assertTrue(close(line[share], figure['share']), (line[share], figure['share']))
                for end, value in zip(('_low', '_high'), figure['interval']):
                    self.assertTrue(close(line[share + end], value))
                self.assertTrue(close(line['minutes'], figure['minutes']))
                if figure['share'] is None:
                    self.assertIn(share, line['not_available'])
                if figure['day'] is None:
                    self.assertIsNone(line['quiet'])
                else:
                    self.assertTrue(line['last_seen'].endswith(offset(figure['offset'])), line['last_seen'])
                    today = world.day(round(time.time() * 1000), figure['offset'])
                    self.assertEqual(line['quiet'], min(until if until is not None else today, today) - figure['day'] >= 14)
        order = [figures[line['learner']] for line in report['class']]
        keys = [(figure['share'] is None, figure['share'] or 0, -figure['tries']) for figure in order]
        self.assertEqual(keys, sorted(keys), 'the worst on top')
        self.totals(report, list(figures.values()))
        return report

    def totals(self, report, figures):
        active = [figure for figure in figures if figure['last_seen'] is not None]
        self.assertEqual(report['learners'], len(figures))
        self.assertEqual(report['with_answers'], len(active))
        for key in 'sessions', 'questions', 'attempts':
            self.assertEqual(report['total_' + key], sum(figure[key] for figure in figures))
        tries = sum(figure['tries'] for figure in figures)
        if not tries:
            self.assertIsNone(report['total_share'])
            self.assertIn('total_share', report['not_available'])
            return
        self.assertTrue(close(report['total_share'], sum(figure['right'] for figure in figures) / tries))
        for key in 'sessions', 'questions', 'minutes':
            self.assertTrue(close(report['median_' + key], statistics.median(figure[key] for figure in active)), key)
        shares = [figure['share'] for figure in active if figure['share'] is not None]
        self.assertTrue(close(report['median_share'], statistics.median(shares)))

    def test_by_summaries(self):
        for world in self.worlds:
            everybody = NAMES + [ONE, NOBODY]
            self.check(world, [], lambda row: True, everybody)
            self.check(world, ['--pack', 'lists'], lambda row: row['key'][0] == 'lists', everybody)
            self.check(world, ['--pack', 'gone'], lambda row: row['key'][0] == 'gone', everybody)
            self.check(world, ['--group', 'LAB A'], lambda row: True, NAMES[:4] + [NOBODY])
            self.check(world, ['--group', 'übung', '--pack', 'lists'], lambda row: row['key'][0] == 'lists', NAMES[4:])
            self.check(world, ['--learner', NAMES[2]], lambda row: True, [NAMES[2]])

    def test_by_the_log(self):
        everybody = NAMES + [ONE, NOBODY]
        for world in self.worlds:
            for use in 'last', 'best', 'all':
                self.check(world, ['--attempts', use], lambda row: True, everybody, use)
            for kind in 'practice', 'exam':
                self.check(world, ['--session', kind], lambda row: row['kind'] == kind, everybody)
            self.check(world, ['--session', 'paper'], lambda row: False, everybody)
            self.check(world, ['--revision', 'older'], lambda row: row['revision'] == 'older', everybody)
            self.check(world, ['--tag', 'letters'], lambda row: row['key'][1] in ('pick', 'many', 'order'), everybody)
            self.check(world, ['--tag', 'lost'], lambda row: row['key'][1] == 'orphan', everybody)
            self.check(world, ['--group', 'lab a', '--attempts', 'last'], lambda row: True, NAMES[:4] + [NOBODY], 'last')

    def test_days(self):
        """Local days by each answer's own offset, inclusive, from where days begin."""
        everybody = NAMES + [ONE, NOBODY]
        for world in self.worlds:
            days = sorted({row['day'] for row in world.log()[0]})
            for first, last in (days[1], days[-2]), (days[3], days[3]), (days[-1] + 5, days[-1] + 9), (None, days[4]):
                arguments = ['--until', date(last)] + (['--since', date(first)] if first is not None else [])
                self.check(world, arguments, lambda row: (first is None or row['day'] >= first) and row['day'] <= last,
                           everybody, until=last)

    def test_two_ways_to_the_same(self):
        """The log gives what the summaries give."""
        for world in self.worlds:
            packs = ['--pack', 'gone', '--pack', 'lists']
            self.same(world.json('class'), world.json('class', '--since', '2000-01-01'))
            self.same(world.json('class', *packs), world.json('class', *packs, '--since', '2000-01-01'))

    def same(self, one, other):
            for report in one, other:
                del report['notes']
                for line in report['stuck_at']:
                    del line['last']  # as it was marked then, or is now
                report['stuck_at'].sort(key=lambda line: json.dumps(line, sort_keys=True))
            self.assertEqual(strip(one), strip(other))

    def test_taken_back(self):
        """By learner, group and pack, whether summaries are read or the log."""
        for world in self.worlds:
            with world.open() as db:
                rows = db.execute("SELECT name, pack_id FROM attempt JOIN learner USING(learner_id) WHERE attempt_id IN"
                                  " (SELECT attempt_id FROM event WHERE kind = 'undone')").fetchall()
            for arguments, wanted in ([], lambda name, pack: True), \
                    (['--pack', 'lists'], lambda name, pack: pack == 'lists'), \
                    (['--pack', 'lists', '--pack', 'gone'], lambda name, pack: True), \
                    (['--group', 'lab a'], lambda name, pack: name in NAMES[:4] + [NOBODY]), \
                    (['--group', 'lab a', '--pack', 'gone'], lambda name, pack: pack == 'gone' and name in NAMES[:4]), \
                    (['--learner', NAMES[1]], lambda name, pack: name == NAMES[1]):
                count = sum(wanted(*row) for row in rows)
                for more in [], ['--since', '2000-01-01']:
                    report = world.json('class', *arguments, *more)
                    self.assertEqual(report['total_undone'], count, (arguments, more))
                    self.assertEqual('taken back' in ''.join(report['notes']).replace('those taken back', ''), count > 0)
            self.assertTrue(rows)

    def test_pack_by_pack(self):
        """Each of several packs is as if it were asked for alone; the whole is both together."""
        packs = ['gone', 'lists']
        for world in self.worlds:
            for more in [], ['--since', '2000-01-01'], ['--group', 'LAB A']:
                report = world.json('class', '--pack', 'gone', '--pack', 'lists', '--pack', 'gone', *more)
                whole = world.json('class', *more)
                for line in report['class'] + report['by_pack']:
                    line.pop('not_available', None)
                for line in whole['class']:
                    line.pop('not_available', None)
                self.assertEqual({line['pack'] for line in report['class']}, {None})
                self.assertEqual(strip([{k: v for k, v in line.items() if k != 'pack'} for line in report['class']]),
                                 strip(whole['class']), 'there are no other packs')
                lines = iter(report['by_pack'])
                for pack, totals, medians in zip(packs, report['pack_totals'], report['pack_medians']):
                    alone = world.json('class', '--pack', pack, *more)
                    for line in alone['class']:
                        line.pop('not_available', None)
                        self.assertEqual(strip(next(lines)), strip(dict(line, pack=pack)))
                    self.assertEqual((totals['pack_id'], medians['pack_id']), (pack, pack))
                    self.assertEqual(totals['learners'], alone['with_answers'])
                    for key in 'sessions', 'questions', 'minutes', 'mastery':
                        self.assertTrue(close(totals[key], alone['total_' + key]), key)
                        self.assertTrue(close(medians[key], alone['median_' + key]), key)
                    self.assertTrue(close(totals['first_try_share'], alone['total_share']))
                    self.assertTrue(close(medians['first_try_share'], alone['median_share']))
                    for key in 'stuck_learners', 'quiet_learners':
                        self.assertEqual(totals[key], alone[key])
                self.assertIsNone(next(lines, None))
                self.assertIsNone(report['pack_totals'][-1]['pack_id'])
                self.assertEqual(report['pack_totals'][-1]['sessions'], report['total_sessions'])

    def test_some_packs_of_more(self):
        """A session with two of the packs counts once, also where there is a third."""
        world = World(11)
        self.assertEqual(world.fill()[0], 0)
        with world.open() as db:
            learner, = db.execute('SELECT learner_id FROM learner WHERE name = ?', (ONE,)).fetchone()
            session = world.session(db, learner, 'practice', world.now - DAY, 0)
            row = ('true', None, 'right', 1, ())
            keys = [('first', 'q0'), ('second', 'q1'), ('second', 'q2'), ('third', 'q3'), ('second', 'q4')]
            for number, key in enumerate(keys):
                BODIES[key] = dict(type='true-false', marks=1, prompt='So?', tags=[], truth=True)
                world.text(db, key)
                if number == 4:
                    session = world.session(db, learner, 'practice', world.now - DAY, 0)
                world.attempt(db, learner, session, key, row, world.now - DAY + number, 0)
            db.commit()
        self.assertEqual(world.rebuild()[0], 0)
        for more in [], ['--since', '2000-01-01']:
            report = world.json('class', '--pack', 'second', '--pack', 'first', '--learner', ONE, *more)
            self.assertEqual([(line['sessions'], line['questions']) for line in report['class']], [(2, 4)])
            self.assertEqual([(line['pack'], line['sessions'], line['questions']) for line in report['by_pack']],
                             [('second', 2, 3), ('first', 1, 1)])
        world.remove()

    def test_several_packs_as_text_and_csv(self):
        import csv
        import io
        world = self.worlds[0]
        both = ['--pack', 'lists', '--pack', 'gone']
        rows = list(csv.DictReader(io.StringIO(world.report('class', *both, '--to', 'csv'))))
        report = world.json('class', *both)
        self.assertEqual([(row['pack'], row['questions']) for row in rows],
                         [(line['pack'] or '', str(line['questions'])) for line in report['class'] + report['by_pack']])
        self.assertEqual(world.report('class', '--to', 'csv').splitlines()[0] + ',pack',
                         world.report('class', *both, '--to', 'csv').splitlines()[0])
        self.assertNotRegex(world.report('class'), r'median of (sessions|questions) +\d+\.0', 'counts are whole, or end in .5')
        text, page = world.report('class', *both), world.report('class', *both, '--to', 'html')
        for title in 'All these packs together', 'Totals, pack by pack', 'Medians over learners, pack by pack':
            self.assertIn(title, text)
            self.assertIn(title, page)
        status, out, error = world.run('report', 'class', '--pack', 'lists', '--pack', 'nix', '--to', 'json')
        self.assertEqual((status, out), (1, ''))
        self.assertIn('nix', error)
        for kind in 'items', 'progress', 'misconceptions', 'problems', 'attempts':
            learner = ['--learner', ONE] if kind == 'progress' else []
            one = world.json(kind, *learner, '--pack', 'lists', '--pack', 'gone')
            every = world.json(kind, *learner)
            name = {'items': 'items', 'progress': 'topics'}.get(kind, kind)
            self.assertEqual(len(one[name]), len(every[name]), kind)

    def test_stuck(self):
        for world in self.worlds:
            wanted = []
            for (name, key), of in groups(world.log()[0], 'learner', 'key').items():
                misses = sum(not row['voided'] and row['outcome'] in ('wrong', 'partly') for row in of)
                if misses >= 3:
                    wanted.append((name, *key, misses))
            for arguments in [], ['--since', '2000-01-01']:
                lines = world.json('class', *arguments)['stuck_at']
                self.assertEqual(sorted((line['learner'], line['pack'], line['question'], line['misses'])
                                        for line in lines), sorted(wanted))
                self.assertEqual([line['misses'] for line in lines], sorted((w[3] for w in wanted), reverse=True))
                prompts = {line['prompt'] for line in lines if line['question'] == 'orphan'}
                self.assertLessEqual(prompts, {'Where am I?'})

    def test_notes(self):
        world = self.worlds[0]
        log, undone = world.log()
        learners = len({row['learner'] for row in log})
        notes = '\n'.join(world.json('class', '--since', '2000-01-01')['notes'])
        self.assertIn('first of each learner', notes)
        self.assertIn('%d learners' % learners, notes)
        self.assertIn('%d answers were taken back' % undone, notes)
        self.assertIn(date(min(row['day'] for row in log)), notes)
        self.assertIn('04:00', notes)
        self.assertIn('14 days', notes)
        self.assertRegex(notes, r'\d questions in \d+ revisions')

    def test_unknown(self):
        world = self.worlds[0]
        for option, name, near in ('--group', 'Lab B', 'Lab A'), ('--pack', 'list', 'lists'), \
                ('--learner', 'One Answr', ONE):
            status, out, error = world.run('report', 'class', option, name, '--to', 'json')
            self.assertEqual((status, out), (1, ''), option)
            self.assertIn(near, error)

    def test_written_safely(self):
        world = self.worlds[0]
        csv = world.report('class', '--to', 'csv')
        self.assertIn('"\'=HYPERLINK(""x"")"', csv)
        self.assertIn('"Doe, Jane ""JD"""', csv)
        self.assertIn('ليلى العلي', csv)
        page = world.report('class', '--to', 'html')
        self.assertNotIn('<script>alert', page)
        self.assertIn('&lt;script&gt;alert(1)', page)


def strip(value):
    """Sums in another order may differ in the last digit."""
    if isinstance(value, dict):
        return {key: strip(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [strip(inner) for inner in value]
    return round(value, 9) if isinstance(value, float) else value


def date(day):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


class Empty(unittest.TestCase):
    def test_no_attempts(self):
        world = World(9)
        with world.open() as db:
            for (attempt, session) in db.execute('SELECT attempt_id, session_id FROM attempt').fetchall():
                world.event(db, 'undone', None, world.now, 0, session, attempt)
            db.commit()
        self.assertEqual(world.rebuild()[0], 0)
        for arguments in [], ['--since', '2000-01-01'], ['--attempts', 'all']:
            report = world.json('class', *arguments)
            self.assertEqual([line['learner'] for line in report['class']], [ONE])
            self.assertIsNone(report['total_share'])
            self.assertIsNone(report['median_share'])
            self.assertIsNone(report['class'][0]['last_seen'])
            self.assertEqual(report['class'][0]['attempts'], 0)
            for to in 'text', 'csv', 'html':
                self.assertNotIn('nan', world.report('class', *arguments, '--to', to).lower().replace('lang', ''))
        world.remove()


if __name__ == '__main__':
    unittest.main()
