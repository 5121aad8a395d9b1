"""The calibration table: truth, counting and enumeration against independent routes; promises."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from referee.core.plan import Part
from referee.core.randomness import child
from referee.core.results import Interval, Target
from referee.errors import InputError
from referee.intervals.catalogue import RISK_INTERVALS
from referee.study import Calibration, Draws, calibration
from referee.study.calibration import draws as draws_module
from referee.study.calibration.cells import QUICK, catalogue, cells_named
from referee.study.calibration.draws import chunks
from referee.study.calibration.limits import _EXPECTED, counted, coverage
from referee.study.calibration.methods import SCHEMES, learner_tests
from referee.study.calibration.probe import LearnerPairs, Ranked, Truth, Validation, probes_of
from referee.study.calibration.promises import Kept, at_least, at_most, judged
from referee.study.calibration.rates import _rejected
from referee.study.calibration.table import known_methods

LDA, NEAR = "lda, d 2, n 50", "5nn, d 10, n 100"


# --- the truth


@pytest.mark.parametrize("name", [LDA, "1nn, d 2, n 50", "imbalance 1:20, lda, n 200"])
def test_true_risk_against_a_large_test_set(name):
    cell = catalogue()[name]
    seed = cell.seed(0, 3)
    risk, error = Truth()(cell, seed)
    data = cell.sample(child(seed, 0))
    model = cell.model.fit(data.X, data.y)
    X, y = cell.task.sample(200_000, 99)
    found = float(np.mean(model.predict(X) != y))
    assert abs(risk - found) <= 4 * math.hypot(error, math.sqrt(found * (1 - found) / 200_000))


def test_rows_of_a_group_are_alike_and_each_is_a_draw_of_the_task():
    cell = replace(catalogue()["groups of 5, lda, n 200"], size=20_000)
    data = cell.sample(1)
    X, y, groups = np.asarray(data.X), np.asarray(data.y), data.groups
    noise = X - cell.task.means[y]
    np.testing.assert_allclose(np.cov(noise.T), np.eye(3), atol=0.08)
    first, second = noise[::5, 1], noise[1::5, 1]
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(cell.alike, abs=0.03)
    assert all(len(set(y[groups == g])) == 1 for g in range(20))


def test_area_of_drawn_scores():
    cell = replace(
        catalogue()["auc .90, 10 + 200, positives 3 times as wide"], positives=500, negatives=500
    )
    areas = []
    for seed in range(40):
        positive, scores = cell.sample(seed)
        u = stats.mannwhitneyu(scores[positive], scores[~positive]).statistic
        areas.append(u / 500**2)
    assert np.mean(areas) == pytest.approx(0.9, abs=4 * np.std(areas) / math.sqrt(40))


def test_blocks_of_a_pair_share_the_labels_only():
    one, two = catalogue()["equal: lda, n 100"].sample(0)
    np.testing.assert_array_equal(one.y, two.y)
    apart = [
        np.corrcoef(np.asarray(one.X)[one.y == c, 0], np.asarray(two.X)[two.y == c, 0])[0, 1]
        for c in (0, 1)
    ]
    assert np.abs(apart).max() < 0.5


# --- what a probe returns


def test_probe_against_plain_fits_and_scipy():
    """Wilson's limits of the first pass, from scikit-learn's own fits and scipy's interval."""
    cell, probe = catalogue()[NEAR], Validation("10x10")
    seed = cell.seed(0, 0)
    row = dict(zip(probe.columns, probe(cell, seed), strict=True))
    data = cell.sample(child(seed, 0))
    import zlib

    plan = SCHEMES["10x10"]().plan(data, child(seed, 3, zlib.crc32(b"10x10")))
    first = [s for s in plan.part(Part.MAIN) if s.repetition == 0]
    X, y = np.asarray(data.X), np.asarray(data.y)
    wrong = sum(
        int(np.sum(cell.model.fit(X[s.train], y[s.train]).predict(X[s.test]) != y[s.test]))
        for s in first
    )
    limits = stats.binomtest(wrong, cell.n).proportion_ci(method="wilson")
    assert row["wilson/10-fold/conditional low"] == pytest.approx(limits.low, abs=1e-9)
    assert row["wilson/10-fold/expected high"] == pytest.approx(limits.high, abs=1e-9)


def test_p_value_against_plain_fits():
    """The k-fold t of the first pass, from scikit-learn's own fits and scipy's t test."""
    cell, probe = catalogue()["power: lda, n 100"], LearnerPairs("calibrated-cv")
    seed = cell.seed(0, 1)
    row = dict(zip(probe.columns, probe(cell, seed), strict=True))
    import zlib

    pair = cell.sample(child(seed, 0))
    plan = SCHEMES["calibrated-cv"]().plan(pair[0], child(seed, 3, zlib.crc32(b"calibrated-cv")))
    first = [s for s in plan.part(Part.MAIN) if s.repetition == 0]
    errors = [
        [
            np.mean(cell.model.fit(X[s.train], y[s.train]).predict(X[s.test]) != y[s.test])
            for s in first
        ]
        for X, y in ((np.asarray(d.X), np.asarray(d.y)) for d in pair)
    ]
    assert row["kfold-t"] == pytest.approx(stats.ttest_rel(*errors).pvalue, abs=1e-9)
    assert set(row) == {"calibrated-t", "corrected-t", "kfold-t", "collapsed"}


def test_every_cell_has_probes_and_every_test_a_scheme():
    for cell in catalogue().values():
        names = [p.name for p in probes_of(cell)]
        assert len(set(names)) == len(names) > 0
    assert {t.by for t in learner_tests()} <= set(SCHEMES)
    assert set(QUICK) <= set(catalogue())
    assert len({c.seed(0, 0) for c in catalogue().values()}) == len(catalogue())


# --- counting


def test_coverage_against_a_loop():
    rng = np.random.default_rng(0)
    low = rng.uniform(0, 0.3, 60)
    high = low + rng.uniform(0, 0.3, 60)
    truth = rng.uniform(0, 0.5, 60)
    hits = 0
    for a, b, t in zip(low, high, truth, strict=True):
        if a <= t <= b:
            hits += 1
    made = coverage(low, high, truth, planned=100)
    assert made.value == hits / 60
    # At both limits the mixture of rates is forty times as likely as the limit itself.
    a, b = _EXPECTED["coverage"]
    mixed = special.betaln(hits + a, 60 - hits + b) - special.betaln(a, b)
    for limit in (made.low, made.high):
        alone = hits * np.log(limit) + (60 - hits) * np.log1p(-limit)
        assert mixed - alone == pytest.approx(np.log(40), abs=1e-6)
    assert made.low < made.value < made.high
    # At the number that was decided on before, the exact interval of a fixed number at 97.5 %.
    last = coverage(low, high, truth, planned=60)
    exact = stats.binomtest(hits, 60).proportion_ci(0.975)
    assert (last.low, last.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert made.low < last.low < last.high < made.high


def test_an_uncertain_truth_widens_the_limits():
    low, high, truth = np.full(50, 0.1), np.linspace(0.15, 0.25, 50), np.full(50, 0.2)
    plain, unsure = (coverage(low, high, truth, spread, planned=50) for spread in (0.0, 0.01))
    assert unsure.value == plain.value
    assert unsure.error > plain.error
    assert unsure.low < plain.low
    assert unsure.high > plain.high


def test_no_error_of_zero():
    assert counted(np.ones(100, dtype=bool), planned=100).error > 0.005


def test_table_against_a_loop_over_draws():
    kept = Draws()
    made = calibration([LDA], ["effective-jeffreys", "nested-cv"], repetitions=8, draws=kept)
    made = made.frame()
    truth = kept.tables[LDA, "truth"]["risk"].tolist()
    table = kept.tables[LDA, "10x10"]
    column = "effective-jeffreys/10x10/{} {}"
    for target, aims in (("conditional", truth), ("expected", [np.mean(truth)] * 8)):
        inside = [
            a <= t <= b
            for a, b, t in zip(
                table[column.format(target, "low")],
                table[column.format(target, "high")],
                aims,
                strict=True,
            )
        ]
        row = made[
            (made.method == "effective-jeffreys") & (made.by == "10x10") & (made.target == target)
        ].iloc[0]
        assert row.value == pytest.approx(sum(inside) / 8)
        assert row.relative_width == 1
        assert row.repetitions == 8
    nested = made[made.method == "nested-cv"]
    assert set(nested.repetitions) == {4}  # costly schemes see half of the data sets


# --- going on


class Stopped(Draws):
    """Draws that are interrupted after some chunks."""

    left = 3

    def write(self, cell, probe, table):
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        super().write(cell, probe, table)


def test_a_stopped_study_goes_on_with_the_same_numbers(monkeypatch):
    monkeypatch.setattr(draws_module, "_CHUNK", 2)
    names, methods = [LDA, "auc .98, 10 + 10"], ["wilson", "delong"]
    whole = calibration(names, methods, repetitions=6).frame()
    kept = Stopped()
    with pytest.raises(KeyboardInterrupt):
        calibration(names, methods, repetitions=6, draws=kept)
    assert kept.left == 0
    so_far = sum(len(t) for t in kept.tables.values())
    kept.left = 100
    left = chunks([(catalogue()[n], probes_of(catalogue()[n]), 6) for n in names[1:]], kept, 0)
    assert sum(len(c.repetitions) for c in left) < 6
    again = calibration(names, methods, repetitions=6, draws=kept).frame()
    assert sum(len(t) for t in kept.tables.values()) > so_far
    pd.testing.assert_frame_equal(again, whole)


def test_more_repetitions_keep_the_first_ones():
    kept = Draws()
    calibration([LDA], ["wilson"], repetitions=4, draws=kept)
    few = kept.tables[LDA, "10x10"].copy()
    calibration([LDA], ["wilson"], repetitions=6, draws=kept)
    pd.testing.assert_frame_equal(kept.tables[LDA, "10x10"].iloc[:4], few)


def test_numbers_do_not_depend_on_jobs():
    names, methods = [LDA, "equal: lda, n 40"], ["wilson", "5x2cv-t"]
    one, two = (calibration(names, methods, repetitions=11, n_jobs=j).frame() for j in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_so_far_draws_nothing():
    with pytest.raises(InputError, match="nothing was drawn yet"):
        calibration([LDA], ["nested-cv"], so_far=True)
    kept = Draws()
    calibration([LDA], ["wilson"], repetitions=4, draws=kept)
    made = calibration([LDA], ["wilson"], draws=kept, so_far=True)
    assert set(made.simulated.repetitions) == {4}


# --- promises


def too_short(sample):
    """An interval of a tenth of the width it should have."""
    p = sample.losses.mean
    half = 0.2 * math.sqrt(p * (1 - p) / sample.losses.n)
    return Interval(
        low=p - half, high=p + half, level=0.95, method="effective-jeffreys", target=sample.target
    )


def test_a_bad_interval_falls_short(monkeypatch):
    bad = replace(RISK_INTERVALS["effective-jeffreys"], compute=too_short)
    monkeypatch.setitem(RISK_INTERVALS._known, "effective-jeffreys", bad)
    made = calibration(["three classes, lda, n 90"], ["effective-jeffreys"], repetitions=20)
    cells = [p for p in made.promises if p.cell == "three classes, lda, n 90"]
    assert {p.point for p in cells} == {2, 3}
    assert {p.kept for p in cells} == {Kept.NOT_MET}
    assert "Falling short: effective-jeffreys" in made.conclusion
    from referee.report.describe.calibration_page import calibration_page

    assert "### Not met\n" in calibration_page(made)


def test_limits_against_bounds():
    assert at_least(0.95, 0.95, 0.95) is Kept.MET
    assert at_most(0.05, 0.01, 0.04) is Kept.MET
    assert at_most(0.05, 0.04, 0.06) is Kept.UNDECIDED
    assert at_most(0.05, 0.06, 0.08) is Kept.NOT_MET


def row(**values):
    base = {
        "section": "learners", "method": "calibrated-t", "by": "calibrated-cv",
        "target": "expected", "cell": "a", "origin": "fresh", "n": 100, "quantity": "size",
        "value": 0.05, "error": 0.01, "low": 0.03, "high": 0.069, "width": math.nan,
        "relative_width": math.nan, "relative_error": math.nan, "truth": math.nan, "collapsed": 0.0,
        "repetitions": 300, "planned": 300, "note": "",
    }  # fmt: skip
    return base | values


def test_cells_with_collapsed_learners_are_no_part_of_the_promise():
    table = pd.DataFrame([row(), row(cell="b", value=0.2, low=0.15, high=0.25, collapsed=0.09)])
    promises = judged(table)
    assert {p.cell for p in promises} == {"a", ""}
    assert promises[0].kept is Kept.MET


def test_power_and_width_are_judged_against_the_others():
    table = pd.DataFrame(
        [
            row(quantity="adjusted gain", value=0.2),
            row(quantity="adjusted gain", value=-0.2, method="kfold-t"),
            *(
                row(section="risk", method=m, by="10x10", target="conditional", quantity="coverage",
                    value=0.96, low=0.93, high=0.98, relative_width=w, relative_error=0.01)
                for m, w in (("effective-jeffreys", 1.0), ("nested-cv", 0.9))
            ),
        ]
    )  # fmt: skip
    kept = {(p.point, p.text): p.kept for p in judged(table) if not p.cell}
    assert kept[4, "mean size-adjusted power at least that of corrected-t"] is Kept.MET
    assert kept[2, "no wider than nested-cv: its mean width over ours"] is Kept.NOT_MET
    assert kept[2, "coverage at least .92 in 95 % of the fresh cells"] is Kept.MET


# --- options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cells": ["lda, d 3, n 50"]}, "cell 'lda, d 3, n 50' is unknown.*'lda, d 2, n 50'"),
        ({"methods": ["wilsen"]}, "method 'wilsen' is unknown.*'wilson'"),
        ({"repetitions": 1}, "repetitions must be a whole number of at least 2, got 1"),
        ({"cells": [LDA], "n_jobs": 0}, "n_jobs must not be 0"),
        ({"cells": [LDA], "methods": ["delong"], "repetitions": 2}, "not tried in these cells"),
    ],
)
def test_what_is_wrong_is_said(options, message):
    with pytest.raises(InputError, match=message):
        calibration(**options)


def test_names_may_be_begun():
    assert len(cells_named(["auc*"])) == 7
    assert cells_named(["auc*", "auc .98*"]) == cells_named(["auc*"])


def test_quick_says_that_it_is_rough():
    made = calibration(["auc .98, 10 + 10"], ["delong"], quick=True)
    assert set(made.simulated.repetitions) == {20}
    assert made.rough
    assert "rough look" in made.conclusion
    assert "a rough look; " in made.reliance


def test_a_table_is_rough_below_85_of_90_promises_decided():
    kept = Calibration.kept()
    enumerated = Calibration(table=kept.table[kept.table.repetitions == 0])
    assert {p.kept for p in enumerated.promises} == {Kept.MET}
    assert not enumerated.rough
    assert "at least 85 of 90" in enumerated.reliance
    decided = sum(p.kept is not Kept.UNDECIDED for p in kept.promises)
    assert kept.rough is (decided * 90 < 85 * len(kept.promises))
    assert f"{decided} of {len(kept.promises)} promises are decided" in kept.reliance
    full = int((kept.simulated.repetitions >= kept.simulated.planned).sum())
    assert f"{full} of {len(kept.simulated)} simulated rows" in kept.reliance
    assert Ranked().columns[0] == "newcombe-delong low"


def test_the_kept_table_tries_every_method():
    kept = Calibration.kept()
    # The coverage in time is printed by the slow test of one_set/dependent/test_serial_n.py.
    assert set(known_methods()) - set(kept.table.method) <= {"serial"}
    assert set(kept.table.method) <= set(known_methods())
    assert set(kept.table.target) <= {t.value for t in Target}
    assert (kept.simulated.error > 0).all()
    assert kept.table.cell[kept.table.section != "fixed"].isin(catalogue()).all()


def test_the_size_of_a_test_is_counted_at_its_own_level():
    # At .05, a p of exactly .05 included: three of four.
    assert _rejected(pd.Series([0.01, 0.04, 0.05, 0.0501]), equal=True, planned=4).value == 0.75
