"""The program on a pseudo-terminal of its own: type, and wait for what it writes."""
import os
import pty
import select
import signal
import struct
import fcntl
import termios
import time

import drive


class Console:
    def __init__(self, place, *arguments, rows=24, columns=80, env=None):
        environment = {**place.environment, 'TERM': 'xterm-256color', **(env or {})}
        self.said, self.status = '', None
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
            os.execvpe(drive.PROGRAM, [drive.PROGRAM, *arguments], environment)

    def read(self, seconds):
        """What comes within that time; False at the end of it all."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b''
        self.said += data.decode('utf-8', 'replace').replace('\r\n', '\n')
        return bool(data)

    def expect(self, text, seconds=20):
        """Waits until text was written; what came before it and itself is taken."""
        end = time.monotonic() + seconds
        while text not in self.said and time.monotonic() < end and self.read(end - time.monotonic()):
            pass
        if not drive.check(text in self.said, 'the terminal never showed', repr(text), 'but', repr(self.said[-600:])):
            return ''
        before, self.said = self.said.split(text, 1)
        return before + text

    def type(self, text):
        os.write(self.terminal, text.encode())

    def end(self, seconds=20):
        """Everything up to the end of the program; its exit status, or minus a signal."""
        end = time.monotonic() + seconds
        while self.read(max(0, end - time.monotonic())) and time.monotonic() < end:
            pass
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() >= end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                self.status = 'hung'
            else:
                select.select([], [], [], 0.005)
        os.close(self.terminal)
        rest, self.said = self.said, ''
        return self.status, rest
