"""referee compare-datasets FILE: which model ranks better over the data sets of a table?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.output import check_places, deliver

__all__ = ["compare_datasets"]


def compare_datasets(
    file: Annotated[
        Path, typer.Argument(help="Table with one row per data set and one column per model.")
    ],
    on: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--on", metavar="COL", help="Column with the data sets' names."),
    ] = None,
    measure: Annotated[
        str,
        typer.Option("--measure", metavar="NAME", help="What the scores are, as accuracy, error."),
    ] = "accuracy",
    greater: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option(
            "--greater-is-better/--smaller-is-better",
            help="The direction, where --measure does not settle it.",
        ),
    ] = None,
    drop: options.Drop = None,
    control: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--control", metavar="MODEL", help="Compare all others with this one only."),
    ] = None,
    significance: Annotated[
        str,
        typer.Option(
            "--significance",
            metavar="TEST",
            help="Test of two models, of all of them, or of which differ: {dataset_tests}.",
        ),
    ] = "auto",
    rope: options.Rope = 0.0,
    level: options.Level = 0.95,
    header: options.Header = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Say which of two or more models is better over several data sets, from published scores.

    Exits with 0 if a difference was shown, with 1 if not.
    """
    import numpy as np
    import pandas as pd

    from referee.comparing.datasets.compare_datasets import compare_datasets as judge
    from referee.sources.tables import read_table

    check_places(out, bundle, force=force)
    table = read_table(file, header="auto" if header is None else header)
    left_out = {table.resolve(c) for c in drop or []}
    words = [c for c in table.columns if table.column(c).dtype == object and c not in left_out]
    names = table.resolve(on) if on is not None else (words[0] if len(words) == 1 else None)
    models = [c for c in table.columns if c not in left_out and c != names]
    frame = pd.DataFrame({c: table.column(c) for c in models})
    frame.index = pd.Index(table.complete(names) if names else np.arange(1, table.n_rows + 1))
    result = judge(
        scores=frame,
        measure=measure,
        greater_is_better=greater,
        control=control,
        significance=significance,
        rope=rope,
        level=level,
        random_state=seed,
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)
