"""Fits on clusters: Dask and Ray with two workers against joblib's processes, wall time.

REFEREE_BENCHMARK_FITS (100) and REFEREE_BENCHMARK_SECONDS (0.5) say how many fits there are and how
long each takes. A fit sleeps, so that what is measured is what the engines add. Clusters and
processes are started before the clock.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import referee
from benchmarks.race import Race

_FITS = int(os.environ.get("REFEREE_BENCHMARK_FITS", 100))
_SECONDS = float(os.environ.get("REFEREE_BENCHMARK_SECONDS", 0.5))


class Sleeper(ClassifierMixin, BaseEstimator):
    """Sleeps, then answers by the sign of the first feature."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Sleeper:
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return (X[:, 0] > 0).astype(int)


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 20))
    y = (X[:, 0] + rng.normal(size=1000) > 0).astype(int)

    def evaluated(backend: str) -> Any:
        return referee.evaluate(
            Sleeper(_SECONDS), X, y, by=_FITS, random_state=0, n_jobs=2, backend=backend
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            yield _race("Dask", f"dask:{cluster.scheduler_address}", evaluated)
        import ray

        path = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            runtime_env={"env_vars": {"PYTHONPATH": path}},
        )
        yield _race("Ray", "ray", evaluated)
        ray.shutdown()


def _race(name: str, backend: str, evaluated: Any) -> Race:
    return Race(
        f"{name}, 2 workers, {_FITS} fits of {_SECONDS} s",
        "joblib's processes",
        lambda: evaluated(backend),
        lambda: evaluated("loky"),
        _same,
        1.15,
        rounds=1,
        elsewhere=True,
    )


def _same(ours: Any, theirs: Any) -> None:
    assert ours.error == theirs.error
    assert np.array_equal(ours.predictions.predicted, theirs.predictions.predicted)
