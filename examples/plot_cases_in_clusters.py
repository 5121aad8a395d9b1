"""
Questions in clusters: R040
===========================

Two hundred questions on eight passages. What questions of one passage have in common is poorly
known from so few; the interval is honest about that, and the finding names it.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee

rng = np.random.default_rng(0)
passage = np.repeat(np.arange(8), 25)
score = (rng.random(200) < rng.beta(2, 2, 8)[passage]).astype(int)
table = {"item": np.arange(200), "score": score}
without = referee.evaluate_scores(table)
clustered = referee.evaluate_scores({**table, "cluster": passage})
print([finding.code for finding in clustered.findings])
for place, answer in enumerate((without, clustered)):
    interval = answer.estimate.interval
    print(f"{interval.low:.3f} to {interval.high:.3f} ({interval.method})")
    plt.plot([place, place], [interval.low, interval.high], color="black")
    plt.plot(place, answer.estimate.value, "o", color="black")
plt.xticks([0, 1], ["200 questions", "8 passages of 25"])
plt.xlim(-0.5, 1.5)
plt.ylabel("mean score, with its interval")
plt.show()
