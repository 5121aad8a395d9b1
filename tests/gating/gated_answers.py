"""Answers of two models of which one may be better."""

import numpy as np


def answers(n=1200, start=0, seed=0, better=0.0, worse=0.0, error=0.1):
    """Return right answers and both models' predictions; shares by which the candidate differs."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    wrong = rng.random(n) < error
    old = np.where(wrong, 1 - truth, truth)
    luck = rng.random(n)
    new = np.where(wrong & (luck < better), truth, old)
    new = np.where(~wrong & (luck < worse), 1 - truth, new)
    ids = [f"case {i}" for i in range(start, start + n)]
    return ids, truth, old, new
