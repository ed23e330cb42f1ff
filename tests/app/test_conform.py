"""Random packs and random scripts of responses: every event and every row of the store against the oracle.

    test_conform.py QUIZTUTOR [SESSIONS] [FIRST]

Session k is made from the seed k alone, so a failing one is run again by `test_conform.py QUIZTUTOR 1 k`.
"""
import json
import random
import re
import sys

import drive
import kinds
import oracle

WORDS = ('tensor layer stage replica gradient bubble ring batch Gerät naïve shard link 東京 café Yes No on 1.10 013 '
         '12:30 null ~ e\u0301te\u0301').split()


def some_text(r, least=1, most=6):
    return ' '.join(r.choice(WORDS) for _ in range(r.randint(least, most)))


def some_lines(r):
    text = some_text(r)
    for _ in range(r.choice((0, 0, 0, 1, 2))):
        text += r.choice(('\n', '\n\n')) + some_text(r)
    return text


def make_choices(r, question):
    count = r.choice((2, 3, 4, 4, 5, 6, 8, 12, 20, 26) if r.random() < 0.3 else (2, 3, 4, 5))
    listed = ['%s %d' % (some_text(r, 1, 3), i) for i in range(count)]
    right = 1 if r.random() < 0.5 else r.randint(1, count)
    correct = set(r.sample(range(count), right))
    question['choices'] = []
    for i, text in enumerate(listed):
        choice = {'text': text, 'right': i in correct}
        if r.random() < 0.4:
            choice['feedback'] = some_text(r)
        if r.random() < 0.2:
            choice['id'] = 'c%d' % i
        if not choice['right'] and r.random() < 0.2:
            choice['misconception'] = 'tag-%d' % r.randint(1, 3)
        question['choices'].append(choice)
    if right == 1 and r.random() < 0.2:
        question['select'] = 'many'
    if r.random() < 0.2:
        for i in range(r.randint(1, count)):
            question['choices'][i]['pin'] = 'first'
    elif r.random() < 0.3:
        for i in range(r.randint(1, count)):
            question['choices'][-1 - i]['pin'] = 'last'
    if oracle.kind(question) == 'multiple-choice' and r.random() < 0.4:
        question['marking'] = r.choice(('all-or-nothing', 'net-correct', 'each-decision'))
    if r.random() < 0.2:
        question['shuffle'] = False


FEEDBACK = 'Told to who answered so.'


def make_number(r, question):
    right = r.choice((0, 3, -2, 0.27, 1.5, 1e6, 0.001, 403.208, 12))
    question['number'] = key = {'answer': '%.15g' % right}
    if r.random() < 0.6:
        key['tolerance'] = r.choice((0.001, 0.5, '5%', '1%', 2))
    if r.random() < 0.4:
        key['unit'] = r.choice(('GB', 'ms', '%', 'tokens a second'))
    if r.random() < 0.5:
        key['wrong'] = [{'value': '%.15g' % (right + 1000 + 10 * abs(right)), 'feedback': FEEDBACK}]


def make_text(r, question):
    accept = ['%s %s' % (r.choice(('tensor', 'pipeline', 'Gerät', 'naïve')), r.choice(('parallel', "layer's", 'stage')))]
    if r.random() < 0.4:
        accept.append(r.choice(('S', 'q', ':colon', '42', 'h')))
    question['text'] = {'accept': accept}
    if r.random() < 0.5:
        question['text']['wrong'] = [{'value': 'bubble ' + r.choice(('ring', 'batch')), 'feedback': FEEDBACK}]


def make_order(r, question):
    question['order'] = ['%s %d' % (some_text(r, 1, 3), i) for i in range(r.choice((2, 3, 4, 5, 9, 12, 26)))]


def make_match(r, question):
    count = r.choice((2, 3, 4, 6, 11))
    rights = ['%s %d' % (some_text(r, 1, 2), i) for i in range(count)]
    question['match'] = [('left %d' % i, r.choice(rights)) for i in range(count)]
    extra = [right for right in rights if right not in dict(question['match']).values()]
    if extra and r.random() < 0.7:
        question['extra'] = extra


def make_given(r, question):
    """Numbers worked out of picked ones, in all texts."""
    question['given'] = {'p': r.choice(([2, 4, 8], {'from': 1, 'to': 9, 'step': 2}, [3])),
                         'm': r.choice(({'from': 8, 'to': 64, 'step': 8}, [5, 7.5])), 'who': ['Ana', 'Ben {x}'][:1]}
    question['derive'] = {'share': ('(p - 1) / (m + p - 1)', lambda v: (v['p'] - 1) / (v['m'] + v['p'] - 1))}
    question['number'] = {'answer': 'share', 'tolerance': '1%', 'wrong': [
        {'value': '(p - 1) / m + 10', 'work': lambda v: (v['p'] - 1) / v['m'] + 10, 'feedback': 'Not {m}.'}]}
    question['prompt'] = '{who} has {p} and {m:.1f} {{so}}?'
    question['explanation'] = 'It is {share:.3f}, {share}.'
    if 'hints' in question:
        question['hints'] = ['Take {p}.'] + question['hints'][1:]


def make_new(r, question):
    name = r.choice(('number', 'text', 'order', 'match', 'recall', 'given'))
    if name == 'recall':
        question['recall'] = some_lines(r).replace('\n', ' ')
    else:
        {'number': make_number, 'text': make_text, 'order': make_order, 'match': make_match,
         'given': make_given}[name](r, question)
    if name in ('order', 'match'):
        if r.random() < 0.5:
            question['feedback'] = FEEDBACK
        if r.random() < 0.5:
            question['marking'] = r.choice(('all-or-nothing', 'net-correct', 'each-decision'))


def make_pack(r, name):
    pack = {'id': name, 'questions': []}
    if r.random() < 0.5:
        pack['shuffle'] = r.choice(('all', 'choices', 'none'))
    if r.random() < 0.5:
        pack['marking'] = r.choice(('all-or-nothing', 'net-correct', 'each-decision'))
    for i in range(r.choice((1, 2, 3, 4, 5, 6, 8, 12))):
        question = {'id': 'q%d' % i, 'prompt': '%s %d?' % (some_lines(r), i), 'explanation': some_lines(r)}
        if r.random() < 0.4:
            question['hints'] = [some_text(r) for _ in range(r.randint(1, 3))]
        if r.random() < 0.5:
            make_new(r, question)
        elif r.random() < 0.4:
            question['true_false'] = r.random() < 0.5
            if r.random() < 0.5:
                question['feedback'] = some_text(r)
        else:
            make_choices(r, question)
        if r.random() < 0.4:
            question['marks'] = r.choice((0.5, 2, 3, 1.25, 10, 0.1, 1))
        if r.random() < 0.3:
            question['tags'] = r.sample(('one', 'two', 'three'), r.randint(1, 2))
        if r.random() < 0.2:
            question['source'] = some_text(r)
        if r.random() < 0.2:
            question['figure'] = 'A --- B\n  |   |'
        if r.random() < 0.2:
            question['explanation_figure'] = 'x\n y'
        pack['questions'].append(question)
    return pack


def say(r, places, count):
    """Places as shown, in one of the forms that can be typed."""
    places = list(places)
    r.shuffle(places)
    form = r.randrange(4)
    if form == 0 or not places:
        return ','.join(map(str, places))
    if form == 1:
        return ' '.join(map(str, places))
    letters = ''.join(oracle.LETTERS[place - 1] for place in places)
    return letters


def number_line(r, shown, right):
    key, answer = shown.question['number'], shown.number()
    listed = [value for value, _ in shown.wrongs()]
    value = answer if right else r.choice(listed + [answer + 77, -answer - 5])
    margin = key.get('tolerance', 0)
    if right and isinstance(margin, float) and r.random() < 0.5:
        value = answer + r.choice((-1, 1)) * margin
    line = r.choice(('%.15g', '+%.15g', '%.12e') if value >= 0 else ('%.15g',)) % value
    if r.random() < 0.2:
        line = line.replace('-', '\u2212')
    return line + (r.choice(('', ' ')) + key['unit'] if key.get('unit') and r.random() < 0.5 else '')


def text_line(r, shown, right):
    key = shown.question['text']
    text = r.choice(key['accept'])
    if not right:
        text = r.choice([some_text(r), 'q', 'h'] + [wrong['value'] for wrong in key.get('wrong', [])])
        if r.random() < 0.5 and len(key['accept'][0]) > 5:   # one letter less, or another one
            text, at = key['accept'][0], r.randrange(1, 4)
            text = text[:at] + r.choice(('', 'x')) + text[at + 1:]
    form = r.randrange(4)
    text = (text, text.upper(), text.replace(' ', '   '), text.replace("'", '\u2019'))[form]
    return ':' + text if text.startswith(':') else text


def new_line(r, session, right):
    shown, question = session.now, session.open.question
    name = kinds.kind(question)
    if name == 'number':
        return number_line(r, shown, right)
    if name == 'text':
        return text_line(r, shown, right)
    if name == 'recall':
        return r.choice('34' if right else '1234')
    good = list(range(1, len(shown.choices) + 1)) if name == 'order' else kinds.pairs(question)
    if not right and name == 'order':
        r.shuffle(good)
    elif not right:
        good = [r.choice((place, r.randint(0, len(shown.targets)))) for place in good]
        good[0] = good[0] or 1   # all of them blank is no answer
    typed = [shown.order.index(place) + 1 if place else 0 for place in good]
    return r.choice((' ', ',')).join(map(str, typed))


def answer_line(r, session, right):
    question, order = session.open.question, session.order
    if kinds.kind(question):
        return new_line(r, session, right)
    if oracle.kind(question) == 'true-false':
        value = question['true_false'] == right
        return r.choice(('true', 't', '1', 'a') if value else ('false', 'f', '2', 'b', ' false '))
    good = [i + 1 for i, place in enumerate(order) if place in oracle.right_places(question)]
    if right:
        return say(r, good, len(order))
    size = r.randint(1, len(order)) if oracle.kind(question) == 'multiple-choice' else 1
    return say(r, r.sample(range(1, len(order) + 1), size), len(order))


def some_line(r, session):
    dice = r.random()
    if session.picked is not None and dice < 0.9:
        return r.choice(('1', '2', '3', '1', '2', '3', ' 2', '3  '))
    if session.picked is not None:
        return r.choice((':undo', 'u', ':help', '?', '4', '0', '', ':hint', ':skip', 'certain', '12', ':finish', '3 3', 'a'))
    if dice < 0.62:
        return answer_line(r, session, r.random() < session.skill)
    if dice < 0.70:
        return r.choice((':hint', 'h'))
    if dice < 0.80:
        return r.choice((':skip', 's'))
    if dice < 0.88:
        return r.choice((':undo', 'u'))
    if dice < 0.90:
        return r.choice((':star', '*', ':suspend', ':star last', ':suspend last', ':suspend last'))
    if dice < 0.92:
        return r.choice((':report ' + some_text(r), ':report', '!', ':flag', ':help', '?'))
    if dice < 0.925:
        return r.choice((':finish', 'q'))
    if kinds.kind(session.open.question) in kinds.TYPED:
        return r.choice(('', '   ', ':nothing', ':hintx', ':overview', ':go 3', ':star x', ':go', 'h', 's', 'u', 'q', '?',
                         'nan', 'inf', '0x10', '1 000', '1,5', '5', '1e3', '+5', '\u22125'))
    return r.choice(('', '   ', '0', '99', '1,99', 'xyz', ':nothing', '-1', '1.5', 'true;false', 'é', '\x01', '1;2',
                     '99999999999999999999999', ':hintx', ':overview', ':go 3', ':star x', ':suspend now', ':go'))


def equal(expected, got, names):
    if expected is oracle.ANY:
        return isinstance(got, str) and got != ''
    if isinstance(expected, float) or (isinstance(expected, int) and not isinstance(expected, bool)):
        return not isinstance(got, bool) and isinstance(got, (int, float)) and abs(expected - got) < 1e-9
    if isinstance(expected, dict):  # an attempt: the identifier it was told by
        return names.get(id(expected)) == got
    return type(expected) is type(got) and expected == got


def compare(expected, got, names, where):
    """Events one by one, each member that the contract names."""
    for i, event in enumerate(expected):
        if i >= len(got):
            return drive.check(False, where, 'event', i, 'is missing:', event)
        for key, value in event.items():
            if key == 'feedback':
                text = got[i].get('feedback')
                fine = text is None if not value else isinstance(text, str) and all(part in text for part in value)
            else:
                fine = key in got[i] and equal(value, got[i][key], names)
            if not fine:
                return drive.check(False, where, 'event', i, key, '\n    expected:', value, 'in', event,
                                   '\n    got:     ', got[i])
    return drive.check(len(got) == len(expected), where, 'too many events:', got[len(expected):])


class Script:
    """A session of the oracle, its lines, and the events after each of them."""

    def __init__(self, r, packs, seed, **options):
        self.make = lambda: oracle.Session(packs, seed, **options)
        self.session = self.make()
        self.session.skill = r.choice((0.3, 0.6, 0.8, 1.0))
        self.lines, self.events = [], [self.session.start()]
        for _ in range(r.choice((1, 3, 8, 20, 80, 200))):
            if self.session.over:
                break
            line = some_line(r, self.session)
            self.lines.append(line)
            self.events.append(self.session.feed(line))
        self.complete = self.session.over
        self.events.append(self.session.end())

    def until(self, cut):
        session = self.make()
        self.head = session.start()
        for line in self.lines[:cut]:
            self.head += session.feed(line)
        return session

    def replay(self, cut):
        """The same lines in two runs: a session with `both`, the events of the two."""
        session = self.until(cut)
        session.both = self.head + session.end() + session.resume()
        for line in self.lines[cut:]:
            session.both += session.feed(line)
        session.both += session.end()
        return session

    def flat(self):
        return [event for events in self.events for event in events]


UUID = re.compile('[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}')


def check_form(output, where):
    """Numbers in the shortest form that reads back equal, identifiers in lower case, one object a line."""
    def number(token):
        drive.check(len(token) <= len(repr(float(token))), where, 'a longer number than needed:', token)
        return float(token)
    for line in output.splitlines():
        event = json.loads(line, parse_float=number)
        drive.check(line == json.dumps(json.loads(line), ensure_ascii=False, separators=(',', ':')), where, 'form', line)
        for key in ('session', 'attempt'):
            if key in event:
                drive.check(UUID.fullmatch(event[key]), where, 'identifier', event[key])
    drive.check(output.endswith('\n'), where, 'the last line ends')


def check_events(session, expected, output, where):
    try:
        got = drive.json_lines(output)
    except ValueError as error:
        return drive.check(False, where, 'not JSON:', error, output[-300:])
    check_form(output, where)
    order = [event['attempt'] for event in got if event['event'] == 'result']
    names = {id(made): name for made, name in zip(session.attempts, order)}
    return compare(expected, got, names, where) and drive.same(len(set(order)), len(order), where, 'attempts twice')


def check_store(place, session, output, where):
    """The log, row by row, in the order of the oracle's."""
    results = [event['attempt'] for event in drive.json_lines(output) if event['event'] == 'result']
    if not session.log:
        return
    stored = place.rows('SELECT * FROM session')
    drive.same(len(stored), 1, where, 'one session')
    head = stored[0]
    drive.same((head['kind'], head['origin'], head['seed']), ('practice', 'jsonl', session.seed), where, 'session row')
    meta = place.rows('SELECT * FROM meta')[0]
    log = [(row['seq'], 'attempt', row) for row in place.rows('SELECT * FROM attempt')]
    log += [(row['seq'], row['kind'], row) for row in place.rows('SELECT * FROM event')]
    log.sort(key=lambda entry: entry[0])
    if not drive.same([entry[1] for entry in log], [entry[0] for entry in session.log], where, 'order of the log'):
        return
    drive.check(head['seq'] < log[0][0], where, 'the session comes before what happened in it')
    names = {id(made): name for made, name in zip(session.attempts, results)}
    for (_, kind, row), (_, item, made, text) in zip(log, session.log):
        drive.same((row['session_id'], row['learner_id'], row['device_id']),
                   (head['session_id'], head['learner_id'], meta['device_id']), where, kind)
        drive.check(row['utc_offset_s'] == 0, where, 'offset')
        if kind == 'attempt':
            check_attempt(place, row, item, made, names, where)
        elif kind == 'undone':
            drive.same(drive.uuid_text(row['attempt_id']), names[id(made)], where, 'undone attempt')
        elif kind in ('starred', 'suspended'):
            drive.same(json.loads(row['body']), {'question': [item.pack['id'], item.question['id']], 'on': text}, where,
                       kind)
        elif kind == 'reported' and text:
            drive.holds(json.dumps(json.loads(row['body']), ensure_ascii=False), text, where, 'report')


def check_attempt(place, row, item, made, names, where):
    question, pack = item.question, item.pack
    drive.same(drive.uuid_text(row['attempt_id']), names[id(made)], where, 'attempt identifier')
    # a true/false question has one order: whether it is written down is the program's choice
    shown = None if row['shown'] is None else json.loads(row['shown'])
    if made["shown"] or shown != {}:
        drive.same(shown, made['shown'] or None, where, 'shown')
    response = None if row['response'] is None else json.loads(row['response'])
    drive.check(type(response) is type(made['response']) and response == made['response'], where, 'response',
                made['response'], row['response'])
    for key in ('outcome', 'showing', 'hints', 'seed', 'retried'):
        drive.same(row[key], made[key], where, key, question['id'])
    for key in ('mark', 'marks'):
        drive.check(abs(row[key] - made[key]) < 1e-9, where, key, made[key], row[key])
    drive.same((row['pack_id'], row['question_id'], row['origin'], row['certainty']),
               (pack['id'], question['id'], 'jsonl', made['certainty']), where, 'names')
    if oracle.kind(question) not in ('number', 'match'):
        drive.same(row['revision'], oracle.revision(pack, question), where, 'revision', question)
    drive.check(row['elapsed_ms'] is not None and 0 <= row['elapsed_ms'] < 60000, where, 'elapsed', row['elapsed_ms'])
    drive.check(row['answered_at'] > 1.6e12, where, 'answered at')
    texts = place.rows('SELECT * FROM question_text WHERE content = ?', row['content'])
    if drive.same(len(texts), 1, where, 'question_text'):
        body = json.dumps(json.loads(texts[0]['body']), ensure_ascii=False)
        told = made['now'].choices + made['now'].targets if oracle.kind(question) != 'true-false' else []
        for text in told + [made['now'].text(question['prompt']), made['now'].text(question['explanation'])]:
            drive.holds(body, json.dumps(text, ensure_ascii=False)[1:-1], where, 'text kept')
        drive.same((texts[0]['pack_id'], texts[0]['question_id'], texts[0]['revision']),
                   (pack['id'], question['id'], row['revision']), where, 'question_text names')


def one(k):
    r = random.Random(k)
    packs = [make_pack(r, 'pack-%d' % i) for i in range(r.choice((1, 1, 1, 2, 3)))]
    seed = r.choice((1, 2, 3, 42, 4294967295, 4294967294, r.randint(2, 4294967295)))
    options = {}
    if r.random() < 0.2:
        options['limit'] = r.randint(1, 10)
    if r.random() < 0.1:
        options['tag'] = 'one'
    if r.random() < 0.4:
        options['certainty'] = True
    script = Script(r, packs, seed, **options)
    where = 'session %d:' % k
    with drive.Place() as place:
        names = [place.write('content/%s.yaml' % pack['id'], oracle.pack_yaml(pack)) for pack in packs]
        arguments = ['practise', '--jsonl', '--learner', 'Ana']
        chosen = arguments + ['--mode', 'all', '--seed', str(seed)]
        for key, value in options.items():
            chosen += ['--' + key] + ([] if value is True else [str(value)])
        if options.get('certainty'):
            arguments = arguments + ['--certainty']
        if r.random() < 0.5:
            names = [pack['id'] for pack in packs]
        text = ''.join(line + '\n' for line in script.lines)
        if text and r.random() < 0.2 and script.lines[-1]:
            text = text[:-1]   # the last line without its end
        cut = r.randint(0, len(script.lines)) if r.random() < 0.5 else None
        if cut is not None and resumable(script, cut):
            resumed(place, script, chosen + names, arguments + ['--resume'] + names, cut, where)
            return
        status, output, errors = place.run(*chosen, *names, input=text)
        drive.same((status, 'Traceback' in errors), (0, False), where, 'status', errors)
        if check_events(script.session, script.flat(), output, where):
            check_store(place, script.session, output, where)


def resumable(script, cut):
    """Whether something is stored by then, and something of the plan is left."""
    early = script.until(cut)
    return bool(early.log) and not early.over and not all(item.standing for item in early.plan)


def resumed(place, script, first, second, cut, where):
    """The session in two parts: the second prints what one that was never cut would have."""
    replay = script.replay(cut)
    status, output, errors = place.run(*first, input=''.join(line + '\n' for line in script.lines[:cut]))
    drive.same(status, 0, where, 'first part', errors)
    rest = ''.join(line + '\n' for line in script.lines[cut:])
    status, more, errors = place.run(*second, input=rest)
    drive.same(status, 0, where, 'second part', errors)
    one_session = {event['session'] for event in drive.json_lines(output + more) if event['event'] == 'session'}
    drive.same(len(one_session), 1, where, 'the same session', second)
    if check_events(replay, replay.both, output + more, where + ' cut at %d:' % cut):
        check_store(place, replay, output + more, where + ' cut at %d:' % cut)


def main():
    count = drive.slice_of(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for k in range(first, first + count):
        one(k)
    drive.finish()


if __name__ == '__main__':
    main()
