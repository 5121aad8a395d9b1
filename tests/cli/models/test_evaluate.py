"""referee evaluate: every option once, against the same call in Python."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

import referee as library
from referee.cli.app import app
from referee.vocabulary import OPTIONS as OPTION_WORDS
from referee.vocabulary import speaking

BASE = ("evaluate", "iris.csv", "--target", "species", "--json")
FEATURES = ["sl", "sw", "pl", "pw", "plant", "weight", "day"]


def answers(outcome):
    return json.loads(outcome.out)


def test_default_model_against_python(folder, frame, referee):
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    expected = library.evaluate(model, frame[FEATURES], frame.species, by=3, random_state=0)
    (got,) = answers(referee(*BASE, "--by", 3))
    assert got["estimates"]["error"]["value"] == expected.error.value
    assert got["name"] == "logistic"


OPTIONS = {
    "model": (["--model", "sklearn.naive_bayes:GaussianNB(var_smoothing=0.1)"], {}),
    "repeated": (["--by", "2x3"], {"by": "2x3"}),
    "holdout": (["--test-share", "0.3"], {"by": library.resampling.Holdout(0.3)}),
    "bootstrap": (
        ["--by", "bootstrap", "--rounds", "7"],
        {"by": library.resampling.Bootstrap(7)},
    ),
    "loo": (["--by", "loo"], {"by": "loo"}),
    "pos label": (["--pos-label", "setosa"], {"pos_label": "setosa"}),
    "measures": (["--measure", "mcc", "--measure", "kappa"], {"measures": ["mcc", "kappa"]}),
    "interval": (["--interval", "student-t"], {"interval": "student-t"}),
    "about": (["--about", "expected"], {"about": "expected"}),
    "max fits": (["--by", "auto", "--max-fits", "5"], {"by": "auto", "max_fits": 5}),
    "nested": (
        ["--by", "nested-cv", "--interval", "nested-cv"],
        {"by": "nested-cv", "interval": "nested-cv"},
    ),
    "conservative": (["--by", "conservative-z"], {"by": "conservative-z"}),
    "max error": (["--max-error", "0.2"], {"max_error": 0.2}),
    "level": (["--level", "0.8"], {"level": 0.8}),
    "seed": (["--seed", "17"], {"random_state": 17}),
    "jobs": (["--jobs", "2"], {}),
    "header": (["--header"], {}),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_against_python(option, folder, frame, referee):
    written, keywords = OPTIONS[option]
    smoothing = 0.1 if option == "model" else 1e-9
    name = "sklearn.naive_bayes:GaussianNB(var_smoothing=0.1)" if option == "model" else "nb"
    keywords = {"by": 3, "random_state": 0} | keywords
    with speaking(OPTION_WORDS):
        expected = library.evaluate(
            GaussianNB(var_smoothing=smoothing),
            frame[FEATURES],
            frame.species,
            name=name,
            **keywords,
        )
    model = [] if option == "model" else ["--model", "nb"]
    by = [] if "by" in OPTIONS[option][1] else ["--by", "3"]
    outcome = referee(*BASE, *model, *by, *written)
    assert outcome.err == ""
    (got,) = answers(outcome)
    assert got["verdict"] == json.loads(expected.to_json())["verdict"]
    assert got["estimates"] == json.loads(expected.to_json())["estimates"]
    assert outcome.code == (0 if expected.verdict.shown else 1)


def test_groups_time_weight_and_drop_leave_the_features(folder, frame, referee):
    kept = [c for c in FEATURES if c != "plant"]
    expected = library.evaluate(
        GaussianNB(), frame[kept], frame.species, groups=frame.plant, by=5, random_state=0
    )
    (got,) = answers(referee(*BASE, "--model", "nb", "--by", 5, "--groups", "plant"))
    assert got["estimates"]["error"] == json.loads(expected.to_json())["estimates"]["error"]

    kept = [c for c in FEATURES if c not in ("day", "plant")]
    expected = library.evaluate(
        GaussianNB(), frame[kept], frame.species, time=frame.day, by=3, random_state=0
    )
    (got,) = answers(referee(*BASE, "--model", "nb", "--by", 3, "--time", "day", "--drop", "plant"))
    assert got["estimates"]["error"] == json.loads(expected.to_json())["estimates"]["error"]

    kept = [c for c in FEATURES if c != "weight"]
    expected = library.evaluate(
        GaussianNB(), frame[kept], frame.species, sample_weight=frame.weight, by=3, random_state=0
    )
    (got,) = answers(referee(*BASE, "--model", "nb", "--by", 3, "--weight", "weight"))
    assert got["estimates"]["error"] == json.loads(expected.to_json())["estimates"]["error"]


def test_separate_test_set_against_scikit_learn(folder, frame, referee):
    outcome = referee(
        "evaluate",
        "train.csv",
        "--test",
        "test.csv",
        "--target",
        "species",
        "--model",
        "nb",
        "--json",
    )
    (got,) = answers(outcome)
    X, y = frame[FEATURES], frame.species
    wrong = GaussianNB().fit(X[:100], y[:100]).predict(X[100:]) != y[100:]
    assert got["estimates"]["error"]["value"] == pytest.approx(wrong.mean())
    assert got["estimates"]["error"]["n"] == 50


def test_several_models_give_several_answers_and_folders(folder, referee):
    outcome = referee(*BASE, "--model", "nb", "--model", "majority", "--by", 3, "--out", "out")
    assert [a["name"] for a in answers(outcome)] == ["nb", "majority"]
    assert outcome.code == 1  # the majority does not beat itself
    assert sorted(p.name for p in (folder / "out").iterdir()) == ["majority", "nb"]
    assert "wrote out" in outcome.err


def test_table_without_header_by_column_number(folder, frame, referee):
    frame.to_csv(folder / "bare.csv", index=False, header=False)
    outcome = referee(
        "evaluate", "bare.csv", "--no-header", "--target", 5, "--model", "nb", "--by", 3, "--json"
    )
    (got,) = answers(outcome)
    (named,) = answers(referee(*BASE, "--model", "nb", "--by", 3))
    assert got["estimates"] == named["estimates"]
    guessed = referee("evaluate", "bare.csv", "--target", 5, "--model", "nb", "--by", 3)
    assert guessed.err == "referee: bare.csv: no header found, columns are numbered from 1 to 8\n"


def test_report_on_standard_output_and_nothing_on_standard_error(folder, referee):
    outcome = referee("evaluate", "iris.csv", "--target", "species", "--model", "nb", "--by", 3)
    assert outcome.code == 0
    assert outcome.err == ""
    assert "PASS" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100


def test_exit_code_1_where_the_claim_was_not_shown(folder, frame, referee):
    outcome = referee(*BASE, "--model", "majority", "--by", 3)
    assert outcome.code == 1
    (got,) = answers(outcome)
    wrong = library.evaluate(
        DummyClassifier(strategy="most_frequent"),
        frame[["sl"]],
        frame.species,
        by=3,
        random_state=0,
    )
    assert got["estimates"]["error"]["value"] == wrong.error.value


def test_findings_on_the_terminal_speak_of_options(folder, frame, referee):
    frame.loc[100:149, ["sl", "sw", "pl", "pw"]] = frame.loc[0:49, ["sl", "sw", "pl", "pw"]].values
    frame[["sl", "sw", "pl", "pw", "species"]].to_csv(folder / "copies.csv", index=False)
    outcome = referee("evaluate", "copies.csv", "--target", "species", "--model", "nb", "--by", 3)
    assert "R002" in outcome.out
    assert "--groups" in outcome.out
    assert "groups=" not in outcome.out


def test_all_missing_column_is_a_finding_not_an_error(folder, frame, referee):
    frame["void"] = np.nan
    frame.to_csv(folder / "void.csv", index=False)
    for model in ("nb", "knn", "forest(n_estimators=5)"):
        outcome = referee(
            "evaluate", "void.csv", "--target", "species", "--model", model, "--by", 3, "--json"
        )
        (got,) = answers(outcome)
        assert outcome.code == 0
        assert [f["code"] for f in got["findings"] if "void" in f["message"]] == ["R009"]


def test_out_writes_a_report_a_record_and_the_predictions(folder, referee):
    import polars as pl

    outcome = referee(*BASE, "--model", "nb", "--by", 3, "--out", "a/b")
    names = sorted(p.name for p in (folder / "a" / "b").iterdir())
    assert names == ["figures", "predictions.parquet", "report.html", "results.json", "table.tex"]
    (got,) = answers(outcome)
    assert json.loads((folder / "a" / "b" / "results.json").read_text()) == got
    table = pl.read_parquet(folder / "a" / "b" / "predictions.parquet")
    main = table.filter((pl.col("part") == "main") & (pl.col("seen") == 0))
    error = (main["truth"] != main["predicted"]).mean()
    assert error == pytest.approx(got["estimates"]["error"]["value"])


def test_force_overwrites(folder, referee):
    (folder / "out").mkdir()
    (folder / "out" / "results.json").write_text("old")
    arguments = (*BASE, "--model", "nb", "--by", 3, "--out", "out")
    assert referee(*arguments).code == 2
    assert (folder / "out" / "results.json").read_text() == "old"
    assert referee(*arguments, "--force").code == 0
    assert json.loads((folder / "out" / "results.json").read_text())["name"] == "nb"


def test_the_same_through_typers_own_runner(folder):
    done = CliRunner().invoke(app, [*BASE, "--model", "knn", "--by", "3"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)[0]["name"] == "knn"


def test_knn_is_scaled_inside_the_folds_against_a_pipeline(folder, frame, referee):
    (got,) = answers(referee(*BASE, "--model", "knn", "--by", 3))
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    expected = library.evaluate(model, frame[FEATURES], frame.species, by=3, random_state=0)
    assert got["estimates"]["error"]["value"] == expected.error.value


def test_costs_add_the_cost_per_case(folder, referee):
    from sklearn.datasets import load_breast_cancer

    load_breast_cancer(as_frame=True).frame.to_csv("cells.csv", index=False)
    base = ("evaluate", "cells.csv", "--target", "target", "--by", "5", "--model", "nb", "--json")
    outcome = referee(*base, "--costs", "1", "10")
    estimates = json.loads(outcome.out)[0]["estimates"]
    wrong = estimates["fnr"]["value"] if "fnr" in estimates else 1 - estimates["tpr"]["value"]
    rest = 1 - estimates["tnr"]["value"]
    expected = (357 * wrong * 10 + 212 * rest) / 569
    assert estimates["cost"]["value"] == pytest.approx(expected)


def test_copies_are_dropped_on_request_and_the_finding_says_how(folder, frame, referee):
    pd.concat([frame, frame.head(30)]).to_csv("twice.csv", index=False)
    base = ("evaluate", "twice.csv", "--target", "species", "--model", "nb", "--by", 3)
    told = " ".join(referee(*base).out.split())
    assert "--drop-copies" in told
    assert "--dismiss R002" in told
    kept = referee(*base, "--drop-copies", "--json")
    (got,) = json.loads(kept.out)
    assert "left out 30 of 180 rows" in kept.err or got["n"] == 150
    assert got["n"] == len(frame.drop(columns="species").drop_duplicates())


def test_classes_that_only_the_test_table_has_are_listed(folder, frame, referee):
    frame.to_csv("train.csv", index=False)
    other = frame.tail(30).assign(species=frame.tail(30).species + ".")
    pd.concat([frame.head(50), other]).to_csv("test.csv", index=False)
    outcome = referee(
        "evaluate", "train.csv", "--target", "species", "--model", "nb", "--test", "test.csv"
    )
    assert "'virginica.'" in outcome.err
    assert "training table has not" in outcome.err
