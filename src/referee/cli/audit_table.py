"""referee audit-table RATE ... --n N: can a published table be, and what can it show?"""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["audit_table"]


def audit_table(
    rates: Annotated[
        list[str],
        typer.Argument(help="Rates as printed (99.50 keeps its zero): percentages, or all shares."),
    ],
    n: Annotated[
        Optional[int],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--n", help="The cases every rate was measured on."),
    ] = None,
    decimals: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--decimals", help="Digits after the point, if not those that are written."),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", help="For the cases a difference would need.")
    ] = 0.8,
    level: options.Level = 0.95,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Check a table of rates: which are possible on n cases, and which differences could be real.

    Exits with 0 if every rate is possible and some difference stands however the errors of the
    models overlap, else with 1.
    """
    from referee.errors import Refusal
    from referee.planning.published_table import audit_table as audit

    check_places(out, force=force)
    if n is None:
        raise Refusal(
            "it is impossible to tell anything from rates alone unless we know how many "
            "cases they were measured on",
            remedy="give --n",
        )
    result = audit(rates, n, decimals, level=level, power=power)
    deliver([result], as_json=json, out=out, force=force)
