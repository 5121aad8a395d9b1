"""What a report of 100 000 predictions costs, in seconds of CPU and in bytes."""

from __future__ import annotations

import time

import numpy as np
from sklearn.naive_bayes import GaussianNB

import referee
from referee.report import to_html, to_text

__all__ = ["report"]

_CASES = 100_000


def report() -> list[tuple[str, float, float, str]]:
    """Return what was measured, its value, its goal and its unit."""
    made = _evaluated()
    page, first = _timed(lambda: to_html(made))
    _, again = _timed(lambda: to_html(made))
    _, text = _timed(lambda: to_text(made))
    repeated = _repeated()
    crossed, pooled = _timed(lambda: to_html(repeated))
    return [
        ("report.html of 100 000 predictions, first in its process", first, 3.0, "CPU s"),
        ("the same again", again, 3.0, "CPU s"),
        ("as text", text, 3.0, "CPU s"),
        ("its size", len(page.encode()) / 1e6, 2.0, "MB"),
        ("report.html of 10 x 10-fold cross-validation, 10 000 cases", pooled, 3.0, "CPU s"),
        ("its size", len(crossed.encode()) / 1e6, 2.0, "MB"),
    ]


def _evaluated() -> referee.Evaluation:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, _CASES)
    scores = 1 / (1 + np.exp(-rng.normal(size=_CASES) - 2 * truth + 1))
    return referee.evaluate_predictions(
        truth, (scores > 0.5).astype(int), y_score=scores, pos_label=1
    )


def _repeated() -> referee.Evaluation:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, _CASES // 10)
    X = rng.normal(size=(len(y), 2)) + y[:, None]
    return referee.evaluate(GaussianNB(), X, y, by="10x10", random_state=0)


def _timed(job):  # type: ignore[no-untyped-def]
    start = time.process_time()
    made = job()
    return made, time.process_time() - start
