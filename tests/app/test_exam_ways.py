"""Ways through an exam that are not the straight one: begun twice, packs that change, full disks, windows that
change, time that a tutor adds.

Run with QUIZTUTOR.
"""
import contextlib
import fcntl
import os
import resource
import select
import sqlite3
import struct
import sys
import termios
import time

sys.dont_write_bytecode = True
import console
import drive
from drive import Place, Talk, check, holds, same
from test_exam import attempts, exam, plain_pack

WORDS = {'a': 'First', 'b': 'Second one', 'c': 'And the third'}
FLAT = 'format: quiztutor/1\nid: %s\ntitle: A pack\n%squestions:\n'
QUESTION = '  - {id: %s, prompt: %s, true_false: true, explanation: Yes.}\n'


def worded_pack(place, ids='abc', head='exam: {minutes: 30}\n', name='p'):
    place.write('content/%s.yaml' % name,
                FLAT % (name, head) + ''.join(QUESTION % (letter, WORDS.get(letter, letter)) for letter in ids))


def parted_pack(place, *parts, head=''):
    text = 'format: quiztutor/1\nid: p\ntitle: A pack\n%ssections:\n' % head
    for number, ids in enumerate(parts, 1):
        text += '  - title: Part %d\n    questions:\n' % number
        text += ''.join('    ' + QUESTION % (letter, WORDS.get(letter, letter)) for letter in ids)
    place.write('content/p.yaml', text)


def left_open(place, *lines, name='p'):
    """An exam in which these lines were said, left by a process that was killed."""
    talk = exam(place, name)
    talk.until('question')
    for line in lines:
        talk.say(line)
        talk.until('noted', 'flagged', 'skipped')
    talk.process.kill()
    talk.end()


def handed_in(place):
    return place.rows("SELECT count(*) AS n FROM event WHERE kind = 'handed-in'")[0]['n']


def sessions(place):
    return len(place.rows('SELECT * FROM session'))


def on_screens(place, *more, **size):
    return console.Console(place, 'practise', '--exam', '--learner', 'Ana', '--seed', '1', *more, 'p', **size)


def on_plain(place, *more):
    return console.Console(place, 'practise', '--plain', '--exam', '--learner', 'Ana', '--seed', '1', *more, 'p')


# ---- words ----------------------------------------------------------------------------------------------------------

def check_help():
    """Help tells what is true in an exam, and nothing of what is not there."""
    with Place() as place:
        plain_pack(place)
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', 'p',
                                        input=':help\n' + ':skip\n' * 5 + 't\n' * 3)
        told = out[out.index(':help\n'):out.index('what can be typed here')]
        for word in ('hint', 'undo', 'star', 'suspend', 'skipped twice', 'counts as not answered', 'exams:', 'summary'):
            check(word not in told, word, told)
        for line in (':skip     s  ', ':go N        go to question N', ':finish   q  hand the exam in'):
            holds(told, line)
        same([row['outcome'] for row in attempts(place)], ['right'] * 3, 'skipped five times, and answered after all')
        talk = exam(place, 'p')
        talk.until('question')
        talk.say(':help')
        holds(talk.until('help')['text'], ':go N')
        talk.end()


def check_blank():
    """What was not answered is left blank, in the words of all but JSON lines."""
    with Place() as place:
        plain_pack(place)
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', '--seed', '1', 'p',
                                        input='t\n\n')
        paper = out[out.rindex('Question 1 of 3'):]
        same((paper.count('Left blank.'), paper.count('Skipped')), (2, 0), paper)
        holds(paper, '1 right, 0 partly, 0 wrong, 2 left blank.')
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--learner', 'Ana', 'p', input='t\n\n')
        same([event['outcome'] for event in drive.json_lines(out) if event['event'] == 'result'],
             ['right', 'skipped', 'skipped'])
        status, out, errors = place.run('practise', '--plain', '--learner', 'Ana', '--mode', 'all', '--limit', '1', 'p',
                                        input=':skip\n:skip\n')
        holds(out, 'Skipped.', 'a practice')


def check_packs_of_two_kinds():
    """Where only one pack sets a time or a pass mark, it is said what that means."""
    time_told, pass_told = 'Only 1 of 2 packs sets a time; it is the time for all of them.', \
        'No pass mark, since only 1 of 2 packs has one.'
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 5, pass: 60}\n')
        plain_pack(place, name='q')
        plain_pack(place, name='r', head='exam: {minutes: 5, pass: 60}\n')
        for arguments, told in ((('p', 'q'), (True, True)), (('p', 'q', '--minutes', '9'), (False, True)),
                                (('p', 'r'), (False, False)), (('p',), (False, False)), (('q',), (False, False))):
            status, out, errors = place.run('practise', '--plain', '--exam', *arguments, input='')
            same((time_told in out, pass_told in out), told, arguments, out[:600])


ALIKE = """format: quiztutor/1
id: %s
title: Pack %s
sections:
  - title: All
    intro: Intro of %s.
    questions:
      - {id: a, prompt: First, true_false: true, explanation: Yes.}
"""


def check_headings():
    """Of several packs each question stands under its section or its pack, and never under another's."""
    with Place() as place:
        for name in 'xy':
            place.write('content/%s.yaml' % name, ALIKE % (name, name, name))
        plain_pack(place, 'ab')
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', 'x', 'y', 'p',
                                        input=':overview\n')
        holds(out, 'All\n  1  open                  First\nAll (y)\n  2  open                  First\n'
                   'A pack\n  3  open')
        paper = out[out.rindex('Intro of x.'):]
        holds(paper, 'All (y)\n\nIntro of y.\n\nQuestion 2 of 4\n')
        holds(paper, 'A pack\n\nQuestion 3 of 4\n')
        check('A pack\n\nQuestion 4' not in paper, paper)
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', 'p', input=':overview\n')
        holds(out, '\n\n  1  open', 'one pack needs no heading')


def check_begin():
    """Plain on a terminal says what will begin, before it does; from elsewhere that it has begun."""
    with Place() as place:
        plain_pack(place, head='exam: {minutes: 30}\n')
        for typed in ('q\n', ':finish\n', 'n\n', '\x04'):
            desk = on_plain(place)
            desk.expect('The time runs from when you begin, also while you are away.')
            desk.expect('Enter begins, q leaves > ')
            desk.type(typed)
            status, rest = desk.end()
            same((status, os.path.exists(place.store) and sessions(place)), (0, 0), typed)
            check('Question 1' not in rest, rest)
        desk = on_plain(place)
        desk.expect('Enter begins, q leaves > ')
        desk.type('\n')
        desk.expect('Question 1 of 3, 30 min left')
        desk.type('q\n')
        for typed in ('q\n', ':finish\n', 'what\n'):  # none of these is what is offered there
            desk.expect('Enter hands in, n goes on, l leaves it open > ')
            desk.type(typed)
        desk.expect('Enter hands in, n goes on, l leaves it open > ')
        same(handed_in(place), 0)
        desk.type('l\n')
        desk.expect('The exam stays open until ')
        same(desk.end()[0], 0)
        same(handed_in(place), 0)
        status, out, errors = place.run('practise', '--plain', '--exam', '--learner', 'Ana', '--resume', 'p', input='')
        holds(out, 'The time runs now, also while you are away.')
        same(handed_in(place), 1)


# ---- begun twice ----------------------------------------------------------------------------------------------------

RUNS = 'runs in another terminal'


def check_elsewhere():
    """An exam that somebody sits at: --resume says so and ends, others are told before a second one is begun."""
    with Place() as place:
        worded_pack(place)
        talk = exam(place, 'p')
        talk.until('question')
        for front in ('--plain', '--jsonl'):
            status, out, errors = place.run('practise', front, '--exam', '--resume', '--learner', 'Ana', 'p', input='')
            same((status, out, sessions(place)), (1, '', 1), front)
            holds(errors, RUNS, front)
        for front in ((), ('--plain',)):
            desk = console.Console(place, 'practise', '--exam', '--resume', '--learner', 'Ana', 'p', *front)
            status, rest = desk.end()
            same((status, sessions(place)), (1, 1), front, rest)
            holds(rest, RUNS, front)
        desk = on_plain(place)
        desk.expect(RUNS)
        desk.expect('Enter begins, q leaves > ')
        desk.type('q\n')
        same((desk.end()[0], sessions(place)), (0, 1))
        desk = on_screens(place)
        desk.expect(RUNS)
        desk.expect('Enter')
        same(sessions(place), 1)
        desk.type('\x1b')
        desk.expect('find')
        desk.type('q')
        same((desk.end()[0], sessions(place)), (0, 1))
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--learner', 'Ana', 'p', input='')
        same((status, sessions(place), handed_in(place)), (0, 2, 1), 'JSON lines begin anew')
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--learner', 'Bob', '--resume', 'p', input='')
        holds(errors, 'no open exam of these packs', 'another learner')
        talk.say('t')
        talk.until('noted')
        same(talk.end()[0], 0)


# ---- packs that change ----------------------------------------------------------------------------------------------

def check_gone():
    """Questions that left their pack are handed in as they were left; the paper counts them, and says so."""
    with Place() as place:
        plain_pack(place, 'abcd', head='exam: {pass: 60}\n')
        left_open(place, 't', 'f')
        plain_pack(place, 'cd', head='exam: {pass: 60}\n')  # a (right) and b (wrong) are gone
        status, out, errors = place.run('practise', '--plain', '--exam', '--resume', '--learner', 'Ana', 'p',
                                        input='t\n')
        holds(errors, '2 questions are gone or were changed; they left this exam, but count as they were left')
        holds(out, "2 questions are gone from their pack or were changed there: they count, but can't be shown.")
        holds(out, '2 right, 0 partly, 1 wrong, 1 left blank. 2 of 4 marks. Not passed: 60% are needed.')
        same([row['outcome'] for row in attempts(place)], ['right', 'wrong', 'right', 'omitted'])
    with Place() as place:  # not answered, and in a section
        parted_pack(place, 'ab', 'cd', head='exam: {pass: 60}\n')
        left_open(place, 't')
        parted_pack(place, 'ab', 'd', head='exam: {pass: 60}\n')
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--resume', '--learner', 'Ana', 'p',
                                        input='t\nt\n')
        events = drive.json_lines(out)
        summary = events[-1]
        same([event['question'] for event in events if event['event'] == 'result'], ['a', 'b', 'd'])
        same([summary[key] for key in ('asked', 'right', 'skipped', 'mark', 'marks', 'gone', 'passed')],
             [4, 3, 1, 3, 4, 1, True])
        same([(part['title'], part['mark'], part['marks']) for part in summary['sections']],
             [('Part 1', 2, 2), ('Part 2', 1, 1), (None, 0, 1)])
        same([row['outcome'] for row in attempts(place)], ['right', 'right', 'omitted', 'right'])
    with Place() as place:  # nothing of it is left, on every front end
        for front in ('--jsonl', '--plain', 'terminal', 'screens'):
            worded_pack(place, 'ab')
            left_open(place, 't')
            worded_pack(place, 'c')
            arguments = ['practise', '--exam', '--resume', '--learner', 'Ana', 'p']
            before = handed_in(place)
            if front.startswith('--'):
                status, out, errors = place.run(*arguments, front, input='')
            else:
                desk = console.Console(place, *arguments, *(['--plain'] if front == 'terminal' else []))
                if front == 'terminal':
                    desk.expect('Enter hands in')
                    desk.type('\n')
                else:
                    desk.expect('2 questions are gone')
                    desk.type('\r')
                    desk.type('q')
                    desk.expect('Hand in?')
                    desk.type('\r')
                    desk.expect('handed in')
                    desk.type('npm \x1b[6~q')
                status, out = desk.end()
            same((status, handed_in(place)), (0, before + 1), front, out)
        same([row['outcome'] for row in attempts(place)], ['right', 'omitted'] * 4)
    with Place() as place:  # none is missing: nothing is said
        plain_pack(place)
        status, out, errors = place.run('practise', '--jsonl', '--exam', '--learner', 'Ana', 'p', input='t\n')
        same(drive.json_lines(out)[-1]['gone'], 0)


# ---- full disks -----------------------------------------------------------------------------------------------------

def full(pid, is_full=True):
    """No file of that process grows any more; or all may again."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY) if is_full
                     else (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def sees(desk, text, seconds=20):
    """Waits until a text is on the screens, drawn anew again and again."""
    end = time.monotonic() + seconds
    while text not in desk.said and time.monotonic() < end:
        desk.said = desk.said[-4000:]
        desk.type('\x0c')
        desk.read(0.3)
        while select.select([desk.terminal], [], [], 0.05)[0] and desk.read(0):
            pass
    return desk.expect(text, 1)


def kinds(place):
    return [row['kind'] for row in place.rows('SELECT kind FROM event ORDER BY seq')]


def check_full_screens():
    """Nothing can be stored at the begin, at an answer, a flag, at hand-in: it is said what that means, and goes on."""
    with Place() as place:
        worded_pack(place)
        desk = on_screens(place)
        desk.expect('Begin the exam?')
        full(desk.pid)
        desk.type('\r')
        desk.expect('Not stored yet')
        desk.expect('Nothing has begun, and no time runs.')
        desk.type('q')
        desk.expect('Leave now?')
        desk.type('n')
        desk.expect('Not stored yet')
        full(desk.pid, False)
        desk.type('r')
        desk.expect('First')
        full(desk.pid)
        desk.type('1\r')
        desk.expect('It is kept here until it is stored.')
        desk.type('q')
        desk.expect('Leave without this answer?')
        desk.type('n')
        desk.expect('Not stored yet')
        same(kinds(place), [])
        full(desk.pid, False)
        desk.type('\r')
        desk.expect('Second one')
        full(desk.pid)
        desk.type('!')
        desk.expect('It is only a flag. Every answer is stored.')
        full(desk.pid, False)
        desk.type('r')
        desk.expect('flagged')
        desk.type('q')
        desk.expect('Hand in?')
        full(desk.pid)
        desk.type('\r')
        desk.expect('Every answer is stored. The exam stays open, and can be handed in later.')
        same((kinds(place), attempts(place)), (['answered', 'flagged'], []))
        full(desk.pid, False)
        desk.type('\r')
        desk.expect('handed in')
        desk.type('q')
        same(desk.end()[0], 0)
        same([row['outcome'] for row in attempts(place)], ['right', 'omitted', 'omitted'])


def check_full_at_the_deadline():
    """The time is up while an answer given before waits to be stored: it is kept, and counts."""
    for leaves in (False, True):
        with Place() as place:
            worded_pack(place, head='exam: {minutes: 0.05}\n')
            desk = on_screens(place)
            desk.expect('Begin the exam?')
            desk.type('\r')
            desk.expect('First')
            full(desk.pid)
            desk.type('1\r')
            desk.expect('Not stored yet')
            sees(desk, 'time is up')
            same(kinds(place), [])
            if leaves:
                desk.type('q')
                desk.expect('Leave without this answer?')
                desk.type('y')
                desk.expect('The time of this exam is up.')
            full(desk.pid, False)
            desk.type('\r')
            desk.expect('find' if leaves else 'Time was up at ')
            desk.type('q')
            same(desk.end()[0], 0)
            if leaves:
                holds(place.run(input='')[2], '(Ana) was handed in when its time was up')
            same([row['outcome'] for row in attempts(place)],
                 ['omitted' if leaves else 'right', 'omitted', 'omitted'])


def check_full_lines():
    with Place() as place:
        plain_pack(place)
        talk = exam(place, 'p', restore_signals=False)
        talk.until('question')
        full(talk.process.pid)
        for line in ('t', 'anything', 'f'):
            talk.say(line)
            same(talk.until('not-stored', 'noted')['event'], 'not-stored', line)
        full(talk.process.pid, False)
        talk.say('again')
        same(talk.until('not-stored', 'noted')['event'], 'noted')
        same(talk.until('question')['number'], 2)
        full(talk.process.pid)
        talk.say(':finish')
        same(talk.until('not-stored', 'result')['event'], 'not-stored')
        same(talk.end()[0], 1, 'the input is over: not handed in')
        same((kinds(place), attempts(place)), (['answered'], []))
        desk = on_plain(place)
        desk.expect('Enter goes on with it')
        desk.type('\n')
        desk.expect('Question 2 of 3')
        full(desk.pid)
        desk.type('f\n')
        desk.expect('Not stored: ')
        desk.expect(':finish leaves; the exam stays open until its time is up.')
        desk.type('\n')
        desk.expect('Not stored: ')
        full(desk.pid, False)
        desk.type('\n')
        desk.expect('Noted.')
        desk.expect('Question 3 of 3')
        full(desk.pid)
        desk.type('t\n')
        desk.expect('Enter tries again')
        desk.type(':finish\n')
        same(desk.end()[0], 1)
        same(kinds(place), ['answered', 'answered'])
        status, out, errors = place.run('practise', '--plain', '--exam', '--resume', '--learner', 'Ana', 'p', input='')
        holds(out, '1 right, 0 partly, 1 wrong, 1 left blank.', errors)


# ---- time and windows -----------------------------------------------------------------------------------------------

def check_certainty_late():
    """The time is up while it is asked how sure the learner is: the answer was not given yet."""
    for front in ('screens', 'plain', 'jsonl'):
        with Place() as place:
            worded_pack(place, head='exam: {minutes: 0.05}\n')
            if front == 'jsonl':
                talk = exam(place, '--certainty', 'p')
                talk.until('question')
                talk.say('t')
                talk.until('certainty')
                same(talk.until('time-up', 'noted')['event'], 'time-up')
                same(talk.end()[0], 0)
            else:
                desk = (on_plain if front == 'plain' else on_screens)(place, '--certainty')
                desk.expect('Enter begins' if front == 'plain' else 'Begin the exam?')
                desk.type('\r')
                desk.expect('First')
                desk.type('1\r')
                desk.expect('How sure')
                desk.expect('Time was up at ')
                if front == 'screens':
                    desk.type('q')
                same(desk.end()[0], 0, front)
            same([row['outcome'] for row in attempts(place)], ['omitted'] * 3, front)


def resize(desk, rows, columns):
    fcntl.ioctl(desk.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))


def check_windows():
    """The window changes over every page and panel of an exam; nothing of it is lost."""
    steps = (('', 'Begin the exam?'), ('\r', 'First'), ('1', '●'), ('\r', 'How sure'), ('3\r', 'Second one'),
             ('!', 'flag'), ('o', '2 open'), ('?', 'All keys'), ('q', '2 open'), ('q', 'Hand in?'), ('\r', 'handed in'))
    with Place() as place:
        worded_pack(place)
        desk = on_screens(place, '--certainty')
        for typed, text in steps:
            desk.type(typed)
            sees(desk, text)
            for rows, columns in ((12, 40), (4, 15), (60, 220), (24, 80)):
                resize(desk, rows, columns)
                desk.said = ''
                sees(desk, 'window too' if rows == 4 else text)
        desk.type('q')
        same(desk.end()[0], 0)
        same([(row['question_id'], row['outcome']) for row in attempts(place)],
             [('a', 'right'), ('b', 'omitted'), ('c', 'omitted')])


def check_extended():
    """A tutor gives more time while the exam is on the screen, and the screen follows."""
    for front in ('screens', 'overview', 'plain'):
        with Place() as place:
            worded_pack(place, head='exam: {minutes: 20}\n')
            same(place.run('practise', '--jsonl', '--learner', 'Ana', '--limit', '1', 'p', input='t\n')[0], 0)
            with contextlib.closing(sqlite3.connect(place.store)) as connection:
                connection.execute('UPDATE learner SET time_factor = 1.5')
                connection.commit()
            desk = on_plain(place) if front == 'plain' else on_screens(place)
            desk.expect('30 min, extended from 20')
            desk.type('\r')
            desk.expect('First')
            if front == 'overview':
                desk.type('o')
                desk.expect('30 min, extended from 20')
            with contextlib.closing(sqlite3.connect(place.store, timeout=20)) as connection:
                connection.execute(
                    "INSERT INTO event SELECT (SELECT max(seq) FROM (SELECT seq FROM session UNION ALL SELECT seq FROM"
                    " attempt UNION ALL SELECT seq FROM event)) + 1, randomblob(16), 'extended', session_id, NULL,"
                    " learner_id, device_id, '{\"minutes\":10}', started_at, 0 FROM session WHERE kind = 'exam'")
                connection.commit()
            if front == 'plain':
                desk.type(':overview\n')
                desk.expect('(40 min, extended from 20)')
                desk.type(':finish\n')
                desk.expect('40 min left.')
                desk.type('l\n')
            else:
                sees(desk, '40 min left')
                if front == 'overview':
                    sees(desk, '40 min, extended from 20')
                desk.type('q')
                desk.expect('Hand in?')
                desk.expect('40 min left')
                desk.type('\r')
                desk.expect('handed in')
                desk.type('q')
            same(desk.end()[0], 0, front)


def check_handed_in_elsewhere():
    """Somebody hands it in while it is on the screen: the paper comes up by itself."""
    with Place() as place:
        worded_pack(place, head='')
        desk = on_screens(place)
        desk.expect('Begin the exam?')
        desk.type('\r')
        desk.expect('First')
        with contextlib.closing(sqlite3.connect(place.store, timeout=20)) as connection:
            connection.execute(
                "INSERT INTO event SELECT (SELECT max(seq) FROM (SELECT seq FROM session UNION ALL SELECT seq FROM"
                " attempt UNION ALL SELECT seq FROM event)) + 1, randomblob(16), 'handed-in', session_id, NULL,"
                " learner_id, device_id, '{}', started_at, 0 FROM session WHERE kind = 'exam'")
            connection.commit()
        desk.expect('handed in')
        desk.type('q')
        same(desk.end()[0], 0)


def main():
    for name, one in list(globals().items()):
        if name.startswith('check_'):
            one()
    drive.finish()


if __name__ == '__main__':
    main()
