"""
Training error, holdout and bootstrap against the Bayes error
=============================================================

The assignment of the lecture notes: a quadratic rule learns from 50 cases of each class in more and
more dimensions. The training error falls while the truth rises; the bootstrap's correction of it is
too small.
"""

import matplotlib.pyplot as plt

from referee.study import bayes_error_study

study = bayes_error_study(dims=(2, 5, 10), repetitions=10, random_state=0)
print(study.conclusion)

# %%
# Means over ten samples a dimension:

study.plot()
plt.show()
