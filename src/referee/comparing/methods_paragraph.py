"""The comparison as a paragraph for the methods section of a paper, and the works it cites."""

from __future__ import annotations

from collections.abc import Sequence

from referee.comparing.comparison import Pair
from referee.comparing.question import Question
from referee.core.citations import Citation
from referee.core.method import Method
from referee.core.results import Evidence, Target
from referee.core.showing.counting import listed
from referee.core.showing.numbers import level_text, p_text, size_text
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.judging.methods_paragraph import assumed_by
from referee.judging.settings import computed_with
from referee.significance.comparison_test import ComparisonTest
from referee.significance.multiplicity.adjustment import Adjustment
from referee.significance.paired.cochran import COCHRAN_Q
from referee.significance.works import SCHUIRMANN_1987, TANGO_1998

__all__ = ["citations_of", "methods_paragraph"]


def methods_paragraph(
    names: Sequence[str],
    pairs: Sequence[Pair],
    question: Question,
    test: ComparisonTest,
    *,
    how: str,
    n: int,
    seed: int,
    groups: int | None = None,
    omnibus: Evidence | None = None,
) -> str:
    """Return what was done, in sentences that can stand in a paper."""
    pair = pairs[0]
    interval = pair.difference.interval
    cases = f"{n} cases" if groups is None else f"{n} cases in {groups} groups"
    sentences = [
        f"We compared {listed(names, len(names))} by {question.measure.cited} on {cases} ({how}).",
        f"Differences were tested with {test.cited}{_freedom(pair, groups)}, two-sided at the "
        f"{level_text(question.alpha)} level"
        + (
            f"; the {level_text(question.level)} interval is {_interval(pair, question)}."
            if interval
            else "."
        ),
        _speaks_about(pair.evidence.target),
    ]
    if len(pairs) > 1:
        sentences.append(_several(pairs, omnibus, question.adjustment))
    if question.rope > 0:
        sentences.append(_rope(question, exact=pair.counts is not None))
        if len(pairs) > 1:
            sentences.append("These p-values were adjusted apart from those of the differences.")
    sentences.append(_planned(pairs, question))
    sentences.append(assumed_by([question.measure]))
    sentences.append(computed_with(seed))
    return " ".join(s for s in sentences if s)


def _freedom(pair: Pair, groups: int | None) -> str:
    """Return the degrees of freedom where groups, not cases, count for them."""
    df = pair.evidence.df
    return "" if groups is None or df is None else f" and t quantiles at {df:g} degrees of freedom"


def citations_of(
    pairs: Sequence[Pair],
    question: Question,
    test: ComparisonTest,
    *,
    omnibus: Evidence | None = None,
) -> tuple[Citation, ...]:
    """Return the works that the paragraph cites."""
    works = [*question.measure.citations, *test.citations]
    method = _method(pairs[0], question)
    works += method.citations if method is not None else ()
    if len(pairs) > 1:
        works += question.adjustment.citations
        works += COCHRAN_Q.citations if omnibus is not None else ()
    if question.rope > 0:
        works += [TANGO_1998] if pairs[0].counts is not None else []
        works += [SCHUIRMANN_1987] if question.claim != "non-inferior" else []
    return tuple(sorted(set(works)))


def _method(pair: Pair, question: Question) -> Method | None:
    """Return the interval of the difference, where it is not that of the test itself."""
    interval, asked = pair.difference.interval, question.of_difference
    if interval is None:
        return None
    return asked if interval.method == asked.name else DIFFERENCE_INTERVALS.get(interval.method)


def _interval(pair: Pair, question: Question) -> str:
    method = _method(pair, question)
    return method.cited if method is not None else "that of the same test"


def _speaks_about(target: Target) -> str:
    if target is Target.FIXED:
        return "The test speaks about these fitted models, not about the learners behind them."
    return (
        "The test speaks about the learners trained on samples of this size; no test of learners "
        "from one sample is exact."
    )


def _several(pairs: Sequence[Pair], omnibus: Evidence | None, adjustment: Adjustment) -> str:
    text = f"The {len(pairs)} p-values were adjusted by {adjustment.cited}"
    if adjustment.family_wise:
        text += "; ranks are given with simultaneous intervals"
    if omnibus is not None:
        text += f"; over all models {COCHRAN_Q.cited} gave {p_text(omnibus.p_value)}"
    return text + "."


def _rope(question: Question, *, exact: bool) -> str:
    size = size_text(question.rope, percent=question.measure.percent)
    how = (
        f"exactly, ordering tables by Tango's score {TANGO_1998.in_text}"
        if exact
        else "by the same t test"
    )
    if question.claim == "non-inferior":
        return f"Non-inferiority was tested one-sided against a margin of {size}, {how}."
    return (
        f"Equivalence was tested by two one-sided tests {SCHUIRMANN_1987.in_text} against a margin "
        f"of {size}, {how}."
    )


def _planned(pairs: Sequence[Pair], question: Question) -> str:
    sizes = sorted({d.detectable for d in pairs if d.detectable is not None})
    if not sizes:
        return ""
    least, most = (size_text(v, percent=question.measure.percent) for v in (sizes[0], sizes[-1]))
    size = most if least == most else f"{least.removesuffix(' points')} to {most}"
    allowing = ", allowing for the number of pairs" if len(pairs) > 1 else ""
    return f"These cases could detect a difference of {size} with 80 % power{allowing}."
