"""ComparisonGrounds: the tables of predictions of all models, and what is concluded from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from referee.checks import CHECKS, Context, check_all, needs_data
from referee.comparing.comparison import Comparison, Pair
from referee.comparing.comparison_verdict import settle, verdict_of
from referee.comparing.methods_paragraph import citations_of, methods_paragraph
from referee.comparing.pairs.fixed_pair import fixed_pair
from referee.comparing.pairs.learner_pair import learner_pair
from referee.comparing.pairs.sequential_pair import sequential_pair
from referee.comparing.pairs.unpaired_pair import unpaired_pair
from referee.comparing.question import Question, default_claim
from referee.comparing.standings import standings
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Evidence, Finding, Severity, Target
from referee.fitting.sharing import shared_how
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.judging.estimating.measuring import Measuring
from referee.judging.estimating.rivals import guessing_error
from referee.judging.estimating.sequential import guessing_at_all_times, with_sequence
from referee.judging.estimating.split_values import split_values
from referee.judging.evaluation import Provenance
from referee.measures import AreaMeasure, Measure
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest, Setting
from referee.significance.paired.cochran import cochran_q

__all__ = ["ComparisonGrounds"]

Judge = Callable[[tuple[str, str], Predictions, Predictions, Question, ComparisonTest], Pair]

_JUDGES: Mapping[Setting, Judge] = {
    Setting.SAME_CASES: fixed_pair,
    Setting.DIFFERENT_CASES: unpaired_pair,
    Setting.SEVERAL_FITS: learner_pair,
    Setting.ONE_BY_ONE: sequential_pair,
}


@dataclass(frozen=True, kw_only=True)
class ComparisonGrounds:
    """Tables of predictions of the same cases, and what is asked of them.

    Attributes
    ----------
    contexts : mapping of str to Context
        What each model is checked by; empty where that was done before.
    known_findings : tuple of Finding
        What was found elsewhere: by an evaluation, or in data that are no longer at hand.
    known : ComparisonSituation or None
        The situation where it was read off a plan; otherwise it is read off the tables.
    others : tuple of Measure
        What else models are compared by; the verdict does not rest on it.
    """

    tables: Mapping[str, Predictions]
    question: Question
    how: str
    provenance: Provenance
    contexts: Mapping[str, Context] = field(default_factory=dict)
    known_findings: tuple[Finding, ...] = ()
    dismiss: Sequence[str] = ()
    why: str = ""
    work: Mapping[str, str] = field(default_factory=dict)
    plan: Plan | None = None
    paired: bool = True
    known: ComparisonSituation | None = None
    others: tuple[Measure, ...] = ()

    @cached_property
    def situation(self) -> ComparisonSituation:
        """How the models were tested, and what is asked."""
        if self.known is not None:
            return self.known
        asked = ComparisonSituation.of_table(self._some, paired=self.paired, **self.question.asked)
        # A table that holds alike cases as one row knows how many there are.
        known = self._some.situation
        n = known.n
        if not self.paired:  # the most that any two models were tested on
            n = sum(sorted(table.situation.n for table in self.tables.values())[-2:])
        return replace(asked, n=n, smallest_test=known.smallest_test)

    @cached_property
    def test(self) -> ComparisonTest:
        """The test that was asked for, or the one that suits."""
        return COMPARISON_TESTS.asked(self.question.significance, self.situation)

    @property
    def _test_named(self) -> ComparisonTest:
        """The test as a paper names it."""
        return self.test if self._n_groups is None else self.test.for_groups()

    @property
    def _n_groups(self) -> int | None:
        """How many groups the tested cases come from; None where they come one by one."""
        if self._some.groups is None:
            return None
        return len(np.unique(self._some.groups[self._some.unseen.case]))

    @cached_property
    def chosen(self) -> Question:
        """The question with the interval of a difference that was asked for, or that suits."""
        self.test  # noqa: B018  its refusals come first, and name what suits the measure
        interval = DIFFERENCE_INTERVALS.asked(self.question.interval, self.situation)
        return replace(self.question, interval=interval)

    def comparison(self) -> Comparison:
        """Judge every pair, rank the models and put it into words."""
        names = tuple(self.tables)
        judged = [self._pair(names) for names in self._names_of_pairs]
        pairs = tuple(self._remembering(pair) for pair in settle(judged, self.question))
        placed = standings(self._estimates, pairs)
        findings = self._findings()
        omnibus = self._omnibus()
        n = self._n
        return Comparison(
            names=names,
            verdict=verdict_of(pairs, placed, self.question, self.test, findings, self._what),
            measure=self.question.measure,
            pairs=pairs,
            standings=placed,
            omnibus=omnibus,
            guessing=self._guessing,
            findings=findings,
            how=shared_how(
                f"{self.how} (chosen because: {self.why})" if self.why else self.how, self.work
            ),
            methods=methods_paragraph(
                names,
                pairs,
                self.chosen,
                self._test_named,
                how=self.how,
                n=n,
                seed=self.provenance.seed,
                groups=self._n_groups,
                omnibus=omnibus,
            ),
            citations=citations_of(pairs, self.chosen, self._test_named, omnibus=omnibus),
            test=self.test,
            level=self.question.level,
            rope=self.question.rope,
            adjust=self.question.adjustment.name,
            family_wise=self.question.adjustment.family_wise,
            predictions=self.tables,
            provenance=self.provenance,
            plan=self.plan,
            pos_label=self.question.positive,
            others={measure.name: self.by(measure).comparison() for measure in self.others},
            grounds=self._without_data(findings),
        )

    def by(self, measure: Measure) -> ComparisonGrounds:
        """Return the same tables, compared by another measure with a test that suits it.

        A rope is stated in units of the first measure, so the claim is a plain one.
        """
        claim = default_claim(None, len(self.tables), 0.0)
        question = replace(
            self.question, measure=measure, rope=0.0, claim=claim, interval="auto",
            pairs=len(list(combinations(self.tables, 2))),
        )  # fmt: skip
        known = None if self.known is None else replace(self.known, **question.asked)
        other = replace(self, question=question, known=known, others=())
        if question.significance != "auto":
            test = COMPARISON_TESTS.named(question.significance)
            if test.objection(other.situation) is not None:
                return replace(other, question=replace(question, significance="auto"))
        return other

    def _without_data(self, findings: Sequence[Finding]) -> ComparisonGrounds:
        """Return what comes to the same comparison from predictions and plan alone."""
        kept = tuple(f for f in findings if needs_data(f) or f in self.known_findings)
        contexts = {name: Context(plan=c.plan) for name, c in self.contexts.items()}
        return replace(self, contexts=contexts, known_findings=kept)

    @cached_property
    def _estimates(self) -> dict[str, Estimate]:
        return {
            name: self._estimate(table).remembering(partial(self._estimate_at, table))
            for name, table in self.tables.items()
        }

    @cached_property
    def _guessing(self) -> Estimate | None:
        """The error of the commonest answer, where errors are compared on the same cases."""
        measure = self.question.measure
        if not measure.counts_all_cases or measure.greater_is_better or not self.paired:
            return None
        guessing, guess = guessing_error(self._some, self.question.level, plan=self.plan)
        if self.question.sequential:
            return guessing_at_all_times(guessing, guess, self._some)
        return guessing

    def _findings(self) -> tuple[Finding, ...]:
        """Return what is found on any of the models, each finding once; those of some name them."""
        worded = shared({name: self._findings_on(name, c) for name, c in self.contexts.items()})
        return tuple(sorted((*worded, *self.known_findings), key=_order))

    def _findings_on(self, name: str, known: Context) -> list[Finding]:
        """Check one model; a baseline is blamed neither for its one answer nor for its error."""
        own, guess = self._estimates[name], self._guessing
        context = replace(
            known,
            predictions=self.tables[name],
            auc=own.interval if isinstance(self.question.measure, AreaMeasure) else None,
            error=own.value if guess is not None else None,
            guessing=guess.value if guess is not None else None,
        )
        baseline = name in self.question.baselines
        findings = check_all(context, self.dismiss)
        return [f for f in findings if not (baseline and CHECKS[f.code].spares_baselines)]

    @property
    def _names_of_pairs(self) -> list[tuple[str, str]]:
        every = list(combinations(self.tables, 2))
        # Non-inferiority is asked of the first model against each of the others.
        return every[: len(self.tables) - 1] if self.question.claim == "non-inferior" else every

    @property
    def _some(self) -> Predictions:
        return next(iter(self.tables.values()))

    @property
    def _n(self) -> int:
        tested = [t.situation.n for t in self.tables.values()]
        return tested[0] if self.paired else sum(tested)

    @property
    def _what(self) -> str:
        whose = self.question.measure.whose
        kind = f"{whose} " if whose and self.situation.fits == 1 else ""
        what = f"{kind}cases" if self.situation.fits > 1 else f"{kind}test cases"
        if self._some.groups is not None:
            what += f" in {self._n_groups} groups"
        return what

    def _pair(self, names: tuple[str, str]) -> Pair:
        first, second = (self.tables[name] for name in names)
        judge = _JUDGES[self.situation.setting]
        return judge(names, first, second, self.chosen, self.test)

    def _remembering(self, pair: Pair) -> Pair:
        """Return the pair, whose difference can be asked for another level or method."""
        again = partial(self._difference_at, (pair.first, pair.second))
        return replace(pair, difference=pair.difference.remembering(again))

    def _difference_at(self, names: tuple[str, str], level: float | None, method: Any) -> Estimate:
        """Return the difference of a pair at another level or by another method."""
        question = replace(
            self.question,
            level=self.question.level if level is None else level,
            interval=self.question.interval if method is None else method,
        )
        known = self.known and replace(self.known, interval=question.asked["interval"])
        asked = replace(self, question=question, known=known)
        return asked._remembering(asked._pair(names)).difference

    def _estimate_at(self, table: Predictions, level: float | None, method: Any) -> Estimate:
        """Return a model's own value at another level or by another method."""
        level = self.question.level if level is None else level
        asked = replace(self, question=replace(self.question, level=level))
        estimate = asked._estimate(table, "auto" if method is None else method)
        return estimate.remembering(partial(asked._estimate_at, table))

    def _estimate(self, table: Predictions, interval: Any = "auto") -> Estimate:
        """Return a model's own value; the mean over splits where it has no pooled one."""
        measuring = Measuring(
            predictions=table,
            positive=self.question.positive,
            costs=self.question.costs,
            interval=interval,
            level=self.question.level,
            target=Target.EXPECTED,
            seed=self.question.seed,
        )
        pooled = measuring.estimate(self.question.measure)
        if self.question.sequential:
            return with_sequence(pooled, table, self.question, self.question.level)
        if pooled.defined or self.situation.fits == 1:
            return pooled
        value = float(np.nanmean(split_values(table.unseen, self.question)))
        return replace(pooled, value=value, method="mean over splits", reason="no pooled interval")

    def _omnibus(self) -> Evidence | None:
        """Return Cochran's Q over all models, where cases are independent and models fixed."""
        if len(self.tables) < 3 or self.situation.fits > 1 or not self.paired:
            return None
        if not self.question.measure.counts_all_cases:
            return None
        if self._some.groups is not None or self._some.weight is not None:
            return None
        if self.question.sequential:
            return None
        wrong = [t.unseen.wrong.astype(bool) for t in self.tables.values()]
        return cochran_q(np.column_stack(wrong))


def shared(every: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Return each finding once; one that not all models have names those that do."""
    merged: dict[tuple[str, str], Finding] = {}
    whose: dict[tuple[str, str], list[str]] = {}
    for name, findings in every.items():
        for f in findings:
            merged.setdefault((f.code, f.message), f)
            whose.setdefault((f.code, f.message), []).append(name)
    return [
        f
        if len(whose[key]) == len(every) and not CHECKS[f.code].names_model
        else replace(f, message=f"{', '.join(whose[key])}: {f.message}")
        for key, f in merged.items()
    ]


def _order(finding: Finding) -> tuple[int, str]:
    return list(Severity)[::-1].index(finding.severity), finding.code
