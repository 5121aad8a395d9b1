"""Models, answers and tables that tests of comparisons share."""

import math
import re

import numpy as np
import pytest
from sklearn import metrics
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from referee.core import Outcome
from referee.resampling import CalibratedCrossValidation
from referee.significance import COMPARISON_TESTS, Setting

MODELS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)}


HALVED = CalibratedCrossValidation(folds=5, repetitions=4, halvings=3)


POWER = re.compile(
    r"could detect|too few|smallest p|tells? them apart|takes about|below the margin"
)


FIXED_TESTS, UNPAIRED_TESTS, LEARNER_TESTS, SEQUENTIAL_TESTS = (
    [name for name, test in COMPARISON_TESTS.items() if test.setting is setting]
    for setting in Setting
)


MIRROR = {Outcome.FIRST: Outcome.SECOND, Outcome.SECOND: Outcome.FIRST}


def answers(n=240, strengths=(1.2, 0.6), seed=0):
    """Return truth, answers and probabilities of models that know so much."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    names = "abcdefghijklmnopqrstuvwxyz"
    scores = {
        name: 1 / (1 + np.exp(-strength * (2 * truth - 1) - rng.normal(size=n)))
        for name, strength in zip(names, strengths, strict=False)
    }
    return truth, {k: (s > 0.5).astype(int) for k, s in scores.items()}, scores


def table(only_first, only_second, both_right=60, both_wrong=10):
    """Return truth and two models with this table of cases by who was right."""
    sizes = (both_right, only_first, only_second, both_wrong)
    truth = np.arange(sum(sizes)) % 2
    a = np.where(np.repeat([True, True, False, False], sizes), truth, 1 - truth)
    b = np.where(np.repeat([True, False, True, False], sizes), truth, 1 - truth)
    return truth, {"a": a, "b": b}


def turned(preds):
    return dict(reversed(preds.items()))


def main_rows(comparison, name):
    frame = comparison.predictions[name].frame()
    return frame[(frame.part == "main") & (frame.seen == 0)]


def cost(truth, predicted):
    return np.mean(np.where(truth == 1, 5.0, 1.0) * (truth != predicted))


def auc50(truth, score):
    """Area up to the 50th false positive, in units of 50 times all positives (no ties)."""
    ranked = truth[np.argsort(-score)]
    above = np.cumsum(ranked)[ranked == 0][:50]
    return above.sum() / (50 * truth.sum())


ORACLES = {
    "error": lambda t, p, s: 1 - metrics.accuracy_score(t, p),
    "accuracy": lambda t, p, s: metrics.accuracy_score(t, p),
    "tpr": lambda t, p, s: metrics.recall_score(t, p),
    "tnr": lambda t, p, s: metrics.recall_score(t, p, pos_label=0),
    "fpr": lambda t, p, s: 1 - metrics.recall_score(t, p, pos_label=0),
    "fnr": lambda t, p, s: 1 - metrics.recall_score(t, p),
    "precision": lambda t, p, s: metrics.precision_score(t, p),
    "npv": lambda t, p, s: metrics.precision_score(t, p, pos_label=0),
    "f1": lambda t, p, s: metrics.f1_score(t, p),
    "mcc": lambda t, p, s: metrics.matthews_corrcoef(t, p),
    "kappa": lambda t, p, s: metrics.cohen_kappa_score(t, p),
    "balanced_accuracy": lambda t, p, s: metrics.balanced_accuracy_score(t, p),
    "auc": lambda t, p, s: metrics.roc_auc_score(t, s),
    "auc50": lambda t, p, s: auc50(t, s),
    "average_precision": lambda t, p, s: metrics.average_precision_score(t, s),
    "log_loss": lambda t, p, s: metrics.log_loss(t, s),
    "brier": lambda t, p, s: metrics.brier_score_loss(t, s),
    "cost": lambda t, p, s: cost(t, p),
}


COUNTED = {"error", "accuracy", "tpr", "tnr", "fpr", "fnr"}


def costs_of(measure):
    return {"costs": (1, 5)} if measure == "cost" else {}


def zero_one(frame):
    return (frame.truth != frame.predicted).astype(float)


def corrected(per_split, n_train, n_test):
    J = len(per_split)
    se = math.sqrt((1 / J + n_test / n_train) * np.var(per_split, ddof=1))
    return np.mean(per_split), se, J - 1


def mirrored(one, other):
    d, e = one.pairs[0], other.pairs[0]
    assert e.difference.value == pytest.approx(-d.difference.value, abs=1e-12)
    assert e.evidence.p_value == pytest.approx(d.evidence.p_value, abs=1e-10)
    assert (d.first, d.second) == (e.second, e.first)
    assert e.outcome is MIRROR.get(d.outcome, d.outcome)
    assert other.verdict.outcome is MIRROR.get(one.verdict.outcome, one.verdict.outcome)
    assert d.better == e.better
    i, j = d.difference.interval, e.difference.interval
    assert (i is None) == (j is None)
    if i is not None:
        assert (j.low, j.high) == pytest.approx((-i.high, -i.low), abs=1e-10)
    for name in ("detectable", "rows_needed", "smallest_p", "reservation"):
        mine, theirs = getattr(d, name), getattr(e, name)
        assert theirs == (pytest.approx(mine) if isinstance(mine, float) else mine)
