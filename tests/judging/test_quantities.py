"""Predicted quantities: measures, intervals, baselines and sentences, each against an oracle."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict

import referee
from referee.core.labels.task import task_of
from referee.core.predictions import Predictions
from referee.errors import InputError, Refusal
from referee.measures import make_loss, make_measure, measure_named
from referee.measures.residuals import weighted_quantile


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


def noisy(n=200, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    truth = rng.gamma(2.0, 3.0, n)
    return truth, truth + spread * rng.normal(size=n)


# Values


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("mae", metrics.mean_absolute_error, {}),
        ("mse", metrics.mean_squared_error, {}),
        ("rmse", metrics.root_mean_squared_error, {}),
        ("r2", metrics.r2_score, {}),
        ("pinball0.9", metrics.mean_pinball_loss, {"alpha": 0.9}),
        ("median_ae", metrics.median_absolute_error, {}),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_values_against_scikit_learn(name, function, options, weighted):
    truth, predicted = noisy(101)
    weight = np.random.default_rng(1).integers(1, 5, 101) if weighted else None
    table = Predictions.of_quantities(truth, predicted, sample_weight=weight)
    if name == "median_ae" and weighted:
        pytest.skip("see the test of the weighted median")
    expected = function(truth, predicted, sample_weight=weight, **options)
    assert measure_named(name).value(table) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("constant", [3.0, 3.3, 0.1, 1e8 + 0.7])
@pytest.mark.parametrize("weight", [None, 1.0 + np.arange(50) % 3])
def test_r2_of_a_constant_target_is_undefined(constant, weight):
    truth, predicted = np.full(50, constant), constant + np.arange(50) * 0.01
    e = referee.evaluate_predictions(
        truth, predicted, task="regression", measures=["r2"], sample_weight=weight
    ).error
    assert math.isnan(e.value)
    assert e.interval is None
    assert e.reason == "undefined: the right answers are all the same"


def test_the_weighted_median_is_that_of_repeated_cases():
    values = np.array([4.0, 1.0, 7.0, 2.0])
    weight = np.array([2.0, 1.0, 3.0, 1.0])
    repeated = np.repeat(values, weight.astype(int))
    assert weighted_quantile(values, 0.5, weight) == np.median(repeated)


# Intervals on one test set


def test_the_interval_of_a_symmetric_mean_is_at_least_students():
    truth, predicted = noisy(60)
    off = np.abs(truth - predicted)
    interval = referee.evaluate_predictions(truth, predicted).error.interval
    half = stats.t.ppf(0.975, 59) * off.std(ddof=1) / math.sqrt(60)
    assert interval.method == "skewed-t"
    assert interval.low <= off.mean() - half + 1e-9 or off.mean() - half < 0
    assert interval.high >= off.mean() + half - 1e-9


def test_rmse_has_the_root_of_the_interval_of_mse():
    e = referee.evaluate_predictions(*noisy(), measures=["mse", "rmse"])
    mse, rmse = e.estimates["mse"].interval, e.estimates["rmse"].interval
    assert rmse.low == pytest.approx(math.sqrt(mse.low))
    assert rmse.high == pytest.approx(math.sqrt(mse.high))


def test_r2_varies_as_its_bootstrap_does():
    """Against scipy's bootstrap of scikit-learn's function."""
    truth, predicted = noisy(300, spread=3.0)
    e = referee.evaluate_predictions(truth, predicted, measures="r2")
    drawn = stats.bootstrap(
        (truth, predicted), metrics.r2_score, paired=True, vectorized=False, n_resamples=999,
        rng=np.random.default_rng(0), method="percentile",
    )  # fmt: skip
    low, high = drawn.confidence_interval
    assert e.error.interval.width == pytest.approx(high - low, rel=0.15)
    assert e.error.interval.low == pytest.approx(low, abs=0.3 * (high - low))


def test_the_median_lies_between_exact_order_statistics():
    """Against the binomial order statistics of a median."""
    truth, predicted = noisy(41)
    off = np.sort(np.abs(truth - predicted))
    e = referee.evaluate_predictions(truth, predicted, measures="median_ae")
    ranks = stats.binom(41, 0.5).ppf([0.025, 0.975])
    assert e.error.value == np.median(off)
    assert e.error.interval.low <= off[int(ranks[0])]
    assert e.error.interval.high >= off[int(ranks[1]) - 1]


def test_groups_widen_the_interval_against_a_cluster_robust_t():
    """Against statsmodels' cluster-robust standard error, up to its small-sample factor."""
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(40), 5)
    truth = rng.normal(size=200)
    predicted = truth + rng.normal(size=40)[group] + 0.2 * rng.normal(size=200)
    alone = referee.evaluate_predictions(truth, predicted).error.interval
    together = referee.evaluate_predictions(truth, predicted, groups=group).error.interval
    off = np.abs(truth - predicted)
    fit = sm.OLS(off, np.ones(200)).fit(cov_type="cluster", cov_kwds={"groups": group})
    assert together.width > 1.5 * alone.width
    student = 2 * stats.t.ppf(0.975, 39) * fit.bse[0]
    assert together.width == pytest.approx(student, rel=0.2)


def test_weights_count_cases():
    truth, predicted = noisy(80)
    whole = np.random.default_rng(3).integers(1, 4, 80)
    weighted = referee.evaluate_predictions(truth, predicted, sample_weight=whole)
    repeated = np.repeat(np.abs(truth - predicted), whole).mean()
    assert weighted.error.value == pytest.approx(repeated)


EVERY = ["mae", "mse", "rmse", "r2", "median_ae", "pinball0.9"]


@pytest.mark.parametrize("name", EVERY)
def test_weights_keep_intervals_around_the_value(diabetes, name):
    X, y = diabetes
    predicted = cross_val_predict(LinearRegression(), X, y)
    plain, ones, drawn = (
        referee.evaluate_predictions(y + 0.5, predicted, measures=[name], sample_weight=w).error
        for w in (None, np.ones(442), np.random.default_rng(0).integers(1, 5, 442))
    )
    assert drawn.interval.low < drawn.value < drawn.interval.high
    assert ones.interval.low == pytest.approx(plain.interval.low)
    assert ones.interval.high == pytest.approx(plain.interval.high)
    assert ones.value == pytest.approx(plain.value)


def test_an_interval_of_weighted_shares_is_refused():
    truth, predicted = noisy(80)
    with pytest.raises(Refusal, match=r"weighted'.*shares of cases, and quantities are predicted"):
        referee.evaluate_predictions(
            truth, predicted, sample_weight=1.0 + np.arange(80) % 2, interval="weighted"
        )


def weighted_coverage(times, n=40, seed=6):
    """Return how often intervals hold the mean absolute error where weights say nothing of it."""
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(times):
        noise, weight = rng.normal(size=n), rng.gamma(2.0, size=n) + 0.1
        e = referee.evaluate_predictions(
            noise + 0.5, np.full(n, 0.5), measures="mae", sample_weight=weight
        )
        hits += math.sqrt(2 / math.pi) in e.error.interval
    return hits / times


def test_coverage_with_weights_small():
    assert weighted_coverage(100) >= 0.9


@pytest.mark.slow
def test_coverage_with_weights():
    assert 0.94 <= weighted_coverage(3000) <= 0.98


def test_coverage_of_one_test_set_small():
    """Absolute errors of normal residuals: the mean is sqrt(2 / pi)."""
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(150):
        noise = rng.normal(size=25)
        e = referee.evaluate_predictions(noise + 0.5, np.full(25, 0.5), measures="mae")
        hits += math.sqrt(2 / math.pi) in e.error.interval
    assert 0.90 <= hits / 150 <= 1.0


# What the target is taken for


@pytest.mark.parametrize(
    ("y", "kind", "numeric"),
    [
        (["a", "b"], "", False),
        ([0, 1, 1], "classifier", False),
        ([0.5, 1.25, 3.0], "regressor", True),
        ([0.5, 1.25, 3.0], "", True),
        (list(range(30)), "regressor", True),
        ([True, False], "", False),
        ([0, 1, 2], "", False),
    ],
)
def test_what_a_target_is_taken_for(y, kind, numeric):
    assert task_of(y, kind=kind).numeric is numeric


def test_few_whole_numbers_are_asked_about(diabetes):
    X, y = diabetes
    with pytest.raises(InputError, match=r"3 distinct values.*pass task='regression' or task="):
        referee.evaluate(Ridge(), X, np.digitize(y, [100, 200]))
    asked = referee.evaluate(
        Ridge(), X, np.digitize(y, [100, 200]), by=5, task="regression", random_state=0
    )
    assert asked.predictions.numeric
    with pytest.raises(InputError, match="may be classes or quantities"):
        referee.evaluate_predictions([1, 2, 3] * 5, [1.5, 2.0, 2.5] * 5)


def test_why_a_target_was_taken_for_quantities_is_said():
    assert "taken for quantities, because the target holds fractions" in (
        referee.evaluate_predictions(*noisy()).how
    )
    said = referee.evaluate_predictions(*noisy(), task="regression").how
    assert "because" not in said


@pytest.mark.parametrize(
    ("model", "options", "problem"),
    [
        (LogisticRegression(), {}, "the model is a classifier"),
        (Ridge(), {"task": "classification"}, "the model is a regressor, and the task is class"),
        (Ridge(), {"task": "numbers"}, "task must be one of 'auto'"),
        (Ridge(), {"measures": "auc"}, "auc is a measure of classes, and quantities are pred"),
        (Ridge(), {"pos_label": 1}, "pos_label is for classes"),
        (Ridge(), {"costs": (1, 2)}, "costs is for classes"),
        (Ridge(), {"by": "bootstrap"}, "by='bootstrap' estimates errors of classes"),
        (Ridge(), {"max_error": -1}, "max_error must be a number of at least 0"),
        (Ridge(), {"measures": "pinball1.5"}, "must lie strictly between 0 and 1"),
    ],
)
def test_bad_requests_are_refused_before_any_fit(diabetes, model, options, problem):
    X, y = diabetes
    with pytest.raises(InputError, match=problem):
        referee.evaluate(model, X, y + 0.5, **options)


def test_an_interval_of_shares_is_refused(diabetes):
    X, y = diabetes
    with pytest.raises(Refusal, match=r"wilson'.*shares of cases, and quantities are predicted"):
        referee.evaluate(Ridge(), X, y, interval="wilson")


@pytest.mark.parametrize(
    ("truth", "predicted", "problem"),
    [
        ([1.0, np.nan, 2.5], [1.0, 2.0, 3.0], "y_true is missing in row 1"),
        ([1.0, np.inf, 2.5], [1.0, 2.0, 3.0], "y_true must be finite, got inf in row 1|row 1"),
        ([1.5, 2.5], [1.0, np.nan], "y_pred is missing in row 1"),
        ([1.5, 2.5], [1.0], "has 2 rows and y_pred has 1"),
        ([1.5, 2.5], ["a", "b"], "holds 'a' in row 0, and a quantity is a number"),
    ],
)
def test_bad_quantities_are_named(truth, predicted, problem):
    with pytest.raises(InputError, match=problem):
        referee.evaluate_predictions(truth, predicted)


# Several fits


def test_cross_validated_values_are_those_of_scikit_learn(diabetes):
    X, y = diabetes
    folds = KFold(5, shuffle=True, random_state=0)
    e = referee.evaluate(Ridge(), X, y, by=folds, measures=["mae", "r2"], random_state=0)
    predicted = cross_val_predict(Ridge(), X, y, cv=folds)
    assert e.error.value == pytest.approx(metrics.mean_absolute_error(y, predicted))
    assert e.estimates["r2"].value == pytest.approx(metrics.r2_score(y, predicted))
    assert e.error.interval.method == "effective-t"
    assert e.error.interval.n_effective == pytest.approx(442 / 1.5)


def test_repetitions_halves_and_targets(diabetes):
    X, y = diabetes
    about = {
        name: referee.evaluate(
            LinearRegression(), X[:90], y[:90], by="10x10", about=name, random_state=0
        ).error.interval
        for name in ("conditional", "expected")
    }
    assert about["conditional"].target.value == "conditional"
    assert "judged" in about["conditional"].basis
    # At 90 cases the learner still learns steeply, so the first factor is 2, the other 1.75.
    sizes = {name: 90 / interval.n_effective for name, interval in about.items()}
    assert sizes["conditional"] / sizes["expected"] == pytest.approx(2 / 1.75)


@pytest.mark.parametrize("interval", ["corrected-t", "nested-cv", "conservative-z"])
def test_other_intervals_by_name_are_not_cut_at_1(diabetes, interval):
    X, y = diabetes
    e = referee.evaluate(LinearRegression(), X, y, interval=interval, random_state=0)
    assert e.error.interval.method == interval
    assert e.error.interval.low < e.error.value < e.error.interval.high
    assert e.error.value > 30


def test_groups_stay_whole_and_time_goes_forward(diabetes):
    X, y = diabetes
    group = np.arange(442) // 13
    grouped = referee.evaluate(Ridge(), X, y, groups=group, random_state=0)
    assert all(
        not np.intersect1d(group[s.train], group[s.test]).size
        for s in grouped.plan.splits
        if s.part.value == "main"
    )
    assert grouped.error.interval.method == "effective-t"
    forward = referee.evaluate(Ridge(), X, y, time=np.arange(442), random_state=0)
    assert "forward" in forward.how
    assert forward.error.interval is not None


def test_random_learners_give_the_same_numbers_for_any_number_of_jobs(diabetes):
    X, y = diabetes
    model = RandomForestRegressor(n_estimators=5)
    one, two = (
        referee.evaluate(model, X[:100], y[:100], by=3, random_state=1, n_jobs=jobs).error.value
        for jobs in (1, 2)
    )
    assert one == two


def test_a_search_is_nested_and_its_own_score_shown(diabetes):
    X, y = diabetes
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, scoring="neg_mean_absolute_error", cv=3)
    e = referee.evaluate(search, X, y, by=5, random_state=0)
    assert e.search.measure == "mae"
    assert e.search.inner == pytest.approx(e.error.value, rel=0.2)
    assert e.inflation is not None


# Verdicts, baselines, findings


def test_the_sentence_names_the_rival(diabetes):
    X, y = diabetes
    e = referee.evaluate(LinearRegression(), X, y, by=10, random_state=0)
    assert e.verdict.outcome.value == "pass"
    assert "LinearRegression is off by 45 on average (95 % interval" in e.verdict.sentence
    assert "better than always predicting the median, which is off by 65." in e.verdict.sentence


def test_squared_errors_are_held_against_the_mean(diabetes):
    X, y = diabetes
    e = referee.evaluate(DummyRegressor(), X, y, by=5, measures="rmse", random_state=0)
    assert e.verdict.outcome.value == "undecided"
    assert "not shown to be better than always predicting the mean" in e.verdict.sentence
    assert e.guessing.value == pytest.approx(e.error.value, rel=0.02)
    assert "R011" not in {f.code for f in e.findings}  # folds predict different means


def test_claims_are_judged_in_the_units_of_the_target():
    truth, predicted = noisy(400)
    for bound, outcome in ((2.0, "pass"), (0.5, "fail"), (0.8, "undecided")):
        e = referee.evaluate_predictions(truth, predicted, max_error=bound)
        assert e.verdict.outcome.value == outcome


def test_r2_is_held_against_0():
    e = referee.evaluate_predictions(*noisy(), measures="r2")
    assert e.guessing.value == 0
    assert e.verdict.outcome.value == "pass"


def test_the_target_among_the_features_is_found(diabetes):
    X, y = diabetes
    e = referee.evaluate(Ridge(), np.column_stack([X, 3 * y + 1]), y, by=5, random_state=0)
    assert "R013" in {f.code for f in e.findings}
    assert e.verdict.outcome.value == "undecided"


def test_sorted_targets_are_found(diabetes):
    X, y = diabetes
    order = np.argsort(y)
    e = referee.evaluate(Ridge(), X[order], y[order], by=5, random_state=0)
    assert "R004" in {f.code for f in e.findings}


def test_resubstitution_is_no_result(diabetes):
    X, y = diabetes
    e = referee.evaluate(Ridge(), X, y, by="resubstitution", random_state=0)
    assert math.isnan(e.error.value)
    assert [f.code for f in e.findings] == ["R001"]
    assert e.training_error.value > 0


def test_constant_losses_have_no_interval():
    truth = np.arange(20) + 0.5
    e = referee.evaluate_predictions(truth, truth + 1, measures="mae")
    assert e.error.value == pytest.approx(1)
    assert e.error.interval is None
    assert "No verdict" in e.verdict.sentence


# Losses of one's own


def test_any_loss_and_any_function():
    def relative(y_true, y_pred):
        return np.abs(y_true - y_pred) / y_true

    truth, predicted = noisy(spread=0.1)
    truth = truth + 1
    e = referee.evaluate_predictions(
        truth, predicted + 1, measures=[make_loss(relative), metrics.max_error]
    )
    expected = np.mean(np.abs(truth - predicted - 1) / truth)
    assert e.error.value == pytest.approx(expected)
    assert e.error.interval.method == "skewed-t"
    assert e.estimates["max_error"].interval is not None


@pytest.mark.parametrize(
    ("loss", "problem"),
    [
        (lambda t, p: np.mean(t - p), "must return one number for each of the"),
        (lambda t, p: t - p, "must be finite and not negative"),
    ],
)
def test_losses_that_are_none_are_refused(loss, problem):
    with pytest.raises(InputError, match=problem):
        referee.evaluate_predictions(*noisy(), measures=make_loss(loss, name="mine"))


def test_a_measure_of_quantities_does_not_suit_classes():
    with pytest.raises(InputError, match="mae is a measure of quantities, and classes are"):
        referee.evaluate_predictions([0, 1] * 10, [0, 1] * 10, measures="mae")
    made = make_measure(metrics.max_error)
    assert made.numeric is None


# Reports and bundles


def test_every_format_is_written(tmp_path, diabetes):
    X, y = diabetes
    e = referee.evaluate(Ridge(), X, y, by=5, random_state=0, name="ridge")
    e.to_html(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "right answers by what was predicted" in page
    assert "right answer minus prediction" in page
    assert e.to_json()
    assert "mean absolute error" in e.to_latex()
    assert "a target from 25 to 346" in str(e)


def test_a_bundle_verifies(tmp_path, diabetes):
    X, y = diabetes
    e = referee.evaluate(Ridge(), X, y, by=5, measures=["mae", "pinball0.9"], random_state=0)
    e.to_bundle(tmp_path / "e.referee")
    assert referee.verify(tmp_path / "e.referee").verdict.outcome.value == "pass"
    bare = referee.evaluate_predictions(*noisy(), groups=np.arange(200) // 4)
    bare.to_bundle(tmp_path / "b.referee")
    assert referee.verify(tmp_path / "b.referee").verdict.outcome.value == "pass"


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (np.random.default_rng(0).normal(size=(30, 2)), r"got shape \(30, 2\); judge one target"),
        (np.arange(30).astype("datetime64[D]"), "y holds dates, which are neither classes nor"),
        (np.arange(30).astype("timedelta64[s]"), "y holds durations"),
        (np.arange(30) * (1 + 1j), "y holds complex numbers"),
    ],
)
def test_targets_that_are_neither_classes_nor_one_quantity(y, said):
    with pytest.raises(InputError, match=said):
        referee.evaluate(LinearRegression(), np.arange(60.0).reshape(30, 2), y)
    with pytest.raises(InputError, match=said):
        referee.evaluate_predictions(y, y)


def test_a_weighted_median_counts_ties_by_their_weight():
    # Of the weight 4 lies at 0, 40 at 1 and 40 at 2: half of it is at 1 or below, by a hair.
    losses = np.repeat([0.0, 1.0, 2.0], [40, 10, 10])
    weight = np.repeat([0.1, 4.0, 4.0], [40, 10, 10])
    truth = np.arange(60) / 7
    options = {"measures": "median_ae", "task": "regression"}
    found = referee.evaluate_predictions(truth, truth + losses, sample_weight=weight, **options)
    median = found.estimates["median_ae"]
    assert median.value == pytest.approx(1.0)
    assert (median.interval.low, median.interval.high) == pytest.approx((1.0, 2.0))
