"""The HTML page, read back with the standard library's parser."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import referee
from referee.report import describe, to_html
from referee.report.document import Facts, Section
from referee.report.html import to_html_text

VOID = {"meta", "br", "link", "img", "hr", "input", "circle", "path", "rect"}


class Reader(HTMLParser):
    """Collects tags, text and attributes; complains where tags do not nest."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open, f"</{tag}> closes nothing"
            assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.text.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def words(reader):
    return " ".join(" ".join(reader.text).split())


def test_page_nests_needs_no_network_and_runs_nothing(result):
    page = to_html(result)
    reader = read(page)
    assert reader.open == []
    assert page.startswith("<!doctype html>")
    assert not {"script", "iframe", "object", "link", "img", "base", "form"} & set(reader.tags)
    for _, name, value in reader.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "style")
        assert name != "href" or value.startswith("#")
        assert "http:" not in value
        assert "https:" not in value
    assert "http://" not in page
    assert "https://" not in page
    assert "url(" not in page
    assert "@import" not in page


def test_page_says_the_sentence_the_numbers_and_the_findings(result):
    text = words(read(to_html(result)))
    assert " ".join(result.verdict.sentence.split()) in text
    assert result.verdict.outcome.value.upper() in text
    for finding in result.findings:
        assert finding.code in text
        assert " ".join(finding.message.split()) in text
    assert result.provenance.data in text


def test_names_with_markup_are_escaped(make):
    page = to_html(make("script"))
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_names_with_template_syntax_and_quotes_stay_text(make):
    page = to_html(make("quotes"))
    assert "49" not in words(read(page)).split()
    assert not any(name == "onload" for _, name, _ in read(page).attributes)


def test_title_and_language_are_there(make):
    reader = read(to_html(make("plain")))
    assert ("html", "lang", "en") in reader.attributes
    assert ("meta", "charset", "utf-8") in reader.attributes
    assert "title" in reader.tags


def test_every_numeric_cell_of_the_table_is_an_estimate(make):
    e = make("cv")
    reader = read(to_html(e))
    tables = [b for s in describe(e).sections for b in s.blocks if hasattr(b, "rows")]
    assert len(e.estimates) in {len(table.rows) for table in tables}
    assert reader.tags.count("tr") == sum(1 + len(table.rows) for table in tables)


@pytest.mark.parametrize("name", ["long", "emoji", "right to left"])
def test_names_survive_in_the_page(make, name):
    e = make(name)
    assert e.name in words(read(to_html(e)))


def test_to_html_writes_the_same_page(make, tmp_path):
    e = make("emoji")
    e.to_html(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == to_html(e)


def test_a_page_of_a_hundred_thousand_predictions_stays_small():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 100_000)
    scores = rng.normal(size=100_000) + truth
    made = referee.evaluate_predictions(truth, (scores > 0.5).astype(int), y_score=scores)
    assert len(to_html(made).encode()) < 2_000_000


def test_the_page_tells_its_parts_in_order(make):
    text = words(read(to_html(make("holdout"))))
    parts = [
        "How it was measured", "trains", "Measures", "Confusion matrix", "Ranking by score",
        "What this number of cases can detect", "For the methods section of a paper",
        "How far the methods can be trusted", "Provenance", "data fingerprint", "plan fingerprint",
        "seed", "versions",
    ]  # fmt: skip
    start = 0
    for part in parts:  # the paragraph for a paper names the seed and versions, too
        start = text.index(part, start)


def test_tables_have_scopes_and_pictures_have_names_and_descriptions(make):
    page = to_html(make("holdout"))
    reader = read(page)
    assert reader.tags.count("h1") == 1
    assert page.count("<svg ") == page.count('role="img"') == page.count("<desc>")
    assert 'scope="col"' in page
    assert 'scope="row"' in page


def test_a_result_shown_twice_has_no_place_twice(make):
    result = make("plain")
    shown = result._repr_html_() + result._repr_html_()
    places = re.findall(r'\bid="([^"]+)"', shown)
    assert len(places) > 4
    assert len(set(places)) == len(places)
    targets = re.findall(r'(?:href="#|aria-labelledby=")([^"]+)"', shown)
    assert set(targets) <= set(places)
    assert to_html(result) == to_html(result)


def test_no_line_ends_within_a_number():
    truth = [0, 1] * 6000
    document = describe(referee.evaluate_predictions(truth, truth))
    typed = Section("Typed", (Facts((("command", "referee sample-size --n 12 000"),)),))
    page = to_html_text(replace(document, sections=(*document.sections, typed)))
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)  # no line of a picture wraps
    assert "12\u00a0000 cases" in page
    # A command can be typed again as it stands.
    assert re.findall(".{4}12 000", page) == ["--n 12 000"]
