"""Kinds of evidence: how the grounds of each kind of result is kept, and read back.

A kind keeps its grounds as tables and one record, makes it from them again, and concludes a result.
Verification needs nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referee.checks import Context
from referee.comparing.comparison import Comparison
from referee.comparing.datasets.datasets_comparison import DatasetsComparison
from referee.comparing.datasets.score_table import compare_score_table
from referee.comparing.grounds import ComparisonGrounds
from referee.core.fingerprint import fingerprint
from referee.core.method import ENTRY_POINTS
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.errors import Refusal
from referee.judging.evaluation import Evaluation, Provenance
from referee.judging.grounds import EvaluationGrounds
from referee.judging.settings import versions
from referee.measures import measure_named
from referee.permuting.grounds import PermutationGrounds
from referee.permuting.permutation_result import PermutationTest
from referee.report.describe.predictions_table import predictions_table
from referee.report.record import plain_record
from referee.vault.bundle.contradiction import Contradiction
from referee.vault.bundle.label_sets import label_sets_record, with_label_sets
from referee.vault.bundle.request import (
    findings_of,
    measure_record,
    plan_known,
    plan_record,
    quantity_of,
    quantity_record,
    question_of,
    question_record,
    searches_of,
    searches_record,
    settings_of,
    settings_record,
)
from referee.vault.bundle.tables import (
    CASES,
    NULL,
    PLAN,
    PREDICTIONS,
    SCORES,
    cases_table,
    plan_of,
    plan_table,
    predictions_of,
    several_predictions_of,
)

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CATALOGUE", "Kind"]


class Kind(ABC):
    """A kind of result that can be kept and concluded again.

    Attributes
    ----------
    result : type
        The results it is about.
    name : str
        As in results.json.
    untold : mapping of str to str
        Beginnings of paths in results.json that no prediction can prove, and why.
    """

    result: ClassVar[type]
    name: ClassVar[str]
    untold: ClassVar[Mapping[str, str]]

    @abstractmethod
    def tables(self, result: Any) -> dict[str, pl.DataFrame]:
        """Return the tables of the evidence by file name."""

    @abstractmethod
    def request(self, result: Any) -> dict[str, Any]:
        """Return what was asked, for JSON."""

    @abstractmethod
    def concluded(self, tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]) -> Any:
        """Return the result that follows from evidence and request."""

    def taken_over(self, result: Any) -> dict[str, str]:
        """Return further beginnings of paths that were not recomputed, and why."""
        return {}


_PROVENANCE = {
    "provenance.versions": "says where the numbers were computed",
    "provenance.seed": "says what chance followed from; the splits are kept, not drawn again",
}
_ASKED = "is what was asked, or the name it was given"
_INNER = "the scores of searches come from fits inside training sets"
_SAID = "was said by whoever made the bundle"


def _asked(*paths: str) -> dict[str, str]:
    return dict.fromkeys(("schema", "kind", *paths), _ASKED)


_DATA = {"provenance.data": "the data themselves are not in the bundle"}
_FINDING = "only the data, or the fits, can show it"


def _findings_of(result: Any, own: tuple[Any, ...]) -> dict[str, str]:
    return {f"findings[{k}]": _FINDING for k, f in enumerate(result.findings) if f in own}


class EvaluationKind(Kind):
    """One model."""

    result, name = Evaluation, "evaluation"
    untold: ClassVar[Mapping[str, str]] = {
        **_PROVENANCE,
        **_asked("name", "classes", "pos_label"),
        "how": _SAID,
    }

    def tables(self, result: Evaluation) -> dict[str, pl.DataFrame]:
        """Return predictions, cases and, where there is one, the plan."""
        return _tables(result.predictions, result.plan)

    def request(self, result: Evaluation) -> dict[str, Any]:
        """Return name, settings, measures and what else was asked."""
        grounds = result.grounds
        assert grounds is not None
        return {
            "classes": list(grounds.predictions.classes),
            **label_sets_record(grounds.predictions),
            "settings": settings_record(grounds.settings),
            "plan": plan_record(grounds.plan),
            "searches": searches_record(grounds.searches),
            **{name: plain_record(getattr(grounds, name)) for name in _OF_EVALUATION},
            "measures": None
            if grounds.measures is None
            else [measure_record(measure) for measure in grounds.measures],
        }

    def concluded(self, tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]) -> Evaluation:
        """Return the evaluation of the predictions."""
        plan = _plan(tables, asked)
        predictions = _predictions(tables, asked, plan)
        data = asked["data"]
        if plan is None:
            data = fingerprint([predictions.truth, predictions.predicted])
        lists = {k: None if asked[k] is None else tuple(asked[k]) for k in ("measures", "priors")}
        return EvaluationGrounds(
            name=asked["name"],
            predictions=predictions,
            settings=settings_of(asked["settings"]),
            data=data,
            plan=plan,
            measures=lists["measures"],
            priors=lists["priors"],
            positive=asked["positive"],
            estimator=asked["estimator"],
            dismiss=tuple(asked["dismiss"]),
            why=asked["why"],
            work=asked["work"],
            known_findings=findings_of(asked["known_findings"]),
            searches=searches_of(asked["searches"]),
            task=str(asked.get("task", "")),
            repeats=int(asked.get("repeats", 1)),
        ).evaluation()

    def taken_over(self, result: Evaluation) -> dict[str, str]:
        """Return the findings that need data, and the data's fingerprint."""
        assert result.grounds is not None
        inner = dict.fromkeys(("search", "inflation"), _INNER) if result.search else {}
        return (
            _findings_of(result, result.grounds.known_findings)
            | (_DATA if result.plan else {})
            | inner
        )


_OF_EVALUATION = (
    "name", "data", "positive", "priors", "estimator", "dismiss", "why", "work",
    "known_findings", "task", "repeats",
)  # fmt: skip


class ComparisonKind(Kind):
    """Several models on the same cases, or (unpaired) each on its own."""

    result, name = Comparison, "comparison"
    untold: ClassVar[Mapping[str, str]] = {
        **_PROVENANCE,
        **_asked("names", "measure", "level", "rope", "adjust", "classes", "pos_label"),
        "how": _SAID,
    }

    def tables(self, result: Comparison) -> dict[str, pl.DataFrame]:
        """Return predictions of all models, cases and, where there is one, the plan."""
        assert result.grounds is not None
        tables = _tables(result.predictions, result.plan)
        if result.grounds.paired:
            tables[CASES] = cases_table(next(iter(result.predictions.values())))
        return tables

    def request(self, result: Comparison) -> dict[str, Any]:
        """Return names, the question and what else was asked."""
        grounds = result.grounds
        assert grounds is not None
        some = next(iter(grounds.tables.values()))
        return {
            "names": list(grounds.tables),
            "classes": list(some.classes),
            **label_sets_record(some),
            "question": question_record(grounds.question),
            "others": [measure_record(measure) for measure in grounds.others],
            "plan": plan_record(grounds.plan),
            "checked": bool(grounds.contexts),
            "seed": grounds.provenance.seed,
            "data": grounds.provenance.data,
            **{name: plain_record(getattr(grounds, name)) for name in _OF_COMPARISON},
        }

    def concluded(self, tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]) -> Comparison:
        """Return the comparison of the predictions."""
        names = [str(name) for name in asked["names"]]
        plan = _plan(tables, asked)
        by_model = several_predictions_of(
            tables[PREDICTIONS], tables[CASES], names=names, classes=asked["classes"], plan=plan
        )
        by_model = {name: with_label_sets(table, asked) for name, table in by_model.items()}
        data = asked["data"]
        if plan is None and asked["checked"]:
            data = fingerprint([a for t in by_model.values() for a in (t.truth, t.predicted)])
        return ComparisonGrounds(
            tables=by_model,
            question=question_of(asked["question"]),
            how=asked["how"],
            provenance=Provenance(
                seed=asked["seed"],
                data=data,
                plan=plan.fingerprint if plan else "",
                versions=versions(),
            ),
            contexts=dict.fromkeys(names, Context(plan=plan)) if asked["checked"] else {},
            known_findings=findings_of(asked["known_findings"]),
            dismiss=tuple(asked["dismiss"]),
            why=asked["why"],
            work=dict(asked["work"]),
            plan=plan,
            paired=asked["paired"],
            others=tuple(measure_named(name) for name in asked.get("others", ())),
        ).comparison()

    def taken_over(self, result: Comparison) -> dict[str, str]:
        """Return the findings that need data, and the data's fingerprint."""
        grounds = result.grounds
        assert grounds is not None
        known = grounds.plan is None and grounds.contexts
        return _findings_of(result, grounds.known_findings) | ({} if known else _DATA)


_OF_COMPARISON = ("how", "paired", "dismiss", "why", "work", "known_findings")


class PermutationKind(Kind):
    """One model on the true labels and on others."""

    result, name = PermutationTest, "permutation_test"
    untold: ClassVar[Mapping[str, str]] = {
        **_PROVENANCE,
        **_DATA,
        **_asked("model", "measure", "hypothesis", "level"),
        "plan": _SAID,
        "how": _SAID,
        "null": "a value of each relabelling needs a model trained on it",
    }

    def tables(self, result: PermutationTest) -> dict[str, pl.DataFrame]:
        """Return predictions, cases and plan of the true labels, and the others' values."""
        import polars as pl

        grounds = result.grounds
        assert grounds is not None
        null = pl.DataFrame({"relabelling": np.arange(len(grounds.null)), "value": grounds.null})
        return _tables(grounds.predictions, grounds.plan) | {NULL: null}

    def request(self, result: PermutationTest) -> dict[str, Any]:
        """Return the quantity, the null hypothesis and what else was asked."""
        grounds = result.grounds
        assert grounds is not None
        return {
            "classes": list(grounds.predictions.classes),
            **label_sets_record(grounds.predictions),
            "quantity": quantity_record(grounds.quantity),
            "plan": plan_record(grounds.plan),
            **{name: plain_record(getattr(grounds, name)) for name in _OF_PERMUTATION},
        }

    def concluded(
        self, tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]
    ) -> PermutationTest:
        """Return the count of relabellings that did as well as the true labels."""
        plan = _plan(tables, asked)
        if plan is None:
            raise Contradiction(PLAN, "a permutation test needs one")
        return PermutationGrounds(
            quantity=quantity_of(asked["quantity"]),
            predictions=_predictions(tables, asked, plan),
            plan=plan,
            null=tables[NULL]["value"].to_numpy().astype(float),
            **{name: asked[name] for name in _OF_PERMUTATION},
        ).test()


_OF_PERMUTATION = (
    "name", "hypothesis", "draw", "stop_after", "level", "how", "data", "seed",
)  # fmt: skip


class DatasetsKind(Kind):
    """Several models on several data sets, one score each."""

    result, name = DatasetsComparison, "datasets-comparison"
    untold: ClassVar[Mapping[str, str]] = {
        **_asked("names", "measure", "greater_is_better", "level", "rope"),
        "scores": "are the evidence; where they come from is not in the bundle",
        "datasets": _SAID,
        "how": _SAID,
    }

    def tables(self, result: DatasetsComparison) -> dict[str, pl.DataFrame]:
        """Return the scores, a row per data set."""
        import polars as pl

        scores = {f"score {m}": result.scores[m].to_numpy() for m in result.names}
        return {SCORES: pl.DataFrame({"dataset": [str(d) for d in result.scores.index], **scores})}

    def request(self, result: DatasetsComparison) -> dict[str, Any]:
        """Return measure, direction and what else was asked."""
        names = (
            "names",
            "measure",
            "greater_is_better",
            "level",
            "rope",
            "seed",
            "how",
            "findings",
        )
        asked = {name: plain_record(getattr(result, name)) for name in names}
        return asked | {"control": result.critical.control, "significance": _by_name(result)}

    def concluded(
        self, tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]
    ) -> DatasetsComparison:
        """Return the comparison of the scores."""
        import pandas as pd

        table = tables[SCORES]
        frame = pd.DataFrame({m: table[f"score {m}"].to_numpy() for m in asked["names"]})
        frame.index = pd.Index(table["dataset"].to_list())
        return compare_score_table(
            frame,
            measure=asked["measure"],
            greater_is_better=asked["greater_is_better"],
            control=asked["control"],
            significance=asked.get("significance", "auto"),
            rope=asked["rope"],
            level=asked["level"],
            random_state=asked["seed"],
            # Bundles of earlier versions do not hold them.
            how=asked.get("how", ""),
            findings=findings_of(asked.get("findings", [])),
        )

    def taken_over(self, result: DatasetsComparison) -> dict[str, str]:
        """Return the findings, which the data sets themselves showed."""
        return _findings_of(result, result.findings)


def _by_name(result: DatasetsComparison) -> str:
    """Return the name of the test over data sets that was asked for."""
    if isinstance(result.significance, str):
        return result.significance
    raise Refusal(
        f"significance {result.significance.name!r} is an object of yours, by which nobody else "
        "could verify the result",
        remedy=(
            f"offer it in a package by the entry-point group {ENTRY_POINTS!r}, and ask for "
            "it by its name"
        ),
    )


CATALOGUE: dict[str, Kind] = {
    kind.name: kind
    for kind in (EvaluationKind(), ComparisonKind(), PermutationKind(), DatasetsKind())
}
"""Name -> kind."""


def _tables(
    predictions: Predictions | Mapping[str, Predictions], plan: Plan | None
) -> dict[str, pl.DataFrame]:
    tables = {PREDICTIONS: predictions_table(predictions), CASES: cases_table(predictions)}
    return tables | ({PLAN: plan_table(plan)} if plan else {})


def _plan(tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any]) -> Plan | None:
    known = asked["plan"]
    return None if known is None else plan_of(tables[PLAN], **plan_known(known))


def _predictions(
    tables: Mapping[str, pl.DataFrame], asked: Mapping[str, Any], plan: Plan | None
) -> Predictions:
    table = predictions_of(tables[PREDICTIONS], tables[CASES], classes=asked["classes"], plan=plan)
    return with_label_sets(table, asked)
