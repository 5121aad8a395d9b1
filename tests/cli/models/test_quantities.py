"""Regressors and numeric targets on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantities")
    frame = load_diabetes(as_frame=True).frame.iloc[:120]
    frame = frame.assign(clinic=np.arange(120) // 6, stage=np.digitize(frame.target, [100, 200]))
    frame.to_csv(folder / "patients.csv", index=False)
    rng = np.random.default_rng(0)
    truth = frame.target.to_numpy()
    answers = {name: truth + s * rng.normal(size=120) for name, s in (("a", 20.0), ("b", 40.0))}
    pd.DataFrame({"id": range(120), "truth": truth, **answers}).to_csv(
        folder / "both.csv", index=False
    )
    for name in "ab":
        one = pd.DataFrame({"id": range(120), "truth": truth, "pred": answers[name]})
        one.sample(frac=1, random_state=0).to_csv(folder / f"{name}.csv", index=False)
    return folder


def test_regressors_by_name_with_groups(referee, folder):
    done = referee(
        "evaluate", folder / "patients.csv", "--target", "target", "--model", "ridge", "--drop",
        "stage", "--groups", "clinic", "--by", 5, "--json",
    )  # fmt: skip
    (result,) = json.loads(done.out)
    assert done.code == (0 if result["verdict"]["shown"] else 1)
    assert next(iter(result["estimates"])) == "mae"
    assert result["classes"] == []
    assert "groups kept whole" in result["how"]


def test_regression_without_a_model_is_linear(referee, folder):
    done = referee(
        "evaluate", folder / "patients.csv", "--target", "target", "--task", "regression",
        "--measure", "rmse", "--measure", "r2", "--by", 5, "--max-error", 500,
    )  # fmt: skip
    assert done.code == 0
    assert "linear has a root mean squared error of" in done.out
    assert "at most 500, as claimed" in " ".join(done.out.split())


def test_few_values_are_asked_about(referee, folder):
    done = referee(
        "evaluate", folder / "patients.csv", "--target", "stage", "--model", "ridge", "--by", 5
    )
    assert done.code == 2
    assert "3 distinct values" in done.err
    assert "--task regression or --task classification" in " ".join(done.err.split())


def test_given_predictions(referee, folder):
    done = referee("evaluate-predictions", folder / "both.csv", "--truth", "truth", "--pred", "a")
    assert done.code == 0
    assert "a is off by" in done.out


def test_one_file_or_two_give_the_same_comparison(referee, folder):
    wide = referee(
        "compare-predictions", folder / "both.csv", "--truth", "truth", "--pred", "a", "--pred",
        "b", "--json",
    )  # fmt: skip
    long = referee(
        "compare-predictions", folder / "a.csv", folder / "b.csv", "--truth", "truth", "--pred",
        "pred", "--on", "id", "--json",
    )  # fmt: skip
    (one,), (other,) = json.loads(wide.out), json.loads(long.out)
    assert (wide.code, long.code) == (0, 0)
    assert one["evidence"]["test"] == "paired-t"
    assert one["difference"]["value"] == pytest.approx(other["difference"]["value"])


def test_learners_are_compared(referee, folder):
    done = referee(
        "compare", folder / "patients.csv", "--target", "target", "--drop", "stage", "--model",
        "linear", "--model", "mean", "--by", "2x5",
    )  # fmt: skip
    assert done.code == 0
    assert "linear is better than mean: mean absolute error" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--model", "knn", "--task", "regression"], "the model is a classifier"),
        (["--model", "ridge", "--task", "numbers"], "must be one of 'auto'"),
        (["--model", "ridge", "--measure", "auc"], "auc is a measure of classes"),
        (["--model", "ridge", "--pos-label", "1"], "--pos-label is for classes"),
    ],
)
def test_bad_options_exit_with_2(referee, folder, options, problem):
    done = referee("evaluate", folder / "patients.csv", "--target", "target", "--by", 5, *options)
    assert done.code == 2
    assert problem in " ".join(done.err.split())


def test_a_target_of_words_is_no_quantity(referee, folder, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,2.5\n2,many\n3,4.5\n" * 10)
    done = referee(
        "evaluate", tmp_path / "t.csv", "--target", "y", "--task", "regression", "--by", 5
    )
    assert done.code == 2
    assert "line 3, column 'y': 'many' is not a number" in " ".join(done.err.split())


def test_two_targets_are_not_quietly_one(referee, tmp_path):
    table = tmp_path / "two.csv"
    table.write_text("x,a,b\n" + "".join(f"{i},{i}.5,{i * 2}.5\n" for i in range(30)))
    outcome = referee("evaluate", table, "--target", "a", "--target", "b", "--model", "ridge")
    assert outcome.code == 2
    assert "--target was given 2 times, and one column is judged at a time" in outcome.err
