"""Given predictions, from a thousand cases to ten million: time, growth and memory.

The growth exponent is log2 of the ratio of CPU times when n doubles; memory is the peak resident
size of a fresh process minus what the imports take, over the size of the arrays handed in.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    classification_report,
    confusion_matrix,
    log_loss,
    roc_auc_score,
)

import referee
from benchmarks.race import Race

_LARGEST = int(os.environ.get("REFEREE_BENCHMARK_CASES", 10_000_000))
"""REFEREE_BENCHMARK_CASES=100000 for a run of seconds; goals are of ten million."""


def races() -> Iterator[Race]:
    for n in (_LARGEST // 10, _LARGEST):
        truth, answers, other = labels(n)
        yield Race(
            f"evaluate_predictions, labels, n = {n:,}",
            "classification_report",
            lambda t=truth, a=answers: referee.evaluate_predictions(t, a),
            lambda t=truth, a=answers: classification_report(t, a, output_dict=True),
            _same_report,
            0.25,
            rounds=3,
        )
        yield Race(
            f"compare_predictions, two models, n = {n:,}",
            "one confusion_matrix",
            lambda t=truth, a=answers, b=other: referee.compare_predictions(t, {"a": a, "b": b}),
            lambda t=truth, a=answers, b=other: confusion_matrix(t == a, t == b),
            _same_counts,
            0.5 if n == _LARGEST else None,
            rounds=3,
        )
    yield _with_scores(_LARGEST // 10)


def labels(n: int) -> tuple[Any, Any, Any]:
    """Return right answers and those of two models that are wrong in 15 and 16 of 100 cases."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    wrong = (rng.random((2, n)) < [[0.15], [0.16]]).astype(np.int64)
    return truth, truth ^ wrong[0], truth ^ wrong[1]


def _with_scores(n: int) -> Race:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    score = 1 / (1 + np.exp(-rng.normal(size=n) - 1.5 * (2 * truth - 1)))
    answers = (score > 0.5).astype(int)

    def peer() -> dict[str, float]:
        return {
            "auc": float(roc_auc_score(truth, score)),
            "average_precision": float(average_precision_score(truth, score)),
            "log_loss": float(log_loss(truth, score)),
            "brier": float(brier_score_loss(truth, score)),
        }

    def agree(ours: Any, theirs: dict[str, float]) -> None:
        for name, value in theirs.items():
            assert math.isclose(ours.estimates[name].value, value, rel_tol=1e-9), name

    return Race(
        f"evaluate_predictions with scores, n = {n:,}",
        "auc, average precision, log loss, Brier",
        lambda: referee.evaluate_predictions(truth, answers, y_score=score),
        peer,
        agree,
        1.0,
        rounds=3,
    )


def predictions() -> Iterator[tuple[str, float, float, str]]:
    """Yield growth and memory, each with its goal."""
    times = [_cpu(_LARGEST // parts) for parts in (4, 2, 1)]
    exponent = math.log2(times[2] / times[0]) / 2
    sizes = f"{_LARGEST // 4:,} to {_LARGEST:,}"
    yield f"growth exponent of evaluate_predictions, {sizes}", exponent, 1.05, ""
    peak = _memory(_LARGEST)
    yield f"peak memory of evaluate_predictions, labels, {_LARGEST:,}, over the input", peak, 3, "x"


def _cpu(n: int) -> float:
    truth, answers, _ = labels(n)

    def seconds() -> float:
        start = time.process_time()
        referee.evaluate_predictions(truth, answers)
        return time.process_time() - start

    seconds()
    return statistics.median(seconds() for _ in range(3))


_PEAK = """
import re, sys
import numpy as np, referee
from benchmarks.predictions import labels
truth, answers, _ = labels(1000)
referee.evaluate_predictions(truth, answers)
def peak():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
n, before = int(sys.argv[1]), peak()
truth = np.tile(truth, n // 1000); answers = np.tile(answers, n // 1000)
referee.evaluate_predictions(truth, answers)
print((peak() - before) / (truth.nbytes + answers.nbytes))
"""


def _memory(n: int) -> float:
    """Return the peak of a fresh process, arrays included, over the arrays' size."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(n)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def _same_report(ours: Any, theirs: dict[str, Any]) -> None:
    assert math.isclose(ours.estimates["accuracy"].value, theirs["accuracy"], rel_tol=1e-12)
    assert math.isclose(ours.estimates["f1"].value, theirs["1"]["f1-score"], rel_tol=1e-12)


def _same_counts(ours: Any, theirs: Any) -> None:
    counts = ours.pairs[0].counts
    assert {counts.first_right, counts.second_right} == {theirs[0, 1], theirs[1, 0]}
