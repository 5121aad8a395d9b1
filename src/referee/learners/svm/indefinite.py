"""Indefinite kernels: a witness against a kernel that is none, and a warning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.learners.kernels import FromFunction, Kernel, Precomputed
from referee.learners.svm.cases import Cases

__all__ = ["IndefiniteKernelWarning", "Witness", "warn_if_indefinite"]

_LOOKED_AT = 128
"""Cases whose kernel matrix is decomposed."""

_LEAST = -1e-6
"""Of the largest eigenvalue: what rounding to single precision may have done."""


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


def warn_if_indefinite(kernel: Kernel, cases: Cases) -> Witness | None:
    """Look for a witness where the user gave the values of a kernel, and warn with it.

    Kernels made by the algebra of `referee.learners.kernels` from sound ones are not looked at.
    """
    if not isinstance(kernel, Precomputed | FromFunction):
        return None
    rows = np.arange(cases.n)[:: max(1, -(-cases.n // _LOOKED_AT))]
    K = cases.between(rows, rows)
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    if values[0] >= _LEAST * max(abs(values[-1]), abs(values[0])):
        return None
    witness = Witness(rows, vectors[:, 0], float(values[0]))
    warnings.warn(
        f"the kernel is not positive definite: for {len(rows)} training cases a vector t has "
        f"t'Kt = {witness.value:.3g} (see witness_). The solver treats negative curvature as flat, "
        "as libsvm does, and finds a stationary point that need not be the best; use a kernel, or "
        "clip negative eigenvalues",
        IndefiniteKernelWarning,
        stacklevel=4,
    )
    return witness
