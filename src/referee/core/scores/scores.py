"""Scores: one number per item, model and run; the hinge for everything that is not a prediction.

Marks of a language model's answers, losses of a regressor, per-query ranking measures, timings: an
*item* is what was asked (a question, a case, a query), a *run* one of several answers of the same
model to it, a *cluster* what ties items together (a passage, a subject, a user).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Codes, Flags, Floats, Label
from referee.core.fingerprint import fingerprint
from referee.errors import InputError, nearest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ItemScores", "Scores"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemScores:
    """One number per item: what intervals of a mean and tests of a difference read.

    Attributes
    ----------
    values : array
        The mean over runs of each item.
    cluster : array of codes or None
        The cluster of each item; None where items are independent.
    weight : array or None
        The weight of each item.
    low, high : float
        Between which limits a value can lie; infinite where that is not known.
    single : bool
        Whether each value is one score and not a mean over runs.

    Examples
    --------
    >>> answers = ItemScores(values=np.array([1.0, 0.0, 1.0, 1.0]), low=0.0, high=1.0)
    >>> answers.n, answers.binary, answers.mean
    (4, True, 0.75)
    """

    values: Floats
    cluster: Codes | None = None
    weight: Floats | None = None
    low: float = -math.inf
    high: float = math.inf
    single: bool = True

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.values)

    @property
    def bounded(self) -> bool:
        """Whether both limits are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def binary(self) -> bool:
        """Whether every item has one score, and it is the lowest or the highest there can be."""
        v = self.values
        return self.single and self.bounded and bool(np.all((v == self.low) | (v == self.high)))

    @property
    def independent(self) -> bool:
        """Whether items count alike and none is tied to another."""
        return self.cluster is None and self.weight is None

    @property
    def mean(self) -> float:
        """The weighted mean over items."""
        return float(np.average(self.values, weights=self.weight))

    @property
    def spread(self) -> float:
        """The distance between the limits."""
        return self.high - self.low

    @property
    def units(self) -> int:
        """How many independent things there are: clusters, or items where there are none."""
        return self.n if self.cluster is None else len(np.unique(self.cluster))

    def scaled(self) -> Floats:
        """Return the values as shares of the way from the lower limit to the upper one."""
        return (self.values - self.low) / self.spread


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """A score for each item, model and run, checked once; made by `Scores.of`.

    Attributes
    ----------
    items, models, runs : tuples
        The names of the items, the models and the runs.
    item, model, run : arrays of codes
        For each score, positions in those tuples.
    score : array
        The scores.
    cluster : array of codes or None
        For each item, a position in `clusters`.
    clusters : tuple
        The names of the clusters; empty where there are none.
    weight : array or None
        For each item, how much it counts.
    human : array or None
        For each score, the mark a person gave the same answer; nan where nobody did.
    name : str
        What the scores are called.
    greater_is_better : bool
        Their direction.
    low, high : float
        The limits between which a score can lie; infinite where they are not known.
    limits_assumed : bool
        Whether the limits were read off the scores and not stated.
    logs : tuple of Log
        The evaluation logs the scores were read from; empty where they come from a table.

    Examples
    --------
    >>> scores = Scores.of({"gpt": [1, 0, 1, 1], "llama": [1, 0, 0, 1]})
    >>> scores.models, len(scores.items), scores.binary
    (('gpt', 'llama'), 4, True)
    >>> scores.means.tolist()
    [[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    """

    items: tuple[Label, ...]
    models: tuple[str, ...]
    runs: tuple[Label, ...]
    item: Codes
    model: Codes
    run: Codes
    score: Floats
    cluster: Codes | None = None
    clusters: tuple[Label, ...] = ()
    weight: Floats | None = None
    human: Floats | None = None
    name: str = "score"
    greater_is_better: bool = True
    low: float = -math.inf
    high: float = math.inf
    limits_assumed: bool = False
    logs: tuple[Any, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        table: Any,
        *,
        item: Any = None,
        model: Any = None,
        score: Any = None,
        run: Any = None,
        cluster: Any = None,
        weight: Any = None,
        human: Any = None,
        models: Sequence[str] | None = None,
        values: Mapping[Any, float] | None = None,
        greater_is_better: bool = True,
        limits: Any = "auto",
        name: str | None = None,
    ) -> Scores:
        """Read scores from a table.

        Parameters
        ----------
        table : DataFrame (pandas, polars), mapping of columns, or array
            *Long*: a row for each score, with columns for item, model and score. *Wide*: a row for
            each item (and run), a column for each model. A single list is one model's scores.
        item, model, score, run, cluster, weight, human : str or array, optional
            The columns with these roles, or their values row by row. A column of just that name
            is taken where nothing is said.
        models : sequence of str, optional
            Wide tables: the columns that are models; by default all that have no other role. Long
            tables: which models to read; by default all.
        values : mapping, optional
            What words among the scores are worth, as ``{"C": 1, "I": 0}``.
        greater_is_better : bool
            Whether a large score is a good one.
        limits : pair of float, "auto" or None
            Between which values a score can lie. "auto" takes 0 and 1 where all scores lie there
            (and says so in `limits_assumed`); None means that scores have no limits.
        name : str, optional
            What the scores are called; by default the column's name, or "score".

        Examples
        --------
        >>> long = {"item": ["q1", "q1", "q2", "q2"], "model": ["a", "b", "a", "b"],
        ...         "score": [1.0, 0.5, 0.0, 0.25]}
        >>> Scores.of(long).means.tolist()
        [[1.0, 0.5], [0.0, 0.25]]
        >>> Scores.of([0.1, 0.9, 0.4]).models
        ('model',)
        """
        from referee.core.scores.score_columns import Roles
        from referee.core.scores.score_table import scores_of

        roles = Roles(
            item=item,
            model=model,
            score=score,
            run=run,
            cluster=cluster,
            weight=weight,
            human=human,
            models=None if models is None else tuple(models),
            values=dict(values or {}),
        )
        return scores_of(
            table, roles, greater_is_better=greater_is_better, limits=limits, name=name
        )

    @property
    def n_items(self) -> int:
        """The number of items any model has a score on."""
        return len(self.items)

    @cached_property
    def counts(self) -> Codes:
        """How many scores each item (row) has of each model (column)."""
        shape = (len(self.items), len(self.models))
        cell = self.item * shape[1] + self.model
        return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.intp)

    @cached_property
    def means(self) -> Floats:
        """The mean over runs of each item (row) and model (column); nan where there is none."""
        return self.cell_means(self.score)

    def cell_means(self, numbers: Floats, rows: Flags | None = None) -> Floats:
        """Return the mean of some numbers in each cell, over all scores or the marked ones."""
        shape = (len(self.items), len(self.models))
        cell = self.item * shape[1] + self.model
        if rows is not None:
            cell, numbers = cell[rows], numbers[rows]
        size = shape[0] * shape[1]
        counts = np.bincount(cell, minlength=size)
        sums = np.bincount(cell, weights=numbers, minlength=size)
        with np.errstate(invalid="ignore"):
            return (sums / counts).reshape(shape)

    @property
    def repeated(self) -> bool:
        """Whether any item has several runs of one model."""
        return bool(np.any(self.counts > 1))

    @property
    def bounded(self) -> bool:
        """Whether both limits are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def binary(self) -> bool:
        """Whether every score is the lowest or the highest there can be, as right and wrong are."""
        s = self.score
        return self.bounded and bool(np.all((s == self.low) | (s == self.high)))

    @property
    def percent(self) -> bool:
        """Whether scores are shares, which people read as percentages."""
        return (self.low, self.high) == (0.0, 1.0)

    @property
    def fingerprint(self) -> str:
        """A short hash of everything the scores say."""
        parts: list[Any] = [self.items, self.models, self.item, self.model, self.run, self.score]
        parts += [self.cluster, self.weight, self.human, self.greater_is_better]
        return fingerprint([*parts, self.low, self.high])

    def position(self, model: str) -> int:
        """Return the number of a model, or say that there is none of that name."""
        if model not in self.models:
            raise InputError(
                f"there is no model {model!r}",
                concerning="model",
                remedy=nearest(str(model), self.models),
            )
        return self.models.index(model)

    def of_model(self, model: str) -> ItemScores:
        """Return one model's mean score on each item it has one on."""
        column = self.position(model)
        has = self.counts[:, column] > 0
        return self.items_at(np.flatnonzero(has), self.means[has, column])

    def items_at(self, rows: Any, values: Floats, *, difference: bool = False) -> ItemScores:
        """Return numbers of some of the items with those items' clusters and weights.

        The limits of a `difference` of two scores are their distance, either way.
        """
        low, high = self.low, self.high
        if difference:
            low, high = self.low - self.high, self.high - self.low
        return ItemScores(
            values=np.asarray(values, dtype=float),
            cluster=None if self.cluster is None else self.cluster[rows],
            weight=None if self.weight is None else self.weight[rows],
            low=low,
            high=high,
            single=not self.repeated,
        )

    def shared(self, first: str, second: str) -> Any:
        """Return the rows of `means` that both models have a score on."""
        a, b = self.position(first), self.position(second)
        return np.flatnonzero((self.counts[:, a] > 0) & (self.counts[:, b] > 0))

    def select(self, models: Sequence[str]) -> Scores:
        """Return the scores of some models, in that order, and the items they have."""
        order = [self.position(m) for m in models]
        if len(set(order)) < len(order):
            twice = next(m for m in models if list(models).count(m) > 1)
            raise InputError(
                f"model {twice!r} is named twice", concerning="model", remedy="name each model once"
            )
        number = np.full(len(self.models), -1, dtype=np.intp)
        number[order] = np.arange(len(order))
        rows = np.flatnonzero(number[self.model] >= 0)
        kept, item = np.unique(self.item[rows], return_inverse=True)
        return replace(
            self,
            models=tuple(self.models[i] for i in order),
            items=tuple(self.items[i] for i in kept),
            item=item.astype(np.intp),
            model=number[self.model[rows]],
            run=self.run[rows],
            score=self.score[rows],
            cluster=None if self.cluster is None else self.cluster[kept],
            weight=None if self.weight is None else self.weight[kept],
            human=None if self.human is None else self.human[rows],
            logs=tuple(log for log in self.logs if log.name in models),
        )

    def frame(self) -> pd.DataFrame:
        """Return a row for each score: item, model, run, score and what else is known."""
        import pandas as pd

        columns: dict[str, Any] = {
            "item": _named(self.items, self.item),
            "model": _named(self.models, self.model),
            "run": _named(self.runs, self.run),
            "score": self.score,
        }
        if self.cluster is not None:
            columns["cluster"] = _named(self.clusters, self.cluster[self.item])
        if self.weight is not None:
            columns["weight"] = self.weight[self.item]
        if self.human is not None:
            columns["human"] = self.human
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        listed = ", ".join(self.models[:4]) + (" ..." if len(self.models) > 4 else "")
        tied = f", {len(self.clusters)} clusters" if self.cluster is not None else ""
        return (
            f"<Scores of {len(self.models)} models ({listed}) on {self.n_items} items, "
            f"{len(self.score)} scores{tied}>"
        )


def _named(names: Sequence[Any], codes: Codes) -> Anything:
    """Return the name of each code, whatever names are."""
    every = np.empty(len(names), dtype=object)
    every[:] = list(names)
    return every[codes]
