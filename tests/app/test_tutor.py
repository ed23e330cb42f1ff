"""A tutor's walk through the reports in plain lines: a numbered menu of the steps that the screens have.

Run with QUIZTUTOR. What is expected is reckoned here from what the learners answered.
"""
import csv
import io
import json
import os
import sys

sys.dont_write_bytecode = True
import console
import drive
from drive import Place, check, holds, same

PACK = '''format: quiztutor/1
id: stages
title: Stages
shuffle: none
questions:
''' + ''.join('''  - id: q%d
    prompt: "Number %d: which is right?"
    tags: [tag%d]
    choices: [correct: Alpha, {wrong: Beta, misconception: beta-for-alpha}, wrong: Gamma]
    explanation: Alpha.
''' % (number, number, number % 2) for number in range(1, 5))

# what each answered to the four questions, in order
ANSWERS = {
    'Ana': '1111',
    '=HYPERLINK("x")': '1112',
    'O\'Neil, "Sam"': '1123',
    'فاطمة': '1232',
    '<script>': '2323',
}
ASKS = '> '


def share(answers):
    return answers.count('1') / len(answers)


WORST_FIRST = sorted(ANSWERS, key=lambda name: share(ANSWERS[name]))


def fill(place):
    place.write('content/stages.yaml', PACK)
    for name, answers in ANSWERS.items():
        given = ''.join(':finish\n' if answer == 'q' else answer + '\n' for answer in answers)
        status, _, errors = place.run('practise', '--plain', '--mode', 'all', '--learner', name, 'stages', input=given)
        same(status, 0, errors)


class Walk:
    """The program in plain lines; `say` gives what it answers up to the next prompt."""

    def __init__(self, place, *arguments, plain=('--plain',), env=None):
        self.console = console.Console(place, 'report', *arguments, *plain, env=env, columns=200)
        self.first = self.prompt()

    def prompt(self):
        return self.console.expect('q to leave ' + ASKS)

    def say(self, line):
        self.console.type(line + '\n')
        return self.prompt()

    def leave(self):
        self.console.type('q\n')
        status, rest = self.console.end()
        same(status, 0, rest)


def rows(text):
    """The numbered rows: their number and first column."""
    found = []
    for line in text.splitlines():
        number, parenthesis, rest = line.strip().partition(') ')
        if parenthesis and number.isdigit():
            found.append((int(number), rest.split(', last seen')[0].split(', seen')[0].rstrip(' !')))
    return found


def test_walk(place):
    walk = Walk(place)
    same(rows(walk.first), list(enumerate(WORST_FIRST, 1)), 'the class')
    holds(walk.first, 'learners: 5')
    for name, answers in ANSWERS.items():
        line = [line for line in walk.first.splitlines() if ') %s' % name in line]
        same(len(line), 1, name)
        check('(%%) %d (' % round(100 * share(answers)) in line[0], name, line)
    check('\x1b' not in walk.first, 'plain lines drive the terminal')
    # a learner
    text = walk.say('1')
    holds(text, 'Progress')
    holds(text, '<script>')
    holds(text, 'Table 1 of ')
    # back, and the number of no row
    holds(walk.say('b'), '1) <script>')
    for typed in '9', '0', '-1', '999', '99999999999999999999':
        holds(walk.say(typed), 'There is no row %s: rows 1 to 5 are shown.' % typed)
    holds(walk.say('nonsense'), 'a number: open what that row is about')
    holds(walk.say('b'), 'This is the first table.')
    # questions, the least discriminating first; their choices, with their shares
    text = walk.say('questions')
    number = [number for number, rest in rows(text) if rest.startswith('q4')][0]
    text = walk.say(str(number))
    holds(text, 'prompt: Number 4: which is right?')
    for choice, letter in ('Alpha', '1'), ('Beta', '2'), ('Gamma', '3'):
        chosen = sum(answers[3] == letter for answers in ANSWERS.values())
        line = [line for line in text.splitlines() if ') ' + choice in line]
        check(len(line) == 1 and 'chosen %d,' % chosen in line[0].replace(' !', '') and
              'share (%%) %d' % (20 * chosen) in line[0], choice, line)
    holds(walk.say('1'), 'This row opens nothing')
    holds(walk.say('b'), 'q4')
    # misconceptions and problems
    holds(walk.say('misconceptions'), 'beta-for-alpha')
    holds(walk.say('problems'), 'No learner reported a problem.')
    holds(walk.say(''), 'There are no more rows.')
    walk.leave()


def test_table(place):
    walk = Walk(place)
    columns = walk.say('s')
    number = [line.split(')')[0].strip() for line in columns.splitlines() if line.strip().endswith(') learner')][0]
    names = sorted(ANSWERS, key=str.casefold)
    same([name for _, name in rows(walk.say('s ' + number))], names, 'sorted by name')
    same([name for _, name in rows(walk.say('r'))], names[::-1], 'reversed')
    holds(walk.say('s'), 'learner, now, reversed')
    same([name for _, name in rows(walk.say('s 0'))], WORST_FIRST, 'as it was')
    same([name for _, name in rows(walk.say('/AN'))], ['Ana'], 'filtered')
    holds(walk.say('1'), 'Ana')
    holds(walk.say('b'), '1 of 5 rows')
    holds(walk.say('/zzz'), '0 of 5 rows')
    holds(walk.say('1'), 'There is no row 1: none is shown.')
    same(len(rows(walk.say('/'))), 5, 'all again')
    text = walk.say('d 1')
    holds(text, 'learner: ' + WORST_FIRST[0])
    holds(text, 'sessions: 1')
    holds(walk.say('d'), 'd needs the number of a row')
    holds(walk.say('i'), 'Attempts used: the first of each learner')
    holds(walk.say('t'), 'Table 2 of 2')
    holds(walk.say('t'), 'Table 1 of 2')
    for line in '?', 'x', '- 1', 'dd 1', 'sort', '\x01', '٣':
        holds(walk.say(line), 'what is not available and why')
    # somebody practises meanwhile
    status, _, errors = place.run('practise', '--plain', '--mode', 'all', '--learner', 'Zed', 'stages', input='3\n3\n')
    same(status, 0, errors)
    same(len(rows(walk.say('/'))), 5, 'as it was looked up')
    same(len(rows(walk.say('l'))), 6, 'looked up again')
    walk.leave()


def test_back(place):
    """What a row opens, and back to that row, sorted and filtered as it was, also where others have come before it."""
    walk = Walk(place)
    number = [line.split(')')[0].strip() for line in walk.say('s').splitlines() if line.strip().endswith(') questions')][0]
    walk.say('s ' + number)
    walk.say('/a')
    shown = rows(walk.say('r'))
    holds(walk.say('%d' % [n for n, name in shown if name.startswith('Ana')][0]), 'Progress: Ana')
    same(place.run('practise', '--plain', '--mode', 'all', '--learner', 'Aaron', 'stages', input='3\n')[0], 0)
    back = walk.say('b')
    holds(back, '3 of 6 rows')
    same(len(rows(back)), len(shown) + 1, 'filtered as it was, and as it is now')
    same([name for _, name in rows(walk.say('r'))][::-1][:1], [name for _, name in rows(back)][:1], 'sorted as it was')
    # the misses of a learner, and the question each was of, answered by all
    walk.say('s 0')
    walk.say('/script')
    walk.say('1')
    walk.say('t')
    text = walk.say('t')
    holds(text, 'The newest 20 misses')
    missed = [number for number, rest in rows(text) if 'q4' in rest or 'Number 4' in rest][0]
    text = walk.say(str(missed))
    holds(text, 'Choices: q4')
    holds(text, 'n: 5')
    holds(walk.say('b'), 'The newest 20 misses')
    walk.leave()
    # begun with one learner's progress: a question is about all still
    walk = Walk(place, 'progress', '--learner', '<script>')
    walk.say('t')
    walk.say('t')
    holds(walk.say('1'), 'n: 5')
    holds(walk.say('class'), 'learners: 6')
    walk.leave()


def test_packs(place):
    """A class pack by pack: a learner's line opens what they did in that pack, a pack's its questions."""
    place.write('content/more.yaml', PACK.replace('id: stages', 'id: more').replace('title: Stages', 'title: More').replace('- id: q', '- id: m'))
    same(place.run('practise', '--plain', '--mode', 'all', '--learner', 'Ana', 'more', input='1\n2\n:finish\n')[0], 0)
    walk = Walk(place, 'class', '--pack', 'stages', '--pack', 'more')
    holds(walk.first, 'Table 1 of 6: All these packs together')
    holds(walk.say('t'), 'Table 2 of 6: Stages')
    text = walk.say('t')
    holds(text, 'Table 3 of 6: More')
    text = walk.say(str([number for number, name in rows(text) if name.startswith('Ana')][0]))
    holds(text, 'Progress: Ana')
    holds(text, 'questions seen: 2')
    walk.say('b')
    walk.say('t')
    text = walk.say('2')
    holds(text, 'Questions: More\n')
    same(len(rows(text)), 2)
    walk.leave()


def test_export(place):
    walk = Walk(place)
    names = [name for _, name in rows(walk.say('s 1'))]
    walk.say('/"')
    shown = [name for name in names if '"' in name]
    folder = place.path('home')
    holds(walk.say('e ' + os.path.join(folder, 'a.csv')), 'written to')
    with open(os.path.join(folder, 'a.csv'), newline='', encoding='utf-8') as file:
        read = list(csv.DictReader(io.StringIO(file.read(), newline='')))
    guarded = ["'" + name if name[0] in '=+-@' else name for name in shown]
    same([row['learner'] for row in read], guarded, 'the rows that are shown, in their order')
    holds(walk.say('e ~/b.json'), 'written to')
    with open(os.path.join(folder, 'b.json'), encoding='utf-8') as file:
        whole = json.load(file)
    same([row['learner'] for row in whole['class']], shown, 'JSON')
    same(whole['facts']['learners'] if 'facts' in whole else whole['learners'], 6, 'facts are of all')
    walk.say('/script')
    holds(walk.say('e ~/c.html'), 'written to')
    with open(os.path.join(folder, 'c.html'), encoding='utf-8') as file:
        page = file.read()
    check('&lt;script&gt;' in page and 'O&#39;Neil' not in page and "O'Neil" not in page, 'HTML')
    holds(walk.say('e ~/d.txt'), 'written to')
    before = sorted(os.listdir(folder))
    for name, why in (('~/a.csv', 'there already'), ('~/none/a.csv', 'folder is not there'), ('~/a.pdf', 'has to end in'),
                      ('~/a', 'has to end in'), ('/dev/full/x.csv', 'quiztutor: '), ('', "e needs a file's name")):
        holds(walk.say('e ' + name), why, name)
    same(sorted(os.listdir(folder)), before, 'no half file')
    if os.path.exists('/dev/full'):
        size = os.path.getsize(os.path.join(folder, 'a.csv'))
        check(size > 0, 'what was there is left')
    walk.leave()


def test_long(place):
    """More rows than a page has are told page by page."""
    text = 'learner,pack,question,mark,marks\n' + ''.join('L%03d,other,q,%d,1\n' % (i, i % 2) for i in range(47))
    status, _, errors = place.run('store', 'load', place.write('load.csv', text))
    same(status, 0, errors)
    walk = Walk(place, 'class', '--pack', 'other')
    holds(walk.first, '52 rows')
    told = rows(walk.first)
    same([number for number, _ in told], list(range(1, 21)), 'the first page')
    holds(walk.first, '32 more: Enter goes on')
    told += rows(walk.say('')) + rows(walk.say(''))
    same([number for number, _ in told], list(range(1, 53)), 'all pages')
    same(sorted(name for _, name in told), sorted([*ANSWERS, *('L%03d' % i for i in range(47))]), 'everybody once')
    holds(walk.say(''), 'no more rows')
    holds(walk.say('33'), dict(told)[33])
    walk.leave()


def test_ways(place):
    """By itself where the terminal or the learner asks for it; as text where it is no terminal."""
    for env in {'TERM': 'dumb'}, {'ACCESSIBLE': '1'}:
        walk = Walk(place, plain=(), env=env)
        holds(walk.first, '1) ')
        walk.leave()
    walk = Walk(place, 'items')
    holds(walk.first, 'q1')
    walk.console.type('\x04')  # the end of input
    status, rest = walk.console.end()
    same(status, 0, rest)
    status, output, errors = place.run('report', '--plain')
    same(status, 0, errors)
    check('q to leave' not in output, 'no questions where nobody can answer')
    for arguments in ('--to', 'csv'), ('-o', place.path('x.csv')), ('attempts',):
        there = console.Console(place, 'report', '--plain', *arguments)
        status, rest = there.end()
        same(status, 0, arguments, rest)
        check('q to leave' not in rest, arguments, rest)
    there = console.Console(place, 'report', 'progress', '--plain', '--learner', 'Nobody')
    status, rest = there.end()
    same(status, 1, rest)
    holds(rest, 'quiztutor: ')


for test in test_walk, test_table, test_back, test_packs, test_export, test_long, test_ways:
    with Place() as place:
        fill(place)
        if test is test_export:
            place.run('practise', '--plain', '--mode', 'all', '--learner', 'Zed', 'stages', input='3\n3\n')
        test(place)
drive.finish()
