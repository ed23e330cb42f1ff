"""Time in the hands of a test: the program runs under a clock that stands still until it is moved (clock.c)."""
import datetime
import mmap
import os
import struct
import sys
import zoneinfo

import drive
import learner

MODULE = os.path.abspath(sys.argv.pop(1))  # the second argument of the tests that use this
MINUTE, HOUR, DAY = 60000, 3600000, 86400000


class Timeline:
    """The clock of a place. `go` lets time pass; `wall` alone is what somebody set the machine's clock to."""

    def __init__(self, place, zone='UTC', begin='2024-03-01 09:00'):
        self.path = place.path('clock')
        with open(self.path, 'wb') as file:
            file.write(bytes(24))
        self.file = open(self.path, 'r+b')
        self.map = mmap.mmap(self.file.fileno(), 24)
        self.wall, self.steady, self.boot = 0, 1000000, 1
        self.place, self.zone = place, None
        place.environment.update({'LD_PRELOAD': MODULE, 'TEST_CLOCK': self.path})
        self.travel(zone)
        self.local(begin)

    def put(self):
        self.map[:] = struct.pack('=qqq', self.wall, self.steady, self.boot)

    def travel(self, zone):
        self.zone = zoneinfo.ZoneInfo(zone)
        self.place.environment['TZ'] = zone

    def go(self, ms):
        self.wall += ms
        self.steady += ms
        self.put()

    def set(self, ms):
        """The wall clock is set forward or back; no time passes."""
        self.wall += ms
        self.put()

    def moment(self, text, fold=0):
        local = datetime.datetime.fromisoformat(text).replace(tzinfo=self.zone, fold=fold)
        return round(local.timestamp() * 1000)

    def local(self, text, fold=0):
        """Time passes until a local time; back only by setting the clock."""
        then = self.moment(text, fold)
        self.steady += max(0, then - self.wall)
        self.wall = then
        self.put()

    def reboot(self):
        self.boot += 1
        self.steady = 20000
        self.put()

    def offset(self, at=None):
        moment = datetime.datetime.fromtimestamp((self.wall if at is None else at) / 1000, datetime.timezone.utc)
        return round(moment.astimezone(self.zone).utcoffset().total_seconds())

    def day(self, starts=240):
        return learner.local_day(self.wall, self.offset(), starts)

    def state(self):
        return self.wall, self.steady, self.boot

    def restore(self, state):
        self.wall, self.steady, self.boot = state
        self.put()


def works():
    """Whether the clock reaches the program."""
    with drive.Place() as place:
        time = Timeline(place, 'UTC', '2031-05-06 07:08')
        pack = {'id': 'a', 'questions': [{'id': 'q', 'prompt': 'P?', 'explanation': 'E', 'true_false': True}]}
        import oracle
        place.write('content/a.yaml', oracle.pack_yaml(pack))
        place.run('practise', '--jsonl', 'a', input='t\n')
        return [row['answered_at'] for row in place.rows('SELECT answered_at FROM attempt')] == [time.wall]
