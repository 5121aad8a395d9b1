"""Worked numbers from papers, packages and lecture notes, each reached through referee.

golden.json holds inputs, expected values, tolerances and sources; every item needs a check here.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from referee.core import Predictions
from referee.intervals import (
    Bootstrapped,
    agresti_coull,
    clopper_pearson,
    corrected_t,
    newcombe,
    percentile,
    prior_weighted,
    student_t,
    wald,
    wilson,
)
from referee.intervals.area.placements import placements
from referee.intervals.catalogue import auc_interval
from referee.judging.estimating.bootstrap_family import point_632_plus
from referee.measures import auc, auc_k, confusion, partial_auc, roc_curve
from referee.measures.formulas import rates

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
ITEMS = {item["name"]: item for item in GOLDEN["items"]}


def standard_error(p, n):
    """The standard error inside the Wald interval."""
    made = wald(p * n, n, 0.5)
    return made.width / 2 / stats.norm.ppf(0.75)


def means(k, mean, s):
    """Fold means with exactly this mean and standard deviation."""
    steps = np.arange(k) - (k - 1) / 2
    return mean + s * steps / np.std(steps, ddof=1)


def quantile(df, alpha):
    """The t (or, at infinity, normal) quantile inside our intervals."""
    if df == "inf":
        return wald(50, 100, 1 - alpha).width / 2 / 0.05
    values = means(df + 1, 0.5, 1e-3)
    return student_t(values, 1 - alpha).width / 2 * math.sqrt(df + 1) / 1e-3


def ends(interval):
    return [interval.low, interval.high]


def se_of_rate(p, m):
    return standard_error(p, m)


def se_of_count(x, m):
    return standard_error(x / m, m)


def kfold_as_printed(k, mean, s, alpha):
    t = round(quantile(k - 1, 2 * alpha), 2)
    return {"printed": [mean - t * s, mean + t * s], "is_t": t}


def kfold_correct(k, mean, s, alpha):
    made = student_t(means(k, mean, s), 1 - alpha)
    return {"t": made.width / 2 * math.sqrt(k) / s, "lo": made.low, "hi": made.high}


def kfold_corrected(k, mean, s, n2_over_n1):
    return ends(corrected_t(means(k, mean, s), 1.0, n2_over_n1))


def t_table(df, alpha):
    return [[quantile(d, a) for a in alpha] for d in df]


def bootstrap_bias(theta_hat, theta_star):
    b = Bootstrapped(theta_hat, np.array(theta_star), np.array([]))
    printed = float(np.mean(theta_star))  # the notes forget to subtract the estimate
    return {
        "bias": b.bias,
        "corrected": b.bias_corrected,
        "seed_bias_as_printed": printed,
        "seed_corrected_as_printed": theta_hat - printed,
    }


def percentile_index(alpha, B):
    made = percentile(Bootstrapped(0.0, np.arange(1.0, B + 1), np.array([])), 1 - 2 * alpha)
    return {"seed": [alpha * B, (1 - alpha) * B], "E&T_k=floor((B+1)alpha)": ends(made)}


def auc_of_ascending(labels_ascending_score):
    positive = np.array(labels_ascending_score) == 1
    return {"auc": auc(positive, np.arange(len(positive), dtype=float))}


def variance_stratified(P, eps, N):
    P, eps, N = map(np.array, (P, eps, N))
    made = prior_weighted(eps * N, N, P)
    return {"stratified": made.variance, "mixture": standard_error(made.value, N.sum()) ** 2}


def at(form):
    return lambda x, n, alpha=0.05: ends(form(x, n, 1 - alpha))


def half_width(x, n):
    return {"half": wald(x, n).width / 2}


def marker(name):
    rows = GOLDEN["data"]["aSAH"]
    return np.array(rows["outcome_poor"]) == 1, np.array(rows[name], float)


def auc_of_data(data, markers):
    swept = [roc_curve(*marker(m)).auc for m in markers]
    assert swept == [auc(*marker(m)) for m in markers]
    return swept


def interval_of_data(method):
    return lambda data: ends(auc_interval(placements(*marker(data.split()[1])), method=method))


def partial_area(data, specificity, **options):
    low, high = specificity
    return partial_auc(roc_curve(*marker(data.split()[1])), 1 - high, 1 - low, **options)


def partial_area_standardised(data, specificity):
    return partial_area(data, specificity, standardised=True)


def in_order(words):
    """Read "1,1,0 then 60 zeros, then 9 ones" as hits from the top of a ranking."""
    hits = []
    for part in words.replace(", then", " then").split(" then "):
        count, _, what = part.partition(" ")
        hits += [what == "ones"] * int(count) if what else [h == "1" for h in count.split(",")]
    return np.array(hits)


def roc50_both_ways(labels_descending, n_fp=50):
    hits = in_order(labels_descending)
    right = auc_k(roc_curve(hits, -np.arange(len(hits), dtype=float)), n_fp)
    # The notes divide by the positives that were found, not by all of them.
    found = np.sum(hits[: np.flatnonzero(~hits)[n_fp - 1]])
    return {"gribskov_robinson": right, "seed_normalisation": right * hits.sum() / found}


def roc50_of_chance(P, N, n_fp):
    """Constant scores: the mean over all orders is what a random order is expected to give."""
    made = auc_k(roc_curve(np.arange(P + N) < P, np.zeros(P + N)), n_fp)
    found = auc_k(roc_curve(np.array([True] + [False] * n_fp), np.zeros(n_fp + 1)), n_fp)
    return {
        "gribskov_robinson": made,
        # Of the n_fp + 1 places of one hit, the one below all n_fp negatives is not found.
        "seed_normalisation_given_p>0": found * (n_fp + 1) / n_fp,
    }


def plus_632(err_resub, Err1, gamma):
    value = point_632_plus(err_resub, Err1, gamma)
    weight = (value - err_resub) / (Err1 - err_resub)
    return {"R": (1 - 0.632 / weight) / 0.368, "w": weight, ".632+": value}


def correction(J, n1, n2):
    values = means(J, 0.5, 0.01)
    t = stats.t.ppf(0.975, J - 1) * 0.01
    factor = (corrected_t(values, n1, n2).width / 2 / t) ** 2
    naive = (student_t(values).width / 2 / t) ** 2
    return {"var_factor": factor, "naive": naive, "ratio": factor / naive}


def upper_bounds(n):
    return [clopper_pearson(0, m, 0.90).high for m in n]


def cases_without_failure(conf, p, failures):
    def enough(n, q):
        return clopper_pearson(failures, n, 2 * conf - 1).high <= q

    return [next(n for n in range(1, 10_000) if enough(n, q)) for q in p]


def confusion_metrics(TP, FN, FP, TN):
    truth = [1] * (TP + FN) + [0] * (FP + TN)
    answers = [1] * TP + [0] * FN + [1] * FP + [0] * TN
    m = confusion(Predictions.of(truth, answers))
    return {
        "acc": rates.accuracy(m),
        "tpr": rates.true_positive_rate(m, 1),
        "fpr": rates.false_positive_rate(m, 1),
        "prec": rates.precision(m, 1),
        "tnr": rates.true_negative_rate(m, 1),
        "fnr": rates.false_negative_rate(m, 1),
        "bacc": rates.balanced_accuracy(m),
        "mcc": rates.matthews(m),
    }


def matthews_of(y_true, y_pred):
    return float(rates.matthews(confusion(Predictions.of(y_true, y_pred))))


def newcombe_of(auc, m, n):
    return ends(newcombe(auc, m, n))


CHECKS = {
    "seed0.se_990_900": se_of_rate,
    "seed0.se_995_900": se_of_rate,
    "seed0.se_990_800": se_of_count,
    "seed2.kfold_wrong_as_printed": kfold_as_printed,
    "seed2.kfold_correct": kfold_correct,
    "seed2.kfold_nadeau_bengio": kfold_corrected,
    "seed2.t_table": t_table,
    "seed2.bootstrap_bias": bootstrap_bias,
    "seed2.percentile_index": percentile_index,
    "seed3.auc_direct_and_rank": auc_of_ascending,
    "seed3.roc50_denominator": roc50_both_ways,
    "seed3.roc50_seed_norm_is_wrong": roc50_both_ways,
    "seed3.random_auc50": roc50_of_chance,
    "seed4.var_stratified": variance_stratified,
    "wilson_81_263": at(wilson),
    "wilson_15_148": at(wilson),
    "wilson_1_29": at(wilson),
    "wilson_13_16": at(wilson),
    "clopper_15_148": at(clopper_pearson),
    "clopper_0_20": at(clopper_pearson),
    "clopper_13_16": at(clopper_pearson),
    "agresti_coull_13_16": at(agresti_coull),
    "mitchell_12_40": half_width,
    "proc_auc": auc_of_data,
    "proc_ci_ndka": interval_of_data("delong"),
    "auc_logit_ci_ndka": interval_of_data("logit-delong"),
    "proc_pauc_ndka_90_100": partial_area,
    "proc_pauc_wfns_mcclish": partial_area_standardised,
    "et632_example": plus_632,
    "nadeau_bengio_factor": correction,
    "upper_bound_0_of_n": upper_bounds,
    "rule_of_three_n": cases_without_failure,
    "confusion_metrics": confusion_metrics,
    "mcc_sklearn_doc": matthews_of,
    "auc_newcombe5_0.95_20_20": newcombe_of,
}


@pytest.mark.parametrize("name", ITEMS)
def test_golden(name, agree):
    assert name in CHECKS, f"golden.json has {name}, and nothing here checks it"
    item = ITEMS[name]
    agree(CHECKS[name](**item["inputs"]), item["expected"], item)


def test_no_check_without_its_item():
    assert set(CHECKS) <= set(ITEMS)


def test_the_notes_as_printed_are_not_what_referee_gives():
    printed = ITEMS["seed2.kfold_wrong_as_printed"]["expected"]["printed"]
    made = student_t(means(11, 0.1, 0.01))
    assert made.low > printed[0]
    assert made.high < printed[1]
