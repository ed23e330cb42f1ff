"""import and export as tutors use them: reports, statuses, files that are there, the second program."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import drive
import oracle
from drive import check, holds, same

GIFT = '''// for the tests
$CATEGORY: $course$/top/Week 1
::Grant:: Who's buried in Grant's tomb?{
~Grant#no, he = elsewhere
// a comment inside
=no one
####Tombs are above ground.}

When?{#1822:5####Then.}

Share?{#1,5}

Write. {}

The set {1,2} has how many? {=2 ~3}
'''


def fails(place, status, part, *arguments, **more):
    """Ends with this status, and says so in one line at the end of standard error."""
    got, output, errors = place.run(*arguments, **more)
    same(got, status, arguments, errors)
    lines = errors.splitlines()
    check(lines and lines[-1].startswith('quiztutor: '), arguments, 'the message begins with its name', errors)
    for text in part if isinstance(part, tuple) else (part,):
        holds(errors, text, arguments)
    check('!' not in errors, arguments, 'no exclamation mark', errors)
    return output, errors


def reports():
    with drive.Place() as place:
        gift = place.write('quiz.gift', GIFT)
        status, output, errors = place.run('import', gift, '-o', place.path('out'))
        same((status, errors), (0, ''), 'import')
        same(output.splitlines(), [
            f'{gift}:3: taken, with a change: Grant: the = in a feedback stays part of it; write \\= there',
            f'{gift}:9: taken: When?',
            f'{gift}:11: left out: Share?: column 9: "1,5" is no number; the decimal sign is a point, as in 1.5',
            f'{gift}:13: left out: Write.: an essay: nobody here can mark it',
            f'{gift}:15: left out: The set: column 9: another brace follows at 15:29; write \\{{ and \\}} for braces in '
            'a text, and a blank line between two questions',
            f'{gift}: GIFT, 2 taken, 1 of them with a change; 3 left out → {place.path("out")}/quiz.yaml'], 'the report')
        status, output, errors = place.run('check', place.path('out/quiz.yaml'))
        same((status, errors), (0, ''), 'what was written loads', output)

        # once more is the same; what somebody wrote is never lost
        same(place.run('import', gift, '-o', place.path('out'))[0], 0, 'the same again')
        mine = open(place.path('out/quiz.yaml')).read() + '# mine\n'
        place.write('out/quiz.yaml', mine)
        fails(place, 1, ('out/quiz.yaml', 'was left as it is'), 'import', gift, '-o', place.path('out'))
        same(open(place.path('out/quiz.yaml')).read(), mine, 'the file is as it was')
        same(os.listdir(place.path('out')), ['quiz.yaml'], 'nothing else lies there')

        # a prompt is named without the marks of light markup
        output = place.run('import', place.write('light.md', '### Is *water* wet?\n\nAnswer: true\n\nWhy: So.\n'), '-o',
                           place.path('light'))[1]
        holds(output, 'taken: Is water wet?\n', 'a name without its marks')

        # two files of one name
        os.makedirs(place.path('b'))
        other = place.write('b/quiz.gift', 'Other?{T}\n')
        fails(place, 1, 'quiz.yaml', 'import', gift, other, '-o', place.path('both'))


def refusals():
    with drive.Place() as place:
        gift = place.write('quiz.gift', GIFT)
        with open(place.path('win.gift'), 'wb') as file:
            file.write(b'Caf\xe9? {T}\n')
        fails(place, 2, '-o DIR', 'import', gift)
        fails(place, 2, 'FILE', 'import', '-o', 'x')
        fails(place, 2, ('--from', 'gift'), 'import', '--from', 'gfit', gift, '-o', 'x')
        fails(place, 2, ('--from', 'aiken'), 'import', '--from', 'nothing', gift, '-o', 'x')
        fails(place, 2, '--to', 'export', gift)
        fails(place, 2, ('--to', 'gift'), 'export', '--to', 'gfit', gift)
        fails(place, 2, '--to', 'export', '--to', 'aiken', gift)
        fails(place, 1, 'nowhere.gift', 'import', place.path('nowhere.gift'), '-o', place.path('o'))
        fails(place, 1, 'is a folder', 'import', place.root, '-o', place.path('o'))
        fails(place, 1, ('win.gift', 'byte 3 (0xE9, in line 1)', 'iconv'), 'import', place.path('win.gift'), '-o', place.path('o'))
        fails(place, 1, '--from', 'import', place.write('prose.txt', 'Only words.\n'), '-o', place.path('o'))
        for name, text in ('own.yaml', '# mine\n---\nformat: quiztutor/1\nid: own\n'), ('own.json', '{\n  "format": "quiztutor/1"}\n'):
            fails(place, 1, (name, 'is a pack already: practise it, or add it'), 'import', place.write(name, text), '-o',
                  place.path('o'))
        output, _ = fails(place, 1, 'nothing in it could be taken', 'import', place.write('none.gift', 'Write. {}\n'), '-o', place.path('o'))
        holds(output, 'left out: Write.', 'the report of what could not be taken')
        check(not os.path.exists(place.path('o')), 'no folder for nothing')
        # one bad file among good ones
        fails(place, 1, 'nowhere.gift', 'import', place.path('nowhere.gift'), gift, '-o', place.path('o'))
        check(os.path.exists(place.path('o/quiz.yaml')), 'the good one is there')
        fails(place, 1, 'can\'t be made', 'import', gift, '-o', place.path('quiz.gift'))
        pack = place.write('bad.yaml', 'format: quiztutor/1\nid: x\n')
        fails(place, 1, 'the pack has errors', 'export', pack, '--to', 'json')
        fails(place, 1, 'no/where', 'export', oracle_pack(place), '--to', 'json', '-o', place.path('no/where.json'))
        if os.path.exists('/dev/full'):
            fails(place, 1, '/dev/full', 'export', oracle_pack(place), '--to', 'json', '-o', '/dev/full')
        # names that would drive a terminal
        evil = place.write('evil\x1b[31m.gift', '::a\x1b[2J::b{T}\n')
        status, output, errors = place.run('import', evil, '-o', place.path('e'))
        same(status, 0, 'an odd name', errors)
        check(drive.tame(output), 'nothing that drives a terminal', repr(output))


def oracle_pack(place):
    questions = [{'id': 'q1', 'prompt': 'P?', 'explanation': 'E.', 'true_false': True, 'hints': ['H']},
                 {'id': 'q2', 'prompt': 'Q?', 'explanation': 'E.', 'choices': [{'text': 'a', 'right': False}, {'text': 'b', 'right': True}]}]
    return place.write('pack.yaml', oracle.pack_yaml({'id': 'p', 'questions': questions}))


def exports():
    with drive.Place() as place:
        pack = oracle_pack(place)
        status, output, errors = place.run('export', pack, '--to', 'json')
        same((status, errors), (0, ''), 'json loses nothing')
        same([question['id'] for question in json.loads(output)['questions']], ['q1', 'q2'], 'json')
        again = place.write('again.yaml', output)
        same(place.run('diff', pack, again)[:2], (0, ''), 'the JSON is the same pack')

        status, output, errors = place.run('export', pack, '--to', 'gift')
        same((status, len(errors.splitlines())), (0, 2), 'two losses', errors)
        holds(errors, 'its id is not kept: an import takes the file\'s name instead', 'the loss of the id')
        holds(errors, 'q1: left out: hints', 'the loss')
        headed = place.write('headed.yaml', Path(pack).read_text().replace(
            'questions:', 'subject: Chemistry\ndescription: All of it.\nauthors: [Ada]\nlicence: CC BY 4.0\n'
            'exam: {minutes: 20}\nquestions:', 1))
        for form in 'gift', 'anki':
            errors = place.run('export', headed, '--to', form)[2]
            holds(errors, 'left out: subject, topic and ages, the description, the authors, the licence, what exams are '
                  'like', f'what {form} loses of the head')
        holds(place.run('export', pack, '--to', 'csv')[2], 'its id is not kept', 'csv loses the id')
        target = place.path('quiz.gift')
        same(place.run('export', pack, '--to', 'gift', '-o', target)[:2], (0, ''), 'into a file')
        same(open(target).read(), output, 'the same')
        os.chmod(target, 0o640)
        same(place.run('export', pack, '--to', 'gift', '--output=' + target)[0], 0, 'over it')
        same(os.stat(target).st_mode & 0o777, 0o640, 'its mode stays')
        same(place.run('import', target, '-o', place.path('back'))[0], 0, 'and back')
        status, output, errors = place.run('diff', pack, place.path('back/quiz.yaml'))
        same(status, 0, 'diff', errors)
        check('q2' not in output and 'answer' not in output, 'what GIFT holds is as it was', output)
        # a reader that leaves
        process = subprocess.run(['sh', '-c', '"$0" export "$1" --to json | true', drive.PROGRAM, pack],
                                 capture_output=True, text=True)
        same(process.returncode, 0, 'a reader that leaves', process.stderr)


def second_program():
    program = drive.PROGRAM
    tools = os.path.join(os.path.dirname(program), 'quiztutor-tools')
    with drive.Place() as place:
        features = place.run('--version')[1]
        xml = place.write('quiz.xml', '<?xml version="1.0"?>\n<quiz><question type="truefalse"><name><text>N</text></name>'
                          '<questiontext format="html"><text>Is it?</text></questiontext>'
                          '<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>'
                          '</question></quiz>\n')
        # alone, without the second program
        os.makedirs(place.path('alone'))
        alone = shutil.copy(program, place.path('alone/quiztutor'))
        environment = {**os.environ, 'QUIZTUTOR_STORE': place.store}
        result = subprocess.run([alone, 'import', xml, '-o', place.path('x')], capture_output=True, text=True, env=environment)
        if not os.path.exists('/usr/local/libexec/quiztutor/quiztutor-tools'):
            same(result.returncode, 1, 'without the second program', result.stderr)
            holds(result.stderr, 'Moodle XML', 'what is missing')
            holds(result.stderr, 'quiztutor-tools', 'what is missing')
        if not os.path.exists(tools):
            return
        if 'libxml2' in features:
            status, output, errors = place.run('import', xml, '-o', place.path('x'))
            same((status, errors), (0, ''), 'XML by the second program', output)
            holds(output, 'taken', 'its report')
            check(os.path.exists(place.path('x/quiz.yaml')), 'its pack')
            # in a tree that was moved
            os.makedirs(place.path('tree/bin'))
            os.makedirs(place.path('tree/libexec/quiztutor'))
            moved = shutil.copy(program, place.path('tree/bin/quiztutor'))
            shutil.copy(tools, place.path('tree/libexec/quiztutor/quiztutor-tools'))
            result = subprocess.run([moved, 'import', xml, '-o', place.path('y')], capture_output=True, text=True, env=environment)
            same(result.returncode, 0, 'in a tree that was moved', result.stderr)
        else:
            fails(place, 1, 'libxml2', 'import', xml, '-o', place.path('x'))


if __name__ == '__main__':
    for part in (reports, refusals, exports, second_program):
        part()
    drive.finish()
