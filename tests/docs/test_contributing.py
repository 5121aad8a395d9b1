"""The worked examples of CONTRIBUTING.md are executed as they stand there."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import referee
from referee.errors import Refusal
from referee.intervals import RISK_INTERVALS
from referee.measures import MEASURES
from referee.significance import COMPARISON_TESTS
from referee.study.calibration.table import known_methods

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
X = RNG.normal(size=(120, 2)) + Y[:, None]


@pytest.fixture(scope="module")
def examples():
    """Return the names that the blocks of Python define, each block a file of its own."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        space = {"__name__": "example"}
        exec(compile(block, str(PAGE), "exec"), space)
        names |= space
    return names


@pytest.fixture
def registered(examples):
    """One line each, as the page says."""
    RISK_INTERVALS.register(examples["JACKKNIFE"])
    COMPARISON_TESTS.register(examples["SIGN_OF_LOSSES"])
    MEASURES.register(examples["YOUDEN"])
    yield
    RISK_INTERVALS.remove("jackknife")
    COMPARISON_TESTS.remove("sign-of-losses")
    MEASURES.remove("youden")


@pytest.mark.usefixtures("registered")
def test_the_interval_is_chosen_refused_reported_and_tried():
    answer = referee.evaluate(GaussianNB(), X, Y, by=10, interval="jackknife", random_state=0)
    assert answer.error.interval.method == "jackknife"
    assert answer.error.interval.low < answer.error.value < answer.error.interval.high
    assert "jackknife over folds (Efron 1982)" in " ".join(answer.to_markdown().split())
    with pytest.raises(Refusal, match="leaves out one fold"):
        referee.evaluate(GaussianNB(), X, Y, by="holdout", interval="jackknife")
    assert "jackknife" in known_methods()


@pytest.mark.usefixtures("registered")
def test_the_test_judges_a_pair_and_stands_in_the_methods_paragraph():
    wrong = np.where(np.arange(120) < 20, 1 - Y, Y)
    answer = referee.compare_predictions(Y, {"a": Y, "b": wrong}, significance="sign-of-losses")
    assert answer.evidence.test == "sign-of-losses"
    assert answer.evidence.p_value == pytest.approx(2 * 0.5**20)
    assert "a sign test of the losses" in answer.methods
    assert answer.evidence.assumptions == ("cases are independent",)
    with pytest.raises(Refusal, match=r"sign-of-losses.* does not suit auc"):
        referee.compare_predictions(
            Y, {"a": Y, "b": wrong}, y_scores={"a": X[:, 0], "b": X[:, 1]}, pos_label=1,
            measure="auc", significance="sign-of-losses",
        )  # fmt: skip


@pytest.mark.usefixtures("registered")
def test_the_measure_has_a_value_and_an_interval():
    answer = referee.evaluate_predictions(
        Y, Y, y_score=X[:, 0], measures=["youden"], random_state=0
    )
    youden = answer.estimates["youden"]
    cuts = [((X[:, 0] >= c) & (Y == 1)).sum() / 60 - ((X[:, 0] >= c) & (Y == 0)).sum() / 60
            for c in X[:, 0]]  # fmt: skip
    assert youden.value == pytest.approx(max(cuts))
    assert youden.interval.low < youden.value < youden.interval.high


def test_the_objects_serve_without_being_registered(examples):
    answer = referee.evaluate_predictions(
        Y, Y, y_score=X[:, 0], measures=[examples["YOUDEN"]], random_state=0
    )
    assert "youden" in answer.estimates
