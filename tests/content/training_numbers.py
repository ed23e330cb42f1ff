"""The course's table of parametrised questions, by hand and in exact fractions: nothing here is read from the pack."""

import math
from fractions import Fraction


def F(value):
    return Fraction(str(value))


def ceil(value):
    """The ceiling of an exact number: the 1e-9 of the pack's expressions only guards binary fractions."""
    return Fraction(math.ceil(value))


# id: (names and values in order, tolerance, right answer, [(known wrong value, misconception)])
QUESTIONS = {
    "bubble-share": (
        {"p": [4, 8, 16], "m": [8, 16, 24, 32]}, 0.02,
        lambda p, m: F(p - 1) / (m + p - 1),
        [(lambda p, m: F(p - 1) / m, "bubble-denominator")]),
    "interleaved-bubble": (
        {"p": [4, 8, 16], "v": [2, 4], "m": [16, 32, 64]}, 0.02,
        lambda p, v, m: F(p - 1) / (v * m),
        [(lambda p, v, m: F(v * (p - 1)) / m, "interleave-grows")]),
    "microbatches-needed": (
        {"p": [4, 8, 16], "x": [5, 10, 20]}, 0,
        lambda p, x: ceil(F((p - 1) * (100 - x)) / x),
        [(lambda p, x: ceil(F((p - 1) * 100) / x), "bubble-denominator")]),
    "microbatches-held": (
        {"p": [4, 8], "i": [1, 2, 3], "m": [16, 32]}, 0,
        lambda p, i, m: F(min(p - i + 1, m)),
        [(lambda p, i, m: F(m), "1f1b-bubble")]),
    "ring-traffic": (
        {"n": [4, 8, 16], "s": [1, 2, 14]}, 0.01,
        lambda n, s: F(2 * (n - 1)) / n * s,
        [(lambda n, s: F(2 * s), "allreduce-volume"), (lambda n, s: F((n - 1) * s), "allreduce-volume")]),
    "zero-memory": (
        {"y": [1.5, 7.5, 13, 70], "n": [8, 64], "z": [1, 2, 3]}, 0.01,
        lambda y, n, z: F(y) * [4 + F(12) / n, 2 + F(14) / n, F(16) / n][z - 1],
        [(lambda y, n, z: F(y) * [4 + F(12) / n, 2 + F(14) / n, F(16) / n][z % 3], "zero-order"),
         (lambda y, n, z: F(y) * [4 + F(12) / n, 2 + F(14) / n, F(16) / n][(z + 1) % 3], "zero-order")]),
    "largest-model": (
        {"h": [24, 40, 80, 141]}, 0.01,
        lambda h: F(h) / 16,
        [(lambda h: F(h) / 2, "weights-only")]),
    "activation-memory": (
        {"s": [2048, 4096, 8192], "h": [4096, 8192, 12288], "b": [1, 2], "t": [2, 4, 8]}, 0.01,
        lambda s, h, b, t: F(s * b * h) * (34 + F(5 * s) / 128) / t / 10**9,
        [(lambda s, h, b, t: F(s * b * h) * (10 + F(24) / t + F(5 * s) / 128 / t) / 10**9, "tp-splits-all")]),
    "selective-saving": (
        {"s": [1024, 2048, 4096, 8192], "d": [64, 128]}, 0.01,
        lambda s, d: 100 * (F(5 * s) / d) / (34 + F(5 * s) / d),
        [(lambda s, d: 3400 / (34 + F(5 * s) / d), "recompute-share")]),
    "training-days": (
        {"k": [7, 13, 70], "d": [1, 2, 15], "n": [256, 1024, 4096], "u": [35, 40, 50]}, 0.02,
        lambda k, d, n, u: F(6 * k * d * 10**21) / (n * F(989 * 10**12) * u / 100) / 86400,
        [(lambda k, d, n, u: F(2 * k * d * 10**21) / (n * F(989 * 10**12) * u / 100) / 86400, "flops-factor"),
         (lambda k, d, n, u: F(8 * k * d * 10**21) / (n * F(989 * 10**12) * u / 100) / 86400, "flops-factor")]),
    "global-batch": (
        {"n": [64, 128, 512], "t": [2, 4, 8], "p": [2, 4, 8], "b": [1, 2, 4], "m": [8, 16, 32]}, 0,
        lambda n, t, p, b, m: F(b * m * n) / (t * p),
        [(lambda n, t, p, b, m: F(b * m * n), "all-gpus-are-dp")]),
    "expert-capacity": (
        {"q": [4096, 8192], "e": [8, 16, 64], "f": [1.25, 1.5, 2]}, 0,
        lambda q, e, f: ceil(F(q) / e * F(f)),
        [(lambda q, e, f: ceil(F(q) / e / F(f)), "capacity-inverse")]),
    "checkpoint-interval": (
        {"w": [1, 5], "h": [3, 12, 24]}, 0.02,
        lambda w, h: math.sqrt(2 * w * h * 60),
        [(lambda w, h: F(h * 30), "half-mtbf")]),
}


def typed(value):
    """As a learner would type it: whole, or with five significant figures, which is well within each tolerance."""
    value = float(value)
    return str(int(value)) if value == int(value) else f"{value:.5g}"
