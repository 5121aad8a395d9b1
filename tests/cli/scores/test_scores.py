"""referee evaluate-scores, compare-scores and board, against the same calls in Python."""

import json

import numpy as np
import pandas as pd
import pytest

import referee as library

RNG = np.random.default_rng(0)
N = 40
LEVEL = np.clip(RNG.normal(0.6, 0.3, N), 0, 1)
LONG = pd.DataFrame(
    [
        {
            "question": f"q{i}",
            "llm": m,
            "epoch": r,
            "mark": "C" if RNG.random() < LEVEL[i] - lag else "I",
            "topic": f"t{i // 4}",
        }
        for m, lag in (("alpha", 0.0), ("beta", 0.2))
        for i in range(N)
        for r in (1, 2, 3)
    ]
)
ROLES = {"item": "question", "model": "llm", "run": "epoch", "score": "mark", "cluster": "topic"}
OPTIONS = [
    *(part for role, column in ROLES.items() for part in (f"--{role}", column)),
    *("--value", "C=1", "--value", "I=0"),
]
WORTH = {"C": 1, "I": 0}


@pytest.fixture
def tables(folder):
    LONG.to_csv(folder / "long.csv", index=False)
    wide = pd.DataFrame({f"m{j}": RNG.random(30).round(3) for j in range(4)})
    wide.insert(0, "item", [f"i{i}" for i in range(30)])
    wide.to_csv(folder / "wide.csv", index=False)
    for name in ("a", "b"):
        frame = pd.DataFrame({"item": range(20), "score": RNG.integers(0, 2, 20)})
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder


def records(outcome):
    return json.loads(outcome.out)


def test_evaluate_scores_against_python(tables, referee):
    outcome = referee("evaluate-scores", "long.csv", *OPTIONS, "--json")
    assert outcome.code == 0
    got = records(outcome)
    for record, name in zip(got, ("alpha", "beta"), strict=True):
        expected = library.evaluate_scores(LONG, of=name, values=WORTH, **ROLES)
        assert record == json.loads(expected.to_json())


@pytest.mark.parametrize(("claim", "code"), [("0.1", 0), ("0.9", 1)])
def test_a_claim_decides_the_exit_code(tables, referee, claim, code):
    outcome = referee(
        "evaluate-scores", "long.csv", *OPTIONS, "--only", "alpha", "--at-least", claim, "--k", "2"
    )
    assert outcome.code == code
    assert "pass@2" in outcome.out


def test_compare_scores_against_python(tables, referee):
    outcome = referee("compare-scores", "long.csv", *OPTIONS, "--rope", "0.05", "--json")
    expected = library.compare_scores(LONG, values=WORTH, rope=0.05, **ROLES)
    assert records(outcome) == [json.loads(expected.to_json())]
    assert outcome.code == (0 if expected.verdict.shown else 1)


def test_two_files_are_two_models(tables, referee):
    outcome = referee("compare-scores", "a.csv", "b.csv", "--json")
    (got,) = records(outcome)
    assert got["names"] == ["a", "b"]
    turned = referee("compare-scores", "a.csv", "b.csv", "--only", "b", "--only", "a", "--json")
    (back,) = records(turned)
    assert back["difference"]["value"] == -got["difference"]["value"]


def test_board_against_python_and_its_page(tables, referee):
    outcome = referee("board", "wide.csv", "--out", "made", "--json")
    expected = library.board(pd.read_csv("wide.csv"))
    assert records(outcome) == [json.loads(expected.to_json())]
    page = (tables / "made" / "report.html").read_text(encoding="utf-8")
    assert "rank interval" in page
    assert "referee board wide.csv --out made --json" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_smaller_is_better_and_limits(tables, referee):
    outcome = referee("board", "wide.csv", "--smaller-is-better", "--limits", "0", "2", "--json")
    (got,) = records(outcome)
    assert got["limits"] == [0, 2]
    means = [p["estimate"]["value"] for p in got["places"]]
    assert means == sorted(means)


WRONG = {
    "unknown word": (("evaluate-scores", "long.csv", "--score", "mark", "--run", "epoch",
                      "--item", "question", "--model", "llm"),
                     ["long.csv, line 2", "'C'", "--value"]),
    "no runs": (("evaluate-scores", "long.csv", *OPTIONS[:4], *OPTIONS[6:]),
                ["'q0'", "again in long.csv, line 3", "--run"]),
    "unknown column": (("board", "wide.csv", "--cluster", "klass"), ["--cluster klass is no"]),
    "contradiction": (("board", "wide.csv", "--limits", "0", "1", "--no-limits"), ["contradict"]),
    "outside the limits": (("board", "wide.csv", "--limits", "0", "0.1"), ["outside the limits"]),
    "bad value": (("board", "wide.csv", "--value", "C"), ["WORD=NUMBER"]),
    "one model": (("compare-scores", "a.csv"), ["one model only", "referee evaluate-scores"]),
    "four models": (("compare-scores", "wide.csv"), ["4 models", "--only"]),
    "two claims": (("evaluate-scores", "a.csv", "--at-least", "0.1", "--at-most", "0.2"),
                   ["--at-least and --at-most are two claims"]),
    "too many tries": (("evaluate-scores", "long.csv", *OPTIONS, "--k", "9"), ["needs 9 runs"]),
    "no file": (("board", "none.csv"), ["none.csv"]),
    "unknown test": (("board", "wide.csv", "--significance", "t-test"), ["'t-test' is unknown"]),
    "unknown interval": (("evaluate-scores", "a.csv", "--interval", "t"), ["'t' is unknown"]),
    "level": (("board", "wide.csv", "--level", "95"), ["--level must lie"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_bad_input_exits_2_with_one_line_and_writes_nothing(case, tables, referee):
    command, says = WRONG[case]
    outcome = referee(*command, "--out", "made")
    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == 1
    for part in says:
        assert part in outcome.err
    assert outcome.out == ""
    assert not (tables / "made").exists()


@pytest.mark.parametrize("cell", ["", "nan"])
def test_missing_scores_name_line_and_remedy(folder, referee, cell):
    (folder / "s.csv").write_text(f"item,score\nx,1\ny,{cell}\n", encoding="utf-8")
    outcome = referee("evaluate-scores", "s.csv")
    assert outcome.code == 2
    assert "'y'" in outcome.err
    assert "s.csv, line 3" in outcome.err
    assert "leave the item out" in outcome.err
