"""permutation_test: has the model found structure, or would chance do as well? (R24, R25)"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.dataset import Dataset
from referee.core.labels import positive_class
from referee.core.numbers import p_text
from referee.core.pictures import Histogram
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.reportable import Reportable
from referee.core.results import Evidence, Outcome, Target, Verdict, check_level
from referee.core.shared_work import SharedWork, SteppedAside
from referee.errors import InputError
from referee.evaluation.contest import Contest
from referee.evaluation.fit import score_method
from referee.evaluation.null_values import Statistic, main_splits
from referee.evaluation.permuting import Permuting
from referee.evaluation.progress import track
from referee.evaluation.requests import as_costs, check_costs, check_measures
from referee.evaluation.sharing import work_of, worker_for
from referee.learners.naming import name_of
from referee.measures import Costs, Measure, measure_named
from referee.resampling import LeaveOneOut, NestedCrossValidation, Resubstitution, scheme_for
from referee.resampling.given import FromPairs
from referee.resampling.scheme import Scheme
from referee.significance.permutation import check_permutations, permutation_p

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PermutationTest", "permutation_test"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationTest(Reportable):
    """How a model does on the true labels, and on labels that chance gave.

    Attributes
    ----------
    name : str
        The model.
    measure : Measure
        What was measured.
    observed : float
        Its value on the true labels.
    null : array
        Its values on the relabellings.
    evidence : Evidence
        The test; ``p_value`` is its p-value.
    exceedances : int
        How many relabellings did at least as well.
    stopped : bool
        Whether counting ended early, because p was large anyway.
    hypothesis : {"labels", "features"}
        Which null hypothesis was tested.
    plan : str
        How it was validated, in words.
    how : str
        By shared work, or by fits.
    """

    name: str
    measure: Measure
    observed: float
    null: Floats
    evidence: Evidence
    exceedances: int
    stopped: bool
    hypothesis: str
    plan: str
    how: str
    n: int
    level: float

    @property
    def p_value(self) -> float:
        """The p-value."""
        return self.evidence.p_value

    @property
    def verdict(self) -> Verdict:
        """PASS where structure was shown, UNDECIDED otherwise: absence is never shown."""
        shown = self.p_value <= 1 - self.level + 1e-12
        outcome = Outcome.PASS if shown else Outcome.UNDECIDED
        found = self._found if shown else self._not_found
        return Verdict(outcome=outcome, sentence=f"{found} {self._numbers}")

    @property
    def _found(self) -> str:
        if self.hypothesis == "features":
            return f"{self.name} uses dependence between features."
        return f"{self.name} found structure: the features say something about the labels."

    @property
    def _not_found(self) -> str:
        if self.hypothesis == "features":
            return (
                f"That {self.name} uses dependence between features was not shown: there may be "
                "none within the classes, or the learner is too weak to use it."
            )
        return (
            "No structure was shown: the features may say nothing about the labels, or "
            f"{self.name} is too weak, or the cases too few, to find what they say."
        )

    @property
    def _numbers(self) -> str:
        m = len(self.null)
        does = f"{self.measure.title} {self._text(self.observed)}"
        typical = self._text(float(np.nanmedian(self.null)))
        what = "shuffled columns" if self.hypothesis == "features" else "shuffled labels"
        early = ", stopped early" if self.stopped else ""
        return (
            f"Its {does} was reached by {self.exceedances} of {m} runs on {what} (median "
            f"{typical}; {p_text(self.p_value)}{early})."
        )

    def _text(self, value: float) -> str:
        from referee.core.numbers import percent

        return percent(value) if self.measure.percent else f"{value:.3f}"

    @property
    def picture(self) -> Histogram:
        """The relabellings as a histogram, and where the true labels lie."""
        values = self.null[np.isfinite(self.null)]
        return Histogram(
            values=tuple(values.tolist()),
            mark=self.observed,
            mark_label="true labels",
            caption=f"{self.measure.title} on {len(self.null)} relabellings and on true labels",
            x_label=self.measure.title,
        )

    def frame(self) -> pd.DataFrame:
        """Return a row per relabelling."""
        import pandas as pd

        return pd.DataFrame(
            {"relabelling": np.arange(len(self.null)), self.measure.name: self.null}
        )


def permutation_test(
    model: Any,
    X: Any,
    y: Any,
    *,
    permutations: int = 1000,
    by: Any = 5,
    measure: str = "error",
    null: str = "labels",
    labels: str = "shuffled",
    groups: Any = None,
    pos_label: Label | None = None,
    costs: Costs | tuple[float, float] | None = None,
    stop_after: int | None = None,
    level: float = 0.95,
    name: str | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> PermutationTest:
    """Say whether a model does better than on data in which chance made the labels.

    The model is validated on the true data and then, in the same way, on data as they could be if
    the null hypothesis held. p = (1 + c) / (1 + permutations), c counting those that did at least
    as well; under the null hypothesis P(p <= a) is at most a.

    Parameters
    ----------
    model : scikit-learn classifier
        Trained anew on every relabelling. Learners that share work (see `SharedWork`), and
        scikit-learn's own that have twins, do thousands of relabellings in about the time of one.
    X, y : array-like
        Features and labels.
    permutations : int
        How many relabellings.
    by : str, int, scheme, splitter or iterable of index pairs
        As in `evaluate`. Folds asked for by name or number are drawn once, without looking at
        labels, and serve all relabellings; a scheme or splitter that looks at labels splits anew
        each time.
    measure : str
        Any of `referee.measures.CATALOGUE`; of rankings the mean over splits is taken.
    null : {"labels", "features"}
        "labels": labels have nothing to do with features. "features": within the classes, features
        have nothing to do with each other; each column is shuffled within each class.
    labels : {"shuffled", "sampled"}
        Whether labels are dealt anew, or drawn independently from their shares; the latter treats
        estimated shares as if they were known.
    groups : array-like, optional
        Cases that belong together; whole groups are dealt labels where each has one label, else
        labels are shuffled within groups.
    stop_after : int, optional
        Stop when so many relabellings did at least as well (Besag and Clifford); 10 to 50 save
        most of the work where there is nothing to find.
    level : float
        The verdict is PASS where p is at most 1 - level.
    random_state, n_jobs
        The same numbers for any number of jobs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> made = permutation_test(
    ...     LinearDiscriminantAnalysis(), X, y, permutations=199, random_state=0
    ... )
    >>> made.p_value, made.how
    (0.005, 'by shared work (twin of LinearDiscriminantAnalysis)')
    """
    check_permutations(permutations, check_level(level))
    if stop_after is not None and (not isinstance(stop_after, (int, np.integer)) or stop_after < 1):
        raise InputError(f"stop_after must be a whole number of at least 1, got {stop_after!r}")
    data = Dataset.of(X, y, groups=groups)
    positive = positive_class(data.classes, pos_label)
    check_measures(measure, positive, data.classes)
    priced = as_costs(costs)
    check_costs(priced, positive, data.classes)
    contest = Contest(measure=measure_named(measure), positive=positive, costs=priced)
    seed = integer_seed(random_state)
    permuting = Permuting(data, null, labels, child(seed, 1))
    statistic = _statistic(model, data, by, contest, null, child(seed, 2), name)
    observed = statistic.of(data)
    if math.isnan(observed):
        raise InputError(
            f"{measure} is undefined on the true labels: {contest.measure.undefined}; use another "
            "measure, or fewer folds"
        )
    values = track(statistic.over(permuting, permutations, n_jobs), permutations, statistic.name)
    counted = permutation_p(
        observed,
        values,
        greater_is_better=contest.measure.greater_is_better,
        stop_after=stop_after,
    )
    plan = statistic.plan_of(data)
    return PermutationTest(
        name=statistic.name,
        measure=contest.measure,
        observed=observed,
        null=counted.null,
        evidence=_evidence(permuting, counted.value, observed, data.n),
        exceedances=counted.exceedances,
        stopped=counted.stopped,
        hypothesis=null,
        plan=plan.description,
        how=_how(statistic, permuting),
        n=data.n,
        level=level,
    )


def _statistic(
    model: Any,
    data: Dataset,
    by: Any,
    contest: Contest,
    null: str,
    seed: int,
    name: str | None,
) -> Statistic:
    scheme = scheme_for(by, data).scheme
    if isinstance(scheme, Resubstitution):
        raise InputError("by='resubstitution' tests no unseen case; use a number of folds")
    if contest.measure.scores and score_method(model) is None:
        raise InputError(
            f"{contest.measure.name} needs scores, and {name_of(model)} has neither predict_proba "
            "nor decision_function; use another measure or model"
        )
    if (
        null == "labels"
        and isinstance(by, (str, int, np.integer))
        and getattr(scheme, "stratify", False)
    ):
        scheme = replace(cast(Any, scheme), stratify=False)
    blind = null == "features" or _ignores_labels(scheme)
    plan = main_splits(scheme.plan(data, child(seed, 0))) if blind else None
    statistic = Statistic(
        model=model,
        name=name or name_of(model),
        scheme=scheme,
        contest=contest,
        plan=None if plan is None else replace(plan, task=""),
        worker=None,
        seed=seed,
    )
    return replace(statistic, worker=_worker(statistic, data)) if null == "labels" else statistic


def _ignores_labels(scheme: Scheme) -> bool:
    if isinstance(scheme, NestedCrossValidation):
        return False  # draws again where a loop would lose a class
    return isinstance(scheme, (LeaveOneOut, FromPairs)) or (
        getattr(scheme, "stratify", True) is False
    )


def _worker(statistic: Statistic, data: Dataset) -> SharedWork | None:
    """Return what can share the work, if it agrees with the plain loop on the true labels."""
    model = statistic.model
    worker = worker_for(model, score_method(model) if statistic.contest.measure.scores else None)
    if worker is None or statistic.plan is None:
        return None
    trial = replace(statistic, worker=worker)
    try:
        found = float(trial._values(data, data.codes[:, None], statistic.plan)[0])
    except (SteppedAside, InputError, ValueError):
        return None
    expected = statistic.of(data)
    return worker if math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12) else None


def _how(statistic: Statistic, permuting: Permuting) -> str:
    if statistic.worker is None or permuting.null != "labels":
        return "by fitting every relabelling"
    return work_of(statistic.worker)


def _evidence(permuting: Permuting, p: float, observed: float, n: int) -> Evidence:
    nulls = {
        "labels": "labels have nothing to do with features",
        "features": "within each class, features have nothing to do with each other",
    }
    unit = permuting.unit
    assumptions = [f"{unit} are exchangeable under the null hypothesis"]
    if permuting.draw == "sampled":
        assumptions.append("the classes' shares are taken as known")
    fewest = math.exp(-permuting.log_labellings) if permuting.log_labellings < 50 else 0.0
    flag = ""
    if fewest > 0.01:
        many = round(math.exp(permuting.log_labellings))
        flag = f"there are only {many} different labellings, so p cannot be below {fewest:.2g}"
    return Evidence(
        test=f"permutation-{permuting.null}",
        statistic=observed,
        p_value=p,
        null=nulls[permuting.null],
        n=n,
        target=Target.EXPECTED,
        alternative="better than chance",
        assumptions=tuple(assumptions),
        flag=flag,
    )
