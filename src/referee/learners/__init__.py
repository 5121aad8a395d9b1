"""Learners: models by name, models made ready for tables, and models of our own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.learners.naming import CATALOGUE, model_from_name, name_of
from referee.learners.tabular import SCALE_SENSITIVE, for_table

if TYPE_CHECKING:
    from referee.learners import kernels
    from referee.learners.gaussian.bayes import GaussianBayes
    from referee.learners.neighbours.knn import KNN
    from referee.learners.neighbours.nca import NcaKNN
    from referee.learners.neighbours.reducing import (
        BoundaryKNN,
        CondensedKNN,
        EditedKNN,
        PrototypeKNN,
    )
    from referee.learners.svm.linear_svm import LinearSVM
    from referee.learners.svm.svm import SVM

__all__ = [
    "CATALOGUE",
    "KNN",
    "SCALE_SENSITIVE",
    "SVM",
    "BoundaryKNN",
    "CondensedKNN",
    "EditedKNN",
    "GaussianBayes",
    "LinearSVM",
    "NcaKNN",
    "PrototypeKNN",
    "for_table",
    "kernels",
    "model_from_name",
    "name_of",
]

_HOMES = {
    "GaussianBayes": "gaussian.bayes",
    "KNN": "neighbours.knn",
    "LinearSVM": "svm.linear_svm",
    "SVM": "svm.svm",
    "NcaKNN": "neighbours.nca",
    "BoundaryKNN": "neighbours.reducing.boundary",
    "CondensedKNN": "neighbours.reducing.condensed",
    "EditedKNN": "neighbours.reducing.edited",
    "PrototypeKNN": "neighbours.reducing.prototypes",
}


def __getattr__(name: str) -> Any:
    """Import estimators when they are asked for; names and tables do without scikit-learn."""
    if name == "kernels":
        return import_module("referee.learners.kernels")
    if name not in _HOMES:
        raise AttributeError(f"module 'referee.learners' has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
