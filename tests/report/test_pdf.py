"""test_pdf.py QUIZTUTOR REPORT_SAMPLE: reports as PDF, looked at with poppler's and qpdf's programs: what the report as
JSON says is on the pages, nothing is outside the margins, and little ink is used."""
import contextlib
import csv
import datetime
import io
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import unicodedata
import unittest

SAMPLE = os.path.abspath(sys.argv.pop(2))
from world import NAMES, ONE, World  # noqa: E402  takes the program from the first argument
from drive import PROGRAM  # noqa: E402

MARGIN = 54  # points
POOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'poor-fonts.conf')
# a thing that right to left and left to right text is kept apart by in what pdftotext gives
CONTROLS = dict.fromkeys(map(ord, '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'))


def tool(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True).stdout


def plain(text):
    """Letters alone, in the form that all texts here are compared in: where lines break does not count."""
    return re.sub(r'\s+', '', unicodedata.normalize('NFKC', text.translate(CONTROLS)))


class Paper:
    """A PDF that came out, which is sound."""

    def __init__(self, data, folder):
        self.data = data
        self.path = os.path.join(folder, 'looked-at.pdf')
        with open(self.path, 'wb') as file:
            file.write(data)
        tool('qpdf', '--check', self.path)
        self.facts = dict(line.split(':', 1) for line in tool('pdfinfo', self.path).decode().splitlines() if ':' in line)
        self.pages = int(self.facts['Pages'])
        assert '595.276 x 841.89' in self.facts['Page size'], self.facts

    def text(self, page=None):
        only = ['-f', str(page), '-l', str(page)] if page else []
        return tool('pdftotext', '-raw', *only, self.path, '-').decode()

    def letters(self):
        return plain(self.text())

    def ink(self, page=1, dots=72):
        """The share of a page that is inked, and the box around it in points, of a picture of it."""
        data = tool('pdftoppm', '-gray', '-r', str(dots), '-f', str(page), '-l', str(page), self.path)
        kind, width, height, most, pixels = re.match(rb'(P5)\s+(\d+)\s+(\d+)\s+(\d+)\s', data).groups() + (None,)
        assert kind == b'P5' and most == b'255'
        width, height = int(width), int(height)
        pixels = data[-width * height:]
        rows = [pixels[i * width:(i + 1) * width] for i in range(height)]
        inked = [i for i, row in enumerate(rows) if row.strip(b'\xff')]
        left = min(width - len(row.lstrip(b'\xff')) for row in rows)
        right = max(len(row.rstrip(b'\xff')) for row in rows)
        scale = 72 / dots
        share = 1 - sum(pixels) / 255 / len(pixels)
        return share, [left * scale, inked[0] * scale, right * scale, (inked[-1] + 1) * scale]


class Case(unittest.TestCase):
    def within(self, paper):
        for page in range(1, paper.pages + 1):
            share, box = paper.ink(page)
            self.assertLess(share, .12)
            self.assertGreater(share, .0003)
            self.assertTrue(box[0] > MARGIN - 2 and box[1] > MARGIN - 2 and box[2] < 595.3 - MARGIN + 2 and
                            box[3] < 841.9 - MARGIN + 2, (page, box))


def number(value, decimals=0):
    text = f'{value:.{decimals}f}'
    return text[1:] if re.fullmatch(r'-0(\.0*)?', text) else text


class Samples(Case):
    @classmethod
    def setUpClass(cls):
        cls.world = World(5)

    @classmethod
    def tearDownClass(cls):
        cls.world.remove()

    def written(self, sample, **more):
        done = subprocess.run([SAMPLE, str(sample), 'pdf'], capture_output=True, check=True,
                              env={**os.environ, **more})
        return Paper(done.stdout, self.world.root)

    def test_all_kinds(self):
        for sample in ('bare', 'full', 'details', 'charts', 3, 700):
            paper = self.written(sample)
            self.within(paper)
            self.assertEqual(paper.pages, {700: paper.pages}.get(sample, 1))
            again = self.written(sample, TZ='Asia/Tokyo')
            self.assertEqual(paper.data, again.data)
        self.assertGreater(paper.pages, 8)
        for page in range(1, paper.pages + 1):
            lines = paper.text(page).splitlines()
            self.assertTrue(any(line.endswith(f'page {page}') for line in lines[-2:]), lines[-2:])
            self.assertTrue(any(re.match('attempt learner', line) for line in lines[:3]), lines[:3])
        found = re.findall(r'^(\d+) (?:learner|fewer)', paper.text(), re.M)
        self.assertEqual(found, [str(i) for i in range(1, 701)])

    def test_names(self):
        paper = self.written('full')
        letters = paper.letters()
        for text in ('=HYPERLINK("x")', 'Doe, Jane "JD"', '<script>alert(1)</script>', '李小龙', 'Zoe\u0301',
                     '@home & "away" <b>bold</b> &amp; \'x\'', '\\x1b[31mred\\x1b[0m, override \\u202etxt', '-15.62 !',
                     'Cronbach\'s alpha 36.4%', '70% (50–85)', 'different items were shown', 'never seen'):
            self.assertIn(plain(text), letters)
        self.assertIn('Tagged:          yes', tool('pdfinfo', paper.path).decode())
        self.assertEqual(paper.facts['Title'].strip(), 'Class of <2026> & "friends" · Training Across Many Devices')
        self.assertNotIn('CreationDate', paper.facts)

    def test_poor_fonts(self):
        """A machine with one font: characters that it lacks are told by their code points, and the report is whole."""
        paper = self.written('full', FONTCONFIG_FILE=POOR)
        letters = paper.letters()
        self.assertIn('[U+674E][U+5C0F][U+9F99]', letters)
        self.assertIn(plain('Characters that no font here has are given by their code points: '), letters)
        self.assertIn('=HYPERLINK("x")', letters)
        self.within(paper)


class Stores(Case):
    @classmethod
    def setUpClass(cls):
        cls.world = World(21)
        status, _, error = cls.world.fill(sessions=14)
        assert status == 0, error

    @classmethod
    def tearDownClass(cls):
        cls.world.remove()

    def paper(self, *arguments):
        done = subprocess.run([PROGRAM, 'report', *arguments, '--to', 'pdf'], capture_output=True,
                              env=self.world.environment, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        return Paper(done.stdout, self.world.root)

    def said(self, paper, report):
        """Each fact and each cell of the report's JSON is on the page, but for columns that it says have no room."""
        text = paper.letters()
        spaced = re.sub(r'\s+', ' ', paper.text())
        left_out = re.search(r'Columns without room on this paper: (.*?)\. The report as HTML', spaced)
        left_out = left_out[1] if left_out else ''
        names = {'when': 'at', 'pack': 'pack', 'question': 'question', 'asked': 'prompt', 'outcome': 'outcome',
                 'misconceptions': 'misconceptions', 'answered': 'answered', 'right answer': 'right_answer'}
        gone = {names.get(re.sub(r' \(.*', '', name), name) for name in left_out.split(', ')}
        details = {'pack_id', 'attempts', 'right', 'partly', 'wrong', 'omitted', 'question_id'}
        seen = 0
        for name, value in report.items():
            if name in ('report', 'charts', 'not_available') or name.endswith('_trend'):
                continue
            for row in value if isinstance(value, list) else [{name: value}]:
                if isinstance(row, str):
                    self.assertIn(plain(row), text)
                    seen += 1
                    continue
                for key, cell in row.items():
                    if key in gone or cell is None or key in details and isinstance(value, list) or key in (
                            'not_available',) or key.endswith(('_trend', '_low', '_high')):
                        continue
                    for said in self.words(key, cell):
                        self.assertIn(plain(said), text, (name, key, cell))
                        seen += 1
        return seen

    @staticmethod
    def words(key, cell):
        if isinstance(cell, bool):
            return ['yes' if cell else 'no']
        if isinstance(cell, str) and re.fullmatch(r'\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d', cell):
            return [cell[:10] + ' ' + cell[11:16]]
        if isinstance(cell, str):
            return [cell]
        if isinstance(cell, float) and 0 <= cell <= 1 and ('share' in key or 'recall' in key or key == 'mastery'):
            return [number(cell * 100)]
        return [number(cell)]

    def test_progress(self):
        for name in NAMES:
            paper = self.paper('progress', '--learner', name)
            self.assertEqual(paper.pages, 1)
            self.within(paper)
            report = self.world.json('progress', '--learner', name)
            text = paper.text()
            shown = self.shown_misses(paper, report)
            more = re.search(r'… and (\d+) more', text)
            if more:
                self.assertEqual(int(more[1]) + shown, len(report['misses']))
                report['misses'] = report['misses'][:shown]
            self.assertGreater(self.said(paper, report), 60)
            for chart in report['charts']:
                self.assertIn(plain(chart['title']), paper.letters())
                self.assertIn(plain(chart['labels'][-1]), paper.letters())
            self.assertNotIn('page 1', text)
        paper = self.paper('progress', '--learner', ONE)
        self.assertEqual(paper.pages, 1)

    @staticmethod
    def shown_misses(paper, report):
        """Rows below the head line of misses, which begin with the moment of each."""
        text = paper.text()
        part = text[text.index('right answer'):] if 'right answer' in text else ''
        wanted = [row['at'][:10] + ' ' + row['at'][11:16] for row in report['misses']]
        count = 0
        for moment in wanted:
            at = part.find(moment)
            if at < 0:
                break
            part = part[at + len(moment):]
            count += 1
        return count

    def test_other_kinds(self):
        for kind in ('class', 'misconceptions', 'problems', 'items'):
            more = ('--pack', 'lists') if kind == 'items' else ()
            paper = self.paper(kind, *more)
            self.within(paper)
            report = self.world.json(kind, *more)
            self.assertIn(plain(report['title']), paper.letters())
            for note in report['notes']:
                self.assertIn(plain(note), paper.letters())
            for page in range(1, paper.pages + 1):
                lines = [line for line in paper.text(page).splitlines() if line]
                self.assertEqual(lines[-1].endswith(f'page {page} of {paper.pages}'), paper.pages > 1, lines[-1])
        paper = self.paper('class')
        for name in NAMES:
            self.assertTrue(plain(name) in paper.letters() or any('\u0600' <= one <= '\u06ff' for one in name), name)

    def test_attempts(self):
        rows = list(csv.DictReader(io.StringIO(self.world.report('attempts', '--to', 'csv'), newline='')))
        paper = self.paper('attempts')
        self.within(paper)
        self.assertGreater(paper.pages, 1)
        moments = [datetime.datetime.fromisoformat(row['answered_at']).strftime('%Y-%m-%d %H:%M') for row in rows]
        self.assertEqual(re.findall(r'\d{4}-\d\d-\d\d \d\d:\d\d', re.sub(r'quiztutor · \S+ \S+', '', paper.text())), moments)

    def test_same_bytes(self):
        for _ in range(3):  # the moment stands in the foot: a minute may have gone by
            one, other = self.paper('class'), self.paper('class')
            if one.data == other.data:
                return
        self.fail('twice the same report is not the same')

    # ---- where it goes ----

    def run_at(self, *arguments, **more):
        return subprocess.run([PROGRAM, 'report', 'class', *arguments], env=self.world.environment, timeout=60, **more)

    def test_file(self):
        path = self.world.path('class.pdf')
        for options in (('-o', path), ('--to', 'pdf', '-o', path)):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
            done = self.run_at(*options, capture_output=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b'', b''))
            with open(path, 'rb') as file:
                Paper(file.read(), self.world.root)
        before = os.stat(path)
        os.chmod(path, 0o640)
        self.assertEqual(self.run_at('-o', path).returncode, 0)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
        self.assertNotEqual(os.stat(path).st_ino, before.st_ino)
        done = self.run_at('-o', self.world.path('nowhere', 'class.pdf'), capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('its folder is not there', done.stderr)

    def test_full_disk(self):
        done = self.run_at('--to', 'pdf', '-o', '/dev/full', capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('No space left on device', done.stderr)
        with open('/dev/full', 'wb') as full:
            done = self.run_at('--to', 'pdf', stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('No space left on device', done.stderr)

    def test_limited_file(self):
        """A file that may not grow so large: the old one stays, and nothing else is left."""
        folder = self.world.path('limited')
        os.mkdir(folder)
        path = os.path.join(folder, 'class.pdf')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('old')
        limited = 'import resource, signal, os, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);' \
                  'resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); os.execv(sys.argv[1], sys.argv[1:])'
        # the store is read beside it: a copy that nothing is written to
        done = subprocess.run([sys.executable, '-c', limited, PROGRAM, 'report', 'class', '-o', path], capture_output=True,
                              text=True, env=self.world.environment, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(os.listdir(folder), ['class.pdf'])
        with open(path, encoding='utf-8') as file:
            self.assertEqual(file.read(), 'old')

    def test_closed_pipe(self):
        process = subprocess.Popen([PROGRAM, 'report', 'attempts', '--to', 'pdf'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.world.environment)
        process.stdout.close()
        error = process.stderr.read()
        process.stderr.close()
        self.assertIn(process.wait(30), (0, 1, -signal.SIGPIPE, 141))
        self.assertEqual(error, b'')

    def test_terminal(self):
        """No bytes of a PDF on a terminal: it says what to do."""
        master, slave = pty.openpty()
        done = self.run_at('--to', 'pdf', stdin=slave, stdout=slave, stderr=subprocess.PIPE, text=True)
        os.close(slave)
        self.assertEqual(done.returncode, 2)
        self.assertIn('-o report.pdf', done.stderr)
        os.set_blocking(master, False)
        with contextlib.suppress(OSError):
            self.assertEqual(os.read(master, 10), b'')
        os.close(master)

    def test_no_second_program(self):
        """A program alone, without the second one: it says what is missing."""
        alone = self.world.path('alone')
        os.mkdir(alone)
        program = os.path.join(alone, 'quiztutor')
        with open(PROGRAM, 'rb') as file, open(program, 'wb') as copy:
            copy.write(file.read())
        os.chmod(program, 0o755)
        done = subprocess.run([program, 'report', 'class', '--to', 'pdf'], capture_output=True, text=True,
                              env=self.world.environment, timeout=60)
        if done.returncode == 0:
            self.skipTest('a second program is installed on this machine')
        self.assertEqual(done.returncode, 1)
        self.assertIn('quiztutor-tools', done.stderr)
        self.assertEqual(done.stdout, '')

    def test_right_to_left(self):
        """In a language that runs right to left, the title stands at the right. Its catalogue has no words."""
        catalogue = self.world.path('locale', 'xx', 'LC_MESSAGES', 'quiztutor.mo')
        os.makedirs(os.path.dirname(catalogue))
        head = b'MIME-Version: 1.0\nLanguage: ar\nContent-Type: text/plain; charset=UTF-8\n\0'
        with open(catalogue, 'wb') as file:  # GNU gettext manual, "The Format of GNU MO Files"
            file.write(b''.join(i.to_bytes(4, 'little') for i in (0x950412de, 0, 1, 28, 36, 0, 44, 0, 44, len(head) - 1, 45)) +
                       b'\0' + head)
        environment = {**self.world.environment, 'LANGUAGE': 'xx', 'QUIZTUTOR_LOCALEDIR': self.world.path('locale')}
        done = subprocess.run([PROGRAM, 'report', 'class', '--to', 'pdf'], capture_output=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        paper = Paper(done.stdout, self.world.root)
        self.within(paper)
        words = tool('pdftotext', '-bbox', '-l', '1', paper.path, '-').decode()
        x = float(re.search(r'<word xMin="([\d.]+)"[^>]*>Class<', words)[1])
        self.assertGreater(x, 400)


if __name__ == '__main__':
    unittest.main()
