"""EvaluationGrounds: everything an Evaluation is concluded from, without data and without models.

`evaluate` fits first and concludes afterwards; whoever has the predictions, the plan and what was
asked comes to the same numbers without any fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from referee.checks import Context, check_all, in_order, needs_data
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Finding
from referee.fitting.search import Found
from referee.fitting.sharing import shared_how
from referee.judging.estimates import (
    bootstrap_estimates,
    cost_with_priors,
    estimates,
    guessing_error,
    training_error,
    with_priors,
)
from referee.judging.evaluation import Evaluation, Provenance
from referee.judging.inflation import search_report
from referee.judging.sequential import (
    check_sequential,
    guessing_at_all_times,
    with_sequences,
)
from referee.judging.settings import Settings, versions
from referee.judging.verdict import judge, withheld
from referee.measures import Measure

__all__ = ["EvaluationGrounds"]


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationGrounds:
    """Predictions, the plan they were made by, and what was asked of them.

    Attributes
    ----------
    name : str
        How the model is called.
    data : str
        Fingerprint of the data.
    measures : tuple of Measure (or names) or None
        Those asked for; None for those that apply unasked.
    priors : tuple of float or None
        Share of each class in use, in the order of the classes.
    estimator : str
        Which bootstrap estimate is the error, for a bootstrap plan; empty for others.
    dismiss : tuple of str
        Codes of findings that were looked into.
    why, work : str
        Why the scheme was chosen, where it was chosen automatically; how the fits were made.
    known_findings : tuple of Finding
        Findings that only the data show, when they are no longer at hand.
    searches : mapping of int to Found
        What the search inside the model found in each split, where it has one.

    Examples
    --------
    >>> table = Predictions.of(["a", "b"] * 30, ["a", "b"] * 27 + ["b", "a"] * 3)
    >>> grounds = EvaluationGrounds(name="m", predictions=table, settings=Settings(), data="")
    >>> grounds.evaluation().error.value
    0.1
    """

    name: str
    predictions: Predictions
    settings: Settings
    data: str
    plan: Plan | None = None
    measures: tuple[Measure | str, ...] | None = None
    positive: Label | None = None
    priors: tuple[float, ...] | None = None
    estimator: str = ""
    dismiss: tuple[str, ...] = ()
    why: str = ""
    work: str = ""
    known_findings: tuple[Finding, ...] = ()
    searches: Mapping[int, Found] = field(default_factory=dict)

    def evaluation(
        self,
        *,
        data: Dataset | None = None,
        warned: Counter[str] | None = None,
        model: Any = None,
    ) -> Evaluation:
        """Put numbers on the predictions, check them and judge.

        `data` and the warnings of the fits, where they are at hand, show findings that predictions
        alone do not.
        """
        numbers = self._numbers()
        context = Context(
            data=data,
            plan=self.plan,
            predictions=self.predictions,
            warned=warned or Counter(),
            interval=numbers["error"].interval,
            uses_training_error=self.estimator not in ("", "out-of-bag"),
            auc=numbers["auc"].interval if "auc" in numbers else None,
        )
        findings = in_order((*check_all(context, self.dismiss), *self.known_findings))
        guessing, guess = guessing_error(
            self.predictions, self.settings.level, self.priors, self.plan
        )
        if self.settings.sequential:
            guessing = guessing_at_all_times(guessing, guess, self.predictions)
        verdict = judge(
            self.name,
            numbers["error"],
            guessing,
            how=self._how,
            guess=guess,
            max_error=self.settings.max_error,
        )
        chosen = f"{self._how} (chosen because: {self.why})" if self.why else self._how
        return Evaluation(
            name=self.name,
            verdict=withheld(verdict, findings),
            estimates=numbers,
            training_error=training_error(self.predictions),
            guessing=guessing,
            findings=findings,
            how=shared_how(chosen, {self.name: self.work}),
            predictions=self.predictions,
            provenance=Provenance(
                seed=self.settings.seed,
                data=self.data,
                plan=self.plan.fingerprint if self.plan else "",
                versions=versions(),
            ),
            plan=self.plan,
            model=model,
            pos_label=self.positive,
            search=search_report(self.searches, self.plan, numbers, self.positive),
            grounds=replace(self, known_findings=tuple(f for f in findings if needs_data(f))),
        )

    @property
    def _how(self) -> str:
        if self.settings.sequential:
            return "given predictions as they came, an interval for all times"
        return self.plan.description if self.plan else "given predictions"

    def _numbers(self) -> dict[str, Estimate]:
        """Return every estimate; each can be asked for another level or method."""
        numbers = self._measured()
        return {name: e.remembering(partial(self._again, name)) for name, e in numbers.items()}

    def _measured(self) -> dict[str, Estimate]:
        level = self.settings.level
        if self.estimator:
            return bootstrap_estimates(self.predictions, self.estimator, level)
        numbers = estimates(
            self.predictions,
            self.measures,
            self.positive,
            self.settings,
            priors=self.priors is not None,
        )
        if self.settings.sequential:
            own = {m.name: m for m in self.measures or () if isinstance(m, Measure)}
            costs = self.settings.costs
            check_sequential(self.predictions, interval=self.settings.interval, priors=False)
            return with_sequences(numbers, own, self.predictions, self.positive, costs, level)
        if self.priors is None:
            return numbers
        numbers |= with_priors(self.predictions, self.priors, level, numbers)
        costs, positive = self.settings.costs, self.positive
        if costs is not None and positive is not None:
            numbers["cost"] = cost_with_priors(
                self.predictions, self.priors, costs, positive, level
            )
        return numbers

    def _again(self, name: str, level: float | None, method: Any) -> Estimate:
        """Return one estimate at another level or by another method."""
        settings = replace(
            self.settings,
            level=self.settings.level if level is None else level,
            interval=self.settings.interval if method is None else method,
        )
        # The cost comes with the costs; under priors it may not be asked for by name.
        own = {m.name: m for m in self.measures or () if isinstance(m, Measure)}
        measures = ("error",) if name == "cost" else (own.get(name, name),)
        return replace(self, settings=settings, measures=measures)._numbers()[name]
