"""Whatever is asked of a table on disk, its numbers are those of the same columns as arrays."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import compare_predictions, evaluate_predictions
from referee.errors import RefereeError
from referee.report.record import plain_record

NAMES = {
    "words": ("no", "yes", "10"),
    "numbers": (0, 1, -7),
    "flags": (False, True),
    "floats": (0.0, 1.0, 2.0),
}


def _own(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


ASKED = st.fixed_dictionaries(
    {},
    optional={
        "costs": st.sampled_from([(1.0, 3.0), (5.0, 1.0)]),
        "priors": st.just("even"),
        "measures": st.sampled_from([["error", "mcc"], [_own], ["f1", "tpr"], ["cost"], ["auc"]]),
        "claim": st.sampled_from(["error <= .5", ["accuracy >= .5", "error <= .9"], "auc >= .2"]),
        "max_error": st.just(0.35),
        "level": st.just(0.9),
        "interval": st.sampled_from(["wilson", "percentile", "clopper-pearson", "delong"]),
        "sequential": st.just(True),
    },
)
COLUMNS = st.fixed_dictionaries(
    {},
    optional={
        "y_score": st.just("score"),
        "groups": st.just("group"),
        "sample_weight": st.just("weight"),
        "time": st.just("time"),
    },
)


def _table(kind, k, n, seed):
    names = np.array(NAMES[kind])[:k]
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(names), n)
    columns = {"truth": names[truth]}
    for model, off in (("first", 0.3), ("second", 0.4)):
        columns[model] = names[np.where(rng.random(n) < off, rng.permutation(truth), truth)]
    score = np.clip(0.5 * (truth == 1) + 0.5 * rng.random(n), 0, 1)
    others = {"score": score.round(2), "group": rng.integers(0, n // 4, n)}
    others |= {"weight": rng.random(n).round(2), "time": np.arange(n)}
    return columns | others, names.tolist()


def _said(judged):
    """Return all numbers and words of a result, or those of the error, which may name rows."""
    try:
        e = judged()
    except RefereeError as error:
        return type(error).__name__
    return plain_record(
        {
            "estimates": e.estimates,
            "verdict": e.verdict,
            "guessing": e.guessing,
            "findings": [(f.code, f.message) for f in e.findings],
            "how": e.how,
            "classes": e.predictions.classes,
        }
    )


def _differences(one, two, at=""):
    if isinstance(one, dict) and isinstance(two, dict):
        for key in one.keys() | two.keys():
            yield from _differences(one.get(key), two.get(key), f"{at}/{key}")
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for number, (a, b) in enumerate(zip(one, two, strict=True)):
            yield from _differences(a, b, f"{at}/{number}")
    elif isinstance(one, float) and isinstance(two, float):
        if not math.isclose(one, two, rel_tol=1e-12, abs_tol=1e-15):
            yield at, one, two
    elif one != two:
        yield at, one, two


def _both(kind, k, n, seed, asked, columns, place):
    table, names = _table(kind, k, n, seed)
    if asked.get("priors") == "even":
        asked = asked | {"priors": [1 / len(names)] * len(names)}
    asked = {"pos_label": names[1]} | asked
    arrays = {argument: table[name] for argument, name in columns.items()}
    memory = _said(lambda: evaluate_predictions(table["truth"], table["first"], **asked, **arrays))
    frame = pl.DataFrame(table)
    source = frame.lazy()
    if place is not None:
        source = place / "table.parquet"
        frame.write_parquet(source)
    stream = _said(lambda: evaluate_predictions(source, "first", **asked, **columns))
    assert list(_differences(memory, stream)) == []


CASES = (st.sampled_from(sorted(NAMES)), st.integers(2, 3), st.sampled_from([12, 60, 300]))


@settings(max_examples=25, deadline=None)
@given(*CASES, st.integers(0, 99), ASKED, COLUMNS)
def test_a_lazy_table_gives_the_numbers_of_the_arrays(kind, k, n, seed, asked, columns):
    _both(kind, k, n, seed, asked, columns, None)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(*CASES, st.integers(0, 999), ASKED, COLUMNS)
def test_a_file_gives_the_numbers_of_the_arrays(tmp_path_factory, kind, k, n, seed, asked, columns):
    _both(kind, k, n, seed, asked, columns, tmp_path_factory.mktemp("table"))


@settings(max_examples=15, deadline=None)
@given(
    *CASES,
    st.integers(0, 99),
    st.sampled_from([None, "accuracy", "tpr", "f1", "mcc", "cost"]),
    st.sampled_from([None, "group", "weight"]),
)
def test_two_models_of_a_table_are_those_of_the_arrays(kind, k, n, seed, measure, more):
    table, names = _table(kind, k, n, seed)
    asked = {"pos_label": names[1]} | ({} if measure is None else {"measure": measure})
    asked |= {"costs": (1.0, 3.0)} if measure == "cost" else {}
    argument = {"group": "groups", "weight": "sample_weight"}.get(more)
    models = {"a": "first", "b": "second"}

    def compared(truth, answers, others):
        try:
            c = compare_predictions(truth, answers, **asked, **others)
        except RefereeError as error:
            return type(error).__name__
        return plain_record([c.difference, c.evidence, c.verdict, c.pairs, c.standings])

    memory = compared(
        table["truth"],
        {model: table[name] for model, name in models.items()},
        {} if more is None else {argument: table[more]},
    )
    lazy = pl.DataFrame(table).lazy()
    stream = compared(lazy, models, {} if more is None else {argument: more})
    assert list(_differences(memory, stream)) == []
