"""python docs/images/arena.py: pictures of the arena's main pages.

Needs the test extra and Debian's chromium. The site is that of `referee arena demo`, finished at
the end for the last picture.
"""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import httpx
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from referee.arena.app import create_app
from referee.arena.demo import Demo, build_demo

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
PORT = 8765
SITE = f"http://127.0.0.1:{PORT}"


def signed_in(browser: Browser, demo: Demo, name: str) -> Page:
    """Open a window and sign in."""
    context = browser.new_context(viewport={"width": 1180, "height": 700}, base_url=SITE)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("#name", name)
    page.fill("#password", demo.password)
    page.click("main button")
    return page


def photograph(page: Page, path: str, picture: str) -> None:
    """Open a page and keep what is seen of it."""
    page.goto(path)
    page.screenshot(path=str(HERE / f"arena-{picture}.png"))


def photographs(browser: Browser, demo: Demo) -> None:
    """Make all pictures."""
    team = signed_in(browser, demo, demo.participant)
    organiser = signed_in(browser, demo, demo.organiser)
    base = f"/benchmarks/{demo.slug}"
    for path, picture in {
        "/": "home",
        base: "benchmark",
        f"{base}/board": "board",
        f"{base}/submit": "submit",
        f"{base}/team": "team",
    }.items():
        photograph(team, path, picture)
    photograph(organiser, f"/organise{base}", "organise")
    photograph(organiser, "/organise/new", "new")
    organiser.goto(f"/organise{base}/finish")
    organiser.fill("#address", demo.slug)
    organiser.click("main button")
    photograph(team, f"{base}/final", "final")


def main() -> None:
    """Build the demonstration, serve it, and photograph it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo = build_demo(Path(folder))
        config = uvicorn.Config(create_app(demo.directory), port=PORT, log_level="error")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.1)
        assert httpx.get(f"{SITE}/healthz").status_code == 200
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        photographs(browser, demo)
        browser.close()
        server.should_exit = True
        thread.join(20)


if __name__ == "__main__":
    main()
