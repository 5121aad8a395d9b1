"""A bracket of the Bayes error for data of unknown distribution (Cover and Hart).

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

from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import Estimate, check_level
from referee.core.showing.experiment import Experiment
from referee.core.showing.numbers import level_text, percent, span
from referee.core.showing.pictures import Bar, Bars
from referee.intervals.one_set.proportion import clopper_pearson
from referee.judging.evaluate import evaluate
from referee.learners import for_table
from referee.learners.gaussian.bayes import GaussianBayes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Bracket", "bracket", "cover_hart"]

CAVEAT = (
    "both brackets hold in expectation, the first for a rule whose family holds the truth, the "
    "second for many cases; a single sample breaks them often, so read the intervals"
)

_ONE_FIT_ABOVE = 5000
"""Cases from which on one holdout serves instead of ten folds."""


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
    guessing : Estimate
        The error of the best constant answer, which no best rule exceeds.
    how : str
        How the errors were validated.
    """

    title: ClassVar[str] = "Bracket of the Bayes error"

    resubstitution: Estimate
    validated: Estimate
    nearest: Estimate
    low: float
    low_interval: tuple[float, float]
    guessing: Estimate
    classes: int
    rule: str
    how: str

    @property
    def misfit(self) -> bool:
        """Whether the rule's lower end lies above an error that another rule reaches.

        Then its family does not hold the truth, and its bracket says nothing.
        """
        least = _ends(self.resubstitution)[0]
        return any(least > _ends(other)[1] for other in (self.nearest, self.guessing))

    @property
    def conclusion(self) -> str:
        """The bracket in a sentence, with its caveat."""
        near = f"between {self._low_end} and {_with_ends(self.nearest)} by the nearest neighbour"
        rule = f"between {_with_ends(self.resubstitution)} and {_with_ends(self.validated)}"
        if self.misfit:
            return (
                f"The Bayes error may lie {near}, for many cases and in expectation. {self.rule} "
                f"does not fit these data: its bracket ({rule}) lies above errors that simpler "
                "rules reach, so ignore it."
            )
        crossed = self._crossed
        if crossed:
            return f"{crossed} The Bayes error may lie {rule} by {self.rule}, {near}; {CAVEAT}."
        return f"The Bayes error may lie {rule} by {self.rule}, {near}; {CAVEAT}."

    @property
    def _crossed(self) -> str:
        """Say which brackets have their lower end above the upper one; empty where none has."""
        names = [self.rule] if self.resubstitution.value > self.validated.value else []
        names += ["the nearest neighbour"] if self.low > self.nearest.value else []
        if not names:
            return ""
        who = " and ".join(names)
        return f"The lower end by {who} lies above the upper one, as it may in one sample."

    @property
    def _low_end(self) -> str:
        return f"{percent(self.low)} ({span(*self.low_interval)})"

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        i = self.validated.interval
        level = f", {level_text(i.level)} intervals" if i else ""
        return f"{self.validated.n} cases, {self.classes} classes, {self.how}{level}"

    @property
    def pictures(self) -> tuple[Bars, ...]:
        """The four ends with their intervals; lower ends muted."""
        short = {"nearest neighbour": "1-NN", "best constant answer": "constant"}
        bars = tuple(
            Bar(
                f"{short.get(rule, rule)}, {method}",
                value,
                low,
                high,
                percent(value),
                end == "lower",
            )
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
            (
                "upper",
                "best constant answer",
                "guessing",
                self.guessing.value,
                *_ends(self.guessing),
            ),
        ]
        return pd.DataFrame(rows, columns=["end", "rule", "method", "value", "low", "high"])


def bracket(
    X: Any,
    y: Any,
    *,
    rule: Any = None,
    nearest: Any = None,
    by: Any = None,
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
        standardised features. Tables with text or missing values are prepared inside the folds.
    nearest : classifier, optional
        1-nearest-neighbour, by default of standardised features.
    by
        As in `evaluate`; 10 folds if not given, one holdout above 5000 cases.
    groups, random_state, n_jobs
        As in `evaluate`.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> X, y = two_normals(1.0, d=2).sample(300, random_state=0)
    >>> b = bracket(X, y)
    >>> b.low < b.nearest.value and b.frame().shape == (5, 6)
    True
    """
    check_level(level)
    seed = integer_seed(random_state)
    evaluations = {
        "rule": _gaussian_rule(X) if rule is None else rule,
        "nearest": _one_neighbour(X) if nearest is None else nearest,
    }
    if by is None:
        by = 10 if len(y) <= _ONE_FIT_ABOVE else "holdout"
    risks = {
        name: evaluate(
            model, X, y, by=by, groups=groups, level=level, measures=["error"],
            random_state=child(seed, number), n_jobs=n_jobs,
        )
        for number, (name, model) in enumerate(evaluations.items())
    }  # fmt: skip
    classes = len(risks["rule"].predictions.classes)
    one = risks["nearest"].error
    assert one.interval is not None
    ends = (cover_hart(one.interval.low, classes), cover_hart(one.interval.high, classes))
    seen = risks["rule"].training_error
    assert seen is not None
    return Bracket(
        resubstitution=_with_interval(seen, level),
        validated=risks["rule"].error,
        nearest=one,
        low=cover_hart(one.value, classes),
        low_interval=ends,
        guessing=risks["rule"].guessing,
        classes=classes,
        rule=risks["rule"].name,
        how=risks["rule"].how,
    )


def _gaussian_rule(X: Any) -> Any:
    rule = make_pipeline(StandardScaler(), GaussianBayes(shrinkage=0.01))
    return for_table(rule, X) if hasattr(X, "columns") else rule


def _one_neighbour(X: Any) -> Any:
    if hasattr(X, "columns"):
        return for_table(KNeighborsClassifier(1), X)
    return make_pipeline(StandardScaler(), KNeighborsClassifier(1))


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


def _with_ends(e: Estimate) -> str:
    return f"{percent(e.value)} ({span(*_ends(e))})"


def _ends(e: Estimate) -> tuple[float, float]:
    return (e.interval.low, e.interval.high) if e.interval else (math.nan, math.nan)
