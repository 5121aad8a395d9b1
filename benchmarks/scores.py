"""What a board of 50 models on 10 000 items costs, all pairs and rank intervals for all at once."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

import referee

__all__ = ["scores"]

_MODELS, _ITEMS, _RUNS = 50, 10_000, 4
_GOAL = 10.0


def scores() -> list[tuple[str, float, float, str]]:
    """Return what was measured, its value, its goal and its unit."""
    right, real = _right(), _real()
    topic = np.arange(_ITEMS) // 20
    _check_a_pair(right)
    board, first = _timed(lambda: referee.board(right))
    made = [
        ("board of 0/1 scores, from a wide table, all 1225 pairs", first, _GOAL, "CPU s"),
        _board("board of real scores", lambda: referee.board(real)),
        _board("the same in 500 clusters", lambda: referee.board(real, cluster=topic)),
        _board("the same from a long table", lambda: referee.board(_long(real))),
        _board("board of 0/1 scores, 4 runs each, long", lambda: referee.board(_repeated())),
        _board("board of which every model lacks items", lambda: referee.board(_lacking(right))),
    ]
    _, page = _timed(board._repr_html_)
    return [*made, ("the page of a board", page, _GOAL, "CPU s")]


def _board(name: str, job: Any) -> tuple[str, float, float, str]:
    return name, _timed(job)[1], _GOAL, "CPU s"


def _right() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    luck = rng.random((_ITEMS, 1)) + rng.random((_ITEMS, _MODELS))
    return _named((luck < np.linspace(0.9, 1.3, _MODELS)).astype(int))


def _real() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    raw = rng.random((_ITEMS, 1)) + 0.3 * rng.normal(size=(_ITEMS, _MODELS))
    return _named(np.clip(raw + np.linspace(0, 0.1, _MODELS), 0, 1))


def _named(values: Any) -> pd.DataFrame:
    return pd.DataFrame(values, columns=[f"model {j}" for j in range(values.shape[1])])


def _long(wide: pd.DataFrame) -> pd.DataFrame:
    named = wide.assign(item=[f"question {i}" for i in range(len(wide))])
    return named.melt(id_vars="item", var_name="model", value_name="score")


def _repeated() -> pd.DataFrame:
    parts = [_long(_right()).assign(run=run) for run in range(_RUNS)]
    return pd.concat(parts, ignore_index=True)


def _lacking(wide: pd.DataFrame) -> pd.DataFrame:
    long = _long(wide)
    return long[np.random.default_rng(2).random(len(long)) < 0.99]


def _check_a_pair(right: pd.DataFrame) -> None:
    """Compare one pair of a board with the comparison of those two models alone."""
    few = right.iloc[:500, :3]
    pair = referee.board(few).pair_frame().iloc[0]
    alone = referee.compare_scores(few, models=["model 0", "model 1"])
    assert abs(pair["p"] - alone.evidence.p_value) < 1e-12


def _timed(job: Any) -> tuple[Any, float]:
    start = time.process_time()
    made = job()
    return made, time.process_time() - start
