"""PrototypeKNN: one representative for each cluster of a class."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.randomness import RandomState, child, integer_seed
from referee.errors import InputError
from referee.learners.neighbours.reducing.nearest import nearest_rows
from referee.learners.neighbours.reducing.reduced import ReducedKNN

__all__ = ["PrototypeKNN"]

_REPRESENTATIVES = ("case", "mean")


class PrototypeKNN(ReducedKNN):
    """The nearest-neighbour rule of a few prototypes of each class.

    The cases of each class are put into clusters by k-means (scikit-learn's), and one
    representative of each cluster answers for it.

    Parameters
    ----------
    per_class : int
        Clusters of each class; a class with fewer distinct cases keeps them all.
    representative : {"case", "mean"}
        The case nearest to the mean of its cluster, or that mean itself.
    random_state : int, Generator or RandomState, optional
        Where k-means begins.

    Attributes
    ----------
    kept_ : array of int or None
        The training rows that were kept, ascending; None for means, which are no cases.
    n_kept_, n_cases_ : int
        How many prototypes answer, and how many cases there were.
    cases_, codes_, classes_
        The prototypes, their classes, and the labels.

    References
    ----------
    .. [1] T. Hastie, R. Tibshirani, J. Friedman (2009). The Elements of Statistical Learning,
       section 13.2.1.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> model = PrototypeKNN(per_class=1, random_state=0).fit(X, list("aaabbb"))
    >>> model.kept_.tolist(), model.predict([[2.4], [2.6]]).tolist()
    ([1, 4], ['a', 'b'])
    """

    kept_: Rows | None  # type: ignore[assignment]

    def __init__(
        self,
        per_class: int = 10,
        *,
        representative: str = "case",
        random_state: RandomState = None,
    ) -> None:
        self.per_class = per_class
        self.representative = representative
        self.random_state = random_state

    def _check_options(self) -> None:
        number = self.per_class
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 1:
            raise InputError(
                "must be a whole number of at least 1", argument="per_class", value=repr(number)
            )
        if self.representative not in _REPRESENTATIVES:
            raise InputError(
                "must be 'case' or 'mean'",
                argument="representative",
                value=repr(self.representative),
            )

    def _reduce(self, X: Floats, codes: Codes) -> tuple[Floats, Codes]:
        if self.representative == "case":
            return super()._reduce(X, codes)
        self.kept_ = None
        means = self._means(X, codes)
        return np.concatenate(means), np.repeat(np.arange(len(means)), [len(m) for m in means])

    def _kept(self, X: Floats, codes: Codes) -> Rows:
        rows = [np.flatnonzero(codes == c) for c in range(len(self.classes_))]
        means = self._means(X, codes)
        chosen = [r[nearest_rows(m, X[r])] for r, m in zip(rows, means, strict=True)]
        return np.unique(np.concatenate(chosen))

    def _means(self, X: Floats, codes: Codes) -> list[Floats]:
        """Return the means of the clusters of each class."""
        seed = integer_seed(self.random_state)
        return [_means(X[codes == c], self.per_class, child(seed, c)) for c in np.unique(codes)]


def _means(X: Floats, number: int, seed: int) -> Floats:
    from sklearn.cluster import KMeans

    distinct = np.unique(X, axis=0)
    if len(distinct) <= number:
        return distinct
    clusters = KMeans(number, n_init=5, random_state=seed).fit(X)
    return np.asarray(clusters.cluster_centers_)
