"""
Fewer cases for a nearest neighbour: the border and condensing
==============================================================

Cases whose Voronoi region touches one of another class give all answers that all cases give. Hart's
condensing keeps fewer, and answers a little differently.
"""

import matplotlib.pyplot as plt
import numpy as np

from referee.learners import BoundaryKNN, CondensedKNN
from referee.study import two_normals

X, y = two_normals(1.2, 2).sample(120, random_state=0)
figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
for ax, rule in zip(axes, (BoundaryKNN(), CondensedKNN()), strict=True):
    rule.fit(X, y)
    grid = np.stack(np.meshgrid(np.linspace(-4, 4, 80), np.linspace(-3.5, 3.5, 80)), axis=-1)
    answers = rule.predict(grid.reshape(-1, 2)).reshape(80, 80)
    ax.contourf(grid[..., 0], grid[..., 1], answers == rule.classes_[1], alpha=0.2, levels=1)
    ax.scatter(*X.T, c=y == rule.classes_[1], s=12, alpha=0.4, cmap="coolwarm")
    ax.scatter(*X[rule.kept_].T, facecolors="none", edgecolors="black", s=30)
    ax.set_title(f"{type(rule).__name__} keeps {rule.n_kept_} of {len(X)}")
    print(f"{type(rule).__name__} keeps {rule.n_kept_} of {len(X)} cases")
plt.show()
