"""Evaluation: the answer to "how good is this model?"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from referee.core.arrays import Label
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Finding, Verdict
from referee.core.showing.reportable import Reportable
from referee.errors import InputError
from referee.judging.inflation import SearchReport
from referee.measures import Measure, measure_named
from referee.measures.formulas.confusion import confusion_frame

if TYPE_CHECKING:
    import pandas as pd

    from referee.core.arrays import Floats
    from referee.core.citations import Citation
    from referee.intervals.scores.runs import RunSplit
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
    leading : str
        The measure that the verdict is about.
    estimates : mapping of str to Estimate
        ``estimates["error"]`` (of quantities ``estimates["mae"]``) and the other measures.
    training_error : Estimate or None
        The error on the rows the model was trained on; never a result by itself.
    guessing : Estimate
        The error of always answering the commonest class, or of always predicting the mean or
        the median, whichever makes the measure best.
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
    leading: str = "error"
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
        """The error of a classifier; of a regressor the measure that the verdict is about."""
        return next(iter(self.estimates.values()))

    @property
    def optimism(self) -> float | None:
        """Error minus training error: how much the training error flatters the model."""
        if self.training_error is None or not self.error.defined:
            return None
        return self.error.value - self.training_error.value

    @cached_property
    def methods(self) -> str:
        """What was done, as a paragraph for the methods section of a paper."""
        from referee.judging.methods_paragraph import evaluation_paragraph

        return evaluation_paragraph(self)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The works that `methods` cites."""
        from referee.judging.methods_paragraph import works_used

        return works_used(self)

    @property
    def inflation(self) -> float | None:
        """By how much the inner score of a search flatters; None where nothing searched."""
        return None if self.search is None else self.search.inflation

    @cached_property
    def run_split(self) -> RunSplit | None:
        """How cases and seeds share the variance of the error; None unless `repeats` was asked."""
        return None if self._seeds is None else self._seeds[0]

    @property
    def seeds(self) -> str:
        """What runs with other seeds showed, in a sentence; empty unless `repeats` was asked."""
        from referee.judging.seeds import seeds_sentence

        measure = self.measure(self.error.name)
        if self._seeds is None or measure is None:
            return ""
        return seeds_sentence(*self._seeds, self.error.interval, measure.title)

    @cached_property
    def _seeds(self) -> tuple[RunSplit, Floats] | None:
        from referee.judging.seeds import seed_split

        measure = self.measure(self.error.name)
        if self.grounds is None or measure is None:
            return None
        return seed_split(self.predictions, measure, self.grounds.repeats)

    @property
    def sequence(self) -> ConfidenceSequence | None:
        """The intervals of the error after every case; None unless `sequential` was asked for."""
        from referee.judging.estimating.quantity import Quantity
        from referee.judging.estimating.sequential import sequence_of
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
        if self.predictions.label_sets is not None:
            raise InputError(
                "cases have several labels, not one class each", remedy="see per_label()"
            )
        return self._per_class.copy()

    @cached_property
    def _per_class(self) -> pd.DataFrame:
        """Made once, however often a report shows it, on the resamples of `estimates`."""
        from referee.judging.estimating.estimates import measuring_of
        from referee.judging.estimating.measuring import Measuring
        from referee.judging.estimating.per_class import class_frame

        if self.grounds is None:
            return class_frame(Measuring(predictions=self.predictions, level=_level(self)))
        return class_frame(measuring_of(self.predictions, None, self.grounds.settings))

    def per_label(self) -> pd.DataFrame:
        """Return each label of label sets on its own: error, rates, precision, F1 and intervals.

        Every interval holds for its own label; with many labels some will miss.

        Examples
        --------
        >>> import referee
        >>> truth, answers = [[1, 0], [1, 1]] * 30, [[1, 0], [0, 1]] * 30
        >>> e = referee.evaluate_predictions(truth, answers, labels=["dog", "cat"])
        >>> e.per_label()[["n", "error", "tpr"]].to_numpy().tolist()
        [[60.0, 0.5, 0.5], [30.0, 0.0, 1.0]]
        """
        return self._per_label.copy()

    @cached_property
    def _per_label(self) -> pd.DataFrame:
        from referee.judging.estimating.estimates import measuring_of
        from referee.judging.estimating.per_label import label_frame
        from referee.judging.settings import Settings

        if self.predictions.label_sets is None:
            raise InputError(
                "cases have one class each, not several labels", remedy="see per_class()"
            )
        settings = Settings(level=_level(self)) if self.grounds is None else self.grounds.settings
        return label_frame(measuring_of(self.predictions, None, settings))

    def operating_points(self, thresholds: Sequence[float] | None = None) -> pd.DataFrame:
        """Return what the score does as a rule, one row per threshold, with intervals.

        Sensitivity (tpr), specificity (tnr), predictive values, likelihood ratios and, where scores
        are probabilities, the net benefit beside that of treating everybody. A case is called
        positive when its score is at least the threshold.

        Examples
        --------
        >>> import referee
        >>> e = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 50, y_score=[0.2, 0.7] * 50)
        >>> e.operating_points([0.5]).loc[0.5, ["tpr", "net benefit"]].tolist()
        [1.0, 0.5]
        """
        from referee.judging.operating_points import operating_frame, scored_sample

        sample = scored_sample(self.predictions.unseen, self.pos_label)
        return operating_frame(sample, thresholds, _level(self))

    def calibration(self) -> pd.DataFrame:
        """Return calibration slope and intercept, which are 1 and 0 for honest probabilities.

        A slope below 1 means that probabilities are too extreme; an intercept above 0 that they are
        too low. The intercept is that of slope 1 (calibration in the large).
        """
        from referee.judging.operating_points import calibration_frame, scored_sample

        sample = scored_sample(self.predictions.unseen, self.pos_label)
        return calibration_frame(sample, _level(self))

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
