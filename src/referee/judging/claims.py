"""What is claimed of one model: bounds on measures, as "auc >= 0.8", that all must hold.

Every claim is judged by its measure's own interval. All must be shown, each at the level asked for:
a false "all hold" needs a false "holds" of every claim that does not, so nothing is adjusted. That
one of several claims is refuted could be chance in any of them, and is judged at a level raised for
their number (Bonferroni).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.core.results import Estimate, Outcome, Verdict
from referee.core.showing.numbers import level_text, percent, plain, span
from referee.errors import InputError, arg, nearest
from referee.measures import MEASURES, Measure, as_measure

__all__ = ["BoundClaim", "check_claims", "claims_of", "judge_claims"]

_PATTERN = re.compile(r"(?P<measure>[^\s<>=≤≥]+)\s*(?P<sign><=|>=|≤|≥|<|>|==?)\s*(?P<limit>.+)")
_EXAMPLES = "write, for example, 'auc >= 0.8', 'cost <= 0.5' or 'tpr >= 95 % and fpr <= 10 %'"


@dataclass(frozen=True)
class BoundClaim:
    """A measure and the bound it is claimed to keep.

    Attributes
    ----------
    measure : str
        Its name.
    sign : {"<=", ">="}
        On which side of the bound it is claimed to lie.
    limit : float
        The bound.

    Examples
    --------
    >>> claims_of("recall >= 95 %")
    (BoundClaim(measure='recall', sign='>=', limit=0.95),)
    """

    measure: str
    sign: str
    limit: float

    @property
    def text(self) -> str:
        """The claim as it is written."""
        return f"{self.measure} {self.sign} {self.limit:.12g}"

    def shown(self, low: float, high: float) -> bool:
        """Tell whether an interval lies within the bound."""
        return low >= self.limit if self.sign == ">=" else high <= self.limit

    def refuted(self, low: float, high: float) -> bool:
        """Tell whether an interval lies beyond the bound."""
        return high < self.limit if self.sign == ">=" else low > self.limit


def claims_of(asked: Any) -> tuple[BoundClaim, ...]:
    """Read one claim or several, as texts; "and" joins claims in one text.

    Examples
    --------
    >>> [claim.text for claim in claims_of("tpr >= .95 and fpr <= 10 %")]
    ['tpr >= 0.95', 'fpr <= 0.1']
    """
    if asked is None:
        return ()
    texts = [asked] if isinstance(asked, (str, BoundClaim)) else asked
    if not isinstance(texts, Iterable) or getattr(texts, "ndim", 1) == 0:
        raise InputError(f"must be text; {_EXAMPLES}", argument="claim", value=repr(asked))
    claims = [claim for text in texts for claim in _read(text)]
    return tuple(dict.fromkeys(claims))


def _read(text: Any) -> list[BoundClaim]:
    if isinstance(text, BoundClaim):
        return [text]
    if not isinstance(text, str):
        raise InputError(f"must be text; {_EXAMPLES}", argument="claim", value=repr(text))
    return [_one(part.strip()) for part in re.split(r"\s+and\s+", text.strip())]


def _one(text: str) -> BoundClaim:
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise InputError(
            "must be a measure, a sign and a number", argument="claim", value=repr(text),
            remedy=_EXAMPLES,
        )  # fmt: skip
    sign = {"≤": "<=", "≥": ">="}.get(match["sign"], match["sign"])
    if sign not in ("<=", ">="):
        raise InputError(
            f"{text!r} cannot be shown from cases; write {match['measure']} <= or >= a number",
            argument="claim",
        )
    return BoundClaim(match["measure"], sign, _number(match["limit"].strip(), text))


def _number(text: str, claim: str) -> float:
    share = text.endswith("%")
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise InputError(
            f"{claim!r}: {text!r} is no number; write it as 0.8 or 80 %", argument="claim"
        )
    return number / 100 if share else number


def check_claims(
    claims: Sequence[BoundClaim], asked: Sequence[Measure] = ()
) -> dict[BoundClaim, Measure]:
    """Return the measure of every claim; refuse one that cannot be shown or says nothing.

    A name is looked for among the measures asked for first, so that a claim may be about a measure
    of one's own.

    Examples
    --------
    >>> check_claims(claims_of("auc <= 0.8"))
    Traceback (most recent call last):
    ...
    referee.errors.InputError: claim 'auc <= 0.8': a greater auc is better; claim auc >= 0.8
    """
    own = {measure.name: measure for measure in asked}
    measures = {claim: own.get(claim.measure) or _measure(claim) for claim in claims}
    for claim, measure in measures.items():
        _check_bound(claim, measure)
    return measures


def _measure(claim: BoundClaim) -> Measure:
    """Return the measure a claim is about; one that is unknown is a fault of the claim."""
    try:
        return as_measure(claim.measure)
    except InputError:
        raise InputError(
            f"{arg('claim', claim.text)} is about {claim.measure!r}, which is no measure",
            concerning="claim",
            remedy=nearest(claim.measure, list(MEASURES)),
        ) from None


def _check_bound(claim: BoundClaim, measure: Measure) -> None:
    rising = measure.greater_is_better
    if rising is not None and rising != (claim.sign == ">="):
        word, sign = ("greater", ">=") if rising else ("smaller", "<=")
        raise InputError(
            f"{claim.text!r}: a {word} {claim.measure} is better; claim {claim.measure} {sign} "
            f"{claim.limit:.12g}",
            argument="claim",
        )
    within = measure.low < claim.limit < measure.high
    if not within:
        # At the ends nothing is left to show: every model keeps the bound, or none can be shown to.
        hint = f"; for {claim.limit:g} % write {claim.limit / 100:g}"
        raise InputError(
            f"{claim.text!r}: the bound must lie strictly between {measure.low:g} and "
            f"{measure.high:g}" + (hint if measure.high == 1 < claim.limit < 100 else ""),
            argument="claim",
        )


def judge_claims(
    name: str,
    claims: Mapping[BoundClaim, Measure],
    numbers: Mapping[str, Estimate],
    *,
    how: str,
) -> Verdict:
    """Return the verdict that all claims hold: PASS, FAIL where one is refuted, else UNDECIDED."""
    parts = []
    outcomes = []
    for claim, measure in claims.items():
        estimate = numbers[measure.name]
        outcomes.append(_outcome(claim, estimate, len(claims)))
        parts.append(f"{_seen(measure, estimate)}: {_word(claim, measure, outcomes[-1])}")
    if all(outcome is Outcome.PASS for outcome in outcomes):
        outcome = Outcome.PASS
    else:
        outcome = Outcome.FAIL if Outcome.FAIL in outcomes else Outcome.UNDECIDED
    n = max(numbers[measure.name].n for measure in claims.values())
    sentence = f"{name} ({how}, n = {n}): {'; '.join(parts)}."
    claimed = " and ".join(claim.text for claim in claims)
    return Verdict(outcome=outcome, sentence=sentence, claim=claimed)


def _outcome(claim: BoundClaim, estimate: Estimate, claims: int) -> Outcome:
    i = estimate.interval
    if i is None or not estimate.defined or i.width == 0:
        return Outcome.UNDECIDED
    if claim.shown(i.low, i.high):
        return Outcome.PASS
    if not claim.refuted(i.low, i.high):
        return Outcome.UNDECIDED
    wider = i if claims == 1 else estimate.at(level=1 - (1 - i.level) / claims).interval
    refuted = wider is not None and claim.refuted(wider.low, wider.high)
    return Outcome.FAIL if refuted else Outcome.UNDECIDED


def _seen(measure: Measure, estimate: Estimate) -> str:
    i = estimate.interval
    write = percent if measure.percent else plain
    value = f"{measure.title} {write(estimate.value)}"
    if i is None:
        return f"{value} (no interval: {estimate.reason or 'none could be made'})"
    ends = span(i.low, i.high) if measure.percent else f"{plain(i.low)} to {plain(i.high)}"
    return f"{value} ({level_text(i.level)} interval {ends})"


def _word(claim: BoundClaim, measure: Measure, outcome: Outcome) -> str:
    bound = (percent if measure.percent else plain)(claim.limit)
    side, beyond = ("at least", "less") if claim.sign == ">=" else ("at most", "more")
    return {
        Outcome.PASS: f"{side} {bound}, as claimed",
        Outcome.FAIL: f"{beyond} than the {bound} claimed",
        Outcome.UNDECIDED: f"not shown to be {side} {bound}",
    }[outcome]
