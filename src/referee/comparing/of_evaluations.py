"""Evaluations of the same plan compared, without fitting anything again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from referee.comparing.comparison import Comparison
from referee.comparing.grounds import ComparisonGrounds
from referee.comparing.named import is_baseline
from referee.comparing.question import Question, pairs_claimed
from referee.core.arrays import Label
from referee.core.labels.label_tables import with_shared_sets
from referee.core.labels.labels import positive_class
from referee.core.predictions import Predictions
from referee.errors import InputError, Refusal, arg, named
from referee.judging.evaluation import Evaluation
from referee.judging.requests import (
    as_costs,
    measures_to_compare,
)
from referee.resampling.bootstrap import BOOTSTRAP
from referee.resampling.resubstitution import RESUBSTITUTION

__all__ = ["compare_evaluations"]


def compare_evaluations(
    by_name: Mapping[str, Evaluation],
    *,
    measure: Any,
    pos_label: Label | None,
    costs: Any,
    **asked: Any,
) -> Comparison:
    """Compare evaluations that were made on the same cases by the same plan."""
    tables = with_shared_sets({name: e.predictions for name, e in by_name.items()})
    some = next(iter(by_name.values()))
    truth = next(iter(tables.values())).truth
    for name, other in by_name.items():
        same = (other.provenance.plan, other.predictions.n) == (
            some.provenance.plan,
            some.predictions.n,
        )
        alike = _same_weights(other.predictions, some.predictions)
        if not (same and alike) or not np.array_equal(tables[name].truth, truth):
            raise Refusal(
                f"{name} was judged by another plan or on other cases than {next(iter(by_name))}, "
                "so their difference mixes models and splits",
                concerning="models",
                remedy=(
                    "use compare(models, X, y), or evaluate both with the same "
                    f"{named('random_state')} and {arg('by')}"
                ),
            )
        _refuse_unfit(name, other)
    positive = _shared_positive(by_name, pos_label)
    sets = some.predictions.label_sets is not None
    what, *more = measures_to_compare(measure, positive, some.predictions.classes, sets=sets)
    question = Question(
        measure=what,
        positive=positive,
        costs=as_costs(costs),
        seed=some.provenance.seed,
        pairs=pairs_claimed(len(by_name), asked["claim"]),
        baselines=frozenset(name for name, e in by_name.items() if is_baseline(e.model)),
        **asked,
    )
    findings = {f.code + f.message: f for e in by_name.values() for f in e.findings}
    return ComparisonGrounds(
        tables=tables,
        question=question,
        how=some.plan.description if some.plan else "given predictions",
        known_findings=tuple(findings.values()),
        provenance=some.provenance,
        plan=some.plan,
        others=tuple(more),
    ).comparison()


def _same_weights(first: Predictions, second: Predictions) -> bool:
    if first.weight is None or second.weight is None:
        return first.weight is second.weight
    return np.array_equal(first.weight, second.weight)


def _shared_positive(by_name: Mapping[str, Evaluation], pos_label: Label | None) -> Label | None:
    if pos_label is not None:
        return positive_class(next(iter(by_name.values())).predictions.classes, pos_label)
    known = {e.pos_label for e in by_name.values()}
    if len(known) > 1:
        raise InputError(
            f"the evaluations have different positive classes ({', '.join(map(repr, known))})",
            concerning="pos_label",
            remedy=f"pass {named('pos_label')}",
        )
    return known.pop()


def _refuse_unfit(name: str, evaluation: Evaluation) -> None:
    scheme = evaluation.plan.scheme if evaluation.plan else ""
    if scheme in (RESUBSTITUTION.name, BOOTSTRAP.name):
        raise Refusal(
            f"{name} was evaluated by {scheme}, from which models cannot be compared",
            concerning="by",
            remedy=f"use {arg('by', 'auto')}, {arg('by', '10x10')} or {arg('by', 'holdout')}",
        )
