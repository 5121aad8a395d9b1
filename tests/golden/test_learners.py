"""Worked numbers of learner comparisons from papers and packages, each reached through referee.

learners.json holds inputs, expected values, tolerances and sources; every item needs a check here.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from referee.significance import (
    average_ranks,
    five_by_two_f,
    five_by_two_t,
    friedman,
    iman_davenport,
    nemenyi,
)
from referee.significance import holm as holm_adjusted
from referee.significance.bayes import bayes_correlated_t
from referee.significance.contrast import Contrast
from referee.significance.datasets.sign import sign_test
from referee.significance.datasets.wilcoxon import wilcoxon
from referee.significance.learners.corrected_t import corrected_contrast
from referee.significance.learners.kfold_t import kfold_contrast

GOLDEN = json.loads((Path(__file__).parent / "learners.json").read_text())
ITEMS = {item["name"]: item for item in GOLDEN["items"]}
RBF, LINEAR = (np.array(GOLDEN["data"][name]) for name in ("skl_rbf", "skl_linear"))
AUC = np.array(ITEMS["demsar_ranks"]["inputs"]["auc"])


def greater(contrast: Contrast):
    made = contrast.evidence(alternative="greater")
    return {"t": made.statistic, "p_right": made.p_value}


def corrected(diff_100, n_train, n_test):
    return greater(corrected_contrast(RBF - LINEAR, n_train, n_test))


def uncorrected(diff_100):
    # Refused for repeated cross-validation; the arithmetic is that of a hundred folds.
    return greater(kfold_contrast(RBF - LINEAR))


def correlated_t(x, y, rope, runs):
    share = runs / len(RBF)
    p = bayes_correlated_t(LINEAR - RBF, rope=rope, share=share, greater_is_better=True)
    return [p.first_better, p.equivalent, p.second_better]


def five_by_two(p):
    t, f = five_by_two_t(np.array(p)), five_by_two_f(np.array(p))
    return {"t": t.statistic, "p_t": t.p_value, "F": f.statistic, "p_F": f.p_value}


def ranks(auc, note):
    return average_ranks(np.array(auc), greater_is_better=True).tolist()


def friedman_of_demsar(N, k):
    assert AUC.shape == (N, k)
    # The paper does not correct for ties.
    return {
        "chi2": friedman(AUC, tie_correction=False).statistic,
        "F": iman_davenport(AUC, tie_correction=False).statistic,
    }


def signed_ranks(x):
    return {"T": wilcoxon(AUC[:, 1] - AUC[:, 0]).statistic}


def quantiles(k, alpha):
    return [[nemenyi(m, 6, a) / (m * (m + 1) / 36) ** 0.5 for m in k] for a in alpha]


def critical_wins(N):
    return [next(w for w in range(n // 2, n + 1) if p_of_wins(w, n) <= 0.05) for n in N]


def p_of_wins(wins, n):
    return sign_test(np.repeat([1.0, -1.0], [wins, n - wins])).p_value


def holm(p):
    return holm_adjusted(p).tolist()


CHECKS = {
    "sklearn_corrected_t": corrected,
    "sklearn_uncorrected_t": uncorrected,
    "baycomp_corr_t_rope": correlated_t,
    "dietterich_5x2cv": five_by_two,
    "demsar_ranks": ranks,
    "demsar_friedman": friedman_of_demsar,
    "demsar_wilcoxon": signed_ranks,
    "nemenyi_q_table": quantiles,
    "sign_test_critical": critical_wins,
    "holm": holm,
}


@pytest.mark.parametrize("name", ITEMS)
def test_golden(name, agree):
    assert name in CHECKS, f"learners.json has {name}, and nothing here checks it"
    item = ITEMS[name]
    agree(CHECKS[name](**item["inputs"]), item["expected"], item)


def test_no_check_without_its_item():
    assert set(CHECKS) <= set(ITEMS)


def test_notes_of_the_sign_test():
    # "at N=5 no outcome reaches .05 (5/5 has p=.0625); 11 of 14 has exact p .0574"
    assert p_of_wins(5, 5) == 0.0625
    assert p_of_wins(11, 14) == pytest.approx(0.0574, abs=5e-5)
