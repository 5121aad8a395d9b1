"""The grammar of claims: what is read, what is refused and with which words."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.vault.certificate.protocol.claim import claim_of


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("error <= 0.01", "error <= 0.01"),
        ("error<=1%", "error <= 0.01"),
        ("error ≤ 1 %", "error <= 0.01"),
        ("sensitivity >= .95 and fpr <= 0.05", "tpr >= 0.95 and fpr <= 0.05"),
        ("not worse than BASELINE.csv by more than 0.01",) * 2,
        ("not worse than old and new.csv by more than 1 %",
         "not worse than old and new.csv by more than 0.01"),
        ("error <= 0.1 and not worse in tpr than b.csv by more than 0.02",) * 2,
    ],
)  # fmt: skip
def test_a_claim_is_written_in_one_way_and_reads_back_the_same(text, canonical):
    claim = claim_of(text)
    assert claim.text == canonical
    assert claim_of(claim.text) == claim


def test_one_minus_the_limit_is_taken_in_decimals():
    assert claim_of("tpr >= 0.95").parts[0].tolerance == 0.05
    assert 1 - 0.95 != 0.05


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no claim"),
        (None, "has no claim"),
        ("error <= 0", "cannot be shown"),
        ("accuracy >= 100 %", "cannot be shown"),
        ("error <= 1", "says nothing"),
        ("tpr >= 0", "says nothing"),
        ("error <= 1.2", "is no share"),
        ("error >= 0.1", "write error <= 0.1"),
        ("error < 0.1", "write error <= 0.1"),
        ("tpr <= 0.9", "write tpr >= 0.9"),
        ("auc >= 0.9", "no exact test"),
        ("mistakes <= 0.1", "unknown"),
        ("error <= few", "is no number"),
        ("error <= nan", "no finite number"),
        ("it is good", "none that can be read"),
        ("error <= 0.1 and error <= 0.1", "twice"),
        ("not worse than b.csv by more than 0", "margin"),
        ("not worse than b.csv by more than 2", "margin"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_remedy(text, words):
    with pytest.raises(InputError, match=words):
        claim_of(text)


def test_shares_count_the_cases_of_their_side():
    truth = np.array([0, 1, 2, 1])
    counted = {m: claim_of(c).parts[0].counted(truth, 1).tolist() for m, c in {
        "error": "error <= .1", "tpr": "tpr >= .9", "fnr": "fnr <= .1", "tnr": "tnr >= .9",
        "fpr": "fpr <= .1"}.items()}  # fmt: skip
    assert counted["error"] == [True] * 4
    assert counted["tpr"] == counted["fnr"] == [False, True, False, True]
    assert counted["tnr"] == counted["fpr"] == [True, False, True, False]
