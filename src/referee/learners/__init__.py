"""Learners: models by name, models made ready for tables, and models of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.learners.naming import CATALOGUE, model_from_name, name_of
from referee.learners.tabular import SCALE_SENSITIVE, for_table

if TYPE_CHECKING:
    from referee.learners.gaussian.bayes import GaussianBayes

__all__ = [
    "CATALOGUE",
    "SCALE_SENSITIVE",
    "GaussianBayes",
    "for_table",
    "model_from_name",
    "name_of",
]


def __getattr__(name: str) -> Any:
    """Import estimators when they are asked for; names and tables do without scikit-learn."""
    if name == "GaussianBayes":
        from referee.learners.gaussian.bayes import GaussianBayes

        return GaussianBayes
    raise AttributeError(f"module 'referee.learners' has no attribute {name!r}")
