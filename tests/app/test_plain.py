"""The plain front end, to the letter of the contract: from a pipe, on a terminal, and with input meant to break it."""
import errno
import json
import os
import signal
import subprocess

import console
import drive
import oracle
from drive import check, holds, same

PACK = {'id': 'eight', 'shuffle': 'none', 'questions': [
    {'id': 'one', 'prompt': 'Which splits tensors inside layers?', 'explanation': 'A tensor split cuts each layer.',
     'hints': ['Think of one layer.', 'And of its weights.'], 'choices': [
         {'text': 'Pipeline parallelism', 'right': False, 'feedback': 'That splits whole layers.'},
         {'text': 'Tensor parallelism', 'right': True}, {'text': 'Data parallelism', 'right': False}]},
    {'id': 'two', 'prompt': 'Which are collectives?', 'explanation': 'Two of them are.', 'marking': 'net-correct',
     'choices': [{'text': 'all-reduce', 'right': True}, {'text': 'all-gather', 'right': True},
                 {'text': 'a mutex', 'right': False, 'feedback': 'A mutex is a lock.'}]},
    {'id': 'three', 'prompt': 'First paragraph,\nsecond line.\n\nSecond paragraph.', 'figure': 'a\n  b', 'true_false': True,
     'feedback': 'It is true.', 'explanation': 'First why.\n\nSecond why.', 'source': 'https://example.org/x'}]}


def transcript():
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        status, output, errors = place.run('practise', '--plain', pack, '--seed', '1', input='2\n1\nfalse\nt\n1,2\n')
        same(status, 0, 'status')
        same(errors, 'quiztutor: new learner "%s"\n' % os.popen('id -un').read().strip(), 'standard error')
        lines = output.splitlines()
        at = lines.index('Which splits tensors inside layers?')
        shown = [line for line in lines[at:] if line]
        same(shown[:7], ['Which splits tensors inside layers?', '  1) Pipeline parallelism', '  2) Tensor parallelism',
                         '  3) Data parallelism', '> 2', 'Right.', 'Answer: Tensor parallelism'], 'first question')
        same(shown[7], 'Why: A tensor split cuts each layer.', 'why')
        part = output[output.index('Which are collectives?'):]
        holds(part, '> 1\nPartly right.\n', 'partly')
        holds(part, 'First paragraph,\nsecond line.\n\nSecond paragraph.\n', 'paragraphs')
        holds(part, 'a\n  b\n', 'figure')
        holds(part, '  1) True\n  2) False\n', 'true and false')
        holds(part, '> false\nNot quite.\nIt is true.\nAnswer: True\nWhy: First why.\n\nSecond why.\n', 'not quite')
        holds(part, 'https://example.org/x', 'source')
        # the two missed come again, in the order of their misses: t is no answer to the first of them
        same(lines[-1], '1 of 3 right the first time, 1 partly, 0 skipped. Marks 1.5 of 3.', 'last line')
        same([row['outcome'] for row in place.rows('SELECT outcome FROM attempt ORDER BY seq')],
             ['right', 'partly', 'wrong', 'right'], 'stored')
        check(place.rows('SELECT DISTINCT origin FROM attempt') == [{'origin': 'plain'}], 'origin')
        check('\x1b' not in output, 'no escape sequence')


def answered_last():
    """Of a question that was missed twice the summary shows what was answered last, of one put right the miss."""
    with drive.Place() as place:
        pack = {'id': 'one', 'questions': [{'id': 'q', 'prompt': 'How many?', 'explanation': 'E', 'number': {'answer': 1}}]}
        name = place.write('content/one.yaml', oracle.pack_yaml(pack))
        for typed, last in ('5\n6\n:finish\n', '6'), ('7\n1\n', '7'):
            output = place.run('practise', '--plain', name, '--mode', 'all', '--restart', input=typed)[1]
            holds(output, 'To look at again:\n\n  How many?\n  Answer: 1\n  You: %s\n' % last, typed)


def contract_example():
    """`7 of 8 right the first time, 0 partly, 0 skipped. Marks 7 of 8.`"""
    with drive.Place() as place:
        pack = {'id': 'eight', 'questions': [
            {'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E%d' % i, 'true_false': True} for i in range(8)]}
        name = place.write('content/eight.yaml', oracle.pack_yaml(pack))
        status, output, _ = place.run('practise', '--plain', name, '--seed', '1', input='f\n' + 't\n' * 8)
        same((status, output.splitlines()[-1]),
             (0, '7 of 8 right the first time, 0 partly, 0 skipped. Marks 7 of 8.'), 'eight')
        same(output.count('\nNot quite.\n'), 1, 'one miss')
        same(output.count('\nRight.\n'), 8, 'eight right')
        # end of input at once: nothing was asked of the learner, nothing is stored, no learner is made
        status, output, errors = place.run('practise', '--plain', name, '--learner', 'Bea', input='')
        same((status, output.splitlines()[-1], errors),
             (0, '0 of 0 right the first time, 0 partly, 0 skipped. Marks 0 of 0.', ''), 'end at once')
        same(place.rows("SELECT count(*) AS n FROM learner WHERE name = 'Bea'")[0]['n'], 0, 'no learner')


def skips_hints_undo():
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        script = ':hint\n:skip\n:hint\nh\n1,2\n:undo\n3\n:finish\n'
        status, output, _ = place.run('practise', '--plain', pack, '--seed', '1', input=script)
        same(status, 0, 'status')
        holds(output, '> :hint\nHint: Think of one layer.\n', 'hint')
        holds(output, '> :skip\nLater.\n', 'later')
        check(output.count('Hint: And of its weights.') == 0, 'the hint of another question')
        holds(output, '> 3\nNot quite.\nA mutex is a lock.\n', 'undone, answered anew')
        same(output.splitlines()[-1], '0 of 1 right the first time, 0 partly, 0 skipped. Marks 0 of 1.', 'last line')
        same([row['kind'] for row in place.rows('SELECT kind FROM event ORDER BY seq')],
             ['hinted', 'skipped', 'undone'], 'events')
        status, output, _ = place.run('practise', '--plain', pack, '--resume', input='t\n1,2\ns\n')
        same(status, 0, 'resumed')
        holds(output, '> t\nRight.\n', 'goes on with the third')
        holds(output, '> s\nSkipped.\n', 'skipped twice')
        holds(output, 'Answer: Tensor parallelism\nWhy: A tensor split', 'a skipped one is explained')
        same(output.splitlines()[-1], '1 of 3 right the first time, 0 partly, 1 skipped. Marks 1 of 3.', 'last line')
        same(place.rows("SELECT response, outcome, mark FROM attempt WHERE outcome = 'omitted'"),
             [{'response': None, 'outcome': 'omitted', 'mark': 0.0}], 'omitted')


def alike():
    """The same choices, whichever front end: what was shown and answered is equal, but for where it came from."""
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(dict(PACK, shuffle='all')))
        script = '2\n1\nx\n:hint\n:skip\nb\n1 3\nf\nt\n:undo\nt\n2\n1,2\n'
        rows = []
        for form in ('--plain', '--jsonl'):
            status, _, errors = place.run('practise', form, '--mode', 'all', '--seed', '77', pack, input=script)
            same(status, 0, form, errors)
            rows.append(place.rows('SELECT question_id, shown, response, outcome, mark, hints, showing, seed FROM attempt '
                                   'WHERE origin = ? ORDER BY seq', form[2:]))
        check(len(rows[0]) > 3, 'enough answers', len(rows[0]))
        same(rows[0], rows[1], 'plain and JSON lines')


def on_a_terminal():
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        c = console.Console(place, 'practise', '--plain', '--seed', '1', pack)
        c.expect('  3) Data parallelism')
        c.expect('> ')
        c.type('2\n')
        text = c.expect('Which are collectives?')
        same(text.count('\n2\n') + text.count('2\n'), 1, 'on a terminal the response is echoed by the terminal alone', text)
        c.expect('> ')
        c.type('\x04')
        status, rest = c.end()
        same((status, rest.strip().splitlines()[-1]),
             (0, '1 of 1 right the first time, 0 partly, 0 skipped. Marks 1 of 1.'), 'end of input')
        # asked about the unfinished session; Enter goes on
        c = console.Console(place, 'practise', '--plain', pack)
        c.expect('unfinished')
        c.expect('> ')
        c.type('\n')
        c.expect('Which are collectives?')
        c.expect('> ')
        c.type('1,2\n')
        c.expect('Right.')
        c.expect('  2) False')
        c.expect('> ')
        c.type('t\n')
        c.expect('Right.')
        c.expect('Enter for the summary, u to undo > ')
        c.type('u\n')
        c.expect('  2) False')
        c.expect('> ')
        c.type('f\n')
        c.expect('Not quite.')
        c.expect('> ')
        c.type('t\n')
        c.expect('Enter for the summary, u to undo > ')
        c.type('\n')
        status, rest = c.end()
        same((status, rest.strip().splitlines()[-1]),
             (0, '2 of 3 right the first time, 0 partly, 0 skipped. Marks 2 of 3.'), 'summary')
        same(place.rows('SELECT count(*) AS n FROM session')[0]['n'], 1, 'one session')
        # everything was answered: nothing is asked about
        c = console.Console(place, 'practise', '--plain', '--mode', 'all', pack)
        text = c.expect('  1) ')
        check('unfinished' not in text, 'nothing unfinished', text)
        c.type('\x04')
        same(c.end()[0], 0, 'end')


def plain_by_itself():
    """TERM=dumb, ACCESSIBLE and the setting choose plain; each is the same lines as --plain."""
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        place.write('config/quiztutor/config.yaml', 'theme: auto\n')
        for env in ({'TERM': 'dumb'}, {'ACCESSIBLE': '1'}, {'TERM': 'no-such-terminal'}):
            c = console.Console(place, 'practise', '--seed', '1', pack, env=env)
            c.expect('  1) Pipeline parallelism\n')
            c.expect('> ')
            c.type(':finish\n')
            status, rest = c.end()
            same(status, 0, env)
            check('\x1b' not in rest, 'no escape sequences', env)
        place.write('config/quiztutor/config.yaml', 'plain: true\n')
        c = console.Console(place, 'practise', '--seed', '1', pack)
        c.expect('  1) Pipeline parallelism\n')
        c.type(':finish\n')
        same(c.end()[0], 0, 'by setting')


def library_in_lines():
    """The library, line by line on a terminal: a number practises, Enter leaves."""
    with drive.Place() as place:
        place.write('content/eight.yaml', oracle.pack_yaml(dict(PACK, title='The eight')))
        place.write('content/zero.yaml', oracle.pack_yaml(dict(PACK, id='zero', title='The zero')))
        c = console.Console(place, '--plain')
        text = c.expect('Enter to leave > ')
        holds(text, 'The eight', 'listed')
        c.type('7\n')
        c.expect('Enter to leave > ')
        c.type('1\n')
        c.expect('  1) ')
        c.expect('> ')
        c.type(':finish\n')
        c.expect('Marks 0 of 0.')
        c.expect('Enter to leave > ')
        c.type('zero\n')
        c.expect('  1) ')
        c.type(':finish\n')
        c.expect('Enter to leave > ')
        c.type('\n')
        same(c.end()[0], 0, 'leaves')
        # what was wished for holds for the pack that is chosen
        c = console.Console(place, 'practise', '--plain', '--exam', '--minutes', '3', '--limit', '2')
        c.expect('The number of a pack for the exam')
        c.expect('Enter to leave > ')
        c.type('2\n')
        holds(c.expect('> '), '2 questions, 3 min.', 'an exam, as wished')
        c.type('\n')
        c.expect('  1) ')
        c.type('\x04')
        c.expect('Enter to leave > ')
        c.type('\n')
        same(c.end()[0], 0, 'leaves')
        same([(row['kind'], json.loads(row['options']).get('limit')) for row in place.rows('SELECT * FROM session')],
             [('exam', 2)], 'and it was one')


def hostile_input():
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))

        def outcomes(text, name, expected):
            for form in ('--plain', '--jsonl'):
                before = place.rows('SELECT max(seq) AS n FROM attempt')[0]['n'] if os.path.exists(place.store) else 0
                status, output, errors = place.run('practise', form, '--mode', 'all', '--seed', '1', pack, input=text)
                same(status, 0, form, name, errors[-300:])
                check(drive.tame(output), form, name, 'no control character reaches the output')
                check('\ufffd' not in output or b'\xff' in text, form, name, 'whole characters')
                if form == '--jsonl':
                    same(drive.json_lines(output)[-1]['event'], 'summary', name)
                else:
                    check(output.splitlines()[-1].startswith(tuple('0123456789')), name, 'a summary', output[-200:])
                same([row['outcome'] for row in place.rows('SELECT outcome FROM attempt WHERE seq > ? ORDER BY seq',
                                                           before or 0)], expected, form, name)

        for text, name, expected in (
                (b'2\r\n1,2\r\nt\r\n', 'CRLF', ['right'] * 3),
                (b'x' * 1000000 + b'\n2\n', 'a line of 1 MB', ['right']),
                (b'2' * 1000000 + b'\n2\n', 'a number of 1 MB', ['right']),
                ('\u6771'.encode() * 400000 + b'\n2\n', 'a line of 1.2 MB, cut within a character', ['right']),
                (b':report ' + b'x' * 1000000 + b'\n2\n', 'a report of 1 MB', ['right']),
                (b'x' * 1000000, '1 MB without an end', []),
                (b'2\0\n2\n', 'NUL in a response is not passed over', ['right']),
                (b'2\0x\n:skip\0\n2\n', 'nor what follows it', ['right']),
                (b'\0\n\0\0\0\n2\n', 'lines of NUL', ['right']),
                (b'\xff\xfe2\n2\n', 'not UTF-8', ['right']),
                (b':report \xff\xfe\n2\n', 'a report that is not UTF-8', ['right']),
                (b'\x1b[A\n\x1b]52;c;aGk=\x07\n2\n', 'escape sequences', ['right']),
                ('\u202e2\n2\n'.encode(), 'bidi override', ['right']),
                (b'\n' * 1000 + b'2\n', 'a thousand empty lines', ['right']),
                (b'  2  \n', 'white space around', ['right']),
                (b':report \x1b[31mred\x07\n2\n', 'control characters in a report', ['right']),
                (b'2', 'a last line without its end', ['right']),
                (b':undo\n' * 50 + b'2\n' + b':undo\n' * 50, 'much undoing', ['right'])):
            outcomes(text, name, expected)
        word = 'w' * 300
        long = {'id': 'long', 'shuffle': 'none', 'questions': [
            {'id': 'q', 'prompt': 'P?', 'explanation': 'E', 'choices': [{'text': word, 'right': True},
                                                                      {'text': 'b', 'right': False}]}]}
        name = place.write('content/long.yaml', oracle.pack_yaml(long))
        status, output, _ = place.run('practise', '--plain', name, input='1\n')
        same(status, 0, 'long word')
        holds(output.replace('\n', '').replace(' ', ''), word, 'the word is whole')
        c = console.Console(place, 'practise', '--plain', '--mode', 'all', name)
        c.expect('> ')
        c.type('1\n')
        c.expect('Right.')
        c.expect('u to undo > ')
        c.type('\n')
        same(c.end()[0], 0, 'long word on a terminal')


def nowhere_to_write():
    """Standard output closed, full, or gone: status 1, a message where one can still be given, no death by signal."""
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        for form in ('--plain', '--jsonl'):
            arguments = [drive.PROGRAM, 'practise', form, '--mode', 'all', pack]
            with open('/dev/full', 'w') as full:
                done = subprocess.run(arguments, input=b'2\n1,2\nt\n', stdout=full, stderr=subprocess.PIPE,
                                      env=place.environment, timeout=30)
            same(done.returncode, 1, form, 'to /dev/full')
            holds(done.stderr.decode(), os.strerror(errno.ENOSPC), form, 'the reason')
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run(arguments, input=b'2\n1,2\nt\n', stdout=writing, stderr=subprocess.PIPE,
                                  env=place.environment, timeout=30)
            os.close(writing)
            same(done.returncode, 1, form, 'to a pipe that nobody reads', done.stderr)
            done = subprocess.run(['sh', '-c', 'exec "$@" >&-', 'sh', *arguments], input=b'2\n1,2\nt\n',
                                  stderr=subprocess.PIPE, env=place.environment, timeout=30)
            same(done.returncode, 1, form, 'closed', done.stderr)
            done = subprocess.run(['sh', '-c', 'exec "$@" <&-', 'sh', *arguments], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=place.environment, timeout=30)
            check(done.returncode in (0, 1), form, 'no standard input', done.returncode, done.stderr)
        for arguments in (['--help'], ['--version'], ['config'], ['check', pack], []):
            with open('/dev/full', 'w') as full:
                done = subprocess.run([drive.PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, env=place.environment, timeout=30)
            if arguments != ['check', pack]:  # a good pack may have nothing to say
                same(done.returncode, 1, arguments, 'to /dev/full', done.stderr)
        # the file that is the store must not be taken for descriptor 1 or 2
        done = subprocess.run(['sh', '-c', 'exec "$@" >&- 2>&-', 'sh', drive.PROGRAM, 'practise', '--jsonl', '--mode',
                               'all', pack], input=b'2\n', env=place.environment, timeout=30)
        same(place.rows('PRAGMA integrity_check'), [{'integrity_check': 'ok'}], 'the store, after closed descriptors')
        check(done.returncode != -signal.SIGPIPE, 'no signal')


def interrupted():
    """A signal leaves what was answered; the terminal's ^C ends the session."""
    with drive.Place() as place:
        pack = place.write('content/eight.yaml', oracle.pack_yaml(PACK))
        c = console.Console(place, 'practise', '--plain', '--seed', '1', pack)
        c.expect('> ')
        c.type('2\n')
        c.expect('Which are collectives?')
        c.expect('> ')
        c.type('\x03')
        status, _ = c.end()
        check(status in (0, 130, -signal.SIGINT), 'status after ^C', status)
        same(place.rows('SELECT count(*) AS n FROM attempt')[0]['n'], 1, 'kept')
        status, output, _ = place.run('practise', '--plain', '--resume', pack, input='')
        holds(output, 'Which are collectives?', 'goes on after ^C')


if __name__ == '__main__':
    for part in (transcript, answered_last, contract_example, skips_hints_undo, alike, on_a_terminal, plain_by_itself, library_in_lines,
                 hostile_input, nowhere_to_write, interrupted):
        part()
    drive.finish()
