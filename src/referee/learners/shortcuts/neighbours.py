"""The shortcut for KNeighborsClassifier: one search, and scikit-learn's choice among ties."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Codes, Features, Floats, Label, Rows
from referee.core.dataset import take_rows
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.last_step import last_step
from referee.learners.neighbours.index.choice import mean_copies
from referee.learners.neighbours.lists import NeighbourLists, Searched
from referee.learners.neighbours.plan import (
    MOST_COPIES,
    Block,
    Elected,
    Walker,
    predict_neighbours_plan,
)
from referee.learners.neighbours.walk import undecided
from referee.learners.shortcuts.plain_refit import plain_refit
from referee.learners.shortcuts.value_shortcut import Request, ValueShortcut
from referee.learners.units import Units

__all__ = ["NeighboursShortcut", "neighbours_shortcut"]

_POWERS = {
    "euclidean": 2.0,
    "l2": 2.0,
    "manhattan": 1.0,
    "cityblock": 1.0,
    "l1": 1.0,
    "chebyshev": np.inf,
}

_ROUNDING = 2.0**-53

_CHECKED = 20
"""Cases whose plain predictions are compared before anything is believed."""

_LARGEST = 1 << 25
"""Numbers in the matrix that says who voted; beyond, a split in doubt is fitted plainly."""

_CHASED = 256
"""How far down a list ties are followed before a model is fitted to settle them."""

_CLOSE = 1e-9
"""A lead in weighted votes below which rounding may decide."""


@dataclass(frozen=True, eq=False)
class NeighboursShortcut(ValueShortcut):
    """A KNeighborsClassifier and what its options mean.

    Attributes
    ----------
    model : estimator
        Never fitted itself; clones of it settle ties.
    k : int
        How many rows vote.
    p : float
        Minkowski's power.
    weights : {"uniform", "distance"}
        What votes count.
    algorithm : str
        How it searches.
    """

    model: Any
    k: int
    p: float
    weights: str
    algorithm: str = "auto"

    @property
    def dear_answers(self) -> bool:
        """Whether answers take longer than a fit; rows at distance 0 need a fitted model anyway."""
        return self.weights == "uniform"

    def predict_values(self, request: Request) -> tuple[SplitOutput, ...]:
        """Return what the model predicts where its search is given the values.

        With units, the values are in common ones, and every split measures in its own.

        Which of equally distant rows scikit-learn takes depends on its search: on the heap that
        brute force fills, on how a tree happened to be split, on chunks and threads. So wherever
        the choice can matter, or rounding could make it, a copy of the model is fitted on the rows
        of that split and asked which rows it takes; that serves all columns of labels.

        Raises
        ------
        SteppedAside
            Where the model's own fits would fail, or compute in other precision.
        """
        X, values, plan, classes = request.X, request.values, request.plan, request.classes
        scores, units = request.scores, request.units
        Y = label_columns(request.Y, len(values), len(classes))
        if plan.n != len(values):
            raise SteppedAside("the plan was made for another number of rows")
        fewest = min(s.n_train for s in plan.splits)
        if self.k > fewest:
            raise SteppedAside("k exceeds the training rows of a split")
        if mean_copies(values) > MOST_COPIES:
            raise SteppedAside("rows have so many copies that ties take longer than fits")
        rule = _AsScikitLearn.of(
            self, X, values, Y, len(classes), fewest=fewest, scores=scores, units=units
        )
        elected = predict_neighbours_plan(
            Searched.of(values, self.p, self.k),
            Y,
            plan,
            sizes=[self.k] * plan.fits,
            rule=rule,
            classes=classes,
            scores=scores,
            weights=self.weights,
            distances=self._distances,
            walker=None if units is None else rule.walker(values, units),
        )
        outputs = [
            SplitOutput(e.predicted, e.scores, int(number in rule.asked))
            for number, e in enumerate(elected)
        ]
        for number in self._in_doubt(elected, rule):
            lead = None if number in rule.open else elected[number].lead
            split = plan.splits[number]
            outputs[number] = self._refitted(X, Y, split, classes, elected[number], lead)
        if request.check:
            self._compare_some(X, Y, plan, classes, outputs)
        return tuple(outputs)

    def _in_doubt(self, elected: Sequence[Elected], rule: _AsScikitLearn) -> list[int]:
        if self.weights == "uniform":
            return sorted(rule.open)
        close = {n for n, e in enumerate(elected) if e.lead is not None and e.lead.min() < _CLOSE}
        return sorted(close | rule.open)

    def _refitted(
        self,
        X: Features,
        Y: Codes,
        split: Split,
        classes: Sequence[Label],
        elected: Elected,
        lead: Floats | None,
    ) -> SplitOutput:
        """Fit plainly where rounding may decide; for all columns where there is no lead."""
        if lead is None:
            doubt = np.ones(Y.shape[1], dtype=bool)
        else:
            doubt = np.asarray((lead < _CLOSE).any(axis=0))
        for column in np.flatnonzero(doubt):
            plain = plain_refit(
                self.model,
                X,
                Y[:, column],
                split,
                classes=classes,
                scores=elected.scores is not None,
            )
            elected.replace(int(column), plain)
        return SplitOutput(elected.predicted, elected.scores, int(doubt.sum()))

    def searches_brute(self, rows: int, features: int) -> bool:
        """Tell whether the model compares all rows, or grows a tree."""
        if self.algorithm != "auto":
            return self.algorithm == "brute"
        return features > 15 or self.k >= rows // 2

    def _distances(self, reduced: Floats) -> Floats:
        if self.p == 2:
            return np.sqrt(reduced)
        return reduced if self.p in (1, np.inf) else np.asarray(reduced ** (1 / self.p))

    def _compare_some(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        classes: Sequence[Label],
        outputs: Sequence[SplitOutput],
    ) -> None:
        """Refuse to go on where a plain fit says otherwise: the model is not what it seemed."""
        split, output = plan.splits[0], outputs[0]
        if output.refits:
            return
        some = split.testing(split.test[:_CHECKED])
        scores = output.scores is not None
        plain = plain_refit(self.model, X, Y[:, 0], some, classes=classes, scores=scores)
        if (plain.predicted[:, 0] != output.predicted[: len(some.test), 0]).any():
            raise SteppedAside("a plain fit gives other answers")
        if output.scores is None or plain.scores is None:
            return
        ours = output.scores[: len(some.test), 0]
        if not np.allclose(ours, plain.scores[:, 0], rtol=0, atol=1e-7):
            raise SteppedAside("a plain fit gives other scores")


@dataclass(frozen=True, eq=False)
class _AsScikitLearn:
    """The tie rule of a fitted KNeighborsClassifier: ask one.

    Attributes
    ----------
    asked, open : set of int
        The splits for which a model was fitted to choose, and those it would take too much memory
        to ask about.
    """

    shortcut: NeighboursShortcut
    X: Features
    features: int
    codes: Codes | None
    k: int
    shares: bool
    relative: float
    absolute: Floats
    rescaled: bool = False
    asked: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        shortcut: NeighboursShortcut,
        X: Features,
        values: Floats,
        Y: Codes,
        k: int,
        *,
        fewest: int,
        scores: bool,
        units: Units | None = None,
    ) -> _AsScikitLearn:
        """Bound the rounding errors of every search scikit-learn may use.

        A k-d tree and plain brute force add up the same differences as we do. Products of whole
        rows (brute force), and distances to centres (ball tree), are off by some roundings of the
        largest squares. In units of each split, rows themselves are off by roundings, and the units
        by a share.
        """
        d = values.shape[1]
        largest_factor = 1.0 if units is None else float(units.factors.max())
        absolute = np.zeros(len(values))
        balls = shortcut.algorithm == "ball_tree"
        if balls and shortcut.p not in (1, 2, np.inf):
            raise SteppedAside(f"the rounding of balls with p={shortcut.p:g} is not known")
        if balls or (shortcut.p == 2 and shortcut.searches_brute(fewest, d)):
            lengths = largest_factor * np.sqrt((values**2).sum(axis=1))
            largest = (lengths + lengths.max()) ** (2 if shortcut.p == 2 else 1)
            absolute = 8 * (d + 4) * _ROUNDING * largest
        # Whether a choice matters is seen by counting votes, so only where all count the same.
        one = Y[:, 0] if Y.shape[1] == 1 and shortcut.weights == "uniform" else None
        relative = max(1e-12, 32 * (d + 4) * _ROUNDING)
        if units is not None:
            relative = max(_CLOSE, 4 * units.error)
            absolute = absolute + _blur(shortcut.p, units.coarseness, d, relative)
        return cls(shortcut, X, d, one, k, scores, relative, absolute, units is not None)

    @property
    def deepest(self) -> int:
        """Some way for one column of labels, to see whether the choice matters at all."""
        return 0 if self.codes is None else _CHASED

    def walker(self, values: Floats, units: Units) -> Walker:
        """Return the way down lists in common units; it sees itself whether a choice matters."""
        from referee.learners.neighbours.rescaled import Rescaled

        codes = np.empty(0, dtype=np.intp) if self.codes is None else self.codes
        return Rescaled(values, units.factors, self.shortcut.p, codes, self.k, self.shares)

    def settle(self, block: Block, which: Rows, lists: NeighbourLists) -> None:
        """Ask a fitted model about pairs where the choice among tied rows matters."""
        if self.codes is not None and not self.rescaled:
            answer = np.zeros(len(which), dtype=bool)
            undecided(
                which,
                block.split,
                block.test,
                block.sizes,
                block.times,
                lists.place,
                lists.reduced,
                lists.rows,
                self.relative,
                self.absolute,
                block.edges,
                self.codes,
                self.k,
                self.shares,
                answer,
            )
            which = which[answer]
        self._ask(block, which)

    def review(self, block: Block) -> None:
        """Ask about rows so near that rounding decides what their votes count."""
        if self.shortcut.weights == "distance":
            nearest = block.reached[:, 0]
            unsure = nearest * _CLOSE < self.absolute[block.test]
            self._ask(block, np.flatnonzero(unsure))

    def _ask(self, block: Block, which: Rows) -> None:
        for number in np.unique(block.split[which]):
            pairs = which[block.split[which] == number]
            split, n = block.splits[number], block.first + int(number)
            if split.n_train * split.n_test > _LARGEST:
                self.open.add(n)
                continue
            self.asked.add(n)
            self._take(block, split, pairs, pairs - block.bounds[number])

    def _take(self, block: Block, split: Split, pairs: Rows, at: Rows) -> None:
        """Write down whom a fitted model takes; all cases are asked, as chunks may matter."""
        rows = take_rows(self.X, split.test)
        taken = take_rows(self.X, split.train)
        with warnings.catch_warnings():
            # So many classes: each row has its own, and its share tells whether it voted.
            warnings.simplefilter("ignore")
            fitted = clone(self.shortcut.model).fit(taken, np.arange(split.n_train))
            if self.shortcut.weights == "distance":
                distances, positions = _kneighbors(fitted, rows)
                power = self.shortcut.p if self.shortcut.p not in (1, np.inf) else 1
                block.reached[pairs] = distances[at] ** power
            elif self.shortcut.searches_brute(len(taken), self.features):
                voted = np.nonzero(fitted.predict_proba(rows)[at])[1]
                positions = np.zeros((len(rows), self.shortcut.k), dtype=np.intp)
                positions[at] = voted.reshape(len(at), self.shortcut.k)
            else:
                positions = _kneighbors(fitted, rows)[1]
        block.chosen[pairs] = split.train[positions[at]]


def _blur(p: float, coarseness: Floats, d: int, relative: float) -> Floats:
    """Return by how much more than its share rounding of the rows may move a reduced distance."""
    moved = coarseness + coarseness.max()
    if p == 2:  # |(r + e)^2 - r^2| <= share r^2 + e^2 / share + e^2
        return np.asarray(moved**2 * (1 + 2 / relative))
    return np.asarray(moved * (np.sqrt(d) if p == 1 else 1.0))


def _kneighbors(fitted: Any, rows: Features) -> tuple[Floats, Rows]:
    """Ask a fitted model, or the last step of a fitted pipeline."""
    for _, step in getattr(fitted, "steps", [])[:-1]:
        rows = rows if step is None or step == "passthrough" else step.transform(rows)
    distances, positions = last_step(fitted)[1].kneighbors(rows)
    return distances, positions


def neighbours_shortcut(model: Any) -> NeighboursShortcut | None:
    """Return the shared work of a KNeighborsClassifier, None for options not named here.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> neighbours_shortcut(KNeighborsClassifier(3, metric="manhattan")).p
    1.0
    >>> neighbours_shortcut(KNeighborsClassifier(metric="cosine")) is None
    True
    """
    return _known(model, **model.get_params(deep=False))


def _known(
    model: Any,
    *,
    n_neighbors: Any,
    weights: Any,
    algorithm: Any,
    leaf_size: Any,
    p: Any,
    metric: Any,
    metric_params: Any,
    n_jobs: Any,
    **unknown: Any,
) -> NeighboursShortcut | None:
    if unknown or metric_params is not None or not (n_jobs is None or _is_whole(n_jobs)):
        return None
    if not _is_whole(n_neighbors) or n_neighbors < 1 or not _is_whole(leaf_size) or leaf_size < 1:
        return None
    if not isinstance(weights, str) or weights not in ("uniform", "distance"):
        return None
    if algorithm not in ("auto", "ball_tree", "kd_tree", "brute") or not isinstance(metric, str):
        return None
    if metric == "minkowski":
        power = float(p) if isinstance(p, Real) and float(p) >= 1 else None
    else:
        power = _POWERS.get(metric) if p == 2 else None
    return (
        None
        if power is None
        else NeighboursShortcut(model, int(n_neighbors), power, weights, algorithm)
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
