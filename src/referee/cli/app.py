"""The application: verbs, exit codes, and errors told in one line.

Exit codes: 0 the claim was shown, 1 it was not, 2 the request or the data are wrong, 130 stopped.
A gate that is undecided exits with 3.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from referee import __version__
from referee.cli.arena import arena
from referee.cli.audit_table import audit_table
from referee.cli.baseline import baseline
from referee.cli.choose import choose
from referee.cli.demo import demo
from referee.cli.gate import gate
from referee.cli.models.compare import compare
from referee.cli.models.compare_datasets import compare_datasets
from referee.cli.models.evaluate import evaluate
from referee.cli.models.permutation_test import permutation_test
from referee.cli.predictions.compare_predictions import compare_predictions
from referee.cli.predictions.evaluate_predictions import evaluate_predictions
from referee.cli.sample_size import sample_size
from referee.cli.schema import schema
from referee.cli.scores.board import board
from referee.cli.scores.compare_scores import compare_scores
from referee.cli.scores.evaluate_scores import evaluate_scores
from referee.cli.sealed.certify import certify
from referee.cli.sealed.vault import vault
from referee.cli.sealed.verify import verify
from referee.cli.study import study
from referee.cli.terminal.catalogued import CataloguedCommand
from referee.cli.terminal.deferred import deferred
from referee.cli.terminal.screen import note, prepared_streams, say
from referee.core.showing.characters import one_line
from referee.errors import RefereeError
from referee.vocabulary import OPTIONS, speaking

__all__ = ["app", "main"]

# By its version, typer stands on click or carries a copy of it; only typer knows which.
_UsageProblem: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

_STOPPED = 130

app = typer.Typer(
    name="referee",
    help="Honest evaluation of models: one sentence you can defend, with the evidence.",
    epilog="Exit codes: 0 shown, 1 not shown, 2 error; gate: 3 undecided.",
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
app.command(cls=CataloguedCommand)(gate)
app.add_typer(deferred(baseline), name="baseline")
app.command("permutation-test", cls=CataloguedCommand)(permutation_test)
app.command()(choose)
app.command("sample-size")(sample_size)
app.command("audit-table")(audit_table)
app.add_typer(deferred(study), name="study")
app.add_typer(deferred(vault), name="vault")
app.add_typer(deferred(certify), name="certify")
app.add_typer(deferred(arena), name="arena")
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
    with prepared_streams(), _pulse():
        code = _run()
        if code == _STOPPED:
            note("stopped")
    sys.exit(code)


_ASKS_OR_SERVES = frozenset({"arena", "choose", "demo"})


def _pulse() -> contextlib.AbstractContextManager[None]:
    """Return the pulse of a command that works; those that ask or serve have lines of their own."""
    verb = sys.argv[1] if len(sys.argv) > 1 else ""
    # A dumb terminal cannot take a line back.
    rewrites = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if verb in _ASKS_OR_SERVES or not rewrites:
        return contextlib.nullcontext()
    from referee.cli.terminal.pulse import pulsing

    return pulsing(one_line(f"{verb} is at work"))


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
