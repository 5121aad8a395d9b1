"""A learner that answers one class for all cases is hard to compare by cross-validation.

Whether such a learner wakes up depends on a few cases of the sample, which neither repetitions nor
halves of that sample need show. Most tests of learners are not to be trusted then, and it is better
to say so than to give a verdict. Difference and interval are given all the same. A test may bear
some of it, where simulations show that it keeps its size (`ComparisonTest.bears_collapse`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Rows

__all__ = ["Collapse", "collapse", "one_class_share"]


def one_class_share(predicted: Codes, repetition: Rows) -> float:
    """Return the share of repetitions whose answers are all of one class; 0 where there are none.

    Parameters
    ----------
    predicted : array of int
        The class answered in each prediction.
    repetition : array of int
        The repetition, or the half, of each prediction.

    Examples
    --------
    >>> one_class_share(np.array([0, 1, 0, 0]), np.array([0, 0, 1, 1]))
    0.5
    """
    if not len(predicted):
        return 0.0
    _, unit = np.unique(repetition, return_inverse=True)
    low = np.full(int(unit.max()) + 1, np.iinfo(np.intp).max)
    high = np.full(len(low), -1)
    np.minimum.at(low, unit, predicted)
    np.maximum.at(high, unit, predicted)
    return float(np.mean(low == high))


@dataclass(frozen=True, kw_only=True)
class Collapse:
    """How often a learner gave one answer to all cases it was tested on.

    Parameters
    ----------
    main : float
        Share of the repetitions of cross-validation.
    halvings : float
        Share of the halves.

    Examples
    --------
    >>> Collapse(main=0.0, halvings=0.6).forbids_verdict()
    False
    >>> Collapse(main=0.1, halvings=0.6).forbids_verdict()
    True
    >>> Collapse(main=0.1, halvings=0.6).forbids_verdict(borne=0.5)
    False
    """

    main: float
    halvings: float

    def forbids_verdict(self, borne: float = 0.0) -> bool:
        """Whether more whole repetitions had one answer than the test bears.

        Halves do not count: with one case in ten of the rare class they are so small that healthy
        learners answer many of them with one class.
        """
        return self.main > borne

    @property
    def sentence(self) -> str:
        """What was seen, for the reader of a comparison without verdict."""
        halves = f" and in {self.halvings:.0%} of the halves" if self.halvings > 0 else ""
        return (
            f"it gave one answer for all cases in {self.main:.0%} of the repetitions{halves}, and "
            "whether such a learner wakes up is chance"
        )


def collapse(
    predicted: Codes, repetition: Rows, half_predicted: Codes, half_repetition: Rows
) -> Collapse:
    """Return how often a learner gave one answer, in the main splits and in the halves.

    Examples
    --------
    >>> one, two = np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])
    >>> collapse(one, two, one, two)
    Collapse(main=1.0, halvings=1.0)
    """
    return Collapse(
        main=one_class_share(predicted, repetition),
        halvings=one_class_share(half_predicted, half_repetition),
    )
