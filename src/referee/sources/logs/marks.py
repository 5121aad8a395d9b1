"""Marks: what a written score is worth as a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from referee.errors import LogError, arg, worth_of
from referee.sources.logs.fields import MISSING

__all__ = ["INSPECT_WORDS", "mark"]

INSPECT_WORDS: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly correct, incorrect and no answer, as Inspect writes them."""

_TRUTHS: Mapping[str, float] = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


def mark(value: Any, place: str, name: str, words: Mapping[str, float]) -> float:
    """Return a score as a number; nan where the log has null or NaN.

    Parameters
    ----------
    value : object
        As the log has it.
    place, name : str
        The file and sample, and what the score is called there, for messages.
    words : mapping of str to float
        What words are worth, besides yes, no, true and false in any case.

    Examples
    --------
    >>> mark("P", "a.eval, sample 'q1'", "match", INSPECT_WORDS), mark(True, "", "", {})
    (0.5, 1.0)
    >>> mark("maybe", "a.eval, sample 'q1'", "match", INSPECT_WORDS)
    Traceback (most recent call last):
    ...
    referee.errors.LogError: a.eval, sample 'q1', score 'match': 'maybe' is neither a number nor one
    of 'C', 'P', 'I', 'N', 'yes', 'no', 'true', 'false'; say what it is worth with
    values={'maybe': ...}
    """
    if value is None or value is MISSING:
        return math.nan
    if isinstance(value, (bool, int, float)):
        number = float(value)
    elif isinstance(value, str):
        number = _worth(value, place, name, words)
    else:
        raise LogError(
            f"{place}, score {name!r}: {_several(value, name)}",
            at=place,
        )
    if math.isinf(number):
        raise LogError(
            f"{place}, score {name!r}: {number} has no mean",
            at=place,
            remedy="remove the sample, or choose another score",
        )
    return number


def _worth(value: str, place: str, name: str, words: Mapping[str, float]) -> float:
    if value in words:
        return words[value]
    if value.lower() in _TRUTHS:
        return _TRUTHS[value.lower()]
    try:
        return float(value)
    except ValueError:
        known = ", ".join(repr(word) for word in (*words, *_TRUTHS))
        raise LogError(
            f"{place}, score {name!r}: {value!r} is neither a number nor one of {known}",
            at=place,
            remedy=f"say what it is worth with {worth_of(value)}",
        ) from None


def _several(value: Any, name: str) -> str:
    if isinstance(value, Mapping):
        keys = ", ".join(repr(f"{name}.{key}") for key in value)
        return f"the value has several parts; choose one with {arg('score')}: {keys}"
    return (
        f"{str(value)[:60]} is a list, not one number; such scores have no mean over questions, "
        "so choose another score"
    )
