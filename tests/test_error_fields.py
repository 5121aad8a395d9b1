"""Errors carry fields: what is at fault, what was found, where, what to do.

``python -m pytest tests/test_error_fields.py -s`` prints the share of each room.
"""

import ast
from pathlib import Path

import pytest

import referee
from referee import errors

SOURCES = Path(referee.__file__).parent
KINDS = {name for name in errors.__all__ if name[0].isupper()}
FIELDS = {"argument", "concerning", "value", "place", "at", "remedy"}
ROOMS = [
    "arena",
    "choosing",
    "cli",
    "comparing",
    "core",
    "fitting",
    "gating",
    "intervals",
    "judging",
    "kernels",
    "learners",
    "measures",
    "permuting",
    "planning",
    "report",
    "resampling",
    "significance",
    "sources",
    "study",
    "vault",
]


def raised(folder: Path) -> list[bool]:
    """Return, for each error that is made in a folder, whether it has fields."""
    return [
        any(keyword.arg in FIELDS for keyword in node.keywords)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_errors_have_fields(room):
    having = raised(SOURCES / room)
    print(f"{room}: {sum(having)} of {len(having)}")
    assert sum(having) >= 0.9 * len(having)


def test_errors_of_all_rooms_have_fields():
    having = raised(SOURCES)
    print(f"all rooms: {sum(having)} of {len(having)}")
    assert sum(having) >= 0.95 * len(having)


def test_the_argument_is_known_where_the_sentence_begins_otherwise():
    with pytest.raises(errors.InputError, match=r"^X and y are missing; pass") as caught:
        referee.compare({"a": object(), "b": object()})
    assert (caught.value.argument, caught.value.value) == ("X", "")
    assert caught.value.remedy == "pass features and labels, or Evaluations to compare"


def test_the_place_is_known_where_the_sentence_says_it(tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("")
    with pytest.raises(errors.TableError, match=r"empty\.csv is empty") as caught:
        referee.read_table(path)
    assert caught.value.place == str(path)


def test_a_remedy_may_bring_its_own_semicolon():
    error = errors.InputError(
        "must be known", argument="name", remedy=errors.nearest("ag", ["age"])
    )
    assert str(error) == "name must be known; did you mean 'age'?"
    assert error.remedy == "did you mean 'age'?"
