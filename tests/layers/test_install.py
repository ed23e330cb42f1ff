"""test_install.py MESON BUILD SOURCE NAME=DIRECTORY…: installs into an empty folder (DESTDIR) and looks at what lies there.

The directories are those of the build: prefix, bin, libexec, data, man, locale. The programs, the packs, the man pages, what makes
a kiosk (doc/kiosk), completions and the catalogues of po/LINGUAS must be there, and nothing else; and the installed program must run.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    meson, build, source = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    at = dict(argument.split("=", 1) for argument in sys.argv[4:])
    place = {name: Path(at["prefix"]) / folder for name, folder in at.items()}
    content = place["data"] / "quiztutor/content"
    expected = {place["bin"] / "quiztutor", place["libexec"] / "quiztutor/quiztutor-tools", place["man"] / "man1/quiztutor.1", place["man"] / "man5/quiztutor-pack.5",
                place["man"] / "man7/quiztutor-central.7", place["man"] / "man7/quiztutor-formats.7", place["man"] / "man7/quiztutor-kiosk.7", place["man"] / "man7/quiztutor-learning.7", place["man"] / "man7/quiztutor-reports.7"}
    expected |= {content / path.relative_to(source / "content")
                 for path in (source / "content").rglob("*") if path.suffix in (".yaml", ".yml")}
    expected |= {place["data"] / "quiztutor/schema" / path.name for path in (source / "content/schema").glob("*.json")}
    kiosk = place["data"] / "quiztutor/kiosk"
    expected |= {kiosk / path.name.removesuffix(".in") for path in (source / "doc/kiosk").glob("*") if path.is_file()}
    expected |= {kiosk / "kiosk.yaml", place["data"] / "bash-completion/completions/quiztutor", place["data"] / "zsh/site-functions/_quiztutor"}
    if "locale" in at:
        for language in (source / "po/LINGUAS").read_text().split():
            expected.add(place["locale"] / language / "LC_MESSAGES/quiztutor.mo")

    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DESTDIR": folder}
        subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet"], env=environment, check=True)
        found = {Path("/") / path.relative_to(folder) for path in Path(folder).rglob("*") if not path.is_dir()}
        for path in sorted(expected - found):
            print("is not installed:", path)
        for path in sorted(found - expected):
            print("is installed, and nobody asked for it:", path)
        if found != expected:
            return 1
        program = f"{folder}{place['bin']}/quiztutor"
        environment = {**os.environ, "QUIZTUTOR_CONTENT": f"{folder}{content}", "QUIZTUTOR_STORE": f"{folder}/store.db"}
        version = subprocess.run([program, "--version"], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        library = subprocess.run([program], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(version.stdout, version.stderr, library.stdout, library.stderr, sep="")
    if version.returncode or "quiztutor" not in version.stdout:
        print("the installed program does not tell its version")
        return 1
    if library.returncode or "quiztutor" not in library.stdout:
        print("the installed program does not list the installed packs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
