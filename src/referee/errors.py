"""The errors referee raises, all of them meant to be read by a person.

::

    RefereeError
    ├── InputError (also a ValueError)   an argument or a value in the data is wrong
    │   ├── TableError                   a file is missing, ragged, binary, ambiguous ...
    │   │   └── EmptyTable               it has names of columns and no row
    │   ├── LogError                     an evaluation log is cut short, foreign, too new ...
    │   ├── ModelError                   a model's name cannot be turned into an estimator
    │   └── PlanError                    a plan leaves nothing to train or test on
    ├── FitError (also a RuntimeError)   a model raised while it was fitted or asked to predict
    ├── ClusterError (also an OSError)   a cluster does not answer, or its workers keep dying
    └── Refusal                          the request is well formed and statistically wrong

Every message names what is wrong, where, the value found, and a remedy; an error carries them as
fields, too. Arguments are named in the words of whoever asked: ``by='loo'`` in Python, ``--by loo``
on the command line; see `referee.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from referee.vocabulary import arg, named, speaking, verb, worth_of

__all__ = [
    "ClusterError",
    "EmptyTable",
    "FitError",
    "InputError",
    "LogError",
    "ModelError",
    "PlanError",
    "RefereeError",
    "Refusal",
    "TableError",
    "arg",
    "named",
    "nearest",
    "speaking",
    "verb",
    "worth_of",
]


class RefereeError(Exception):
    """Whatever referee raises on purpose.

    Parameters
    ----------
    problem : str
        What is wrong; the whole message where there are no fields.
    argument : str
        The argument at fault; it opens the message.
    concerning : str
        The argument at fault where the sentence names it itself, or begins otherwise.
    value : str
        What was found instead, as the message shows it.
    place : str
        Where: row, column, file, split.
    at : str
        Where, if the sentence says it itself.
    remedy : str
        What to do; it closes the message, with or without a semicolon of its own, as `nearest`
        has one.

    Examples
    --------
    >>> error = InputError(
    ...     "must be between 2 and 30", argument="folds", value="40", remedy="use by='loo'"
    ... )
    >>> str(error), error.argument
    ("folds must be between 2 and 30, got 40; use by='loo'", 'folds')
    >>> error = InputError("no case is left to test", concerning="by", remedy="use by='loo'")
    >>> str(error), error.argument
    ("no case is left to test; use by='loo'", 'by')
    """

    def __init__(
        self,
        problem: str,
        *,
        argument: str = "",
        concerning: str = "",
        value: str = "",
        place: str = "",
        at: str = "",
        remedy: str = "",
    ) -> None:
        remedy = remedy.removeprefix("; ")
        self.argument = argument or concerning
        self.value, self.place, self.remedy = value, place or at, remedy
        subject = f"{named(argument)} " if argument else ""
        got = f", got {value}" if value else ""
        where = f" in {place}" if place else ""
        closing = f"; {remedy}" if remedy else ""
        super().__init__(f"{subject}{problem}{got}{where}{closing}")

    def __reduce__(self) -> tuple[object, ...]:
        # The message is whole; fields travel beside it to other processes.
        return _again, (type(self), str(self), vars(self))


def _again(kind: type[RefereeError], text: str, fields: dict[str, str]) -> RefereeError:
    error = kind.__new__(kind, text)
    Exception.__init__(error, text)
    vars(error).update(fields)
    return error


class InputError(RefereeError, ValueError):
    """An argument or a value in the data is wrong."""


class TableError(InputError):
    """A file cannot be read as the table that was asked for."""


class EmptyTable(TableError):
    """A file has names of columns and no row."""


class LogError(InputError):
    """An evaluation log cannot be read, or does not say what was asked of it."""


class ModelError(InputError):
    """A model's name cannot be turned into an estimator."""


class PlanError(InputError):
    """A plan leaves nothing to train or to test on, or belongs to other data."""


class FitError(RefereeError, RuntimeError):
    """A model raised in one split; the message names model, split and cause."""


class ClusterError(RefereeError, OSError):
    """A cluster does not answer, or stopped answering; the message says how far the run came."""


class Refusal(RefereeError):
    """The request is well formed and statistically wrong; the message names the alternative."""


def nearest(name: object, known: Iterable[object]) -> str:
    """Say which known names come nearest to a mistyped one.

    Examples
    --------
    >>> nearest("diagnoses", ["age", "diagnosis", "sex"])
    "; did you mean 'diagnosis'?"
    >>> nearest("zzz", ["age", "sex"])
    "; known are 'age', 'sex'"
    """
    name, names = str(name), [str(k) for k in known]
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    close = close or [n for n in names if n.lower() == name.lower()]
    if close:
        return "; did you mean " + " or ".join(repr(c) for c in close) + "?"
    shown = ", ".join(repr(k) for k in names[:12])
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"; known are {shown}{more}"
