"""A look: one scoring against a sealed test set, and what it gave away."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.results import Interval, Outcome, Verdict
from referee.core.showing.numbers import level_text, percent, plain, span
from referee.core.showing.reportable import Reportable
from referee.measures import Measure
from referee.vault.sealed.policies import Policy

__all__ = ["GROUPED", "Look", "value_span", "value_text"]

GROUPED = "counts cases as independent; it is too short where cases of one group err together"
"""Why intervals of grouped cases should not be trusted fully."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Look(Reportable):
    """The answer to one look.

    Attributes
    ----------
    vault : str
        The vault's directory.
    name : str
        What was scored, as its owner calls it.
    measure : Measure
        What was measured.
    released : float or None
        The score, or on a ladder the new best value on the grid; None if the look did not improve
        on the best by a step.
    interval : Interval
        Holds together with the intervals of all other looks, however the models were chosen.
    naive_interval : Interval
        What the same answer would give if nobody had ever looked before; the price of looking is
        the difference.
    looks, releases : int
        How many there have been, with this one.
    ends : tuple of float
        The least and the greatest score that would have given the same answer.
    best : float or None
        The best value released so far; None if there is none.
    baseline : float
        What was to be improved on.
    baseline_words : str
        Where that comes from.
    policy : Policy
        How scores are released, and what is promised.
    n : int
        The cases that the measure is about.
    cases : int
        The sealed cases.
    grouped : bool
        Whether cases come in groups.
    time, predictions_hash, commitment : str
        When it was taken, the hash of what was scored, and that of the labels.
    """

    vault: str
    name: str
    measure: Measure
    released: float | None
    interval: Interval
    naive_interval: Interval
    looks: int
    releases: int
    ends: tuple[float, float]
    best: float | None
    baseline: float
    baseline_words: str
    policy: Policy
    n: int
    cases: int
    grouped: bool
    time: str
    predictions_hash: str
    commitment: str

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Look {self.looks}: {self.sentence}>"

    @property
    def sentence(self) -> str:
        """What can be said of the model, in one sentence."""
        caveat = f" The interval {GROUPED}." if self.grouped else ""
        return f"{self._answer}{caveat}"

    @property
    def _answer(self) -> str:
        between = self._span(self.interval)
        naive = self._span(self.naive_interval)
        level = level_text(self.interval.level)
        if self.policy.exact:
            return (
                f"{self.name}: {self.measure.title} {self._text(self.ends[0])} on {self.n} sealed "
                f"cases ({level} interval {between}), in the only look there was."
            )
        if self.released is not None:
            return (
                f"{self.name}: a new best, {self.measure.title} {self._text(self.released)} or "
                f"better on {self.n} sealed cases ({level} interval {between}, which holds however "
                f"often one looked; naively {naive}); look {self.looks}, release {self.releases}."
            )
        return (
            f"{self.name}: no improvement by a whole step on {self._to_beat}; its "
            f"{self.measure.title} is {self._text(self._edge)} or worse on {self.n} sealed cases "
            f"({level} interval {between}, which holds however often one looked; naively {naive}); "
            f"look {self.looks}, {self.releases} release{'' if self.releases == 1 else 's'}."
        )

    @property
    def _edge(self) -> float:
        """The better end of what is known."""
        return self.ends[1] if self.measure.greater_is_better else self.ends[0]

    @property
    def _to_beat(self) -> str:
        if self.best is None:
            return f"the baseline, {self._text(self.baseline)}"
        return f"the best so far, {self._text(self.best)}"

    @property
    def verdict(self) -> Verdict:
        """The sentence; a look claims nothing, so it proves nothing."""
        return Verdict(outcome=Outcome.UNDECIDED, sentence=self.sentence)

    def _text(self, value: float) -> str:
        return value_text(self.measure, value)

    def _span(self, interval: Interval) -> str:
        return value_span(self.measure, interval.low, interval.high)


def value_text(measure: Measure, value: float) -> str:
    """Write a value of a measure."""
    return percent(value) if measure.percent else plain(value)


def value_span(measure: Measure, low: float, high: float) -> str:
    """Write an interval of a measure.

    Examples
    --------
    >>> from referee.measures import MEASURES
    >>> value_span(MEASURES["error"], 0.1, 0.2), value_span(MEASURES["auc"], 0.8, 0.9)
    ('10.0 to 20.0 %', '0.800 to 0.900')
    """
    return span(low, high) if measure.percent else f"{plain(low)} to {plain(high)}"
