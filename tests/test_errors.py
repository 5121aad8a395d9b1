"""The tree of errors, and the nearest known name."""

import pytest

from referee import errors


@pytest.mark.parametrize("name", ["InputError", "TableError", "ModelError", "PlanError"])
def test_wrong_input_is_a_value_error(name):
    kind = getattr(errors, name)
    assert issubclass(kind, ValueError)
    assert issubclass(kind, errors.InputError)


def test_everything_raised_on_purpose_is_a_referee_error():
    kinds = [getattr(errors, n) for n in errors.__all__ if n[0].isupper()]
    assert all(issubclass(kind, errors.RefereeError) for kind in kinds)
    assert issubclass(errors.FitError, RuntimeError)
    assert not issubclass(errors.Refusal, ValueError)


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("ag", ["age", "sex"], "; did you mean 'age'?"),
        ("zzz", ["age", "sex"], "; known are 'age', 'sex'"),
        ("zzz", range(14), "; known are " + ", ".join(f"'{i}'" for i in range(12)) + " and 2 more"),
        ("colour", ["colors", "color"], "; did you mean 'color' or 'colors'?"),
    ],
)
def test_nearest(name, known, text):
    assert errors.nearest(name, known) == text
