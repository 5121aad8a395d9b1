"""The check of the built site finds what it should; scripts/docs runs it on the site itself."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "ext"))

from site_pages import site_in_browser

GOOD = """<!doctype html><html lang="en"><head><title>a</title></head><body><main><h1>a</h1>
<p>text</p></main></body></html>"""
BAD = GOOD.replace(
    "<p>text</p>",
    '<img src="data:,"><div style="width: 900px">wide</div><script>throw Error("loud")</script>',
)
SEARCH = GOOD.replace(
    "<p>text</p>", '<div id="search-results"><ul class="search"><li><a href="%s">x</a></ul></div>'
)


def found(folder, monkeypatch, page, hit):
    (folder / "a.html").write_text(page)
    (folder / "search.html").write_text(SEARCH % hit)
    monkeypatch.setattr(site_in_browser, "PAGES", ("a.html",))
    monkeypatch.setattr(site_in_browser, "ALL_LOOKS", ((375, "light"),))
    monkeypatch.setattr(site_in_browser, "_SEARCHED", {"wilson": "wilson.html"})
    return list(site_in_browser.faults(folder, folder / "pictures"))


def test_a_good_page(tmp_path, monkeypatch):
    assert found(tmp_path, monkeypatch, GOOD, "wilson.html") == []
    assert (tmp_path / "pictures" / "a-375-light.png").stat().st_size > 0


def test_a_bad_page(tmp_path, monkeypatch):
    told = "\n".join(found(tmp_path, monkeypatch, BAD, "other.html"))
    for part in ("axe-core image-alt", "pixels wider than the window", "loud", "does not find"):
        assert part in told


def test_every_page_that_is_looked_at_is_one_of_the_site(pages_of_the_site):
    for name in site_in_browser.PAGES:
        assert name.removesuffix(".html") in pages_of_the_site, name


@pytest.fixture
def pages_of_the_site():
    from site_pages.all_pages import all_pages

    docs = Path(__file__).parents[2] / "docs"
    written = {p.relative_to(docs).with_suffix("").as_posix() for p in docs.rglob("*.md")}
    examples = {f"examples/{p.stem}" for p in (docs.parent / "examples").glob("plot_*.py")}
    return written | examples | {path.rpartition(".")[0] for path, _ in all_pages()}
