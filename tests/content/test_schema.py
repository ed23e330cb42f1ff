"""test_schema.py ROOT: the JSON Schema of packs, against the packs of this checkout, by a validator of its own.

No good pack may be flagged. Of the bad ones of tests/fuzz/corpus/pack, those that its file `schema` lists must be
flagged, and no others: the list says which faults a schema can express. YAML is read as editors read it, by the core
schema of YAML 1.2: `title: 1.10` is a number there, `correct: null` is nothing.
"""

import json
import re
import sys
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

NULL = re.compile(r"~|null|Null|NULL|")
TRUTH = re.compile(r"true|True|TRUE|false|False|FALSE")
WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
BROKEN = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def scalar(node):
    text = node.value
    if node.style in ("'", '"', "|", ">"):
        return text
    if NULL.fullmatch(text):
        return None
    if TRUTH.fullmatch(text):
        return text.lower() == "true"
    if WHOLE.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if BROKEN.fullmatch(text):
        return float(text.replace(".", "", 1) if text.strip("-+.")[0] in "iInN" else text)
    return text


def value(node, known):
    """A node of YAML as JSON; an alias is the very value that it names, even one that it stands in."""
    if id(node) in known:
        return known[id(node)]
    if isinstance(node, yaml.ScalarNode):
        return scalar(node)
    if isinstance(node, yaml.SequenceNode):
        known[id(node)] = items = []
        items.extend(value(item, known) for item in node.value)
        return items
    known[id(node)] = members = {}
    for key, item in node.value:
        members[key.value if isinstance(key, yaml.ScalarNode) else "?"] = value(item, known)
    return members


MOST = 1000000


def size(node, known):
    """How many nodes come of one when each alias is written out; MOST where there is no end of them."""
    if id(node) not in known:
        known[id(node)] = 0  # an alias of what it stands in
        children = [] if isinstance(node, yaml.ScalarNode) else node.value
        items = [item for child in children for item in (child if isinstance(child, tuple) else (child,))]
        known[id(node)] = min(MOST, 1 + sum(size(item, known) for item in items))
    return known[id(node)]


def read(path):
    """The pack as an editor's validator sees it; None where editors say without a schema that the YAML is broken."""
    try:
        node = yaml.compose(path.read_bytes(), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError):
        return None
    if node is None or size(node, {}) == MOST:  # a bomb of aliases, which editors refuse
        return None
    return (value(node, {}),)


def faults(validator, path):
    document = read(path)
    return None if document is None else [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                                          for error in validator.iter_errors(document[0])]


# Types of the format that no pack of the checkout has yet, and texts that YAML takes for something else.
HEAD = "format: quiztutor/1\nid: p\ntitle: T\nquestions:\n- id: q\n  prompt: P?\n  explanation: E.\n"
GOOD = [
    "  number: 0.27", "  number: {answer: bubble, tolerance: 1%, unit: m, significant_figures: 3, wrong: [{value: '(p-1)/m', "
    "misconception: x, feedback: F}]}\n  given: {p: [2, 4, 8], m: {from: 8, to: 64, step: 8}}\n  derive: {bubble: '(p-1)/m'}",
    "  number: {answer: x, tolerance: 0.5}\n  given: {rows: [{p: 2, m: 8}, {p: 4, m: 8}]}",
    "  text: tensor", "  text: [a, 1.10, ~, true]", "  text: {accept: [a, b], ignore: [case, accents], feedback: {wrong one: F, 1: G}, "
    "wrong: [{value: c, feedback: F, misconception: m}]}",
    "  order: [one, two]\n  feedback: F\n  misconception: m\n  marking: net-correct", "  match: {a: b, 1: ~}\n  extra: [c]\n  marking: each-decision",
    "  recall: on", "  true_false: 'true'\n  feedback: F", "  choices: [Yes, 1.10, null, {correct: ~, x-own: [1]}]\n  select: many\n  marking: net-correct",
    "  choices: [16, 0x10, correct: 12:30]\n  shuffle: false\n  marks: '2'\n  hint: 7", "  choices: [{correct: 1, id: 1e-5}, 2]\n  marks: +1e0\n  x-1: {}",
]
BAD = [
    "  number: {tolerance: 1}", "  number: [1]", "  number: {answer: 1, tolerance: a lot}", "  text: []", "  text: {accept: a, ignore: [colour]}",
    "  order: [one]", "  order: one", "  match: {a: b}", "  match: [a, b]", "  recall: [a]", "  recall: a\n  true_false: true",
    "  order: [a, b]\n  extra: [c]", "  text: a\n  feedback: F", "  number: 1\n  misconception: m", "  recall: a\n  marking: net-correct",
    "  choices: [a, b]", "  choices: [{correct: a, wrong: b}]", "  choices: [{feedback: a}, {correct: b}]", "  choices: [correct: a]\n  marks: 0",
    "  choices: [correct: a]\n  marks: '1,5'", "  number: 1\n  given: {p: {from: 1}}", "  number: 1\n  given: {}", "  true_false: yes", "",
]


def main():
    root, failed = Path(sys.argv[1]), 0
    corpus = root / "tests/fuzz/corpus/pack"
    schema = json.loads((root / "content/schema/pack.json").read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)

    for path in [*sorted((corpus / "good").glob("*.yaml")), *sorted((root / "content").glob("*.yaml")),
                 *sorted((root / "tests/content").glob("*.yaml")), *map(Path, sys.argv[2:])]:
        found = faults(validator, path)
        if found is None or found:
            failed += 1
            print(f"{path}: a good pack is flagged:", *(found or ["it is no YAML"]), sep="\n  ")

    listed = {line for line in (corpus / "schema").read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    flagged, there = set(), set()
    for path in sorted((corpus / "bad").glob("*.yaml")):
        there.add(path.stem)
        if faults(validator, path):
            flagged.add(path.stem)
    for name in sorted(listed - there):
        print(f"{name}: listed, and not there")
    for name in sorted((listed & there) - flagged):
        print(f"{name}: the schema finds nothing wrong with it")
    for name in sorted(flagged - listed):
        print(f"{name}: flagged, and not listed in {corpus / 'schema'}:", *faults(validator, corpus / f"bad/{name}.yaml"), sep="\n  ")
    failed += len(listed ^ flagged)

    for wanted, texts in ((True, GOOD), (False, BAD)):
        for text in texts:
            document = value(yaml.compose(HEAD + text, Loader=yaml.SafeLoader), {})
            found = [error.message for error in validator.iter_errors(document)]
            if (not found) != wanted:
                failed += 1
                print("flagged:" if found else "not flagged:", text, *found, sep="\n  ")
    print(f"{len(flagged)} of {len(there)} bad packs flagged, {failed} failures")
    return 1 if failed or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
