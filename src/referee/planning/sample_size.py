"""Planning a test before it is run: how many cases, or what these many can show."""

from __future__ import annotations

from referee.core.machine.limits import MOST_CASES
from referee.core.results import check_level
from referee.errors import InputError, arg
from referee.planning.real_numbers import check_real
from referee.planning.sizes.acceptance import acceptance_size, with_sequential
from referee.planning.sizes.difference import difference_size
from referee.planning.sizes.given_cases import given_cases
from referee.planning.sizes.margin import margin_size
from referee.planning.sizes.result import SampleSize

__all__ = ["sample_size"]


def sample_size(
    *,
    a: float | None = None,
    b: float | None = None,
    error: float | None = None,
    confidence: float | None = None,
    failures: int | None = None,
    n: int | None = None,
    discordance: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    paired: bool = True,
    sequential: bool = False,
    most: int | None = None,
    non_inferior: float | None = None,
) -> SampleSize:
    """Say how many cases a claim takes, or what a number of cases can show.

    Parameters
    ----------
    a, b : float
        Accuracies of two models that are to be told apart, for example 0.99 and 0.995.
    error : float
        Or: the error that is to be shown not to be exceeded, for example 0.01.
    confidence : float, optional
        How surely the error is to be shown; `level` by default.
    failures : int, optional
        Errors that may happen on the way; by default a plan for each of 0 to 5.
    n : int, optional
        The cases there are: how much power do they have? Alone: what differences can they show,
        and how wide are intervals?
    discordance : float, optional
        Share of cases that exactly one of two models answers rightly, where it is known.
    power : float
        The probability with which a real difference is to be shown.
    level : float
        Confidence level; tests use alpha = 1 - level.
    paired : bool
        Whether both models are tested on the same cases.
    sequential : bool
        For an error: also plan a test that stops as soon as it is clear.
    most : int, optional
        After how many cases that test gives up.
    non_inferior : float, optional
        Or: the margin by which a model may be worse, to be shown of one that is as good.

    Examples
    --------
    >>> answer = sample_size(a=0.99, b=0.995)
    >>> [(s.name, s.rows) for s in answer.scenarios]
    [('nested errors', 1580), ('independent errors', 4944), ('no error in common', 4979),
     ('different cases for each model', 4673)]
    >>> sample_size(error=0.01).acceptance.steps[0].rows
    299
    >>> sample_size(non_inferior=0.01, discordance=0.05).scenarios[0].rows
    3162
    >>> sample_size(n=1000, discordance=0.1).detectable[0].difference is None
    False
    """
    check_level(level)
    shares = {"a": a, "b": b, "error": error, "discordance": discordance, "power": power}
    asked = {"confidence": confidence, "failures": failures, "non_inferior": non_inferior}
    check_real(n=n, most=most, **shares, **asked)
    _between("power", power)
    if n is not None:
        n = _whole("n", n)
        if n > MOST_CASES:
            raise InputError(
                f"must be at most {MOST_CASES}",
                argument="n",
                value=str(n),
                remedy="so many cases show whatever matters",
            )
    if error is None and (sequential or most is not None):
        raise InputError(
            f"{arg('sequential', True)} plans a test that shows an error",
            concerning="sequential",
            remedy=f"pass the error too, as {arg('error', 0.01)}",
        )
    if most is not None and not sequential:
        raise InputError(
            "ends a sequential test", argument="most", remedy=f"pass {arg('sequential', True)} too"
        )
    if non_inferior is not None:
        if a is not None or b is not None or error is not None:
            raise InputError(
                f"{arg('non_inferior', non_inferior)} is a question of its own",
                concerning="non_inferior",
                remedy="leave out the accuracies and the error",
            )
        return margin_size(non_inferior, n, discordance, power, level)
    if (a is None) != (b is None):
        raise InputError(
            "a and b are two accuracies",
            concerning="a",
            remedy=f"pass both, for example {arg('a', 0.99)}, {arg('b', 0.995)}",
        )
    if a is not None and b is not None:
        if error is not None:
            raise InputError(
                "a and b ask for a difference, error for an acceptance plan",
                concerning="a",
                remedy="pass one of them",
            )
        return difference_size(a, b, n, discordance, power, level, paired)
    if error is not None:
        sure = level if confidence is None else confidence
        fixed = acceptance_size(error, sure, failures, n, power, level)
        return with_sequential(fixed, error, sure, most) if sequential else fixed
    if n is not None:
        return given_cases(n, discordance, power, level)
    raise InputError(
        "nothing to go by",
        concerning="error",
        remedy=(
            f"pass two accuracies ({arg('a', 0.99)}, {arg('b', 0.995)}), an error to show "
            f"({arg('error', 0.01)}), a margin ({arg('non_inferior', 0.01)}) or the cases "
            f"there are ({arg('n', 800)})"
        ),
    )


def _between(name: str, value: float) -> None:
    if not 0 < value < 1:
        remedy = f"; for {value:g} % write {value / 100:g}" if 1 < value < 100 else ""
        raise InputError(
            f"{name} must lie strictly between 0 and 1",
            concerning=name,
            value=f"{value:g}",
            remedy=remedy,
        )


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or int(value) != value or value < 1:
        raise InputError(
            f"{name} must be a whole number of at least 1", concerning=name, value=str(value)
        )
    return int(value)
