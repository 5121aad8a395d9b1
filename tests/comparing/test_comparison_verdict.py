"""Verdicts in corners, and the sentences that go with them."""

import numpy as np
import pytest
from compared_models import HALVED, POWER, answers, costs_of, table
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.multitest import multipletests

import referee
from referee.comparing.comparison import Pair
from referee.comparing.comparison_verdict import verdict_of
from referee.comparing.question import Question
from referee.comparing.standings import standings
from referee.core import Estimate, Evidence, Outcome
from referee.errors import Refusal
from referee.measures import measure_named
from referee.resampling import CalibratedCrossValidation
from referee.significance.paired.mcnemar_exact import MCNEMAR_EXACT


class Stubborn(ClassifierMixin, BaseEstimator):
    """Answers the first class, whatever it has seen; not known to be a baseline."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def shown(first, second, outcome, p):
    return Pair(
        first=first,
        second=second,
        difference=Estimate(name="error", value=-0.1, n=100, method="first minus second"),
        evidence=Evidence(test="mcnemar-exact", statistic=-10.0, p_value=p, null="", n=100),
        p_adjusted=p,
        outcome=outcome,
        detectable=0.1,
    )


@pytest.mark.parametrize("measure", ["error", "accuracy", "tpr", "mcc", "auc", "log_loss", "cost"])
def test_models_that_never_differ_give_p_1_and_a_true_sentence(measure):
    truth, preds, scores = answers(100, (1.0,))
    both = {"a": preds["a"], "b": preds["a"].copy()}
    made = referee.compare_predictions(
        truth,
        both,
        y_scores={"a": scores["a"], "b": scores["a"].copy()},
        measure=measure,
        **costs_of(measure),
    )
    assert made.evidence.p_value == 1
    assert made.difference.value == 0
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "too few" not in made.verdict.sentence  # more cases like these would not help
    assert POWER.search(made.verdict.sentence) or "alike" in made.verdict.sentence
    assert "-0 " not in made.verdict.sentence
    assert made.standings[0].rank == made.standings[1].rank == 1


def test_zero_discordant_pairs_say_so_in_words():
    truth, preds = table(0, 0)
    made = referee.compare_predictions(truth, preds)
    assert "right and wrong on the same cases" in made.verdict.sentence
    assert made.evidence.p_value == 1
    assert made.difference.interval.low < 0 < made.difference.interval.high


@pytest.mark.parametrize("by", [5, "2x5", HALVED])
def test_identical_learners_are_never_told_apart(by, cancer):
    made = referee.compare({"a": GaussianNB(), "b": GaussianNB()}, *cancer, by=by, random_state=0)
    assert made.evidence.p_value == 1
    assert made.difference.value == 0
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "too few" not in made.verdict.sentence


def test_one_model_always_right():
    truth, preds = table(30, 0, both_right=70, both_wrong=0)
    made = referee.compare_predictions(truth, preds)
    assert made.estimates["a"].value == 0
    assert made.verdict.outcome is Outcome.FIRST
    assert made.evidence.p_value == pytest.approx(2**-29)


def test_one_model_always_right_and_one_always_wrong():
    truth, _ = table(1, 0)
    made = referee.compare_predictions(truth, {"a": truth, "b": 1 - truth})
    assert made.difference.value == -1
    assert -1 <= made.difference.interval.low < made.difference.interval.high <= 1


@pytest.mark.parametrize("by", [5, CalibratedCrossValidation(5, 2, halvings=12)])
def test_constant_baseline_against_a_real_model(by, cancer):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    made = referee.compare(models, *cancer, by=by, random_state=0)
    assert made.verdict.outcome is Outcome.FIRST
    assert made.estimates["guess"].value == pytest.approx(50 / 140)


@pytest.mark.parametrize("by", [5, HALVED])
def test_a_learner_that_collapses_gets_no_verdict(by, cancer):
    made = referee.compare({"nb": GaussianNB(), "mule": Stubborn()}, *cancer, by=by, random_state=0)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "No verdict" in made.verdict.sentence
    assert "mule" in made.pairs[0].reservation


def test_a_reserved_pair_does_not_ease_the_adjustment_of_the_others(cancer):
    # Its p-value is not one; if it counted as the smallest, Holm would ask less of the rest.
    X, y = cancer
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1), "mule": Stubborn()}
    made = referee.compare(models, X, y, by="2x5", random_state=0)
    pair = made.pair("nb", "tree")
    assert pair.reservation == ""
    assert all(d.reservation for d in made.pairs if d is not pair)
    raw = pair.evidence.p_value
    assert pair.p_adjusted == pytest.approx(min(1.0, 3 * raw))


def test_collapse_of_answers_does_not_matter_to_a_ranking(cancer):
    # At a prevalence of 1 : 9 both models may answer "negative" throughout and still rank well.
    X, y = cancer
    X, y = (
        X[np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:15]]],
        np.repeat([0, 1], [90, 15]),
    )

    class Shy(GaussianNB):
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    made = referee.compare(
        {"nb": GaussianNB(), "shy": Shy()}, X, y, by=5, measure="auc", random_state=0
    )
    assert made.pairs[0].reservation == ""


def test_twelve_models_make_66_pairs():
    truth, preds, _ = answers(60, np.linspace(0.3, 1.8, 12))
    made = referee.compare_predictions(truth, preds, interval="tango")
    assert len(made.pairs) == len(made.frame()) == 66
    assert len(made.standings) == len(made.ranking()) == 12
    p = [d.evidence.p_value for d in made.pairs]
    assert [d.p_adjusted for d in made.pairs] == pytest.approx(
        list(multipletests(p, method="holm")[1])
    )
    assert "21 more pairs" in made.to_text()


def test_constant_models_have_no_correlation_and_the_refusal_says_so():
    truth, preds, _ = answers()
    with pytest.raises(Refusal, match="undefined"):
        referee.compare_predictions(truth, {"a": 0 * truth, "b": preds["b"]}, measure="mcc")


def test_differences_that_cancel_are_called_the_same():
    # Folds of 10 with differences .1, .2 and -.3, whose floating-point sum is not 0.
    n = 30
    X = np.arange(n, dtype=float)[:, None]
    y = np.arange(n) % 2
    pairs = [(np.setdiff1d(np.arange(n), t), t) for t in np.arange(n).reshape(3, 10)]

    class Fixed(ClassifierMixin, BaseEstimator):
        def __init__(self, wrong=()):
            self.wrong = wrong

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            case = X[:, 0].astype(int)
            return np.where(np.isin(case, self.wrong), 1 - case % 2, case % 2)

    models = {"a": Fixed(wrong=(0, 10, 11)), "b": Fixed(wrong=(20, 21, 22))}
    made = referee.compare(models, X, y, by=pairs, random_state=0)
    assert made.estimates["a"].value == made.estimates["b"].value
    assert "the same error" in made.verdict.sentence
    assert "e-1" not in made.verdict.sentence


def test_a_serious_finding_withholds_the_verdict():
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X = np.vstack([X] * 3) + 0.0
    y = np.where(rng.random(150) < 0.4, rng.integers(0, 3, 150), y)
    y = np.concatenate([y] * 3)
    models = {"1nn": KNeighborsClassifier(1), "nb": GaussianNB()}
    made = referee.compare(models, X, y, by=5, random_state=0)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "R002" in made.verdict.sentence
    again = referee.compare(models, X, y, by=5, random_state=0, dismiss=["R002"])
    assert again.verdict.outcome is Outcome.FIRST


def test_better_than_each_is_claimed_only_where_each_was_beaten():
    # a beats b and b beats c, but a against c stayed open (tests need not be transitive).
    pairs = [
        shown("a", "b", Outcome.FIRST, 0.01),
        shown("a", "c", Outcome.UNDECIDED, 0.2),
        shown("b", "c", Outcome.FIRST, 0.01),
    ]
    values = {"a": 0.1, "b": 0.2, "c": 0.3}
    places = standings(
        {
            m: Estimate(name="error", value=v, n=100, method="test set", greater_is_better=False)
            for m, v in values.items()
        },
        pairs,
    )
    question = Question(measure=measure_named("error"), pairs=3)
    made = verdict_of(pairs, places, question, MCNEMAR_EXACT, (), "test cases")
    assert "better than each" not in made.sentence
    assert made.outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("measure", ["error", "accuracy", "tpr", "fnr", "auc", "mcc", "log_loss"])
def test_statistic_and_difference_point_the_same_way(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(truth, preds, y_scores=scores, measure=measure)
    assert made.evidence.statistic * made.difference.value > 0
