"""What was asked, as JSON and back: all that recomputing needs besides the tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from referee.comparing.question import Question
from referee.core.method import ENTRY_POINTS, Method
from referee.core.plan import Plan
from referee.core.results import Finding, Severity, Target
from referee.errors import InputError, Refusal
from referee.fitting.search import SearchOutcome
from referee.judging.claims import BoundClaim
from referee.judging.estimating.quantity import Quantity
from referee.judging.settings import Settings
from referee.measures import MEASURES, Costs, Measure, measure_named
from referee.report.record import plain_record

__all__ = [
    "findings_of",
    "measure_record",
    "plan_known",
    "plan_record",
    "quantity_of",
    "quantity_record",
    "question_of",
    "question_record",
    "searches_of",
    "searches_record",
    "settings_of",
    "settings_record",
]


def settings_record(settings: Settings) -> dict[str, Any]:
    """Return the settings of an evaluation for JSON."""
    if not isinstance(settings.interval, str):
        raise Refusal(
            f"interval {settings.interval.name!r} is an object of yours, by which nobody else "
            "could verify the result",
            remedy=(
                f"offer it in a package by the entry-point group {ENTRY_POINTS!r}, and ask "
                "for it by its name"
            ),
        )
    return dict(plain_record(settings))


def settings_of(data: Mapping[str, Any]) -> Settings:
    """Return settings from JSON.

    Examples
    --------
    >>> asked = Settings(level=0.9, costs=Costs(1, 10), claims="cost <= 0.5")
    >>> settings_of(settings_record(asked)) == asked
    True
    """
    claims = tuple(BoundClaim(**claim) for claim in data.get("claims", ()))
    known = {"target": Target(data["target"]), "costs": _costs(data["costs"]), "claims": claims}
    return Settings(**{**data, **known})


def measure_record(measure: Measure | str) -> str:
    """Return a measure by its name; refuse one that whoever verifies could not compute again.

    Examples
    --------
    >>> measure_record(measure_named("recall"))
    'tpr'
    """
    if isinstance(measure, str):
        return measure
    try:
        known = MEASURES.named(measure.name)
    except InputError:
        known = None
    if known != measure:
        raise Refusal(
            f"measure {measure.name!r} is a function of yours, by which nobody else could verify "
            "the result",
            concerning="measure",
            remedy=(
                "leave it out, or offer it in a package by the entry-point group "
                f"{ENTRY_POINTS!r}, and ask for it by its name"
            ),
        )
    return measure.name


def question_record(question: Question) -> dict[str, Any]:
    """Return what was asked of a comparison for JSON; the measure by its name."""
    every = {f.name: getattr(question, f.name) for f in fields(question)}
    every |= {
        "measure": measure_record(question.measure),
        "baselines": sorted(question.baselines),
        "significance": _name(question.significance),
        "interval": _name(question.interval),
    }
    return dict(plain_record(every))


def question_of(data: Mapping[str, Any]) -> Question:
    """Return what was asked of a comparison from JSON.

    Examples
    --------
    >>> asked = Question(measure=measure_named("auc"), positive="ill", rope=0.01)
    >>> question_of(question_record(asked)) == asked
    True
    """
    return Question(
        **{
            **data,
            "measure": measure_named(data["measure"]),
            "baselines": frozenset(data["baselines"]),
            "costs": _costs(data["costs"]),
        }
    )


def quantity_record(quantity: Quantity) -> dict[str, Any]:
    """Return what a permutation test computes for JSON; the measure by its name."""
    every = {f.name: getattr(quantity, f.name) for f in fields(quantity)}
    return dict(plain_record(every | {"measure": measure_record(quantity.measure)}))


def quantity_of(data: Mapping[str, Any]) -> Quantity:
    """Return what a permutation test computes from JSON.

    Examples
    --------
    >>> asked = Quantity(measure=measure_named("auc"), positive="ill")
    >>> quantity_of(quantity_record(asked)) == asked
    True
    """
    measure, costs = measure_named(data["measure"]), _costs(data["costs"])
    return Quantity(measure=measure, positive=data["positive"], costs=costs)


def findings_of(data: list[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """Return findings from JSON."""
    return tuple(
        Finding(**{**f, "severity": Severity(f["severity"]), "rows": tuple(f["rows"])})
        for f in data
    )


def searches_record(searches: Mapping[int, SearchOutcome]) -> list[list[Any]]:
    """Return what the search of each split found for JSON."""
    return [[split, plain_record(asdict(search))] for split, search in searches.items()]


def searches_of(data: list[list[Any]]) -> dict[int, SearchOutcome]:
    """Return what the search of each split found from JSON.

    Examples
    --------
    >>> searches = {0: SearchOutcome(chosen="k=1", score=0.1, measure="error", scoring="accuracy")}
    >>> searches_of(searches_record(searches)) == searches
    True
    """
    searches = {}
    for split, fields_ in data:
        known = {k: v for k, v in fields_.items() if k != "nonfinite"}
        score = known.pop("score")
        searches[int(split)] = SearchOutcome(**known, score=math.nan if score is None else score)
    return searches


def plan_record(plan: Plan | None) -> dict[str, Any] | None:
    """Return what is known of a plan besides its rows."""
    if plan is None:
        return None
    return {
        "n": plan.n,
        "scheme": plan.scheme,
        "description": plan.description,
        "task": plan.task,
    }


def plan_known(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a Plan besides its splits."""
    return {name: data[name] for name in ("n", "scheme", "description", "task")}


def _costs(data: Mapping[str, Any] | None) -> Costs | None:
    return None if data is None else Costs(**data)


def _name(method: str | Method) -> str:
    return method if isinstance(method, str) else method.name
