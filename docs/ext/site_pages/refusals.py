"""When a method says no: it is asked about many situations, and its reasons are collected."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from referee.core import Part, Target
from referee.core.situation import Situation
from referee.measures import MEASURES
from referee.significance.comparison_test import ComparisonSituation
from referee.significance.score_tests import ScoreSituation

__all__ = ["refusals"]

_FITS = (
    {"fits": 1, "n": 40, "smallest_test": 40},
    {"fits": 1, "n": 1, "smallest_test": 1},
    {"fits": 10, "n": 40, "smallest_test": 4},
    {"fits": 40, "n": 40, "smallest_test": 1},
    {"fits": 100, "repetitions": 10, "n": 40, "smallest_test": 4},
    {"fits": 30, "repetitions": 30, "n": 40, "smallest_test": 4, "partition": False},
)
_ASKED = (
    {},
    {"grouped": True},
    {"weighted": True},
    {"parts": frozenset(Part)},
    *({"target": target, "target_asked": True} for target in Target),
)
_COMPARED = (
    {},
    {"rope": 0.01},
    {"interval": "tango"},
    {"measure": MEASURES["auc"]},
    {"measure": MEASURES["f1"]},
)


@cache
def _situations() -> tuple[Any, ...]:
    return tuple(_all_situations())


def _all_situations() -> Iterator[Any]:
    for fits, asked in itertools.product(_FITS, _ASKED):
        yield Situation(**fits, **asked)
        for paired, one_by_one, compared in itertools.product((1, 0), (0, 1), _COMPARED):
            yield ComparisonSituation(
                **fits, **asked, **compared, paired=bool(paired), sequential=bool(one_by_one)
            )
    names = ("paired", "binary", "clustered", "weighted", "marked")
    for values in itertools.product((True, False), repeat=len(names)):
        yield ScoreSituation(**dict(zip(names, values, strict=True)))


def refusals(method: Any) -> list[str]:
    """Return the reasons, with their remedies, for which a method is refused somewhere.

    Examples
    --------
    >>> from referee.intervals import RISK_INTERVALS
    >>> refusals(RISK_INTERVALS["wilson"])
    []
    >>> refusals(RISK_INTERVALS["corrected-t"])[0][:40]
    'a t interval needs at least 2 splits, go'
    """
    reasons: dict[str, str] = {}
    for situation in _situations():
        try:
            reason = method.refusal(situation)
        except (AttributeError, TypeError):  # the situation of another kind of method
            continue
        if reason is not None:
            # Reasons that differ only in their numbers are told once.
            reasons.setdefault(re.sub(r"\d+", "0", reason), reason)
    return list(reasons.values())
