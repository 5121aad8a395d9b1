"""
ROC50: the top of a ranking
===========================

Who searches a large collection looks at the first answers only. ROC50 counts the positives found
before the fiftieth false one.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee

rng = np.random.default_rng(0)
truth = np.repeat([1, 0], [60, 1200])
scores = {
    "sharp at the top": np.where(truth == 1, rng.normal(1.5, 1.5, 1260), rng.normal(size=1260)),
    "good on average": np.where(truth == 1, rng.normal(1.5, 0.6, 1260), rng.normal(size=1260)),
}
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
referee.RocDisplay.from_predictions(truth, scores, band=None, ax=axes[0])
referee.Roc50Display.from_predictions(truth, scores, ax=axes[1])
plt.show()
