"""What a method of one's own returns is checked, and named where it is no answer."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import referee
from referee.core.results import Evidence, Interval
from referee.errors import InputError
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.risk import RiskInterval
from referee.intervals.scores.mean_interval import MeanInterval
from referee.significance import ComparisonTest, Setting
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.score_tests import ScoreTest

Y = np.arange(60) % 2
SCORE = Y + np.random.default_rng(0).normal(size=60)
ITEMS = {"item": np.arange(20), "a": np.arange(20) / 19}
TWO = {"a": np.arange(20) % 2, "b": np.arange(20) % 3 % 2}
SETS = {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.8]}


def whole(level=0.95, low=0.0, high=1.0):
    return Interval(low=low, high=high, level=level, method="mine")


def shown(p=0.4, test="mine"):
    return Evidence(test=test, statistic=1.0, p_value=p, null="nothing", n=4)


def broken(*_, **__):
    raise ZeroDivisionError("division by zero")


def by_area(answer, **more):
    mine = AreaInterval("mine", title="mine", compute=answer, **more)
    return referee.evaluate_predictions(Y, Y, y_score=SCORE, interval=mine)


def by_mean(answer, **more):
    mine = MeanInterval("mine", title="mine", compute=answer, **more)
    return referee.evaluate_scores(ITEMS, item="item", limits=(0, 1), interval=mine)


def by_risk(answer, **more):
    mine = RiskInterval("mine", title="mine", compute=answer, **more)
    return referee.evaluate_predictions(Y, Y, interval=mine)


def by_scores(answer, **more):
    mine = ScoreTest("mine", title="mine", compute=answer, **more)
    return referee.compare_scores(TWO, significance=mine)


def by_sets(answer, **more):
    mine = DatasetTest("mine", title="mine", role=Role.PAIR, compute=answer, **more)
    return referee.compare_datasets(scores=SETS, significance=mine)


def by_cases(answer, **more):
    mine = ComparisonTest("mine", title="mine", setting=Setting.SAME_CASES, compute=answer, **more)
    return referee.compare_predictions(Y, {"a": Y, "b": 1 - Y}, significance=mine)


INTERVALS, TESTS = (by_area, by_mean, by_risk), (by_scores, by_sets, by_cases)


@pytest.mark.parametrize("ask", INTERVALS)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (broken, "failed"),
        (lambda *_: None, "must return an Interval, got None"),
        (lambda *_: whole(0.5), "must be of the level that was asked for, 0.95, got 0.5"),
        (lambda *_: replace(whole(), low=math.nan), "low"),
    ],
)
def test_intervals(ask, answer, said):
    with pytest.raises(InputError, match=f"(?s){re.escape(said)}"):
        ask(answer)


def test_intervals_of_areas_keep_to_the_range():
    with pytest.raises(InputError, match="interval 'mine' must lie between 0 and 1, got -1 to 2"):
        by_area(lambda *_: whole(low=-1, high=2))
    by_mean(lambda *_: whole(low=-1, high=2))  # t intervals of few clusters are as wide


@pytest.mark.parametrize("ask", [by_area, by_mean])
def test_intervals_hold_the_estimate(ask):
    with pytest.raises(InputError, match="interval 'mine' must hold the estimate"):
        ask(lambda *_: whole(low=0.01, high=0.02))


@pytest.mark.parametrize("ask", TESTS)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (broken, "test 'mine' failed: ZeroDivisionError: division by zero"),
        (lambda *_: None, "test 'mine' must return Evidence"),
        (lambda *_: shown(math.nan), "test 'mine' must return a p-value, got nan"),
        (lambda *_: shown(test="other"), "test 'mine' must return Evidence of its own name"),
    ],
)
def test_tests(ask, answer, said):
    with pytest.raises(InputError, match=re.escape(said)):
        ask(answer)


@pytest.mark.parametrize("ask", [*INTERVALS, *TESTS])
def test_refusals(ask):
    answer = (lambda *_: whole()) if ask in INTERVALS else (lambda *_: shown())
    with pytest.raises(InputError, match="the refusal of 'mine' must return a reason as text"):
        ask(answer, refusal=lambda _: True)
    with pytest.raises(InputError, match="the refusal of 'mine' failed: ZeroDivisionError"):
        ask(answer, refusal=broken)
    assert ask(answer, refusal=lambda _: None) is not None


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[31m", None])
@pytest.mark.parametrize("kind", [RiskInterval, MeanInterval, AreaInterval, ScoreTest])
def test_names(kind, name):
    with pytest.raises(InputError, match="must be text that can be printed"):
        kind(name, title="mine", compute=broken)
