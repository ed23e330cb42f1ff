"""Puts a text file into a C file, so that the program needs no file at run time.

usage: embed.py OUTPUT NAME FILE

The text becomes `const char NAME[]`, as a list of numbers: a string literal longer than 4095 bytes is not portable C.
"""
import sys


def main():
    output, name, path = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    if b"\0" in data or any(byte >= 0x80 for byte in data):
        sys.exit(path + ": holds something else than ASCII")
    lines = ["    " + ",".join(str(byte) for byte in data[start:start + 24]) + ",\n" for start in range(0, len(data), 24)]
    with open(output, "w", encoding="ascii") as out:
        out.write("/* Made by embed.py from %s. */\nextern const char %s[];\nconst char %s[] = {\n%s    0\n};\n" % (
            path.rsplit("/", 1)[-1], name, name, "".join(lines)))


main()
