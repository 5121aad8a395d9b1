"""Engine: carries out many independent jobs and gives their results in order.

``backend=`` names one: a backend of joblib, or a cluster and where it is, ``dask:tcp://host:8786``
or ``ray:auto``. Whatever it is, results are those of a plain loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from referee.errors import ClusterError, InputError, arg, nearest

__all__ = ["CLUSTERS", "JOBLIB", "Engine", "Job", "engine_named"]

JOBLIB = ("loky", "threading", "multiprocessing", "sequential")
"""Backends of joblib that are taken by name."""

CLUSTERS = ("dask", "ray")

Job = tuple[Any, ...]


class Engine(Protocol):
    """Who carries out jobs.

    Attributes
    ----------
    far : bool
        Whether jobs go elsewhere: what they share is sent once, so they themselves are to be small.
    """

    far: ClassVar[bool]

    def results(self, work: Callable[..., Any], jobs: Sequence[Job]) -> Iterator[Any]:
        """Yield ``work(*job)`` for every job, in the order of the jobs.

        Closing the iterator ends what is still running.
        """


def engine_named(backend: str | None = None, n_jobs: int | None = None) -> Engine:
    """Return the engine of a name; a plain loop, or joblib's, where there is none.

    Examples
    --------
    >>> list(engine_named().results(divmod, [(7, 2), (9, 4)]))
    [(3, 1), (2, 1)]
    """
    _check_jobs(n_jobs)
    if backend is None or backend in JOBLIB:
        from referee.fitting.engines.here import Here

        return Here(n_jobs, backend)
    cluster, _, address = _checked(backend).partition(":")
    if cluster == "dask":
        from referee.fitting.engines.dask_engine import DaskEngine

        return DaskEngine(address)
    from referee.fitting.engines.ray_engine import RayEngine

    return RayEngine(address, n_jobs)


def _checked(backend: Any) -> str:
    if not isinstance(backend, str) or backend.partition(":")[0] not in CLUSTERS:
        hint = nearest(str(backend), (*CLUSTERS, *JOBLIB))
        raise InputError(
            "must be dask:ADDRESS, ray:ADDRESS, ray:auto or a backend of joblib",
            argument="backend",
            value=f"{backend!r}{hint}",
        )
    return backend


def _check_jobs(n_jobs: Any) -> None:
    if n_jobs is not None and not isinstance(n_jobs, (int, np.integer)):
        raise InputError("must be a whole number or None", argument="n_jobs", value=repr(n_jobs))
    if n_jobs == 0:
        raise InputError(
            "must not be 0", argument="n_jobs", remedy="use 1, a larger number, or -1 for all cores"
        )


def not_importable(problem: ImportError) -> ClusterError:
    """Say that workers lack a module that a model is made of."""
    return ClusterError(
        f"workers cannot import what the model needs ({problem})",
        concerning="backend",
        remedy="install it, or put its file, where they run",
    )


def install(extra: str) -> InputError:
    """Say how to get what a cluster needs."""
    return InputError(
        f"{arg('backend', extra)} needs the package {extra}",
        remedy=f"pip install 'referee[{extra}]'",
    )
