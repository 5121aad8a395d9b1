"""The prediction-powered mean, against ppi-python 0.2.3, closed forms and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals.scores.prediction_powered import Marks, prediction_powered

# What ppi-python 0.2.3 gives for `example`, in an environment of its own:
#   from ppi_py import ppi_mean_pointestimate, ppi_mean_ci
#   ppi_mean_pointestimate(human, judge, others), ppi_mean_ci(human, judge, others, alpha=0.05)
#   and the same with lam=0.5
TUNED = 0.5735117327777102, (0.46234585390745847, 0.6846776116479618)
HALF = 0.5793016666666666, (0.4677598888919413, 0.6908434444413919)


def example(**options):
    human = np.tile([1.0, 0, 1, 1, 0, 1, 1, 0, 1, 1], 6)
    human[::7] = 1 - human[::7]
    judge = np.where(human > 0, 0.75, 0.45) + 0.3 * np.sin(np.arange(60) * 1.7)
    return Marks(
        human=human,
        judge=np.round(np.clip(judge, 0, 1), 3),
        others=np.round(0.5 + 0.4 * np.cos(np.arange(400) * 0.37), 3),
        **options,
    )


def published(marks, weight):
    """Return the published interval, from the weight that was found."""
    rest = marks.human - weight * marks.judge
    se = math.sqrt(
        weight**2 * marks.others.var() / len(marks.others) + rest.var() / len(marks.human)
    )
    value = weight * marks.others.mean() + rest.mean()
    return value, (value - stats.norm.ppf(0.975) * se, value + stats.norm.ppf(0.975) * se)


@pytest.mark.parametrize(("weight", "theirs"), [(None, TUNED), (0.5, HALF)])
def test_value_and_weight_against_ppi_python(weight, theirs):
    made = prediction_powered(example(), weight=weight)
    assert made.value == pytest.approx(theirs[0], rel=1e-12)
    value, ends = published(example(), made.weight)
    assert value == pytest.approx(theirs[0], rel=1e-12)
    assert ends == pytest.approx(theirs[1], rel=1e-10)


def test_our_interval_is_the_published_one_but_for_small_samples():
    made = prediction_powered(example())
    ours = made.interval()
    # t instead of z, two degrees of freedom less, one more disagreement for the few agreements.
    assert 1 < ours.width / (TUNED[1][1] - TUNED[1][0]) < 1.05


def test_a_useless_judge_leaves_people_alone():
    rng = np.random.default_rng(0)
    marks = Marks(human=rng.normal(size=40), judge=np.full(40, 0.7), others=np.full(100, 0.7))
    made = prediction_powered(marks)
    assert made.weight == 0
    assert made.value == pytest.approx(marks.human.mean())
    low, high = stats.t.interval(0.95, 39, marks.human.mean(), stats.sem(marks.human))
    i = made.interval()
    assert (i.low, i.high) == pytest.approx((low, high))
    assert made.worth == 40


def test_a_judge_who_errs_the_other_way_is_left_out():
    human = np.tile([1.0, 0.0], 20)
    made = prediction_powered(Marks(human=human, judge=1 - human, others=np.full(50, 0.5)))
    assert made.weight == 0


def test_every_item_marked_by_people_is_their_mean():
    human = np.tile([1.0, 0.0, 1.0], 10)
    made = prediction_powered(Marks(human=human, judge=human, others=np.array([])))
    assert (made.value, made.weight) == (pytest.approx(2 / 3), 0.0)


def test_a_judge_who_never_errs_is_not_taken_for_perfect():
    human = np.tile([1.0, 1.0, 0.0], 10)
    marks = Marks(human=human, judge=human, others=np.tile([1.0, 0.0], 500), low=0.0, high=1.0)
    made = prediction_powered(marks)
    exact = math.sqrt(0.25 / 1000)
    assert made.se > 1.3 * exact  # one more disagreement either way
    assert made.interval().width < 0.34  # and still much narrower than 30 marks alone


def test_few_marks_are_never_worse_than_their_exact_interval():
    for right in (0, 3, 10):
        human = np.repeat([1.0, 0.0], [right, 10 - right])
        marks = Marks(human=human, judge=human, others=np.full(200, 0.5), low=0.0, high=1.0)
        i = prediction_powered(marks).interval()
        assert 0 <= i.low < i.high <= 1
        assert i.n_effective >= 10


def test_more_marks_narrow_and_the_worth_of_the_judge():
    made = prediction_powered(example())
    assert made.with_marks(0) == pytest.approx(made.se)
    assert made.with_marks(60) < made.with_marks(10) < made.se
    assert made.with_marks(10**6) == made.with_marks(400)
    r2 = made.correlation**2
    assert made.worth == pytest.approx(60 / (1 - r2 * 400 / 460))


def test_clusters_of_one_item_are_no_clusters_but_for_degrees_of_freedom():
    plain = prediction_powered(example())
    grouped = prediction_powered(example(clusters=np.arange(60), other_clusters=np.arange(60, 460)))
    assert grouped.value == plain.value
    assert grouped.se == pytest.approx(plain.se, rel=0.03)


def test_copies_in_clusters_widen():
    marks = example()
    copied = Marks(
        human=np.repeat(marks.human, 5),
        judge=np.repeat(marks.judge, 5),
        others=np.repeat(marks.others, 5),
        clusters=np.repeat(np.arange(60), 5),
        other_clusters=np.repeat(np.arange(60, 460), 5),
    )
    assert prediction_powered(copied).se == pytest.approx(prediction_powered(marks).se, rel=0.03)


def test_too_few_marks_are_refused():
    with pytest.raises(InputError, match="at least 3 items need a human mark"):
        Marks(human=np.ones(2), judge=np.ones(2), others=np.ones(5))


def coverage(n, others, right, agree, repetitions, seed):
    rng = np.random.default_rng(seed)
    ours = theirs = 0
    for _ in range(repetitions):
        truth = (rng.random(n + others) < right).astype(float)
        judge = np.where(rng.random(n + others) < agree, truth, 1 - truth)
        marks = Marks(human=truth[:n], judge=judge[:n], others=judge[n:], low=0.0, high=1.0)
        made = prediction_powered(marks)
        i = made.interval()
        ours += i.low <= right <= i.high
        low, high = published(marks, made.weight)[1]
        theirs += low <= right <= high
    return ours / repetitions, theirs / repetitions


def test_coverage_where_the_published_form_fails():
    ours, theirs = coverage(20, 400, 0.8, 0.97, 400, 0)
    assert ours >= 0.94
    assert theirs < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 20, 50, 100, 300])
@pytest.mark.parametrize("others", [100, 1000])
@pytest.mark.parametrize(("right", "agree"), [(0.7, 0.9), (0.7, 0.98), (0.95, 0.95), (0.9, 0.7)])
def test_coverage_in_many_cells(n, others, right, agree):
    ours, theirs = coverage(n, others, right, agree, 2000, 1)
    print(f"n {n}, others {others}, right {right}, agree {agree}: {ours:.3f} (z form {theirs:.3f})")
    assert ours >= 0.93
