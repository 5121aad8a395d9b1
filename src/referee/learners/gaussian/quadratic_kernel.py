"""Compiled loops: many small covariance matrices inverted at once, and many answers decided."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.machine.compiling import compiled

__all__ = ["decide", "invert_covariances"]

_LANES = 8
"""Matrices worked on side by side, so that every step of the algebra fills a vector register."""


@compiled
def _cholesky(C: Floats, sound: Floats, log_det: Floats) -> None:
    """Replace the lower triangles of C by their Cholesky factors, row by row."""
    for i in range(len(C)):
        for j in range(i + 1):
            left = C[i, j].copy()
            for m in range(j):
                for v in range(_LANES):
                    left[v] -= C[i, m, v] * C[j, m, v]
            if i > j:
                for v in range(_LANES):
                    C[i, j, v] = left[v] / C[j, j, v]
                continue
            for v in range(_LANES):
                if not left[v] > 0.0:
                    sound[v] = 0.0
                    left[v] = 1.0
                C[i, i, v] = np.sqrt(left[v])
                log_det[v] += np.log(left[v])


@compiled
def _invert_triangle(L: Floats) -> None:
    """Replace lower triangles by their inverses."""
    for j in range(len(L)):
        for v in range(_LANES):
            L[j, j, v] = 1.0 / L[j, j, v]
        for i in range(j + 1, len(L)):
            done = np.zeros(_LANES)
            for m in range(j, i):
                for v in range(_LANES):
                    done[v] += L[i, m, v] * L[m, j, v]
            for v in range(_LANES):
                L[i, j, v] = -done[v] / L[i, i, v]


@compiled
def _square(L: Floats, A: Floats) -> None:
    """Fill A with L' L for lower triangles L."""
    for i in range(len(L)):
        for j in range(i + 1):
            total = np.zeros(_LANES)
            for m in range(i, len(L)):
                for v in range(_LANES):
                    total[v] += L[m, i, v] * L[m, j, v]
            for v in range(_LANES):
                A[i, j, v] = total[v]
                A[j, i, v] = total[v]


@compiled
def invert_covariances(
    counts: Floats,
    moments: Floats,
    shrinkage: float,
    ridge: float,
    reach: Floats,
    before: Floats,
    terms: Floats,
    constants: Floats,
    condition: Floats,
    size: Floats,
    least: Floats,
) -> None:
    """Turn B sets of moments into the coefficients of B quadratic discriminants.

    Problem: for each column b, with C the regularised covariance, -1/2 (z - mean)' C^-1 (z - mean)
    - 1/2 log det C as a linear function of the products z_i z_j (i <= j) and the z_i. Method:
    Cholesky, the inverse of the triangle, its square.

    Parameters
    ----------
    counts : array of shape (B,)
    moments : array of shape (p + d, B)
        Sums of the products and of the features, p = d (d + 1) / 2.
    reach : array of shape (d,)
        The largest absolute value of each feature where the discriminants will be evaluated.
    before : array of shape (d, B)
        Sums of squares from which the moments came by subtraction; what they exceed the variances
        by is lost in precision.
    terms, constants : arrays of shape (p + d, B) and (B,), filled
        The coefficients.
    condition, size : arrays of shape (B,), filled
        Their product bounds the rounding error in units of the machine's precision; the condition
        is infinite where C is not positive definite.
    least : array of shape (B,), filled
        A lower bound of the smallest eigenvalue of C.
    """
    B = counts.shape[0]
    d = reach.shape[0]
    p = d * (d + 1) // 2
    C = np.empty((d, d, _LANES))
    A = np.empty((d, d, _LANES))
    mean = np.empty((d, _LANES))
    scale = np.empty((d, _LANES))
    for start in range(0, B, _LANES):
        at = np.minimum(start + np.arange(_LANES), B - 1)
        sound = np.ones(_LANES)
        log_det = np.zeros(_LANES)
        trace = np.zeros(_LANES)
        for i in range(d):
            for v in range(_LANES):
                mean[i, v] = moments[p + i, at[v]] / counts[at[v]]
        r = 0
        for i in range(d):
            for j in range(i, d):
                for v in range(_LANES):
                    C[j, i, v] = moments[r, at[v]] / counts[at[v]] - mean[i, v] * mean[j, v]
                r += 1
            for v in range(_LANES):
                trace[v] += C[i, i, v]
        if shrinkage != 0.0 or ridge != 0.0:
            for i in range(d):
                for j in range(i + 1):
                    for v in range(_LANES):
                        C[i, j, v] *= (1 - ridge) * (1 - shrinkage)
                for v in range(_LANES):
                    C[i, i, v] += (1 - ridge) * shrinkage * trace[v] / d + ridge
        for i in range(d):
            for v in range(_LANES):
                scale[i, v] = C[i, i, v]
        _cholesky(C, sound, log_det)
        _invert_triangle(C)
        _square(C, A)
        spread = np.zeros(_LANES)
        for i in range(d):
            for v in range(_LANES):
                spread[v] += scale[i, v]
        reached = np.zeros(_LANES)
        norm = np.zeros(_LANES)
        scaled = np.zeros(_LANES)
        for i in range(d):
            for j in range(d):
                for v in range(_LANES):
                    reached[v] += abs(A[i, j, v]) * reach[i] * reach[j]
                    norm[v] += A[i, j, v] ** 2
                    scaled[v] += A[i, j, v] ** 2 * scale[i, v] * scale[j, v]
        for v in range(min(_LANES, B - start)):
            b = start + v
            r = 0
            linear_part = 0.0
            for i in range(d):
                acc_i = 0.0
                for j in range(d):
                    acc_i += A[i, j, v] * mean[j, v]
                terms[p + i, b] = acc_i
                linear_part += acc_i * mean[i, v]
                terms[r, b] = -0.5 * A[i, i, v]
                r += 1
                for j in range(i + 1, d):
                    terms[r, b] = -A[i, j, v]
                    r += 1
            constants[b] = -0.5 * (linear_part + log_det[v])
            condition[b] = np.inf
            size[b] = 1.0
            least[b] = 0.0
            if sound[v] > 0 and np.isfinite(norm[v]):
                # Cholesky errs like the condition of the matrix with unit diagonal.
                lost = 1.0
                for i in range(d):
                    lost = max(lost, before[i, b] / counts[b] / scale[i, v])
                grown = max(d * np.sqrt(scaled[v]), np.sqrt(spread[v] * np.sqrt(norm[v])))
                condition[b] = lost * grown
                size[b] = 1.0 + reached[v] + abs(log_det[v])
                least[b] = 1.0 / np.sqrt(norm[v])


@compiled
def decide(values: Floats, predicted: Codes, closest: Floats) -> None:
    """Find the largest discriminant of every case and how close the second comes.

    Parameters
    ----------
    values : array of shape (k, n, B)
        The discriminants; with k = 1 the difference, second class minus first.
    predicted : array of shape (n, B), filled
        The first of the largest.
    closest : array of shape (B,), filled
        The smallest difference between the two best of a case.
    """
    k, n, B = values.shape
    closest[:] = np.inf
    if k == 1:
        for i in range(n):
            for b in range(B):
                gap = values[0, i, b]
                predicted[i, b] = gap > 0.0
                closest[b] = min(closest[b], abs(gap))
        return
    for i in range(n):
        for b in range(B):
            best, second, winner = values[0, i, b], -np.inf, 0
            for c in range(1, k):
                g = values[c, i, b]
                if g > best:
                    best, second, winner = g, best, c
                elif g > second:
                    second = g
            predicted[i, b] = winner
            closest[b] = min(closest[b], best - second)
