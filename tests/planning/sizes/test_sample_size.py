"""referee.plan: the numbers of METHODS, and what each question is answered with."""

import pytest

from referee.core.results import Outcome
from referee.errors import InputError
from referee.planning.power import mcnemar_power, two_sample_power
from referee.planning.sample_size import sample_size
from referee.planning.sizes.result import chance_text


def test_99_against_995():
    made = sample_size(a=0.99, b=0.995)
    formula = {s.name: s.formula for s in made.scenarios}
    assert formula["nested errors"] == pytest.approx(1567.4, abs=0.1)
    assert formula["independent errors"] == pytest.approx(4675.6, abs=0.1)
    assert formula["different cases for each model"] == pytest.approx(4672.8, abs=0.1)
    rows = [s.rows for s in made.scenarios if s.paired]
    assert rows == sorted(rows)
    for s in made.scenarios[:3]:
        shares = (s.discordance + 0.005) / 2, (s.discordance - 0.005) / 2
        assert mcnemar_power(s.rows, *shares) >= 0.8 > mcnemar_power(s.rows - 1, *shares)
    assert "1580 cases" in made.verdict.sentence
    assert made.frame().shape == (4, 5)


def test_order_of_the_models_does_not_matter():
    assert sample_size(a=0.9, b=0.8).scenarios == sample_size(a=0.8, b=0.9).scenarios


def test_power_of_the_cases_there_are():
    made = sample_size(a=0.99, b=0.995, n=800)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert made.scenarios[0].power == pytest.approx(0.21447708)
    assert made.scenarios[-1].power == pytest.approx(two_sample_power(800, 0.99, 0.995))
    assert "too few" in made.verdict.sentence
    assert len(made.widths) == 2
    assert sample_size(a=0.99, b=0.995, n=6000).verdict.outcome is Outcome.PASS
    between = sample_size(a=0.99, b=0.995, n=2000).verdict
    assert "only if both err on much the same cases; 4979 cases suffice" in between.sentence


def test_a_stated_discordance_replaces_the_guesses():
    made = sample_size(a=0.9, b=0.85, discordance=0.1)
    assert [s.name for s in made.scenarios] == [
        "the stated discordance",
        "different cases for each model",
    ]
    with pytest.raises(InputError, match=r"between 0.05 and 0.25 for accuracies of 0.9 and 0.85"):
        sample_size(a=0.9, b=0.85, discordance=0.5)


def test_unpaired_only():
    made = sample_size(a=0.9, b=0.85, paired=False)
    assert [s.paired for s in made.scenarios] == [False]
    assert "686 cases for each model" in made.verdict.sentence


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.9), (0.0, 0.2), (0.3, 0.2), (1.0, 0.0), (0.5, 0.75)])
def test_extreme_accuracies(a, b):
    made = sample_size(a=a, b=b, n=50)
    assert all(s.rows >= 1 for s in made.scenarios)
    assert made.verdict.sentence


def test_acceptance():
    made = sample_size(error=0.01, confidence=0.95)
    assert made.verdict.sentence.startswith("299 cases without a failure")
    assert made.frame()["rows"].tolist() == [299, 473, 628, 773, 913, 1049]
    assert "at most 3 failures" in sample_size(error=0.01, failures=3).verdict.sentence
    assert "at most 1 failure among" in sample_size(error=0.01, n=500).verdict.sentence
    assert "there are at most 5 failures" in sample_size(error=0.01, n=1100).verdict.sentence
    short = sample_size(error=0.01, n=100).verdict
    assert short.outcome is Outcome.UNDECIDED
    assert "299 cases without a failure could" in short.sentence


def test_cases_alone():
    made = sample_size(n=800)
    assert made.detectable[0].difference <= 0.01
    assert made.widths[2].low < 0.1 < made.widths[2].high
    few = sample_size(n=50)
    assert few.detectable[0].difference is None
    assert few.verdict.outcome is Outcome.UNDECIDED
    assert "no difference" in few.verdict.sentence


@pytest.mark.parametrize("p", [0.0, 0.004, 0.5, 0.996, 1.0])
def test_chances_are_never_0_or_100_percent(p):
    assert chance_text(p) not in ("0 %", "100 %")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "nothing to go by"),
        ({"a": 0.9}, "pass both"),
        ({"a": 0.9, "b": 0.9}, "must differ, got 0.9 twice"),
        ({"a": 99, "b": 0.9}, "a must be a share .* for 99 % write 0.99"),
        ({"a": 0.9, "b": 0.8, "error": 0.1}, "pass one of them"),
        ({"error": 1}, "max_error must lie"),
        ({"n": 0}, "n must be a whole number of at least 1, got 0"),
        ({"n": 10, "power": 80}, "power must lie .* for 80 % write 0.8"),
        ({"n": 10, "level": 95}, "for 95 % write 0.95"),
        ({"n": 10, "discordance": 2}, "discordance must be a share"),
    ],
)
def test_what_is_refused(options, says):
    with pytest.raises(InputError, match=says):
        sample_size(**options)
