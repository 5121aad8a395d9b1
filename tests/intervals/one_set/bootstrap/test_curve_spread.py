"""Spread of measures of long rankings, against resampling and against differentiation."""

import numpy as np
import pytest

from referee.intervals.area.placements import curve_placements, placements
from referee.intervals.one_set.bootstrap.areas_spread import areas_sd
from referee.intervals.one_set.bootstrap.curve_spread import (
    LONG,
    average_precision_sd,
    curve_sd,
    early_area_replicates,
    partial_area_sd,
    serves,
)
from referee.intervals.one_set.bootstrap.ranking import MEASURES, bootstrap_ranking
from referee.measures.formulas.multiclass import auc_one_against_one, pairs_apart, rests_apart
from referee.measures.formulas.precision_recall import average_precision
from referee.measures.formulas.roc import auc_k, partial_auc, roc_curve


def _ranking(n, share, ties, seed=0):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < share
    scores = rng.normal(size=n) + 1.2 * positive
    return positive, np.round(scores, 1) if ties else scores


def _sd_by_differences(form, positive, scores, stratify):
    """Return the infinitesimal jackknife by moving the weight of each case a little."""
    step, squares = 1e-5, 0.0
    everyone = np.ones(len(positive), dtype=bool)
    for of_class in (positive, ~positive) if stratify else (everyone,):
        influence = []
        for i in np.flatnonzero(of_class):
            values = []
            for side in (1, -1):
                w = np.ones(len(scores))
                w[i] += side * step
                w[of_class] *= of_class.sum() / w[of_class].sum()  # as many drawn as there are
                values.append(form(roc_curve(positive, scores, w)))
            influence.append((values[0] - values[1]) / (2 * step))
        squares += np.sum((np.array(influence) - np.mean(influence)) ** 2)
    return np.sqrt(squares)


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("form", "sd"), [(average_precision, average_precision_sd), (partial_auc, partial_area_sd)]
)
def test_sd_against_differentiation(form, sd, ties, stratify):
    positive, scores = _ranking(300, 0.3, ties)
    expected = _sd_by_differences(form, positive, scores, stratify)
    ours = sd(roc_curve(positive, scores), stratify=stratify)
    assert ours == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("n", "share", "ties"), [(6000, 0.4, False), (8000, 0.15, True)])
def test_sd_against_the_bootstrap(n, share, ties):
    positive, scores = _ranking(n, share, ties, seed=5)
    stratify = not ties
    drawn = bootstrap_ranking(positive, scores, rounds=4000, seed=1, stratify=stratify)
    curve = roc_curve(positive, scores)
    by_name = dict(zip(MEASURES, drawn.std(axis=0, ddof=1), strict=True))
    # The standard deviation of 4000 replicates is itself known to about 1.1 %.
    for name in ("average_precision", "partial_auc"):
        assert curve_sd(curve, name, stratify=stratify) == pytest.approx(by_name[name], rel=0.045)


@pytest.mark.parametrize("ties", [False, True])
def test_early_area_against_the_bootstrap(ties):
    positive, scores = _ranking(6000, 0.4, ties, seed=2)
    curve = roc_curve(positive, scores)
    ours = early_area_replicates(curve, 50, rounds=4000, stratify=not ties, seed=7)
    drawn = bootstrap_ranking(positive, scores, rounds=4000, seed=1, stratify=not ties)
    theirs = drawn[:, MEASURES.index("auc_k")]
    error = theirs.std() / np.sqrt(2000)
    assert ours.mean() == pytest.approx(theirs.mean(), abs=4 * error)
    assert ours.std() == pytest.approx(theirs.std(), rel=0.06)
    assert abs(ours.mean() - auc_k(curve)) < 3 * theirs.std()


def test_curve_placements_against_placements():
    positive, scores = _ranking(500, 0.3, True)
    one, two = placements(positive, scores), curve_placements(roc_curve(positive, scores))
    assert (two.auc, two.variance) == pytest.approx((one.auc, one.variance), rel=1e-12)
    assert two.sizes == one.sizes


def test_areas_against_resampling():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], [300, 500, 400])
    scores = rng.normal(size=(1200, 3)) + 1.3 * np.eye(3)[truth]
    classes = [np.flatnonzero(truth == c) for c in range(3)]
    drawn = []
    for _ in range(800):
        rows = np.concatenate([rng.choice(c, len(c)) for c in classes])
        drawn.append(auc_one_against_one(truth[rows], scores[rows]))
    # 800 replicates give their standard deviation to about 2.5 %.
    assert areas_sd(truth, scores, pairs_apart(truth, 3)) == pytest.approx(np.std(drawn), rel=0.1)


def test_one_class_against_rest_is_delong():
    positive, scores = _ranking(400, 0.4, False)
    both = np.column_stack([-scores, scores])
    placed = placements(positive, scores)
    m, n = placed.counts
    expected = np.sqrt(placed.of_positives.var() / m + placed.of_negatives.var() / n)
    sd = areas_sd(positive.astype(int), both, rests_apart(positive.astype(int), 2))
    assert sd == pytest.approx(expected, rel=1e-9)


def test_short_or_lopsided_curves_are_left_to_the_bootstrap():
    positive, scores = _ranking(LONG, 0.5, False)
    assert serves(roc_curve(positive, scores))
    assert not serves(roc_curve(positive[:-1], scores[:-1]))
    assert not serves(roc_curve(np.arange(LONG) < 999, scores))
