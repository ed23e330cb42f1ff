"""`report grades` against what Python reckons from the raw rows, and read as Moodle and Canvas read it: their importers'
rules (grade/import/csv of Moodle, lib/gradebook_importer.rb of Canvas) in Python."""
import csv
import io
import unittest

from world import BODIES, NAMES, NOBODY, ONE, PACK, World, choose, close, groups

IDS = {name: 'id-%d' % place for place, name in enumerate(NAMES[:4])}
LOGINS = {name: 'login%d' % place for place, name in enumerate(NAMES) if place % 2}
TITLE = 'Lists, "quotes" & <b>'
WHOLE = {'lists': 6, 'gone': 3}  # marks of all the pack's questions


def read(text):
    return list(csv.reader(io.StringIO(text, newline='')))


def canvas_header(header):
    """GradebookImporter#header? and #update_column_count: how many columns tell of the student, None where refused."""
    if not (len(header) > 3 and 'Student' in header[0] and 'ID' in header[1]):
        return None
    columns = 3
    if 'SIS Login ID' in header[2]:
        columns += 1
    elif 'SIS User ID' in header[2] and 'SIS Login ID' in header[3]:
        columns += 2
    return columns if 'Section' in header[columns - 1] else None


class Gradebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(31)
        status, _, error = cls.world.fill(sessions=9)
        assert status == 0, error

    @classmethod
    def tearDownClass(cls):
        cls.world.remove()

    def grades(self, wanted=lambda row: True, use='first', sitting=False):
        """(learner, pack) → share, and pack → points possible."""
        made, possible, out, stands = {}, {}, {}, set()
        rows = [row for row in self.world.log()[0] if wanted(row)]
        for (name, pack), of in groups([dict(row, pack=row['key'][0]) for row in rows], 'learner', 'pack').items():
            mark = marks = 0
            for attempts in groups(of, 'key').values():
                chosen = choose(attempts, use)
                if not chosen:
                    if any(row['voided'] for row in attempts):
                        out.setdefault((name, pack), []).append(attempts[0]['key'])
                    continue
                stands.add(chosen[0]['key'])
                full = BODIES[chosen[0]['key']]['marks']
                mark += full * sum(row['share'] for row in chosen) / len(chosen)
                marks += full
            if marks:
                made[name, pack] = mark, marks
        voided = {key for keys in out.values() for key in keys} - stands
        for (name, pack), (mark, marks) in made.items():
            full = WHOLE[pack] - sum(BODIES[key]['marks'] for key in voided if key[0] == pack)
            own = full - sum(BODIES[key]['marks'] for key in out.get((name, pack), []) if key in stands)
            made[name, pack] = mark / (marks if sitting else own)
            possible[pack] = max(possible.get(pack, 0), marks) if sitting else full
        return made, possible

    def moodle(self, arguments, **about):
        table = read(self.world.report('grades', '--for', 'moodle', '--to', 'csv', *arguments))
        grades, _ = self.grades(**about)
        self.assertEqual(table[0][0], 'ID number')
        packs = ['lists' if title == TITLE else title for title in table[0][1:]]
        got = {}
        for line in table[1:]:
            self.assertEqual(len(line), len(table[0]))
            for pack, cell in zip(packs, line[1:]):
                if cell:
                    got[line[0], pack] = float(cell)
                    self.assertTrue(0 <= float(cell) <= 100)  # Moodle refuses more
        wanted = {(IDS[name], pack): 100 * share for (name, pack), share in grades.items() if name in IDS}
        self.assertEqual(set(got), set(wanted))
        for key, value in got.items():
            self.assertTrue(close(value, wanted[key]), (key, value, wanted[key]))

    def canvas(self, arguments, **about):
        table = read(self.world.report('grades', '--for', 'canvas', '--to', 'csv', *arguments))
        grades, possible = self.grades(**about)
        header = table[0]
        columns = canvas_header(header)
        self.assertEqual(header[:columns], ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section'])
        packs = ['lists' if title == TITLE else title for title in header[columns:]]
        self.assertIn('Points Possible', table[1][0])
        self.assertEqual([float(cell) for cell in table[1][columns:]], [possible[pack] for pack in packs])
        names = {value: name for name, value in IDS.items()}
        got = {}
        for line in table[2:]:
            name = names[line[2]]  # by SIS User ID
            self.assertEqual(line[0], "'" + name if name[0] in "='" else name)
            self.assertEqual((line[1], line[3], line[4]), ('', LOGINS.get(name, ''), ''))
            for pack, cell in zip(packs, line[columns:]):
                if cell:
                    got[name, pack] = float(cell)
        wanted = {key: share * possible[key[1]] for key, share in grades.items() if key[0] in IDS}
        self.assertEqual(set(got), set(wanted))
        for key, value in got.items():
            self.assertTrue(close(value, wanted[key]), (key, value, wanted[key]))

    def test_grades(self):
        for check in self.moodle, self.canvas:
            check([])
            for use in 'last', 'best', 'all':
                check(['--attempts', use], use=use)
            check(['--pack', 'lists'], wanted=lambda row: row['key'][0] == 'lists')
            check(['--group', 'Lab A'], wanted=lambda row: row['learner'] in NAMES[:4])
            check(['--session', 'exam'], wanted=lambda row: row['kind'] == 'exam', sitting=True)

    def test_who_is_not_written(self):
        for book in 'moodle', 'canvas':
            report = self.world.json('grades', '--for', book)
            notes = '\n'.join(report['notes'])
            for name in NAMES[4:] + [ONE]:
                self.assertIn(name, notes)
                self.assertNotIn(name, str(report['grades']))
            self.assertNotIn(NOBODY, str(report['grades']))
            self.assertIn('1 learner has no grade', notes)

    def test_which_gradebook(self):
        for arguments in [], ['--for', 'blackboard']:
            status, out, error = self.world.run('report', 'grades', *arguments)
            self.assertEqual((status, out), (2, ''))
            self.assertIn('moodle', error)


class Titles(unittest.TestCase):
    """What Canvas would not take for an assignment, and packs of one title, go by their ids."""

    def test_titles(self):
        for title, kept in (('Final Score of all', False), ('Quiz (3)', False), ('Section', False), ('Quiz 3', True),
                            ('(3) quiz', True), ('()', True)):
            world = World(41)
            world.write('content/lists.yaml', PACK.replace('title: "Lists, \\"quotes\\" & <b>"', 'title: "%s"' % title))
            with world.open() as db:
                db.execute("UPDATE learner SET external_id = '-7'")
                db.commit()
            text = world.report('grades', '--for', 'canvas', '--to', 'csv')
            self.assertEqual(read(text)[0][5:], [title if kept else 'lists'], title)
            notes = '\n'.join(world.json('grades', '--for', 'canvas')['notes'])
            self.assertIn("has a ' before it", notes)
            self.assertEqual(read(text)[2][2], "'-7")
            world.remove()


if __name__ == '__main__':
    unittest.main()
