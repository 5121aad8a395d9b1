"""Claims about one model: what passes, what fails, what is refused, and what errors cost."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import referee
from referee.core.results import Outcome
from referee.errors import InputError
from referee.judging.claims import claims_of

RNG = np.random.default_rng(0)
TRUTH = (RNG.random(800) < 0.3).astype(int)
SCORE = 1 / (1 + np.exp(-(2 * TRUTH + RNG.normal(size=800) - 1)))
ANSWER = (SCORE > 0.5).astype(int)


def judged(claim, **options):
    return referee.evaluate_predictions(TRUTH, ANSWER, y_score=SCORE, claim=claim, **options)


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("auc >= 0.8", Outcome.PASS),
        ("auc >= 99 %", Outcome.FAIL),
        (["auc >= 0.8", "tpr >= 0.6", "fpr <= 30 %"], Outcome.PASS),
        (["auc >= 0.8", "tpr >= 0.999"], Outcome.FAIL),
        ("auc >= 0.8 and error <= 0.16", Outcome.UNDECIDED),
        ("cost <= 0.9", Outcome.PASS),
        ("mcc >= 0.4", Outcome.PASS),
    ],
)
def test_a_claim_is_judged_by_its_own_interval(claim, outcome):
    verdict = judged(claim, costs=(1, 5)).verdict
    assert verdict.outcome is outcome
    assert verdict.shown == (outcome is Outcome.PASS)
    assert verdict.claim == " and ".join(c.text for c in claims_of(claim))


def test_each_claim_agrees_with_the_ends_of_its_interval():
    i = judged("auc >= 0.8").estimates["auc"].interval
    assert judged(f"auc >= {i.low - 1e-9:.12f}").verdict.outcome is Outcome.PASS
    assert judged(f"auc >= {i.low + 1e-9:.12f}").verdict.outcome is Outcome.UNDECIDED
    assert judged(f"auc >= {i.high + 1e-9:.12f}").verdict.outcome is Outcome.FAIL


def test_of_several_claims_one_is_refuted_at_a_raised_level():
    e = judged("auc >= 0.8").estimates
    at_95, at_975 = e["auc"].interval, e["auc"].at(level=0.975).interval
    between = (at_95.high + at_975.high) / 2  # beyond the 95 % interval, within the 97.5 % one
    assert judged(f"auc >= {between:.12f}").verdict.outcome is Outcome.FAIL
    assert judged([f"auc >= {between:.12f}", "tpr >= 0.5"]).verdict.outcome is Outcome.UNDECIDED


def test_max_error_is_one_of_the_claims():
    both = judged("auc >= 0.8", max_error=0.01)
    assert both.verdict.outcome is Outcome.FAIL
    assert "error" in both.verdict.claim


def test_a_claimed_measure_is_computed_though_not_asked_for():
    assert "f1" in judged("f1 >= 0.5", measures=["mcc"]).estimates
    assert "auc50" in judged("auc50 >= 0.1").estimates


def test_a_claim_may_be_about_a_function_of_ones_own():
    def share_right(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    own = referee.measures.make_measure(share_right, greater_is_better=True)
    e = judged("share_right >= 0.5", measures=[own])
    assert e.verdict.outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("auc <= 0.8", "a greater auc is better; claim auc >= 0.8"),
        ("auc > 0.8", "write auc <= or >= a number"),
        ("auc >= 80", "for 80 % write 0.8"),
        ("auc >= 1", "strictly between 0 and 1"),
        ("auc >= high", "'high' is no number"),
        ("auk >= 0.8", "did you mean 'auc'"),
        ("well done", "must be a measure, a sign and a number"),
        (5, "must be text"),
        ([5], "must be text"),
        ("cost <= 1", "needs to know what errors cost"),
    ],
)
def test_a_claim_that_cannot_be_judged_is_refused(claim, words):
    with pytest.raises(InputError, match=r"claim|measure") as refusal:
        judged(claim)
    assert words in str(refusal.value)


def test_a_claim_about_scores_is_refused_before_a_model_without_any_is_fitted():
    class Mute(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            raise AssertionError("was fitted")

        def predict(self, X):
            return np.zeros(len(X))

    with pytest.raises(InputError, match="auc needs scores"):
        referee.evaluate(Mute(), np.arange(40.0)[:, None], [0, 1] * 20, claim="auc >= 0.8")


def test_costs_are_judged_beside_the_best_constant_answer():
    dear = referee.evaluate_predictions(TRUTH, ANSWER, costs=(1, 1))
    assert dear.leading == "cost"
    assert dear.verdict.outcome is Outcome.PASS
    # Always answering 1 costs a false positive for each of the negatives.
    tuned = referee.evaluate_predictions(TRUTH, ANSWER, costs=(1, 60))
    assert f"always answering 1, which costs {np.mean(TRUTH == 0):.3f}" in tuned.verdict.sentence
    assert tuned.verdict.outcome is Outcome.FAIL
    cost = np.mean(np.where(TRUTH == 1, 60 * (ANSWER == 0), ANSWER == 1))
    assert f"costs {cost:.3f} per case" in tuned.verdict.sentence


def test_costs_under_priors_have_a_rival_of_known_cost():
    e = referee.evaluate_predictions(TRUTH, ANSWER, costs=(1, 5), priors=[0.9, 0.1])
    assert "always answering 0, which costs 0.500" in e.verdict.sentence


def test_a_bundle_keeps_the_claims(tmp_path):
    from referee.vault import verify

    path = tmp_path / "claims.zip"
    judged(["auc >= 0.8", "tpr >= 0.6"]).to_bundle(path)
    assert verify(path).verdict.outcome is Outcome.PASS


def test_an_unknown_measure_is_a_fault_of_the_claim():
    with pytest.raises(InputError, match=r"claim.*is about 'aug', which is no measure.*auc"):
        referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, claim="aug >= 0.8")


def test_a_claim_that_is_a_single_number_is_refused():
    with pytest.raises(InputError, match="claim must be text"):
        claims_of(np.array(5))
