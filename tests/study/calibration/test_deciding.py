"""Limits that hold at every number of data sets, and runs that stop when a promise is decided."""

import numpy as np
import pytest
from scipy import stats

from referee.study import Draws, calibration
from referee.study.calibration.cells import cells_named
from referee.study.calibration.deciding import decide, undecided
from referee.study.calibration.limits import counted, reach_at_all_times, reach_of_mean
from referee.study.calibration.probe import probes_of


@pytest.mark.parametrize(("rate", "quantity"), [(0.95, "coverage"), (0.05, "size"), (0.07, "size")])
def test_limits_fail_at_any_time_in_at_most_one_of_twenty_runs(rate, quantity):
    """Looking again and again: the share of runs whose limits ever miss the true rate."""
    rng, looks = np.random.default_rng(1), (10, 40, 100, 200, 400)
    missed = fixed = 0
    for _ in range(60):
        hits = rng.random(400) < rate
        limits = [counted(hits[:n], quantity, planned=400) for n in looks]
        missed += any(not share.low <= rate <= share.high for share in limits)
        exact = [stats.binomtest(int(hits[:n].sum()), n).proportion_ci() for n in looks]
        fixed += any(not ci.low <= rate <= ci.high for ci in exact)
    assert missed / 60 <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 60)
    assert missed <= fixed


def test_reach_of_a_mean_holds_at_every_time():
    rng = np.random.default_rng(0)
    paths = np.cumsum(rng.standard_normal((800, 2000)), axis=1)
    n = np.arange(1, 2001)
    reach = np.array([reach_at_all_times(float(k)) for k in n]) * np.sqrt(n)
    assert np.mean((np.abs(paths) > reach).any(axis=1)) <= 0.05


def test_limits_at_the_planned_number_leave_error_for_earlier_looks():
    """Enumerated: at 400 data sets the limits miss in at most 2.5 %, and use most of that."""
    x = np.arange(401)
    limits = [counted(np.arange(400) < k, "size", planned=400) for k in x]
    low, high = (np.array([getattr(s, end) for s in limits]) for end in ("low", "high"))
    for rate in (0.03, 0.05, 0.07, 0.5, 0.95):
        missed = stats.binom.pmf(x, 400, rate)[(rate < low) | (high < rate)].sum()
        assert 0.012 < missed <= 0.025
    assert 2 * stats.norm.sf(reach_of_mean(400, planned=True)) == pytest.approx(0.025)


def test_a_decided_cell_is_left_alone_and_an_open_one_is_drawn_in():
    (cell,) = cells_named(["auc .80, 10 + 10"])
    draws = Draws()
    assert undecided([(cell, 200)], draws)
    decide([(cell, 400)], draws, seed=0)
    (probe,) = probes_of(cell)
    drawn = len(draws.of(cell.name, probe.name, probe.columns, 10**6))
    assert 20 <= drawn < 400
    assert not undecided([(cell, 400)], draws)
    decide([(cell, 400)], draws, seed=0)
    assert len(draws.of(cell.name, probe.name, probe.columns, 10**6)) == drawn


def test_nothing_is_begun_when_time_is_up():
    draws = Draws()
    decide([(cell, 100) for cell in cells_named(["equal: lda, n 40"])], draws, seed=0, seconds=0)
    assert not draws.tables


def test_intervals_of_test_sets_stand_in_the_table():
    methods = ["clustered", "bca", "percentile", "basic"]
    rows = calibration(["test set, 8 groups of 10"], methods, repetitions=4).frame()
    assert set(rows.section) == {"test set"}
    assert set(rows.method) == set(methods)
    assert set(rows.truth) == {0.2}


@pytest.mark.parametrize("name", ["test set, 40*", "test set, one*", "test set, hard*, n 50"])
def test_errors_of_a_test_set_have_the_stated_rate(name):
    begin = name.split("*")[0] + "*"
    cell = cells_named([begin])[0]
    tables = [cell.sample(seed) for seed in range(400)]
    weights = [t.weight if t.weight is not None else np.ones(t.n) for t in tables]
    total = sum(float(w @ t.wrong) for w, t in zip(weights, tables, strict=True))
    assert total / sum(w.sum() for w in weights) == pytest.approx(cell.error, abs=0.02)
