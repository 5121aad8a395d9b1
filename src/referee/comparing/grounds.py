"""ComparisonGrounds: the tables of predictions of all models, and what is concluded from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from referee.checks import NEED_DATA, Context, check_all
from referee.comparing.comparison import Comparison, Duel
from referee.comparing.comparison_verdict import settle, verdict_of
from referee.comparing.fixed_pair import fixed_duel
from referee.comparing.learner_pair import learner_duel
from referee.comparing.methods_paragraph import methods_paragraph
from referee.comparing.question import Question
from referee.comparing.standings import standings
from referee.comparing.unpaired_pair import unpaired_duel
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Evidence, Finding, Severity, Target
from referee.fitting.sharing import shared_how
from referee.judging.estimates import guessing_error
from referee.judging.evaluation import Provenance
from referee.judging.measuring import Measuring
from referee.judging.split_values import split_values
from referee.significance.paired.cochran import cochran_q

__all__ = ["ComparisonGrounds"]

Judge = Callable[[tuple[str, str], Predictions, Predictions, Question], Duel]


@dataclass(frozen=True, kw_only=True)
class ComparisonGrounds:
    """Tables of predictions of the same cases, and what is asked of them.

    Attributes
    ----------
    contexts : mapping of str to Context
        What each model is checked by; empty where that was done before.
    found : tuple of Finding
        What was found elsewhere: by an evaluation, or in data that are no longer at hand.
    """

    tables: Mapping[str, Predictions]
    question: Question
    how: str
    provenance: Provenance
    contexts: Mapping[str, Context] = field(default_factory=dict)
    found: tuple[Finding, ...] = ()
    dismiss: Sequence[str] = ()
    why: str = ""
    work: Mapping[str, str] = field(default_factory=dict)
    plan: Plan | None = None
    paired: bool = True

    def comparison(self) -> Comparison:
        """Judge every pair, rank the models and put it into words."""
        names = tuple(self.tables)
        duels = settle([self._duel(pair) for pair in self._pairs], self.question)
        placed = standings(self._estimates, duels)
        findings = self._findings()
        omnibus = self._omnibus()
        n = self._n
        return Comparison(
            names=names,
            verdict=verdict_of(duels, placed, self.question, findings, self._what),
            measure=self.question.measure,
            duels=duels,
            standings=placed,
            omnibus=omnibus,
            guessing=self._guessing,
            findings=findings,
            how=shared_how(
                f"{self.how} (chosen because: {self.why})" if self.why else self.how, self.work
            ),
            methods=methods_paragraph(
                names, duels, self.question, how=self.how, n=n, omnibus=omnibus
            ),
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
        kept = tuple(f for f in findings if f.code in NEED_DATA or f in self.found)
        contexts = {name: Context(plan=c.plan) for name, c in self.contexts.items()}
        return replace(self, contexts=contexts, found=kept)

    @cached_property
    def _estimates(self) -> dict[str, Estimate]:
        return {name: self._estimate(table) for name, table in self.tables.items()}

    @cached_property
    def _guessing(self) -> Estimate | None:
        """The error of the commonest answer, where errors are compared on the same cases."""
        if self.question.measure.name != "error" or not self.paired:
            return None
        return guessing_error(self._some, self.question.level, plan=self.plan)[0]

    def _findings(self) -> tuple[Finding, ...]:
        """Return what is found on any of the models, each finding once; those of some name them."""
        every = {name: self._found_on(name, c) for name, c in self.contexts.items()}
        merged: dict[tuple[str, str], Finding] = {}
        whose: dict[tuple[str, str], list[str]] = {}
        for name, found in every.items():
            for f in found:
                merged.setdefault((f.code, f.message), f)
                whose.setdefault((f.code, f.message), []).append(name)
        told = [
            f
            if len(whose[key]) == len(every) and f.code != "R014"
            else replace(f, message=f"{', '.join(whose[key])}: {f.message}")
            for key, f in merged.items()
        ]
        return tuple(sorted((*told, *self.found), key=_order))

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
        design = ("R011", "R014") if name in self.question.baselines else ()
        return [f for f in check_all(context, self.dismiss) if f.code not in design]

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        every = list(combinations(self.tables, 2))
        # Non-inferiority is asked of the first model against each of the others.
        return every[: len(self.tables) - 1] if self.question.claim == "non-inferior" else every

    @property
    def _some(self) -> Predictions:
        return next(iter(self.tables.values()))

    @property
    def _fits(self) -> int:
        return sum(part is Part.MAIN for part in self._some.part)

    @property
    def _n(self) -> int:
        tested = [len(np.unique(t.unseen.case)) for t in self.tables.values()]
        return tested[0] if self.paired else sum(tested)

    @property
    def _what(self) -> str:
        of_class = {True: "positive ", False: "negative "}.get(self.question.measure.of_class, "")
        kind = of_class if self.question.measure.given == "truth" and self._fits == 1 else ""
        what = f"{kind}cases" if self._fits > 1 else f"{kind}test cases"
        if self._some.groups is not None:
            what += f" in {len(np.unique(self._some.groups[self._some.unseen.case]))} groups"
        return what

    def _duel(self, pair: tuple[str, str]) -> Duel:
        first, second = (self.tables[name] for name in pair)
        judge: Judge = fixed_duel if self.paired else unpaired_duel
        if self._fits > 1:
            judge = learner_duel
        return judge(pair, first, second, self.question)

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
        made = measuring.estimate(self.question.measure.name)
        if made.defined or self._fits == 1:
            return made
        value = float(np.nanmean(split_values(table.unseen, self.question)))
        return replace(made, value=value, method="mean over splits", reason="no pooled interval")

    def _omnibus(self) -> Evidence | None:
        """Return Cochran's Q over all models, where cases are independent and models fixed."""
        shares = self.question.measure.name in ("error", "accuracy")
        if len(self.tables) < 3 or self._fits > 1 or not shares or not self.paired:
            return None
        if self._some.groups is not None:
            return None
        wrong = [t.unseen.wrong.astype(bool) for t in self.tables.values()]
        return cochran_q(np.column_stack(wrong))


def _order(finding: Finding) -> tuple[int, str]:
    return list(Severity)[::-1].index(finding.severity), finding.code
