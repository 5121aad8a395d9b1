"""compare and compare_predictions: the right test, rightly fed; refusals, corners and sentences."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import referee
from referee.comparing.comparison import Duel
from referee.comparing.comparison_verdict import verdict_of
from referee.comparing.question import (
    FIXED_TESTS,
    INTERVALS,
    LEARNER_TESTS,
    UNPAIRED_TESTS,
    Question,
)
from referee.comparing.standings import standings
from referee.core import Estimate, Evidence, Outcome, Part, Target
from referee.errors import InputError, RefereeError, Refusal
from referee.measures import measure_named
from referee.resampling import CalibratedCrossValidation

MODELS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(3)}
HALVED = CalibratedCrossValidation(folds=5, repetitions=4, halvings=3)
POWER = re.compile(
    r"could have shown|too few|smallest p|tells? them apart|takes about|below the margin"
)
MIRROR = {Outcome.FIRST: Outcome.SECOND, Outcome.SECOND: Outcome.FIRST}


@pytest.fixture(scope="module")
def cancer():
    """140 cases, 50 of them positive: five folds are alike in size and in classes."""
    X, y = load_breast_cancer(return_X_y=True)
    y = 1 - y
    rows = np.sort(np.concatenate([np.flatnonzero(y == 1)[:50], np.flatnonzero(y == 0)[:90]]))
    return X[rows, :6], y[rows]


@pytest.fixture(scope="module")
def halved(cancer):
    return referee.compare(MODELS, *cancer, by=HALVED, random_state=0)


@pytest.fixture(scope="module")
def twice(cancer):
    return referee.compare(MODELS, *cancer, by="2x5", random_state=0)


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


# Fixed models: what is picked, and whether it is fed rightly.


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (3, 3), (2, 9), (15, 4), (0, 8), (40, 20)])
def test_fixed_models_against_statsmodels_exact_mcnemar(b, c):
    truth, preds = table(b, c)
    made = referee.compare_predictions(truth, preds)
    right_a, right_b = preds["a"] == truth, preds["b"] == truth
    oracle = mcnemar(pd.crosstab(right_a, right_b).to_numpy(), exact=True)
    assert made.evidence.test == "mcnemar-exact"
    assert made.evidence.p_value == pytest.approx(min(1.0, oracle.pvalue), abs=1e-12)
    assert made.difference.value == pytest.approx(np.mean(~right_a) - np.mean(~right_b))
    assert made.difference.interval.method == "bonett-price"
    assert made.evidence.target is Target.FIXED
    assert (made.duels[0].pairs.first_right, made.duels[0].pairs.second_right) == (b, c)


def test_bonett_price_interval_against_its_formula():
    truth, preds = table(9, 25)
    made = referee.compare_predictions(truth, preds, level=0.9)
    n = len(truth)
    p12, p21 = (25 + 1) / (n + 2), (9 + 1) / (n + 2)
    se = math.sqrt((p12 + p21 - (p12 - p21) ** 2) / (n + 2))
    half = stats.norm.ppf(0.95) * se
    ends = (made.difference.interval.low, made.difference.interval.high)
    assert ends == pytest.approx((p12 - p21 - half, p12 - p21 + half))


def test_string_labels_of_three_classes_against_statsmodels():
    rng = np.random.default_rng(3)
    names = np.array(["red", "green", "blue"])
    truth = rng.integers(0, 3, 300)
    preds = {
        m: names[np.where(rng.random(300) < e, rng.integers(0, 3, 300), truth)]
        for m, e in (("good", 0.1), ("bad", 0.4))
    }
    made = referee.compare_predictions(names[truth], preds)
    cells = pd.crosstab(*(preds[m] == names[truth] for m in preds)).to_numpy()
    assert made.evidence.p_value == pytest.approx(mcnemar(cells, exact=True).pvalue)
    assert made.verdict.outcome is Outcome.FIRST
    assert "good is better than bad" in made.verdict.sentence


@pytest.mark.parametrize(("adjust", "name"), [("holm", "holm"), ("benjamini-hochberg", "fdr_bh")])
def test_all_pairs_against_statsmodels_multipletests(adjust, name):
    truth, preds, _ = answers(200, (1.6, 1.2, 1.1, 0.5))
    made = referee.compare_predictions(truth, preds, adjust=adjust)
    raw = []
    for one, other in itertools.combinations(preds, 2):
        cells = pd.crosstab(preds[one] == truth, preds[other] == truth).to_numpy()
        raw.append(mcnemar(cells, exact=True).pvalue)
    assert [(d.first, d.second) for d in made.duels] == list(itertools.combinations(preds, 2))
    assert [d.evidence.p_value for d in made.duels] == pytest.approx(raw)
    raised = multipletests(raw, method=name)[1]
    assert [d.p_adjusted for d in made.duels] == pytest.approx(list(raised))
    for duel in made.duels:
        assert (duel.better is not None) == (duel.p_adjusted <= 0.05)


def test_several_fixed_models_come_with_cochrans_q():
    from statsmodels.stats.contingency_tables import cochrans_q

    truth, preds, _ = answers(200, (1.6, 1.2, 0.5))
    made = referee.compare_predictions(truth, preds)
    oracle = cochrans_q(np.column_stack([preds[m] != truth for m in preds]).astype(int))
    assert made.omnibus.statistic == pytest.approx(oracle.statistic)


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
LOWER = {"error", "fpr", "fnr", "log_loss", "brier", "cost"}
COUNTED = {"error", "accuracy", "tpr", "tnr", "fpr", "fnr"}


def costs_of(measure):
    return {"costs": (1, 5)} if measure == "cost" else {}


@pytest.mark.parametrize("measure", ORACLES)
def test_difference_of_fixed_models_against_sklearn(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(
        truth, preds, y_scores=scores, measure=measure, **costs_of(measure)
    )
    a, b = (ORACLES[measure](truth, preds[m], scores[m]) for m in "ab")
    assert made.estimates["a"].value == pytest.approx(a)
    assert made.difference.value == pytest.approx(a - b)
    assert made.difference.value in made.difference.interval
    assert made.verdict.outcome is Outcome.FIRST  # a knows twice as much
    assert made.best == ("a",)
    assert (a < b) == (measure in LOWER)
    word = "lower" if measure in LOWER else "higher"
    assert f" {word} (95 % interval" in made.verdict.sentence
    expected = "mcnemar-exact" if measure in COUNTED else "paired-bootstrap"
    assert made.evidence.test == ("delong-paired" if measure == "auc" else expected)


@pytest.mark.parametrize("measure", ORACLES)
def test_the_worse_model_named_first_gives_second(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(
        truth, turned(preds), y_scores=scores, measure=measure, **costs_of(measure)
    )
    assert made.verdict.outcome is Outcome.SECOND
    assert made.verdict.sentence.startswith("a is better than b")
    assert made.duels[0].better == "a"


@pytest.mark.parametrize("measure", ["tpr", "tnr", "fpr", "fnr"])
def test_rates_of_a_class_against_mcnemar_on_its_cases(measure):
    truth, preds, _ = answers()
    made = referee.compare_predictions(truth, preds, measure=measure)
    of = truth == (measure in ("tpr", "fnr"))
    cells = pd.crosstab(preds["a"][of] == truth[of], preds["b"][of] == truth[of]).to_numpy()
    assert made.evidence.p_value == pytest.approx(mcnemar(cells, exact=True).pvalue)
    assert made.evidence.n == made.difference.n == of.sum()


def test_rate_of_one_class_among_three_ignores_errors_between_the_others():
    truth = np.repeat(["a", "b", "c"], 40)
    one, two = truth.copy(), truth.copy()
    one[40:60], two[40:50] = "c", "a"
    made = referee.compare_predictions(
        truth, {"one": one, "two": two}, measure="fpr", pos_label="a"
    )
    assert made.difference.value == pytest.approx(0 - 10 / 80)
    assert made.verdict.outcome is Outcome.FIRST


@pytest.mark.parametrize("positive", ["ill", "well"])
def test_positive_class_decides_which_cases_are_counted(positive):
    truth = np.array(["ill"] * 50 + ["well"] * 70)
    a, b = truth.copy(), truth.copy()
    b[:12], a[50:53] = "well", "ill"
    made = referee.compare_predictions(truth, {"a": a, "b": b}, measure="tpr", pos_label=positive)
    expected = {"ill": 12 / 50, "well": -3 / 70}[positive]
    assert made.difference.value == pytest.approx(expected)
    assert made.pos_label == positive


@pytest.mark.parametrize("name", INTERVALS)
def test_every_interval_by_name_is_mirrored_and_holds_the_difference(name):
    truth, preds = table(8, 20)
    made, back = (
        referee.compare_predictions(truth, p, interval=name) for p in (preds, turned(preds))
    )
    i, j = made.difference.interval, back.difference.interval
    assert i.method == name
    assert made.difference.value in i
    assert (j.low, j.high) == pytest.approx((-i.high, -i.low))


def test_accuracy_and_error_tell_the_same_story():
    truth, preds = table(30, 9)
    error, accuracy = (
        referee.compare_predictions(truth, preds, measure=m) for m in ("error", "accuracy")
    )
    assert accuracy.difference.value == pytest.approx(-error.difference.value)
    assert accuracy.difference.interval.low == pytest.approx(-error.difference.interval.high)
    assert accuracy.evidence.p_value == error.evidence.p_value
    assert accuracy.verdict.outcome is error.verdict.outcome is Outcome.FIRST
    assert "accuracy of a" in accuracy.verdict.sentence


def test_other_names_of_measures_are_understood():
    truth, preds, scores = answers()
    for alias, name in (("recall", "tpr"), ("specificity", "tnr"), ("roc_auc", "auc")):
        one, other = (
            referee.compare_predictions(truth, preds, y_scores=scores, measure=m)
            for m in (alias, name)
        )
        assert one.difference.value == other.difference.value


# Groups.


def test_groups_of_one_case_give_mcnemars_exact_test_and_its_interval():
    truth, preds = table(12, 27)
    plain = referee.compare_predictions(truth, preds)
    grouped = referee.compare_predictions(truth, preds, groups=np.arange(len(truth)))
    assert grouped.evidence.test == "group-flip"
    assert grouped.evidence.p_value == pytest.approx(plain.evidence.p_value, rel=1e-12)
    i, j = plain.difference.interval, grouped.difference.interval
    assert (j.low, j.high) == pytest.approx((i.low, i.high), abs=0.005)
    assert grouped.verdict.outcome is plain.verdict.outcome


def test_groups_against_all_sign_patterns():
    rng = np.random.default_rng(5)
    group = np.repeat(np.arange(8), 6)
    truth = rng.integers(0, 2, 48)
    preds = {m: np.where(rng.random(48) < e, 1 - truth, truth) for m, e in (("a", 0.1), ("b", 0.4))}
    made = referee.compare_predictions(truth, preds, groups=group)
    loss = (preds["a"] != truth).astype(int) - (preds["b"] != truth)
    sums = np.bincount(group, weights=loss)
    signs = np.array(list(itertools.product([-1, 1], repeat=8)))
    oracle = np.mean(np.abs(signs @ sums) >= abs(sums.sum()))
    assert made.evidence.p_value == pytest.approx(oracle)


def test_one_group_only_is_refused():
    truth, preds = table(12, 3)
    with pytest.raises(RefereeError, match="one group"):
        referee.compare_predictions(truth, preds, groups=np.zeros(len(truth)))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_few_groups_say_the_smallest_p_they_can_give(count):
    truth = np.arange(60) % 2
    b = np.where(np.arange(60) % 4 == 0, 1 - truth, truth)
    group = np.arange(60) // (60 // count)
    made = referee.compare_predictions(truth, {"a": truth, "b": b}, groups=group)
    least = 2.0 ** (1 - count)
    assert made.evidence.p_value == pytest.approx(least)
    assert made.verdict.outcome is Outcome.UNDECIDED
    said = re.search(r"smallest p possible is (\.\d+)", made.verdict.sentence)
    assert float(said[1]) == pytest.approx(least, abs=0.006)
    assert f"{count} groups" in made.verdict.sentence


@pytest.mark.parametrize("each", [4, 5])
def test_groups_that_are_all_alike_are_worth_their_number(each):
    # Every group has the same share of errors; whether that share has a finite binary
    # expansion (1/4) or not (1/5) must not matter.
    size = 20
    truth = np.zeros(2 * size, dtype=int)
    truth[::2] = 1
    b = np.where(np.arange(2 * size) % each == 0, 1 - truth, truth)
    made = referee.compare_predictions(
        truth, {"a": truth, "b": b}, groups=np.arange(2 * size) // size
    )
    assert made.difference.interval.n_effective == pytest.approx(2.0)


def test_learners_with_groups_keep_them_whole_and_say_so():
    X, y = load_iris(return_X_y=True)
    group = np.random.default_rng(0).permutation(np.repeat(np.arange(50), 3))
    made = referee.compare(MODELS, X, y, by=5, groups=group, random_state=0)
    for split in made.plan.part(Part.MAIN):
        assert not set(group[split.train]) & set(group[split.test])
    assert "in 50 groups" in made.verdict.sentence


# Learners.


def hc(comparison, first, second, loss):
    """METHODS.md section 2: D, SE and df of the halves-calibrated t, from the frames alone."""
    wide = []
    for name in (first, second):
        frame = comparison.predictions[name].frame()
        wide.append(frame.assign(loss=loss(frame)))
    one, two = wide
    rows = one.assign(d=one.loss - two.loss)
    main = rows[(rows.part == "main") & (rows.seen == 0)]
    by = main.pivot(index="repetition", columns="case", values="d").to_numpy()
    R, n = by.shape
    V1 = np.mean([np.var(d, ddof=1) / n for d in by])
    S2 = np.var(by.mean(axis=1), ddof=1)
    V_case = np.var(by.mean(axis=0), ddof=1) / n
    inside = rows[rows.part == "halvings"]
    halves = [g.d.to_numpy() for _, g in inside.groupby("repetition")]
    top = sum((p.mean() - q.mean()) ** 2 for p, q in zip(halves[::2], halves[1::2], strict=True))
    bottom = sum(np.var(h, ddof=1) / len(h) for h in halves)
    se = math.sqrt(max(V_case, top / bottom * V1 - (1 - 1 / R) * S2))
    return by.mean(), se, 1 / (1 / (len(halves) // 2) + 1 / (n - 1))


def zero_one(frame):
    return (frame.truth != frame.predicted).astype(float)


def check_against_t(duel, value, se, df, level=0.95):
    assert duel.difference.value == pytest.approx(value)
    assert duel.evidence.statistic == pytest.approx(value / se)
    assert duel.evidence.p_value == pytest.approx(2 * stats.t.sf(abs(value / se), df))
    half = stats.t.ppf((1 + level) / 2, df) * se
    ends = duel.difference.interval.low, duel.difference.interval.high
    assert ends == pytest.approx((value - half, value + half))


def test_calibrated_t_against_the_formula_of_the_methods_page(halved):
    check_against_t(halved.duels[0], *hc(halved, "nb", "knn", zero_one))
    assert halved.evidence.test == "calibrated-t"
    assert halved.evidence.target is Target.EXPECTED
    assert halved.evidence.n == 140


def test_calibrated_t_of_the_brier_score_against_the_formula(cancer):
    made = referee.compare(MODELS, *cancer, by=HALVED, measure="brier", random_state=1)
    value, se, df = hc(made, "nb", "knn", lambda f: (f["score 1"] - (f.truth == 1)) ** 2)
    assert made.evidence.test == "calibrated-t"
    check_against_t(made.duels[0], value, se, df)


def test_halvings_share_no_case_and_are_split_evenly(halved):
    frame = halved.predictions["nb"].frame()
    inside = frame[frame.part == "halvings"]
    for m in range(3):
        one, two = (set(inside[inside.repetition == 2 * m + j].case) for j in (0, 1))
        assert not one & two
        assert one | two == set(range(140))
        assert abs(len(one) - len(two)) <= 1


def corrected(per_split, n_train, n_test):
    J = len(per_split)
    se = math.sqrt((1 / J + n_test / n_train) * np.var(per_split, ddof=1))
    return np.mean(per_split), se, J - 1


def test_corrected_t_against_nadeau_and_bengio(twice):
    d = zero_one(main_rows(twice, "nb")) - zero_one(main_rows(twice, "knn"))
    per_split = d.groupby(main_rows(twice, "nb").split).mean().to_numpy()
    assert len(per_split) == 10
    check_against_t(twice.duels[0], *corrected(per_split, 112, 28))
    assert twice.evidence.test == "corrected-t"


def test_repeated_holdout_is_judged_by_the_corrected_t(cancer):
    by = ShuffleSplit(12, test_size=35, random_state=0)
    made = referee.compare(MODELS, *cancer, by=by, random_state=0)
    X, y = cancer
    per_split = []
    for train, test in by.split(X):
        wrong = [
            np.mean(m.fit(X[train], y[train]).predict(X[test]) != y[test])
            for m in (GaussianNB(), KNeighborsClassifier(3))
        ]
        per_split.append(wrong[0] - wrong[1])
    check_against_t(made.duels[0], *corrected(np.array(per_split), 105, 35))


def test_the_same_splits_for_all_models_against_cross_val_predict(cancer):
    X, y = cancer
    made = referee.compare(MODELS, X, y, by=5, random_state=2)
    cv = [(s.train, s.test) for s in made.plan.part(Part.MAIN)]
    for name, model in MODELS.items():
        error = np.mean(cross_val_predict(model, X, y, cv=cv) != y)
        assert made.estimates[name].value == pytest.approx(error)
    assert made.difference.value == pytest.approx(
        made.estimates["nb"].value - made.estimates["knn"].value
    )


@pytest.mark.parametrize("measure", ORACLES)
def test_difference_of_learners_against_sklearn_split_by_split(measure, cancer):
    made = referee.compare(
        MODELS, *cancer, by=5, measure=measure, random_state=0, **costs_of(measure)
    )
    values = {}
    for name in MODELS:
        frame = main_rows(made, name)
        scored = frame.get("score 1", frame.predicted)
        values[name] = [
            ORACLES[measure](
                g.truth.to_numpy(), g.predicted.to_numpy(), scored.loc[g.index].to_numpy()
            )
            if measure != "auc50"  # fewer than 50 negatives: the plain area
            else metrics.roc_auc_score(g.truth, scored.loc[g.index])
            for _, g in frame.groupby("split")
        ]
    per_split = np.array(values["nb"]) - np.array(values["knn"])
    value, se, df = corrected(per_split, 112, 28)
    check_against_t(made.duels[0], value, se, df)
    assert made.evidence.test == "corrected-t"
    if measure in COUNTED | {"log_loss", "brier", "cost"}:
        own = made.estimates["nb"].value - made.estimates["knn"].value
        assert made.difference.value == pytest.approx(own)


@pytest.mark.parametrize("measure", ["tpr", "fpr", "precision", "f1", "mcc", "kappa"])
def test_measures_of_answers_need_no_probabilities(measure, cancer):
    X, y = cancer
    models = {"centroid": NearestCentroid(), "knn": KNeighborsClassifier(3)}
    made = referee.compare(models, X, y, by=5, measure=measure, random_state=0)
    assert made.evidence.test == "corrected-t"


def test_areas_of_models_with_a_decision_function_only(cancer):
    X, y = cancer
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    models = {"svm": LinearSVC(), "nb": GaussianNB()}
    made = referee.compare(models, X, y, by=5, measure="auc", random_state=0)
    assert made.evidence.test == "corrected-t"
    assert made.estimates["svm"].value > 0.8


def test_measures_of_several_classes_over_folds():
    X, y = load_iris(return_X_y=True)
    for measure in ("mcc", "kappa", "balanced_accuracy", "macro_f1"):
        made = referee.compare(MODELS, X, y, by=5, measure=measure, random_state=0)
        assert abs(made.difference.value) < 0.1
        assert made.evidence.test == "corrected-t"


def test_five_by_two_against_dietterich_and_alpaydin(cancer):
    for test in ("5x2cv-t", "5x2cv-f"):
        made = referee.compare(MODELS, *cancer, by="5x2", test=test, random_state=0)
        d = zero_one(main_rows(made, "nb")) - zero_one(main_rows(made, "knn"))
        p = d.groupby(main_rows(made, "nb").split).mean().to_numpy().reshape(5, 2)
        s2 = np.sum((p - p.mean(axis=1, keepdims=True)) ** 2, axis=1)
        if test == "5x2cv-t":
            assert abs(made.evidence.statistic) == pytest.approx(abs(p[0, 0]) / np.sqrt(s2.mean()))
        else:
            F = np.sum(p**2) / (2 * np.sum(s2))
            assert made.evidence.statistic == pytest.approx(F)
            assert made.evidence.p_value == pytest.approx(stats.f.sf(F, 10, 5))
        assert made.difference.value == pytest.approx(p.mean())
        assert made.evidence.n == 140


def test_kfold_t_against_scipy_and_counts_cases_not_folds(cancer):
    made = referee.compare(MODELS, *cancer, by=10, test="kfold-t", random_state=0)
    frames = [main_rows(made, m) for m in MODELS]
    folds = [zero_one(f).groupby(f.split).mean() for f in frames]
    oracle = stats.ttest_rel(*folds)
    assert made.evidence.p_value == pytest.approx(oracle.pvalue)
    assert made.evidence.flag
    assert made.evidence.n == 140
    assert "140 cases" in made.verdict.sentence


def test_holdout_is_a_test_of_two_fixed_models(cancer):
    X, y = cancer
    made = referee.compare(MODELS, X, y, by="holdout", random_state=4)
    (split,) = made.plan.splits
    test = np.setdiff1d(split.test, split.train)
    right = [
        m.fit(X[split.train], y[split.train]).predict(X[test]) == y[test]
        for m in (GaussianNB(), KNeighborsClassifier(3))
    ]
    cells = [[np.sum(a & b) for b in (right[1], ~right[1])] for a in (right[0], ~right[0])]
    assert made.evidence.test == "mcnemar-exact"
    assert made.evidence.p_value == pytest.approx(min(1.0, mcnemar(cells, exact=True).pvalue))
    assert made.evidence.n == len(test)


def test_time_tests_the_latest_cases(cancer):
    X, y = cancer
    when = np.random.default_rng(0).permutation(len(y))
    made = referee.compare(MODELS, X, y, time=when, random_state=0)
    (split,) = made.plan.splits
    assert when[split.train].max() < when[np.setdiff1d(split.test, split.train)].min()
    assert made.evidence.test == "mcnemar-exact"


def test_forward_validation_counts_the_cases_it_tested(cancer):
    X, y = cancer
    made = referee.compare(MODELS, X, y, time=np.arange(len(y)), by=4, random_state=0)
    tested = len(np.unique(main_rows(made, "nb").case))
    assert made.evidence.n == tested
    assert f"{tested} cases" in made.verdict.sentence


def test_automatic_choice_for_a_ranking_is_the_corrected_t(cancer):
    made = referee.compare(MODELS, *cancer, measure="auc", random_state=0)
    assert made.evidence.test == "corrected-t"
    assert Part.HALVINGS not in {s.part for s in made.plan.splits}


# Symmetry: swapping the models negates the difference and keeps p.

FIXED = {name: {} for name in FIXED_TESTS} | {
    "delong-paired": {"measure": "auc"},
    "paired-bootstrap": {"measure": "mcc"},
}


def mirrored(one, other):
    d, e = one.duels[0], other.duels[0]
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


@pytest.mark.parametrize("test", FIXED_TESTS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(20, 90), gap=st.floats(0, 1.5))
def test_swapping_fixed_models(test, seed, n, gap):
    truth, preds, scores = answers(n, (0.5 + gap, 0.5), seed)
    if min(truth.sum(), n - truth.sum()) < 3 or any(len(set(p)) < 2 for p in preds.values()):
        return
    extra = {"groups": np.arange(n) // 3} if test == "group-flip" else {}
    mirrored(
        *(
            referee.compare_predictions(
                truth, p, y_scores=scores, test=test, **FIXED[test], **extra
            )
            for p in (preds, turned(preds))
        )
    )


@pytest.mark.parametrize("measure", ["error", "log_loss", "auc50", "cost", "f1", "precision"])
def test_swapping_under_the_bootstrap_of_every_kind(measure):
    truth, preds, scores = answers(80, (0.9, 0.6), 3)
    mirrored(
        *(
            referee.compare_predictions(
                truth,
                p,
                y_scores=scores,
                measure=measure,
                test="paired-bootstrap",
                **costs_of(measure),
            )
            for p in (preds, turned(preds))
        )
    )


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(15, 60), m=st.integers(15, 60))
def test_swapping_models_on_different_cases(test, seed, n, m):
    parts = {"a": answers(n, (1.5,), seed), "b": answers(m, (0.4,), seed + 1)}
    truth = {k: p[0] for k, p in parts.items()}
    preds = {k: p[1]["a"] for k, p in parts.items()}
    scores = {k: p[2]["a"] for k, p in parts.items()}
    if any(min(t.sum(), len(t) - t.sum()) < 3 for t in truth.values()):
        return
    measure = "auc" if test == "delong-unpaired" else "error"
    mirrored(
        *(
            referee.compare_predictions(
                {k: truth[k] for k in p}, p, y_scores=scores, test=test, measure=measure
            )
            for p in (preds, turned(preds))
        )
    )


LEARNER_SCHEMES = {
    "calibrated-t": CalibratedCrossValidation(repetitions=2, folds=5, halvings=3),
    "corrected-t": "2x5",
    "kfold-t": 5,
    "5x2cv-t": "5x2",
    "5x2cv-f": "5x2",
}


@pytest.mark.parametrize("test", LEARNER_TESTS)
def test_swapping_learners(test, cancer):
    mirrored(
        *(
            referee.compare(m, *cancer, by=LEARNER_SCHEMES[test], test=test, random_state=1)
            for m in (MODELS, turned(MODELS))
        )
    )


@pytest.mark.parametrize("measure", ["accuracy", "auc", "mcc", "log_loss"])
def test_swapping_learners_under_other_measures(measure, cancer):
    mirrored(
        *(
            referee.compare(m, *cancer, by=5, measure=measure, random_state=0)
            for m in (MODELS, turned(MODELS))
        )
    )


@pytest.mark.parametrize("claim", ["difference", "non-inferior"])
def test_order_of_three_models_changes_no_duel(claim):
    truth, preds, _ = answers(150, (1.4, 1.0, 0.4))
    one = referee.compare_predictions(truth, preds)
    other = referee.compare_predictions(truth, turned(preds))
    for duel in one.duels:
        back = other.duel(duel.first, duel.second)
        assert back.better == duel.better
        assert back.p_adjusted == pytest.approx(duel.p_adjusted)
    assert {s.name: (s.rank, s.tier, s.best_rank, s.worst_rank) for s in one.standings} == {
        s.name: (s.rank, s.tier, s.best_rank, s.worst_rank) for s in other.standings
    }


# Refusals, each with its alternative.


@pytest.mark.parametrize("test", ["mcnemar-exact", "mcnemar-midp", "paired-bootstrap"])
@pytest.mark.parametrize("by", [3, "2x3"])
def test_fixed_tests_on_pooled_cross_validation_are_refused(test, by, cancer):
    with pytest.raises(Refusal, match="calibrated-t") as caught:
        referee.compare(MODELS, *cancer, by=by, test=test, random_state=0)
    assert "corrected-t" in str(caught.value)
    assert "by='holdout'" in str(caught.value)


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_tests_of_different_cases_are_refused_for_learners(test, cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by=3, test=test, random_state=0)


def test_uncorrected_t_over_repeated_cross_validation_is_refused(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by="2x5", test="kfold-t", random_state=0)


def test_uncorrected_t_over_repeated_holdout_is_refused(cancer):
    by = ShuffleSplit(5, test_size=0.2, random_state=0)
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by=by, test="kfold-t", random_state=0)


@pytest.mark.parametrize("by", ["resubstitution", "bootstrap"])
def test_training_errors_and_bootstrap_training_sets_are_refused(by, cancer):
    with pytest.raises(Refusal, match="by='auto'"):
        referee.compare(MODELS, *cancer, by=by, random_state=0)


@pytest.mark.parametrize("by", ["resubstitution", "bootstrap"])
def test_evaluations_by_training_error_or_bootstrap_are_refused_too(by, cancer):
    made = [referee.evaluate(m, *cancer, by=by, random_state=0) for m in MODELS.values()]
    with pytest.raises(Refusal, match="by="):
        referee.compare(made)


@pytest.mark.parametrize("test", LEARNER_TESTS)
def test_tests_of_learners_on_fixed_predictions_are_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="mcnemar-exact"):
        referee.compare_predictions(truth, preds, test=test)


@pytest.mark.parametrize("test", ["mcnemar-exact", "mcnemar-midp", "mcnemar-asymptotic"])
def test_mcnemar_with_groups_is_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="group-flip"):
        referee.compare_predictions(truth, preds, groups=np.arange(len(truth)) // 2, test=test)


@pytest.mark.parametrize("interval", ["tango", "newcombe-paired", "wald-paired"])
def test_intervals_of_independent_cases_with_groups_are_refused(interval):
    truth, preds = table(5, 9)
    group = np.arange(len(truth)) // 2
    with pytest.raises(Refusal, match="bonett-price"):
        referee.compare_predictions(truth, preds, groups=group, interval=interval)


@pytest.mark.parametrize("test", ["mcnemar-exact", "group-flip", "boschloo"])
def test_tests_that_do_not_suit_the_measure_are_refused(test):
    truth, preds, scores = answers()
    with pytest.raises(Refusal, match="delong-paired"):
        referee.compare_predictions(truth, preds, y_scores=scores, measure="auc", test=test)


def test_flipping_groups_without_groups_asks_for_them():
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="groups"):
        referee.compare_predictions(truth, preds, test="group-flip")


@pytest.mark.parametrize("test", ["mcnemar-exact", "corrected-t", "paired-bootstrap"])
def test_paired_tests_on_different_cases_are_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="boschloo"):
        referee.compare_predictions({"a": truth, "b": truth}, preds, test=test)


def test_tests_of_counts_do_not_judge_areas_of_different_cases():
    truth, preds, scores = answers()
    both = {"a": truth, "b": truth}
    with pytest.raises(Refusal, match="delong-unpaired"):
        referee.compare_predictions(both, preds, y_scores=scores, measure="auc", test="fisher")
    with pytest.raises(Refusal, match="boschloo") as caught:
        referee.compare_predictions(both, preds, y_scores=scores, test="delong-unpaired")
    assert "same cases" not in str(caught.value)  # it needs no same cases; it needs an area


@pytest.mark.parametrize("case", ["learners", "different cases", "area"])
def test_an_interval_that_cannot_be_had_is_refused_not_ignored(case, cancer):
    truth, preds, scores = answers()
    asked = {
        "learners": lambda: referee.compare(MODELS, *cancer, by=3, interval="tango"),
        "area": lambda: referee.compare_predictions(
            truth, preds, y_scores=scores, measure="auc", interval="tango"
        ),
        "different cases": lambda: referee.compare_predictions(
            {"a": truth, "b": truth}, preds, interval="tango"
        ),
    }
    with pytest.raises(RefereeError, match="interval"):
        asked[case]()


@pytest.mark.parametrize("extra", [{"groups": np.arange(94)}, {"rope": 0.1}])
def test_groups_and_rope_on_different_cases_are_refused(extra):
    truth, preds = table(10, 14)
    with pytest.raises(Refusal):
        referee.compare_predictions({"a": truth, "b": truth}, preds, **extra)


def test_other_measures_on_different_cases_are_refused():
    truth, preds = table(10, 14)
    with pytest.raises(Refusal, match="measure='error'"):
        referee.compare_predictions({"a": truth, "b": truth}, preds, measure="mcc")


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f"])
def test_five_by_two_of_other_splits_is_refused(test, cancer):
    with pytest.raises(Refusal, match="by='5x2'"):
        referee.compare(MODELS, *cancer, by="2x5", test=test, random_state=0)


def test_calibrated_t_without_halvings_is_refused(cancer):
    with pytest.raises(Refusal, match="by='calibrated-cv'"):
        referee.compare(MODELS, *cancer, by=3, test="calibrated-t", random_state=0)


def test_calibrated_t_of_a_measure_without_case_losses_is_refused(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(
            MODELS, *cancer, by=HALVED, test="calibrated-t", measure="auc", random_state=0
        )


def test_measure_undefined_in_most_splits_is_refused(cancer):
    X, y = cancer
    with pytest.raises(Refusal, match="undefined"):
        referee.compare(MODELS, X[:60], y[:60], by="loo", measure="mcc", random_state=0)


# Evaluations.


def test_evaluations_against_compare_of_the_same_splits(cancer):
    X, y = cancer
    kept = [(s.train, s.test) for s in referee.evaluate(GaussianNB(), X, y, by=5).plan.splits[:5]]
    made = {name: referee.evaluate(m, X, y, by=kept, random_state=0) for name, m in MODELS.items()}
    one = referee.compare(made)
    other = referee.compare(MODELS, X, y, by=kept, random_state=0)
    assert one.difference == other.difference
    assert one.evidence == other.evidence
    assert one.verdict == other.verdict


def test_evaluations_of_the_same_seed_share_the_plan_and_agree_with_compare(cancer):
    made = [referee.evaluate(m, *cancer, by="2x5", random_state=3) for m in MODELS.values()]
    one = referee.compare(made)
    other = referee.compare(list(MODELS.values()), *cancer, by="2x5", random_state=3)
    assert one.names == other.names == ("GaussianNB", "KNeighborsClassifier")
    if one.provenance.plan == other.provenance.plan:
        assert one.evidence == other.evidence
    assert one.difference.value == pytest.approx(
        made[0].error.value - made[1].error.value, abs=1e-9
    )


def test_evaluations_of_predictions_against_compare_predictions():
    truth, preds = table(22, 9)
    made = {m: referee.evaluate_predictions(truth, p) for m, p in preds.items()}
    one, other = referee.compare(made), referee.compare_predictions(truth, preds)
    assert one.difference == other.difference
    assert one.evidence == other.evidence
    assert one.verdict == other.verdict


def test_evaluations_by_different_plans_are_refused(cancer):
    one = referee.evaluate(GaussianNB(), *cancer, by=5, random_state=0)
    for other in (
        referee.evaluate(KNeighborsClassifier(), *cancer, by=5, random_state=1),
        referee.evaluate(KNeighborsClassifier(), *cancer, by=4, random_state=0),
        referee.evaluate(KNeighborsClassifier(), cancer[0][1:], cancer[1][1:], by=5),
    ):
        with pytest.raises(Refusal, match="same random_state"):
            referee.compare({"one": one, "other": other})


def test_evaluations_of_other_answers_are_refused():
    truth, preds = table(22, 9)
    one = referee.evaluate_predictions(truth, preds["a"])
    other = referee.evaluate_predictions(1 - truth, preds["b"])
    with pytest.raises(Refusal, match="other cases"):
        referee.compare({"one": one, "other": other})


def test_weighted_evaluations_do_not_lose_their_weights(cancer):
    weight = np.random.default_rng(0).exponential(size=140)
    made = {
        name: referee.evaluate(m, *cancer, by="holdout", random_state=0, sample_weight=weight)
        for name, m in MODELS.items()
    }
    try:
        c = referee.compare(made)
    except Refusal as refused:
        why = str(refused)
    else:
        own = c.estimates["nb"].value - c.estimates["knn"].value
        assert c.difference.value == pytest.approx(own)
        why = "weights count"
    assert "weight" in why


def test_evaluations_take_the_positive_class_that_is_named():
    truth, preds = table(22, 9)
    words = np.array(["well", "ill"])
    made = {m: referee.evaluate_predictions(words[truth], words[p]) for m, p in preds.items()}
    with pytest.raises(InputError, match="pos_label"):
        referee.compare(made, measure="tpr")
    one = referee.compare(made, measure="tpr", pos_label="ill")
    other = referee.compare_predictions(truth, preds, measure="tpr")
    assert one.difference.value == other.difference.value
    assert one.pos_label == "ill"


def test_evaluations_with_different_positive_classes_are_told_apart(cancer):
    made = {
        m: referee.evaluate_predictions([0, 1] * 20, [0, 1] * 19 + [1, 0], pos_label=p)
        for m, p in (("a", 0), ("b", 1))
    }
    with pytest.raises((InputError, Refusal), match=r"positive class|pos_label"):
        referee.compare(made, measure="tpr")


def test_an_evaluation_among_models_is_told_apart(cancer):
    one = referee.evaluate(GaussianNB(), *cancer, by=5, random_state=0)
    with pytest.raises(InputError, match="Evaluation"):
        referee.compare({"one": one, "nb": GaussianNB()}, *cancer, by=5)


# Corners.


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


@pytest.mark.parametrize(("n", "least"), [(1, "1"), (3, ".25"), (5, ".062")])
def test_too_few_cases_to_ever_reach_the_level(n, least):
    made = referee.compare_predictions([1] * n, {"a": [1] * n, "b": [0] * n}, labels=[0, 1])
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert f"too few to ever show it: the smallest p possible is {least}" in made.verdict.sentence
    promised = re.search(r"takes about ([\d ]+) case", made.verdict.sentence)
    if promised:  # six cases are the fewest with which the exact test can reach 5 %
        assert int(promised[1].replace(" ", "")) >= 6


def test_six_cases_are_enough():
    made = referee.compare_predictions([1] * 6, {"a": [1] * 6, "b": [0] * 6}, labels=[0, 1])
    assert made.evidence.p_value == 0.03125
    assert made.verdict.outcome is Outcome.FIRST


def test_few_discordant_cases_among_many_name_their_number_and_smallest_p():
    truth, preds = table(3, 1)
    sentence = referee.compare_predictions(truth, preds).verdict.sentence
    assert "only 4 of 74 test cases tell them apart" in sentence
    assert "smallest p possible is .12" in sentence


@pytest.mark.parametrize("test", ["mcnemar-midp", "mcnemar-asymptotic"])
def test_smallest_p_is_that_of_the_test_that_was_used(test):
    truth, preds = table(4, 1, both_right=95, both_wrong=0)
    made = referee.compare_predictions(truth, preds, test=test)
    best = referee.compare_predictions(*table(5, 0, both_right=95, both_wrong=0), test=test)
    assert best.evidence.p_value < 0.05
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "smallest p possible is .062" not in made.verdict.sentence


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


class Stubborn(ClassifierMixin, BaseEstimator):
    """Answers the first class, whatever it has seen; not known to be a baseline."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("by", [5, HALVED])
def test_a_learner_that_collapses_gets_no_verdict(by, cancer):
    made = referee.compare({"nb": GaussianNB(), "mule": Stubborn()}, *cancer, by=by, random_state=0)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "No verdict" in made.verdict.sentence
    assert "mule" in made.duels[0].reservation


def test_a_reserved_duel_does_not_ease_the_adjustment_of_the_others(cancer):
    # Its p-value is not one; if it counted as the smallest, Holm would ask less of the rest.
    X, y = cancer
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1), "mule": Stubborn()}
    made = referee.compare(models, X, y, by="2x5", random_state=0)
    duel = made.duel("nb", "tree")
    assert duel.reservation == ""
    assert all(d.reservation for d in made.duels if d is not duel)
    raw = duel.evidence.p_value
    assert duel.p_adjusted == pytest.approx(min(1.0, 3 * raw))


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
    assert made.duels[0].reservation == ""


def test_twelve_models_make_66_duels():
    truth, preds, _ = answers(60, np.linspace(0.3, 1.8, 12))
    made = referee.compare_predictions(truth, preds)
    assert len(made.duels) == len(made.frame()) == 66
    assert len(made.standings) == len(made.ranking()) == 12
    p = [d.evidence.p_value for d in made.duels]
    assert [d.p_adjusted for d in made.duels] == pytest.approx(
        list(multipletests(p, method="holm")[1])
    )
    assert "21 more duels" in made.to_text()


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


@pytest.mark.parametrize(("measure", "most"), [("auc", 1), ("mcc", 2), ("kappa", 2), ("f1", 1)])
def test_no_difference_beyond_what_the_measure_can_show(measure, most):
    # Two positive cases: the interval of an area is not -3.8 to 4.3, and no number of cases
    # "could have shown" a difference of 4.5.
    truth = np.array([0, 1] * 2 + [0] * 8)
    rng = np.random.default_rng(0)
    preds = {"a": truth.copy(), "b": truth.copy()}
    preds["a"][[1, 5]] ^= 1
    preds["b"][[0, 3, 6]] ^= 1
    scores = {m: rng.random(12) for m in preds}
    made = referee.compare_predictions(truth, preds, y_scores=scores, measure=measure)
    i = made.difference.interval
    assert -most <= i.low <= i.high <= most
    assert made.duels[0].detectable is None or made.duels[0].detectable <= most
    assert POWER.search(made.verdict.sentence)


def test_no_difference_of_learners_beyond_a_hundred_points():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[50:56, 100:106]
    made = referee.compare(MODELS, X[rows], y[rows], by=2, random_state=3)
    i = made.difference.interval
    assert -1 <= i.low <= i.high <= 1
    assert made.duels[0].detectable is None or made.duels[0].detectable <= 1


# Rope: equivalence and non-inferiority.


def test_equivalence_is_shown_with_a_rope_and_many_cases():
    truth, preds = table(10, 11, both_right=900, both_wrong=79)
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    assert made.verdict.shown
    assert "equivalent within 3.0 points" in made.verdict.sentence
    assert made.duels[0].equivalence.p_value <= 0.05
    assert referee.compare_predictions(truth, preds).verdict.outcome is Outcome.UNDECIDED


def test_equivalence_is_not_shown_by_few_cases():
    truth, preds = table(2, 2, both_right=20, both_wrong=2)
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.UNDECIDED


def test_a_shown_difference_inside_the_rope_is_equivalence():
    truth, preds = table(40, 15, both_right=4800, both_wrong=145)
    made = referee.compare_predictions(truth, preds, rope=0.02)
    assert made.evidence.p_value < 0.05
    assert made.verdict.outcome is Outcome.EQUIVALENT


def test_a_difference_beyond_the_rope_is_a_difference():
    truth, preds = table(60, 10)
    assert referee.compare_predictions(truth, preds, rope=0.01).verdict.outcome is Outcome.FIRST


def test_equivalence_of_learners_against_two_one_sided_t_tests(twice, cancer):
    made = referee.compare(MODELS, *cancer, by="2x5", rope=0.2, random_state=0)
    d = zero_one(main_rows(twice, "nb")) - zero_one(main_rows(twice, "knn"))
    per_split = d.groupby(main_rows(twice, "nb").split).mean().to_numpy()
    value, se, df = corrected(per_split, 112, 28)
    oracle = max(stats.t.cdf((value - 0.2) / se, df), stats.t.sf((value + 0.2) / se, df))
    assert made.duels[0].equivalence.p_value == pytest.approx(oracle)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    posterior = made.duels[0].posterior
    total = posterior.first_better + posterior.equivalent + posterior.second_better
    assert total == pytest.approx(1)
    assert posterior.equivalent > 0.95


@pytest.mark.parametrize("measure", ["error", "accuracy"])
def test_non_inferiority_asks_about_the_first_model_only(measure):
    truth, preds = table(30, 9, both_right=500)
    better, worse = (
        referee.compare_predictions(truth, p, claim="non-inferior", rope=0.01, measure=measure)
        for p in (preds, turned(preds))
    )
    assert better.verdict.outcome is Outcome.PASS
    assert "a is not worse than b by more than 1.0 points" in better.verdict.sentence
    assert worse.verdict.outcome is Outcome.UNDECIDED
    assert "was not shown to be no worse" in worse.verdict.sentence
    assert POWER.search(worse.verdict.sentence)


@pytest.mark.parametrize("measure", ["auc", "mcc", "log_loss"])
def test_non_inferiority_by_other_measures_knows_their_direction(measure):
    truth, preds, scores = answers()
    for p, outcome in ((preds, Outcome.PASS), (turned(preds), Outcome.UNDECIDED)):
        made = referee.compare_predictions(
            truth, p, y_scores=scores, measure=measure, claim="non-inferior", rope=0.02
        )
        assert made.verdict.outcome is outcome


def test_a_shown_claim_is_not_followed_by_the_cases_of_another_claim():
    # "to show x takes about n cases" speaks of a difference; nothing is missing here.
    truth, preds = table(30, 9, both_right=500)
    made = referee.compare_predictions(truth, preds, claim="non-inferior", rope=0.01)
    assert made.verdict.outcome is Outcome.PASS
    assert "takes about" not in made.verdict.sentence


@pytest.mark.parametrize("first", ["best", "middle", "worst"])
def test_non_inferiority_against_several_others_can_be_reported(first):
    truth, preds, _ = answers(200, (1.6, 1.0, 0.3))
    order = {"best": "abc", "middle": "bac", "worst": "cab"}[first]
    made = referee.compare_predictions(
        truth, {m: preds[m] for m in order}, claim="non-inferior", rope=0.05
    )
    assert len(made.duels) == 2
    assert {d.first for d in made.duels} == {order[0]}
    assert (made.verdict.outcome is Outcome.PASS) == (first == "best")
    assert made.difference.interval is not None
    assert made.to_json()
    if made.verdict.outcome is Outcome.UNDECIDED:
        assert POWER.search(made.verdict.sentence)


def test_all_of_several_models_can_be_equivalent():
    truth, preds = table(12, 12, both_right=2000, both_wrong=100)
    preds["c"] = preds["a"].copy()
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    assert "All 3 models are equivalent" in made.verdict.sentence


# What users get wrong.


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measure": "eror"}, "did you mean 'error'"),
        ({"test": "mcnemar"}, "mcnemar-exact"),
        ({"interval": "tangoo"}, "did you mean 'tango'"),
        ({"claim": "better"}, "'difference' or 'non-inferior', got 'better'"),
        ({"adjust": "bonferroni"}, "adjust.*holm"),
        ({"rope": -0.01}, "at least 0, got -0.01"),
        ({"rope": 1}, "below 1 for error, got 1"),
        ({"rope": 2.5}, "for 2.5 points write 0.025"),
        ({"rope": math.nan}, "rope must be a number"),
        ({"rope": "1 %"}, "rope must be a number"),
        ({"claim": "non-inferior"}, "needs a rope"),
        ({"level": 95}, "for 95 % write 0.95"),
        ({"level": 0}, "strictly between 0 and 1"),
        ({"measure": "auc"}, "y_scores"),
        ({"measure": "cost"}, "costs"),
        ({"pos_label": "x"}, "pos_label"),
        ({"y_scores": {"a": [0.5] * 94}}, "lacks 'b'"),
        ({"y_scores": [0.5] * 94}, "must map"),
        ({"groups": [1, 2]}, "groups"),
    ],
)
def test_wrong_options_are_refused_with_their_value_and_a_remedy(options, says):
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match=says):
        referee.compare_predictions(truth, preds, **options)


def test_an_unknown_adjustment_is_refused_before_anything_is_fitted(cancer):
    class Never(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("fitted")

    with pytest.raises(InputError, match="adjust"):
        referee.compare({"a": Never(), "b": Never()}, *cancer, by=3, adjust="bonferroni")


def test_numpy_numbers_serve_as_rope():
    truth, preds = table(10, 11, both_right=900, both_wrong=79)
    for rope in (np.float64(0.03), np.float32(0.03)):
        made = referee.compare_predictions(truth, preds, rope=rope)
        assert made.verdict.outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("given_", [{}, {"a": [0, 1] * 5}, [[0, 1] * 5], "ab", 3, None])
def test_fewer_than_two_models_are_refused(given_):
    with pytest.raises(InputError, match="y_preds"):
        referee.compare_predictions([0, 1] * 5, given_)
    with pytest.raises(InputError, match="models"):
        referee.compare(given_, [[0.0], [1.0]] * 5, [0, 1] * 5)


def test_unequal_lengths_and_unknown_classes_name_the_model():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match=r"model 'b'.*93"):
        referee.compare_predictions(truth, {"a": preds["a"], "b": preds["b"][:-1]})
    with pytest.raises(InputError, match=r"model 'b'.*7.*labels="):
        referee.compare_predictions(truth, {"a": preds["a"], "b": preds["b"] * 7})


def test_names_that_are_the_same_when_written_are_refused():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match="'1'"):
        referee.compare_predictions(truth, {1: preds["a"], "1": preds["b"]})


def test_different_truths_need_the_names_of_the_models():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match="same names"):
        referee.compare_predictions({"a": truth, "z": truth}, preds)


def test_missing_data_and_dictionaries_of_data_sets_are_told_what_to_do(cancer):
    with pytest.raises(InputError, match="X and y"):
        referee.compare(MODELS)
    with pytest.raises(InputError, match="compare_datasets"):
        referee.compare(MODELS, {"one": cancer}, 0)


def test_a_frame_of_predictions_is_taken_or_told_what_to_do():
    truth, preds = table(10, 14)
    try:
        told = referee.compare_predictions(truth, pd.DataFrame(preds)).name
    except InputError as problem:
        told = str(problem)
    assert "models, as {'a': m1" not in told  # there are no models here


def test_all_cases_of_one_class_are_compared_as_one_does_when_one_model_never_errs():
    truth = [1] * 20
    made = referee.compare_predictions(truth, {"a": [1] * 20, "b": [1] * 10 + [0] * 10})
    assert made.verdict.outcome is Outcome.FIRST


# Sentences.


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.integers(0, 12)] * 2), st.integers(0, 40), st.sampled_from([0.0, 0.02]))
def test_every_not_shown_sentence_has_a_power_statement(differ, right, rope):
    truth, preds = table(*differ, both_right=right + 2, both_wrong=2)
    made = referee.compare_predictions(truth, preds, rope=rope)
    if made.verdict.outcome is Outcome.UNDECIDED:
        assert POWER.search(made.verdict.sentence), made.verdict.sentence
    assert made.verdict.sentence.endswith(".")
    assert "nan" not in made.verdict.sentence
    assert " inf" not in made.verdict.sentence


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(0, 15)] * 2), st.integers(0, 60))
def test_an_undecided_difference_never_needs_fewer_cases_than_there_were(differ, right):
    truth, preds = table(*differ, both_right=right + 2, both_wrong=2)
    made = referee.compare_predictions(truth, preds)
    duel = made.duels[0]
    if duel.outcome is Outcome.UNDECIDED and duel.rows_needed is not None:
        assert duel.rows_needed >= len(truth)


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f"])
def test_a_test_without_a_power_formula_does_not_blame_the_cases(test, cancer):
    models = {"three": KNeighborsClassifier(3), "five": KNeighborsClassifier(5)}
    made = referee.compare(models, *cancer, by="5x2", test=test, random_state=0)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "too few" not in made.verdict.sentence
    assert "so alike" not in made.verdict.sentence


@pytest.mark.parametrize("k", [3, 5])
def test_several_models_not_told_apart_have_a_power_statement(k):
    truth, preds, _ = answers(60, (0.8,) * k, seed=2)
    made = referee.compare_predictions(truth, preds)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "share the first place" in made.verdict.sentence
    assert POWER.search(made.verdict.sentence)


def test_detectable_difference_of_learners_against_the_t_formula(twice):
    duel = twice.duels[0]
    i = duel.difference.interval
    se = (i.high - i.low) / 2 / stats.t.ppf(0.975, 9)
    expected = se * (stats.t.ppf(0.975, 9) + stats.t.ppf(0.8, 9))
    assert duel.detectable == pytest.approx(expected)
    assert duel.rows_needed == pytest.approx(140 * (expected / duel.difference.value) ** 2)


def test_power_is_judged_at_the_level_of_the_smallest_adjusted_p():
    truth, preds, _ = answers(150, (0.8, 0.8))
    two = referee.compare_predictions(truth, preds)
    preds["c"] = preds["a"].copy()
    three = referee.compare_predictions(truth, preds)
    assert three.duel("a", "b").detectable > two.duels[0].detectable


@pytest.mark.parametrize("adjust", ["holm", "hochberg", "benjamini-hochberg"])
def test_methods_paragraph_names_models_test_level_and_adjustment(adjust):
    truth, preds, _ = answers(100, (1.2, 0.8, 0.5))
    made = referee.compare_predictions(truth, preds, adjust=adjust, level=0.9)
    assert "a, b and c" in made.methods
    assert "McNemar's exact test" in made.methods
    assert "10 % level" in made.methods
    assert adjust.split("-")[0] in made.methods.lower()
    if adjust == "benjamini-hochberg":  # controls the share of false claims, not any false claim
        assert "simultaneous" not in made.methods
        assert "simultaneous" not in made.to_text()


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_methods_paragraph_of_different_cases_names_the_test_in_words(test):
    truth, preds, scores = answers()
    measure = "auc" if test == "delong-unpaired" else "error"
    made = referee.compare_predictions(
        {"a": truth, "b": truth}, preds, y_scores=scores, measure=measure, test=test
    )
    assert f"tested with {test}," not in made.methods
    assert "480 cases" in made.methods


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


def shown(first, second, outcome, p):
    return Duel(
        first=first,
        second=second,
        difference=Estimate(name="error", value=-0.1, n=100, method="first minus second"),
        evidence=Evidence(test="mcnemar-exact", statistic=-10.0, p_value=p, null="", n=100),
        p_adjusted=p,
        outcome=outcome,
        detectable=0.1,
    )


def test_better_than_each_is_claimed_only_where_each_was_beaten():
    # a beats b and b beats c, but a against c stayed open (tests need not be transitive).
    duels = [
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
        duels,
    )
    question = Question(measure=measure_named("error"), duels=3)
    made = verdict_of(duels, places, question, (), "test cases")
    assert "better than each" not in made.sentence
    assert made.outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("measure", ["error", "accuracy", "tpr", "fnr", "auc", "mcc", "log_loss"])
def test_statistic_and_difference_point_the_same_way(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(truth, preds, y_scores=scores, measure=measure)
    assert made.evidence.statistic * made.difference.value > 0


@pytest.mark.parametrize("measure", ["error", "accuracy", "auc", "brier"])
def test_posterior_favours_the_better_learner_whatever_the_direction(measure, cancer):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    made = referee.compare(models, *cancer, by="2x5", measure=measure, rope=0.01, random_state=0)
    assert made.duels[0].posterior.first_better > 0.95
    back = referee.compare(
        turned(models), *cancer, by="2x5", measure=measure, rope=0.01, random_state=0
    )
    assert back.duels[0].posterior.second_better == pytest.approx(
        made.duels[0].posterior.first_better
    )


# Determinism and provenance.


def test_same_seed_same_numbers_for_any_number_of_jobs(cancer):
    models = {"tree": DecisionTreeClassifier(max_features=1), "knn": KNeighborsClassifier(3)}
    one, again, other = (
        referee.compare(models, *cancer, by="2x5", random_state=s, n_jobs=j)
        for s, j in ((7, 1), (7, 2), (8, 1))
    )
    assert one.to_json() == again.to_json()
    pd.testing.assert_frame_equal(
        one.predictions["tree"].frame(), again.predictions["tree"].frame()
    )
    assert one.provenance.plan != other.provenance.plan


def test_the_seed_drawn_is_recorded_and_repeats_the_run(cancer):
    one = referee.compare(MODELS, *cancer, by=5)
    again = referee.compare(MODELS, *cancer, by=5, random_state=one.provenance.seed)
    assert one.to_json() == again.to_json()


def test_paired_bootstrap_repeats_itself():
    truth, preds, _ = answers(80, (0.9, 0.7))
    one, again, other = (
        referee.compare_predictions(truth, preds, measure="mcc", random_state=s).to_json()
        for s in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_all_models_share_one_plan(halved):
    frames = [halved.predictions[m].frame() for m in MODELS]
    for column in ("case", "split", "repetition", "part", "seen"):
        assert (frames[0][column] == frames[1][column]).all()
    assert halved.provenance.plan == halved.plan.fingerprint != ""


def test_models_for_use_are_trained_on_all_rows(halved, cancer):
    np.testing.assert_array_equal(halved.models["nb"].theta_, GaussianNB().fit(*cancer).theta_)


def test_frame_and_ranking_say_what_the_duels_say(twice):
    row = twice.frame().iloc[0]
    duel = twice.duels[0]
    assert row["difference"] == duel.difference.value
    assert (row["low"], row["high"]) == (
        duel.difference.interval.low,
        duel.difference.interval.high,
    )
    assert (row["p"], row["test"]) == (duel.evidence.p_value, "corrected-t")
    place = twice.ranking().iloc[0]
    assert place["model"] == twice.standings[0].name
    assert place["error"] == min(e.value for e in twice.estimates.values())


def test_duel_is_found_in_either_order_and_a_stranger_is_named():
    truth, preds, _ = answers(60, (1, 1, 1))
    made = referee.compare_predictions(truth, preds)
    assert made.duel("a", "c") is made.duel("c", "a")
    with pytest.raises(InputError, match="'z'"):
        made.duel("a", "z")


def test_different_cases_against_scipy_boschloo():
    one, two = answers(60, (1.3,), 1), answers(45, (0.4,), 2)
    made = referee.compare_predictions(
        {"a": one[0], "b": two[0]}, {"a": one[1]["a"], "b": two[1]["a"]}
    )
    wrong = [int(np.sum(t != p["a"])) for t, p, _ in (one, two)]
    cells = [[wrong[0], wrong[1]], [60 - wrong[0], 45 - wrong[1]]]
    oracle = stats.boschloo_exact(cells)
    assert made.evidence.test == "boschloo"
    assert made.evidence.p_value == pytest.approx(oracle.pvalue, rel=0.02)
    assert made.difference.value == pytest.approx(wrong[0] / 60 - wrong[1] / 45)
    assert made.difference.interval.method == "newcombe-unpaired"


# Numbers that decide a verdict and that no other test pins.


def test_equivalence_is_adjusted_like_the_difference():
    truth, preds = table(30, 34, both_right=700, both_wrong=36)
    preds["c"] = preds["b"].copy()
    preds["c"][::97] = 1 - preds["c"][::97]
    made = referee.compare_predictions(truth, preds, rope=0.04)
    alone = [
        referee.compare_predictions(
            truth, {d.first: preds[d.first], d.second: preds[d.second]}, rope=0.04
        )
        .duels[0]
        .equivalence.p_value
        for d in made.duels
    ]
    expected = multipletests(alone, method="holm")[1]
    assert [d.equivalence.p_value for d in made.duels] == pytest.approx(list(expected))
    assert max(expected) > max(alone) or max(expected) > 1.5 * min(alone)


def test_equivalence_with_groups_counts_independent_pairs_only():
    # Fifty groups of ten alike are worth fifty cases, not five hundred.
    truth, preds = table(4, 4, both_right=40, both_wrong=2)
    many = {m: np.repeat(p, 10) for m, p in preds.items()}
    group = np.repeat(np.arange(50), 10)
    made = referee.compare_predictions(np.repeat(truth, 10), many, groups=group, rope=0.1)
    plain = referee.compare_predictions(np.repeat(truth, 10), many, rope=0.1)
    few = referee.compare_predictions(truth, preds, rope=0.1)
    assert plain.verdict.outcome is Outcome.EQUIVALENT
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert made.duels[0].equivalence.p_value == pytest.approx(
        few.duels[0].equivalence.p_value, abs=0.06
    )


def test_posterior_takes_the_share_of_cases_each_fold_tests(cancer):
    made = referee.compare(MODELS, *cancer, by=5, rope=0.01, random_state=0)
    d = zero_one(main_rows(made, "nb")) - zero_one(main_rows(made, "knn"))
    folds = d.groupby(main_rows(made, "nb").split).mean().to_numpy()
    scale = np.sqrt((1 / 5 + 0.2 / 0.8) * folds.var(ddof=1))
    left = stats.t.cdf((-0.01 - folds.mean()) / scale, 4)
    assert made.duels[0].posterior.first_better == pytest.approx(left)


def test_rows_needed_grow_with_dependence_and_count_both_test_sets():
    truth, preds = table(30, 20, both_right=430, both_wrong=20)
    plain = referee.compare_predictions(truth, preds).duels[0]
    psi, delta = 50 / 500, 10 / 500
    z, w = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    connor = ((z * psi**0.5 + w * (psi - delta**2) ** 0.5) / delta) ** 2
    assert plain.rows_needed == pytest.approx(connor)
    group = np.arange(500) // 5
    grouped = referee.compare_predictions(truth, preds, groups=group).duels[0]
    worth = grouped.difference.interval.n_effective
    assert grouped.rows_needed == pytest.approx(connor * 500 / worth)
    apart = referee.compare_predictions({"a": truth, "b": truth}, preds).duels[0]
    p1, p2 = 40 / 500, 50 / 500
    mean = (p1 + p2) / 2
    fleiss = (z * (2 * mean * (1 - mean)) ** 0.5 + w * (p1 * (1 - p1) + p2 * (1 - p2)) ** 0.5) ** 2
    assert apart.rows_needed == pytest.approx(2 * fleiss / (p1 - p2) ** 2)


def test_groups_too_few_to_tell_are_counted_as_groups():
    truth = np.arange(60) % 2
    b = np.where(np.arange(60) < 12, 1 - truth, truth)
    made = referee.compare_predictions(
        truth, {"a": truth, "b": b}, groups=np.repeat(np.arange(4), 15)
    )
    assert "too few groups" in made.verdict.sentence
    assert "12 of 60" not in made.verdict.sentence


def test_a_rope_is_refused_where_the_test_cannot_judge_it(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by="5x2", test="5x2cv-f", rope=0.1, random_state=0)


def test_evaluations_know_their_baselines_and_bring_their_own_cases(cancer):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    made = {k: referee.evaluate(m, *cancer, by="2x5", random_state=0) for k, m in models.items()}
    assert referee.compare(made).verdict.outcome is Outcome.FIRST
    with pytest.raises(InputError, match="own cases"):
        referee.compare(made, *cancer)
