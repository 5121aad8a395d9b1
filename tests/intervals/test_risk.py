"""Every interval of a risk passes one contract; the automatic choice and the refusals by case."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.results import Target
from referee.errors import InputError, Refusal
from referee.intervals import (
    RISK_INTERVALS,
    RiskSample,
    clopper_pearson,
    corrected_t,
    effective_n,
    risk_interval,
    student_t,
)
from referee.measures import Losses


def one_test_set(n, errors, **more):
    """One test set with so many errors."""
    zeros = np.zeros(n, int)
    value = (np.arange(n) < errors).astype(float)
    return Losses(value, np.arange(n), zeros, zeros, zeros, **more)


def folds(n, R, seed, rate=0.25, k=10, **more):
    """R repetitions of k folds."""
    rng = np.random.default_rng(seed)
    return Losses(
        value=(rng.random(R * n) < rate).astype(float),
        case=np.tile(np.arange(n), R),
        split=np.concatenate([k * r + rng.permutation(n) % k for r in range(R)]),
        repetition=np.repeat(np.arange(R), n),
        n_train=np.full(R * n, n - n // k),
        **more,
    )


def holdouts(R=20, n=60, n_test=20, seed=0, rate=0.3):
    rng = np.random.default_rng(seed)
    return Losses(
        value=(rng.random(R * n_test) < rate).astype(float),
        case=np.concatenate([rng.permutation(n)[:n_test] for _ in range(R)]),
        split=np.repeat(np.arange(R), n_test),
        repetition=np.repeat(np.arange(R), n_test),
        n_train=np.full(R * n_test, n - n_test),
    )


def pairs_of_folds(outer, seed, rate=0.25):
    """The inner losses that belong to one or more passes of k folds."""
    rng = np.random.default_rng(seed)
    rows = []
    for r in np.unique(outer.repetition):
        here = outer.repetition == r
        case, fold = outer.case[here], outer.split[here]
        for i, j in combinations(np.unique(fold), 2):
            number = rows[-1][1] + 1 if rows else 0
            rows += [(c, number, r) for c in case[(fold == i) | (fold == j)]]
    case, split, repetition = np.array(rows).T
    value = (rng.random(len(case)) < rate).astype(float)
    return Losses(value, case, split, repetition, np.zeros(len(case)))


def in_halves(n, halvings, seed, rate=0.25, n_test=5, J=3):
    """J holdouts in both halves of some halvings."""
    rng = np.random.default_rng(seed)
    cases, half = [], []
    for m in range(halvings):
        order = rng.permutation(n)
        for j, rows in enumerate((order[: n // 2], order[n // 2 :])):
            for _ in range(J):
                cases.append(rng.permutation(rows)[:n_test])
                half.append(2 * m + j)
    case = np.concatenate(cases)
    return Losses(
        value=(rng.random(len(case)) < rate).astype(float),
        case=case,
        split=np.repeat(np.arange(len(half)), n_test),
        repetition=np.repeat(half, n_test),
        n_train=np.full(len(case), n // 2 - n_test),
    )


def suitable(name, seed, n=40, rate=0.25):
    """A sample each entry accepts."""
    if name == "clustered":
        groups = np.arange(n) // 4
        errors = int(rate * n)
        return RiskSample(losses=one_test_set(n, errors, groups=groups), seed=seed)
    if name == "weighted":
        weight = 1.0 + np.arange(n) % 3
        return RiskSample(losses=one_test_set(n, int(rate * n), weight=weight), seed=seed)
    if name == "serial":
        losses = replace(one_test_set(n, int(rate * n)), moment=np.arange(n))
        return RiskSample(losses=losses, seed=seed)
    if name == "effective-jeffreys":
        return RiskSample(
            losses=folds(n, 4, seed, rate), fits=40, halves=folds(n, 4, seed + 1, rate, k=2)
        )
    if name == "nested-cv":
        outer = folds(n, 2, seed, rate, k=5)
        return RiskSample(losses=outer, fits=10, nested=pairs_of_folds(outer, seed, rate))
    if name == "conservative-z":
        return RiskSample(
            losses=holdouts(15, n, 5, seed, rate),
            fits=15,
            half_holdouts=in_halves(n, 4, seed, rate),
            partition=False,
        )
    if name in ("student-t", "corrected-t", "cv-clt", "cv-clt-all-pairs"):
        return RiskSample(losses=folds(n, 1, seed, rate), fits=10)
    return RiskSample(losses=one_test_set(n, int(rate * n)), seed=seed)


OF_SHARES = [name for name, m in RISK_INTERVALS.items() if m.of_losses != "numbers"]


@pytest.mark.parametrize("name", OF_SHARES)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    n=st.integers(20, 120),
    rate=st.sampled_from([0.0, 0.05, 0.3, 0.7, 1.0]),
)
def test_contract(name, seed, n, rate):
    sample = suitable(name, seed, n, rate)
    made = risk_interval(sample, name)
    value = sample.losses.mean if made.centre is None else made.centre
    again = risk_interval(sample, name)
    # t intervals are centred at the mean of fold means, which unequal folds move a little.
    slack = 0.05 if name.endswith("-t") else 1e-9
    assert 0 <= made.low <= value + slack
    assert value - slack <= made.high <= 1
    assert (made.method, made.level) == (name, 0.95)
    assert (made.low, made.high) == (again.low, again.high)
    assert made.low < made.high or made.flag or name == "wald"


@pytest.mark.parametrize("name", OF_SHARES)
def test_order_and_numbers_of_cases_do_not_matter(name):
    sample = suitable(name, 3)
    losses = sample.losses
    order = np.random.default_rng(1).permutation(len(losses.value))
    groups = None if losses.groups is None else 7 + 2 * losses.groups[order]
    moved = Losses(
        losses.value[order],
        1000 - losses.case[order],
        losses.split[order],
        losses.repetition[order],
        losses.n_train[order],
        groups,
        None if losses.weight is None else losses.weight[order],
        None if losses.moment is None else losses.moment[order],
    )
    nested = sample.nested and replace(sample.nested, case=1000 - sample.nested.case)
    again = replace(sample, losses=moved, nested=nested)
    a, b = risk_interval(sample, name), risk_interval(again, name)
    slack = 0.03 if name in ("percentile", "basic", "bca") else 1e-9
    assert (b.low, b.high) == pytest.approx((a.low, a.high), abs=slack)


@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name, m in RISK_INTERVALS.items()
        if name in OF_SHARES and m.target in (None, Target.FIXED) and name != "effective-jeffreys"
    ),
)
def test_error_and_accuracy_mirror_each_other(name):
    groups = np.arange(40) // 4 if name == "clustered" else None
    weight = 1.0 + np.arange(40) % 3 if name == "weighted" else None
    losses = one_test_set(40, 13, groups=groups, weight=weight)
    losses = replace(losses, moment=np.arange(40) if name == "serial" else None)
    right = replace(losses, value=1 - losses.value)
    a = risk_interval(RiskSample(losses=losses, seed=1), name)
    b = risk_interval(RiskSample(losses=right, seed=1), name).complement()
    slack = 0.03 if name in ("percentile", "basic", "bca") else 1e-9
    assert (b.low, b.high) == pytest.approx((a.low, a.high), abs=slack)


@pytest.mark.parametrize("name", OF_SHARES)
def test_level_is_obeyed(name):
    sample = suitable(name, 5)
    wide = risk_interval(RiskSample(**{**vars(sample), "level": 0.99}), name)
    narrow = risk_interval(RiskSample(**{**vars(sample), "level": 0.5}), name)
    assert wide.width > narrow.width


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (RiskSample(losses=one_test_set(30, 3)), "clopper-pearson"),
        (RiskSample(losses=folds(40, 1, 0), fits=10), "effective-jeffreys"),
        (RiskSample(losses=folds(40, 3, 0), fits=30), "effective-jeffreys"),
        (RiskSample(losses=one_test_set(30, 3, groups=np.arange(30) // 3)), "clustered"),
        (RiskSample(losses=folds(40, 1, 0, groups=np.arange(40) // 4), fits=10), "clustered"),
        (RiskSample(losses=holdouts(), fits=20, partition=False), "corrected-t"),
        (suitable("nested-cv", 0), "nested-cv"),
        (suitable("conservative-z", 0), "conservative-z"),
    ],
    ids=[
        "test set",
        "cv",
        "repeated cv",
        "groups",
        "grouped cv",
        "repeated holdout",
        "nested cv",
        "halved holdout",
    ],
)
def test_automatic_choice(sample, expected):
    assert RISK_INTERVALS.choose(sample.situation).name == expected
    assert risk_interval(sample).method == expected


def test_test_set_against_clopper_pearson():
    made = risk_interval(RiskSample(losses=one_test_set(148, 15)))
    exact = clopper_pearson(15, 148)
    assert (made.low, made.high) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert (made.target, made.n_effective) == (Target.FIXED, 148)


def test_repeated_holdout_against_corrected_t():
    losses = holdouts()
    means = np.array([losses.value[losses.split == s].mean() for s in range(20)])
    made = risk_interval(RiskSample(losses=losses, fits=20, partition=False))
    oracle = corrected_t(means, 40, 20)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))


def test_student_t_over_folds_against_student_t():
    losses = folds(40, 1, 2)
    means = np.array([losses.value[losses.split == s].mean() for s in range(10)])
    made = risk_interval(RiskSample(losses=losses, fits=10), "student-t")
    oracle = student_t(means)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))


def test_groups_against_clopper_pearson_at_the_effective_number():
    groups = np.arange(40) // 4
    losses = one_test_set(40, 10, groups=groups)
    n = effective_n(losses.value, groups=groups)
    oracle = clopper_pearson(0.25 * n, n)
    made = risk_interval(RiskSample(losses=losses))
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))
    assert made.target is Target.FIXED
    several = risk_interval(RiskSample(losses=losses, fits=10))
    assert several.n_effective == pytest.approx(n / 1.5)
    assert several.target is Target.CONDITIONAL


def test_weights_enter_estimate_and_width():
    weights = np.where(np.arange(100) < 20, 4.0, 1.0)
    losses = one_test_set(100, 10, weight=weights)
    made = risk_interval(RiskSample(losses=losses))
    n = effective_n(losses.value, weights=weights)
    assert n < weights.sum() ** 2 / (weights**2).sum()  # only heavy cases err
    assert made.method == "weighted"
    oracle = clopper_pearson(40 / 160 * n, n)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))


def test_weights_enter_the_means_of_splits():
    weights = np.tile(np.random.default_rng(0).random(40), 1)
    losses = folds(40, 1, 4, weight=weights)
    means = [
        np.average(losses.value[losses.split == s], weights=weights[losses.split == s])
        for s in range(10)
    ]
    made = risk_interval(RiskSample(losses=losses, fits=10), "corrected-t")
    weighed = np.array([weights[losses.split == s].sum() for s in range(10)])
    oracle = corrected_t(np.array(means), 36, 4, weights=weighed)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))
    # Weighted means of splits pool to the weighted error, which the interval is about.
    assert np.average(means, weights=weighed) == pytest.approx(losses.mean)


@pytest.mark.parametrize("name", ["clopper-pearson", "wilson", "percentile", "basic", "bca"])
def test_predictions_of_several_models_are_flagged(name):
    made = risk_interval(RiskSample(losses=folds(40, 1, 0), fits=10), name)
    assert "several models" in made.flag


@pytest.mark.parametrize("name", ["percentile", "basic", "bca"])
def test_an_interval_without_width_is_flagged(name):
    made = risk_interval(RiskSample(losses=one_test_set(50, 0)), name)
    assert made.width == 0
    assert "no width" in made.flag


@pytest.mark.parametrize(
    ("sample", "name", "message"),
    [
        (RiskSample(losses=one_test_set(9, 2)), "clustered", "needs groups="),
        (RiskSample(losses=one_test_set(9, 2)), "effective-jeffreys", "clopper-pearson"),
        (
            RiskSample(losses=holdouts(), fits=20, partition=False),
            "effective-jeffreys",
            "corrected-t",
        ),
        (
            RiskSample(losses=folds(40, 1, 0, groups=np.arange(40) // 4), fits=10),
            "effective-jeffreys",
            "interval='clustered'",
        ),
        (RiskSample(losses=folds(40, 3, 0), fits=30), "student-t", "corrected-t"),
        (RiskSample(losses=folds(40, 1, 0), fits=10), "nested-cv", "use by='nested-cv'"),
        (RiskSample(losses=folds(40, 1, 0), fits=10), "conservative-z", "use by='conservative-z'"),
        (RiskSample(losses=folds(40, 3, 0), fits=30), "cv-clt", "one pass .* use by=10"),
        (RiskSample(losses=one_test_set(9, 2)), "cv-clt", "clopper-pearson"),
        (RiskSample(losses=holdouts(), fits=20, partition=False), "cv-clt-all-pairs", "use by=10"),
        (RiskSample(losses=holdouts(), fits=20, partition=False), "student-t", "corrected-t"),
    ],
)
def test_refusals_name_the_alternative(sample, name, message):
    with pytest.raises(Refusal, match=message):
        risk_interval(sample, name)


@pytest.mark.parametrize("name", ["student-t", "corrected-t"])
def test_t_needs_two_splits(name):
    with pytest.raises(Refusal, match="at least 2 splits, got 1"):
        risk_interval(RiskSample(losses=one_test_set(9, 2)), name)


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'wilson'"):
        risk_interval(RiskSample(losses=one_test_set(9, 2)), "willson")
