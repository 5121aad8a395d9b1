"""
Leave-one-out against repeated cross-validation
===============================================

Both are nearly without bias for the model of all cases. Over samples of 40 cases their errors
scatter about the true risk of the model alike; more fits do not make more cases.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee
from referee.learners import GaussianBayes
from referee.study import true_risk, two_normals

task = two_normals(1.0, 3)
plans = {"leave-one-out": "loo", "10 x 5 folds": "10x5", "5 folds": 5}
distances = {name: [] for name in plans}
for seed in range(12):
    X, y = task.sample(40, random_state=seed)
    truth = true_risk(task, GaussianBayes().fit(X, y)).value
    for name, by in plans.items():
        error = referee.evaluate(GaussianBayes(), X, y, by=by, random_state=0).error.value
        distances[name].append(error - truth)
for name, values in distances.items():
    print(f"{name}: mean {np.mean(values):+.3f}, standard deviation {np.std(values, ddof=1):.3f}")
plt.boxplot(list(distances.values()), tick_labels=list(distances))
plt.axhline(0, color="grey", linewidth=0.8)
plt.ylabel("estimate less true risk")
plt.show()
