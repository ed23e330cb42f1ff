"""What is written as Moodle XML and QTI, read by another parser and marked by rules of its own.

Each shipped pack, and one with all marking rules, goes out; Python's XML parser reads it. Fractions of Moodle, rules of
QTI 1.2 and response processing of QTI 2.1 are evaluated here, from the specifications: right responses get the full
mark, others what PACK-FORMAT's rules give. Argument: the program.
"""
import glob
import io
import itertools
import os
import re
import sys
import traceback
import xml.etree.ElementTree as ET
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app'))

import yaml

import drive
from drive import check, same

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))

RULES = """format: quiztutor/1
id: rules
title: Rules & more
sections:
  - title: One / Two
    questions:
      - {id: whole, prompt: P, marks: 2, choices: [{correct: a}, {correct: b}, c, {wrong: d, feedback: no d}], explanation: E}
      - {id: net, prompt: P, marking: net-correct, choices: [{correct: a}, {correct: b}, {correct: x}, c], explanation: E}
      - {id: each, prompt: P, marking: each-decision, choices: [{correct: a}, {correct: b}, c, d, e], explanation: E}
      - {id: 1st, prompt: P, choices: [{correct: a}, "b < c & d"], explanation: E}
  - title: Three
    questions:
      - {id: number, prompt: P, number: {answer: 5, tolerance: 1%}, explanation: E}
      - {id: exact, prompt: P, number: 0.1, explanation: E}
      - {id: figures, prompt: P, number: {answer: 3.14, significant_figures: 3}, explanation: E}
      - {id: text, prompt: P, text: {accept: [naïve, "a*b"], ignore: [spaces]}, explanation: E}
      - {id: order, prompt: P, order: [x, y, z], feedback: look, explanation: E}
      - {id: match, prompt: P, marking: net-correct, match: {l: r, m: s, n: r}, extra: [t], feedback: look, explanation: E}
      - {id: pairs, prompt: P, match: {l: r, m: s}, explanation: E}
      - {id: statement, prompt: P, true_false: false, feedback: no, explanation: E}
"""


def name(element):
    return element.tag.rsplit('}', 1)[-1]


def inside(element, wanted):
    return [one for one in element.iter() if name(one) == wanted]


def first(element, wanted):
    found = inside(element, wanted)
    return found[0] if found else None


def words(element):
    return ''.join(element.itertext()).strip()


def net(picked, right):
    return max(0.0, (len(picked & right) - len(picked - right)) / len(right))


def near(found, wanted, *context):
    check(abs(found - wanted) < 1e-4, found, wanted, *context)


# ---- Moodle XML ----

def moodle(text):
    root = ET.fromstring(text)
    same(root.tag, 'quiz')
    seen = {}
    for question in root:
        kind = question.get('type')
        if kind == 'category':
            check(words(question.find('category/text')).startswith('$course$/top/'), words(question))
            continue
        seen[words(question.find('idnumber'))] = question
        for part in ('name/text', 'questiontext/text', 'generalfeedback/text', 'defaultgrade', 'penalty'):
            check(question.find(part) is not None, part)
        fractions = [float(answer.get('fraction')) for answer in question.findall('answer')]
        if kind == 'multichoice' and question.find('single').text == 'false':
            near(sum(share for share in fractions if share > 0), 100, fractions)
            for share in fractions:  # Moodle takes fractions of its list only, to five decimals
                check(any(abs(abs(share) - 100 / n) < 1e-5 for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20)), share)
        elif kind in ('multichoice', 'truefalse'):
            same(sorted(fractions)[-1], 100.0)
            same([share for share in fractions if share not in (0, 100)], [])
        elif kind in ('shortanswer', 'numerical'):
            check(100.0 in fractions, fractions)
        elif kind == 'matching':
            check(len(question.findall('subquestion')) >= 2, kind)
        else:
            same(kind, 'ordering')
    return seen


# ---- QTI 1.2 ----

class Old:
    """An item of QTI 1.2: what its rules give for a response, a mapping from a response to its values."""

    def __init__(self, item):
        self.item = item
        self.idents = {response.get('ident'): [label.get('ident') for label in inside(response, 'response_label')]
                       for response in item.iter() if name(response) in ('response_lid', 'response_str')}
        self.feedback = {one.get('ident') for one in inside(item, 'itemfeedback')}
        for shown in inside(item, 'displayfeedback'):
            check(shown.get('linkrefid') in self.feedback, shown.get('linkrefid'))

    def test(self, node, given):
        kind = name(node)
        if kind in ('and', 'conditionvar'):
            return all(self.test(one, given) for one in node)
        if kind == 'or':
            return any(self.test(one, given) for one in node)
        if kind == 'not':
            return not all(self.test(one, given) for one in node)
        if kind == 'other':
            return True
        check(node.get('respident') in self.idents, node.get('respident'))
        values = given.get(node.get('respident'), [])
        if kind == 'varequal':
            fold = (lambda text: text) if node.get('case') == 'Yes' else str.lower
            return any(fold(value) == fold(node.text) for value in values)
        compare = {'vargte': lambda a, b: a >= b, 'varlte': lambda a, b: a <= b}[kind]
        return any(compare(float(value), float(node.text)) for value in values)

    def mark(self, given):
        score, shown = 0.0, []
        for rule in inside(self.item, 'respcondition'):
            tests = list(first(rule, 'conditionvar'))
            typed = len(tests) > 1 and all(name(test) == 'varequal' for test in tests)
            if not (any if typed else all)(self.test(test, given) for test in tests):
                continue
            for one in rule:
                if name(one) == 'setvar':
                    score = float(one.text) + (score if one.get('action') == 'Add' else 0)
                elif name(one) == 'displayfeedback':
                    shown.append(one.get('linkrefid'))
            if rule.get('continue') != 'Yes':
                break
        return max(0.0, score) / 100, shown

    def picked(self, places):
        return {'response1': [f'c{place}' for place in places]}


def old(text):
    return {item.get('ident'): Old(item) for item in inside(ET.fromstring(text), 'item')}


# ---- QTI 2.1 ----

class New:
    """An item of QTI 2.1, its response processing run."""

    def __init__(self, text):
        self.item = ET.fromstring(text)
        same(self.item.tag, '{http://www.imsglobal.org/xsd/imsqti_v2p1}assessmentItem')
        self.declaration = first(self.item, 'responseDeclaration')
        same(self.declaration.get('identifier'), 'RESPONSE')
        self.outcomes = {one.get('identifier'): one for one in inside(self.item, 'outcomeDeclaration')}
        self.correct = [words(value) for value in inside(first(self.item, 'correctResponse'), 'value')]
        self.choices = {one.get('identifier'): one for one in self.item.iter()
                        if name(one) in ('simpleChoice', 'simpleAssociableChoice')}
        for identifier in [self.item.get('identifier'), *self.choices, *self.outcomes]:
            check(re.fullmatch(r'[A-Za-z_][\w.-]*', identifier), identifier)
        if self.declaration.get('baseType') in ('identifier', 'directedPair'):
            for value in self.correct + [one.get('mapKey') for one in inside(self.item, 'mapEntry')]:
                check(all(part in self.choices for part in value.split()), value)
        for shown in inside(self.item, 'modalFeedback'):
            check(shown.get('outcomeIdentifier') in self.outcomes, shown.get('outcomeIdentifier'))

    def mark(self, response):
        values = {key: words(first(one, 'value')) if first(one, 'value') is not None else None
                  for key, one in self.outcomes.items()}
        self.run(first(self.item, 'responseProcessing'), response, values)
        return float(values['SCORE']) / float(values['MAXSCORE']), values

    def run(self, node, response, values):
        for one in node:
            kind = name(one)
            if kind == 'setOutcomeValue':
                values[one.get('identifier')] = self.value(one[0], response, values)
            elif kind == 'responseCondition':
                for branch in one:
                    if name(branch) == 'responseElse' or self.value(branch[0], response, values):
                        self.run(list(branch)[name(branch) != 'responseElse':], response, values)
                        break

    def value(self, node, response, values):
        kind, arguments = name(node), [one for one in node]
        if kind == 'baseValue':
            return node.text
        if kind == 'variable':
            return response if node.get('identifier') == 'RESPONSE' else values[node.get('identifier')]
        if kind == 'correct':
            return self.correct
        if kind == 'mapResponse':
            return self.mapped(response)
        one, other = (self.value(argument, response, values) for argument in arguments)
        if kind == 'lt':
            return float(one) < float(other)
        if kind == 'match':
            return one == other if self.declaration.get('cardinality') == 'ordered' else sorted(one) == sorted(other)
        one, other = float(one[0]), float(other[0])
        if kind == 'equalRounded':
            same(node.get('roundingMode'), 'significantFigures')
            return '%.*g' % (int(node.get('figures')), one) == '%.*g' % (int(node.get('figures')), other)
        same(kind, 'equal')
        mode = node.get('toleranceMode')
        if mode == 'exact':
            return one == other
        low, high = map(float, node.get('tolerance').split())
        if mode == 'relative':
            low, high = other * low / 100, other * high / 100
        return other - low <= one <= other + high

    def mapped(self, response):
        mapping = first(self.item, 'mapping')
        total = 0.0
        for value in set(response):
            for entry in inside(mapping, 'mapEntry'):
                fold = (lambda text: text) if entry.get('caseSensitive') == 'true' or ' ' in value else str.lower
                if fold(entry.get('mapKey')) == fold(value):
                    total += float(entry.get('mappedValue'))
                    break
            else:
                total += float(mapping.get('defaultValue'))
        if mapping.get('lowerBound'):
            total = max(total, float(mapping.get('lowerBound')))
        if mapping.get('upperBound'):
            total = min(total, float(mapping.get('upperBound')))
        return total


def new(content):
    archive = zipfile.ZipFile(io.BytesIO(content))
    same(archive.testzip(), None)
    names = archive.namelist()
    manifest = ET.fromstring(archive.read('imsmanifest.xml'))
    resources = inside(manifest, 'resource')
    hrefs = [one.get('href') for one in resources]
    same(sorted(hrefs + ['imsmanifest.xml']), sorted(names))
    for one in inside(manifest, 'dependency'):
        check(one.get('identifierref') in {resource.get('identifier') for resource in resources}, 'dependency')
    test = ET.fromstring(archive.read('test.xml'))
    items = [one.get('href') for one in inside(test, 'assessmentItemRef')]
    same(items, [href for href in hrefs if href != 'test.xml'])
    return test, {one.item.get('title'): one for one in (New(archive.read(href)) for href in items)}


# ---- the tests ----

def exported(place, path, form):
    out = place.path('out')
    status, output, errors = place.run('export', path, '--to', form, '-o', out)
    same(status, 0, form, output, errors)
    with open(out, 'rb') as file:
        content = file.read()
    os.unlink(out)
    return content


def shipped(place):
    for path in sorted(glob.glob(os.path.join(ROOT, 'content', '*.yaml'))):
        with open(path, encoding='utf-8') as file:
            pack = yaml.load(file, yaml.BaseLoader)
        questions = pack.get('questions') or [one for section in pack['sections'] for one in section['questions']]
        wanted = {question['id'] for question in questions if 'recall' not in question}
        same(set(moodle(exported(place, path, 'moodle-xml'))), wanted, path)
        items = old(exported(place, path, 'qti12'))
        same(set(items), wanted, path)
        test, others = new(exported(place, path, 'qti21'))
        same(set(others), wanted, path)
        for key, item in others.items():
            near(item.mark(item.correct)[0], 1, path, key)
        for question in questions:
            if 'choices' in question and 'given' not in question:
                marked(question, items[question['id']], others[question['id']])


def choices_of(question):
    right, count = set(), len(question['choices'])
    for place, choice in enumerate(question['choices'], 1):
        if isinstance(choice, dict) and 'correct' in choice:
            right.add(place)
    return right, count


def marked(question, item, other, rule='all-or-nothing'):
    """Every response to a choice question, marked by both formats and by the pack's rule."""
    right, count = choices_of(question)
    many = len(right) > 1 or question.get('select') == 'many'
    for size in range(1, count + 1 if many else 2):
        for places in itertools.combinations(range(1, count + 1), size):
            picked = set(places)
            share = float(picked == right)
            if rule == 'net-correct':
                share = net(picked, right)
            elif rule == 'each-decision':
                share = sum((place in picked) == (place in right) for place in range(1, count + 1)) / count
            near(item.mark(item.picked(places))[0], share, question['id'], places)
            if rule == 'each-decision':
                share = net(picked, right)  # told as a loss
            near(other.mark([f'c{place}' for place in places])[0], share, question['id'], places)


def rules(place):
    path = place.write('rules.yaml', RULES)
    questions = {one['id']: one for section in yaml.load(RULES, yaml.BaseLoader)['sections'] for one in section['questions']}
    seen = moodle(exported(place, path, 'moodle-xml'))
    same(set(seen), set(questions))
    same([words(one) for one in ET.fromstring(exported(place, path, 'moodle-xml')).iter('category')],
         ['$course$/top/One/Two', '$course$/top/Three'])
    same([one.get('fraction') for one in seen['net'].findall('answer')], ['33.33333'] * 3 + ['-33.33333'])
    same([words(one.find('text')) for one in seen['text'].findall('answer')], ['naïve', 'a\\*b'])
    items = old(exported(place, path, 'qti12'))
    test, others = new(exported(place, path, 'qti21'))
    same([one.get('title') for one in inside(test, 'assessmentSection')], ['One / Two', 'Three'])
    for key, rule in (('whole', 'all-or-nothing'), ('net', 'net-correct'), ('each', 'each-decision'), ('1st', 'all-or-nothing')):
        marked(questions[key], items[key], others[key], rule)
    same(items['whole'].mark(items['whole'].picked([4]))[1], ['general_fb', 'c4_fb'])
    same(others['whole'].mark(['c4'])[1]['FEEDBACK'], ['c4'])
    for key, values in (('number', (('5', 1), ('5.05', 1), ('4.95', 1), ('4.949', 0), ('5.051', 0))),
                        ('exact', (('0.1', 1), ('0.10001', 0))),
                        ('figures', (('3.14', 1), ('3.141', 1), ('3.15', 0))),
                        ('text', (('naïve', 1), ('a*b', 1), ('Naïve', 0), ('b', 0)))):
        for value, share in values:
            near(items[key].mark({'response1': [value]})[0], share, key, value)
            near(others[key].mark([value])[0], share, key, value)
    same(items['statement'].mark({'response1': ['true']}), (0.0, ['general_fb', 'true_fb']))
    near(items['statement'].mark({'response1': ['false']})[0], 1)
    same(others['statement'].mark(['true'])[1]['FEEDBACK'], ['true'])
    near(items['match'].mark({'left1': ['r1'], 'left2': ['r1'], 'left3': ['r1']})[0], 2 / 3)
    near(others['match'].mark(['l1 r1', 'l2 r1', 'l3 r1'])[0], 2 / 3)
    same(others['match'].mark(['l1 r1', 'l2 r1', 'l3 r1'])[1]['FEEDBACK'], 'incorrect')
    near(items['pairs'].mark({'left1': ['r1'], 'left2': ['r1']})[0], 0)
    near(items['pairs'].mark({'left1': ['r1'], 'left2': ['r2']})[0], 1)
    near(others['order'].mark(['i1', 'i3', 'i2'])[0], 0)
    near(others['order'].mark(['i1', 'i2', 'i3'])[0], 1)


def main():
    for test in shipped, rules:
        with drive.Place() as place:
            try:
                test(place)
            except Exception:
                drive.failures.append(f'{test.__name__}: {traceback.format_exc()}')
    drive.finish()


if __name__ == '__main__':
    main()
