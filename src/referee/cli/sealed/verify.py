"""referee verify FILE: is a bundle or a certificate whole, and do its numbers follow?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["verify"]


def verify(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A zip that --bundle, or certify run, wrote."),
    ],
    public_key: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--public-key",
            metavar="FILE",
            help="The signer's public key, from where you trust it; for certificates.",
        ),
    ] = None,
    labels: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--labels",
            metavar="FILE",
            help="The labels, once they are public: everything is then counted again.",
        ),
    ] = None,
    opening: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--opening",
            metavar="FILE",
            help="The salt of the labels' commitment; opening.json beside them if not named.",
        ),
    ] = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Check every byte of a bundle or a certificate, and recompute its numbers.

    Exits with 0 if everything agrees, with 1 if a file was changed or a number does not follow,
    with 2 if the file is neither.
    """
    check_places(out, force=force)
    from referee.vault import verify as check

    checked = check(file, public_key=public_key, labels=labels, opening=opening)
    deliver([checked], as_json=json, out=out, force=force)
