"""test_sheet_body.py PROGRAM ROOT: the JSON that the BODY of a sheet is made of, against one made here of the YAML.

A second opinion, from the pack format and RFC 8785 alone: members sorted by UTF-16 code units, strings escaped as the RFC
has it, numbers as texts. The packs are those that ship, those of the tests, and some made by chance.
"""
import decimal
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
ALPHABET = ['a', 'Z', ' ', '"', '\\', '/', '\t', '\n', 'é', 'א', '漢', '🧪', '\ud7ff', '\uffee', '\U0001f600', "'", '<', '{', '#']


class Text(yaml.SafeLoader):
    """Text is text: no scalar becomes a number, a date, a boolean or null."""


class Folded(str):
    """A scalar that is no literal one: each newline left in it parts paragraphs."""


def scalar(loader, node):
    return node.value if node.style == '|' else Folded(node.value)


Text.yaml_implicit_resolvers = {}
Text.add_constructor('tag:yaml.org,2002:str', scalar)


def quoted(text):
    """RFC 8785, 3.2.2.2."""
    short = {'\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\'}
    return '"' + ''.join(short.get(c) or (f'\\u{ord(c):04x}' if ord(c) < 32 else c) for c in text) + '"'


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode('utf-16-be'))
        return '{' + ','.join(quoted(name) + ':' + canonical(value[name]) for name in names) + '}'
    if isinstance(value, list):
        return '[' + ','.join(canonical(item) for item in value) + ']'
    if value is None:
        return 'null'
    return ('true' if value else 'false') if isinstance(value, bool) else quoted(value)


def form(text):
    """One form of text: white space at the ends of lines and blank lines at the ends of the text go."""
    parted = text.replace('\n', '\n\n') if isinstance(text, Folded) else text
    lines = [line.strip(' \t') for line in parted.split('\n')]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return '\n'.join(line for at, line in enumerate(lines) if line or lines[at - 1])


def figure(text):
    lines = [line.rstrip(' \t') for line in text.split('\n')]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return '\n'.join(lines)


def number(text):
    """Without exponent or needless zeros."""
    plain = format(decimal.Decimal(repr(float(str(text).replace('−', '-')))), 'f')
    return plain.rstrip('0').rstrip('.') if '.' in plain else plain


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return not any(c in text.lower() for c in 'nix_')


def listed(value):
    return value if isinstance(value, list) else [value]


def choices_of(key, out, question, pack):
    made = []
    for item in key:
        if isinstance(item, str):
            made.append({'correct': False, 'text': form(item)})
            continue
        correct = 'correct' in item
        choice = {'correct': correct, 'text': form(item['correct' if correct else 'wrong'])}
        if 'pin' in item:
            choice['pin'] = item['pin']
        made.append(choice)
    out['choices'] = made
    many = sum(choice['correct'] for choice in made) > 1 or question.get('select') == 'many'
    out['type'] = 'multiple-choice' if many else 'single-choice'
    out['shuffle'] = question.get('shuffle') != 'false' and pack.get('shuffle') != 'none'
    return many


def number_of(key, out):
    key = key if isinstance(key, dict) else {'answer': key}
    out['answer'] = key['answer']
    tolerance = key.get('tolerance', '0')
    share = tolerance.endswith('%')
    out['tolerance'] = number(tolerance.rstrip('%').strip()) + ('%' if share else '')
    if 'unit' in key:
        out['unit'] = key['unit']
    if 'significant_figures' in key:
        out['significant_figures'] = key['significant_figures']


def given_of(question, out):
    given = question.get('given', {})
    out['rows'] = 'rows' in given
    out['derive'] = [{'name': name, 'expression': text} for name, text in question.get('derive', {}).items()]
    out['given'] = []
    if out['rows']:
        given = {name: [row[name] for row in given['rows']] for name in given['rows'][0]}
    for name, values in given.items():
        if isinstance(values, dict):
            start, end, step = (float(values[part]) for part in ('from', 'to', 'step'))
            count = int((end - start) / step + 1e-9) + 1
            out['given'].append({'name': name, 'numeric': True, 'count': str(count), 'from': number(start),
                                 'step': number(step)})
        else:
            out['given'].append({'name': name, 'numeric': all(map(is_number, values)), 'values': values})


def question_of(question, pack):
    out = {'id': question['id'], 'prompt': form(question['prompt']), 'explanation': form(question['explanation']),
           'marks': number(question.get('marks', '1')), 'markup': pack.get('markup') == 'light'}
    for name in 'figure', 'explanation_figure':
        if name in question:
            out[name] = figure(question[name])
    ruled = False
    if 'choices' in question:
        ruled = choices_of(question['choices'], out, question, pack)
    elif 'true_false' in question:
        out |= {'type': 'true-false', 'answer': question['true_false'] == 'true'}
    elif 'number' in question:
        out['type'] = 'number'
        number_of(question['number'], out)
    elif 'text' in question:
        key = question['text']
        accept = listed(key['accept'] if isinstance(key, dict) else key)
        ignore = key.get('ignore', ['case', 'spaces']) if isinstance(key, dict) else ['case', 'spaces']
        out |= {'type': 'text', 'accept': [form(text) for text in accept], 'ignore': sorted(listed(ignore))}
    elif 'order' in question:
        ruled = True
        out |= {'type': 'order', 'items': [form(text) for text in question['order']]}
    elif 'match' in question:
        ruled = True
        out |= {'type': 'match', 'pairs': [[form(left), form(right)] for left, right in question['match'].items()],
                'extra': [form(text) for text in listed(question.get('extra', []))]}
    if ruled:
        out['marking'] = question.get('marking') or pack.get('marking') or 'all-or-nothing'
    if 'given' in question or 'derive' in question:
        given_of(question, out)
    return out


def body(pack, tag):
    out = {'id': pack['id'], 'title': form(pack['title']), 'key_reader': form(pack.get('key_reader', 'tutors')),
           'language': pack.get('language', 'en'), 'markup': pack.get('markup') == 'light',
           'shuffle': pack.get('shuffle', 'all'), 'sections': [], 'questions': []}
    for name in 'ages', 'strapline', 'subject', 'topic':
        if name in pack:
            out[name] = form(pack[name])
    for name in 'name', 'site':
        if name in pack.get('publisher', {}):
            out['publisher_' + name] = form(pack['publisher'][name])
    sections = pack.get('sections') or [{'questions': pack['questions']}]
    for section in sections:
        for question in section['questions']:
            tags = listed(question.get('tags', []))
            printed = 'recall' not in question and (tag is None or tag in tags)
            out['questions'].append(question_of(question, pack) if printed else None)
        if 'sections' not in pack:
            break
        one = {'count': str(len(section['questions'])), 'pick': section.get('pick', str(len(section['questions'])))}
        intro = section.get('intro')
        if isinstance(intro, dict):
            intro, one['intro_figure'] = intro.get('text'), figure(intro['figure'])
        if intro:
            one['intro'] = form(intro)
        out['sections'].append(one)
    return canonical(out)


def compare(path, text, tags=()):
    pack = yaml.load(text, Text)
    pack = {name: value for name, value in pack.items() if not name.startswith('x-')}
    for tag in (None, *tags):
        done = subprocess.run([PROGRAM, str(path), *([tag] if tag is not None else [])], capture_output=True)
        if done.returncode:
            sys.exit(f'{path}: {done.stderr.decode()}{text}')
        wanted, got = body(pack, tag), done.stdout.decode()
        if got != wanted:
            at = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
            sys.exit(f'{path} {tag}: differs at {at}:\n{got[at - 40:at + 60]}\n{wanted[at - 40:at + 60]}')


def word(chance, longest=12):
    return 'w' + ''.join(chance.choice(ALPHABET) for _ in range(chance.randrange(longest))) + 'e'


def line(chance):
    return word(chance).replace('\n', 'n').replace('\t', 't')


def by_chance(chance):
    """A pack as JSON, which is YAML: its texts in double quotes."""
    questions = []
    for at in range(chance.randrange(1, 6)):
        question = {'id': f'q{at}', 'prompt': word(chance), 'explanation': word(chance, 40),
                    'tags': chance.sample(['one', 'two', 'three'], chance.randrange(3))}
        texts = list(dict.fromkeys(f'{n}{line(chance)}' for n in range(4)))
        kind = chance.randrange(7)
        if kind == 0:
            question['choices'] = [{'correct': texts[0]}, *texts[1:]]
        elif kind == 1:
            question['order'] = texts
        elif kind == 2:
            question |= {'match': {f'{n}{line(chance)}': text for n, text in enumerate(texts)}, 'extra': ['x ' + line(chance)]}
        elif kind == 3:
            question['text'] = {'accept': texts, 'ignore': ['spaces', 'case', 'accents']}
        elif kind == 4:
            given = {'a': {'from': '0.5', 'to': '3', 'step': '0.25'}, 'b': ['1', '2e1']}
            question |= {'given': given, 'derive': {'c': 'a + b', 'd': 'c / 2'},
                         'number': {'answer': 'd', 'tolerance': '2%', 'significant_figures': '3', 'unit': 'km'}}
        elif kind == 5:
            question |= {'given': {'rows': [{'x': '1', 'y': 'one'}, {'x': '2', 'y': 'two'}]}, 'true_false': 'false'}
        else:
            question |= {'number': {'answer': f'{chance.uniform(-1e6, 1e6):.7g}', 'tolerance': f'{chance.random():.3g}'}}
        if not question['tags']:
            del question['tags']
        if 'given' not in question and chance.random() < 0.3:
            question['figure'] = 'x\t|\n  ' + line(chance)
        if chance.random() < 0.3:
            question['marks'] = chance.choice(['2', '0.5', '1e2', '1.50'])
        if 'given' in question:  # braces there are places for values
            question['prompt'], question['explanation'] = 'What is it?', 'That.'
        questions.append(question)
    asked = {'questions': questions}
    if chance.random() < 0.4:
        cut = chance.randrange(len(questions))
        asked = {'sections': [{'title': 'T', 'pick': '1', 'intro': word(chance), 'questions': part}
                              for part in (questions[:cut], questions[cut:]) if part]}
    return json.dumps({'format': 'quiztutor/1', 'id': 'chance', 'title': line(chance), 'strapline': line(chance), **asked}, ensure_ascii=False)


def main():
    packs = sorted((ROOT / 'content').glob('*.yaml')) + [ROOT / 'tests/paper/every.yaml', ROOT / 'tests/content/first-pack.yaml']
    for path in packs:
        text = path.read_text(encoding='utf-8')
        tags = {tag for tag in ('units', 'numbers') if tag in text}
        compare(path, text, sorted(tags))
    chance = random.Random(6)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'chance.yaml')
        for _ in range(60):
            text = by_chance(chance)
            path.write_text(text, encoding='utf-8')
            compare(path, text, ['one'])
    print(len(packs), 'packs and 60 made by chance')


main()
