"""The claim of a protocol: what is to be shown, as a sentence that can be read in one way only.

A claim is one or more parts joined by "and"; each part is one of

    error <= 0.01                                    a share, bounded on its bad side
    not worse than BASELINE.csv by more than 0.01    beside the answers of another model
    not worse in tpr than BASELINE.csv by more than 0.01

Shares: error, fpr and fnr are bounded from above, accuracy, tpr and tnr from below. Every share is
turned into a rate of failures (wrong answers among the cases it counts) and its largest tolerable
value, so that one exact test serves all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

import numpy as np

from referee.core.arrays import Codes, Flags
from referee.errors import InputError
from referee.measures.catalogue import measure_named, shares_of_known_cases
from referee.measures.shares import ERROR, ShareMeasure

__all__ = ["Claim", "PairPart", "Part", "SharePart", "claim_of"]

_EXAMPLES = (
    "write, for example, 'error <= 0.01', 'tpr >= 0.95 and fpr <= 0.05' or 'not worse than "
    "BASELINE.csv by more than 0.01'"
)
_SHARE = re.compile(
    r"(?P<measure>[A-Za-z]\w*)\s*(?P<sign><=|>=|≤|≥|<|>|==?)\s*(?P<limit>\S+(?: ?%)?)"
)
_PAIR = re.compile(
    r"not\s+worse(?:\s+in\s+(?P<measure>\w+))?\s+than\s+(?P<file>.+?)"
    r"\s+by\s+more\s+than\s+(?P<margin>\S+(?: ?%)?)"
)


@dataclass(frozen=True)
class SharePart:
    """A share and its bound.

    Attributes
    ----------
    measure : str
        A share of a known number of cases.
    limit : float
        The bound, in units of the measure.
    tolerance : float
        The largest tolerable rate of failures: the limit, or 1 minus it.

    Examples
    --------
    >>> part = claim_of("tpr >= 95 %").parts[0]
    >>> part.measure, part.limit, part.tolerance, part.text
    ('tpr', 0.95, 0.05, 'tpr >= 0.95')
    """

    measure: str
    limit: float
    tolerance: float

    @property
    def rising(self) -> bool:
        """Whether the claim is about the lower end."""
        return bool(_share(self.measure).greater_is_better)

    @property
    def by_class(self) -> bool:
        """Whether only the cases of one class count, so that a positive class must be known."""
        return bool(_share(self.measure).whose)

    @property
    def text(self) -> str:
        """The part as it is written."""
        return f"{self.measure} {'>=' if self.rising else '<='} {self.limit:.12g}"

    def value(self, failures: float) -> float:
        """Turn a rate of failures into the measure, and back."""
        return 1 - failures if self.rising else failures

    def counted(self, truth: Codes, positive: int | None) -> Flags:
        """Return which cases count."""
        return counted_cases(self.measure, truth, positive)


@dataclass(frozen=True)
class PairPart:
    """Not worse than another model by more than a margin.

    Attributes
    ----------
    measure : str
        The share in which it may not be worse; the difference is that of failures.
    baseline : str
        The file with the answers of the other model, as the protocol names it.
    margin : float
        The largest difference that does not matter.
    """

    measure: str
    baseline: str
    margin: float

    @property
    def by_class(self) -> bool:
        """Whether only the cases of one class count."""
        return bool(_share(self.measure).whose)

    @property
    def text(self) -> str:
        """The part as it is written."""
        what = "" if self.measure == ERROR.name else f" in {self.measure}"
        return f"not worse{what} than {self.baseline} by more than {self.margin:.12g}"

    def counted(self, truth: Codes, positive: int | None) -> Flags:
        """Return which cases count."""
        return counted_cases(self.measure, truth, positive)


Part: TypeAlias = SharePart | PairPart


def counted_cases(measure: str, truth: Codes, positive: int | None) -> Flags:
    """Return which cases a share counts: all of them, or those of one side."""
    share = _share(measure)
    if not share.whose:
        return np.ones(len(truth), dtype=bool)
    return np.asarray((truth == positive) if share.of_class else (truth != positive))


def _share(name: str) -> ShareMeasure:
    return shares_of_known_cases()[name]


@dataclass(frozen=True)
class Claim:
    """All parts of a claim; it holds where every one does.

    Examples
    --------
    >>> claim_of("tpr >= 0.95 and fpr <= 0.05").text
    'tpr >= 0.95 and fpr <= 0.05'
    """

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The claim in the one way that locks write it."""
        return " and ".join(part.text for part in self.parts)

    @property
    def by_class(self) -> bool:
        """Whether a positive class must be known."""
        return any(part.by_class for part in self.parts)

    @property
    def baselines(self) -> tuple[str, ...]:
        """The files of other models, each once."""
        files = [part.baseline for part in self.parts if isinstance(part, PairPart)]
        return tuple(dict.fromkeys(files))


def claim_of(text: object, measure: str = "error") -> Claim:
    """Read a claim; one that cannot be shown, or says nothing, is refused with the reason.

    Parameters
    ----------
    text : str
        The claim.
    measure : str
        In what "not worse than" is meant, where it does not say so itself.

    Examples
    --------
    >>> claim_of("not worse than old.csv by more than 0.01").parts[0].margin
    0.01
    >>> claim_of("error <= 0")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: claim 'error <= 0' cannot be shown: no number of cases proves that \
a model never errs; allow a small rate, as error <= 0.01
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"the protocol has no claim; {_EXAMPLES}", concerning="claim")
    # A file may have " and " in its name, so only where a part begins.
    pieces = re.split(r"\s+and\s+(?=not\s+worse|\w+\s*(?:<|>|=|≤|≥))", text.strip())
    parts = tuple(_part(piece.strip(), measure) for piece in pieces)
    twice = [p.text for p in parts if parts.count(p) > 1]
    if twice:
        raise InputError(f"claim {text!r} says {twice[0]!r} twice", remedy="keep it once")
    return Claim(parts)


def _part(text: str, measure: str) -> Part:
    if match := _PAIR.fullmatch(text):
        return _pair_part(text, match, measure)
    if match := _SHARE.fullmatch(text):
        return _share_part(text, match)
    raise InputError(f"claim {text!r} is none that can be read; {_EXAMPLES}", concerning="claim")


def _share_name(name: str, text: str) -> str:
    measure = measure_named(name).name
    shares = shares_of_known_cases()
    if measure not in shares:
        raise InputError(
            f"claim {text!r}: {measure} is no share of a known number of cases, so it has no "
            "exact test",
            remedy=f"claim one of {', '.join(shares)}",
        )
    return measure


def _share_part(text: str, match: re.Match[str]) -> SharePart:
    measure = _share_name(match["measure"], text)
    rising = bool(_share(measure).greater_is_better)
    sign = match["sign"].replace("≤", "<=").replace("≥", ">=")
    wanted = ">=" if rising else "<="
    if sign != wanted:
        raise InputError(
            f"claim {text!r}: {measure} is bounded on its bad side",
            remedy=f"write {measure} {wanted} {match['limit']}",
        )
    limit = _number(match["limit"], text)
    if not 0 <= limit <= 1:
        raise InputError(f"claim {text!r}: {limit} is no share", remedy="give one between 0 and 1")
    tolerance = 1 - limit if rising else limit
    if tolerance == 0:
        example = f"{measure} {wanted} {'0.99' if rising else '0.01'}"
        raise InputError(
            f"claim {text!r} cannot be shown: no number of cases proves that a model never errs",
            remedy=f"allow a small rate, as {example}",
        )
    if tolerance == 1:
        raise InputError(
            f"claim {text!r} says nothing: every model keeps it", remedy="claim less than all"
        )
    return SharePart(measure, float(limit), float(tolerance))


def _pair_part(text: str, match: re.Match[str], measure: str) -> PairPart:
    margin = _number(match["margin"], text)
    if not 0 < margin < 1:
        raise InputError(
            f"claim {text!r}: the margin must lie strictly between 0 and 1, got {margin}; it is "
            "the difference that would not matter, as 0.01",
            concerning="claim",
        )
    file = match["file"].strip().strip("'\"")
    return PairPart(_share_name(match["measure"] or measure, text), file, float(margin))


def _number(text: str, claim: str) -> Decimal:
    """Return a number, exactly; a percent sign divides by a hundred."""
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        raise InputError(
            f"claim {claim!r}: {text!r} is no number",
            concerning="claim",
            remedy="write it as 0.01 or 1 %",
        ) from None
    if not number.is_finite():
        raise InputError(
            f"claim {claim!r}: {text!r} is no finite number",
            concerning="claim",
            remedy="write it as 0.01 or 1 %",
        )
    return number / 100 if text.endswith("%") else number
