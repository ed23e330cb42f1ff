"""test_deploy.py ROOT PROGRAM VERSION: what is shipped for kiosks and Debian, as far as it can be told without a machine of its own.

tests/deploy/run holds the packages to what they promise on one. Here: units, scripts and configurations parse, by the
programs they are for where those are installed; making a machine a kiosk and undoing it leaves what was there; packages
that Debian's build needs are those of ./run.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT, PROGRAM, VERSION = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
del sys.argv[1:4]
KIOSK = ROOT / "doc/kiosk"
UNITS = ("quiztutor-kiosk.service", "quiztutor-kiosk-graphical.service", "quiztutor-kiosk-backup.service", "quiztutor-kiosk-backup.timer",
         "quiztutor-kiosk-sync.service")
# what ./run names and Debian's build has without naming it, or the other way round
EVERYWHERE = {"gcc", "libc6-dev", "ninja-build"}
PACKAGING = {"debhelper-compat", "po-debconf", "python3:any"}


def run(*arguments, **options):
    return subprocess.run([str(argument) for argument in arguments], text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, **options)


class Deploy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def done(self, *arguments, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def units(self):
        """The units as they are installed, with programs that are there."""
        for name in UNITS:
            source = KIOSK / name if name.endswith("timer") else KIOSK / f"{name}.in"
            text = source.read_text().replace("@BINDIR@", str(PROGRAM.parent)).replace("@DATADIR@", "/usr/share")
            self.assertNotIn("@", re.sub(r"^#.*|getty@tty1|SystemCallFilter=.*", "", text, flags=re.M), name)
            (self.folder / name).write_text(text.replace("/usr/bin/cage", "/bin/true"))
        return [self.folder / name for name in UNITS]

    def test_units_say_what_they_must(self):
        for path in self.units()[:3]:
            text = path.read_text()
            lines = text.splitlines()
            for line in ("User=quiztutor-kiosk", "NoNewPrivileges=yes", "LimitCORE=0", "IPAddressDeny=any", "UMask=0077",
                         "StateDirectory=quiztutor", "StateDirectoryMode=0700"):
                self.assertIn(line, lines, path.name)
            self.assertIn("RestrictAddressFamilies=", text)
            if "backup" not in path.name:
                for line in ("Restart=always", "RestartPreventExitStatus=3", "StartLimitIntervalSec=0", "ProtectSystem=strict", "TTYPath=/dev/tty1",
                             "TTYReset=yes", "TTYVHangup=yes", "StandardError=journal"):
                    self.assertIn(line, lines, path.name)

    def test_the_kiosk_has_neither_the_network_nor_the_password_of_its_sync(self):
        units = {path.name: path.read_text() for path in self.units()}
        sync = units["quiztutor-kiosk-sync.service"].splitlines()
        for line in ("User=quiztutor-kiosk", "NoNewPrivileges=yes", "LimitCORE=0", "UMask=0077", "StateDirectoryMode=0700", "ProtectSystem=strict",
                     "ConditionPathExists=/etc/quiztutor/pg_service.conf", "LoadCredential=pg_service.conf:/etc/quiztutor/pg_service.conf",
                     "Environment=PGSERVICEFILE=%d/pg_service.conf", "CapabilityBoundingSet="):
            self.assertIn(line, sync)
        self.assertNotRegex(units["quiztutor-kiosk-sync.service"], "PrivateNetwork|IPAddressDeny")
        for name in ("quiztutor-kiosk.service", "quiztutor-kiosk-graphical.service"):
            self.assertRegex(units[name], "(?m)^InaccessiblePaths=.*-/run/credentials")
            self.assertIn("IPAddressDeny=any", units[name])

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd-analyze")
    def test_units_are_taken(self):
        result = self.done("systemd-analyze", "verify", "--man=no", *self.units())
        self.assertEqual(result.stderr.replace("\n", ""), "")
        bad = self.folder / "bad.service"
        bad.write_text("[Service]\nExecStart=/bin/true\nRestart=sometimes\n")
        self.assertNotEqual(run("systemd-analyze", "verify", "--man=no", bad).stderr, "")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd-analyze")
    def test_exposure(self):
        for path, most in zip(self.units()[:3] + self.units()[4:], (1.5, 6.0, 1.5, 2.5)):
            result = run("systemd-analyze", "security", "--offline=yes", path)
            found = re.search(r"exposure level for .*: ([0-9.]+)", result.stdout)
            if found:  # an older one can't
                self.assertLessEqual(float(found[1]), most, path.name)

    @unittest.skipUnless(shutil.which("man") and shutil.which("troff"), "no man")
    def test_manual_renders_without_warnings(self):
        for path in sorted((ROOT / "doc").glob("*.[1-9]")):
            result = self.done("man", "--warnings", "-E", "UTF-8", "-Tutf8", "-Z", "-l", path, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
            self.assertEqual(result.stderr, "", path.name)

    def test_scripts_parse(self):
        for path in [KIOSK / "machine", KIOSK / "console-keys", KIOSK / "ssh/collect", ROOT / "tests/deploy/run", ROOT / "tests/deploy/inside",
                     *(ROOT / "debian").glob("*.p*rm"), *(ROOT / "debian").glob("*.postinst"), *(ROOT / "debian").glob("*.config")]:
            self.done("dash" if shutil.which("dash") else "sh", "-n", path)
        compile((KIOSK / "ssh/add-learners").read_text(), "add-learners", "exec")
        for path in (KIOSK / "machine", KIOSK / "console-keys", KIOSK / "ssh/collect", KIOSK / "ssh/add-learners", ROOT / "debian/rules"):
            self.assertTrue(os.access(path, os.X_OK), path)

    def test_console_keys(self):
        table = ("keycode  59 = F1 F13 Console_13\n\tcontrol alt keycode 59 = Console_1\nalt keycode 105 = Decr_Console\n"
                 "control alt keycode 111 = Boot\nkeycode 70 = Scroll_Lock Show_Memory Show_Registers\nkeycode 16 = q Q\nkeycode 28 = Return\n")
        done = subprocess.run(["sh", KIOSK / "console-keys", "--filter"], input=table, text=True, capture_output=True, timeout=20)
        self.assertEqual(done.stdout, re.sub(r"Console_\d+|Decr_Console|Boot|Show_Memory|Show_Registers", "VoidSymbol", table))

    def machine(self, *arguments):
        return run("sh", KIOSK / "machine", *arguments, env={**os.environ, "ROOT": str(self.folder), "UNITS": "/lib/systemd/system"})

    def tree(self):
        return {path.relative_to(self.folder): os.readlink(path) if path.is_symlink() else "" for path in sorted(self.folder.rglob("*"))
                if path.is_symlink() or not path.is_dir()}

    def test_a_machine_becomes_a_kiosk_and_none_again(self):
        system = self.folder / "etc/systemd/system"
        (system / "timers.target.wants").mkdir(parents=True)
        (system / "ctrl-alt-del.target").symlink_to("/dev/null")  # somebody's own
        (self.folder / "etc/sysctl.d").mkdir()
        (self.folder / "etc/sysctl.d/60-quiztutor-kiosk.conf").write_text("kernel.sysrq=1\n")
        before = self.tree()
        for what, unit in (("console", "quiztutor-kiosk.service"), ("graphical", "quiztutor-kiosk-graphical.service"), ("console", "quiztutor-kiosk.service")):
            result = self.machine(what)
            self.assertEqual(result.returncode, 0)
            self.assertIn("60-quiztutor-kiosk.conf is there already", result.stderr)
            self.assertEqual({path.name for path in (system / "multi-user.target.wants").iterdir()}, {unit, "quiztutor-kiosk-sync.service"})
            for name in ("getty@.service", "autovt@.service", "ctrl-alt-del.target"):
                self.assertEqual(os.readlink(system / name), "/dev/null")
            for name in ("etc/systemd/logind.conf.d", "etc/systemd/system.conf.d"):
                self.assertTrue((self.folder / name / "quiztutor-kiosk.conf").resolve().is_file(), name)
        (system / "debug-shell.service").unlink()  # somebody changes what was made
        (system / "debug-shell.service").symlink_to("/their/own")
        for _ in range(2):
            self.assertEqual(self.machine("none").returncode, 0)
            self.assertEqual(self.tree(), {**before, Path("etc/systemd/system/debug-shell.service"): "/their/own"})
        self.assertEqual(self.machine("restart").returncode, 0)
        self.assertEqual(self.machine("desktop").returncode, 2)
        self.assertEqual(self.machine().returncode, 2)

    def test_kernel_settings(self):
        lines = [line for line in (KIOSK / "sysctl.conf").read_text().splitlines() if not line.startswith("#")]
        found = dict(re.fullmatch(r"([a-z0-9_.-]+) = (\S.*)", line).groups() for line in lines)
        self.assertEqual((found["kernel.sysrq"], found["kernel.dmesg_restrict"], found["kernel.core_pattern"], found["fs.suid_dumpable"]),
                         ("0", "1", "|/bin/false", "0"))
        self.assertIn(found["kernel.yama.ptrace_scope"], ("1", "2", "3"))

    @unittest.skipUnless(shutil.which("foot"), "no foot")
    def test_foot(self):
        self.done("foot", "--check-config", f"--config={KIOSK / 'foot.ini'}")

    def test_foot_has_no_key_of_its_own(self):
        text = (KIOSK / "foot.ini").read_text()
        bindings = re.findall(r"^([a-z-]+)=(.*)$", text.split("[key-bindings]")[1], flags=re.M)
        self.assertGreater(len(bindings), 25)
        self.assertEqual({value for _, value in bindings}, {"none"})

    @unittest.skipUnless(shutil.which("sshd") or os.path.exists("/usr/sbin/sshd"), "no sshd")
    def test_sshd(self):
        key = self.folder / "key"
        self.done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
        result = run("/usr/sbin/sshd", "-t", "-f", KIOSK / "ssh/sshd.conf", "-h", key)
        self.assertNotRegex(result.stderr, "(?i)bad configuration|unsupported|not allowed|syntax")

    def test_example_for_ansible(self):
        for path in KIOSK.glob("ansible/**/*.yml"):
            self.assertTrue(yaml.safe_load(path.read_text()), path)
        (play,) = yaml.safe_load((KIOSK / "ansible/kiosks.yml").read_text())
        role = {key: value for key, value in play["roles"][0].items() if key != "role"}
        self.assertEqual(set(yaml.safe_load((KIOSK / "ansible/roles/quiztutor_kiosk/defaults/main.yml").read_text())), set(role))
        config = self.folder / "kiosk.yaml"
        config.write_text(yaml.safe_dump({"format": "quiztutor-kiosk/1", **role["quiztutor_kiosk"]}, sort_keys=False))
        self.taken(config)

    def taken(self, config):
        """The kiosk takes this configuration: then it looks for the store, and asks for backups or not."""
        text = config.read_text()
        config.write_text(re.sub("/var/backups/quiztutor", str(self.folder / "copies"), text) + f"\nstore: {self.folder}/no.db\n")
        done = self.done(PROGRAM, "kiosk", "--backup", "--config", config)
        self.assertIn("there is no store yet", done.stdout)

    def test_example_of_a_configuration(self):
        config = self.folder / "kiosk.yaml"
        text = (ROOT / "doc/kiosk.yaml").read_text()
        config.write_text(text)
        self.taken(config)
        # and with what stands behind signs of a remark put in force
        keys = re.sub(r"^# (?=[a-z_]+: |[a-z_]+:$|  )", "", text.split("format:")[1], flags=re.M)
        keys = re.sub(r"^(tutor_code|store): .*$|^content: .*$", "", keys, flags=re.M)
        config.write_text("format:" + keys)
        self.taken(config)

    def test_debian_names_what_run_names(self):
        control = (ROOT / "debian/control").read_text()
        build = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, flags=re.M)[1]
        build = {re.sub(r" .*|,", "", line.strip()) for line in build.splitlines()}
        needs = set(re.search(r"^need ((?:.*\\\n)*.*)", (ROOT / "run").read_text(), flags=re.M)[1].replace("\\\n", " ").split())
        self.assertEqual(build - PACKAGING, needs - EVERYWHERE)
        checks = set(" ".join(re.findall(r"^need ((?:.*\\\n)*.*)", (ROOT / "check").read_text(), flags=re.M)).replace("\\\n", " ").split())
        self.assertLessEqual(needs, checks)

    def test_debian_has_the_version(self):
        first = (ROOT / "debian/changelog").read_text().splitlines()[0]
        self.assertRegex(first, rf"^quiztutor \({re.escape(VERSION)}\) ")
        self.assertIn(f"quiztutor_{VERSION}_amd64.deb", (KIOSK / "ansible/kiosks.yml").read_text())

    @unittest.skipUnless(shutil.which("msgfmt"), "no msgfmt")
    def test_questions_are_translated(self):
        for path in (ROOT / "debian/po").glob("*.po"):
            told = run("msgfmt", "--statistics", "-c", "-o", os.devnull, path)
            self.assertEqual(told.returncode, 0, told.stderr)
            self.assertNotRegex(told.stderr, "fuzzy|untranslated", path.name)


if __name__ == "__main__":
    unittest.main()
