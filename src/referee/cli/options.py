"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

__all__ = [
    "CostPair",
    "Force",
    "Groups",
    "Header",
    "IntervalName",
    "Json",
    "Level",
    "MaxError",
    "Measures",
    "Out",
    "PosLabel",
    "Seed",
    "Weight",
]

Groups = Annotated[
    Optional[str],  # noqa: UP045 (typer reads it at run time)
    typer.Option("--groups", metavar="COL", help="Column that says which rows belong together."),
]
Weight = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--weight", metavar="COL", help="Column with the weight of each row."),
]
PosLabel = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--pos-label", metavar="CLASS", help="The positive class, for rates and AUC."),
]
Measures = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--measure", metavar="NAME", help="Report this measure; may be repeated."),
]
IntervalName = Annotated[
    str,
    typer.Option(
        "--interval",
        metavar="NAME",
        help="auto, clopper-pearson, wilson, agresti-coull, jeffreys, wald, student-t, "
        "corrected-t, effective-jeffreys, clustered, percentile, basic or bca; for the AUC "
        "newcombe-delong, newcombe-auc, delong or logit-delong.",
    ),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level.")]
MaxError = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--max-error", metavar="SHARE", help="Claim to judge: the error is at most this."),
]
CostPair = Annotated[
    Optional[tuple[float, float]],  # noqa: UP045
    typer.Option("--costs", metavar="FP FN", help="Cost of a false positive and negative."),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of the report.")]
Out = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--out", metavar="DIR", help="Write report.html, results.json, predictions.parquet there."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write into a directory that is not empty.")]
Header = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option(
        "--header/--no-header",
        help="Whether the first line names the columns; decided by looking if not said.",
    ),
]
