"""Indefinite kernels: a witness against a kernel that is none, and a warning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.errors import InputError
from referee.kernels import FromFunction, Kernel, Precomputed
from referee.kernels.algebra import parts
from referee.kernels.given import ASYMMETRY
from referee.learners.svm.cases import Cases, MatrixCases

__all__ = ["IndefiniteKernelWarning", "Witness", "warn_if_indefinite"]

_LOOKED_AT = 128
"""Cases whose kernel matrix is decomposed."""

_LEAST = -1e-6
"""Of the largest eigenvalue: what rounding to single precision may have done."""


_BLOCK = 64
"""Rows of a matrix whose pairs are looked at at a time."""


class IndefiniteKernelWarning(UserWarning):
    """A kernel is not positive definite, so that the problem may have several local optima."""


@dataclass(frozen=True, eq=False)
class Witness:
    """Cases and a vector t with t'Kt < 0, which no kernel allows.

    Attributes
    ----------
    rows : array of int
        The training cases.
    vector : array of float
        Of length 1.
    value : float
        t'Kt.
    """

    rows: Rows
    vector: Floats
    value: float


def warn_if_indefinite(kernel: Kernel, cases: Cases, numbers: Rows) -> Witness | None:
    """Look for a witness where the user gave the values of a kernel, and warn with it.

    Kernels made by the algebra of `referee.kernels` from sound ones are not looked at,
    those made from values or functions of the user are.

    Parameters
    ----------
    numbers : array of int
        What the cases are called in messages and in the witness.

    Raises
    ------
    InputError
        For a function that is not symmetric.
    """
    if not any(isinstance(part, Precomputed | FromFunction) for part in parts(kernel)):
        return None
    rows = np.arange(cases.n)[:: max(1, -(-cases.n // _LOOKED_AT))]
    K = cases.between(rows, rows)
    _check_symmetric(kernel, K, numbers[rows])
    witness = _witness(rows, K) or _witness_of_two(cases)
    if witness is not None:
        witness = replace(witness, rows=numbers[witness.rows])
        warnings.warn(
            f"the kernel is not positive definite: for {len(witness.rows)} training cases a vector "
            f"t has t'Kt = {witness.value:.3g} (see witness_). The solver treats negative "
            "curvature as flat, as libsvm does, and finds a stationary point that need not be the "
            "best; use a kernel, or clip negative eigenvalues",
            IndefiniteKernelWarning,
            stacklevel=4,
        )
    return witness


def _witness(rows: Rows, K: Floats) -> Witness | None:
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    if values[0] >= _LEAST * max(abs(values[-1]), abs(values[0])):
        return None
    return Witness(rows, vectors[:, 0], float(values[0]))


def _witness_of_two(cases: Cases) -> Witness | None:
    """Look at all pairs of a matrix that is at hand: no value may exceed sqrt(k(x,x) k(z,z))."""
    if not isinstance(cases, MatrixCases):
        return None
    roots = np.sqrt(np.maximum(cases.diagonal(), 0.0))
    worst, pair = 0.0, np.empty(0, dtype=np.intp)
    for start in range(0, cases.n, _BLOCK):
        excess = np.abs(cases.K[start : start + _BLOCK])
        excess -= roots[start : start + _BLOCK, None] * roots
        i, j = np.unravel_index(excess.argmax(), excess.shape)
        if excess[i, j] > worst:
            worst, pair = float(excess[i, j]), np.unique([start + i, j])
    return _witness(pair, cases.between(pair, pair)) if len(pair) else None


def _check_symmetric(kernel: Kernel, K: Floats, rows: Rows) -> None:
    apart = np.abs(K - K.T)
    if apart.max() > ASYMMETRY * np.abs(K).max():
        i, j = np.unravel_index(apart.argmax(), K.shape)
        raise InputError(
            f"the kernel {kernel} is not symmetric: it is {K[i, j]:g} for training cases "
            f"{rows[i]} and {rows[j]}, but {K[j, i]:g} for {rows[j]} and {rows[i]}",
            remedy="average the two",
        )
