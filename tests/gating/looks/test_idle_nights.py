"""Nights that add nothing: no new case, or none of the class that a rate is about."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import referee as package

LEDGER = Path("gate.ledger")
STATE = ("--truth", "y", "--on", "id", "--margin", ".1", "--sequential", "gate.ledger", "--json")
RECALL = ("--measure", "recall", "--pos-label", "1")


def ask(referee, *more):
    run = referee("gate", "old.csv", "new.csv", *STATE, *more)
    return run, json.loads(run.out) if run.code != 2 else None


def keep(rows):
    """Leave in both files only the cases whose right answer is that, or none at all."""
    old = pd.read_csv("old.csv")
    ids = set(old["id"][rows(old["y"])])
    for file in ("old.csv", "new.csv"):
        frame = pd.read_csv(file)
        frame[frame["id"].isin(ids)].to_csv(file, index=False)


def test_files_without_rows_add_nothing_and_the_last_answer_stands(referee, write):
    write(n=0)
    run, flat = ask(referee, "--version", "v1")
    assert (run.code, flat["n"], flat["runs"]) == (3, 0, 0)
    assert "so nothing was added to gate.ledger; no run of this version so far" in flat["sentence"]
    assert not LEDGER.exists()
    write(n=600, better=0.3)
    assert ask(referee, "--version", "v1")[0].code == 0
    kept = LEDGER.read_bytes()
    write(n=0)
    run, flat = ask(referee, "--version", "v1")
    assert (run.code, flat["outcome"], flat["cases_so_far"]) == (0, "shown", 600)
    assert "the answer of run 1 stands" in flat["sentence"]
    assert ask(referee, "--version", "v2")[0].code == 3  # the pass was another version's
    assert ask(referee)[0].code == 3
    assert LEDGER.read_bytes() == kept


@pytest.mark.parametrize("empty", ["old.csv", "new.csv"])
def test_one_side_without_rows_is_an_error(referee, write, empty):
    write(n=50)
    pd.read_csv(empty).iloc[:0].to_csv(empty, index=False)
    run, _ = ask(referee, "--version", "v1")
    assert run.code == 2
    assert f"{empty}, line 1: a header and no row below it" in run.err
    assert not LEDGER.exists()


def test_a_file_of_no_bytes_is_an_error(referee, write):
    write(n=50)
    for file in ("old.csv", "new.csv"):
        Path(file).write_text("")  # a job that broke off, not a quiet night
    assert ask(referee)[0].code == 2


def test_recall_counts_positive_cases_only(referee, write):
    write(n=600, better=0.3)
    run, flat = ask(referee, *RECALL, "--version", "v1")
    positives = int(pd.read_csv("old.csv")["y"].sum())
    assert (run.code, flat["cases_so_far"], flat["measure"]) == (0, positives, "tpr")
    write(n=300, start=600, seed=1, better=0.3)
    keep(lambda y: y == 0)
    kept = LEDGER.read_bytes()
    run, flat = ask(referee, *RECALL, "--version", "v1")
    assert (run.code, flat["new_cases"], flat["cases_so_far"]) == (0, 0, positives)
    assert "nothing was added to gate.ledger" in flat["sentence"]
    assert LEDGER.read_bytes() == kept


def test_recall_is_the_accuracy_on_positive_cases(referee, write):
    write(n=600, worse=0.05)
    _, recall = ask(referee, *RECALL, "--version", "v1", "--figures")
    LEDGER.unlink()
    keep(lambda y: y == 1)
    measured = ("--measure", "accuracy", "--label", "0", "--version", "v1", "--figures")
    _, accuracy = ask(referee, *measured)
    for end in ("difference", "difference_low", "difference_high"):
        assert recall[end] == accuracy[end]
    assert recall["outcome"] == accuracy["outcome"]


def test_a_rate_of_three_classes_is_one_against_the_rest(tmp_path):
    truth = np.array(["a", "b", "c"] * 200)
    old = np.where(np.arange(600) % 10, truth, "a")
    ids = [str(i) for i in range(600)]
    # Taking one negative class for another is no false alarm.
    new = np.where(old == "c", "b", old)
    gate = package.gate(
        *(old, new),
        y_true=truth,
        ids=ids,
        measure="fpr",
        pos_label="a",
        margin=0.05,
        sequential=tmp_path / "gate.ledger",
        version="v1",
        figures=True,
    )
    assert gate.flat()["difference"] == 0
    assert gate.outcome.value == "pass"
    assert gate.history.stream == 400


def test_a_class_that_nobody_named_is_asked_for(tmp_path):
    truth = np.array(["a", "b"] * 50)
    with pytest.raises(package.InputError, match="which class is positive; name it with pos_label"):
        package.gate(
            *(truth, truth),
            y_true=truth,
            ids=range(100),
            measure="recall",
            margin=0.1,
            sequential=tmp_path / "gate.ledger",
        )
    assert not list(tmp_path.iterdir())
