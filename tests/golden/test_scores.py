"""Worked numbers of scores, reached through the public verbs.

scores.json holds inputs, expected values, tolerances and sources; every item needs a check here.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import referee
from referee.intervals.scores.prediction_powered import Marks, prediction_powered

HERE = Path(__file__).parent
ITEMS = {
    item["name"]: item
    for item in json.loads((HERE / "scores.json").read_text(encoding="utf-8"))["items"]
}


def right(right, n):
    i = referee.evaluate_scores([1] * right + [0] * (n - right)).estimate
    return {"mean": i.value, "low": i.interval.low, "high": i.interval.high}


def alone(first_only, second_only, n):
    both = n - first_only - second_only
    first = [1] * first_only + [0] * second_only + [1] * both
    second = [0] * first_only + [1] * second_only + [1] * both
    made = referee.compare_scores({"a": first, "b": second})
    return {"difference": made.difference.value, "p": made.evidence.p_value}


def clusters(cluster_means, size):
    values = np.repeat(cluster_means, size)
    code = np.repeat(np.arange(len(cluster_means)), size)
    e = referee.evaluate_scores(values, cluster=code, interval="cluster-t").estimate
    alike = referee.compare_scores(
        {"a": values, "b": np.zeros(len(values))}, cluster=code, limits=None
    )
    return {
        "mean": e.value,
        "low": e.interval.low,
        "high": e.interval.high,
        "df": alike.evidence.df,
    }


def unequal(values, clusters):
    e = referee.evaluate_scores(values, cluster=clusters, interval="clt").estimate
    return {"mean": e.value, "se_clt": e.interval.width / 2 / 1.959963984540054}


def paired(first, second):
    made = referee.compare_scores({"a": first, "b": second})
    i = made.difference.interval
    return {"p": made.evidence.p_value, "low": i.low, "high": i.high}


def runs(scores):
    n, r = len(scores), len(scores[0])
    table = {
        "item": np.repeat(np.arange(n), r),
        "run": np.tile(np.arange(r), n),
        "score": np.ravel(scores),
    }
    s = referee.evaluate_scores(table).runs
    return {
        "variance": s.variance,
        "within": s.within,
        "between": s.between,
        "run_variance": s.run_variance,
    }


def passes(tries, successes, k):
    table = {
        "item": np.repeat([0, 1], tries),
        "run": np.tile(np.arange(tries), 2),
        "score": np.tile([1] * successes + [0] * (tries - successes), 2),
    }
    made = {e.name: e.value for e in referee.evaluate_scores(table, k=[2, k]).passes}
    return {"pass_at": made[f"pass@{k}"], "pass_all": made["pass^2"], "k_all": 2}


def ppi():
    human = np.tile([1.0, 0, 1, 1, 0, 1, 1, 0, 1, 1], 6)
    human[::7] = 1 - human[::7]
    judge = np.where(human > 0, 0.75, 0.45) + 0.3 * np.sin(np.arange(60) * 1.7)
    judge = np.round(np.clip(judge, 0, 1), 3)
    others = np.round(0.5 + 0.4 * np.cos(np.arange(400) * 0.37), 3)
    table = {
        "item": np.arange(460),
        "score": np.concatenate([judge, others]),
        "human": np.concatenate([human, np.full(400, math.nan)]),
    }
    half = prediction_powered(Marks(human=human, judge=judge, others=others), weight=0.5)
    return {
        "value": referee.evaluate_scores(table, dismiss=["R044"]).estimate.value,
        "half_value": half.value,
    }


CHECKS = {
    "right_45_of_50": right,
    "alone_12_and_3_of_100": alone,
    "four_clusters_of_five": clusters,
    "seven_unequal_clusters": unequal,
    "paired_real_scores": paired,
    "runs_of_three_items": runs,
    "pass_10_3_5": passes,
    "ppi_60_of_460": ppi,
}


def test_every_item_has_a_check():
    assert set(CHECKS) == set(ITEMS)


@pytest.mark.parametrize("name", ITEMS)
def test_worked_number(name):
    item = ITEMS[name]
    made = CHECKS[name](**item["inputs"])
    assert set(made) == set(item["expected"])
    for key, value in item["expected"].items():
        assert made[key] == pytest.approx(value, abs=item["tolerance"], rel=1e-7), key
