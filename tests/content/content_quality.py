#!/usr/bin/env python3
"""Quality of shipped packs: what a pack checker can't refuse but a good pack should not have.

usage: content_quality.py [--min N] PACK.yaml...

Prints one line a fault and ends with status 1, or prints one summary line and ends with 0.
Needs only Python 3 and python3-yaml.

The statistical checks compare a pack with an author who has no habits, first over single choice alone, then over all
choices questions:
  - longest: a choice longer than all others is right with chance right/all. Faults are a count above that chance, a
    count whose exact upper tail (over questions with different numbers of choices) is below 5%, and, over the questions
    that have such a choice, a count whose lower tail is: "never the longest" is a give-away too;
  - shortest: the two tails, likewise;
  - places: chi-square over the places of the right choices in the author's order. Its p-value comes from drawing the
    right places at random (with a fixed seed), so it holds for short packs too.
"""

import argparse
import random
import sys
import unicodedata

import yaml

MIN_QUESTIONS = 30
MAX_FIGURE = 76
LEVEL = 0.05
DRAWS = 20000
MAX_DEPTH = 16


def same(text):
    """The form in which two texts are compared: NFC, each run of white space one space."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def length(text):
    """Characters as a reader sees them: combining marks don't count."""
    return sum(1 for c in same(text) if not unicodedata.combining(c))


def columns(line):
    """Terminal columns of a line of a figure."""
    total = 0
    for c in line:
        if unicodedata.combining(c):
            continue
        total += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return total


def upper_tail(chances, count):
    """P(at least count successes) of independent trials with these chances."""
    spread = [1.0]
    for p in chances:
        after = [0.0] * (len(spread) + 1)
        for k, mass in enumerate(spread):
            after[k] += mass * (1 - p)
            after[k + 1] += mass * p
        spread = after
    return min(1.0, sum(spread[count:]))


def plain_yaml(source):
    """Faults of form: anchors, aliases, tags, directives, a second document, duplicate keys."""
    faults = []
    documents = 0
    for event in yaml.parse(source, Loader=yaml.BaseLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                faults.append((line, "second document"))
            if event.version or event.tags:
                faults.append((line, "directive"))
        elif isinstance(event, yaml.AliasEvent):
            faults.append((line, "alias *%s" % event.anchor))
        else:
            if getattr(event, "anchor", None):
                faults.append((line, "anchor &%s" % event.anchor))
            if getattr(event, "tag", None):
                faults.append((line, "tag %s" % event.tag))
    if faults:
        return faults

    def walk(node, depth):
        if depth > MAX_DEPTH:
            faults.append((node.start_mark.line + 1, "nested deeper than %d" % MAX_DEPTH))
        elif isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                line = key.start_mark.line + 1
                if not isinstance(key, yaml.ScalarNode):
                    faults.append((line, "key that is no text"))
                elif key.value == "<<" or key.value in keys:
                    faults.append((line, "key %s" % (key.value if key.value == "<<" else key.value + " twice")))
                else:
                    keys.add(key.value)
                walk(value, depth + 1)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                walk(item, depth + 1)

    walk(yaml.compose(source, Loader=yaml.BaseLoader), 1)
    return faults


def questions_of(pack):
    """Questions in order, those of sections too."""
    if "sections" in pack:
        return [q for section in pack["sections"] for q in section.get("questions", [])]
    return pack.get("questions", [])


def choices_of(question):
    """[(text, right, has feedback)] in the author's order."""
    listed = []
    for choice in question["choices"]:
        if isinstance(choice, str):
            listed.append((choice, False, False))
        else:
            right = "correct" in choice
            text = choice["correct"] if right else choice.get("wrong", "")
            listed.append((text, right, bool(choice.get("feedback", "").strip())))
    return listed


def length_faults(marked, pick, word, kind):
    """The right choice is strictly the longest (pick is max) or shortest (min) too often or too seldom."""
    hits = 0
    chances = []
    distinct = []
    for listed in marked:
        lengths = [length(text) for text, _, _ in listed]
        extreme = pick(lengths)
        chance = sum(right for _, right, _ in listed) / len(listed)
        chances.append(chance)
        if lengths.count(extreme) == 1:
            distinct.append(chance)
            hits += listed[lengths.index(extreme)][1]
    expected = sum(chances)
    told = "%s: a right choice is the %s in %d of %d" % (kind, word, hits, len(marked))
    above = upper_tail(chances, hits)
    below = 1 - upper_tail(distinct, hits + 1)
    if above < LEVEL or (word == "longest" and hits > expected):
        return ["%s, by chance %.1f (p = %.3f)" % (told, expected, above)]
    if below < LEVEL:
        return ["%s, by chance %.1f of the %d that have one (p = %.3f)" % (told, sum(distinct), len(distinct), below)]
    return []


def place_faults(marked, kind):
    """Right choices crowd at some places of the author's order."""
    shapes = [(len(listed), sum(right for _, right, _ in listed)) for listed in marked]
    places = max(n for n, _ in shapes)
    expected = [sum(r / n for n, r in shapes if n > k) for k in range(places)]

    def statistic(counts):
        return sum((c - e) ** 2 / e for c, e in zip(counts, expected))

    counts = [sum(1 for listed in marked if k < len(listed) and listed[k][1]) for k in range(places)]
    found = statistic(counts)
    draw = random.Random(1)
    as_far = 0
    for _ in range(DRAWS):
        drawn = [0] * places
        for n, r in shapes:
            for k in draw.sample(range(n), r):
                drawn[k] += 1
        as_far += statistic(drawn) >= found - 1e-9
    p = (as_far + 1) / (DRAWS + 1)
    if p >= LEVEL:
        return []
    seen = ", ".join("%d: %d (%.1f)" % (k + 1, c, e) for k, (c, e) in enumerate(zip(counts, expected)))
    return ["%s: right choices by place, expected in brackets: %s (p = %.3f)" % (kind, seen, p)]


def question_faults(q):
    faults = []
    for field in ("explanation", "source"):
        if not str(q.get(field, "")).strip():
            faults.append("no %s" % field)
    if not q.get("tags") or not all(isinstance(t, str) and t.strip() for t in q["tags"]):
        faults.append("no tags")
    prompt = q.get("prompt", "").rstrip()
    if not prompt.endswith(("?", ".", ":")):
        faults.append("prompt does not end in ? or . or :")
    for field in ("figure", "explanation_figure"):
        for number, line in enumerate(q.get(field, "").split("\n"), 1):
            if columns(line) > MAX_FIGURE:
                faults.append("%s line %d has %d columns, more than %d" % (field, number, columns(line), MAX_FIGURE))
    if "choices" in q:
        listed = choices_of(q)
        texts = [same(text) for text, _, _ in listed]
        for text in sorted({t for t in texts if texts.count(t) > 1}):
            faults.append("two choices are the same: %s" % text)
        if not any(right for _, right, _ in listed):
            faults.append("no choice is correct")
        if not any(told for _, right, told in listed if not right):
            faults.append("no feedback on any wrong choice")
    elif "true_false" in q and not q.get("feedback", "").strip():
        faults.append("no feedback on the wrong answer")
    return faults


def pack_faults(path, minimum):
    """(faults, questions) of one pack file."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            source = file.read()
        faults = ["%s:%d: %s" % (path, line, text) for line, text in plain_yaml(source)]
        if faults:
            return faults, []
        pack = yaml.load(source, Loader=yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        return ["%s: %s" % (path, " ".join(str(error).split()))], []
    try:
        return examined(path, questions_of(pack), faults, minimum)
    except (AttributeError, KeyError, TypeError):
        return ["%s: no pack of the right form; see what 'quiztutor check' says" % path], []


def examined(path, questions, faults, minimum):
    if len(questions) < minimum:
        faults.append("%s: %d questions, fewer than %d" % (path, len(questions), minimum))
    ids = {}
    prompts = {}
    for number, q in enumerate(questions, 1):
        name = q.get("id", "question %d" % number)
        faults += ["%s: %s: %s" % (path, name, text) for text in question_faults(q)]
        if name in ids:
            faults.append("%s: %s: id used twice" % (path, name))
        ids[name] = number
        prompt = same(q.get("prompt", ""))
        if prompt in prompts:
            faults.append("%s: %s: same prompt as %s" % (path, name, prompts[prompt]))
        prompts.setdefault(prompt, name)

    every = [choices_of(q) for q in questions if "choices" in q]
    every = [listed for listed in every if any(right for _, right, _ in listed)]
    single = [listed for listed in every if sum(right for _, right, _ in listed) == 1]
    for kind, marked in (("single choice", single), ("all choices", every)):
        if not marked:
            continue
        found = length_faults(marked, max, "longest", kind) + length_faults(marked, min, "shortest", kind)
        found += place_faults(marked, kind)
        faults += ["%s: %s" % (path, text) for text in found]
        if found or len(every) == len(single):
            break  # the second pool would say the same
    return faults, questions


def main():
    parser = argparse.ArgumentParser(description="Checks the quality of quiz packs.")
    parser.add_argument("--min", type=int, default=MIN_QUESTIONS, metavar="N", help="fewest questions a pack (default %(default)s)")
    parser.add_argument("packs", nargs="+", metavar="PACK")
    arguments = parser.parse_args()
    bad = False
    total = 0
    for path in arguments.packs:
        faults, questions = pack_faults(path, arguments.min)
        for fault in faults:
            print(fault)
        bad = bad or bool(faults)
        total += len(questions)
    if bad:
        return 1
    files = len(arguments.packs)
    print("%d pack%s, %d questions: no faults" % (files, "" if files == 1 else "s", total))
    return 0


if __name__ == "__main__":
    sys.exit(main())
