"""
Two normal classes, and what a learner makes of them
====================================================

Where the densities are known, so is the true error of any rule. The picture shows the cases, the
optimal border and the borders of two learners.
"""

import matplotlib.pyplot as plt

import referee
from referee.learners import GaussianBayes
from referee.study import EXAMPLES, true_risk

task = EXAMPLES[2]
X, y = task.sample(120, random_state=0)
learners = {
    "quadratic": GaussianBayes().fit(X, y),
    "linear": GaussianBayes(covariance="shared").fit(X, y),
}
for name, learner in learners.items():
    print(f"{name}: true error {true_risk(task, learner).value:.4f}")

# %%
# The classes, and the borders between them:

referee.GaussianTaskDisplay(task, X, y, classifiers=learners).plot_all()
plt.show()
