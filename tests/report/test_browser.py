"""Reports in a real browser: quiet, alone, within the window, legible and accessible.

Oracles: Chromium's own layout and console, axe-core's rules, and the contrast ratio of the WCAG.
"""

import itertools
import sys
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from referee.report import describe
from referee.report.html import to_fragment_text, to_html_text

sys.path.insert(0, str(Path(__file__).parent))
from results import KINDS, NAMES

CHROMIUM = Path("/usr/bin/chromium")
LOOKS = list(itertools.product((375, 1440), ("light", "dark")))
PLAIN = ("logistic regression", "nearest neighbour")

CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = v => { v /= 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = node => { for (let e = node; e; e = e.parentElement) {
    const colour = rgb(getComputedStyle(e).backgroundColor); if (colour[3] === 255) return colour; }
    return [255, 255, 255]; };
  const known = new Map();
  const darkest = svg => { if (!known.has(svg)) known.set(svg, [...(svg?.querySelectorAll('.cell')
    ?? [])].sort((a, b) => b.getAttribute('fill-opacity') - a.getAttribute('fill-opacity'))[0]);
    return known.get(svg); };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.textContent.trim() || !parent.getClientRects().length) continue;
    if (['STYLE', 'title', 'desc'].includes(parent.tagName)) continue;
    const style = getComputedStyle(parent);
    let ground = behind(parent);
    const ink = rgb(parent.ownerSVGElement ? style.fill : style.color);
    const grounds = [ground];
    const cell = darkest(parent.ownerSVGElement);
    if (cell) {
      const share = +cell.getAttribute('fill-opacity'), fill = rgb(getComputedStyle(cell).fill);
      grounds.push(ground.map((v, k) => v * (1 - share) + fill[k] * share));
    }
    for (const g of grounds) {
      const [a, b] = [light(ink), light(g)].sort((x, y) => y - x);
      found.push([(a + 0.05) / (b + 0.05), node.textContent.trim().slice(0, 40)]);
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM.exists(), "the browser tests need /usr/bin/chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=str(CHROMIUM), headless=True, args=["--no-sandbox"]
        )
        yield launched
        launched.close()


@cache
def page_of(kind, names):
    return to_html_text(describe(KINDS[kind](*names)))


@pytest.fixture
def opened(browser, tmp_path):
    contexts = []

    def open_page(html, width=1440, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda problem: page.said.append(str(problem)))
        page.on("request", lambda request: page.asked.append(request.url))
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


CASES = [(kind, PLAIN) for kind in KINDS] + [
    ("evaluation", NAMES["scripts"]),
    ("many classes", NAMES["long"]),
    ("comparison", NAMES["markup"]),
    ("data sets", NAMES["long"]),
]


@pytest.mark.parametrize(("kind", "names"), CASES)
def test_quiet_alone_and_within_the_window(opened, kind, names):
    page = opened(page_of(kind, names))
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (width, scheme)
        low = [found for found in page.evaluate(CONTRASTS) if found[0] < 4.5]
        assert low == [], (width, scheme)
    assert page.said == []
    assert len(page.asked) == 1, page.asked


@pytest.mark.parametrize(("kind", "names"), CASES)
def test_accessible_by_the_rules_of_axe(opened, kind, names):
    width, scheme = LOOKS[CASES.index((kind, names)) % len(LOOKS)]
    found = Axe().run(opened(page_of(kind, names), width, scheme))
    assert found.violations_count == 0, found.generate_report()


def test_text_is_large_enough_to_read_on_a_phone(opened):
    page = opened(page_of("cross-validation", PLAIN), 375)
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('svg text')]
          .filter(t => t.getClientRects().length)
          .map(t => t.getBoundingClientRect().height))"""
    )
    assert smallest >= 9


def test_keyboard_reaches_the_skip_link_and_every_table(opened):
    page = opened(page_of("evaluation", PLAIN), 375)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    tables = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map(t => t.getAttribute('aria-label'))"
    )
    assert tables
    assert set(tables) <= reached


def test_headings_are_in_order_and_there_is_one_main_title(opened):
    page = opened(page_of("comparison", PLAIN))
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(h => h.tagName)")
    assert levels[0] == "H1"
    assert set(levels[1:]) == {"H2"}


def test_printed_in_ink_on_paper_even_in_the_dark(opened):
    page = opened(page_of("evaluation", PLAIN), 794, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert [found for found in page.evaluate(CONTRASTS) if found[0] < 4.5] == []
    assert page.pdf()[:5] == b"%PDF-"


def test_a_notebook_keeps_its_own_looks(opened):
    host = (
        "<!doctype html><html lang=en><title>n</title><h1 id=a>n</h1><p id=b>p</p>"
        "<table id=c><tr><td id=d>x</td></tr></table><ul><li id=e>y</li></ul><div id=cell>{}</div>"
    )
    looks = """() => ['a', 'b', 'c', 'd', 'e'].map(i => { const s = getComputedStyle(
      document.getElementById(i)); return [s.color, s.font, s.margin, s.padding, s.display,
      s.backgroundColor, s.border, s.listStyle]; })"""
    document = describe(KINDS["evaluation"](*PLAIN))
    bare = opened(host.format("")).evaluate(looks)
    both = to_fragment_text(document) + to_fragment_text(describe(KINDS["plan"](*PLAIN)))
    page = opened(host.format(both))
    assert page.evaluate(looks) == bare
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_names_of_methods_lead_to_their_rows(opened):
    page = opened(to_html_text(describe(KINDS["evaluation"](*PLAIN))))
    page.click("td a:text-is('clopper-pearson')")
    target = page.evaluate("document.querySelector(':target').innerText")
    assert target.startswith("clopper-pearson")
    dead = page.evaluate(
        """[...document.querySelectorAll('a[href^="#"]')].filter(
          a => !document.getElementById(a.getAttribute('href').slice(1))).length"""
    )
    assert dead == 0
