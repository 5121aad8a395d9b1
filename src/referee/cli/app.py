"""The application: verbs, exit codes, and errors told in one line.

Exit codes: 0 the claim was shown, 1 it was not, 2 the request or the data are wrong, 130 stopped.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from referee import __version__
from referee.cli.audit_table import audit_table
from referee.cli.board import board
from referee.cli.catalogued import CataloguedCommand
from referee.cli.certify import certify
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
from referee.cli.screen import note, prepared_streams, say
from referee.cli.study import study
from referee.cli.vault import vault
from referee.cli.verify import verify
from referee.errors import RefereeError
from referee.vocabulary import OPTIONS, speaking

__all__ = ["app", "main"]

# By its version, typer stands on click or carries a copy of it; only typer knows which.
_UsageProblem: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

_STOPPED = 130

app = typer.Typer(
    name="referee",
    help="Honest evaluation of classifiers: one sentence you can defend, with the evidence.",
    epilog="Exit codes: 0 shown, 1 not shown, 2 error.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(cls=CataloguedCommand)(evaluate)
app.command("evaluate-predictions", cls=CataloguedCommand)(evaluate_predictions)
app.command(cls=CataloguedCommand)(compare)
app.command("compare-predictions", cls=CataloguedCommand)(compare_predictions)
app.command("evaluate-scores", cls=CataloguedCommand)(evaluate_scores)
app.command("compare-scores", cls=CataloguedCommand)(compare_scores)
app.command(cls=CataloguedCommand)(board)
app.command("compare-datasets", cls=CataloguedCommand)(compare_datasets)
app.command("permutation-test", cls=CataloguedCommand)(permutation_test)
app.command("sample-size")(sample_size)
app.command("audit-table")(audit_table)
app.add_typer(study, name="study")
app.add_typer(vault, name="vault")
app.add_typer(certify, name="certify")
app.command(cls=CataloguedCommand)(verify)
app.command(cls=CataloguedCommand)(schema)
app.command(cls=CataloguedCommand)(demo)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    context.with_resource(speaking(OPTIONS))


def main() -> NoReturn:
    """Run the command line and exit with its code; no traceback for what a user can mend."""
    # A user's own `mymodels:Net` lives in the current folder, as it would for python -m; the
    # folder may have been deleted.
    with contextlib.suppress(OSError):
        sys.path.append(os.getcwd())
    # Pictures go to files, whatever windows the user's own notebooks open.
    os.environ["MPLBACKEND"] = "agg"
    with prepared_streams():
        code = _run()
        if code == _STOPPED:
            note("stopped")
    sys.exit(code)


def _run() -> int:
    """Return the exit code of the command, having said what went wrong."""
    try:
        return app(prog_name="referee", standalone_mode=False) or 0
    except RefereeError as problem:
        note(str(problem))
    except _UsageProblem as problem:
        _show_usage(problem)
    except (typer.Abort, KeyboardInterrupt):
        return _STOPPED
    except BrokenPipeError:  # the reader of our help has gone
        return 0
    except (OSError, MemoryError, RecursionError) as problem:
        note(_exhausted(problem))
    return 2


def _show_usage(problem: Any) -> None:
    """Say what is wrong with the command itself, and where to look it up."""
    if type(problem).__name__ == "NoArgsIsHelpError":
        problem.show()
        return
    context = getattr(problem, "ctx", None)
    more = "" if context is None else f"; {context.command_path} --help tells more"
    note(problem.format_message().rstrip(".") + more)


def _exhausted(problem: BaseException) -> str:
    """Say that the machine had not enough of something, or failed at it."""
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this; take fewer rows, columns or rounds"
    if isinstance(problem, RecursionError):
        return "something given is nested too deeply to be taken apart; flatten it"
    name = getattr(problem, "filename", None)
    where = f" ({name})" if name else ""
    return f"the system refused: {getattr(problem, 'strerror', None) or problem}{where}"
