"""Worked numbers of power, plans, published tables and DeLong's tests, reached through referee.

planning.json holds inputs, expected values, tolerances and sources; every item needs a check here.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from referee.planning.fold_spread import audit_folds
from referee.planning.power import connor_rows, mcnemar_power, two_sample_rows
from referee.planning.published_table import audit_table
from referee.significance import paired_delong_contrast, unpaired_delong

HERE = Path(__file__).parent
ITEMS = {
    item["name"]: item
    for item in json.loads((HERE / "planning.json").read_text(encoding="utf-8"))["items"]
}
DATA = {
    **json.loads((HERE / "golden.json").read_text(encoding="utf-8"))["data"]["aSAH"],
    **json.loads((HERE / "asah_s100b.json").read_text(encoding="utf-8")),
}


def grim(rate, m, decimals):
    made = audit_table([rate], m, decimals).rates[0]
    return {"attainable": made.attainable, "neighbours": list(made.neighbours)}


def best_case(m, err1, err2, b, c):
    rates = [f"{100 * (m - e) / m:.2f}" for e in (err1, err2)]
    assert abs(err1 - err2) == b - c
    return {"mcnemar_exact": audit_table(rates, m).pairs[0].best_p}


def folds(k, fold_size, mean, s):
    made = audit_folds(mean, s, k, fold_size)
    assert not audit_folds(f"{mean:.4f}", f"{s:.4f}", k, fold_size).attainable
    return {
        "min_s_if_mean_is_exactly_0.1": made.smallest_s,
        "s_of_ten_3s_one_4": made.nearest.s,
        "mean": made.nearest.mean,
    }


def connor(acc, p10, p01, alpha, power):
    assert acc[1] - acc[0] == pytest.approx(p10 - p01)
    return connor_rows(p10, p01, alpha=alpha, power=power)


def fleiss(acc):
    return {"n_per_arm": two_sample_rows(*acc)}


def exact_power(n, p10, p01):
    return {test: mcnemar_power(n, p10, p01, test=test) for test in ("exact", "midp")}


def markers(*names):
    positive = np.array(DATA["outcome_poor"]) == 1
    return positive, *(np.array(DATA[name], float) for name in names)


def paired(*names):
    def check(data):
        made = paired_delong_contrast(*markers(*names), law="z")
        e, i = made.evidence(), made.interval()
        return {"Z": e.statistic, "p": e.p_value, "lo": i.low, "hi": i.high}

    return check


def unpaired(data, paired):
    positive, first, second = markers("wfns", "s100b")
    made = unpaired_delong(positive, first, positive, second)
    return {"D": made.statistic, "p": made.p_value}


CHECKS = {
    "seed0.grim_995_of_900": grim,
    "seed0.800.best_case_paired": best_case,
    "seed2.kfold_grimmer": folds,
    "n_mcnemar_99_995_nested": connor,
    "n_two_sample_99_995": fleiss,
    "power_mcnemar_exact_800": exact_power,
    "proc_paired_wfns_s100b": paired("wfns", "s100b"),
    "proc_paired_wfns_ndka": paired("wfns", "ndka"),
    "proc_unpaired_wfns_s100b": unpaired,
}


@pytest.mark.parametrize("name", ITEMS)
def test_golden(name, agree):
    assert name in CHECKS, f"planning.json has {name}, and nothing here checks it"
    item = ITEMS[name]
    agree(CHECKS[name](**item["inputs"]), item["expected"], item)


def test_no_check_without_its_item():
    assert set(CHECKS) <= set(ITEMS)
