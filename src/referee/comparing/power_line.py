"""What a comparison could detect, and what it would take to show the difference that was seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import scipy

from referee.comparing.comparison import Pair
from referee.comparing.question import Question
from referee.core.results import Outcome
from referee.core.showing.numbers import p_number, size_text
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.comparison_test import ComparisonTest
from referee.significance.paired.equivalence import non_inferiority

__all__ = ["MOST_CASES", "Terms", "cases_needed", "power_line"]

MOST_CASES = 1e8
"""More are not worth naming: no test set has them."""
_FEW = 60
"""Up to so many cases are counted one by one, where a normal law says too few."""


@dataclass(frozen=True)
class Terms:
    """What sentences about a comparison are worded by.

    Attributes
    ----------
    question : Question
        What was asked.
    test : ComparisonTest
        The test of every pair.
    what : str
        The kind of cases, as "test cases".
    """

    question: Question
    test: ComparisonTest
    what: str

    def size(self, value: float) -> str:
        """Return a difference with its unit."""
        return size_text(value, percent=self.question.measure.percent)


def power_line(pair: Pair, terms: Terms) -> str:
    """Say what this comparison could detect, and what the observed difference would need."""
    question, what, n = terms.question, terms.what, pair.evidence.n
    cases = f"{n} {what if n != 1 else what.replace('cases', 'case')}"
    if question.sequential:
        more = "; more of them may still decide it" if pair.outcome is Outcome.UNDECIDED else ""
        return f"{cases} so far{more}"
    if question.claim == "non-inferior" and pair.outcome is Outcome.UNDECIDED:
        return _power_of_margin(pair, terms, cases)
    alpha = question.alpha / question.pairs
    open_ = pair.outcome is Outcome.UNDECIDED
    if open_ and pair.smallest_p is not None and pair.smallest_p > alpha:
        could = _too_few(pair, terms, cases, alpha)
    elif pair.detectable is None:
        could = _unknown_power(pair, cases)
    else:
        size = terms.size(pair.detectable)
        could = f"{cases} could detect a difference of {size} with 80 % power"
    if pair.rows_needed is None or not open_ or math.isinf(pair.rows_needed):
        return could
    wanted = terms.size(abs(pair.difference.value))
    return f"{could}; to show {wanted} takes {cases_needed(pair.rows_needed)}"


def _power_of_margin(pair: Pair, terms: Terms, cases: str) -> str:
    """Say what it would take to show that the first model is not worse by more than the rope."""
    question = terms.question
    i, loss = pair.difference.interval, question.sign * pair.difference.value
    if i is None or i.width == 0 or math.isinf(i.width):
        return f"what {cases} could detect is not known for this test"
    if loss >= question.rope:
        these = "this" if pair.evidence.n == 1 else "these"
        return f"in {these} {cases} the difference is not below the margin; more may not help"
    se = i.width / 2 / float(scipy.stats.norm.ppf((1 + i.level) / 2))
    reach = float(scipy.stats.norm.ppf(question.strictest) + scipy.stats.norm.ppf(0.8)) * se
    rows = pair.evidence.n * (reach / (question.rope - loss)) ** 2
    needed = cases_needed(max(rows, pair.evidence.n, _exact_rows(pair, question)))
    are = "is" if pair.evidence.n == 1 else "are"
    return f"{cases} {are} too few; to show it takes {needed}"


def _exact_rows(pair: Pair, question: Question) -> float:
    """Return how many cases show the margin exactly, in the shares that were seen; 0 if many.

    The formula speaks of a normal law, which few cases do not have.
    """
    if pair.counts is None:
        return 0.0
    seen = [pair.counts.both_right, pair.counts.first_right]
    seen += [pair.counts.second_right, pair.counts.both_wrong]
    for n in range(max(1, int(pair.counts.n)), _FEW + 1):
        better, worse = (round(n * float(s / pair.counts.n)) for s in seen[1:3])
        alike = PairedCounts(n - better - worse, better, worse, 0)
        if non_inferiority(alike, question.rope).p_value <= 1 - question.strictest:
            return n
    return 0.0


def _unknown_power(pair: Pair, cases: str) -> str:
    """Say why nothing can be said about what could be detected."""
    d = pair.difference
    if d.interval is not None:
        return f"{cases} are too few to show any difference"
    if d.value == 0:
        return f"as the models never differ, {cases} cannot tell what others could detect"
    return f"what {cases} could detect is not known: {d.reason}"


def _too_few(pair: Pair, terms: Terms, cases: str, alpha: float) -> str:
    """Say that no outcome could have been significant, and the smallest p-value there is."""
    assert pair.smallest_p is not None
    if terms.test.by_groups:
        least = p_number(pair.smallest_p)
        return f"too few groups of {cases} tell them apart: the smallest p possible is {least}"
    ever = 2.0 ** (1 - pair.evidence.n)
    if ever > alpha:
        return f"{cases} are too few to ever show it: the smallest p possible is {p_number(ever)}"
    apart = int(pair.counts.discordant) if pair.counts else 0
    if apart == 0:
        return f"none of {cases} tells them apart"
    tell = "tells" if apart == 1 else "tell"
    least = p_number(pair.smallest_p)
    return f"only {apart} of {cases} {tell} them apart, so the smallest p possible is {least}"


def cases_needed(rows: float, unit: str = "cases") -> str:
    """Round up to two digits: more would pretend a precision that planning does not have.

    Examples
    --------
    >>> cases_needed(1234.0), cases_needed(1.4e11)
    ('about 1 300 cases', 'more cases than any test set has')
    >>> cases_needed(1.4e11, "items")
    'more items than any test set has'
    """
    if rows > MOST_CASES:
        return f"more {unit} than any test set has"
    digits = max(0, len(str(int(rows))) - 2)
    step = 10**digits
    return f"about {math.ceil(rows / step) * step:,} {unit}".replace(",", " ")
