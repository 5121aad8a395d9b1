"""evaluate_predictions(..., sequential=True): intervals that hold at all times."""

import numpy as np
import pytest

import referee
from referee.errors import InputError, Refusal
from referee.intervals.sequential import beta_binomial, betting


@pytest.fixture
def answers():  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    predicted = np.where(rng.random(600) < 0.1, 1 - truth, truth)
    score = np.clip(0.2 + 0.6 * predicted + 0.1 * rng.normal(size=600), 0, 1)
    return truth, predicted, score


def test_shares_are_those_of_the_sequence_in_the_order_given(answers) -> None:  # type: ignore[no-untyped-def]
    truth, predicted, _ = answers
    result = referee.evaluate_predictions(
        truth, predicted, sequential=True, measures=["accuracy", "tpr", "fpr", "precision"]
    )
    wrong = truth != predicted
    of = {"error": slice(None), "tpr": truth == 1, "fpr": truth == 0, "precision": predicted == 1}
    for name, kept in of.items():
        expected = beta_binomial(wrong[kept]).interval
        got = result.estimates[name].interval
        assert got is not None
        assert got.method == "beta-binomial"
        ends = (got.low, got.high)
        if name in ("tpr", "precision"):
            ends = (1 - got.high, 1 - got.low)
        assert ends == pytest.approx((expected.low, expected.high))
    accuracy = result.estimates["accuracy"].interval
    assert accuracy is not None
    assert accuracy.low == pytest.approx(1 - beta_binomial(wrong).interval.high)


def test_brier_and_cost_by_betting_others_without_interval(answers) -> None:  # type: ignore[no-untyped-def]
    truth, predicted, score = answers
    result = referee.evaluate_predictions(
        truth, predicted, y_score=score, costs=(1, 5), sequential=True
    )
    brier = result.estimates["brier"].interval
    expected = betting((score - truth) ** 2).interval
    assert brier is not None
    assert (brier.low, brier.high) == pytest.approx((expected.low, expected.high))
    cost = result.estimates["cost"].interval
    assert cost is not None
    assert cost.method == "betting"
    for name in ("auc", "mcc", "log_loss"):
        assert result.estimates[name].interval is None
        assert "at all times" in result.estimates[name].reason


def test_verdict_picture_and_report(answers, tmp_path) -> None:  # type: ignore[no-untyped-def]
    truth, predicted, _ = answers
    result = referee.evaluate_predictions(truth, predicted, sequential=True, max_error=0.2)
    assert result.verdict.outcome.value == "pass"
    assert "for all times" in result.verdict.sentence
    assert result.sequence is not None
    assert result.sequence.first_below(0.2) is not None
    result.to_html(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Over the cases" in page
    assert "Robbins" in page
    plain = referee.evaluate_predictions(truth, predicted)
    assert plain.sequence is None
    wider, narrower = result.error.interval, plain.error.interval
    assert wider is not None
    assert narrower is not None
    assert wider.width > narrower.width


def test_bundle_comes_to_the_same_numbers(answers, tmp_path) -> None:  # type: ignore[no-untyped-def]
    truth, predicted, _ = answers
    result = referee.evaluate_predictions(truth, predicted, sequential=True)
    path = result.to_bundle(tmp_path / "b.zip")
    assert referee.verify(path).verdict.outcome.value == "pass"


@pytest.mark.parametrize("runs", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_peeking_every_case_keeps_the_level_by_simulation(runs: int) -> None:
    """Stop as soon as the claim looks shown; the fixed interval passes far too often."""
    rng = np.random.default_rng(1)
    passed = 0
    for _ in range(runs):
        wrong = rng.random(400) < 0.2
        truth = np.zeros(400, dtype=int)
        sequence = referee.evaluate_predictions(
            truth, wrong.astype(int), labels=[0, 1], sequential=True, level=0.8
        ).sequence
        assert sequence is not None
        passed += sequence.first_below(0.2) is not None
    assert passed / runs <= 0.2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"interval": "wilson"}, InputError, "fixed in advance"),
        ({"groups": [1, 1, 2, 2]}, Refusal, "one case of each group"),
        ({"sample_weight": [1, 1, 2, 2]}, InputError, "leave out sample_weight"),
        ({"priors": [0.5, 0.5]}, InputError, "leave out priors"),
    ],
)
def test_what_cannot_be_had_at_all_times(arguments, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        referee.evaluate_predictions([0, 1, 0, 1], [0, 1, 1, 1], sequential=True, **arguments)


def test_one_case_and_no_error() -> None:
    one = referee.evaluate_predictions([0], [0], labels=[0, 1], sequential=True)
    assert one.error.interval is not None
    assert one.error.interval.high > 0.9
    none = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 50, sequential=True)
    assert none.error.interval is not None
    assert none.error.interval.low == 0
