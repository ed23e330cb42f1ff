"""Files as tutors have them, imported by the program: what was taken, what is told, at which line. Argument: the program."""
import os
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))

import yaml

import drive
from drive import check, holds, same

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files')

# The file, what is said of its format, how many were taken and left out, and parts of the report by line.
EXPECTED = [
    ('moodle-aiken.txt', 'Aiken', 2, 0, {8: 'Which LMS has the most quiz import formats?'}),
    ('biology-aiken.txt', 'Aiken', 3, 2, {24: 'left out: Which enzyme copies DNA?: ANSWER: E, but the options end with D',
                                          31: 'not followed by a line ANSWER'}),
    ('excel-german.csv', 'CSV', 5, 1, {6: '9,81 is read as 9.81', 9: '"86.400,0" is no number'}),
    ('libreoffice.csv', 'CSV', 4, 0, {5: 'taken: =SUM(A1:A3) does what?'}),
    ('anki-2.1.txt', 'Anki text', 3, 1, {1: '#html:true', 3: 'rec1234.mp3', 4: 'paste-7f3a.jpg'}),
    ('anki-23.txt', 'Anki text', 6, 0, {8: 'the reversed card is not made', 9: 'recalled, not typed'}),
    ('anki-hand.txt', 'Anki text', 4, 0, {6: '"Example" is in its explanation', 9: '#hashtag'}),
    ('tutor.md', 'Markdown', 7, 2, {1: 'between --- and ---', 12: 'its number, "1.", is left out', 68: 'it has no answer'}),
]


def questions(pack):
    return pack['questions'] if 'questions' in pack else [
        question for section in pack['sections'] for question in section['questions']]


def imported(place, name, *arguments):
    status, output, errors = place.run('import', os.path.join(FILES, name), '-o', place.path('packs'), *arguments)
    same((status, errors), (0, ''), name)
    target = output.splitlines()[-1].rsplit(' → ', 1)[1]
    same(place.run('check', target)[0], 0, name)
    with open(target, encoding='utf-8') as file:
        return yaml.load(file, yaml.BaseLoader), output  # all scalars are texts, as in a pack


def reports():
    with drive.Place() as place:
        for name, form, taken, left_out, lines in EXPECTED:
            arguments = ['--from', 'anki'] if name == 'anki-2.1.txt' else []  # it has no head that says what it is
            pack, output = imported(place, name, *arguments)
            same(len(questions(pack)), taken, name, output)
            last = output.splitlines()[-1]
            holds(last, f'{form}, {taken} taken', name)
            holds(last, f'{left_out} left out', name)
            for line, part in lines.items():
                told = [said for said in output.splitlines() if f'{name}:{line}: ' in said]
                check(any(part in said for said in told), name, line, part, output)


def texts():
    with drive.Place() as place:
        worm, growth, cell = questions(imported(place, 'biology-aiken.txt')[0])
        same(worm['prompt'], 'C. elegans is a')
        same(growth['choices'][0], 'a < b')
        same(growth['choices'][1], {'correct': 'a > b'})
        same(growth['choices'][2], 'a = b, i.e.\nthey are the same\n')
        pack, _ = imported(place, 'excel-german.csv')
        capital, primes, water, gravity, hello = questions(pack)
        same(capital['choices'][0], {'wrong': 'Graz', 'feedback': 'Graz ist die Hauptstadt der Steiermark.'})
        same(primes['prompt'], 'Welche sind Primzahlen?\n(Mehrere sind richtig.)\n')
        same((water['true_false'], gravity['number']['answer'], gravity['number']['tolerance'], gravity['number']['unit']),
             ('true', '9.81', '0.01', 'm/s²'))
        same(hello['text'], ['bonjour', 'Bonjour !'])
        pack, _ = imported(place, 'anki-23.txt')
        same(pack['title'], 'Medicine')
        same([section['title'] for section in pack['sections']], ['Heart', 'Drugs', 'Medicine'])
        found = questions(pack)
        same(found[0]['recall'], 'The mitral valve')
        same(found[2]['recall'], 'protamine\u00a0sulfate')
        same(found[3]['prompt'], '[drug] inhibits vitamin K epoxide reductase;\n[…] is monitored by INR.\n')
        same(found[5]['recall'], 'it says so in two lines')
        pack, _ = imported(place, 'tutor.md')
        same(pack['title'], 'Networks, week 3')
        layer, connectionless, bits, handshake, ports, command, mtu = questions(pack)
        same(layer['choices'][0], {'wrong': 'Network', 'feedback': "That is IP's."})
        same([list(choice)[0] for choice in connectionless['choices'][:2]], ['correct', 'correct'])
        same(connectionless['explanation'], '`connect()` on a UDP socket only sets the default peer.')
        same((bits['number']['answer'], bits['number']['unit']), ('128', 'bits'))
        same(handshake['order'], ['SYN', 'SYN-ACK', 'ACK'])
        same((ports['match'], ports['extra']), ({'HTTP': '80', 'HTTPS': '443', 'SSH': '22'}, ['25']))
        holds(command['explanation'], '\n    ping -t $ttl host\n')
        same(mtu['recall'], 'Maximum transmission unit')


if __name__ == '__main__':
    for part in reports, texts:
        try:
            part()
        except Exception:
            check(False, part.__name__, traceback.format_exc())
    drive.finish()
