"""Comparisons in every format: complete, escaped, within their width, drawn where they belong."""

import json
import math
import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.cells import cell_len
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.report import CATALOGUE, describe, to_html, write_result
from referee.report.document import Ranks
from referee.report.figures import draw_ranks
from referee.report.figures.ranks import ranks_svg
from referee.report.legible import one_line
from referee.report.text.text import to_plain_text
from referee.report.typesetting import typeset
from referee.resampling import CalibratedCrossValidation

mpl.use("Agg")

SCRIPT = "<script>alert(1)</script>"
HOSTILE = {
    "plain": ["alpha", "beta", "gamma", "delta", "epsilon"],
    "script": [SCRIPT, "b&b", '" onload="x', "{{ 7 * 7 }}", "</svg><marquee>"],
    "long": [c * 80 for c in "mnopq"],
    "emoji": ["🐱", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "🤖🤖"],
    "wide": ["模型" * 12, "분류기" * 9, "ﾓﾃﾞﾙ", "テスト" * 8, "国"],
    "right to left": ["نموذج", "חולה", "سليم", "مدل", "א"],
    "latex": ["50% & $5", "#1_{x}^2 ~", "\\end{tabular}", "a|b", "*b*_c_`d`"],
    "maths": ["$\\alpha$", "$x_{$ $", "a$b$c", "$", "$$"],
    "breaks": ["two\nlines", "tab\there", " edge ", "[bold]x[/bold]", "–"],
}


def named(names, **options):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 90)
    preds = {
        name: np.where(rng.random(90) < 0.08 + 0.09 * i, 1 - truth, truth)
        for i, name in enumerate(names)
    }
    return referee.compare_predictions(truth, preds, **options)


def over_sets(names, n=12, **options):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        rng.uniform(0.6, 0.7, size=(n, len(names))) - 0.02 * np.arange(len(names)),
        columns=names,
        index=[f"set {i}" for i in range(n)],
    )
    return referee.compare_datasets(scores=frame, **options)


def learners(**options):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 30))
    X = rng.normal(size=(60, 2)) + y[:, None]
    models = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)}
    return referee.compare(models, X, y, random_state=0, **options)


def tied():
    truth = np.arange(60) % 2
    return referee.compare_predictions(truth, {"a": truth, "b": truth.copy()})


MAKERS = {
    f"{kind} {how}": make
    for kind, names in HOSTILE.items()
    for how, make in {
        "two": lambda names=names: named(names[:2], rope=0.02),
        "five": lambda names=names: named(names),
        "sets": lambda names=names: over_sets(names),
    }.items()
} | {
    "cv": lambda: learners(by="2x5", rope=0.05),
    "halved": lambda: learners(by=CalibratedCrossValidation(5, 2, halvings=3)),
    "without interval": lambda: learners(by="5x2", significance="5x2cv-t"),
    "flagged": lambda: learners(by=5, significance="kfold-t"),
    "area": lambda: learners(by=5, measure="auc"),
    "non-inferior": lambda: named(["a", "b", "c"], claim="non-inferior", rope=0.05),
    "never differ": tied,
    "groups": lambda: named(["a", "b"], groups=np.arange(90) // 3),
    "twelve": lambda: named([f"model {i}" for i in range(12)]),
    "two sets": lambda: over_sets(["a", "b"]),
    "few sets": lambda: over_sets(["a", "b"], 3),
    "many sets": lambda: over_sets(["a", "b", "c"], 60),
    "control": lambda: over_sets(["a", "b", "c"], control="c"),
    "many on sets": lambda: over_sets([f"m{i}" for i in range(30)], 20),
    "same on sets": lambda: referee.compare_datasets(scores={m: [0.5] * 6 for m in "abc"}),
    "unanimous": lambda: referee.compare_datasets(
        scores={"a": [0.9] * 8, "b": [0.8] * 8, "c": [0.7] * 8}
    ),
}
_made = {}


def make(name):
    if name not in _made:
        _made[name] = MAKERS[name]()
    return _made[name]


@pytest.fixture(params=MAKERS)
def result(request):
    return make(request.param)


@lru_cache
def rendered(result, kind):
    return CATALOGUE[kind](describe(result))


# Text.


def test_no_line_is_wider_than_asked_for(result):
    for text, width in (
        (rendered(result, "text"), 100),
        (to_plain_text(describe(result), 60), 60),
        (to_plain_text(describe(result), 40), 40),
    ):
        for line in text.splitlines():
            assert cell_len(line) <= width, line


def test_text_has_the_sentence_and_no_escape_codes(result):
    text = rendered(result, "text")
    assert "".join(typeset(result.verdict.sentence).split()) in "".join(text.split())
    word = one_line(result.verdict.badge) or result.verdict.outcome.value.upper()
    assert "".join(word.split()) in "".join(text.split())
    assert "\x1b" not in text
    assert not re.search(r"\bnan\b", text)


def test_str_repr_and_to_text_agree():
    for name in ("plain two", "plain five", "plain sets"):
        made = make(name)
        assert str(made) == made.to_text()
        assert made.verdict.sentence in repr(made)


def test_markup_of_a_terminal_is_not_interpreted():
    assert "[bold]x[/bold]" in make("breaks five").to_text()


def test_bars_and_ranks_keep_their_columns_with_wide_names():
    # Names of characters two columns wide must not push the scale out of line.
    for kind in ("wide five", "wide sets", "emoji five"):
        dots = [line.rstrip() for line in make(kind).to_text().splitlines() if "●" in line]
        assert len(dots) in (5, 6)  # guessing stands below the models where errors are compared
        assert len({cell_len(line) for line in dots}) == 1, dots


# HTML.

VOID = {"meta", "br", "link", "img", "hr", "input"}
SHAPES = {"circle", "path", "line", "rect"}


class Reader(HTMLParser):
    """Collects tags, text and attributes; complains where tags do not nest."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID and tag not in SHAPES:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        if tag not in SHAPES:
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


def test_page_nests_needs_no_network_and_runs_nothing(result):
    page = rendered(result, "html")
    reader = read(page)
    assert reader.open == []
    assert not {"script", "iframe", "object", "link", "img", "base", "form", "marquee"} & set(
        reader.tags
    )
    for _, name, value in reader.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "style")
        assert name != "href" or value.startswith("#")
        assert "http" not in value
    assert "url(" not in page


def test_page_says_the_sentence(result):
    text = "".join("".join(read(rendered(result, "html")).text).split())
    assert "".join(typeset(result.verdict.sentence).split()) in text


@pytest.mark.parametrize("how", ["two", "five", "sets"])
def test_names_with_markup_are_escaped(how):
    page = make(f"script {how}")._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "49" not in " ".join(read(page).text).split()


# Markdown and LaTeX.


def test_every_row_of_a_markdown_table_has_as_many_columns_as_its_head(result):
    tables = re.findall(r"(?:^\|.*\n)+", rendered(result, "markdown"), flags=re.MULTILINE)
    assert tables
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
        assert len(table.splitlines()) > 2


def test_markdown_says_the_sentence_once_at_the_top(result):
    text = rendered(result, "markdown")
    if not result.verdict.badge:
        assert f"**{result.verdict.outcome.value.upper()}.**" in text
    assert ".** " in text
    assert "<script" not in text.replace("\\<", "")


def test_latex_balances_and_every_row_is_complete(result):
    text = rendered(result, "latex")
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") >= 1
    for table in text.split(r"\begin{tabular}")[1:]:
        columns = len(re.match(r"\{(\w+)\}", table.replace(r"p{0.3\linewidth}", "p"))[1])
        body = re.split(r"\\(?:toprule|bottomrule)", table)[1]
        rows = [row for row in re.split(r"\\\\\n", body.replace("\\midrule", "")) if row.strip()]
        assert len(rows) > 1
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == columns - 1


def test_latex_leaves_no_special_character_bare():
    body = "\n".join(make("latex five").to_latex().splitlines()[2:])
    body = re.sub(r"(?<!\\)&(?= )", "", body).replace("$-$", "−")
    for special in "%$#_&":
        assert not re.search(rf"(?<!\\){re.escape(special)}", body), special
    assert r"50\% \& \$5" in body


# JSON.


def strict(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def numbers(value):
    if isinstance(value, dict):
        return [n for v in value.values() for n in numbers(v)]
    if isinstance(value, list):
        return [n for v in value for n in numbers(v)]
    return [value] if isinstance(value, float) else []


def test_json_loads_strictly_and_agrees_with_the_result(result):
    data = strict(rendered(result, "json"))
    assert data["verdict"] == {
        "outcome": result.verdict.outcome.value,
        "sentence": result.verdict.sentence,
        "claim": result.verdict.claim,
        "badge": result.verdict.badge,
        "shown": result.verdict.shown,
    }
    assert data["names"] == list(result.names)
    assert all(math.isfinite(n) for n in numbers(data))
    if data["kind"] == "comparison":
        assert [d["evidence"]["p_value"] for d in data["pairs"]] == [
            d.evidence.p_value for d in result.pairs
        ]
        assert [d["p_adjusted"] for d in data["pairs"]] == [d.p_adjusted for d in result.pairs]
        assert [s["name"] for s in data["standings"]] == [s.name for s in result.standings]
    else:
        assert data["kind"] == "datasets-comparison"
        assert data["scores"][result.names[0]] == result.scores[result.names[0]].tolist()
        assert data["critical"]["ranks"] == list(result.critical.ranks)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_methods_of_the_result_give_what_the_catalogue_gives(kind, tmp_path):
    made = make("plain five")
    made.to_html(tmp_path / "page.html")
    given = {
        "text": made.to_text(),
        "html": (tmp_path / "page.html").read_text(encoding="utf-8"),
        "json": made.to_json(),
        "markdown": made.to_markdown(),
        "latex": made.to_latex(),
    }
    assert given[kind] == rendered(made, kind)


def test_every_model_stands_in_every_format():
    for kind in ("plain five", "plain sets", "right to left five"):
        made = make(kind)
        for name in made.names:
            assert name in made.to_text()
            assert name in made._repr_html_()
            assert name in made.to_markdown()
            assert name in made.to_latex()


# What the report says.


def test_two_models_show_who_was_right_where():
    made = make("plain two")
    counts = made.pairs[0].counts
    text = made.to_text()
    assert "Cases by who was right" in text
    for count in (counts.both_right, counts.first_right, counts.second_right, counts.both_wrong):
        assert f"{count:g}" in text


def test_methods_paragraph_and_its_references_are_in_the_report():
    text = " ".join(make("plain five").to_text().split())
    assert " ".join(make("plain five").methods.split()) in text
    assert "Psychometrika" in text  # McNemar 1947
    assert "Holm, S. (1979)" in text


def test_flagged_tests_carry_their_flag():
    made = make("flagged")
    assert " ".join(made.evidence.flag.split()) in " ".join(made.to_text().split())


def test_the_number_of_cases_in_the_title_is_that_of_the_data():
    assert "60 cases" in make("flagged").to_text().splitlines()[0]
    assert "90 cases" in make("plain two").to_text().splitlines()[0]


# Pictures.


@pytest.mark.filterwarnings("ignore:Glyph")  # no font has every character
def test_plot_returns_axes(result):
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert result.plot(ax=ax) is ax
    ax.figure.canvas.draw()
    plt.close("all")


def ranks_of(made):
    (block,) = (b for b in describe(made).pictures if isinstance(b, Ranks))
    return block


def block(ranks, cliques=(), difference=1.0):
    names = tuple(f"m{i}" for i in range(len(ranks)))
    return Ranks(names, tuple(ranks), difference, cliques, "average ranks")


@pytest.mark.parametrize("ranks", [(1.0, 2.0), (1.25, 2.5, 2.25), (3.5, 1.0, 2.0, 3.5)])
def test_every_model_is_tied_to_its_rank_on_the_axis(ranks):
    import matplotlib.pyplot as plt

    ax = draw_ranks(block(ranks))
    verticals = [
        line.get_xdata()[0]
        for line in ax.get_lines()
        if line.get_xdata()[0] == line.get_xdata()[1] and min(line.get_ydata()) == 0
    ]
    assert sorted(verticals) == pytest.approx(sorted(ranks))
    words = [t.get_text().strip() for t in ax.texts]
    for i, rank in enumerate(ranks):
        assert any(f"m{i}" in w and f"{rank:.2f}" in w for w in words)
    plt.close("all")


def test_ranks_in_the_page_lie_where_they_belong():
    made = ranks_svg(block((1.0, 1.5, 3.0), (("m0", "m1"),)))
    tree = ET.fromstring(made)
    paths = [
        (p.get("class"), [float(n) for n in re.findall(r"-?\d+\.\d+", p.get("d"))])
        for p in tree.iter("path")
    ]
    rules = [ends for kind, ends in paths if kind == "rule"]
    left, right = rules[0][0], rules[0][2]
    downward = sorted(e[0] for e in rules if e[0] == e[2] and e[3] > e[1])
    expected = [left, left + 0.25 * (right - left), right]
    assert downward == pytest.approx(expected, abs=0.1)
    ties = [ends for kind, ends in paths if kind == "tie"]
    assert len(ties) == 2  # the critical difference, and one group
    assert ties[0][2] - ties[0][0] == pytest.approx((right - left) / 2, abs=0.2)
    assert ties[1][0] <= left
    assert ties[1][2] >= expected[1]
    assert ties[1][2] < right


def test_groups_of_the_diagram_are_the_cliques():
    made = make("plain sets")
    drawn = ranks_of(made)
    assert drawn.cliques == made.critical.cliques
    assert drawn.difference == made.critical.difference
    tree = ET.fromstring(ranks_svg(drawn))
    assert len([p for p in tree.iter("path") if p.get("class") == "tie"]) == 1 + len(drawn.cliques)


@pytest.mark.parametrize("kind", [k for k in HOSTILE if k != "breaks"])
def test_diagram_of_hostile_names_is_well_formed_and_keeps_the_ranks(kind):
    drawn = ranks_of(make(f"{kind} sets"))
    texts = ["".join(t.itertext()) for t in ET.fromstring(ranks_svg(drawn)).iter("text")]
    for rank in drawn.ranks:
        assert any(f"{rank:.2f}" in t for t in texts), texts


def test_text_diagram_puts_the_best_first_and_at_its_place():
    made = make("unanimous")
    lines = [line for line in made.to_text().splitlines() if "●" in line]
    places = [line.index("●") for line in lines]
    assert [line.split()[0] for line in lines] == ["a", "b", "c"]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=1)


def test_the_diagram_agrees_with_the_verdict_when_no_difference_was_shown():
    # Iman-Davenport's test did not reject, so neither picture nor letters may tell models apart,
    # although one pair of average ranks lies beyond Nemenyi's difference.
    rng = np.random.default_rng(160)
    made = referee.compare_datasets(scores=pd.DataFrame(rng.random((6, 5)), columns=list("abcde")))
    assert made.iman_davenport.p_value > 0.05
    assert "No difference was shown" in made.verdict.sentence
    assert [set(c) for c in ranks_of(made).cliques] == [set("abcde")]
    assert not made.frame().differ.any()


# Files.


@pytest.mark.parametrize("name", ["plain two", "script five", "cv", "right to left two"])
def test_files_hold_page_record_and_every_models_predictions(name, tmp_path):
    made = make(name)
    write_result(made, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page == to_html(made)
    assert strict((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    back = pd.DataFrame(
        pl.read_parquet(tmp_path / "out" / "predictions.parquet").to_dict(as_series=False)
    )
    assert back.columns[0] == "model"
    for model in made.names:
        own = back[back.model == model].drop(columns="model").reset_index(drop=True)
        frame = made.predictions[model].frame()
        assert own.columns.tolist() == list(frame.columns)
        for column in frame.columns:
            assert own[column].tolist() == frame[column].tolist()


def test_files_of_data_sets_have_no_predictions(tmp_path):
    write_result(make("plain sets"), tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "figures",
        "report.html",
        "results.json",
        "table.tex",
    ]
