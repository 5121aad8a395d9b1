"""referee verify FILE: is a bundle whole, and do its numbers follow from its predictions?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options
from referee.cli.output import check_places, deliver

__all__ = ["verify"]


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A zip that --bundle wrote.")],
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Check every byte of an evidence bundle and recompute its numbers from its predictions.

    Exits with 0 if everything agrees, with 1 if a file was changed or a number does not follow,
    with 2 if the file is no bundle.
    """
    check_places(out, force=force)
    from referee.vault import verify as check

    deliver([check(file)], as_json=json, out=out, force=force)
