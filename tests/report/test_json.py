"""The JSON record: loads strictly and says what the result says."""

import json
import math

import pytest

from referee.report.json import json_text


def strict(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_loads_without_nan_and_agrees_with_the_result(result):
    data = strict(result.to_json())
    assert data["name"] == result.name
    assert data["verdict"] == {
        "outcome": result.verdict.outcome.value,
        "sentence": result.verdict.sentence,
        "claim": result.verdict.claim,
        "badge": result.verdict.badge,
        "shown": result.verdict.shown,
    }
    assert list(data["estimates"]) == list(result.estimates)
    for name, estimate in result.estimates.items():
        value = data["estimates"][name]["value"]
        assert value is None if math.isnan(estimate.value) else value == estimate.value
        if estimate.interval is not None:
            assert data["estimates"][name]["interval"]["low"] == estimate.interval.low
    assert [f["code"] for f in data["findings"]] == [f.code for f in result.findings]
    assert data["n"] == result.predictions.n
    assert data["classes"] == list(result.predictions.classes)
    assert data["provenance"]["seed"] == result.provenance.seed


def test_schema_has_a_version(make):
    data = strict(make("plain").to_json())
    assert (data["schema"], data["kind"]) == (1, "evaluation")


@pytest.mark.parametrize("name", ["emoji", "right to left"])
def test_text_is_written_as_it_is(make, name):
    e = make(name)
    assert e.name in e.to_json()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_say_is_never_written(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"estimate": {"value": value}})
