"""DaskEngine: jobs as futures of dask.distributed.

What all jobs share (model and data) is scattered once. A worker that dies costs the jobs it held,
which others do again. A scheduler that dies ends the run with an error that says how far it came.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.errors import ClusterError, arg
from referee.fitting.engines.engine import Job, install, not_importable
from referee.fitting.fit import alone
from referee.vocabulary import in_these_words

__all__ = ["DaskEngine"]

_ANSWERS = 10.0
"""Seconds within which a scheduler must answer."""

_LOOKS = 1.0
"""Seconds between looks whether the scheduler is still there."""

_AGAIN = 5
"""How often jobs whose shared data died with their workers are sent anew."""


@dataclass(frozen=True)
class DaskEngine:
    """A cluster of dask.distributed.

    Attributes
    ----------
    address : str
        Where the scheduler is, as tcp://host:8786; empty for the client that is in force.
    """

    address: str = ""
    far: ClassVar[bool] = True

    def results(self, work: Callable[..., Any], jobs: Sequence[Job]) -> Iterator[Any]:
        """Yield ``work(*job)`` for every job, in order."""
        client, own = self._client()
        try:
            yield from _Run(client, in_these_words(work), jobs, self._named(client)).results()
        finally:
            if own:
                client.close(timeout=_LOOKS)

    def _client(self) -> tuple[Any, bool]:
        """Return the client, and whether it was made here."""
        try:
            from distributed import Client, get_client
        except ImportError:
            raise install("dask") from None
        if not self.address:
            try:
                return get_client(), False
            except ValueError:
                raise ClusterError(
                    "no client of dask.distributed is in force",
                    remedy=f"name the scheduler, as {arg('backend', 'dask:tcp://127.0.0.1:8786')}",
                ) from None
        self._greet()
        try:
            connect: Any = Client
            return connect(self.address, timeout=_ANSWERS, set_as_default=False), True
        except (OSError, TimeoutError, ValueError, TypeError) as problem:
            raise self._silent(problem) from None

    def _greet(self) -> None:
        """Refuse an address where nobody speaks as a scheduler does, before a client waits there.

        Whatever answers there instead may say anything, so any failure means the same.
        """
        from distributed.comm.core import connect

        async def greeting() -> None:
            reach: Any = connect
            comm = await asyncio.wait_for(reach(self.address), _ANSWERS)
            comm.abort()

        try:
            asyncio.run(greeting())
        except Exception as problem:  # a MemoryError, too: text that is read as a length
            raise self._silent(problem) from None

    def _silent(self, problem: Exception) -> ClusterError:
        return ClusterError(
            f"no scheduler of Dask answers at {self.address} ({_said(problem)})",
            remedy="start one with dask scheduler, or correct the address",
        )

    def _named(self, client: Any) -> str:
        return self.address or str(client.scheduler.address)


@dataclass(eq=False)
class _Run:
    """One run: what is shared, the futures, and how many results were handed over."""

    client: Any
    work: Callable[..., Any]
    jobs: Sequence[Job]
    address: str
    done: int = 0
    sent: int = 0
    broken: int = 0

    def results(self) -> Iterator[Any]:
        self._refuse_no_workers()
        futures = self._submit(0)
        try:
            while self.done < len(self.jobs):
                result, futures = self._next(futures)
                yield result
                self.done += 1
        finally:
            if self.client.status == "running":
                self.client.cancel(futures[self.done :])

    def _refuse_no_workers(self) -> None:
        end = time.monotonic() + _ANSWERS
        while not self.client.scheduler_info()["workers"]:
            if time.monotonic() > end:
                raise ClusterError(
                    f"the scheduler at {self.address} has no workers", remedy="start some"
                )
            time.sleep(0.1)

    def _submit(self, start: int) -> list[Any]:
        """Send the jobs from one on; what they share goes to every worker once."""
        self.sent += 1
        shared = self.client.scatter(_Work(self.work), broadcast=True, hash=False)
        before = [None] * start
        tail = self.jobs[start:]
        return before + [self.client.submit(_carried_out, shared, j, pure=False) for j in tail]

    def _next(self, futures: list[Any]) -> tuple[Any, list[Any]]:
        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        while True:
            try:
                return futures[self.done].result(timeout=_LOOKS), futures
            except TimeoutError:
                self._refuse_silence()
            except CommClosedError:
                # It broke while a result was fetched; soon the client knows whether for good.
                time.sleep(_LOOKS)
                self._refuse_silence()
                self._refuse_breaking()
            except (CancelledError, KilledWorker) as problem:
                # Shared data may have been on the workers that died only.
                self._refuse_silence()
                if self.sent > _AGAIN:
                    raise ClusterError(
                        f"workers keep dying{self._so_far}: {problem}", concerning="backend"
                    ) from None
                futures = self._submit(self.done)
            except ImportError as problem:
                raise not_importable(problem) from None

    def _refuse_silence(self) -> None:
        """Raise once the scheduler has not answered for long enough."""
        end = time.monotonic() + _ANSWERS
        while self.client.status != "running":
            if time.monotonic() > end or self.client.status == "closed":
                raise ClusterError(
                    f"the scheduler of Dask at {self.address} stopped answering{self._so_far}",
                    remedy=f"start it again; with {arg('checkpoint')} what was done is kept",
                )
            time.sleep(0.1)

    def _refuse_breaking(self) -> None:
        """Raise once connections broke too often."""
        self.broken += 1
        if self.broken > _AGAIN:
            raise ClusterError(
                f"connections to the scheduler of Dask at {self.address} keep breaking"
                f"{self._so_far}",
                remedy=f"start it again; with {arg('checkpoint')} what was done is kept",
            )

    @property
    def _so_far(self) -> str:
        return f" after {self.done} of {len(self.jobs)} fits"


@dataclass(frozen=True, eq=False)
class _Work:
    """The work, so that Dask sees data and not a function to call."""

    function: Callable[..., Any]


def _carried_out(shared: _Work, job: Job) -> Any:
    from distributed import get_worker

    with alone(get_worker().state.nthreads == 1):
        return shared.function(*job)


def _said(problem: Exception) -> str:
    if isinstance(problem, TimeoutError) and not str(problem):
        return f"nothing came within {_ANSWERS:g} s"
    return " ".join(str(problem).split())[:200] or type(problem).__name__
