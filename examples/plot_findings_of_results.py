"""
Findings about answers and intervals: R006 to R030
==================================================

Each section makes a mistake, shows what the report says, and mends it.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from mended import mended
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee

rng = np.random.default_rng(0)
truth = rng.integers(0, 2, 400)


def answers(errors, cases=truth):
    """Return answers with so many errors, at the end."""
    return np.append(cases[: len(cases) - errors], 1 - cases[len(cases) - errors :])


# %%
# R006: few test cases
# --------------------
# Twenty right answers out of twenty are no proof: with 400 cases the same share is.

mistake = referee.evaluate_predictions(truth[:20], truth[:20])
mend = referee.evaluate_predictions(truth, truth)
mended("R006", mistake, mend, twenty_cases=mistake.error, four_hundred=mend.error)

# %%
# R008: the model warned
# ----------------------
# A logistic regression was stopped before it converged. Scaled columns and enough steps mend it.

X, y = load_wine(return_X_y=True)
mistake = referee.evaluate(LogisticRegression(max_iter=3), X, y, by=5, random_state=0)
mend = referee.evaluate(
    make_pipeline(StandardScaler(), LogisticRegression()), X, y, by=5, random_state=0
)
mended("R008", mistake, mend, after_3_steps=mistake.error, converged=mend.error)

# %%
# R010: weak interval
# -------------------
# Wald's interval of 2 errors in 100 begins below 0, and covers far less often than it says.

two = answers(2, truth[:100])
mistake = referee.evaluate_predictions(truth[:100], two, interval="wald")
mend = referee.evaluate_predictions(truth[:100], two)
mended("R010", mistake, mend, wald=mistake.error, auto=mend.error)

# %%
# R011: one answer for all
# ------------------------
# With 5 % positives, always saying no is right in 95 % of cases. By cost, a miss being worth
# twenty false alarms, a model that finds three quarters is better.

rare = np.repeat([1, 0], [20, 380])
finds = np.repeat([1, 0, 1, 0], [15, 5, 20, 360])
mistake = referee.evaluate_predictions(rare, np.zeros(400, int), pos_label=1, costs=(1, 20))
mend = referee.evaluate_predictions(rare, finds, pos_label=1, costs=(1, 20))
costs = [answer.estimates["cost"] for answer in (mistake, mend)]
mended("R011", mistake, mend, always_no=costs[0], finds_three_quarters=costs[1])

# %%
# R012: scores rank the wrong way round
# -------------------------------------
# The probability of class 0 was passed where that of class 1 is meant.

probability = 1 / (1 + np.exp(-(2 * truth - 1 + rng.normal(size=400))))
guessed = (probability > 0.5).astype(int)
mistake = referee.evaluate_predictions(truth, guessed, y_score=1 - probability, pos_label=1)
mend = referee.evaluate_predictions(truth, guessed, y_score=probability, pos_label=1)
areas = [answer.estimates["auc"] for answer in (mistake, mend)]
mended("R012", mistake, mend, of_class_0=areas[0], of_class_1=areas[1])

# %%
# R014: no better than guessing
# -----------------------------
# One of two models errs more often than whoever always gives the commoner answer. That one of
# them is better is then no praise.

mistake = referee.compare_predictions(rare, {"new": finds, "old": np.repeat([1, 0], [60, 340])})
better = np.repeat([1, 0, 1, 0], [15, 5, 2, 378])
best = np.repeat([1, 0], [19, 381])
mend = referee.compare_predictions(rare, {"new": best, "old": better})
mended("R014", mistake, mend, two_poor_models=mistake.difference, two_good_ones=mend.difference)

# %%
# R020: impossible rate
# ---------------------
# A table says 99.00 % and 99.55 % of 900 cases. No whole number of cases gives the second; the
# dots are what 900 cases can give. Asked, the authors found a slip: it was 99.56 %.

mistake = referee.audit_table(["99.00", "99.55"], n=900)
mend = referee.audit_table(["99.00", "99.56"], n=900)
mended("R020", mistake, mend)
plt.figure(figsize=(6.4, 1.8), layout="constrained")
plt.plot(100 * np.arange(890, 900) / 900, [0] * 10, "o", color="C0")
plt.axvline(99.55, color="C3", linestyle="--", label="99.55 %, as printed")
plt.yticks([])
plt.xlabel("possible rates of 900 cases, in %")
plt.legend()
plt.show()

# %%
# R030: test set used before
# --------------------------
# Ten candidates are held against one baseline on the same cases. Each gate keeps its level, all
# of them together do not. A ledger counts them, and its level holds for all of them together.

folder = Path(tempfile.mkdtemp())
names = [f"case {i}" for i in range(400)]
pd.DataFrame({"id": names, "y": truth, "pred": answers(40)}).to_csv(folder / "old.csv")
asked = {"truth": "y", "on": "id", "pred": "pred", "margin": 0.03}
for _candidate in range(10):
    pd.DataFrame({"id": names, "y": truth, "pred": rng.permutation(answers(40))}).to_csv(
        folder / "new.csv"
    )
    mistake = referee.gate(folder / "old.csv", folder / "new.csv", **asked)
mend = referee.gate(folder / "old.csv", folder / "new.csv", **asked, sequential=folder / "runs")
mended("R030", mistake, mend)
runs = np.arange(1, 31)
plt.figure(layout="constrained")
plt.plot(runs, 1 - 0.95**runs, label="without a ledger")
plt.plot(runs, 0 * runs + 0.05, label="with a ledger")
plt.xlabel("candidates held against one test set")
plt.ylabel("chance that a worse one passes, at most")
plt.legend()
plt.show()
