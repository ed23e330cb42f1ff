"""test_man.py MANDOC BINARY PAGE…: lints the man pages, and finds in them each row of the program's tables.

`quiztutor --print-tables` prints the tables that commands, options, settings, keys, typed responses and formats come from, as
sections of tab-separated rows; what the program knows and the manual does not is a fault. Of a key the manual names the
key and the word that stands beside it in the footer.
"""

import os
import re
import subprocess
import sys

SECTIONS = ("commands", "options", "settings", "actions", "responses", "formats", "kiosk", "uses")
ELSEWHERE = {"kiosk": "quiztutor-kiosk.7"}  # sections whose rows another page than the first names


def tables(text):
    """{section: [what to name]} of what --print-tables printed: a section's name alone on its line, then its rows."""
    found, section = {}, None
    for line in text.splitlines():
        if line.strip(":[] #") in SECTIONS and "\t" not in line:
            section = line.strip(":[] #")
            found[section] = []
        elif section and "\t" in line:
            name, argument, text = line.split("\t")
            found[section] += [*argument.split(), text] if section == "actions" else [name]
    return found


def plain(mandoc, page):
    done = subprocess.run([mandoc, "-T", "utf8", "-O", "width=1000", page], check=True, capture_output=True, text=True)
    return re.sub(".\b", "", done.stdout)


def named(manual, name):
    """Whether the manual names it as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", manual) is not None


def main():
    mandoc, binary, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
    status = 0
    for page in pages:
        lint = subprocess.run([mandoc, "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
        if lint.returncode:
            print(lint.stdout, lint.stderr, sep="")
            status = 1
    manuals = {page: plain(mandoc, page) for page in pages}
    if not named("a --seed N b", "--seed") or named("--seeds", "--seed") or named("move", "v"):
        sys.exit("self-test: names are not told apart")
    printed = subprocess.run([binary, "--print-tables"], check=True, capture_output=True, text=True,
                             env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    found = tables(printed)
    for section in SECTIONS:
        if not found.get(section):
            print(f"--print-tables has no section {section}")
            status = 1
        where = next(page for page in pages if page.endswith(ELSEWHERE.get(section, "")))
        for name in dict.fromkeys(found.get(section, [])):
            if not named(manuals[where], name):
                print(f"{where} does not name {name}, of the table of {section}")
                status = 1
    print(", ".join(f"{len(names)} {section}" for section, names in found.items()))
    return status


if __name__ == "__main__":
    sys.exit(main())
