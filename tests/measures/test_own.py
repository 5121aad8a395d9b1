"""A user's function, a scikit-learn metric or scorer as a measure."""

from functools import partial

import numpy as np
import pytest
from sklearn import metrics
from sklearn.naive_bayes import GaussianNB

from referee.core import Predictions
from referee.errors import InputError
from referee.measures import Measure, as_measure, as_measures, make_measure

RNG = np.random.default_rng(3)
TRUTH = RNG.choice(["ill", "well"], 120)
SCORE = RNG.normal(size=120) + 1.5 * (TRUTH == "ill")
PROBABILITY = 1 / (1 + np.exp(-SCORE))
ANSWERS = np.where(SCORE > 0.7, "ill", "well")
TABLE = Predictions.of(TRUTH, ANSWERS, y_score=PROBABILITY)


def missed(y_true, y_pred):
    return np.mean((y_true == "ill") & (y_pred == "well"))


def spread(y_true, y_score):
    return np.std(y_score)


def test_a_function_gets_the_users_own_labels():
    expected = float(np.mean((TRUTH == "ill") & (ANSWERS == "well")))
    assert as_measure(missed).value(TABLE) == expected
    assert as_measure(missed).name == "missed"


def test_a_second_argument_called_y_score_gets_scores_of_the_positive_class():
    measure = as_measure(spread)
    assert measure.scores
    assert measure.value(TABLE, "ill") == pytest.approx(np.std(PROBABILITY))


@pytest.mark.parametrize("positive", ["ill", "well"])
@pytest.mark.parametrize(
    "metric", [metrics.roc_auc_score, metrics.average_precision_score, metrics.brier_score_loss]
)
def test_sklearn_metrics_of_scores_follow_pos_label_and_not_the_alphabet(metric, positive):
    p = PROBABILITY if positive == "ill" else 1 - PROBABILITY
    table = Predictions.of(TRUTH, ANSWERS, y_score=p)
    expected = metric(positive == TRUTH, p)
    assert as_measure(metric).value(table, positive) == pytest.approx(expected)


def test_sklearn_log_loss_gets_probabilities_although_it_calls_them_y_pred():
    measure = as_measure(metrics.log_loss)
    assert measure.probabilities
    expected = metrics.log_loss(TRUTH == "ill", PROBABILITY)
    assert measure.value(TABLE, "ill") == pytest.approx(expected)


def test_scores_of_many_classes_come_as_columns():
    truth = RNG.integers(3, size=90)
    p = RNG.dirichlet(np.ones(3), size=90)
    table = Predictions.of(truth, p.argmax(axis=1), y_score=p)
    measure = as_measure(metrics.get_scorer("roc_auc_ovr"))
    assert measure.value(table) == pytest.approx(metrics.roc_auc_score(truth, p, multi_class="ovr"))
    assert as_measure(metrics.log_loss).value(table) == pytest.approx(metrics.log_loss(truth, p))


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        (metrics.make_scorer(metrics.fbeta_score, beta=2, pos_label="ill"), True),
        (metrics.make_scorer(metrics.zero_one_loss, greater_is_better=False), False),
        (metrics.get_scorer("balanced_accuracy"), True),
    ],
)
def test_scorers_keep_function_arguments_and_direction(scorer, expected):
    measure = as_measure(scorer)
    value = scorer._score_func(TRUTH, ANSWERS, **scorer._kwargs)
    assert measure.value(TABLE) == pytest.approx(value)
    assert measure.greater_is_better is expected


def test_a_scorer_with_a_pos_label_gets_that_classes_scores():
    scorer = metrics.make_scorer(
        metrics.brier_score_loss,
        response_method="predict_proba",
        pos_label="well",
        greater_is_better=False,
    )
    expected = metrics.brier_score_loss(TRUTH == "well", 1 - PROBABILITY)
    assert as_measure(scorer).value(TABLE, "ill") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (metrics.accuracy_score, True),
        (metrics.matthews_corrcoef, True),
        (metrics.hamming_loss, False),
        (missed, None),
    ],
)
def test_the_direction_is_read_off_the_name_or_not_known(function, expected):
    assert as_measure(function).greater_is_better is expected


def test_names_of_partials_objects_and_functions_called_like_ours():
    class Weighted:
        def __call__(self, y_true, y_pred):
            return 1.0

    def accuracy(y_true, y_pred):
        return 0.5

    def recall(y_true, y_pred):
        return 0.5

    assert as_measure(partial(metrics.fbeta_score, beta=2)).name == "fbeta_score"
    assert as_measure(Weighted()).name == "Weighted"
    assert as_measure(accuracy).name == "accuracy (own)"
    assert as_measure(recall).name == "recall (own)"
    with pytest.raises(InputError, match="'mcc' is one of referee's own; give it another name"):
        make_measure(accuracy, name="mcc")


def test_a_lambda_needs_a_name():
    with pytest.raises(
        InputError, match=r"a lambda has none; pass referee\.measures\.make_measure"
    ):
        as_measure(lambda t, p: 0.0)
    assert make_measure(lambda t, p: 0.25, name="quarter").value(TABLE) == 0.25


def test_two_measures_of_one_name_are_refused_and_one_twice_is_one():
    one, two = (make_measure(lambda t, p, v=v: v, name="same") for v in (0.0, 1.0))
    assert as_measures([one, one]) == (one,)
    with pytest.raises(InputError, match="two measures are called 'same'"):
        as_measures([one, two])


@pytest.mark.parametrize("weighted", [metrics.accuracy_score, metrics.hamming_loss])
def test_weights_are_used_where_the_function_takes_them(weighted):
    weight = RNG.integers(1, 4, 120).astype(float)
    table = Predictions.of(TRUTH, ANSWERS, sample_weight=weight)
    expected = weighted(TRUTH, ANSWERS, sample_weight=weight)
    assert as_measure(weighted).value(table) == pytest.approx(expected)


def test_weights_are_refused_where_the_function_would_ignore_them():
    table = Predictions.of(TRUTH, ANSWERS, sample_weight=np.ones(120))
    with pytest.raises(InputError, match="'missed' takes no sample_weight, so it would ignore"):
        as_measure(missed).value(table)


def raises(y_true, y_pred):
    raise KeyError("no such class")


def array(y_true, y_pred):
    return y_true == y_pred


def nothing(y_true, y_pred):
    return None


def text(y_true, y_pred):
    return "0.5"


def endless(y_true, y_pred):
    return np.inf


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (raises, "'raises' raised KeyError on 120 cases: 'no such class'; mend"),
        (array, r"'array' must return one number, got array\(.*\(ndarray\)"),
        (nothing, r"'nothing' must return one number, got None \(NoneType\)"),
        (text, "'text' must return one number, got '0.5'"),
        (endless, "'endless' must return a finite number, got inf"),
    ],
)
def test_what_a_function_did_is_named(function, message):
    with pytest.raises(InputError, match=message):
        as_measure(function).value(TABLE)


def test_a_value_outside_the_stated_range_is_named():
    measure = make_measure(missed, name="m", low=0.5, high=1.0)
    with pytest.raises(InputError, match=r"'m' returned .* outside its range of 0.5 to 1"):
        measure.value(TABLE)


def test_a_function_of_the_order_or_of_chance_is_refused():
    first = make_measure(lambda t, p: float(np.mean(t[:30] == p[:30])), name="first")
    with pytest.raises(InputError, match="for the same 120 cases in another order"):
        first.check_order(TABLE, None, None, first.value(TABLE))
    lucky = make_measure(lambda t, p: np.random.default_rng().random(), name="lucky")
    with pytest.raises(InputError, match="nor on chance"):
        lucky.check_order(TABLE, None, None, lucky.value(TABLE))


def test_scores_of_two_classes_need_the_positive_one():
    with pytest.raises(InputError, match="spread needs to know the positive class; pass pos_label"):
        as_measure(spread).value(TABLE)


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (5, "must be a name, a Measure, a function"),
        (GaussianNB().score, "wants a fitted model"),
        (lambda estimator, X, y: 0.0, "wants a fitted model"),
        (Measure, "must be an instance, got the class Measure"),
        (metrics.get_scorer, "raised"),
    ],
)
def test_what_is_no_measure_is_refused(thing, message):
    with pytest.raises(InputError, match=message):
        as_measure(thing).value(TABLE)


def test_needs_and_function_are_checked():
    with pytest.raises(InputError, match="needs must be one of 'predictions', 'scores'"):
        make_measure(missed, needs="margins")
    with pytest.raises(InputError, match="function must be callable, got 3"):
        make_measure(3)


def test_a_function_of_some_of_the_cases_cannot_hide_behind_a_shuffle():
    truth = np.arange(200) % 2
    table = Predictions.of(truth, np.where(np.arange(200) % 10 == 3, 1 - truth, truth))

    def first_alone(y_true, y_pred):
        return float(y_true[0] == y_pred[0])

    mine = make_measure(first_alone)
    with pytest.raises(InputError, match="in another order, 0;"):
        mine.check_order(table, None, None, mine.value(table))
