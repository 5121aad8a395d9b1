"""referee study, verbs of nearest neighbours: a table, a picture, and messages of one line."""

import pandas as pd
import pytest

PNG = b"\x89PNG"


def made(folder, name):
    assert (folder / f"{name}.png").read_bytes()[:4] == PNG
    return pd.read_csv(folder / f"{name}.csv")


def test_selection_bias(referee, folder):
    outcome = referee("study", "selection-bias", "--n", "20", "--features", "20", "--kept", "1,2",
                      "--repetitions", "2", "--jobs", "1", "--out", "out")  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert made(folder / "out", "selection-bias").kept.tolist() == [1, 2]
    assert "On pure noise" in outcome.out


@pytest.mark.parametrize("extra", [(), ("--groups", "plant"), ("--direction", "backward")])
def test_selection(referee, folder, extra):
    outcome = referee("study", "selection", "iris.csv", "--target", "species", "--drop", "day",
                      "--drop", "weight", "--out", "out", *extra)  # fmt: skip
    assert outcome.code == 0, outcome.err
    table = made(folder / "out", "selection")
    column = "dropped" if "backward" in extra else "added"
    assert set(table[column].dropna()) <= {"sl", "sw", "pl", "pw", "plant"}
    assert "flatters" in outcome.out
    assert "honest error" in outcome.err


def test_reduction(referee, folder):
    outcome = referee("study", "reduction", "--n", "40", "--out", "out")
    assert outcome.code == 0, outcome.err
    table = made(folder / "out", "reduction")
    assert table.cost[0] == 0
    assert outcome.out.count(" of 40 cases") == 4


def test_roc_over_k(referee, folder):
    frame = pd.read_csv(folder / "iris.csv")
    frame[frame.species != "setosa"].drop(columns=["plant", "weight", "day"]).to_csv(
        folder / "two.csv", index=False
    )
    outcome = referee("study", "roc-neighbours", "two.csv", "--target", "species", "--pos-label",
                      "virginica", "--out", "out")  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert made(folder / "out", "roc-neighbours").k.tolist() == list(range(1, 40, 2))
    assert "chosen on these cases" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("selection-bias", "--kept", "0"), "kept must hold numbers between 1"),
        (("selection-bias", "--kept", "x"), "--kept must be numbers with commas between"),
        (("selection", "iris.csv", "--target", "species", "--model", "knnn"), "no model is called"),
        (
            ("selection", "iris.csv", "--target", "species", "--direction", "up"),
            "direction must be 'forward' or 'backward'",
        ),
    ],
)
def test_bad_input_in_one_line(referee, folder, arguments, message):
    outcome = referee("study", *arguments, "--out", "out")
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("name", ["condensed-knn", "forward-selection(n_features=2)", "nca-knn"])
def test_models_by_name(referee, folder, name):
    outcome = referee("evaluate", "iris.csv", "--target", "species", "--drop", "plant", "--drop",
                      "day", "--drop", "weight", "--model", name, "--by", "3")  # fmt: skip
    assert outcome.code == 0, outcome.err
