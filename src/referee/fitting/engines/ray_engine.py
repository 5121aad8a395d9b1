"""RayEngine: jobs as tasks of Ray.

What all jobs share (model and data) is put into the object store once. A worker that dies is
replaced and its task done again by Ray itself.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.errors import ClusterError, RefereeError, arg
from referee.fitting.engines.engine import Job, install, not_importable
from referee.vocabulary import in_these_words

__all__ = ["RayEngine"]

_RETRIES = 5
"""How often a task is done again whose worker died."""

_ANSWERS = 10.0
"""Seconds within which an address must answer."""

_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""How a client of HTTP/2 begins (RFC 9113, section 3.4): a fixed text and an empty frame."""

_FRAME, _SETTINGS = 9, 4
"""Bytes of a frame's head, and the kind of the frame with which a server begins."""

_LOOKS = 1.0
"""Seconds between looks whether the head is still there."""

_AHEAD = 4
"""Tasks in flight for each core, so that a plan of thousands does not crowd the scheduler."""


@dataclass(frozen=True)
class RayEngine:
    """A cluster of Ray.

    Attributes
    ----------
    address : str
        Where it is: "auto" for the one that runs here, host:port, or empty for the one this
        process has joined; where there is none, one is started on this machine.
    n_jobs : int or None
        Cores of a cluster that is started here; None for all.
    """

    address: str = ""
    n_jobs: int | None = None
    far: ClassVar[bool] = True

    def results(self, work: Callable[..., Any], jobs: Sequence[Job]) -> Iterator[Any]:
        """Yield ``work(*job)`` for every job, in order."""
        ray = self._joined()
        shared = ray.put(in_these_words(work))
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_carried_out)
        ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        running: list[Any] = []
        try:
            for number in range(len(jobs)):
                while len(running) < min(len(jobs), number + ahead):
                    running.append(task.remote(shared, jobs[len(running)]))
                yield self._got(ray, running[number], number, len(jobs))
                running[number] = None
        finally:
            for left in running:
                if left is not None:
                    ray.cancel(left, force=True)

    def _joined(self) -> Any:
        try:
            import ray
        except ImportError:
            raise install("ray") from None
        if ray.is_initialized():
            return ray
        cores = None if self.n_jobs is None or self.n_jobs < 1 else int(self.n_jobs)
        self._refuse_silence()
        try:
            where: dict[str, Any] = {"address": self.address}
            if not self.address:
                where = {"num_cpus": cores, "include_dashboard": False}
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
        except (ConnectionError, RuntimeError, ValueError) as problem:
            raise self._silent(problem) from None
        return ray

    def _refuse_silence(self) -> None:
        """Refuse host:port where nobody answers; Ray itself would wait for minutes."""
        host, _, port = self.address.rpartition("//")[2].rpartition(":")
        if not (host and port.isdigit()):
            return
        try:
            _greeted(host.strip("[]"), int(port))
        except (OSError, OverflowError) as problem:
            raise self._silent(problem) from None

    def _silent(self, problem: Exception) -> ClusterError:
        said = " ".join(str(problem).split())[:200]
        return ClusterError(
            f"no cluster of Ray answers at {self.address or 'this machine'} ({said})",
            remedy="start one with ray start --head, or correct the address; one that asks for "
            "tokens needs RAY_AUTH_MODE=token in the environment",
        )

    def _got(self, ray: Any, reference: Any, done: int, jobs: int) -> Any:
        try:
            return self._waited(ray, reference, done, jobs)
        except ray.exceptions.RayTaskError as problem:
            if isinstance(problem.cause, RefereeError):
                raise problem.cause from None
            if isinstance(problem.cause, ImportError):
                raise not_importable(problem.cause) from None
            raise
        except ray.exceptions.RayError as problem:
            raise ClusterError(
                f"Ray gave up after {done} of {jobs} fits ({type(problem).__name__})",
                concerning="backend",
            ) from None

    def _waited(self, ray: Any, reference: Any, done: int, jobs: int) -> Any:
        """Wait for a result as long as the head of the cluster is there.

        Ray itself waits a minute for a dead head, and then ends the process without a word.
        """
        head = ray.get_runtime_context().gcs_address
        last = time.monotonic()
        while True:
            try:
                return ray.get(reference, timeout=_LOOKS)
            except ray.exceptions.GetTimeoutError:
                if _listens(head):
                    last = time.monotonic()
                elif time.monotonic() - last > _ANSWERS:
                    raise ClusterError(
                        f"the head of Ray at {head} stopped answering after {done} of {jobs} fits",
                        remedy=f"start it again; with {arg('checkpoint')} what was done is kept",
                    ) from None


def _greeted(host: str, port: int) -> None:
    """Connect and wait for the first frame of HTTP/2, in which all servers of Ray speak.

    One that wants TLS waits for another greeting; of it no more is asked than that it listens.
    """
    end = time.monotonic() + _ANSWERS
    with socket.create_connection((host, port), timeout=_ANSWERS) as line:
        if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
            return
        line.sendall(_GREETING)
        said = b""
        while len(said) < _FRAME:
            line.settimeout(max(end - time.monotonic(), 0.001))
            piece = line.recv(_FRAME - len(said))
            if not piece:
                raise ConnectionError("whoever listens there hung up")
            said += piece
        if said[3] != _SETTINGS:
            raise ConnectionError("whoever listens there is not Ray")


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_LOOKS).close()
    except OSError:
        return False
    return True


def _carried_out(work: Callable[..., Any], job: Job) -> Any:
    return work(*job)
