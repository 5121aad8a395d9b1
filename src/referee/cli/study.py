"""referee study: experiments where the truth is known, each with a table and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli import options
from referee.cli.output import note
from referee.cli.study_output import Folder, Jobs, draw, file_in, numbers
from referee.cli.tabular import read_given

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["study"]

study = typer.Typer(
    help="Experiments where the truth is known, and a bracket of the Bayes error where it is not.",
    no_args_is_help=True,
)


@study.command("bayes-error")
def bayes_error(
    dims: Annotated[
        str, typer.Option("--dims", metavar="D,D,...", help="Dimensions.")
    ] = "2,5,10,20",
    per_class: Annotated[
        str, typer.Option("--per-class", metavar="N,N,...", help="Cases in each class.")
    ] = "50",
    bayes: Annotated[
        str, typer.Option("--bayes", metavar="E,E,...", help="Bayes errors, below .5.")
    ] = "0.10",
    repetitions: Annotated[
        int, typer.Option("--repetitions", help="Samples for each setting.")
    ] = 150,
    method: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads it at run time)
        typer.Option(
            "--method",
            help="resubstitution, holdout, cv, loo, optimism, .632+; repeatable, else all.",
        ),
    ] = None,
    seed: options.Seed = 0,
    jobs: Jobs = -1,
    out: Folder = Path("bayes-error-study"),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on where a run stopped.")
    ] = False,
) -> None:
    """Hold error estimates of a quadratic classifier against the Bayes error and the true risk.

    Settings that DIR/bayes-error.csv holds already are not run again.
    """
    from referee.report import write_text
    from referee.report.figures.study import study_figure
    from referee.study import METHODS, bayes_error_study

    table = file_in(out, "bayes-error.csv")
    made = bayes_error_study(
        numbers(dims, int, "--dims"),
        numbers(bayes, float, "--bayes"),
        numbers(per_class, int, "--per-class"),
        methods=method or METHODS,
        repetitions=repetitions,
        random_state=seed,
        n_jobs=jobs,
        resume=None if fresh else _earlier(table),
        after=lambda frame: write_text(table, frame.to_csv(index=False)),
    )
    draw(study_figure(made), out / "bayes-error.png")
    for by in ("dimension", "bayes_error", "per_class"):
        if made.table[by].nunique() > 1 or by == "dimension":
            typer.echo(made.means(by).round(4).to_string() + "\n")
    typer.echo(made.conclusion)


@study.command()
def example(
    number: Annotated[int, typer.Argument(help="1, 2 or 3: the Gaussian tasks of the notes.")],
    n: Annotated[int, typer.Option("--n", help="Cases to draw.")] = 120,
    seed: options.Seed = 0,
    out: Folder = Path("study-example"),
) -> None:
    """Draw one of the notes' Gaussian tasks: densities, discriminants, best and learned borders."""
    import pandas as pd

    from referee.errors import InputError
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.report import write_text
    from referee.report.figures.gaussian import GaussianTaskDisplay
    from referee.study import EXAMPLES, true_risk

    if number not in EXAMPLES:
        raise InputError(f"example must be 1, 2 or 3, got {number}")
    task = EXAMPLES[number]
    X, y = task.sample(n, random_state=seed)
    learners = {
        "quadratic": GaussianBayes().fit(X, y),
        "linear": GaussianBayes(covariance="shared").fit(X, y),
    }
    display = GaussianTaskDisplay(task, X, y, classifiers=learners)
    display.plot_all()
    rows = [("Bayes rule", task.bayes_risk())]
    rows += [(name, true_risk(task, model)) for name, model in learners.items()]
    frame = pd.DataFrame(
        [(name, r.value, r.uncertainty, r.method) for name, r in rows],
        columns=["rule", "risk", "uncertainty", "method"],
    )
    write_text(file_in(out, f"example-{number}.csv"), frame.to_csv(index=False))
    draw(display.figure_, out / f"example-{number}.png")
    typer.echo(frame.to_string(index=False))


@study.command()
def bracket(
    table: Annotated[Path, typer.Argument(help="CSV, TSV, Parquet, JSON lines, ARFF, svmlight.")],
    target: options.Target = "",
    groups: options.Groups = None,
    drop: options.Drop = None,
    level: options.Level = 0.95,
    header: options.Header = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    out: Folder = Path("study-bracket"),
) -> None:
    """Bracket the Bayes error of a table: a rich rule, and Cover and Hart from the nearest case."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from referee.learners import for_table
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.report import write_text
    from referee.report.document import Bar, Bars
    from referee.report.figures import draw_bars
    from referee.study import bracket as make

    given = read_given(table, target=target, groups=groups, drop=drop, header=header)
    made = make(
        given.features,
        given.labels,
        rule=for_table(
            make_pipeline(StandardScaler(), GaussianBayes(shrinkage=0.01)), given.features
        ),
        nearest=for_table(KNeighborsClassifier(1), given.features),
        groups=given.groups,
        level=level,
        random_state=seed,
        n_jobs=jobs,
    )
    frame = made.frame()
    write_text(file_in(out, "bracket.csv"), frame.to_csv(index=False))
    short = {made.rule: "rule", "nearest neighbour": "1-NN"}
    bars = tuple(
        Bar(f"{short[rule]}, {method}", value, low, high, f"{value:.3f}", end == "lower")
        for end, rule, method, value, low, high in frame.to_numpy().tolist()
    )
    ax = draw_bars(Bars(bars, "ends of the bracket of the Bayes error, with intervals"))
    draw(ax.figure, out / "bracket.png")
    typer.echo(frame.round(4).to_string(index=False) + "\n")
    typer.echo(made.conclusion)


def _earlier(path: Path) -> pd.DataFrame | None:
    import pandas as pd

    from referee.errors import InputError

    if not path.exists():
        return None
    try:
        frame = pd.read_csv(path)
        lacking = {"dimension", "bayes_error", "per_class", "method", "repetitions"} - set(frame)
    except (ValueError, OSError) as problem:
        raise InputError(f"{path} is no table of a study: {problem}; use --fresh") from None
    if lacking:
        raise InputError(f"{path} is no table of this study; use --fresh or another --out")
    note(f"going on from {path}; --fresh begins anew")
    return frame
