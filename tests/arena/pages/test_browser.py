"""The site in a real browser: a whole season clicked, quiet, accessible, and safe.

Oracles: Chromium's console, its reports of violated policies and requests, its layout, axe-core.
"""

import contextlib
import http.server
import itertools
import re
import threading
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from ..conftest import PASSWORD, Site, served, write_tables

CHROMIUM = Path("/usr/bin/chromium")
LOOKS = list(itertools.product((375, 768, 1440), ("light", "dark")))
ATTACK = '"><img src=x onerror="window.hit=1"><script>window.hit=1</script>'


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM.exists(), "the browser tests need /usr/bin/chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=str(CHROMIUM), headless=True, args=["--no-sandbox"]
        )
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    found = Site(tmp_path_factory.mktemp("site"), per_day=50)
    with served(found.app()) as address:
        found.address = address
        yield found


class Window:
    """A browser of one person; whatever it complains about is kept."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(base_url=address, **options)
        self.page = self.context.new_page()
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda problem: self.said.append(str(problem)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.address = address

    def open(self, path):
        self.page.goto(path)
        return self.page

    def register(self, name):
        page = self.open("/register")
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        page.fill("#again", PASSWORD)
        page.click("main button")

    def sign_in(self, name):
        page = self.open("/sign-in")
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        page.click("main button")

    def submit(self, slug, content, note=""):
        page = self.open(f"/benchmarks/{slug}/submit")
        file = {"name": "answers.csv", "mimeType": "text/csv", "buffer": content}
        page.set_input_files("#file", file)
        page.fill("#note", note)
        page.click("main button")

    def quiet(self):
        """Assert that nothing was complained about and nobody else was asked."""
        assert [s for s in self.said if "status of 4" not in s] == []
        assert [u for u in self.asked if not u.startswith(self.address)] == []


@pytest.fixture
def window(browser, site):
    opened = []

    def open_window(**options):
        opened.append(Window(browser, site.address, **options))
        return opened[-1]

    yield open_window
    for one in opened:
        one.context.close()


def accessible(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def fits(page):
    """Assert that nothing sticks out of the window, on a phone and on a wide screen."""
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (page.url, width)


def draft(organiser, name, folder):
    """Fill in the form for a benchmark, and return the page that shows what will become public."""
    page = organiser.open("/organise/new")
    page.fill("#name", name)
    page.set_input_files("#train", folder / "train.csv")
    page.set_input_files("#test", folder / "test.csv")
    page.fill("#target", "kind")
    page.fill("#id_column", "id")
    page.fill("#rules", "Be **fair**.")
    page.click("main button")
    assert "What stays secret" in page.content()
    return page


def finished(organiser, slug):
    """Finish a benchmark and return its final board."""
    page = organiser.open(f"/organise/benchmarks/{slug}/finish")
    page.fill("#address", slug)
    page.click("text=Finish, once and for all")
    assert page.url.endswith(f"/benchmarks/{slug}/final")
    return page


def test_a_whole_season_is_clicked_by_an_organiser_and_three_teams(window, site, tmp_path):
    right = write_tables(tmp_path, n_test=300, seed=3)
    olga = window()
    olga.sign_in("Olga")
    page = draft(olga, "Season", tmp_path)
    accessible(page)
    page.click("text=Create the benchmark")
    assert page.url.endswith("/organise/benchmarks/season")

    teams = {name: window() for name in ("Ada", "Bob", "Cyd")}
    for (name, team), wrong in zip(teams.items(), (15, 60, 140), strict=True):
        team.register(name)
        for off in (wrong, max(wrong - 10, 0)):
            lines = [f"{k},{v}" for k, v in right.items()]
            swap = {"cat": "zebrafish", "zebrafish": "cat"}
            for at in range(off):
                key, value = lines[at * 2].split(",")
                lines[at * 2] = f"{key},{swap[value]}"
            team.submit("season", ("id,prediction\n" + "\n".join(lines)).encode(), note="try")
            assert team.page.url.count("/submissions/") == 1, team.page.inner_text("main")
    ada = teams["Ada"]
    page = ada.open("/benchmarks/season/team")
    page.check("tbody tr:first-child input")
    page.click("text=Choose these finals")
    assert "Your finals were noted" in page.content()
    page = ada.open("/benchmarks/season/board")
    assert page.inner_text("table.board").index("Ada") < page.inner_text("table.board").index("Bob")
    assert "UTC" in page.inner_text("tr.own time") or page.inner_text("tr.own time")

    board = finished(olga, "season").inner_text("table.board")
    assert board.index("Ada") < board.index("Bob")
    assert "Tier 1" in board
    for one in (olga, *teams.values()):
        one.quiet()


PATHS = {
    "visitor": ("/", "/about/statistics", "/register", "/sign-in?next=/account", "/no/page"),
    "Pia": ("/account", "/benchmarks/{slug}", "/benchmarks/{slug}/board", "/benchmarks/{slug}/team",
            "/benchmarks/{slug}/submit", "{submission}"),
    "Olga": ("/organise", "/organise/accounts", "/organise/log", "/organise/new",
             "/organise/benchmarks/{slug}", "/organise/benchmarks/{slug}/finish",
             "/benchmarks/season/final"),
}  # fmt: skip


@pytest.mark.parametrize("who", PATHS)
def test_every_page_is_accessible_and_fits_and_is_quiet(window, site, who):
    one = window()
    submission = "/"
    if who == "Olga":
        one.sign_in("Olga")
    elif who == "Pia":
        one.register("Pia")
        one.submit(site.slug, site.file(30), note="a note")
        submission = one.page.url.removeprefix(site.address)
    for number, path in enumerate(PATHS[who]):
        page = one.open(path.format(slug=site.slug, submission=submission))
        fits(page)
        width, scheme = LOOKS[number % len(LOOKS)]
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        accessible(page)
        assert len(page.content()) < 150_000
    one.quiet()


def test_without_javascript_the_whole_life_of_a_benchmark_works(window, site):
    """The site's own tables once more, so that its files can be sent there."""
    olga, one = window(java_script_enabled=False), window(java_script_enabled=False)
    olga.sign_in("Olga")
    draft(olga, "Plain life", site.directory.parent).click("text=Create the benchmark")
    slug = "plain-life"
    one.register("Plain")
    page = one.open(f"/benchmarks/{slug}/submit")
    assert "drop it here" not in page.inner_text("main")
    one.submit(slug, b"id,prediction\nc1,cow\n")
    assert "No try was counted" in one.page.inner_text("main")
    one.submit(slug, site.file(25))
    assert "IMPROVED" in one.page.inner_text("main")
    page = one.open(f"/benchmarks/{slug}/team")
    page.check("tbody tr:first-child input")
    page.click("text=Choose these finals")
    assert "Your finals were noted" in page.content()
    page = one.open(f"/benchmarks/{slug}/board")
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", page.inner_text("table.board"))
    page.click("thead a:has-text('Tries')")
    assert "sort=tries" in page.url
    page = olga.open(f"/organise/benchmarks/{slug}")
    page.click("button:has-text('Freeze')")
    one.submit(slug, site.file(5))
    assert "frozen" in one.page.inner_text("main")
    assert "Plain" in finished(olga, slug).inner_text("table.board")
    assert "FINAL BOARD" in one.open(f"/benchmarks/{slug}/final").inner_text("main")
    one.page.click("header button, form[action='/sign-out'] button")
    assert "Sign in" in one.page.inner_text("header")
    one.quiet()
    olga.quiet()


def test_by_keyboard_alone(window, site):
    one = window()
    page = one.open("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"

    def tab_to(words):
        for _ in range(60):
            page.keyboard.press("Tab")
            text = page.evaluate(
                "(document.activeElement.labels?.[0] ?? document.activeElement).innerText"
            )
            if words in (text or ""):
                return
        raise AssertionError(f"{words} cannot be reached")

    tab_to("Register")
    page.keyboard.press("Enter")
    page.wait_for_url("**/register")
    for label, text in (
        ("Name of the team", "Keys"),
        ("Password", PASSWORD),
        ("Password, once more", PASSWORD),
    ):
        tab_to(label)
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.address}/")
    tab_to("Two kinds")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/benchmarks/{site.slug}")
    tab_to("in the browser")
    page.keyboard.press("Enter")
    page.wait_for_url("**/submit")
    for content, words in (
        (b"id,prediction\nnobody,cat\n", "No try was counted"),
        (site.file(15), "IMPROVED"),
    ):
        tab_to("File with predictions")
        with page.expect_file_chooser() as chooser:
            page.keyboard.press("Space")
        chooser.value.set_files({"name": "a.csv", "mimeType": "text/csv", "buffer": content})
        tab_to("Submit and see")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert words in page.inner_text("main")
    tab_to("Board")
    page.keyboard.press("Enter")
    page.wait_for_url("**/board")
    assert "Keys" in page.inner_text("tr.own")
    one.quiet()


def test_a_file_can_be_dropped_and_is_shown_before_it_is_sent(window, site):
    one = window()
    one.register("Dropper")
    page = one.open(f"/benchmarks/{site.slug}/submit")
    assert "or drop it here" in page.inner_text("[data-drop]")
    page.evaluate(
        """text => { const data = new DataTransfer();
          data.items.add(new File([text], 'dropped.csv', {type: 'text/csv'}));
          document.querySelector('[data-drop]').dispatchEvent(
            new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); }""",
        site.file(12).decode(),
    )
    page.wait_for_selector("[data-glimpse]:not([hidden])")
    assert "dropped.csv" in page.inner_text("[data-glimpse]")
    page.click("main button")
    assert "IMPROVED" in page.inner_text("main")
    one.quiet()


def test_texts_of_others_do_nothing(window, site, tmp_path):
    write_tables(tmp_path, classes=(f"cat{ATTACK}", "dog"))
    bare = ATTACK.replace('"', "")
    for name in ("train", "test"):
        path = tmp_path / f"{name}.csv"
        head, *rows = path.read_text().splitlines()
        head = head.replace("x,kind", f'"x{bare}",kind')
        rows = [row.replace(",", f"{bare},", 1) for row in rows]  # ids
        path.write_text("\n".join([head, *rows]) + "\n")
    olga = window()
    olga.sign_in("Olga")
    page = olga.open("/organise/new")
    page.fill("#name", f"Evil {ATTACK}"[:100])
    page.set_input_files("#train", tmp_path / "train.csv")
    page.set_input_files("#test", tmp_path / "test.csv")
    page.fill("#target", "kind")
    page.fill("#id_column", "id")
    page.fill("#rules", f"{ATTACK}\n\n[a](javascript:window.hit=1)\n\n<svg onload=window.hit=1>")
    page.click("main button")
    assert "What stays secret" in page.content(), page.inner_text("main")
    assert re.search(rf"^c\d+{re.escape(bare)},", page.inner_text("main"), re.M)
    assert page.evaluate("window.hit") is None
    assert page.query_selector("main img, main script") is None
    page.click("text=Create the benchmark")
    slug = page.url.rsplit("/", 1)[1]
    one = window()
    page = one.open("/register")
    page.fill("#name", ATTACK)
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("main button")
    assert "a name may hold" in page.inner_text("main")
    assert page.input_value("#name") == ATTACK
    one.register("Mallory")
    one.submit(slug, f"id,prediction\n{ATTACK},{ATTACK}\n".encode(), note=ATTACK)
    assert one.page.evaluate("window.hit") is None
    one.submit(site.slug, site.file(20), note=ATTACK)
    page = one.open("/account")
    page.fill("#label", ATTACK[:70])
    page.click("text=Make a token")
    paths = ["/", f"/benchmarks/{slug}", f"/benchmarks/{slug}/board", f"/benchmarks/{slug}/submit"]
    paths += [f"/benchmarks/{site.slug}/team", "/account"]
    for path in paths:
        page = one.open(path)
        assert page.evaluate("window.hit") is None, path
        assert page.query_selector("img, svg[onload], main script") is None, path
    for path in ("/organise", "/organise/log", f"/organise/benchmarks/{slug}"):
        page = olga.open(path)
        assert page.evaluate("window.hit") is None, path
    one.quiet()
    olga.quiet()


@contextlib.contextmanager
def other_site(text):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_another_site_can_neither_send_a_form_nor_frame_a_page(window, site):
    one = window()
    one.register("Victim")
    form = (
        f'<form id=f method=post action="{site.address}/account/tokens">'
        "<input name=label value=stolen></form><script>f.submit()</script>"
    )
    with other_site(form) as address:
        one.page.goto(address)
        one.page.wait_for_url(f"{site.address}/account/tokens")
        assert "not sent from a page of this site" in one.page.inner_text("main")
    page = one.open("/account")
    assert "stolen" not in page.content()
    with other_site(f'<iframe src="{site.address}/account"></iframe>') as address:
        one.page.goto(address)
        one.page.wait_for_timeout(300)
        framed = one.page.frames[1]
        assert "Victim" not in framed.content()
    assert any("frame-ancestors" in text for text in one.said)
