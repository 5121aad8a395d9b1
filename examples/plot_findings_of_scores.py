"""
Findings about scores: R040 to R045
===================================

One number for each question and model. Each section makes a mistake, shows what the report says,
and mends it.
"""

import numpy as np
import pandas as pd
from mended import mended

import referee

rng = np.random.default_rng(0)


def right(rate, n=200):
    """Return right and wrong answers to n questions."""
    return (rng.random(n) < rate).astype(int)


# %%
# R040: few clusters
# ------------------
# Two hundred questions on four texts are hardly worth more than four; on fifty texts they are.

passage = np.repeat(np.arange(50), 4)
ease = rng.uniform(0.3, 0.9, 50)[passage]
scores = (rng.random(200) < ease).astype(int)
mistake = referee.evaluate_scores(np.sort(scores), cluster=np.repeat(np.arange(4), 50))
mend = referee.evaluate_scores(scores, cluster=passage)
mended("R040", mistake, mend, four_texts=mistake.estimate, fifty_texts=mend.estimate)

# %%
# R041: items that not all models have
# ------------------------------------
# Forty answers of bell failed and left no row. The mend scores a failed answer as wrong.

table = pd.DataFrame(
    [(f"q{i}", name, score) for name in ("ada", "bell") for i, score in enumerate(right(0.7))],
    columns=["item", "model", "score"],
)
failed = (table["model"] == "bell") & table["item"].isin([f"q{i}" for i in range(40)])
mistake = referee.compare_scores(table[~failed])
mend = referee.compare_scores(table.assign(score=table["score"].where(~failed, 0)))
mended("R041", mistake, mend, left_out=mistake.difference, counted_as_wrong=mend.difference)

# %%
# R042: scores at floor or ceiling
# --------------------------------
# Both models get nearly every question right. Harder questions tell them apart.

mistake = referee.compare_scores({"ada": right(0.99), "bell": right(0.98)})
mend = referee.compare_scores({"ada": right(0.75), "bell": right(0.55)})
mended("R042", mistake, mend, easy_questions=mistake.difference, harder_ones=mend.difference)

# %%
# R043: whole runs differ
# -----------------------
# In the third run something changed: every answer is a little better. The interval counts how
# answers scatter within questions, not that. The mend runs all three under one setting.

item, run = np.repeat(np.arange(40), 3), np.tile([1, 2, 3], 40)
marks = np.repeat(rng.uniform(0.3, 0.6, 40), 3) + rng.normal(0, 0.05, 120)
runs = pd.DataFrame({"item": item, "run": run, "score": marks})
mistake = referee.evaluate_scores(runs.assign(score=marks + 0.1 * (run == 3)))
mend = referee.evaluate_scores(runs)
mended("R043", mistake, mend, third_run_changed=mistake.estimate, all_alike=mend.estimate)

# %%
# R044: marked items are no random draw
# -------------------------------------
# People marked the answers that the judge liked best, and say little about the rest.

people = right(0.5)
judge = np.clip(0.6 * people + 0.4 * rng.random(200), 0, 1)
liked, drawn = judge >= np.sort(judge)[-60], np.isin(np.arange(200), rng.choice(200, 60, False))
mistake = referee.evaluate_scores(judge, human=np.where(liked, people, np.nan))
mend = referee.evaluate_scores(judge, human=np.where(drawn, people, np.nan))
mended("R044", mistake, mend, the_ones_it_liked=mistake.estimate, a_random_draw=mend.estimate)

# %%
# R045: no item in common
# -----------------------
# The same questions bear other names in the second file, so that nothing is paired, and the
# interval of the difference is wider than it need be.

hard = rng.random(200)
paired = pd.DataFrame(
    [
        (f"q{i}", name, int(0.7 * hard[i] + 0.3 * rng.random() < rate))
        for name, rate in {"ada": 0.6, "bell": 0.5}.items()
        for i in range(200)
    ],
    columns=["item", "model", "score"],
)
other_names = paired["item"].where(paired["model"] == "ada", "item " + paired["item"].str[1:])
mistake = referee.compare_scores(paired.assign(item=other_names))
mend = referee.compare_scores(paired)
mended("R045", mistake, mend, as_two_samples=mistake.difference, paired=mend.difference)
