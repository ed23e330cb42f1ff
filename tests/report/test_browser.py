"""test_browser.py REPORT_SAMPLE: opens the HTML reports in Chromium and looks at them.

Each page is laid out in frames as wide as telephones, tablets and desks. A script around the frames (there is none in the
pages) measures what stands beyond a frame, and the contrast of every text with what is behind it, in the light and in the
dark. Pictures of the pages themselves show that the charts are there, in the colours of the style sheet.
"""

import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SAMPLE = sys.argv.pop(1)
CHROMIUM = shutil.which("chromium")
WIDTHS = [320, 360, 414, 768, 1280, 1920]
PAPER = [680, 1009]  # A4 upright and across, without margins, at 96 pixels an inch
LIGHT = {"paper": (0xff, 0xff, 0xff), "bar": (0x1f, 0x5f, 0xa8)}
DARK = {"paper": (0x14, 0x17, 0x1a), "bar": (0x6c, 0xb0, 0xf5)}
DARK_FLAG = "--blink-settings=preferredColorScheme=0"
LIGHT_FLAG = "--blink-settings=preferredColorScheme=1"

MEASURE = """
function rgb(text) {
  const parts = text.match(/[0-9.]+/g).map(Number);
  return parts.length < 4 ? parts.concat(1) : parts;
}
function light(color) {  // WCAG 2.2, relative luminance
  const [r, g, b] = color.map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
}
function contrast(one, two) {
  const [a, b] = [light(one), light(two)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}
function behind(view, element) {
  for (; element; element = element.parentElement) {
    const color = rgb(view.getComputedStyle(element).backgroundColor);
    if (color[3] === 1) return color.slice(0, 3);
  }
  return null;
}
function measure(frame) {
  const page = frame.contentDocument, view = frame.contentWindow, root = page.documentElement;
  for (const details of page.querySelectorAll('details')) details.open = true;
  const found = {width: frame.width | 0, scroll: root.scrollWidth, beyond: [], contrast: [], graphics: [], scripts: page.scripts.length,
    tables: [], bars: 0, points: 0, fonts: 99, alerted: view.alerted === true, tags: page.querySelectorAll('*').length};
  for (const element of page.body.querySelectorAll('*')) {
    const style = view.getComputedStyle(element), box = element.getBoundingClientRect(), svg = element.closest('svg');
    const scrolls = element.parentElement.closest('.scroll');
    if (!scrolls && (box.right > root.clientWidth + .5 || box.left < -.5)) found.beyond.push(element.outerHTML.slice(0, 80));
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (own && !element.closest('title, desc')) {
      const size = parseFloat(style.fontSize) * (svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1);
      found.contrast.push([contrast(rgb(svg ? style.fill : style.color), behind(view, element)), element.outerHTML.slice(0, 60)]);
      found.fonts = Math.min(found.fonts, size);
    }
    if (['rect', 'circle'].includes(element.localName) && !element.matches('.track'))
      found.graphics.push(contrast(rgb(style.fill), behind(view, element)));
    if (element.matches('.line, .thin')) found.graphics.push(contrast(rgb(style.stroke), behind(view, element)));
    if (svg && element !== svg && element.getBBox && !svg.matches('.bar, .trend') && !element.closest('title, desc')) {
      const inner = element.getBBox();
      if (inner.x < -1 || inner.x + inner.width > svg.viewBox.baseVal.width + 1 || inner.y < -4 ||
          inner.y + inner.height > svg.viewBox.baseVal.height + 4) found.beyond.push('in its drawing: ' + element.outerHTML.slice(0, 80));
    }
    if (element.localName === 'rect' && element.matches('.fill') && box.width > 0) found.bars++;
    if (element.localName === 'circle') found.points++;
  }
  for (const table of page.querySelectorAll('table')) {
    const scroller = table.closest('.scroll');
    found.tables.push({rows: table.rows.length, width: table.offsetWidth, room: scroller.clientWidth, reach: scroller.scrollWidth,
      focus: scroller.tabIndex, names: [...table.tBodies[0].rows].map(r => r.cells[0].querySelector('bdi')?.textContent ?? ''),
      directions: [...table.tBodies[0].rows].map(r => r.cells[0].querySelector('bdi')).filter(Boolean).map(b => view.getComputedStyle(b).unicodeBidi),
      overlaps: overlaps(table)});
  }
  const labels = [...page.querySelectorAll('.chart text')];
  found.crossing = labels.filter((a, i) => labels.some((b, j) => j > i && a.closest('svg') === b.closest('svg') && meet(a, b)))
    .map(a => a.textContent);
  return found;
}
function meet(a, b) {
  const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
  return p.left < q.right - .5 && q.left < p.right - .5 && p.top < q.bottom - .5 && q.top < p.bottom - .5;
}
function overlaps(table) {  // cells whose content is wider than they are
  return [...table.querySelectorAll('th, td')].filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.outerHTML.slice(0, 80));
}
window.onload = () => {
  const all = [...document.querySelectorAll('iframe')].map(measure);
  document.body.textContent = 'MEASURED' + JSON.stringify(all) + 'END';
};
"""


def page_of(sample):
    return subprocess.run([SAMPLE, sample, "html"], capture_output=True, check=True).stdout.decode("utf-8")


def chromium(folder, *arguments):
    """Runs it once; what it prints. It never asks the network: the report is all it is given."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--proxy-server=127.0.0.1:9",
               f"--user-data-dir={folder}/profile", *arguments]
    environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
    result = subprocess.run(command, capture_output=True, env=environment, timeout=120)
    if result.returncode:
        raise AssertionError(result.stderr.decode(errors="replace"))
    return result.stdout.decode("utf-8")


def measured(page, flag, widths=tuple(WIDTHS)):
    # laid out in frames: a script in the pages would be blocked by their own policy, one around them is not
    frames = "".join(f'<iframe width="{width}" height="800" srcdoc="{html.escape(page)}"></iframe>' for width in widths)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/around.html"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><script>{MEASURE}</script>{frames}')
        out = chromium(folder, flag, "--dump-dom", f"file://{path}")
    found = re.search("<body>MEASURED(.*)END</body>", out, re.DOTALL)
    if not found:
        raise AssertionError(f"nothing was measured: {out[:2000]}")
    return json.loads(html.unescape(found[1]))


def picture(page, width, height, flag):
    """Rows of (r, g, b), as the browser shows the page."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/page.html", "w", encoding="utf-8") as file:
            file.write(page)
        chromium(folder, flag, f"--window-size={width},{height}", f"--screenshot={folder}/page.png", f"file://{folder}/page.html")
        with open(f"{folder}/page.png", "rb") as file:
            return pixels(file.read())


def pixels(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), (depth, color)
            step = 3 if color == 2 else 4
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, before, rows = zlib.decompress(packed), bytearray(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for x in range(len(line) if kind else 0):
            left, up = line[x - step] if x >= step else 0, before[x]
            corner = before[x - step] if x >= step else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda c: abs(guess - c))
            line[x] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), step)])
        before = line
    return rows


class Layout(unittest.TestCase):
    def check(self, sample, flag):
        found = measured(page_of(sample), flag)
        self.assertEqual([frame["width"] for frame in found], WIDTHS)
        for frame in found:
            with self.subTest(sample=sample, width=frame["width"], flag=flag):
                self.assertGreater(frame["tags"], 50)
                self.assertLessEqual(frame["scroll"], frame["width"])
                self.assertEqual(frame["beyond"], [])
                self.assertEqual(frame["crossing"], [])
                self.assertEqual((frame["scripts"], frame["alerted"]), (0, False))
                self.assertGreaterEqual(min(frame["contrast"])[0], 4.5, min(frame["contrast"]))
                self.assertGreaterEqual(min(frame["graphics"]), 3)
                self.assertGreaterEqual(frame["fonts"], 8)
                for table in frame["tables"]:
                    self.assertEqual(table["overlaps"], [])
                    self.assertLessEqual(table["room"], frame["width"])
                    self.assertEqual(table["focus"], 0)  # so that a keyboard can scroll it
        return found

    def test_full(self):
        for flag in (LIGHT_FLAG, DARK_FLAG):
            found = self.check("full", flag)
            phone, desk = found[1], found[5]
            self.assertEqual(len(desk["tables"]), 2)
            self.assertGreater(phone["tables"][0]["reach"], phone["tables"][0]["room"])  # it scrolls there
            self.assertEqual(desk["tables"][1]["reach"], desk["tables"][1]["room"])
            self.assertEqual(desk["tables"][0]["names"],
                             ['=HYPERLINK("x")', 'Doe, Jane "JD"', "ليلى العلي", "<script>alert(1)</script>",
                              "Zoe\u0301 👩\u200d👩\u200d👧", "李小龙"])
            self.assertEqual(set(desk["tables"][0]["directions"]), {"isolate"})
            self.assertEqual((desk["bars"], desk["points"]), (2 + 4, 4))  # the chart's, and the table's above zero

    def test_paper(self):
        """What is only for print, taken for the screen: nothing is cut off at a sheet's edge, where nothing scrolls."""
        page = page_of("full").replace("@media print", "@media all")
        for frame in measured(page, LIGHT_FLAG, PAPER):
            with self.subTest(width=frame["width"]):
                self.assertLessEqual(frame["scroll"], frame["width"])
                self.assertEqual(frame["beyond"], [])
                for table in frame["tables"]:
                    self.assertLessEqual(table["width"], frame["width"])
                    self.assertEqual(table["overlaps"], [])

    def test_charts(self):
        for flag in (LIGHT_FLAG, DARK_FLAG):
            self.check("charts", flag)


class Picture(unittest.TestCase):
    def test_colours(self):
        page = page_of("full")
        self.assertNotEqual(LIGHT, DARK)
        for flag, colors in ((LIGHT_FLAG, LIGHT), (DARK_FLAG, DARK)):
            for width in (500, 1280):
                with self.subTest(flag=flag, width=width):
                    rows = picture(page, width, 900, flag)
                    self.assertEqual((len(rows[0]), len(rows)), (width, 900))
                    paper = sum(row.count(colors["paper"]) for row in rows)
                    bar = sum(row.count(colors["bar"]) for row in rows)
                    self.assertGreater(paper, width * 900 * .6)
                    self.assertGreater(bar, 1000)  # of 80 % and 33 % of some 400 by 10 pixels
                    for row in rows:  # nothing runs into the margins
                        self.assertEqual({*row[:8], *row[-8:]}, {colors["paper"]})

    def test_shares(self):
        """The first bar fills 80 % of its track, the second none, the third a third."""
        rows, runs = picture(page_of("full"), 500, 900, LIGHT_FLAG), []
        for above, row in zip(rows, rows[1:]):
            length = row.count(LIGHT["bar"])
            if length > 50 and above.count(LIGHT["bar"]) <= 50:
                track = length + row.count((0xd9, 0xdf, 0xe5))
                runs.append(length / track)
        self.assertGreaterEqual(len(runs), 2)
        self.assertAlmostEqual(runs[0], .8, delta=.01)
        self.assertAlmostEqual(runs[1], 1 / 3, delta=.01)


def main():
    if not CHROMIUM:
        sys.exit("chromium is needed to look at pages, and is not there")
    unittest.main()


if __name__ == "__main__":
    main()
