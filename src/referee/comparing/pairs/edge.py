"""Where the interval of a difference and its test disagree: a sentence that says which decides."""

from __future__ import annotations

from referee.core.results import Estimate, Evidence
from referee.core.showing.numbers import level_text

__all__ = ["edge_sentence"]


def edge_sentence(difference: Estimate, evidence: Evidence) -> str:
    """Say that interval and test disagree about 0, with a blank before it; nothing if they agree.

    Examples
    --------
    >>> from referee.core.results import Interval
    >>> i = Interval(low=0.037, high=0.929, level=0.95, method="exact-paired")
    >>> d = Estimate(name="error", value=0.667, n=9, method="difference", interval=i)
    >>> e = Evidence(test="mcnemar-exact", statistic=1, p_value=0.0703, null="alike", n=9)
    >>> edge_sentence(d, e)[:78]
    ' The 95 % interval leaves out 0 although p is above .05: interval and test are'
    """
    i, p = difference.interval, evidence.p_value
    if i is None or not (0 <= p <= 1 and i.low <= i.high):
        return ""
    holds, rejected = i.low <= 0 <= i.high, p <= 1 - i.level
    if holds is not rejected:
        return ""
    alpha = f"{1 - i.level:.10g}".removeprefix("0")
    seen, side = ("holds 0", "at most") if holds else ("leaves out 0", "above")
    return (
        f" The {level_text(i.level)} interval {seen} although p is {side} {alpha}: interval and "
        "test are different procedures that may disagree at the edge, and the test decides."
    )
