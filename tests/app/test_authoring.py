"""A tutor's first pack, what a changed one means, and looking through it: `new`, `diff` and `preview` as text."""
import ctypes
import os
import shutil
import subprocess
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import drive
from drive import check, holds, same

NOBODY = 65534
HEAD = 'format: quiztutor/1\nid: p\ntitle: T\nquestions:\n'


def truth(name, more='', answer='true', prompt=None):
    return '- id: %s\n  prompt: %s\n  true_false: %s\n  explanation: E\n%s' % (name, prompt or 'Is it %s?' % name, answer, more)


def told(place, status, part, *arguments, **more):
    """Ends with this status, and says so in one line that drives no terminal."""
    got, output, errors = place.run(*arguments, **more)
    same(got, status, arguments, errors)
    same(output, '', arguments)
    check(len(errors.splitlines()) == 1 and errors.startswith('quiztutor: ') and drive.tame(errors), arguments, errors)
    holds(errors, part, arguments)


def head_of(path):
    with open(path, 'rb') as file:
        return file.read().decode()


def field(text, name):
    line, = [line for line in text.splitlines() if line.startswith(name + ': ')]
    return line[len(name) + 2:]


def new():
    with drive.Place() as place:
        os.chdir(place.root)
        status, output, errors = place.run('new', 'binary-search.yaml')
        same((status, errors), (0, ''))
        holds(output, 'binary-search.yaml')
        text = head_of('binary-search.yaml')
        first = text.split('\n')[0]
        check(first.startswith('# yaml-language-server: $schema=') and ' ' not in first[24:], 'the schema in the first line', first)
        same((field(text, 'id'), field(text, 'title')), ('binary-search', 'Binary search'))
        for part in ('correct:', 'wrong:', 'number:', 'text:', 'order:', 'match:', 'recall:', 'given:', 'feedback:', 'misconception:', 'hint:', 'true_false:', 'tags:', 'source:',
                     'explanation:', 'figure: |', 'quiztutor check binary-search.yaml'):
            holds(text, part, 'what a first pack shows')
        check(all(len(line) <= 104 and line == line.rstrip() for line in text.split('\n')[1:]), 'lines of fair length')
        check(len(text.splitlines()) <= 160, 'short enough to be read')
        same(place.run('check', '--strict', 'binary-search.yaml')[::2], (0, ''), 'nothing to mend in it')
        # the pack can be practised as it is
        status, output, errors = place.run('practise', '--jsonl', '--mode', 'all', 'binary-search.yaml')
        same([event['questions'] for event in drive.json_lines(output) if event['event'] == 'session'], [9])
        # what is there stays, whatever it is
        told(place, 1, 'there already', 'new', 'binary-search.yaml')
        same(head_of('binary-search.yaml'), text)
        place.write('other.yaml', 'mine')
        os.symlink('nowhere', 'link.yaml')
        os.symlink('other.yaml', 'full.yaml')
        os.mkdir('folder.yaml')
        os.mkfifo('pipe.yaml')
        for name in ('other.yaml', 'link.yaml', 'full.yaml', 'folder.yaml', 'pipe.yaml'):
            told(place, 1, 'there already', 'new', name)
        same(head_of('other.yaml'), 'mine')
        check(not os.path.lexists('nowhere'), 'nothing is written through a link')
        # no folders are made
        told(place, 1, 'folder is not there', 'new', 'none/a.yaml')
        told(place, 1, 'names no file', 'new', 'folder.yaml/')
        told(place, 1, 'names no file', 'new', '')
        told(place, 1, "can't be written", 'new', 'other.yaml/a.yaml')
        told(place, 1, "can't be written", 'new', 'a' * 300 + '.yaml')
        place.run('new', os.path.join(place.root, 'content', 'deep.yaml'))
        holds(place.run()[1], 'Deep', 'and the library has it')
        # without the ending it is taken as it is, with a word on it
        status, output, errors = place.run('new', 'biology')
        same(status, 0)
        holds(errors, '.yaml')
        same(place.run('check', '--strict', './biology')[0], 0)
        for arguments in (['new'], ['new', 'a.yaml', 'b.yaml'], ['new', '--strict', 'a.yaml'], ['new', '-x.yaml']):
            same(place.run(*arguments)[0], 2, arguments)
        same(sorted(name for name in os.listdir('.') if 'quiztutor-new' in name), [], 'nothing is left lying about')
        same(os.stat('biology').st_mode & 0o777, 0o666 & ~umask(), 'a file like any other')


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def names():
    """Whatever a file is called, the pack in it is sound, and has an id and a title of its own."""
    with drive.Place() as place:
        os.chdir(place.root)
        expected = {
            'Übung 1.yml': ('ubung-1', 'Übung 1'), unicodedata.normalize('NFD', 'Äpfel.yaml'): ('apfel', 'Äpfel'),
            'C++ basics.yaml': ('c-basics', "'C++ basics'"), "it's: a #1.yaml": ('it-s-a-1', "'It''s: a #1'"),
            '2026.yaml': ('2026', "'2026'"), '-x.yaml': ('x', 'X'), '--help.yaml': ('help', 'Help'), 'a.b.yaml': ('a-b', 'A.b'),
            'UPPER_case.yaml': ('upper-case', 'UPPER case'), 'null.yaml': ('null', 'Null'), 'yes.yaml': ('yes', 'Yes'),
            'straße.yaml': ('strasse', 'Straße'), 'a\nb\x1b[31m.yaml': ('a-b-31m', None), '{x: [y]}.yaml': ('x-y', None),
            '日本.yaml': (None, '日本'), 'кот.yaml': (None, 'кот'), '???.yaml': (None, 'A first pack'),
            '.yaml': (None, 'A first pack'), '🎉.yaml': (None, '🎉'), '-.yaml': (None, 'A first pack'),
            '\u202etxt.yaml': ('txt', 'Txt'), '"quoted".yaml': ('quoted', None), '@at.yaml': ('at', None),
            'x' * 200 + '.yaml': ('x' * 64, None), ('ab-' * 40) + '.yaml': (None, None), ' .yaml': (None, 'A first pack'),
            'true': ('true', 'True'), '%YAML 1.2.yaml': ('yaml-1-2', None), "'.yaml": (None, 'A first pack'),
            'sp ace.yaml': ('sp-ace', 'Sp ace'), '...yaml': (None, 'A first pack'), 'a---b.yaml': ('a-b', None),
        }
        ids = {}
        for name, (wanted, title) in expected.items():
            status, output, errors = place.run('new', '--', name)
            same(status, 0, repr(name), errors)
            check(drive.tame(output), 'nothing that drives a terminal', repr(output))
            text = head_of(name)
            got = field(text, 'id')
            check(wanted is None or got == wanted, repr(name), 'id', got)
            check(title is None or field(text, 'title') == title, repr(name), 'title', field(text, 'title'))
            check(0 < len(got) <= 64 and got.strip('abcdefghijklmnopqrstuvwxyz0123456789-') == '' and got[0] != '-' and
                  got[-1] != '-', repr(name), got)
            if wanted is None:
                check(got not in ids, 'two packs of one id', repr(name), repr(ids.get(got)))
                ids[got] = name
            status, output, errors = place.run('check', '--strict', './' + name)
            same((status, errors), (0, ''), repr(name), output)
        # a name that is no text at all
        status, output, errors = place.run('new', b'bad\xff.yaml')
        same((status, field(head_of(b'bad\xff.yaml'), 'id')), (0, 'bad'))


def nobody(place, *arguments):
    """Runs as an ordinary user where this is root's, for whom nothing is unwritable."""
    more = {'user': NOBODY, 'group': NOBODY, 'extra_groups': []} if os.geteuid() == 0 else {}
    kept, drive.PROGRAM = drive.PROGRAM, shutil.copy(drive.PROGRAM, place.path('program'))
    try:
        return place.run(*arguments, **more)
    finally:
        drive.PROGRAM = kept


def troubles():
    with drive.Place() as place:
        os.chmod(place.root, 0o755)
        closed = place.path('closed')
        os.mkdir(closed, 0o555)
        status, output, errors = nobody(place, 'new', os.path.join(closed, 'a.yaml'))
        same(status, 1, errors)
        holds(errors, 'Permission denied')
        same(os.listdir(closed), [])
        status, output, errors = place.run('new', '/dev/full/a.yaml')
        same(status, 1, errors)
        # many at once for one name: one of them writes it, whole
        target = place.path('one.yaml')
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda _: place.run('new', target), range(8)))
        same(sorted(status for status, _, _ in done), [0] + [1] * 7)
        same(place.run('check', '--strict', target)[0], 0)
        same([name for name in os.listdir(place.root) if 'quiztutor-new' in name], [])
        # a reader that left is no success
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([drive.PROGRAM, 'preview', target], stdout=full, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                  env=place.environment)
            same(done.returncode, 1)
            holds(done.stderr.decode(), "output can't be written")


def full_disk():
    """On a disk without room nothing is left but the reason."""
    with drive.Place() as place:
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
            told(place, 1, 'No space left', 'new', os.path.join(disk, 'a.yaml'))
            same(os.listdir(disk), ['fill'])
            os.unlink(os.path.join(disk, 'fill'))
            same(place.run('new', os.path.join(disk, 'a.yaml'))[0], 0)
            same(os.listdir(disk), ['a.yaml'])
        finally:
            os.chdir('/')
            subprocess.run(['umount', disk], capture_output=True)


def killed():
    """Killed at any moment: the file is whole or not there."""
    with drive.Place() as place:
        for turn in range(30):
            target = place.path('k%d.yaml' % turn)
            process = subprocess.Popen([drive.PROGRAM, 'new', target], stdout=subprocess.DEVNULL, env=place.environment)
            try:
                process.wait(turn * 0.0004)
            except subprocess.TimeoutExpired:
                process.kill()
            process.wait()
            if os.path.exists(target):
                same(place.run('check', '--strict', target)[0], 0, turn)


def diff():
    with drive.Place() as place:
        os.chdir(place.root)
        old = place.write('old.yaml', HEAD + truth('a') + truth('b') + truth('c'))

        def changed(text, *parts, without=(), count=None):
            place.write('now.yaml', text)
            status, output, errors = place.run('diff', 'old.yaml', 'now.yaml')
            same((status, errors), (0, ''), text)
            check(drive.tame(output) and all(len(line) <= 80 for line in output.splitlines()), output)
            words = ' '.join(output.split())
            for part in parts:
                holds(words, part, text)
            for part in without:
                check(part not in words, text, 'not expected', part, output)
            return output

        same(changed(HEAD + truth('a') + truth('b') + truth('c')), '')
        same(changed('# remarks only\n' + HEAD.replace('title: T', "title: 'T'") + truth('a') + truth('b') + truth('c')), '')
        changed(HEAD + truth('a') + truth('b') + truth('c') + truth('d'), 'added d: Is it d?', '1 added, 0 gone, 0 renamed, 0 changed',
                without=('anew',))
        changed(HEAD + truth('a') + truth('c'), 'gone b: Is it b?', '0 added, 1 gone')
        changed(HEAD + truth('a') + truth('b', prompt='Is it really?') + truth('c'), 'reworded b: Is it really?',
                'other than before: prompt', without=('anew',))
        changed(HEAD + truth('a') + truth('b', answer='false') + truth('c'), 'new key b', 'answer: True → False',
                'schedules and statistics start anew', 'Statistics start anew for 1 question, schedules for 1.')
        changed(HEAD + truth('a') + truth('b', '  marks: 2.5\n') + truth('c'), 'revised b', 'marks: 1 → 2.5',
                'statistics start anew, schedules go on', 'schedules for 0.')
        changed(HEAD + truth('a', '  tags: [t]\n') + truth('b') + truth('c'), 'changed a', 'tags', without=('anew',))
        changed(HEAD + truth('a') + truth('bb', prompt='Is it b?') + truth('c'), 'renamed bb: Is it b?', 'write id: b to keep it')
        changed(HEAD + truth('c') + truth('a') + truth('b'), '1 question stands in another place.', without=('Questions:',))
        changed(HEAD.replace('id: p', 'id: q') + truth('a') + truth('b') + truth('c'), 'id p → q', 'is lost to this one',
                'Write id: p to keep it')
        changed(HEAD.replace('title: T', 'title: U\nshuffle: none\nexam: {minutes: 5}') + truth('a') + truth('b') + truth('c'),
                'title T → U', 'shuffle all → none', 'minutes (none) → 5', without=('Questions:',))
        light = 'markup: light\nquestions:'
        output = changed(HEAD.replace('questions:', light) + truth('a', prompt='Is *water* `wet`?') + truth('b') + truth('c'),
                         'reworded a: Is water wet?')
        check('*' not in output, 'marks of light markup', output)
        # the same by id, from the library
        place.write('content/lib.yaml', HEAD + truth('a') + truth('b') + truth('c', answer='false'))
        holds(place.run('diff', 'old.yaml', 'p')[1], 'new key')
        # one pack that is piped in
        status, output, errors = place.run('diff', '-', 'old.yaml', input=HEAD + truth('a') + truth('b'))
        same((status, errors), (0, ''))
        holds(output, 'added        c')
        read, write = os.pipe()
        os.write(write, (HEAD + truth('a')).encode())
        os.close(write)
        status, output, errors = place.run('diff', '/dev/fd/%d' % read, old, pass_fds=[read])
        holds(output, '2 added', errors)
        # what does not load: both are told
        place.write('bad.yaml', 'format: quiztutor/1\nid: x\nquestions: []\n')
        status, output, errors = place.run('diff', 'bad.yaml', 'none.yaml')
        same((status, output), (1, ''))
        holds(errors, 'bad.yaml:1:1: error:')
        holds(errors, 'none.yaml')
        os.mkfifo('pipe.yaml')
        os.mkdir('folder')
        place.write('folder/one.yaml', HEAD + truth('a'))
        place.write('folder/two.yaml', HEAD + truth('a'))
        for name, part in (('pipe.yaml', 'pipe'), ('folder', 'folder'), ('nosuch', 'nosuch'), ('/dev/zero', '/dev/zero'),
                           ('\x1b[31m.yaml', 'no such file')):
            status, output, errors = place.run('diff', 'old.yaml', name, timeout=60)
            same((status, output), (1, ''), name)
            check(drive.tame(errors), repr(errors))
            holds(errors, part)
        for arguments in (['diff'], ['diff', old], ['diff', old, old, old], ['diff', '--json', old, old]):
            same(place.run(*arguments)[0], 2, arguments)
        os.symlink('old.yaml', 'link.yaml')
        same(place.run('diff', 'old.yaml', 'link.yaml'), (0, '', ''))


def preview():
    with drive.Place() as place:
        os.chdir(place.root)
        pack = place.write('content/show.yaml', HEAD.replace('id: p', 'id: show') + '''- id: one
  prompt: |
    First line
    second line?

    A paragraph.
  figure: |
      a   b
       \\ /
  choices:
    - correct: Right one
    - wrong: Wrong one
      feedback: Because of this.
      misconception: a-tag
    - wrong: Last one
      pin: last
  hint: [Think, Think again]
  explanation: The reason.
  explanation_figure: "  deep"
  source: A book
  tags: [t, u]
  marks: 2
''' + truth('two', '  feedback: F\n  misconception: m\n  source: S\n'))
        status, output, errors = place.run('preview', pack)
        same((status, errors), (0, ''))
        for part in ('T\n', 'Question 1 of 2: one, line 5; 2 marks; tags: t, u\n', 'First line\nsecond line?\n\nA paragraph.\n',
                     '   a   b\n    \\ /\n', '   1) right: Right one\n', '   2) wrong: Wrong one\n', 'Feedback: Because of this.\n',
                     'Misconception: a-tag\n', 'Keeps its place: last\n', 'Hint 1: Think\n', 'Hint 2: Think again\n',
                     'Why: The reason.\n', '     deep\n', 'Source: A book\n', 'Question 2 of 2: two', '1) right: True\n',
                     '2) wrong: False\n', 'If it is wrong: F\n', 'Misconception: m\n'):
            holds(output, part)
        check(all(line == line.rstrip() for line in output.split('\n')), 'no blanks at the ends of lines', output)
        same(place.run('preview', '--plain', 'show')[:2], (0, output), 'by its id')
        check(not os.path.exists(place.store), 'no store is made')
        sections = place.write('sections.yaml', 'format: quiztutor/1\nid: s\ntitle: S\nsections:\n- title: Part\n  intro: Shared.\n'
                               '  questions:\n  - {id: a, prompt: "A?", true_false: true, explanation: E}\n'
                               '  - {id: b, prompt: "B?", true_false: true, explanation: E}\n')
        same(place.run('preview', sections)[1].count('Part\nShared.\n'), 1, 'what questions share stands once')
        # what does not load
        bad = place.write('bad.yaml', HEAD + '- id: a\n  prompt: What is: this\n')
        status, output, errors = place.run('preview', bad)
        same((status, output), (1, ''))
        holds(errors, 'bad.yaml:6:11: error:')
        holds(errors, '  prompt: What is: this\n          ^')
        os.mkfifo('pipe.yaml')
        for name, part in (('pipe.yaml', 'pipe'), ('content', None), ('.', 'folder'), ('nosuch', 'nosuch'), ('none.yaml', 'no such file')):
            status, output, errors = place.run('preview', name, timeout=60)
            same(status, 0 if part is None else 1, name, errors)
            holds(errors, part or '', name)
        os.symlink(pack, 'link.yaml')
        same(place.run('preview', 'link.yaml')[0], 0)
        for arguments in (['preview'], ['preview', pack, pack], ['preview', '--json', pack]):
            same(place.run(*arguments)[0], 2, arguments)


for part in (new, names, troubles, killed, diff, preview, full_disk):
    part()
    os.chdir('/')
drive.finish()
