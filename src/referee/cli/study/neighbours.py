"""referee study: what nearest neighbours teach about cases, features and the Bayes error."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, Optional

import typer

from referee.cli.models.tabular import read_given
from referee.cli.study.delivery import (
    Folder,
    PictureFolder,
    drawn,
    show,
    tabled,
    write_study,
)
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places
from referee.cli.terminal.screen import note, say

__all__ = ["reduction", "roc_neighbours", "selection"]

TableFile = Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF, svmlight.")]


def selection(
    table: TableFile,
    target: options.Target = "",
    model: Annotated[
        str, typer.Option("--model", help="The classifier whose features are selected.")
    ] = "log-knn",
    direction: Annotated[
        str, typer.Option("--direction", help="forward (add) or backward (drop).")
    ] = "forward",
    most: Annotated[
        Optional[int],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--features", help="Features to end with."),
    ] = None,
    groups: options.Groups = None,
    drop: options.Drop = None,
    header: options.Header = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    out: Folder = Path("study-selection"),
    force: options.Force = False,
) -> None:
    """Select features of a table step by step; the path's error flatters, and the note says so."""
    check_places(out, force=force)
    from referee.choosing.selection import Selected
    from referee.learners import for_table

    given = read_given(table, target=target, groups=groups, drop=drop, header=header)
    selected = Selected(model, direction=direction, n_features=most, random_state=seed, n_jobs=jobs)
    prepared = for_table(selected, given.features)
    whole = prepared is selected
    keyword = "groups" if whole else f"{prepared.steps[-1][0]}__groups"
    prepared.fit(
        given.features, given.labels, **({} if given.groups is None else {keyword: given.groups})
    )
    path = (prepared if whole else prepared.steps[-1][1]).path_
    path = path if whole else path.renamed(_names(prepared))
    show(path, out, "selection", seed=seed)
    note(
        f"for an honest error: referee evaluate {table} --target {target} "
        f"--model \"{direction}-selection(learner='{model}')\""
    )


def reduction(
    distance: Annotated[
        float, typer.Option("--distance", help="Half the distance of two normal classes.")
    ] = 1.0,
    n: Annotated[int, typer.Option("--n", help="Cases to draw.")] = 300,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    out: PictureFolder = Path("study-reduction"),
    force: options.Force = False,
) -> None:
    """Draw which cases each reduced nearest-neighbour rule keeps, and tell what that costs."""
    check_places(out, force=force)
    import pandas as pd

    from referee.comparing.reduction import reduction_cost
    from referee.learners.neighbours.reducing import (
        BoundaryKNN,
        CondensedKNN,
        EditedKNN,
        PrototypeKNN,
    )
    from referee.report.displays.reduction import ReductionDisplay
    from referee.study import two_normals

    X, y = two_normals(distance, 2).sample(n, random_state=seed)
    rules = {
        "border kept (exact)": BoundaryKNN(),
        "condensed (Hart)": CondensedKNN(),
        "edited (Wilson)": EditedKNN(),
        "8 prototypes a class": PrototypeKNN(8, random_state=seed),
    }
    costs = [
        reduction_cost(rule, X, y, by="10x10", random_state=seed, n_jobs=jobs)
        for rule in rules.values()
    ]
    frame = pd.DataFrame([c.row() for c in costs])
    picture = drawn(lambda: ReductionDisplay(X, y, rules).plot().figure_)
    write_study(out, {"reduction.csv": tabled(frame), "reduction.png": picture})
    for cost in costs:
        say(fill(cost.conclusion, 100, subsequent_indent="  "))


def roc_neighbours(
    table: TableFile,
    target: options.Target = "",
    pos_label: options.PosLabel = None,
    largest: Annotated[int, typer.Option("--largest", help="The largest k.")] = 39,
    test_share: Annotated[
        float, typer.Option("--test-share", metavar="SHARE", help="Share of cases to rank.")
    ] = 0.5,
    drop: options.Drop = None,
    header: options.Header = None,
    seed: options.Seed = 0,
    out: PictureFolder = Path("study-roc-neighbours"),
    force: options.Force = False,
) -> None:
    """Draw the ROC curves of k nearest neighbours for k = 1, 3, ..., on cases held out."""
    check_places(out, force=force)
    import pandas as pd
    from sklearn.preprocessing import StandardScaler

    from referee.core import Dataset
    from referee.learners import for_table
    from referee.learners.naming import model_from_name
    from referee.report.displays import RocDisplay
    from referee.resampling import Holdout

    given = read_given(table, target=target, drop=drop, header=header)
    data = Dataset.of(given.features, given.labels)
    split = Holdout(test_share).plan(data, seed).splits[0]
    seen = set(split.train.tolist())
    test = [int(r) for r in split.test if int(r) not in seen]
    prepared = for_table(model_from_name("1nn"), given.features)
    steps = [step for _, step in getattr(prepared, "steps", [])[:-1]] or [StandardScaler()]
    near, far = _prepared(steps, data, split.train, test)
    display = RocDisplay.from_neighbours(
        near,
        data.y[split.train],
        far,
        data.y[test],
        ks=range(1, min(largest, len(near)) + 1, 2),
        pos_label=pos_label,
    )
    rows = [
        {
            "k": line.k,
            "auc": line.auc.value,
            "low": line.auc.interval.low if line.auc.interval else float("nan"),
            "high": line.auc.interval.high if line.auc.interval else float("nan"),
        }
        for line in display.lines
    ]
    frame = pd.DataFrame(rows)
    picture = drawn(lambda: display.figure_)
    write_study(out, {"roc-neighbours.csv": tabled(frame), "roc-neighbours.png": picture})
    say(frame.round(4).to_string(index=False) + "\n")
    best = max(display.lines, key=lambda line: line.auc.value)
    say(
        f"The area is largest, {best.auc.value:.3f}, at k = {best.k}, chosen on these cases: test "
        "it on others."
    )


def _prepared(steps: list[Any], data: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """Return training and test rows as the steps, which learn from the former, make them."""
    from sklearn.pipeline import make_pipeline

    from referee.core.dataset import take_rows

    prepare = make_pipeline(*steps).fit(take_rows(data.X, train), data.y[train])
    near, far = (prepare.transform(take_rows(data.X, rows)) for rows in (train, test))
    return near, far


def _names(prepared: Any) -> list[str]:
    """Return the names of the features that come out of all steps but the last."""
    return [str(name) for name in prepared[:-1].get_feature_names_out()]
