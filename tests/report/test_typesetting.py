"""Signs and numbers as they stand on a page: one sign of a difference, minus signs, blanks."""

import re

import numpy as np

import referee
from referee.report import to_html, to_latex, to_markdown, to_text


def compared(better_first):
    """Return two models, of which the one errs on a tenth of the cases more."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=2000)
    good = np.where(rng.random(2000) < 0.2, 1 - truth, truth)
    bad = np.where(rng.random(2000) < 0.205, 1 - truth, truth)
    names = "ab" if better_first else "ba"
    answers = {"a": bad, "b": good}
    return referee.compare_predictions(truth, {name: answers[name] for name in names})


def test_the_interval_of_a_difference_has_one_sign_on_a_page():
    for better_first in (True, False):
        page = to_text(compared(better_first)).replace("\n", " ")
        page = re.sub(" +", " ", page)
        [said] = re.findall(r"lower \(95 % interval (\S+ to \S+) points\), exact", page)
        assert said.startswith("−")
        told = re.findall(r" against \w [\d.]+ (\S+ to \S+) mcnemar-exact", page)
        assert told == [said]


def test_no_report_has_a_hyphen_for_a_minus_sign_or_two_separators_of_thousands():
    result = compared(True)
    for render in (to_text, to_html, to_markdown):
        page = render(result)
        assert not re.search(r"[ (]-\d+\.\d", page)
        assert "2 000 cases" in re.sub(r"\s+", " ", page)
        assert not re.search(r"\b2000 cases", page)
    assert "$-$" in to_latex(result)


def test_a_class_that_is_called_minus_one_keeps_its_name():
    truth = [-1, 1] * 50
    page = to_text(referee.evaluate_predictions(truth, [-1] * 100))
    assert "-1" in page
    assert "−1" not in page
