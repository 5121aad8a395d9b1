"""Large tables against the same tables read case by case."""

import numpy as np
import pytest

from referee import evaluate_predictions
from referee.core.predictions import Predictions
from referee.intervals.one_set.bootstrap.matrix import bootstrap_matrix
from referee.judging.estimating.measuring import Measuring
from referee.judging.estimating.rivals import guessing_error
from referee.measures import Losses
from referee.measures.formulas.rates import matthews
from referee.measures.shares import ACCURACY, ERROR, FNR, FPR, NPV, PRECISION, TNR, TPR

N = 70_000


def _labels(classes, n=N, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    answers = np.where(rng.random(n) < 0.2, rng.integers(0, classes, n), truth)
    return truth, answers


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("measure", [ERROR, ACCURACY, TPR, TNR, FPR, FNR, PRECISION, NPV])
def test_counts_of_shares_against_rows(measure, classes):
    table = Predictions.of(*_labels(classes, 500))
    rows = Losses.of(measure.among(table, 1))
    counts = Losses.of_counts(*measure.counts(table.cell_counts.astype(float), 1))
    assert (counts.mean, counts.n) == (rows.mean, rows.n)
    assert np.array_equal(np.sort(counts.per_case), np.sort(rows.per_case))


@pytest.mark.parametrize("kind", [int, bool, str, float, "U3", object, np.int8, np.uint64])
def test_many_labels_of_any_kind_against_few(kind):
    truth, answers = _labels(2)
    names = np.array(["no", "yes"]) if kind in (str, "U3", object) else np.array([0, 1])
    dtype = object if kind is str else kind
    y_true, y_pred = (names[a].astype(dtype) for a in (truth, answers))
    e = evaluate_predictions(y_true, y_pred, pos_label=y_true[truth == 1][0])
    assert e.error.value == np.mean(truth != answers)
    assert e.predictions.classes == tuple(np.unique(y_true).tolist())
    assert np.array_equal(e.predictions.truth, truth)


def test_an_unknown_label_far_down_is_named():
    truth, answers = _labels(3)
    answers[65_432] = 7
    with pytest.raises(Exception, match="label 7 in row 65432"):
        evaluate_predictions(truth, answers)


def test_patterns_of_groups_against_a_loop():
    truth, answers = _labels(3, 4000)
    groups = np.random.default_rng(1).integers(0, 900, 4000)
    table = Predictions.of(truth, answers, groups=groups)
    b = bootstrap_matrix(table, {"mcc": matthews}, rounds=50)["mcc"]
    names = np.unique(groups)
    kept = [groups != g for g in names]
    by_hand = [
        float(matthews(table.rows(np.flatnonzero(k)).cell_counts.astype(float))) for k in kept
    ]
    assert np.sort(np.repeat(b.jackknife, b.times)) == pytest.approx(np.sort(by_hand))


def test_cells_against_the_general_patterns():
    """Without groups cells are drawn; equal weights force the general way, to the same draws."""
    truth, answers = _labels(3, 3000)
    plain = Predictions.of(truth, answers)
    weighted = Predictions.of(truth, answers, sample_weight=np.ones(3000))
    one, two = (bootstrap_matrix(t, {"m": matthews}, rounds=20)["m"] for t in (plain, weighted))
    assert np.array_equal(one.replicates, two.replicates)
    assert one.jackknife.tolist() == two.jackknife.tolist()
    assert one.times.tolist() == two.times.tolist()


def test_guessing_from_counts_against_rows():
    truth, answers = _labels(3, 900)
    one, label = guessing_error(Predictions.of(truth, answers), 0.95)
    assert label == np.argmax(np.bincount(truth))
    assert one.value == np.mean(truth != label)
    assert one.n == 900


@pytest.mark.parametrize("measure", ["average_precision", "partial_auc", "auc50", "auc"])
def test_long_rankings_against_the_bootstrap(measure, monkeypatch):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 60_000)
    score = rng.normal(size=60_000) + truth
    table = Predictions.of(truth, (score > 0.5).astype(int), y_score=score)
    ours = Measuring(predictions=table, positive=1).estimate(measure)
    monkeypatch.setattr("referee.judging.estimating.rankings.ranked.LONG", 10**9)
    drawn = Measuring(predictions=table, positive=1).estimate(measure)
    assert ours.value == pytest.approx(drawn.value, rel=1e-12)
    assert ours.interval.method == drawn.interval.method
    # 2000 replicates know their spread to 1.6 %.
    assert ours.interval.width == pytest.approx(drawn.interval.width, rel=0.07)


def test_rows_are_not_copied_and_codes_are_short():
    truth, answers = _labels(2)
    table = Predictions.of(truth, answers)
    assert table.unseen is table
    assert table.split.strides == table.seen.strides == (0,)
    assert table.truth.itemsize + table.predicted.itemsize + table.case.itemsize <= 16
