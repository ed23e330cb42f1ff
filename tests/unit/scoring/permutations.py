#!/usr/bin/env python3
"""Orders by the published rule (PACK-FORMAT "Seeds"), computed with hashlib: the oracle of test_showing.c.

Prints a C table: pack id, question id, seed, count, order.
"""
import hashlib

MASK = 2**64 - 1


def stream(pack, question, seed):
    data = b"quiztutor/1\0" + pack.encode() + b"\0" + question.encode() + b"\0" + str(seed).encode()
    state = int.from_bytes(hashlib.sha256(data).digest()[:8], "little")
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def draw(numbers, below):
    limit = 2**64 - 2**64 % below
    while True:
        x = next(numbers)
        if x < limit:
            return x % below


def shuffled(pack, question, seed, count):
    numbers = stream(pack, question, seed)
    items = list(range(count))
    for i in range(count - 1, 0, -1):
        j = draw(numbers, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


print("static const struct golden { const char *pack, *question; uint32_t seed; int count; int order[26]; } golden[] = {")
for pack, question in [("tour", ""), ("tour", "#1"), ("tour", "#2"), ("tour", "select"), ("training-across-many-devices", "inside-layers"), ("a", "b")]:
    for seed in [2, 3, 7, 42, 1000003, 4294967295]:
        for count in [2, 3, 5, 26]:
            order = ", ".join(map(str, shuffled(pack, question, seed, count)))
            print(f'    {{ "{pack}", "{question}", {seed}u, {count}, {{ {order} }} }},')
print("};")

# Items of an order and right texts of a match are shuffled under seed 1 too; an order that comes out right moves its
# first item to the end.
print("static const struct golden golden_items[] = {")
for question in ["steps", "pairs"]:
    for seed in [1, 2, 3, 4, 5, 6, 42, 4294967295]:
        for count in [2, 3, 7, 26]:
            items = shuffled("tour", question, seed, count)
            if question == "steps" and items == list(range(count)):
                items = items[1:] + items[:1]
            order = ", ".join(map(str, items))
            print(f'    {{ "tour", "{question}", {seed}u, {count}, {{ {order} }} }},')
print("};")

# Values are drawn before the shuffle, one draw a name, or one for rows; under seed 1 the first ones, without a draw.
print("static const struct golden_given { const char *question; uint32_t seed; int p, m; int order[4]; } golden_given[] = {")
for seed in [1, 2, 3, 5, 8, 13, 1000003]:
    for question in ["free", "rows", "typed", "items"]:
        numbers = stream("tour", question, seed)
        places = [0, 0] if seed == 1 else [draw(numbers, 3)] * 2 if question == "rows" else [draw(numbers, 3), draw(numbers, 8)]
        p = [2, 4, 8][places[0]]
        m = [8, 16, 24][places[1]] if question == "rows" else 8 + 8 * places[1]
        order = list(range(4))
        if question == "items" or seed != 1 and question != "typed":
            for i in range(3, 0, -1):
                j = draw(numbers, i + 1)
                order[i], order[j] = order[j], order[i]
            if question == "items" and order == list(range(4)):
                order = order[1:] + order[:1]
        print(f'    {{ "{question}", {seed}u, {p}, {m}, {{ {", ".join(map(str, order))} }} }},')
print("};")
