"""A second opinion on the types of question: how each is shown, read, marked, told and stored.

Written from the contracts alone, like oracle.py, which asks here for what the types tell apart. Questions are plain
values: the key of the pack file names the type (`number`, `text`, `order`, `match`, `recall`), `given` and `derive`
make it parametrised. A derived value is a Python expression beside the pack's own: {'bubble': ('(p-1)/m', lambda ...)}.
"""
import json
import math
import re
import unicodedata

import oracle

TYPED = ('number', 'text')
NEW = ('number', 'text', 'order', 'match', 'recall')


def kind(question):
    return next((name for name in NEW if name in question), None)


# ---- what is shown -------------------------------------------------------------------------------------------------

def spread(values):
    """The values that one name of `given` may take."""
    if isinstance(values, dict):
        count = int((values['to'] - values['from']) / values['step'] + 1e-9) + 1
        return [values['from'] + i * values['step'] for i in range(count)]
    return values


def say_number(value, form=''):
    if form.startswith('.'):
        return '%.*f' % (int(form[1:-1]), value)
    return '%.15g' % value


class Shown:
    """A question as it is put before a learner at one showing."""

    def __init__(self, pack, question, seed):
        self.pack, self.question, self.seed = pack, question, seed
        self.kind = oracle.kind(question)
        stream = oracle.Stream(pack['id'], question['id'], seed)
        self.values, self.stored = {}, {}
        for name, values in question.get('given', {}).items():
            listed = spread(values)
            self.values[name] = listed[0 if seed == 1 else stream.below(len(listed))]
        self.given = dict(self.values)
        for name, (_, work) in question.get('derive', {}).items():
            self.values[name] = work(self.values)
        self.choices, self.targets, self.order = [], [], []
        if kind(question) == 'order':
            self.order = self.shuffled(stream, len(question['order']))
            if self.order == sorted(self.order):
                self.order = self.order[1:] + self.order[:1]
            self.choices = [self.text(question['order'][place - 1]) for place in self.order]
            self.stored['items'] = self.order
        elif kind(question) == 'match':
            self.choices = [self.text(left) for left, _ in question['match']]
            listed = rights(question)
            self.order = self.shuffled(stream, len(listed))
            self.targets = [self.text(listed[place - 1]) for place in self.order]
            self.stored['targets'] = self.order
        elif not kind(question):
            self.order = oracle.choice_order(pack, question, seed)
            self.choices = [oracle.texts(question)[place - 1] for place in self.order]
            if self.kind != 'true-false':
                self.stored['choices'] = self.order
        if self.given:
            self.stored['given'] = self.given

    @staticmethod
    def shuffled(stream, count):
        """Under seed 1 too, and whatever the pack says: the author's order is the answer."""
        order = list(range(1, count + 1))
        stream.shuffle(order)
        return order

    def text(self, text):
        """Values put in: {x}, {x:.2f}, {{ and }}."""
        if not self.given or text is None:
            return text

        def put(match):
            if match[0] in ('{{', '}}'):
                return match[0][0]
            name, _, form = match[1].partition(':')
            value = self.values[name]
            return value if isinstance(value, str) else say_number(value, form)
        return re.sub(r'\{\{|\}\}|\{([^{}]*)\}', put, text)

    # -- the key

    def number(self):
        answer = self.question['number']['answer']
        return self.values[answer] if answer in self.values else float(answer)

    def wrongs(self):
        """(what is equal to it, feedback) of each listed wrong response."""
        for wrong in self.question[kind(self.question)].get('wrong', []):
            value = wrong['value']
            if kind(self.question) == 'number':
                value = wrong['work'](self.values) if 'work' in wrong else float(value)
            yield value, self.text(wrong.get('feedback'))

    # -- an answer

    def read(self, line):
        """('pick', answer) or ('unreadable', None); commands are read before."""
        question, line = self.question, line.strip()
        name = kind(question)
        if not line:
            return 'unreadable', None
        if name == 'text':
            return 'pick', line[1:] if line.startswith('::') else line
        if name == 'number':
            return ('pick', line) if number_of(line, question['number'].get('unit')) is not None else ('unreadable', None)
        if name == 'recall':
            return ('pick', int(line)) if line in ('1', '2', '3', '4') else ('unreadable', None)
        if not re.fullmatch('[0-9]+([ ,][0-9]+)*', line):
            return 'unreadable', None
        numbers = [int(part) for part in re.split('[ ,]', line)]
        if len(numbers) == 1 and len(line) > 1 and max(len(self.order), len(self.choices)) <= 9:
            numbers = [int(digit) for digit in line]  # 312
        if name == 'order':
            if sorted(numbers) != list(range(1, len(self.order) + 1)):
                return 'unreadable', None
            return 'pick', [self.order[number - 1] for number in numbers]
        if len(numbers) != len(self.choices) or max(numbers) > len(self.targets):
            return 'unreadable', None
        return 'pick', [self.order[number - 1] if number else 0 for number in numbers]

    def near_miss(self, answer):
        """One edit from an accepted answer of five or more letters, equal to no accepted or listed one."""
        if kind(self.question) != 'text':
            return False
        key, given = self.question['text'], form(answer)
        accepted = [form(self.text(text)) for text in key['accept']]
        listed = [form(value) for value, _ in self.wrongs()]
        if given in accepted or given in listed:
            return False
        return any(sum(letter.isalpha() for letter in text) >= 5 and edits(given, text) == 1 for text in accepted)

    def share(self, answer):
        question, name = self.question, kind(self.question)
        if name == 'number':
            key, right = question['number'], self.number()
            value = number_of(answer, key.get('unit'))
            margin = key.get('tolerance', 0)
            if isinstance(margin, str):
                margin = float(margin[:-1]) / 100 * abs(right)
            return 1.0 if abs(value - right) <= margin + 1e-9 * max(abs(right), margin) else 0.0
        if name == 'text':
            return 1.0 if form(answer) in [form(self.text(text)) for text in question['text']['accept']] else 0.0
        if name == 'recall':
            return (0.0, 0.5, 1.0, 1.0)[answer - 1]
        rule = question.get('marking') or self.pack.get('marking') or 'all-or-nothing'
        if name == 'order':
            n = len(answer)
            if rule == 'all-or-nothing':
                return 1.0 if answer == sorted(answer) else 0.0
            if rule == 'net-correct':
                return sum(1 for one, next in zip(answer, answer[1:]) if next == one + 1) / (n - 1)
            return sum(1 for i, place in enumerate(answer) if place == i + 1) / n
        if name == 'match':
            right = sum(1 for place, good in zip(answer, pairs(question)) if place == good)
            if rule == 'all-or-nothing':
                return 1.0 if right == len(answer) else 0.0
            return right / len(answer)
        return oracle.share(self.pack, question, answer)

    def feedback(self, answer):
        """Texts that this answer earns."""
        question, name = self.question, kind(self.question)
        if not name:
            return oracle.feedback(question, answer)
        if name in TYPED:
            if self.share(answer) == 1:
                return []
            for value, told in self.wrongs():
                if name == 'text' and form(value) == form(answer) or \
                        name == 'number' and math.isclose(value, number_of(answer, question['number'].get('unit')), rel_tol=1e-9):
                    return [told] if told else []
            return []
        told = self.text(question.get('feedback'))
        return [told] if told and self.share(answer) < 1 and name != 'recall' else []

    # -- in words and in the store

    def told(self, answer):
        """The response as its result tells it."""
        name = kind(self.question)
        if name in TYPED:
            return [answer]
        if name == 'order':
            return [self.text(self.question['order'][place - 1]) for place in answer]
        if name == 'match':
            return [self.text(rights(self.question)[place - 1]) if place else '' for place in answer]
        if name == 'recall':
            return [('again', 'hard', 'good', 'easy')[answer - 1]]
        return [text for text, place in zip(self.choices, self.order) if place in answer]

    def answers(self):
        question, name = self.question, kind(self.question)
        if name == 'number':
            answer = question['number']['answer']
            return ['%.15g' % self.number() if answer in self.values else answer]
        if name == 'text':
            return [self.text(text) for text in question['text']['accept']]
        if name == 'order':
            return [self.text(text) for text in question['order']]
        if name == 'match':
            return [self.text(right) for _, right in question['match']]
        if name == 'recall':
            return [self.text(question['recall'])]
        right = oracle.right_places(question)
        return [text for text, place in zip(self.choices, self.order) if place in right]

    def response(self, answer):
        """As the store keeps it."""
        if kind(self.question):
            return answer
        return (1 in answer) if self.kind == 'true-false' else sorted(answer)


def rights(question):
    """The right texts of a match, each once: those of the pairs, then the extra ones."""
    listed = []
    for text in [right for _, right in question['match']] + question.get('extra', []):
        if text not in listed:
            listed.append(text)
    return listed


def pairs(question):
    listed = rights(question)
    return [listed.index(right) + 1 for _, right in question['match']]


def number_of(text, unit=None):
    """The number that a text is, None for none."""
    if unit and text.endswith(unit):
        text = text[:-len(unit)].rstrip()
    text = text.replace('\u2212', '-')
    if len(text) > 40 or not re.fullmatch(r'[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?', text):
        return None
    return float(text)


def form(text):
    """A text as it is compared under the default `ignore: [case, spaces]`."""
    text = unicodedata.normalize('NFC', text.replace('\u2019', "'").replace('\u00a0', ' ').replace('\u2013', '-'))
    return ' '.join(text.split()).casefold()


def edits(one, other):
    """Levenshtein's distance."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one):
        before, row[0] = row[0], i + 1
        for j, b in enumerate(other):
            before, row[j + 1] = row[j + 1], min(row[j + 1] + 1, row[j] + 1, before + (a != b))
    return row[-1]


# ---- as a file -----------------------------------------------------------------------------------------------------

def yaml(question):
    """The lines of the key, indented as oracle.pack_yaml does."""
    quote = lambda value: json.dumps(value, ensure_ascii=False)
    name, out = kind(question), []
    if 'given' in question:
        out.append('    given: {' + ', '.join('%s: %s' % (key, values_yaml(values))
                                             for key, values in question['given'].items()) + '}')
    if 'derive' in question:
        out.append('    derive: {' + ', '.join('%s: %s' % (key, quote(text))
                                              for key, (text, _) in question['derive'].items()) + '}')
    if name in TYPED:
        out.append('    %s:' % name)
        key = question[name]
        for member, value in key.items():
            if member == 'wrong':
                out.append('      wrong:')
                for wrong in value:
                    out.append('        - value: ' + quote(wrong['value']))
                    if 'feedback' in wrong:
                        out.append('          feedback: ' + quote(wrong['feedback']))
            elif member == 'accept':
                out.append('      accept: ' + quote(value))
            else:
                out.append('      %s: %s' % (member, value if not isinstance(value, str) else quote(value)))
    elif name == 'order':
        out.append('    order: ' + quote(question['order']))
    elif name == 'match':
        out.append('    match:')
        out += ['      %s: %s' % (quote(left), quote(right)) for left, right in question['match']]
        if question.get('extra'):
            out.append('    extra: ' + quote(question['extra']))
    elif name == 'recall':
        out.append('    recall: ' + quote(question['recall']))
    if 'feedback' in question:
        out.append('    feedback: ' + quote(question['feedback']))
    return out


def values_yaml(values):
    if isinstance(values, dict):
        return '{' + ', '.join('%s: %s' % pair for pair in values.items()) + '}'
    return '[' + ', '.join(json.dumps(value, ensure_ascii=False) if isinstance(value, str) else '%.15g' % value
                           for value in values) + ']'
