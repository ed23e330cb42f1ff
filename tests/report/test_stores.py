"""Several stores at once: what they hold twice counts once, and a person whom they know by different ids is one."""
import json
import shutil
import unittest

from world import BODIES, DAY, NAMES, RESPONSES, World

KINDS = [['class'], ['class', '--attempts', 'last'], ['class', '--group', 'lab a'], ['class', '--pack', 'lists'],
         ['progress', '--learner', NAMES[0]], ['progress', '--learner', 'login1', '--attempts', 'best'],
         ['misconceptions', '--attempts', 'all'], ['misconceptions'], ['problems'], ['grades', '--for', 'moodle'],
         ['grades', '--for', 'canvas', '--attempts', 'all']]


def plain(report):
    """Without what tells how many stores there were, and with figures to nine digits: sums come in any order."""
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [strip(inner) for inner in value]
        return round(value, 9) if isinstance(value, float) else value
    report = dict(report, notes=sorted(note for note in report['notes'] if 'stores' not in note and
                                       not note.startswith('Only from')))
    for name in 'stuck_at', 'holders':
        if name in report:
            report[name] = sorted(report[name], key=lambda line: json.dumps(line, sort_keys=True))
    return strip(report)


class Stores(unittest.TestCase):
    def setUp(self):
        self.world = World(51)
        self.assertEqual(self.world.fill()[0], 0)
        self.early = self.world.path('early.db')
        with self.world.open() as db:
            db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        shutil.copy(self.world.store, self.early)

    def tearDown(self):
        self.world.remove()

    def more(self, name):
        """Further sessions in the later store."""
        world = self.world
        with world.open() as db:
            learner = db.execute('SELECT learner_id FROM learner WHERE name = ?', (name,)).fetchone()[0]
            at = world.now - DAY
            session = world.session(db, learner, 'practice', at, 3600)
            for key in BODIES:
                at += 60000
                world.attempt(db, learner, session, key, RESPONSES[key][0], at, 3600, elapsed=5000)
            db.commit()
        self.assertEqual(world.rebuild()[0], 0)

    def test_the_same_twice(self):
        self.more(NAMES[0])
        self.more(NAMES[3])
        for arguments in KINDS:
            with self.subTest(arguments=arguments):
                # by the log in both: the summaries keep no zone of what was last seen
                alone = self.world.json(*arguments, '--since', '2000-01-01')
                both = self.world.json(*arguments, '--store', self.early, '--store', self.world.store,
                                       '--since', '2000-01-01')
                again = self.world.json(*arguments, '--store', self.world.store, '--store', self.early,
                                        '--since', '2000-01-01')
                self.assertEqual(plain(both), plain(alone))
                self.assertEqual(plain(again), plain(alone))

    def test_one_person_of_two_ids(self):
        """A lab's own store knows Jane by her login, under another name and id."""
        lab = World(52)
        with lab.open() as db:
            learner = lab.learner(db, 'Jane', login='login1')
            session = lab.session(db, learner, 'practice', lab.now - DAY, 0)
            for key in ('lists', 'pick'), ('lists', 'number'), ('lists', 'truth'):
                lab.attempt(db, learner, session, key, RESPONSES[key][1], lab.now - DAY, 0, elapsed=60000)
            db.commit()
        self.assertEqual(lab.rebuild()[0], 0)
        alone = {line['learner']: line for line in self.world.json('class')['class']}
        report = self.world.json('class', '--store', self.world.store, '--store', lab.store)
        lines = {line['learner']: line for line in report['class']}
        name = NAMES[1]
        self.assertNotIn('Jane', lines)
        self.assertEqual(lines[name]['attempts'], alone[name]['attempts'] + 3)
        self.assertEqual(lines[name]['sessions'], alone[name]['sessions'] + 1)
        self.assertAlmostEqual(lines[name]['minutes'], alone[name]['minutes'] + 3, 9)
        progress = self.world.json('progress', '--learner', 'Jane', '--store', self.world.store, '--store', lab.store)
        self.assertEqual(progress['sessions'], alone[name]['sessions'] + 1)
        # who has neither login nor external id is known by the name
        self.assertEqual(lines['One Answer']['attempts'], 2)
        lab.remove()


if __name__ == '__main__':
    unittest.main()
