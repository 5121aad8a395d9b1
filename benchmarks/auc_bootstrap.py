"""The bootstrap of rankings against a loop over scikit-learn, and DeLong's interval.

A loop of 2000 calls to roc_auc_score takes up to a quarter of an hour, so only a few of them are
timed, and each job is raced in two ways. "Equal count": both sides run those few; we sort once for
all replicates, so our set-up is charged to far fewer of them than 2000. "Scaled": we run all 2000,
and the time of the loop, which has no set-up, is multiplied up. The second is the job users have.

Twelve measures are raced against one in two ways, too: average precision alone comes from the same
pass that gives four measures, the AUC alone from the cheapest pass there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.race import Outcome, Race
from referee.core.predictions import Predictions
from referee.intervals.area.placements import placements
from referee.intervals.catalogue import auc_interval
from referee.intervals.one_set.bootstrap.ranking import bootstrap_auc
from referee.judging.estimating.measuring import Measuring

__all__ = ["races"]

LOOP_GOAL, DELONG_GOAL, TWELVE_GOAL = 1 / 200, 1 / 7, 2.0

TWELVE = [
    *("auc50", "partial_auc", "average_precision"),
    *("f1", "f2", "mcc", "kappa", "balanced_accuracy", "informedness"),
    *("macro_f1", "macro_precision", "weighted_f1"),
]


@dataclass(frozen=True)
class ScaledRace(Race):
    """A race whose peer does 1 / times of the job; its time is multiplied by that."""

    times: float = 1.0

    def run(self) -> Outcome:
        o = super().run()
        return replace(o, peer_wall=o.peer_wall * self.times, peer_cpu=o.peer_cpu * self.times)


def races() -> Iterator[Race]:
    for n, few in ((10_000, 200), (100_000, 40), (1_000_000, 10)):
        yield _loop(n, few, few)
        yield _loop(n, 2000, few)
    race = _delong(100_000)
    if race is not None:
        yield race
    for n in (1_000, 10_000, 100_000):
        yield _twelve(n)
        yield _twelve_against_the_cheapest(n)


def _cases(n: int, share: float = 0.5) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    positive = rng.random(n) < share
    return positive, rng.normal(size=n) + positive


def _loop(n: int, rounds: int, few: int) -> Race:
    positive, scores = _cases(n)

    def ours() -> Any:
        return bootstrap_auc(positive, scores, rounds=rounds)

    def peer() -> Any:
        rng = np.random.default_rng(1)
        rows = (rng.integers(n, size=n) for _ in range(few))
        return np.array([roc_auc_score(positive[r], scores[r]) for r in rows])

    times = rounds // few
    how = "equal count" if times == 1 else f"loop of {few} scaled x {times}"
    name = f"AUC bootstrap, n = {n:,}, {rounds} replicates, {how}"
    return ScaledRace(
        name, "roc_auc_score loop", ours, peer, _same_replicates, LOOP_GOAL, 3, times=times
    )


def _same_replicates(ours: Any, peer: Any) -> None:
    """Means within Monte Carlo error, spreads within a factor the few replicates allow."""
    se = np.sqrt(ours.var() / len(ours) + peer.var() / len(peer))
    assert abs(ours.mean() - peer.mean()) < 6 * se
    assert 0.25 < ours.std() / peer.std() < 4


def _delong(n: int) -> Race | None:
    try:
        import confidenceinterval
    except ImportError:
        return None
    positive, scores = _cases(n)
    truth = positive.astype(int)

    def ours() -> Any:
        return auc_interval(placements(positive, scores), method="delong")

    def peer() -> Any:
        return confidenceinterval.roc_auc_score(truth, scores, method="delong")

    def agree(mine: Any, theirs: Any) -> None:
        # They rank in single precision.
        np.testing.assert_allclose([mine.low, mine.high], np.ravel(theirs[1]), rtol=1e-5)

    name = f"DeLong's interval, one curve, n = {n:,}"
    return Race(name, "confidenceinterval", ours, peer, agree, DELONG_GOAL, rounds=3)


def _table(n: int) -> Predictions:
    positive, scores = _cases(n)
    return Predictions.of(positive, scores > 0.5, y_score=scores)


def _measured(table: Predictions, names: list[str]) -> Any:
    return Measuring(predictions=table, positive=True).estimates(names)


def _twelve(n: int) -> Race:
    table = _table(n)

    def agree(ours: Any, peer: Any) -> None:
        _all_there(ours)
        assert ours["average_precision"].interval == peer["average_precision"].interval

    return Race(
        f"12 resampled measures at once, n = {n:,}, 2000 replicates",
        "referee, average precision alone",
        lambda: _measured(table, TWELVE),
        lambda: _measured(table, ["average_precision"]),
        agree,
        TWELVE_GOAL,
        rounds=3,
    )


def _twelve_against_the_cheapest(n: int) -> Race:
    table = _table(n)
    positive, scores = _cases(n)

    def agree(ours: Any, peer: Any) -> None:
        _all_there(ours)
        assert abs(peer.mean() - roc_auc_score(positive, scores)) < 6 * peer.std() / 2000**0.5

    return Race(
        f"12 resampled measures at once, n = {n:,}, 2000 replicates",
        "referee, the AUC bootstrap alone",
        lambda: _measured(table, TWELVE),
        lambda: bootstrap_auc(positive, scores, rounds=2000),
        agree,
        TWELVE_GOAL,
        rounds=3,
    )


def _all_there(estimates: Any) -> None:
    assert len(estimates) == 12
    assert all(e.interval is not None for e in estimates.values())
