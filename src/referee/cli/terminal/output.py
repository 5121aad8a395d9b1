"""Printing and writing results, the same way for every verb."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from referee.cli.terminal.screen import make_room, note, say, terminal_width, whole_characters

if TYPE_CHECKING:
    from referee.report.document import Document

_LONGEST = 80
"""Characters of a name in a message."""

__all__ = ["check_places", "command_line", "deliver", "described", "print_reports"]


def check_places(
    out: Path | None, bundle: Path | None = None, *, force: bool, results: int = 1
) -> None:
    """Refuse places that cannot take what is to be written, before any work is done."""
    from referee.errors import InputError
    from referee.report import check_directory

    with _writing(out):
        if out is not None:
            check_directory(out, force=force)
    if bundle is not None:
        from referee.vault import check_bundle

        if results > 1:
            raise InputError(
                f"--bundle keeps one result, and {results} models give as many",
                concerning="bundle",
                remedy="name one --model, or use referee compare",
            )
        with _writing(bundle):
            check_bundle(bundle, force=force)


@contextmanager
def _writing(place: Path | None) -> Iterator[None]:
    """Say what the system has against a place: a name that is too long, a folder that is gone."""
    from referee.errors import InputError

    try:
        yield
    except OSError as problem:
        shown = str(place) if len(str(place)) <= _LONGEST else f"{str(place)[:_LONGEST]}..."
        raise InputError(
            f"{shown} cannot be written: {problem.strerror}", remedy="name another place"
        ) from None


def deliver(
    results: Sequence[Any],
    *,
    as_json: bool,
    out: Path | None = None,
    bundle: Path | None = None,
    force: bool = False,
    claim: bool = True,
) -> None:
    """Write and print the results, then exit with 0 if every claim was shown, else with 1.

    Without a `claim` to judge, as for a plan, the code is 0.
    """
    from referee.report import write_result
    from referee.report.json import to_json_text

    documents = [described(result) for result in results]
    for result, document in zip(results, documents, strict=True):
        if out is not None:
            folder = out if len(results) == 1 else out / _file_name(result.name)
            write_result(result, folder, force=force, document=document)
    if bundle is not None:
        from referee.vault import write_bundle

        write_bundle(results[0], bundle, force=force, command=command_line())
    if as_json:
        say("[" + ",\n".join(to_json_text(d).rstrip() for d in documents) + "]")
    else:
        print_reports(documents)
    for place in (out, bundle):
        if place is not None:
            note(f"wrote {place}")
    shown = not claim or all(r.verdict.shown for r in results)
    raise typer.Exit(0 if shown else 1)


def print_reports(documents: Sequence[Document]) -> None:
    """Print documents one below the other; colour and width as the terminal has them."""
    from rich.console import Console

    from referee.report import print_document
    from referee.report.text.text import to_plain_text

    console = Console(highlight=False)
    console.width = terminal_width()
    for number, document in enumerate(documents):
        if number:
            say()
        if console.is_terminal:
            make_room()
            print_document(document, console)
        else:
            say(to_plain_text(document, terminal_width()))


def described(result: Any, *, seed: int | None = None) -> Document:
    """Return the report of a result with the command that made it.

    `seed` is for reports that do not tell theirs.
    """
    from referee.report import describe

    return describe(result).from_command(command_line(), seed=seed)


def command_line() -> str:
    """Return the command that is being run, as it can be typed again."""
    return whole_characters(shlex.join(["referee", *sys.argv[1:]]))


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "model"
