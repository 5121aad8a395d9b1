"""referee study: experiments where the truth is known, each with a table and a picture."""

import typer

from referee.cli.study.bayes_error import bayes_error
from referee.cli.study.bracket import bracket
from referee.cli.study.calibration import calibration
from referee.cli.study.example import example
from referee.cli.study.neighbours import reduction, roc_neighbours, selection
from referee.cli.study.verbs import VERBS, command

__all__ = ["study"]

study = typer.Typer(
    help="Experiments where the truth is known, and a bracket of the Bayes error where it is not.",
    no_args_is_help=True,
)
study.command("bayes-error")(bayes_error)
study.command("example")(example)
study.command("calibration")(calibration)
study.command("bracket")(bracket)
for verb in VERBS:
    study.command(verb.name)(command(verb))
study.command("selection")(selection)
study.command("reduction")(reduction)
study.command("roc-neighbours")(roc_neighbours)
