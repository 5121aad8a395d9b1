"""Pages of the arena: a kept page against a bare endpoint, and a board of 500 teams made anew.

    python -m benchmarks arena_pages

Both servers are uvicorn in a process of their own; what is compared is the CPU each spends on a
request, which does not depend on what else the machine does. A page from the cache must cost at
most 2.5 times the bare endpoint, which is .4 of its speed.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.requests import Request

REQUESTS, TEAMS = 1500, 500


def prepare(folder: Path) -> tuple[Path, str]:
    """Make an arena whose board has many teams, each with one release."""
    import numpy as np
    import pandas as pd
    from argon2 import PasswordHasher

    from referee.arena.accounts.accounts import add_account
    from referee.arena.accounts.passwords import Passwords
    from referee.arena.arena import create_arena
    from referee.arena.benchmark.creating import create_benchmark
    from referee.arena.benchmark.request import BenchmarkRequest
    from referee.arena.scoring.submitting import submit

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"c{k}" for k in range(1400)], "x": rng.normal(size=1400)})
    frame["kind"] = np.where(rng.random(1400) < 0.5, "a", "b")
    frame[:400].to_csv(folder / "train.csv", index=False)
    frame[400:].to_csv(folder / "test.csv", index=False)
    request = BenchmarkRequest(
        name="Pages", train=folder / "train.csv", test=folder / "test.csv", target="kind",
        id_column="id",
    )  # fmt: skip
    cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    with create_arena(folder / "arena", registration="open", passwords=cheap) as arena:
        slug = create_benchmark(arena, request, seed=0)
        right = frame["kind"][400:].to_numpy()
        for k in range(TEAMS):
            account = add_account(arena, f"Team {k:03}", "a password of a team")
            wrong = rng.random(1000) < 0.02 + 0.4 * k / TEAMS
            answers = np.where(wrong, np.where(right == "a", "b", "a"), right)
            table = pd.DataFrame({"id": frame["id"][400:], "prediction": answers})
            submit(arena, account, slug, table.to_csv(index=False).encode())
    return folder / "arena", slug


def _serve(kind: str, directory: str, content: bytes, port: int) -> None:
    import uvicorn

    if kind == "arena":
        from referee.arena.app import create_app

        app: Any = create_app(directory)
    else:
        from starlette.applications import Starlette
        from starlette.responses import Response
        from starlette.routing import Route

        async def bare(_: Any) -> Response:
            return Response(content, media_type="text/html")

        app = Starlette(routes=[Route("/{path:path}", bare)])
    uvicorn.run(app, port=port, log_level="error")


def cpu_of(process: int) -> float:
    """Return the CPU seconds that a process has spent."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost(kind: str, directory: Path, path: str, content: bytes, port: int) -> tuple[float, bytes]:
    """Return the CPU milliseconds of a request, and the page."""
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(kind, str(directory), content, port), daemon=True
    )
    process.start()
    assert process.pid is not None
    try:
        for _ in range(600):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                connection.request("GET", path)
                page = connection.getresponse().read()
                break
            except OSError:
                time.sleep(0.1)
        for _ in range(100):
            connection.request("GET", path)
            connection.getresponse().read()
        before = cpu_of(process.pid)
        for _ in range(REQUESTS):
            connection.request("GET", path)
            connection.getresponse().read()
        return 1000 * (cpu_of(process.pid) - before) / REQUESTS, page
    finally:
        process.terminate()
        process.join(20)


def uncached(directory: Path, path: str, rounds: int = 9) -> float:
    """Return the median CPU milliseconds of a board that has to be made."""
    import statistics

    from referee.arena.arena import open_arena
    from referee.arena.pages.participants.board import board_page
    from referee.arena.pages.request.visitor import Visitor

    slug = path.split("/")[2]
    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [],
        "scheme": "http", "server": ("127.0.0.1", 8000), "path_params": {"slug": slug},
    }  # fmt: skip
    spent = []
    with open_arena(directory, read_only=True) as arena:
        for _ in range(rounds):
            before = time.process_time()
            assert board_page(Visitor(Request(scope), arena)).status_code == 200
            spent.append(1000 * (time.process_time() - before))
    return statistics.median(spent)


def arena_pages() -> Iterator[tuple[str, float, float, str]]:
    """Yield what was measured: its name, the value, the goal and the unit."""
    with tempfile.TemporaryDirectory() as folder:
        directory, slug = prepare(Path(folder))
        path = f"/benchmarks/{slug}/board"
        ours, page = cost("arena", directory, path, b"", 8771)
        bare, _ = cost("bare", directory, path, page, 8772)
        made = uncached(directory, path)
    yield f"kept board page, CPU a request / bare endpoint ({bare:.3f} ms)", ours / bare, 2.5, "x"
    yield f"board of {TEAMS} teams made anew, CPU", made, 150, "ms"
    yield "size of that page", len(page) / 1000, 150, "kB"
