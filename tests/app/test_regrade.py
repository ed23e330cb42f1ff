"""Marking stored answers anew: by a corrected key, for one more answer, and a question that counts no more."""
import csv
import io
import json

import drive
from drive import check, holds, same

HEAD = 'format: quiztutor/1\nid: p\ntitle: T\nquestions:\n'
OLD = HEAD + '''
  - {id: one, prompt: Which one?, choices: [correct: A, B, C], explanation: E}
  - {id: word, prompt: Which word?, text: {accept: tensor, wrong: [{value: scalar}]}, explanation: E}
  - {id: sum, prompt: How much?, number: {answer: 5, unit: kg}, explanation: E}
  - {id: row, prompt: In order., order: [a, b, c], marking: each-decision, explanation: E}
  - {id: pair, prompt: Match., match: {x: 1, y: 2}, explanation: E}
'''
# the key of `one` is B, and it stands elsewhere; C has gone; b and a have changed places; marks have changed
NEW = HEAD + '''
  - {id: pair, prompt: Match., match: {y: 1, x: 2}, explanation: E}
  - {id: one, prompt: Which one?, choices: [correct: B, D, A], explanation: E}
  - {id: word, prompt: Which word?, text: [tensor, Matrix], explanation: E, marks: 2}
  - {id: sum, prompt: How much?, number: {answer: 5, tolerance: 1}, explanation: E}
  - {id: row, prompt: In order., order: [b, a, c], marking: each-decision, explanation: E}
'''
ANSWERS = {'Ana': ['1', 'matrix', '6', None, None], 'Bob': ['2', 'tensor', '5', None, None],
           'Cy': ['3', 'scalar', '9', None, None]}


def practise(place, learner, lines):
    """Answers by the author's order; an order and a match are shown shuffled, and answered by their texts."""
    status, output, errors = place.run('practise', '--jsonl', '--seed', '1', '--learner', learner, './p.yaml',
                                       input='\n'.join(lines) + '\n', cwd=place.root)
    same(status, 0, errors)
    return drive.json_lines(output)


def shown(place):
    events = practise(place, 'nobody', ['1', 'tensor', '5'])
    return {event['question']: event for event in events if event['event'] == 'question'}


def all_answers(place):
    """Each learner's answers; all give the old right order and the old pairs."""
    asked = shown(place)
    row = ' '.join(str(asked['row']['choices'].index(item) + 1) for item in 'abc')
    events = practise(place, 'nobody2', ['1', 'tensor', '5', row])
    pair = next(event for event in events if event['event'] == 'question' and event['question'] == 'pair')
    pairs = ' '.join(str(pair['targets'].index(right) + 1) for right in '12')
    for learner, lines in ANSWERS.items():
        practise(place, learner, lines[:3] + [row, pairs])


def outcomes(place):
    """By learner and question: outcome, mark and marks of the first answer, by the newest grading."""
    status, output, errors = place.run('report', 'attempts', '--pack', 'p', '--to', 'csv')
    same(status, 0, errors)
    found = {}
    for row in csv.DictReader(io.StringIO(output)):
        found.setdefault((row['learner'], row['question']),
                         (row['outcome'], float(row['mark']), float(row['marks']), row['graded']))
    return found


def regrade():
    with drive.Place() as place:
        place.write('p.yaml', OLD)
        all_answers(place)
        before, log = outcomes(place), place.rows('SELECT * FROM attempt ORDER BY seq')
        same(before['Ana', 'one'][:3], ('right', 1.0, 1.0))
        place.write('p.yaml', NEW)

        status, output, errors = place.run('regrade', './p.yaml', cwd=place.root)
        same((status, errors), (0, ''))
        for part in ('Ana', 'one: right, 1 of 1', 'wrong, 0 of 1', 'answered: A', 'Nothing is stored yet'):
            holds(output, part)
        same(outcomes(place), before)

        # --apply wants a reason
        for arguments in (['--apply'], ['--apply', '--reason', ' ']):
            status, _, errors = place.run('regrade', './p.yaml', *arguments, cwd=place.root)
            same(status, 2)
            holds(errors, '--reason')
        same(outcomes(place), before)

        status, output, errors = place.run('regrade', './p.yaml', '--apply', '--reason', 'the key was wrong', cwd=place.root)
        same((status, errors), (0, ''))
        after = outcomes(place)
        same(after['Ana', 'one'], ('wrong', 0.0, 1.0, 'regraded'))
        same(after['Bob', 'one'], ('right', 1.0, 1.0, 'regraded'))
        same(after['Cy', 'one'], before['Cy', 'one'])  # C has gone: it stays as it was
        same(after['Ana', 'word'], ('right', 2.0, 2.0, 'regraded'))
        same(after['Bob', 'word'], ('right', 2.0, 2.0, 'regraded'))
        same(after['Ana', 'sum'], ('right', 1.0, 1.0, 'regraded'))
        same(after['Bob', 'sum'], before['Bob', 'sum'])
        same(after['Cy', 'sum'][0], 'wrong')
        same(after['Ana', 'row'][:2], ('partly', 1 / 3), 'c alone is in its place')
        same(after['Ana', 'pair'][:2], ('wrong', 0.0))

        # nothing was overwritten, and all is on record: who, when and why
        same(place.rows('SELECT * FROM attempt ORDER BY seq'), log)
        events = place.rows("SELECT body FROM event WHERE kind = 'regraded'")
        check(all('the key was wrong' in event['body'] and '"by"' in event['body'] for event in events), events)

        # done is done
        status, output, _ = place.run('regrade', './p.yaml', '--apply', '--reason', 'again', cwd=place.root)
        same(status, 0)
        same(len(place.rows("SELECT 1 FROM event WHERE kind = 'regraded'")), len(events))
        same(place.run('store', 'rebuild')[0], 0)
        same(outcomes(place), after)


def accept_and_void():
    with drive.Place() as place:
        place.write('p.yaml', OLD)
        all_answers(place)
        run = lambda *arguments: place.run('regrade', './p.yaml', *arguments, cwd=place.root)
        for arguments, status, part in ((['--void', 'nothing'], 1, 'no question'), (['--accept', 'one'], 2, 'QUESTION=ANSWER'),
                                        (['--accept', '=x'], 2, 'QUESTION=ANSWER'), (['--accept', 'one=E'], 1, 'one has no choice "E"'),
                                        (['--accept', 'one=B or so'], 1, 'its whole text, or its number'), (['--accept', 'one=9'], 1, 'no choice 9'),
                                        # of two, one was passed over without a word
                                        (['--void', 'one', '--void', 'pair'], 2, 'one question at a time'),
                                        (['--accept', 'one=B', '--accept', 'pair=A'], 2, 'one question at a time'),
                                        (['--accept', 'sum=many'], 1, 'sum'), (['--void', 'one', '--accept', 'one=B'], 2, '--void')):
            got, _, errors = run(*arguments)
            same(got, status, arguments, errors)
            holds(errors, part)
        yes = ['--apply', '--reason', 'it may be said so']
        for accept, learner, question in (('word=Scalar', 'Cy', 'word'), ('one=B', 'Bob', 'one'), ('sum=9 kg', 'Cy', 'sum')):
            same(run('--accept', accept, *yes)[0], 0)
            same(outcomes(place)[learner, question], ('right', 1.0, 1.0, 'accepted'), accept)
        same(outcomes(place)['Ana', 'word'][0], 'wrong')
        # a tutor's word stands when all is marked by the key
        same(run(*yes)[0], 0)
        same(outcomes(place)['Bob', 'one'], ('right', 1.0, 1.0, 'accepted'))
        same(run('--void', 'pair', *yes)[0], 0)
        same({graded for (_, question), (_, _, _, graded) in outcomes(place).items() if question == 'pair'}, {'voided'})
        same(run('--void', 'pair', *yes)[0], 0)
        same(len(place.rows("SELECT 1 FROM event WHERE kind = 'voided'")),
             len(place.rows("SELECT 1 FROM attempt WHERE question_id = 'pair'")), 'each once')
        same(place.run('store', 'rebuild')[0], 0)


def grades(place, book):
    status, output, errors = place.run('report', 'grades', '--for', book, '--to', 'csv')
    same(status, 0, errors)
    rows = list(csv.reader(io.StringIO(output)))
    return {row[2 if book == 'canvas' else 0] or row[0].strip(): row[-1] for row in rows[1:]}


def voided_in_grades():
    """A voided question counts for nobody: neither among the marks nor among the possible ones."""
    with drive.Place() as place:
        place.write('p.yaml', OLD)
        place.write('content/p.yaml', OLD)
        roster = place.write('roster.csv', 'name,external_id\nAna,a\nBob,b\nCy,c\n')
        same(place.run('learner', 'add', '--from', roster)[0], 0)
        practise(place, 'Ana', ['1', 'tensor'])
        practise(place, 'Bob', ['2', 'tensor'])
        same(grades(place, 'canvas'), {'Points Possible': '5', 'a': '2', 'b': '1'})
        status, output, errors = place.run('regrade', 'p', '--void', 'one', cwd=place.root)
        same((status, errors), (0, ''))
        holds(output, 'marks of these: 1 before; they no longer count')
        for part in ('can\'t be taken back', 'answers given until then', 'later ones count'):
            holds(' '.join(output.split()), part)
        check('0 after' not in output, output)
        same(place.run('regrade', 'p', '--void', 'one', '--apply', '--reason', 'bad')[0], 0)
        same(grades(place, 'canvas'), {'Points Possible': '4', 'a': '1', 'b': '1'})
        same({float(value) for value in grades(place, 'moodle').values()}, {25})
        # who answers it later is marked for it, and by it alone
        practise(place, 'Cy', ['1', 'tensor'])
        got = grades(place, 'canvas')
        same((got['Points Possible'], got['c']), ('5', '2'))
        same({name: round(float(got[name]), 2) for name in 'ab'}, {'a': 1.25, 'b': 1.25})


CLAIM = HEAD + '''
  - {id: claim, prompt: Is it so?, true_false: %s, explanation: E, misconception: %s}
  - {id: pick, prompt: Which?, choices: [{%s}, {%s}], explanation: E}
'''


def key_of_the_newest_grading():
    """What reports call right is by the key that the answers were graded by last."""
    with drive.Place() as place:
        place.write('content/p.yaml', CLAIM % ('true', 'thinks-no', 'correct: A', 'wrong: B, misconception: takes-b'))
        run = lambda *lines: place.run('practise', '--jsonl', '--seed', '1', '--learner', 'Ana', 'p', input='\n'.join(lines) + '\n')
        same(run('1', '1')[0], 0)
        read = lambda *what: json.loads(place.run('report', *what, '--to', 'json')[1])
        rights = lambda: {(row['question'], row['choice']) for row in read('items', '--pack', 'p')['choices'] if row['right']}
        before = rights()
        place.write('content/p.yaml', CLAIM % ('false', 'thinks-yes', 'wrong: A, misconception: takes-a', 'correct: B'))
        same(rights(), before, 'they were marked by the old key')
        same(place.run('regrade', 'p', '--apply', '--reason', 'the key was wrong')[0], 0)
        same({choice for _, choice in rights()} - {choice for _, choice in before}, {'False', 'B'})
        same(len(rights()), 2)
        progress = read('progress', '--learner', 'Ana')
        misses = {row['question']: row for row in progress['misses']}
        same((misses['claim']['answered'], misses['claim']['right_answer'], misses['claim']['misconceptions']), ('True', 'False', 'thinks-yes'))
        same((misses['pick']['answered'], misses['pick']['right_answer'], misses['pick']['misconceptions']), ('A', 'B', 'takes-a'))
        same({row['misconception'] for row in read('misconceptions')['misconceptions']}, {'thinks-yes', 'takes-a'})
        for kind, notes in ('progress', progress['notes']), ('class', read('class')['notes']):
            check(any('2 answers were graded anew; their newest grading counts.' in note for note in notes), kind, notes)
        # the schedule goes by what was told, and says so
        status, output, errors = place.run('schedule', 'show', '--learner', 'Ana', 'p', 'claim')
        same(status, 0, errors)
        holds(' '.join(output.split()), '1 right; last')
        holds(' '.join(output.split()), '1 was graded anew since')
        # today's key tells nothing where it was changed once more
        place.write('content/p.yaml', CLAIM % ('true', 'thinks-no', 'correct: A', 'wrong: B, misconception: takes-b'))
        same({row['right_answer'] for row in read('progress', '--learner', 'Ana')['misses']}, {'True', 'A'})


def nothing_there():
    with drive.Place() as place:
        place.write('p.yaml', OLD)
        status, _, errors = place.run('regrade', './p.yaml', cwd=place.root)
        same(status, 1)
        check(not drive.os.path.exists(place.store), 'no store is made')
        same(place.run('regrade', 'none')[0], 1)
        same(place.run('regrade')[0], 2)


regrade()
accept_and_void()
voided_in_grades()
key_of_the_newest_grading()
nothing_there()
drive.finish()
