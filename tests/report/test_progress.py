"""`report progress`: each figure against what Python reckons from the raw rows; what is predicted, from the kept
stabilities by the published formula."""
import datetime
import time
import unittest

from world import (BODIES, CAN_SHOW, DAY, GUESS, NAMES, NOBODY, ONE, ORPHAN, RESPONSES, RIGHT, World, choose, close, groups,
                   wilson)

USES = {'first': 'first_try_share', 'last': 'last_try_share', 'best': 'best_try_share', 'all': 'all_tries_share'}
WORLDS = [(11, 'UTC', '04:00'), (12, 'Asia/Tokyo', '00:00'), (13, 'America/Los_Angeles', '05:15')]
W20 = 0.1542  # FSRS-6, the published defaults


def date(day):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def moment(text):
    return None if text is None else round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def recall(stability, days):
    factor = .9 ** (-1 / W20) - 1
    return (1 + factor * max(0, days) / stability) ** -W20


def mastered(row, key):
    return row['phase'] == 2 and row['stability'] >= 21 and row['run'] >= 1 and GUESS[key] ** row['run'] <= .05


class Progress(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.worlds = [World(*about) for about in WORLDS]
        for world in cls.worlds:
            status, _, error = world.fill(sessions=12)
            assert status == 0, error

    offsets = {}  # of a world's learner

    @classmethod
    def tearDownClass(cls):
        for world in cls.worlds:
            world.remove()

    def kept(self, world, name):
        return {(row['pack_id'], row['question_id']): row for row in world.rows(
            'SELECT schedule.* FROM schedule JOIN learner USING(learner_id) WHERE name = ? AND counted > 0', name)}

    def figures(self, world, line, rows, use, kept):
        """One line of the table of packs and topics, or the facts."""
        works = groups(rows, 'key')
        tries = [row for of in works.values() for row in choose(of, use)]
        share = USES[use]
        right = sum(row['outcome'] == 'right' for row in tries)
        self.assertEqual(line['seen'], len(works))
        self.assertTrue(close(line[share], right / len(tries) if tries else None))
        if tries:
            low, high = wilson(right, len(tries))
            self.assertTrue(close(line[share + '_low'], low) and close(line[share + '_high'], high))
        else:
            self.assertIn(share, line['not_available'])
        self.assertEqual(line['mastered'], sum(mastered(kept[key], key) for (key,) in works))
        graded = [kept[key] for (key,) in works if kept[key]['phase'] > 0]
        today = self.today(world, rows[0]['learner'] if rows else None)
        mean = (sum(recall(row['stability'], today - row['last_day']) for row in graded) / len(graded)
                if graded else None)
        self.assertTrue(close(line['predicted_recall'], mean), (line['predicted_recall'], mean))
        self.assertTrue(close(line['minutes'], sum(row['elapsed'] for row in rows) / 60000))

    def check(self, world, name, arguments=(), wanted=lambda row: True, use='first'):
        report = world.json('progress', '--learner', name, *arguments)
        rows = [row for row in world.log()[0] if row['learner'] == name and wanted(row)]
        kept = self.kept(world, name)
        self.figures(world, report, rows, use, kept)
        self.assertEqual(report['sessions'], len({row['session'] for row in rows}))
        self.assertEqual(moment(report['last_seen']), max((row['at'] for row in rows), default=None))
        self.topics(world, report, rows, use, kept)
        self.misses(report, rows)
        self.misconceptions(report, rows, not arguments)
        self.forecast(world, report, rows, kept)
        self.streak(world, report, name)
        return report, rows

    def topics(self, world, report, rows, use, kept):
        wanted = {}
        for row in rows:
            pack = row['key'][0]
            for topic in [None] + BODIES[row['key']]['tags']:
                wanted.setdefault((pack, topic), []).append(row)
        lines = {(line['pack_id'], line['topic']): line for line in report['topics']}
        self.assertEqual(set(lines), set(wanted))
        for key, line in lines.items():
            self.figures(world, line, wanted[key], use, kept)
            self.assertEqual(line['pack'], 'Lists, "quotes" & <b>' if key[0] == 'lists' else key[0])
        # in a pack the pack itself comes first, then the weakest topic
        for pack in {key[0] for key in wanted}:
            of = [line for line in report['topics'] if line['pack_id'] == pack]
            self.assertIsNone(of[0]['topic'])
            shares = [line[USES[use]] for line in of[1:]]
            known = [share for share in shares if share is not None]
            self.assertEqual(known, sorted(known))
            self.assertEqual(shares[:len(known)], known)

    def newest_misses(self, rows):
        missed = [row for row in rows if row['outcome'] in ('wrong', 'partly') and not row['voided']]
        return sorted(missed, key=lambda row: (-row['at'], -row['seq']))

    def misses(self, report, rows):
        missed = self.newest_misses(rows)[:20]
        self.assertEqual(len(report['misses']), len(missed))
        for line, row in zip(report['misses'], missed):
            response = next((r for r in RESPONSES[row['key']] if r[0] == row['response']), (None, '', '', 0, []))
            self.assertEqual((line['pack_id'], line['question']), row['key'])
            self.assertEqual(moment(line['at']), row['at'])
            self.assertEqual(line['answered'] or '', response[1])
            self.assertEqual(line['right_answer'], RIGHT[row['key']])
            self.assertEqual(line['prompt'], BODIES[row['key']]['prompt'].replace('\n', ' '))
            # what is shown follows from what was answered, whatever the newest grading says of it
            self.assertEqual(line['misconceptions'] or '', ', '.join(response[4]))

    def misconceptions(self, report, rows, told):
        newest_is = 'told' if told else 'outcome'  # the summaries know newest answers as they were marked then
        newest = {key: max(of, key=lambda row: row['seq']) for (key,), of in groups(rows, 'key').items()}
        wanted = {}
        for row in self.newest_misses(rows):
            for tag in next((r[4] for r in RESPONSES[row['key']] if r[0] == row['response']), []):
                right = any(last[newest_is] == 'right' and last['at'] > row['at'] and
                            (key == row['key'] or tag in CAN_SHOW[key]) for key, last in newest.items())
                times, put, questions = wanted.setdefault(tag, (0, 0, set()))
                wanted[tag] = (times + 1, put + right, questions | {row['key']})
        self.assertEqual({line['misconception']: (line['times'], line['put_right'], line['questions'])
                          for line in report['misconceptions']},
                         {tag: (times, put, len(questions)) for tag, (times, put, questions) in wanted.items()})

    def forecast(self, world, report, rows, kept):
        today, due = self.today(world, report['learner']), [0] * 14
        for key in {row['key'] for row in rows}:
            row = kept[key]
            if row['phase'] > 0 and not row['suspended'] and row['due_day'] < today + 14:
                due[max(0, row['due_day'] - today)] += 1
        chart = next(chart for chart in report['charts'] if chart['name'] == 'forecast')
        self.assertEqual(chart['values'], due)
        self.assertEqual(chart['labels'], [date(today + ahead) for ahead in range(14)])

    def streak(self, world, report, name):
        days = sorted({row['day'] for row in world.log()[0] if row['learner'] == name and row['outcome'] != 'omitted'})
        runs, today = [], self.today(world, report['learner'])
        for day in days:
            runs = runs[:-1] + [runs[-1] + [day]] if runs and runs[-1][-1] == day - 1 else runs + [[day]]
        self.assertEqual(report['longest_streak'], max(map(len, runs), default=0))
        self.assertEqual(report['streak'], max((len(run) for run in runs if run[-1] >= today - 1), default=0))

    def today(self, world, name):
        """Where the learner answered last, whatever is asked for."""
        if (world.store, name) not in self.offsets:
            rows = [row for row in world.log()[0] if row['learner'] == name]
            self.offsets[world.store, name] = max(rows, key=lambda row: row['at'])['offset'] if rows else None
        offset = self.offsets[world.store, name]
        return world.today() if offset is None else world.day(round(time.time() * 1000), offset)

    def weeks(self, world, report, rows, use):
        """Weeks from Monday; 1970-01-05 was one."""
        last = (self.today(world, report['learner']) + 3) // 7
        chart = next((chart for chart in report['charts'] if chart['name'] == 'weeks'), None)
        if not rows:
            self.assertIsNone(chart)
            return
        tries = [row for of in groups(rows, 'key').values() for row in choose(of, use)]
        self.assertEqual(chart['labels'][-1], date(last * 7 - 3))
        self.assertLessEqual(len(chart['values']), 12)
        first = last - len(chart['values']) + 1
        for place, value in enumerate(chart['values']):
            of = [row for row in tries if (row['day'] + 3) // 7 == first + place]
            share = sum(row['outcome'] == 'right' for row in of) / len(of) if of else None
            self.assertTrue(close(value, share), (place, value, share))

    def test_by_summaries(self):
        for world in self.worlds:
            for name in NAMES + [ONE]:
                with self.subTest(zone=world.environment['TZ'], learner=name):
                    report, rows = self.check(world, name)
                    self.weeks(world, report, rows, 'first')

    def test_by_the_log(self):
        for world in self.worlds:
            for name in NAMES:
                for use in USES:
                    report, rows = self.check(world, name, ['--since', '2000-01-01', '--attempts', use], use=use)
                    self.weeks(world, report, rows, use)
                self.check(world, name, ['--pack', 'lists'], lambda row: row['key'][0] == 'lists')
                self.check(world, name, ['--session', 'exam'], lambda row: row['kind'] == 'exam')
                self.check(world, name, ['--tag', 'facts'], lambda row: 'facts' in BODIES[row['key']]['tags'])
                days = sorted({row['day'] for row in world.log()[0] if row['learner'] == name})
                first, last = days[len(days) // 3], days[-1]
                self.check(world, name, ['--since', date(first), '--until', date(last)],
                           lambda row: first <= row['day'] <= last)

    def test_taken_back(self):
        """The same count by the summaries and by the log."""
        for world in self.worlds:
            for name in NAMES[:3]:
                count = world.rows("SELECT count(DISTINCT attempt.attempt_id) AS n FROM attempt JOIN learner USING(learner_id)"
                                   " JOIN event ON event.attempt_id = attempt.attempt_id AND event.kind = 'undone'"
                                   " WHERE name = ?", name)[0]['n']
                for more in [], ['--since', '2000-01-01']:
                    self.assertEqual(world.json('progress', '--learner', name, *more)['undone'], count)

    def test_one_answer(self):
        report, rows = self.check(self.worlds[0], ONE)
        self.assertEqual((report['seen'], len(report['misses'])), (1, 0))
        notes = '\n'.join(report['notes'])
        self.assertIn('1 attempt of 1 learner', notes)
        self.assertIn('1 question in 1 revision', notes)

    def test_none(self):
        world = self.worlds[0]
        report = world.json('progress', '--learner', NOBODY)
        self.assertEqual((report['seen'], report['mastered'], report['streak'], report['topics']), (0, 0, 0, []))
        for key in 'last_seen', 'first_try_share', 'predicted_recall', 'weakest_topics':
            self.assertIsNone(report[key])
            self.assertIn(key, report['not_available'])
        for to in 'text', 'csv', 'html':
            self.assertNotIn('nan', world.report('progress', '--learner', NOBODY, '--to', to).lower())

    def test_weakest(self):
        """Named are topics of three tries or more that are below the learner's whole."""
        for world in self.worlds:
            for name in NAMES:
                report = world.json('progress', '--learner', name)
                tries = {(line['pack_id'], line['topic']): line['right'] + line['partly'] + line['wrong'] +
                         line['omitted'] for line in report['topics']}
                weak = [line for line in report['topics'] if line['topic'] and
                        tries[line['pack_id'], line['topic']] >= 3 and
                        line['first_try_share'] < report['first_try_share']]
                weak.sort(key=lambda line: (line['first_try_share'], -tries[line['pack_id'], line['topic']], line['topic']))
                self.assertEqual(report['weakest_topics'] or '', ', '.join(line['topic'] for line in weak[:3]))


if __name__ == '__main__':
    unittest.main()
