"""Randomness is an argument; children are spawned, so that parallel equals serial."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from referee.errors import InputError

__all__ = ["RandomState", "Seed", "child", "integer_seed"]

RandomState: TypeAlias = int | np.random.Generator | np.random.RandomState | None
"""What users may pass as ``random_state``, as in scikit-learn."""

Seed: TypeAlias = int
"""One number from which all randomness of a result follows."""

_LARGEST = 2**32


def integer_seed(random_state: RandomState) -> Seed:
    """Return the one integer from which everything random is derived.

    ``None`` draws a fresh one; the result records it, so that any run can be repeated.

    Examples
    --------
    >>> integer_seed(7)
    7
    >>> 0 <= integer_seed(None) < 2**32
    True
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_LARGEST))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(_LARGEST, dtype=np.int64))
    if isinstance(random_state, (int, np.integer)) and 0 <= random_state < _LARGEST:
        return int(random_state)
    raise InputError(
        "must be a whole number from 0 to 4294967295 (or None, or a numpy generator)",
        argument="random_state",
        value=repr(random_state),
    )


def child(seed: Seed, *path: int) -> Seed:
    """Return the seed of the child at `path`: the same for any number of jobs.

    Examples
    --------
    >>> child(0, 1) == child(0, 1), child(0, 1) == child(0, 2)
    (True, False)
    """
    state = np.random.SeedSequence(seed, spawn_key=tuple(path)).generate_state(1)
    return int(state[0])
