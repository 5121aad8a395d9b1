"""referee arena finish, check, export and backup: the organiser's and the operator's side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from referee.cli.arena.options import Database, Directory, opened
from referee.cli.terminal.screen import note, say

__all__ = ["backup", "check", "export", "finish"]

Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="The new file.")]


def finish(
    directory: Directory,
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Its address.")],
    version: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--version", metavar="N", help="Which version; the last if left out."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; it cannot be undone.")] = False,
    database: Database = None,
) -> None:
    """Open the private half, once and for all, and sign the final board."""
    from referee.arena.scoring import finishing

    with opened(directory, database) as arena:
        if not yes:
            which = benchmark if version is None else f"{benchmark}, version {version}"
            question = f"Open the private half of {which}? It cannot be closed again"
            typer.confirm(question, abort=True, err=True)
        board = finishing.finish(arena, None, benchmark, version)
    for line in _final_rows(board.record):
        say(line)


def _final_rows(record: dict[str, Any]) -> list[str]:
    from referee.core.showing.characters import one_line

    finals = f"all {record['finals']} finals at once" if record["finals"] != 1 else "the one final"
    head = (
        f"{record['benchmark']}, final board: {record['measure']} on {record['private_cases']} "
        f"private cases; {100 * record['level']:g} % intervals hold for {finals}."
    )
    cells = [["tier", "ranks", "team", "private", "interval", "public", "looks"]]
    for entry in record["entries"]:
        team = one_line(entry["team"])
        if entry["value"] is None:
            cells.append(["", "", team, "", "", "", str(entry["looks"])])
            continue
        low, high = entry["interval"]
        public = "" if entry["public"] is None else f"{entry['public']:.4g}"
        ranks = f"{entry['rank_low']}-{entry['rank_high']}"
        span = f"{low:.4g} to {high:.4g}"
        value = f"{entry['value']:.4g}"
        cells.append([str(entry["tier"]), ranks, team, value, span, public, str(entry["looks"])])
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    rows = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in cells)
    return [head, *(row.rstrip() for row in rows)]


def check(directory: Directory, database: Database = None) -> None:
    """Verify chain, hashes and counts, and compute every score again.

    Exits with 0 if everything is as it was recorded, with 1 if not.
    """
    from referee.arena.scoring.checking import check_arena

    with opened(directory, database, read_only=True) as arena:
        walk = check_arena(arena)
    for problem in walk.problems:
        note(problem)
    say(walk.verdict.sentence)
    raise typer.Exit(1 if walk.problems else 0)


def export(directory: Directory, out: Out, database: Database = None) -> None:
    """Write everything but secrets into a zip; labels only of finished benchmarks."""
    from referee.arena.exporting import export_arena

    with opened(directory, database, read_only=True) as arena:
        export_arena(arena, out)
    note(f"wrote {out}")


def backup(directory: Directory, out: Out, database: Database = None) -> None:
    """Copy the whole arena into a zip while it is served; keys and labels are in it."""
    from referee.arena.exporting import backup_arena

    with opened(directory, database, read_only=True) as arena:
        backup_arena(arena, out)
    note(f"wrote {out}; whoever has it has the labels, so keep it safe")
