"""Reads an HTML page strictly: every element closed in its order, ids once and every reference to one there, tables whose
rows have as many cells as their heads and whose headings say what they are for, nothing that runs or that leads outside.
"""

import re
from html.parser import HTMLParser

VOID = {"meta", "br"}
SELF_CLOSED = {"path", "rect", "circle"}
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "div", "h1", "h2", "p", "dl", "dt",
    "dd", "figure", "figcaption", "svg", "desc", "g", "path", "rect", "circle", "text", "table", "caption", "thead", "tbody", "tr",
    "th", "td", "bdi", "span", "sup", "small", "strong", "time", "a", "br", "ol", "ul", "li", "details", "summary",
}
ATTRIBUTES = {
    "lang", "dir", "charset", "name", "content", "http-equiv", "class", "id", "title", "role", "aria-labelledby", "aria-hidden",
    "tabindex", "scope", "href", "datetime", "open", "viewbox", "preserveaspectratio", "width", "height", "x", "y", "d", "cx", "cy",
    "r", "text-anchor",
}
# Where an element may stand; others may stand anywhere that text may.
PARENTS = {
    "head": {"html"}, "body": {"html"}, "header": {"body"}, "main": {"body"}, "footer": {"body"}, "meta": {"head"}, "style": {"head"},
    "thead": {"table"}, "tbody": {"table"}, "caption": {"table"}, "tr": {"thead", "tbody"}, "th": {"tr"}, "td": {"tr"},
    "dt": {"div"}, "dd": {"div"}, "li": {"ol", "ul"}, "figcaption": {"figure"}, "summary": {"details"}, "desc": {"svg"},
    "g": {"svg"}, "title": {"head", "svg", "g", "circle"}, "text": {"svg", "g"}, "circle": {"svg"}, "rect": {"svg", "g"},
    "path": {"svg"}, "table": {"div"}, "h1": {"header"},
}
# Elements that hold other elements only.
NO_TEXT = {"html", "head", "header", "main", "footer", "dl", "figure", "table", "thead", "tbody", "tr", "ol", "ul", "svg", "g"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.faults, self.stack, self.ids, self.references = [], [], set(), set()
        self.tables, self.text, self.titles, self.isolated = [], [], [], []
        self.declaration = None
        self.feed(text)
        self.close()
        self.faults += [f"{name} is not closed" for name in self.stack]
        self.faults += [f"no element has the id {name}" for name in sorted(self.references - self.ids)]
        if self.declaration != "DOCTYPE html":
            self.faults.append("no DOCTYPE html at its start")
        if re.search(r"(?i)https?:|//[a-z]|url\(|@import|javascript:|data:", text):
            self.faults.append("it leads outside")

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_decl(self, declaration):
        self.declaration = declaration

    def handle_comment(self, data):
        self.fault("a comment")

    def handle_pi(self, data):
        self.fault("a processing instruction")

    def handle_startendtag(self, name, attributes):
        if name not in SELF_CLOSED:
            self.fault(f"<{name}/> closes itself")
        self.open(name, attributes)
        self.stack.pop()

    def handle_starttag(self, name, attributes):
        self.open(name, attributes)
        if name in VOID:
            self.stack.pop()

    def open(self, name, attributes):
        parent = self.stack[-1] if self.stack else None
        if name not in ELEMENTS:
            self.fault(f"<{name}>")
        if name in PARENTS and parent not in PARENTS[name]:
            self.fault(f"<{name}> in <{parent}>")
        if name == parent:
            self.fault(f"<{name}> in itself")
        self.stack.append(name)
        keys = [key for key, _ in attributes]
        if len(set(keys)) < len(keys):
            self.fault(f"<{name}> has an attribute twice")
        self.faults += [f"line {self.getpos()[0]}: {name} has {key}" for key in keys if key not in ATTRIBUTES]
        given = dict(attributes)
        if "id" in given:
            if given["id"] in self.ids:
                self.fault(f"the id {given['id']} is there twice")
            self.ids.add(given["id"])
        self.references.update(given.get("aria-labelledby", "").split())
        if "href" in given:
            if not given["href"].startswith("#"):
                self.fault(f"a link to {given['href']}")
            self.references.add(given["href"][1:])
        if "title" in given:
            self.titles.append(given["title"])
        if name == "svg" and not (given.get("role") == "img" and given.get("aria-labelledby")) and given.get("aria-hidden") != "true":
            self.fault("a drawing that says nothing to who can't see it")
        self.table(name, given)

    def table(self, name, given):
        if name == "table":
            self.tables.append({"head": [], "rows": [], "caption": 0})
        elif self.tables:
            table = self.tables[-1]
            if name == "caption":
                table["caption"] += 1
            elif name == "tr":
                table["rows" if "tbody" in self.stack else "head"].append([])
            elif name in ("th", "td"):
                head = "thead" in self.stack
                rows = table["head" if head else "rows"]
                rows[-1].append("")
                wanted = "col" if head else "row" if len(rows[-1]) == 1 else None
                if given.get("scope") != wanted or (name == "th") != (wanted is not None):
                    self.fault(f"<{name} scope={given.get('scope')}> where scope is {wanted}")

    def handle_endtag(self, name):
        if not self.stack or self.stack[-1] != name:
            self.fault(f"</{name}> closes <{self.stack[-1] if self.stack else None}>")
            return
        self.stack.pop()
        if name == "table":
            table = self.tables[-1]
            if table["caption"] != 1 or len(table["head"]) != 1:
                self.fault("a table without one caption and one row of headings")
            if {len(row) for row in table["rows"]} - {len(table["head"][0])}:
                self.fault("rows of a table have more or fewer cells than its head")

    def handle_data(self, data):
        if not self.stack:
            if data.strip():
                self.fault("text outside")
            return
        if data.strip() and self.stack[-1] in NO_TEXT:
            self.fault(f"text in <{self.stack[-1]}>")
        if "style" in self.stack:
            return
        self.text.append(data)
        if self.stack[-1] == "bdi":
            self.isolated.append(data)
        if self.tables and ("td" in self.stack or "th" in self.stack):
            rows = self.tables[-1]["head" if "thead" in self.stack else "rows"]
            rows[-1][-1] += data


def self_test():
    """Each fault is found; the page around it is fine."""
    page = ('<!DOCTYPE html>\n<html lang="en"><head><title>x</title></head><body><main><div>%s</div></main></body></html>')
    fine = '<table><caption>c</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><th scope="row">1</th></tr></tbody></table>'
    assert not Page(page % fine).faults, Page(page % fine).faults
    for broken in (
        "<script>1</script>", "<p>", "</p>", "<b>x</b>", '<p onclick="x">y</p>', '<p id="a">x</p><p id="a">y</p>', '<a href="#b">x</a>',
        '<a href="https://example.org/">x</a>', "<p><span></p></span>", "<!-- x -->", "<tr></tr>", '<svg><title>x</title></svg>',
        fine.replace(' scope="row"', ""), fine.replace("<caption>c</caption>", ""), fine.replace("</tr></tbody>", "<td>2</td></tr></tbody>"),
        fine.replace('<th scope="row">1</th>', "<td>1</td>"), '<p style="x">y</p>', "<ul>x</ul>",
    ):
        if not Page(page % broken).faults:
            raise SystemExit(f"self-test: no fault found in {broken}")
    if not Page((page % "").replace("<!DOCTYPE html>", "")).faults:
        raise SystemExit("self-test: a page without DOCTYPE passes")
