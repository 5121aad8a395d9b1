"""Intervals that do not suit the plan or the target are refused before anything is fitted."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core.results import Target
from referee.errors import InputError, PlanError, Refusal
from referee.resampling import HalvedHoldout, Holdout, NestedCrossValidation

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = RNG.standard_normal((60, 2)) + Y[:, None]


class Unfit(ClassifierMixin, BaseEstimator):
    """Fitting it would fail the test."""

    def fit(self, X, y):
        raise AssertionError("fitted")

    def predict(self, X):
        raise AssertionError("predicted")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": 10, "interval": "nested-cv"}, "use by='nested-cv'"),
        ({"by": "10x10", "interval": "conservative-z"}, "use by='conservative-z'"),
        ({"by": "10x10", "interval": "cv-clt"}, "use by=10"),
        ({"by": "10x10", "interval": "student-t"}, "corrected-t"),
        ({"by": "loo", "interval": "cv-clt"}, "cv-clt-all-pairs"),
        ({"by": "nested-cv", "sample_weight": np.ones(60)}, "cannot weight .* by='auto'"),
        ({"by": 5, "interval": "cv-clt", "sample_weight": np.ones(60)}, "effective-jeffreys"),
        ({"by": "holdout", "interval": "effective-jeffreys"}, "clopper-pearson"),
        ({"by": 10, "interval": "clustered"}, "needs groups="),
        ({"by": "holdout", "interval": "corrected-t"}, "at least 2 splits"),
        (
            {"interval": "conservative-z", "about": "conditional"},
            "speaks about the learning procedure.*about='conditional' was asked for.*'expected'",
        ),
        ({"interval": "nested-cv", "about": "expected"}, "or about='conditional'"),
        ({"interval": "corrected-t", "about": "conditional"}, "or about='expected'"),
        ({"interval": "cv-clt", "about": "conditional"}, "or leave out about="),
        ({"interval": "cv-clt", "about": "expected"}, "or leave out about="),
        ({"by": "bootstrap", "about": "conditional"}, "about='expected', or by='cv'"),
        ({"by": "10x10", "max_fits": 50}, "trains 120 models, more than max_fits=50"),
    ],
)
def test_refused_before_any_fit(options, message):
    with pytest.raises((Refusal, InputError, PlanError), match=message):
        referee.evaluate(Unfit(), X, Y, **options)


@pytest.mark.parametrize(
    ("options", "method", "target"),
    [
        ({"interval": "conservative-z"}, "conservative-z", Target.EXPECTED),
        ({"interval": "conservative-z", "about": "expected"}, "conservative-z", Target.EXPECTED),
        ({"interval": "nested-cv", "about": "conditional"}, "nested-cv", Target.CONDITIONAL),
        ({"by": HalvedHoldout(0.1, 5, 3)}, "conservative-z", Target.EXPECTED),
        ({"by": NestedCrossValidation(3, 2)}, "nested-cv", Target.CONDITIONAL),
        ({"by": "repeated-holdout"}, "corrected-t", Target.EXPECTED),
        ({"interval": "cv-clt"}, "cv-clt", Target.FOLD_MODELS),
        ({"by": "loo", "interval": "cv-clt-all-pairs"}, "cv-clt-all-pairs", Target.FOLD_MODELS),
        ({"about": "expected"}, "effective-jeffreys", Target.EXPECTED),
        ({"max_fits": 10}, "effective-jeffreys", Target.CONDITIONAL),
        ({"max_fits": 1}, "clopper-pearson", Target.FIXED),
        (
            {"by": HalvedHoldout(0.1, 5, 3), "groups": np.arange(60) // 2},
            "conservative-z",
            Target.EXPECTED,
        ),
    ],
)
def test_method_and_target(options, method, target):
    e = referee.evaluate(GaussianNB(), X, Y, random_state=0, **options)
    assert (e.error.interval.method, e.error.interval.target) == (method, target)
    assert e.error.value in e.error.interval
    assert target.sentence in " ".join(str(e).split())


@pytest.mark.parametrize("by", ["holdout", Holdout(0.2, 5), "repeated-holdout"])
def test_a_plan_that_cannot_be_about_the_target_asked_for_is_flagged(by):
    plain = referee.evaluate(GaussianNB(), X, Y, by=by, random_state=0)
    asked = referee.evaluate(GaussianNB(), X, Y, by=by, random_state=0, about="conditional")
    assert "as asked" not in plain.error.interval.flag
    assert "not about the model trained on all the data, as asked" in asked.error.interval.flag
    assert "R010" in [f.code for f in asked.findings]
    assert (asked.error.interval.low, asked.error.interval.high) == (
        plain.error.interval.low,
        plain.error.interval.high,
    )


def test_rates_of_a_class_get_the_automatic_interval():
    e = referee.evaluate(
        GaussianNB(), X, Y, by=NestedCrossValidation(3, 2), interval="nested-cv", random_state=0
    )
    assert e.estimates["accuracy"].interval.method == "nested-cv"
    assert e.estimates["tpr"].interval.method == "effective-jeffreys"
    assert e.estimates["tpr"].value in e.estimates["tpr"].interval


def test_no_error_at_all_gets_an_exact_interval_by_itself_and_a_flag_by_name():
    apart = X + 100 * Y[:, None]
    for by in ("nested-cv", "conservative-z"):
        plain = referee.evaluate(GaussianNB(), apart, Y, by=by, random_state=0)
        assert plain.error.interval.method == "clopper-pearson"
        assert plain.error.interval.width > 0.05
        named = referee.evaluate(GaussianNB(), apart, Y, by=by, interval=by, random_state=0)
        assert named.error.interval.width == 0
        assert "no width" in named.error.interval.flag
        assert not named.verdict.shown


def test_the_report_says_whether_the_learner_is_steady():
    steady = referee.evaluate(GaussianNB(), X, Y, random_state=0)
    assert "judged steady (instability 0." in steady.error.interval.basis
    assert "The learner was judged steady" in " ".join(str(steady).split())
    noise = np.random.default_rng(1).standard_normal((60, 8))
    tree = referee.evaluate(DecisionTreeClassifier(), noise, Y, random_state=0)
    assert "judged unstable" in tree.error.interval.basis
    single = referee.evaluate(GaussianNB(), X, Y, by=10, random_state=0)
    assert "one pass does not show" in single.error.interval.basis


def test_the_reason_for_the_choice_names_the_budget():
    e = referee.evaluate(GaussianNB(), X, Y, max_fits=10, random_state=0)
    assert "max_fits=10 is less than the 120 of repetitions" in e.how
    assert e.plan.fits == 11
