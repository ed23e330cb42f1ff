"""test_kiosk_backup.py PROGRAM CLOCK: `quiztutor kiosk --backup`, called as a timer calls it, under a clock that is moved."""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, CLOCK = sys.argv[1:3]
del sys.argv[1:3]
HOUR = 3600 * 1000
START = 1796040000000  # 2026-11-30 12:00


class Backups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.copies = self.folder / "copies"
        self.set_clock(START)
        self.configure("folder: copies, keep: 3, every: 6 hours")

    def configure(self, backups):
        (self.folder / "kiosk.yaml").write_text(f"format: quiztutor-kiosk/1\nstore: data/store.db\nday_starts: 05:30\nbackups: {{{backups}}}\n"
                                                if backups else "format: quiztutor-kiosk/1\nstore: data/store.db\n")

    def set_clock(self, now):
        (self.folder / "clock").write_bytes(struct.pack("=qqq", now, now - START + HOUR, 1))

    def run_it(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              env={**os.environ, "LD_PRELOAD": CLOCK, "TEST_CLOCK": str(self.folder / "clock")})
        return done.returncode, done.stdout, done.stderr

    def back_up(self):
        return self.run_it("kiosk", "--backup", "--config", str(self.folder / "kiosk.yaml"))

    def with_store(self):
        status, _, told = self.run_it("learner", "add", "Ana", "--store", str(self.folder / "data/store.db"))
        self.assertEqual(status, 0, told)

    def names(self):
        return sorted(path.name for path in self.copies.iterdir())

    def test_before_there_is_a_store(self):
        self.assertEqual(self.back_up(), (0, "there is no store yet\n", ""))
        self.assertFalse((self.folder / "data").exists())

    def test_one_when_it_is_due(self):
        self.with_store()
        for hour in range(0, 25):  # the timer comes a little early or late
            self.set_clock(START + hour * HOUR + (hour * 7 % 5 - 2) * 60000)
            status, told, wrong = self.back_up()
            self.assertEqual((status, wrong), (0, ""))
            self.assertIn("the store as it is now" if hour % 6 == 0 else "no backup is due yet", told, hour)
        self.assertEqual([name.split("-")[1][8:11] for name in self.names()], ["T00", "T05", "T12"])
        self.assertIn("1 older backup was removed", self.run_due(START + 31 * HOUR))
        for name in self.names():
            status, listed, _ = self.run_it("learner", "list", "--store", str(self.copies / name))
            self.assertEqual((status, "Ana" in listed), (0, True))

    def run_due(self, now):
        self.set_clock(now)
        return self.back_up()[1]

    def test_a_clock_that_was_ahead_does_not_end_backups(self):
        self.with_store()
        self.run_due(START + 9000 * HOUR)
        self.assertIn("the store as it is now", self.run_due(START))

    def test_none_are_asked_for(self):
        self.with_store()
        self.configure(None)
        self.assertEqual(self.back_up(), (0, "the configuration asks for no backups\n", ""))

    def test_what_goes_wrong_is_told(self):
        self.with_store()
        self.configure("folder: copies, kepe: 3")
        status, told, wrong = self.back_up()
        self.assertEqual((status, told), (1, ""))
        self.assertIn('kiosk.yaml:4:27: error: backups has no key "kepe"', wrong)
        self.configure("folder: copies")
        self.copies.write_text("")
        status, told, wrong = self.back_up()
        self.assertEqual((status, told), (1, ""))
        self.assertIn("copies", wrong)
        self.copies.unlink()
        (self.folder / "data/store.db").write_bytes(b"not a store" * 100)
        status, told, wrong = self.back_up()
        self.assertEqual((status, told), (1, ""))
        self.assertNotEqual(wrong, "")


if __name__ == "__main__":
    unittest.main()
