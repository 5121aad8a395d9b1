"""What a reduced rule saves in cases, and what it costs in error, with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.comparing.compare import compare
from referee.comparing.comparison import Comparison
from referee.core.dataset import Dataset
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import Estimate
from referee.errors import InputError
from referee.fitting.run import run
from referee.learners.last_step import last_step
from referee.resampling import Resubstitution

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReductionCost", "reduction_cost"]

_REDUCED, _FULL = "reduced", "all cases"


@dataclass(frozen=True, eq=False, kw_only=True)
class ReductionCost:
    """A reduced rule against the rule of all cases.

    Attributes
    ----------
    name : str
        The class of the reduced rule.
    kept, cases : int
        How many cases it keeps of all, trained on all of them.
    comparison : Comparison
        Of "reduced" and "all cases", each trained, and reduced, inside every split.
    """

    name: str
    kept: int
    cases: int
    comparison: Comparison

    @property
    def cost(self) -> Estimate:
        """The error of the reduced rule less that of all cases."""
        return self.comparison.pair(_REDUCED, _FULL).difference

    @property
    def error(self) -> Estimate:
        """The error of the reduced rule."""
        return self.comparison.estimates[_REDUCED]

    @property
    def full_error(self) -> Estimate:
        """The error of the rule of all cases."""
        return self.comparison.estimates[_FULL]

    @property
    def conclusion(self) -> str:
        """What was saved and what it cost, in one sentence."""
        i = self.cost.interval
        between = f" ({i.low:+.4f} to {i.high:+.4f})" if i else f" ({self._why})"
        return (
            f"{self.name} keeps {self.kept} of {self.cases} cases "
            f"({self.kept / self.cases:.0%}); its error is {self.error.value:.4f}, that of all "
            f"cases {self.full_error.value:.4f}: a cost of {self.cost.value:+.4f}{between}."
        )

    @property
    def _why(self) -> str:
        if self.cost.value == 0:
            return "no answer differed in any split"
        return f"no interval: {self.cost.reason}" if self.cost.reason else "no interval"

    def row(self) -> dict[str, Any]:
        """Return the numbers, for a table."""
        i = self.cost.interval
        return {
            "rule": self.name,
            "kept": self.kept,
            "cases": self.cases,
            "error": self.error.value,
            "full_error": self.full_error.value,
            "cost": self.cost.value,
            "low": i.low if i else float("nan"),
            "high": i.high if i else float("nan"),
        }

    def frame(self) -> pd.DataFrame:
        """Return the numbers as a table of one row."""
        import pandas as pd

        return pd.DataFrame([self.row()])


def reduction_cost(
    rule: Any,
    X: Any,
    y: Any,
    *,
    full: Any = None,
    by: Any = "auto",
    groups: Any = None,
    level: float = 0.95,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> ReductionCost:
    """Say how many cases a reduced rule keeps and what that costs in error.

    The two rules go through one plan, and cases are dropped from the training rows of each split,
    as they would be in use; so cases that were dropped are not tested by rules that saw them.

    Parameters
    ----------
    rule : classifier
        One that reports ``n_kept_`` when it is fitted, such as `CondensedKNN`; or a pipeline that
        ends with one.
    X, y : array-like
        Features and class labels.
    full : classifier, optional
        The rule of all cases; by default the nearest neighbour, after the same preparation.
    by, groups, level, random_state, n_jobs
        As in `referee.compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from referee.learners.neighbours.reducing import BoundaryKNN
    >>> X, y = load_iris(return_X_y=True)
    >>> result = reduction_cost(BoundaryKNN(), X[:, 2:], y, by="5x5", random_state=0)
    >>> result.kept, result.cost.value
    (32, 0.0)
    """
    data = Dataset.of(X, y, groups=groups)
    seed = integer_seed(random_state)
    comparison = compare(
        {_REDUCED: rule, _FULL: _unreduced(rule) if full is None else full},
        X,
        y,
        by=by,
        groups=groups,
        level=level,
        random_state=child(seed, 0),
        n_jobs=n_jobs,
    )
    whole = (comparison.models or {}).get(_REDUCED)
    if whole is None:
        plan = Resubstitution().plan(data, 0)
        whole = run(rule, data, plan, name=_REDUCED, seed=child(seed, 1)).model
    _, last = last_step(whole)
    if not hasattr(last, "n_kept_"):
        raise InputError(
            f"must report n_kept_, the cases it keeps; {type(last).__name__} does not",
            argument="rule",
        )
    return ReductionCost(
        name=type(last).__name__, kept=int(last.n_kept_), cases=data.n, comparison=comparison
    )


def _unreduced(rule: Any) -> Any:
    """Return the nearest neighbour of all cases, after the preparation of the rule."""
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    from referee.learners.neighbours.knn import KNN

    if not hasattr(rule, "steps"):
        return KNN(1)
    return make_pipeline(*(clone(step) for _, step in rule.steps[:-1]), KNN(1))
