"""Signs and numbers as they stand on a page: one sign of a difference, minus signs, blanks."""

import re

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import referee
from referee.report import to_html, to_latex, to_markdown, to_text
from referee.report.typesetting import typeset


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


def test_counts_of_a_confusion_matrix_have_the_separator_of_the_page():
    truth = np.repeat([0, 1], 12_000)
    result = referee.evaluate_predictions(truth, truth)
    for render in (to_text, to_html, to_markdown, to_latex):
        assert not re.search(r"\b1200[01]\b", render(result))
        assert "12 000" in render(result)


def test_no_line_ends_within_a_number_or_a_p_value():
    from referee.report.text.text_lines import held

    text = typeset("of 11183 tested cases, 3338 of 11183 cases and 1024 more; p < .001, n = 11183")
    assert [len(part.split()) for part in held(text).split(" cases")] == [3, 4, 5]


def test_a_caption_does_not_begin_with_a_blank():
    X, y = load_breast_cancer(return_X_y=True)
    result = referee.compare([GaussianNB(), DummyClassifier()], X[:100], y[:100], by=5)
    page = to_text(result)
    assert re.search(r"\n  \S.*Intervals speak|\n  Intervals speak", page)
    assert not re.search(r"\n {3,}(Intervals|No model|Values)", page)
