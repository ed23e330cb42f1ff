"""A proxy between a client and a test's server, on a port of 127.0.0.1: cuts, swallows, and says where a client stands.

    with between.Proxy(server.folder) as proxy:
        proxy.address("lab", database)
        proxy.cut_after = 4711      # bytes, both ways together: then both ends are closed
        proxy.swallow_after = 900   # bytes of the client's: what comes after them goes nowhere, and nobody says so
        proxy.stop_at = 7, call     # before the client's seventh message goes on, call()
"""

import select
import socket
import struct
import threading


class Proxy:
    def __init__(self, folder):
        self.folder = folder
        self.cut_after = self.swallow_after = self.stop_at = None
        self.messages = self.bytes = 0
        self.threads = []

    def __enter__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(20)
        self.ended = False
        self._spawn(self._accept)
        return self

    def __exit__(self, kind, value, trace):
        self.ended = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join(20)

    def reset(self, **rules):
        self.cut_after = self.swallow_after = self.stop_at = None
        self.messages = self.bytes = 0
        for name, value in rules.items():
            setattr(self, name, value)

    def address(self, role, database, more=""):
        port = self.listener.getsockname()[1]
        return f"postgresql://{role}@127.0.0.1:{port}/{database}?sslmode=disable&gssencmode=disable{more}"

    def _spawn(self, call, *arguments):
        thread = threading.Thread(target=call, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self._spawn(self._serve, client)

    def _serve(self, client):
        server = socket.socket(socket.AF_UNIX)
        try:
            try:
                server.connect(self.folder + "/.s.PGSQL.5432")
            except OSError:
                return
            self._pump(client, server)
        finally:
            client.close()
            server.close()

    def _pump(self, client, server):
        pending, started, swallowed = b"", False, 0
        while not self.ended:
            ready, _, _ = select.select([client, server], [], [], 0.2)
            for end in ready:
                try:
                    data = end.recv(65536)
                except OSError:
                    data = b""
                if not data:
                    return
                if end is client:
                    if self.swallow_after is not None and swallowed + len(data) > self.swallow_after:
                        swallowed += len(data)
                        continue
                    swallowed += len(data)
                    pending, started = self._count(pending + data, started)
                    if self.stop_at and self.messages >= self.stop_at[0]:
                        call, self.stop_at = self.stop_at[1], None
                        call()
                if self.cut_after is not None and self.bytes + len(data) >= self.cut_after:
                    data = data[: max(0, self.cut_after - self.bytes)]
                    self.bytes = self.cut_after
                    self._send(server if end is client else client, data)
                    self.cut_after = None
                    return
                self.bytes += len(data)
                if not self._send(server if end is client else client, data):
                    return

    @staticmethod
    def _send(end, data):
        try:
            end.sendall(data)
            return True
        except OSError:
            return False

    def _count(self, data, started):
        """Counts the client's messages; what is left of one that is not whole, and whether the first was seen."""
        while True:
            head = 1 if started else 0
            if len(data) < head + 4:
                return data, started
            length = head + struct.unpack("!I", data[head:head + 4])[0]
            if len(data) < length:
                return data, started
            data, started = data[length:], True
            self.messages += 1
