"""One race: check that both sides agree, then time them in turn."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from threadpoolctl import threadpool_limits

__all__ = ["Outcome", "Race", "ScaledRace"]


@dataclass(frozen=True)
class Outcome:
    """Median wall and CPU seconds of both sides; the ratio is ours / peer, below 1 we win.

    A goal is one of CPU time, for wall time on a busy machine is chance; `elsewhere` of wall time,
    where other processes do the work.
    """

    name: str
    peer_name: str
    goal: float | None
    ours_wall: float
    ours_cpu: float
    peer_wall: float
    peer_cpu: float
    elsewhere: bool = False

    @property
    def wall(self) -> float:
        return self.ours_wall / self.peer_wall

    @property
    def cpu(self) -> float:
        return self.ours_cpu / self.peer_cpu

    @property
    def met(self) -> str:
        if self.goal is None:
            return "-"
        return "met" if (self.wall if self.elsewhere else self.cpu) <= self.goal else "MISSED"


@dataclass(frozen=True)
class Race:
    """Ours against a peer on the same job; `agree` raises if the results differ.

    With `children` the CPU time is that of finished child processes: whole commands. Where other
    processes do the work, `elsewhere`, wall time counts.
    """

    name: str
    peer_name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    agree: Callable[[Any, Any], None]
    goal: float | None = None
    rounds: int = 5
    children: bool = False
    elsewhere: bool = False

    def run(self) -> Outcome:
        # One thread for linear algebra: on small data more of them only disturb the clock.
        with threadpool_limits(1):
            return self._timed_in_turn()

    def _timed_in_turn(self) -> Outcome:
        self.agree(self.ours(), self.peer())  # also warms both sides up
        ours, peer = [], []
        for _ in range(self.rounds):
            ours.append(_timed(self.ours, self.children))
            peer.append(_timed(self.peer, self.children))
        return Outcome(
            self.name,
            self.peer_name,
            self.goal,
            *(statistics.median(t[k] for t in side) for side in (ours, peer) for k in (0, 1)),
            elsewhere=self.elsewhere,
        )


@dataclass(frozen=True)
class ScaledRace(Race):
    """A race whose peer does 1 / times of the job; its time is multiplied by that."""

    times: float = 1.0

    def run(self) -> Outcome:
        o = super().run()
        return replace(o, peer_wall=o.peer_wall * self.times, peer_cpu=o.peer_cpu * self.times)


def _timed(job: Callable[[], Any], children: bool = False) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), _cpu(children)
    job()
    return time.perf_counter() - wall, _cpu(children) - cpu


def _cpu(children: bool) -> float:
    if not children:
        return time.process_time()
    used = os.times()
    return used.children_user + used.children_system
