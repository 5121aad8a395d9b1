"""The writer: one thread that owns the only writing connection to an SQLite file.

Jobs that wait together share a commit: each runs in a savepoint of its own, so that a job that
refuses leaves nothing behind, and one fsync serves them all. A job that is alone has the whole
transaction to itself. A job's caller is answered after the commit and never before.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

__all__ = ["Writer"]

T = TypeVar("T")

_MOST = 64
"""Jobs that share a commit."""


@dataclass(frozen=True)
class _Job:
    work: Callable[[Connection], Any]
    answer: Future[Any]


class Writer:
    """A thread that runs jobs one after another.

    Parameters
    ----------
    engine : Engine
        Of the database; it must allow one connection only.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._entering = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="arena-writer", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread still takes jobs."""
        return self._thread.is_alive()

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run a job in a transaction and return its result once it is on the disk."""
        answer: Future[T] = Future()
        with self._entering:
            if self._closed:
                raise RuntimeError("the writer was closed")
            self._jobs.put(_Job(work, answer))
        return answer.result()

    def close(self) -> None:
        """Finish the jobs that wait, and end."""
        with self._entering:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            jobs, last = self._waiting()
            if jobs:
                self._commit(jobs)
            if last:
                return

    def _waiting(self) -> tuple[list[_Job], bool]:
        """Wait for a job, and take along what else is there."""
        jobs: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == _MOST:
                return jobs, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
        return jobs, True

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            results = self._results(jobs)
        except BaseException as problem:  # the disk is full, or gone: nobody was answered yet
            results = [(job, None, problem) for job in jobs]
        for job, value, refusal in results:
            if refusal is None:
                job.answer.set_result(value)
            else:
                job.answer.set_exception(refusal)

    def _results(self, jobs: list[_Job]) -> list[tuple[_Job, Any, BaseException | None]]:
        """Run the jobs in one transaction and return what each came to, once it is on the disk."""
        with self._engine.connect() as connection:
            transaction = connection.begin()
            results: list[tuple[_Job, Any, BaseException | None]]
            try:
                if len(jobs) == 1:
                    results = [(jobs[0], jobs[0].work(connection), None)]
                else:
                    results = [self._attempt(connection, job) for job in jobs]
                transaction.commit()
            except BaseException:
                try:
                    transaction.rollback()
                except Exception:  # SQLite has rolled back by itself, as it does on a full disk
                    connection.invalidate()
                raise
        return results

    @staticmethod
    def _attempt(connection: Connection, job: _Job) -> tuple[_Job, Any, BaseException | None]:
        """Run a job in a savepoint, which costs less when the driver sets it."""
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("SAVEPOINT job")
        try:
            value = job.work(connection)
        except Exception as problem:
            try:
                driver.execute("ROLLBACK TO job")
                driver.execute("RELEASE job")
            except sqlite3.Error:  # the whole transaction is gone, and with it the other jobs
                raise problem from None
            return job, None, problem
        driver.execute("RELEASE job")
        return job, value, None
