"""
Three tasks of two normal classes
=================================

The three Gaussian examples of the lecture notes: densities, the best border, and the borders that a
quadratic and a linear rule learn from 120 cases. The linear rule pays where the border is curved.
"""

import matplotlib.pyplot as plt

import referee
from referee.learners import GaussianBayes
from referee.study import EXAMPLES, true_risk

figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
for ax, (number, task) in zip(axes, EXAMPLES.items(), strict=True):
    X, y = task.sample(120, random_state=0)
    rules = {
        "quadratic": GaussianBayes().fit(X, y),
        "linear": GaussianBayes(covariance="shared").fit(X, y),
    }
    risks = [f"{name} {true_risk(task, rule).value:.3f}" for name, rule in rules.items()]
    print(f"example {number}: Bayes {task.bayes_risk().value:.6f}, " + ", ".join(risks))
    referee.GaussianTaskDisplay(task, X, y, classifiers=rules).plot(ax=ax)
    ax.set_title(f"example {number}")
plt.show()
