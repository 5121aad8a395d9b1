"""Two learners on one plan: every test against its formula."""

import math

import numpy as np
import pytest
from compared_models import (
    COUNTED,
    HALVED,
    LEARNER_TESTS,
    MODELS,
    ORACLES,
    corrected,
    costs_of,
    main_rows,
    mirrored,
    turned,
    zero_one,
)
from scipy import stats
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import ShuffleSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import LinearSVC
from statsmodels.stats.contingency_tables import mcnemar

import referee
from referee.comparing.pairs.learner_pair import SharedFits
from referee.comparing.question import Question
from referee.core import Part, Target
from referee.measures import MEASURES
from referee.resampling import CalibratedCrossValidation


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


def check_against_t(pair, value, se, df, level=0.95):
    assert pair.difference.value == pytest.approx(value)
    assert pair.evidence.statistic == pytest.approx(value / se)
    assert pair.evidence.p_value == pytest.approx(2 * stats.t.sf(abs(value / se), df))
    half = stats.t.ppf((1 + level) / 2, df) * se
    ends = pair.difference.interval.low, pair.difference.interval.high
    assert ends == pytest.approx((value - half, value + half))


LEARNER_SCHEMES = {
    "calibrated-t": CalibratedCrossValidation(repetitions=2, folds=5, halvings=3),
    "shrunken-t": CalibratedCrossValidation(repetitions=2, folds=5, halvings=3),
    "corrected-t": "2x5",
    "kfold-t": 5,
    "5x2cv-t": "5x2",
    "5x2cv-f": "5x2",
}


def test_learners_with_groups_keep_them_whole_and_say_so():
    X, y = load_iris(return_X_y=True)
    group = np.random.default_rng(0).permutation(np.repeat(np.arange(50), 3))
    made = referee.compare(MODELS, X, y, by=5, groups=group, random_state=0)
    for split in made.plan.part(Part.MAIN):
        assert not set(group[split.train]) & set(group[split.test])
    assert "in 50 groups" in made.verdict.sentence


def test_calibrated_t_against_the_formula_of_the_methods_page(halved):
    check_against_t(halved.pairs[0], *hc(halved, "nb", "knn", zero_one))
    assert halved.evidence.test == "calibrated-t"
    assert halved.evidence.target is Target.EXPECTED
    assert halved.evidence.n == 140


def test_calibrated_t_of_the_brier_score_against_the_formula(cancer):
    made = referee.compare(MODELS, *cancer, by=HALVED, measure="brier", random_state=1)
    value, se, df = hc(made, "nb", "knn", lambda f: (f["score 1"] - (f.truth == 1)) ** 2)
    assert made.evidence.test == "calibrated-t"
    check_against_t(made.pairs[0], value, se, df)


def test_halvings_share_no_case_and_are_split_evenly(halved):
    frame = halved.predictions["nb"].frame()
    inside = frame[frame.part == "halvings"]
    for m in range(3):
        one, two = (set(inside[inside.repetition == 2 * m + j].case) for j in (0, 1))
        assert not one & two
        assert one | two == set(range(140))
        assert abs(len(one) - len(two)) <= 1


def test_corrected_t_against_nadeau_and_bengio(twice):
    d = zero_one(main_rows(twice, "nb")) - zero_one(main_rows(twice, "knn"))
    per_split = d.groupby(main_rows(twice, "nb").split).mean().to_numpy()
    assert len(per_split) == 10
    check_against_t(twice.pairs[0], *corrected(per_split, 112, 28))
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
    check_against_t(made.pairs[0], *corrected(np.array(per_split), 105, 35))


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
    check_against_t(made.pairs[0], value, se, df)
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
        made = referee.compare(MODELS, *cancer, by="5x2", significance=test, random_state=0)
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
    made = referee.compare(MODELS, *cancer, by=10, significance="kfold-t", random_state=0)
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


@pytest.mark.parametrize("test", LEARNER_TESTS)
def test_swapping_learners(test, cancer):
    mirrored(
        *(
            referee.compare(m, *cancer, by=LEARNER_SCHEMES[test], significance=test, random_state=1)
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


@pytest.mark.parametrize("measure", ["error", "accuracy", "auc", "brier"])
def test_posterior_favours_the_better_learner_whatever_the_direction(measure, cancer):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    made = referee.compare(models, *cancer, by="2x5", measure=measure, rope=0.01, random_state=0)
    assert made.pairs[0].posterior.first_better > 0.95
    back = referee.compare(
        turned(models), *cancer, by="2x5", measure=measure, rope=0.01, random_state=0
    )
    assert back.pairs[0].posterior.second_better == pytest.approx(
        made.pairs[0].posterior.first_better
    )


def test_posterior_takes_the_share_of_cases_each_fold_tests(cancer):
    made = referee.compare(MODELS, *cancer, by=5, rope=0.01, random_state=0)
    d = zero_one(main_rows(made, "nb")) - zero_one(main_rows(made, "knn"))
    folds = d.groupby(main_rows(made, "nb").split).mean().to_numpy()
    scale = np.sqrt((1 / 5 + 0.2 / 0.8) * folds.var(ddof=1))
    left = stats.t.cdf((-0.01 - folds.mean()) / scale, 4)
    assert made.pairs[0].posterior.first_better == pytest.approx(left)


def test_the_halves_that_are_compared_belong_to_one_halving(halved):
    one, two = (halved.predictions[name] for name in ("nb", "knn"))
    fits = SharedFits(one, two, Question(measure=MEASURES["error"]))
    frames = [t.frame() for t in (one, two)]
    d = frames[0].assign(d=zero_one(frames[0]) - zero_one(frames[1]))
    by_half = {h: g.d.tolist() for h, g in d[d.part == "halvings"].groupby("repetition")}
    assert len(fits.halves) == len(by_half) // 2 == 3
    for number, (first, second) in enumerate(fits.halves):
        assert first.tolist() == by_half[2 * number]
        assert second.tolist() == by_half[2 * number + 1]
