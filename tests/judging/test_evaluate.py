"""evaluate and evaluate_predictions: values, intervals, verdicts, options and the corners."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core import Outcome, Part, Target
from referee.errors import InputError, Refusal
from referee.intervals import RISK_INTERVALS
from referee.resampling import CrossValidation, Holdout


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::4, :6], y[::4]


def two(errors, n=100, positives=50):
    """Return truth and answers with so many errors, spread over both classes."""
    truth = np.array([1] * positives + [0] * (n - positives))
    predicted = truth.copy()
    rows = np.random.default_rng(0).permutation(n)[:errors]
    predicted[rows] ^= 1
    return truth, predicted


# Values.


def test_cross_validated_error_against_cross_val_predict(iris):
    X, y = iris
    e = referee.evaluate(GaussianNB(), X, y, by=5, random_state=3)
    cv = [(s.train, s.test) for s in e.plan.part(Part.MAIN)]
    assert e.error.value == pytest.approx(
        np.mean(cross_val_predict(GaussianNB(), X, y, cv=cv) != y)
    )
    assert e.error.n == 150


def test_repeated_cross_validation_against_a_loop(iris):
    X, y = iris
    e = referee.evaluate(GaussianNB(), X, y, by="3x4", random_state=3)
    wrong = [
        GaussianNB().fit(X[s.train], y[s.train]).predict(X[s.test]) != y[s.test]
        for s in e.plan.part(Part.MAIN)
    ]
    assert len(wrong) == 12
    assert e.error.value == pytest.approx(np.concatenate(wrong).mean())
    assert e.error.n == 150


def test_holdout_error_and_interval_against_a_loop_and_scipy(cancer):
    X, y = cancer
    e = referee.evaluate(GaussianNB(), X, y, by=Holdout(0.4), random_state=1)
    (split,) = e.plan.splits
    test = np.setdiff1d(split.test, split.train)
    model = GaussianNB().fit(X[split.train], y[split.train])
    wrong = int(np.sum(model.predict(X[test]) != y[test]))
    ci = stats.binomtest(wrong, len(test)).proportion_ci(0.95, "exact")
    assert (e.error.value, e.error.n) == (wrong / len(test), len(test))
    assert (e.error.interval.low, e.error.interval.high) == pytest.approx((ci.low, ci.high))
    train_error = np.mean(model.predict(X[split.train]) != y[split.train])
    assert e.training_error.value == pytest.approx(train_error)
    assert e.optimism == pytest.approx(e.error.value - train_error)


def test_leave_one_out_against_a_loop(cancer):
    X, y = cancer[0][:40], cancer[1][:40]
    e = referee.evaluate(KNeighborsClassifier(3), X, y, by="loo")
    rows = np.arange(40)
    wrong = [
        KNeighborsClassifier(3).fit(X[rows != i], y[rows != i]).predict(X[[i]])[0] != y[i]
        for i in rows
    ]
    assert e.error.value == pytest.approx(np.mean(wrong))


def test_a_splitter_and_index_pairs_against_cross_val_predict(iris):
    X, y = iris
    splitter = KFold(5, shuffle=True, random_state=0)
    expected = np.mean(cross_val_predict(GaussianNB(), X, y, cv=splitter) != y)
    given = referee.evaluate(GaussianNB(), X, y, by=splitter)
    pairs = referee.evaluate(GaussianNB(), X, y, by=splitter.split(X))
    assert given.error.value == pairs.error.value == pytest.approx(expected)


@pytest.mark.parametrize("steady", [True, False])
@pytest.mark.parametrize(("target", "c"), [("conditional", None), ("expected", 1.75)])
def test_repeated_cv_interval_against_the_formula_of_the_methods_page(iris, steady, target, c):
    X, y = iris
    model = KNeighborsClassifier(5)
    if not steady:  # half the labels at random: a learner that changes its mind
        rng = np.random.default_rng(0)
        y, model = (
            np.where(rng.random(150) < 0.5, rng.integers(3, size=150), y),
            DecisionTreeClassifier(max_features=1),
        )
    e = referee.evaluate(model, X, y, random_state=0, about=target)
    losses = {}
    for part in (Part.MAIN, Part.HALVES) if target == "conditional" else (Part.MAIN,):
        table = e.predictions.of_part(part)
        wrong = np.zeros((10, 150))
        wrong[table.repetition[table.split], table.case] = table.wrong
        losses[part] = wrong
    h = losses[Part.MAIN].mean(axis=0)
    p = h.mean()
    U = np.clip(10 / 9 * np.mean(h * (1 - h)) / (p * (1 - p)), 0, 1)
    flagged = U > 0.5
    if target == "conditional":
        steep = abs(losses[Part.HALVES].mean() - p) > 0.75 * math.sqrt(p * (1 - p) / 150)
        flagged = bool(flagged or steep)
        assert flagged is not steady
    n_eff = 150 / ((c or (2.0 if flagged else 1.25)) * (1 + U / 2))
    ends = stats.beta.ppf([0.025, 0.975], p * n_eff + 0.5, (1 - p) * n_eff + 0.5)
    assert e.error.interval.n_effective == pytest.approx(n_eff)
    assert (e.error.interval.low, e.error.interval.high) == pytest.approx(tuple(ends))
    assert e.error.interval.target is Target(target)


def test_single_pass_interval_against_the_formula(iris):
    X, y = iris
    for target, c in (("conditional", 1.5), ("expected", 2.0)):
        i = referee.evaluate(GaussianNB(), X, y, by=10, random_state=0, about=target).error
        n_eff = 150 / c
        a, b = i.value * n_eff + 0.5, (1 - i.value) * n_eff + 0.5
        assert i.interval.low == pytest.approx(stats.beta.ppf(0.025, a, b))
        assert i.interval.high == pytest.approx(stats.beta.ppf(0.975, a, b))


def test_weighted_cross_validation_against_a_weighted_mean(iris):
    X, y = iris
    w = np.random.default_rng(0).exponential(size=150)
    e = referee.evaluate(GaussianNB(), X, y, by=5, sample_weight=w, random_state=1)
    cv = [(s.train, s.test) for s in e.plan.part(Part.MAIN)]
    wrong = cross_val_predict(GaussianNB(), X, y, cv=cv) != y
    assert e.error.value == pytest.approx(np.average(wrong, weights=w))
    kish = w.sum() ** 2 / np.sum(w**2)
    assert e.error.interval.n_effective == pytest.approx(kish / 1.5)


def test_groups_are_kept_whole_and_cost_effective_cases(iris):
    X, y = iris
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat(np.arange(30), 5))
    e = referee.evaluate(GaussianNB(), X, y, groups=group, random_state=0)
    for split in e.plan.part(Part.MAIN):
        assert not set(group[split.train]) & set(group[split.test])
    assert e.error.interval.method == "clustered"
    assert e.error.interval.n_effective < 150
    assert "R003" not in [f.code for f in e.findings]


def test_time_trains_on_the_past_only(iris):
    X, y = iris
    when = np.random.default_rng(0).permutation(150)
    e = referee.evaluate(GaussianNB(), X, y, time=when, by=5, random_state=0)
    for split in e.plan.part(Part.MAIN):
        assert when[split.train].max() < when[split.test].min()


def test_priors_against_the_weighted_sum():
    truth, predicted = [0] * 40 + [1] * 60, [0] * 36 + [1] * 4 + [1] * 45 + [0] * 15
    e = referee.evaluate_predictions(truth, predicted, priors={0: 0.9, 1: 0.1})
    assert e.error.value == pytest.approx(0.9 * 0.1 + 0.1 * 0.25)
    assert e.error.value in e.error.interval
    assert e.estimates["accuracy"].value == pytest.approx(1 - e.error.value)
    assert e.estimates["tpr"].value == pytest.approx(0.75)


def test_guessing_under_priors_is_all_but_the_largest():
    truth, predicted = [0] * 50 + [1] * 50, [0] * 40 + [1] * 10 + [1] * 40 + [0] * 10
    e = referee.evaluate_predictions(truth, predicted, priors=[0.99, 0.01])
    assert e.guessing.value == pytest.approx(0.01)
    # An error of 20 % against 1 %, yet it tells the classes apart: nothing is decided.
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert "err more often than that one answer" in e.verdict.sentence
    fair = referee.evaluate_predictions(truth, predicted, priors=[0.5, 0.5])
    assert fair.verdict.outcome is Outcome.PASS


@pytest.mark.parametrize("extra", [{"groups": [0, 1] * 2}, {"sample_weight": [1, 2, 1, 2]}])
def test_priors_with_groups_or_weights_are_refused(extra):
    with pytest.raises(InputError, match="priors cannot be combined"):
        referee.evaluate_predictions([0, 1, 0, 1], [0, 1, 1, 1], priors=[0.5, 0.5], **extra)


def test_guessing_against_the_commonest_class_by_weight():
    truth, predicted = [0] * 60 + [1] * 40, [0] * 60 + [1] * 40
    plain = referee.evaluate_predictions(truth, predicted)
    assert plain.guessing.value == pytest.approx(0.4)
    weight = [1.0] * 60 + [3.0] * 40
    weighted = referee.evaluate_predictions(truth, predicted, sample_weight=weight)
    assert weighted.guessing.value == pytest.approx(60 / 180)


# The positive class.


@pytest.mark.parametrize(
    ("labels", "positive"),
    [((0, 1), 1), ((-1, 1), 1), ((False, True), True), (("no", "yes"), None), ((1, 2), None)],
)
def test_positive_class_is_conventional_or_unknown(labels, positive):
    truth = np.array([labels[0], labels[1]] * 20)
    e = referee.evaluate_predictions(truth, truth)
    assert e.pos_label == positive
    assert ("tpr" in e.estimates) == (positive is not None)


def test_positive_class_of_strings_must_be_given_and_known():
    truth = ["ill", "well"] * 20
    with pytest.raises(InputError, match="pos_label"):
        referee.evaluate_predictions(truth, truth, measures=["tpr"])
    with pytest.raises(InputError, match="'ill', 'well', got 'sick'"):
        referee.evaluate_predictions(truth, truth, pos_label="sick")
    e = referee.evaluate_predictions(truth, ["ill"] * 40, pos_label="ill")
    assert (e.estimates["tpr"].value, e.estimates["tnr"].value) == (1.0, 0.0)


def test_positive_class_turned_around_swaps_tpr_and_tnr():
    truth, predicted = two(20, positives=30)
    one = referee.evaluate_predictions(truth, predicted).estimates
    other = referee.evaluate_predictions(truth, predicted, pos_label=0).estimates
    assert one["tpr"].value == other["tnr"].value
    assert one["tnr"].interval == other["tpr"].interval


# Options.


def test_measures_selected_come_with_the_error_and_no_others():
    truth, predicted = two(10)
    e = referee.evaluate_predictions(truth, predicted, measures=["kappa", "npv"])
    assert list(e.estimates) == ["error", "kappa", "npv"]
    with pytest.raises(InputError, match="did you mean 'kappa'"):
        referee.evaluate_predictions(truth, predicted, measures=["kapa"])


OF_SHARES = [name for name, m in RISK_INTERVALS.items() if m.of_losses != "numbers"]


@pytest.mark.parametrize("name", OF_SHARES)
def test_every_interval_by_name_on_given_predictions(name):
    truth, predicted = two(10)
    extra = {"groups": np.arange(100) // 2} if name == "clustered" else {}
    extra = {"sample_weight": 1.0 + np.arange(100) % 2 / 9} if name == "weighted" else extra
    extra = {"time": 37 * np.arange(100) % 101} if name == "serial" else extra
    several = ("student-t", "corrected-t", "effective-jeffreys")
    if name in several or RISK_INTERVALS[name].of_all_cases:
        with pytest.raises((Refusal, InputError)):
            referee.evaluate_predictions(truth, predicted, interval=name, **extra)
        return
    i = referee.evaluate_predictions(truth, predicted, interval=name, **extra).error.interval
    assert i.method == name
    assert 0.02 < i.low < 0.1 < i.high < 0.25


@pytest.mark.parametrize("name", OF_SHARES)
def test_every_interval_by_name_on_cross_validation(name, cancer):
    X, y = cancer
    extra = {"groups": np.arange(len(y)) // 2} if name == "clustered" else {}
    extra = {"sample_weight": 1.0 + np.arange(len(y)) % 2} if name == "weighted" else extra
    extra = {"time": np.arange(len(y))} if name == "serial" else extra
    by = name if name in ("nested-cv", "conservative-z") else 5
    e = referee.evaluate(GaussianNB(), X, y, by=by, interval=name, random_state=0, **extra)
    assert e.error.interval.method == name
    assert e.error.value in e.error.interval
    trusted = (
        "corrected-t",
        "effective-jeffreys",
        "nested-cv",
        "conservative-z",
        "clustered",
        "serial",
    )
    if name not in (*trusted, "percentile", "basic", "bca"):
        assert "R010" in [f.code for f in e.findings]


def test_student_t_interval_against_scipy(iris):
    X, y = iris
    equal = KFold(10, shuffle=True, random_state=0)
    e = referee.evaluate(GaussianNB(), X, y, by=equal, interval="student-t", random_state=0)
    table = e.predictions.unseen
    folds = [table.wrong[table.split == s].mean() for s in range(10)]
    low, high = stats.t.interval(0.95, 9, np.mean(folds), stats.sem(folds))
    assert (e.error.interval.low, e.error.interval.high) == pytest.approx((low, high))


@pytest.mark.parametrize("name", ["student-t", "corrected-t"])
def test_t_interval_of_weighted_cases_is_centred_on_the_weighted_error(name, iris):
    X, y = iris[0], (np.arange(150) % 5 < 2).astype(int)
    model, weight = DummyClassifier(strategy="most_frequent"), 1.0 + 4.0 * y
    by = KFold(5, shuffle=True, random_state=0)
    e = referee.evaluate(model, X, y, by=by, interval=name, sample_weight=weight)
    assert e.error.value == pytest.approx(300 / 390)
    centre = (e.error.interval.low + e.error.interval.high) / 2
    assert centre == pytest.approx(e.error.value, abs=0.05)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"level": 95}, "for 95 % write 0.95"),
        ({"level": 0}, "strictly between 0 and 1"),
        ({"level": 1.0}, "strictly between 0 and 1"),
        ({"max_error": 5}, "for 5 % write 0.05"),
        ({"max_error": -0.1}, "between 0 and 1"),
        ({"max_error": math.nan}, "between 0 and 1"),
        ({"max_error": "small"}, "must be a number"),
        ({"interval": "wilsn"}, "did you mean 'wilson'"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_wrong_options_are_refused_with_their_value_and_a_remedy(options, says):
    with pytest.raises(InputError, match=says):
        referee.evaluate_predictions([0, 1] * 5, [0, 1] * 5, **options)


@pytest.mark.parametrize("target", ["fixed", "nonsense"])
def test_targets_that_cannot_be_asked_for(target, iris):
    with pytest.raises(InputError, match="about must be 'conditional' or 'expected'"):
        referee.evaluate(GaussianNB(), *iris, about=target)


def test_same_seed_same_numbers_other_seed_other_splits(iris):
    X, y = iris
    tree = DecisionTreeClassifier(max_features=1)
    runs = [referee.evaluate(tree, X, y, by=5, random_state=s) for s in (1, 1, 2)]
    assert runs[0].to_json() == runs[1].to_json()
    assert runs[0].plan.fingerprint != runs[2].plan.fingerprint


def test_the_seed_drawn_is_recorded_and_repeats_the_run(iris):
    X, y = iris
    tree = DecisionTreeClassifier(max_features=1)
    first = referee.evaluate(tree, X, y, by=5)
    again = referee.evaluate(tree, X, y, by=5, random_state=first.provenance.seed)
    assert first.to_json() == again.to_json()


def test_same_result_for_any_number_of_jobs(iris):
    X, y = iris
    tree = DecisionTreeClassifier(max_features=1)
    one, more = (referee.evaluate(tree, X, y, by=5, random_state=4, n_jobs=n) for n in (1, 2))
    assert one.to_json() == more.to_json()


def test_the_model_is_trained_on_all_rows(iris):
    X, y = iris
    e = referee.evaluate(GaussianNB(), X, y, by=5)
    np.testing.assert_array_equal(e.model.theta_, GaussianNB().fit(X, y).theta_)


def test_renaming_the_classes_changes_no_number(iris):
    X, y = iris
    plain = referee.evaluate(GaussianNB(), X, y, by=5, random_state=0).frame()
    named = referee.evaluate(
        GaussianNB(), X, np.array(["a", "b", "c"])[y], by=5, random_state=0
    ).frame()
    pd.testing.assert_frame_equal(plain, named)


def test_frame_has_a_row_per_estimate_and_the_columns_promised(iris):
    e = referee.evaluate(GaussianNB(), *iris, by=5)
    frame = e.frame()
    columns = ["measure", "value", "low", "high", "level", "method", "target", "n"]
    columns += ["n_effective", "reason"]
    assert list(frame.columns) == columns
    assert list(frame.measure) == [*e.estimates, "training error"]
    assert frame.value[0] == e.error.value
    assert "Columns are " + ", ".join(columns) in " ".join(type(e).frame.__doc__.split())


def test_the_name_is_that_of_the_model_or_the_one_given(iris):
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    assert referee.evaluate(pipeline, *iris, by=3).name == "GaussianNB"
    assert referee.evaluate(pipeline, *iris, by=3, name="mine").verdict.sentence.startswith("mine")


# Verdicts.


@pytest.mark.parametrize(
    ("errors", "bound", "outcome"),
    [
        (5, 0.2, Outcome.PASS),
        (5, 0.06, Outcome.UNDECIDED),
        (40, 0.2, Outcome.FAIL),
        (0, 0.0, Outcome.UNDECIDED),
        (100, 1.0, Outcome.PASS),
    ],
)
def test_verdict_on_a_bound_against_the_exact_interval(errors, bound, outcome):
    truth, predicted = two(errors)
    e = referee.evaluate_predictions(truth, predicted, max_error=bound)
    ci = stats.binomtest(errors, 100).proportion_ci(0.95, "exact")
    by_hand = (
        Outcome.PASS if ci.high <= bound else Outcome.FAIL if ci.low > bound else Outcome.UNDECIDED
    )
    assert e.verdict.outcome is outcome is by_hand
    assert e.verdict.shown == (outcome is Outcome.PASS)


@pytest.mark.parametrize(
    ("errors", "outcome"),
    [(10, Outcome.PASS), (45, Outcome.UNDECIDED), (90, Outcome.FAIL)],
)
def test_verdict_against_guessing(errors, outcome):
    assert referee.evaluate_predictions(*two(errors)).verdict.outcome is outcome


def test_the_sentence_carries_value_interval_level_n_and_rival():
    truth, predicted = two(10)
    sentence = referee.evaluate_predictions(
        truth, predicted, level=0.9, name="knn"
    ).verdict.sentence
    ci = stats.binomtest(10, 100).proportion_ci(0.9, "exact")
    assert sentence == (
        f"knn errs on 10.0 % of new cases (90 % interval {100 * ci.low:.1f} to {100 * ci.high:.1f}"
        " %; given predictions, n = 100): better than always answering 0, which errs on 50.0 %."
    )


def test_the_sentence_on_a_bound_names_it():
    truth, predicted = two(10)
    say = [
        referee.evaluate_predictions(truth, predicted, max_error=b).verdict.sentence
        for b in (0.5, 0.1, 0.01)
    ]
    assert say[0].endswith("at most 50.0 %, as claimed.")
    assert say[1].endswith("not shown to be at most 10.0 %.")
    assert say[2].endswith("more than the 1.00 % claimed.")


# Corners.


def test_no_errors_against_the_rule_of_three():
    truth, predicted = two(0, n=300, positives=150)
    e = referee.evaluate_predictions(truth, predicted)
    assert e.error.value == 0
    assert e.error.interval.low == 0
    assert e.error.interval.high == pytest.approx(1 - 0.025 ** (1 / 300))
    assert e.estimates["mcc"].value == 1


def test_all_errors():
    truth, predicted = two(100)
    e = referee.evaluate_predictions(truth, predicted)
    assert (e.error.value, e.error.interval.high) == (1.0, 1.0)
    assert e.verdict.outcome is Outcome.FAIL
    assert e.estimates["precision"].value == 0


def test_constant_predictions_leave_undefined_what_is_undefined():
    e = referee.evaluate_predictions([0] * 70 + [1] * 30, [0] * 100)
    assert e.error.value == pytest.approx(0.3)
    assert not e.estimates["precision"].defined
    assert "no positive answer" in e.estimates["precision"].reason
    assert not e.estimates["mcc"].defined
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert "R011" in [f.code for f in e.findings]


def test_a_model_that_always_answers_the_commonest_is_never_better_than_guessing(cancer):
    e = referee.evaluate(DummyClassifier(strategy="most_frequent"), *cancer, random_state=0)
    assert e.error.value == pytest.approx(e.guessing.value)
    assert e.verdict.outcome is Outcome.UNDECIDED


def test_one_positive_case():
    truth, predicted = [0] * 99 + [1], [0] * 98 + [1, 1]
    e = referee.evaluate_predictions(truth, predicted).estimates
    assert (e["tpr"].n, e["tpr"].value) == (1, 1.0)
    assert e["tpr"].interval.low == pytest.approx(0.025)
    assert (e["precision"].n, e["precision"].value) == (2, 0.5)


def test_one_positive_case_in_training_is_a_finding_not_an_error():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.random.default_rng(0).permutation([1] + [0] * 59)
    e = referee.evaluate(KNeighborsClassifier(1), X, y, random_state=0)
    assert "R005" in [f.code for f in e.findings]
    assert e.error.defined


def test_two_cases_a_class():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    e = referee.evaluate(KNeighborsClassifier(1), X, [0, 0, 1, 1], random_state=0)
    assert e.error.value == 0
    assert e.error.interval.high > 0.4
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert "R006" in [f.code for f in e.findings]


def test_one_case_a_class_is_refused():
    with pytest.raises(InputError, match=r"one case|at least"):
        referee.evaluate(KNeighborsClassifier(1), [[0.0], [1.0]], [0, 1])


def test_forty_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(40), 5)
    X = rng.normal(size=(40, 6))[y] * 4 + rng.normal(size=(200, 6))
    e = referee.evaluate(KNeighborsClassifier(1), X, y, by=CrossValidation(5), random_state=0)
    cv = [(s.train, s.test) for s in e.plan.part(Part.MAIN)]
    wrong = cross_val_predict(KNeighborsClassifier(1), X, y, cv=cv) != y
    assert e.error.value == pytest.approx(wrong.mean())
    assert e.guessing.value == pytest.approx(39 / 40)
    assert e.verdict.outcome is Outcome.PASS


def test_labels_absent_from_the_truth_can_be_named():
    with pytest.raises(InputError, match="labels="):
        referee.evaluate_predictions(["a"] * 5, ["a"] * 5)
    e = referee.evaluate_predictions(["a"] * 5, ["a", "a", "b", "a", "a"], labels=["a", "b"])
    assert e.error.value == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("truth", "predicted", "says"),
    [
        ([0, 1, None], [0, 1, 1], "y_true is missing in row 2"),
        ([0, 1], [0], "2 rows and y_pred has 1"),
        ([0, 1], [0, 2], "label 2 in row 1"),
        (["a", "b"], [0, 1], "y_pred has the label 0"),
        ([], [], "empty"),
        ([0, 1], None, "y_pred is missing"),
    ],
)
def test_wrong_predictions_are_refused(truth, predicted, says):
    with pytest.raises(InputError, match=says):
        referee.evaluate_predictions(truth, predicted)


def test_the_data_are_left_as_they_were(iris):
    X, y = iris[0].copy(), iris[1].copy()
    before = (X.copy(), y.copy())
    referee.evaluate(GaussianNB(), X, y, by=3)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


def test_documents_go_straight_into_a_vectoriser():
    from sklearn.feature_extraction.text import TfidfVectorizer

    docs = ["good fine nice", "bad poor sad"] * 30
    y = ["up", "down"] * 30
    model = make_pipeline(TfidfVectorizer(), LogisticRegression())
    e = referee.evaluate(model, docs, y, by=5, random_state=0, dismiss=["R002"])
    assert e.error.value == 0
    assert e.error.n == 60


def test_series_in_another_order_are_refused():
    import pandas as pd

    y = pd.Series([0, 1] * 20)
    with pytest.raises(InputError, match="y_true and y_pred have the same index in another order"):
        referee.evaluate_predictions(y, y[::-1])
    X = pd.DataFrame({"a": np.arange(40.0)})
    with pytest.raises(InputError, match="X and y have the same index in another order"):
        referee.evaluate(GaussianNB(), X, y.sample(frac=1, random_state=0))


def test_the_fingerprint_knows_weights_groups_and_time():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), [0, 1] * 20
    data = {
        referee.Dataset.of(X, y, **extra).fingerprint
        for extra in ({}, {"groups": np.arange(40) // 2}, {"sample_weight": np.arange(40.0)})
    }
    assert len(data) == 3


def test_an_unknown_measure_is_refused_before_anything_is_fitted():
    class Never(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError

    with pytest.raises(InputError, match="'rocauc' is unknown"):
        referee.evaluate(Never(), [[0.0], [1.0]] * 10, [0, 1] * 10, measures=["rocauc"])


class _Hard(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("nothing should be fitted")

    def predict(self, X):
        raise AssertionError


@pytest.mark.parametrize(
    ("model", "measure", "message"),
    [
        (_Hard(), "auc", "auc needs scores, and _Hard has neither predict_proba nor"),
        (LinearSVC(), "log_loss", "log_loss needs probabilities, and LinearSVC has no"),
    ],
)
def test_a_measure_the_model_cannot_give_is_refused_before_any_fit(model, measure, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=message):
        referee.evaluate(model, X[:100], y[:100], by=2, measures=[measure], pos_label=1)


def test_the_learning_procedure_needs_no_twofold_runs():
    X, y = load_iris(return_X_y=True)
    asked = {"about": "expected", "max_fits": 100, "random_state": 0}
    made = referee.evaluate(GaussianNB(), X, y, **asked)
    assert made.plan.fits == 101
    assert made.error.interval.target is Target.EXPECTED
