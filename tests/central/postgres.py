"""A real PostgreSQL for a test: started as an ordinary user on a unix socket in a scratch folder, gone afterwards.

    with postgres.Server() as server:                 # one for each file of tests: initdb takes most of a second
        database = server.make_database()             # one for each test, empty; owned by role `owner`
        server.install(database, machines=["lab"], tutors=["anna"], school="Elm Street")
        server.address("lab", database)               # postgresql://lab@/t1?host=/tmp/pg…
        with server.connect("lab", database) as connection: …   # psycopg2; autocommit=True on request
        server.stop("immediate"); server.start(); server.crash(); server.restart()

Roles log in by `trust`. `owner` may make databases and roles and is no superuser, as in the documented set-up; `postgres`
is the superuser. The server dies with the process that started it, whatever ends that; start it from the main thread.
"""
import ctypes
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import psycopg2
except ImportError:  # another python than Debian's, whose package it is
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3") or not os.path.exists("/usr/bin/python3"):
        sys.exit("there is no psycopg2 here: install python3-psycopg2")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.orig_argv[1:]])

for name in [name for name in os.environ if name.startswith("PG")]:  # of who runs this
    del os.environ[name]

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MIGRATIONS = os.path.join(ROOT, "db", "postgres")
WAIT_S = 60  # a generous bound: what takes longer hangs
SOCKET_LONGEST = 80  # of its folder: a socket's path is limited to 107 bytes

SETTINGS = """
listen_addresses = ''
unix_socket_directories = '%(folder)s'
unix_socket_permissions = 0777
max_connections = 40
shared_buffers = 32MB
fsync = %(durable)s
full_page_writes = %(durable)s
synchronous_commit = on
wal_level = minimal
max_wal_senders = 0
max_wal_size = 2GB
autovacuum_naptime = 5s
logging_collector = off
log_min_messages = warning
log_min_error_statement = panic
timezone = 'UTC'
lc_messages = 'C'
"""
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)


def programs():
    """The folder of PostgreSQL's programs, the newest release's."""
    folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/pgsql-*/bin")
    folders = [folder for folder in folders if os.path.exists(os.path.join(folder, "initdb"))]
    if folders:
        return max(folders, key=lambda folder: float(re.search(r"(\d+(\.\d+)?)/bin$", folder).group(1)))
    found = shutil.which("initdb")
    if not found:
        sys.exit("there is no PostgreSQL server here: install postgresql-15")
    return os.path.dirname(os.path.realpath(found))


def migrations(version=None):
    """The schema's files in order: the migrations (up to that one only), then what is made anew after them."""
    names = sorted(name for name in os.listdir(MIGRATIONS) if name.endswith(".sql"))
    numbered = [name for name in names if re.match(r"\d{4}_", name)]
    return [os.path.join(MIGRATIONS, name) for name in numbered[:version] + names[len(numbered):]]


def dies_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)  # the server's own word for "immediately"


def terminated(number, frame):
    sys.exit(128 + number)  # so that context managers clean up


class Server:
    """durable: with fsync, for tests in which a crash must lose nothing that a power cut would not."""

    def __init__(self, durable=False, settings=""):
        self.folder = None
        self.process = None
        self.databases = 0
        self.durable = durable
        self.settings = settings
        self.user = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            nobody = pwd.getpwnam("nobody")
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def __enter__(self):
        try:
            if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
                signal.signal(signal.SIGTERM, terminated)
            self._make()
            self.start()
            self.run("postgres", "postgres", "CREATE ROLE owner LOGIN CREATEROLE CREATEDB")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind, value, trace):
        if self.process:
            self.stop("immediate")
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    def _make(self):
        place = tempfile.gettempdir()
        self.folder = tempfile.mkdtemp(prefix="pg", dir=place if len(place) < SOCKET_LONGEST else "/tmp")
        if self.user:
            os.chown(self.folder, self.user["user"], self.user["group"])
        os.chmod(self.folder, 0o711)
        self.data = os.path.join(self.folder, "data")
        self.log = os.path.join(self.folder, "log")
        # the folder's own environment: no locale, service file or password of who runs this reaches the server
        self.environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "TZ": "UTC",
                            "HOME": self.folder}
        self.programs = programs()
        subprocess.run([os.path.join(self.programs, "initdb"), "--no-sync", "--no-instructions", "--auth=trust",
                        "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "-D", self.data],
                       cwd=self.folder, env=self.environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, **self.user)
        words = {"folder": self.folder, "durable": "on" if self.durable else "off"}
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as conf:
            conf.write(SETTINGS % words + self.settings)

    def start(self, wait=True):
        """Also after stop() and crash(); wait: until it takes connections."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([os.path.join(self.programs, "postgres"), "-D", self.data],
                                            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, preexec_fn=dies_with_parent, **self.user)
        if wait:
            self.wait()

    def wait(self):
        until = time.monotonic() + WAIT_S
        while True:
            try:
                psycopg2.connect(self.address("postgres", "postgres")).close()
                return
            except psycopg2.OperationalError as error:
                if self.process.poll() is not None:
                    raise RuntimeError("the server ended:\n" + self.log_text()) from error
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def stop(self, mode="fast"):
        """fast: transactions are cut off, what is committed is written; immediate: as by a pulled plug, but that
        the operating system goes on."""
        self.process.send_signal({"smart": signal.SIGTERM, "fast": signal.SIGINT,
                                  "immediate": signal.SIGQUIT}[mode])
        self._gone()

    def crash(self):
        """kill -9 of the server's first process; the others end when they see it."""
        self.process.kill()
        self._gone()

    def _gone(self):
        try:
            self.process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self.process = None

    def restart(self, mode="immediate"):
        self.stop(mode)
        self.start()

    def pid(self):
        return self.process.pid

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def address(self, role, database):
        return "postgresql://%s@/%s?host=%s" % (role, database, self.folder)

    def connect(self, role, database, autocommit=False):
        connection = psycopg2.connect(self.address(role, database))
        connection.autocommit = autocommit
        return connection

    def run(self, role, database, sql, parameters=None):
        """One statement or several, committed; the rows of the last."""
        connection = self.connect(role, database, autocommit=parameters is not None or ";" not in sql.rstrip("; \n"))
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql, parameters)
                rows = cursor.fetchall() if cursor.description else []
            if not connection.autocommit:
                connection.commit()
            return rows
        finally:
            connection.close()

    def psql(self, role, database, *arguments, **options):
        """The program itself; options as subprocess.run takes them."""
        return subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *arguments, self.address(role, database)],
                              env={**self.environment, **options.pop("environment", {})}, check=True, **options)

    def make_database(self):
        """A new empty one of role `owner`; its name."""
        self.databases += 1
        name = "t%d" % self.databases
        self.run("owner", "postgres", "CREATE DATABASE %s TEMPLATE template0" % name)
        return name

    def install(self, database, school="Elm Street", machines=("lab",), tutors=("anna",), version=None):
        """The central schema by its SQL files alone, a school and its roles; version: up to that migration only."""
        connection = self.connect("owner", database)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT to_regnamespace('quiztutor') IS NULL")
                if cursor.fetchone()[0]:
                    cursor.execute("CREATE SCHEMA quiztutor")
                    cursor.execute("SET LOCAL search_path = quiztutor, pg_temp")
                    for path in migrations(version):
                        with open(path, encoding="utf-8") as file:
                            cursor.execute(file.read())
                cursor.execute("SET LOCAL search_path = quiztutor, pg_temp")
                cursor.execute("SELECT set_school(%s)", (school,))
                for duty, names in (("machine", machines), ("tutor", tutors)):
                    for name in names:
                        cursor.execute("SELECT set_role(%s, %s, %s)", (name, school, duty))
            connection.commit()
        finally:
            connection.close()
