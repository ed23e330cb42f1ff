"""test_engine.py QUIZTUTOR: certainty, marks, days to come and changed keys as people and scripts meet them."""
import datetime
import itertools
import json

import drive
import oracle
from drive import check, holds, same


def questions(count, **more):
    return [dict({'id': 'q%d' % i, 'prompt': 'P%d?' % i, 'explanation': 'E%d' % i, 'true_false': True}, **more)
            for i in range(count)]


def pack_file(place, name='first', path=None, **more):
    pack = dict({'id': name, 'shuffle': 'none', 'questions': questions(3)}, **more)
    return place.write(path or 'content/%s.yaml' % name, oracle.pack_yaml(pack))


def session(place, *arguments, input='', errors=None):
    status, output, said = place.run('practise', '--jsonl', *arguments, input=input)
    same(status, 0, arguments, said)
    if errors is not None:
        errors.append(said)
    return drive.json_lines(output) if status == 0 else [{}]


def asked(events):
    return [event['question'] for event in events if event['event'] == 'question']


def certainty():
    with drive.Place() as place:
        pack_file(place)
        say = lambda *lines: place.run('practise', '--plain', '--certainty', '--mode', 'all', 'first',
                                       input=''.join(line + '\n' for line in lines))
        status, output, errors = say('t', 'x', '3', 'f', ':undo', 't', '1', 't', '?', '2')
        same(status, 0, 'plain', errors)
        same(output.count('How sure? 1 guess, 2 think so, 3 certain > '), 4, 'asked after each choice', output)
        holds(output, 'Not understood: type 1 for a guess', 'x is no certainty')
        holds(output, 'How sure: certain. Certainty mark 3.', 'told')
        holds(output, 'Certainty marks 6 of 9, for 3 answers.', 'summed beside the marks')
        same(output.splitlines()[-1], '3 of 3 right the first time, 0 partly, 0 skipped. Marks 3 of 3.', 'never mixed')
        check(output.index('How sure?') < output.index('Right.'), 'before the verdict')
        same([row['certainty'] for row in place.rows('SELECT certainty FROM attempt ORDER BY seq')], [3, 1, 2], 'kept')
        # the setting does it too; what ends before it is known is no answer
        place.write('config/quiztutor/config.yaml', 'certainty: true\n')
        events = session(place, '--mode', 'all', 'first', input='f\n')
        same([event['event'] for event in events], ['session', 'question', 'certainty', 'summary'], 'the input ends')
        same(events[-1]['asked'], 0, 'no answer')
        events = session(place, '--mode', 'all', 'first', input='f\n3\n:finish\n')
        result = next(event for event in events if event['event'] == 'result')
        same((result['certainty'], result['certainty_mark'], result['mark']), (3, -6, 0), 'wrong and certain')
        same((events[-1]['sure'], events[-1]['certainty_marks']), (1, -6), 'in the summary')


def aided():
    """Marks and topics of the summary are of first tries: an answer that was helped earns no certainty mark."""
    with drive.Place() as place:
        pack_file(place, questions=questions(1, hints=['Think.'], tags=['alpha']))
        practise = lambda *lines: session(place, '--certainty', '--mode', 'all', '--limit', '1', 'first',
                                          input=''.join(line + '\n' for line in lines))
        for lines, marks, total in ((('f', '3', ':undo', 't', '3'), [-6, None], (0, None)),
                                    ((':hint', 't', '3'), [None], (0, None)),
                                    (('f', '2', 't', '3'), [-2, None], (1, -2)),
                                    ((':skip', 't', '3'), [3], (1, 3)),
                                    (('f', '1', ':hint', 't', '1'), [0, None], (1, 0))):
            events = practise(*lines)
            results = [event for event in events if event['event'] == 'result']
            same([result['certainty_mark'] for result in results], marks, lines)
            check(all(result['certainty'] for result in results), 'the certainty itself is kept', lines)
            same((events[-1]['sure'], events[-1]['certainty_marks']), total, lines, 'in the summary')
        say = lambda *lines: place.run('practise', '--plain', '--certainty', '--mode', 'all', '--limit', '1', 'first',
                                       input=''.join(line + '\n' for line in lines))[1]
        output = say('f', '3', ':undo', 't', '3')
        holds(output, 'How sure: certain. No certainty mark: its answer was seen before.', 'said')
        holds(output, '  alpha: 0 of 1\n', 'the topic counts first tries, as does the last line')
        check('Certainty marks' not in output, 'nothing to sum', output)
        same(output.splitlines()[-1], '0 of 1 right the first time, 0 partly, 0 skipped. Marks 1 of 1.', 'the last line')
        holds(say(':hint', 't', '3'), 'How sure: certain. No certainty mark: a hint was given.', 'said of hints')


def marks():
    with drive.Place() as place:
        pack_file(place)
        status, output, errors = place.run('practise', '--plain', '--mode', 'all', 'first', input=(
            ':star\nf\n:suspend last\nt\n:overview\n:go 2\n:star here\nt\n'))
        same(status, 0, 'plain', errors)
        for part in ('Starred.', 'Suspended: it is not asked again when it is due.', 'Not understood: only in an exam',
                     ':star stands alone on its line, or takes the word last'):
            holds(output, part, 'plain')
        holds(output, '2 of 3 right the first time', 'the suspended one does not come back')
        same(asked(session(place, '--mode', 'starred', 'first', input='*\n')), ['q0'], 'starred, though suspended')
        same(asked(session(place, '--mode', 'starred', 'first')), [], 'the star is off')
        holds(place.run('practise', '--plain', '--mode', 'starred', 'first')[1], 'Nothing is starred here.', 'and said')
        place.age(30)
        same(sorted(set(asked(session(place, 'first', input='t\n')))), ['q1', 'q2'], 'suspended: not due')
        same(session(place, '--mode', 'mistakes', 'first')[0]['questions'], 0, 'nor a mistake')
        same(session(place, '--mode', 'all', 'first', input=':suspend\n')[1]['question'], 'q0', 'but of all')
        same(session(place, '--mode', 'mistakes', 'first')[0]['questions'], 1, 'taken back')


def undone():
    """Undo takes back the schedule exactly, to the bit, and `store rebuild` agrees."""
    with drive.Place() as place:
        pack_file(place)
        session(place, 'first', input='t\nf\nt\nt\n')
        place.age(20)
        keep = lambda: place.rows('SELECT * FROM schedule ORDER BY pack_id, question_id')
        before = keep()
        same(len(before), 3, 'three schedules')
        session(place, '--mode', 'all', 'first', input='f\n:undo\n:finish\n')
        same(keep(), before, 'as it was')
        session(place, '--mode', 'all', 'first', input='t\nt\nf\n:undo\n:undo\n:undo\n:finish\n')
        same(keep(), before, 'repeatedly')
        status, output, errors = place.run('store', 'rebuild')
        same(status, 0, 'rebuild', errors)
        holds(output, 'no difference', 'rebuild')
        same(keep(), before, 'after it')


def order():
    """What was answered the same way is due the longest ago first, topics apart."""
    with drive.Place() as place:
        topics = ['a', 'a', 'a', 'b', 'b', 'c', 'a']
        listed = questions(len(topics))
        for question, topic in zip(listed, topics):
            question['tags'] = [topic, question['id']]
        pack_file(place, questions=listed)
        for i in range(len(topics)):
            session(place, '--tag', 'q%d' % i, 'first', input='t\n')
            place.age(1)
        place.age(60)
        events = session(place, 'first', '--seed', '5', input=':skip\n' * len(topics))
        best = min(plan for plan in itertools.permutations(range(len(topics)))
                   if all(topics[one] != topics[other] for one, other in zip(plan, plan[1:])))
        same(asked(events)[:len(topics)], ['q%d' % i for i in best], 'the order')
        same((events[0]['due'], events[0]['new'], events[0]['waiting']), (7, 0, 0), 'told')


def backlog():
    with drive.Place() as place:
        pack_file(place, questions=questions(260))
        session(place, '--mode', 'all', 'first', input='t\n' * 230)
        place.age(100)
        events = session(place, 'first', input='t\n' * 120)
        same([events[0][key] for key in ('questions', 'due', 'new', 'waiting', 'new_waiting')], [220, 200, 20, 30, 10], 'told')
        same(session(place, 'first')[0]['due'], 80, 'what is left of the day')
        output = place.run('practise', '--plain', 'first')[1]
        holds(output, 'Of 110 due, 80 today; the rest wait for the days after.', 'in words')
        holds(output, '10 more new ones wait for tomorrow; --limit N takes more.', 'in words')
        output = place.run('practise', '--plain', '--limit', '3', 'first')[1]
        holds(output, 'wait for tomorrow.', 'what waits is told')
        same('--limit N' in output, False, 'a limit that was set is not offered')
        same(session(place, '--limit', '105', 'first')[0]['due'], 105, '--limit overrides it')


def until():
    with drive.Place() as place:
        pack_file(place, questions=questions(40))
        day = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=4)).date()
        date = str(day + datetime.timedelta(days=10))
        events = session(place, '--until', date, 'first')
        told = events[0]['until']
        same([told[key] for key in ('day', 'days', 'questions', 'reached', 'new_a_day', 'needed_a_day')],
             [date, 10, 40, 40, 6, 4], 'told')
        check(30 < told['remembered'] <= 40, 'remembered', told)
        same(events[0]['questions'], 6, 'six new ones today')
        output = place.run('practise', '--plain', '--until', date, 'first')[1]
        holds(output, 'Until %s, 10 days: all 40 questions can be met at 6 new a day; about ' % date, 'in words')
        place.write('config/quiztutor/config.yaml', 'new_per_day: 2\n')
        output = place.run('practise', '--plain', '--until', date, 'first')[1]
        holds(output, 'at 2 new a day 20 of 40 can be met; 4 a day would meet all. Raise new_per_day, or take more with --limit N.', 'words')
        same(session(place, '--until', date, 'first', input='t\nt\n')[0]['questions'], 2, 'two')
        same(session(place, '--until', date, 'first')[0]['questions'], 0, 'the day is done')
        same(session(place, '--until', str(day), 'first')[0]['until']['days'], 1, 'the day itself')


def resets():
    with drive.Place() as place:
        listed = questions(3)
        pack_file(place, questions=listed)
        session(place, 'first', input='t\nt\nt\n')
        listed[1]['prompt'] = 'P1, mended?'
        listed[2]['true_false'] = False
        pack_file(place, questions=listed)
        errors = []
        events = session(place, 'first', input='f\n', errors=errors)
        same((asked(events), events[0]['reset'], events[0]['due']), (['q2'], 1, 1), 'it starts anew, and is due')
        holds(errors[0], 'quiztutor: the key of 1 question has changed: its schedule starts anew\n', 'said')
        same(place.rows("SELECT answers, lapses FROM schedule WHERE question_id = 'q2'"), [{'answers': 1, 'lapses': 0}], 'anew')
        events = session(place, '--mode', 'all', 'first', errors=errors)
        same((events[0]['reset'], errors[1]), (0, ''), 'said once')


def all_that_is_due():
    with drive.Place() as place:
        for name in ('one', 'two', 'three'):
            pack_file(place, name)
        session(place, 'one', input='t\n')
        session(place, 'three', input='t\nt\n')
        holds(place.run('practise', '--plain')[1], 'one: ', 'nothing is due yet: the library')
        place.age(30)
        events = session(place)
        same((sorted(events[0]['packs']), events[0]['due']), (['one', 'three'], 3), 'packs with something due')


def forgotten():
    """Eight lapses: help is offered, in plain and as a member."""
    with drive.Place() as place:
        pack_file(place, questions=questions(1))
        session(place, 'first', input='t\n')
        lapses, told = 0, []
        for _ in range(30):
            place.age(300)
            known = place.rows('SELECT phase, lapses FROM schedule')[0]
            wrong = known['phase'] == 2
            lapses += wrong
            if wrong and lapses == 8:
                output = place.run('practise', '--plain', 'first', input='f\n:suspend last\n:finish\n')[1]
                holds(output, 'Forgotten 8 times. :suspend last takes it out of what is due, or read why once more.', 'help')
                holds(output, 'Suspended', 'taken')
                break
            events = session(place, 'first', input='f\n:finish\n' if wrong else 't\n')
            told += [event['lapses'] for event in events if event['event'] == 'result']
        same((lapses, set(told)), (8, {0}), 'not before')
        place.age(300)
        same(session(place, 'first')[0]['questions'], 0, 'it is not asked again')


def main():
    for test in (certainty, aided, marks, undone, order, backlog, until, resets, all_that_is_due, forgotten):
        test()
    drive.finish()


if __name__ == '__main__':
    main()
