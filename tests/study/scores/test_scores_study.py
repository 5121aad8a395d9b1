"""The study of scores: its laws have the means they say, its cells the likeness they say."""

import numpy as np
import pytest

from referee.core.scores.scores import ItemScores
from referee.intervals.scores.cluster_mean import correlation
from referee.study import scores
from referee.study.scores import experiment
from referee.study.scores.cells import ScoreCell, score_cells
from referee.study.scores.laws import LAWS, cluster_codes, drawn_items
from referee.study.scores.trial import tried

EVERY = [law for laws in LAWS.values() for law in laws]


@pytest.mark.parametrize("law", EVERY, ids=lambda law: law.name)
def test_laws_have_the_mean_and_limits_they_say(law):
    u = (np.arange(200_000) + 0.5) / 200_000
    values = law.quantile(u)
    assert values.mean() == pytest.approx(law.mean, rel=2e-3)
    assert values.min() >= law.low
    assert values.max() <= law.high
    assert np.all(np.diff(values) >= 0)


@pytest.mark.parametrize("fresh", [False, True])
def test_clusters_of_0_1_scores_are_as_alike_as_they_say(fresh):
    law = LAWS["fresh" if fresh else "tuning"][0]
    code = np.repeat(np.arange(400), 5)
    rng = np.random.default_rng(0)
    origin = "fresh" if fresh else "tuning"
    draws = drawn_items(law, rng, (20, 2000), clusters=code, alike=0.3, origin=origin)
    assert draws.mean() == pytest.approx(law.mean, abs=0.01)
    assert np.mean([correlation(d, code) for d in draws]) == pytest.approx(0.3, abs=0.02)


def test_rare_clusters_are_as_alike_as_they_say():
    code = np.repeat(np.arange(400), 5)
    rng = np.random.default_rng(0)
    law = LAWS["rare"][0]
    draws = drawn_items(law, rng, (20, 2000), clusters=code, alike=0.3, origin="rare")
    assert draws.mean() == pytest.approx(0.9, abs=0.01)
    assert np.mean([correlation(d, code) for d in draws]) == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("law", EVERY, ids=lambda law: law.name)
def test_runs_keep_the_mean(law):
    draws = drawn_items(law, np.random.default_rng(1), (40, 1000), runs=4)
    assert draws.mean() == pytest.approx(law.mean, rel=0.03)


@pytest.mark.parametrize("fresh", [False, True])
def test_clusters_hold_every_item(fresh):
    for n, k in ((30, 10), (100, 30), (1000, 50)):
        code = cluster_codes(n, k, unequal=True, fresh=fresh)
        assert len(code) == n
        assert len(np.unique(code)) == k
        assert len(set(np.bincount(code))) > 1
        assert set(np.bincount(cluster_codes(n, k, unequal=False))) <= {n // k, n // k + 1}


def test_cells_cover_what_was_asked_for():
    for origin in ("tuning", "fresh"):
        cells = list(score_cells(origin, differences=False))
        assert {c.n for c in cells} == {10, 30, 100, 300, 1000}
        assert {c.alike for c in cells} == {0.0, 0.3}
        assert {c.runs for c in cells} == {1, 4}
        assert {c.clusters for c in cells} == {0, 10, 20, 30, 50}
        assert len({c.key for c in cells}) == len(cells)


def test_differences_have_the_truth_they_say():
    for cell in score_cells("tuning", differences=True):
        if cell.n != 300 or cell.clusters:
            continue
        made = tried(cell, 60, 0)
        assert next(r for r in made if r.method == "default").covered > 0.8


def test_the_default_holds_where_the_plain_form_fails():
    law = next(law for law in LAWS["tuning"] if law.right == 0.9)
    made = {r.method: r for r in tried(ScoreCell(law=law, origin="tuning", n=10), 400, 0)}
    assert made["default"].covered >= 0.93
    assert made["plain CLT"].covered < 0.8
    assert made["default"].used == "clopper-pearson"


def test_a_cell_s_data_sets_do_not_depend_on_the_others(monkeypatch):
    few = [c for c in score_cells("fresh", differences=False) if c.n == 30][:3]
    monkeypatch.setattr(
        experiment, "score_cells", lambda origin, differences: [] if differences else few
    )
    one = scores(origins=["fresh"], repetitions=10, random_state=1)
    monkeypatch.setattr(
        experiment, "score_cells", lambda origin, differences: [] if differences else few[1:]
    )
    two = scores(origins=["fresh"], repetitions=10, random_state=1)
    mine = one.frame()[one.frame()["cell"] == few[1].name].reset_index(drop=True)
    theirs = two.frame()[two.frame()["cell"] == few[1].name].reset_index(drop=True)
    assert mine.equals(theirs)
    assert len(one.tables) == 2
    assert "the default covers at least" in one.conclusion
    assert one.to_text()


def test_records_are_in_the_form_of_the_calibration_table(monkeypatch):
    few = [c for c in score_cells("tuning", differences=True) if c.n == 30 and c.twice][:2]
    monkeypatch.setattr(
        experiment, "score_cells", lambda origin, differences: few if differences else []
    )
    made = scores(origins=["tuning"], repetitions=20, random_state=1).records()
    assert set(made["quantity"]) <= {"coverage", "size"}
    assert {"section", "method", "target", "cell", "value", "error"} <= set(made.columns)


def test_item_scores_of_a_cell_are_bounded_where_the_law_is():
    law = LAWS["tuning"][-1]
    assert not ItemScores(values=np.ones(2), low=law.low, high=law.high).bounded
