"""Studies that need nothing but settings: one table, from which their commands are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import Parameter, Signature
from operator import getitem
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.study.delivery import Folder, Jobs, Repetitions, numbers, show
from referee.cli.terminal import options
from referee.cli.terminal.output import check_places

__all__ = ["VERBS", "Setting", "Verb", "command"]


@dataclass(frozen=True)
class Setting:
    """An option of a study, and what the study's function calls it.

    Attributes
    ----------
    argument : str
        The argument of the function, and the option's name unless `option` says otherwise.
    default : int, float or str
        Its type is the option's; a text of numbers with commas is read as a list of `of`.
    help : str
        What it is.
    of : type or None
        The type of the numbers in a list.
    read : callable or None
        Makes the argument of what was written.
    """

    argument: str
    default: int | float | str
    help: str
    option: str = ""
    metavar: str | None = None
    of: type | None = None
    read: Callable[[Any], Any] | None = None

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        return self.option or f"--{self.argument}"

    @property
    def parameter(self) -> Parameter:
        """The parameter of the command."""
        option = typer.Option(self.flag, metavar=self.metavar, help=self.help)
        kind: Any = getitem(
            Annotated, (type(self.default), option)
        )  # the type is known by now only
        return _parameter(self.argument, kind, self.default)

    def value(self, written: Any) -> Any:
        """Return the argument of the study's function."""
        if self.of is not None:
            return numbers(written, self.of, self.flag)
        return written if self.read is None else self.read(written)


@dataclass(frozen=True)
class Verb:
    """A study: the name of its command and of its function in `referee.study`."""

    name: str
    help: str
    settings: tuple[Setting, ...]
    repetitions: int = field(default=100, kw_only=True)

    @property
    def function(self) -> str:
        """The function's name."""
        return self.name.replace("-", "_")


def command(verb: Verb) -> Callable[..., None]:
    """Return the command of a study, with its settings and what all studies share as options."""

    def run(**written: Any) -> None:
        out, seed = written["out"], written["seed"]
        check_places(out, force=written["force"])
        import referee.study

        given = {s.argument: s.value(written[s.argument]) for s in verb.settings}
        result = getattr(referee.study, verb.function)(
            **given,
            repetitions=written["repetitions"],
            random_state=seed,
            n_jobs=written["jobs"],
            checkpoint=written["checkpoint"],
        )
        show(result, out, verb.name, seed=seed)

    shared = (
        _parameter("repetitions", Repetitions, verb.repetitions),
        _parameter("seed", options.Seed, 0),
        _parameter("jobs", Jobs, -1),
        _parameter("checkpoint", options.Checkpoint, None),
        _parameter("out", Folder, Path(f"study-{verb.name}")),
        _parameter("force", options.Force, False),
    )
    parameters = [*(s.parameter for s in verb.settings), *shared]
    run.__doc__ = verb.help
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def _parameter(name: str, kind: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _model(name: str) -> Any:
    from referee.learners import model_from_name

    return model_from_name(name)


def _names(text: str) -> list[str]:
    return [] if text == "all" else [name.strip() for name in text.split(",")]


_TASK = Setting(
    "task",
    "two-normals",
    "two-normals, xor, rings, heavy-tails, imbalance, p-above-n; example-1 to example-3.",
    metavar="NAME",
)


def _sizes(default: str) -> Setting:
    return Setting("sizes", default, "Numbers of cases.", metavar="N,N,...", of=int)


VERBS = (
    Verb(
        "luntz-brailovsky",
        "Hold cross-validation against the true risk of training on a fold less.",
        (
            _TASK,
            Setting("learner", "lda", options.MODELS, option="--model", read=_model),
            Setting("n", 24, "Cases in a sample."),
            Setting("folds", 2, "Folds; n must be a multiple."),
        ),
        repetitions=200,
    ),
    Verb(
        "optimism",
        "Measure how far the training error lies below the truth as a rule grows richer.",
        (
            _TASK,
            Setting(
                "learner",
                "neighbours",
                "What grows: neighbours, degree or depth.",
                option="--family",
            ),
            Setting("settings", "1,3,5,9,15,25", "Its values.", metavar="K,K,...", of=int),
            Setting("n", 100, "Cases in a sample."),
        ),
        repetitions=50,
    ),
    Verb(
        "bounds",
        "Hold worst-case bounds for a fixed number of cases against what happens.",
        (_TASK, _sizes("50,200,1000"), Setting("delta", 0.05, "How often a bound may fail.")),
        repetitions=200,
    ),
    Verb(
        "consistency",
        "Watch 1 and ln N nearest neighbours as N grows; only the latter reach the Bayes error.",
        (_TASK, _sizes("50,200,1000,5000")),
        repetitions=20,
    ),
    Verb(
        "selection-bias",
        "Show on pure noise what selecting features before validating does to the error.",
        (
            Setting("n", 50, "Cases of each sample."),
            Setting("features", 200, "Features, all of them noise."),
            Setting("kept", "1,2,5,10", "Numbers of features.", metavar="K,K,...", of=int),
        ),
        repetitions=20,
    ),
    Verb(
        "stopping",
        "Look at intervals and tests after every case; which are ever wrong?",
        (
            Setting("errors", "0.01,0.1,0.5", "True errors.", metavar="E,E,...", of=float),
            Setting("n", 1000, "Cases until the test ends."),
            Setting("level", 0.95, "Of intervals and tests."),
        ),
        repetitions=400,
    ),
    Verb(
        "looks",
        "Attack a sealed test set by looking again and again; do its intervals hold?",
        (
            Setting(
                "attacks",
                "all",
                "boosting, decoding, flips, climbing, honest; with commas between them.",
                option="--attack",
                metavar="NAME,NAME,...",
                read=_names,
            ),
            Setting("n", 1000, "Secret cases."),
            Setting("looks", 1000, "Looks of each run."),
            Setting("step", 1.25, "Of the ladder, in standard errors; at least 1."),
            Setting("level", 0.95, "Of the intervals."),
        ),
        repetitions=200,
    ),
)
"""Every study that needs nothing but settings."""
