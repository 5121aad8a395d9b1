"""Mean losses with their intervals, against scikit-learn and a bootstrap by hand."""

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

import referee
from referee.core import Predictions
from referee.errors import InputError
from referee.measures.mean_losses import are_probabilities, probabilities


def forecast(n=120, seed=0, k=2):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(k, 1.5), size=n)
    truth = np.array([rng.choice(k, p=row) for row in p])
    return truth, p


def measured(truth, p, *names, **options):
    answers = np.argmax(p, axis=1) if p.ndim == 2 else (p > 0.5).astype(int)
    return referee.evaluate_predictions(
        truth, answers, y_score=p, measures=list(names), **options
    ).estimates


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_against_sklearn(k, weighted):
    truth, p = forecast(k=k)
    w = np.random.default_rng(1).random(len(truth)) if weighted else None
    made = measured(truth, p, "log_loss", "brier", sample_weight=w)
    log_loss = metrics.log_loss(truth, p, sample_weight=w)
    brier = metrics.brier_score_loss(truth, p, sample_weight=w, labels=range(k))
    assert made["log_loss"].value == pytest.approx(log_loss)
    assert made["brier"].value == pytest.approx(brier)
    for name in ("log_loss", "brier"):
        assert made[name].interval.low < made[name].value < made[name].interval.high
        assert made[name].interval.method == {"log_loss": "skewed-t"}.get(name, "skewed-beta")
        assert made[name].greater_is_better is False


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_one_column_is_the_probability_of_the_positive_class_against_two(positive):
    truth, p = forecast()
    names = np.array(["no", "yes"])
    answers, at = names[np.argmax(p, axis=1)], list(names).index(positive)
    one, two = (
        referee.evaluate_predictions(
            names[truth], answers, y_score=s, measures=["log_loss", "brier"], pos_label=positive
        ).estimates
        for s in (p[:, at], p)
    )
    for name in ("log_loss", "brier"):
        assert one[name].value == pytest.approx(two[name].value)
        assert one[name].interval.low == pytest.approx(two[name].interval.low)


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_interval_against_scipy_bootstrap(name):
    truth, p = forecast(n=200)
    each = -np.log(p[np.arange(200), truth]) if name == "log_loss" else (p[:, 1] - truth) ** 2
    theirs = stats.bootstrap(
        (each,), np.mean, n_resamples=9999, method="BCa", rng=np.random.default_rng(0)
    ).confidence_interval
    made = measured(truth, p, name)[name].interval
    width = theirs.high - theirs.low
    assert made.low == pytest.approx(theirs.low, abs=0.08 * width)
    assert made.high == pytest.approx(theirs.high, abs=0.08 * width)


def test_cost_against_counting():
    truth, answers = np.array([0, 0, 0, 1, 1] * 20), np.array([0, 1, 0, 1, 0] * 20)
    e = referee.evaluate_predictions(truth, answers, costs=(2, 7)).estimates["cost"]
    assert e.value == pytest.approx((2 * 20 + 7 * 20) / 100)
    assert e.interval.low < e.value < e.interval.high


def test_cost_of_equal_costs_is_the_error():
    truth, answers = np.array([0, 0, 0, 1, 1] * 20), np.array([0, 1, 0, 1, 0] * 20)
    e = referee.evaluate_predictions(truth, answers, costs=(1, 1))
    assert e.estimates["cost"].value == pytest.approx(e.error.value)


def test_cost_needs_costs():
    with pytest.raises(InputError, match="cost needs costs, a pair of false positive and negative"):
        referee.evaluate_predictions([0, 1], [0, 1], measures=["cost"])


@pytest.mark.parametrize("costs", [3, (1, 2, 3), ("a", "b"), None])
def test_bad_costs_are_named(costs):
    if costs is None:
        with pytest.raises(InputError, match="must be finite and not negative, got -1"):
            referee.evaluate_predictions([0, 1], [0, 1], costs=(-1, 1))
    else:
        with pytest.raises(InputError, match="costs must be a pair"):
            referee.evaluate_predictions([0, 1], [0, 1], costs=costs)


def test_groups_of_copies_have_the_interval_of_the_originals():
    truth, p = forecast(n=60)
    single = measured(truth, p, "brier")["brier"].interval
    copied = measured(
        np.repeat(truth, 5), np.repeat(p, 5, axis=0), "brier", groups=np.repeat(np.arange(60), 5)
    )["brier"].interval
    alone = measured(np.repeat(truth, 5), np.repeat(p, 5, axis=0), "brier")["brier"].interval
    assert (copied.low, copied.high) == pytest.approx((single.low, single.high))
    assert alone.width < 0.6 * single.width


@pytest.mark.parametrize("name", ["log_loss", "brier"])
@pytest.mark.parametrize(
    ("row", "value", "score"),
    [(1, 1.5, 1.5), (0, -0.25, -0.25)],
)
def test_what_is_no_probability_is_named_as_given(name, row, value, score):
    s = np.full(4, 0.5)
    s[row] = score
    with pytest.raises(InputError, match=f"y_score must hold .* got {value} in row {row}"):
        measured(np.array([0, 1, 0, 1]), s, name)


def test_rows_keep_their_numbers_where_weights_of_zero_leave_some_out():
    with pytest.raises(InputError, match=r"got 1.5 in row 3"):
        measured(
            np.array([0, 1, 0, 1]),
            np.array([0.1, 0.2, 0.3, 1.5]),
            "brier",
            sample_weight=[0, 1, 1, 1],
        )


def test_rows_that_do_not_sum_to_1_are_named():
    p = np.array([[0.5, 0.5], [0.5, 0.6], [0.1, 0.9]])
    with pytest.raises(InputError, match=r"y_score .* sum to 1, got 1.1 in row 1"):
        measured(np.array([0, 1, 1]), p, "brier")


def test_scores_that_are_no_probabilities_are_left_out_by_default():
    truth, p = forecast()
    answers = (p[:, 1] > 0.5).astype(int)
    plain = referee.evaluate_predictions(truth, answers, y_score=p[:, 1]).estimates
    moved = referee.evaluate_predictions(truth, answers, y_score=p[:, 1] - 1).estimates
    assert {"log_loss", "brier"} <= plain.keys()
    assert not {"log_loss", "brier"} & moved.keys()
    assert "auc" in moved


def test_one_column_of_three_classes_is_no_set_of_probabilities():
    truth, score = np.array(list("abc") * 20), np.linspace(0, 1, 60)
    made = referee.evaluate_predictions(truth, truth, y_score=score, pos_label="a").estimates
    assert made["auc"].value == pytest.approx(metrics.roc_auc_score(truth == "a", score))
    assert "brier" not in made


def test_without_scores_they_are_refused():
    with pytest.raises(InputError, match="pass y_score"):
        referee.evaluate_predictions([0, 1], [0, 1], measures=["log_loss"])


def test_no_variation_has_no_interval_but_a_reason():
    made = measured(np.array([0, 1] * 10), np.full(20, 0.5), "brier", "log_loss")
    assert made["log_loss"].interval is None
    assert "no variation" in made["log_loss"].reason
    # A loss with limits has an interval all the same, at the number of cases.
    brier = made["brier"]
    assert brier.interval.low < brier.value == 0.25 < brier.interval.high


def test_reading_scores_as_probabilities():
    table = Predictions.of(["a", "b"], ["a", "b"], y_score=[0.2, 0.9])
    assert probabilities(table, "a").tolist() == [[0.2, 0.8], [0.9, pytest.approx(0.1)]]
    assert probabilities(table, "b")[:, 1].tolist() == [0.2, 0.9]
    assert are_probabilities(table, "b")
    assert not are_probabilities(table, None)
    three = Predictions.of(["a", "b", "c"], ["a", "b", "c"], y_score=[0.2, 0.9, 0.1])
    with pytest.raises(InputError, match="one column per class"):
        probabilities(three, "a")
