"""
Findings about columns and rows: R009 to R016
=============================================

Each section makes a mistake, shows what the report says, and mends it.
"""

import numpy as np
import pandas as pd
from mended import mended
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import referee

flowers = load_iris(as_frame=True).frame.sample(frac=1, random_state=0).reset_index(drop=True)
features, species = flowers.drop(columns="target").iloc[:, :2], flowers["target"]
tree = DecisionTreeClassifier(random_state=0)
rng = np.random.default_rng(0)

# %%
# R009: columns that tell nothing
# -------------------------------
# A join went wrong and left a column that has one value for all.

joined = features.assign(site=1)
mistake = referee.evaluate(tree, joined, species, by=5, random_state=0)
mend = referee.evaluate(tree, features, species, by=5, random_state=0)
mended("R009", mistake, mend, with_the_column=mistake.error, without_it=mend.error)

# %%
# R013: the target is among the features
# --------------------------------------
# A code that was written down after the diagnosis. An error of 0 is too good to be true.

mistake = referee.evaluate(
    GaussianNB(), features.assign(code=10 - species), species, by=5, random_state=0
)
mend = referee.evaluate(GaussianNB(), features, species, by=5, random_state=0)
mended("R013", mistake, mend, with_the_code=mistake.error, without_it=mend.error)

# %%
# R015: near-copies of test cases in the training set
# ---------------------------------------------------
# Forty rows were measured again: nearly the same numbers, not the same. Classes are tossed coins.

numbers = rng.normal(size=(120, 3))
again = numbers[:40] * (1 + 1e-9 * rng.normal(size=(40, 3)))
coins = rng.integers(0, 2, 120)
rows, classes = np.vstack([numbers, again]), np.append(coins, coins[:40])
sample = np.append(np.arange(120), np.arange(40))
mistake = referee.evaluate(tree, rows, classes, by=5, random_state=0)
mend = referee.evaluate(tree, rows, classes, by=5, groups=sample, random_state=0)
mended("R015", mistake, mend, taken_for_new=mistake.error, one_group_each=mend.error)

# %%
# R016: a column looks like an id of repeated units
# -------------------------------------------------
# Four visits of each of forty patients, who are ill or not for reasons that no column knows.

patient = rng.permutation(np.repeat(np.arange(40), 4))
ill = (patient % 2).astype(int)
visits = pd.DataFrame({"pulse": rng.normal(70, 8, 160), "patient": patient})
mistake = referee.evaluate(tree, visits, ill, by=5, random_state=0)
mend = referee.evaluate(tree, visits[["pulse"]], ill, groups=patient, by=5, random_state=0)
mended("R016", mistake, mend, id_as_a_feature=mistake.error, id_as_groups=mend.error)
