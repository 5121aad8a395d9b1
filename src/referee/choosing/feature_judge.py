"""The inner judge of a feature selection: sets of features, with work shared where possible.

k nearest neighbours share work between candidates; any whose votes rounding errors might have
decided are run like those of other learners, so numbers do not depend on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.choosing.inner_judge import InnerJudge
from referee.core.arrays import Features, Flags
from referee.learners.neighbours.candidates import FeatureCandidates, candidates_of

__all__ = ["FeatureJudge", "take_columns"]


def take_columns(X: Features, columns: Sequence[int]) -> Features:
    """Return the given columns of an array, a pandas or polars frame, or a sparse matrix.

    Examples
    --------
    >>> take_columns(np.arange(6).reshape(2, 3), [0, 2]).tolist()
    [[0, 2], [3, 5]]
    """
    at = list(columns)
    if hasattr(X, "iloc"):
        return X.iloc[:, at]
    return X[[X.columns[c] for c in at]] if hasattr(X, "columns") else X[:, at]


@dataclass(frozen=True, eq=False)
class FeatureJudge(InnerJudge):
    """Judges sets of features of one learner by one plan."""

    def wrong(self, base: Sequence[int], columns: Sequence[int], *, drop: bool) -> Flags:
        """Return which tests go wrong with the base, plus or minus each column, a line for each."""
        if self._shared is None:
            return np.stack([self.plainly(_changed(base, c, drop)) for c in columns])
        judged = self._shared.judge(base, columns, drop=drop)
        for at in np.flatnonzero(judged.doubt):
            judged.wrong[at] = self.plainly(_changed(base, columns[int(at)], drop))
        return judged.wrong

    def plainly(self, columns: Sequence[int]) -> Flags:
        """Return which tests go wrong with these features, by the one fit loop."""
        table = self.predictions(self.learner, take_columns(self.data.X, columns))
        return np.asarray(table.wrong > 0)

    @cached_property
    def _shared(self) -> FeatureCandidates | None:
        data = self.data
        return candidates_of(self.learner, data.X, data.codes, self.plan, len(data.classes))


def _changed(base: Sequence[int], column: int, drop: bool) -> list[int]:
    return [c for c in base if c != column] if drop else [*base, column]
