"""The page of a certificate: one sheet of paper, readable, nothing fetched."""

import re
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from referee.vault.bundle.container import unpack
from referee.vault.certificate.page import MOST_ROWS, certificate_page

sys.path.insert(0, str(Path(__file__).parent))

from certificates import whole

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def predicate(tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    certificate = whole(place)
    inside = unpack((place / "certificate.zip").read_bytes(), "c.zip").files["certificate.html"]
    assert certificate_page(certificate.predicate) == inside
    return certificate.predicate


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM.exists(), "the browser tests need /usr/bin/chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=str(CHROMIUM), headless=True, args=["--no-sandbox"]
        )
        yield launched
        launched.close()


def full(predicate):
    """Return a certificate with as much on it as there can be."""
    (row,) = predicate["results"]
    rows = [
        {
            **row,
            "stratum": f"site = University Hospital {i}",
            "note": "stopped after 20 of 40 cases",
        }
        for i in range(40)
    ]
    rows[30]["outcome"] = "FAIL"
    for row_of_the_other_part in rows[1::2]:
        row_of_the_other_part["part"] = "fpr <= 0.05"
    return {
        **predicate,
        "title": "Release test of the screening model 3.2, with quite a long title",
        "sentence": predicate["sentence"] * 3,
        "results": rows,
        "overall": [row],
        "excluded": 12,
        "exclusion_reason": "images were blurred before anybody had seen an answer",
    }


@pytest.mark.parametrize("make", [dict, full])
def test_it_prints_on_one_sheet(browser, predicate, make):
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(certificate_page(make(predicate)).decode())
    pdf = page.pdf(format="A4", print_background=True, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    assert not asked
    page.close()


def test_a_failure_is_never_among_the_rows_left_out(predicate):
    text = certificate_page(full(predicate)).decode()
    assert "University Hospital 30" in text
    assert f"{40 - MOST_ROWS} more results" in text


@pytest.mark.parametrize("width", [400, 1200])
def test_accessibility_and_no_sideways_scroll(browser, predicate, width):
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_content(certificate_page(full(predicate)).decode())
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_texts_are_escaped(predicate):
    text = certificate_page({**predicate, "title": "<script>alert(1)</script>"}).decode()
    assert "<script>" not in text
