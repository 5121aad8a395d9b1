"""
The error of a model, with its interval
=======================================

Ten folds are not ten experiments: their training sets overlap. The interval that `referee.evaluate`
gives pays for that, and every other measure has an interval of its own.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

import referee

X, y = load_breast_cancer(return_X_y=True)
answer = referee.evaluate(
    GaussianNB(), X, y, by=10, pos_label=0, random_state=0, name="naive Bayes"
)
print(answer.verdict.sentence)

# %%
# All measures, each with its interval:

referee.IntervalDisplay.from_evaluation(answer)
plt.show()
