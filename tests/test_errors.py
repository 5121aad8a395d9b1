"""The tree of errors, and the nearest known name."""

import pickle

import pytest

from referee import errors
from referee.vocabulary import OPTIONS


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
        (5, ["age", "sex"], "; known are 'age', 'sex'"),
        ("zzz", ["age", "sex"], "; known are 'age', 'sex'"),
        ("zzz", range(14), "; known are " + ", ".join(f"'{i}'" for i in range(12)) + " and 2 more"),
        ("colour", ["colors", "color"], "; did you mean 'color' or 'colors'?"),
    ],
)
def test_nearest(name, known, text):
    assert errors.nearest(name, known) == text


def test_fields_make_the_message_and_travel_to_other_processes():
    error = errors.InputError(
        "must lie between 0 and 1", argument="level", value="95", remedy="for 95 % write 0.95"
    )
    assert str(error) == "level must lie between 0 and 1, got 95; for 95 % write 0.95"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.remedy) == (errors.InputError, str(error), error.remedy)


def test_fields_name_the_argument_in_the_words_of_whoever_asked():
    with errors.speaking(OPTIONS):
        error = errors.InputError("must lie between 0 and 1", argument="level", value="95")
    assert str(error) == "--level must lie between 0 and 1, got 95"
    assert error.argument == "level"
