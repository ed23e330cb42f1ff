"""`report misconceptions` and `report problems` against what Python reckons from the raw rows."""
import datetime
import json
import os
import unittest

from world import BODIES, CAN_SHOW, NAMES, RESPONSES, World, choose, groups

WORLDS = [(21, 'UTC', '04:00'), (22, 'Asia/Kolkata', '00:00')]
FIRST_LINES = {'pick': 5, 'many': 10, 'truth': 17, 'number': 23, 'order': 27}


def moment(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def reckon(rows, use):
    """(tag, learner) → times, times put right, whether it is held still, when it was shown last."""
    held = {}
    for (name,), of in groups(rows, 'learner').items():
        shown = {}
        for attempts in groups(of, 'key').values():
            for row in choose(attempts, use):
                if row['outcome'] not in ('wrong', 'partly'):
                    continue
                for tag in next((r[4] for r in RESPONSES[row['key']] if r[0] == row['response']), []):
                    shown.setdefault(tag, []).append(row)
        for tag, occurrences in shown.items():
            def right(row):
                return any(later['outcome'] == 'right' and not later['voided'] and
                           (later['at'], later['seq']) > (row['at'], row['seq']) and
                           (later['key'] == row['key'] or tag in CAN_SHOW[later['key']]) for later in of)
            last = max(occurrences, key=lambda row: (row['at'], row['seq']))
            held[tag, name] = (len(occurrences), sum(map(right, occurrences)), not right(last), last['at'],
                               {row['key'] for row in occurrences})
    return held


class Misconceptions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.worlds = [World(*about) for about in WORLDS]
        for world in cls.worlds:
            status, _, error = world.fill(sessions=10)
            assert status == 0, error

    @classmethod
    def tearDownClass(cls):
        for world in cls.worlds:
            world.remove()

    def check(self, world, arguments=(), wanted=lambda row: True, use='first'):
        report = world.json('misconceptions', *arguments)
        held = reckon([row for row in world.log()[0] if wanted(row)], use)
        self.assertEqual({(line['misconception'], line['learner']): (line['times'], line['put_right'], line['still'],
                                                                     moment(line['last_seen']))
                          for line in report['holders']}, {key: value[:4] for key, value in held.items()}, arguments)
        for line in report['misconceptions']:
            of = [value for key, value in held.items() if key[0] == line['misconception']]
            self.assertEqual(line['learners'], len(of))
            self.assertEqual(line['still'], sum(value[2] for value in of))
            self.assertEqual(line['times'], sum(value[0] for value in of))
            self.assertEqual(line['put_right'], sum(value[1] for value in of))
            self.assertAlmostEqual(line['put_right_share'], line['put_right'] / line['times'], 12)
            self.assertEqual(line['questions'], len(set().union(*(value[4] for value in of))))
        self.assertEqual({line['misconception'] for line in report['misconceptions']}, {key[0] for key in held})
        keys = [(-line['still'], -line['learners'], -line['times'], line['misconception'])
                for line in report['misconceptions']]
        self.assertEqual(keys, sorted(keys))
        return report

    def test_figures(self):
        for world in self.worlds:
            for use in 'first', 'last', 'best', 'all':
                self.check(world, ['--attempts', use], use=use)
            self.check(world, ['--pack', 'lists'], lambda row: row['key'][0] == 'lists')
            self.check(world, ['--group', 'lab a', '--attempts', 'all'], lambda row: row['learner'] in NAMES[:4], 'all')
            self.check(world, ['--learner', NAMES[3], '--attempts', 'all'], lambda row: row['learner'] == NAMES[3], 'all')
            self.check(world, ['--session', 'practice', '--attempts', 'all'], lambda row: row['kind'] == 'practice', 'all')

    def test_notes(self):
        log, undone = self.worlds[0].log()
        notes = '\n'.join(self.worlds[0].json('misconceptions', '--attempts', 'all')['notes'])
        self.assertIn('all of each learner', notes)
        self.assertIn('%d attempts of %d learners' % (sum(not row['voided'] for row in log),
                                                     len({row['learner'] for row in log})), notes)
        self.assertIn('%d answers were taken back' % undone, notes)
        self.assertIn('Put right', notes)

    def test_nothing(self):
        report = self.check(self.worlds[0], ['--since', '2200-01-01'], lambda row: False)
        self.assertEqual((report['misconceptions'], report['holders']), ([], []))
        self.assertIn('No answer showed', self.worlds[0].report('misconceptions', '--since', '2200-01-01', '--to', 'text'))

    # ---- problems ----

    def reported(self, world):
        rows = world.rows("SELECT event.*, learner.name FROM event JOIN learner USING(learner_id) "
                          "WHERE kind = 'reported' ORDER BY at DESC, seq DESC")
        made = []
        for row in rows:
            body = json.loads(row['body'])
            made.append(dict(key=tuple(body['question']), text=body['text'], learner=row['name'], at=row['at'],
                             day=world.day(row['at'], row['utc_offset_s'])))
        return made

    def check_problems(self, world, arguments=(), wanted=lambda row: True):
        lines = world.json('problems', *arguments)['problems']
        rows = [row for row in self.reported(world) if wanted(row)]
        self.assertEqual([(line['pack_id'], line['question'], line['text'] or '', line['learner'], moment(line['at']))
                          for line in lines], [(*row['key'], row['text'], row['learner'], row['at']) for row in rows])
        for line in lines:
            if line['pack_id'] == 'lists':
                path, number = line['place'].rsplit(':', 1)
                self.assertEqual((os.path.basename(path), int(number)), ('lists.yaml', FIRST_LINES[line['question']]))
                with open(path) as file:
                    self.assertIn('id: ' + line['question'], file.read().split('\n')[int(number) - 1])
            else:
                self.assertIsNone(line['place'])
                self.assertIn('library', line['not_available']['place'])
        return lines

    def test_problems(self):
        for world in self.worlds:
            self.assertGreater(len(self.check_problems(world)), 5)
            self.check_problems(world, ['--pack', 'lists'], lambda row: row['key'][0] == 'lists')
            self.check_problems(world, ['--learner', NAMES[0]], lambda row: row['learner'] == NAMES[0])
            self.check_problems(world, ['--group', 'Lab A'], lambda row: row['learner'] in NAMES[:4])
            self.check_problems(world, ['--tag', 'letters'], lambda row: 'letters' in BODIES[row['key']]['tags'])
            days = sorted(row['day'] for row in self.reported(world))
            middle = days[len(days) // 2]
            day = (datetime.date(1970, 1, 1) + datetime.timedelta(days=middle)).isoformat()
            self.check_problems(world, ['--since', day], lambda row: row['day'] >= middle)
            self.check_problems(world, ['--until', day], lambda row: row['day'] <= middle)

    def test_problems_written_safely(self):
        world = self.worlds[0]
        self.assertIn("\"'=bad \"\"one\"\", <i>\"", world.report('problems', '--to', 'csv'))
        self.assertNotIn('<i>', world.report('problems', '--to', 'html'))


if __name__ == '__main__':
    unittest.main()
