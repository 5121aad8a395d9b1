"""Learners: models by name, models made ready for tables, and models of our own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.learners.naming import CATALOGUE, model_from_name, name_of
from referee.learners.tabular import SCALE_SENSITIVE, for_table

if TYPE_CHECKING:
    from referee.learners import kernels
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.learners.svm.linear_svm import LinearSVM
    from referee.learners.svm.svm import SVM

__all__ = [
    "CATALOGUE",
    "SCALE_SENSITIVE",
    "SVM",
    "GaussianBayes",
    "LinearSVM",
    "for_table",
    "kernels",
    "model_from_name",
    "name_of",
]


def __getattr__(name: str) -> Any:
    """Import estimators when they are asked for; names and tables do without scikit-learn."""
    if name == "GaussianBayes":
        from referee.learners.gaussian.bayes import GaussianBayes

        return GaussianBayes
    if name == "SVM":
        from referee.learners.svm.svm import SVM

        return SVM
    if name == "LinearSVM":
        from referee.learners.svm.linear_svm import LinearSVM

        return LinearSVM
    if name == "kernels":
        return import_module("referee.learners.kernels")
    raise AttributeError(f"module 'referee.learners' has no attribute {name!r}")
