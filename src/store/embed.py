"""Puts the SQL of db/sqlite or db/postgres into a C file, so that the program needs no file at run time.

usage: embed.py OUTPUT SYMBOL NNNN_name.sql… name.sql…

Files named NNNN_… are migrations, numbered from 1 without a gap; those without a number hold no data (views, functions)
and are put together in the order of their names. The texts become lists of numbers: a string literal longer than 4095
bytes is not portable C.
"""
import os
import re
import sys


def array(name, data):
    lines = []
    for start in range(0, len(data), 24):
        lines.append("    " + ",".join(str(byte) for byte in data[start:start + 24]) + ",")
    return "static const unsigned char %s[] = {\n%s\n    0};\n" % (name, "\n".join(lines))


def main():
    output, symbol, *names = sys.argv[1:]
    migrations, views = {}, b""
    for name in sorted(names, key=os.path.basename):
        with open(name, "rb") as file:
            data = file.read()
        if b"\0" in data:
            sys.exit(name + ": holds a NUL byte")
        number = re.match(r"(\d{4})_", os.path.basename(name))
        if number:
            migrations[int(number.group(1))] = data
        else:
            views += data
    if sorted(migrations) != list(range(1, len(migrations) + 1)):
        sys.exit("migrations are not numbered from 1 without a gap")
    with open(output, "w", encoding="ascii") as out:
        out.write('/* Made by embed.py from db/. */\n#include "schema.h"\n\n')
        for version in sorted(migrations):
            out.write(array("migration_%d" % version, migrations[version]))
        out.write(array("views", views))
        out.write("\nstatic const char *const migrations[] = {\n")
        for version in sorted(migrations):
            out.write("    (const char *)migration_%d,\n" % version)
        out.write("};\n\nconst struct schema %s = {migrations, %d, (const char *)views};\n" % (symbol, len(migrations)))


main()
