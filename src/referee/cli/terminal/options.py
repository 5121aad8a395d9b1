"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

__all__ = [
    "MODELS",
    "Adjust",
    "Bundle",
    "Checkpoint",
    "Claim",
    "Cluster",
    "CostPair",
    "Dismiss",
    "Drop",
    "Force",
    "Groups",
    "Header",
    "InnerFolds",
    "IntervalName",
    "Jobs",
    "Json",
    "Label",
    "Level",
    "MaxError",
    "MeasureName",
    "Measures",
    "Out",
    "PairedInterval",
    "PosLabel",
    "Rope",
    "Seed",
    "Separator",
    "Sequential",
    "Target",
    "TaskName",
    "TestName",
    "TestShare",
    "TestTable",
    "Time",
    "Tune",
    "Weight",
]

MODELS = "{models}. May be repeated."
Tune = Annotated[
    Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
    typer.Option(
        "--tune",
        metavar="PARAM=VALUES",
        help="Let each model that has this parameter choose it from these values, inside every "
        "training set, as n_neighbors=1,3,5; may be repeated.",
    ),
]
InnerFolds = Annotated[
    int, typer.Option("--inner-folds", metavar="K", help="Folds by which --tune chooses.")
]
Target = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="COL",
        help="Column to predict; a number if there is no header; 'y_*' for a column a label.",
    ),
]
TestTable = Annotated[
    Optional[Path],  # noqa: UP045 (typer reads it at run time)
    typer.Option("--test", metavar="FILE", help="Separate test set with the same columns."),
]
TestShare = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--test-share", metavar="SHARE", help="Share to hold out (--by holdout)."),
]
Time = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--time", metavar="COL", help="Column that orders the rows in time."),
]
Drop = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--drop", metavar="COL", help="Leave this column out; may be repeated."),
]
Dismiss = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--dismiss",
        metavar="CODE",
        help="A finding that was looked into and does not matter here; repeatable. {checks}.",
    ),
]
Cluster = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--cluster",
        metavar="ENGINE:ADDRESS",
        help="Where models are trained: dask:tcp://host:8786, ray:auto or ray:host:port.",
    ),
]
Checkpoint = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--checkpoint",
        metavar="DIR",
        help="Directory where what is finished is kept; the same command goes on from there.",
    ),
]
Jobs = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--jobs", help="Fits to run at once; -1 for all cores."),
]
Label = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--label", metavar="CLASS", help="A class the truth may lack; repeatable."),
]
MeasureName = Annotated[
    str, typer.Option("--measure", metavar="NAME", help="What to compare: {measures}.")
]
MeasureNames = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--measure",
        metavar="NAME",
        help="What to compare (error if not given): {measures}. May be repeated; the verdict is "
        "about the first.",
    ),
]
Rope = Annotated[
    float,
    typer.Option(
        "--rope",
        metavar="SIZE",
        help="Differences up to this size do not matter (0.01 is one point); allows the verdict "
        "that models are equivalent.",
    ),
]
Claim = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--claim",
        metavar="CLAIM",
        help="What to show of the first model, the candidate: better (the default for two), "
        "non-inferior or equivalent within --rope (equivalent is the default with it), or just a "
        "difference (the default for more). Exits with 1 when it was not shown.",
    ),
]
TestName = Annotated[
    str,
    typer.Option(
        "--significance",
        metavar="TEST",
        help="{tests}.",
    ),
]
Adjust = Annotated[
    str,
    typer.Option(
        "--adjust",
        metavar="NAME",
        help="How p-values of several pairs are adjusted: {adjustments}.",
    ),
]
ADJUST = "holm"
PairedInterval = Annotated[
    str,
    typer.Option(
        "--interval",
        metavar="NAME",
        help="Interval of a difference of errors: {difference_intervals}.",
    ),
]

Groups = Annotated[
    Optional[str],  # noqa: UP045 (typer reads it at run time)
    typer.Option("--groups", metavar="COL", help="Column that says which rows belong together."),
]
Weight = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--weight", metavar="COL", help="Column with the weight of each row."),
]
DropCopies = Annotated[
    bool,
    typer.Option(
        "--drop-copies",
        help="Leave out rows whose features are an exact copy of a row before them; test rows that "
        "stand in the training table, too.",
    ),
]
WeightsInFit = Annotated[
    bool,
    typer.Option("--weights-in-fit", help="Train with the weights, too, not only count by them."),
]
PosLabel = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--pos-label", metavar="CLASS", help="The positive class, for rates and AUC."),
]
Measures = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--measure", metavar="NAME", help="Report this measure; may be repeated: {measures}."
    ),
]
TaskName = Annotated[
    str,
    typer.Option(
        "--task",
        metavar="TASK",
        help="What the target holds: classification (classes), regression (quantities) or "
        "multilabel (several labels a case); auto goes by models and target, and asks where "
        "neither tells.",
    ),
]
Separator = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--separator",
        metavar="TEXT",
        help="What parts several labels in one cell, as ';'. An empty cell has none.",
    ),
]
IntervalName = Annotated[
    str,
    typer.Option(
        "--interval",
        metavar="NAME",
        help="{intervals}.",
    ),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level.")]
Sequential = Annotated[
    bool,
    typer.Option(
        "--sequential",
        help="Rows came in one by one and you may stop whenever you like: intervals hold at all "
        "times.",
    ),
]
MaxError = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--max-error", metavar="SHARE", help="Claim to judge: the error is at most this."),
]
Claims = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--claim",
        metavar="CLAIM",
        help="What to judge instead of guessing: 'auc >= 0.8', 'cost <= 0.5', 'tpr >= 95 % and "
        "fpr <= 10 %'; may be repeated, and all must hold.",
    ),
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
        "--out",
        metavar="DIR",
        help="Write report.html, results.json, predictions.parquet and figures/ there.",
    ),
]
Bundle = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--bundle",
        metavar="FILE",
        help="Write a zip with predictions, plan, settings and results, for referee verify.",
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Write into a directory that is not empty, over a bundle."),
]
Header = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option(
        "--header/--no-header",
        help="Whether the first line names the columns; decided by looking if not said.",
    ),
]
