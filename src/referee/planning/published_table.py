"""What a published table of percentages can be, and what it can show.

A rate measured on n cases is a whole number over n, so a printed rate that no whole number rounds
to was not measured on n cases (the GRIM test). Where rates are possible, the errors they stand for
bound what any paired test could say: at best one model errs only where the other does too.

References
----------
Brown and Heathers (2017), Social Psychological and Personality Science 8 (GRIM). Anaya (2016),
PeerJ Preprints 4 (GRIMMER).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import scipy

from referee.core.arrays import Codes
from referee.core.machine.limits import MOST_CASES
from referee.core.results import Finding, Interval, Outcome, Severity, Verdict, check_level
from referee.core.showing.numbers import p_text
from referee.core.showing.reportable import Reportable
from referee.errors import InputError, Refusal, arg
from referee.intervals.one_set.proportion import clopper_pearson
from referee.measures.formulas.paired_counts import PairedCounts
from referee.planning.power import connor_rows
from referee.planning.printed_rates import (
    PrintedRate,
    fitting_sizes,
    printed_rates,
)
from referee.significance.paired.mcnemar_exact import mcnemar_exact

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "PairAudit",
    "RateAudit",
    "TableAudit",
    "audit_table",
]

CODE = "R020"


_MOST_RATES = 50


@dataclass(frozen=True, kw_only=True)
class RateAudit:
    """One printed rate, held against the number of cases.

    Attributes
    ----------
    printed : str
        As it stands in the table.
    share : float
        The same between 0 and 1.
    cases : float
        How many of the n cases it would be, not rounded.
    counts : tuple of int
        The whole numbers that round to what is printed; empty where there are none.
    truncated : bool
        Whether some whole number gives the rate if digits were cut off instead of rounded.
    neighbours : tuple of float
        The nearest rates that n cases can give, below and above.
    standard_error : float
        sqrt(p (1 - p) / n), printed rate and stated n taken at their word.
    interval : Interval
        The exact interval around the nearest whole number.
    """

    printed: str
    share: float
    cases: float
    counts: tuple[int, ...]
    truncated: bool
    neighbours: tuple[float, ...]
    standard_error: float
    interval: Interval

    @property
    def attainable(self) -> bool:
        """Whether n cases can give this rate."""
        return bool(self.counts)

    @property
    def possible(self) -> tuple[int, ...]:
        """The counts that may have been meant: those that fit, else the two nearest."""
        near = {math.floor(self.cases), math.ceil(self.cases)}
        return self.counts or tuple(sorted(near))


@dataclass(frozen=True, kw_only=True)
class PairAudit:
    """Two rates of a table: what tests could say at best and at worst.

    Attributes
    ----------
    first, second : str
        As printed.
    difference : float
        First minus second.
    best_p, worst_p : float
        Exact McNemar p if the errors are nested, and if the models share as few as possible.
    unpaired_p : float
        Fisher's exact p, each model tested on n cases of its own.
    rows_best, rows_independent : int or None
        Cases that would show this difference with the wanted power (Connor); None for no
        difference.
    """

    first: str
    second: str
    difference: float
    best_p: float
    worst_p: float
    unpaired_p: float
    rows_best: int | None
    rows_independent: int | None


@dataclass(frozen=True, kw_only=True)
class TableAudit(Reportable):
    """What a table of rates can be, and what it can show.

    Attributes
    ----------
    verdict : Verdict
        PASS where every rate is possible and some difference stands however the errors overlap.
    rates, pairs : tuples
        Each rate, and each two of them.
    n : int
        The stated number of cases.
    sizes : tuple of int
        Numbers of cases up to 2 n (at most a million around n) that fit all the rates as rounded.
    exact_sizes : tuple of int
        Those among them that give all the rates without rounding.
    elsewhere : mapping-like tuple of (int, tuple of PairAudit)
        The pairs again at the nearest fitting sizes, where the stated one does not fit.
    """

    verdict: Verdict
    rates: tuple[RateAudit, ...]
    pairs: tuple[PairAudit, ...]
    n: int
    sizes: tuple[int, ...]
    exact_sizes: tuple[int, ...]
    level: float
    power: float
    elsewhere: tuple[tuple[int, tuple[PairAudit, ...]], ...] = ()
    findings: tuple[Finding, ...] = ()

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<TableAudit: {self.verdict.sentence}>"

    @property
    def attainable(self) -> bool:
        """Whether n cases can give every rate."""
        return all(r.attainable for r in self.rates)

    def frame(self) -> pd.DataFrame:
        """Return one row a rate."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "rate": r.printed,
                    "attainable": r.attainable,
                    "cases": r.cases,
                    "standard error": r.standard_error,
                    "low": r.interval.low,
                    "high": r.interval.high,
                }
                for r in self.rates
            ]
        )

    def pair_frame(self) -> pd.DataFrame:
        """Return one row a pair of rates."""
        import pandas as pd

        return pd.DataFrame([vars(p) for p in self.pairs])


def audit_table(
    rates: Sequence[str | float],
    n: int | None = None,
    decimals: int | None = None,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> TableAudit:
    """Check a table of rates that were all measured on the same n cases.

    Parameters
    ----------
    rates : sequence of str or float
        As printed. Strings keep their last zeros ("99.50"). Above 1, or with a percent sign, they
        are percentages; between 0 and 1 shares.
    n : int
        The cases every rate was measured on. Without it nothing can be said.
    decimals : int, optional
        Digits that were printed after the point; by default those of the strings, or as many as
        the longest number has.
    level, power : float
        For intervals and tests, and for the cases a difference would need.

    Examples
    --------
    >>> audit = audit_table(["99.00", "99.50"], n=900)
    >>> [r.attainable for r in audit.rates], audit.verdict.outcome.value
    ([True, False], 'undecided')
    >>> audit.exact_sizes
    (200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800)
    >>> round(audit_table(["99.00", "99.50"], n=800).pairs[0].best_p, 3)
    0.125
    """
    check_level(level)
    if n is None:
        raise Refusal(
            "it is impossible to tell anything from rates alone unless we know how many cases "
            "they were measured on",
            concerning="n",
            remedy=f"pass {arg('n')}",
        )
    n = _cases(n)
    printed = printed_rates(rates, decimals)
    if len(printed) > _MOST_RATES:
        raise InputError(
            f"must be at most {_MOST_RATES}, as every pair is audited",
            argument="rates",
            value=str(len(printed)),
            remedy="audit the table in parts",
        )
    audits = tuple(_rate(p, n, level) for p in printed)
    alpha = 1 - level
    sizes, exact = fitting_sizes(printed, n)
    pairs = _pairs(audits, n, alpha, power)
    near = () if all(r.attainable for r in audits) else _nearest(exact if len(exact) else sizes, n)
    elsewhere = tuple(
        (m, _pairs(tuple(_rate(p, m, level) for p in printed), m, alpha, power)) for m in near
    )
    return TableAudit(
        verdict=_verdict(audits, pairs, n, elsewhere, alpha),
        rates=audits,
        pairs=pairs,
        n=n,
        sizes=tuple(int(m) for m in sizes),
        exact_sizes=tuple(int(m) for m in exact),
        level=level,
        power=power,
        elsewhere=elsewhere,
        findings=tuple(_finding(r, n) for r in audits if not r.attainable),
    )


def _cases(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise InputError("must be a whole number of cases, at least 1", argument="n", value=repr(n))
    if n > MOST_CASES:
        raise InputError(
            f"must be at most {MOST_CASES}",
            argument="n",
            value=str(n),
            remedy="so many cases show whatever matters",
        )
    return int(n)


def _rate(printed: PrintedRate, n: int, level: float) -> RateAudit:
    cases = printed.share * n
    half = Fraction(n, 2 * printed.whole)
    first, last = math.ceil(cases - half), math.floor(cases + half)
    counts = tuple(x for x in range(first, last + 1) if 0 <= x <= n) if last >= first else ()
    if len(counts) > 3:  # many cases: the ends and the nearest say it all
        counts = (counts[0], min(counts, key=lambda x: abs(x - cases)), counts[-1])
    # Digits cut off: the count lies at the rate or less than one unit of the last digit above.
    cut = math.ceil(cases)
    near = sorted({math.floor(cases), math.ceil(cases)})
    p = float(printed.share)
    return RateAudit(
        printed=printed.text,
        share=p,
        cases=float(cases),
        counts=counts,
        truncated=cut <= n and cut < cases + Fraction(n, printed.whole),
        neighbours=tuple(x / n for x in near),
        standard_error=math.sqrt(p * (1 - p) / n),
        interval=clopper_pearson(min(n, round(cases)), n, level),
    )


def _nearest(sizes: Codes, n: int) -> tuple[int, ...]:
    below, above = sizes[sizes < n], sizes[sizes > n]
    return tuple(int(m) for m in (*below[-1:], *above[:1]))


def _pairs(
    rates: tuple[RateAudit, ...], n: int, alpha: float, power: float
) -> tuple[PairAudit, ...]:
    return tuple(_pair(x, y, n, alpha, power) for x, y in combinations(rates, 2))


def _pair(first: RateAudit, second: RateAudit, n: int, alpha: float, power: float) -> PairAudit:
    ways = [(x, y) for x in first.possible for y in second.possible]
    x, y = round(first.cases), round(second.cases)
    delta = abs(first.share - second.share)
    apart = first.share * (1 - second.share), second.share * (1 - first.share)
    return PairAudit(
        first=first.printed,
        second=second.printed,
        difference=first.share - second.share,
        best_p=min(_mcnemar(abs(x - y), 0) for x, y in ways),
        worst_p=max(_mcnemar(min(x, n - y), min(y, n - x)) for x, y in ways),
        unpaired_p=float(scipy.stats.fisher_exact(np.array([[x, n - x], [y, n - y]])).pvalue),
        rows_best=math.ceil(connor_rows(delta, 0.0, power=power, alpha=alpha)) if delta else None,
        rows_independent=(
            math.ceil(connor_rows(*apart, power=power, alpha=alpha)) if delta else None
        ),
    )


def _mcnemar(b: int, c: int) -> float:
    """Return the exact paired p of b against c discordant cases."""
    return mcnemar_exact(PairedCounts(1, b, c, 0)).p_value


def _verdict(
    rates: tuple[RateAudit, ...],
    pairs: tuple[PairAudit, ...],
    n: int,
    elsewhere: tuple[tuple[int, tuple[PairAudit, ...]], ...],
    alpha: float,
) -> Verdict:
    impossible = [r for r in rates if not r.attainable]
    if impossible:
        sentence = _impossible(impossible, n, len(rates), elsewhere, alpha)
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    possible = {1: "the rate is", 2: "both rates are"}.get(
        len(rates), f"all {len(rates)} rates are"
    )
    start = f"{possible} possible on {n} cases"
    if not pairs:
        return Verdict(outcome=Outcome.PASS, sentence=_sentence(start))
    best = min(pairs, key=lambda p: (p.best_p, -abs(p.difference)))
    sure = min(pairs, key=lambda p: (p.worst_p, -abs(p.difference)))
    # Several pairs are several chances; the smallest p must stand Bonferroni's (Holm's) price.
    if len(pairs) * sure.worst_p <= alpha:
        end = f"{_named(sure)} differ however the errors overlap ({p_text(sure.worst_p)} at worst)"
        return Verdict(outcome=Outcome.PASS, sentence=_sentence(f"{start}, and {end}"))
    if len(pairs) * best.best_p > alpha:
        end = f"even the best pairing of errors gives {p_text(best.best_p)}"
    else:
        end = (
            f"{_named(best)} differ only if both err on much the same cases ("
            f"{p_text(best.best_p)} at best, {p_text(best.worst_p)} at worst); the predictions "
            "themselves would tell"
        )
    many = f" (the smallest p of {len(pairs)} pairs)" if len(pairs) > 1 else ""
    return Verdict(outcome=Outcome.UNDECIDED, sentence=_sentence(f"{start}, but {end}{many}"))


def _impossible(
    rates: list[RateAudit],
    n: int,
    of: int,
    elsewhere: tuple[tuple[int, tuple[PairAudit, ...]], ...],
    alpha: float,
) -> str:
    names = " and ".join(f"{r.printed} ({r.cases:.10g} cases)" for r in rates[:3])
    more = f" and {len(rates) - 3} more rates" if len(rates) > 3 else ""
    text = f"{names}{more} cannot be observed on {n} cases"
    if not elsewhere:
        return f"{text}; no number of cases up to {2 * n} fits the table."
    whole = "both" if of == 2 else ("it" if of == 1 else "all")
    fits = " or ".join(str(m) for m, _ in elsewhere)
    text += f"; n = {fits} fit{'s' if len(elsewhere) == 1 else ''} {whole}"
    best = [min((p.best_p for p in pairs), default=None) for _, pairs in elsewhere]
    known = [p_text(p) for p in best if p is not None]
    if not known:
        return f"{text}."
    even = "even " if min(p for p in best if p is not None) > alpha else ""
    return f"{text}, and there {even}the best pairing of errors gives {' or '.join(known)}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _named(pair: PairAudit) -> str:
    return f"{pair.first} and {pair.second}"


def _finding(rate: RateAudit, n: int) -> Finding:
    digits = max(2, len(rate.printed.removesuffix(" %").partition(".")[2]))
    near = " and ".join(f"{100 * v:.{digits}f} %" for v in rate.neighbours)
    cut = " It could be with the digits cut off instead of rounded." if rate.truncated else ""
    return Finding(
        code=CODE,
        severity=Severity.SERIOUS,
        title="impossible rate",
        message=f"{rate.printed} of {n} cases would be {rate.cases:.10g} cases; the nearest "
        f"possible rates are {near}.{cut}",
        remedy="Ask how many cases were tested, and for the predictions themselves.",
    )
