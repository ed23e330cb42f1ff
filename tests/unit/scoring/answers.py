#!/usr/bin/env python3
"""Answers to numbers and texts, marked by Python's decimal and unicodedata: the oracle of test_marking_typed.c.

Prints C tables. Numbers: answer, tolerance, relative, figures, what is typed, whether it is right. Texts: accepted, what
makes no difference, what is typed, whether it is right, whether it is a near miss.
"""
import random
import unicodedata
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
dice = random.Random(20240229)


def quote(text):
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else "\\%03o" % b for b in text.encode()) + '"'


# ---- numbers, exactly ----

def rounded(value, figures):
    if not value:
        return value
    return value.quantize(Decimal(1).scaleb(value.adjusted() - figures + 1), rounding=ROUND_HALF_UP)


def accepts(answer, tolerance, relative, figures, given):
    a, r = Decimal(answer), Decimal(given)
    t = abs(a) * Decimal(tolerance) if relative else Decimal(tolerance)
    if figures:
        a, r = rounded(a, figures), rounded(r, figures)
    return abs(r - a) <= t + Decimal("1e-9") * max(abs(a), abs(t))


def decimal_text(digits, places):
    text = str(abs(digits)).rjust(places + 1, "0")
    return ("-" if digits < 0 else "") + (text[:-places] + "." + text[-places:] if places else text)


def clear(answer, tolerance, relative, figures, given):
    """Not so near the bound that the slack of 1e-9 decides by a double's last bits."""
    a, r = Decimal(answer), Decimal(given)
    t = abs(a) * Decimal(tolerance) if relative else Decimal(tolerance)
    if figures:
        a, r = rounded(a, figures), rounded(r, figures)
    slack = Decimal("1e-9") * max(abs(a), abs(t))
    return abs(abs(r - a) - t - slack) > slack / 1000 or not slack


print("static const struct typed_number { const char *answer; double tolerance; bool relative; int figures;")
print("    const char *typed; bool right; } typed_numbers[] = {")
for i in range(3000):
    places = dice.randrange(0, 5)
    answer = decimal_text(dice.randrange(-10**6, 10**6), places)
    figures = dice.choice([0, 0, 0, 1, 2, 3, 4])
    relative = dice.random() < 0.4
    tolerance = dice.choice(["0", "0.01", "0.05", "0.005", "0.1"]) if relative else decimal_text(dice.randrange(0, 500), places)
    kind = dice.randrange(4)
    bound = abs(Decimal(answer)) * Decimal(tolerance) if relative else Decimal(tolerance)
    step = dice.choice([Decimal(0), Decimal(1).scaleb(-6), -Decimal(1).scaleb(-6), Decimal(1).scaleb(-places)])
    given = Decimal(answer) + dice.choice([1, -1]) * (bound + step) if kind else Decimal(decimal_text(dice.randrange(-10**6, 10**6), places))
    given = format(given.normalize(), "f")
    if not clear(answer, tolerance, relative, figures, given):
        continue
    right = accepts(answer, tolerance, relative, figures, given)
    print(f'    {{ "{answer}", {tolerance}, {int(relative)}, {figures}, "{given}", {int(right)} }},')
print("};")

# Two-decimal answers exactly at a decimal bound: the bound itself is right.
print("static const struct at_bound { double answer, tolerance; const char *typed; } at_bounds[] = {")
for i in range(10000):
    answer, tolerance = dice.randrange(-10**6, 10**6), dice.randrange(1, 1000)
    given = answer + dice.choice([1, -1]) * tolerance
    print(f'    {{ {decimal_text(answer, 2)}, {decimal_text(tolerance, 2)}, "{decimal_text(given, 2)}" }},')
print("};")

# ---- texts ----

SPACES = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
LOOK = {c: " " for c in SPACES}
LOOK.update({c: "'" for c in "\u2018\u2019\u201a\u201b\xb4\u2032\u2039\u203a\u02bb\u02bc\uff07"})
LOOK.update({c: '"' for c in "\u201c\u201d\u201e\u201f\xab\xbb\u2033\uff02"})
LOOK.update({c: "-" for c in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"})


def form(text, ignore):
    text = unicodedata.normalize("NFD", "".join(LOOK.get(c, c) for c in text))
    if "c" in ignore:
        text = unicodedata.normalize("NFD", text.casefold())
    if "a" in ignore:
        text = "".join(c for c in text if unicodedata.category(c)[0] != "M")
    text = unicodedata.normalize("NFC", text)
    if "p" in ignore:
        without = "".join(c for c in text if unicodedata.category(c)[0] != "P")
        text = without if without.strip(" ") else text
    if "s" in ignore:
        text = text.replace(" ", "")
    return " ".join(part for part in text.split(" ") if part)  # a run of white space is one space, here as everywhere


def distance(a, b):
    """Optimal string alignment, the whole table."""
    rows = [[max(i, j) if not i or not j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[len(a)][len(b)]


WORDS = ["tensor parallelism", "na\xefve", "don't", "all-reduce", "Stra\xdfe", "\u0130stanbul", "cr\xe8me br\xfbl\xe9e", "S", "q", "x", "gpu",
         "C. elegans", "\u201cquoted\u201d", "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2", "\ud55c\uad6d\uc5b4 \uacf5\ubd80", "\u65e5\u672c\u8a9e", "...", "e = mc\xb2", "3,000 km",
         "ﬁsh and chips", "Ångström", "a\u0323\u0302nchor", "well\u2013known", "O\u2019Reilly", "l\u2019h\xf4tel", "\u092e\u093e\u0928\u0915 \u092d\u093e\u0937\u093e"]
MARKS = "'\u2019\u2018\"\u201d-\u2013\u2014\u2212 \xa0\u202f,.!?;\u0301\u0308"
LETTERS = "abcdeloprstunxyz\xe9\xdf\u03c3\u1e9e"


def change(text):
    where = dice.randrange(len(text) + 1)
    kind = dice.randrange(9)
    if kind == 0:
        return unicodedata.normalize("NFD", text)
    if kind == 1:
        return text.upper() if dice.random() < 0.5 else text.lower()
    if kind == 2:
        return dice.choice(["\xa0", " ", "\u3000", "\t"]) + text + dice.choice(["", " ", "\u202f"])
    if kind == 3:
        return text.replace(" ", dice.choice(["\xa0", "  ", "", "\u2009"])).replace("'", "\u2019").replace("-", "\u2011")
    if kind == 4:
        return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    if kind == 5:
        return text[:where] + dice.choice(MARKS + LETTERS) + text[where:]
    if kind == 6 and len(text) > 1:
        return text[:where] + text[where + 1:]
    if kind == 7 and where + 1 < len(text):
        return text[:where] + text[where + 1] + text[where] + text[where + 2:]
    return text[:where] + dice.choice(LETTERS) + text[where + 1:]


print("static const struct typed_text { const char *accepted; unsigned ignore; const char *typed; bool right, near; } typed_texts[] = {")
for i in range(6000):
    accepted = dice.choice(WORDS)
    ignore = dice.choice(["cs", "cs", "", "c", "cas", "caps", "p", "cp", "s", "a"])
    typed = accepted
    for k in range(dice.choice([0, 1, 1, 2, 3])):
        typed = change(typed)
    if not typed.strip(SPACES):
        continue
    one, other = form(accepted, ignore), form(typed, ignore)
    letters = sum(unicodedata.category(c)[0] == "L" for c in one)
    near = one != other and letters >= 5 and distance(one, other) == 1
    bits = sum(bit for bit, letter in [(1, "c"), (2, "a"), (4, "p"), (8, "s")] if letter in ignore)
    print(f"    {{ {quote(accepted)}, {bits}, {quote(typed)}, {int(one == other)}, {int(near)} }},")
print("};")
