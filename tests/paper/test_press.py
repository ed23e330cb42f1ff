"""test_press.py PROGRAM CLOCK CONTENT [NAME]: sheets set as PDF, held against the layout that is promised for them."""
import os
import re
import struct
import sys

import paper
from paper import MARGIN, Press, check, choices, failures, joined, pack, plain, question, same, tool

SAMPLE, CLOCK, CONTENT = (os.path.abspath(path) for path in sys.argv[1:4])
press = Press(SAMPLE)
WALL = 0.053  # a page of words without any room, of digits half of them: no question
FIGURE = '+--+\n|  | a box\n+--+'
ID = r'W1-[0-9A-HJKMNP-TV-Z]{14}-s\d+(-n\d+)?'

EVERY = pack(
    title='Every kind', strapline='One of each', subject='Paper', topic='Kinds', ages='10-12', key_reader='grown-ups',
    publisher={'name': 'The Press', 'site': 'press.example'}, markup='light',
    sections=[
        {'title': 'Never printed', 'intro': 'Read this first.\n\nThen this.', 'figure': FIGURE, 'questions': [
            question(1, choices=['No', {'correct': 'Yes *really*'}, 'Maybe'], hint='never printed', source='never printed'),
            question(2, choices=['Two', {'correct': 'Three'}, {'correct': '`Five`'}])]},
        {'title': 'Nor this', 'intro': 'The rest.', 'questions': [
            question(3, true_false=True),
            question(4, number={'answer': 0.5, 'unit': 'km'}, explanation_figure=FIGURE),
            question(5, text=['word', 'Wort'], figure=FIGURE),
            {**question(6, order=['first', 'second', 'third']), 'explanation': 'One.\n\nTwo.'},
            question(7, match={'a': 'A', 'b': 'B'}, extra=['C']),
            {'id': 'card', 'prompt': 'A card', 'recall': 'never', 'explanation': 'never'}]}])
FIGURE_LINES = ['+--+', '| | a box', '+--+']
TOP = ['Every kind · seed 1 · A4, ink-friendly. The answer key prints on its own page for grown-ups.', 'One of each',
       'Paper · Kinds · ages 10-12', 'Name ______________________ Date ____________']


def ids_away(pages):
    return [[re.sub(ID, 'ID', line) for line in page] for page in pages]


def questions_wanted(order, rights, bullet='• '):
    return [
        'Read this first.', 'Then this.', *FIGURE_LINES,
        '1. Prompt1.', f'{bullet}No', f'{bullet}Yes really', f'{bullet}Maybe',
        '2. Prompt2.', f'{bullet}Two', f'{bullet}Three', f'{bullet}Five',
        'The rest.', '3. Prompt3.', 'Circle one: True False',
        '4. Prompt4.', 'km', '5. Prompt5.', *FIGURE_LINES,
        '6. Prompt6.', *(f'{i}) {text}' for i, text in enumerate(order, 1)),
        '7. Prompt7.', f'a 1) {rights[0]}', f'b 2) {rights[1]}', f'3) {rights[2]}']


KEY = ['Answer key', 'For grown-ups. Fold this page away before handing over the rest.', 'One of each · ID',
       '1. Yes really · Because1.', '2. Three; Five · Because2.', '3. True · Because3.', '4. 0.5 km · Because4.',
       *FIGURE_LINES, '5. word; Wort · Because5.', '6. first; second; third · One.', 'Two.', '7. A; B · Because7.',
       'Worksheet · The Press ID']


def shown(pages):
    """The orders that the sheet drew by its seed: any will do here, as long as all are there."""
    lines = [line for page in pages for line in page]
    at = lines.index('6. Prompt6.')
    order = [re.sub(r'^\d\) ', '', line) for line in lines[at + 1:at + 4]]
    same(sorted(order), ['first', 'second', 'third'], 'items')
    at = next(i for i, line in enumerate(lines) if line.startswith('7. Prompt7.'))
    rights = [line[-1] for line in lines[at + 1:at + 4]]
    same(sorted(rights), ['A', 'B', 'C'], 'rights')
    return order, rights


def every():
    sheet = press.set(EVERY)
    pages = ids_away(sheet.pages())
    body = questions_wanted(*shown(pages))
    same(len(pages), 3, 'two pages of questions and the key')
    split = pages[0].index('The Press · press.example page 1 of 2 ID')
    same(split, len(pages[0]) - 1, 'the footer ends the page')
    same(pages[1][-1], 'The Press · press.example page 2 of 2 ID', 'footer')
    same(pages[0][:-1] + pages[1][:-1], TOP + body, 'every line, in order, nothing extra')
    same(pages[2], KEY, 'the key')
    # as it is read without regard to columns
    text = plain(' '.join(' '.join(page) for page in sheet.pages('-raw')))
    for wanted in 'Circle one: True False', TOP[3], '1. Prompt1.', '• Yes really':
        check(wanted in text, wanted, 'in', text)

    alone = ids_away(press.set(EVERY, 'no-key').pages())
    same(alone, pages[:2], 'without the key, and with the note all the same')
    same(ids_away(press.set(EVERY, 'key-only').pages()), [KEY], 'the key only')
    letter = ids_away(press.set(EVERY, 'letter').pages())
    lines = [line for page in letter[:-1] for line in page if not line.startswith('The Press')]
    same(lines, [TOP[0].replace('A4', 'Letter'), *TOP[1:], *body], 'letter')
    boxes = ids_away(press.set(EVERY, 'boxes').pages())
    lines = [line for page in boxes[:-1] for line in page if not line.startswith('The Press')]
    same(lines, TOP + questions_wanted(*shown(pages), bullet=''), 'boxes instead of bullets')
    large = ids_away(press.set(EVERY, 'large', 'learner=Ana Łucja').pages())
    text = plain(' '.join(' '.join(page) for page in large))
    check('Name Ana Łucja Date ____________' in text and 'Name ___' not in text, 'the name is printed', text)
    check(len(large) > len(pages), 'large print takes more room', len(large))
    check('page 1 of 3' in text and 'page 3 of 3' in text, 'pages are counted', text)


def where_key(pages):
    return next((number for number, page in enumerate(pages) if page[0] == 'Answer key'), len(pages))


def plain_head():
    """Of a pack that says little about itself."""
    sheet = press.set(pack([question(1, **choices(1))]))
    same(ids_away(sheet.pages()), [
        ['A paper · seed 1 · A4, ink-friendly. The answer key prints on its own page for tutors.', 'A paper', TOP[3],
         '1. Prompt1.', '• right1', '• wrong1x1', '• wrong1x2', '• wrong1x3', 'quiztutor ID'],
        ['Answer key', 'For tutors. Fold this page away before handing over the rest.', 'A paper · ID',
         '1. right1 · Because1.', 'Worksheet · quiztutor ID']], 'one page has no number')
    info = tool('pdfinfo', sheet.path)
    check(re.search(r'Title: +A paper\n', info) and re.search(r'Tagged: +yes', info), 'title and structure', info)
    check(b'/Lang (en)' in sheet.bytes, 'language')
    same(sheet.structure(), [
        'Document', 'P', f'"{sheet.pages()[0][0]}"', 'H1', '"A paper"', 'P',
        '"Name ______________________   Date ____________"', 'P', '"1. Prompt1."', 'L', 'LI', '"• right1"', 'LI',
        '"• wrong1x1"', 'LI', '"• wrong1x2"', 'LI', '"• wrong1x3"', 'H1', '"Answer key"', 'P',
        '"For tutors. Fold this page away before handing over the rest."', 'P', f'"{sheet.pages()[1][2]}"', 'P',
        '"1. right1 · Because1."'], 'structure')
    check('"Circle one:   True   False"' in press.set(EVERY).structure(), 'with its spaces')
    check('Tagged:          no' in tool('pdfinfo', press.set(EVERY, 'untagged').path), 'without structure')


def page_of(pages):
    """On which page each word stands."""
    return {word: number for number, page in enumerate(pages) for line in page for word in line.split()}


def forty():
    made = [question(i, **choices(i, 2 + i % 5)) for i in range(1, 41)]
    pages = press.set(pack(made)).pages()
    sheets = [page for page in pages if not re.search('^Worksheet', page[-1])]
    where = page_of(sheets)
    for i in range(1, 41):
        words = [f'Prompt{i}.', f'right{i}'] + [f'wrong{i}x{j}' for j in range(1, 2 + i % 5)]
        same(len({where[word] for word in words}), 1, 'question', i, 'on one page')
    for number, page in enumerate(sheets, 1):
        check(f'page {number} of {len(sheets)}' in page[-1], 'footer', page[-1])
    check('continued' not in plain(str(pages)), 'nothing is divided')
    order = [int(word[6:-1]) for page in sheets for line in page for word in line.split() if word.startswith('Prompt')]
    same(order, list(range(1, 41)), 'in order')


def sections():
    """An intro and its figure stay with their first question, wherever on a page they come."""
    for step in range(3):
        made = [{'intro': f'Intro{i}.', 'figure': f'figure{i}', 'title': f's{i}',
                 'questions': [question(10 * i + j, **choices(10 * i + j, 2 + (i + step) % 4)) for j in range(2)]}
                for i in range(1, 16)]
        for words in (), ('large',), ('letter',):
            pages = press.set(pack(sections=made), 'no-key', *words).pages()
            where = page_of(pages)
            for i in range(1, 16):
                same(where[f'Intro{i}.'], where[f'right{10 * i}'], 'intro', i, words)
                same(where[f'figure{i}'], where[f'right{10 * i}'], 'figure', i, words)
            same(where['Date'], where['Intro1.'], 'the heading does not stay alone')


def tall():
    """Questions taller than a page, divided between paragraphs and choices."""
    words = ' '.join(f'w{i}' for i in range(1500))
    parts = '\n\n'.join(f'Part{i} ' + 'and some more words ' * 8 for i in range(40))
    made = [question(1, true_false=True), {**question(2, **choices(2, 26)), 'prompt': words}, question(3, true_false=False),
            {**question(4, **choices(4, 26)), 'prompt': parts}, question(5, text='t')]
    pages = press.set(pack(made), 'no-key', ink=WALL).pages()
    lines = [line for page in pages for line in page[:-1]]
    text = plain(' '.join(line for line in lines if not re.fullmatch(r'\d\. continued', line)))
    same(re.findall(r'\bw\d+\b', text), [f'w{i}' for i in range(1500)], 'each word once, in order')
    same(re.findall(r'Part\d+', text), [f'Part{i}' for i in range(40)], 'each paragraph')
    same(re.findall('(?:right|wrong)[24][x0-9]*', text),
         ['right2', *(f'wrong2x{i}' for i in range(1, 26)), 'right4', *(f'wrong4x{i}' for i in range(1, 26))], 'choices')
    going = [(number, page[0]) for number, page in enumerate(pages) if 'continued' in page[0]]
    check(len(going) >= 4 and {line for _, line in going} == {'2. continued', '4. continued'}, 'says so', going)
    same(sum('continued' in line for line in lines), len(going), 'at the top of a page only')
    check(page_of(pages)['Date'] == page_of(pages)['Prompt1.'], 'heading')
    # the very first one: below the heading
    pages = press.set(pack([{**question(1, **choices(1, 26)), 'prompt': parts}]), 'no-key', 'large', ink=WALL).pages()
    check(any('Part0' in line for line in pages[0]) and '1. continued' == pages[1][0], 'begins below the heading', pages[:2])
    # an explanation
    key = press.set(pack([{**question(1, true_false=True), 'explanation': parts}]), 'key-only', ink=WALL).pages()
    check(len(key) > 1 and key[1][0] == '1. continued', 'a key goes on', key[1][:1])
    same(re.findall(r'Part\d+', plain(str(key))), [f'Part{i}' for i in range(40)], 'all of it')
    # a long choice, a long list of long items, long pairs
    long = ' '.join(f'c{i}' for i in range(1500))
    pages = press.set(pack([question(1, choices=[{'correct': long}, 'No'])]), 'no-key', ink=WALL).pages()
    same(re.findall(r'\bc\d+\b', plain(str(pages))), [f'c{i}' for i in range(1500)], 'a choice taller than a page')
    many = [f'item{i} ' + 'of many words ' * 12 for i in range(26)]
    pages = press.set(pack([question(1, order=many)]), 'no-key', 'large', ink=WALL).pages()
    same(sorted(re.findall(r'item\d+', plain(str(pages)))), sorted(f'item{i}' for i in range(26)), 'items')
    pairs = {f'left{i} ' + 'of many words ' * 8: f'right{i} ' + 'and as many ' * 8 for i in range(26)}
    pages = press.set(pack([question(1, match=pairs)]), 'no-key', 'large', ink=WALL).pages()
    same(sorted(re.findall(r'(?:left|right)\d+', plain(str(pages)))), sorted(f'{side}{i}' for side in ('left', 'right') for i in range(26)),
         'pairs')


def many_choices():
    pages = press.set(pack([question(i, **choices(i, 26)) for i in (1, 2)]), 'boxes').pages()
    where = page_of(pages[:-1])
    for i in 1, 2:
        same(len({where[word] for word in [f'right{i}'] + [f'wrong{i}x{j}' for j in range(1, 26)]}), 1, '26 choices', i)


def long_words():
    word = 'abcdefghijklmnopqrstuvwxyz0123456789' * 3 + 'abcdefghijkl'
    pages = press.set(pack([{**question(1, choices=[{'correct': word[::-1]}, 'No']), 'prompt': f'Say {word} aloud.',
                             'explanation': word}, question(2, match={word: word, 'b': 'B'})],
                           publisher={'name': word}, title=word, strapline=word))
    text = re.sub(r'\s', '', ''.join(''.join(page) for page in pages.pages('-raw')))
    check(text.count(word) >= 5, 'wrapped, nothing lost and nothing added', text)
    check(word[::-1] in text, 'in a choice', text)


def figures():
    wide = '\n'.join('|' + f'{i:<3}' + '.' * 190 + 'end|' for i in range(12))
    tall = '\n'.join(f'row{i} |' for i in range(75))
    taller = '\n'.join(f'line{i} |' for i in range(400))
    drawing = '┌────┐ 日本\n│ x  │ ab│\n└────┘ 12│'
    sheet = press.set(pack([question(1, true_false=True, figure=wide), question(2, true_false=True, figure=tall),
                            question(3, true_false=True, figure=taller), question(4, true_false=True, figure=drawing)]), 'no-key')
    pages = sheet.pages()
    where = page_of(pages)
    same(sum(line.endswith('end|') for page in pages for line in page), 12, 'a wide figure is scaled, not cut')
    same(len({where[f'row{i}'] for i in range(75)}), 1, 'a tall one as well')
    same([word for page in pages for line in page for word in line.split() if word.startswith('line')],
         [f'line{i}' for i in range(400)], 'one of many pages')
    # columns hold, whichever font a character comes from
    right = [box for words in sheet.words() for box in words if box[4] in ('日', '日本', 'ab│', '12│')]
    same(len(right), 3, 'drawing', right)
    check(max(box[0] for box in right) - min(box[0] for box in right) < 1.5, 'columns begin at one place', right)
    bars = [box[2] for box in right if box[4].endswith('│')]
    check(abs(bars[0] - bars[1]) < 0.2, 'and end at one', right)


def right_to_left():
    made = pack([{**question(1, choices=[{'correct': 'מים'}, 'אש', 'H2O']), 'prompt': 'H2O היא מולקולה של מים?'},
                 {**question(2, match={'שמש': 'יום', 'ירח': 'לילה'}), 'prompt': 'התאימו.'},
                 {**question(3, order=['אחת', 'שתיים']), 'prompt': 'סדרו.'},
                 {**question(4, number={'answer': 3, 'unit': 'מטר'}), 'prompt': 'כמה?'}],
                language='he', title='מדע', publisher={'name': 'Press'})
    sheet = press.set(made, 'boxes')
    said = sheet.structure()
    for wanted in '1. H2O היא מולקולה של מים?', 'H2O', '2. התאימו.', 'שמש', 'מטר', '1. מים · Because1.':
        check(f'"{wanted}"' in said, wanted, 'is read as it is written', said)
    check(b'/Lang (he)' in sheet.bytes and b'/Direction /R2L' in sheet.bytes, 'language and direction')
    words = joined(sheet.words()[0])

    def one(text):
        found = [box for box in words if box[4].strip('.') == text]
        same(len(found), 1, text, 'once', [box[4] for box in words])
        return found[0] if found else (0, 0, 0, 0, '')
    middle = 595 / 2
    first = one('היא')
    check(one('התאימו')[2] > 595 - MARGIN - 40, 'begins at the right', one('התאימו'))
    water = [box for box in words if box[4] == 'H2O']
    check(len(water) == 2 and water[0][0] > first[2] and water[1][0] > middle, 'what is Latin, too', water, first)
    check(one('שמש')[0] > middle > one('לילה')[2] and middle > one('יום')[2], 'columns are mirrored')
    check(one('Press')[2] > 595 - MARGIN - 2, 'the footer is mirrored', one('Press'))
    identity = [box for box in words if box[4].startswith('W1-')][0]
    check(identity[0] < MARGIN + 2, 'the ID is left', identity)
    # a pack that runs left to right, about Hebrew: choices stay beside their bullets
    words = joined(press.set(pack([question(1, choices=[{'correct': 'שלום'}, 'Bye'])]), 'no-key').words()[0])
    left = [box[0] for box in words if box[4] in ('שלום', 'Bye')]
    check(len(left) == 2 and abs(left[0] - left[1]) < 1, 'one column', left)


def scripts():
    sentence = '日本語の文章は単語の間に空白がないので、行の終わりで折り返します。' * 4
    made = pack([{**question(1, choices=[{'correct': '正しい答え'}, '違う答え']), 'prompt': sentence, 'explanation': '説明。'},
                 {**question(2, choices=[{'correct': 'e\u0301te\u0301 n\u0303'}, '😀 😃', 'naïve Ünïcödé ≤ ∑ →'])}], language='ja', title='日本語')
    sheet = press.set(made)
    text = ''.join(''.join(page) for page in sheet.pages()).replace(' ', '')
    for wanted in sentence, '正しい答え', 'été', '😀😃', 'naïveÜnïcödé≤∑→':
        check(wanted.replace(' ', '') in text, wanted, 'in', text)
    check(b'/Lang (ja)' in sheet.bytes, 'language')


def unknown():
    made = [question(1, true_false=True), {**question(2, true_false=True), 'prompt': 'A \U0001e900 b \U0001e901 \U000f0000 c \U000f0001'}]
    status, errors, _ = press.run(pack(made))
    same(status, 1, 'characters without a font')
    check('question 2' in errors and 'U+1E900' in errors and 'U+F0000' in errors and 'U+F0001' not in errors, errors)
    status, errors, _ = press.run(pack([{**question(1, true_false=True), 'explanation': 'x \U000f0000'}]))
    check(status == 1 and 'question 1' in errors and 'the character U+F0000' in errors, 'in the key', errors)
    status, errors, _ = press.run(pack(made[:1], title='\U000f0000'))
    check(status == 1 and 'top of the sheet' in errors, 'in the title', errors)
    status, errors, _ = press.run(pack(made[:1], publisher={'name': '\U000f0000'}))
    check(status == 1 and 'footer' in errors, 'in the footer', errors)
    bare = press.path('bare.conf')
    with open(bare, 'w') as file:
        file.write(f'<?xml version="1.0"?><fontconfig><dir>{press.path("none")}</dir></fontconfig>')
    status, errors, _ = press.run(pack(made[:1]), environment={'FONTCONFIG_FILE': bare})
    check(status == 1 and 'no font is installed' in errors, 'no font at all', status, errors)


def twice():
    """The same bytes, whenever and wherever; another seed, others."""
    with open(press.path('clock'), 'wb') as file:
        file.write(struct.pack('=qqq', 1_000_000_000_000, 5, 1))
    later = {'TZ': 'Asia/Kathmandu', 'LD_PRELOAD': CLOCK, 'TEST_CLOCK': press.path('clock'), 'SOURCE_DATE_EPOCH': '12345',
             'HOME': press.folder.name, 'LC_NUMERIC': 'de_DE.UTF-8'}
    for words in (), ('large', 'boxes', 'copies=3'):
        first = press.set(EVERY, *words)
        same(press.set(EVERY, *words).bytes, first.bytes, 'once more', words)
        other = press.run(EVERY, *words, environment=later)
        if same(other[0], 0, 'under another clock', other[1]):
            with open(other[2], 'rb') as file:
                check(file.read() == first.bytes, 'under another clock', words)
    check(press.set(EVERY, 'seed=2').bytes != first.bytes, 'seeds differ')


def copies():
    sheet = press.set(EVERY, 'copies=4', 'seed=7', 'untagged')
    pages = sheet.pages()
    same([bool(re.match('Worksheet', page[-1])) for page in pages], [False] * 8 + [True] * 4, 'keys together at the end')
    ids = [re.search(ID, page[-1])[0] for page in pages]
    same([int(name.rsplit('-s', 1)[1]) for name in ids], [7, 7, 8, 8, 9, 9, 10, 10, 7, 8, 9, 10], 'seeds')
    for page, identity in zip(pages[8:], ids[8:]):
        check(any(line.endswith(f'· {identity}') for line in page[:4]), 'each key names its sheet', page[:4])
    single = press.set(EVERY, 'seed=9').pages()
    same(pages[4:6] + pages[10:11], single, 'a copy is the sheet of its seed')


def shipped():
    """The packs that ship: little ink, that of their dense keys too."""
    for name in sorted(os.listdir(CONTENT)):
        if name.endswith('.yaml'):
            for words in (), ('boxes', 'letter'), ('large',), ('large', 'letter', 'seed=3'):
                pages = press.set(os.path.join(CONTENT, name), *words).pages()
                check('continued' not in plain(str(pages[:where_key(pages)])), name, words, 'no question is divided')


def reasons():
    """A key of nothing but long reasons takes little ink, too."""
    why = ('It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, '
           'it was the epoch of belief, it was the epoch of incredulity, it was the season of Light. ') * 2
    made = [{**question(i, true_false=True), 'explanation': why} for i in range(1, 15)]
    for words in (), ('large',), ('letter',), ('large', 'letter'):
        press.set(pack(made), 'key-only', *words)


def passages():
    """A text to read above its question, or above those of a section, takes little ink; what is short is set as ever."""
    text = ('It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, '
            'it was the epoch of belief, it was the epoch of incredulity, it was the season of Light. ') * 40
    for words in (), ('large',), ('letter',), ('large', 'letter'):
        press.set(pack([{**question(1, true_false=True), 'prompt': text}, question(2, true_false=True)]), 'no-key', *words)
        sheet = press.set(pack(sections=[{'title': 's', 'intro': text, 'questions': [question(1, true_false=True), question(2, true_false=True)]}]),
                          'no-key', *words)
        text_there = plain(' '.join(' '.join(page) for page in sheet.pages('-raw')))
        same(text_there.count('Light.'), 40, 'all of it', words)
        heights = [round(box[3] - box[1], 1) for page in sheet.words() for box in page if box[4] in ('best', 'Prompt1.', 'Prompt2.')]
        check(len(set(heights[:-2])) == 1 and heights[-2] == heights[-1] >= heights[0], 'its questions are as ever', heights[-3:])


def faults():
    status, errors, _ = press.run(EVERY, output='/dev/full')
    check(status == 1 and "can't be written" in errors, 'a full disk', status, errors)
    status, errors, _ = press.run(EVERY, 'starve', output='/dev/null')
    same((status, errors), (0, ''), 'each allocation fails once')


# every one of these is in meson.build
TESTS = [every, plain_head, forty, sections, tall, many_choices, long_words, figures, right_to_left, scripts, unknown,
         twice, copies, shipped, reasons, passages, faults]
named = {test.__name__: test for test in TESTS}
for name in sys.argv[4:] or named:
    named[name]()
print(f'{paper.checks} checks, {len(failures)} failures')
sys.exit(bool(failures) or not paper.checks)
