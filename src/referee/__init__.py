"""Honest evaluation of classifiers: one sentence a person can defend, with the evidence attached.

>>> import referee
>>> answer = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 45 + [1, 0] * 5)
>>> answer.error.value, answer.verdict.outcome.value
(0.1, 'pass')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee import (
        checks,
        intervals,
        learners,
        measures,
        report,
        resampling,
        significance,
        tables,
    )
    from referee.core import (
        Dataset,
        Estimate,
        Evidence,
        Finding,
        Interval,
        Outcome,
        Plan,
        Predictions,
        Verdict,
    )
    from referee.errors import FitError, InputError, RefereeError, Refusal
    from referee.evaluation import (
        Comparison,
        DatasetsComparison,
        Evaluation,
        compare,
        compare_datasets,
        compare_predictions,
        compare_scores,
        evaluate,
        evaluate_predictions,
        risk,
    )
    from referee.evaluation.permutation_test import PermutationTest, permutation_test
    from referee.evaluation.reduction import ReductionCost, reduction_cost
    from referee.evaluation.selection import Selected
    from referee.evaluation.tuning import Tuned
    from referee.learners import kernels
    from referee.report.figures import (
        ConfusionDisplay,
        CostDisplay,
        GaussianTaskDisplay,
        IntervalDisplay,
        PrecisionRecallDisplay,
        ReliabilityDisplay,
        Roc50Display,
        RocDisplay,
    )
    from referee.report.figures.trace import TraceDisplay
    from referee.significance import SamplePlan, TableAudit, audit_folds, audit_table, plan
    from referee.tables import read_table
    from referee.vault import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "ConfusionDisplay",
    "CostDisplay",
    "Dataset",
    "DatasetsComparison",
    "Estimate",
    "Evaluation",
    "Evidence",
    "Finding",
    "FitError",
    "GaussianTaskDisplay",
    "InputError",
    "Interval",
    "IntervalDisplay",
    "Outcome",
    "PermutationTest",
    "Plan",
    "PrecisionRecallDisplay",
    "Predictions",
    "ReductionCost",
    "RefereeError",
    "Refusal",
    "ReliabilityDisplay",
    "Roc50Display",
    "RocDisplay",
    "SamplePlan",
    "Selected",
    "TableAudit",
    "TraceDisplay",
    "Tuned",
    "Verdict",
    "Verification",
    "__version__",
    "audit_folds",
    "audit_table",
    "checks",
    "compare",
    "compare_datasets",
    "compare_predictions",
    "compare_scores",
    "evaluate",
    "evaluate_predictions",
    "intervals",
    "kernels",
    "learners",
    "measures",
    "permutation_test",
    "plan",
    "read_table",
    "reduction_cost",
    "report",
    "resampling",
    "risk",
    "significance",
    "study",
    "tables",
    "verify",
]

_HOMES = {
    "Comparison": "evaluation.comparison",
    "DatasetsComparison": "evaluation.datasets",
    "Evaluation": "evaluation.evaluation",
    "compare": "evaluation.compare",
    "compare_datasets": "evaluation.compare_datasets",
    "compare_predictions": "evaluation.compare",
    "compare_scores": "evaluation.datasets",
    "permutation_test": "evaluation.permutation_test",
    "PermutationTest": "evaluation.permutation_test",
    "evaluate": "evaluation.evaluate",
    "evaluate_predictions": "evaluation.evaluate",
    "ReductionCost": "evaluation.reduction",
    "reduction_cost": "evaluation.reduction",
    "Selected": "evaluation.selection",
    "Tuned": "evaluation.tuning",
    "risk": "evaluation.risk",
    "kernels": "learners",
    "SamplePlan": "significance.planning",
    "TableAudit": "significance.published_table",
    "audit_folds": "significance.fold_spread",
    "audit_table": "significance.published_table",
    "plan": "significance.planning",
    **dict.fromkeys(
        (
            "ConfusionDisplay",
            "CostDisplay",
            "GaussianTaskDisplay",
            "IntervalDisplay",
            "PrecisionRecallDisplay",
            "ReliabilityDisplay",
            "Roc50Display",
            "RocDisplay",
        ),
        "report.figures",
    ),
    "TraceDisplay": "report.figures.trace",
    "read_table": "tables",
    "Verification": "vault",
    "verify": "vault",
    **dict.fromkeys(("RefereeError", "InputError", "FitError", "Refusal"), "errors"),
    **dict.fromkeys(
        (
            "Dataset",
            "Estimate",
            "Evidence",
            "Finding",
            "Interval",
            "Outcome",
            "Plan",
            "Predictions",
            "Verdict",
        ),
        "core",
    ),
}
_PACKAGES = (
    "checks",
    "intervals",
    "learners",
    "measures",
    "report",
    "resampling",
    "significance",
    "study",
    "tables",
)


def __getattr__(name: str) -> Any:
    """Import what is asked for only then, so that ``import referee`` costs next to nothing."""
    if name in _HOMES:
        return getattr(import_module(f"referee.{_HOMES[name]}"), name)
    if name in _PACKAGES:
        return import_module(f"referee.{name}")
    raise AttributeError(f"module 'referee' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
