"""Results of scores as plain dictionaries and lists, for JSON."""

from __future__ import annotations

from typing import Any

from referee.comparing.scores.comparison import ScoresComparison
from referee.comparing.scores.standings import Board
from referee.core.scores.scores import Scores
from referee.judging.scores.evaluation import ScoresEvaluation
from referee.report.record import SCHEMA, plain_record

__all__ = ["board_record", "comparison_record", "evaluation_record"]


def evaluation_record(result: ScoresEvaluation) -> dict[str, Any]:
    """Return an evaluation of scores for machines."""
    content = {
        "schema": SCHEMA,
        "kind": "scores-evaluation",
        "name": result.name,
        "verdict": result.verdict,
        "estimate": result.estimate,
        "raw": result.raw,
        "passes": result.passes,
        "runs": result.runs,
        "correction": result.correction,
        "advice": result.advice,
        "claim": result.claim,
        **_common(result.scores),
        "findings": result.findings,
        "how": result.how,
        "methods": result.methods,
        "level": result.level,
        "provenance": result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


def comparison_record(result: ScoresComparison) -> dict[str, Any]:
    """Return a comparison of scores for machines."""
    content = {
        "schema": SCHEMA,
        "kind": "scores-comparison",
        "names": result.names,
        "verdict": result.verdict,
        "difference": result.difference,
        "evidence": result.evidence,
        "pair": result.pair,
        "estimates": result.estimates,
        "correction": result.correction,
        "advice": result.advice,
        **_common(result.scores),
        "findings": result.findings,
        "how": result.how,
        "methods": result.methods,
        "level": result.level,
        "rope": result.rope,
        "provenance": result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


def board_record(result: Board) -> dict[str, Any]:
    """Return a board for machines, with every pair."""
    content = {
        "schema": SCHEMA,
        "kind": "board",
        "names": result.names,
        "verdict": result.verdict,
        "places": result.places,
        "groups": result.groups,
        "leading": result.leading,
        "test": result.pairs.test,
        "interval": result.pairs.method,
        "pairs": result.pair_frame().to_dict("records"),
        **_common(result.scores),
        "findings": result.findings,
        "how": result.how,
        "methods": result.methods,
        "level": result.level,
        "adjust": result.adjust,
        "provenance": result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


def _common(scores: Scores) -> dict[str, Any]:
    """Return what is told of the scores themselves."""
    return {
        "score": scores.name,
        "greater_is_better": scores.greater_is_better,
        "limits": [scores.low, scores.high],
        "items": scores.n_items,
        "clusters": None if scores.cluster is None else len(set(scores.cluster.tolist())),
        "repeated": scores.repeated,
    }
