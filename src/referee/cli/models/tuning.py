"""--tune PARAMETER=VALUES: models of the command line that choose their parameters themselves."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Grid", "grid_of", "tuned_models"]

Grid = Mapping[str, list[Any]]
"""Parameters and the values to try."""


def grid_of(requests: Sequence[str] | None) -> Grid:
    """Return the parameters and values that --tune names.

    Examples
    --------
    >>> grid_of(["n_neighbors=1,3,5", "weights=uniform,distance"])
    {'n_neighbors': [1, 3, 5], 'weights': ['uniform', 'distance']}
    """
    from referee.errors import InputError

    grid: dict[str, list[Any]] = {}
    for request in requests or ():
        name, sign, values = (part.strip() for part in request.partition("="))
        if not sign or not name.isidentifier() or not values:
            raise InputError(
                f"--tune must name a parameter and values, got {request!r}",
                concerning="tune",
                remedy="write --tune n_neighbors=1,3,5",
            )
        if name in grid:
            raise InputError(
                f"--tune names {name!r} twice",
                concerning="tune",
                remedy="write all its values after one =",
            )
        grid[name] = _values(values, request)
    return grid


def _values(text: str, request: str) -> list[Any]:
    """Return the values between commas: literals, or else words."""
    from referee.errors import InputError

    try:
        read = ast.literal_eval(f"[{text}]")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        read = [_value(part.strip()) for part in text.split(",")]
    if "" in read:
        raise InputError(
            f"--tune {request!r} has an empty value between commas",
            concerning="tune",
            remedy="remove it",
        )
    return list(read)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def tuned_models(
    models: Mapping[str, Any], features: Any, grid: Grid, inner_folds: int
) -> dict[str, Any]:
    """Return the models made ready for a table, each tuned over the parameters it has.

    Preparation is part of what is tuned, so that inner folds learn it from their own rows.
    """
    from referee.choosing.tuning import Tuned
    from referee.errors import InputError, nearest
    from referee.learners import for_table
    from referee.learners.last_step import last_step

    prepared = {name: for_table(model, features) for name, model in models.items()}
    if not grid:
        return prepared
    known = {name: last_step(model)[1].get_params() for name, model in prepared.items()}
    for parameter in grid:
        if not any(parameter in own for own in known.values()):
            every = sorted({p for own in known.values() for p in own})
            raise InputError(
                f"--tune: {' and '.join(models)} has no parameter {parameter!r}",
                concerning="tune",
                remedy=nearest(parameter, every),
            )
    tuned = {}
    for name, model in prepared.items():
        own = {p: values for p, values in grid.items() if p in known[name]}
        tuned[name] = Tuned(model, own, by=inner_folds) if own else model
        if own:
            tuned[name].check_options()
    return tuned
