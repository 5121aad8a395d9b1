"""Several labels a case on the command line: columns by a pattern, or names in one cell."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import referee as library

LABELS = ["sport", "news", "art"]
COLUMNS = ("--truth", "true_*", "--pred", "new_*")


@pytest.fixture
def table(folder):
    rng = np.random.default_rng(0)
    truth = rng.random((90, 3)) < [0.5, 0.4, 0.3]
    columns = {"id": np.arange(90)}
    for who, wrong in (("true", 0.0), ("new", 0.1), ("old", 0.25)):
        members = truth ^ (rng.random(truth.shape) < wrong)
        columns |= {f"{who}_{label}": members[:, j].astype(int) for j, label in enumerate(LABELS)}
        columns[who] = [";".join(np.array(LABELS)[row]) for row in members]
    made = pd.DataFrame(columns)
    for j in range(3):
        made[f"x{j}"] = truth[:, j] + 0.7 * rng.normal(size=90)
    made.to_csv("all.csv", index=False)
    return made


def flags(table, who):
    return table[[f"{who}_{label}" for label in LABELS]].set_axis(LABELS, axis=1)


def test_columns_and_cells_say_the_same_as_python(table, referee):
    expected = library.evaluate_predictions(flags(table, "true"), flags(table, "new"), name="new")
    for written in (COLUMNS, ("--truth", "true", "--pred", "new", "--separator", ";")):
        outcome = referee("evaluate-predictions", "all.csv", *written, "--json")
        (got,) = json.loads(outcome.out)
        assert outcome.err == ""
        for name in ("error", "hamming", "jaccard", "micro_label_f1", "macro_label_f1"):
            assert got["estimates"][name]["value"] == pytest.approx(expected.estimates[name].value)
        assert got["name"] == "new"
        assert outcome.code == (0 if expected.verdict.shown else 1)


def test_true_and_false_are_flags(table, folder, referee):
    table[[c for c in table if "_" in c]].astype(bool).to_csv("flags.csv", index=False)
    outcome = referee("evaluate-predictions", "flags.csv", *COLUMNS, "--json")
    assert json.loads(outcome.out)[0]["n"] == 90


def test_two_models_in_one_file_or_in_two(table, folder, referee):
    truth, preds = flags(table, "true"), {who: flags(table, who) for who in ("new", "old")}
    expected = library.compare_predictions(truth, preds, measure="hamming")
    one = referee(
        "compare-predictions", "all.csv", *COLUMNS, "--pred", "old_*", "--measure", "hamming",
        "--json",
    )  # fmt: skip
    for who in ("new", "old"):
        own = table.rename(columns=lambda c, who=who: c.replace(f"{who}_", "p_"))
        own[[c for c in own if c.startswith(("true_", "p_"))] + ["id"]].sample(
            frac=1, random_state=1
        ).to_csv(f"{who}.csv", index=False)
    two = referee(
        "compare-predictions", "new.csv", "old.csv", "--truth", "true_*", "--pred", "p_*",
        "--on", "id", "--measure", "hamming", "--json",
    )  # fmt: skip
    for outcome in (one, two):
        (got,) = json.loads(outcome.out)
        assert got["names"] == ["new", "old"]
        assert got["difference"]["value"] == pytest.approx(expected.difference.value)
        assert got["evidence"]["p_value"] == pytest.approx(expected.evidence.p_value)


def test_models_are_trained_one_a_label(table, folder, referee):
    table[[c for c in table if c.startswith(("true_", "x"))]].to_csv("x.csv", index=False)
    outcome = referee("evaluate", "x.csv", "--target", "true_*", "--by", "5", "--json")
    (got,) = json.loads(outcome.out)
    assert got["estimates"]["error"]["value"] < got["guessing"]["value"]
    both = referee(
        "compare", "x.csv", "--target", "true_*", "--by", "5", "--model", "logistic", "--model",
        "tree", "--measure", "micro_label_f1", "--json",
    )  # fmt: skip
    assert json.loads(both.out)[0]["names"] == ["logistic", "tree"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--truth", "tru_*", "--pred", "new_*"], "has no column 'tru_.' stands for"),
        (["--truth", "true_*", "--pred", "x*"], "line 2, column 'x0': .* is neither 0 nor 1"),
        (["--truth", "true", "--pred", "new", "--task", "multilabel"], "with --separator"),
        (["--truth", "true_*", "--pred", "new_*", "--task", "regression"], "leave out one of"),
        (["--truth", "true_*", "--pred", "new_*", "--score", "x0"], "--score is for single"),
        (["--truth", "true_*", "--pred", "new_*", "--measure", "mcc"], "mcc is a measure of"),
        (["--truth", "true_*", "--pred", "true_*"], "name the same column"),
        (["--truth", "t*e_*", "--pred", "new_*"], "more than one star"),
        (["--truth", "true", "--pred", "new", "--separator", ""], "--separator is empty"),
    ],
)
def test_bad_input_is_named(arguments, says, table, referee):
    outcome = referee("evaluate-predictions", "all.csv", *arguments)
    assert outcome.code == 2
    assert re.search(says, outcome.err), outcome.err


def test_labels_must_agree_and_cells_be_there(table, folder, referee):
    table.drop(columns="new_art").to_csv("less.csv", index=False)
    outcome = referee("evaluate-predictions", "less.csv", *COLUMNS)
    assert outcome.code == 2
    assert "'art' is in one of them only" in outcome.err
    table.astype({"new_art": float}).assign(
        new_art=table.new_art.astype(float).where(table.index != 4)
    ).to_csv("gap.csv", index=False)
    outcome = referee("evaluate-predictions", "gap.csv", *COLUMNS)
    assert outcome.code == 2
    assert "column 'new_art': 1 of 90 values are missing (gap.csv, line 6)" in outcome.err
