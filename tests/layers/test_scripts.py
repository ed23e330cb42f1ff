"""test_scripts.py ROOT: run and check, driven with stand-ins for the compiler, meson, ninja, dpkg and apt.

The stand-ins note how they were called; the stand-in of the program prints what it was given. So that the scripts' own
work is seen without a build: where they look, what they install, what they pass on, and what they do when it fails.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()

STAND_INS = {
    "gcc": 'echo "gcc (stand-in) ${GCC_VERSION:-1}"',
    "clang": 'echo "clang (stand-in) 1"',
    # meson setup BUILD SOURCE …: a folder that holds the program; meson test: what $TESTLOG says
    "meson": '''case $1 in
setup) mkdir -p "$2/src/cli"; : >"$2/build.ninja"
    printf '%s\\n' '#!/bin/sh' 'echo "arguments: $*"' 'echo "content: $QUIZTUTOR_CONTENT"' \\
        'echo "locale: $QUIZTUTOR_LOCALEDIR"' >"$2/src/cli/quiztutor"; chmod +x "$2/src/cli/quiztutor" ;;
test) echo "folder $TMPDIR, slice $TEST_SLICE, $*" >>"$CALLS"; mkdir -p "$3/meson-logs"; printf '%s\\n' "$TESTLOG" >"$3/meson-logs/testlog.json"; exit "${TEST_STATUS:-0}" ;;
esac''',
    "ninja": 'if [ -n "${NINJA_FAILS:-}" ]; then echo "FAILED: $NINJA_FAILS"; exit 1; fi',
    "dpkg-query": 'shift 3; for p; do case " ${MISSING:-} " in *" $p "*) ;; *) echo "$p installed" ;; esac; done',
    "apt-get": '[ -z "${APT_FAILS:-}" ]',
    "df": 'echo Filesystem; echo "${MEMORY:-overlay} 9 9 ${ROOM:-0} 9% /dev/shm"',
    "id": 'echo "${USER_ID:-0}"',
    "sudo": 'exit 1',
    "node": '',
    "npm": 'mkdir -p node_modules; [ -z "${NPM_FAILS:-}" ]',
}
OK = '{"name": "one", "result": "OK"}'
FAIL = '{"name": "two", "result": "FAIL", "returncode": 1, "stdout": "what it printed"}'
SKIP = '{"name": "three", "result": "SKIP"}'


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "check out"
        (self.root / "content").mkdir(parents=True)
        shutil.copytree(ROOT / ".ci", self.root / ".ci")
        shutil.copytree(ROOT / "tests/oracle", self.root / "tests/oracle")
        for name in ("run", "check"):
            shutil.copy(ROOT / name, self.root / name)
        tools = self.folder / "tools"
        tools.mkdir()
        for name, body in STAND_INS.items():
            script = tools / name
            script.write_text(f'#!/bin/sh\necho "{name} $*" >>"$CALLS"\n{body}\n')
            script.chmod(0o755)
        self.environment = {"PATH": f"{tools}:/usr/bin:/bin", "CALLS": str(self.folder / "calls"), "HOME": "/nowhere"}

    def script(self, name, *arguments, folder="/", **environment):
        done = subprocess.run([str(name), *arguments], cwd=folder, env={**self.environment, **environment}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout

    def run_it(self, *arguments, **options):
        return self.script(self.root / "run", *arguments, **options)

    def calls(self):
        calls = self.folder / "calls"
        text = calls.read_text() if calls.exists() else ""
        calls.unlink(missing_ok=True)
        return text

    def test_run_passes_arguments_and_packs(self):
        status, output = self.run_it("practise", "a b", "--seed", "1")
        self.assertEqual(status, 0, output)
        self.assertIn("arguments: practise a b --seed 1\n", output)
        self.assertIn(f"content: /nowhere/.local/share/quiztutor/content:{self.root}/content\n", output)
        self.assertIn(f"locale: {self.root}/build/run/po\n", output)
        self.assertNotIn("apt-get", self.calls())

    def test_run_leaves_what_the_user_set(self):
        _, output = self.run_it(QUIZTUTOR_CONTENT="/mine", QUIZTUTOR_LOCALEDIR="/words")
        self.assertIn("content: /mine\nlocale: /words\n", output)
        settings = self.folder / "quiztutor"
        settings.mkdir()
        (settings / "config.yaml").write_text("content: /elsewhere\n")
        _, output = self.run_it(XDG_CONFIG_HOME=str(self.folder))
        self.assertIn("content: \n", output)

    def test_run_through_a_link_and_from_its_own_folder(self):
        link = self.folder / "link"
        link.symlink_to(self.root / "run")
        _, output = self.script(link)
        self.assertIn(f"{self.root}/content\n", output)
        _, output = self.script("./run", folder=self.root)
        self.assertIn(f"{self.root}/content\n", output)

    def test_run_sets_up_once(self):
        self.run_it()
        self.assertIn("meson setup", self.calls())
        status, output = self.run_it()
        self.assertEqual((status, output.splitlines()[0]), (0, "arguments: "))
        self.assertNotIn("meson setup", self.calls())

    def test_run_sets_up_anew_for_another_compiler_and_place(self):
        self.run_it()
        self.calls()
        self.run_it(GCC_VERSION="2")
        self.assertIn("meson setup", self.calls())
        moved = self.folder / "moved"
        self.root.rename(moved)
        self.root = moved
        _, output = self.run_it(GCC_VERSION="2")
        self.assertIn("meson setup", self.calls())
        self.assertIn(f"{moved}/content\n", output)

    def test_run_shows_why_it_does_not_build(self):
        status, output = self.run_it(NINJA_FAILS="main.o")
        self.assertEqual(status, 1)
        self.assertIn("FAILED: main.o\nit does not build", output)
        self.assertNotIn("arguments:", output)
        self.assertEqual(self.run_it()[0], 0)
        self.assertEqual(self.run_it(NINJA_FAILS="main.o")[0], 1)

    def test_a_folder_of_another_meson_is_made_anew(self):
        self.run_it()
        self.calls()
        self.run_it(NINJA_FAILS="build.ninja")
        self.assertIn("meson setup", self.calls())

    def test_only_what_is_missing_is_installed(self):
        status, output = self.run_it(MISSING="meson libyaml-dev")
        self.assertEqual(status, 0, output)
        self.assertIn("installing meson libyaml-dev\n", output)
        install = [line for line in self.calls().splitlines() if " install " in line]
        self.assertEqual(len(install), 1)
        self.assertTrue(install[0].endswith("--no-install-recommends meson libyaml-dev"), install[0])

    def test_without_root_it_says_what_is_missing_and_goes_on(self):
        status, output = self.run_it(MISSING="meson", USER_ID="1000")
        self.assertEqual(status, 0)
        self.assertIn("missing here, and installing them takes root: meson\n", output)
        self.assertNotIn("apt-get", self.calls())

    def test_a_failed_installation_is_told(self):
        _, output = self.run_it(MISSING="meson", APT_FAILS="1")
        self.assertIn("could not install them", output)

    def test_two_at_once(self):
        both = [subprocess.Popen([self.root / "run"], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
        for one in both:
            self.assertIn("arguments: \n", one.communicate(timeout=60)[0])
        self.assertEqual(self.calls().count("meson setup"), 1)

    def test_check_adds_up(self):
        status, output = self.script(self.root / "check", TESTLOG=f"{OK}\n{SKIP}")
        self.assertEqual((status, output.splitlines()[-1]), (0, "2 passed, 0 failed"), output)
        self.assertIn("gcc: 1 passed, 0 failed, 1 skipped: three\n", output)
        calls = self.calls()
        self.assertIn("b_sanitize=address,undefined", calls)
        self.assertEqual(calls.count("--werror"), 2)

    def test_check_quick_is_gcc_without_campaigns(self):
        status, output = self.script(self.root / "check", "--quick", TESTLOG=OK)
        self.assertEqual((status, output.splitlines()[-1]), (0, "1 passed, 0 failed"), output)
        calls = self.calls()
        self.assertIn("--no-suite campaign", calls)
        self.assertNotIn("sanitize", calls)

    def test_check_counts_failures_and_shows_them(self):
        status, output = self.script(self.root / "check", TESTLOG=f"{OK}\n{FAIL}", TEST_STATUS="1")
        self.assertEqual((status, output.splitlines()[-1]), (1, "2 passed, 2 failed"), output)
        self.assertIn("what it printed", output)

    def test_check_counts_a_failed_build_and_a_run_without_results(self):
        status, output = self.script(self.root / "check", "--quick", NINJA_FAILS="main.o")
        self.assertEqual((status, output.splitlines()[-1]), (1, "0 passed, 1 failed"), output)
        status, output = self.script(self.root / "check", "--quick", TESTLOG="", TEST_STATUS="0")
        self.assertEqual((status, output.splitlines()[-1]), (1, "0 passed, 1 failed"), output)
        status, output = self.script(self.root / "check", "--quick", TESTLOG=OK, TEST_STATUS="2")
        self.assertEqual((status, output.splitlines()[-1]), (1, "1 passed, 1 failed"), output)

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK | os.X_OK), "no file system in memory")
    def test_check_works_in_memory_where_there_is_room(self):
        def folders(**environment):
            output = self.script(self.root / "check", TESTLOG=OK, TMPDIR="/mine", **environment)[1]
            self.assertEqual(output.splitlines()[-1], "2 passed, 0 failed", output)
            return [line.split()[1] for line in self.calls().splitlines() if line.startswith("folder ")]

        one, other = folders(MEMORY="tmpfs", ROOM="2000000")
        self.assertEqual(one, other)
        self.assertRegex(one, "^/dev/shm/qt-")
        self.assertFalse(os.path.exists(one.rstrip(",")), "it is removed")
        self.assertEqual(folders(MEMORY="tmpfs", ROOM="65536"), ["/mine,"] * 2)
        self.assertEqual(folders(ROOM="2000000"), ["/mine,"] * 2)

    def test_check_runs_a_slice_under_sanitizers(self):
        self.script(self.root / "check", TESTLOG=OK, TEST_SLICE="9")
        whole, part = [line for line in self.calls().splitlines() if line.startswith("folder ")]
        self.assertIn("slice , ", whole)
        self.assertNotIn("--no-suite", whole)
        self.assertIn("slice 4, ", part)
        self.assertIn("--no-suite source --no-suite once", part)

    def test_check_refuses_what_it_does_not_know(self):
        self.assertEqual(self.script(self.root / "check", "--fast")[0], 2)

    def test_check_fetches_what_it_compares_with_once(self):
        def check(*arguments, **environment):
            status, output = self.script(self.root / "check", *arguments, TESTLOG=OK, **environment)
            return status, output, self.calls()

        self.assertNotIn("npm", check("--quick")[2])
        status, output, calls = check()
        self.assertEqual((status, output.splitlines()[-1]), (0, "2 passed, 0 failed"), output)
        self.assertIn("npm install --no-save --ignore-scripts", calls)
        self.assertNotIn("npm", check()[2])
        shutil.rmtree(self.root / "build/oracles/node_modules")
        self.assertIn("npm install", check()[2])
        (self.root / "tests/oracle/package-lock.json").write_text("{}")
        self.assertIn("could not install them", check(NPM_FAILS="yes")[1])
        self.assertIn("npm install", check()[2])
        self.assertNotIn("npm", check()[2])

    def test_check_installs_node_where_it_is_missing(self):
        (self.folder / "tools/npm").unlink()
        self.environment["PATH"] = f"{self.folder}/tools:{self.tools_but('node', 'npm')}"
        output = self.script(self.root / "check", TESTLOG=OK, MISSING="nodejs npm")[1]
        self.assertRegex(self.calls(), r"apt-get .*install .*nodejs npm\n")
        self.assertIn("could not install them", output)

    def tools_but(self, *names):
        """A folder with the system's programs but these."""
        folder = self.folder / "system"
        folder.mkdir()
        for place in ("/usr/bin", "/bin"):
            for program in Path(place).iterdir():
                if program.name not in names and not (folder / program.name).exists():
                    (folder / program.name).symlink_to(program)
        return folder

    def test_ci_calls_check(self):
        status, output = self.script(self.root / ".ci/run", TESTLOG=OK)
        self.assertEqual((status, output.splitlines()[-1]), (0, "2 passed, 0 failed"), output)

    def test_syntax(self):
        for name in ("run", "check", ".ci/run", ".ci/setup.sh", "po/update"):
            done = subprocess.run(["dash", "-n", str(ROOT / name)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)


if __name__ == "__main__":
    unittest.main()
