"""Rankings per query are scores: the query is the item, the user the cluster."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import ndcg_score

import referee


@pytest.fixture(scope="module")
def queries():
    """Three queries of each of 30 users, ranked by two models; some users are hard to serve."""
    rng = np.random.default_rng(3)
    rows = []
    for user in range(30):
        hard = rng.normal()
        for query in range(3):
            relevant = (rng.random((1, 10)) < 0.3).astype(float)
            relevant[0, 0] = 1.0
            for model, noise in (("new", 0.8), ("old", 1.6)):
                shown = relevant + noise * np.exp(0.5 * hard) * rng.normal(size=(1, 10))
                rank = 1 + int(relevant[0][np.argsort(-shown[0])].argmax())
                rows.append(
                    {
                        "query": f"{user}/{query}",
                        "user": user,
                        "model": model,
                        "ndcg": ndcg_score(relevant, shown),
                        "rr": 1 / rank,
                    }
                )
    return pd.DataFrame(rows)


def cluster_robust(values, cluster):
    """Return the mean and its CR2 standard error, which for equal clusters is that of means."""
    means = pd.Series(values).groupby(cluster).mean()
    return means.mean(), means.std(ddof=1) / len(means) ** 0.5


@pytest.mark.parametrize("score", ["ndcg", "rr"])
def test_mean_and_interval_are_over_users(queries, score):
    new = queries[queries.model == "new"]
    e = referee.evaluate_scores(
        new, item="query", score=score, cluster="user", interval="cluster-t"
    )
    mean, se = cluster_robust(new[score].to_numpy(), new.user.to_numpy())
    assert e.estimate.value == pytest.approx(mean)
    assert e.estimate.interval.width / 2 == pytest.approx(2.0452 * se, rel=0.02)
    alone = referee.evaluate_scores(new, item="query", score=score, interval="cluster-t")
    assert alone.estimate.interval.width < e.estimate.interval.width


def test_models_are_paired_by_query(queries):
    c = referee.compare_scores(queries, item="query", score="ndcg", cluster="user")
    wide = queries.pivot(index=["user", "query"], columns="model", values="ndcg").reset_index()
    d = (wide.new - wide.old).to_numpy()
    assert c.difference.value == pytest.approx(d.mean())
    _, se = cluster_robust(d, wide.user.to_numpy())
    assert c.difference.interval.width / 2 == pytest.approx(2.0452 * se, rel=0.1)
    assert c.verdict.outcome.value == "first"


def test_a_query_twice_without_runs_is_refused(queries):
    twice = pd.concat([queries, queries.head(1)])
    with pytest.raises(referee.errors.InputError, match="0/0"):
        referee.compare_scores(twice, item="query", score="ndcg", cluster="user")
