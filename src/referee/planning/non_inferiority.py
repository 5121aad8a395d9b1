"""How many cases show that a model is not worse by more than a margin?

With delta the true difference of errors (the first minus the second), psi the share of cases on
which exactly one model errs and m the margin, Tango's score test shows delta < m with the power

    Phi{[sqrt(n) (m - delta) - z_alpha s0] / s1},   s1^2 = psi - delta^2,

s0 being its standard deviation as it is estimated under delta = m. The exact test that is used
up to 20 000 cases asks for a few cases more: none of either error takes log(alpha) / log(1 - m).

References
----------
Nam (1997), Biometrics 53. Tango (1998), Statistics in Medicine 17.
"""

from __future__ import annotations

import math

from scipy import special

from referee.errors import InputError
from referee.intervals.difference.paired import tango_score

__all__ = ["least_rows", "non_inferiority_power", "non_inferiority_rows"]

_LARGE = 1e6


def least_rows(margin: float, alpha: float = 0.05) -> int:
    """Return the cases that show the margin where the models never disagree.

    Examples
    --------
    >>> least_rows(0.01), least_rows(0.05)
    (299, 59)
    """
    return math.ceil(math.log(alpha) / math.log1p(-margin))


def non_inferiority_power(
    n: int, margin: float, discordance: float, *, difference: float = 0.0, alpha: float = 0.05
) -> float:
    """Return the probability that n cases show it.

    Parameters
    ----------
    n : int
        How many cases there are.
    margin : float
        How much worse the model may be.
    discordance : float
        Share of cases on which exactly one of the models errs.
    difference : float
        The true difference of errors, candidate minus baseline.
    alpha : float
        The chance to show it of a model that is worse by the margin.

    Examples
    --------
    >>> round(non_inferiority_power(3000, 0.01, 0.05), 3)
    0.781
    """
    if n < least_rows(margin, alpha):
        return 0.0
    away, s0, s1 = _spreads(margin, discordance, difference)
    reach = math.sqrt(n) * away - _quantile(alpha) * s0
    return float(special.ndtr(reach / s1)) if s1 > 0 else float(reach > 0)


def non_inferiority_rows(
    margin: float,
    discordance: float,
    *,
    difference: float = 0.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """Return the cases that show it with some power, by the formula and not rounded.

    Examples
    --------
    >>> round(non_inferiority_rows(0.01, 0.05))
    3162
    >>> round(non_inferiority_rows(0.01, 0.0))
    299
    """
    away, s0, s1 = _spreads(margin, discordance, difference)
    rows = ((_quantile(alpha) * s0 + _quantile(1 - power) * s1) / away) ** 2
    return max(rows, float(least_rows(margin, alpha)))


def _spreads(margin: float, psi: float, delta: float) -> tuple[float, float, float]:
    """Return margin - delta, and the spreads of a difference at the margin and in truth."""
    if not 0 < margin < 1:
        raise InputError(
            "must lie between 0 and 1",
            argument="non_inferior",
            value=f"{margin:g}",
            remedy=f"for {margin:g} points write {margin / 100:g}" if margin >= 1 else "",
        )
    if not abs(delta) <= psi <= 1:
        raise InputError(f"discordance must lie between {abs(delta):g} and 1", value=f"{psi:g}")
    if delta >= margin:
        raise InputError(
            f"the true difference must be below the margin {margin:g}", value=f"{delta:g}"
        )
    b, c = (psi - delta) / 2 * _LARGE, (psi + delta) / 2 * _LARGE
    z = abs(float(tango_score(b, c, _LARGE, margin)))
    s0 = (margin - delta) * math.sqrt(_LARGE) / z
    return margin - delta, s0, math.sqrt(max(0.0, psi - delta**2))


def _quantile(q: float) -> float:
    return float(-special.ndtri(q))
