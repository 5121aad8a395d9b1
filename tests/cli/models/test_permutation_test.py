"""referee permutation-test: every option against the same call in Python, and bad requests."""

import json

import pytest
from sklearn.naive_bayes import GaussianNB

import referee as library
from referee.resampling import Holdout, TestRows

BASE = ("permutation-test", "iris.csv", "--target", "species", "--model", "nb")
FEATURES = ["sl", "sw", "pl", "pw", "plant", "weight", "day"]
FEW = ("--permutations", "39")


def expected(frame, features=FEATURES, **options):
    options = {"permutations": 39, "random_state": 0, "by": "5", **options}
    made = library.permutation_test(
        GaussianNB(), frame[features], frame.species, name="nb", **options
    )
    return json.loads(made.to_json())


OPTIONS = {
    "defaults": ([], {}),
    "by": (["--by", "2x3"], {"by": "2x3"}),
    "loo": (["--by", "loo"], {"by": "loo"}),
    "holdout": (["--by", "holdout"], {"by": "holdout"}),
    "test share": (["--test-share", "0.3"], {"by": Holdout(0.3)}),
    "measure": (["--measure", "mcc"], {"measure": "mcc"}),
    "scores": (["--measure", "log_loss"], {"measure": "log_loss"}),
    "positive": (["--measure", "tpr", "--pos-label", "setosa"],
                 {"measure": "tpr", "pos_label": "setosa"}),
    "costs": (["--measure", "cost", "--pos-label", "setosa", "--costs", "1", "5"],
              {"measure": "cost", "pos_label": "setosa", "costs": (1.0, 5.0)}),
    "null": (["--null", "features"], {"null": "features"}),
    "labels": (["--labels", "sampled"], {"labels": "sampled"}),
    "stop": (["--stop-after", "3", "--null", "features"], {"stop_after": 3, "null": "features"}),
    "level": (["--level", "0.9"], {"level": 0.9}),
    "seed": (["--seed", "7"], {"random_state": 7}),
    "jobs": (["--jobs", "1"], {}),
}  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_against_python(option, folder, frame, referee):
    written, keywords = OPTIONS[option]
    done = referee(*BASE, *FEW, *written, "--json")
    assert done.err == ""
    (got,) = json.loads(done.out)
    want = expected(frame, **keywords)
    assert got == want
    assert done.code == (0 if want["verdict"]["outcome"] == "pass" else 1)


def test_a_separate_test_set(folder, frame, referee):
    done = referee(
        "permutation-test", "train.csv", "--test", "test.csv", "--target", "species",
        "--model", "nb", *FEW, "--json",
    )  # fmt: skip
    (got,) = json.loads(done.out)
    assert got == expected(frame, by=TestRows(100))
    assert got["plan"] == "trained on 100 rows, tested on the 50 of the test set"


def test_groups_and_dropped_columns_leave_the_features(folder, frame, referee):
    beds = frame.assign(bed=frame.plant.astype(str) + frame.species)
    beds.to_csv("iris.csv", index=False)
    left = [part for name in ("day", "weight", "plant") for part in ("--drop", name)]
    done = referee(*BASE, *FEW, "--groups", "bed", *left, "--json")
    (got,) = json.loads(done.out)
    want = expected(frame, ["sl", "sw", "pl", "pw"], groups=beds.bed)
    assert got == want
    assert "groups of equal size are exchangeable under the null hypothesis" in got["assumptions"]


def test_report_files_and_exit_codes(folder, referee):
    done = referee(*BASE, *FEW, "--out", "report")
    assert done.code == 0
    assert "found structure: the features say something" in " ".join(done.out.split())
    assert {p.name for p in (folder / "report").iterdir()} >= {"report.html", "results.json"}
    assert "<svg" in (folder / "report" / "report.html").read_text()
    again = referee(*BASE, *FEW, "--out", "report")
    assert again.code == 2
    nothing = referee(
        "permutation-test", "iris.csv", "--target", "species", "--model", "majority", *FEW
    )
    assert nothing.code == 1
    assert "is too weak" in " ".join(nothing.out.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--permutations", "10"], "--permutations must be a whole number of at least 19, got 10"),
        (["--permutations", "50", "--level", "0.99"], "at least 99, got 50"),
        (["--stop-after", "0"], "--stop-after must be a whole number of at least 1, got 0"),
        (["--stop-after", "2000"], "--stop-after must not exceed the 1000 permutations"),
        (["--null", "label"], "--null must be 'labels' or 'features', got 'label'"),
        (["--labels", "drawn"], "--labels must be 'shuffled' or 'sampled', got 'drawn'"),
        (["--labels", "sampled", "--groups", "plant"], "use --labels shuffled"),
        (["--null", "features", "--groups", "plant"], "use --null labels"),
        (["--groups", "plant"], "labels move within the 2 of 50 groups that hold several"),
        (["--measure", "auc"], "auc needs to know the positive class; pass --pos-label"),
        (["--by", "resubstitution"], "tests no unseen case"),
        (["--by", "60", "--groups", "plant"], "must not exceed the 50 groups, got 60"),
        (["--model", "linear-svm", "--measure", "log_loss"], "LinearSVC has no predict_proba"),
        (["--model", "nbb"], "no model is called 'nbb'"),
    ],
)
def test_bad_requests(options, message, folder, referee):
    done = referee(*BASE, *options, "--out", "report")
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert not (folder / "report").exists()


def test_a_target_that_is_not_there(folder, referee):
    done = referee("permutation-test", "iris.csv", "--target", "kind", "--model", "nb")
    assert (done.code, done.out) == (2, "")
    assert "no column 'kind'" in done.err


def test_the_page_draws_the_plan(folder, referee):
    outcome = referee("permutation-test", "iris.csv", "--target", "species", "--model", "nb",
                      "--permutations", "19", "--by", "3", "--out", "made")  # fmt: skip
    assert outcome.code in (0, 1), outcome.err
    page = (folder / "made" / "report.html").read_text(encoding="utf-8")
    assert "who trained, who tested" in page
    assert "1: 100 train, 50 test" in page
