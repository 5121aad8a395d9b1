"""referee sample-size: how many cases does a claim take, or what can these many show?"""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["sample_size"]


def sample_size(
    a: Annotated[
        Optional[float],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--a", metavar="SHARE", help="Accuracy of one model, for example 0.99."),
    ] = None,
    b: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--b", metavar="SHARE", help="Accuracy of the other, for example 0.995."),
    ] = None,
    error: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--error",
            "--max-error",
            metavar="SHARE",
            help="Or: the error to be shown not exceeded.",
        ),
    ] = None,
    confidence: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--confidence", help="How surely the error is to be shown; 0.95 if not said."),
    ] = None,
    failures: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--failures",
            "--fails",
            help="Errors that may happen on the way; 0 to 5 if not said.",
        ),
    ] = None,
    n: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--n", help="The cases there are: what can they show?"),
    ] = None,
    discordance: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--discordance",
            metavar="SHARE",
            help="Share of cases that exactly one of the models answers rightly, where known.",
        ),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", help="Probability to show a difference that is there.")
    ] = 0.8,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="The models are tested on different cases.")
    ] = False,
    sequential: Annotated[
        bool,
        typer.Option("--sequential", help="For --error: a test that stops as soon as it is clear."),
    ] = False,
    most: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--most", help="For --sequential: give up after so many cases."),
    ] = None,
    non_inferior: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--non-inferior",
            metavar="MARGIN",
            help="Or: show that a model is not worse by more than this, as in referee gate.",
        ),
    ] = None,
    level: options.Level = 0.95,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Say how many cases a claim takes, or what a number of cases can show.

    Two accuracies (--a, --b), an error to be shown (--error), a margin (--non-inferior), or the
    cases alone (--n).
    """
    from referee.errors import InputError
    from referee.planning.sample_size import sample_size as compute

    check_places(out, force=force)
    if (a is None) != (b is None):
        raise InputError(
            "--a and --b are two accuracies",
            remedy="give both, as in --a 0.99 --b 0.995",
        )
    if a is None and error is None and n is None and non_inferior is None:
        raise InputError(
            "nothing to go by",
            concerning="error",
            remedy="give two accuracies (--a 0.99 --b 0.995), an error to show (--error 0.01), a "
            "margin (--non-inferior 0.01) or the cases there are (--n 800)",
        )
    if error is None and (sequential or most is not None):
        raise InputError(
            "--sequential plans a test that shows an error",
            concerning="sequential",
            remedy="give the error too, as in --max-error 0.01 --sequential",
        )
    if most is not None and not sequential:
        raise InputError(
            "--most ends a sequential test",
            concerning="most",
            remedy="give --sequential too",
        )
    result = compute(
        a=a,
        b=b,
        error=error,
        confidence=confidence,
        failures=failures,
        n=n,
        discordance=discordance,
        power=power,
        level=level,
        paired=not unpaired,
        sequential=sequential,
        most=most,
        non_inferior=non_inferior,
    )
    deliver([result], as_json=json, out=out, force=force, claim=False)
