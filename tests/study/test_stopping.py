"""Peeking: the exact error over all times against enumeration and against the library's methods."""

import functools
import itertools
import math

import numpy as np
import pytest

from referee.errors import InputError
from referee.intervals import beta_binomial_at, clopper_pearson
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance import mcnemar_exact
from referee.significance.sequential import pair_e_process
from referee.study import stopping


@pytest.fixture(scope="module")
def study():  # type: ignore[no-untyped-def]
    return stopping([0.2], n=10, level=0.65, repetitions=4)


def error(study, method: str) -> float:  # type: ignore[no-untyped-def]
    return next(p.error for p in study.peeking if p.method == method)


def test_intervals_by_enumeration_of_all_sequences(study) -> None:  # type: ignore[no-untyped-def]
    missed = {"clopper-pearson": 0.0, "beta-binomial": 0.0}
    forms = {"clopper-pearson": clopper_pearson, "beta-binomial": beta_binomial_at}
    for sequence in itertools.product((0, 1), repeat=10):
        chance = math.prod(0.2 if wrong else 0.8 for wrong in sequence)
        counts = np.cumsum(sequence)
        for name, form in forms.items():
            inside = (0.2 in form(int(x), n, 0.65) for n, x in enumerate(counts, 1))
            missed[name] += chance * (not all(inside))
    for name, chance in missed.items():
        assert error(study, name) == pytest.approx(chance, abs=1e-9)


@functools.cache
def rejects(n: int, x: int) -> bool:
    return mcnemar_exact(PairedCounts(0, n - x, x, 0)).p_value <= 0.35


def test_tests_by_enumeration_of_all_sequences(study) -> None:  # type: ignore[no-untyped-def]
    wolf = {"mcnemar-exact": 0, "mcnemar-sequential": 0}
    for sequence in itertools.product((0, 1), repeat=10):
        first = np.array(sequence, dtype=bool)
        wolf["mcnemar-sequential"] += pair_e_process(first, ~first).p_value <= 0.35
        counts = np.cumsum(sequence)
        wolf["mcnemar-exact"] += any(rejects(n, int(x)) for n, x in enumerate(counts, 1))
    for name, count in wolf.items():
        assert error(study, name) == pytest.approx(count / 2**10)


def test_promises_hold_and_peeking_breaks_the_others() -> None:
    study = stopping([0.1], n=300, repetitions=40)
    for p in study.peeking:
        if p.promised and not p.standard_error:
            assert p.error <= 0.05
        if not p.promised:
            assert p.error > 0.2
    assert "clopper-pearson" in study.conclusion or "mcnemar-exact" in study.conclusion
    (picture,) = study.pictures
    assert [c.label for c in picture.curves][-1] == "promise"
    assert len(study.frame()) == 6


@pytest.mark.slow
def test_betting_keeps_its_promise_by_simulation() -> None:
    study = stopping([0.1], n=2000, repetitions=800)
    for p in study.peeking:
        if p.method == "betting":
            assert p.error <= 0.05


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"errors": [0.0]}, "errors must lie strictly between 0 and 1"),
        ({"n": 1}, "n must be at least 2"),
        ({"level": 95}, "for 95 % write 0.95"),
    ],
)
def test_bad_input(arguments, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        stopping(**arguments)
