"""referee evaluate-predictions: every option once, against the same call in Python."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import referee as library
from referee.cli import main

BASE = ("evaluate-predictions", "answers.csv", "--truth", "truth", "--pred", "guess", "--json")


@pytest.fixture
def table(folder):
    rng = np.random.default_rng(0)
    truth = rng.choice(["ill", "well"], 120)
    wrong = rng.random(120) < 0.15
    made = pd.DataFrame(
        {
            "truth": truth,
            "guess": np.where(wrong, np.where(truth == "ill", "well", "ill"), truth),
            "score": (truth == "ill") + rng.normal(size=120),
            "patient": np.arange(120) // 3,
            "weight": rng.uniform(0.5, 2, 120),
        }
    )
    made.to_csv(folder / "answers.csv", index=False)
    return made


OPTIONS = {
    "nothing": ([], {}),
    "pos label": (["--pos-label", "ill"], {"pos_label": "ill"}),
    "measure": (["--measure", "kappa"], {"measures": ["kappa"]}),
    "interval": (["--interval", "wilson"], {"interval": "wilson"}),
    "max error": (["--max-error", "0.01"], {"max_error": 0.01}),
    "claim": (["--claim", "mcc >= .6"], {"claim": "mcc >= 0.6"}),
    "level": (["--level", "0.8"], {"level": 0.8}),
    "seed": (["--seed", "3"], {"random_state": 3}),
    "header": (["--header"], {}),
    "priors": (
        ["--prior", "ill=0.1", "--prior", "well=0.9"],
        {"priors": {"ill": 0.1, "well": 0.9}},
    ),
}
COLUMNS = {
    "score": (["--score", "score", "--pos-label", "ill"], {"pos_label": "ill"}, "y_score", "score"),
    "groups": (["--groups", "patient"], {}, "groups", "patient"),
    "weight": (["--weight", "weight"], {}, "sample_weight", "weight"),
}


def same(outcome, expected):
    (got,) = json.loads(outcome.out)
    data = json.loads(expected.to_json())
    assert outcome.err == ""
    for key in ("estimates", "verdict", "guessing", "findings"):
        assert got[key] == data[key]
    assert outcome.code == (0 if expected.verdict.shown else 1)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_against_python(option, table, referee):
    written, keywords = OPTIONS[option]
    expected = library.evaluate_predictions(
        table.truth.to_numpy(), table.guess.to_numpy(), name="guess", **keywords
    )
    same(referee(*BASE, *written), expected)


@pytest.mark.parametrize("option", ["nothing", "measure", "claim", "seed"])
@pytest.mark.parametrize("kinds", [("ill", "well"), (3, -1)])
def test_labels_of_many_rows_are_counted(option, kinds, table, folder, referee, monkeypatch):
    monkeypatch.setattr("referee.cli.predictions.evaluate_predictions.MANY", 100)
    names = dict(zip(("ill", "well"), kinds, strict=True))
    answers = table[["truth", "guess"]].map(names.__getitem__)
    answers.to_csv(folder / "answers.csv", index=False)
    written, keywords = OPTIONS[option]
    expected = library.evaluate_predictions(
        answers.truth.to_numpy(), answers.guess.to_numpy(), name="guess", **keywords
    )
    outcome = referee(*BASE, *written)
    same(outcome, expected)
    (got,) = json.loads(outcome.out)
    assert got["classes"] == json.loads(expected.to_json())["classes"]
    answers = answers.astype(str)
    answers.iloc[7, 1] = "other"
    answers.to_csv(folder / "answers.csv", index=False)
    assert "line 9, column 'guess': other does not occur" in referee(*BASE).err


@pytest.mark.parametrize("option", COLUMNS)
def test_every_column_option_against_python(option, table, referee):
    written, keywords, argument, column = COLUMNS[option]
    expected = library.evaluate_predictions(
        table.truth.to_numpy(),
        table.guess.to_numpy(),
        name="guess",
        **keywords,
        **{argument: table[column].to_numpy()},
    )
    same(referee(*BASE, *written), expected)


def test_name_out_and_force(table, folder, referee):
    outcome = referee(*BASE, "--name", "Dr House", "--out", "out")
    assert json.loads(outcome.out)[0]["name"] == "Dr House"
    assert "Dr House" in (folder / "out" / "report.html").read_text()
    assert referee(*BASE, "--out", "out").code == 2
    assert referee(*BASE, "--out", "out", "--force").code == 0


def test_integer_labels_keep_their_convention(folder, referee):
    pd.DataFrame({"truth": [0, 1] * 30, "guess": [0, 1] * 30}).to_csv("answers.csv", index=False)
    (got,) = json.loads(referee(*BASE).out)
    assert got["pos_label"] == 1
    assert "tpr" in got["estimates"]


def test_priors_of_integer_classes(folder, referee):
    pd.DataFrame({"truth": [0, 1] * 30, "guess": [0, 1] * 30}).to_csv("answers.csv", index=False)
    outcome = referee(*BASE, "--prior", "0=0.25", "--prior", "1=0.75")
    assert json.loads(outcome.out)[0]["guessing"]["value"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--prior", "ill"], "CLASS=SHARE, got 'ill'"),
        (["--prior", "ill=x"], "CLASS=SHARE, got 'ill=x'"),
        (["--prior", "ill=0.5"], "missing is 'well'"),
        (["--prior", "ill=0.5", "--prior", "well=0.9"], "sum to 1, got 1.4"),
        (["--measure", "auc", "--pos-label", "ill"], "--score"),
        (["--measure", "tpr"], "--pos-label"),
        (["--score", "truth"], "is not a number"),
        (["--groups", "patients"], "did you mean 'patient'"),
    ],
)
def test_wrong_requests_give_one_message_and_code_2(arguments, says, table, referee):
    outcome = referee(*BASE, *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_predictions_of_an_unknown_class(table, folder, referee):
    table.loc[7, "guess"] = "dead"
    table.to_csv("answers.csv", index=False)
    outcome = referee(*BASE)
    assert outcome.code == 2
    assert "answers.csv, line 9, column 'guess': dead does not occur in" in outcome.err
    assert "--label" in outcome.err
    assert referee(*BASE, "--label", "dead").code in (0, 1)


def test_the_own_table_of_predictions_counts_unseen_rows_only(folder, referee):
    from sklearn.datasets import load_iris

    load_iris(as_frame=True).frame.to_csv("flowers.csv", index=False)
    first = referee(
        "evaluate", "flowers.csv", "--target", "target", "--by", "2x5", "--out", "r", "--json"
    )
    second = referee(
        "evaluate-predictions",
        "r/predictions.parquet",
        "--truth",
        "truth",
        "--pred",
        "predicted",
        "--json",
    )
    assert second.code in (0, 1)
    assert json.loads(second.out)[0]["n"] == 150
    assert first.code in (0, 1)
    assert "150 of" in second.err


def test_sequential(referee, tmp_path):
    rows = "\n".join(f"{i % 2},{i % 2 if i % 10 else 1 - i % 2}" for i in range(300))
    (tmp_path / "p.csv").write_text(f"truth,pred\n{rows}\n")
    asked = (str(tmp_path / "p.csv"), "--truth", "truth", "--pred", "pred", "--sequential")
    outcome = referee("evaluate-predictions", *asked)
    assert outcome.code == 0
    assert "for all times" in " ".join(outcome.out.split())
    refused = referee("evaluate-predictions", *asked, "--interval", "wilson")
    assert refused.code == 2
    assert "leave out --sequential" in refused.err


def test_comparison_sequential(referee, tmp_path):
    rows = "\n".join(f"{i % 2},{i % 2},{i % 2 if i % 5 else 1 - i % 2}" for i in range(300))
    (tmp_path / "p.csv").write_text(f"truth,a,b\n{rows}\n")
    asked = ("compare-predictions", str(tmp_path / "p.csv"), "--truth", "truth", "--sequential")
    outcome = referee(*asked, "--pred", "a", "--pred", "b")
    assert outcome.code == 0
    assert "mcnemar-sequential" in outcome.out


def test_claims_decide_the_exit_code(referee, table):
    start = (*BASE[:-1], "--score", "score", "--pos-label", "ill")
    assert referee(*start, "--claim", "auc >= .6", "--claim", "fpr <= 35 %").code == 0
    lost = referee(*start, "--claim", "auc >= .6 and tpr >= 99 %")
    assert lost.code == 1
    assert "less than the 99.0 % claimed" in " ".join(lost.out.split())
    assert referee(*start, "--claim", "auc > .8").code == 2


@pytest.mark.parametrize("asked", [["--groups", "g"], ["--weight", "w"], ["--time", "t"]])
def test_other_columns_of_a_folder_are_those_of_one_file(asked, tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    columns = {"y": truth, "p": np.where(rng.random(600) < 0.2, 0, truth)}
    columns |= {"g": np.arange(600) // 4, "w": rng.random(600).round(2), "t": np.arange(600)}
    frame = pd.DataFrame(columns)
    (tmp_path / "parts").mkdir()
    frame[:300].to_csv(tmp_path / "parts" / "1.csv", index=False)
    frame[300:].to_csv(tmp_path / "parts" / "2.csv", index=False)
    frame.to_csv(tmp_path / "whole.csv", index=False)

    def said(place):
        command = ["evaluate-predictions", str(tmp_path / place), "--truth", "y", "--pred", "p"]
        monkeypatch.setattr("sys.argv", ["referee", *command, "--json", *asked])
        with pytest.raises(SystemExit):
            main()
        return json.loads(capsys.readouterr().out)[0]["estimates"]

    assert said("parts") == said("whole.csv")


@pytest.fixture
def parts(table, folder):
    """Write the table as two files of a folder, in order."""
    (folder / "parts").mkdir()
    for number, rows in enumerate((table[:70], table[70:])):
        rows.to_csv(folder / "parts" / f"{number}.csv", index=False)
    return "parts"


@pytest.mark.parametrize("place", ["parts", "parts/*.csv"])
@pytest.mark.parametrize(
    "options",
    [
        ["--label", "dead"],
        ["--prior", "ill=.1", "--prior", "well=.9"],
        ["--sequential"],
        ["--header"],
    ],
)
def test_a_folder_or_a_pattern_says_what_one_file_says(options, place, parts, folder, referee):
    common = ["--truth", "truth", "--pred", "guess", "--json", *options]
    whole = referee("evaluate-predictions", "answers.csv", *common)
    several = referee("evaluate-predictions", place, *common)
    assert several.code == whole.code < 2
    one, other = (json.loads(run.out)[0] for run in (whole, several))
    assert other["classes"] == one["classes"]
    assert other["estimates"] == one["estimates"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--bundle", "kept.zip"], "--bundle holds every case"),
        (["--no-header"], "--no-header is for one file"),
        (["--separator", "|"], "several labels a case are read from one file"),
    ],
)
@pytest.mark.parametrize("place", ["parts", "parts/*.csv"])
def test_what_a_folder_cannot_have_is_refused_with_a_remedy(
    options, says, place, parts, folder, referee
):
    run = referee("evaluate-predictions", place, "--truth", "truth", "--pred", "guess", *options)
    assert run.code == 2
    said = " ".join(run.err.split())
    assert says in said
    assert "join the files into one and name that" in said
    assert not (folder / "kept.zip").exists()


@pytest.mark.parametrize("place", ["parts", "parts/0.csv"])
def test_a_file_that_changes_while_it_is_read(place, parts, folder, referee, monkeypatch):
    monkeypatch.setattr("referee.sources.stream.LONG", 1)
    real = pl.LazyFrame.collect

    def grown(self, **more):
        found = real(self, **more)
        with (folder / "parts" / "0.csv").open("a") as file:
            file.write("ill,ill,0.5,1,1\n")
        return found

    monkeypatch.setattr(pl.LazyFrame, "collect", grown)
    out = ["--truth", "truth", "--pred", "guess", "--out", "report"]
    run = referee("evaluate-predictions", place, *out)
    assert run.code == 2
    assert "changed while it was read; try again" in " ".join(run.err.split())
    assert run.out == ""
    assert not (folder / "report").exists()
