"""What tests of printed sheets share: packs made in Python, and PDFs read back by poppler and qpdf."""
import html
import json
import os
import re
import subprocess
import tempfile
import unicodedata

MARGIN = 54  # points, on all sides
PAPER = {'a4': (595, 842), 'letter': (612, 792)}
failures = []
checks = 0


def check(holds, *what):
    global checks
    checks += 1
    if not holds:
        failures.append(' '.join(str(part) for part in what))
        if len(failures) < 20:
            print('FAIL', failures[-1])
    return holds


def same(got, wanted, *what):
    return check(got == wanted, *what, '\n  got    ', repr(got), '\n  wanted ', repr(wanted))


def question(number, /, **key):
    return {'id': f'q{number}', 'prompt': f'Prompt{number}.', 'explanation': f'Because{number}.', **key}


def choices(number, count=4):
    return {'choices': [{'correct': f'right{number}'}] + [f'wrong{number}x{i}' for i in range(1, count)]}


def pack(questions=None, **head):
    made = {'format': 'quiztutor/1', 'id': 'paper', 'title': 'A paper', **head}
    if questions is not None:
        made['questions'] = questions
    return made


class Press:
    """The program that sets packs as PDF, and a folder of its own."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix='quiztutor-paper-')
        self.made = 0

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run(self, made, *words, output=None, environment=None):
        """Sets a pack, or a file; returns the status, what was said on standard error, and the file."""
        self.made += 1
        source, target = self.path(f'{self.made}.yaml'), output or self.path(f'{self.made}.pdf')
        if isinstance(made, dict):
            with open(source, 'w', encoding='utf-8') as file:
                json.dump(made, file, ensure_ascii=False)  # JSON is YAML
        else:
            source = made
        done = subprocess.run([self.program, source, target, *words], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **(environment or {})})
        return done.returncode, done.stderr, target

    def set(self, made, *words, ink=0.04, **more):
        """A pack that can be set: its Sheet, which is sound."""
        status, errors, path = self.run(made, *words, **more)
        same((status, errors), (0, ''), 'is set', words)
        sheet = Sheet(path, 'letter' if 'letter' in words else 'a4')
        sheet.is_sound(words, ink=ink)
        return sheet


def tool(*arguments):
    done = subprocess.run(arguments, capture_output=True, timeout=120)
    return done.stdout.decode() if done.returncode == 0 else f'{arguments}: {done.returncode} {done.stderr}'


def plain(text):
    """As it is read: without marks of direction, in NFC, white space one space."""
    text = re.sub('[\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', text)
    return ' '.join(unicodedata.normalize('NFC', text).split())


class Sheet:
    def __init__(self, path, size='a4'):
        self.path = path
        self.size = size
        with open(path, 'rb') as file:
            self.bytes = file.read()

    def pages(self, *options):
        """The lines of each page, white space made one space, without empty ones."""
        text = tool('pdftotext', *(options or ('-layout',)), self.path, '-')
        return [[plain(line) for line in page.split('\n') if plain(line)] for page in text.split('\f')[:-1]]

    def text(self):
        return plain(' '.join(' '.join(page) for page in self.pages()))

    def words(self):
        """Of each page, its words as (left, top, right, bottom, text), in points."""
        found = []
        for line in tool('pdftotext', '-bbox', self.path, '-').splitlines():
            if '<page ' in line:
                found.append([])
            box = re.search(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)</word>', line)
            if box:
                found[-1].append((*map(float, box.groups()[:4]), plain(html.unescape(box[5]))))
        return found

    def structure(self):
        """What a screen reader is told: names of parts, and their texts in quotes."""
        said = tool('pdfinfo', '-struct-text', self.path)
        return [line.strip().replace(' (block)', '') for line in said.splitlines()]

    def pictures(self, resolution=72):
        """Each page as (width, height, grey values)."""
        raw = subprocess.run(['pdftoppm', '-r', str(resolution), '-gray', self.path], capture_output=True, timeout=120).stdout
        found = []
        while raw:
            head = re.match(rb'P5\s+(\d+)\s+(\d+)\s+255\s', raw)
            width, height = int(head[1]), int(head[2])
            found.append((width, height, raw[head.end():head.end() + width * height]))
            raw = raw[head.end() + width * height:]
        return found

    def is_sound(self, *what, ink=0.04):
        """What holds of every sheet: a whole file, the paper asked for, nothing outside the margins or on top of
        something else, and little ink: as much at most as `ink`, a share of the page."""
        said = tool('qpdf', '--check', self.path)
        check('No syntax or stream encoding errors found' in said, *what, 'qpdf:', said)
        info = tool('pdfinfo', self.path)
        width, height = PAPER[self.size]
        size = re.search(r'Page size: +([\d.]+) x ([\d.]+)', info)
        same((round(float(size[1])), round(float(size[2]))), (width, height), *what, 'paper')
        check('CreationDate' not in info and 'ModDate' not in info, *what, 'no date', info)
        pictures = self.pictures()
        check(pictures, *what, 'has pages')
        for number, (wide, tall, grey) in enumerate(pictures, 1):
            edge = MARGIN - 2
            rows = [grey[y * wide:(y + 1) * wide] for y in range(tall)]
            white = bytes([255])
            outside = [y for y, row in enumerate(rows)
                       if (y < edge or y >= tall - edge) and row.strip(white)
                       or row[:edge].strip(white) or row[wide - edge:].strip(white)]
            check(not outside, *what, 'page', number, 'ink outside the margins in rows', outside[:5])
            inked = (255 * len(grey) - sum(grey)) / (255 * len(grey))
            check(0 < inked <= ink, *what, 'page', number, f'{100 * inked:.2f}% inked')
        for number, words in enumerate(self.words(), 1):
            overlapping(words, *what, 'page', number)


def joined(words):
    """poppler gives words of Hebrew letter by letter: put together, and in reading order."""
    found = []
    for left, top, right, bottom, text in sorted(words, key=lambda box: (round(box[3]), -box[2])):
        before = found[-1] if found else None
        if before and abs(before[3] - bottom) < 1.5 and abs(before[0] - right) < 1.5 and '\u0590' <= text[0] <= '\u05ff':
            found[-1] = (left, top, before[2], bottom, before[4] + text)
        else:
            found.append((left, top, right, bottom, text))
    return found


def overlapping(words, *what):
    """Boxes of words are as tall as their fonts say; letters are within their middle part."""
    boxes = sorted((top + 0.25 * (bottom - top), bottom - 0.25 * (bottom - top), left + 0.2, right - 0.2, text)
                   for left, top, right, bottom, text in words)
    for i, (top, bottom, left, right, text) in enumerate(boxes):
        for other in boxes[i + 1:]:
            if other[0] >= bottom:
                break
            if other[2] < right and left < other[3]:
                check(False, *what, repr(text), 'overlaps', repr(other[4]), (top, bottom, left, right), other[:4])
                return
