"""Nearest neighbours: searches against scikit-learn, and the bootstrap against loops of fits.

Predictions are compared before anything is timed. A peer that would take minutes is timed on a part
of the job, and its time, which is linear in that part, is multiplied up. hnswlib, faiss and mlxtend
are raced where they are installed; approximate searches have their recall in the name of the race.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

import referee
from benchmarks.race import Race, ScaledRace
from benchmarks.resampling import two_normals
from referee.core.plan import Part, Plan
from referee.learners import KNN
from referee.learners.neighbours.index.brute import BruteForce
from referee.learners.neighbours.index.choice import choose_index
from referee.learners.neighbours.index.hashing import Hashing
from referee.learners.shortcuts.shortcut import shortcut_of
from referee.resampling import Bootstrap

__all__ = ["races"]

K = 5


def races() -> Iterator[Race]:
    data = two_normals(2000, 20)
    yield _bootstrap(data)
    if _there("mlxtend"):
        yield _mlxtend(data)
    for d, goal in ((2, 0.5), (10, 0.5), (50, 1.0)):
        yield _exact(d, goal)
    yield _tree()
    for kind in ("clustered", "iid"):
        yield from _approximate(kind)


def _there(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        print(f"({name} is not installed: its races are left out)")
        return False
    return True


def _main(plan: Plan) -> Plan:
    return Plan(plan.part(Part.MAIN), plan.n, plan.scheme, plan.description)


def _shared(data: referee.Dataset, plan: Plan) -> Any:
    shortcut = shortcut_of(KNeighborsClassifier(K))
    assert shortcut is not None
    return shortcut.predict_plan(data.X, data.codes[:, None], plan, classes=data.classes)


def _equal(ours: Any, theirs: Any) -> None:
    np.testing.assert_array_equal(ours[: len(theirs)], theirs)


def _bootstrap(data: referee.Dataset) -> Race:
    plan, few = _main(Bootstrap(1000).plan(data, 0)), 15

    def ours() -> Any:
        return [o.predicted[:, 0] for o in _shared(data, plan)]

    def peer() -> Any:
        model = KNeighborsClassifier(K)
        return [
            clone(model).fit(data.X[s.train], data.codes[s.train]).predict(data.X)
            for s in plan.splits[:few]
        ]

    def agree(mine: Any, theirs: Any) -> None:
        np.testing.assert_array_equal(mine[:few], theirs)

    return ScaledRace(
        "k-NN, 1000 bootstrap replicates, n=2k d=20",
        f"a loop of fits, {few} of them scaled up",
        ours,
        peer,
        agree,
        1 / 100,
        rounds=3,
        times=1000 / few,
    )


def _mlxtend(data: referee.Dataset) -> Race:
    from mlxtend.evaluate import bootstrap_point632_score

    few = 10

    def ours() -> Any:
        model = KNeighborsClassifier(K)
        report = referee.evaluate(model, data.X, data.codes, by=Bootstrap(1000))
        return 1 - report.error.value

    def peer() -> Any:
        return bootstrap_point632_score(
            KNeighborsClassifier(K), data.X, data.codes, n_splits=few, method=".632+", random_seed=0
        ).mean()

    def agree(mine: Any, theirs: Any) -> None:
        assert abs(mine - theirs) < 0.05, "other resamples, so only nearly the same"

    return ScaledRace(
        "the whole evaluate(by=Bootstrap(1000)), n=2k d=20",
        f"mlxtend's bootstrap_point632_score, {few} rounds scaled up",
        ours,
        peer,
        agree,
        1 / 100,
        rounds=3,
        times=1000 / few,
    )


def _exact(d: int, goal: float) -> Race:
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(100_000, d)), rng.normal(size=(10_000, d))
    y, few = (X[:, 0] > 0).astype(int), 10_000 if d == 2 else 1000

    def ours() -> Any:
        return KNN(K).fit(X, y).predict(Q)

    def peer() -> Any:
        return KNeighborsClassifier(K).fit(X, y).predict(Q[:few])

    return ScaledRace(
        f"k-NN fit and predict, 100k train, 10k queries, d={d}",
        "KNeighborsClassifier" + ("" if few == len(Q) else f", {few} queries scaled up"),
        ours,
        peer,
        _equal,
        goal,
        rounds=3,
        times=len(Q) / few,
    )


def _tree() -> Race:
    from scipy.spatial import cKDTree

    from referee.learners.neighbours.index.kd_tree import KDTree

    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(100_000, 3)), rng.normal(size=(10_000, 3))
    return Race(
        "k-d tree, made and asked, 100k rows, 10k queries, d=3",
        "scipy's cKDTree",
        lambda: KDTree.of(X).query(Q, K).rows,
        lambda: cKDTree(X).query(Q, K)[1],
        _equal,
        rounds=3,
    )


def _cloud(kind: str, n: int, d: int) -> Any:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(n, d))
    if kind == "iid":
        return noise
    return 3 * rng.normal(size=(200, d))[rng.integers(0, 200, n)] + 0.3 * noise


def _recall(found: Any, true: Any) -> float:
    return float(np.mean([np.isin(t, f).mean() for t, f in zip(true, found, strict=True)]))


def _approximate(kind: str) -> Iterator[Race]:
    """Race making an index and asking it, against each peer with its own recall shown."""
    cloud = _cloud(kind, 51_000, 30)
    X, Q = cloud[:50_000], cloud[50_000:]
    true = BruteForce.of(X).query(Q, K).rows
    searches: dict[str, Any] = {
        "exact (auto)": lambda: choose_index("auto", X).index.query(Q, K).rows,
        "hashing": lambda: Hashing.of(X, 2.0, K).query(Q, K).rows,
    }
    peers: dict[str, Any] = {}
    if _there("hnswlib"):
        peers["hnswlib"] = lambda: _hnsw(X, Q)
    if _there("faiss"):
        peers["faiss IVF"] = lambda: _inverted_file(X, Q)
        peers["faiss flat"] = lambda: _flat(X, Q)
    for name, search in searches.items():
        recall = _recall(search(), true)
        for peer_name, peer in peers.items():
            theirs = _recall(peer(), true)
            yield Race(
                f"{name}, {kind}, 50k x 30, 1k queries, recall {recall:.3f}",
                f"{peer_name}, recall {theirs:.3f}",
                search,
                peer,
                lambda a, b: None,
                rounds=3,
            )


def _hnsw(X: Any, Q: Any) -> Any:
    import hnswlib

    index = hnswlib.Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=100, M=16)
    index.set_num_threads(1)
    index.add_items(X)
    index.set_ef(50)
    return index.knn_query(Q, k=K)[0]


def _inverted_file(X: Any, Q: Any) -> Any:
    import faiss

    rows, queries = X.astype(np.float32), Q.astype(np.float32)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], 256)
    index.train(rows)
    index.add(rows)
    index.nprobe = 16
    return index.search(queries, K)[1]


def _flat(X: Any, Q: Any) -> Any:
    import faiss

    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X.astype(np.float32))
    return index.search(Q.astype(np.float32), K)[1]
