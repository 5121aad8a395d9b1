"""Printed rates: what the digits of a percentage say about whole numbers of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np

from referee.core.arrays import Codes, Flags
from referee.core.showing.counting import few
from referee.errors import InputError

__all__ = ["PrintedRate", "fitting_sizes", "printed_rates", "sizes_text"]

_WINDOW = 1_000_000
"""Most test set sizes that are tried."""


@dataclass(frozen=True)
class PrintedRate:
    """A printed rate as whole numbers: units of its last digit, and how many of them make 1."""

    text: str
    units: int
    whole: int

    @property
    def share(self) -> Fraction:
        """The rate as a fraction."""
        return Fraction(self.units, self.whole)


def printed_rates(
    rates: Sequence[str | float], decimals: int | None = None
) -> tuple[PrintedRate, ...]:
    """Return rates as whole numbers of units, percentages and shares told apart.

    Examples
    --------
    >>> [(r.text, r.units, r.whole) for r in printed_rates(["99.0", "99.50"])]
    [('99.0 %', 990, 1000), ('99.50 %', 9950, 10000)]
    """
    if isinstance(rates, (str, int, float)):
        rates = [rates]
    if not len(rates):
        raise InputError("must hold at least one rate", argument="rates", value="none")
    if decimals is not None and (isinstance(decimals, bool) or not 0 <= decimals <= 12):
        raise InputError(
            "must be a whole number from 0 to 12", argument="decimals", value=str(decimals)
        )
    values = [_number(r) for r in rates]
    scale = _scale(rates, values)
    longest = max(_digits(v) for v in values)
    out = []
    for rate, value in zip(rates, values, strict=True):
        digits = decimals
        if digits is None:
            digits = _digits(value, strip=False) if isinstance(rate, str) else longest
        units = value.scaleb(digits)
        if units != units.to_integral_value():
            raise InputError(
                f"{rate} has more than the {digits} decimals that are said to be used",
                concerning="decimals",
            )
        if not 0 <= value <= scale:
            raise InputError(
                f"a rate must lie between 0 and {scale}", concerning="rates", value=str(rate)
            )
        text = f"{value:.{digits}f}" + (" %" if scale == 100 else "")
        out.append(PrintedRate(text, int(units), scale * 10**digits))
    return tuple(out)


def _number(rate: str | float) -> Decimal:
    text = str(rate).strip().removesuffix("%").strip()
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise InputError(
            "a rate must be a number such as 99.50", concerning="rates", value=repr(rate)
        )
    return value


def _scale(rates: Sequence[str | float], values: list[Decimal]) -> int:
    """Return 100 for percentages and 1 for shares; both in one table cannot be told apart."""
    if any(str(r).strip().endswith("%") for r in rates):
        return 100
    above = [v > 1 for v in values]
    if not any(above):
        return 1
    small = [r for r, v in zip(rates, values, strict=True) if 0 < v <= 1]
    if small:
        raise InputError(
            f"rates mix percentages with {small[0]}, which may be a share",
            concerning="rates",
            remedy=f"write all as shares, or mark percentages: {small[0]}%",
        )
    return 100


def _digits(value: Decimal, strip: bool = True) -> int:
    exponent = (value.normalize() if strip else value).as_tuple().exponent
    return max(0, -int(exponent))


def fitting_sizes(printed: Sequence[PrintedRate], n: int) -> tuple[Codes, Codes]:
    """Return the sizes up to 2 n that all rates fit, as rounded and exactly."""
    low = max(1, n - _WINDOW // 2) if 2 * n > _WINDOW else 1
    sizes = np.arange(low, min(2 * n, low + _WINDOW) + 1, dtype=np.int64)
    rounded: Flags = np.ones(len(sizes), dtype=bool)
    exact: Flags = rounded.copy()
    for p in printed:
        # units * size / whole must be within half a unit of a whole number.
        left = (p.units % p.whole) * sizes % p.whole
        away = np.minimum(left, p.whole - left)
        rounded &= 2 * away <= sizes
        exact &= away == 0
    return sizes[rounded], sizes[exact]


def sizes_text(sizes: Sequence[int], most: int = 8) -> str:
    """Write numbers of cases with runs drawn together, the last `most` of them.

    Examples
    --------
    >>> sizes_text([200, 400, 799, 800, 801])
    '200, 400, 799–801'
    """
    runs: list[list[int]] = []
    for m in sizes:
        if runs and m == runs[-1][1] + 1:
            runs[-1][1] = m
        else:
            runs.append([m, m])
    text = [f"{a}" if a == b else f"{a}–{b}" for a, b in runs]
    return few(text, most)
