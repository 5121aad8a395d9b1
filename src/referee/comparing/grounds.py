"""ComparisonGrounds: the tables of predictions of all models, and what is concluded from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from referee.checks import CHECKS, Context, check_all, needs_data
from referee.comparing.comparison import Comparison, Pair
from referee.comparing.comparison_verdict import settle, verdict_of
from referee.comparing.fixed_pair import fixed_pair
from referee.comparing.learner_pair import learner_pair
from referee.comparing.methods_paragraph import citations_of, methods_paragraph
from referee.comparing.question import Question
from referee.comparing.sequential_pair import sequential_pair
from referee.comparing.standings import standings
from referee.comparing.unpaired_pair import unpaired_pair
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Evidence, Finding, Severity, Target
from referee.fitting.sharing import shared_how
from referee.judging.estimates import guessing_error
from referee.judging.evaluation import Provenance
from referee.judging.measuring import Measuring
from referee.judging.sequential import guessing_at_all_times, with_sequence
from referee.judging.split_values import split_values
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

    @cached_property
    def situation(self) -> ComparisonSituation:
        """How the models were tested, and what is asked."""
        if self.known is not None:
            return self.known
        return ComparisonSituation.of_table(self._some, paired=self.paired, **self.question.asked)

    @cached_property
    def test(self) -> ComparisonTest:
        """The test that was asked for, or the one that suits."""
        return COMPARISON_TESTS.asked(self.question.significance, self.situation)

    def comparison(self) -> Comparison:
        """Judge every pair, rank the models and put it into words."""
        names = tuple(self.tables)
        pairs = settle([self._pair(names) for names in self._names_of_pairs], self.question)
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
                names, pairs, self.question, self.test, how=self.how, n=n, omnibus=omnibus
            ),
            citations=citations_of(pairs, self.question, self.test, omnibus=omnibus),
            test=self.test,
            level=self.question.level,
            rope=self.question.rope,
            adjust=self.question.adjust,
            predictions=self.tables,
            provenance=self.provenance,
            plan=self.plan,
            pos_label=self.question.positive,
            grounds=self._without_data(findings),
        )

    def _without_data(self, findings: Sequence[Finding]) -> ComparisonGrounds:
        """Return what comes to the same comparison from predictions and plan alone."""
        kept = tuple(f for f in findings if needs_data(f) or f in self.known_findings)
        contexts = {name: Context(plan=c.plan) for name, c in self.contexts.items()}
        return replace(self, contexts=contexts, known_findings=kept)

    @cached_property
    def _estimates(self) -> dict[str, Estimate]:
        return {name: self._estimate(table) for name, table in self.tables.items()}

    @cached_property
    def _guessing(self) -> Estimate | None:
        """The error of the commonest answer, where errors are compared on the same cases."""
        if self.question.measure.name != "error" or not self.paired:
            return None
        guessing, guess = guessing_error(self._some, self.question.level, plan=self.plan)
        if self.question.sequential:
            return guessing_at_all_times(guessing, guess, self._some)
        return guessing

    def _findings(self) -> tuple[Finding, ...]:
        """Return what is found on any of the models, each finding once; those of some name them."""
        every = {name: self._found_on(name, c) for name, c in self.contexts.items()}
        merged: dict[tuple[str, str], Finding] = {}
        whose: dict[tuple[str, str], list[str]] = {}
        for name, findings in every.items():
            for f in findings:
                merged.setdefault((f.code, f.message), f)
                whose.setdefault((f.code, f.message), []).append(name)
        worded = [
            f
            if len(whose[key]) == len(every) and not CHECKS[f.code].names_model
            else replace(f, message=f"{', '.join(whose[key])}: {f.message}")
            for key, f in merged.items()
        ]
        return tuple(sorted((*worded, *self.known_findings), key=_order))

    def _found_on(self, name: str, known: Context) -> list[Finding]:
        """Check one model; a baseline is blamed neither for its one answer nor for its error."""
        own, guess = self._estimates[name], self._guessing
        context = replace(
            known,
            predictions=self.tables[name],
            auc=own.interval if self.question.measure.name == "auc" else None,
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
        tested = [len(t.unseen.cases) for t in self.tables.values()]
        return tested[0] if self.paired else sum(tested)

    @property
    def _what(self) -> str:
        whose = self.question.measure.whose
        kind = f"{whose} " if whose and self.situation.fits == 1 else ""
        what = f"{kind}cases" if self.situation.fits > 1 else f"{kind}test cases"
        if self._some.groups is not None:
            what += f" in {len(np.unique(self._some.groups[self._some.unseen.case]))} groups"
        return what

    def _pair(self, names: tuple[str, str]) -> Pair:
        first, second = (self.tables[name] for name in names)
        judge = _JUDGES[self.situation.setting]
        return judge(names, first, second, self.question, self.test)

    def _estimate(self, table: Predictions) -> Estimate:
        """Return a model's own value; the mean over splits where it has no pooled one."""
        measuring = Measuring(
            predictions=table,
            positive=self.question.positive,
            costs=self.question.costs,
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
        shares = self.question.measure.name in ("error", "accuracy")
        if len(self.tables) < 3 or self.situation.fits > 1 or not shares or not self.paired:
            return None
        if self._some.groups is not None or self.question.sequential:
            return None
        wrong = [t.unseen.wrong.astype(bool) for t in self.tables.values()]
        return cochran_q(np.column_stack(wrong))


def _order(finding: Finding) -> tuple[int, str]:
    return list(Severity)[::-1].index(finding.severity), finding.code
