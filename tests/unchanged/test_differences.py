"""The comparison with saved results: what it must notice, and what it must let pass."""

import copy

import pytest
from differences import Changes, differences

BEFORE = {
    "line": "compare-predictions --significance tango",
    "runs": {
        "tango": {
            "exit": 0,
            "results": [
                {
                    "kind": "comparison",
                    "verdict": {"outcome": "first", "sentence": "a is better"},
                    "duels": [{"evidence": {"p_value": 1e-20, "null": "equal", "n": 40}}],
                    "difference": {"value": -0.1, "flag": "", "interval": None},
                    "null": [0.5, None],
                    "findings": [{"code": "R001", "message": "text", "rows": [3, 4]}],
                }
            ],
        }
    },
}


def changed(path, value):
    """Return a copy of the tree with one value replaced, and the dotted path that changed."""
    tree = copy.deepcopy(BEFORE)
    place = tree["runs"]["tango"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return tree


RESULT = ("results", 0)


def test_equal_trees_have_no_differences():
    assert differences(BEFORE, copy.deepcopy(BEFORE)) == []


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("exit",), 1, "runs.tango.exit: was 0, is 1"),
        ((*RESULT, "kind"), "contest", "results[0].kind: was 'comparison', is 'contest'"),
        ((*RESULT, "verdict", "outcome"), "second", "outcome: was 'first', is 'second'"),
        ((*RESULT, "difference", "value"), -0.1 * (1 + 1e-8), "value: was -0.1, is -0.1000"),
        ((*RESULT, "difference", "value"), None, "value: was -0.1, is None"),
        ((*RESULT, "difference", "interval"), 0.1, "interval: was None, is 0.1"),
        ((*RESULT, "difference", "flag"), "weak", "flag: was False, is True"),
        ((*RESULT, "duels", 0, "evidence", "p_value"), 2e-20, "p_value: was 1e-20, is 2e-20"),
        ((*RESULT, "null"), [0.5], "null[1]: was None, is missing"),
        ((*RESULT, "null"), [0.25, None], "null[0]: was 0.5, is 0.25"),
        ((*RESULT, "findings", 0, "code"), "R002", "findings[0].code: was 'R001', is 'R002'"),
        ((*RESULT, "findings", 0, "rows"), [3, 4, 5], "findings[0].rows[2]: is new, 5"),
        ((*RESULT, "findings", 0, "code"), True, "code: was 'R001', is True"),
    ],
)
def test_a_changed_number_or_name_is_told_with_its_path(path, value, told):
    (line,) = differences(BEFORE, changed(path, value))
    assert told in line


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*RESULT, "verdict", "sentence"), "a does better"),
        ((*RESULT, "duels", 0, "evidence", "null"), "the models are equal"),
        ((*RESULT, "findings", 0, "message"), "another text"),
        ((*RESULT, "difference", "value"), -0.1 * (1 + 1e-12)),
        ((*RESULT, "difference", "assumptions"), ["cases are independent"]),
    ],
)
def test_wording_and_rounding_are_let_pass(path, value):
    assert differences(BEFORE, changed(path, value)) == []


def test_all_differences_are_told_at_once():
    after = changed((*RESULT, "kind"), "contest")
    after["runs"]["tango"]["exit"] = 1
    assert len(differences(BEFORE, after)) == 2


def test_what_was_changed_on_purpose_is_let_pass():
    after = changed((*RESULT, "kind"), "pairs")
    (result,) = after["runs"]["tango"]["results"]
    result["pairs"] = result.pop("duels")
    result["schema"] = 2
    del result["null"]
    after["runs"]["tango-1998"] = after["runs"].pop("tango")
    purpose = Changes(
        paths=((r"\.duels\[", ".pairs["), (r"^runs\.tango\b", "runs.tango-1998")),
        values=((r"\]\.kind$", "comparison", "pairs"),),
        removed=(r"results\[0\]\.null\[",),
        added=(r"\.schema$",),
    )
    assert len(differences(BEFORE, after)) > 4
    assert differences(BEFORE, after, purpose) == []


def test_a_renamed_number_is_still_compared():
    after = changed((*RESULT, "duels", 0, "evidence", "p_value"), 3e-20)
    (result,) = after["runs"]["tango"]["results"]
    result["pairs"] = result.pop("duels")
    (line,) = differences(BEFORE, after, Changes(paths=((r"\.duels\[", ".pairs["),)))
    assert "duels[0].evidence.p_value (now" in line
    assert "was 1e-20, is 3e-20" in line
