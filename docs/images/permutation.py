"""Draw the picture of a permutation test: python docs/images/permutation.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import referee

HERE = Path(__file__).parent


def crosswise(n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Return cases whose class is told by two features together, by neither alone."""
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=(n, 2))
    return signs + rng.normal(scale=0.6, size=signs.shape), (signs.prod(axis=1) > 0).astype(int)


def main() -> None:
    """Print the sentences, and draw the histograms of two tests side by side."""
    X, y = load_iris(return_X_y=True)
    versicolor = y > 0  # sepals of two species that overlap
    sepals, species = X[versicolor, :2], y[versicolor]
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    tests = {
        "sepals, labels": referee.permutation_test(
            GaussianNB(), sepals, species, permutations=999, random_state=0
        ),
        "sepals, features": referee.permutation_test(
            GaussianNB(), sepals, species, permutations=199, null="features", random_state=0
        ),
        "noise, labels": referee.permutation_test(
            GaussianNB(), np.random.default_rng(1).normal(size=sepals.shape), species,
            permutations=999, stop_after=20, random_state=0,
        ),
        "crosswise, features": referee.permutation_test(
            tree, *crosswise(), permutations=199, null="features", random_state=0
        ),
    }  # fmt: skip
    for name, test in tests.items():
        print(f"{name}: {test.verdict.sentence}")  # noqa: T201
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharex=True, layout="constrained")
    for ax, name in zip(axes, ("sepals, labels", "sepals, features"), strict=True):
        tests[name].plot(ax=ax)
        ax.set_title(f"null hypothesis: {tests[name].hypothesis}", fontsize=9, loc="left")
    figure.savefig(HERE / "permutation.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
