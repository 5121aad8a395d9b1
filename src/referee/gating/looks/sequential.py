"""Decisions that hold over all runs of a gate together.

New cases: one stream for each version of the candidate, judged by betting (an e-process), so that
its decision holds whenever one looks; a run without a version is a stream of its own. Known cases:
every run is a look, judged at the share of alpha that `answer_log_weight` leaves it, by an exact
test of errors, else by betting on these cases alone. With probability `level` no candidate that is
worse by the margin is ever passed, however candidates were chosen, as long as that was done by the
gate's answers alone; so nothing but the answer is shown, unless `figures` are asked for. Those are
of all new cases of the version so far, and none of them can be looked at again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.fingerprint import fingerprint
from referee.core.results import Finding, Interval, Outcome, Severity
from referee.core.showing.numbers import count_text, level_text, signed_span, size_text
from referee.errors import InputError, Refusal, arg, named
from referee.gating.decision import Gate
from referee.gating.looks.history import History
from referee.gating.looks.ledger import Entry, Ledger, case_hash, compact, read_ledger
from referee.gating.looks.runs_record import CODE
from referee.gating.question import GateQuestion
from referee.gating.sides.compared import Compared, Sides, compared
from referee.intervals.looks.answers import answer_log_weight, stream_log_weight
from referee.intervals.sequential import betting
from referee.significance.sequential import difference_e_process, pair_e_process
from referee.significance.sequential.pairs import Alternative
from referee.vault.sealed.ledger.lock import alone

__all__ = ["idle_gate", "sequential_gate"]

_TELLING = 30
"""Fewer cases may be alike by chance."""

_STATES: dict[str, Outcome] = {o.value: o for o in (Outcome.PASS, Outcome.FAIL, Outcome.UNDECIDED)}


@dataclass(frozen=True)
class _Reached:
    """P-values of a claim, of its opposite, and of being beyond the margin after all."""

    shown: float
    opposite: float
    beyond: float = 1.0

    def outcome(self, alpha: float) -> Outcome:
        if self.shown <= alpha:
            return Outcome.PASS if self.beyond > alpha else Outcome.UNDECIDED
        return Outcome.FAIL if self.opposite <= alpha else Outcome.UNDECIDED


def sequential_gate(
    sides: Sides,
    question: GateQuestion,
    state: str | Path,
    *,
    version: str = "",
    figures: bool = False,
    now: Callable[[], str] | None = None,
) -> Gate:
    """Decide on a run, and write it into the ledger before the answer is told."""
    sides.refuse_dependent()
    asked, of_all, sides = sides.asked, sides.n, sides.one_by_one()
    question = replace(question, scale=sides.scale)
    if not sides.n:
        why = f"none of {count_text(of_all)} cases is of the class that {sides.measure} is about"
        return idle_gate(
            sides.names, question, state, version, why=why, measure=sides.measure, asked=asked
        )
    if sides.ids is None:
        raise InputError(
            f"{named('sequential')} must tell new cases from known ones, and these have no names",
            concerning="sequential",
            remedy=f"name their column with {arg('on')}",
        )
    sides = sides if figures else sides.unshown()
    serious = tuple(f for f in sides.findings if f.severity is Severity.SERIOUS)
    with _alone(Path(state)):
        if serious:
            return _withheld(sides, question, state, version, figures, serious, asked)
        return _decided(sides, question, state, version, figures, now or _now, asked)


def idle_gate(
    names: tuple[str, str],
    question: GateQuestion,
    state: str | Path,
    version: str = "",
    *,
    why: str,
    measure: str | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Gate:
    """Return the answer of a run without any case of use: what this version's last one was.

    Nothing was learnt, so nothing is written, and what was shown of the version still is.
    """
    ledger = read_ledger(state, question, measure, None, asked)
    own = [e for e in ledger.entries if version and e.version == version and not e.look]
    so_far = sum(len(e.cases) for e in own)
    stands = "no run of this version so far"
    if own:
        stands = f"the answer of run {own[-1].run} stands, on {count_text(so_far)} cases"
    baseline, candidate = names
    return Gate(
        outcome=_STATES[own[-1].answer] if own else Outcome.UNDECIDED,
        sentence=f"{why}, so nothing was added to {Path(state)}; {stands}.",
        question=question,
        baseline=baseline,
        candidate=candidate,
        measure=measure or ledger.settings["measure"] or "error",
        n=0,
        history=History(
            runs=len(ledger.entries),
            looks=ledger.looks,
            look=False,
            new_cases=0,
            stream=so_far,
            known_cases=0,
            version=version,
            versions=len({e.version or e.run for e in ledger.entries}),
            spent=0.0,
        ),
    )


def _decided(
    sides: Sides,
    question: GateQuestion,
    state: str | Path,
    version: str,
    figures: bool,
    now: Callable[[], str],
    asked: Mapping[str, Any],
) -> Gate:
    ledger = read_ledger(state, question, sides.measure, sides.bound, asked)
    run = _Run.of(sides, ledger, version, figures)
    before = ledger.again(run.request, version)
    if before is not None:
        return _gate(sides, question, run, _STATES[before.answer], again=before.run)
    run.refuse_shown()
    outcome, detail = run.decide(question)
    renamed = run.renamed()
    entry = run.entry(outcome, now())
    ledger.appended(entry).write()
    gate = _gate(sides, question, run, outcome, detail=detail)
    return replace(gate, findings=(*gate.findings, *([renamed] if renamed else [])))


def _withheld(
    sides: Sides,
    question: GateQuestion,
    state: str | Path,
    version: str,
    figures: bool,
    serious: tuple[Finding, ...],
    asked: Mapping[str, Any],
) -> Gate:
    """Return no decision on data that cannot carry one, and leave the ledger as it is.

    Neither an answer nor a figure was told, so the cases are still new once the data are mended.
    """
    ledger = read_ledger(state, question, sides.measure, sides.bound, asked)
    run = _Run.of(sides, ledger, version, figures)
    history = replace(
        run.history(again=0),
        runs=len(ledger.entries),
        looks=ledger.looks,
        stream=len(ledger.stream(version)),
        spent=0.0,
    )
    why = " and ".join(f"{f.code} ({f.title})" for f in serious)
    return replace(
        _gate(sides, question, run, Outcome.UNDECIDED),
        sentence=f"no decision while {why} stands; this run was not written into {Path(state)}.",
        history=history,
        findings=serious,
    )


@dataclass(frozen=True, eq=False)
class _Run:
    """One run: its cases in the order they are taken, and which of them are new."""

    sides: Sides
    ledger: Ledger
    version: str
    figures: bool
    hashes: tuple[str, ...]
    order: Any
    new: Any

    @classmethod
    def of(cls, sides: Sides, ledger: Ledger, version: str, figures: bool) -> _Run:
        assert sides.ids is not None
        hashes = [case_hash(str(i)) for i in sides.ids.tolist()]
        _refuse_repeated(sides.ids.tolist(), hashes)
        order = np.argsort(np.array(hashes), kind="stable")
        new = np.array([hashes[i] not in ledger.known for i in order], dtype=bool)
        return cls(sides, ledger, version, figures, tuple(hashes), order, new)

    @property
    def look(self) -> bool:
        return not self.new.any()

    @property
    def request(self) -> str:
        return fingerprint([self.sides.candidate_print, compact(self._excess)])

    @property
    def _excess(self) -> Floats:
        return np.asarray(self.sides.excess[self.order])

    @property
    def stream(self) -> Floats:
        """What this version lost more on all its new cases, those of this run last."""
        return np.concatenate([self.ledger.stream(self.version), self._excess[self.new]])

    def refuse_shown(self) -> None:
        """Refuse a look at cases of which more than the answer is known, or is asked for."""
        if not self.look:
            return
        shown = self.ledger.shown
        used = [self.ledger.known[h] for h in self.hashes if self.ledger.known[h] in shown]
        if used or self.figures:
            why = (
                f"figures of {len(used)} of these cases, new in run {used[0]}, were shown"
                if used
                else "these cases were used before, and figures would tell more than was counted"
            )
            raise Refusal(
                f"{why}, so nothing can be promised about another look at them",
                concerning="figures",
                remedy=f"bring new cases, or leave out {arg('figures')} from the first run on",
            )

    @property
    def log_share(self) -> float:
        """The logarithm of the share of alpha that the decision may spend."""
        if not self.look:
            return stream_log_weight(self.ledger.stream_number(self.version))
        return answer_log_weight(len(self.ledger.entries), self.ledger.changes)

    def decide(self, question: GateQuestion) -> tuple[Outcome, Compared | None]:
        alpha = question.alpha * math.exp(self.log_share)
        if self.look:
            return self._looked(question).outcome(alpha), None
        reached = _by_betting(self.stream, question, self.sides.bound, self.counts)
        return reached.outcome(alpha), self._figures(question) if self.figures else None

    def _looked(self, question: GateQuestion) -> _Reached:
        """Return the p-values of known cases; a t test would not hold at so small a level."""
        if self.sides.counts is None:
            return _by_betting(self._excess, question, self.sides.bound, counts=False)
        pair = compared(self.sides, question)
        return _Reached(pair.p_shown(question.claim), pair.p_opposite(question.claim))

    @property
    def counts(self) -> bool:
        """Whether losses are 0 and 1, so that cases on which one model errs say it all."""
        return self.sides.bound == 1 and bool(np.isin(self.stream, (-1, 0, 1)).all())

    def _figures(self, question: GateQuestion) -> Compared:
        """Return what the new cases say, with the interval of the stream that always holds."""
        kept = np.isin(np.arange(self.sides.n), self.order[self.new])
        pair = compared(self.sides.keep(kept), question)
        bound, up = self.sides.bound, bool(pair.difference.greater_is_better)
        alpha = max(question.alpha * math.exp(self.log_share), 1e-9)
        i = betting(self.stream, 1 - alpha, bounds=(-bound, bound)).interval
        i = replace(i, level=question.level)
        mean = float(self.stream.mean())
        difference = replace(
            pair.difference,
            value=(-mean if up else mean) + 0.0,
            n=len(self.stream),
            interval=_mirrored(i) if up else i,
            method="candidate minus baseline, all new cases so far",
        )
        return replace(pair, difference=difference)

    def entry(self, outcome: Outcome, time: str) -> Entry:
        new = [self.hashes[i] for i in self.order[self.new]]
        return Entry(
            run=len(self.ledger.entries) + 1,
            time=time,
            version=self.version,
            look=self.look,
            cases=tuple(new),
            excess=compact(self._excess[self.new]),
            n=self.sides.n,
            answer=outcome.value,
            figures=self.figures,
            request=self.request,
            content=self.sides.content,
        )

    def renamed(self) -> Finding | None:
        """Return a finding where an earlier run had the same cases under other names."""
        before = self.ledger.renamed(self.sides.content)
        if before is None or self.sides.n < _TELLING or not self.new.all():
            return None
        return Finding(
            code=CODE,
            severity=Severity.WARNING,
            title="test set used before",
            message=f"All {self.sides.n} cases are new by their names, but right answers and the "
            f"baseline's are row by row those of run {before.run}; if they are the same cases, the "
            "promise over all runs does not hold.",
            remedy="Give cases the names they had, or begin a new ledger with new cases.",
        )

    def history(self, again: int) -> History:
        entries = self.ledger.entries
        versions = {e.version or e.run for e in entries} | {self.version or again or 0}
        return History(
            runs=len(entries) + (not again),
            looks=self.ledger.looks + (self.look and not again),
            look=self.look,
            new_cases=int(self.new.sum()),
            stream=len(self.stream),
            known_cases=0 if self.look else int((~self.new).sum()),
            version=self.version,
            versions=len(versions),
            spent=math.exp(self.log_share),
            again=again,
        )


def _refuse_repeated(ids: list[Any], hashes: list[str]) -> None:
    """Refuse a case that stands there twice: it would count as two new ones."""
    seen: set[str] = set()
    for name, code in zip(ids, hashes, strict=True):
        if code in seen:
            raise InputError(
                f"case {str(name)!r} stands there more than once, and a ledger counts each once",
                concerning="on",
                remedy=f"keep one row of each {arg('on')}",
            )
        seen.add(code)


def _by_betting(excess: Floats, question: GateQuestion, bound: float, counts: bool) -> _Reached:
    """Return p-values that hold at all times, of what the candidate loses more case by case."""

    def p(margin: float, alternative: Alternative) -> float:
        if counts and margin == 0:
            return pair_e_process(excess > 0, excess < 0, alternative=alternative).p_value
        return difference_e_process(
            excess,
            margin=margin,
            bounds=(-bound, bound),
            alternative=alternative,
            level=question.level,
        ).p_value

    margin = question.rope
    if question.claim == "better":
        return _Reached(p(0.0, "less"), p(0.0, "greater"))
    if question.claim == "equivalent":
        outside = min(1.0, 2 * min(p(margin, "greater"), p(-margin, "less")))
        inside = max(p(margin, "less"), p(-margin, "greater"))
        return _Reached(inside, p(0.0, "two-sided"), outside)
    return _Reached(p(margin, "less"), p(0.0, "greater"), p(margin, "greater"))


def _gate(
    sides: Sides,
    question: GateQuestion,
    run: _Run,
    outcome: Outcome,
    *,
    detail: Compared | None = None,
    again: int = 0,
) -> Gate:
    history = run.history(again)
    baseline, candidate = sides.names
    return Gate(
        outcome=outcome,
        sentence=_sentence(sides, question, outcome, history) + _figures_text(sides, detail),
        question=question,
        baseline=baseline,
        candidate=candidate,
        measure=sides.measure,
        n=sides.n,
        compared=detail,
        history=history,
    )


def _sentence(sides: Sides, question: GateQuestion, outcome: Outcome, history: History) -> str:
    baseline, candidate = sides.names
    size = size_text(question.rope, percent=sides.percent) if question.rope else ""
    shown = {
        "non-inferior": f"{candidate} is not worse than {baseline} by more than {size}",
        "better": f"{candidate} is better than {baseline}",
        "equivalent": f"{candidate} and {baseline} are equivalent within {size}",
    }[question.claim]
    opposite = f"{candidate} is worse than {baseline}"
    if question.claim == "equivalent":
        opposite = f"{candidate} and {baseline} differ"
    text = {
        Outcome.PASS: shown,
        Outcome.FAIL: opposite,
        Outcome.UNDECIDED: f"neither that {shown} nor that {opposite} was shown",
    }[outcome]
    if history.again:
        return (
            f"{text} (the same answers on the same cases as in run {history.again}: no new look)."
        )
    if history.look:
        on = f"look {history.looks} at {count_text(sides.n)} known cases"
    else:
        on = f"{count_text(history.new_cases)} new cases"
        if history.version:
            on += f", {count_text(history.stream)} so far"
        if history.known_cases:
            on += f"; {count_text(history.known_cases)} known ones left out"
    sure = level_text(question.level)
    alone = f"; without {named('version')} each run counts as another model"
    of = "" if history.version or history.look else alone
    return f"{text} ({on}; {history.sentence}{of}; {sure} sure over all runs together)."


def _figures_text(sides: Sides, detail: Compared | None) -> str:
    """Return the difference of all new cases so far, where it may be told."""
    interval = None if detail is None else detail.difference.interval
    if detail is None or interval is None:
        return ""
    size = size_text(detail.difference.value, percent=sides.percent, sign=True)
    between = signed_span(interval.low, interval.high, percent=sides.percent)
    return f" Difference of {sides.measure}, candidate minus baseline: {size} ({between})."


def _alone(state: Path) -> AbstractContextManager[None]:
    """Keep other runs out of the ledger: its file is replaced, so its folder is locked."""
    folder = state.absolute().parent
    if not folder.is_dir():
        raise InputError(
            f"{arg('sequential', str(state))} cannot be written: there is no folder {folder}",
            concerning="sequential",
        )
    return nullcontext() if sys.platform == "win32" else alone(folder)


def _mirrored(interval: Interval) -> Interval:
    return replace(interval, low=-interval.high + 0.0, high=-interval.low + 0.0)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
