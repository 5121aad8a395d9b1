"""R015: test cases that stand, nearly the same, in the training set."""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.checks import Context
from referee.checks.data import likeness
from referee.checks.data.likeness import alike, close_pairs, texts_alike
from referee.checks.data.near_copies import check
from referee.core import Dataset, Severity
from referee.resampling import CrossValidation

RNG = np.random.default_rng(0)
WORDS = np.array([f"word{i}" for i in range(400)])


def table(n=200, d=4, copies=0, noise=1e-9, seed=0):
    """Return features of which the last `copies` rows are nearly the first ones."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** np.arange(d)
    if copies:
        X[-copies:] = X[:copies] * (1 + noise * rng.normal(size=(copies, d)))
    return X


def found_in(X, y=None):
    y = np.arange(len(X)) % 2 if y is None else y
    data = Dataset.of(X, y)
    return check(Context(data=data, plan=CrossValidation(5).plan(data, 0)))


def clusters(codes):
    return {tuple(np.flatnonzero(codes == c)) for c in codes if np.sum(codes == c) > 1}


def clusters_of(codes):
    """Return the codes that several rows share, without looking at every row for each."""
    values, counts = np.unique(codes, return_counts=True)
    return values[counts > 1]


@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_pairs_that_were_planted_are_found_and_no_others(d):
    X = table(300, d, copies=4)
    assert clusters(alike(X)) == {(i, 296 + i) for i in range(4)}


@pytest.mark.parametrize("d", [2, 12])
def test_close_pairs_against_all_distances(d):
    places = np.random.default_rng(1).normal(size=(150, d))
    places[100:120] = places[:20] + 1e-6
    found = {tuple(sorted(p)) for p in close_pairs(places, np.arange(150)).tolist()}
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    close = np.argwhere(np.triu(apart < 1e-4, 1))
    assert found == {tuple(p) for p in close.tolist()}


@pytest.mark.parametrize("d", [1, 2, 6])
def test_chance_brings_pairs_about_in_one_table_of_twenty(d):
    tables = [np.random.default_rng(s).normal(size=(400, d)) for s in range(40)]
    assert sum(len(np.unique(alike(X))) < 400 for X in tables) <= 8


def test_spelling_of_names_and_numbers_is_set_aside():
    frame = pd.DataFrame(
        {"city": ["Rome", " rome ", "Oslo", "OSLO", "Bern"], "n": ["1", "1.0", "2", "3", "1"]}
    )
    assert clusters(alike(frame)) == {(0, 1)}


def test_names_that_differ_are_never_near():
    frame = pd.DataFrame({"x": np.repeat(table(100, 1)[:, 0], 2), "site": ["a", "b"] * 100})
    assert len(np.unique(alike(frame))) == 200


def test_rows_of_rare_names_are_near_by_their_numbers_alone():
    """Names lie infinitely far apart, and do not make a table's other distances look small."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"site": np.repeat([f"s{i}" for i in range(100)], 3)})
    frame["x"], frame["z"] = rng.normal(size=300), rng.normal(size=300)
    assert len(np.unique(alike(frame))) == 300
    frame.loc[7, ["x", "z"]] = frame.loc[6, ["x", "z"]] * (1 + 1e-9)
    assert clusters(alike(frame)) == {(6, 7)}


def test_copies_of_a_near_copy_are_near_too():
    X = table(100, 3, copies=1)
    X[50] = X[0]
    assert clusters(alike(X)) == {(0, 50, 99)}


def test_long_numbers_are_not_rounded():
    frame = pd.DataFrame({"account": [str(10**17 + i) for i in range(30)], "n": 1.0})
    assert len(np.unique(alike(frame))) == 30


def test_many_equal_rows_are_not_compared_pair_by_pair():
    rng = np.random.default_rng(0)
    X = np.where(np.arange(40_000)[:, None] < 20_000, 0.0, rng.normal(size=(40_000, 3)))
    X[-1] = X[-2] + 1e-9
    began = time.process_time()
    codes = alike(X)
    assert time.process_time() - began < 5
    assert codes[-1] == codes[-2]


def test_documents_are_compared_too():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, 60)) for _ in range(60)]
    texts[31] = " ".join([*texts[30].split()[:-1], "changed"])
    texts[50] = texts[49].upper()
    found = found_in(texts, np.arange(60) // 2 % 2)
    assert found.code == "R015"
    assert found.message.startswith("4 of 60 tested cases")


@pytest.mark.slow
def test_a_hundred_thousand_rows_of_twenty_columns_take_less_than_ten_seconds():
    X = table(100_000, 20, copies=500)
    began = time.process_time()
    codes = alike(X)
    assert time.process_time() - began < 10
    assert len(clusters_of(codes)) == 500


def test_texts_with_a_changed_word_are_alike_and_others_are_not():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, 60)) for _ in range(50)]
    words = texts[3].split()
    texts.append(" ".join([*words[:10], "changed", *words[11:]]))
    half = " ".join([*words[:30], *rng.choice(WORDS, 30)])
    assert texts_alike([*texts, half]).tolist() == [[3, 50]]


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((30, 3)),
        np.arange(30.0)[:, None],
        np.full((30, 2), np.nan),
        np.arange(8.0)[:, None] * 1e-300,
        np.repeat([[0.0, 1.0], [1.0, 0.0]], 20, axis=0),
    ],
    ids=["constant", "lattice", "missing", "few", "two places"],
)
def test_rows_of_degenerate_tables_are_alike_only_where_they_are_equal(X):
    pairs = {(i, j) for i in range(len(X)) for j in range(i) if not np.array_equal(X[i], X[j])}
    codes = alike(X)
    assert not any(codes[i] == codes[j] for i, j in pairs)


def test_exact_copies_are_another_finding():
    X = table(100)
    X[-5:] = X[:5]
    assert found_in(X) is None


def test_many_are_a_warning_few_a_note_with_rows():
    many = found_in(table(100, copies=20))
    assert (many.code, many.severity) == ("R015", Severity.WARNING)
    few = found_in(table(400, copies=3))
    assert few.severity is Severity.NOTE
    assert "near-copies" in few.title


def test_evaluate_says_what_the_error_is_without_them():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 6)), rng.integers(2, size=120)
    X[60:], y[60:] = X[:60] + 1e-6, y[:60]
    answer = referee.evaluate(KNeighborsClassifier(1), X, y, by=10, random_state=0)
    finding = next(f for f in answer.findings if f.code == "R015")
    assert "with them and" in finding.message
    assert answer.error.value < 0.2


@pytest.mark.parametrize("n", [20, 249, 3 * 250 + 1])
def test_nearest_distances_against_a_full_sort(n, monkeypatch):
    monkeypatch.setattr(likeness, "_MERGED", 2)
    places = np.random.default_rng(n).normal(size=(n, 3))
    some = places[:: max(1, n // 300)][:300]
    every = np.linalg.norm(some[:, None] - places[None], axis=2)
    assert np.allclose(likeness._nearest(places), np.sort(every, axis=1)[:, :16], atol=1e-7)
