"""A bracket of the Bayes error for data of unknown distribution (B3, Cover and Hart).

Two pairs of ends, neither of them a promise about one sample. Resubstitution and cross-validation
of a rule that is Bayes for its family lie below and above the Bayes error in expectation, if the
family holds the truth. The 1-nearest-neighbour error R of infinitely many cases lies between the
Bayes error and twice it, so R* is at least (1 - sqrt(1 - 2 R))/2 for two classes; with few cases
1-NN errs more, which keeps the upper end right and makes the lower one too high.

References
----------
Cover and Hart (1967), IEEE Transactions on Information Theory 13. Fukunaga (1990), chapter 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from referee.core.experiment import Experiment
from referee.core.numbers import percent, span
from referee.core.pictures import Bar, Bars
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import Estimate, check_level
from referee.evaluation.evaluate import evaluate
from referee.intervals.proportion import clopper_pearson
from referee.learners.gaussian.bayes import GaussianBayes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Bracket", "bracket", "cover_hart"]

CAVEAT = (
    "both brackets hold in expectation, the first for a rule whose family holds the truth, the "
    "second for many cases; a single sample breaks them often, so read the intervals"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Bracket(Experiment):
    """What a sample says about the smallest error any rule could have.

    Attributes
    ----------
    resubstitution, validated : Estimate
        Training error and cross-validated error of the rule.
    nearest : Estimate
        Cross-validated error of the nearest neighbour.
    low : float
        Cover and Hart's lower end from it, with `low_interval` from the ends of its interval.
    """

    title: ClassVar[str] = "Bracket of the Bayes error"

    resubstitution: Estimate
    validated: Estimate
    nearest: Estimate
    low: float
    low_interval: tuple[float, float]
    classes: int
    rule: str

    @property
    def conclusion(self) -> str:
        """The bracket in a sentence, with its caveat."""
        i = self.validated.interval
        upper = f" ({span(i.low, i.high)})" if i else ""
        return (
            f"The Bayes error may lie between {percent(self.resubstitution.value)} and "
            f"{percent(self.validated.value)}{upper} by {self.rule}, between "
            f"{percent(self.low)} and {percent(self.nearest.value)} by the nearest neighbour; "
            f"{CAVEAT}."
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.validated.n} cases, {self.classes} classes"

    @property
    def pictures(self) -> tuple[Bars, ...]:
        """The four ends with their intervals; lower ends muted."""
        short = {self.rule: "rule", "nearest neighbour": "1-NN"}
        bars = tuple(
            Bar(f"{short[rule]}, {method}", value, low, high, percent(value), end == "lower")
            for end, rule, method, value, low, high in self.frame().to_numpy().tolist()
        )
        return (Bars(bars, "ends of the bracket of the Bayes error, with intervals"),)

    def frame(self) -> pd.DataFrame:
        """Return one row per end: value and interval."""
        import pandas as pd

        rows = [
            (
                "lower",
                self.rule,
                "resubstitution",
                self.resubstitution.value,
                *_ends(self.resubstitution),
            ),
            ("upper", self.rule, "cross-validation", self.validated.value, *_ends(self.validated)),
            ("lower", "nearest neighbour", "Cover-Hart", self.low, *self.low_interval),
            (
                "upper",
                "nearest neighbour",
                "cross-validation",
                self.nearest.value,
                *_ends(self.nearest),
            ),
        ]
        return pd.DataFrame(rows, columns=["end", "rule", "method", "value", "low", "high"])


def bracket(
    X: Any,
    y: Any,
    *,
    rule: Any = None,
    nearest: Any = None,
    by: Any = 10,
    groups: Any = None,
    level: float = 0.95,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> Bracket:
    """Return brackets of the Bayes error from a rich rule and from the nearest neighbour.

    Parameters
    ----------
    X, y : array-like
        Features and labels.
    rule : classifier, optional
        A rule that is Bayes for some family; by default ``GaussianBayes(shrinkage=0.01)`` of
        standardised features.
    nearest : classifier, optional
        1-nearest-neighbour, by default of standardised features.
    by, groups, random_state, n_jobs
        As in `evaluate`.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> X, y = two_normals(1.0, d=2).sample(300, random_state=0)
    >>> b = bracket(X, y)
    >>> b.low < b.nearest.value and b.frame().shape == (4, 6)
    True
    """
    check_level(level)
    seed = integer_seed(random_state)
    made = {
        "rule": make_pipeline(StandardScaler(), GaussianBayes(shrinkage=0.01))
        if rule is None
        else rule,
        "nearest": make_pipeline(StandardScaler(), KNeighborsClassifier(1))
        if nearest is None
        else nearest,
    }
    found = {
        name: evaluate(
            model, X, y, by=by, groups=groups, level=level, measures=["error"],
            random_state=child(seed, number), n_jobs=n_jobs,
        )
        for number, (name, model) in enumerate(made.items())
    }  # fmt: skip
    classes = len(found["rule"].predictions.classes)
    one = found["nearest"].error
    assert one.interval is not None
    ends = (cover_hart(one.interval.low, classes), cover_hart(one.interval.high, classes))
    seen = found["rule"].training_error
    assert seen is not None
    return Bracket(
        resubstitution=_with_interval(seen, level),
        validated=found["rule"].error,
        nearest=one,
        low=cover_hart(one.value, classes),
        low_interval=ends,
        classes=classes,
        rule=found["rule"].name,
    )


def cover_hart(error: float, classes: int = 2) -> float:
    """Return the smallest Bayes error that goes with this error of the nearest neighbour.

    Examples
    --------
    >>> round(cover_hart(0.18), 4), cover_hart(0.0), cover_hart(0.6)
    (0.1, 0.0, 0.5)
    """
    most = (classes - 1) / classes
    return most * (1 - math.sqrt(max(0.0, 1 - error / most)))


def _with_interval(seen: Estimate, level: float) -> Estimate:
    """Give the training error the interval a test set of its size would have."""
    from dataclasses import replace

    interval = clopper_pearson(round(seen.value * seen.n), seen.n, level)
    return replace(seen, interval=interval)


def _ends(e: Estimate) -> tuple[float, float]:
    return (e.interval.low, e.interval.high) if e.interval else (math.nan, math.nan)
