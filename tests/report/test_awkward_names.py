"""Names that try to break a report, in every format and every type of result.

Oracles: the formats' own parsers (html.parser, json, xml) and the rules of terminals, Markdown and
LaTeX, checked character by character.
"""

import json
import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.cells import cell_len

from referee.report import CATALOGUE, describe
from referee.report.html import to_fragment_text, to_html_text
from referee.report.legible import one_line
from referee.report.text.text import to_plain_text

sys.path.insert(0, str(Path(__file__).parent))
from results import KINDS, NAMES

ACTING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"


@cache
def made(kind, names):
    return KINDS[kind](*NAMES[names])


@cache
def document(kind, names):
    return describe(made(kind, names))


# Plans and audits hold no names.
PAIRS = [(k, n) for k in KINDS for n in NAMES if n == "markup" or k not in ("plan", "audit")]


@pytest.fixture(params=PAIRS, ids=" ".join)
def pair(request):
    return request.param


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.attributes = set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += attrs


def test_html_holds_no_tag_and_no_handler_from_a_name(pair):
    for renderer in (to_html_text, to_fragment_text):
        page = renderer(document(*pair))
        reader = Tags()
        reader.feed(page)
        assert not {"script", "img", "iframe", "object", "link"} & reader.seen
        assert not any(name.startswith("on") for name, _ in reader.attributes)
        assert page.count("</style>") == 1
        assert not re.search(f"[{ACTING}]", page)
        if pair == ("comparison", "markup"):
            assert "{{ 7 * 7 }}" in page
        page.encode("utf-8")


@pytest.mark.parametrize("width", [40, 100, 200])
def test_text_keeps_its_width_and_sends_no_codes(pair, width):
    text = to_plain_text(document(*pair), width)
    assert not re.search(f"[{ACTING}]", text)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    text.encode("utf-8")


def test_markdown_tables_keep_their_columns(pair):
    text = CATALOGUE["markdown"](document(*pair))
    tables = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    assert not re.search(r"(?<!\\)<\w", re.sub(r"`[^`]*`", "", text))


def test_latex_balances_and_tables_are_whole(pair):
    text = CATALOGUE["latex"](document(*pair))
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    for environment in ("table", "tabular"):
        begun = text.count(rf"\begin{{{environment}}}")
        assert begun == text.count(rf"\end{{{environment}}}")
    assert r"\end{document}" not in text
    for table in re.findall(r"\\toprule(.*?)\\bottomrule", text, flags=re.DOTALL):
        rows = [line for line in table.splitlines() if line.endswith(r" \\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


def test_json_gives_names_back_unchanged(pair):
    data = json.loads(CATALOGUE["json"](document(*pair)))
    result = made(*pair)
    if "names" in data:
        assert data["names"] == list(result.names)
    if data["kind"] == "evaluation":
        assert data["classes"] == list(result.predictions.classes)


def test_every_result_ends_in_one_plain_sentence(pair):
    told = document(*pair)
    assert told.verdict.sentence.strip()
    assert told.sections[-1].title == "Provenance"


def test_half_characters_are_written_as_their_numbers():
    assert one_line("a\ud800b\udfffc") == "a\\ud800b\\udfffc"
