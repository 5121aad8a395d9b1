"""Bayes errors and true expected risks of tasks with known truth, each reached through referee.

known_truth.json holds inputs, expected values, tolerances and sources; every item needs a check
here. The expected risks are means over training samples, with Monte Carlo errors of their own.
"""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from referee.core.randomness import child
from referee.study import EXAMPLES, GaussianTask, fukunaga_I_I, true_risk, two_normals
from referee.study.repetitions import mean_of, repeated

GOLDEN = json.loads((Path(__file__).parent / "known_truth.json").read_text(encoding="utf-8"))
ITEMS = {item["name"]: item for item in GOLDEN["items"]}
RISKS = GOLDEN["true_expected_risk"]


def gaussian(route):
    def check(mu1, S1, p1, mu0, S0):
        prior = float(Fraction(p1))
        return GaussianTask([mu0, mu1], [S0, S1], [1 - prior, prior]).bayes_risk(route).value

    return check


def separated(s):
    return two_normals(s, d=3).bayes_risk().value


def fukunaga(distance):
    return {"bayes": fukunaga_I_I(distance=distance).bayes_risk().value}


CHECKS = {
    **{f"seed3.bayes_error_example{k}": gaussian("quadratic form") for k in (1, 2, 3)},
    **{name: separated for name in ITEMS if name.startswith("seed4.bayes_s_")},
    "fukunaga_I_I": fukunaga,
}


@pytest.mark.parametrize("name", ITEMS)
def test_golden(name, agree):
    assert name in CHECKS, f"known_truth.json has {name}, and nothing here checks it"
    item = ITEMS[name]
    agree(CHECKS[name](**item["inputs"]), item["expected"], item)


@pytest.mark.parametrize("number", EXAMPLES)
def test_golden_examples_by_the_other_route_and_as_they_are_kept(number, agree):
    item = ITEMS[f"seed3.bayes_error_example{number}"]
    agree(gaussian("slices")(**item["inputs"]), item["expected"], item)
    agree(EXAMPLES[number].bayes_risk().value, item["expected"], item)


def test_no_check_without_its_item():
    assert set(CHECKS) <= set(ITEMS)


def learner(name, d):
    return {
        "LDA": LinearDiscriminantAnalysis(),
        "1-NN": KNeighborsClassifier(1),
        "5-NN": KNeighborsClassifier(5),
        "RBF-SVM(C=1,gamma=1/d)": SVC(C=1, gamma=1 / d),
        "tree(full)": DecisionTreeClassifier(random_state=0),
    }[name]


def expected_risk(cell, repetitions):
    name, n, d = re.fullmatch(r"(.+) n=(\d+) d=(\d+)", cell).groups()
    task, model = two_normals(1.0, int(d)), learner(name, int(d))

    def once(seed):
        fitted = model.fit(*task.sample(int(n), child(seed, 0)))
        return true_risk(task, fitted, n_samples=4000, random_state=child(seed, 1)).value

    return mean_of(repeated(once, repetitions, random_state=int(n) + int(d)))


def within_error(cell, repetitions):
    made, (mean, error) = expected_risk(cell, repetitions), RISKS[cell]
    # 30 cells are looked at: 4 standard errors are one false alarm in 500 runs of all.
    return abs(made.value - mean) < 4 * math.hypot(made.standard_error, error)


@pytest.mark.parametrize("cell", [c for c in RISKS if c.startswith("LDA") or "n=50 d=2" in c])
def test_true_expected_risks_smoke(cell):
    assert within_error(cell, 60)


@pytest.mark.slow
@pytest.mark.parametrize("cell", RISKS)
def test_true_expected_risks(cell):
    assert within_error(cell, 200)
