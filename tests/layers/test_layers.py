"""test_layers.py ROOT: reads every #include of src/ and include/ and fails on one that points up or sideways.

What each layer may include stands in LAYERS, which layer a public header belongs to in HEADERS, and which files may
include a library's header in LIBRARIES. Before it looks at ROOT it looks at made-up sources with each fault, so that
it is known to find them.
"""

import fnmatch
import posixpath
import re
import sys
from pathlib import Path

# A layer and those it may include, itself apart.
LAYERS = {
    "base": [],
    "content": ["base"],
    "scoring": ["base", "content"],
    "store": ["base", "content", "scoring"],
    "exchange": ["base", "content", "scoring"],
    "paper": ["base", "content", "scoring"],
    "report": ["base", "content", "scoring", "store", "paper"],
    "view": ["base"],
    "terminal": ["base", "view"],
    "app": ["base", "content", "scoring", "store", "exchange", "paper", "report", "view", "terminal"],
    "cli": ["base", "content", "scoring", "store", "exchange", "paper", "report", "view", "terminal", "app"],
}

# The public headers, by the layer that defines what they declare.
HEADERS = {
    "base": ["buffer", "clock", "day", "error", "hash", "json", "markup", "memory", "message", "number", "random", "table", "text"],
    "content": ["body", "derive", "diagnostic", "kiosk_config", "library", "pack", "review", "settings"],
    "scoring": [
        "answer", "exam", "fit", "fsrs", "grade", "key_change", "marking", "pack_diff", "plan", "queue", "response", "schedule",
        "session", "showing", "statistics", "until",
    ],
    "store": ["backup", "central", "heal", "health", "intake", "outgoing", "pin", "pulled", "roster", "run", "sheet_record", "store"],
    "exchange": ["exchange"],
    "paper": ["page", "sheet"],
    "report": ["regrade", "report"],
    "view": ["grid", "input", "view", "view_model"],
    "terminal": ["curve", "jsonl", "jsonl_exam", "line", "plain", "plain_exam", "terminal"],
    "app": ["application", "filled", "kiosk", "lock", "practice", "presenter", "preview", "printed", "sitting", "sync", "tending", "tutor"],
}

# Headers of libraries, and the only files that may include them.
LIBRARIES = {
    "yaml.h": ["src/content/reader.c"],
    "sqlite3.h": ["src/store/sqlite_*.[ch]", "src/content/derive.c", "src/exchange/apkg.c"],
    "curses.h": ["src/terminal/curses_terminal.c"],
    "term.h": ["src/terminal/curses_description.c"],
    "utf8proc.h": ["src/base/text.c"],
    "sodium.h": ["src/base/hash.c"],
    "seccomp.h": ["src/app/lock_calls.c"],
    "libxml/parser.h": ["src/exchange/xml.c"],
    "libxml/parserInternals.h": ["src/exchange/xml.c"],
    "libxml/xmlwriter.h": ["src/exchange/xml_write.c"],
    "zip.h": ["src/exchange/archive.c", "src/exchange/archive_write.c"],
    "zstd.h": ["src/exchange/apkg_collection.c"],
    "cairo.h": ["src/paper/page*.[ch]"],
    "cairo-pdf.h": ["src/paper/page*.[ch]"],
    "pango/pangocairo.h": ["src/paper/page*.[ch]"],
    "pango/pangofc-fontmap.h": ["src/paper/page_font.c"],
    "fontconfig/fontconfig.h": ["src/paper/page_font.c"],
    "libpq-fe.h": ["src/store/postgres_*.[ch]"],
    "libintl.h": ["include/quiztutor/message.h"],
}
ALIASES = {"ncurses.h": "curses.h", "ncursesw/curses.h": "curses.h", "ncursesw/ncurses.h": "curses.h"}

DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(.*)$", re.MULTILINE)
OWNER = {f"{name}.h": layer for layer, names in HEADERS.items() for name in names}


def layer_of(path):
    """The layer a file belongs to; None for one that belongs to none."""
    parts = path.split("/")
    if parts[0] == "src" and len(parts) > 2 and parts[1] in LAYERS:
        return parts[1]
    if path.startswith("include/quiztutor/"):
        return OWNER.get(path.removeprefix("include/quiztutor/"))
    return None


def complaint(path, layer, target):
    """What is wrong with one include of `path`, or None."""
    quoted, bracketed = re.match(r'"([^"]+)"', target), re.match(r"<([^>]+)>", target)
    if quoted:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), quoted[1]))
        if not name.startswith(f"src/{layer}/"):
            return f'"{quoted[1]}" leaves the layer {layer}'
        return None
    if not bracketed:
        return f"an include that can't be read: {target}"
    name = bracketed[1]
    if name.startswith("quiztutor/"):
        owner = OWNER.get(name.removeprefix("quiztutor/"))
        if owner is None:
            return f"<{name}> belongs to no layer: add it to HEADERS"
        if owner != layer and owner not in LAYERS[layer]:
            return f"{layer} may not know {owner}: <{name}>"
        return None
    library = ALIASES.get(name, name)
    allowed = LIBRARIES.get(library)
    if allowed is not None and not any(fnmatch.fnmatch(path, pattern) for pattern in allowed):
        return f"<{name}> belongs in {' or '.join(allowed)} only"
    return None


def complaints(files):
    """All complaints about {path: text}, each as `path:line: what`."""
    found = []
    for path, text in sorted(files.items()):
        layer = layer_of(path)
        if layer is None:
            found.append(f"{path}:1: belongs to no layer")
            continue
        for match in DIRECTIVE.finditer(text):
            what = complaint(path, layer, match[1].strip())
            if what:
                found.append(f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {what}")
    return found


# Made-up files: the first must pass, each of the others must not.
GOOD = {
    "src/base/text.c": "#include <quiztutor/text.h>\n#include <utf8proc.h>\n",
    "src/store/sqlite_attempt.c": '#include "sqlite_private.h"\n#include <quiztutor/session.h>\n#include <sqlite3.h>\n',
    "src/view/screen.c": "#include <quiztutor/view_model.h>\n  #  include <quiztutor/text.h>\n",
    "src/cli/main.c": "#include <quiztutor/terminal.h>\n#include <quiztutor/store.h>\n",
    "include/quiztutor/terminal.h": "#include <quiztutor/view.h>\n#include <stdbool.h>\n",
}
BAD = [
    ("src/base/text.c", "#include <quiztutor/pack.h>", "up, from base"),
    ("src/content/loader.c", "#include <quiztutor/marking.h>", "up, from content"),
    ("src/scoring/session.c", "#include <quiztutor/store.h>", "up, from scoring"),
    ("src/store/memory.c", "#include <quiztutor/view.h>", "up, from store"),
    ("src/view/screen.c", "#include <quiztutor/session.h>", "the view knows the domain"),
    ("src/view/screen.c", "#include <quiztutor/terminal.h>", "up, from view"),
    ("src/terminal/plain.c", "#include <quiztutor/store.h>", "the terminal knows the store"),
    ("src/terminal/plain.c", "#include <quiztutor/pack.h>", "the terminal knows content"),
    ("src/exchange/gift.c", "#include <quiztutor/store.h>", "sideways, from exchange"),
    ("src/report/table.c", "#include <quiztutor/view.h>", "up, from report"),
    ("include/quiztutor/view.h", "#include <quiztutor/pack.h>", "a public header pointing sideways"),
    ("include/quiztutor/stray.h", "", "a public header of no layer"),
    ("src/cli/main.c", "#include <quiztutor/stray.h>", "an unknown public header"),
    ("src/stray/main.c", "", "a folder that is no layer"),
    ("src/main.c", "", "a file outside the layers"),
    ("src/view/screen.c", '#include "../content/model.h"', "a private header of another layer"),
    ("src/view/screen.c", '#include "../../include/quiztutor/view.h"', "a public header by its path"),
    ("src/cli/main.c", "#include HEADER", "an include by macro"),
    ("src/scoring/plan.c", "#include <sqlite3.h>", "sqlite3.h outside its files"),
    ("src/store/memory.c", "#include <sqlite3.h>", "sqlite3.h in the wrong file of its layer"),
    ("src/content/check.c", "#include <yaml.h>", "yaml.h outside the loader"),
    ("src/terminal/plain.c", "#include <curses.h>", "curses.h outside its file"),
    ("src/terminal/plain.c", "\t# include <ncursesw/ncurses.h>", "curses.h under another name"),
    ("src/content/check.c", "#include <libintl.h>", "gettext past message.h"),
]


def self_test():
    found = complaints(GOOD)
    if found:
        sys.exit("self-test: complains about good sources:\n" + "\n".join(found))
    for path, line, what in BAD:
        if len(complaints(GOOD | {path: f"/* made up */\n{line}\n"})) != 1:
            sys.exit(f"self-test: does not find {what}: {path}: {line}")


def main():
    self_test()
    root = Path(sys.argv[1])
    files = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
             for folder in ("src", "include") for path in sorted((root / folder).rglob("*.[ch]"))}
    if not files:
        sys.exit(f"{root}: no sources")
    found = complaints(files)
    print("\n".join(found) if found else f"{len(files)} files look down only")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
