"""`mark`: what was written on sheets comes into the store as it was printed, checked, and all of it or nothing.

The answers are worked out from the printed text of a sheet and from the packs below, by hand; what the store holds is
read by SQL.
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import console
import drive
from drive import check, holds, same

PACK = '''format: quiztutor/1
id: p
title: Paper
questions:
- id: one
  prompt: Which one?
  tags: [easy]
  choices: [{correct: alpha}, beta, gamma, delta]
  explanation: E1.
- id: many
  prompt: Which ones?
  choices: [{correct: red}, {correct: blue}, stone, wood]
  marking: each-decision
  marks: 2
  explanation: E2.
- id: truth
  prompt: It is so.
  tags: [easy]
  true_false: false
  explanation: E3.
- id: number
  prompt: How much?
  number: {answer: 0.27, tolerance: 0.01, unit: s}
  explanation: E4.
- id: words
  prompt: What is it called?
  text: {accept: [tensor parallelism]}
  explanation: E5.
- id: order
  prompt: In which order?
  order: [first, second, third]
  explanation: E6.
- id: match
  prompt: Which belongs to which?
  match: {cat: meow, dog: woof}
  extra: [moo]
  explanation: E7.
'''
PROMPTS = {'Which one?': 'one', 'Which ones?': 'many', 'It is so.': 'truth', 'How much?': 'number', 'What is it called?': 'words',
           'In which order?': 'order', 'Which belongs to which?': 'match'}
MARKS = {'many': 2}


class Sheet:
    """A printed sheet, read back from its text."""

    def __init__(self, text):
        self.id = re.search(r'W1-\S+', text)[0]
        questions = text.split('\f')[0]
        self.blocks = {}
        for number, prompt, rest in re.findall(r'^(\d+)\. (.+)\n((?:(?!\d+\. ).*\n?)*)', questions, re.M):
            self.blocks[PROMPTS[prompt]] = (int(number), rest)

    def number(self, question):
        return self.blocks[question][0]

    def letters(self, question, *texts):
        bullets = re.findall('• (.+)', self.blocks[question][1])
        return '%d%s' % (self.number(question), ''.join('abcdefghijklmnopqrstuvwxyz'[bullets.index(text)] for text in texts))

    def items(self, question, *texts):
        items = dict((text, number) for number, text in re.findall(r'(\d)\) (\S+)', self.blocks[question][1]))
        return '%d=%s' % (self.number(question), ','.join(items[text] for text in texts))

    def match(self, **wanted):
        lefts = re.findall('____ ([a-z]+)', self.blocks['match'][1])
        return self.items('match', *(wanted[left] for left in lefts))

    def right(self):
        return {'one': self.letters('one', 'alpha'), 'many': self.letters('many', 'blue', 'red'), 'truth': '%df' % self.number('truth'),
                'number': '%d=0.27' % self.number('number'), 'words': '%d=tensor parallelism' % self.number('words'),
                'order': self.items('order', 'first', 'second', 'third'), 'match': self.match(cat='meow', dog='woof')}


def made(*learners):
    place = drive.Place()
    place.write('content/p.yaml', PACK)
    for name in learners or ('Ana',):
        place.run('learner', 'add', name)
    return place


def printed(place, *arguments, **more):
    status, output, errors = place.run('worksheet', *arguments, **more)
    same(status, 0, 'worksheet', errors)
    return Sheet(output)


def mark(place, sheet, *arguments, learner='Ana', **more):
    return place.run('mark', sheet if isinstance(sheet, str) else sheet.id, '--learner', learner, *arguments, **more)


def attempts(place):
    return place.rows('SELECT attempt.*, session.kind, session.options, session.plan, session.seed AS of, session.origin AS via, name FROM attempt'
                      ' JOIN session USING(session_id) JOIN learner ON learner.learner_id = attempt.learner_id ORDER BY attempt.seq')


def outcomes(place):
    return {row['question_id']: (row['outcome'], row['mark']) for row in attempts(place)}


def counts(place):
    return tuple(place.rows('SELECT (SELECT count(*) FROM session) AS s, (SELECT count(*) FROM attempt) AS a, (SELECT count(*) FROM learner) AS l')[0].values())


def refused(place, words, *arguments, status=1, **more):
    before = counts(place)
    got, _, errors = place.run('mark', *arguments, **more)
    same(got, status, arguments, errors)
    holds(errors, words, arguments)
    same(counts(place), before, 'nothing stored', arguments)
    return errors


def test_all_types():
    """Each type right on several sheets, read from the printed text; and what is stored of it."""
    for seed in 1, 5, 17, 4294967295:
        with made() as place:
            sheet = printed(place, 'p', '--seed', str(seed))
            status, output, errors = mark(place, sheet, '--yes', *sheet.right().values())
            same((status, errors), (0, 'quiztutor: stored\n'), output)
            holds(' '.join(output.split()), 'Ana, %s: 7 of 7 right, 0 partly, 0 wrong, 0 left blank. Marks 8 of 8.' % sheet.id)
            rows = attempts(place)
            same(sorted(row['question_id'] for row in rows), sorted(PROMPTS.values()))
            for number, row in enumerate(rows, 1):
                same((row['outcome'], row['mark'], row['marks'], row['kind'], row['origin'], row['via'], row['name']),
                     ('right', MARKS.get(row['question_id'], 1), MARKS.get(row['question_id'], 1), 'paper', 'paper', 'paper', 'Ana'), row['question_id'])
                same((row['showing'], row['hints'], row['elapsed_ms'], row['certainty'], row['retried'], row['seed'], row['of']), (1, 0, None, None, 0, seed, seed))
                same(sheet.number(row['question_id']), number, 'in the order of the sheet')
            options = json.loads(rows[0]['options'])
            same((options['sheet'], options['packs'], options['mode'], options['limit'], options['tag']), (sheet.id, ['p'], 'paper', None, None))
            same([entry[1] for entry in json.loads(rows[0]['plan'])], [row['question_id'] for row in rows])
            by = {row['question_id']: row for row in rows}
            # by places in the pack, whatever was printed where
            same([json.loads(by[name]['response']) for name in ('one', 'many', 'truth', 'number', 'words', 'order', 'match')],
                 [[1], [1, 2], False, '0.27', 'tensor parallelism', [1, 2, 3], [1, 2]])
            shown = json.loads(by['one']['shown'])['choices']
            same([('alpha', 'beta', 'gamma', 'delta')[place_ - 1] for place_ in shown], re.findall('• (.+)', sheet.blocks['one'][1]), 'as it was printed')
            same(place.rows('SELECT count(*) AS n FROM question_text')[0]['n'], 7, 'texts are kept')
            same(json.loads(place.run('store', 'rebuild', '--json')[1])['different'], 0)


def test_outcomes():
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        answers = [sheet.letters('one', 'beta').upper(), sheet.letters('many', 'red'), '%dTrue' % sheet.number('truth'), '%d= 0.275 s ' % sheet.number('number'),
                   '%d=tensor paralelism' % sheet.number('words'), '%d=' % sheet.number('order'), sheet.match(cat='moo', dog='woof')]
        status, output, errors = mark(place, sheet, *answers)
        same(status, 1, 'not stored without --yes')
        same(errors, 'quiztutor: nothing was stored: --yes stores what is shown\n')
        same(counts(place), (0, 0, 1))
        number, shown = sheet.number('one'), output
        holds(shown, '%d.   Which one?\n     read: beta\n     wrong, 0 of 1\n' % number)
        holds(shown, '%d.   Which ones?\n     read: red\n     partly right, 1.5 of 2\n' % sheet.number('many'))
        holds(shown, '%d.   In which order?\n     left blank, 0 of 1\n' % sheet.number('order'))
        holds(shown, '%d.   What is it called?\n     read: tensor paralelism\n     wrong, 0 of 1\n' % sheet.number('words'))  # no second try on paper
        holds(shown, '%d.   How much?\n     read: 0.275 s\n     right, 1 of 1\n' % sheet.number('number'))
        status, again, errors = mark(place, sheet, '--yes', *answers)
        same((status, again), (0, output))
        same(outcomes(place), {'one': ('wrong', 0), 'many': ('partly', 1.5), 'truth': ('wrong', 0), 'number': ('right', 1), 'words': ('wrong', 0),
                               'order': ('omitted', 0), 'match': ('wrong', 0)})
        same(place.rows("SELECT response FROM attempt WHERE question_id = 'order'")[0]['response'], None)
        # nothing given at all is all blank, and other ways to write the same
    with made() as place:
        sheet = printed(place, 'p', '--seed', '7')
        one = re.findall('• (.+)', sheet.blocks['one'][1]).index('alpha') + 1
        many = re.findall('• (.+)', sheet.blocks['many'][1])
        status, output, errors = mark(place, sheet, '--yes', '%d=%d' % (sheet.number('one'), one), '0%dtrue' % sheet.number('truth'),
                                      '%d=%s' % (sheet.number('many'), ','.join(str(many.index(text) + 1) for text in ('red', 'blue'))),
                                      sheet.items('order', 'first', 'second', 'third').replace(',', ' '))
        same(status, 0, errors)
        same(outcomes(place), {'one': ('right', 1), 'many': ('right', 2), 'truth': ('wrong', 0), 'number': ('omitted', 0), 'words': ('omitted', 0),
                               'order': ('right', 1), 'match': ('omitted', 0)})


def test_refused():
    with made('Ana', 'Bea') as place:
        sheet = printed(place, 'p', '--seed', '5')
        to = sheet.id, '--learner', 'Ana', '--yes'
        refused(place, 'there is no question 8 on %s, which has 7' % sheet.id, *to, '1=', '8a')
        refused(place, 'there is no question 0 on', *to, '0a')
        refused(place, 'there is no question', *to, '99999999999999999999a')
        number = sheet.number('one')
        refused(place, 'question %d is answered twice' % number, *to, '%da' % number, '%d=' % number)
        refused(place, 'question %d is answered twice' % number, *to, '%d=' % number, '%da' % number)
        refused(place, 'question %d: there is no choice e; type a letter from a to d, or a number' % number, *to, '%de' % number)
        refused(place, 'question %d: there is no choice 5' % number, *to, '%d=5' % number)
        refused(place, 'question %d: this question takes one choice' % number, *to, '%dab' % number)
        refused(place, 'question %d: ' % sheet.number('many'), *to, '%daa' % sheet.number('many'))
        refused(place, 'question %d: type true or false' % sheet.number('truth'), *to, '%dx' % sheet.number('truth'))
        refused(place, 'question %d: that is not a number' % sheet.number('number'), *to, '%d=much' % sheet.number('number'))
        refused(place, 'question %d: what was written comes after =, as in' % sheet.number('words'), *to, '%dab' % sheet.number('words'))
        refused(place, 'question %d: item 1 is named twice' % sheet.number('order'), *to, '%d=1,1,2' % sheet.number('order'))
        refused(place, 'question %d: the items are numbered from 1 to 3' % sheet.number('order'), *to, '%d=1,2,4' % sheet.number('order'))
        refused(place, 'question %d: type a number for each of the 2' % sheet.number('match'), *to, '%d=1' % sheet.number('match'))
        refused(place, 'question %d: ' % sheet.number('words'), *to, b'%d=\xff' % sheet.number('words'))
        for word in '1a,2b', 'a', '1', '=', '1-a', '1ä', '', '%da b' % number:
            refused(place, 'is no answer; write as in', *to, word)
        refused(place, 'no learner "Anna" in the store; did you mean "Ana"?', sheet.id, '--learner', 'Anna', '--yes', '1=')
        refused(place, 'no learner "Zacharias" in the store; quiztutor learner add takes them in', sheet.id, '--learner', 'Zacharias', '--yes', '1=')
        refused(place, 'mark needs --learner NAME', sheet.id, '--yes', '1=', status=2)
        refused(place, 'mark takes the ID', status=2)
        refused(place, '--batch takes IDs', sheet.id, '--batch', 'x', status=2)
        refused(place, 'is no ID of a sheet', 'nonsense', '--learner', 'Ana', '1=')
        # every single wrong character is found, and any case and look-alike is read
        letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
        for at in range(3, len(sheet.id)):
            if sheet.id[at] not in '-s':
                wrong = letters[(letters.index(sheet.id[at]) + 1) % (10 if at > 18 else 32)]
                refused(place, 'is mistyped', sheet.id[:at] + wrong + sheet.id[at + 1:], '--learner', 'Ana', '--yes', '1=')
        status, _, errors = mark(place, sheet.id.lower().replace('0', 'o').replace('1', 'l', 1), '--yes', '1=')
        same((status, counts(place)), (0, (1, 7, 2)), errors)
        # a full disk stands in tests/faults


def test_twice_and_whose():
    with made('Ana', 'Bea', 'Cid') as place:
        sheet = printed(place, 'p', '--seed', '5')
        same(mark(place, sheet, '--yes', *sheet.right().values())[0], 0)
        refused(place, '%s was marked for Ana already (today). Nothing was stored: on a terminal, without --yes, it is asked' % sheet.id, sheet.id, '--learner', 'Ana', '--yes', '1=')
        refused(place, 'was marked for Ana already', sheet.id, '--learner', 'ana', '1=')
        same(mark(place, sheet, '--yes', '1=', learner='Bea')[0], 0, 'others may have the same sheet')
        other = printed(place, 'p', '--seed', '6')
        same(mark(place, other, '--yes', '1=')[0], 0, 'another sheet of the same pack')
        same(counts(place), (3, 21, 3))
        # named sheets
        for name in 'Ana', 'Bea':
            same(place.run('learner', 'add', name, '--group', 'g')[0], 0)
        status, output, errors = place.run('worksheet', 'p', '--group', 'g', '--seed', '100')
        same(status, 0, errors)
        named = {name: text for text, name in re.findall(r'(W1-\S+)', output) and
                 [(Sheet(part).id, name) for part in output.split('\f') for name in re.findall(r'^Name (\w+)', part, re.M)]}
        same(sorted(named), ['Ana', 'Bea'], output)
        refused(place, '%s was printed for Ana, not for Cid. Nothing was stored' % named['Ana'], named['Ana'], '--learner', 'Cid', '--yes', '1=')
        refused(place, 'was printed for Bea, not for Ana', named['Bea'], '--learner', 'Ana', '1=')
        same(mark(place, named['Ana'], '--yes', '1=')[0], 0)
        # the same seed for everybody: then it is anybody's
        same(place.run('worksheet', 'p', '--seed', named['Bea'].rsplit('s', 1)[1])[0], 0)
        same(mark(place, named['Bea'], '--yes', '1=', learner='Cid')[0], 0)
        # whose name is on it is kept as an id alone
        same(place.rows("SELECT count(*) AS n FROM sheet JOIN learner USING(learner_id) WHERE id = ? AND name = 'Bea'", named['Bea'])[0]['n'], 1)
        for row in place.rows('SELECT * FROM sheet'):
            check(not any(isinstance(value, str) and ('Ana' in value or 'Bea' in value) for value in row.values()), row)


def test_at_once():
    """Two tutors type in the same sheets at the same moment: each is stored once, and the slower one is told."""
    names = ['L%d' % i for i in range(8)]
    with made(*names) as place:
        sheet = printed(place, 'p', '--seed', '5')
        answers = ' '.join(answer for name, answer in sheet.right().items() if name in ('one', 'many', 'truth'))
        for name in names:  # that all are in one argument is no matter
            both = [subprocess.Popen([drive.PROGRAM, 'mark', sheet.id, '--learner', name, '--yes', answers], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, env=place.environment) for _ in range(2)]
            said = sorted((process.communicate(timeout=60)[1].decode() for process in both), key=len)
            same(sorted(process.returncode for process in both), [0, 1], said)
            same(said[0], 'quiztutor: stored\n')
            check('%s was marked for %s ' % (sheet.id, name) in said[1] and 'Nothing was stored' in said[1], said)
        same(counts(place), (8, 56, 8))
        same([row['n'] for row in place.rows("SELECT count(*) AS n FROM attempt WHERE outcome = 'right'")], [24])


def test_as_it_was_printed():
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        tagged = printed(place, 'p', '--seed', '9', '--tag', 'easy')
        short = printed(place, 'p', '--seed', '9', '--limit', '3')
        same((sorted(tagged.blocks), len(short.blocks)), (['one', 'truth'], 3))
        check(short.id.endswith('-n3'), short.id)
        # the key is another one now, choices are called otherwise, and a question is gone
        changed = PACK.replace('{correct: alpha}, beta', 'alpha, {correct: beta}').replace('gamma', 'omega')
        changed = re.sub(r'- id: words\n(?:  .*\n)*', '', changed)
        same(mark(place, sheet, '1=')[2].count('changed'), 0, 'nothing is told of a pack as it was')
        place.write('content/p.yaml', changed)
        status, _, errors = mark(place, sheet, '--yes', *sheet.right().values())
        same(status, 0)
        same(errors, 'quiztutor: Paper has changed since this sheet was printed, which is marked as it was printed;'
             " quiztutor regrade p marks by today's key\nquiztutor: stored\n")
        same({outcome for outcome, _ in outcomes(place).values()}, {'right'}, 'as it was printed')
        same(len(outcomes(place)), 7)
        body = json.loads(place.rows("SELECT body FROM question_text WHERE question_id = 'one'")[0]['body'])
        holds(json.dumps(body), 'gamma')
        same(mark(place, tagged, '--yes', tagged.letters('one', 'alpha'))[0], 0)
        same(len(attempts(place)), 9)
        same(mark(place, short, '--yes', '1=')[0], 0)
        same(len(attempts(place)), 12)
        # printing it again and again keeps the file once
        for _ in range(3):
            place.run('worksheet', 'p', '--seed', '5')
        same(place.rows('SELECT count(*) AS n FROM sheet_content')[0]['n'], 2)
        same(json.loads(place.run('store', 'info', '--json')[1])['sheets'], 4)
        holds(place.run('store', 'info')[1], 'Sheets')
        # of a class it is told once
        for name in 'Bea', 'Cid':
            place.run('learner', 'add', name)
        table = place.write('two.csv', 'id,learner,answers\n%s,Bea,1=\n%s,Cid,1=\n' % (sheet.id, sheet.id))
        same(place.run('mark', '--batch', table)[2].count('regrade p marks'), 1)
        # without any record: the library, by content; another seed and a tag too
        elsewhere = place.path('elsewhere.db')
        place.run('learner', 'add', 'Ana', '--store', elsewhere)
        status, _, errors = mark(place, sheet, '--yes', '1=', '--store', elsewhere)
        same(status, 1)
        holds(errors, '%s is not on record in this store, and no pack of the library has what is printed on it' % sheet.id)
        place.write('content/p.yaml', PACK.replace('title: Paper', 'title: Paper\nauthors: [me]'))  # which changes nothing on paper
        for made_ in sheet, tagged, short:
            same(mark(place, made_, '--yes', made_.letters('one', 'alpha') if 'one' in made_.blocks else '1=', '--store', elsewhere)[0], 0, made_.id)
        same(len(place.rows('SELECT 1 FROM attempt', store=elsewhere)), 12)
        same(place.rows('SELECT count(*) AS n FROM sheet', store=elsewhere)[0]['n'], 0)
        # a record of another seed has the content, too
        with made() as other:
            printed(other, 'p', '--seed', '1')
            other.write('content/p.yaml', changed)
            same(mark(other, sheet, '--yes', *sheet.right().values())[0], 0)
            same({outcome for outcome, _ in outcomes(other).values()}, {'right'})


def test_one_by_one():
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        right = {sheet.number(name): re.sub(r'^\d+=?', '', text) for name, text in sheet.right().items()}
        lines = [right[number] for number in range(1, 8)]
        # everything in its order, a slip mended, an unreadable one, commands
        typed = [lines[0], '???' if sheet.number('words') == 2 else '0', ':undo', lines[0], ':overview', ':help', ':hint', ':go 9', ':undo nothing'] + lines[1:]
        status, output, errors = mark(place, sheet, '--yes', input='\n'.join(typed) + '\n')
        same((status, errors), (0, 'quiztutor: stored\n'), output)
        holds(output, 'that is not for paper')
        holds(output, 'type :go and the number of a question on the sheet')
        same({outcome for outcome, _ in outcomes(place).values()}, {'right'})
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        # a choice is mended by going back to it: what counts is what was typed last
        number = sheet.number('one')
        skip = [''] * (number - 1)
        status, output, errors = mark(place, sheet, '--yes', input='\n'.join(skip + ['a', ':undo', sheet.letters('one', 'alpha')[1:], ':finish']) + '\n')
        same(status, 0, errors)
        same(outcomes(place)['one'], ('right', 1))
        same(sorted(outcome for outcome, _ in outcomes(place).values()), ['omitted'] * 6 + ['right'])
        holds(output, 'Noted so far: 1\n')  # where it was gone back to
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        for text in '', 'a', '\n\n\n':
            status, output, errors = mark(place, sheet, '--yes', input=text)
            same((status, counts(place)), (1, (0, 0, 1)))
            holds(errors, 'the input ended at question')
        status, output, errors = mark(place, sheet, input=':finish\n')
        same((status, counts(place)), (1, (0, 0, 1)))
        holds(errors, 'nothing was stored: --yes stores what is shown')
        same(mark(place, sheet, '--yes', input='q\n')[0] if sheet.number('words') != 1 else 0, 0)


def test_terminal():
    with made('Ana', 'Bea') as place:
        sheet = printed(place, 'p', '--seed', '5')
        right = list(sheet.right().values())

        def talk(*arguments, learner='Ana'):
            return console.Console(place, 'mark', sheet.id, '--learner', learner, *arguments, rows=60)
        for answer in 'n\r', '\r':
            term = talk(*right)
            term.expect('Store this for Ana? [y/N]')
            term.type(answer)
            same(term.end()[0], 1)
            same(counts(place), (0, 0, 2))
        term = talk(*right)
        term.expect('Store this for Ana? [y/N]')
        same(counts(place), (0, 0, 2))
        term.type('y\r')
        same(term.end()[0], 0)
        same(counts(place), (1, 7, 2))
        # again: asked first
        term = talk(*right)
        term.expect('was marked for Ana already (today). Mark it all the same? [y/N]')
        term.type('n\r')
        same((term.end()[0], counts(place)), (1, (1, 7, 2)))
        term = talk(*right)
        term.expect('Mark it all the same? [y/N]')
        term.type('y\r')
        term.expect('Store this for Ana? [y/N]')
        term.type('y\r')
        same((term.end()[0], counts(place)), (0, (2, 14, 2)))
        # one by one, with a slip that is mended at the end
        term = talk(learner='Bea')
        term.expect('Question 1 of 7')
        for _ in range(7):
            term.expect('\n> ')
            term.type('\r')
        term.expect('Enter to store this for Bea, the number of a question to mend it, n to store nothing > ')
        term.type('99\r')
        check('Which' not in term.expect('the questions are numbered from 1 to 7'), 'not the whole list once more')
        check('Which' not in term.expect('to store nothing > '), 'not the whole list once more')
        term.type('%d\r' % sheet.number('one'))
        term.expect('Which one?')
        term.expect('\n> ')
        term.type(sheet.letters('one', 'alpha')[1:] + '\r')
        term.expect('1 of 7 right')
        term.expect('to store nothing > ')
        same(counts(place), (2, 14, 2))
        term.type('yes\r')  # which is asked once
        same((term.end()[0], counts(place)), (0, (3, 21, 2)))
        same([row['outcome'] for row in attempts(place) if row['name'] == 'Bea' and row['question_id'] == 'one'], ['right'])
        # and Enter does the same
        sheet = printed(place, 'p', '--seed', '7')
        term = talk(learner='Bea')
        term.expect('Question 1 of 7')
        term.type(':finish\r')
        term.expect('to store nothing > ')
        term.type('\r')
        same((term.end()[0], counts(place)), (0, (4, 28, 2)))
        # nothing at all
        sheet = printed(place, 'p', '--seed', '6')
        term = talk(learner='Bea')
        term.expect('Question 1 of 7')
        term.type(':finish\r')
        term.expect('to store nothing > ')
        term.type('n\r')
        same((term.end()[0], counts(place)), (1, (4, 28, 2)))


def test_json():
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        right = {sheet.number(name): re.sub(r'^\d+=?', '', text) for name, text in sheet.right().items()}
        lines = [right[number] for number in range(1, 8)]
        status, output, errors = mark(place, sheet, '--jsonl', input='\n'.join(lines) + '\n')
        same((status, counts(place)), (1, (0, 0, 1)), errors)
        same([event['event'] for event in drive.json_lines(output)][-1], 'not-stored')
        status, output, errors = mark(place, sheet, '--jsonl', '--yes', input='\n'.join([lines[0], ':bad', *lines[1:]]) + '\n')
        same((status, errors), (0, ''))
        events = drive.json_lines(output)
        same([event['event'] for event in events],
             ['session', 'question', 'noted', 'question', 'unreadable', *['noted', 'question'] * 5, 'noted', *['result'] * 7, 'summary'])
        session = place.rows('SELECT session_id FROM session')[0]['session_id']
        same({name: events[0][name] for name in ('session', 'learner', 'seed', 'mode', 'packs', 'questions', 'resumed')},
             {'session': drive.uuid_text(session), 'learner': 'Ana', 'seed': 5, 'mode': 'paper', 'packs': ['p'], 'questions': 7, 'resumed': False})
        results = [event for event in events if event['event'] == 'result']
        rows = attempts(place)
        same([(event['attempt'], event['question'], event['outcome'], event['mark'], event['number']) for event in results],
             [(drive.uuid_text(row['attempt_id']), row['question_id'], row['outcome'], row['mark'], i) for i, row in enumerate(rows, 1)])
        same([event['answer'] for event in results if event['question'] in ('number', 'match')], [['0.27'], [{'cat': 'meow', 'dog': 'woof'}[left] for left in
                                                                                                          re.findall('____ ([a-z]+)', sheet.blocks['match'][1])]])
        summary = events[-1]
        same((summary['asked'], summary['right'], summary['partly'], summary['wrong'], summary['skipped'], summary['mark'], summary['marks'], summary['finished']),
             (7, 7, 0, 0, 0, 8, 8, True))
        other = printed(place, 'p', '--seed', '6')
        status, output, errors = mark(place, other, '--jsonl', '--yes', '1=')
        same([event['event'] for event in drive.json_lines(output)], ['session', *['result'] * 7, 'summary'])
        same(drive.json_lines(output)[-1]['skipped'], 7)


def test_batch():
    with made('Ana', 'Bea', 'Cid') as place:
        sheet, other = printed(place, 'p', '--seed', '5'), printed(place, 'p', '--seed', '6')

        def line(made_, name, **changed):
            answers = {**made_.right(), **changed}
            answers['words'] = answers['words'].replace('=', "='") + "'"
            return '%s,%s,"%s"\n' % (made_.id, name, ' '.join(answers.values()))

        def batch(text, *more):
            return place.run('mark', '--batch', place.write('class.csv', text), *more)
        head = 'id,learner,answers\n'
        good = head + line(sheet, 'Ana') + '\n' + line(sheet, 'Bea', one=sheet.letters('one', 'beta')) + '%s,Cid,\n' % other.id
        status, output, errors = batch(good)
        same((status, counts(place)), (1, (0, 0, 3)), output)
        same(errors, 'quiztutor: nothing was stored: --yes stores what is shown\n')
        same(output, 'Ana, %s: 7 of 7 right, 0 partly, 0 wrong, 0 left blank. Marks 8 of 8.\n'
                     'Bea, %s: 6 of 7 right, 0 partly, 1 wrong, 0 left blank. Marks 7 of 8.\n'
                     'Cid, %s: 0 of 7 right, 0 partly, 0 wrong, 7 left blank. Marks 0 of 8.\n' % (sheet.id, sheet.id, other.id))
        # every fault is told with its line, and then nothing is stored
        bad = (head + line(sheet, 'Ana') + '%s,Ben,1=\n%s,Bea,1= 9a\n' % (sheet.id, sheet.id) + line(sheet, 'Ana') + '%s,Bea,2=1,2,3\n' % sheet.id +
               'W1-Q9W1DFWF077YMJ-s18,Bea,1=\n' + '%s,Bea,%s=\'x\n' % (sheet.id, sheet.number('words')) + '%s,,1=\n' % sheet.id)
        status, output, errors = batch(bad, '--yes')
        same((status, counts(place), output), (1, (0, 0, 3), ''))
        path = place.path('class.csv')
        told = errors.splitlines()
        expected = ['3: no learner "Ben" in the store; did you mean "Bea"?', '4: there is no question 9', '5: line 2 has the same sheet of the same learner', '6: there are 5 cells, not 3',
                    '7: the ID W1-Q9W1DFWF077YMJ-s18 is mistyped', '8: the quotation mark that begins', '9: there is no learner in this line']
        same(len(told), len(expected) + 1, errors)
        for got, want in zip(told, expected):
            check(got.startswith('%s:%s' % (path, want)), got, want)
        same(told[-1], 'quiztutor: nothing was stored: 7 lines of %s are refused' % path)
        for text, words in (('', 'the first line names the columns'), ('id,learner\n', 'the first line names the columns'), (head, 'has no sheets in it'),
                            (b'id,learner,answers\n\xff,x,\n', ''), ('learner,id,answers,more\n', 'the first line names')):
            status, output, errors = batch(text, '--yes')
            same((status, counts(place)), (1, (0, 0, 3)), text)
            holds(errors, words)
        # columns in another order, another separator, a byte order mark
        status, output, errors = batch(good, '--yes')
        same((status, errors, counts(place)), (0, 'quiztutor: stored\n', (3, 21, 3)))
        same(len({row['session_id'] for row in place.rows('SELECT session_id FROM attempt')}), 3)
        status, output, errors = batch(good, '--yes')
        same((status, counts(place)), (1, (3, 21, 3)), 'once is enough')
        same(errors.count('already'), 3, errors)
        third = printed(place, 'p', '--seed', '8')
        text = '\ufeffanswers;learner;id\n%s;Ana;%s\n' % (third.right()['order'], third.id)
        status, output, errors = batch(text, '--yes')
        same((status, counts(place)), (0, (4, 28, 3)), errors)
        same(place.run('store', 'check')[0], 0)
        same(json.loads(place.run('store', 'rebuild', '--json')[1])['different'], 0)


def test_reports():
    with made('Ana', 'Bea') as place:
        sheet = printed(place, 'p', '--seed', '5')
        same(mark(place, sheet, '--yes', *sheet.right().values())[0], 0)
        same(place.run('practise', '--jsonl', '--learner', 'Bea', '--seed', '1', '--mode', 'all', 'p', input='a\n:finish\n')[0], 0)
        for kind, expected in ('paper', 7), ('practice', 1):
            status, output, errors = place.run('report', 'attempts', '--session', kind, '--to', 'csv')
            same((status, len(output.splitlines()) - 1), (0, expected), errors)
        holds(place.run('report', 'class', '--to', 'text')[1], 'Ana')
        status, output, errors = place.run('report', 'items', '--pack', 'p', '--session', 'paper', '--to', 'csv')
        same(status, 0, errors)
        same(place.rows("SELECT count(*) AS n FROM schedule JOIN learner USING(learner_id) WHERE name = 'Ana' AND counted = 1")[0]['n'], 7)
        # what was marked is neither an unfinished practice nor an exam that is open
        same(place.run('practise', '--jsonl', '--resume', '--learner', 'Ana', 'p')[0], 0)
        status, output, errors = place.run('practise', '--jsonl', '--resume', '--learner', 'Ana', 'p')
        check(all(not event['resumed'] for event in drive.json_lines(output) if event['event'] == 'session'), output)
        # it goes with a submitted file, and another store takes it
        status, output, errors = place.run('submit', '--learner', 'Ana', '-o', place.path('ana.qts'))
        same(status, 0, errors)
        elsewhere = place.path('elsewhere.db')
        same(place.run('store', 'merge', place.path('ana.qts'), '--store', elsewhere)[0], 0)
        same(place.rows("SELECT count(*) AS n FROM attempt JOIN session USING(session_id) WHERE kind = 'paper'", store=elsewhere)[0]['n'], 7)
        same(place.rows('SELECT count(*) AS n FROM sheet', store=elsewhere)[0]['n'], 0)
        status, _, errors = mark(place, sheet, '--yes', '1=', '--store', elsewhere)
        same(status, 1, 'it was marked already, elsewhere')
        holds(errors, 'already')
        # the whole store takes the record along
        same(place.run('store', 'merge', place.store, '--store', elsewhere)[0], 0)
        same(place.rows('SELECT count(*) AS n FROM sheet', store=elsewhere)[0]['n'], 1)
        same(place.run('learner', 'erase', 'Ana', '--yes')[0], 0)
        same(place.rows("SELECT count(*) AS n FROM session WHERE kind = 'paper'")[0]['n'], 0)


def killed():
    """SIGKILL at any moment: all of the sheets, or none; and told is stored."""
    r = random.Random(3)
    with made(*('L%d' % i for i in range(6))) as place:
        sheet = printed(place, 'p', '--seed', '5')
        table = place.write('class.csv', 'id,learner,answers\n' + ''.join('%s,L%d,"%s"\n' % (sheet.id, i, sheet.right()['one']) for i in range(6)))
        os.mkdir(place.path('start'))
        names = [name for name in os.listdir(place.root) if name.startswith('store.db')]
        for name in names:
            shutil.copy(place.path(name), place.path('start', name))
        start = time.monotonic()
        same(place.run('mark', '--batch', table, '--yes')[0], 0)
        took, seen = time.monotonic() - start, set()
        rounds = drive.slice_of(60)
        for k in range(rounds):
            for name in os.listdir(place.root):
                if name.startswith('store.db'):
                    os.unlink(place.path(name))
            for name in names:
                shutil.copy(place.path('start', name), place.path(name))
            process = subprocess.Popen([drive.PROGRAM, 'mark', '--batch', table, '--yes'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, env=place.environment)
            end = time.monotonic() + r.random() * 1.3 * took
            while process.poll() is None and (time.monotonic() < end or k == rounds - 1):
                pass  # a wait of less than a millisecond is what this is about; the last one comes to its end
            process.kill()
            errors = process.communicate()[1]
            now = counts(place)
            check(now in ((0, 0, 6), (6, 42, 6)), 'half of it', now)
            check(b'stored' not in errors or now[0] == 6, 'told, but not stored')
            seen.add(now[0])
            same(place.run('store', 'check')[0], 0)
        check(6 in seen, 'the last one stored nothing')
        print('killed before: %s, after: %s' % (0 in seen, 6 in seen))


def full():
    """A full disk: it is told, nothing is stored. Needs to be root, for a file system of its own."""
    if os.geteuid() != 0:
        print('left out: a full disk needs root')
        return
    with made() as place:
        sheet = printed(place, 'p', '--seed', '5')
        disk, before = place.path('disk'), place.path('before')
        os.mkdir(disk)
        os.mkdir(before)
        for name in os.listdir(place.root):
            if name.startswith('store.db'):
                shutil.copy(place.path(name), before)
        script = ('mount -t tmpfs -o size=4m none "$1" || exit 77; cp "$2"/store.db* "$1"/; cat /dev/zero > "$1/filler" 2>/dev/null;'
                  ' "$3" mark "$4" --learner Ana --yes 1= --store "$1/store.db"; s=$?; rm "$1/filler";'
                  ' "$3" mark "$4" --learner Ana --yes 1= --store "$1/store.db" || exit 78; exit $s')
        done = subprocess.run(['unshare', '-m', 'sh', '-c', script, 'sh', disk, before, drive.PROGRAM, sheet.id], env=place.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        errors = done.stderr.decode()
        if done.returncode == 77 or 'unshare' in errors:
            print('left out: no file system of its own can be had here')
            return
        same(done.returncode, 1, errors)
        holds(errors, 'the disk is full')
        same(errors.count('stored'), 1, 'only once there was room', errors)


for test in (test_all_types, test_outcomes, test_refused, test_twice_and_whose, test_at_once, test_as_it_was_printed, test_one_by_one, test_terminal, test_json, test_batch,
             test_reports, killed, full):
    began = time.monotonic()
    test()
    print('%s: %.1f s' % (test.__name__, time.monotonic() - began))
drive.finish()
