"""Every measure against scikit-learn, every interval against scipy on its own denominator."""

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin

import referee
from referee.core import Part, Predictions, Target
from referee.core.predictions import Predictions as Table
from referee.errors import InputError
from referee.intervals import newcombe
from referee.judging.applicable import applicable
from referee.judging.estimating.measuring import Measuring
from referee.measures import MEASURES, ShareMeasure
from referee.resampling import Holdout


class AnswersItsFirstFeature(ClassifierMixin, BaseEstimator):
    """A fixed rule: what it predicts does not depend on its training set."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0].astype(int)


def answers(n=200, k=2, seed=0, noise=0.25):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    wrong = rng.random(n) < noise
    return truth, np.where(wrong, rng.integers(k, size=n), truth)


SKLEARN = {
    "error": lambda t, p, w: 1 - metrics.accuracy_score(t, p, sample_weight=w),
    "accuracy": lambda t, p, w: metrics.accuracy_score(t, p, sample_weight=w),
    "balanced_accuracy": lambda t, p, w: metrics.balanced_accuracy_score(t, p, sample_weight=w),
    "mcc": lambda t, p, w: metrics.matthews_corrcoef(t, p, sample_weight=w),
    "kappa": lambda t, p, w: metrics.cohen_kappa_score(t, p, sample_weight=w),
    "tpr": lambda t, p, w: metrics.recall_score(t, p, sample_weight=w),
    "tnr": lambda t, p, w: metrics.recall_score(t, p, pos_label=0, sample_weight=w),
    "fpr": lambda t, p, w: 1 - metrics.recall_score(t, p, pos_label=0, sample_weight=w),
    "fnr": lambda t, p, w: 1 - metrics.recall_score(t, p, sample_weight=w),
    "precision": lambda t, p, w: metrics.precision_score(t, p, sample_weight=w),
    "npv": lambda t, p, w: metrics.precision_score(t, p, pos_label=0, sample_weight=w),
    "f1": lambda t, p, w: metrics.f1_score(t, p, sample_weight=w),
    "macro_precision": lambda t, p, w: metrics.precision_score(
        t, p, average="macro", sample_weight=w
    ),
    "weighted_precision": lambda t, p, w: metrics.precision_score(
        t, p, average="weighted", sample_weight=w
    ),
    "macro_f1": lambda t, p, w: metrics.f1_score(t, p, average="macro", sample_weight=w),
    "weighted_f1": lambda t, p, w: metrics.f1_score(t, p, average="weighted", sample_weight=w),
    "micro_f1": lambda t, p, w: metrics.f1_score(t, p, average="micro", sample_weight=w),
    "informedness": lambda t, p, w: metrics.balanced_accuracy_score(
        t, p, sample_weight=w, adjusted=True
    ),
}


def test_every_catalogue_measure_of_a_matrix_has_an_oracle_here():
    assert {name for name, m in MEASURES.items() if m.of_matrix} == set(SKLEARN)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SKLEARN)
def test_value_against_scikit_learn(name, weighted):
    truth, predicted = answers()
    weight = np.random.default_rng(5).uniform(0.1, 3, len(truth)) if weighted else None
    e = referee.evaluate_predictions(truth, predicted, measures=[name], sample_weight=weight)
    assert e.estimates[name].value == pytest.approx(SKLEARN[name](truth, predicted, weight))
    interval = e.estimates[name].interval
    assert interval.low <= e.estimates[name].value <= interval.high


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "mcc", "kappa"])
def test_value_of_five_classes_against_scikit_learn(name):
    truth, predicted = answers(k=5)
    e = referee.evaluate_predictions(truth, predicted, measures=[name])
    assert e.estimates[name].value == pytest.approx(SKLEARN[name](truth, predicted, None))


@pytest.mark.parametrize("name", ["tpr", "tnr", "fpr", "fnr", "precision", "npv", "f1"])
def test_rates_of_one_class_of_many_against_one_class_versus_the_rest(name):
    truth, predicted = answers(k=4)
    e = referee.evaluate_predictions(truth, predicted, measures=[name], pos_label=2)
    binary = referee.evaluate_predictions(truth == 2, predicted == 2, measures=[name])
    assert e.estimates[name].value == pytest.approx(binary.estimates[name].value)
    assert e.estimates[name].n == binary.estimates[name].n
    if isinstance(MEASURES[name], ShareMeasure):
        assert e.estimates[name].interval.low == pytest.approx(binary.estimates[name].interval.low)


def shares(truth, predicted):
    """Return (right or wrong cases, denominator) of every share, counted by hand."""
    pairs = list(zip(truth.tolist(), predicted.tolist(), strict=True))
    count = {(t, p): sum(pair == (t, p) for pair in pairs) for t in (0, 1) for p in (0, 1)}
    return {
        "error": (count[0, 1] + count[1, 0], len(pairs)),
        "accuracy": (count[0, 0] + count[1, 1], len(pairs)),
        "tpr": (count[1, 1], count[1, 1] + count[1, 0]),
        "fnr": (count[1, 0], count[1, 1] + count[1, 0]),
        "tnr": (count[0, 0], count[0, 0] + count[0, 1]),
        "fpr": (count[0, 1], count[0, 0] + count[0, 1]),
        "precision": (count[1, 1], count[1, 1] + count[0, 1]),
        "npv": (count[0, 0], count[0, 0] + count[1, 0]),
    }


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    "name", ["error", "accuracy", "tpr", "fnr", "tnr", "fpr", "precision", "npv"]
)
def test_interval_of_a_share_against_scipy_on_its_own_denominator(name, level):
    truth, predicted = answers(n=90)
    x, n = shares(truth, predicted)[name]
    made = referee.evaluate_predictions(truth, predicted, measures=[name], level=level)
    estimate = made.estimates[name]
    ci = stats.binomtest(x, n).proportion_ci(level, method="exact")
    assert estimate.n == n
    assert estimate.interval.level == level
    assert estimate.interval.method == "clopper-pearson"
    assert estimate.interval.target is Target.FIXED
    assert estimate.interval.low == pytest.approx(ci.low, abs=1e-9)
    assert estimate.interval.high == pytest.approx(ci.high, abs=1e-9)


def test_wilson_interval_against_scipy():
    truth, predicted = answers(n=90)
    x, n = shares(truth, predicted)["error"]
    i = referee.evaluate_predictions(truth, predicted, interval="wilson").error.interval
    ci = stats.binomtest(x, n).proportion_ci(0.95, method="wilson")
    assert (i.low, i.high) == pytest.approx((ci.low, ci.high))


def test_weights_widen_the_interval_beyond_kish_against_the_formula():
    truth, predicted = answers(n=120)
    weight = np.random.default_rng(2).exponential(size=120)
    error = referee.evaluate_predictions(truth, predicted, sample_weight=weight).error
    kish = weight.sum() ** 2 / np.sum(weight**2)
    # The variance of a ratio, with Satterthwaite's degrees of freedom.
    parts = (weight * ((truth != predicted) - error.value) / weight.sum()) ** 2
    df = parts.sum() ** 2 / np.sum(parts**2) - 1
    shrunk = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, df)) ** 2
    n = min(error.value * (1 - error.value) / parts.sum() * shrunk, kish)
    n = max(n, weight.sum() / weight.max())
    assert error.interval.method == "weighted"
    assert error.interval.n_effective == pytest.approx(n)
    x, a = error.value * n, 0.025
    assert error.interval.low == pytest.approx(stats.beta.ppf(a, x, n - x + 1))
    assert error.interval.high == pytest.approx(stats.beta.ppf(1 - a, x + 1, n - x))


def test_equal_weights_change_nothing_against_no_weights():
    truth, predicted = answers(n=120)
    plain = referee.evaluate_predictions(truth, predicted).frame()
    same = referee.evaluate_predictions(truth, predicted, sample_weight=np.full(120, 3.0)).frame()
    columns = ["value", "low", "high"]
    shares_ = ~plain.measure.isin(["balanced_accuracy", "mcc", "f1"])
    np.testing.assert_allclose(same[columns][shares_], plain[columns][shares_], atol=1e-9)


def test_bca_against_its_own_coverage_of_the_middle():
    truth, predicted = answers(n=400)
    i = referee.evaluate_predictions(truth, predicted, measures=["mcc"]).estimates["mcc"].interval
    rng = np.random.default_rng(9)
    draws = []
    for _ in range(400):
        rows = rng.integers(400, size=400)
        draws.append(metrics.matthews_corrcoef(truth[rows], predicted[rows]))
    low, high = np.quantile(draws, [0.025, 0.975])
    assert i.low == pytest.approx(low, abs=0.025)
    assert i.high == pytest.approx(high, abs=0.025)


def test_auc_against_scikit_learn_with_ties():
    truth, _ = answers(n=150)
    score = np.round(truth + np.random.default_rng(0).normal(size=150), 1)
    e = referee.evaluate_predictions(truth, score > 0.5, y_score=score)
    assert e.estimates["auc"].value == pytest.approx(metrics.roc_auc_score(truth, score))
    assert e.estimates["auc"].value in e.estimates["auc"].interval
    columns = np.column_stack([-score, score])
    two = referee.evaluate_predictions(truth, score > 0.5, y_score=columns)
    assert two.estimates["auc"].value == e.estimates["auc"].value


def test_auc_of_the_other_class_is_one_minus_it_with_scores_of_that_class():
    truth, _ = answers(n=150)
    score = truth + np.random.default_rng(0).normal(size=150)
    columns = np.column_stack([-score, score])
    one = referee.evaluate_predictions(truth, score > 0.5, y_score=columns, pos_label=0)
    assert one.estimates["auc"].value == pytest.approx(metrics.roc_auc_score(truth, score))


def test_auc_of_several_fits_compares_cases_of_one_fit_against_a_loop():
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB

    X, y = load_breast_cancer(return_X_y=True)
    e = referee.evaluate(GaussianNB(), X[:, :3], y, by="3x5", measures=["auc"], random_state=0)
    assert e.estimates["auc"].n == 569
    table = e.predictions.unseen
    # The mean over positives of the share of their fold's negatives that they outrank, and the
    # same of negatives that are outranked; half of either.
    placed = {c: [] for c in range(len(y))}
    for s in np.unique(table.split):
        rows = table.split == s
        cases, score = table.case[rows], table.scores[rows][:, 1]
        for case, own in zip(cases, score, strict=True):
            others = score[y[cases] != y[case]]
            sign = 1 if y[case] == 1 else -1
            placed[case].append(np.mean((sign * own > sign * others) + 0.5 * (own == others)))
    of_class = [np.mean([np.mean(placed[c]) for c in np.flatnonzero(y == k)]) for k in (0, 1)]
    expected = np.mean(of_class)
    assert e.estimates["auc"].value == pytest.approx(expected)
    i, single = e.estimates["auc"].interval, newcombe(expected, 357, 212)
    assert i.low < single.low
    assert i.high > single.high


def test_auc_of_weighted_cases_against_scikit_learn_has_an_interval():
    truth, predicted = answers(n=100)
    rng = np.random.default_rng(3)
    score, weight = predicted + rng.normal(size=100), rng.uniform(0.1, 3, 100)
    e = referee.evaluate_predictions(
        truth, predicted, y_score=score, sample_weight=weight, measures=["auc"]
    )
    expected = metrics.roc_auc_score(truth, score, sample_weight=weight)
    assert e.estimates["auc"].value == pytest.approx(expected)
    assert e.estimates["auc"].interval.low < expected < e.estimates["auc"].interval.high


def test_auc_of_copied_cases_is_worth_the_originals():
    # Ten copies of each case in one group: the interval must be about that of the originals.
    truth, predicted = answers(n=60)
    score = predicted + np.random.default_rng(3).normal(size=60)
    alone = referee.evaluate_predictions(truth, predicted, y_score=score, measures=["auc"])
    ten = [np.repeat(v, 10) for v in (truth, predicted, score, np.arange(60))]
    copied = referee.evaluate_predictions(
        ten[0], ten[1], y_score=ten[2], groups=ten[3], measures=["auc"]
    )
    one, two = (e.estimates["auc"].interval for e in (alone, copied))
    assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=0.01)


def test_auc_without_scores_is_refused():
    with pytest.raises(InputError, match="y_score"):
        referee.evaluate_predictions([0, 1], [0, 1], measures=["auc"])


def test_groups_give_an_effective_n_below_n_against_independent_cases():
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(30), 10)
    truth = rng.integers(2, size=300)
    wrong = (rng.random(30) < 0.2)[group]  # a group is right or wrong as a whole
    predicted = np.where(wrong, 1 - truth, truth)
    clustered = referee.evaluate_predictions(truth, predicted, groups=group).error
    plain = referee.evaluate_predictions(truth, predicted).error
    assert clustered.value == plain.value
    assert clustered.interval.method == "clustered"
    assert 10 < clustered.interval.n_effective < 35
    assert clustered.interval.width > 2 * plain.interval.width


def test_groups_of_independent_cases_cost_little():
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=400)
    predicted = np.where(rng.random(400) < 0.2, 1 - truth, truth)
    group = np.arange(400) // 2
    i = referee.evaluate_predictions(truth, predicted, groups=group).error.interval
    assert 250 < i.n_effective <= 400


def test_every_case_its_own_group_against_no_groups():
    truth, predicted = answers(n=200)
    grouped = referee.evaluate_predictions(truth, predicted, groups=np.arange(200)).error
    plain = referee.evaluate_predictions(truth, predicted).error
    assert grouped.interval.low == pytest.approx(plain.interval.low, abs=0.01)
    assert grouped.interval.high == pytest.approx(plain.interval.high, abs=0.01)


def test_all_positives_in_one_group_do_not_break_the_rates():
    truth = np.array([0] * 40 + [1] * 5)
    predicted = truth.copy()
    predicted[[1, 5, 41]] ^= 1
    e = referee.evaluate_predictions(truth, predicted, groups=np.repeat(np.arange(9), 5))
    assert e.estimates["tpr"].value == pytest.approx(0.8)
    assert e.estimates["tpr"].interval.width > 0.5


@pytest.mark.parametrize("name", [n for n, m in MEASURES.items() if not m.sets])
def test_measures_of_a_class_need_a_positive_class(name):
    scores = [[0.9, 0.1], [0.2, 0.8]]
    measuring = Measuring(predictions=Predictions.of(["a", "b"], ["a", "b"], y_score=scores))
    if MEASURES[name].positive:
        with pytest.raises(InputError, match="pos_label"):
            measuring.estimate(name)
    else:
        assert measuring.estimate(name).name == name


def names(*request):
    return tuple(measure.name for measure in applicable(*request))


def test_default_measures_that_apply():
    two = Predictions.of([0, 1], [0, 1])
    named = ("error", "accuracy", "balanced_accuracy", "mcc", "tpr", "tnr", "precision", "f1")
    assert names(None, two, 1) == named
    assert names(None, two, None) == named[:4]
    scored = Predictions.of([0, 1], [0, 1], y_score=[0.1, 0.9])
    added = ("auc", "average_precision", "log_loss", "brier")
    assert names(None, scored, 1) == (*named, *added)
    no_probability = Predictions.of([0, 1], [0, 1], y_score=[-1.0, 2.0])
    assert names(None, no_probability, 1) == (*named, *added[:2])
    three = Predictions.of([0, 1, 2], [0, 1, 2], y_score=np.eye(3))
    assert names(None, three, None)[4:] == ("macro_f1", "auc_ovr", "log_loss", "brier")
    assert names("mcc", two, None) == ("error", "mcc")
    assert names(["tpr", "error", "tpr"], two, 1) == ("error", "tpr")


def repeated(n_repetitions, wrong, answers_of):
    """Return a table of repetitions in which `answers_of(r)` are the predicted codes."""
    n = len(wrong)
    return Table(
        classes=(0, 1),
        truth=wrong,
        case=np.tile(np.arange(n), n_repetitions),
        split=np.repeat(np.arange(n_repetitions), n),
        seen=np.zeros(n * n_repetitions, dtype=int),
        predicted=np.concatenate([answers_of(r) for r in range(n_repetitions)]),
        part=(Part.MAIN,) * n_repetitions,
        repetition=np.arange(n_repetitions),
        n_train=np.full(n_repetitions, n),
    )


def test_precision_of_repeated_fits_rests_on_the_positive_answers_of_one_repetition():
    rng = np.random.default_rng(0)
    truth = (np.arange(100) < 50).astype(int)
    table = repeated(10, truth, lambda r: (rng.permutation(100) < 10).astype(int))
    estimate = Measuring(predictions=table, positive=1).estimate("precision")
    assert estimate.interval.n_effective <= 10


@pytest.mark.parametrize("runs", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_rates_under_repeated_holdout_are_covered_by_simulation(runs):
    # A rule that ignores its training set has a known true positive rate, here 0.7.
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(runs):
        truth = np.repeat([0, 1], [180, 20])
        answers = np.where(truth == 1, rng.random(200) < 0.7, rng.random(200) < 0.1).astype(int)
        X = np.column_stack([answers, rng.normal(size=200)])
        e = referee.evaluate(
            AnswersItsFirstFeature(),
            X,
            truth,
            by=Holdout(0.5, 20),
            measures=["tpr"],
            random_state=0,
        )
        held += 0.7 in e.estimates["tpr"].interval
    assert held / runs >= 0.85


def test_no_interval_where_resampling_shows_no_variation():
    e = referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20)
    assert e.estimates["mcc"].value == 1
    assert e.estimates["mcc"].interval is None
    assert "no variation" in e.estimates["mcc"].reason
    assert e.error.interval.high == pytest.approx(1 - 0.025 ** (1 / 40))


def test_measures_of_class_shares_are_left_out_under_priors():
    truth, answers = [0, 1] * 20, [0, 1] * 15 + [1, 0] * 5
    e = referee.evaluate_predictions(truth, answers, priors=[0.9, 0.1])
    assert set(e.estimates) == {"error", "accuracy", "balanced_accuracy", "tpr", "tnr"}
    with pytest.raises(InputError, match="precision depends on the classes' shares"):
        referee.evaluate_predictions(truth, answers, priors=[0.9, 0.1], measures=["precision"])
