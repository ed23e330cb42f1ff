"""Ways through an exam that are not the straight one: begun twice, packs that change, full disks, windows that
change, time that a tutor adds.

Run with QUIZTUTOR.
"""
import json
import os
import resource
import signal
import struct
import sys
import fcntl
import termios
import time
import uuid

sys.dont_write_bytecode = True
import console
import drive
from drive import Place, Talk, check, holds, same
from test_exam import attempts, exam, let_pass, plain_pack

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


def main():
    for name, one in list(globals().items()):
        if name.startswith('check_'):
            one()
    drive.finish()


if __name__ == '__main__':
    main()
