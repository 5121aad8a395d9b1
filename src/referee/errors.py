"""The errors referee raises, all of them meant to be read by a person.

::

    RefereeError
    ├── InputError (also a ValueError)   an argument or a value in the data is wrong
    │   ├── TableError                   a file is missing, ragged, binary, ambiguous ...
    │   ├── LogError                     an evaluation log is cut short, foreign, too new ...
    │   ├── ModelError                   a model's name cannot be turned into an estimator
    │   └── PlanError                    a plan leaves nothing to train or test on
    ├── FitError (also a RuntimeError)   a model raised while it was fitted or asked to predict
    └── Refusal                          the request is well formed and statistically wrong

Every message names what is wrong, where, the value found, and a remedy.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "FitError",
    "InputError",
    "LogError",
    "ModelError",
    "PlanError",
    "RefereeError",
    "Refusal",
    "TableError",
    "nearest",
]


class RefereeError(Exception):
    """Whatever referee raises on purpose."""


class InputError(RefereeError, ValueError):
    """An argument or a value in the data is wrong."""


class TableError(InputError):
    """A file cannot be read as the table that was asked for."""


class LogError(InputError):
    """An evaluation log cannot be read, or does not say what was asked of it."""


class ModelError(InputError):
    """A model's name cannot be turned into an estimator."""


class PlanError(InputError):
    """A plan leaves nothing to train or to test on, or belongs to other data."""


class FitError(RefereeError, RuntimeError):
    """A model raised in one split; the message names model, split and cause."""


class Refusal(RefereeError):
    """The request is well formed and statistically wrong; the message names the alternative."""


def nearest(name: str, known: Iterable[object]) -> str:
    """Say which known names come nearest to a mistyped one.

    Examples
    --------
    >>> nearest("diagnoses", ["age", "diagnosis", "sex"])
    "; did you mean 'diagnosis'?"
    >>> nearest("zzz", ["age", "sex"])
    "; known are 'age', 'sex'"
    """
    names = [str(k) for k in known]
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    close = close or [n for n in names if n.lower() == name.lower()]
    if close:
        return "; did you mean " + " or ".join(repr(c) for c in close) + "?"
    shown = ", ".join(repr(k) for k in names[:12])
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"; known are {shown}{more}"
