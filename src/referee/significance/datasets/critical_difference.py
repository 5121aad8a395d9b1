"""Critical differences of average ranks: which of several models differ over data sets?

References
----------
Nemenyi (1963), Distribution-free multiple comparisons. Dunn (1961), JASA 56. Demšar (2006), JMLR 7,
section 3.2. Benavoli, Corani and Mangili (2016), JMLR 17, on what mean ranks cannot tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Target
from referee.errors import InputError
from referee.significance.contrast import Contrast
from referee.significance.datasets.bonferroni_dunn import BONFERRONI_DUNN
from referee.significance.datasets.dataset_test import DatasetTest
from referee.significance.datasets.friedman import average_ranks
from referee.significance.datasets.nemenyi import NEMENYI
from referee.significance.datasets.rank_error import rank_se

__all__ = ["CriticalDifference", "critical_difference", "rank_contrast"]


def rank_contrast(first: float, second: float, *, k: int, n: int) -> Contrast:
    """Return the difference of two average ranks as a z test, for Holm over all pairs.

    Parameters
    ----------
    first, second : float
        Average ranks.
    k, n : int
        How many models were ranked, on how many data sets.

    Examples
    --------
    >>> e = rank_contrast(3.143, 1.964, k=4, n=14).evidence()
    >>> round(e.statistic, 3), round(e.p_value, 4)
    (2.416, 0.0157)
    """
    return Contrast(
        value=first - second,
        se=rank_se(k, n),
        df=math.inf,
        test="rank-z",
        null="both models rank alike over such data sets",
        n=n,
        target=Target.EXPECTED,
        assumptions=(
            "data sets are independent and enough for the normal law",
            f"depends on which {k} models were ranked; wilcoxon looks at the two alone",
        ),
    )


@dataclass(frozen=True, kw_only=True)
class CriticalDifference:
    """Average ranks and the difference at which they count as different.

    Parameters
    ----------
    names : tuple of str
        The models.
    ranks : tuple of float
        Their average ranks, 1 being best.
    difference : float
        Models whose ranks differ by at least this are declared different.
    n : int
        The number of data sets.
    alpha : float
        The level of all comparisons together.
    method : str
        "nemenyi" (all pairs) or "bonferroni-dunn" (each against `control`).
    control : str or None
        The model the others are held against, with "bonferroni-dunn".
    alike : bool
        Whether a test over all models at once found no difference; then no pair has one either.

    Examples
    --------
    >>> cd = CriticalDifference(names=("a", "b", "c"), ranks=(1.2, 2.0, 2.8), difference=1.0,
    ...                         n=20, alpha=0.05, method="nemenyi")
    >>> cd.cliques
    (('a', 'b'), ('b', 'c'))
    >>> cd.differ("a", "c")
    True
    """

    names: tuple[str, ...]
    ranks: tuple[float, ...]
    difference: float
    n: int
    alpha: float
    method: str
    control: str | None = None
    alike: bool = False

    def __post_init__(self) -> None:
        if len(self.names) != len(self.ranks) or len(set(self.names)) < len(self.names):
            raise InputError(
                "every model needs one rank and a name of its own",
                value=f"names {self.names} and {len(self.ranks)} ranks",
            )
        if self.control is not None and self.control not in self.names:
            raise InputError(
                f"must be one of {self.names}", argument="control", value=repr(self.control)
            )

    @property
    def order(self) -> tuple[str, ...]:
        """The models from best to worst."""
        return tuple(self.names[i] for i in np.argsort(self.ranks, kind="stable"))

    def rank(self, name: str) -> float:
        """Return the average rank of a model."""
        return self.ranks[self.names.index(name)]

    def differ(self, first: str, second: str) -> bool:
        """Whether two models are declared different; with a control, only it and another are."""
        if self.alike or (self.control is not None and self.control not in (first, second)):
            return False
        return abs(self.rank(first) - self.rank(second)) >= self.difference

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups of models none of which were shown to differ, best first.

        With a control there is one group: it and the models not shown to differ from it.
        """
        order = self.order
        if self.control is not None:
            near = tuple(m for m in order if not self.differ(m, self.control))
            return (near,) if len(near) > 1 else ()
        groups: list[tuple[str, ...]] = []
        last_end = 0
        for start in range(len(order)):
            end = max(
                j for j in range(start, len(order)) if not self.differ(order[start], order[j])
            )
            # A run that ends where an earlier one does lies within it.
            if end > start and end + 1 > last_end:
                groups.append(order[start : end + 1])
                last_end = end + 1
        return tuple(groups)


def critical_difference(
    scores: Floats,
    names: Sequence[str],
    *,
    greater_is_better: bool = True,
    alpha: float = 0.05,
    control: str | None = None,
    after: DatasetTest | None = None,
) -> CriticalDifference:
    """Return average ranks with Nemenyi's critical difference, or Dunn's against a control.

    Parameters
    ----------
    scores : array of shape (data sets, models)
        One score, or loss, of each model on each data set.
    names : sequence of str
        The models, in the order of the columns.
    greater_is_better : bool
        Whether a large score is a good one.
    alpha : float
        The level of all comparisons together.
    control : str or None
        Compare every model with this one only.
    after : DatasetTest, optional
        By how much ranks must differ, if it is neither of the two.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8], [0.8, 0.7], [0.7, 0.8], [0.6, 0.5], [0.9, 0.6]])
    >>> cd = critical_difference(scores, ["forest", "tree"])
    >>> cd.ranks, round(cd.difference, 3), cd.cliques
    ((1.2, 1.8), 0.877, (('forest', 'tree'),))
    """
    ranks = average_ranks(scores, greater_is_better=greater_is_better)
    n, k = np.shape(scores)
    if after is None:
        after = NEMENYI if control is None else BONFERRONI_DUNN
    return CriticalDifference(
        names=tuple(names),
        ranks=tuple(float(r) for r in ranks),
        difference=after.compute(k, n, alpha),
        n=n,
        alpha=alpha,
        method=after.name,
        control=control,
    )
