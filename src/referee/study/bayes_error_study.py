"""Error-rate estimates against the Bayes error and the true risk: the assignment of note 004.

Two normal classes at ±s e1 with unit covariances, s solved from the wanted Bayes error; a quadratic
classifier, although the best rule is linear, so that it pays for the dimension. Each repetition
draws a fresh sample and records what every method says about it, and what is true of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referee.core.randomness import RandomState, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError, nearest
from referee.fitting.progress import track
from referee.learners.gaussian.bayes import GaussianBayes
from referee.study.estimate_trial import METHODS, Cell, EstimateTrial, Once
from referee.study.repetitions import repeated
from referee.study.tasks.examples import separation_for

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METHODS", "BayesErrorStudy", "Cell", "bayes_error_study"]

_SETTING = ("repetitions", "seed", "test_per_class", "rounds", "learner")
_WHOLE = ("dimension", "per_class", "repetitions", "seed", "test_per_class", "rounds")
_FIGURES = (*_WHOLE, "bayes_error", "mean", "sd", "se", "true_risk", "below_bayes")

_AXES = {
    "dimension": "dimension",
    "bayes_error": "Bayes error",
    "per_class": "cases in each class",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesErrorStudy(Experiment):
    """Estimates against truth, setting by setting.

    Attributes
    ----------
    table : DataFrame
        A row per setting and method: mean, sd and Monte Carlo se over the repetitions, the mean
        of the true risk, and the share of runs in which the method lay below the Bayes error.
    repetitions : int
        Samples a setting.
    """

    title: ClassVar[str] = "Bayes error study"

    table: pd.DataFrame
    repetitions: int

    def frame(self) -> pd.DataFrame:
        """Return the table."""
        return self.table.copy()

    def means(self, by: str = "dimension") -> pd.DataFrame:
        """Return the mean of every method against one axis of the study.

        The other axes are kept at the value that occurs first.
        """
        return self._along(by).pivot(index=by, columns="method", values="mean")

    def curves(self, by: str = "dimension") -> Curves:
        """Return what is drawn against one axis: means with two standard errors, Bayes error."""
        rows = self._along(by)
        curves = []
        for method, mine in rows.groupby("method", sort=False):
            x, y = (tuple(mine[c].astype(float)) for c in (by, "mean"))
            low, high = (tuple(mine["mean"] + way * mine.se) for way in (-2, 2))
            curves.append(Curve(str(method), x, y, low, high))
        best = rows.groupby(by).bayes_error.first()
        x = tuple(best.index.astype(float))
        curves.append(Curve("Bayes error", x, tuple(best), muted=True))
        caption = f"estimates of a quadratic rule's error, {self._kept(by)}"
        return Curves(tuple(curves), caption, _AXES[by])

    def _kept(self, by: str) -> str:
        """Return in words where the other axes are kept."""
        first = self.table.iloc[0]
        words = {
            "dimension": f"dimension {first.dimension}",
            "bayes_error": f"Bayes error {first.bayes_error:g}",
            "per_class": f"{first.per_class} cases in each class",
        }
        return ", ".join(text for axis, text in words.items() if axis != by)

    def _along(self, by: str) -> pd.DataFrame:
        if by not in _AXES:
            raise InputError(
                f"by must be one of {', '.join(_AXES)}", concerning="by", value=repr(by)
            )
        kept = self.table
        for other in _AXES:
            if other != by:
                kept = kept[kept[other] == kept[other].iloc[0]]
        return kept.sort_values(by, kind="stable")

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes along which there is more than one value, or the dimension."""
        return tuple(a for a in _AXES if self.table[a].nunique() > 1) or ("dimension",)

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.repetitions} samples for each setting"

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The means against every axis with several values."""
        titles = {a: f"Mean estimates against {_AXES[a]}, {self._kept(a)}" for a in self.axes}
        order = list(self.table.method.unique())
        return {
            title: self.means(a)[order].reset_index().rename_axis(columns=None)
            for a, title in titles.items()
        }

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """One picture for every axis with several values."""
        return tuple(self.curves(by) for by in self.axes)

    @property
    def conclusion(self) -> str:
        """The two bounds in one sentence: whether they held on average, and how often not."""
        resub = self.table[self.table.method == "resubstitution"]
        hold = self.table[self.table.method == "holdout"]
        sentences = []
        if len(resub):
            under = bool((resub["mean"] <= resub.bayes_error + 2 * resub.se).all())
            share = float((1 - resub.below_bayes).max())
            sentences.append(
                f"resubstitution lies {'below' if under else 'not always below'} the Bayes error "
                f"on average, but above it in up to {share:.0%} of single samples"
            )
        if len(hold):
            over = bool((hold["mean"] >= hold.bayes_error - 2 * hold.se).all())
            share = float(hold.below_bayes.max())
            sentences.append(
                f"holdout lies {'above' if over else 'not always above'} the Bayes error on "
                f"average, but below it in up to {share:.0%}"
            )
        caveat = "the bracket holds in expectation, for rules that are Bayes for the fitted family"
        text = "; ".join([*sentences, caveat])
        return text[0].upper() + text[1:] + "."


def bayes_error_study(
    dims: int | Sequence[int] = (2, 5, 10, 20),
    bayes_errors: float | Sequence[float] = (0.1,),
    per_class: int | Sequence[int] = (50,),
    *,
    methods: Sequence[str] = METHODS,
    repetitions: int = 150,
    test_per_class: int = 1000,
    rounds: int = 50,
    learner: Any = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    resume: pd.DataFrame | None = None,
    after: Callable[[pd.DataFrame], None] | None = None,
) -> BayesErrorStudy:
    """Hold error estimates of a quadratic classifier against the Bayes error and the true risk.

    Parameters
    ----------
    dims, bayes_errors, per_class : numbers or sequences of them
        The axes; every combination is a setting.
    methods : sequence of str
        Some of `METHODS`. "holdout" tests on `test_per_class` fresh cases of each class, "cv" is
        stratified 10-fold, the bootstrap forms use `rounds` resamples.
    repetitions : int
        Samples a setting.
    learner : classifier, optional
        Another one than ``GaussianBayes()``.
    random_state, n_jobs
        The same numbers for any number of jobs.
    resume : DataFrame, optional
        A table of an earlier, unfinished study; settings it holds are not run again. A setting that
        was not finished begins anew.
    after : callable, optional
        Called with the table so far whenever a setting is done, to save it.

    Examples
    --------
    >>> s = bayes_error_study((2,), methods=("resubstitution", "cv"), repetitions=5)
    >>> s.frame()[["dimension", "method", "repetitions"]].values.tolist()
    [[2, 'resubstitution', 5], [2, 'cv', 5], [2, 'true risk', 5]]
    """
    import pandas as pd

    cells = _cells(*(np.atleast_1d(axis).tolist() for axis in (dims, bayes_errors, per_class)))
    seed = integer_seed(random_state)
    trial = EstimateTrial(
        methods=tuple(methods),
        test_per_class=test_per_class,
        rounds=rounds,
        learner=GaussianBayes() if learner is None else learner,
    )
    _check(cells, trial)
    setting = trial.setting(repetitions, seed)
    table = pd.DataFrame() if resume is None else _usable(resume)
    left = [c for c in cells if not _holds(table, c, trial, setting)]
    for cell in track(left, len(left), "Bayes error study"):
        values = repeated(Once(trial, cell), repetitions, child(seed, *_path(cell)), n_jobs=n_jobs)
        new = _rows(cell, trial, values).assign(**setting)
        table = pd.concat([t for t in (table, new) if len(t)], ignore_index=True)
        table = table.drop_duplicates([*_AXES, "method", *setting], keep="last")
        if after is not None:
            after(table)
    parts = [_of_cell(table, c, setting) for c in cells]
    frame = pd.concat([p[p.method.isin(trial.columns)] for p in parts], ignore_index=True)
    return BayesErrorStudy(table=frame, repetitions=repetitions)


def _cells(
    dims: Sequence[int], bayes_errors: Sequence[float], per_class: Sequence[int]
) -> list[Cell]:
    """Return every setting once, its numbers rounded so that a saved table finds them again."""
    for name, values in (("dims", dims), ("per_class", per_class)):
        odd = next((v for v in values if v < 1 or int(v) != v), None)
        if odd is not None:
            raise InputError(
                f"{name} must hold whole numbers of at least 1", concerning=name, value=str(odd)
            )
    every = (
        Cell(int(d), round(float(e), 10), int(n))
        for d, e, n in product(dims, bayes_errors, per_class)
    )
    cells = list(dict.fromkeys(every))
    if not cells:
        raise InputError(
            "dims, bayes_errors and per_class must each hold at least one value", concerning="dims"
        )
    return cells


def _check(cells: Sequence[Cell], trial: EstimateTrial) -> None:
    odd = next((m for m in trial.methods if m not in METHODS), None)
    if odd is not None:
        raise InputError(f"method {odd!r} is unknown", remedy=nearest(str(odd), METHODS))
    if trial.test_per_class < 1:
        raise InputError("test_per_class must be at least 1", value=str(trial.test_per_class))
    for cell in cells:
        separation_for(cell.bayes_error)
        fewest = trial.fewest(cell.dimension)
        if cell.per_class < fewest:
            raise InputError(
                f"per_class must be at least {fewest} for a quadratic rule in dimension "
                f"{cell.dimension} by these methods",
                value=str(cell.per_class),
                remedy="use more cases, fewer dimensions, or resubstitution and holdout only",
            )


def _path(cell: Cell) -> tuple[int, ...]:
    """Return a path of seeds that depends on the setting alone, not on which others are run."""
    return cell.dimension, round(1e6 * cell.bayes_error), cell.per_class


def _of_cell(table: pd.DataFrame, cell: Cell, setting: dict[str, Any]) -> pd.DataFrame:
    wanted = {**vars(cell), **setting}
    if not set(wanted) <= set(table.columns):
        return table.iloc[:0]
    same = np.ones(len(table), dtype=bool)
    for name, value in wanted.items():
        column = table[name]
        same &= np.isclose(column, value) if isinstance(value, float) else column == value
    return table[same]


def _usable(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an earlier table that are whole; the others are made anew.

    Raises
    ------
    InputError
        If it is no table of this study at all.
    """
    import pandas as pd

    lacking = [name for name in (*_FIGURES, "method", "learner") if name not in table.columns]
    if lacking:
        raise InputError(
            f"resume is no table of this study: it has no column {lacking[0]!r}",
            concerning="resume",
        )
    numbers = table[list(_FIGURES)].apply(pd.to_numeric, errors="coerce")
    whole = np.isfinite(numbers).all(axis=1)
    kept = table.assign(**numbers)[whole]
    kept = kept.astype(dict.fromkeys(_WHOLE, int))
    unique: pd.DataFrame = kept.drop_duplicates([*_AXES, "method", *_SETTING], keep="last")
    return unique


def _holds(table: pd.DataFrame, cell: Cell, trial: EstimateTrial, setting: dict[str, Any]) -> bool:
    rows = _of_cell(table, cell, setting)
    return len(rows) > 0 and set(trial.columns) <= set(rows.method)


def _rows(cell: Cell, trial: EstimateTrial, values: Any) -> pd.DataFrame:
    import pandas as pd

    truth = float(values[:, -1].mean())
    n = len(values)
    return pd.DataFrame(
        {
            **vars(cell),
            "method": name,
            "mean": float(values[:, k].mean()),
            "sd": float(values[:, k].std(ddof=1)),
            "se": float(values[:, k].std(ddof=1) / np.sqrt(n)),
            "true_risk": truth,
            "below_bayes": float(np.mean(values[:, k] < cell.bayes_error)),
        }
        for k, name in enumerate(trial.columns)
    )
