"""A second opinion on learning: what is remembered of a question, when it is due, and what a day's plan is.

Written from the contracts alone (FSRS-6 as published, with ts-fsrs 5.4.2 where implementations differ; the manual page
quiztutor-learning(7); the headers fsrs.h, grade.h, schedule.h, queue.h, exam.h and key_change.h), without a look at the
program, so that the two can be held against each other. A schedule is a fold over the answers that count, in the order
of the log, which is read here straight from the store's tables.
"""
import json
import math

import kinds
import oracle

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
NEW, LEARNING, REVIEW, RELEARNING = 0, 1, 2, 3
MINUTE = 60000
DAY = 86400000
LONGEST = 36500
QUEUE_MOST = 200
MASTERED = 21

WEIGHTS = (0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
           1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542)


# ---- FSRS-6 --------------------------------------------------------------------------------------------------------

def clamp(value, low, high):
    return min(max(value, low), high)


def half_up(value):
    return math.floor(value + 0.5)


class Memory:
    """The formulas, under one set of 21 weights."""

    def __init__(self, weights=WEIGHTS):
        self.w = w = tuple(weights)
        self.factor = math.pow(0.9, -1 / w[20]) - 1

    def recall(self, days, stability):
        return math.pow(1 + self.factor * days / stability, -self.w[20])

    def interval(self, stability, retention):
        days = stability / self.factor * (math.pow(retention, -1 / self.w[20]) - 1)
        return int(clamp(half_up(days), 1, LONGEST))

    def easiness(self, grade):
        return self.w[4] - math.exp(self.w[5] * (grade - 1)) + 1

    def first(self, grade):
        return max(self.w[grade - 1], 0.001), clamp(self.easiness(grade), 1, 10)

    def next(self, stability, difficulty, grade, days):
        w = self.w
        if days == 0:
            growth = math.exp(w[17] * (grade - 3 + w[18])) * math.pow(stability, -w[19])
            if grade >= HARD:
                growth = max(growth, 1)
            then = clamp(stability * growth, 0.001, LONGEST)
        elif grade == AGAIN:
            recall = self.recall(days, stability)
            forgotten = (w[11] * math.pow(difficulty, -w[12]) * (math.pow(stability + 1, w[13]) - 1) *
                         math.exp(w[14] * (1 - recall)))
            # never more than is left of the stability by one failure on the same day
            then = min(clamp(forgotten, 0.001, LONGEST), max(stability / math.exp(w[17] * w[18]), 0.001))
        else:
            recall = self.recall(days, stability)
            growth = (math.exp(w[8]) * (11 - difficulty) * math.pow(stability, -w[9]) *
                      (math.exp(w[10] * (1 - recall)) - 1))
            growth *= w[15] if grade == HARD else w[16] if grade == EASY else 1
            then = clamp(stability * (1 + growth), 0.001, LONGEST)
        moved = difficulty - w[6] * (grade - 3) * (10 - difficulty) / 9
        return then, clamp(w[7] * self.easiness(EASY) + (1 - w[7]) * moved, 1, 10)


def fuzz_range(interval, elapsed):
    """The whole days an interval may be drawn from, both included."""
    width = 1.0
    for start, end, share in ((2.5, 7, 0.15), (7, 20, 0.1), (20, math.inf, 0.05)):
        width += share * max(min(interval, end) - start, 0)
    most = min(half_up(interval + width), LONGEST)
    least = max(2, half_up(interval - width))
    if interval > elapsed:
        least = max(least, elapsed + 1)
    return min(least, most), most


def fuzz_draw(pack, question, seed):
    return (oracle.Stream(pack, 'fuzz:' + question, seed).next() >> 11) * 2.0 ** -53


# ---- days and grades -------------------------------------------------------------------------------------------------

def local_day(at, offset, starts=240):
    return (at + offset * 1000 - starts * MINUTE) // DAY


def grade_of(outcome, certainty, first_showing, helped):
    if outcome == 'omitted':
        return 0
    if outcome == 'wrong':
        return AGAIN
    if outcome == 'partly' or helped or certainty == 1:
        return HARD
    return EASY if certainty == 3 and first_showing else GOOD


def certainty_mark(outcome, share, certainty):
    if outcome == 'omitted' or not certainty:
        return 0.0
    right, wrong = (1, 2, 3)[certainty - 1], (0, -2, -6)[certainty - 1]
    return wrong + (right - wrong) * share


def guess_of(question):
    kind = oracle.kind(question)
    if kind == 'true-false':
        return 1 / 2
    if kind == 'order':
        return 1 / math.factorial(len(question['order']))
    if kind == 'match':
        return len(kinds.rights(question)) ** -len(question['match'])
    if kinds.kind(question):
        return 0
    return 1 / len(question['choices']) if kind == 'single-choice' else 1 / (2 ** len(question['choices']) - 1)


# ---- the schedule of one question --------------------------------------------------------------------------------------

class Rules:
    def __init__(self, memory=None, retention=0.9, starts=240, fuzz=True):
        self.memory, self.retention, self.starts, self.fuzz = memory or Memory(), retention, starts, fuzz


class Schedule:
    def __init__(self):
        self.phase, self.step, self.stability, self.difficulty = NEW, 0, 0.0, 0.0
        self.answers = self.lapses = self.run = 0
        self.run_day = None
        self.last_at = self.last_day = self.due_day = self.due_at = self.interval = 0

    def answer(self, rules, grade, at, offset, draw):
        if not grade:
            return
        day = local_day(at, offset, rules.starts)
        elapsed = 0
        before = self.phase
        if before == NEW:
            self.stability, self.difficulty = rules.memory.first(grade)
        else:
            day = max(day, self.last_day)
            elapsed = day - self.last_day
            held = self.stability, self.difficulty
            self.stability, self.difficulty = rules.memory.next(*held, grade, elapsed)
        minutes = self.steps(grade)
        if minutes:
            self.interval, self.due_at = 0, at + minutes * MINUTE
            self.due_day = max(local_day(self.due_at, offset, rules.starts), day)
        else:
            self.step, self.phase, self.due_at = 0, REVIEW, 0
            if before == REVIEW:
                self.interval = self.apart(rules, held, grade, elapsed, draw)
            else:
                self.interval = self.days(rules, self.stability, elapsed, draw)
            self.due_day = day + self.interval
        if grade == AGAIN:
            self.lapses += before == REVIEW
            self.run, self.run_day = 0, None
        elif grade >= GOOD and self.run_day != day:
            self.run, self.run_day = self.run + 1, day
        self.answers += 1
        self.last_at, self.last_day = at, day

    def steps(self, grade):
        """Minutes of the step that this answer leads to, None where it leads out of the steps."""
        if self.phase == REVIEW:
            if grade != AGAIN:
                return None
            self.phase, self.step = RELEARNING, 0
            return 10
        if self.phase == RELEARNING:
            return {AGAIN: 10, HARD: 15}.get(grade)
        self.phase = LEARNING
        if grade == AGAIN:
            self.step = 0
            return 1
        if grade == HARD:
            return 6  # half way between 1 and 10
        if grade == GOOD and self.step == 0:
            self.step = 1
            return 10
        return None

    @staticmethod
    def days(rules, stability, elapsed, draw):
        interval = rules.memory.interval(stability, rules.retention)
        if not rules.fuzz or interval < 2.5:
            return interval
        least, most = fuzz_range(interval, elapsed)
        return math.floor(draw * (most - least + 1) + least)

    def apart(self, rules, held, grade, elapsed, draw):
        """In review Hard, Good and Easy are kept apart: no later than Good, then at least a day after each other."""
        hard, good, easy = (self.days(rules, rules.memory.next(*held, other, elapsed)[0], elapsed, draw)
                            for other in (HARD, GOOD, EASY))
        hard = min(hard, good)
        good = max(good, hard + 1)
        easy = max(easy, good + 1)
        return {HARD: hard, GOOD: good, EASY: easy}[grade]

    def recall(self, memory, today):
        if self.phase == NEW:
            return 0.0
        return memory.recall(max(0, today - self.last_day), self.stability)

    def due(self, now, today):
        if self.phase == NEW or today < self.due_day:
            return False
        return not self.due_at or now >= self.due_at or today > self.due_day

    def mastered(self, guess):
        return self.phase == REVIEW and self.stability >= MASTERED and self.run >= 1 and guess ** self.run <= 0.05


def trace(history, weights=WEIGHTS, retention=0.9):
    """What `schedule trace` prints of [(grade, whole days since the last)], its first days passed over."""
    memory = Memory(weights)
    rules = Rules(memory, retention, 0, fuzz=False)
    schedule, at, out = Schedule(), 0, []
    for i, (grade, days) in enumerate(history):
        at += (days if i else 0) * DAY
        recall = memory.recall(days, schedule.stability) if i else None
        schedule.answer(rules, grade, at, 0, 0.0)
        out.append({'stability': schedule.stability, 'difficulty': schedule.difficulty, 'retrievability': recall,
                    'interval': schedule.interval})
    return out


# ---- keys ------------------------------------------------------------------------------------------------------------

def key_of(body):
    """What decides whether an answer is right, from a question as the store keeps it. Of the newer types only that
    it is one: nothing here overturns them, and other values of a parametrised question never do."""
    body = json.loads(body) if isinstance(body, (str, bytes)) else body
    if body['type'] in kinds.NEW:
        return body['type'], None
    if body['type'] == 'true-false':
        return body['type'], body['truth']
    return body['type'], {choice.get('id') or choice['text']: choice['correct'] for choice in body['choices']}


def overturned(old, now):
    """A text that stands in both keys is right in one and wrong in the other, or the truth has changed."""
    if old[0] != now[0]:
        return True
    if not isinstance(old[1], dict):
        return old[1] != now[1]
    return any(old[1][text] != now[1][text] for text in old[1] if text in now[1])


# ---- the log -----------------------------------------------------------------------------------------------------------

class Known:
    """All that one learner's log says of one question."""

    def __init__(self):
        self.schedule = Schedule()
        self.revision, self.content, self.outcome = '', None, ''
        self.answered_at = self.counted = self.right = self.last_seq = 0
        self.first_at = None
        self.times = []  # of answers that count
        self.starred = self.suspended = False


def read_log(connection):
    """Rows of the log, as dictionaries, in its order, with what was taken back."""
    def rows(query):
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]

    log = rows('SELECT * FROM attempt')
    for attempt in log:
        attempt['kind'] = 'attempt'
    log += rows('SELECT * FROM event')
    log.sort(key=lambda row: row['seq'])
    texts = {row['content']: key_of(row['body']) for row in rows('SELECT content, body FROM question_text')}
    sessions = {row['session_id']: row for row in rows('SELECT * FROM session')}
    return log, texts, sessions


def learn(connection, rules_of, log=None):
    """Folds the log: {(learner, pack, question): Known}. rules_of(learner, pack) are the rules."""
    log, texts, sessions = log or read_log(connection)
    undone = {row['attempt_id'] for row in log if row['kind'] == 'undone'}
    taken_back = set()  # (session, pack, question) of what was taken back before the row that is read
    attempts = {row['attempt_id']: row for row in log if row['kind'] == 'attempt'}
    known = {}
    for row in log:
        if row['kind'] == 'undone':
            attempt = attempts[row['attempt_id']]
            taken_back.add((attempt['session_id'], attempt['pack_id'], attempt['question_id']))
            continue
        if row['kind'] in ('starred', 'suspended'):
            body = json.loads(row['body'])
            learner = row['learner_id'] or sessions[row['session_id']]['learner_id']
            one = known.setdefault((learner, *body['question']), Known())
            setattr(one, row['kind'], bool(body['on']))
            continue
        if row['kind'] != 'attempt' or row['attempt_id'] in undone:
            continue
        key = row['learner_id'], row['pack_id'], row['question_id']
        one = known.setdefault(key, Known())
        if one.content is not None and one.content != row['content'] and overturned(
                texts[one.content], texts[row['content']]):
            one.schedule = Schedule()
        helped = row['hints'] > 0 or row['retried'] or (row['session_id'], row['pack_id'], row['question_id']) in taken_back
        first = row['showing'] == 1 and (one.schedule.phase == NEW or one.schedule.last_day < local_day(
            row['answered_at'], row['utc_offset_s'], rules_of(row['learner_id'], row['pack_id']).starts))
        grade = grade_of(row['outcome'], row['certainty'] or 0, first, helped)
        if texts[row['content']][0] == 'recall' and grade:  # learners grade their cards
            grade = min(int(row['response']), HARD if helped else EASY)
        one.schedule.answer(rules_of(row['learner_id'], row['pack_id']), grade, row['answered_at'],
                            row['utc_offset_s'], fuzz_draw(row['pack_id'], row['question_id'], row['seed']))
        one.revision, one.content, one.outcome = row['revision'], row['content'], row['outcome']
        one.answered_at, one.last_seq = row['answered_at'], row['seq']
        one.counted += 1
        one.right += row['outcome'] == 'right'
        one.times.append(row['answered_at'])
    return {key: one for key, one in known.items() if one.counted or one.starred or one.suspended}


# ---- the plan of a session -----------------------------------------------------------------------------------------------

def day_began(now, offset, starts):
    """The moment at which the local day of `now` began."""
    return local_day(now, offset, starts) * DAY + starts * MINUTE - offset * 1000


def apart_least(topics):
    """The fewest places at which a topic must follow itself, in the best order of them."""
    most = max((topics.count(topic) for topic in set(topics)), default=0)
    return max(0, 2 * most - len(topics) - 1)


def queue_order(items):
    """[(recall, place, topic, …)] in the order asked: what is likeliest forgotten first, but no topic twice in a row
    while another can go between and the rest can still be kept apart as well as at all possible."""
    left, order = sorted(items, key=lambda item: (item[0], item[1])), []
    while left:
        last = order[-1][2] if order else None
        count = {}
        for item in left:
            count[item[2]] = count.get(item[2], 0) + 1
        best, tried = None, set()
        for item in left:
            topic = item[2]
            if topic in tried:
                continue
            tried.add(topic)
            count[topic] -= 1
            # the fewest repeats among the rest, where this topic stands before them
            size = len(left) - 1
            rest = max(2 * max(count.values()) - size - 1, 2 * count[topic] - size, 0)
            count[topic] += 1
            cost = (topic == last) + rest, topic == last
            if best is None or cost < best[0]:
                best = cost, item
        order.append(best[1])
        left.remove(best[1])
    return order


class Plan:
    """What a session under --mode due asks: `first` (keys overturned), then `due` in a queue's order, then `fresh`."""

    def __init__(self, packs, seed, known, now, offset, starts, rules_of, new_per_day, limit=None, tag=None):
        today, began = local_day(now, offset, starts), day_began(now, offset, starts)
        learner = {key: one for key, one in known.items()}
        started = sum(1 for one in learner.values() if one.times and one.times[0] >= began)
        reviewed = sum(1 for one in learner.values()
                       if one.times and max(one.times) >= began and min(one.times) < began)
        order = [(pack, question) for pack in packs for question in oracle.question_order(pack, seed)
                 if tag is None or tag in question.get('tags', [])]
        self.first, due, fresh = [], [], []
        for place, (pack, question) in enumerate(order):
            key = pack['id'], question['id']
            one = learner.get(key)
            if one is not None and one.suspended:
                continue
            if one is None or not one.counted:
                fresh.append(key)
                continue
            if one.content is not None and overturned(one.key, key_now(question)):
                self.first.append(key)
                continue
            if one.schedule.phase == NEW:  # what was only ever left out
                fresh.append(key)
                continue
            schedule = one.schedule
            if schedule.due(now, today):
                topic = question['tags'][0] if question.get('tags') else pack['id']
                recall = schedule.recall(rules_of(pack['id']).memory, today)
                due.append(((schedule.due_day, schedule.due_at, place), (recall, place, topic, key)))
        due.sort()
        fresh_all = len(fresh)
        self.all_due = [entry[1][3] for entry in due]
        self.all_first, overturned_all = self.first, len(self.first)
        if limit is None:
            # what was overturned counts in the measure too
            due = due[:max(0, QUEUE_MOST - reviewed - len(self.first))]
            fresh = fresh[:max(0, new_per_day - started)]
        else:
            self.first = self.first[:limit]
            due = due[:limit - len(self.first)]
            fresh = fresh[:limit - len(self.first) - len(due)]
        self.waiting = overturned_all + len(self.all_due) - len(self.first) - len(due)
        self.new_waiting = fresh_all - len(fresh)
        self.items = [entry[1] for entry in due]
        self.due = [item[3] for item in queue_order(self.items)]
        self.fresh = fresh


def until(packs, seed, known, today, day, rules_of, new_per_day):
    """What --until says: a session a day until then, every answer right, without fuzz."""
    out = {'days': max(1, day - today)}
    schedules, fresh = [], []
    for pack in packs:
        for question in oracle.question_order(pack, seed):
            one = known.get((pack['id'], question['id']))
            if one is not None and one.suspended:
                continue
            rules = rules_of(pack['id'])
            plain = Rules(rules.memory, rules.retention, rules.starts, fuzz=False)
            held = Schedule()
            if one is not None and not (one.counted and overturned(one.key, key_now(question))):
                held.__dict__.update(one.schedule.__dict__)
            (fresh if held.phase == NEW else schedules).append((held, plain))
    out['questions'] = len(schedules) + len(fresh)
    out['new_a_day'] = min(new_per_day, -(-10 * len(fresh) // max(10, 7 * out['days'])))
    out['needed_a_day'] = math.ceil(len(fresh) / out['days'])
    out['reached'] = len(schedules) + min(len(fresh), out['new_a_day'] * out['days'])
    for then in range(today, day):
        noon = then * DAY
        for held, rules in schedules:
            if held.due_day <= then:
                held.answer(Rules(rules.memory, rules.retention, 0, False), GOOD, noon, 0, 0.0)
        for held, rules in fresh[:out['new_a_day']]:
            held.answer(Rules(rules.memory, rules.retention, 0, False), GOOD, noon, 0, 0.0)
            schedules.append((held, rules))
        fresh = fresh[out['new_a_day']:]
    out['remembered'] = sum(held.recall(rules.memory, day) for held, rules in schedules)
    return out


def key_now(question):
    kind = oracle.kind(question)
    if kind in kinds.NEW:
        return kind, None
    if kind == 'true-false':
        return kind, question['true_false']
    return kind, {choice.get('id') or choice['text']: choice['right'] for choice in question['choices']}
