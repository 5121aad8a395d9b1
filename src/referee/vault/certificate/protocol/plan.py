"""How a certificate decides: on all cases, by a fixed number of cases and failures, or in order.

``exact`` takes all cases there are. ``acceptance`` takes the first n cases (of each stratum, of the
class that counts) and passes at most c failures. ``sequential`` takes cases in the order of the
test set and stops as soon as it is clear, at the latest after `most`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import InputError, Refusal, nearest
from referee.planning.acceptance import acceptance_rows
from referee.vault.certificate.protocol.claim import Claim, PairPart, SharePart

__all__ = ["KINDS", "CertificatePlan", "plan_of"]

KINDS = ("exact", "acceptance", "sequential")
_FIELDS = {"exact": (), "acceptance": ("n", "failures"), "sequential": ("most",)}


@dataclass(frozen=True)
class CertificatePlan:
    """Which cases count, and when it is enough.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    n, failures : int or None
        Of an acceptance plan.
    most : int or None
        Of a sequential plan: after how many cases it ends; None for all there are.
    """

    kind: str
    n: int | None = None
    failures: int | None = None
    most: int | None = None

    @property
    def length(self) -> int | None:
        """How many cases count at most; None for all there are."""
        return self.n if self.kind == "acceptance" else self.most

    @property
    def text(self) -> str:
        """The plan in words."""
        if self.kind == "acceptance":
            return f"acceptance plan: {self.n} cases, at most {self.failures} failures"
        if self.kind == "sequential":
            end = "the last case" if self.most is None else f"{self.most} cases"
            return f"sequential: cases in the order of the test set, up to {end}"
        return "exact binomial test of all cases"

    def record(self) -> dict[str, Any]:
        """Return the plan as a lock writes it."""
        values = {name: getattr(self, name) for name in _FIELDS[self.kind]}
        return {"kind": self.kind} | values

    def refuse_unfit(self, claim: Claim, level: float) -> None:
        """Refuse a plan that would pass too much, or does not fit the claim."""
        if self.kind != "acceptance":
            return
        assert self.n is not None
        assert self.failures is not None
        for part in claim.parts:
            if isinstance(part, PairPart):
                raise Refusal(
                    f"an acceptance plan counts failures, and {part.text!r} compares two models",
                    remedy="use kind = 'exact' or 'sequential'",
                )
            needed = acceptance_rows(part.tolerance, level, self.failures)
            if self.n < needed:
                raise Refusal(
                    f"{self.n} cases with at most {self.failures} failures do not show "
                    f"{part.text!r} at level {level:g}: a model just beyond the limit would pass "
                    f"too often; {needed} cases are needed (referee sample-size lists others)",
                    concerning="failures",
                )

    def refuse_hopeless(self, claim: Claim, level: float, cases: Mapping[str, int]) -> None:
        """Refuse a test that cannot be passed, whatever the model does.

        Parameters
        ----------
        cases : mapping of str to int
            How many cases each stratum has; an upper bound where a part counts one class only.
        """
        for part in claim.parts:
            if not isinstance(part, SharePart):
                continue
            least = acceptance_rows(part.tolerance, level, self.failures or 0)
            wanted = max(least, self.n or 0)
            for name, n in cases.items():
                if n < wanted:
                    raise Refusal(
                        f"{name}: {n} cases cannot show {part.text!r} at level {level:g}; even "
                        f"without a failure {least} are needed"
                        + ("" if wanted == least else f", and the plan takes {wanted}"),
                        concerning="n",
                    )


def plan_of(record: Mapping[str, Any]) -> CertificatePlan:
    """Read a plan from a protocol or a lock; what does not belong to its kind is refused.

    Examples
    --------
    >>> plan_of({"kind": "acceptance", "n": 299, "failures": 0}).text
    'acceptance plan: 299 cases, at most 0 failures'
    """
    kind = record.get("kind", "exact")
    if kind not in KINDS:
        raise InputError(f"plan.kind {kind!r} is unknown", remedy=nearest(str(kind), KINDS))
    odd = [name for name in record if name not in ("kind", *_FIELDS[kind])]
    if odd:
        takes = " and ".join(_FIELDS[kind]) or "nothing else"
        raise InputError(
            f"plan.{odd[0]} does not belong to kind = {kind!r}, which takes {takes}",
            concerning="kind",
        )
    if kind == "acceptance":
        return CertificatePlan(
            kind, _count(record, "n", least=1), _count(record, "failures", least=0)
        )
    if kind == "sequential" and record.get("most") is not None:
        return CertificatePlan(kind, most=_count(record, "most", least=1))
    return CertificatePlan(kind)


def _count(record: Mapping[str, Any], name: str, *, least: int) -> int:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(
            f"plan.{name} must be a whole number of at least {least}", value=repr(value)
        )
    return value
