"""PermutationTest: how a model does on the true labels, and on labels that chance gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Floats
from referee.core.citations import Citation
from referee.core.predictions import Predictions
from referee.core.results import Evidence, Outcome, Verdict
from referee.core.showing.numbers import p_text, percent
from referee.core.showing.pictures import Histogram
from referee.core.showing.reportable import Reportable
from referee.judging.evaluation import Provenance
from referee.judging.methods_paragraph import assumed_by
from referee.judging.settings import computed_with
from referee.measures import Measure
from referee.significance.works import (
    BESAG_CLIFFORD_1991,
    OJALA_GARRIGA_2010,
    PHIPSON_SMYTH_2010,
)

if TYPE_CHECKING:
    import pandas as pd

    from referee.permuting.grounds import PermutationGrounds

__all__ = ["PermutationTest"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationTest(Reportable):
    """How a model does on the true labels, and on labels that chance gave.

    Attributes
    ----------
    name : str
        The model.
    measure : Measure
        What was measured.
    observed : float
        Its value on the true labels.
    null : array
        Its values on the relabellings.
    evidence : Evidence
        The test; ``p_value`` is its p-value.
    exceedances : int
        How many relabellings did at least as well.
    stopped : bool
        Whether counting ended early, because p was large anyway.
    hypothesis : {"labels", "features"}
        Which null hypothesis was tested.
    plan : str
        How it was validated, in words.
    how : str
        By shared work, or by fits.
    predictions : Predictions or None
        Those under the true labels.
    grounds : PermutationGrounds or None
        What everything was concluded from; ``grounds.test()`` concludes it again.
    """

    name: str
    measure: Measure
    observed: float
    null: Floats
    evidence: Evidence
    exceedances: int
    stopped: bool
    hypothesis: str
    plan: str
    how: str
    n: int
    level: float
    provenance: Provenance
    predictions: Predictions | None = None
    grounds: PermutationGrounds | None = None

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<PermutationTest of {self.name}: {self.verdict.sentence}>"

    @property
    def undefined(self) -> int:
        """How many relabellings could not be learned or measured; they count as doing as well."""
        return int(np.isnan(self.null).sum())

    @property
    def p_value(self) -> float:
        """The p-value."""
        return self.evidence.p_value

    @property
    def verdict(self) -> Verdict:
        """PASS where structure was shown, UNDECIDED otherwise: absence is never shown."""
        shown = self.p_value <= 1 - self.level + 1e-12
        outcome = Outcome.PASS if shown else Outcome.UNDECIDED
        sentence = self._dependence if shown else self._no_dependence
        return Verdict(outcome=outcome, sentence=f"{sentence} {self._numbers}")

    @property
    def methods(self) -> str:
        """What was done, as a paragraph for the methods section of a paper."""
        kind = (
            "columns were permuted within classes"
            if self.hypothesis == "features"
            else "labels were permuted before splitting"
        )
        early = f" with early stopping {BESAG_CLIFFORD_1991.in_text}" if self.stopped else ""
        sentences = (
            f"We tested whether {self.name} finds structure in {self.n} cases ({self.plan}) by a "
            f"permutation test {OJALA_GARRIGA_2010.in_text} of its {self.measure.cited}: {kind}, "
            f"{len(self.null)} times{early}.",
            "The p-value counts the data themselves among the relabellings "
            f"{PHIPSON_SMYTH_2010.in_text}.",
            assumed_by([self.measure]),
            computed_with(self.provenance.seed),
        )
        return " ".join(s for s in sentences if s)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The works that `methods` cites."""
        works = {*self.measure.citations, OJALA_GARRIGA_2010, PHIPSON_SMYTH_2010}
        return tuple(sorted(works | ({BESAG_CLIFFORD_1991} if self.stopped else set())))

    @property
    def _dependence(self) -> str:
        if self.hypothesis == "features":
            return f"{self.name} uses dependence between features."
        return f"{self.name} found structure: the features say something about {self._target}."

    @property
    def _noun(self) -> str:
        """What was shuffled."""
        return (
            "quantities" if self.predictions is not None and self.predictions.numeric else "labels"
        )

    @property
    def _target(self) -> str:
        return "the target" if self._noun == "quantities" else "the labels"

    @property
    def _no_dependence(self) -> str:
        if self.hypothesis == "features":
            return (
                f"That {self.name} uses dependence between features was not shown: there may be "
                "none within the classes, or the learner is too weak to use it."
            )
        return (
            f"No structure was shown: the features may say nothing about {self._target}, or "
            f"{self.name} is too weak, or the cases too few, to find what they say."
        )

    @property
    def _numbers(self) -> str:
        m = len(self.null)
        does = f"{self.measure.title} {self._text(self.observed)}"
        defined = self.null[~np.isnan(self.null)]
        typical = self._text(float(np.median(defined))) if defined.size else "undefined"
        what = "shuffled columns" if self.hypothesis == "features" else f"shuffled {self._noun}"
        early = ", stopped early" if self.stopped else ""
        return (
            f"Its {does} was reached by {self.exceedances} of {m} runs on {what} (median "
            f"{typical}; {p_text(self.p_value)}{early})."
        )

    def _text(self, value: float) -> str:
        return percent(value) if self.measure.percent else f"{value:.3f}"

    @property
    def picture(self) -> Histogram:
        """The relabellings as a histogram, and where the true labels lie."""
        values = self.null[np.isfinite(self.null)]
        true = "true columns" if self.hypothesis == "features" else f"true {self._noun}"
        return Histogram(
            values=tuple(values.tolist()),
            mark=self.observed,
            mark_label=true,
            caption=f"{self.measure.title} on {len(self.null)} relabellings and on {true}",
            x_label=self.measure.title,
        )

    def frame(self) -> pd.DataFrame:
        """Return a row per relabelling."""
        import pandas as pd

        return pd.DataFrame(
            {"relabelling": np.arange(len(self.null)), self.measure.name: self.null}
        )
