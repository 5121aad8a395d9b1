"""
Findings about evaluation logs: R050 to R056
============================================

Logs tell more than scores: how a model was asked, who marked the answers, what failed. Each section
makes a mistake, shows what the report says, and mends it. The logs are small ones in the format of
Inspect.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
from mended import mended

import referee

FOLDER = Path(tempfile.mkdtemp())
rng = np.random.default_rng(0)
ease = rng.random(60)


def log(
    name, rate, *, judge=None, scorer="match", questions=None, failed=(), status="success", **plan
):
    """Write the log of a model that answers about this share of questions; return its path."""
    said = [f"What is {i} plus {i}?" for i in range(60)] if questions is None else questions
    right = 0.6 * ease + 0.4 * rng.random(60) < rate
    samples = [
        {"id": f"q{i}", "epoch": 1, "input": text, "target": "", "error": {"message": "time out"}}
        if i in failed
        else {
            "id": f"q{i}",
            "epoch": 1,
            "input": text,
            "target": "",
            "scores": {scorer: {"value": "IC"[int(right[i])]}},
        }
        for i, text in enumerate(said)
    ]
    about = {"task": "sums", "model": name}
    if judge:
        about["model_roles"] = {"grader": {"model": judge}}
    path = FOLDER / f"{name}-{len(list(FOLDER.iterdir()))}.json"
    steps = [{"solver": "generate", "params": plan}]
    header = {"version": 2, "status": status, "eval": about, "plan": {"steps": steps}}
    path.write_text(json.dumps({**header, "samples": samples}))
    return path


ada, bell = log("ada", 0.7), log("bell", 0.5)

# %%
# R050: the same question more than once
# --------------------------------------
# Fifteen questions stand in the data set twice, and each counts as two. Without the copies the
# interval is a little wider, and true.

said = [f"What is {i % 45} plus {i % 45}?" for i in range(60)]
mistake = referee.evaluate_scores(log("ada", 0.7, questions=said))
mend = referee.evaluate_scores(log("ada", 0.7, questions=said[:45]))
mended("R050", mistake, mend, with_copies=mistake.estimate, without=mend.estimate)

# %%
# R051: asked in different ways
# -----------------------------
# Bell was shown five worked examples first, ada none.

mistake = referee.compare_scores([ada, log("bell", 0.65, examples=5)])
mend = referee.compare_scores([ada, bell])
mended("R051", mistake, mend, five_examples=mistake.difference, asked_alike=mend.difference)

# %%
# R052: different judges
# ----------------------
# A strict judge makes a good model look weak. One judge for both mends it.

mistake = referee.compare_scores([log("ada", 0.5, judge="strict"), log("bell", 0.6, judge="kind")])
mend = referee.compare_scores([log("ada", 0.7, judge="kind"), log("bell", 0.6, judge="kind")])
mended("R052", mistake, mend, two_judges=mistake.difference, one_judge=mend.difference)

# %%
# R053: runs were reduced before they were logged
# -----------------------------------------------
# Three answers to each question became one mean, and how much answers differ is lost.

means = [{"sample_id": f"q{i}", "value": float(rng.binomial(3, ease[i]) / 3)} for i in range(60)]
reduced = json.loads(ada.read_text()) | {
    "samples": [],
    "reductions": [{"scorer": "match", "reducer": "mean", "samples": means}],
}
reduced["eval"]["config"] = {"epochs": 3}
(FOLDER / "reduced.json").write_text(json.dumps(reduced))
mistake = referee.evaluate_scores(FOLDER / "reduced.json")
mend = referee.evaluate_scores(ada)
mended("R053", mistake, mend, reduced=mistake.estimate, every_answer_logged=mend.estimate)

# %%
# R054: answers without a score
# -----------------------------
# Twelve answers ran out of time. Left out, they flatter a model that fails on what is hard.

mistake = referee.evaluate_scores(log("ada", 0.7, failed=np.argsort(-ease)[:12]))
mend = referee.evaluate_scores(ada)
mended("R054", mistake, mend, twelve_left_out=mistake.estimate, asked_again=mend.estimate)

# %%
# R055: different scores
# ----------------------
# One log holds exact matches, the other whether the answer occurs anywhere in the text.

mistake = referee.compare_scores([ada, log("bell", 0.7, scorer="includes")])
mend = referee.compare_scores([ada, bell])
mended("R055", mistake, mend, two_scores=mistake.difference, one_score=mend.difference)

# %%
# R056: what the logs say of themselves
# -------------------------------------
# The evaluation was cancelled. What was asked until then may be the easy half.

mistake = referee.evaluate_scores(log("ada", 0.7, status="cancelled"))
mend = referee.evaluate_scores(ada)
mended("R056", mistake, mend, cancelled=mistake.estimate, finished=mend.estimate)
