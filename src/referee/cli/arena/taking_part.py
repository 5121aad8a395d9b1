"""referee arena submit and board: a participant's side."""

from __future__ import annotations

import json as jsonlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.screen import say

__all__ = ["board", "submit"]

TOKEN = "REFEREE_TOKEN"
"""The environment variable that may hold the token."""

Url = Annotated[
    str, typer.Argument(metavar="URL", help="The arena, for example http://127.0.0.1:8000.")
]
Slug = Annotated[str, typer.Argument(metavar="BENCHMARK", help="The benchmark's address.")]


def submit(
    url: Url,
    slug: Slug,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV or Parquet: ids and predictions.")
    ],
    token_file: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--token-file", metavar="FILE", help=f"File with the token; else {TOKEN} is read."
        ),
    ] = None,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="For yourself; others do not see it.")
    ] = "",
    json: options.Json = False,
) -> None:
    """Send predictions, and say whether they improved.

    Exits with 0 if they improved by a whole step, with 1 if not, with 2 if they were refused.
    """
    from referee.arena.client import Client

    with _of_an_arena(url):
        answer = Client(url, _token(token_file)).submit(slug, file, note=note)
        improved, text = answer["improved"], _sentence(answer)
    say(jsonlib.dumps(answer, indent=1) if json else text)
    raise typer.Exit(0 if improved else 1)


@contextmanager
def _of_an_arena(url: str) -> Iterator[None]:
    """Say so where an answer is not of the form that an arena gives it."""
    from referee.errors import InputError

    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(
            f"{url} answers, but not as an arena does",
            at=str(url),
            remedy="check the address",
        ) from None


def _sentence(answer: dict[str, Any]) -> str:
    from referee.core.showing.counting import counted

    left = answer["remaining"]
    tries = f"{counted(left['today'], 'try', 'tries')} left today, {left['total']} in all."
    released = answer["released"]
    if released is None:
        return f"Not improved by a whole step; {tries} Submission {answer['id']}."
    low, high = released["interval"]
    return (
        f"Improved: {released['measure']} {released['value']:.4g} or better "
        f"({100 * released['level']:g} % interval {low:.4g} to {high:.4g}, if the team used its "
        f"own answers only); {tries} Submission {answer['id']}."
    )


def _token(file: Path | None) -> str:
    from referee.core.machine.plain_file import short_text
    from referee.errors import InputError

    if file is None:
        token = os.environ.get(TOKEN, "").strip()
        if not token:
            raise InputError(
                f"a token is needed: set {TOKEN}, or name a file with --token-file",
                concerning="token_file",
            )
        return token
    try:
        return short_text(file).strip()
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise InputError(
            f"--token-file {file} cannot be read: {why}",
            concerning="token_file",
        ) from None


def board(url: Url, slug: Slug, json: options.Json = False) -> None:
    """Print the board of a benchmark."""
    from referee.arena.client import Client

    with _of_an_arena(url):
        answer = Client(url).board(slug)
        lines = [_head(answer), *_rows(answer["entries"])]
    say(jsonlib.dumps(answer, indent=1) if json else "\n".join(lines))


def _head(answer: dict[str, Any]) -> str:
    from referee.core.showing.counting import counted

    looks = f"{counted(answer['looks'], 'look')} by {counted(answer['teams'], 'team')}"
    return (
        f"{answer['benchmark']} (version {answer['version']}), {answer['state']}: "
        f"{answer['measure']}, baseline {answer['baseline']:.4g}; {looks}. "
        f"Intervals hold at {100 * answer['level']:g} % {answer['interval_holds']}."
    )


def _rows(entries: list[dict[str, Any]]) -> list[str]:
    cells = [["tier", "ranks", "team", "value", "interval", "looks", "releases", "to the leader"]]
    cells += [_cells(entry) for entry in entries]
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    return [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
    ]


def _cells(entry: dict[str, Any]) -> list[str]:
    from referee.core.showing.characters import one_line

    counts = [str(entry["looks"]), str(entry["releases"])]
    team = one_line(entry["team"])
    if entry["value"] is None:
        return ["", "", team, "", "", *counts, ""]
    low, high = entry["interval"]
    ranks = f"{entry['rank_low']}-{entry['rank_high']}"
    return [
        str(entry["tier"]),
        ranks,
        team,
        f"{entry['value']:.4g}",
        f"{low:.4g} to {high:.4g}",
        *counts,
        one_line(entry["bucket"]),
    ]
