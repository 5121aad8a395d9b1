"""Inflation: by how much the score of a search flatters the model it chose."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.core.arrays import Label
from referee.core.plan import Part, Plan
from referee.core.results import Estimate
from referee.core.showing.numbers import percent, size_text
from referee.measures import measure_named

if TYPE_CHECKING:
    from referee.fitting.search import SearchOutcome

__all__ = ["SearchReport", "search_report"]


@dataclass(frozen=True, kw_only=True)
class SearchReport:
    """What the search inside a model found, beside the honest estimate.

    Attributes
    ----------
    chosen : str
        What the search on all rows chose; with a single split, the one on its training rows.
    choices : mapping of str to int
        How often each choice was made over the training sets of the validation.
    measure : str
        The measure that both scores speak of, by its catalogue name; empty if there is none.
    scoring : str
        How the search calls its score.
    inner : float
        The best inner score of that search, not nested.
    nested : float
        The estimate of the validation around the search; nan where it is another measure.
    reason : str
        Why the two cannot be compared; empty where they can.
    """

    chosen: str
    choices: Mapping[str, int]
    measure: str
    scoring: str
    inner: float
    nested: float
    reason: str = ""

    @property
    def inflation(self) -> float | None:
        """By how much the inner score looks better than the nested one; None if not comparable."""
        if self.reason:
            return None
        up = measure_named(self.measure).greater_is_better
        return self.inner - self.nested if up else self.nested - self.inner

    @property
    def sentence(self) -> str:
        """The two scores and their difference, in words."""
        inflation = self.inflation
        if inflation is None:
            return f"The search's own best score cannot be set beside the estimate: {self.reason}."
        title = measure_named(self.measure).title
        said = (
            f"The search itself reports its best inner {title}, {self.text(self.inner)}; nested "
            f"validation gives {self.text(self.nested)}."
        )
        size = size_text(abs(inflation), percent=self._percent)
        if self.text(self.inner) == self.text(self.nested):
            return f"{said} Here the two agree; the inner is biased, because it was used to choose."
        if inflation < 0:
            return (
                f"{said} Here the inner one does not flatter (it is {size} worse); it is still "
                "biased, because it was used to choose."
            )
        return f"{said} So the inner one flatters by {size}: it chose, and is not a result."

    @property
    def stability(self) -> str:
        """How often the commonest choices were made, in words."""
        total = sum(self.choices.values())
        if total < 2:
            return f"Chosen: {self.chosen}."
        common = sorted(self.choices.items(), key=lambda item: -item[1])[:3]
        choices = "; ".join(f"{what} in {times}" for what, times in common)
        rest = len(self.choices) - len(common)
        more = f"; {rest} other choice{'s' if rest != 1 else ''} in the rest" if rest else ""
        return f"Chosen on all rows: {self.chosen}. Of {total} training sets: {choices}{more}."

    def text(self, value: float) -> str:
        """Write a score as its measure is written."""
        return percent(value) if self._percent else f"{value:.3f}"

    @property
    def _percent(self) -> bool:
        return bool(self.measure) and measure_named(self.measure).percent


def search_report(
    searches: Mapping[int, SearchOutcome],
    plan: Plan | None,
    numbers: Mapping[str, Estimate],
    positive: Label | None,
) -> SearchReport | None:
    """Return the scores of the searches of a run beside its estimates; None if none searched.

    Parameters
    ----------
    searches : mapping of int to SearchOutcome
        What each split's search found.
    numbers : mapping of str to Estimate
        The estimates of the validation.
    """
    if not searches or plan is None:
        return None
    whole = [i for i in searches if plan.splits[i].part is Part.RESUBSTITUTION]
    main = [i for i in searches if plan.splits[i].part is Part.MAIN]
    shown = searches[(whole or main or list(searches))[0]]
    nested = numbers.get(shown.measure)
    reason = _reason(shown, nested, positive)
    return SearchReport(
        chosen=shown.chosen,
        choices=dict(Counter(searches[i].chosen for i in main)),
        measure=shown.measure,
        scoring=shown.scoring,
        inner=shown.score,
        nested=math.nan if reason or nested is None else nested.value,
        reason=reason,
    )


def _reason(search: SearchOutcome, nested: Estimate | None, positive: Label | None) -> str:
    """Say why an inner score cannot be compared with the estimate, if it cannot."""
    if math.isnan(search.score):
        return f"it keeps no best score, because it was used to choose by {search.scoring}"
    if not search.measure:
        return f"it chose by {search.scoring}, which is no measure of the catalogue"
    if nested is None:
        return (
            f"it chose by {search.scoring}, which was not measured here; ask for the measure "
            f"{search.measure} to see both"
        )
    if not nested.defined:
        return f"the {search.measure} of the validation is undefined ({nested.reason})"
    if search.positive not in (None, positive):
        return (
            f"it chose by {search.scoring} of the class {search.positive!r}, and the positive "
            f"class is {positive!r}"
        )
    return ""
