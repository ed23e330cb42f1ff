"""test_needed.py BINARY: fails when the program is linked against a library that it should not need.

Every library costs time at each start. What needs more than these belongs in a program of its own.
"""

import re
import subprocess
import sys

ALLOWED = re.compile(r"^(lib(c|m|ncursesw|tinfo|sqlite3|yaml-0|utf8proc|sodium|seccomp)\.so\.[0-9.]+|ld-linux[a-z0-9-]*\.so\.[0-9]+)$")
ENTRY = re.compile(r"\(NEEDED\).*\[(.+)\]")


def needed(dump):
    return ENTRY.findall(dump)


def surplus(names):
    return [name for name in names if not ALLOWED.match(name)]


def self_test():
    dump = " 0x01 (NEEDED)  Shared library: [libc.so.6]\n 0x01 (NEEDED)  Shared library: [libpango-1.0.so.0]\n"
    if surplus(needed(dump)) != ["libpango-1.0.so.0"] or not surplus(["libcurl.so.4"]):
        sys.exit("self-test: does not find a library too many")


def main():
    self_test()
    names = needed(subprocess.run(["readelf", "-d", sys.argv[1]], check=True, capture_output=True, text=True).stdout)
    if "libc.so.6" not in names:
        sys.exit(f"{sys.argv[1]}: readelf shows no libc; is it a program?")
    found = surplus(names)
    print("needs", ", ".join(names))
    if found:
        print("should not need", ", ".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
