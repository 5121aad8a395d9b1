"""A choosing learner: it chooses inside its training rows, and answers with what it chose."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.choosing.inner_judge import InnerJudge
from referee.core.arrays import Anything, Features, Floats
from referee.core.dataset import Dataset
from referee.core.randomness import RandomState, child, integer_seed
from referee.errors import InputError
from referee.learners.naming import model_from_name

__all__ = ["ChoosingLearner"]

Judge = TypeVar("Judge", bound=InnerJudge)


def _offers(method: str) -> Any:
    def check(self: ChoosingLearner) -> bool:
        chosen = getattr(self, "learner_", None)
        return hasattr(self.inner() if chosen is None else chosen, method)

    return check


class ChoosingLearner(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What `Selected` and `Tuned` have in common: the learner inside, and answering with it.

    A subclass sets ``learner_`` and, for a classifier, ``classes_`` when it is fitted.
    """

    learner: Any
    by: Any
    random_state: RandomState
    n_jobs: int | None

    @abstractmethod
    def check_options(self) -> None:
        """Refuse options that cannot work, whatever the data are."""

    def inner(self) -> Any:
        """Return the learner that was given, or that a name stands for."""
        return model_from_name(self.learner) if isinstance(self.learner, str) else self.learner

    def predict(self, X: Features) -> Anything:
        """Return what the learner answers."""
        check_is_fitted(self)
        return np.asarray(self.learner_.predict(self._taken(X)))

    @available_if(_offers("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Features) -> Floats:
        """Return the learner's probabilities."""
        check_is_fitted(self)
        return np.asarray(self.learner_.predict_proba(self._taken(X)))

    @available_if(_offers("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Features) -> Floats:
        """Return the learner's decision values."""
        check_is_fitted(self)
        return np.asarray(self.learner_.decision_function(self._taken(X)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inside = get_tags(self.inner()).input_tags
        tags.input_tags.allow_nan = inside.allow_nan
        tags.input_tags.sparse = inside.sparse
        return tags

    def _judge(self, kind: type[Judge], data: Dataset) -> Judge:
        """Return what judges every candidate by one plan; the learner is a fresh copy."""
        seed = integer_seed(self.random_state)
        return kind.of(
            clone(self.inner()),
            data,
            by=self.by,
            split_seed=child(seed, 0),
            seed=child(seed, 1),
            n_jobs=self.n_jobs,
        )

    def _taken(self, X: Features) -> Features:
        """Return new rows as the learner inside takes them."""
        if hasattr(X, "columns"):
            validate_data(self, X, reset=False, skip_check_array=True)
            return X
        return validate_data(self, X, reset=False, **self._accepted())

    def _validated(self, X: Features, y: Any) -> tuple[Features, Anything]:
        shape = np.asarray(y).shape
        if len(shape) == 2 and shape[1] > 1:
            name = type(self).__name__
            raise InputError(
                f"{name} chooses for one target, and y has {shape[1]} columns; choose for each "
                f"label: MultiOutputClassifier({name}(...)), or MultiOutputRegressor"
            )
        if hasattr(X, "columns"):
            validate_data(self, X, y, skip_check_array=True)
            return X, np.asarray(y)
        quantities = is_regressor(self)
        fewest = {"ensure_min_samples": 2, "y_numeric": True} if quantities else {}
        X, y = validate_data(self, X, y, **fewest, **self._accepted())
        if not quantities:
            check_classification_targets(y)
        return X, y

    def _accepted(self) -> dict[str, Any]:
        tags = get_tags(self).input_tags
        return {
            "dtype": "numeric",
            "accept_sparse": ["csr"] if tags.sparse else False,
            "ensure_all_finite": "allow-nan" if tags.allow_nan else True,
        }
