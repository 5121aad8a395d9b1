"""Plans of very many cases: seconds of CPU to make one, memory to hold it."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Iterator

import numpy as np

from referee.core.dataset import Dataset
from referee.resampling import CrossValidation

_CASES = 1_000_000


def plans() -> Iterator[tuple[str, float, float, str]]:
    """Yield CPU seconds and memory of plans; what is held besides the data, and the peak."""
    y = np.random.default_rng(0).integers(0, 2, _CASES)
    data = Dataset.of(np.zeros((_CASES, 1)), y)
    scheme = CrossValidation(10, 10)
    start = time.process_time()
    scheme.plan(data)
    name = f"10 x 10 folds of {_CASES:,} cases"
    yield f"{name}, CPU", time.process_time() - start, 1.0, "s"
    held, peak = _memory(scheme, data)
    yield f"{name}, held", held / 1e6, 50.0, "MB"
    yield f"{name}, peak while made", peak / 1e6, 50.0, "MB"


def _memory(scheme: CrossValidation, data: Dataset) -> tuple[int, int]:
    gc.collect()
    tracemalloc.start()
    plan = scheme.plan(data)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert plan.n == _CASES
    return held, peak
