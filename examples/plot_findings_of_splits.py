"""
Findings about who trains and who tests: R001 to R018
=====================================================

Each section makes a mistake, shows what the report says, and mends it.
"""

import numpy as np
from mended import mended
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import referee

X, y = load_iris(return_X_y=True)
rng = np.random.default_rng(0)
noise, coins = rng.normal(size=(120, 3)), rng.integers(0, 2, 120)

# %%
# R001: training error only
# -------------------------
# One nearest neighbour makes no error on the rows it has stored, even where the classes are
# tossed coins. No estimate is made of that; folds tell that nothing was learned.

mistake = referee.evaluate(KNeighborsClassifier(1), noise, coins, by="resubstitution")
mend = referee.evaluate(KNeighborsClassifier(1), noise, coins, by=5, random_state=0)
mended("R001", mistake, mend, on_rows_it_knows=mistake.training_error, on_new_rows=mend.error)

# %%
# R002: test cases in the training set
# ------------------------------------
# Sixty rows were entered twice, and a tree remembers them. The mend keeps copies together.

twice, label = np.vstack([noise, noise[:60]]), np.append(coins, coins[:60])
case = np.append(np.arange(120), np.arange(60))
tree = DecisionTreeClassifier(random_state=0)
mistake = referee.evaluate(tree, twice, label, by=5, random_state=0)
mend = referee.evaluate(tree, twice, label, by=5, groups=case, random_state=0)
mended("R002", mistake, mend, copies_torn_apart=mistake.error, copies_together=mend.error)

# %%
# R003: groups are split
# ----------------------
# Five rows of each of forty subjects, and a label for each subject that means nothing. Folds that
# know nothing of subjects let the tree recognise them.

subject = np.repeat(np.arange(40), 5)
health = rng.permutation(np.tile([0, 1], 20))[subject]
measured = rng.normal(size=(40, 4))[subject] + 0.1 * rng.normal(size=(200, 4))
by_row = KFold(5, shuffle=True, random_state=0)
mistake = referee.evaluate(tree, measured, health, by=by_row, groups=subject)
mend = referee.evaluate(tree, measured, health, by=5, groups=subject, random_state=0)
mended("R003", mistake, mend, subjects_torn_apart=mistake.error, subjects_kept_whole=mend.error)

# %%
# R004: rows are in order
# -----------------------
# Iris is sorted by species. Folds that take rows as they come train without the species they are
# tested on. The mend shuffles the rows before they are dealt out.

mistake = referee.evaluate(GaussianNB(), X, y, by=KFold(3))
order = rng.permutation(150)
mend = referee.evaluate(GaussianNB(), X[order], y[order], by=3, random_state=0)
mended("R004", mistake, mend, as_they_come=mistake.error, shuffled=mend.error)

# %%
# R005: classes too small for the splits
# --------------------------------------
# Of the third species four flowers are left: some resamples draw none of them, and their model
# cannot know it. The mend is to collect more.

few = order[(y[order] < 2) | (np.cumsum(y[order] == 2) <= 4)]
mistake = referee.evaluate(GaussianNB(), X[few], y[few], by="bootstrap", random_state=0)
mend = referee.evaluate(GaussianNB(), X[order], y[order], by="bootstrap", random_state=0)
mended("R005", mistake, mend, four_flowers=mistake.error, fifty_flowers=mend.error)

# %%
# R007: interpolating learner under .632
# --------------------------------------
# The .632 rule mixes the out-of-bag error with the training error, and one neighbour has none:
# it would promise .18 where coins were tossed. It is refused, and cross-validation serves.

mistake = referee.evaluate(KNeighborsClassifier(1), noise, coins, by="bootstrap", random_state=0)
mend = referee.evaluate(KNeighborsClassifier(1), noise, coins, by="cv", random_state=0)
mended("R007", mistake, mend, out_of_bag_instead=mistake.error, cross_validation=mend.error)

# %%
# R017: errors come in stretches of time
# --------------------------------------
# The answers go wrong in one stretch of time, as when a sensor is loose: sixty cases of one hour
# are not sixty independent ones. The mend is to test over a longer time, with many such hours.

truth = rng.integers(0, 2, 300)
answers = np.where(np.arange(300) // 60 == 2, 0, truth)
mistake = referee.evaluate_predictions(truth, answers, time=np.arange(300))
spread = np.where(rng.permutation(300) // 60 == 2, 0, truth)
mend = referee.evaluate_predictions(truth, spread, time=24 * np.arange(300))
mended("R017", mistake, mend, one_day=mistake.error, a_year=mend.error)

# %%
# R018: leave-one-out mirrors the majority
# ----------------------------------------
# Whoever answers with the majority is always wrong about the case that was left out, where both
# classes are equally common: its own class is then the smaller one.

even = np.tile([0, 1], 60)
mistake = referee.evaluate(DummyClassifier(), noise, even, by="loo")
mend = referee.evaluate(DummyClassifier(), noise, even, by="10x10", random_state=0)
mended("R018", mistake, mend, leaving_out_one=mistake.error, stratified_folds=mend.error)
