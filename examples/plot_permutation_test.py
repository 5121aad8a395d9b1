"""
Would chance do as well? A permutation test
===========================================

Labels are dealt anew and the model is trained again. On the sepals of two species of iris there is
structure; on noise there is none to find.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

import referee

X, y = load_iris(return_X_y=True)
sepals, species = X[50:, :2], y[50:]
noise = np.random.default_rng(1).normal(size=sepals.shape)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharex=True, layout="constrained")
for ax, (name, features) in zip(axes, {"sepals": sepals, "noise": noise}.items(), strict=True):
    test = referee.permutation_test(
        GaussianNB(), features, species, permutations=199, random_state=0
    )
    print(f"{name}: {test.verdict.sentence}")
    test.plot(ax=ax)
    ax.set_title(name, loc="right")
plt.show()
