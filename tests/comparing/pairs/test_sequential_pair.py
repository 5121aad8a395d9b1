"""compare_predictions(..., sequential=True): evidence and intervals at all times."""

import numpy as np
import pytest

import referee
from referee.errors import Refusal
from referee.intervals.sequential import betting
from referee.significance.sequential import difference_e_process, pair_e_process


def models(seed: int, n: int, *errors: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    names = "abcdef"[: len(errors)]
    return truth, {
        name: np.where(rng.random(n) < e, 1 - truth, truth)
        for name, e in zip(names, errors, strict=True)
    }


def test_test_and_interval_are_the_sequential_ones() -> None:
    truth, preds = models(0, 800, 0.05, 0.2)
    result = referee.compare_predictions(truth, preds, sequential=True)
    one, two = (preds[name] != truth for name in "ab")
    process = pair_e_process(one, two)
    assert result.evidence.test == "mcnemar-sequential"
    assert result.evidence.p_value == process.p_value
    expected = betting(one.astype(float) - two, bounds=(-1, 1)).interval
    got = result.difference.interval
    assert got is not None
    assert (got.low, got.high) == (expected.low, expected.high)
    assert result.verdict.outcome.value == "first"
    assert "so far" in result.verdict.sentence
    assert result.evidence_process is not None
    assert result.evidence_process.first_rejection() == process.first_rejection()


def test_accuracy_and_rates_are_turned_the_right_way() -> None:
    truth, preds = models(1, 800, 0.05, 0.2)
    error, accuracy, rate = (
        referee.compare_predictions(truth, preds, sequential=True, measure=m)
        for m in ("error", "accuracy", "tpr")
    )
    assert accuracy.difference.value == pytest.approx(-error.difference.value)
    for result in (error, accuracy, rate):
        assert result.verdict.outcome.value == "first"


def test_non_inferiority_and_equivalence() -> None:
    truth, preds = models(2, 3000, 0.1, 0.1)
    shown = referee.compare_predictions(
        truth, preds, sequential=True, claim="non-inferior", rope=0.05
    )
    assert shown.verdict.outcome.value == "pass"
    alike = referee.compare_predictions(truth, preds, sequential=True, rope=0.05)
    assert alike.verdict.outcome.value == "equivalent"
    one, two = (preds[name] != truth for name in "ab")
    both = [
        difference_e_process(one.astype(float) - two, margin=m, alternative=side).p_value
        for m, side in ((0.05, "less"), (-0.05, "greater"))
    ]
    (pair,) = alike.pairs
    assert pair.equivalence is not None
    assert pair.equivalence.p_value == max(both)


def test_brier_and_cost_by_betting() -> None:
    truth, preds = models(3, 500, 0.05, 0.3)
    scores = {name: np.where(p == 1, 0.8, 0.2) for name, p in preds.items()}
    for measure, more in (("brier", {"y_scores": scores}), ("cost", {"costs": (1, 3)})):
        result = referee.compare_predictions(truth, preds, sequential=True, measure=measure, **more)
        assert result.evidence.test == "betting-sequential"
        assert result.verdict.outcome.value == "first"


def test_several_models_report_and_bundle(tmp_path) -> None:  # type: ignore[no-untyped-def]
    truth, preds = models(4, 900, 0.05, 0.15, 0.3)
    result = referee.compare_predictions(truth, preds, sequential=True)
    assert result.omnibus is None
    assert [s.name for s in result.standings] == ["a", "b", "c"]
    result.to_html(tmp_path / "r.html")
    path = result.to_bundle(tmp_path / "b.zip")
    assert referee.verify(path).verdict.outcome.value == "pass"
    two = referee.compare_predictions(truth, {n: preds[n] for n in "ab"}, sequential=True)
    two.to_html(tmp_path / "two.html")
    assert "Over the cases" in (tmp_path / "two.html").read_text(encoding="utf-8")


def test_equal_models_over_all_stopping_times_by_simulation() -> None:
    differ = sum(
        referee.compare_predictions(
            *models(seed, 300, 0.2, 0.2), sequential=True, level=0.8
        ).evidence.p_value
        <= 0.2
        for seed in range(150)
    )
    assert differ / 150 <= 0.2


def test_identical_models() -> None:
    truth, preds = models(5, 50, 0.2)
    result = referee.compare_predictions(truth, {"a": preds["a"], "b": preds["a"]}, sequential=True)
    assert result.evidence.p_value == 1
    assert result.difference.value == 0
    assert result.verdict.outcome.value == "undecided"


def test_evidence_that_turned_around_decides_nothing() -> None:
    truth = np.zeros(4000, dtype=int)
    one = np.concatenate([np.zeros(1000), np.ones(3000)]).astype(int)
    result = referee.compare_predictions(
        truth,
        {"a": np.where(np.arange(4000) < 1100, 0, 1), "b": 1 - one},
        labels=[0, 1],
        sequential=True,
    )
    assert result.verdict.outcome.value in ("undecided", "second")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"significance": "mcnemar-exact"}, Refusal, "fixed in advance"),
        ({"interval": "tango"}, Refusal, "fixed in advance"),
        ({"groups": np.arange(60) // 2}, Refusal, "one case of each group"),
        ({"measure": "mcc"}, Refusal, "no test that holds at all times is known for mcc"),
    ],
)
def test_what_cannot_be_had_at_all_times(arguments, error, message: str) -> None:  # type: ignore[no-untyped-def]
    truth, preds = models(6, 60, 0.1, 0.2)
    with pytest.raises(error, match=message):
        referee.compare_predictions(truth, preds, sequential=True, **arguments)
    with pytest.raises(Refusal, match="predict the same cases"):
        referee.compare_predictions({"a": truth, "b": truth}, preds, sequential=True)
