"""--tune: against Tuned in Python, for every verb that has models, and bad requests."""

import json

import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee as library
from referee.cli.models.tuning import grid_of

EVALUATE = ("evaluate", "iris.csv", "--target", "species", "--drop", "plant", "--by", "3")
FEATURES = ["sl", "sw", "pl", "pw", "weight", "day"]


def test_evaluate_against_python(folder, frame, referee):
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier())
    tuned = library.Tuned(learner, {"n_neighbors": [1, 5, 9]}, by=4)
    expected = library.evaluate(tuned, frame[FEATURES], frame.species, by=3, random_state=0)
    done = referee(*EVALUATE, "--model", "knn", "--tune", "n_neighbors=1,5,9",
                   "--inner-folds", "4", "--json")  # fmt: skip
    (got,) = json.loads(done.out)
    assert done.code == 0
    assert got["estimates"]["error"] == json.loads(expected.to_json())["estimates"]["error"]
    assert got["search"] == json.loads(expected.to_json())["search"]
    assert got["name"] == "knn"


def test_the_report_shows_the_search(folder, referee):
    done = referee(*EVALUATE, "--model", "knn", "--tune", "n_neighbors=1,5")
    assert "The search inside" in done.out
    assert "nested validation gives" in " ".join(done.out.split())


def test_several_models_take_the_parameters_they_have(folder, frame, referee):
    done = referee(
        "compare", "iris.csv", "--target", "species", "--model", "knn", "--model", "nb",
        "--by", "3", "--significance", "corrected-t", "--tune", "n_neighbors=1,9", "--json",
    )  # fmt: skip
    (got,) = json.loads(done.out)
    assert "knn nested: the search is repeated in every training set" in got["how"]
    assert "nb nested" not in got["how"]


def test_permutation_tests_repeat_the_search(folder, referee):
    done = referee(
        "permutation-test", "iris.csv", "--target", "species", "--model", "nb", "--by", "2",
        "--permutations", "19", "--tune", "var_smoothing=0.01,1", "--inner-folds", "2", "--json",
    )  # fmt: skip
    (got,) = json.loads(done.out)
    assert got["how"].startswith("by fitting every relabelling; nested: the search is repeated")


@pytest.mark.parametrize(
    ("requests", "grid"),
    [
        (["C=1,10"], {"C": [1, 10]}),
        (["C=.1,1e3"], {"C": [0.1, 1000.0]}),
        (["kernel=rbf,linear"], {"kernel": ["rbf", "linear"]}),
        (["gamma='scale',.1"], {"gamma": ["scale", 0.1]}),
        (["gamma=scale,.1"], {"gamma": ["scale", 0.1]}),
        (["hidden_layer_sizes=(5,),(5,5)"], {"hidden_layer_sizes": [(5,), (5, 5)]}),
        (["class_weight=None,balanced", "C=1"], {"class_weight": [None, "balanced"], "C": [1]}),
        (None, {}),
    ],
)
def test_values(requests, grid):
    assert grid_of(requests) == grid


@pytest.mark.parametrize(
    ("tune", "message"),
    [
        (["n_neighbors"], "--tune must name a parameter and values, got 'n_neighbors'"),
        (["n_neighbors="], "--tune must name a parameter and values"),
        (["=1,2"], "--tune must name a parameter and values"),
        (["n_neighbors=1,,a"], "has an empty value between commas"),
        (["n_neighbors=1", "n_neighbors=3"], "--tune names 'n_neighbors' twice"),
        (["neighbors=1"], "knn has no parameter 'neighbors'; did you mean 'n_neighbors'"),
        (["n_neighbors=0"], "n_neighbors=0 is refused: The 'n_neighbors' parameter"),
        (["n_neighbors=many"], "n_neighbors='many' is refused"),
    ],
)
def test_bad_requests(tune, message, folder, referee):
    options = [part for request in tune for part in ("--tune", request)]
    done = referee(*EVALUATE, "--model", "knn", *options, "--out", "report")
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert not (folder / "report").exists()


def test_inner_folds_must_be_folds(folder, referee):
    done = referee(*EVALUATE, "--model", "knn", "--tune", "n_neighbors=1,3", "--inner-folds", "1")
    assert done.code == 2
    assert "at least 2, got 1" in done.err
