"""Import and export as tutors use them: the program over files of every format, good, hostile and broken.

What packs hold is read by another YAML reader; packages are made by packages.py. Argument: the program.
"""
import ctypes
import json
import os
import resource
import subprocess
import sys
import time
import traceback
import warnings
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))

import yaml

import drive
import packages
from drive import check, holds, same

NOBODY = 65534
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))


def pack_of(path):
    with open(path, encoding='utf-8') as file:
        return yaml.load(file, yaml.BaseLoader)  # all scalars are texts, as in a pack


def questions_of(pack):
    return pack['questions'] if 'questions' in pack else [
        question for section in pack['sections'] for question in section['questions']]


def right(question):
    return [choice['correct'] for choice in question['choices'] if isinstance(choice, dict) and 'correct' in choice]


def brought(place, name, content, *arguments, status=0, folder='packs'):
    """A file imported: the pack it became (None: none), standard output and standard error."""
    path = place.write(name, content)
    got, output, errors = place.run('import', path, '-o', place.path(folder), *arguments)
    same(got, status, name, output, errors)
    check(drive.tame(output) and drive.tame(errors), name, 'drives a terminal', output, errors)
    check(status or not errors, name, errors)
    targets = [line.rsplit(' → ', 1)[1] for line in output.splitlines() if ' → ' in line]
    same(len(targets), 0 if status else 1, name, output)
    if not targets:
        return None, output, errors
    done = place.run('check', targets[0])
    same(done[0], 0, name, done[1])
    return pack_of(targets[0]), output, errors


def refused(place, name, content, *parts, arguments=(), seconds=20, folder='refused'):
    """A file refused as a whole: status 1, one line that names it and says why, no pack, and no time lost."""
    begun = time.monotonic()
    _, output, errors = brought(place, name, content, *arguments, status=1, folder=folder)
    check(time.monotonic() - begun < seconds, name, 'took', time.monotonic() - begun)
    same(output, '', name)
    check(len(errors.splitlines()) == 1 and errors.startswith('quiztutor: ') and name in errors, name, errors)
    for part in parts:
        holds(errors, part, name)
    check(not os.path.exists(place.path(folder)), name, 'left something behind')


# ---- every format's happy path ----

GIFT = """$CATEGORY: Physics/Waves

::Planet:: Which planet is red? {=Mars ~Venus#Too hot. ~Jupiter}

Water is wet. {T}

Two plus two {#4:0.5}

$CATEGORY: Physics/Light
Capital of France? {=Paris =paris}

Write about it. {}
"""

AIKEN = """Which is warm?
A. Red
B. Blue
ANSWER: A

C. elegans is a
A. worm
B. fly
ANSWER: A
"""

MOODLE = """<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/top/Physics/Waves</text></category></question>
<question type="multichoice"><name><text>Planet</text></name>
<questiontext format="html"><text><![CDATA[<p>Which <em>planet</em> is red?</p>]]></text></questiontext>
<defaultgrade>2</defaultgrade><single>true</single><shuffleanswers>true</shuffleanswers>
<answer fraction="100"><text>Mars</text><feedback><text>Yes.</text></feedback></answer>
<answer fraction="0"><text>Venus</text><feedback><text>Too hot.</text></feedback></answer></question>
<question type="truefalse"><name><text>Wet</text></name><questiontext><text>Water is wet.</text></questiontext>
<answer fraction="0"><text>false</text></answer><answer fraction="100"><text>true</text></answer></question>
<question type="essay"><name><text>Essay</text></name><questiontext><text>Write.</text></questiontext></question>
</quiz>
"""

CSV = """id,prompt,choice 1,choice 2,correct,explanation
warm,"Which, really, is warm?",Red,Blue,1,Red is.
"""

ANKI = '#separator:tab\n#html:true\n#tags column:3\nWhat is <b>2</b>?\t"two\nlines"\tmaths easy\n{{c1::Paris}} is in {{c2::France::country}}.\tMore\t\n'

MARKDOWN = """# Colours

## Which is warm?

- [x] Red
- [ ] Blue
"""


def formats():
    with drive.Place() as place:
        pack, output, _ = brought(place, 'physics.gift', GIFT)
        same([section['title'] for section in pack['sections']], ['Physics / Waves', 'Physics / Light'])
        planet, wet, four, paris = questions_of(pack)
        same((planet['prompt'], right(planet), wet['true_false']), ('Which planet is red?', ['Mars'], 'true'))
        same(float(four['number']['answer']), 4.0)
        same(float(four['number']['tolerance']), 0.5)
        holds(output, 'left out: Write about it.')
        holds(output, 'GIFT, 4 taken')

        pack, _, _ = brought(place, 'warm.txt', AIKEN)
        same([(question['prompt'], right(question)) for question in questions_of(pack)],
             [('Which is warm?', ['Red']), ('C. elegans is a', ['worm'])])

        pack, output, _ = brought(place, 'moodle.xml', MOODLE)
        planet, wet = questions_of(pack)
        same((planet['prompt'], right(planet), planet['marks'], wet['true_false']), ('Which *planet* is red?', ['Mars'], '2', 'true'))
        same([choice.get('feedback') for choice in planet['choices'] if 'wrong' in choice], ['Too hot.'])
        holds(output, 'left out: Essay')

        pack, output, _ = brought(place, 'table.csv', CSV)
        warm, = questions_of(pack)
        same((warm['id'], warm['prompt'], right(warm), warm['explanation']), ('warm', 'Which, really, is warm?', ['Red'], 'Red is.'))
        holds(output, 'taken: Which, really, is warm?')

        pack, _, _ = brought(place, 'notes.txt', ANKI)
        two, city, country = questions_of(pack)
        same((two['recall'], two['tags'], city['recall'], country['recall'], country['prompt']),
             ('two lines', ['maths', 'easy'], 'Paris', 'France', 'Paris is in [country].'))

        pack, _, _ = brought(place, 'colours.md', MARKDOWN)
        warm, = questions_of(pack)
        same((pack['title'], warm['prompt'], right(warm)), ('Colours', 'Which is warm?', ['Red']))

        pack, _, _ = brought(place, 'item.xml', packages.qti21_item('one', 'First', 'Which is warm?', packages.COLOURS, 'a'))
        same([(question['prompt'], right(question)) for question in questions_of(pack)], [('Which is warm?', ['Red'])])
        pack, _, _ = brought(place, 'quiz12.xml', packages.qti12_document('Colours', [('q', 'Which is warm?', packages.COLOURS, 'b')]))
        same([(question['prompt'], right(question)) for question in questions_of(pack)], [('Which is warm?', ['Green'])])


def by_content():
    """The format is found by what is in a file, whatever it is called; --from says the same."""
    with drive.Place() as place:
        for name, content, form in (('gift', GIFT, 'gift'), ('aiken', AIKEN, 'aiken'), ('moodle', MOODLE, 'moodle-xml'),
                                    ('csv', CSV, 'csv'), ('anki', ANKI, 'anki'), ('md', MARKDOWN, 'markdown'),
                                    ('qti', packages.qti21_package(), 'qti21'),
                                    ('apkg', packages.legacy_package(packages.SOME_NOTES, packages.SOME_DECKS), 'apkg')):
            found, _, _ = brought(place, name + '.bin', content, folder='found')
            named, _, _ = brought(place, name + '.bin', content, '--from', form, folder='named')
            same(found, named, name)
        refused(place, 'prose.txt', 'Only some words.\n', '--from')
        refused(place, 'latin.txt', 'Wäre es so? {T}\n'.encode('windows-1252'), 'byte 1', 'iconv')
        refused(place, 'empty.txt', '')
        pack, _, _ = brought(place, 'mark.gift', b'\xef\xbb\xbf' + GIFT.encode())
        same(len(questions_of(pack)), 4)


# ---- packages ----

def anki_packages():
    with drive.Place() as place:
        expected = None
        for name, content in (
                ('legacy', packages.legacy_package(packages.SOME_NOTES, packages.SOME_DECKS)),
                ('newer', packages.legacy_package(packages.SOME_NOTES, packages.SOME_DECKS, 'collection.anki21')),
                ('modern', packages.modern_package(packages.SOME_NOTES, packages.SOME_DECKS)),
                ('both', packages.zip_of([
                    ('collection.anki2', packages.dummy_collection()), ('media', b'{}'),
                    ('collection.anki21', packages.legacy_collection(packages.SOME_NOTES, packages.SOME_DECKS))]))):
            pack, output, _ = brought(place, name + '.apkg', content)
            same(pack['title'], 'Science', name)
            same([section['title'] for section in pack['sections']], ['Science / Chemistry', 'Science / Words'], name)
            cards = [(question['prompt'], question['recall'].rstrip()) for question in questions_of(pack)]
            same(cards, [('What is *H*₂*O*?', 'Water\n(liquid)'), ('Wasser', 'water'), ('water', 'Wasser'),
                         ('[…] is the capital of France.', 'Paris'), ('Paris is the capital of [country].', 'France')], name)
            same(questions_of(pack)[0]['tags'], ['chemistry', 'basic'], name)
            for part in ('eiffel.jpg', 'water.mp3', 'one of 2 cards of its note (Card 2)', 'Anki package, 5 taken'):
                holds(output, part, name)
            check('update' not in output, name, 'the note beside the collection was read')
            expected = expected or questions_of(pack)
            same(questions_of(pack), expected, name)


def anki_types():
    """Templates with conditions, typing, hints and static text; cards that are not on record; types that are gone."""
    kind = {'name': 'Capital', 'kind': 0, 'fields': ['Country', 'City', 'Note'], 'templates': [
        ('Ask', 'The capital of {{Country}}?{{#Note}} ({{Note}}){{/Note}}{{type:City}}', '{{Country}}<hr id="answer">{{type:City}}'),
        ('Back', '{{#City}}{{City}} is the capital of what?{{/City}}', '{{FrontSide}}<hr id=answer>{{Country}}{{^Note}} (no note){{/Note}}')]}
    notes = [(11, ['France', 'Paris', 'EU'], '', [(0, 2), (1, 2)]), (11, ['Nauru', '', ''], '', []), (11, ['Peru', 'Lima', ''], '', []),
             (77, ['lost', 'x', ''], '', [(0, 2)])]
    with drive.Place() as place:
        for name, make in (('old', packages.legacy_package), ('new', packages.modern_package)):
            pack, output, _ = brought(place, name + '.apkg', make(notes, {2: 'Geo'}, types={11: kind}))
            same([(question['prompt'], question['recall'].rstrip()) for question in questions_of(pack)],
                 [('The capital of France? (EU)', 'Paris'), ('Paris is the capital of what?', 'France'),
                  ('The capital of Peru?', 'Lima'), ('Lima is the capital of what?', 'Peru (no note)')], name)
            holds(output, 'left out: lost', name)
            holds(output, 'its back has no text', name)


def qti_packages():
    with drive.Place() as place:
        for name, content in (('flat', packages.qti21_package()), ('nested', packages.qti21_package('export/'))):
            pack, _, _ = brought(place, name + '.zip', content)
            same(pack['title'], 'Colours', name)
            same([(section['title'], [question['prompt'] for question in section['questions']]) for section in pack['sections']],
                 [('Cold', ['Which is cold?']), ('Warm', ['Which is warm?'])], name)
        pack, output, _ = brought(place, 'canvas.zip', packages.qti12_package())
        holds(output, 'canvas.zip: QTI 1.2, 1 taken')
        same([(question['prompt'], right(question)) for question in questions_of(pack)], [('Which is *warm*?', ['Red'])])
        # what is named and missing, outside or broken is told, and the rest taken
        item = packages.qti21_item('one', 'First', 'Which is warm?', packages.COLOURS, 'a')
        pack, output, _ = brought(place, 'holes.zip', packages.zip_of([
            ('imsmanifest.xml', packages.manifest([(href, packages.ITEM21) for href in (
                'gone.xml', '../../outside.xml', 'broken.xml', 'entity.xml', './one.xml')])),
            ('broken.xml', b'<assessmentItem'), ('one.xml', item),
            ('entity.xml', b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><assessmentItem title="&e;"/>')]))
        same(len(questions_of(pack)), 1)
        for part in ('left out: gone.xml', 'left out: ../../outside.xml', 'left out: broken.xml', 'left out: entity.xml', 'taken'):
            holds(output, part)
        check('root:' not in output)
        refused(place, 'nothing.zip', packages.zip_of([('imsmanifest.xml', packages.manifest([]))]), 'imsmanifest.xml')
        refused(place, 'odd.zip', packages.zip_of([('readme.txt', b'hello')]), 'zip archive', 'no package')


# ---- hostile files ----

def hostile_archives():
    zeros = bytes(64 * 1024 * 1024)
    good = [('imsmanifest.xml', packages.manifest([('one.xml', packages.ITEM21)])),
            ('one.xml', packages.qti21_item('one', 'First', 'Which?', packages.COLOURS, 'a'))]
    item = dict(good)['one.xml']
    with drive.Place() as place:
        brought(place, 'good.zip', packages.zip_of(good))
        for name, entry, why in (('up', '../up.xml', 'outside'), ('deep', 'a/../../up.xml', 'outside'), ('absolute', '/etc/cron.d/x', 'absolute'),
                                 ('slashes', '..\\up.xml', 'backslash'), ('drive', 'C:/up.xml', 'drive')):
            refused(place, name + '.zip', packages.zip_of([*good, (entry, item)]), entry, why)
        check(not os.path.exists(place.path('up.xml')))
        refused(place, 'link.zip', packages.link_archive('imsmanifest.xml', '/etc/passwd'), 'imsmanifest.xml', 'link')
        refused(place, 'secret.zip', packages.encrypted_archive('imsmanifest.xml', b'secret'), 'imsmanifest.xml', 'encrypted')
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            refused(place, 'twice.zip', packages.zip_of([*good, ('one.xml', b'other')]), 'one.xml', 'two entries')
        refused(place, 'bomb.zip', packages.zip_of([*good, ('bomb.xml', zeros)]), 'bomb.xml', 'expands', seconds=30)
        refused(place, 'used-bomb.zip', packages.zip_of([good[0], ('one.xml', zeros)]), 'one.xml', 'expands', seconds=30)
        refused(place, 'lying.zip', packages.lying_archive('imsmanifest.xml', zeros, 100), 'imsmanifest.xml', seconds=30)
        refused(place, 'many.zip', packages.zip_of([(str(i), b'') for i in range(100001)], zipfile.ZIP_STORED), '100000', seconds=60)
        whole = packages.zip_of(good)
        refused(place, 'cut.zip', whole[:-30], 'archive')
        refused(place, 'red.zip', packages.zip_of([('../\x1b[31mred', b'')]), 'outside')


def hostile_collections():
    notes, decks = packages.SOME_NOTES, packages.SOME_DECKS
    dummy = ('collection.anki2', packages.dummy_collection())
    modern = packages.zstd(packages.modern_collection(notes, decks))
    meta = ('meta', packages.message((1, 3)))

    def changed(script):
        def fill(connection):
            connection.deserialize(packages.legacy_collection(notes, decks))
            connection.executescript(script)
            connection.commit()
            return connection.serialize()
        with packages.sqlite3.connect(':memory:') as connection:
            return packages.zip_of([('collection.anki2', fill(connection)), ('media', b'{}')])

    with drive.Place() as place:
        # the note that asks for an update is never taken for the notes
        refused(place, 'gone.apkg', packages.zip_of([meta, dummy]), 'collection.anki21b')
        refused(place, 'broken.apkg', packages.zip_of([meta, ('collection.anki21b', b'\x28\xb5\x2f\xfdrubbish'), dummy]), 'collection.anki21b')
        refused(place, 'cut.apkg', packages.zip_of([meta, ('collection.anki21b', modern[:len(modern) // 2]), dummy]), 'collection.anki21b')
        refused(place, 'later.apkg', packages.zip_of([('meta', packages.message((1, 4))), ('collection.anki21b', modern), dummy]), 'newer Anki')
        refused(place, 'bomb.apkg', packages.zip_of([meta, ('collection.anki21b', packages.zstd(bytes(1 << 29)))]), 'expands', seconds=30)
        refused(place, 'text.apkg', packages.zip_of([('collection.anki2', b'no database' * 100)]), 'damaged')
        refused(place, 'none.apkg', packages.zip_of([('collection.anki2', b'')]), 'damaged')
        for name, script in (
                ('view', "ALTER TABLE notes RENAME TO n; CREATE VIEW notes AS WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x+1"
                         " FROM c) SELECT x AS id, 11 AS mid, '' AS tags, 'a' AS flds FROM c"),
                ('computed', "ALTER TABLE notes RENAME TO n; CREATE TABLE notes(id integer primary key, mid, tags, flds GENERATED ALWAYS"
                             " AS (printf('%.*c',100000000,'x'))); INSERT INTO notes(id,mid,tags) VALUES(1,11,'')"),
                ('missing', 'DROP TABLE notes'), ('column', 'ALTER TABLE notes DROP COLUMN tags'),
                ('json', "UPDATE col SET models = '{'")):
            refused(place, name + '.apkg', changed(script), 'database')
        refused(place, 'huge.apkg', changed("UPDATE notes SET flds = replace(hex(zeroblob(10000000)), '0', 'ab')"), seconds=40)
        # damage anywhere: refused or read, never a crash, never the dummy
        base = packages.legacy_collection(notes, decks)
        for at in range(0, len(base), 1024):
            damaged = base[:at] + bytes(byte ^ 0x5a for byte in base[at:at + 64]) + base[at + 64:]
            path = place.write('d.apkg', packages.zip_of([('collection.anki2', damaged)]))
            status, output, errors = place.run('import', path, '-o', place.path('damaged-%d' % at))
            check(status in (0, 1) and (status == 0 or errors.startswith('quiztutor: ')), at, status, errors)


LAUGHS = '<!DOCTYPE quiz [<!ENTITY a "ha">%s]><quiz><question type="essay"><name><text>&z;</text></name></question></quiz>' % ''.join(
    '<!ENTITY %s "%s">' % (name, ('&%s;' % before) * 10) for before, name in zip('abcdefghijklmnopqrstuvwxy', 'bcdefghijklmnopqrstuvwxyz'))
OUTSIDE = '<!DOCTYPE quiz [<!ENTITY e SYSTEM "file://%s">]><quiz><question type="truefalse"><name><text>n</text></name>' \
          '<questiontext><text>&e;</text></questiontext><answer fraction="100"><text>true</text></answer></question></quiz>'


def hostile_xml():
    with drive.Place() as place:
        secret = place.write('secret.txt', 'swordfish')
        for form in ([], ['--from', 'moodle-xml'], ['--from', 'qti21']):
            refused(place, 'laughs.xml', LAUGHS, arguments=form)
            refused(place, 'outside.xml', OUTSIDE % secret, arguments=form)
        refused(place, 'parameter.xml', '<!DOCTYPE quiz SYSTEM "http://localhost:9/evil.dtd"><quiz></quiz>', arguments=['--from', 'moodle-xml'])
        refused(place, 'deep.xml', '<quiz>' + '<a>' * 100000 + '</a>' * 100000 + '</quiz>')
        refused(place, 'attribute.xml', '<quiz ' + ' '.join('a%d="x"' % i for i in range(200000)) + '/>')
        refused(place, 'open.xml', '<quiz><question type="essay">')
        for name in os.listdir(place.root):
            if name.endswith('.yaml'):
                check('swordfish' not in open(place.path(name)).read(), name)


# ---- the command ----

def told(place, status, part, *arguments, **more):
    got, output, errors = place.run(*arguments, **more)
    same(got, status, arguments, output, errors)
    *losses, last = errors.splitlines() or ['']  # what an export leaves out comes before
    check(last.startswith('quiztutor: ') and drive.tame(errors), arguments, errors)
    check(not losses or arguments[0] == 'export', arguments, errors)
    holds(last, part, arguments)
    return output


def command():
    with drive.Place() as place:
        gift, aiken = place.write('physics.gift', GIFT), place.write('warm.txt', AIKEN)
        packs = place.path('deep', 'packs')
        told(place, 2, '-o', 'import', gift)
        told(place, 2, '', 'import', '-o', packs)
        told(place, 2, 'gift', 'import', gift, '-o', packs, '--from', 'gfit')
        told(place, 2, '', 'import', gift, '-o', packs, '--form', 'gift')
        told(place, 1, 'nowhere.gift', 'import', place.path('nowhere.gift'), '-o', packs)
        told(place, 1, '', 'import', place.path('home'), '-o', packs)
        check(not os.path.exists(packs), 'made for nothing')
        # several at once; what fails leaves the others alone
        status, output, errors = place.run('import', gift, place.path('nowhere.gift'), aiken, '-o', packs)
        same(status, 1, errors)
        same(sorted(os.listdir(packs)), ['physics.yaml', 'warm.yaml'])
        holds(errors, 'nowhere.gift')
        # once more: the same pack is no trouble, another one of that name is left as it is
        before = os.stat(place.path('deep', 'packs', 'physics.yaml'))
        same(place.run('import', gift, '-o', packs)[0], 0)
        after = os.stat(place.path('deep', 'packs', 'physics.yaml'))
        same((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))
        with open(os.path.join(packs, 'physics.yaml'), 'a') as file:
            file.write('# my own note\n')
        told(place, 1, 'there already', 'import', gift, '-o', packs)
        holds(open(os.path.join(packs, 'physics.yaml')).read(), 'my own note')
        same(sorted(os.listdir(packs)), ['physics.yaml', 'warm.yaml'])
        # the pack of a heavy format has the same rights as one of a light format
        place.run('import', place.write('m.xml', MOODLE), '-o', packs)
        same(os.stat(os.path.join(packs, 'm.yaml')).st_mode, os.stat(os.path.join(packs, 'warm.yaml')).st_mode)
        # a name that is none of a pack's
        odd = place.write('Ünï cöde -- (1).gift', GIFT)
        status, output, errors = place.run('import', odd, '-o', packs)
        same(status, 0, errors)
        same(pack_of(os.path.join(packs, 'uni-code-1.yaml'))['title'], 'Ünï cöde -- (1)')
        same(place.run('import', '-o', packs, '--', gift)[0], 1)


def nobody(place, *arguments):
    """Run by an ordinary user, for whom read-only folders are."""
    def drop():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    return place.run(*arguments, preexec_fn=drop)


def folders():
    with drive.Place() as place:
        os.chmod(place.root, 0o755)
        gift, package = place.write('physics.gift', GIFT), place.write('c.zip', packages.qti21_package())
        closed, taken = place.path('closed'), place.write('taken', 'a file')
        os.mkdir(closed, 0o555)
        for path in gift, package:
            status, output, errors = nobody(place, 'import', path, '-o', closed)
            same(status, 1, errors)
            holds(errors, 'Permission denied')
            same(os.listdir(closed), [])
            status, _, errors = nobody(place, 'import', path, '-o', os.path.join(closed, 'below'))
            same(status, 1, errors)
            told(place, 1, 'taken', 'import', path, '-o', taken)
            told(place, 1, '/dev/full', 'import', path, '-o', '/dev/full')
        secret = place.write('mine.gift', GIFT)
        os.chmod(secret, 0)
        status, _, errors = nobody(place, 'import', secret, '-o', place.path('x'))
        same(status, 1, errors)
        holds(errors, 'mine.gift')


def full_disk():
    """On a disk without room nothing is left but the reason."""
    with drive.Place() as place:
        gift, package = place.write('physics.gift', GIFT), place.write('c.zip', packages.qti21_package())
        disk = place.path('disk')
        os.mkdir(disk)
        if ctypes.CDLL(None).unshare(0x00020000):  # CLONE_NEWNS
            print('no small disk here: no mounts of its own')
            return
        for arguments in (['--make-rprivate', '/'], ['-t', 'tmpfs', '-o', 'size=65536', 'tmpfs', disk]):
            done = subprocess.run(['mount', *arguments], capture_output=True)
            if done.returncode:
                print('no small disk here:', done.stderr.decode().strip())
                return
        try:
            with open(os.path.join(disk, 'fill'), 'wb', buffering=0) as file:
                for size in (4096, 512, 1):
                    try:
                        while True:
                            file.write(b'\0' * size)
                    except OSError:
                        pass
            for path in gift, package:
                told(place, 1, 'No space left', 'import', path, '-o', disk)
            tour = os.path.join(ROOT, 'content', 'tour.yaml')
            for form in 'gift', 'qti21':
                told(place, 1, 'No space left', 'export', tour, '--to', form, '-o', os.path.join(disk, 'x'))
            same(os.listdir(disk), ['fill'])
        finally:
            os.chdir('/')
            subprocess.run(['umount', disk], capture_output=True)


# ---- export, and back again ----

PACK = """format: quiztutor/1
id: kinds
title: Kinds
markup: light
questions:
- id: single
  prompt: Which is *warm*?
  choices: [{correct: Red}, {wrong: Blue, feedback: It is cold.}, {wrong: None of these, pin: last}]
  explanation: Red is.
- id: many
  prompt: Which are primary?
  select: many
  marking: net-correct
  choices: [{correct: Red}, {correct: Blue}, Pink]
  explanation: Two are.
- id: truth
  prompt: Is `x < y & z` code?
  true_false: true
  explanation: It is.
- id: sum
  prompt: Two plus two is what?
  number: {answer: 4, tolerance: 0.5}
  explanation: It is 4.
- id: city
  prompt: What is France's capital?
  text: [Paris, Paname]
  explanation: It is Paris.
- id: alphabet
  prompt: Put them in order.
  order: [a, b, c]
  explanation: As in the alphabet.
- id: sounds
  prompt: Who says what?
  match: {cat: meow, dog: woof}
  extra: [moo]
  explanation: So it is.
- id: card
  prompt: What is water?
  recall: H2O
  explanation: Chemists say so.
"""

# Which questions come back with their own type and key.
KEPT = {
    'gift': ['single', 'many', 'truth', 'sum', 'city', 'sounds'],
    'moodle-xml': ['single', 'many', 'truth', 'sum', 'city', 'sounds'],
    'qti12': ['single', 'truth'],
    'qti21': ['single', 'many', 'truth', 'sum', 'city', 'alphabet', 'sounds'],
    'csv': ['single', 'many', 'truth', 'sum', 'city', 'alphabet', 'sounds', 'card'],
    'markdown': ['single', 'many', 'truth', 'sum', 'city'],
    'anki': ['card'],
}


def key_of(question):
    if 'choices' in question:
        return sorted(choice['correct'] for choice in question['choices'] if isinstance(choice, dict) and 'correct' in choice)
    if 'true_false' in question:
        return question['true_false']
    if 'number' in question:
        number = question['number'] if isinstance(question['number'], dict) else {'answer': question['number']}
        return float(number['answer']), float(number.get('tolerance', 0))
    if 'text' in question:
        accept = question['text'].get('accept') if isinstance(question['text'], dict) else question['text']
        return sorted([accept] if isinstance(accept, str) else accept)
    return question.get('order') or question.get('match') or question.get('recall').rstrip()


def export():
    with drive.Place() as place:
        kinds = place.write('kinds.yaml', PACK)
        same(place.run('check', kinds)[0], 0)
        mine = {question['prompt'].replace('*', '').replace('`', ''): question for question in questions_of(yaml.load(PACK, yaml.BaseLoader))}
        for form, kept in KEPT.items():
            target = place.path('out.' + form)
            status, output, errors = place.run('export', kinds, '--to', form, '-o', target)
            same((status, output), (0, ''), form, errors)
            check(drive.tame(errors), form, errors)
            same(place.run('export', kinds, '--to', form, '-o', place.path('again'))[0], 0)
            same(open(target, 'rb').read(), open(place.path('again'), 'rb').read(), form, 'twice is the same')
            if zipfile.is_zipfile(target):
                with zipfile.ZipFile(target) as archive:
                    same(archive.testzip(), None, form)
            status, output, errors = place.run('import', target, '-o', place.path('back-' + form), '--from', form)
            same(status, 0, form, errors)
            back, = [pack_of(place.path('back-' + form, name)) for name in os.listdir(place.path('back-' + form))]
            got = {question['prompt'].replace('*', '').replace('`', ''): question for question in questions_of(back)}
            for name in kept:
                prompt, question = next((prompt, question) for prompt, question in mine.items() if question['id'] == name)
                check(prompt in got and key_of(got[prompt]) == key_of(question), form, name, got.get(prompt), sorted(got))
        status, output, errors = place.run('export', kinds, '--to', 'json')
        same((status, errors), (0, ''))
        same([question['id'] for question in json.loads(output)['questions']], [question['id'] for question in mine.values()])
        # the command line
        told(place, 2, '--to', 'export', kinds)
        told(place, 2, 'gift', 'export', kinds, '--to', 'gfit')
        told(place, 2, '', 'export', kinds, '--to', 'apkg')
        told(place, 1, 'nowhere', 'export', 'nowhere', '--to', 'gift')
        told(place, 1, '', 'export', kinds, '--to', 'gift', '-o', place.path('no', 'such', 'folder'))
        broken = place.write('broken.yaml', PACK.replace('true_false: true', 'true_false: yes'))
        status, output, errors = place.run('export', broken, '--to', 'gift')
        same((status, output), (1, ''))
        holds(errors, 'broken.yaml:18:')
        for form in 'gift', 'qti21':
            with open('/dev/full', 'wb') as full:
                done = subprocess.run([drive.PROGRAM, 'export', kinds, '--to', form], stdout=full, stderr=subprocess.PIPE, env=place.environment)
                same(done.returncode, 1, form)
                holds(done.stderr.decode(), "output can't be written", form)


def memory():
    """No file of a few bytes makes the program take more memory than a large pack would."""
    with drive.Place() as place:
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (1 << 29, 1 << 29))
        for name, content in (('b.zip', packages.zip_of([('imsmanifest.xml', bytes(100 * 1024 * 1024))])), ('l.xml', LAUGHS),
                              ('z.apkg', packages.zip_of([('meta', packages.message((1, 3))), ('collection.anki21b', packages.zstd(bytes(1 << 29)))]))):
            status, output, errors = place.run('import', place.write(name, content), '-o', place.path('m'),
                                               preexec_fn=limit if os.environ.get('SANITIZER', 'none') == 'none' else None)
            same(status, 1, name, errors)
            check('memory' not in errors, name, errors)


if __name__ == '__main__':
    for part in (formats, by_content, anki_packages, anki_types, qti_packages, hostile_archives, hostile_collections, hostile_xml,
                 command, folders, export, memory, full_disk):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            try:
                part()
            except Exception:  # one format that fails leaves the others to be tried
                check(False, part.__name__, traceback.format_exc())
    drive.finish()
