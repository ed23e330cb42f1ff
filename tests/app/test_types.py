"""Every type of question as people and scripts meet it: in plain words, killed and resumed, taken back, in exams, with
light markup, previewed, and on the screens.

Run with QUIZTUTOR.
"""
import json
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import console
import drive
import kinds
import oracle
from drive import Place, Talk, check, holds, same

HEAD = 'format: quiztutor/1\nid: types\ntitle: Types\nlanguage: %s\nshuffle: none\n%squestions:\n'
NUMBER = '''  - id: number
    prompt: How large is it?
    number: {answer: 0.27, tolerance: 5%, unit: GB, significant_figures: 2, wrong: [{value: 27, feedback: Per cent.}]}
    explanation: A quarter and a bit.
'''
TEXT = '''  - id: text
    prompt: What splits a layer?
    text:
      accept: [tensor parallelism, S]
      wrong: [{value: pipelines, feedback: Those split stages.}]
    explanation: Tensor.
'''
ORDER = '''  - id: order
    prompt: In which order?
    order: [first, second, third]
    marking: net-correct
    feedback: Not so.
    explanation: As said.
'''
MATCH = '''  - id: match
    prompt: What belongs together?
    match: {one: eins, two: zwei, deux: zwei}
    extra: [drei]
    marking: each-decision
    explanation: As said.
'''
CARD = '''  - id: card
    prompt: What is an all-reduce?
    recall: A sum on every device.
    explanation: As said.
    hint: It ends in the same place everywhere.
'''
GIVEN = '''  - id: given
    given: {p: [2, 4, 8, 16, 32, 64], m: {from: 8, to: 64, step: 8}}
    derive: {share: "(p - 1) / (m + p - 1)"}
    prompt: "{p} stages, {m} microbatches: what share is bubble?"
    number: {answer: share, tolerance: 1%, wrong: [{value: "(p - 1) / m", feedback: "Over {m}.", misconception: ideal}]}
    hint: "{p} minus one."
    explanation: "It is {share:.3f} of {p}."
'''


def write(place, *questions, language='en', head=''):
    return place.write('content/types.yaml', HEAD % (language, head) + ''.join(questions))


def plain(place, *lines, more=(), name='types'):
    status, output, errors = place.run('practise', '--plain', '--mode', 'all', '--seed', '1', *more, name,
                                       input=''.join(line + '\n' for line in lines))
    same(status, 0, lines, errors)
    return output


def lines(place, *said, more=('--seed', '1')):
    status, output, errors = place.run('practise', '--jsonl', '--mode', 'all', *more, 'types',
                                       input=''.join(line + '\n' for line in said))
    same(status, 0, said, errors)
    return drive.json_lines(output)


def only(events, kind):
    return [event for event in events if event['event'] == kind]


# ---- plain words ----------------------------------------------------------------------------------------------------

def check_number():
    with Place() as place:
        write(place, NUMBER)
        output = plain(place, '1,5', 'nan', '1 000', '', '27', '0.3', '0.2835 GB')
        holds(output, 'Type a number, in GB. Give 2 significant figures.\n\n> ')
        same(output.count('Not understood: '), 4, output)
        holds(output, 'Not understood: the decimal sign here is a point')
        holds(output, '> 27\nNot quite.\nPer cent.\nAnswer: 0.27 GB\nWhy: A quarter and a bit.\n')
        holds(output, '> 0.3\nNot quite.\nYou gave 1 significant figure')
        holds(output, '> 0.2835 GB\nRight.\n', 'the bound itself, with its unit')
        same([row['response'] for row in place.rows('SELECT response FROM attempt ORDER BY seq')],
             ['"27"', '"0.3"', '"0.2835 GB"'], 'as typed')
    with Place() as place:
        write(place, NUMBER, language='de')
        holds(plain(place, '0,27'), '> 0,27\nRight.\n', 'a comma in German')


def check_text():
    """S and q are answers, a near miss is told once, and nothing of it is stored."""
    with Place() as place:
        write(place, TEXT)
        output = plain(place, ':hint', ':help', 'q', 'tensor paralelism', '', 'TENSOR\u00a0 parallelism ', more=())
        holds(output, 'Type the answer.\n\n> :hint\nThere is no further hint.')
        check('  :hint     h' not in output and '  :hint  ' in output, 'no letter is a command here', output)
        holds(output, '> q\nNot quite.\nAnswer: tensor parallelism; S\n')
        holds(output, '> tensor paralelism\nNearly. Check the spelling; what you type next counts.\n\n> ')
        holds(output, 'Right.')
        rows = place.rows('SELECT response, outcome, retried FROM attempt ORDER BY seq')
        same([tuple(row.values()) for row in rows],
             [('"q"', 'wrong', 0), ('"TENSOR\u00a0 parallelism"', 'right', 1)], rows)
    with Place() as place:
        write(place, TEXT)
        for answer, told in (('S', 'right'), ('s', 'right'), ('pipelines', 'wrong'), ('::S', 'wrong')):
            events = lines(place, answer)
            same([event['outcome'] for event in only(events, 'result')], [told], answer)
        events = lines(place, 'tensor paralelism', ':hint', 'tensor paralelism')
        same([event['event'] for event in events[1:-1]], ['question', 'retry', 'hint', 'result', 'question'], 'once')
        events = lines(place, 'tensor paralelism')
        same([event['event'] for event in events[1:]], ['question', 'retry', 'summary'], 'the input ends')
        same(events[-1]['asked'], 0, 'nothing stored')
        events = lines(place, 'pipeline')  # one edit from a listed wrong answer is no near miss
        same([event['event'] for event in events[1:3]], ['question', 'result'], 'no near miss')


def check_order_and_match():
    with Place() as place:
        write(place, ORDER, MATCH)
        output = plain(place, '1 1 2', '1 2', ':finish')
        holds(output, '\nType the numbers in the right order, parted by spaces.\n\n  1) ')
        same(output.count('Not understood'), 2, output)
        shown = lines(place, ':finish')[1]['choices']
        typed = lambda wanted: ' '.join(str(shown.index(text) + 1) for text in wanted)
        output = plain(place, typed(['second', 'third', 'first']), typed(['first', 'second', 'third']), ':finish')
        holds(output, 'Partly right.\nNot so.\nAnswer: first; second; third\n', 'one of two neighbours')
        events = lines(place, ':skip', ':finish')
        question = only(events, 'question')[1]
        same(question['choices'], ['one', 'two', 'deux'], 'lefts stay')
        same(sorted(question['targets']), ['drei', 'eins', 'zwei'], 'equal right texts count as one')
        output = plain(place, ':skip', ' '.join(
            [str(question['targets'].index('eins') + 1), '0', str(question['targets'].index('drei') + 1)]), ':finish')
        holds(output, '\nWhat belongs to them is among these:\n  1) ')
        holds(output, 'Partly right.\nAnswer: one: eins; two: zwei; deux: zwei\n')
        holds(output, '  You: one: eins; two: nothing; deux: drei\n' if 'two: nothing' in output else '  You: one: eins')
        row = place.rows('SELECT shown, response, mark FROM attempt ORDER BY seq DESC LIMIT 1')[0]
        same(json.loads(row['response']), [1, 0, 3], 'places of the pack, 0 for none')
        check(abs(row['mark'] - 1 / 3) < 1e-9, row)


def check_card():
    """An empty line turns it over; in JSON lines the grade is the response."""
    with Place() as place:
        write(place, CARD)
        output = plain(place, 'x', '', '', ':hint', '3')
        holds(output, 'then press Enter to turn the card over.\n\n> x\nNot understood')
        holds(output, '> \nA sum on every device.\n\nHow well did you know it? 1 again, 2 hard, 3 good, 4 easy > ')
        holds(output, '> :hint\nHint: It ends in the same place everywhere.\n')
        holds(output, '> 3\nRight.\nAnswer: A sum on every device.\n')
        events = lines(place, '', '2', '1', '4')
        same(events[1]['back'], 'A sum on every device.', 'learners need it to grade themselves')
        same([event['event'] for event in events[2:4]], ['unreadable', 'result'], 'nothing to turn in JSON lines')
        same([(event['outcome'], event['mark'], event['response']) for event in only(events, 'result')],
             [('partly', 0.5, ['hard']), ('wrong', 0, ['again']), ('right', 1, ['easy'])], 'grades')
        events = lines(place, '4', more=('--seed', '1', '--certainty'))
        same(only(events, 'certainty'), [], 'a grade says how sure')
        events = drive.json_lines(place.run('practise', '--jsonl', '--exam', 'types')[1])
        same([event.get('questions', event.get('asked')) for event in events], [0, 0], 'never in an exam')


# ---- values -----------------------------------------------------------------------------------------------------------

PACK = {'id': 'types', 'shuffle': 'none', 'questions': [
    {'id': 'given', 'given': {'p': [2, 4, 8, 16, 32, 64], 'm': {'from': 8, 'to': 64, 'step': 8}},
     'derive': {'share': ('', lambda v: (v['p'] - 1) / (v['m'] + v['p'] - 1))}, 'prompt': '',
     'number': {'answer': 'share', 'tolerance': '1%'}}]}


def values(seed, showing):
    return kinds.Shown(PACK, PACK['questions'][0], oracle.showing_seed(seed, showing))


def prompt(seed, showing):
    return values(seed, showing).text('{p} stages, {m} microbatches: what share is bubble?')


def check_values():
    """The k-th showing has the values of seed + k - 1, whoever asks it: after a miss, an undo, a kill."""
    with Place() as place:
        write(place, GIVEN)
        same(lines(place)[1]['prompt'], prompt(1, 1), 'seed 1 takes the first')
        for seed in (2, 77, 4294967295):
            more = ('--seed', str(seed))
            talk = Talk(place, '--mode', 'all', *more, 'types')
            same(talk.until('question')['prompt'], prompt(seed, 1), seed, 'first')
            talk.say(':hint')
            same(talk.until('hint')['hint'], values(seed, 1).text('{p} minus one.'), 'a hint with its values')
            talk.say('5')
            result = talk.until('result')
            same(result['explanation'], values(seed, 1).text('It is {share:.3f} of {p}.'), 'told with its values')
            same(talk.until('question')['prompt'], prompt(seed, 2), seed, 'returns with others')
            talk.say(':undo')
            talk.until('undone')
            same(talk.until('question')['prompt'], prompt(seed, 2), seed, 'asked again at its next showing')
            talk.process.send_signal(signal.SIGKILL)
            talk.end()
            talk = Talk(place, '--resume', 'types')
            check(talk.until('session')['resumed'], seed)
            same(talk.until('question')['prompt'], prompt(seed, 2), seed, 'resumed with the same numbers')
            shown = values(seed, 2)
            talk.say('%.15g' % ((shown.values['p'] - 1) / shown.values['m']))
            result = talk.until('result')
            same((result['outcome'], result['feedback']), ('wrong', shown.text('Over {m}.')), seed, 'a known slip')
            same(talk.until('question')['prompt'], prompt(seed, 3), seed, 'third')
            talk.say('%.15g' % values(seed, 3).number())
            same(talk.until('result')['outcome'], 'right', seed)
            talk.end()
        rows = place.rows('SELECT a.shown, a.seed, a.revision, a.content, t.body FROM attempt a '
                          'JOIN question_text t USING (content) ORDER BY a.seq')
        same(len({row['revision'] for row in rows}), 1, 'one revision whatever the values')
        for row in rows:
            given = kinds.Shown(PACK, PACK['questions'][0], row['seed'])
            same(json.loads(row['shown'])['given'], given.given, 'what was shown')
            same(json.loads(row['body'])['prompt'], given.text('{p} stages, {m} microbatches: what share is bubble?'),
                 'kept as it was asked')
        output = plain(place, '5', ':finish')
        holds(output, 'To look at again:\n\n  ' + prompt(1, 1), 'the summary asks as it was asked')


def check_exam_values():
    """An exam keeps its values through a kill; given answers of every type are shown when gone back to."""
    with Place() as place:
        write(place, NUMBER, TEXT, ORDER, MATCH, CARD, GIVEN)
        talk = Talk(place, '--exam', '--seed', '9', 'types')
        said = {}
        for line in ('0.27 GB', 'tensor paralelism', '2 1 3', '1 0 2', '0.5'):
            question = talk.until('question')
            said[question['question']] = question, line
            talk.say(line)
            same(talk.until('noted', 'retry', 'unreadable')['event'], 'noted', 'no spelling is told in exams', line)
            if question['question'] == 'match':
                talk.until('question')
                talk.say(':go 2')
                same(talk.until('question')['given'], ['tensor paralelism'], 'kept as typed')
                talk.say(':go 3')
                given = talk.until('question')
                same(given['given'], [given['choices'][i] for i in (1, 0, 2)], 'in the order given')
                talk.say(':go 4')
                given = talk.until('question')
                same(given['given'], [given['targets'][0], '', given['targets'][1]], 'matches, one left open')
                talk.say('')
                talk.until('noted')
                same(talk.until('question')['prompt'], prompt(9, 1), 'with its values')
                talk.process.kill()
                talk.end()
                talk = Talk(place, '--exam', '--resume', 'types')
        talk.end()
        results = {event['question']: event for event in talk.results()}
        same({name: event['outcome'] for name, event in results.items()},
             {'number': 'right', 'text': 'wrong', 'order': results['order']['outcome'], 'match': 'skipped', 'given': 'wrong'},
             'handed in')
        same(results['text']['response'], ['tensor paralelism'], 'as typed')
        same(results['given']['explanation'], values(9, 1).text('It is {share:.3f} of {p}.'), 'told with its values')
        same([row['response'] for row in place.rows('SELECT response FROM attempt ORDER BY seq')][:2],
             ['"0.27 GB"', '"tensor paralelism"'], 'in the store')


def check_mark_in_a_name():
    """Values named like members of an event of the log don't get in its way."""
    with Place() as place:
        write(place, GIVEN.replace('{p: [2,', '{mark: [7, 9], marks: [3], response: [5], p: [2,'), TEXT)
        talk = Talk(place, '--exam', '--seed', '1', 'types')
        talk.until('question')
        talk.say('%.15g' % values(1, 1).number())
        talk.until('noted')
        talk.process.kill()
        talk.end()
        talk = Talk(place, '--exam', '--resume', 'types')
        talk.say(':finish')
        talk.end()
        same([(event['outcome'], event['mark'], event['marks']) for event in talk.results()], [('right', 1, 1), ('skipped', 0, 1)], 'marks')


# ---- light markup -----------------------------------------------------------------------------------------------------

MARKED = '''  - id: marked
    prompt: "Is *this* so, `x * y`?"
    choices: [{correct: "`yes`"}, {wrong: "*no*", feedback: "*Not* so: `no`."}]
    hint: "Look at `x`."
    explanation: "Since *it* is, and 2 \\\\* 3."
'''


def check_markup():
    """No mark is left where there are only lines, and no byte that could drive a terminal."""
    with Place() as place:
        write(place, MARKED, head='markup: light\n')
        events = lines(place, ':hint', '2', '1')
        question, result = only(events, 'question')[0], only(events, 'result')[0]
        same((question['prompt'], question['choices']), ('Is this so, x * y?', ['yes', 'no']), 'question')
        same(only(events, 'hint')[0]['hint'], 'Look at x.', 'hint')
        same((result['response'], result['answer'], result['feedback'], result['explanation']),
             (['no'], ['yes'], 'Not so: no.', 'Since it is, and 2 * 3.'), 'result')
        output = plain(place, '2', ':finish')
        holds(output, 'Is this so, x * y?')
        check('`' not in output and drive.tame(output), output)
        status, output, errors = place.run('preview', 'types')
        holds(output, 'Is this so, x * y?', status, errors)
        check('`' not in output and drive.tame(output), output)
    with Place() as place:
        write(place, MARKED)
        same(lines(place)[1]['prompt'], 'Is *this* so, `x * y`?', 'only where the pack says so')


# ---- authors ------------------------------------------------------------------------------------------------------------

def check_preview():
    with Place() as place:
        write(place, NUMBER, TEXT, ORDER, MATCH, CARD, GIVEN)
        status, output, errors = place.run('preview', 'types')
        same((status, errors), (0, ''), output)
        for part in ('Answer: 0.27 GB, within 5%, to 2 significant figures\nWrong: 27: Per cent.\n',
                     'Answer: tensor parallelism\nAnswer: S\nWrong: pipelines: Those split stages.\n',
                     'In this order:\n   1) first\n   2) second\n   3) third\n',
                     'These belong together:\n   - one: eins\n   - two: zwei\n   - deux: zwei\nBelongs to none: drei\n',
                     'Back: A sum on every device.\n', 'Values: p = 2, m = 8 (1 of 48)\nAnswer: 0.111111, within 1%\n',
                     'Wrong: 0.125 = (p - 1) / m: Over 8. (misconception: ideal)\n'):
            holds(output, part)


# ---- the screens ----------------------------------------------------------------------------------------------------------

def check_screens():
    """What is typed and moved there is stored in the same form; what can't be read is not lost."""
    with Place() as place:
        write(place, NUMBER, TEXT, ORDER, MATCH, CARD, GIVEN)
        there = console.Console(place, 'practise', '--mode', 'all', '--seed', '1', '--learner', 'Ana', 'types')
        there.expect('How large is it?')
        there.type('1,5\r')
        there.expect('the decimal sign here is a point')
        there.type('\x150.27\r')
        there.expect('A quarter and a bit.')
        there.type('\r')
        there.expect('What splits a layer?')
        there.type('tensor paralelism\r')
        there.expect('check the spelling')
        there.type('\r')
        there.expect('Not quite')
        there.type('\r')
        there.expect('In which order?')
        there.type(' j ')  # the first one below the second
        there.type('\r')
        there.expect('As said.')
        there.type('\r')
        there.expect('What belongs together?')
        there.type('123\r')
        there.expect('As said.')
        there.type('\r')
        there.expect('What is an all-reduce?')
        there.type(' ')
        there.expect('A sum on every device.')
        there.type('3\r')
        there.expect('As said.')
        there.type('\r')
        there.expect('What splits a layer?')  # missed, and back after three others
        there.type('S\r')
        there.expect('Tensor.')
        os.kill(there.pid, signal.SIGHUP)
        there.end()
        rows = place.rows('SELECT question_id, response, origin, retried FROM attempt ORDER BY seq')
        same([(row['question_id'], row['response'], row['retried']) for row in rows][:3],
             [('number', '"0.27"', 0), ('text', '"tensor paralelism"', 1), ('order', rows[2]['response'], 0)], rows)
        same([(row['question_id'], row['response']) for row in rows][4:], [('card', '3'), ('text', '"S"')], rows)
        shown = place.rows("SELECT shown, response FROM attempt WHERE question_id = 'order'")[0]
        first, second, third = json.loads(shown['shown'])['items']
        same(json.loads(shown['response']), [second, first, third], 'as it was moved')
        shown = place.rows("SELECT shown, response FROM attempt WHERE question_id = 'match'")[0]
        same(json.loads(shown['response']), json.loads(shown['shown'])['targets'], 'by numbers')


def check_sure_of_what_can_be_read():
    """What can't be read, or may be misspelt, is told before it is asked how sure one is of it; exams likewise."""
    with Place() as place:
        write(place, NUMBER, TEXT)
        there = console.Console(place, 'practise', '--certainty', '--mode', 'all', '--seed', '1', '--learner', 'Ana', 'types')
        there.expect('How large is it?')
        there.type('1,5\r')
        check('How sure' not in there.expect('the decimal sign here is a point'), 'read first')
        there.type('\x150.27\r')
        there.expect('How sure')
        there.type('3\r')
        there.expect('A quarter and a bit.')
        there.type('\r')
        there.expect('What splits a layer?')
        there.type('tensor paralelism\r')
        check('How sure' not in there.expect('check the spelling'), 'spelling first')
        there.type('\r')
        there.expect('How sure')
        there.type('1\r')
        there.expect('Not quite')
        os.kill(there.pid, signal.SIGHUP)
        there.end()
        same([tuple(row.values()) for row in place.rows('SELECT response, certainty, retried FROM attempt ORDER BY seq')],
             [('"0.27"', 3, 0), ('"tensor paralelism"', 1, 1)], 'stored')
        there = console.Console(place, 'practise', '--certainty', '--exam', '--seed', '1', '--learner', 'Bea', 'types')
        there.expect('Enter')
        there.type('\r')
        there.expect('How large is it?')
        there.type('1,5\r')
        check('How sure' not in there.expect('the decimal sign here is a point'), 'in an exam too')
        there.type('\x150.27\r')
        there.expect('How sure')
        there.type('2\r')
        there.expect('What splits a layer?')
        os.kill(there.pid, signal.SIGHUP)
        there.end()
        same(place.rows("SELECT count(*) AS n FROM event WHERE kind = 'answered'")[0]['n'], 1, 'noted')


# ---- two at once ------------------------------------------------------------------------------------------------------------

def check_two():
    """Two processes answer all types on one store, each killed and resumed: every answer once."""
    questions = [NUMBER, TEXT, ORDER, MATCH, CARD, GIVEN]
    wrong = {'number': '5', 'text': 'gradients', 'order': '3 2 1', 'match': '3 3 3', 'recall': '1'}
    with Place() as place:
        write(place, *questions)
        told = {}
        talks = {name: Talk(place, '--mode', 'all', '--learner', name, '--seed', '5', 'types') for name in ('Ana', 'Bea')}
        for turn in range(24):
            for name, talk in list(talks.items()):
                question = talk.until('question')
                talk.say(wrong[question['type']])
                event = talk.until('result')
                told.setdefault(name, []).append(event['attempt'])
                if turn in (7, 15):
                    talk.process.kill()
                    talk.end()
                    talks[name] = Talk(place, '--learner', name, '--resume', 'types')
        for name, talk in talks.items():
            same(talk.end()[0], 0, name)
        rows = place.rows('SELECT attempt_id FROM attempt ORDER BY seq')
        same(sorted(drive.uuid_text(row['attempt_id']) for row in rows), sorted(told['Ana'] + told['Bea']), 'each once')
        same(place.run('store', 'check')[0], 0, 'sound')
        same(place.run('store', 'rebuild')[0], 0, 'rebuilt')


if __name__ == '__main__':
    for one in (check_number, check_text, check_order_and_match, check_card, check_values, check_exam_values,
                check_mark_in_a_name, check_markup, check_preview, check_screens,
                check_sure_of_what_can_be_read, check_two):
        one()
    drive.finish()
