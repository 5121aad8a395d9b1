"""What the site has stands in its documentation. Oracle: the routes and options themselves."""

import inspect
import re
from pathlib import Path

from referee.arena.pages.site import PAGES
from referee.cli.arena.serving import serve

DOCS = Path(__file__).parents[3] / "docs"


def test_every_page_is_documented_by_its_address():
    told = (DOCS / "arena-site.md").read_text()
    paths = {page.path for page in PAGES if page.method == "GET" and "." not in page.path}
    names = {re.sub(r"{(slug|id|draft)}", _placeholder, path) for path in paths}
    assert {name for name in names if f"`{name}`" not in told} == set()


def _placeholder(match):
    return "SLUG" if match[1] == "slug" else "ID"


def test_every_option_of_serve_is_documented():
    told = "".join((DOCS / name).read_text() for name in ("arena.md", "arena-site.md"))
    options = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters}
    assert {option for option in options - {"--directory"} if option not in told} == set()
