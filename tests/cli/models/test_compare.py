"""referee compare: every option once against the same call in Python, and what users get wrong."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import referee as library
from referee.resampling import Holdout, TestRows

MODELS = ("--model", "nb", "--model", "sklearn.tree:DecisionTreeClassifier(max_depth=2)")
TREE = MODELS[3]
BASE = ("compare", "iris.csv", "--target", "species", *MODELS)
FEATURES = ["sl", "sw", "pl", "pw", "plant", "weight", "day"]
BY = ("--by", "3")
PYTHONISMS = ["pos_label", "test_share", "random_state", "n_jobs", "y_true", "y_pred", "Traceback"]


def models():
    return {"nb": GaussianNB(), TREE: DecisionTreeClassifier(max_depth=2)}


def same(outcome, expected, err=""):
    (got,) = json.loads(outcome.out)
    data = json.loads(expected.to_json())
    assert outcome.err == err
    for key in ("names", "measure", "verdict", "difference", "evidence", "pairs", "standings"):
        assert got[key] == data[key]
    assert got["provenance"]["plan"] == data["provenance"]["plan"]
    assert outcome.code == (0 if expected.verdict.shown else 1)


OPTIONS = {
    "folds": ([*BY], {"by": 3}),
    "repeated": (["--by", "2x3"], {"by": "2x3"}),
    "five by two": (
        ["--by", "5x2", "--significance", "5x2cv-f"],
        {"by": "5x2", "significance": "5x2cv-f"},
    ),
    "holdout": (["--by", "holdout"], {"by": "holdout"}),
    "test share": (["--test-share", "0.4"], {"by": Holdout(0.4)}),
    "measure": ([*BY, "--measure", "accuracy"], {"by": 3, "measure": "accuracy"}),
    "log loss": ([*BY, "--measure", "log_loss"], {"by": 3, "measure": "log_loss"}),
    "mcc": ([*BY, "--measure", "mcc"], {"by": 3, "measure": "mcc"}),
    "pos label": (
        ["--by", "holdout", "--measure", "tpr", "--pos-label", "setosa"],
        {"by": "holdout", "measure": "tpr", "pos_label": "setosa"},
    ),
    "costs": (
        ["--by", "holdout", "--measure", "cost", "--costs", "1", "7", "--pos-label", "virginica"],
        {"by": "holdout", "measure": "cost", "costs": (1, 7), "pos_label": "virginica"},
    ),
    "significance": ([*BY, "--significance", "kfold-t"], {"by": 3, "significance": "kfold-t"}),
    "midp": (
        ["--by", "holdout", "--significance", "mcnemar-midp"],
        {"by": "holdout", "significance": "mcnemar-midp"},
    ),
    "interval": (
        ["--by", "holdout", "--interval", "tango"],
        {"by": "holdout", "interval": "tango"},
    ),
    "rope": ([*BY, "--rope", "0.3"], {"by": 3, "rope": 0.3}),
    "non-inferior": (
        [*BY, "--rope", "0.2", "--claim", "non-inferior"],
        {"by": 3, "rope": 0.2, "claim": "non-inferior"},
    ),
    "level": ([*BY, "--level", "0.8"], {"by": 3, "level": 0.8}),
    "seed": ([*BY, "--seed", "17"], {"by": 3, "random_state": 17}),
    "header": ([*BY, "--header"], {"by": 3}),
    "jobs": ([*BY, "--jobs", "2"], {"by": 3}),
    "dismiss": ([*BY, "--dismiss", "R002"], {"by": 3, "dismiss": ["R002"]}),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_against_python(option, folder, frame, referee):
    written, keywords = OPTIONS[option]
    expected = library.compare(
        models(), frame[FEATURES], frame.species, **({"random_state": 0} | keywords)
    )
    same(referee(*BASE, "--json", *written), expected)


def test_groups_and_drop_leave_the_features(folder, frame, referee):
    kept = ["sl", "sw", "pl", "pw", "weight"]
    expected = library.compare(
        models(), frame[kept], frame.species, groups=frame.plant, by=3, random_state=0
    )
    got = referee(*BASE, *BY, "--groups", "plant", "--drop", "day", "--json")
    same(got, expected)


def test_weights_leave_the_features_and_enter_the_fits(folder, frame, referee):
    expected = library.compare(
        models(),
        frame[[c for c in FEATURES if c != "weight"]],
        frame.species,
        by=3,
        sample_weight=frame.weight,
        weights_in_fit=True,
        random_state=0,
    )
    got = referee(*BASE, *BY, "--weight", "weight", "--weights-in-fit", "--json")
    same(got, expected)


def test_time_against_python(folder, frame, referee):
    kept = [c for c in FEATURES if c != "day"]
    expected = library.compare(models(), frame[kept], frame.species, time=frame.day, random_state=0)
    same(referee(*BASE, "--time", "day", "--json"), expected)


def test_a_test_table_against_python(folder, frame, referee):
    expected = library.compare(
        models(), frame[FEATURES], frame.species, by=TestRows(100), random_state=0
    )
    outcome = referee(
        "compare", "train.csv", "--target", "species", *MODELS, "--test", "test.csv", "--json"
    )
    same(outcome, expected)
    assert json.loads(outcome.out)[0]["evidence"]["test"] == "mcnemar-exact"
    assert json.loads(outcome.out)[0]["evidence"]["n"] == 50


def test_automatic_choice_is_the_calibrated_t(folder, frame, referee):
    frame[frame.species != "setosa"][["pl", "pw", "species"]].iloc[:40].to_csv(
        "few.csv", index=False
    )
    outcome = referee(
        "compare", "few.csv", "--target", "species", "--model", "nb", "--model", "majority",
        "--json",
    )  # fmt: skip
    (got,) = json.loads(outcome.out)
    assert got["evidence"]["test"] == "calibrated-t"
    assert "40 halvings" in got["how"]
    assert "chosen because" in got["how"]


def test_a_file_without_header_numbers_its_columns(folder, frame, referee):
    frame[["sl", "pw", "species"]].to_csv("bare.csv", index=False, header=False)
    outcome = referee("compare", "bare.csv", "--target", "3", *MODELS, *BY, "--json")
    assert "no header" in outcome.err
    X = frame[["sl", "pw"]].set_axis(["1", "2"], axis=1)
    expected = library.compare(models(), X, frame.species, by=3, random_state=0)
    assert json.loads(outcome.out)[0]["difference"] == json.loads(expected.to_json())["difference"]


def test_three_models_are_ranked(folder, frame, referee):
    outcome = referee(*BASE, "--model", "majority", *BY, "--json")
    (got,) = json.loads(outcome.out)
    assert len(got["pairs"]) == 3
    assert got["standings"][-1]["name"] == "majority"
    assert got["standings"][-1]["tier"] == 2


# Exit codes and what is printed.


def test_a_shown_difference_gives_0_and_says_first(folder, referee):
    outcome = referee(
        "compare", "iris.csv", "--target", "species", "--model", "nb", "--model", "majority", *BY
    )
    assert outcome.code == 0
    assert "nb is better" in outcome.out
    assert "nb is better than majority" in " ".join(outcome.out.split())
    assert "For the methods section of a paper" in outcome.out


def test_a_difference_that_is_not_shown_gives_1(folder, referee):
    outcome = referee(
        "compare", "iris.csv", "--target", "species", "--model", "nb", "--model", "lda", *BY
    )
    assert outcome.code == 1
    assert "undecided" in outcome.out
    assert "could detect" in " ".join(outcome.out.split())


def test_equivalence_gives_0(folder, referee):
    outcome = referee(*BASE, *BY, "--rope", "0.3")
    assert outcome.code == 0
    assert "no difference that matters" in outcome.out


def test_lines_fit_into_100_columns(folder, referee):
    outcome = referee(*BASE, "--model", "knn", "--model", "majority", *BY)
    assert max(map(len, outcome.out.splitlines())) <= 100


# Files.


def test_out_writes_page_record_and_predictions_of_every_model(folder, frame, referee):
    outcome = referee(*BASE, *BY, "--out", "made/here", "--json")
    out = folder / "made" / "here"
    names = ["figures", "predictions.parquet", "report.html", "results.json", "table.tex"]
    assert sorted(p.name for p in out.iterdir()) == names
    assert json.loads((out / "results.json").read_text()) == json.loads(outcome.out)[0]
    table = pd.DataFrame(pl.read_parquet(out / "predictions.parquet").to_dict(as_series=False))
    assert table.columns[0] == "model"
    assert set(table.model) == {"nb", TREE}
    unseen = table[(table.part == "main") & (table.seen == 0)]
    errors = (unseen.truth != unseen.predicted).groupby(unseen.model).mean()
    got = json.loads(outcome.out)[0]
    assert errors["nb"] - errors[TREE] == pytest.approx(got["difference"]["value"])
    assert "corrected t" in (out / "report.html").read_text()


def test_out_is_not_overwritten_without_force(folder, referee):
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("mine")
    refused = referee(*BASE, *BY, "--out", "out")
    assert refused.code == 2
    assert [p.name for p in (folder / "out").iterdir()] == ["mine.txt"]
    assert referee(*BASE, *BY, "--out", "out", "--force").code in (0, 1)
    assert (folder / "out" / "mine.txt").read_text() == "mine"


def test_own_predictions_of_several_models_are_never_read_as_those_of_one(folder, referee):
    # Each case stands in the file once for each model; 300 rows are not 300 cases.
    referee(*BASE, *BY, "--out", "out")
    outcome = referee(
        "evaluate-predictions", "out/predictions.parquet", "--truth", "truth", "--pred",
        "predicted", "--json",
    )  # fmt: skip
    assert outcome.code == 2 or json.loads(outcome.out)[0]["n"] == 150


def test_own_predictions_of_cross_validation_are_not_judged_by_mcnemar(folder, referee):
    # The refusal of McNemar's test on pooled predictions must not be got round by a file.
    evaluate = ("evaluate", "iris.csv", "--target", "species", "--by", "5")
    referee(*evaluate, "--model", "nb", "--out", "one")
    referee(*evaluate, "--model", "knn", "--out", "two")
    outcome = referee(
        "compare-predictions", "one/predictions.parquet", "two/predictions.parquet",
        "--truth", "truth", "--pred", "predicted", "--on", "case",
        "--name", "nb", "--name", "knn", "--json",
    )  # fmt: skip
    if outcome.code != 2:
        assert json.loads(outcome.out)[0]["evidence"]["test"] not in ("mcnemar-exact",)


# Several tables.


@pytest.fixture
def tables(folder):
    for name, load in (("flowers", load_iris), ("wine", load_wine), ("cells", load_breast_cancer)):
        load(as_frame=True).frame.iloc[::2].to_csv(folder / f"{name}.csv", index=False)
    return ["flowers.csv", "wine.csv", "cells.csv"]


def scaled(X):
    return make_pipeline(StandardScaler(), KNeighborsClassifier())


def test_several_tables_are_several_data_sets(tables, folder, referee):
    outcome = referee(
        "compare", *tables, "--target", "target", "--model", "nb", "--model", "knn", *BY, "--json"
    )
    (got,) = json.loads(outcome.out)
    sets = {}
    for name in tables:
        frame = pd.read_csv(name)
        sets[name[:-4]] = (frame.drop(columns="target"), frame.target)
    expected = library.compare_datasets(
        {"nb": GaussianNB(), "knn": scaled}, sets, by=3, random_state=0
    )
    data = json.loads(expected.to_json())
    for key in ("verdict", "scores", "critical", "pairs", "datasets", "friedman"):
        assert got[key] == data[key]
    assert outcome.code == 1
    assert "too few to ever show it" in got["verdict"]["sentence"]


def test_several_tables_print_the_diagram_and_write_no_predictions(tables, folder, referee):
    outcome = referee(
        "compare", *tables, "--target", "target", "--model", "nb", "--model", "knn",
        "--model", "majority", *BY, "--measure", "accuracy", "--out", "out",
    )  # fmt: skip
    assert "Average ranks" in outcome.out
    assert "greater is better" in outcome.out
    names = ["figures", "report.html", "results.json", "table.tex"]
    assert sorted(p.name for p in (folder / "out").iterdir()) == names


@pytest.mark.parametrize(
    "option",
    [
        ["--test", "flowers.csv"],
        ["--groups", "target"],
        ["--time", "target"],
        ["--claim", "non-inferior", "--rope", "0.1"],
        ["--significance", "mcnemar-exact"],
        ["--interval", "tango"],
        ["--test-share", "0.3"],
        ["--costs", "1", "2"],
        ["--dismiss", "R002"],
    ],
)
def test_options_of_one_table_are_refused_for_several_not_ignored(option, tables, referee):
    outcome = referee(
        "compare", *tables, "--target", "target", "--model", "nb", "--model", "majority", *BY,
        *option,
    )  # fmt: skip
    assert outcome.code == 2
    assert option[0] in outcome.err
    assert outcome.out == ""


def test_a_table_counts_once(tables, referee):
    outcome = referee(
        "compare", "wine.csv", "wine.csv", "--target", "target", "--model", "nb", "--model",
        "majority", *BY,
    )  # fmt: skip
    assert outcome.code == 2
    assert "wine.csv" in outcome.err


def test_other_names_of_measures_serve_for_several_tables(tables, referee):
    outcome = referee(
        "compare", "cells.csv", "flowers.csv", "--target", "target", "--model", "nb", "--model",
        "majority", *BY, "--measure", "recall", "--pos-label", "1", "--json",
    )  # fmt: skip
    assert outcome.code in (0, 1)


# What users get wrong.


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return name


CASES = {
    "one model": (["--model", "nb"], ["--model", "at least two", "nb"]),
    "no model": ([], ["--model", "at least two"]),
    "twice the same": (["--model", "nb", "--model", "nb"], ["at least two"]),
    "unknown model": (["--model", "nb", "--model", "knnn"], ["'knnn'", "'knn'"]),
    "bootstrap": ([*MODELS, "--by", "bootstrap"], ["--by auto"]),
    "training error": ([*MODELS, "--by", "resubstitution"], ["--by auto", "--by holdout"]),
    "mcnemar on folds": (
        [*MODELS, *BY, "--significance", "mcnemar-exact"],
        ["--significance calibrated-t", "--by holdout"],
    ),
    "repeated folds": (
        [*MODELS, "--by", "2x3", "--significance", "kfold-t"],
        ["corrected-t"],
    ),
    "five by two": ([*MODELS, *BY, "--significance", "5x2cv-t"], ["--by 5x2"]),
    "no halvings": ([*MODELS, *BY, "--significance", "calibrated-t"], ["--by calibrated-cv"]),
    "different cases": ([*MODELS, *BY, "--significance", "boschloo"], ["boschloo"]),
    "learners on a holdout": (
        [*MODELS, "--by", "holdout", "--significance", "corrected-t"],
        ["--significance mcnemar-exact", "--by cv"],
    ),
    "unknown test": ([*MODELS, *BY, "--significance", "t-test"], ["'t-test' is unknown"]),
    "unknown interval": ([*MODELS, *BY, "--interval", "tangoo"], ["'tango'"]),
    "unknown measure": ([*MODELS, *BY, "--measure", "eror"], ["'error'"]),
    "unknown scheme": ([*MODELS, "--by", "cvv"], ["--by cvv", "'cv'"]),
    "negative rope": ([*MODELS, *BY, "--rope", "-0.1"], ["rope", "-0.1"]),
    "rope in percent": ([*MODELS, *BY, "--rope", "2"], ["rope", "0.02"]),
    "margin missing": (
        [*MODELS, *BY, "--claim", "non-inferior"],
        ["--claim non-inferior", "--rope 0.01"],
    ),
    "level in percent": ([*MODELS, *BY, "--level", "95"], ["--level", "0.95"]),
    "rate without class": ([*MODELS, *BY, "--measure", "tpr"], ["--pos-label"]),
    "cost without costs": (
        [*MODELS, *BY, "--measure", "cost", "--pos-label", "setosa"],
        ["--costs"],
    ),
    "unknown positive class": ([*MODELS, *BY, "--pos-label", "seto"], ["--pos-label", "setosa"]),
    "groups as features too": ([*MODELS, *BY, "--groups", "species"], ["one role only"]),
    "unknown groups": ([*MODELS, *BY, "--groups", "plants"], ["'plant'"]),
    "full directory": ([*MODELS, *BY, "--out", "."], ["not empty", "--force"]),
    "test and by": ([*MODELS, *BY, "--test", "test.csv"], ["--test", "--by 3"]),
    "interval of learners": ([*MODELS, *BY, "--interval", "tango"], ["--interval"]),
    "mcnemar with groups": (
        [*MODELS, "--by", "holdout", "--groups", "plant", "--significance", "mcnemar-exact"],
        ["--significance group-flip"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_requests_give_code_2_one_message_and_no_file(case, folder, referee):
    arguments, says = CASES[case]
    before = sorted(folder.rglob("*"))
    outcome = referee("compare", "iris.csv", "--target", "species", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert len(outcome.err.splitlines()) == 1
    assert outcome.err.startswith("referee: ")
    for part in says:
        assert part in outcome.err
    for word in PYTHONISMS:
        assert word not in outcome.err
    assert sorted(folder.rglob("*")) == before


BAD_TABLES = {
    "missing": (lambda f: "iris.cvs", "'iris.csv'"),
    "empty": (lambda f: write(f, "empty.csv", ""), "empty"),
    "one class": (lambda f: write(f, "one.csv", "a,species\n1,x\n2,x\n"), "one class"),
    "ragged": (lambda f: write(f, "ragged.csv", "a,species\n1,x\n2\n"), "line 3"),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_bad_tables_give_code_2_and_name_the_place(case, folder, referee):
    make, says = BAD_TABLES[case]
    outcome = referee("compare", make(folder), "--target", "species", *MODELS, *BY)
    assert outcome.code == 2
    assert says in outcome.err
    assert "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_bad_table_among_several_is_named(tables, folder, referee):
    write(folder, "odd.csv", "a,target\n1,x\n2,x\n")
    outcome = referee("compare", *tables, "odd.csv", "--target", "target", *MODELS, *BY)
    assert outcome.code == 2
    assert "odd.csv" in outcome.err


def test_the_wrong_request_is_refused_before_the_models_are_fitted(folder, referee, monkeypatch):
    # A hundred fits of a slow model are a high price for "that test does not suit".
    fitted = []
    monkeypatch.setattr(
        GaussianNB, "fit", lambda self, X, y, **_: fitted.append(1) or np.linalg.norm(0)
    )
    referee(*BASE, *BY, "--significance", "mcnemar-exact")
    assert not fitted
