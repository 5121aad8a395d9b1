"""
A board in tiers
================

Eight models, 300 questions, some of them easy for everyone. The order by mean is not the order of
the true rates; ranks are intervals that hold for all models at once.
"""

import matplotlib.pyplot as plt
import numpy as np

import referee

rng = np.random.default_rng(18)
easy = rng.random(300)
rates = dict(zip("abcdefgh", (0.86, 0.85, 0.85, 0.78, 0.77, 0.77, 0.6, 0.6), strict=True))
answers = {
    name: (0.6 * easy + 0.4 * rng.random(300) < 0.8 * rate).astype(int)
    for name, rate in rates.items()
}
board = referee.board(answers)
print(board.frame()[["model", "tier", "mean", "best_rank", "worst_rank"]].round(3).to_string())
board.plot()
plt.show()
