"""Evaluation: the answer to "how good is this model?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.core.arrays import Label
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.reportable import Reportable
from referee.core.results import Estimate, Finding, Verdict
from referee.errors import InputError
from referee.judging.inflation import SearchReport
from referee.measures import Measure, measure_named
from referee.measures.confusion import confusion_frame

if TYPE_CHECKING:
    import pandas as pd

    from referee.intervals.sequential import ConfidenceSequence
    from referee.judging.grounds import EvaluationGrounds

__all__ = ["Evaluation", "Provenance"]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Where a result comes from, so that it can be made again.

    Attributes
    ----------
    seed : int
        The number all randomness follows from.
    data, plan : str
        Fingerprints.
    versions : mapping
        Versions of referee and what it stands on.
    """

    seed: int
    data: str
    plan: str
    versions: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation(Reportable):
    """How good a model is, with everything needed to defend it.

    Attributes
    ----------
    name : str
        What was evaluated.
    verdict : Verdict
        One outcome and one sentence.
    estimates : mapping of str to Estimate
        ``estimates["error"]`` and the other measures.
    training_error : Estimate or None
        The error on the rows the model was trained on; never a result by itself.
    guessing : Estimate
        The error of always answering the commonest class.
    findings : tuple of Finding
        What should be known before the numbers are used.
    how : str
        How it was measured, and why so where that was chosen automatically.
    predictions : Predictions
        The table everything was computed from.
    plan : Plan or None
        Who trained and who tested; None for bare predictions.
    model : estimator or None
        The model trained on all rows, for use, where the plan trained one. Of a model that
        searches, the search was repeated on all rows.
    search : SearchReport or None
        What the search inside the model found, beside the honest estimate, where it has one.
    grounds : EvaluationGrounds or None
        What everything was concluded from; ``grounds.evaluation()`` concludes it again.
    """

    name: str
    verdict: Verdict
    estimates: Mapping[str, Estimate]
    training_error: Estimate | None
    guessing: Estimate
    findings: tuple[Finding, ...]
    how: str
    predictions: Predictions
    provenance: Provenance
    plan: Plan | None = None
    model: Any = None
    pos_label: Label | None = None
    search: SearchReport | None = None
    grounds: EvaluationGrounds | None = None

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<Evaluation of {self.name}: {self.verdict.sentence}>"

    def measure(self, name: str) -> Measure | None:
        """Return what an estimate measures; None for the bootstrap's variants of the error.

        Examples
        --------
        >>> import referee
        >>> referee.evaluate_predictions([0, 1] * 20, [0, 1] * 20).measure("mcc").title
        'Matthews correlation'
        """
        asked = () if self.grounds is None else self.grounds.measures or ()
        own = next((m for m in asked if isinstance(m, Measure) and m.name == name), None)
        try:
            return own or measure_named(name)
        except InputError:
            return None

    @property
    def error(self) -> Estimate:
        """The error, the first of the estimates."""
        return self.estimates["error"]

    @property
    def optimism(self) -> float | None:
        """Error minus training error: how much the training error flatters the model."""
        if self.training_error is None or not self.error.defined:
            return None
        return self.error.value - self.training_error.value

    @property
    def inflation(self) -> float | None:
        """By how much the inner score of a search flatters; None where nothing searched."""
        return None if self.search is None else self.search.inflation

    @property
    def sequence(self) -> ConfidenceSequence | None:
        """The intervals of the error after every case; None unless `sequential` was asked for."""
        from referee.judging.quantity import Quantity
        from referee.judging.sequential import sequence_of
        from referee.measures import measure_named

        if self.grounds is None or not self.grounds.settings.sequential:
            return None
        quantity = Quantity(measure=measure_named("error"))
        return sequence_of(self.predictions, quantity, self.grounds.settings.level)

    def confusion(self, normalize: str | None = None) -> pd.DataFrame:
        """Return the confusion matrix of the unseen cases, with the classes' names.

        Summed over repetitions; `normalize` is None, "true", "pred" or "all".
        """
        return confusion_frame(self.predictions.unseen, normalize)

    def per_class(self) -> pd.DataFrame:
        """Return each class against the rest: rates, precision and F1 with their intervals."""
        from referee.judging.per_class import class_frame

        return class_frame(self.predictions, _level(self))

    def frame(self) -> pd.DataFrame:
        """Return one row per estimate.

        Columns are measure, value, low, high, level, method, target, n, n_effective, reason.
        """
        import pandas as pd

        every = list(self.estimates.values())
        every += [self.training_error] if self.training_error else []
        return pd.DataFrame([_row(e) for e in every])


def _level(evaluation: Evaluation) -> float:
    interval = evaluation.error.interval or evaluation.guessing.interval
    return interval.level if interval else 0.95


def _row(estimate: Estimate) -> dict[str, Any]:
    i = estimate.interval
    return {
        "measure": estimate.name,
        "value": estimate.value,
        "low": i.low if i else float("nan"),
        "high": i.high if i else float("nan"),
        "level": i.level if i else float("nan"),
        "method": i.method if i else "",
        "target": i.target.value if i else "",
        "n": estimate.n,
        "n_effective": i.n_effective if i and i.n_effective else float(estimate.n),
        "reason": estimate.reason or (i.flag if i else ""),
    }
