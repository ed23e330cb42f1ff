"""A second opinion on practice: the plan, the shuffles, the marks and the order of questions.

Written from the contracts alone (the command line's "Practise" and "Three front ends", the pack format's "Seeds",
"Marking rules" and "Revision"), without a look at the program, so that the two can be held against each other.
Packs are plain Python values here; pack_yaml() writes them as the author would.
"""
import hashlib
import json
import re

import kinds

ANY = object()  # a value that the contract leaves to the program, an identifier for one
LETTERS = 'abcdefghijklmnopqrstuvwxyz'


# ---- seeds -------------------------------------------------------------------------------------------------------

class Stream:
    """SplitMix64, its state taken from SHA-256 over format, pack, question and seed."""

    def __init__(self, pack, question, seed):
        text = b'\0'.join([b'quiztutor/1', pack.encode(), question.encode(), str(seed).encode()])
        self.state = int.from_bytes(hashlib.sha256(text).digest()[:8], 'little')

    def next(self):
        mask = 2 ** 64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(self, n):
        while True:
            x = self.next()
            if x < 2 ** 64 - 2 ** 64 % n:
                return x % n

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def showing_seed(seed, showing):
    for _ in range(showing - 1):
        if seed != 1:
            seed = seed + 1 if seed < 4294967295 else 2
    return seed


def question_order(pack, seed):
    order = list(range(len(pack['questions'])))
    if seed != 1 and pack.get('shuffle', 'all') == 'all':
        Stream(pack['id'], '', seed).shuffle(order)
    return [pack['questions'][i] for i in order]


def choice_order(pack, question, seed):
    """Places in the file, from 1, in the order in which the choices are shown."""
    if kind(question) == 'true-false':
        return [1, 2]
    count = len(question['choices'])
    order = list(range(count))
    if seed != 1 and pack.get('shuffle', 'all') != 'none' and question.get('shuffle', True):
        free = [i for i in order if not question['choices'][i].get('pin')]
        moved = free[:]
        Stream(pack['id'], question['id'], seed).shuffle(moved)
        for place, i in zip(free, moved):
            order[place] = i
    return [i + 1 for i in order]


# ---- questions ---------------------------------------------------------------------------------------------------

def kind(question):
    if kinds.kind(question):
        return kinds.kind(question)
    if 'true_false' in question:
        return 'true-false'
    right = sum(1 for choice in question['choices'] if choice['right'])
    return 'multiple-choice' if right > 1 or question.get('select') == 'many' else 'single-choice'


def texts(question):
    if kind(question) == 'true-false':
        return ['True', 'False']
    return [choice['text'] for choice in question['choices']]


def right_places(question):
    if kind(question) == 'true-false':
        return {1 if question['true_false'] else 2}
    return {i + 1 for i, choice in enumerate(question['choices']) if choice['right']}


def rule(pack, question):
    if kind(question) != 'multiple-choice':
        return 'all-or-nothing'
    return question.get('marking') or pack.get('marking') or 'all-or-nothing'


def share(pack, question, picked):
    right = right_places(question)
    name = rule(pack, question)
    if name == 'all-or-nothing':
        return 1.0 if picked == right else 0.0
    if name == 'net-correct':
        return max(0.0, (len(picked & right) - len(picked - right)) / len(right))
    every = range(1, len(texts(question)) + 1)
    return sum(1 for place in every if (place in picked) == (place in right)) / len(every)


def outcome_of(value):
    return 'right' if value >= 1 - 1e-9 else 'wrong' if value == 0 else 'partly'


def feedback(question, picked):
    """The texts that this answer earns, in pack order."""
    if kind(question) == 'true-false':
        return [question['feedback']] if 'feedback' in question and picked != right_places(question) else []
    return [choice['feedback'] for i, choice in enumerate(question['choices'])
            if i + 1 in picked and choice.get('feedback')]


def certainty_mark(outcome, value, certainty):
    """Gardner-Medwin's marks: right 1, 2, 3; wrong 0, -2, -6; partly in proportion between the two."""
    if not certainty or outcome == 'omitted':
        return None
    right, wrong = (0, 1, 2, 3)[certainty], (0, 0, -2, -6)[certainty]
    return wrong + (right - wrong) * value


def hints(question):
    return question.get('hints', [])


def plain_number(number):
    text = '%.15g' % number
    return text if 'e' not in text else ('%.20f' % number).rstrip('0').rstrip('.')


def revision(pack, question):
    value = {'marks': plain_number(question.get('marks', 1)), 'type': kind(question)}
    if kind(question) == 'true-false':
        value['answer'] = question['true_false']
    elif kind(question) == 'text':
        value.update(accept=sorted(question['text']['accept']), ignore=['case', 'spaces'])
    elif kind(question) == 'order':
        value.update(items=question['order'],
                     marking=question.get('marking') or pack.get('marking') or 'all-or-nothing')
    elif kind(question) == 'recall':
        value['answer'] = question['recall']
    else:
        value['choices'] = sorted([choice.get('id') or choice['text'], 1 if choice['right'] else 0]
                                  for choice in question['choices'])
    if kind(question) == 'multiple-choice':
        value['marking'] = rule(pack, question)
    text = json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def pack_yaml(pack):
    """The pack as a file. Double quotes everywhere but in the texts that have lines."""
    quote = lambda text: json.dumps(text, ensure_ascii=False)
    out = ['format: quiztutor/1', 'id: ' + pack['id'], 'title: ' + quote(pack.get('title', 'A pack'))]
    out += [key + ': ' + pack[key] for key in ('shuffle', 'marking') if key in pack]
    out.append('questions:')

    def text(key, value, indent):
        if '\n' not in value:
            return [' ' * indent + key + ': ' + quote(value)]
        return [' ' * indent + key + ': |'] + [' ' * (indent + 2) + line if line else '' for line in value.split('\n')]

    for question in pack['questions']:
        out.append('  - id: ' + question['id'])
        out += text('prompt', question['prompt'], 4)
        out += text('explanation', question['explanation'], 4)
        for key in ('figure', 'explanation_figure', 'source'):
            if key in question:
                out += text(key, question[key], 4)
        if hints(question):
            listed = question['hints']
            out.append('    hint: ' + (quote(listed[0]) if len(listed) == 1
                                       else '[' + ', '.join(quote(hint) for hint in listed) + ']'))
        if 'tags' in question:
            out.append('    tags: [' + ', '.join(question['tags']) + ']')
        for key in ('marks', 'marking', 'select'):
            if key in question:
                out.append('    %s: %s' % (key, question[key]))
        if question.get('shuffle') is False:
            out.append('    shuffle: false')
        if kinds.kind(question):
            out += kinds.yaml(question)
            continue
        if 'true_false' in question:
            out.append('    true_false: ' + ('true' if question['true_false'] else 'false'))
            if 'feedback' in question:
                out += text('feedback', question['feedback'], 4)
            continue
        out.append('    choices:')
        for choice in question['choices']:
            if not choice['right'] and set(choice) <= {'text', 'right'}:
                out.append('      - ' + quote(choice['text']))
                continue
            out.append('      - %s: %s' % ('correct' if choice['right'] else 'wrong', quote(choice['text'])))
            out += ['        %s: %s' % (key, quote(choice[key]))
                    for key in ('feedback', 'misconception', 'id', 'pin') if choice.get(key)]
    return '\n'.join(out) + '\n'


# ---- responses ---------------------------------------------------------------------------------------------------

WORDS = {':hint': 'hint', ':skip': 'skip', ':undo': 'undo', ':finish': 'finish', ':help': 'help', ':flag': 'flag',
         ':star': 'star', ':suspend': 'suspend', ':star last': 'star_last', ':suspend last': 'suspend_last'}
SHORT = {'h': 'hint', 's': 'skip', 'u': 'undo', 'q': 'finish', '?': 'help', '!': 'report', '*': 'star'}


def read(question, line):
    """('pick', places as shown) or (what to do, text) or ('unreadable', None)."""
    line = line.strip()
    if line in WORDS:
        return WORDS[line], None
    if line == ':report' or line.startswith(':report '):
        return 'report', line[8:].strip()
    if line.startswith(':') and not line.startswith('::'):
        return 'unreadable', None
    if kinds.kind(question):
        return (SHORT[line], None) if line in SHORT and kind(question) not in kinds.TYPED else ('new', line)
    count = len(texts(question))
    if kind(question) == 'true-false':
        if line in ('true', 't'):
            return 'pick', {1}
        if line in ('false', 'f'):
            return 'pick', {2}
    shown = LETTERS[:count]
    if line in SHORT and line not in shown:
        return SHORT[line], None
    many = kind(question) == 'multiple-choice'
    if re.fullmatch('[0-9]+([ ,][0-9]+)*', line):
        picked = [int(part) for part in re.split('[ ,]', line)]
    elif line and all(letter in shown for letter in line):
        picked = [shown.index(letter) + 1 for letter in line]
    else:
        return 'unreadable', None
    if any(not 1 <= place <= count for place in picked) or (len(picked) > 1 and not many):
        return 'unreadable', None
    return 'pick', set(picked)


# ---- the session -------------------------------------------------------------------------------------------------

class Item:
    """A question of the plan, and what has happened to it in this session."""

    def __init__(self, number, pack, question):
        self.number, self.pack, self.question = number, pack, question
        self.showings = 0       # answered or skipped so far
        self.skips = 0          # first skips, of which a second makes an omission
        self.hints = 0          # given in this session: they stay used at every later showing
        self.standing = []      # attempts not taken back
        self.undone = False     # one was taken back
        self.suspended = False  # in this session: a miss does not come back


class Session:
    """One session: feed() takes a line and returns the events that follow it."""

    def __init__(self, packs, seed, limit=None, tag=None, certainty=False, marks=None):
        self.seed, self.packs, self.certainty = seed, packs, certainty
        self.marks = {what: set((marks or {}).get(what, ())) for what in ('starred', 'suspended')}
        self.picked = None          # an answer that waits for how sure it is
        self.last = None            # the item answered last, in this run
        plan = [(pack, question) for pack in packs for question in question_order(pack, seed)
                if tag is None or tag in question.get('tags', [])]
        self.plan = [Item(i + 1, pack, question) for i, (pack, question) in enumerate(plan[:limit])]
        self.fresh = self.plan[:]   # of the plan, not yet asked
        self.returns = []           # (item, count of showings when it was missed), in order of the misses
        self.later = []             # skipped once
        self.urgent = []            # undone, the newest last
        self.shown = 0              # showings that were answered or skipped
        self.attempts = []          # every attempt, undone ones too: what the store must hold
        self.log = []               # (kind, item, attempt or None, text) of every event stored
        self.over = False
        self.out = []
        self.open = None
        self.show()

    def start(self):
        """The events before the first line is read."""
        names = [pack['id'] for pack in self.packs]
        head = {'event': 'session', 'session': ANY, 'learner': ANY, 'seed': self.seed, 'mode': 'all', 'packs': names, 'questions': len(self.plan),
                'resumed': False, 'reset': 0}
        out, self.out = [head] + self.out, []
        return out

    def feed(self, line):
        if self.over:
            return []
        if self.picked is not None:
            self.how_sure(line.strip())
        else:
            what, value = read(self.open.question, line)
            if what == 'new':
                what, value = self.now.read(value)
            elif what == 'pick':
                value = {self.order[place - 1] for place in value}
            getattr(self, 'do_' + what)(value)
        out, self.out = self.out, []
        return out

    def end(self):
        """End of input."""
        if not self.over:
            self.finish()
        out, self.out = self.out, []
        return out

    def resume(self):
        """The same session taken up by another process: what it prints before its first line."""
        self.over, self.out, self.picked, self.last = False, [], None, None
        self.show()
        head = self.start()
        head[0]['resumed'] = True
        return head

    # -- what is asked next

    def choose(self):
        if self.urgent:
            return self.urgent[-1]
        returns = [(item, since) for item, since in self.returns if not item.suspended]
        if returns and self.shown - returns[0][1] >= 3:
            return returns[0][0]
        if self.fresh:
            return self.fresh[0]
        if returns:
            return returns[0][0]
        return min(self.later, key=lambda item: item.number) if self.later else None

    def show(self):
        self.open = self.choose()
        self.retried = False
        if self.open is None:
            self.finish()
            return
        self.ask()

    def ask(self):
        item, question = self.open, self.open.question
        self.now = now = kinds.Shown(item.pack, question, showing_seed(self.seed, item.showings + 1))
        self.order = now.order
        key = question.get('number', {})
        self.out.append({
            'event': 'question', 'number': item.number, 'of': len(self.plan), 'again': bool(item.standing),
            'pack': item.pack['id'], 'question': question['id'], 'type': kind(question),
            'prompt': now.text(question['prompt']), 'figure': question.get('figure'), 'choices': now.choices,
            'targets': now.targets, 'unit': key.get('unit'), 'hints': len(hints(question)) - item.hints})

    def leave(self, item):
        """This showing is over: the item waits nowhere any more."""
        self.urgent = [other for other in self.urgent if other is not item]
        self.fresh = [other for other in self.fresh if other is not item]
        self.later = [other for other in self.later if other is not item]
        self.returns = [(other, since) for other, since in self.returns if other is not item]

    # -- responses

    def do_pick(self, answer):
        if not self.retried and self.now.near_miss(answer):
            self.retried = True
            self.out.append({'event': 'retry', 'number': self.open.number, 'reason': ANY})
        elif self.certainty and kind(self.open.question) != 'recall':
            self.picked = answer
            self.out.append({'event': 'certainty', 'number': self.open.number})
        else:
            self.mark_answer(answer)

    def mark_answer(self, answer, certainty=None):
        value = self.now.share(answer)
        self.attempt(outcome_of(value), value, answer, certainty)

    def how_sure(self, line):
        """The line after an answer: 1, 2 or 3; or a way back, out, or to help."""
        answer = self.picked
        if line in ('1', '2', '3'):
            self.picked = None
            self.mark_answer(answer, int(line))
        elif line in (':undo', 'u'):
            self.picked = None
            self.ask()
        elif line in (':finish', 'q'):
            self.picked = None
            self.finish()
        elif line in (':help', '?'):
            self.do_help(None)
        else:
            self.unreadable()

    def attempt(self, outcome, value, answer, certainty=None):
        item, question, now = self.open, self.open.question, self.now
        marks = question.get('marks', 1)
        again = bool(item.standing)
        self.leave(item)
        self.shown += 1
        item.showings += 1
        made = {'item': item, 'showing': item.showings, 'seed': showing_seed(self.seed, item.showings),
                'shown': now.stored, 'response': None if answer is None else now.response(answer), 'now': now,
                'outcome': outcome, 'mark': value * marks, 'marks': marks, 'hints': item.hints,
                'certainty': certainty, 'value': value, 'retried': self.retried and answer is not None,
                'aided': bool(item.hints or item.standing or item.undone or self.retried)}
        self.last = item
        self.attempts.append(made)
        self.log.append(('attempt', item, made, None))
        item.standing.append(made)
        if outcome in ('wrong', 'partly'):
            self.returns.append((item, self.shown))
        self.out.append({
            'event': 'result', 'number': item.number, 'again': again, 'attempt': ANY, 'pack': item.pack['id'],
            'question': question['id'], 'outcome': 'skipped' if outcome == 'omitted' else outcome,
            'mark': value * marks, 'marks': marks, 'response': [] if answer is None else now.told(answer),
            'answer': now.answers(), 'feedback': now.feedback(answer) if answer is not None else [],
            'explanation': now.text(question['explanation']),
            'explanation_figure': question.get('explanation_figure'),
            'source': question.get('source'), 'certainty': certainty,
            'certainty_mark': None if made['aided'] else certainty_mark(outcome, value, certainty)})
        self.show()

    def do_skip(self, _):
        item = self.open
        if not item.standing and item.skips:
            self.attempt('omitted', 0.0, None)
            return
        self.leave(item)
        self.shown += 1
        item.showings += 1
        self.log.append(('skipped', item, None, None))
        if not item.standing:
            item.skips += 1
            self.later.append(item)
        self.out.append({'event': 'skipped', 'number': item.number})
        self.show()

    def do_undo(self, _):
        standing = [made for made in self.attempts if made in made['item'].standing]
        if not standing:
            self.unreadable()
            return
        made = standing[-1]
        item = made['item']
        item.standing.remove(made)
        item.undone = True
        self.leave(item)
        self.urgent.append(item)
        self.log.append(('undone', item, made, None))
        self.out.append({'event': 'undone', 'number': item.number, 'attempt': made})
        self.show()

    def do_hint(self, _):
        item, listed = self.open, hints(self.open.question)
        text = None
        if item.hints < len(listed):
            text = self.now.text(listed[item.hints])
            item.hints += 1
            self.log.append(('hinted', item, None, None))
        self.out.append({'event': 'hint', 'number': item.number, 'hint': text, 'left': len(listed) - item.hints})

    def do_report(self, text):
        self.log.append(('reported', self.open, None, text))
        self.out.append({'event': 'reported', 'number': self.open.number})

    def do_star(self, _):
        self.mark(self.open, 'starred')

    def do_suspend(self, _):
        self.mark(self.open, 'suspended')

    def do_star_last(self, _):
        self.mark(self.last, 'starred')

    def do_suspend_last(self, _):
        self.mark(self.last, 'suspended')

    def mark(self, item, what):
        """Set, or taken back. What is on show stays there: it still wants its answer."""
        if item is None:
            self.unreadable()
            return
        key = (item.pack['id'], item.question['id'])
        self.marks[what] ^= {key}
        on = key in self.marks[what]
        if what == 'suspended':
            item.suspended = on
        self.log.append((what, item, None, on))
        self.out.append({'event': what, 'number': item.number, 'on': on})

    def do_finish(self, _):
        self.finish()

    def do_unreadable(self, _):
        self.unreadable()

    def do_flag(self, _):
        self.log.append(('flagged', self.open, None, None))
        self.out.append({'event': 'flagged', 'number': self.open.number})

    def do_help(self, _):
        self.out.append({'event': 'help', 'number': self.open.number, 'text': ANY})

    def unreadable(self):
        self.out.append({'event': 'unreadable', 'number': self.open.number, 'reason': ANY})

    def finish(self):
        self.over = True
        first = [item.standing[0] for item in self.plan if item.standing]
        count = lambda outcome: sum(1 for made in first if made['outcome'] == outcome)
        sure = [made for made in first if made['certainty'] and not made['aided']]
        self.out.append({
            'event': 'summary', 'asked': len(first), 'right': count('right'), 'partly': count('partly'),
            'wrong': count('wrong'), 'skipped': count('omitted'), 'mark': sum(made['mark'] for made in first),
            'marks': sum(made['marks'] for made in first), 'finished': len(first) == len(self.plan),
            'sure': len(sure),
            'certainty_marks': sum(certainty_mark(made['outcome'], made['value'], made['certainty']) for made in sure)
                               if sure else None})
