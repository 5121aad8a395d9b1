"""The arena against bare endpoints of the same machine, in one run; the load is bounded.

The bare endpoint for a submission reads the body, parses it with polars and commits one row of
SQLite with synchronous=FULL; the bare one for the board returns the same bytes. Servers are
processes of their own; four clients send one request after another over connections that stay
open. Arena and bare endpoint take turns, so that whatever else the machine does is shared. No two
submissions have the same bytes, so no predictions are stored already when they come.

    python -m benchmarks arena             # all of it
    python -m benchmarks.arena records     # 10 000 submissions, what one costs, and a check of all
    python -m benchmarks.arena races       # against the bare endpoints
"""

from __future__ import annotations

import http.client
import multiprocessing
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["arena"]

_ROWS = 10_000
_CLIENTS, _ROUNDS, _SUBMISSIONS, _BOARDS = 4, 5, 400, 2000
_CHECKED = 10_000
Floats = npt.NDArray[np.float64]
_PASSWORD = "a password for the benchmark"


def arena() -> list[tuple[str, float, float, str]]:
    """Return what was measured, its value, its goal and its unit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, slug, files, token = _site(folder)
        return [*_races(folder, home, slug, files, token), *_records(home, slug, files)]


class _Files:
    """Files of predictions without end, each with answers of its own."""

    def __init__(self, ids: list[int], seed: int) -> None:
        rows = "".join(f"{name},0\n" for name in ids).encode()
        self._head, self._bytes = b"id,prediction\n", np.frombuffer(rows, np.uint8)
        self._at = np.flatnonzero(self._bytes == ord("\n")) - 1
        self._rng = np.random.default_rng(seed)

    def next(self) -> bytes:
        """Return the next one."""
        content = self._bytes.copy()
        content[self._at] += self._rng.integers(0, 2, len(self._at), dtype=np.uint8)
        return self._head + content.tobytes()


def _site(folder: Path) -> tuple[Path, str, _Files, str]:
    from referee.arena.accounts.accounts import add_account
    from referee.arena.accounts.tokens import create_token
    from referee.arena.arena import create_arena
    from referee.arena.benchmark.creating import create_benchmark
    from referee.arena.benchmark.request import BenchmarkRequest

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, _ROWS + 1000)
    frame = pd.DataFrame({"id": np.arange(len(y)), "x": rng.normal(size=len(y)).round(4), "y": y})
    frame[:1000].to_csv(folder / "train.csv", index=False)
    frame[1000:].to_csv(folder / "test.csv", index=False)
    request = BenchmarkRequest(
        name="Load",
        train=folder / "train.csv",
        test=folder / "test.csv",
        target="y",
        id_column="id",
        per_day=10**6,
        total=10**6,
    )
    home = folder / "arena"
    with create_arena(home) as made:
        slug = create_benchmark(made, request, seed=0)
        token = create_token(made, add_account(made, "Load", _PASSWORD), "load").secret
        ids = pd.read_csv(made.places.file(slug, 1, "test"))["id"].tolist()
    return home, slug, _Files(ids, 1), token


def _serve_arena(home: str, port: Any) -> None:
    from referee.arena.serve.serving import Serving, serve

    serve(
        Serving(directory=Path(home), port=0),
        ready=lambda address: port.put(int(address.rpartition(":")[2])),
    )


def _serve_bare(database: str, board: bytes, port: Any) -> None:
    import polars as pl
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    connection = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (n INTEGER)")
    turn = threading.Lock()

    def keep(content: bytes) -> None:
        rows = pl.read_csv(content).height
        with turn:
            connection.execute("INSERT INTO rows VALUES (?)", (rows,))

    async def submit(request: Request) -> Response:
        await run_in_threadpool(keep, await request.body())
        return Response(b"{}", 201, media_type="application/json")

    async def shown(_: Request) -> Response:
        return Response(board, media_type="application/json")

    app = Starlette(routes=[Route("/submit", submit, methods=["POST"]), Route("/board", shown)])
    from referee.arena.serve.serving import _listener

    listener = _listener("127.0.0.1", 0)
    port.put(listener.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


@contextmanager
def _process(target: Callable[..., None], *arguments: Any) -> Iterator[int]:
    context = multiprocessing.get_context("spawn")
    port = context.Queue()
    process = context.Process(target=target, args=(*arguments, port))
    process.start()
    try:
        number = port.get(timeout=180)
        _wait(number)
        yield number
    finally:
        process.terminate()
        process.join(60)


def _wait(port: int) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.05)


def _load(
    port: int, bodies: list[bytes], method: str, path: str, headers: dict[str, str]
) -> tuple[float, list[float]]:
    """Send a body each; return how long all took, and each."""
    times: list[float] = []

    def work(share: list[bytes]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for body in share:
            start = time.perf_counter()
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (200, 201), answer.status
            times.append(time.perf_counter() - start)

    threads = [threading.Thread(target=work, args=(bodies[k::_CLIENTS],)) for k in range(_CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start, times


def _summary(turns: tuple[tuple[float, list[float]], ...]) -> tuple[float, float]:
    """Return requests a second and the 99th percentile of their times, over all turns."""
    times = [one for _, each in turns for one in each]
    return len(times) / sum(seconds for seconds, _ in turns), float(np.quantile(times, 0.99))


def _races(
    folder: Path, home: Path, slug: str, files: _Files, token: str
) -> list[tuple[str, float, float, str]]:
    api = f"/api/v1/benchmarks/{slug}"
    headers = {"Content-Type": "text/csv", "Authorization": f"Bearer {token}"}
    rounds = [[files.next() for _ in range(_SUBMISSIONS // _ROUNDS)] for _ in range(_ROUNDS + 1)]
    nothing = [b""] * (_BOARDS // _ROUNDS)
    with _process(_serve_arena, str(home)) as here:
        _load(here, rounds[0], "POST", f"{api}/submissions", headers)  # both warm up first
        connection = http.client.HTTPConnection("127.0.0.1", here, timeout=60)
        connection.request("GET", f"{api}/board")
        content = connection.getresponse().read()
        with _process(_serve_bare, str(folder / "bare.sqlite"), content) as there:
            _load(there, rounds[0], "POST", "/submit", headers)
            turns = [
                (
                    _load(here, bodies, "POST", f"{api}/submissions", headers),
                    _load(there, bodies, "POST", "/submit", headers),
                    _load(here, nothing, "GET", f"{api}/board", {}),
                    _load(there, nothing, "GET", "/board", {}),
                )
                for bodies in rounds[1:]
            ]
    ours, bare, board, plain = (_summary(part) for part in zip(*turns, strict=True))
    print(f"submissions a second: arena {ours[0]:.0f}, bare {bare[0]:.0f}")
    print(f"99th percentile, ms: arena {1000 * ours[1]:.0f}, bare {1000 * bare[1]:.0f}")
    print(f"boards a second: arena {board[0]:.0f}, bare {plain[0]:.0f}")
    return [
        ("submission of 10 000 rows, throughput of bare / ours", bare[0] / ours[0], 2.0, "x"),
        ("submission of 10 000 rows, p99 of ours / bare", ours[1] / bare[1], 3.0, "x"),
        ("board from cache, throughput of bare / ours", plain[0] / board[0], 2.0, "x"),
    ]


def _records(home: Path, slug: str, files: _Files) -> list[tuple[str, float, float, str]]:
    """Fill the record to 10 000 submissions, watch what one costs, and check them all."""
    from referee.arena.accounts.accounts import account_named
    from referee.arena.arena import open_arena
    from referee.arena.scoring.checking import check_arena
    from referee.arena.scoring.submitting import submit

    with open_arena(home) as made, ThreadPoolExecutor(_CLIENTS) as clients:
        account = account_named(made, "Load")
        there = check_arena(made).submissions
        blocks = [len(b) for b in np.array_split(np.arange(there, _CHECKED), 40)]
        costs = []
        for block in blocks:  # of the CPU alone, so waiting for the disk does not count
            bodies = [files.next() for _ in range(block)]
            start = time.process_time()
            for _ in clients.map(lambda body: submit(made, account, slug, body), bodies):
                pass
            costs.append((time.process_time() - start) / block)
        start = time.process_time()
        found = check_arena(made)
        spent = time.process_time() - start
    assert found.problems == ()
    assert found.submissions == _CHECKED
    before = there + np.cumsum(blocks) - np.asarray(blocks) / 2
    slope, error = _growth(np.log(before), np.log(costs))
    print(f"CPU of a submission: {1000 * costs[0]:.1f} ms at first, {1000 * costs[-1]:.1f} at last")
    print(f"growth with the number before it: exponent {slope:.3f}, standard error {error:.3f}")
    return [
        ("check of 10 000 submissions of 10 000 rows", spent, 60.0, "s of CPU"),
        ("growth of a submission's cost, exponent", slope, 0.05, ""),
    ]


def _growth(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the slope that the median of all slopes of pairs gives, and about its error."""
    from scipy.stats import theilslopes

    # A pause of the machine is no growth, so blocks that fall out of line do not count.
    slope, _, low, high = theilslopes(y, x, 0.68)
    return float(slope), float(high - low) / 2


def main(parts: list[str]) -> None:
    """Print one part alone: races or records."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, slug, files, token = _site(folder)
        rows = _races(folder, home, slug, files, token) if "races" in parts else []
        rows += _records(home, slug, files) if "records" in parts else []
    for what, value, goal, unit in rows:
        print(f"{what}: {value:.3g} {unit} (goal {goal:g})")


if __name__ == "__main__":
    main(sys.argv[1:] or ["races", "records"])
