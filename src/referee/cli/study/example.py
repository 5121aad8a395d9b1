"""referee study example: the Gaussian tasks of the lecture notes, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.study.delivery import PictureFolder, drawn, tabled, write_study
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places
from referee.cli.terminal.screen import say

__all__ = ["example"]


def example(
    number: Annotated[
        int, typer.Argument(help="1, 2 or 3: the Gaussian tasks of the lecture notes.")
    ],
    n: Annotated[int, typer.Option("--n", help="Cases to draw.")] = 120,
    seed: options.Seed = 0,
    out: PictureFolder = Path("study-example"),
    force: options.Force = False,
) -> None:
    """Draw a Gaussian task of the lecture notes: densities, discriminants and borders."""
    check_places(out, force=force)
    import pandas as pd

    from referee.errors import InputError
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.report.displays.gaussian import GaussianTaskDisplay
    from referee.study import EXAMPLES, true_risk

    if number not in EXAMPLES:
        raise InputError(f"example must be 1, 2 or 3, got {number}", concerning="example")
    if n < 12:
        raise InputError(
            f"--n must be at least 12, so that rules can be learned, got {n}", concerning="n"
        )
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
    name = f"example-{number}"
    picture = drawn(lambda: display.figure_)
    write_study(out, {f"{name}.csv": tabled(frame), f"{name}.png": picture})
    say(f"Example {number} of the lecture notes, {n} cases: true risks of the rules")
    for rule, r in rows:
        say(f"  {rule:<10}  {r.value:.6f}   {r.method}, error {r.uncertainty:.0e}")
