"""Here: a plain loop, or joblib's workers on this machine."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

from referee.errors import RefereeError
from referee.fitting.engines.engine import Job
from referee.vocabulary import in_these_words

__all__ = ["Here"]


@dataclass(frozen=True)
class Here:
    """The machine at hand: one job after the other, or several at once.

    Attributes
    ----------
    n_jobs : int or None
        As in joblib; a backend that is in force around the call serves, too.
    backend : str or None
        A backend of joblib by name.
    """

    n_jobs: int | None = None
    backend: str | None = None
    far: ClassVar[bool] = False

    def results(self, work: Callable[..., Any], jobs: Sequence[Job]) -> Iterator[Any]:
        """Yield ``work(*job)`` for every job, in order."""
        if self.backend is None:
            return self._results(work, jobs)
        with parallel_config(self.backend):
            return iter(list(self._results(work, jobs)))

    def _results(self, work: Callable[..., Any], jobs: Sequence[Job]) -> Iterator[Any]:
        if effective_n_jobs(self.n_jobs) == 1 or len(jobs) < 2:
            return (work(*job) for job in jobs)
        tried = _Tried(in_these_words(work))
        parallel = Parallel(n_jobs=self.n_jobs, return_as=_returned())
        return _in_order(parallel(delayed(tried)(*job) for job in jobs))


@dataclass(frozen=True)
class _Failure:
    """What a job raised, handed over like a result."""

    problem: RefereeError


@dataclass(frozen=True)
class _Tried:
    """A job that hands over its failure: which is raised must not depend on who fails first."""

    work: Callable[..., Any]

    def __call__(self, *job: Any) -> Any:
        try:
            return self.work(*job)
        except RefereeError as problem:
            return _Failure(problem)


def _in_order(results: Iterable[Any]) -> Iterator[Any]:
    try:
        for result in results:
            if isinstance(result, _Failure):
                raise result.problem
            yield result
    finally:
        _end(results)


def _end(results: Iterable[Any]) -> None:
    """Call off the jobs that are still to come, without a word on those done for nothing."""
    close = getattr(results, "close", None)
    if close is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            close()


def _returned() -> str:
    """Return how the backend in force hands over results: one by one where it can."""
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return "generator" if getattr(backend, "supports_return_generator", False) else "list"
