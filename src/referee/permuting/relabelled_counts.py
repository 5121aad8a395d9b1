"""Confusion matrices of many label columns at once, compiled."""

from __future__ import annotations

from typing import Any

from referee.core.machine.compiling import compiled

__all__ = ["count_answers"]


@compiled
def count_answers(Y: Any, test: Any, predicted: Any, counts: Any) -> None:
    """Add the answers about test rows to the matrices, of shape (columns, truth, answer)."""
    for i in range(len(test)):
        truth, answers = Y[test[i]], predicted[i]
        for column in range(len(truth)):
            counts[column, truth[column], answers[column]] += 1
