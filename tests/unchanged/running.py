"""Running a saved command in this process, and what is kept of its results."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commands import Command
from threadpoolctl import threadpool_limits

__all__ = ["RESULTS", "outcome", "saved"]

RESULTS = Path(__file__).parent / "results"

VARYING = ("versions", "command", "sha256", "files", "values")
"""Keys that depend on the machine or on how a command is written, and the long lists of what a
verification looked at (its verdict says whether all of it agreed): never saved."""


def saved(command: Command) -> dict[str, Any]:
    """Return what was kept of the command before."""
    return json.loads((RESULTS / f"{command.name}.json").read_text(encoding="utf-8"))


def outcome(command: Command, folder: Path) -> dict[str, Any]:
    """Run the command in a folder that holds the tables; return exit codes and results by run."""
    with contextlib.chdir(folder), threadpool_limits(1):
        if command.before:
            _run(shlex.split(command.before))
        return {
            "line": command.line,
            "runs": {
                value: _one_run(command, arguments) for value, arguments in command.runs().items()
            },
        }


def _one_run(command: Command, arguments: list[str]) -> dict[str, Any]:
    if command.out:
        code, _, error = _run([*arguments, "--out", command.name])
        results = _of_folder(Path(command.name)) if code != 2 else []
    else:
        code, text, error = _run([*arguments, "--json"])
        results = json.loads(text) if code != 2 else []
    if code not in (0, 1, 2):
        raise RuntimeError(f"{shlex.join(arguments)} ended with {code}: {error}")
    if code == 2:
        return {"exit": code, "message": error.strip()}
    return {"exit": code, "results": [_kept(result) for result in results]}


def _run(arguments: list[str]) -> tuple[int, str, str]:
    """Run the whole command line without a new process; return exit code, output and errors."""
    from referee.cli import main

    out, err = io.StringIO(), io.StringIO()
    with (
        _command_line(arguments),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return int(code or 0), out.getvalue(), err.getvalue()


@contextlib.contextmanager
def _command_line(arguments: list[str]) -> Iterator[None]:
    """Stand for the process: its arguments, a fixed width, and the path that `main` extends."""
    before, path, width = sys.argv, list(sys.path), os.environ.get("COLUMNS")
    sys.argv = ["referee", *arguments]
    os.environ["COLUMNS"] = "500"
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before, path
        if width is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = width


def _of_folder(folder: Path) -> list[dict[str, Any]]:
    """Return results.json of a folder, or the rows of its CSV where there is none."""
    if (folder / "results.json").exists():
        return [json.loads((folder / "results.json").read_text(encoding="utf-8"))]
    (table,) = folder.glob("*.csv")
    with table.open(encoding="utf-8", newline="") as lines:
        rows = [{key: _number(cell) for key, cell in row.items()} for row in csv.DictReader(lines)]
    return [{"rows": rows}]


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(part) for key, part in value.items() if key not in VARYING}
    if isinstance(value, list):
        return [_kept(part) for part in value]
    return value
