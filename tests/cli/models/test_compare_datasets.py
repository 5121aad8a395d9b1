"""referee compare-datasets: published scores, against the same call in Python."""

import json

import pandas as pd
import pytest

import referee as library

SCORES = pd.DataFrame(
    {
        "data": list("abcdefg"),
        "svm": [0.9, 0.8, 0.7, 0.95, 0.8, 0.6, 0.7],
        "tree": [0.8, 0.7, 0.72, 0.9, 0.7, 0.5, 0.6],
        "knn": [0.7, 0.75, 0.6, 0.8, 0.75, 0.55, 0.65],
    }
)


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ([], {}),
        (["--measure", "error"], {"measure": "error"}),
        (["--control", "tree"], {"control": "tree"}),
        (["--on", "data", "--level", "0.9"], {"level": 0.9}),
        (
            ["--measure", "points", "--smaller-is-better"],
            {"measure": "points", "greater_is_better": False},
        ),
    ],
)
def test_against_python(options, keywords, folder, referee):
    SCORES.to_csv(folder / "scores.csv", index=False)
    outcome = referee("compare-datasets", "scores.csv", *options, "--json")
    expected = library.compare_datasets(scores=SCORES.set_index("data"), **keywords)
    (got,) = json.loads(outcome.out)
    assert got == json.loads(expected.to_json())
    assert outcome.code == (0 if expected.verdict.shown else 1)


def test_columns_can_be_left_out(folder, referee):
    SCORES.assign(year=2020).to_csv(folder / "scores.csv", index=False)
    outcome = referee("compare-datasets", "scores.csv", "--drop", "year", "--drop", "knn", "--json")
    assert json.loads(outcome.out)[0]["names"] == ["svm", "tree"]


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("data,svm,tree\na,.9,.8\nb,,.7\n", (), "svm"),
        ("data,svm,tree\na,.9,.8\nb,.8,high\n", ("--on", "data"), "high"),
        ("data,svm\na,.9\nb,.8\n", (), "at least two models"),
        ("data,svm,tree\na,.9,.8\nb,.8,.7\n", ("--measure", "glory"), "better"),
        ("data,svm,tree\na,.9,.8\nb,.8,.7\n", ("--control", "z"), "control"),
    ],
)
def test_bad_input_exits_2_with_one_line(text, options, says, folder, referee):
    (folder / "scores.csv").write_text(text)
    outcome = referee("compare-datasets", "scores.csv", *options)
    assert outcome.code == 2
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert outcome.out == ""


def test_the_page_tells_seed_fingerprint_and_command(folder, referee):
    SCORES.to_csv(folder / "scores.csv", index=False)
    referee("compare-datasets", "scores.csv", "--out", "made")
    page = (folder / "made" / "report.html").read_text(encoding="utf-8")
    made = library.compare_datasets(scores=SCORES.set_index("data"))
    assert f"<dt>data fingerprint</dt><dd>{made.provenance.data}</dd>" in page
    assert "<dt>seed</dt><dd>0</dd>" in page
    assert "<dt>command</dt><dd>referee compare-datasets scores.csv --out made</dd>" in page
    changed = SCORES.assign(knn=SCORES.knn + 1e-9).set_index("data")
    assert library.compare_datasets(scores=changed).provenance.data != made.provenance.data


def test_the_best_is_not_told_to_be_near_itself():
    near = {
        "a": [0.9, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9, 0.8],
        "b": [0.8, 0.9, 0.8, 0.7, 0.8, 0.7, 0.8, 0.7],
        "c": [0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2],
    }
    sentence = library.compare_datasets(scores=near).verdict.sentence
    assert "but b is not told apart from a, the best by rank" in sentence
