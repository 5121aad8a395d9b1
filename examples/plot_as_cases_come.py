"""
An error while cases come in
============================

The interval holds at all times at once, so that one may stop when the claim is decided.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee

rng = np.random.default_rng(1)
truth = rng.integers(0, 2, 300)
answers = np.where(rng.random(300) < 0.04, 1 - truth, truth)
referee.SequenceDisplay.from_predictions(truth, answers, limit=0.1)
plt.show()
