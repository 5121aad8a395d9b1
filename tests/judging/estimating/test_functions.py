"""Own measures in evaluations and comparisons: intervals where they are honest, else a reason."""

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core import Predictions
from referee.errors import InputError, Refusal
from referee.intervals.one_set.bootstrap.function import bootstrap_function, left_out_rows
from referee.judging.estimating.functions import function_estimate
from referee.measures import make_measure, measure_named
from referee.vault import write_bundle


def plain_mcc(y_true, y_pred):
    """Matthews' correlation without any of our code."""
    return np.corrcoef(y_true, y_pred)[0, 1]


def quick_hit_score(y_true, y_pred):
    return np.mean(y_true == y_pred)


def answers(n=150, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n)
    return truth, np.where(rng.random(n) < noise, 1 - truth, truth)


def test_an_own_mcc_has_the_interval_of_ours():
    truth, predicted = answers()
    e = referee.evaluate_predictions(truth, predicted, measures=["mcc", plain_mcc])
    ours, own = e.estimates["mcc"], e.estimates["plain_mcc"]
    assert own.value == pytest.approx(ours.value)
    assert own.interval.method == "bca"
    assert own.interval.low == pytest.approx(ours.interval.low, abs=0.03)
    assert own.interval.high == pytest.approx(ours.interval.high, abs=0.03)


def test_the_interval_of_a_mean_against_scipy():
    truth, predicted = answers(60, seed=4)
    own = referee.evaluate_predictions(
        truth, predicted, measures=[quick_hit_score], interval="percentile"
    ).estimates["quick_hit_score"]
    right = (truth == predicted).astype(float)
    expected = stats.bootstrap(
        (right,), np.mean, method="percentile", n_resamples=4000, rng=np.random.default_rng(0)
    ).confidence_interval
    assert own.interval.method == "percentile"
    assert own.interval.low == pytest.approx(expected.low, abs=0.03)
    assert own.interval.high == pytest.approx(expected.high, abs=0.03)


def test_groups_are_drawn_whole():
    """Each case four times over, in groups of its copies: the interval must not shrink."""
    truth, predicted = answers(60, seed=2)
    single = referee.evaluate_predictions(truth, predicted, measures=[quick_hit_score])
    copies = referee.evaluate_predictions(
        np.repeat(truth, 4),
        np.repeat(predicted, 4),
        groups=np.repeat(np.arange(60), 4),
        measures=[quick_hit_score],
    )
    one, four = (e.estimates["quick_hit_score"].interval for e in (single, copies))
    assert four.width == pytest.approx(one.width, rel=0.1)


def test_the_same_seed_gives_the_same_interval():
    truth, predicted = answers()
    one, two = (
        referee.evaluate_predictions(truth, predicted, measures=[plain_mcc], random_state=7)
        for _ in range(2)
    )
    assert one.estimates["plain_mcc"] == two.estimates["plain_mcc"]


def test_blocks_leave_every_case_out_once():
    rows = list(left_out_rows(1203, None, 0))
    assert len(rows) == 500
    assert np.all(sum(np.bincount(r, minlength=1203) for r in rows) == 499)
    groups = np.arange(1203) // 3
    rows = list(left_out_rows(1203, groups, 0))
    assert len(rows) == 401
    assert all(len(r) == 1200 for r in rows)


def test_blocks_estimate_the_acceleration_of_single_cases():
    x = np.random.default_rng(0).exponential(size=4000)
    drawn = bootstrap_function(
        lambda r: float(x[r].mean()), len(x), value=float(x.mean()), rounds=10
    ).bootstrapped
    d = drawn.jackknife.mean() - drawn.jackknife
    blocks = np.sum(d**3) / (6 * np.sum(d**2) ** 1.5)
    u = x - x.mean()
    assert blocks == pytest.approx(np.sum(u**3) / (6 * np.sum(u**2) ** 1.5), rel=0.35)


@pytest.mark.parametrize(
    ("truth", "predicted", "groups", "reason"),
    [
        ([0, 1] * 4, [0, 1] * 3 + [1, 0], None, "fewer than ten"),
        ([0, 1] * 20, [0, 1] * 15 + [1, 0] * 5, np.arange(40) // 5, "fewer than ten"),
        ([0] * 30 + [1], [0] * 20 + [1] * 11, None, "fewer than two cases"),
        ([0, 1] * 20, [0, 1] * 20, None, "no variation"),
    ],
)
def test_no_interval_where_none_is_honest(truth, predicted, groups, reason):
    e = referee.evaluate_predictions(truth, predicted, groups=groups, measures=[quick_hit_score])
    own = e.estimates["quick_hit_score"]
    assert own.defined
    assert own.interval is None
    assert reason in own.reason


def test_nan_is_undefined_and_says_so():
    never = make_measure(lambda t, p: float("nan"), name="never")
    e = referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20, measures=[never])
    assert not e.estimates["never"].defined
    assert e.estimates["never"].reason == "undefined: the function returned nan"


def data(n=120):
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=n)
    return rng.normal(size=(n, 3)) + y[:, None], y


def test_several_fits_give_the_mean_over_splits_and_no_interval():
    X, y = data()
    e = referee.evaluate(GaussianNB(), X, y, by=5, measures=[quick_hit_score], random_state=0)
    own = e.estimates["quick_hit_score"]
    table = e.predictions.unseen
    folds = [1 - table.wrong[table.split == s].mean() for s in np.unique(table.split)]
    assert own.value == pytest.approx(np.mean(folds))
    assert own.method == "mean over splits"
    assert own.interval is None
    assert "use by='holdout' or a test set" in own.reason


def test_splits_where_it_is_undefined_are_left_out_and_counted():
    X, y = data(40)
    by = [(np.arange(20, 40), np.arange(10)), (np.arange(20), np.flatnonzero(y == 1)[-4:])]
    e = referee.evaluate(
        GaussianNB(), X, y, by=by, measures=[metrics.roc_auc_score], random_state=0
    )
    own = e.estimates["roc_auc_score"]
    assert own.defined
    assert own.reason.endswith("undefined in 1 of 2 splits, left out")


def test_a_function_that_fails_in_every_split_is_named():
    def hopeless(y_true, y_pred):
        raise ValueError("nothing works")

    X, y = data()
    with pytest.raises(InputError, match=r"'hopeless' raised ValueError on .*: nothing works"):
        referee.evaluate(GaussianNB(), X, y, by=3, measures=[hopeless], random_state=0)


def test_weights_are_refused_before_any_fit():
    class Untouched(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("was fitted")

    X, y = data()
    with pytest.raises(InputError, match="takes no sample_weight"):
        referee.evaluate(
            Untouched(), X, y, measures=[quick_hit_score], sample_weight=np.ones(len(y))
        )


def test_a_holdout_gives_an_interval():
    X, y = data()
    e = referee.evaluate(
        GaussianNB(), X, y, by="holdout", measures=[metrics.roc_auc_score], random_state=0
    )
    own = e.estimates["roc_auc_score"]
    assert own.interval.low < own.value < own.interval.high
    assert "roc auc score" in str(e)


def test_own_measures_are_written_as_plain_numbers_unless_told():
    truth, predicted = answers()
    shown = make_measure(quick_hit_score, name="hits", percent=True, low=0, high=1)
    e = referee.evaluate_predictions(truth, predicted, measures=[plain_mcc, shown])
    text = str(e)
    assert f"{100 * e.estimates['hits'].value:.1f} %" in text
    assert f"{e.estimates['plain_mcc'].value:.3f} " in text


def test_fixed_models_are_compared_by_the_paired_bootstrap_as_ours_are():
    truth, first = answers(noise=0.15)
    second = answers(noise=0.3, seed=0)[1]
    both = {"a": first, "b": second}
    own = referee.compare_predictions(
        truth, both, measure=make_measure(plain_mcc, greater_is_better=True)
    )
    ours = referee.compare_predictions(truth, both, measure="mcc")
    assert own.difference.value == pytest.approx(ours.difference.value)
    assert own.evidence.test == ours.evidence.test == "paired-bootstrap"
    assert own.difference.interval.low == pytest.approx(ours.difference.interval.low, abs=0.03)
    assert own.verdict.outcome is ours.verdict.outcome


def test_a_loss_of_ones_own_prefers_the_smaller():
    truth, first = answers(noise=0.05)
    second = answers(noise=0.4, seed=3)[1]
    c = referee.compare_predictions(truth, {"a": first, "b": second}, measure=metrics.zero_one_loss)
    assert c.best == ("a",)


def test_models_are_not_ranked_by_a_measure_without_direction():
    truth, predicted = answers()
    with pytest.raises(InputError, match="whether a greater 'plain_mcc' is better is not known"):
        referee.compare_predictions(truth, {"a": predicted, "b": predicted}, measure=plain_mcc)


def test_identical_models_do_not_differ():
    truth, predicted = answers()
    c = referee.compare_predictions(
        truth, {"a": predicted, "b": predicted}, measure=quick_hit_score
    )
    assert c.difference.value == 0
    assert c.evidence.p_value == 1


def test_too_few_cases_cannot_be_compared():
    with pytest.raises(Refusal, match="fewer than 10 cases or groups"):
        referee.compare_predictions(
            [0, 1] * 3, {"a": [0, 1] * 3, "b": [1, 0] * 3}, measure=quick_hit_score
        )


def test_learners_are_compared_by_the_corrected_t():
    X, y = data()
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)}
    own = referee.compare(models, X, y, measure=quick_hit_score, by="3x4", random_state=0)
    ours = referee.compare(
        models, X, y, measure="accuracy", significance="corrected-t", by="3x4", random_state=0
    )
    assert own.evidence.test == "corrected-t"
    assert own.difference.value == pytest.approx(ours.difference.value)
    assert own.evidence.p_value == pytest.approx(ours.evidence.p_value)


def test_permutations_of_an_own_measure():
    X, y = data(60)
    own = referee.permutation_test(
        GaussianNB(), X, y, measure=quick_hit_score, permutations=39, random_state=0
    )
    assert own.p_value == 1 / 40
    assert own.observed == pytest.approx(
        referee.permutation_test(
            GaussianNB(), X, y, measure="accuracy", permutations=19, random_state=0
        ).observed,
        abs=0.02,
    )


def test_a_bundle_cannot_keep_a_function(tmp_path):
    truth, predicted = answers()
    e = referee.evaluate_predictions(truth, predicted, measures=[plain_mcc])
    with pytest.raises(Refusal, match="'plain_mcc' is a function of yours"):
        write_bundle(e, tmp_path / "bundle.zip")
    assert not (tmp_path / "bundle.zip").exists()


def coverage(n, rounds, function, truth_value):
    rng = np.random.default_rng(n)
    held = 0
    for r in range(rounds):
        truth = (rng.random(n) < 0.4).astype(int)
        predicted = np.where(rng.random(n) < 0.2, 1 - truth, truth)
        table = Predictions.of(truth, predicted, labels=[0, 1])
        estimate = function_estimate(
            function, table, positive=1, costs=None, fits=1, level=0.95, seed=r
        )
        if estimate.interval is None:
            held += 1
        else:
            held += truth_value in estimate.interval
    return held / rounds


def mcc_of_everyone():
    cells = np.array([[0.6 * 0.8, 0.6 * 0.2], [0.4 * 0.2, 0.4 * 0.8]])
    return float(measure_named("mcc").of_matrix(cells))


def quick_mcc(y_true, y_pred):
    a, b = y_true - y_true.mean(), y_pred - y_pred.mean()
    return (a @ b) / np.sqrt((a @ a) * (b @ b))


def test_coverage_smoke():
    own = make_measure(quick_mcc, greater_is_better=True)
    assert coverage(60, 25, own, mcc_of_everyone()) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize(("n", "least"), [(30, 0.90), (100, 0.93), (300, 0.93)])
def test_coverage_against_known_truth(n, least):
    own = make_measure(quick_mcc, greater_is_better=True)
    held = coverage(n, 400, own, mcc_of_everyone())
    print(f"n = {n}: {held:.3f}")
    assert held >= least


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("scored", [False, True])
def test_limits_do_not_depend_on_the_order_of_cases(grouped, scored):
    truth, predicted = answers(60)
    rng = np.random.default_rng(5)
    groups, score = rng.integers(0, 20, 60), np.clip(predicted * 0.4 + rng.random(60) / 2, 0, 1)
    measure, limits = make_measure(plain_mcc), set()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(60) if seed else np.arange(60)
        table = Predictions.of(
            truth[order],
            predicted[order],
            y_score=score[order] if scored else None,
            groups=groups[order] if grouped else None,
        )
        i = function_estimate(
            measure, table, positive=None, costs=None, fits=1, level=0.95, seed=0
        ).interval
        limits.add((round(i.low, 9), round(i.high, 9)))
    assert len(limits) == 1
