"""
Two files of predictions, one difference
========================================

The difference of two models on the same cases has an interval of its own, far narrower than two
separate ones would let one think.
"""

import matplotlib.pyplot as plt

import referee

truth = [0, 1] * 100
models = {"a": truth[:190] + [1, 0] * 5, "b": truth[:170] + [1, 0] * 15}
answer = referee.compare_predictions(truth, models)
print(answer.verdict.sentence)
answer.plot()
plt.show()
