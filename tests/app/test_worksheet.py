"""worksheet: the sheet as text line by line, its options, files, statuses, and that it is printed again as it was."""
import os
import re
import shutil
import signal
import subprocess
import time
import unicodedata

import console
import drive
from drive import check, holds, same

NOBODY = 65534

with open(os.path.join(os.path.dirname(__file__), '../paper/every.yaml'), encoding='utf-8') as file:
    EVERY = file.read()

TOP = '''Everything · seed 1 · A4, ink-friendly. The answer key prints on its own
page for grown-ups.

Small things of every kind

Physics · Measuring · ages 12-14

Name ______________________   Date ____________

'''
QUESTIONS = '''Read this first.

It has two paragraphs.

1. Which unit is of length?
   • The metre
   • The second
   • The kg
   • None of these

2. Which are even?

   1  2  3  4
     even

   • 2
   • 4
   • 3

3. Is water wet?
   Circle one:   True   False

4. How long is a metre?
   ______________________________ cm

5. Name the unit of mass.
   ______________________________

6. Smallest first.
   1) centimetre
   2) millimetre
   3) metre
   [ ] [ ] [ ]

7. What measures what?
   ____ clock                           1) mass
   ____ scales                          2) length
                                        3) time
'''
KEY = '''Answer key

For grown-ups. Fold this page away before handing over the rest.
Small things of every kind · %s

1. The metre · A metre is a length.

2. 2; 4 · Halves of them are whole.

   So they are even.

   2 = 1 + 1
   4 = 2 + 2

3. True · It is.

4. 100 cm · By its name.

5. kilogram; kg · It was a lump of metal.

6. millimetre; centimetre; metre · By thousands and hundreds.

7. time; mass · So it is.
'''
CARD = 'quiztutor: Everything: 1 card is left out: cards (recall) are not for paper\n'
ID = re.compile(r'W1-[0-9A-Z]{14}-s[0-9]+(?:-n[0-9]+)?')


def foot(left, right):
    return f'\n{left}{right:>{76 - len(left)}}\n'


def sheet(identity, top=TOP, questions=QUESTIONS):
    return top + questions + foot('Little Press · little.example', identity)


def key(identity):
    return KEY % identity + foot('Worksheet · Little Press', identity)


def printed(place, *arguments, status=0, errors=None, **more):
    got, output, said = place.run('worksheet', *arguments, **more)
    same((got, said if errors is None else errors), (status, said), 'worksheet', arguments, said)
    check(drive.tame(output.replace('\f', '')), 'nothing drives the terminal', arguments)
    return output


def fails(place, status, parts, *arguments, **more):
    got, output, said = place.run('worksheet', *arguments, **more)
    same((got, output), (status, ''), arguments, said)
    last = said.splitlines()[-1] if said else ''
    check(last.startswith('quiztutor: '), arguments, 'says why', said)
    for part in parts if isinstance(parts, tuple) else (parts,):
        holds(last, part, arguments)


def identity(text):
    found = ID.search(text)
    return found[0] if found else 'no ID'


def read(path):
    with open(path, encoding='utf-8', newline='') as one:
        return one.read()


def lines():
    """Each line of a small pack with every type, and nothing else."""
    with drive.Place() as place:
        pack = place.write('every.yaml', EVERY)
        whole = printed(place, pack, '--seed', '1', errors=CARD)
        its = identity(whole)
        check(its.endswith('-s1'), its)
        same(whole, sheet(its) + '\f' + key(its), 'the whole sheet')
        same(printed(place, pack, '--seed', '1', '--no-key'), sheet(its), '--no-key')
        same(printed(place, pack, '--seed', '1', '--key-only'), key(its), '--key-only')
        same(printed(place, pack, '--seed', '1', '--no-key', '--paper', 'letter'),
             sheet(its, TOP.replace('A4', 'Letter')), 'letter')
        same(printed(place, pack, '--seed', '1', '--no-key', '--boxes'), sheet(its, TOP, QUESTIONS.replace('•', '[ ]')), '--boxes')

        # the first ones, and those of a tag; the body is the pack's, or the tag's
        two = printed(place, pack, '--seed', '1', '--limit', '2', '--no-key', errors='')
        same(two, sheet(identity(two), TOP, QUESTIONS[:QUESTIONS.index('\n3. ')]), '--limit 2')
        same((identity(two)[:16], identity(two)[-6:]), (its[:16], '-s1-n2'), 'the limit is in the ID')
        units = printed(place, pack, '--seed', '1', '--tag', 'units', '--no-key', errors='')
        holds(units, '3. How long is a metre?\n   ______________________________ cm\n\nLittle Press', 'the tag')
        same(len(re.findall(r'(?m)^\d+\. ', units)), 3, 'three bear it')
        check(identity(units)[:16] != its[:16], 'another body', units)

        # the same again; another seed is another sheet, with the same body
        same(printed(place, pack, '--seed', '1'), whole, 'the same bytes')
        other = printed(place, pack, '--seed', '2')
        check(other.splitlines()[10:20] != whole.splitlines()[10:20], 'seed 2 moves')
        same(sorted(re.findall('• .*', other)), sorted(re.findall('• .*', whole)), 'but has the same choices')
        check('   • None of these\n\n' in other, 'a pinned choice is last', other)
        same(identity(other)[:16], its[:16], 'one body')
        drawn = {identity(printed(place, pack)) for _ in range(4)}
        same(len(drawn), 4, 'a seed drawn for each')
        check(not any(one.endswith('-s1') for one in drawn), 'never the author\'s', drawn)


WIDE = '''format: quiztutor/1
id: wide
title: בדיקה
language: he
questions:
  - id: he
    prompt: "מהו H2O בטבע?"
    choices: [{correct: "מים (H2O)"}, "אוויר"]
    explanation: "H2O זה מים."
  - id: ja
    prompt: 水は何でできていますか。次の中から一つだけ選んでください。わからないときは、となりの人に聞いてもかまいません。最後まで読みましょう。
    choices: [{correct: 水素と酸素}, 窒素]
    explanation: 水です。
  - id: word
    prompt: WORD
    figure: |
      LONG
      	tab
    text: { accept: [x] }
    explanation: An end.
  - id: unit
    prompt: How much?
    number: { answer: 2, unit: full cups of water from the well behind the third house on the left }
    explanation: An end.
'''


def scripts():
    with drive.Place() as place:
        word, long = 'abcdefghij' * 12, '=' * 100
        pack = place.write('wide.yaml', WIDE.replace('WORD', word).replace('LONG', long))
        text = printed(place, pack, '--seed', '1', errors='')
        holds(text, '1. מהו H2O בטבע?\n   • מים (H2O)\n   • אוויר\n', 'Hebrew as it is written')
        holds(text, f'3. {word[:73]}\n   {word[73:]}\n', 'an unbroken word is broken')
        holds(text, f'   {long}\n           tab\n', 'a figure is not')
        holds(text, f'   {"_" * 30} full cups of water from the well behind\n{" " * 34}the third house on the left\n', 'a long unit')
        holds(text.replace('\n   ', ''), 'ださい。わからないときは、となりの人に聞いてもかまいません。最後まで読みましょう。', 'Japanese, nothing lost')
        for line in text.replace('\f', '\n').splitlines():
            wide = sum(2 if unicodedata.east_asian_width(letter) in 'WF' else 1 for letter in line)
            check(wide <= 76 or '===' in line, 'at most 76 columns', line)
            check(not re.match(r'\s*[。、]', line), 'no stop begins a line', line)
        holds(text, foot('quiztutor', identity(text)), 'without a publisher')
        same(place.run('worksheet', pack, '--seed', '1', '--large'),
             (0, text, 'quiztutor: --large is for PDF: text has one size; -o FILE.pdf writes one\n'), 'no word of it is lost')
        holds(text, 'on its own page for\ntutors.\n', 'the reader by default')


def again():
    """What was printed is printed again by its ID, whatever became of the pack."""
    with drive.Place() as place:
        pack = place.write('content/every.yaml', EVERY)
        whole = printed(place, pack, '--seed', '33', '--boxes', '--paper', 'letter', '--tag', 'units')
        its = identity(whole)
        same(printed(place, '--id', its), whole, 'from the record')
        same(printed(place, '--id', its.lower().replace('0', 'o').replace('1', 'l')), whole, 'as it may be typed')
        same(printed(place, '--id', its, '-o', place.path('a.txt')), '', 'into a file')
        same(read(place.path('a.txt')), whole, 'the same bytes')
        place.write('content/every.yaml', EVERY.replace('Is water wet?', 'Is water dry?'))
        same(printed(place, '--id', its), whole, 'an edited pack is as it was')
        same(printed(place, 'every', '--id', its), whole, 'by its name, too')
        check('Is water dry?' in printed(place, 'every', '--seed', '33', '--tag', 'units'), 'today it is another')
        place.write('content/other.yaml', EVERY.replace('id: every', 'id: other').replace('kg', 'ton'))
        fails(place, 1, (its, 'every', 'other'), 'other', '--id', its)
        alone = printed(place, '--id', its, '--key-only')
        same(alone, whole.split('\f')[1], 'its key alone')
        same(printed(place, '--id', its), whole, 'which changes nothing of the record')
        os.remove(place.path('content/every.yaml'))
        same(printed(place, '--id', its), whole, 'and a pack that is gone')

        # without a record: the library, then the refusal by name
        for name in os.listdir(place.root):
            if name.startswith('store.db'):
                os.remove(place.path(name))
        fails(place, 1, its, '--id', its)
        fails(place, 1, ('other', 'changed', its), 'other', '--id', its)
        place.write('content/every.yaml', EVERY)
        seed = its[:16] + check_of(its, '34') + '-s34'
        same(identity(printed(place, 'every', '--id', seed)), seed, 'another seed of it')
        got = printed(place, '--id', its)
        same(identity(got), its, 'found by content and tag')
        same(got.replace('A4', 'Letter').replace('•', '[ ]').splitlines()[3:], whole.splitlines()[3:], 'the same questions')

        # mistyped
        for at, letter in ((4, 'Z'), (16, 'Z'), (19, '9')):
            wrong = its[:at] + (letter if its[at] != letter else 'X') + its[at + 1:]
            fails(place, 1, (wrong, 'mistyped'), '--id', wrong)
        fails(place, 1, 'no ID', '--id', 'every')


def check_of(its, seed):
    """Luhn's check digit modulo 32, over the body and another seed."""
    digits, total = '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 0
    for at, letter in enumerate(reversed(its[3:16] + seed)):
        addend = digits.index(letter) * (2 if at % 2 == 0 else 1)
        total += addend // 32 + addend % 32
    return digits[-total % 32]


def copies():
    with drive.Place() as place:
        pack = place.write('every.yaml', EVERY)
        one = [printed(place, pack, '--seed', str(seed)).split('\f') for seed in (5, 6, 7)]
        together = printed(place, pack, '--seed', '5', '--copies', '3', errors=CARD)
        same(together, '\f'.join([part[0] for part in one] + [part[1] for part in one]), 'keys together at the end')
        same(printed(place, pack, '--seed', '5', '--copies', '3', '-o', place.path('s-{seed}.txt')), '')
        same(sorted(name for name in os.listdir(place.root) if name.startswith('s-')), ['s-5.txt', 's-6.txt', 's-7.txt'])
        for seed in (5, 6, 7):
            same(read(place.path(f's-{seed}.txt')), '\f'.join(one[seed - 5]), 'each of its own')
            same(printed(place, '--id', identity(one[seed - 5][0])), '\f'.join(one[seed - 5]), 'each on record')
        fails(place, 2, '4294967295', pack, '--seed', '4294967294', '--copies', '3')
        holds(printed(place, pack, '--seed', '4294967294', '--copies', '2'), 'seed 4294967295 ', 'up to the last seed')


def people():
    with drive.Place() as place:
        pack = place.write('every.yaml', EVERY)
        place.write('roster.csv', 'name,login,external_id,group,time_factor,plain\nBo Å,,,9b,,\nAna / X,,,9b,,\n'
                    'Ana: X,,,9b,,\n..,,,9b,,\nZoe,,,9c,,\n')
        same(place.run('learner', 'add', '--from', place.path('roster.csv'))[0], 0, 'the roster')
        text = printed(place, pack, '--group', '9B', '--seed', '10')
        names = re.findall('(?m)^Name (.*)   Date ____________$', text)
        same(sorted(names), sorted(['Bo Å', 'Ana / X', 'Ana: X', '..']), 'a sheet for each, by name')
        same([int(seed) for seed in re.findall(r'(?m) · seed (\d+) · ', text)], [10, 11, 12, 13], 'a seed of their own')
        os.mkdir(place.path('out'))
        printed(place, pack, '--group', '9b', '--seed', '10', '-o', place.path('out/{learner}.txt'))
        files = sorted(os.listdir(place.path('out')))
        same(len(files), 4, 'a file for each', files)
        check('Bo-Å.txt' in files and 'Ana-X.txt' in files and 'learner.txt' in files, files)
        for name in files:
            same(len(re.findall('(?m)^Name ', read(place.path('out', name)))), 1, name)
        for page in text.split('\f')[:4]:
            again = printed(place, '--id', identity(page))
            same(again.split('\f')[0], page, 'again with the name')
        single = printed(place, pack, '--learner', 'zoe', '--seed', '3')
        holds(single, '\nName Zoe   Date ____________\n', 'for one learner')
        same(printed(place, '--id', identity(single)), single, 'with the name again')
        fails(place, 1, ('Zoo', 'Zoe'), pack, '--learner', 'Zoo')
        fails(place, 1, ('Xavier', 'quiztutor learner add'), pack, '--learner', 'Xavier')
        fails(place, 1, ('9d', '9'), pack, '--group', '9d')
        fails(place, 1, ('evening', 'quiztutor learner add --group'), pack, '--group', 'evening')
        fails(place, 2, ('--copies', '--group'), pack, '--group', '9b', '--copies', '2')
        fails(place, 2, ('{learner}', '--group'), pack, '-o', place.path('{learner}.txt'))


def refusals():
    with drive.Place() as place:
        pack = place.write('every.yaml', EVERY)
        fails(place, 2, ('x.doc', '.pdf', '.txt'), pack, '-o', place.path('x.doc'))
        fails(place, 2, ('pdf', '.pdf', '.txt'), pack, '-o', 'pdf')
        fails(place, 2, ('--no-key', '--key-only'), pack, '--no-key', '--key-only')
        fails(place, 2, ('a4', 'letter', 'a5'), pack, '--paper', 'a5')
        holds(printed(place, pack, '--paper', 'Letter', errors=CARD), ' · Letter, ink-friendly', 'in any case')
        fails(place, 2, '--copies', pack, '--copies', '0')
        fails(place, 2, '--copies', pack, '--copies', '10001')
        fails(place, 2, '--seed', pack, '--seed', '0')
        fails(place, 2, 'PACK')
        for option in (('--seed', '2'), ('--limit', '2'), ('--tag', 'x'), ('--copies', '2'), ('--group', 'x')):
            fails(place, 2, ('--id', option[0]), '--id', 'W1-Q9W1DFWF077YMJ-s17', *option)
        fails(place, 1, 'nothing to print', pack, '--tag', 'nothing')
        fails(place, 1, ('nothing to print', 'tag unit;', 'did you mean units?'), pack, '--tag', 'unit')
        fails(place, 1, 'no-such', 'no-such')
        cards = place.write('cards.yaml', 'format: quiztutor/1\nid: cards\ntitle: Cards\nquestions:\n'
                            '  - {id: a, prompt: A?, recall: B, explanation: C.}\n')
        fails(place, 1, 'cards (recall)', cards)


def as_nobody(place, *arguments):
    """Both programs run by an ordinary user, for whom a folder may be shut."""
    os.makedirs(place.path('bin'), exist_ok=True)
    for name in 'quiztutor', 'quiztutor-tools':
        shutil.copy(os.path.join(os.path.dirname(drive.PROGRAM), name), place.path('bin', name))
    who = {} if os.getuid() else {'user': NOBODY, 'group': NOBODY, 'extra_groups': []}
    kept, drive.PROGRAM = drive.PROGRAM, place.path('bin/quiztutor')
    try:
        return place.run(*arguments, **who)
    finally:
        drive.PROGRAM = kept


def places():
    """All or nothing, and a place that can't be written."""
    with drive.Place() as place:
        pack = place.write('every.yaml', EVERY)
        kept = place.write('kept.txt', 'mine\n')
        os.symlink('/dev/full', place.path('full.txt'))
        fails(place, 1, ('full.txt', 'No space'), pack, '-o', place.path('full.txt'))
        fails(place, 1, 'folder is not there', pack, '-o', place.path('no/such.txt'))
        os.mkdir(place.path('folder.txt'))
        fails(place, 1, 'folder.txt', pack, '-o', place.path('folder.txt'))
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([drive.PROGRAM, 'worksheet', pack], stdout=full, stderr=subprocess.PIPE, env=place.environment)
        same(done.returncode, 1, 'standard output is full', done.stderr)
        check(b'No space' in done.stderr, done.stderr)
        same(place.run('store', 'info')[0], 1, 'nothing of all this is on record: there is no store')

        # a limit on the size of a file stands for a full disk that comes late: what was there stays
        done = subprocess.run(['sh', '-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"', 'sh', drive.PROGRAM, 'worksheet', pack,
                               '--copies', '200', '-o', kept], stderr=subprocess.PIPE, env=place.environment)
        same(done.returncode, 1, 'no room', done.stderr)
        same(read(kept), 'mine\n', 'what was there is there')
        same([name for name in os.listdir(place.root) if 'quiztutor-new' in name], [], 'nothing is left behind')

        # a folder, and a store, that an ordinary user may not write
        shut = place.path('shut')
        os.mkdir(shut)
        printed(place, pack, '--seed', '1', '--store', os.path.join(shut, 'store.db'), errors=CARD)
        for name in os.listdir(shut):
            os.chmod(os.path.join(shut, name), 0o444)
        os.chmod(shut, 0o555)
        os.chmod(place.root, 0o755)
        for ending in ('txt', 'pdf') if 'pdf' in place.run('--version')[1] else ('txt',):
            status, output, said = as_nobody(place, 'worksheet', pack, '-o', os.path.join(shut, 'a.' + ending))
            same((status, output), (1, ''), said)
            holds(said, "a.%s can't be written: Permission denied" % ending)
        status, output, said = as_nobody(place, 'worksheet', pack, '--seed', '1', '--store', os.path.join(shut, 'store.db'))
        same((status, output), (0, sheet(identity(output)) + '\f' + key(identity(output))), said)
        holds(said, 'printed, but not on record', 'it says so')
        same(sorted(name for name in os.listdir(shut) if not name.startswith('store.db')), [], 'nothing is left there')
        os.chmod(shut, 0o755)

        # the store can't be written: printed all the same, and said
        bad = place.write('bad.db', 'no store at all, whatever it is called, and long enough to be looked at\n' * 20)
        status, output, said = place.run('worksheet', pack, '--seed', '1', '--store', bad)
        same(status, 0, said)
        holds(said, 'printed, but not on record', 'it says so')
        same(output, sheet(identity(output)) + '\f' + key(identity(output)), 'and prints')


def as_pdf():
    """The second program takes over."""
    with drive.Place() as place:
        if 'pdf' not in place.run('--version')[1]:
            return
        pack = place.write('every.yaml', EVERY)
        printed(place, pack, '--seed', '8', '--large', '-o', place.path('a.PDF'), errors=CARD)
        with open(place.path('a.PDF'), 'rb') as one:
            first = one.read()
        check(first.startswith(b'%PDF'), 'a PDF', first[:20])
        its = identity(printed(place, pack, '--seed', '8', '--large'))
        printed(place, '--id', its, '-o', place.path('b.pdf'), env={'TZ': 'Asia/Tokyo'})
        with open(place.path('b.pdf'), 'rb') as one:
            same(one.read() == first, True, 'again from the record, byte for byte')
        printed(place, pack, '--seed', '8', '--copies', '2', '-o', place.path('c-{seed}.pdf'))
        same(sorted(name for name in os.listdir(place.root) if name.startswith('c-')), ['c-8.pdf', 'c-9.pdf'])
        holds(place.run('worksheet', pack, '--copies', '101', '-o', place.path('many.pdf'))[2],
              '101 sheets in one PDF: it has no structure for screen readers', 'that is told')
        printed(place, pack, '--copies', '100', '-o', place.path('many.pdf'), errors=CARD)
        os.symlink('/dev/full', place.path('full.pdf'))
        fails(place, 1, ('full.pdf', 'No space'), pack, '-o', place.path('full.pdf'))
        fails(place, 1, 'folder is not there', pack, '-o', place.path('no/such.pdf'))


def stopped():
    """^C leaves no file behind, whole or in part."""
    with drive.Place() as place:
        more = ''.join(f'      - {{id: more{n}, prompt: "{"Long " * 60}?", true_false: true, explanation: So.}}\n' for n in range(400))
        pack = place.write('every.yaml', EVERY + more)
        process = subprocess.Popen([drive.PROGRAM, 'worksheet', pack, '--copies', '10000', '-o', place.path('all.txt')],
                                   stderr=subprocess.PIPE, env=place.environment)
        end = time.monotonic() + 20
        while time.monotonic() < end and not any('quiztutor-new' in name for name in os.listdir(place.root)):
            pass
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1].decode()
        same(process.returncode, -signal.SIGINT, 'ends as it was asked to', said)
        holds(said, 'stopped', 'and says so')
        same([name for name in os.listdir(place.root) if 'all.txt' in name or 'quiztutor-new' in name], [], 'no file')

        # a bar, on a terminal only
        terminal = console.Console(place, 'worksheet', pack, '--copies', '10000', '-o', place.path('all.txt'))
        terminal.expect(' of 10000 sheets', 60)
        terminal.type('\x03')
        terminal.end(60)
        check('[' in terminal.said or terminal.status, 'it ended', terminal.status)


def german():
    """Words of ours follow the locale where a catalogue has them; those of the pack never do."""
    with drive.Place() as place:
        text = printed(place, place.write('every.yaml', EVERY), '--seed', '1', env={'LANGUAGE': 'de'})
        holds(text, '1. Which unit is of length?\n   • The metre\n', 'the pack')


for part in lines, scripts, again, copies, people, refusals, places, as_pdf, stopped, german:
    part()
drive.finish()
