"""Learners written out for all splits at once: answers of (X, y, train, split, case).

Row r of `train` marks the rows that split r trains on; row i of the answer is what split
`split[i]` says of case `case[i]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

__all__ = ["LEARNERS", "Learner"]

Learner: TypeAlias = Callable[..., Any]


def _moments(X, y, train):  # type: ignore[no-untyped-def]
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    counts, means, scatter = [], [], 0.0
    for c in (0, 1):
        mask = train * (y == c)
        n = mask.sum(axis=1)
        mean = mask @ X / n[:, None]
        second = (mask @ products).reshape(-1, X.shape[1], X.shape[1])
        scatter = scatter + second - n[:, None, None] * mean[:, :, None] * mean[:, None, :]
        counts.append(n)
        means.append(mean)
    return np.array(counts), np.array(means), scatter


def _linear(weights, offset, X, split, case):  # type: ignore[no-untyped-def]
    return np.einsum("ij,ij->i", X[case], weights[split]) + offset[split] > 0


def lda(X, y, train, split, case):  # type: ignore[no-untyped-def]
    """Linear discriminant analysis with the classes' shares as priors."""
    counts, means, scatter = _moments(X, y, train)
    pooled = scatter / np.maximum(counts.sum(axis=0) - 2, 1)[:, None, None]
    w = np.linalg.solve(pooled + 1e-9 * np.eye(X.shape[1]), (means[1] - means[0])[:, :, None])
    middle = np.einsum("ij,ij->i", w[:, :, 0], means.sum(axis=0)) / 2
    return _linear(w[:, :, 0], np.log(counts[1] / counts[0]) - middle, X, split, case)


def nearest_mean(X, y, train, split, case):  # type: ignore[no-untyped-def]
    """The class whose mean is nearer."""
    _, means, _ = _moments(X, y, train)
    w = means[1] - means[0]
    return _linear(w, -np.einsum("ij,ij->i", w, means.sum(axis=0)) / 2, X, split, case)


def naive_bayes(X, y, train, split, case):  # type: ignore[no-untyped-def]
    """Gaussian naive Bayes."""
    score = 0.0
    for c, sign in ((0, -1), (1, 1)):
        mask = train * (y == c)
        n = mask.sum(axis=1)[:, None]
        mean = mask @ X / n
        variance = np.maximum(mask @ X**2 / n - mean**2, 1e-3)
        distance = (X[case] - mean[split]) ** 2 / variance[split] + np.log(variance[split])
        score = score + sign * (np.log(n[split, 0]) - distance.sum(axis=1) / 2)
    return score > 0


def neighbours(k: int) -> Learner:
    """Return the vote of the k nearest rows."""

    def answer(X, y, train, split, case):  # type: ignore[no-untyped-def]
        distance = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
        # The nearest 60 rows hold 9 of any training set here, as good as surely.
        order = np.argsort(distance, axis=1)[:, :60][case]
        here = np.take_along_axis(train[split], order, axis=1)
        near = here & (np.cumsum(here, axis=1, dtype=np.int16) <= k)
        return 2 * (near & (y[order] == 1)).sum(axis=1) > k

    return answer


def stump(X, y, train, split, case):  # type: ignore[no-untyped-def]
    """The best threshold on one feature."""
    rows = np.arange(len(train))
    best = np.full(len(train), np.inf)
    feature, threshold, sign = (np.zeros(len(train)) for _ in range(3))
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j])
        ones = np.cumsum(train[:, order] * y[order], axis=1)
        zeros = np.cumsum(train[:, order] * (1 - y[order]), axis=1)
        cut = np.append((X[order, j][1:] + X[order, j][:-1]) / 2, np.inf)
        for way, wrong in ((1, ones + zeros[:, -1:] - zeros), (-1, zeros + ones[:, -1:] - ones)):
            at = np.argmin(wrong, axis=1)
            better = wrong[rows, at] < best
            best = np.where(better, wrong[rows, at], best)
            feature, threshold, sign = (
                np.where(better, new, old)
                for new, old in ((j, feature), (cut[at], threshold), (way, sign))
            )
    x = X[case, feature[split].astype(int)]
    return sign[split] * np.sign(x - threshold[split]) > 0


LEARNERS: dict[str, Learner] = {
    "lda": lda,
    "nearest mean": nearest_mean,
    "naive bayes": naive_bayes,
    "1-nn": neighbours(1),
    "3-nn": neighbours(3),
    "5-nn": neighbours(5),
    "9-nn": neighbours(9),
    "stump": stump,
}
