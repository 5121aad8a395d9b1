"""EvaluationGrounds: everything an Evaluation is concluded from, without data and without models.

`evaluate` fits first and concludes afterwards; whoever has the predictions, the plan and what was
asked comes to the same numbers without any fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.checks import Context, check_all, in_order, needs_data
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Finding, Outcome, Verdict
from referee.fitting.sharing import shared_how
from referee.judging.claims import BoundClaim, check_claims, judge_claims
from referee.judging.estimating.estimates import (
    bootstrap_estimates,
    cost_with_priors,
    estimates,
    headline,
    training_error,
    with_priors,
)
from referee.judging.estimating.residuals import guessing_constant
from referee.judging.estimating.rivals import cheapest_answer, guessing_error
from referee.judging.estimating.sequential import (
    check_sequential,
    guessing_at_all_times,
    with_sequences,
)
from referee.judging.evaluation import Evaluation, Provenance
from referee.judging.inflation import search_report
from referee.judging.settings import Settings, versions
from referee.judging.verdicts.imbalance import LEADS, is_lopsided, judge_lopsided
from referee.judging.verdicts.quantity_verdict import judge_quantities
from referee.judging.verdicts.verdict import judge, judge_cost
from referee.measures import Measure
from referee.measures.mean_losses import COST
from referee.measures.rankings import AUC
from referee.measures.shares import ERROR

if TYPE_CHECKING:
    from referee.fitting.search import SearchOutcome

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
    searches : mapping of int to SearchOutcome
        What the search inside the model found in each split, where it has one.
    task : str
        What the target was taken for and why, where that was concluded.
    repeats : int
        How often the plan was gone through with other seeds.

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
    searches: Mapping[int, SearchOutcome] = field(default_factory=dict)
    task: str = ""
    repeats: int = 1

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
        measure = headline(self.predictions, self.measures)
        error = numbers[measure.name]
        context = Context(
            data=data,
            plan=self.plan,
            predictions=self.predictions,
            warned=warned or Counter(),
            interval=error.interval,
            uses_training_error=self.estimator not in ("", "out-of-bag"),
            auc=numbers[AUC.name].interval if AUC.name in numbers else None,
        )
        findings = in_order((*check_all(context, self.dismiss), *self.known_findings))
        guessing, verdict, leading = self._judged(numbers, measure)
        chosen = f"{self._how} (chosen because: {self.why})" if self.why else self._how
        if self.task:
            chosen += f"; the target was taken for {self.task}"
        return Evaluation(
            name=self.name,
            verdict=verdict.withheld(findings) if verdict.outcome is Outcome.PASS else verdict,
            leading=leading,
            estimates=numbers,
            training_error=training_error(self.predictions, measure),
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

    def _judged(
        self, numbers: Mapping[str, Estimate], measure: Measure
    ) -> tuple[Estimate, Verdict, str]:
        """Return what one answer for all cases would do, the verdict, and what that is about."""
        level = self.settings.level
        if self.predictions.numeric:
            guessing, called = guessing_constant(self.predictions, measure, level, self.plan)
            return guessing, *self._verdict_on_quantities(numbers, guessing, measure, called)
        guessing, guess = guessing_error(self.predictions, level, self.priors, self.plan)
        if self.settings.sequential:
            guessing = guessing_at_all_times(guessing, guess, self.predictions)
        return guessing, *self._verdict(numbers, guessing, guess)

    def _verdict_on_quantities(
        self,
        numbers: Mapping[str, Estimate],
        guessing: Estimate,
        measure: Measure,
        called: str,
    ) -> tuple[Verdict, str]:
        claims = self._claims
        if claims:
            first = next(iter(claims.values())).name
            return judge_claims(self.name, claims, numbers, how=self._how), first
        verdict = judge_quantities(
            self.name,
            numbers[measure.name],
            guessing,
            measure,
            how=self._how,
            guess=called,
            max_error=self.settings.max_error,
        )
        return verdict, measure.name

    def _verdict(
        self, numbers: Mapping[str, Estimate], guessing: Estimate, guess: Label
    ) -> tuple[Verdict, str]:
        """Judge what was claimed, what errors cost, or the error beside guessing.

        Returned with the name of the measure that the verdict is about.
        """
        name, how, claims = self.name, self._how, self._claims
        if claims:
            first = next(iter(claims.values())).name
            return judge_claims(name, claims, numbers, how=how), first
        error, bound = numbers[ERROR.name], self.settings.max_error
        if bound is None and COST.name in numbers:
            cheapest, answer = self._cheapest
            cost = numbers[COST.name]
            return judge_cost(name, cost, cheapest, how=how, answer=answer), cost.name
        lead = None if bound is not None or not is_lopsided(guessing) else self._lead(numbers)
        if lead is not None and error.interval is not None:
            k = len(self.predictions.classes)
            return judge_lopsided(
                name, *lead, error, guessing, classes=k, how=how, guess=guess
            ), lead[1].name
        return judge(name, error, guessing, how=how, guess=guess, max_error=bound), error.name

    @property
    def _cheapest(self) -> tuple[Estimate, Label]:
        costs, positive = self.settings.costs, self.positive
        assert costs is not None
        assert positive is not None
        level = self.settings.level
        return cheapest_answer(self.predictions, costs, positive, level, self.priors, self.plan)

    @property
    def _claims(self) -> dict[BoundClaim, Measure]:
        """What is claimed, the largest error among it, with the measures concerned."""
        stated, bound = self.settings.claims, self.settings.max_error
        own = [m for m in self.measures or () if isinstance(m, Measure)]
        claims = check_claims(stated, own)
        if not stated or bound is None:
            return claims
        measure = headline(self.predictions, self.measures)
        return {BoundClaim(measure.name, "<=", bound): measure} | claims

    def _lead(self, numbers: Mapping[str, Estimate]) -> tuple[Measure, Estimate] | None:
        """Return a measure of both classes alike, where there is one with an interval."""
        if self.estimator or self.settings.sequential or not numbers[ERROR.name].defined:
            return None
        measure = next((m for m in LEADS if m.name in numbers), LEADS[-1])
        if measure.name not in numbers:
            numbers = replace(self, measures=(measure.name,))._measured()
        lead = numbers[measure.name]
        return (measure, lead) if lead.defined and lead.interval is not None else None

    @property
    def _how(self) -> str:
        if self.settings.sequential:
            return "given predictions as they came, an interval for all times"
        how = self.plan.description if self.plan else "given predictions"
        return how if self.predictions.label_sets is None else f"{how}, any wrong label counts"

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
            claimed=tuple(self._claims.values()),
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
            numbers[COST.name] = cost_with_priors(
                self.predictions, self.priors, costs, positive, level
            )
        return numbers

    def _again(self, name: str, level: float | None, method: Any) -> Estimate:
        """Return one estimate at another level or by another method."""
        settings = replace(
            self.settings,
            claims=(),
            level=self.settings.level if level is None else level,
            interval=self.settings.interval if method is None else method,
        )
        # The cost comes with the costs; under priors it may not be asked for by name.
        own = {m.name: m for m in self.measures or () if isinstance(m, Measure)}
        measures = (ERROR.name,) if name == COST.name else (own.get(name, name),)
        return replace(self, settings=settings, measures=measures)._numbers()[name]
