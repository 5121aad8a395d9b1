"""The built site in a real browser: phone and desktop, light and dark, without a network.

``python docs/ext/site_pages/site_in_browser.py build/docs [PICTURES]`` prints what is wrong: rules
of axe-core that a page breaks, text wider than the window, messages on the console, a search that
finds nothing. With a folder it leaves a picture of every page there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

PAGES = (
    "index.html",
    "tutorials/two-csv-files.html",
    "howto/own-metric.html",
    "reference/choose.html",
    "reference/methods/intervals-of-a-risk/wilson.html",
    "reference/findings/R002.html",
    "reference/commands/gate.html",
    "reference/api/referee/evaluate.html",
    "examples/plot_roc50.html",
    "comparing.html",
)
"""One page of every kind."""

LOOKS = ((375, "dark"), (1280, "light"))
"""Width of the window, and which colours are asked for: each of them once, in every build."""

ALL_LOOKS = tuple(product((375, 1280), ("light", "dark")))
"""The same where pictures are wanted."""

_SEARCHED = {"wilson": "wilson.html", "R002": "R002.html", "McNemar": "mcnemar"}
"""What is looked for -> what the address of one of the pages found must hold."""

_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def faults(site: Path, pictures: Path | None = None) -> Iterator[str]:
    """Yield what is wrong with the site, a line each."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for width, colours in LOOKS if pictures is None else ALL_LOOKS:
            with browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=colours, offline=True
            ) as context:
                for name in PAGES:
                    look = f"{name} ({width} wide, {colours})"
                    page = _opened(context, site / name)
                    yield from (f"{look}: {text}" for text in page.said)
                    yield from (f"{look}: {text}" for text in _unreadable(page.tab, Axe()))
                    if pictures is not None:
                        _keep(page.tab, pictures / f"{Path(name).stem}-{width}-{colours}.png")
                    page.tab.close()
        with browser.new_context(offline=True) as context:
            yield from _search(context, site)
        browser.close()


class _Opened:
    """A page, and what it said on the console while it was opened."""

    def __init__(self, tab: Any) -> None:
        self.tab, self.said = tab, []
        tab.on("console", lambda m: m.type == "error" and self.said.append(m.text))
        tab.on("pageerror", lambda problem: self.said.append(str(problem)))


def _opened(context: Any, file: Path) -> _Opened:
    page = _Opened(context.new_page())
    page.tab.goto(file.resolve().as_uri(), wait_until="load")
    return page


def _unreadable(tab: Any, axe: Any) -> Iterator[str]:
    for broken in axe.run(tab).response["violations"]:
        where = broken["nodes"][0]["html"][:120]
        yield f"axe-core {broken['id']}, {len(broken['nodes'])} times: {where}"
    wider = tab.evaluate(_WIDER)
    if wider > 0:
        yield f"{wider} pixels wider than the window"


def _keep(tab: Any, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=str(file))


def _search(context: Any, site: Path) -> Iterator[str]:
    """Look for words as a reader would who has the site on a disk alone."""
    from playwright.sync_api import TimeoutError as TooLate

    for words, wanted in _SEARCHED.items():
        tab = context.new_page()
        tab.goto(f"{(site / 'search.html').resolve().as_uri()}?q={words}", wait_until="load")
        try:
            tab.wait_for_selector("#search-results .search li a", timeout=20_000)
        except TooLate:
            yield f"search for {words!r} finds nothing"
            continue
        links = tab.eval_on_selector_all("#search-results a", "all => all.map(a => a.href)")
        if not any(wanted in link for link in links):
            yield f"search for {words!r} does not find {wanted}, but {links[:3]}"
        tab.close()


def main() -> int:
    """Print the faults; return the exit code."""
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    found = 0
    for line in faults(Path(sys.argv[1]), pictures):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        found += 1
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
