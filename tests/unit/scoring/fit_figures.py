#!/usr/bin/env python3
"""Histories with the figures that fit_measure must find for them, as a C header: FSRS-6 and the figures once more,
written from their published formulas, in the plainest way (the area pair by pair)."""
import math
import random

DEFAULTS = [0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614,
            0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542]
OTHERS = [0.9, 1.5, 4.0, 20.0, 5.0, 0.6, 2.0, 0.05, 1.2, 0.3, 1.5, 1.1, 0.1, 0.4, 1.2, 0.3, 2.5, 0.8, 0.3, 0.2, 0.4]


def clamp(value, low, high):
    return min(max(value, low), high)


def retrievability(w, t, s):
    factor = 0.9 ** (-1 / w[20]) - 1
    return (1 + factor * t / s) ** -w[20]


def step(w, memory, grade, t):
    if memory is None:
        return max(w[grade - 1], 0.001), clamp(w[4] - math.exp(w[5] * (grade - 1)) + 1, 1, 10)
    s, d = memory
    if t == 0:
        rise = math.exp(w[17] * (grade - 3 + w[18])) * s ** -w[19]
        new = s * (max(rise, 1) if grade >= 2 else rise)
    elif grade == 1:
        lapse = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * math.exp((1 - retrievability(w, t, s)) * w[14])
        new = min(lapse, s / math.exp(w[17] * w[18]))
    else:
        new = s * (1 + math.exp(w[8]) * (11 - d) * s ** -w[9]
                   * (math.exp((1 - retrievability(w, t, s)) * w[10]) - 1)
                   * {2: w[15], 3: 1, 4: w[16]}[grade])
    moved = d - w[6] * (grade - 3) * (10 - d) / 9
    return clamp(new, 0.001, 36500), clamp(w[7] * (w[4] - math.exp(3 * w[5]) + 1) + (1 - w[7]) * moved, 1, 10)


def figures(w, histories, since, until):
    bins, pairs = {}, []
    for answers in histories:
        memory, number, lapses = None, 1, 0
        for grade, days, at in answers:
            if memory is not None and days > 0:
                number += 1
                if since <= at < until:
                    chance = retrievability(w, days, memory[0])
                    key = (math.floor(math.log(days, 3.62)), math.floor(math.log(number, 1.89)),
                           math.floor(math.log(lapses, 1.73)) if lapses else None)
                    bins.setdefault(key, []).append((chance, grade > 1))
                    pairs.append((chance, grade > 1))
                lapses += grade == 1
            memory = step(w, memory, grade, days)
    loss = -sum(math.log(chance if right else 1 - chance) for chance, right in pairs) / len(pairs)
    square = sum(sum(chance - right for chance, right in group) ** 2 / len(group) for group in bins.values())
    recalled = [chance for chance, right in pairs if right]
    forgotten = [chance for chance, right in pairs if not right]
    above = sum((r > f) + (r == f) / 2 for r in recalled for f in forgotten)
    return len(pairs), loss, math.sqrt(square / len(pairs)), above / len(recalled) / len(forgotten)


def main():
    draw = random.Random(6)
    histories = []
    for _ in range(80):
        at, answers = draw.randrange(10 ** 9), []
        for i in range(draw.randrange(1, 25)):
            days = 0 if i == 0 or draw.random() < 0.25 else int(draw.expovariate(0.03)) + 1
            at += days * 86400000 + draw.randrange(1000, 60000)
            answers.append((draw.choice([1, 1, 2, 3, 3, 3, 4]), days, at))
        histories.append(answers)
    print('static const struct fit_answer golden_answers[] = {')
    for answers in histories:
        print('    ' + ' '.join('{ %d, %d, %d },' % answer for answer in answers))
    print('};\nstatic const int golden_counts[] = { %s };' % ', '.join(str(len(a)) for a in histories))
    print('static const struct {\n    double weights[21];\n    int64_t since, until, answers;\n    double log_loss, '
          'rmse_bins, auc;\n} golden_figures[] = {')
    middle = sorted(at for answers in histories for _, _, at in answers)[400]
    for weights in DEFAULTS, OTHERS:
        for since, until in (0, 2 ** 62), (0, middle), (middle, 2 ** 62):
            found = figures(weights, histories, since, until)
            print('    { { %s }, %d, %d, %d, %r, %r, %r },' % (
                ', '.join(map(repr, weights)), since, until, *found))
    print('};')


if __name__ == '__main__':
    main()
