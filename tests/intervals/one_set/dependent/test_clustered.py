"""Intervals of grouped cases: more errors never lower an end, and groups are never worth none."""

import numpy as np
import pytest

import referee
from referee.core.predictions import Predictions
from referee.intervals import clopper_pearson
from referee.intervals.catalogue import RISK_INTERVALS, risk_interval
from referee.intervals.risk import RiskSample
from referee.measures.losses import Losses

GROUPS = np.repeat(np.arange(12), 5)
TRUTH = np.arange(60) % 2


def answers(errors):
    """Return answers with one error in each of the first groups."""
    given = TRUTH.copy()
    given[5 * np.arange(errors)] ^= 1
    return given


def interval(given, name="auto"):
    table = Predictions.of(TRUTH, given, groups=GROUPS)
    return risk_interval(RiskSample(losses=Losses.of(table)), name)


@pytest.mark.parametrize("name", ["auto", "clopper-pearson", "wilson", "jeffreys"])
def test_more_errors_never_lower_an_end(name):
    """The upper end was .265 without an error and .21 with four."""
    ends = np.array([(i.low, i.high) for i in (interval(answers(k), name) for k in range(13))])
    assert (np.diff(ends, axis=0) >= -1e-12).all()
    if name == "auto":
        assert ends[0].tolist() == pytest.approx([0, clopper_pearson(0, 12).high])
        assert ends[12, 1] == pytest.approx(0.341, abs=0.001)  # it was .520


def test_no_error_passes_whatever_eight_errors_pass():
    said = [
        referee.evaluate_predictions(TRUTH, answers(k), groups=GROUPS, max_error=0.25)
        for k in (0, 8)
    ]
    assert [e.verdict.outcome for e in said] == ["undecided", "undecided"]


def test_a_win_in_every_group_against_the_test():
    """The interval reached from -10.8 to 45.1 beside p < .001."""
    pair = referee.compare_predictions(TRUTH, {"a": TRUTH, "b": answers(12)}, groups=GROUPS).pairs[
        0
    ]
    assert pair.evidence.p_value < 0.001
    low, high = pair.difference.interval.low, pair.difference.interval.high
    assert (low, high) == pytest.approx((-0.315, -0.069), abs=0.001)


def test_few_cases_without_an_error_are_told_by_their_groups():
    e = referee.evaluate_predictions(TRUTH, answers(6), groups=GROUPS)
    finding = next(f for f in e.findings if f.code == "R006")
    assert "26.5 %" in finding.message


def test_weights_are_named_and_no_interval_of_them_is_called_exact():
    weight = np.where(TRUTH == 1, 3.0, 1.0)
    e = referee.evaluate_predictions(TRUTH, answers(6), sample_weight=weight)
    assert e.error.interval.method == "weighted"
    equal = referee.evaluate_predictions(TRUTH, answers(6), sample_weight=np.full(60, 3.0))
    assert equal.error.interval.n_effective == 60
    named = referee.evaluate_predictions(
        TRUTH, answers(6), sample_weight=weight, interval="clopper-pearson"
    )
    assert "equal weight" in named.error.interval.flag


@pytest.mark.parametrize("scale", [1e-300, 1e300])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_tiny_and_huge_weights(scale, groups):
    made = [
        referee.evaluate_predictions(
            TRUTH,
            answers(6),
            sample_weight=(1.0 + TRUTH) * s,
            groups=groups,
            measures=["balanced_accuracy", "mcc", "tpr"],
        ).estimates
        for s in (1.0, scale)
    ]
    for name, estimate in made[0].items():
        again = made[1][name]
        assert again.value == pytest.approx(estimate.value)
        assert (again.interval.low, again.interval.high) == pytest.approx(
            (estimate.interval.low, estimate.interval.high), abs=1e-9
        )


def test_every_interval_of_rates_that_never_vary_has_its_ends_in_order():
    """TNR was in (0, -2e-16) and FPR in (1.0000000000000002, 1)."""
    rng = np.random.default_rng(0)
    for name in RISK_INTERVALS:
        if name in ("clustered", "weighted"):
            continue
        for seed in range(3):
            n = 7 + seed
            losses = Losses(
                np.ones(3 * n),
                np.tile(np.arange(n), 3),
                np.repeat(np.arange(3), n),
                np.repeat(np.arange(3), n),
                np.full(3 * n, 20.0 + rng.random()),
            )
            sample = RiskSample(losses=losses, fits=3, partition=False)
            if RISK_INTERVALS[name].refusal(sample.situation) is None:
                got = RISK_INTERVALS[name](sample)
                assert 0 <= got.low <= got.high <= 1, name
