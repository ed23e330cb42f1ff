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
