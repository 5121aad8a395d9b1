"""A certificate: the verdict on a frozen protocol, and everything it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from referee.core.results import Outcome, Verdict
from referee.core.showing.numbers import level_text, percent
from referee.core.showing.reportable import Reportable
from referee.vault.certificate.deciding.decision import Decision, PartResult
from referee.vault.certificate.deciding.evidence import PartEvidence

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Certificate", "result_of", "result_record", "sentence"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Certificate(Reportable):
    """What was certified.

    Attributes
    ----------
    path : str
        The file.
    predicate : mapping
        The signed content, as the statement has it.
    """

    path: str
    predicate: Mapping[str, Any]

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Certificate: {self.verdict.sentence}>"

    @property
    def name(self) -> str:
        """What was certified."""
        return str(self.predicate["title"])

    @property
    def verdict(self) -> Verdict:
        """PASS, FAIL or UNDECIDED, and a sentence."""
        outcome = Outcome(str(self.predicate["outcome"]).lower())
        return Verdict(outcome=outcome, sentence=str(self.predicate["sentence"]))

    @property
    def results(self) -> tuple[Mapping[str, Any], ...]:
        """Every part of the claim in every stratum."""
        return tuple(self.predicate["results"])

    def frame(self) -> pd.DataFrame:
        """Return one row a part and stratum."""
        import pandas as pd

        return pd.DataFrame(list(self.results))


def result_record(result: PartResult | PartEvidence) -> dict[str, Any]:
    """Return a judged part as the statement writes it; one that decides nothing has no outcome."""
    evidence = result.evidence if isinstance(result, PartResult) else result
    record = asdict(evidence) | {"counts": list(evidence.counts)}
    if isinstance(result, PartResult):
        record |= {
            "p_pass_adjusted": result.p_pass,
            "p_fail_adjusted": result.p_fail,
            "outcome": result.outcome.value.upper(),
        }
    return record


def result_of(record: Mapping[str, Any]) -> PartEvidence:
    """Read the evidence back from a statement."""
    names = PartEvidence.__dataclass_fields__
    values = {name: record[name] for name in names}
    return PartEvidence(**{**values, "counts": tuple(record["counts"])})


def sentence(claim: str, level: float, rule: str, decision: Decision) -> str:
    """Say what was shown, in one sentence.

    Parameters
    ----------
    claim : str
        The claim.
    level : float
        How surely.
    rule : str
        Of the strata.
    decision : Decision
        What came out.
    """
    results = decision.parts
    sure = f"with {level_text(level)} confidence"
    if decision.outcome is Outcome.PASS:
        where = "" if len(strata_names(results)) == 1 else f" in every one of {_strata(results)}"
        return f"{claim} is shown{where} {sure}: {_worded(results)}."
    if decision.outcome is Outcome.FAIL:
        failed = [r for r in results if r.outcome is Outcome.FAIL]
        return f"{claim} is false {sure}: {_worded(failed, failed=True)}.{_others(rule, decision)}"
    open_ones = [r for r in results if r.outcome is Outcome.UNDECIDED]
    others = _others(rule, decision)
    return f"{claim} is neither shown nor refuted {sure}: {_worded(open_ones)}.{others}"


def _others(rule: str, decision: Decision) -> str:
    passed = decision.strata(Outcome.PASS)
    if rule != "single" or not passed:
        return ""
    return f" It is shown for {', '.join(passed)}."


def strata_names(results: Sequence[PartResult]) -> tuple[str, ...]:
    """Return the strata, each once."""
    return tuple(dict.fromkeys(r.evidence.stratum for r in results))


def _strata(results: Sequence[PartResult]) -> str:
    return f"{len(strata_names(results))} strata"


def _worded(results: Sequence[PartResult], *, failed: bool = False) -> str:
    """Tell up to three parts: the weakest first, for they decide."""
    key = (lambda r: r.p_fail) if failed else (lambda r: -r.p_pass)
    ordered = sorted(results, key=key)
    texts = [_part(r.evidence, several=len(strata_names(results)) > 1) for r in ordered[:3]]
    more = f"; and {len(ordered) - 3} more" if len(ordered) > 3 else ""
    return "; ".join(texts) + more


def _part(e: PartEvidence, *, several: bool) -> str:
    where = f"{e.stratum}: " if several or e.stratum != "all cases" else ""
    if not e.n:
        return f"{where}{e.part}: {e.note}"
    if len(e.counts) == 1:
        failures = f"{e.counts[0]} failure{'' if e.counts[0] == 1 else 's'}"
        seen = f"{failures} among {e.n} cases ({e.part.split()[0]} {percent(e.value or 0.0)}"
    else:
        _, ours, theirs, _ = e.counts
        seen = (
            f"of {e.n} cases {ours} were answered rightly by this model alone and {theirs} by the "
            f"other alone (difference {100 * (e.value or 0.0):+.2f} points"
        )
    worst = "at least" if ">=" in e.part else "at most"
    bound = percent(e.bound) if len(e.counts) == 1 else f"{100 * e.bound:+.2f} points"
    return f"{where}{seen}, {worst} {bound})"
