"""Packages made for tests: Anki's, in both schemas, and QTI's; whole ones and hostile ones.

Written from the formats' own descriptions (Anki's rslib/src/storage and import_export/package.proto, IMS content
packaging), not from what quiztutor reads. Run as a program it writes small ones as seeds for fuzzing: packages.py DIR.
"""

import io
import json
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FIRST_DAY = (1980, 1, 1, 0, 0, 0)

BASIC = {
    "name": "Basic", "kind": 0, "fields": ["Front", "Back"],
    "templates": [("Card 1", "{{Front}}", "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}")],
}
REVERSED = {
    "name": "Basic (and reversed card)", "kind": 0, "fields": ["Front", "Back"],
    "templates": [("Card 1", "{{Front}}", "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}"),
                  ("Card 2", "{{Back}}", "{{FrontSide}}\n\n<hr id=answer>\n\n{{Front}}")],
}
CLOZE = {
    "name": "Cloze", "kind": 1, "fields": ["Text", "Back Extra"],
    "templates": [("Cloze", "{{cloze:Text}}", "{{cloze:Text}}<br>\n{{Back Extra}}")],
}
TYPES = {11: BASIC, 12: REVERSED, 13: CLOZE}


def zip_of(entries, compression=zipfile.ZIP_DEFLATED):
    """A zip archive of (name, bytes) pairs, the same each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name, FIRST_DAY)
            info.compress_type = compression
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return out.getvalue()


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout


def unicase(one, other):
    one, other = one.casefold(), other.casefold()
    return (one > other) - (one < other)


PAGE = 4096


def database(fill):
    """The bytes of a database that `fill` made over a connection."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "collection"
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.create_collation("unicase", unicase)
        fill(connection)
        connection.commit()
        connection.close()
        return path.read_bytes()


NOTES = """
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
  ivl integer not null, factor integer not null, reps integer not null, lapses integer not null,
  left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn on notes (usn);
CREATE INDEX ix_cards_nid on cards (nid);
"""
COL = """
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
"""


def put_notes(connection, notes):
    """notes: (type id, fields, tags, [(template, deck id)…]); suspended cards and filtered decks change nothing."""
    connection.executescript(NOTES)
    card = 0
    for number, (mid, fields, tags, cards) in enumerate(notes, 1):
        connection.execute("INSERT INTO notes VALUES(?,?,?,0,-1,?,?,?,0,0,'')",
                           (1000 + number, f"guid{number}", mid, f" {tags} " if tags else "", "\x1f".join(fields), fields[0]))
        for template, deck in cards:
            card += 1
            filtered = card % 3 == 0 and deck
            connection.execute("INSERT INTO cards VALUES(?,?,?,?,0,-1,0,?,0,0,0,0,0,0,0,?,0,'')",
                               (2000 + card, 1000 + number, 99 if filtered else deck, template,
                                -1 if card % 2 else 0, deck if filtered else 0))


def legacy_collection(notes, decks, types=TYPES):
    """Schema 11: note types and decks as JSON in `col`."""
    models = {
        str(mid): {
            "id": mid, "name": kind["name"], "type": kind["kind"], "css": ".card {}", "did": 1,
            "flds": [{"name": name, "ord": ord, "font": "Arial", "sticky": False} for ord, name in enumerate(kind["fields"])],
            "tmpls": [{"name": name, "ord": ord, "qfmt": front, "afmt": back, "did": None}
                      for ord, (name, front, back) in enumerate(kind["templates"])],
        } for mid, kind in types.items()
    }
    names = {"1": {"id": 1, "name": "Default"}} | {str(key): {"id": key, "name": name} for key, name in decks.items()}

    def fill(connection):
        connection.executescript(COL)
        connection.execute("INSERT INTO col VALUES(1,0,0,0,11,0,0,0,'{}',?,?,'{}','{}')",
                           (json.dumps(models), json.dumps(names)))
        put_notes(connection, notes)

    return database(fill)


def message(*fields):
    """Protocol buffers: numbers and texts by field number."""
    def varint(value):
        out = b""
        while value > 127:
            out += bytes([value & 127 | 128])
            value >>= 7
        return out + bytes([value])

    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def modern_collection(notes, decks, types=TYPES):
    """Schema 18: note types, fields, templates and decks in tables of their own; deck names parted by 0x1f."""
    def fill(connection):
        connection.executescript(COL + """
            CREATE TABLE notetypes (id integer NOT NULL PRIMARY KEY, name text NOT NULL COLLATE unicase,
              mtime_secs integer NOT NULL, usn integer NOT NULL, config blob NOT NULL);
            CREATE TABLE fields (ntid integer NOT NULL, ord integer NOT NULL, name text NOT NULL COLLATE unicase,
              config blob NOT NULL, PRIMARY KEY (ntid, ord)) without rowid;
            CREATE TABLE templates (ntid integer NOT NULL, ord integer NOT NULL, name text NOT NULL COLLATE unicase,
              mtime_secs integer NOT NULL, usn integer NOT NULL, config blob NOT NULL, PRIMARY KEY (ntid, ord)) without rowid;
            CREATE TABLE decks (id integer PRIMARY KEY NOT NULL, name text NOT NULL COLLATE unicase,
              mtime_secs integer NOT NULL, usn integer NOT NULL, common blob NOT NULL, kind blob NOT NULL);
            CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name);
            CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
            CREATE UNIQUE INDEX idx_decks_name ON decks (name);
            CREATE TABLE tags (tag text NOT NULL PRIMARY KEY COLLATE unicase, usn integer NOT NULL) without rowid;
        """)
        connection.execute("INSERT INTO col VALUES(1,0,0,0,18,0,0,0,'','','','','')")
        for mid, kind in types.items():
            connection.execute("INSERT INTO notetypes VALUES(?,?,0,0,?)",
                               (mid, kind["name"], message((1, kind["kind"]), (3, ".card {}"), (4, 12))))
            for ord, name in enumerate(kind["fields"]):
                connection.execute("INSERT INTO fields VALUES(?,?,?,?)", (mid, ord, name, message((3, "Arial"))))
            for ord, (name, front, back) in enumerate(kind["templates"]):
                connection.execute("INSERT INTO templates VALUES(?,?,?,0,0,?)",
                                   (mid, ord, name, message((1, front), (2, back), (5, 7))))
        for key, name in ({1: "Default"} | decks).items():
            connection.execute("INSERT INTO decks VALUES(?,?,0,0,x'',x'')", (key, name.replace("::", "\x1f")))
        put_notes(connection, notes)

    return database(fill)


DUMMY = ["Please update to the latest Anki version, then import the .colpkg/.apkg file again.", ""]


def dummy_collection():
    return legacy_collection([(11, DUMMY, "", [(0, 1)])], {})


def legacy_package(notes, decks, name="collection.anki2", types=TYPES):
    return zip_of([(name, legacy_collection(notes, decks, types)), ("media", b"{}")])


def modern_package(notes, decks, types=TYPES, dummy=True, version=3):
    entries = [("meta", message((1, version))), ("collection.anki21b", zstd(modern_collection(notes, decks, types)))]
    if dummy:
        entries.append(("collection.anki2", dummy_collection()))
    return zip_of(entries + [("media", zstd(b""))])


SOME_NOTES = [
    (11, ["What is <b>H<sub>2</sub>O</b>?", "Water<br>(liquid)"], "chemistry basic", [(0, 2)]),
    (12, ["Wasser", "water [sound:water.mp3]"], "", [(0, 3), (1, 3)]),
    (13, ["{{c1::Paris}} is the capital of {{c2::France::country}}.<img src=\"eiffel.jpg\">", "Since 987"], "", [(0, 3), (1, 3)]),
]
SOME_DECKS = {2: "Science::Chemistry", 3: "Science::Words"}


# ---- QTI ----

def qti21_item(identifier, title, prompt, choices, right):
    """A single choice; choices by identifier."""
    listed = "".join(f'<simpleChoice identifier="{key}">{text}</simpleChoice>' for key, text in choices.items())
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="{identifier}" title="{title}" adaptive="false" timeDependent="false">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>{right}</value></correctResponse></responseDeclaration>
<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
<itemBody><choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>{prompt}</prompt>{listed}</choiceInteraction></itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>
</assessmentItem>
""".encode()


def qti21_test(sections):
    """An assessmentTest of {title: [href…]}."""
    listed = ""
    for number, (title, hrefs) in enumerate(sections.items()):
        refs = "".join(f'<assessmentItemRef identifier="r{number}_{i}" href="{href}"/>' for i, href in enumerate(hrefs))
        listed += f'<assessmentSection identifier="s{number}" title="{title}" visible="true">{refs}</assessmentSection>'
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="t" title="A test"><testPart identifier="p" navigationMode="linear" submissionMode="individual">{listed}</testPart></assessmentTest>
""".encode()


def manifest(resources, title=None):
    """imsmanifest.xml of (href, type) pairs."""
    listed = "".join(f'<resource identifier="R{i}" type="{kind}" href="{href}"><file href="{href}"/></resource>'
                     for i, (href, kind) in enumerate(resources))
    words = f"<metadata><schema>QTI Package</schema><lom><general><title><string>{title}</string></title></general></lom></metadata>" if title else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="M">{words}<organizations/><resources>{listed}</resources></manifest>
""".encode()


ITEM21, TEST21, QTI12 = "imsqti_item_xmlv2p1", "imsqti_test_xmlv2p1", "imsqti_xmlv1p2"


def qti12_document(title, questions):
    """questestinterop of (ident, prompt, {key: text}, right)."""
    items = ""
    for ident, prompt, choices, right in questions:
        labels = "".join(f'<response_label ident="{key}"><material><mattext texttype="text/plain">{text}</mattext></material></response_label>'
                         for key, text in choices.items())
        items += f"""<item ident="{ident}" title="{ident}"><presentation><material><mattext texttype="text/html">{prompt}</mattext></material>
<response_lid ident="response1" rcardinality="Single"><render_choice>{labels}</render_choice></response_lid></presentation>
<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="No"><conditionvar><varequal respident="response1">{right}</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>
</resprocessing></item>"""
    return f"""<?xml version="1.0"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="{title}"><section ident="root_section">{items}</section></assessment></questestinterop>
""".encode()


COLOURS = {"a": "Red", "b": "Green", "c": "Blue"}


def qti21_package(folder="", more=()):
    return zip_of([
        (folder + "imsmanifest.xml", manifest([("test.xml", TEST21), ("items/two.xml", ITEM21), ("items/one%20.xml", ITEM21)], "Colours")),
        (folder + "test.xml", qti21_test({"Warm": ["items/one%20.xml"], "Cold": ["items/two.xml"]})),
        (folder + "items/one .xml", qti21_item("one", "First", "Which is warm?", COLOURS, "a")),
        (folder + "items/two.xml", qti21_item("two", "Second", "Which is cold?", COLOURS, "c")),
        *more,
    ])


def qti12_package():
    return zip_of([
        ("imsmanifest.xml", manifest([("quiz/quiz.xml", QTI12)])),
        ("quiz/quiz.xml", qti12_document("Colours", [("q1", "Which is &lt;b&gt;warm&lt;/b&gt;?", COLOURS, "a")])),
    ])


# ---- hostile archives ----

def link_archive(name, target):
    """An archive whose one entry is a symbolic link."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(name, FIRST_DAY)
        info.create_system = 3
        info.external_attr = 0o120777 << 16
        archive.writestr(info, target)
    return out.getvalue()


def lying_archive(name, content, claimed):
    """An entry whose size is another than the archive says, at its head and in the list at the end."""
    archive = bytearray(zip_of([(name, content)]))
    end = archive.rindex(b"PK\x01\x02")
    struct.pack_into("<I", archive, 22, claimed)
    struct.pack_into("<I", archive, end + 24, claimed)
    return bytes(archive)


def encrypted_archive(name, content):
    """An entry marked as encrypted."""
    archive = bytearray(zip_of([(name, content)]))
    end = archive.rindex(b"PK\x01\x02")
    archive[6] |= 1
    archive[end + 8] |= 1
    return bytes(archive)


def write_seeds(folder):
    global PAGE
    PAGE = 512

    def put(name, content):
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    put("apkg/legacy.apkg", legacy_package(SOME_NOTES[:2], SOME_DECKS, types={11: BASIC, 12: REVERSED}))
    put("apkg/modern.apkg", modern_package(SOME_NOTES, SOME_DECKS))
    put("apkg/collection.sqlite", legacy_collection(SOME_NOTES[2:], {}, types={13: CLOZE}))
    put("qti/qti21.zip", qti21_package())
    put("qti/qti12.zip", qti12_package())
    put("qti/item21.xml", qti21_item("one", "First", "Which is warm?", COLOURS, "a"))
    put("qti/quiz12.xml", qti12_document("Colours", [("q1", "Which?", COLOURS, "a")]))
    put("qti/manifest.xml", manifest([("test.xml", TEST21), ("item.xml", ITEM21), ("gone.xml", ITEM21)], "Colours"))
    put("zip/plain.zip", zip_of([("a.txt", b"a" * 100), ("folder/b.txt", b"b")]))
    put("zip/slip.zip", zip_of([("../a.txt", b"a")]))
    put("zip/link.zip", link_archive("a", "/etc/passwd"))
    put("zip/lying.zip", lying_archive("a.txt", b"a" * 1000, 10))
    put("zip/encrypted.zip", encrypted_archive("a.txt", b"secret"))


if __name__ == "__main__":
    write_seeds(sys.argv[1])
