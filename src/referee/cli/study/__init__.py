"""referee study: experiments where the truth is known, each with a table and a picture."""

import typer

from referee.cli.study.bayes_error import bayes_error
from referee.cli.study.bracket import bracket
from referee.cli.study.calibration import calibration
from referee.cli.study.example import example
from referee.cli.study.neighbours import reduction, roc_neighbours, selection
from referee.cli.study.scores import scores
from referee.cli.study.verbs import VERBS, command
from referee.cli.terminal.catalogued import CataloguedCommand

__all__ = ["study"]

study = typer.Typer(
    help="Experiments where the truth is known, and a bracket of the Bayes error where it is not.",
    no_args_is_help=True,
)
study.command("bayes-error", cls=CataloguedCommand)(bayes_error)
study.command("example", cls=CataloguedCommand)(example)
study.command("calibration", cls=CataloguedCommand)(calibration)
study.command("bracket", cls=CataloguedCommand)(bracket)
for verb in VERBS:
    study.command(verb.name, cls=CataloguedCommand)(command(verb))
study.command("scores", cls=CataloguedCommand)(scores)
study.command("selection", cls=CataloguedCommand)(selection)
study.command("reduction", cls=CataloguedCommand)(reduction)
study.command("roc-neighbours", cls=CataloguedCommand)(roc_neighbours)
