"""
Probabilities that are too sure
===============================

Two models rank alike, so the area under the ROC curve cannot tell them apart. One is too sure of
itself; every bin has its interval.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee

rng = np.random.default_rng(0)
chance = rng.random(400)
truth = (rng.random(400) < chance).astype(int)
bold = np.clip(2 * chance - 0.5, 0.01, 0.99)
referee.ReliabilityDisplay.from_predictions(truth, {"too sure": bold}, bins=8)
plt.show()
