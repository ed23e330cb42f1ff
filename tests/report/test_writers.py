"""test_writers.py REPORT_SAMPLE: what the writers of reports write is what Python's own readers of CSV, JSON and HTML read.

The samples (samples.c) have learners named to do harm: a formula, a comma and quotation marks, Arabic, a script, an emoji
of three with a combining mark. Names and figures are repeated here, so that they are not taken from the program.
"""

import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import page_check

SAMPLE = sys.argv.pop(1)
NAMES = ['=HYPERLINK("x")', 'Doe, Jane "JD"', "ليلى العلي", "<script>alert(1)</script>", "Zoe\u0301 👩\u200d👩\u200d👧", "李小龙"]
LONG = ("-- a long remark that goes on and on until it must be wrapped within its own column, whatever the width of the window is")
REMARKS = ["+1, or more\nand a second line", "", "'quoted'", "@home & \"away\" <b>bold</b> &amp; 'x'", LONG,
           "\tescape \x1b[31mred\x1b[0m, override \u202etxt, bad \ufffd\ufffd bytes"]
COLUMNS = ["learner", "last_seen", "questions", "first_try", "first_try_low", "first_try_high", "mastery", "minutes", "slowest",
           "joined", "quiet", "discrimination", "skewness", "remark"]


def written(sample, form, *more):
    result = subprocess.run([SAMPLE, str(sample), form, *more], capture_output=True, check=True)
    return result.stdout.decode("utf-8")


def guarded(text):
    """As the contract has it: one apostrophe before a text that a spreadsheet would take for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "'") and text else text


class Csv(unittest.TestCase):
    def rows(self, sample):
        text = written(sample, "csv")
        self.assertTrue(text.endswith("\r\n"))
        return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))

    def test_full(self):
        self.assertTrue(written("full", "csv").startswith(",".join(COLUMNS) + "\r\n"))
        rows = self.rows("full")
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row["learner"] for row in rows], [guarded(name) for name in NAMES])
        self.assertEqual(rows[0]["learner"], "'" + NAMES[0])
        self.assertEqual([row["remark"] for row in rows], [guarded(text) for text in REMARKS])
        self.assertEqual([row["questions"] for row in rows], ["6", "0", "12345", "-7", "3", "9"])
        self.assertEqual([row["last_seen"] for row in rows],
                         ["2026-11-30T11:55:54.321+01:00", "1970-01-01T00:00:00.000+00:00", "2026-11-30T01:25:54.321-09:30",
                          "1969-12-31T23:59:59.999+00:00", "", ""])
        self.assertEqual([row["joined"] for row in rows],
                         ["2026-11-30", "1970-01-01", "1969-12-31", "2026-12-01", "2026-12-02", "2026-12-03"])
        self.assertEqual([row["quiet"] for row in rows], ["false", "true", "false", "true", "false", "false"])
        self.assertEqual([row["minutes"] for row in rows], ["400000", "0", "5400000", "59999", "61000", "1"])
        self.assertEqual([row["slowest"] for row in rows], ["12345", "", "5400000", "250", "3600000", "1000"])
        self.assertEqual(rows[0]["discrimination"], "-15.617376188860607")  # a number, so no apostrophe
        self.assertEqual([row["discrimination"] for row in rows][1:5], ["", "0.1", "", "0.3333333333333333"])
        self.assertEqual(float(rows[0]["first_try"]), 5 / 6)
        self.assertEqual([row["mastery"] for row in rows], ["83.33333333333333", "", "66.6", "0", "", "50"])
        self.assertEqual((rows[1]["first_try"], rows[1]["first_try_low"], rows[1]["first_try_high"]), ("", "", ""))
        self.assertEqual((rows[2]["first_try_low"], rows[2]["first_try_high"]), ("0.7", "1"))

    def test_numbers_read_back(self):
        rows = self.rows(2000)
        self.assertEqual(len(rows), 2000)
        for i, row in enumerate(rows):
            self.assertEqual((row["attempt"], float(row["mark"])), (str(i + 1), i / 3))
            self.assertEqual(row["mark_low"], "0" if i % 2 else "")
            self.assertEqual(row["learner"], f"learner {i % 1000}" if i % 7 else f"fewer than {i % 1000} attempts")
            self.assertEqual(row["elapsed"], str(i) if i % 7 and i % 2 else "")

    def test_edges(self):
        self.assertEqual(written("bare", "csv"), "")
        self.assertEqual(written(0, "csv"), "attempt,learner,mark,mark_low,mark_high,trend,answered_at,elapsed\r\n")


class Json(unittest.TestCase):
    def read(self, sample):
        def refuse(word):
            raise AssertionError(word)

        def once(pairs):
            self.assertEqual(len(dict(pairs)), len(pairs))
            return dict(pairs)
        return json.loads(written(sample, "json"), parse_constant=refuse, object_pairs_hook=once)

    def test_full(self):
        page = self.read("full")
        self.assertEqual(page["report"], "items")
        self.assertEqual(page["title"], 'Class of <2026> & "friends"')
        self.assertEqual(page["subtitle"], "Training Across Many Devices")
        self.assertEqual(page["alpha"], 36.36363636363637)
        self.assertEqual(page["standard_error"], 0.966092)
        self.assertEqual(page["kurtosis"], -1.549587)
        self.assertEqual((page["first_try_share"], page["first_try_share_low"], page["first_try_share_high"]), (0.7, 0.5, 0.85))
        self.assertEqual(page["by_week_trend"], [None, 0.5, None, 1, 0])
        self.assertEqual((page["from"], page["last_seen"], page["certain"]), ("2026-11-30", "2026-11-30T11:55:54.321+01:00", True))
        self.assertEqual(page["pack"], '<Training> "across" many & devices')
        self.assertEqual((page["error_ratio"], page["broken"], page["empty"]), (None, None, None))
        self.assertEqual(page["not_available"], {"error_ratio": "different items were shown", "broken": "it can't be worked out"})
        self.assertEqual(page["items"], [])
        self.assertEqual(len(page["notes"]), 2)
        learners = page["learners"]
        self.assertEqual([row["learner"] for row in learners], NAMES)
        self.assertEqual([row["remark"] for row in learners], [text or None for text in REMARKS])
        for row in learners:
            self.assertEqual([key for key in row if not key.endswith("_trend") and key != "not_available"], COLUMNS)
        self.assertEqual(learners[0]["discrimination"], -15.617376188860607)
        self.assertEqual((learners[0]["minutes"], learners[0]["quiet"]), (400000, False))
        self.assertEqual(learners[1]["not_available"],
                         {"first_try": "fewer than 3 attempts", "mastery": "fewer than 3 attempts",
                          "discrimination": "no variance", "skewness": "no variance"})
        self.assertIsNone(learners[1]["first_try"])
        self.assertIsNone(learners[1]["first_try_low"])
        self.assertIsNone(learners[1]["slowest"])
        self.assertNotIn("slowest", learners[1]["not_available"])  # nothing to say is no figure that is missing
        self.assertNotIn("not_available", learners[0])
        self.assertEqual(learners[3]["not_available"], {"discrimination": "it can't be worked out"})  # NAN
        self.assertEqual(learners[4]["not_available"], {"last_seen": "never seen", "mastery": "it can't be worked out"})
        self.assertEqual(learners[2]["mastery_trend"], [0, 0.25, 0.5, 0.75, 1])
        self.assertEqual([chart["name"] for chart in page["charts"]], ["topics", "weeks"])
        self.assertEqual(page["charts"][0]["values"], [0.8, None, 0.333333])
        self.assertEqual(page["charts"][1]["unit"], "min")

    def test_others(self):
        self.assertEqual(self.read("bare"), {"report": "class", "title": "Class", "subtitle": None, "not_available": {},
                                             "charts": [], "notes": []})
        charts = self.read("charts")["charts"]
        self.assertEqual(charts[2]["values"], [None, None, None])
        attempts = self.read(1500)["attempts"]
        self.assertEqual([row["mark"] for row in attempts], [i / 3 for i in range(1500)])
        self.assertEqual(attempts[1]["trend_trend"], [(1 + i) % 5 / 4 for i in range(4)])
        self.assertEqual(attempts[700]["not_available"], {"elapsed": "fewer than 700 attempts"})


class Html(unittest.TestCase):
    def read(self, sample):
        page = page_check.Page(written(sample, "html"))
        self.assertEqual(page.faults, [])
        return page

    def test_full(self):
        page = self.read("full")
        main, details = page.tables
        self.assertEqual([row[0] for row in main["rows"]], NAMES)
        self.assertEqual([row[0] for row in details["rows"]], NAMES)
        self.assertEqual(main["head"][0], ["learner", "questions", "first try right (%)", "mastery (%)", "gone quiet", "discrimination",
                                           "remark", "last seen", "time (min)", "slowest answer", "joined"], "by what matters")
        self.assertEqual(details["head"][0], ["learner", "last seen", "time (min)", "slowest answer", "joined", "skewness"],
                         "on a phone what is far stands here")
        self.assertEqual([row[-1] for row in details["rows"]], ["0.075066", "–4", "0.000000", "1e+300", "2.000000", "3.000000"])
        self.assertEqual([row[2] for row in main["rows"]],
                         ["83 (44–97)", "–3", "100 (70–100)", "0 (0–39)", "33 (6–79)", "50 (20–80)"])
        self.assertEqual(main["rows"][0][5], "-15.62 !")
        self.assertEqual(main["rows"][5][6], " escape \\x1b[31mred\\x1b[0m, override \\u202etxt, bad \\xff\\xc3 bytes")
        for name in NAMES:
            self.assertIn(name, page.isolated)
        for why in ("different items were shown", "fewer than 3 attempts", "no variance", "never seen", "it can't be worked out"):
            self.assertIn(why, page.titles)
            self.assertEqual(page.isolated.count(why), 1)  # one footnote each
        self.assertIn('Class of <2026> & "friends"', page.text)
        self.assertIn("2026-11-02: 12 min; 2026-11-09: 8 min; 2026-11-16: –; 2026-11-23: 30 min; 2026-11-30: 41 min",
                      "".join(page.text))

    def test_others(self):
        self.assertEqual(self.read("bare").tables, [])
        self.assertEqual(self.read("charts").tables, [])
        table, = self.read(1000).tables
        self.assertEqual(len(table["rows"]), 1000)
        self.assertEqual([row[5] for row in table["rows"][:8:7]], ["–1", "–3"])  # 2: those without a reason
        self.assertNotIn("nan", "".join(self.read("charts").text).lower())


class Language(unittest.TestCase):
    def test_of_page(self):
        """The page says the language its words are in: that of the catalogue, not what was asked for."""
        self.assertIn('<html lang="en" dir="ltr">', written("bare", "html"))
        with tempfile.TemporaryDirectory() as folder:
            catalogue = Path(folder, "xx/LC_MESSAGES/quiztutor")
            catalogue.parent.mkdir(parents=True)
            environment = {**os.environ, "LANGUAGE": "xx", "QUIZTUTOR_LOCALEDIR": folder}
            for language, expected in (("pt_BR", '<html lang="pt-BR" dir="ltr">'), ("ar", '<html lang="ar" dir="rtl">'),
                                       ("de", '<html lang="de" dir="ltr">'), ('"><script>', '<html lang="en" dir="ltr">'),
                                       ("", '<html lang="en" dir="ltr">')):
                head = f'MIME-Version: 1.0\nLanguage: {language}\nContent-Type: text/plain; charset=UTF-8\n'
                self.compile(f"{catalogue}.mo", {"": head, "Not available": "Nicht verfügbar"})
                page = subprocess.run([SAMPLE, "full", "html"], capture_output=True, check=True, env=environment).stdout.decode()
                self.assertIn(expected, page)
                self.assertIn("Nicht verfügbar", page)
                self.assertEqual(page_check.Page(page).faults, [])

    def compile(self, path, messages):
        """A catalogue as gettext has it in binary form (GNU gettext manual, "The Format of GNU MO Files")."""
        pairs = sorted((key.encode(), text.encode()) for key, text in messages.items())
        at, tables, strings = 28 + 16 * len(pairs), [], b""
        for side in (0, 1):
            for pair in pairs:
                tables.append(struct.pack("<II", len(pair[side]), at + len(strings)))
                strings += pair[side] + b"\0"
        with open(path, "wb") as file:
            file.write(struct.pack("<7I", 0x950412de, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, at) + b"".join(tables) + strings)


class Text(unittest.TestCase):
    def test_names(self):
        lines = written("details", "text", "300").splitlines()
        for name in NAMES:
            self.assertEqual(sum(line.startswith(name + " ") for line in lines), 1, name)

    def test_widths(self):
        """A second opinion on where a row's columns stand: by East Asian width, combining marks taking none."""
        from unicodedata import combining, east_asian_width
        lines = written("full", "text", "80").splitlines()
        for name, count in zip(NAMES, ["6", "0", "12345", "-7", "3", "9"]):
            line = next(line for line in lines if line.startswith(name + " "))
            at = line.index(" " + count + " ", len(name)) + 1 + len(count)
            width = sum(0 if combining(c) or c == "\u200d" else 2 if east_asian_width(c) in "WF" else 1 for c in line[:at])
            self.assertEqual(width, 36, line)


class Memory(unittest.TestCase):
    def test_constant(self):
        """A million rows take no more memory than a thousand; nor does time grow faster than they do."""
        # the address sanitizer holds back what was freed, 256 MB of it unless told otherwise: not what is measured here
        environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0")
        program = ("import resource, subprocess, sys\n"
                   "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
                   "usage = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
                   "print(usage.ru_maxrss, usage.ru_utime + usage.ru_stime)\n")

        def measure(rows, form):
            out = subprocess.run([sys.executable, "-c", program, SAMPLE, str(rows), form], capture_output=True, check=True,
                                 env=environment).stdout
            return [float(word) for word in out.split()]
        for form in ("text", "csv", "json", "html"):
            (few, _), (some, short), (many, long) = measure(1000, form), measure(100000, form), measure(1000000, form)
            print(f"{form}: {few:.0f} kB for 1,000 rows, {many:.0f} for 1,000,000 in {long:.1f} s")
            self.assertLess(max(some, many), few + 4096, form)
            self.assertLess(long, 20 * short + 1, form)


def main():
    page_check.self_test()
    unittest.main()


if __name__ == "__main__":
    main()
