"""The history of a vault: its looks, as the entries of its ledger tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.results import Interval
from referee.intervals.looks import Answer, LadderState, LookInterval
from referee.vault.sealed.labels.header import Header
from referee.vault.sealed.ledger.entry import Entry, EntryKind
from referee.vault.sealed.look import GROUPED, Look

__all__ = ["LookRecord", "answer_content", "look_content", "look_of", "look_records"]


@dataclass(frozen=True)
class LookRecord:
    """One look of the ledger.

    Attributes
    ----------
    number : int
        Of the look, from 1.
    time, name : str
        When it was asked for, and for what.
    predictions : str
        The hash of what was scored.
    answered : bool
        Whether there is an answer; a process that was stopped may have left none.
    released : float or None
        What it gave away.
    low, high, naive_low, naive_high : float or None
        The ends of the intervals.
    """

    number: int
    time: str
    name: str
    predictions: str
    answered: bool
    released: float | None = None
    low: float | None = None
    high: float | None = None
    naive_low: float | None = None
    naive_high: float | None = None

    @property
    def outcome(self) -> str:
        """What became of it, in words."""
        if not self.answered:
            return "no answer"
        return "no improvement" if self.released is None else "released"


def look_content(state: LadderState, name: str, digest: str, file: str) -> dict[str, object]:
    """Return what is written before a look is answered; `state` counts it already."""
    return {
        "file": file,
        "look": state.looks,
        "name": name,
        "predictions": digest,
        "state": _record(state),
    }


def answer_content(answer: Answer, intervals: LookInterval) -> dict[str, object]:
    """Return what is written when a look was answered: what was released, and nothing else."""
    return {
        "cell": [answer.cell.low, answer.cell.high],
        "ends": list(answer.ends),
        "interval": [intervals.interval.low, intervals.interval.high],
        "look": answer.after.looks,
        "naive": [intervals.naive.low, intervals.naive.high],
        "released": answer.released,
        "releases_before": answer.before.releases,
        "state": _record(answer.after),
    }


def _record(state: LadderState) -> dict[str, int]:
    return {"looks": state.looks, "releases": state.releases, "rung": state.rung}


def look_records(entries: Sequence[Entry]) -> tuple[LookRecord, ...]:
    """Return the looks of a ledger, in order."""
    return tuple(_look_record(look, answer) for look, answer in _pairs(entries))


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry | None]]:
    answers = {e.content["look"]: e for e in entries if e.kind == EntryKind.ANSWER}
    for entry in entries:
        if entry.kind == EntryKind.LOOK:
            yield entry, answers.get(entry.content["look"])


def _look_record(look: Entry, answer: Entry | None) -> LookRecord:
    asked = look.content
    start = (asked["look"], look.time, asked["name"], asked["predictions"])
    if answer is None:
        return LookRecord(*start, answered=False)
    content = answer.content
    return LookRecord(*start, True, content["released"], *content["interval"], *content["naive"])


def look_of(header: Header, directory: str, look: Entry, answer: Entry) -> Look:
    """Return the look that two entries tell of; it knows nothing that is not in them."""
    asked, answered = look.content, answer.content
    state = answered["state"]
    climbing = not header.policy.exact
    best = header.grid.value(state["rung"]) if climbing and state["rung"] else answered["released"]
    return Look(
        vault=directory,
        name=asked["name"],
        measure=header.measure.measure,
        released=answered["released"],
        interval=_interval(answered["interval"], header, guaranteed=True),
        naive_interval=_interval(answered["naive"], header, guaranteed=False),
        looks=asked["look"],
        releases=state["releases"],
        ends=tuple(answered["ends"]),
        best=best,
        baseline=header.start,
        baseline_words=header.baseline.words,
        policy=header.policy,
        n=header.grid.n,
        cases=header.n,
        grouped=header.grouped,
        time=look.time,
        predictions_hash=asked["predictions"],
        commitment=header.commitment,
    )


def _interval(ends: Sequence[float], header: Header, *, guaranteed: bool) -> Interval:
    kind = "clopper-pearson" if header.grid.counted else "bentkus"
    method = f"looks-{kind}" if guaranteed and not header.policy.exact else kind
    flag = GROUPED if header.grouped else ""
    return Interval(low=ends[0], high=ends[1], level=header.level, method=method, flag=flag)
