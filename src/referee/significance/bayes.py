"""Posterior probabilities that one of two models is better, or that they are equivalent.

References
----------
Corani and Benavoli (2015), Machine Learning 100 (correlated t). Benavoli, Corani, Demšar and
Zaffalon (2017), Time for a change, JMLR 18 (signed rank). baycomp 1.0.3 gives the same numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Target
from referee.errors import InputError
from referee.significance.datasets.differences import checked_differences

__all__ = ["Posterior", "bayes_correlated_t", "bayes_signed_rank"]

PRIOR_STRENGTH = 0.5
"""Weight of the pseudo-observation at 0 of the Dirichlet process."""


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """How probable it is that either model is better, or that the difference does not matter.

    Parameters
    ----------
    first_better, equivalent, second_better : float
        Probabilities; they sum to 1.
    rope : float
        Differences up to this size count as equivalent; 0 leaves no room for equivalence.
    method : str
        Catalogue name.
    n : int
        The number of differences.
    target : Target
        What the posterior speaks about.
    assumptions : tuple of str
        What must hold.
    flag : str
        Why it should not be trusted, where that is so.
    """

    first_better: float
    equivalent: float
    second_better: float
    rope: float
    method: str
    n: int
    target: Target = Target.EXPECTED
    assumptions: tuple[str, ...] = ()
    flag: str = ""

    @property
    def swapped(self) -> Posterior:
        """The posterior with the models in the other order."""
        return replace(self, first_better=self.second_better, second_better=self.first_better)


def bayes_correlated_t(
    differences: Floats, *, rope: float, share: float, greater_is_better: bool = False
) -> Posterior:
    """Return the posterior of two learners on one data set, from cross-validation.

    Parameters
    ----------
    differences : array of shape (splits,)
        First minus second in each test set; of a loss, unless `greater_is_better`.
    rope : float
        Differences of the means up to this size count as equivalent.
    share : float
        The share of cases each split tests, 0.1 for (repeated) 10-fold cross-validation; it is
        taken for the correlation between splits, as in the corrected t.
    greater_is_better : bool
        Whether a positive difference speaks for the first.

    Examples
    --------
    >>> p = bayes_correlated_t(np.array([-0.02, -0.05, -0.01, -0.04]), rope=0.01, share=0.25)
    >>> round(p.first_better, 3), round(p.equivalent, 3), round(p.second_better, 3)
    (0.877, 0.091, 0.032)
    """
    d = _differences(differences, rope, greater_is_better)
    if len(d) < 2 or not 0 < share < 1:
        raise InputError(
            "at least 2 differences and a share between 0 and 1 are needed",
            value=f"{len(d)} and {share}",
        )
    mean = float(np.mean(d))
    varied = bool(np.any(d != d[0]))
    scale = float(np.std(d, ddof=1)) * math.sqrt(1 / len(d) + share / (1 - share))
    below, above = (
        (_tail(rope + m, scale, len(d) - 1) if varied else _step(-rope - m, rope))
        for m in (mean, -mean)
    )
    return _posterior(
        below,
        above,
        rope=rope,
        method="bayes-correlated-t",
        n=len(d),
        assumptions=(
            "differences of splits are normal and equally correlated, by the share of test cases",
            "nothing is known beforehand about their mean and variance",
        ),
        flag="" if varied else "all splits gave the same difference, so nothing is uncertain",
    )


def bayes_signed_rank(
    differences: Floats,
    *,
    rope: float,
    samples: int = 50_000,
    random_state: RandomState = 0,
    greater_is_better: bool = False,
) -> Posterior:
    """Return the posterior of two models over data sets, by signed ranks.

    Parameters
    ----------
    differences : array of shape (data sets,)
        First minus second on each data set; of a loss, unless `greater_is_better`.
    rope : float
        Differences up to this size count as equivalent.
    samples : int
        Draws from the posterior.
    random_state : int, generator or None
        Decides the draws.
    greater_is_better : bool
        Whether a positive difference speaks for the first.

    Notes
    -----
    A Dirichlet process with weight 0.5 on a pseudo-difference of 0. Each draw weighs the data sets
    and says which of the three outcomes has most of the weight of means of two differences; the
    result is the share of draws for each.

    Examples
    --------
    >>> p = bayes_signed_rank(np.array([-0.02, -0.05, -0.03, -0.04, -0.02]), rope=0.01)
    >>> p.first_better > 0.95
    True
    """
    d = _differences(differences, rope, greater_is_better)
    if samples < 1:
        raise InputError("must be at least 1", argument="samples", value=str(samples))
    values = np.concatenate([[0.0], d])
    scale = max(float(np.max(np.abs(d))), rope) or 1.0
    sums = (values[:, None] + values[None, :]) / scale
    # Half a count where a mean lies right at the end of the rope.
    below, above = (
        (np.sign(np.round(sign * sums - 2 * rope / scale, 10)) + 1) / 2 for sign in (-1, 1)
    )
    strength = np.concatenate([[PRIOR_STRENGTH], np.ones(len(d))])
    rng = np.random.default_rng(integer_seed(random_state))
    weights = rng.dirichlet(strength, samples)
    left, right = (np.einsum("ij,ij->i", weights @ side, weights) for side in (below, above))
    first, second = _wins(left, right, rope)
    return _posterior(
        first,
        second,
        rope=rope,
        method="bayes-signed-rank",
        n=len(d),
        assumptions=(
            "data sets are independent",
            "a pseudo-difference of 0 with half the weight of a data set is the prior",
            f"{samples} draws",
        ),
    )


def _differences(differences: Floats, rope: float, greater_is_better: bool) -> Floats:
    if not 0 <= rope < math.inf:
        raise InputError(
            "must be a number of at least 0",
            argument="rope",
            value=str(rope),
            remedy="for example 0.01",
        )
    d = checked_differences(differences)
    return -d if greater_is_better else d


def _tail(distance: float, scale: float, df: int) -> float:
    return float(scipy.stats.t.sf(distance / scale, df))


def _step(excess: float, rope: float) -> float:
    if rope == 0 and excess == 0:
        return 0.5
    return float(excess > 0)


def _wins(left: Floats, right: Floats, rope: float) -> tuple[float, float]:
    """Return the share of draws in which either side outweighs the rest; ties are shared."""
    middle = 1 - (left + right) if rope > 0 else np.zeros(len(left))
    both = [
        np.where(
            (one > other) & (one > middle), 1.0, np.where((one == other) & (one > middle), 0.5, 0)
        )
        for one, other in ((left, right), (right, left))
    ]
    return float(np.mean(both[0])), float(np.mean(both[1]))


def _posterior(
    first: float,
    second: float,
    *,
    rope: float,
    method: str,
    n: int,
    assumptions: tuple[str, ...],
    flag: str = "",
) -> Posterior:
    # In this order the exchange of the models exchanges the result to the last digit.
    equivalent = max(0.0, 1 - (first + second)) if rope > 0 else 0.0
    return Posterior(
        first_better=first,
        equivalent=equivalent,
        second_better=second,
        rope=rope,
        method=method,
        n=n,
        assumptions=assumptions,
        flag=flag,
    )
