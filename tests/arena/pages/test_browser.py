"""The site in a real browser: a whole season clicked, quiet, accessible, and safe.

Oracles: Chromium's console, its reports of violated policies and requests, its layout, axe-core.
"""

import contextlib
import http.server
import itertools
import json
import re
import threading
from pathlib import Path

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from referee.arena.accounts.accounts import account_named, add_account
from referee.arena.accounts.sessions import begin_session
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.pages.site import PAGES
from referee.arena.scoring.finishing import finish
from referee.arena.scoring.submitting import submit

from ..conftest import PASSWORD, Site, request_for, served, write_tables

CHROMIUM = Path("/usr/bin/chromium")
LOOKS = list(itertools.product((375, 768, 1440), ("light", "dark")))
SLUG = "season"
LISTENER = """document.addEventListener('securitypolicyviolation',
  event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI));"""
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
    """A site with a benchmark that is open, one that is finished, and two teams in both."""
    folder = tmp_path_factory.mktemp("site")
    found = Site(folder, per_day=50)
    with found.open() as arena:
        create_benchmark(arena, request_for(folder, name="Over"), seed=0)
        for name, wrong in (("Pia", 30), ("Quentin", 60)):
            account = add_account(arena, name, PASSWORD)
            for slug in (found.slug, "over"):
                made = submit(arena, account, slug, found.file(wrong), note="a note")
                if name == "Pia" and slug == found.slug:
                    found.own = made.id
        finish(arena, None, "over")
    app = found.app()
    with served(app) as address:
        found.address, found.arena = address, app.state.arena
        yield found


def press(page, what):
    """Press something that leads to another page, and wait until that is there."""
    with page.expect_navigation():
        page.click(what)


class Window:
    """A browser of one person; whatever it complains about is kept."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(base_url=address, **options)
        self.context.add_init_script(LISTENER)
        self.said, self.asked = [], []
        self.context.on("console", lambda message: self.said.append(message.text))
        self.context.on("weberror", lambda problem: self.said.append(str(problem.error)))
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page = self.context.new_page()
        self.address = address

    def enter(self, arena, name):
        """Come in with a session, as after signing in."""
        secret = begin_session(arena, account_named(arena, name))
        cookie = {"name": "referee_session", "value": secret, "url": self.address}
        self.context.add_cookies([cookie])
        return self

    def open(self, path):
        self.page.goto(path)
        return self.page

    def register(self, name):
        page = self.open("/register")
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        page.fill("#again", PASSWORD)
        press(page, "main button")

    def sign_in(self, name):
        page = self.open("/sign-in")
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        press(page, "main button")

    def submit(self, slug, content, note=""):
        page = self.open(f"/benchmarks/{slug}/submit")
        file = {"name": "answers.csv", "mimeType": "text/csv", "buffer": content}
        page.set_input_files("#file", file)
        page.fill("#note", note)
        press(page, "main button")

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
    """Assert that axe finds nothing on the page as it looks now."""
    page.evaluate("typeof axe === 'undefined'") and page.evaluate(Axe().axe_script)
    told = AxeResults(page.evaluate(f"axe.run({json.dumps({'resultTypes': ['violations']})})"))
    assert told.violations_count == 0, (page.url, told.generate_report())


def dressed(page, look):
    """Give the window a width and a colour scheme, and assert that nothing sticks out of it."""
    width, scheme = look
    page.set_viewport_size({"width": width, "height": 500})
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
    press(page, "main button")
    assert "What stays secret" in page.content()
    return page


def finished(organiser, slug):
    """Finish a benchmark and return its final board."""
    page = organiser.open(f"/organise/benchmarks/{slug}/finish")
    page.fill("#address", slug)
    press(page, "text=Finish, once and for all")
    assert page.url.endswith(f"/benchmarks/{slug}/final")
    return page


def answers(right, wrong):
    """Return a file with that many wrong answers."""
    other = {"cat": "zebrafish", "zebrafish": "cat"}
    lines = [
        f"{name},{other[kind] if k < wrong else kind}"
        for k, (name, kind) in enumerate(right.items())
    ]
    return ("id,prediction\n" + "\n".join(lines) + "\n").encode()


def test_a_whole_season_is_clicked_by_an_organiser_and_three_teams(
    window, site, tmp_path, monkeypatch
):
    """Ada has a mouse, Bob a keyboard only; Cyd and the organiser have no JavaScript."""
    right = write_tables(tmp_path, n_test=300, seed=3)
    monkeypatch.setattr(site.arena, "registration", "approval")
    plain = {"java_script_enabled": False}
    olga, ada, bob, cyd = window(**plain), window(), window(), window(**plain)
    olga.sign_in("Olga")
    page = draft(olga, "Season", tmp_path)
    press(page, "text=Create the benchmark")
    assert page.url.endswith(f"/organise/benchmarks/{SLUG}")

    ada.register("Ada")
    assert "waits for approval" in ada.page.inner_text("main")
    cyd.register("Cyd")
    keys = Keyboard(bob)
    keys.register("Bob")
    page = olga.open("/organise")
    for name in ("Ada", "Bob", "Cyd"):
        press(page, f"tr:has(th:text-is('{name}')) button:has-text('Approve')")
    assert "Waiting for approval" not in page.inner_text("main")

    drops_a_file(ada, answers(right, 5))
    keys.takes_part(answers(right, 60))
    has_no_script(cyd, answers(right, 140))

    page = olga.open(f"/organise/benchmarks/{SLUG}")
    press(page, "button:has-text('Freeze')")
    cyd.submit(SLUG, answers(right, 100))
    assert "frozen" in cyd.page.inner_text("main")
    board = finished(olga, SLUG).inner_text("table.board")
    assert board.index("Ada") < board.index("Bob") < board.index("Cyd")
    assert "Tier 1" in board
    page = ada.open(f"/benchmarks/{SLUG}/final")
    assert "FINAL BOARD" in page.inner_text("main")
    assert "Ada" in page.inner_text("tr.own")
    keys.signs_out()
    for one in (olga, ada, bob, cyd):
        one.quiet()


def drops_a_file(ada, content):
    page = ada.open(f"/benchmarks/{SLUG}/submit")
    assert "or drop it here" in page.inner_text("[data-drop]")
    page.evaluate(
        """text => { const data = new DataTransfer();
          data.items.add(new File([text], 'dropped.csv', {type: 'text/csv'}));
          document.querySelector('[data-drop]').dispatchEvent(
            new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); }""",
        content.decode(),
    )
    page.wait_for_selector("[data-glimpse]:not([hidden])")
    assert "dropped.csv" in page.inner_text("[data-glimpse]")
    press(page, "main button")
    assert "IMPROVED" in page.inner_text("main")


def has_no_script(cyd, content):
    page = cyd.open(f"/benchmarks/{SLUG}/submit")
    assert "drop it here" not in page.inner_text("main")
    cyd.submit(SLUG, b"id,prediction\nc1,cow\n")
    assert "No try was counted" in page.inner_text("main")
    cyd.submit(SLUG, content)
    assert "IMPROVED" in page.inner_text("main")
    press(page, "main >> text=My team")
    page.check("tbody tr:first-child input")
    press(page, "text=Choose these finals")
    assert "Your finals were noted" in page.content()
    press(page, ".tabs >> text=Board")
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", page.inner_text("table.board"))
    press(page, "thead a:has-text('Tries')")
    assert "sort=tries" in page.url


class Keyboard:
    """A person who has no mouse."""

    def __init__(self, window):
        self.page, self.open = window.page, window.open

    def tab_to(self, words):
        for _ in range(60):
            self.page.keyboard.press("Tab")
            text = self.page.evaluate(
                "(e => e.matches('a, button, input') && "
                "((e.labels?.[0] ?? e).innerText || e.ariaLabel))(document.activeElement)"
            )
            if words in (text or ""):
                return
        raise AssertionError(f"{words} cannot be reached on {self.page.url}")

    def follow(self, words):
        self.tab_to(words)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def register(self, name):
        self.open("/")
        self.page.keyboard.press("Tab")
        assert self.page.evaluate("document.activeElement.className") == "skip"
        self.follow("Register")
        for label, text in (
            ("Name of the team", name),
            ("Password", PASSWORD),
            ("Password, once more", PASSWORD),
        ):
            self.tab_to(label)
            self.page.keyboard.type(text)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def takes_part(self, content):
        page = self.page
        self.follow("Season")
        self.follow("in the browser")
        for sent, words in ((b"id,prediction\nnobody,cat\n", "No try"), (content, "IMPROVED")):
            self.tab_to("File with predictions")
            with page.expect_file_chooser() as chooser:
                page.keyboard.press("Space")
            chooser.value.set_files({"name": "a.csv", "mimeType": "text/csv", "buffer": sent})
            self.follow("Submit and see")
            assert words in page.inner_text("main")
        self.follow("My team")
        self.tab_to("Final: received")
        assert page.is_checked("tbody tr:first-child input")  # its one improvement, till now
        self.follow("Choose these finals")
        assert "Your finals were noted" in page.inner_text("main")
        self.follow("Board")
        assert "Bob" in page.inner_text("tr.own")
        self.follow("Tries")
        assert "sort=tries" in page.url

    def signs_out(self):
        self.follow("Sign out")
        assert "Sign in" in self.page.inner_text("header")


WHO_LOOKS = {
    None: ("/", "/about/statistics", "/register", "/sign-in"),
    "Pia": ("/account", "/benchmarks/{slug}", "/benchmarks/{slug}/board", "/benchmarks/{slug}/team",
            "/benchmarks/{slug}/submit", "/benchmarks/{slug}/submissions/{id}"),
    "Olga": ("/organise", "/organise/accounts", "/organise/log", "/organise/new",
             "/organise/benchmarks/{slug}", "/organise/benchmarks/{slug}/finish",
             "/benchmarks/{slug}/final", "/organise/drafts/{draft}"),
}  # fmt: skip
"""Every page that a browser shows, and who looks at it."""
NO_PAGES = ("board.csv", "board.json", "receipt.json", "export.zip")


WRONG = {None: "/no/page", "Olga": "/organise/benchmarks/nothing"}


def test_every_page_is_looked_at():
    shown = {page.path for page in PAGES if page.method == "GET"}
    looked = {path for paths in WHO_LOOKS.values() for path in paths}
    assert {path for path in shown if not path.endswith(NO_PAGES)} == looked


def walk(one, site):
    """Open every page as whoever may see it, and then one that says what is wrong."""
    for who, paths in WHO_LOOKS.items():
        one.context.clear_cookies()
        if who is not None:
            one.enter(site.arena, who)
        for path in paths:
            if "{draft}" in path:
                yield draft(one, "Drafted", site.directory.parent)
            else:
                slug = "over" if path.endswith("final") else site.slug
                yield one.open(path.format(slug=slug, id=site.own))
        if who == "Pia":
            one.submit(site.slug, b"id,prediction\nc1,cow\n")
        else:
            one.open(WRONG[who])
        assert one.page.query_selector("[role=alert]")
        yield one.page


def test_every_page_is_accessible_and_fits_and_is_quiet(window, site):
    """Each on a phone and in one other look, by turns; in all looks below."""
    one = window()
    for number, page in enumerate(walk(one, site)):
        dressed(page, LOOKS[2 + number % 4])
        dressed(page, LOOKS[number % 2])
        accessible(page)
        assert len(page.content().encode()) < 150_000
    one.quiet()


@pytest.mark.slow
def test_every_page_is_accessible_and_fits_in_all_looks(window, site):
    one = window()
    for page in walk(one, site):
        for look in LOOKS:
            dressed(page, look)
            accessible(page)
    one.quiet()


def test_the_listener_hears_what_a_policy_forbids(window):
    """Else silence in the other tests would say nothing."""
    one = window()
    page = one.open("/")
    with page.expect_console_message(lambda said: said.text.startswith("policy: img-src")):
        page.evaluate("new Image().src = 'http://127.0.0.2/x'")
    with pytest.raises(AssertionError):
        one.quiet()


def evil_tables(folder, bare):
    """Write tables in which classes, columns and ids hold the attack."""
    write_tables(folder, classes=(f"cat{ATTACK}", "dog"))
    for name in ("train", "test"):
        path = folder / f"{name}.csv"
        rows = path.read_text().splitlines()[1:]
        rows = [row.replace(",", f"{bare},", 1) for row in rows]
        path.write_text("\n".join([f"id{bare},x{bare},kind{bare}", *rows]) + "\n")


def test_texts_of_others_do_nothing(window, site, tmp_path):
    """In every field and file: refused ones are shown again, taken ones wherever they stand."""
    bare = ATTACK.replace('"', "")
    evil_tables(tmp_path, bare)
    one = window().enter(site.arena, "Olga")
    page = one.open("/organise/new")
    for field in ("name", "target", "id_column", "groups", "public", "level", "test_share"):
        page.fill(f"#{field}", ATTACK)
    page.set_input_files("#train", tmp_path / "train.csv")
    press(page, "main button")
    assert page.input_value("#target") == ATTACK  # refused, and still filled in
    unharmed(page)
    page.fill("#name", f"Evil {ATTACK}"[:100])
    page.set_input_files("#train", tmp_path / "train.csv")
    page.set_input_files("#test", tmp_path / "test.csv")
    for field, text in {"target": f"kind{bare}", "id_column": f"id{bare}", "groups": "",
                        "public": "50%", "level": "0.95", "test_share": ""}.items():  # fmt: skip
        page.fill(f"#{field}", text)
    page.fill("#rules", f"{ATTACK}\n\n[a](javascript:window.hit=1)\n\n<svg onload=window.hit=1>")
    press(page, "main button")
    assert "What stays secret" in page.content(), page.inner_text("main")
    assert re.search(rf"^c\d+{re.escape(bare)},", page.inner_text("main"), re.M)
    unharmed(page)
    press(page, "text=Create the benchmark")
    unharmed(page)
    slug = page.url.rsplit("/", 1)[1]

    one.context.clear_cookies()
    page = one.open("/register")
    for field, text in {"name": ATTACK, "password": PASSWORD, "again": PASSWORD}.items():
        page.fill(f"#{field}", text)
    press(page, "main button")
    assert "a name may hold" in page.inner_text("main")
    assert page.input_value("#name") == ATTACK
    unharmed(page)
    one.enter(site.arena, "Quentin")
    page = one.open(f"/benchmarks/{slug}/submit")
    content = f"id{bare},prediction\n{ATTACK},{ATTACK}\n".encode()
    file = {"name": f"{bare}.csv", "mimeType": "text/csv", "buffer": content}
    page.set_input_files("#file", file)
    page.wait_for_selector("[data-glimpse]:not([hidden])")
    unharmed(page)
    page.fill("#note", ATTACK)
    press(page, "main button")
    assert page.input_value("#note") == ATTACK
    unharmed(page)
    page.set_input_files("#file", site.arena.places.file(slug, 1, "example"))
    press(page, "main button")
    assert "/submissions/" in page.url
    unharmed(page)
    page = one.open("/account")
    page.fill("#label", ATTACK[:70])
    press(page, "text=Make a token")
    unharmed(page)
    paths = [f"/benchmarks/{slug}{rest}" for rest in ("", "/board", "/team")]
    paths += [f"/sign-in?next={ATTACK}", f"/benchmarks/{slug}/board?sort={ATTACK}&version={ATTACK}"]
    for path in ("/", "/account", f"/{ATTACK}", *paths):
        unharmed(one.open(path))

    one.enter(site.arena, "Olga")
    page = one.open("/organise/accounts")
    page.fill("#name", ATTACK)
    page.fill("#to", ATTACK)
    press(page, "main >> text=Link >> nth=-1")
    unharmed(page)
    page = one.open(f"/organise/benchmarks/{slug}/finish")
    page.fill("#address", ATTACK)
    press(page, "text=Finish, once and for all")
    assert page.input_value("#address") == ATTACK
    unharmed(page)
    unharmed(finished(one, slug))
    for path in ("/organise", "/organise/log"):
        unharmed(one.open(path))
    one.quiet()


def unharmed(page):
    """Assert that no text of the page became an element or ran."""
    assert page.evaluate("window.hit") is None, page.url
    assert page.query_selector("img, svg[onload], body script") is None, page.url


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
    one = window().enter(site.arena, "Pia")
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
    with (
        other_site(f'<iframe src="{site.address}/account"></iframe>') as address,
        one.page.expect_console_message(lambda said: "frame-ancestors" in said.text),
    ):
        one.page.goto(address)
    assert "Pia" not in one.page.frames[1].content()
