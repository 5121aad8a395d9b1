"""What a paper must say of an evaluation stands in its paragraph."""

from importlib.metadata import version

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core.citations import Citation
from referee.core.results import Interval
from referee.intervals.risk import RiskInterval

Y = np.arange(60) % 2
X = np.random.default_rng(0).normal(size=(60, 2)) + Y[:, None]


@pytest.mark.parametrize("seed", [3, 8])
def test_it_names_model_plan_measure_interval_seed_and_version(seed):
    e = referee.evaluate(GaussianNB(), X, Y, by="2x5", measures="mcc", random_state=seed)
    for part in (
        "the error of GaussianNB on 60 cases (2 × 5-fold cross-validation, stratified)",
        "Matthews correlation (Matthews 1975; Gorodkin 2004)",
        "The 95 % interval of the error is Jeffreys' interval at",
        "(Brown, Cai and DasGupta 2001)",
        f"referee {version('referee')}; the seed was {seed}.",
    ):
        assert part in e.methods
    assert "Matthews 1975" in [c.key for c in e.citations]


def test_runs_with_other_seeds_are_named():
    e = referee.evaluate(DecisionTreeClassifier(), X, Y, by=5, repeats=2, random_state=0)
    assert "2 runs of the learner" in e.methods


def test_of_quantities():
    e = referee.evaluate(LinearRegression(), X, X[:, 0], by=5, random_state=4)
    assert e.methods.startswith("We measured the mean absolute error of LinearRegression on 60")
    assert e.methods.endswith("the seed was 4.")


def test_without_an_interval_it_says_why():
    e = referee.evaluate(GaussianNB(), X, Y, by="resubstitution", random_state=0)
    assert f"There is no interval of the error: {e.error.reason}." in e.methods


def test_it_is_shown_wherever_the_result_is(tmp_path):
    e = referee.evaluate_predictions(Y, Y)
    e.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (str(e), e.to_markdown(), page):
        assert "For the methods section of a paper" in text
        assert "Clopper, C. J." in " ".join(text.split())
    assert e.methods in " ".join(str(e).split())
    assert e.methods in e.to_json()


def test_an_interval_of_ones_own_is_cited():
    work = Citation("Roe 2030", "Roe, R. (2030). Tests.")
    mine = RiskInterval(
        "wide", title="my interval", citations=(work,),
        compute=lambda s: Interval(low=0, high=1, level=s.level, method="wide"),
    )  # fmt: skip
    e = referee.evaluate_predictions(Y, Y, interval=mine)
    assert "my interval (Roe 2030)" in e.methods
    assert work in e.citations


@pytest.mark.parametrize("seed", [3, 8])
def test_comparisons_and_permutation_tests_name_the_seed(seed):
    models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}
    done = [
        referee.compare(models, X, Y, by=3, random_state=seed),
        referee.compare_predictions(Y, {"a": Y, "b": 1 - Y}, random_state=seed),
        referee.permutation_test(GaussianNB(), X, Y, permutations=19, random_state=seed),
    ]
    for result in done:
        assert result.methods.endswith(f"the seed was {seed}.")
        assert result.methods in " ".join(str(result).split())
