"""Baseline and candidate side by side: scores of the same items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.checks.scores import check_scores
from referee.comparing.scores.compare_scores import comparison_of
from referee.comparing.scores.question import ScoresQuestion
from referee.core.arrays import Anything, Flags, Floats
from referee.core.fingerprint import fingerprint
from referee.core.results import Finding
from referee.core.scores.scores import Scores
from referee.errors import InputError, Refusal, arg, named
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import CaseLosses
from referee.gating.sides.compared import Compared
from referee.measures.formulas.paired_counts import PairedCounts

__all__ = ["ScoreSides"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreSides:
    """Scores of the same items; see `Sides`."""

    scores: Scores
    names: tuple[str, str]
    dismiss: tuple[str, ...] = ()
    read_by: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self._rows):
            raise InputError(
                f"{self.names[0]!r} and {self.names[1]!r} share no item; a gate holds both models "
                "against the same items, so give them the same names in both files"
            )

    @cached_property
    def _rows(self) -> Any:
        return self.scores.shared(*self.names)

    @property
    def n(self) -> int:
        """How many items both have."""
        return len(self._rows)

    @property
    def measure(self) -> str:
        """What the scores are called."""
        return self.scores.name

    @property
    def percent(self) -> bool:
        """Whether scores are shares."""
        return self.scores.percent

    @property
    def scale(self) -> float:
        """The distance between the limits."""
        return self.scores.high - self.scores.low

    @property
    def bound(self) -> float:
        """The largest excess of one item."""
        return self.scale

    @property
    def ids(self) -> Anything:
        """The names of the items."""
        return np.array([str(self.scores.items[r]) for r in self._rows], dtype=object)

    @property
    def counts(self) -> PairedCounts | None:
        """Items by who had them right, for one 0/1 score an item."""
        s = self.scores
        tied = s.cluster is not None or s.weight is not None or s.human is not None
        if tied or not s.binary or s.repeated:
            return None
        good = s.high if s.greater_is_better else s.low
        candidate, baseline = (self._means(name) != good for name in reversed(self.names))
        return PairedCounts.of(candidate, baseline)

    @property
    def excess(self) -> Floats:
        """What the candidate loses more than the baseline, item by item."""
        if not self.scores.bounded:
            raise Refusal(
                "scores without limits can be bet on by nobody",
                concerning="limits",
                remedy=f"name them with {arg('limits')}, or leave out {named('sequential')}",
            )
        return self._excess

    @property
    def _excess(self) -> Floats:
        sign = -1 if self.scores.greater_is_better else 1
        return np.asarray(sign * (self._means(self.names[1]) - self._means(self.names[0])))

    @property
    def asked(self) -> Mapping[str, Any]:
        """In which direction scores are good, between which limits, and how they were read."""
        s = self.scores
        limits = f"{s.low:g} to {s.high:g}" if s.bounded else None
        return {"greater is better": s.greater_is_better, "limits": limits, **self.read_by}

    @property
    def exact(self) -> bool:
        """Whether both are compared by an exact test: one 0/1 score an item."""
        return self.counts is not None

    @property
    def losses(self) -> CaseLosses | None:
        """What the candidate loses more, item by item; None where items count unequally."""
        s = self.scores
        if s.weight is not None or s.human is not None:
            return None
        groups = None if s.cluster is None else s.cluster[self._rows]
        bound = self.scale if s.bounded else np.inf
        return CaseLosses(values=self._excess, bound=bound, groups=groups)

    @property
    def room(self) -> float | None:
        """How far the baseline's mean is from the best score; None where that tells nothing."""
        s = self.scores
        if self.exact or not s.bounded or self.losses is None or s.cluster is not None:
            return None
        best = s.high if s.greater_is_better else s.low
        return abs(best - float(self._means(self.names[0]).mean()))

    @property
    def same_answers(self) -> bool:
        """Not known: the same scores may be those of different answers."""
        return False

    @property
    def classes(self) -> Mapping[str, int]:
        """Items have no classes."""
        return {}

    def _means(self, name: str) -> Floats:
        return np.asarray(self.scores.means[self._rows, self.scores.position(name)])

    @property
    def cases(self) -> str:
        """A fingerprint of the items' names."""
        return fingerprint(sorted(self.ids.tolist()))

    @property
    def content(self) -> str:
        """A fingerprint of the baseline's scores, in their order, whatever items are called."""
        return fingerprint([self._means(self.names[0])])

    @property
    def candidate_print(self) -> str:
        """A fingerprint of the candidate's scores."""
        order = np.argsort(self.ids.astype(str), kind="stable")
        return fingerprint([self.cases, self._means(self.names[1])[order]])

    @property
    def use(self) -> tuple[str, str]:
        """The items with the kind of score, as another kind is no other candidate, and scores."""
        kind = self.read_by.get("score column", "")
        return f"{self.cases} {self.measure} {kind}".rstrip(), self.candidate_print

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the data of both."""
        return tuple(check_scores(self.scores.select(self.names[::-1]), self.dismiss))

    def keep(self, rows: Flags) -> ScoreSides:
        """Return the marked items only."""
        kept = set(self._rows[rows].tolist())
        mask = np.isin(self.scores.item, list(kept))
        frame = self.scores.frame()[mask]
        scores = Scores.of(
            frame,
            greater_is_better=self.scores.greater_is_better,
            limits=(self.scores.low, self.scores.high) if self.scores.bounded else None,
            name=self.scores.name,
        )
        # A slice is marked by the same judge as the whole.
        return replace(self, scores=replace(scores, logs=self.scores.logs))

    def one_by_one(self) -> ScoreSides:
        """Return the items as a ledger takes them: all."""
        return self

    def unshown(self) -> ScoreSides:
        """Return the items for an answer without figures."""
        return self

    def column(self, name: str) -> Anything:
        """Return the item or cluster of each item, as text."""
        s = self.scores
        if name == "item":
            return self.ids
        if name == "cluster" and s.cluster is not None:
            return np.array([str(s.clusters[c]) for c in s.cluster[self._rows]], dtype=object)
        raise InputError(
            f"scores have no column {name!r}",
            concerning="slices",
            remedy="slices go by 'item' or 'cluster'",
        )

    def refuse_dependent(self) -> None:
        """Refuse clusters and weights."""
        if self.scores.cluster is not None or self.scores.weight is not None:
            raise Refusal(
                f"{named('sequential')} takes items as independent and counts each once",
                concerning="sequential",
                remedy=f"leave out {named('cluster')} and {named('weight')}, or "
                f"{named('sequential')}",
            )

    def compare(self, question: GateQuestion) -> Compared:
        """Hold the candidate against the baseline."""
        asked = ScoresQuestion(level=question.level, rope=question.rope, claim=question.claim)
        comparison = comparison_of(self.scores.select(self.names[::-1]), asked, self.dismiss)
        return Compared(
            verdict=comparison.verdict,
            difference=comparison.pair.difference,
            candidate=comparison.estimates[self.names[1]],
            baseline=comparison.estimates[self.names[0]],
            evidence=comparison.pair.evidence,
            against_margin=comparison.pair.equivalence,
            result=comparison,
            reservation=comparison.pair.reservation,
        )
