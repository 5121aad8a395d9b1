"""Tables of predictions on disk, counted where they are: against polars itself, and duckdb."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import referee
from benchmarks.race import Race

_ROWS = int(os.environ.get("REFEREE_BENCHMARK_ROWS", 20_000_000))
"""Set REFEREE_BENCHMARK_ROWS=200000000 for the goal's size."""

_IN_MEMORY = 20_000_000
"""Rows up to which scores are also judged as arrays, to compare."""

_OF_COMMANDS = 10_000_000
"""Rows of the files that whole commands read, at most."""

_PEAK = """
import re, sys, referee
from referee.judging import streamed
streamed.MOST_READ = 0
referee.evaluate_predictions(sys.argv[1], "pred", y_score=sys.argv[2] or None)
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def races() -> Iterator[Race]:
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder) / "parts", _ROWS)
        yield Race(
            f"evaluate_predictions of a file, {_ROWS:,} rows",
            "polars' streaming count",
            lambda: referee.evaluate_predictions(path, "pred"),
            lambda: _by_polars(path),
            _agree,
            2.0,
            rounds=3,
        )
        if find_spec("duckdb") is not None:
            yield Race(
                f"evaluate_predictions of a file, {_ROWS:,} rows",
                "duckdb's count",
                lambda: referee.evaluate_predictions(path, "pred"),
                lambda: _by_duckdb(path),
                _agree,
                rounds=3,
            )
        if _ROWS <= _IN_MEMORY:
            yield Race(
                f"evaluate_predictions of a file with scores, {_ROWS:,} rows",
                "the same of arrays that were read",
                lambda: referee.evaluate_predictions(path, "pred", y_score="score", pos_label=1),
                lambda: _in_memory(path),
                _same_estimates,
                rounds=1,
            )
        yield from _commands(Path(folder) / "one file", min(_ROWS // 2, _OF_COMMANDS))


def _in_memory(path: Path) -> Any:
    table = pl.read_parquet(path)
    return referee.evaluate_predictions(
        table["truth"].to_numpy(), table["pred"].to_numpy(), y_score=table["score"].to_numpy(),
        pos_label=1,
    )  # fmt: skip


def _same_estimates(ours: Any, theirs: Any) -> None:
    assert ours.estimates.keys() == theirs.estimates.keys()
    for name, estimate in ours.estimates.items():
        assert abs(estimate.value - theirs.estimates[name].value) < 1e-12


def _commands(folder: Path, rows: int) -> Iterator[Race]:
    """Yield whole commands on one file against a process in which polars reads the columns."""
    table = pl.read_parquet(_written(folder / "parts", rows))
    table.write_parquet(folder / "table.parquet")
    table.write_csv(folder / "table.csv")
    for kind in ("parquet", "csv"):
        path = str(folder / f"table.{kind}")
        asked = ["evaluate-predictions", path, "--truth", "truth", "--pred", "pred", "--json"]
        scan = f"import polars as pl; pl.scan_{kind}({path!r}).select('truth', 'pred').collect()"
        yield Race(
            f"referee evaluate-predictions, {rows:,} rows of {kind}, whole command",
            "a process in which polars reads these columns",
            partial(_run, [sys.executable, "-m", "referee", *asked]),
            partial(_run, [sys.executable, "-c", scan]),
            partial(_counted_all, table),
            3.0,
            rounds=3,
            children=True,
        )


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _counted_all(table: pl.DataFrame, said: str, _: str) -> None:
    known = (table["truth"] != table["pred"]).mean()
    assert abs(json.loads(said)[0]["estimates"]["error"]["value"] - known) < 1e-12


def stream() -> Iterator[tuple[str, float, float, str]]:
    """Yield the resident memory of a fresh process that judges the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder), _ROWS)
        for what, score in (("labels", ""), ("labels and scores", "score")):
            said = _run([sys.executable, "-c", _PEAK, str(path), score])
            peak = int(re.findall(r"\d+", said)[-1]) / 1e6
            yield f"resident memory, {what} of {_ROWS:,} rows", peak, 1.0, "GB"


def _written(folder: Path, rows: int) -> Path:
    """Write the table piece by piece, three columns."""
    folder.mkdir(parents=True, exist_ok=True)
    piece = 5_000_000
    rng = np.random.default_rng(0)
    for start in range(0, rows, piece):
        n = min(piece, rows - start)
        truth = rng.integers(0, 2, n)
        wrong = (rng.random(n) < 0.1).astype(np.int64)
        columns = {"truth": truth, "pred": truth ^ wrong, "score": rng.random(n)}
        pl.DataFrame(columns).write_parquet(folder / f"{start:012d}.parquet")
    return folder


def _by_polars(path: Path) -> dict[Any, int]:
    counted = pl.scan_parquet(path).group_by("truth", "pred").len().collect(engine="streaming")
    return {(t, p): n for t, p, n in counted.rows()}


def _by_duckdb(path: Path) -> dict[Any, int]:
    import duckdb

    query = f"select truth, pred, count(*) from '{path}/*.parquet' group by all"
    return {(t, p): n for t, p, n in duckdb.sql(query).fetchall()}


def _agree(ours: Any, theirs: dict[Any, int]) -> None:
    counts = ours.predictions.cell_counts
    assert all(counts[t, p] == n for (t, p), n in theirs.items())
