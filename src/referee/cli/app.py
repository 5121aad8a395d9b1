"""The application: verbs, exit codes, and errors told in one line.

Exit codes: 0 the claim was shown, 1 it was not, 2 the request or the data are wrong, 130 stopped.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from referee import __version__
from referee.cli.audit_table import audit_table
from referee.cli.board import board
from referee.cli.compare import compare
from referee.cli.compare_datasets import compare_datasets
from referee.cli.compare_predictions import compare_predictions
from referee.cli.compare_scores import compare_scores
from referee.cli.demo import demo
from referee.cli.evaluate import evaluate
from referee.cli.evaluate_predictions import evaluate_predictions
from referee.cli.evaluate_scores import evaluate_scores
from referee.cli.permutation_test import permutation_test
from referee.cli.sample_size import sample_size
from referee.cli.schema import schema
from referee.cli.study import study
from referee.cli.verify import verify
from referee.cli.wording import flags
from referee.errors import RefereeError

__all__ = ["app", "main"]

# By its version, typer stands on click or carries a copy of it; only typer knows which.
_UsageProblem: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

app = typer.Typer(
    name="referee",
    help="Honest evaluation of classifiers: one sentence you can defend, with the evidence.",
    epilog="Exit codes: 0 shown, 1 not shown, 2 error.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(evaluate)
app.command("evaluate-predictions")(evaluate_predictions)
app.command()(compare)
app.command("compare-predictions")(compare_predictions)
app.command("evaluate-scores")(evaluate_scores)
app.command("compare-scores")(compare_scores)
app.command()(board)
app.command("compare-datasets")(compare_datasets)
app.command("permutation-test")(permutation_test)
app.command("sample-size")(sample_size)
app.command("audit-table")(audit_table)
app.add_typer(study, name="study")
app.command()(verify)
app.command()(schema)
app.command()(demo)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Run the command line and exit with its code; no traceback for what a user can mend."""
    # A user's own `mymodels:Net` lives in the current folder, as it would for python -m.
    sys.path.append(os.getcwd())
    try:
        code = app(prog_name="referee", standalone_mode=False) or 0
    except RefereeError as problem:
        _say(flags(str(problem)))
        code = 2
    except _UsageProblem as problem:
        problem.show()
        code = 2
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # The reader of our output has gone; keep Python from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    if code == 130:
        _say("stopped")
    sys.exit(code)


def _say(message: str) -> None:
    print(f"referee: {message}", file=sys.stderr)  # noqa: T201
