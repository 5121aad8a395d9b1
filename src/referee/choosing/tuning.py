"""Tuned: a learner that chooses its parameters from its training rows alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import ParameterGrid
from sklearn.utils import RegressorTags, Tags
from sklearn.utils.validation import check_is_fitted

from referee.choosing.choosing import ChoosingLearner
from referee.choosing.inner_judge import InnerJudge
from referee.choosing.tuning_path import Candidate, TuningPath, kept_candidate
from referee.core.arrays import Features, Label
from referee.core.dataset import Dataset
from referee.core.labels.labels import positive_class
from referee.core.randomness import RandomState
from referee.core.results import check_level
from referee.errors import InputError
from referee.fitting.fit import score_method
from referee.fitting.search import SearchOutcome, values_text
from referee.fitting.search_check import check_grid, check_names
from referee.judging.estimating.measuring import Measuring
from referee.judging.requests import check_measures
from referee.learners.kind import kind_of
from referee.learners.last_step import last_step
from referee.measures import AreaMeasure, Measure, measure_named

__all__ = ["Tuned"]

_RULES = ("best", "one-se")


class Tuned(ChoosingLearner):
    """A classifier or regressor whose parameters are chosen from a grid when it is fitted.

    Every candidate is judged by the same inner splits of the training rows; the one that is kept
    is trained on all of them. Being a learner, it chooses anew in each fold of an outer
    validation: `referee.evaluate(Tuned(...), X, y)` is nested, and shows by how much the inner
    score flatters. Candidates that share work over a plan, or have a shortcut that does, are
    judged by it; numbers do not depend on that.

    Parameters
    ----------
    learner : classifier, regressor or str
        The model or pipeline, or its name as on the command line.
    grid : mapping or list of mappings
        Parameters and the values to try; every combination is a candidate. Of a pipeline,
        parameters of the last step may be written without its name.
    measure : str
        What is judged, any of `referee.measures.MEASURES` but the cost; "auto" is the error, or
        the mean absolute error of a regressor.
    keep : {"best", "one-se"}
        The best candidate, the first among equals; or the first whose score is within one
        standard error of the best (Breiman), for which simple values should come first.
    by : int, str, scheme or splitter
        How candidates are judged, as in `referee.evaluate`; a whole number is that many folds,
        with rare classes spread as far as they go.
    pos_label : label, optional
        The positive class, where the measure needs it and labels do not tell.
    level : float
        Confidence level of the intervals of the path.
    random_state : int, Generator or RandomState, optional
        Seeds the folds, and the learner where it is random and unseeded.
    n_jobs : int or None
        Folds to fit at once.

    Attributes
    ----------
    best_params_ : dict
        The parameters that were kept, named as in the grid.
    best_score_ : float
        Their inner score, greater being better as in scikit-learn's searches: a measure to keep
        small, such as the error, is negated. It flatters.
    path_ : TuningPath
        All candidates with their scores and intervals.
    learner_ : classifier
        Trained on all rows with the parameters that were kept.
    classes_ : array
        The labels, sorted; a regressor has none.

    Notes
    -----
    Where cases belong together, pass `groups` to `fit`; the inner folds then keep each group
    whole. `referee.evaluate(..., groups=...)` does so for `Tuned`, for scikit-learn's searches,
    and for pipelines that end with one of them.

    References
    ----------
    .. [1] S. Varma, R. Simon (2006). Bias in error estimation when using cross-validation for
       model selection. BMC Bioinformatics 7, 91.
    .. [2] G. C. Cawley, N. L. C. Talbot (2010). On over-fitting in model selection and subsequent
       selection bias in performance evaluation. JMLR 11, 2079-2107.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Tuned("knn", {"n_neighbors": [1, 5, 15]}, random_state=0).fit(X, y)
    >>> model.best_params_, round(model.best_score_, 3)
    ({'n_neighbors': 5}, -0.02)
    >>> print(model.path_.conclusion)
    n_neighbors=5 was kept with an inner error of 0.020 (the best of 3); that figure chose among
    the candidates and flatters.
    """

    def __init__(
        self,
        learner: Any,
        grid: Any,
        *,
        measure: str = "auto",
        keep: str = "best",
        by: Any = 5,
        pos_label: Label | None = None,
        level: float = 0.95,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.learner = learner
        self.grid = grid
        self.measure = measure
        self.keep = keep
        self.by = by
        self.pos_label = pos_label
        self.level = level
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Features, y: Any, groups: Any = None) -> Tuned:
        """Choose parameters, and train the learner with them.

        Parameters
        ----------
        X, y : array-like or DataFrame; array-like
            Features, and class labels or quantities.
        groups : array-like, optional
            Which cases belong together; the inner splits keep them together.
        """
        self.check_options()
        X, y = self._validated(X, y)
        data = Dataset.of(X, y, groups=groups, numeric=self._quantities)
        judge = self._judge(InnerJudge, data)
        learner = judge.learner
        self.path_ = self._judged(judge, learner)
        self.best_params_ = dict(self.path_.best.parameters)
        best = self.path_.best.score
        self.best_score_ = best.value if best.greater_is_better else -best.value
        self.learner_ = self._with(learner, self.best_params_).fit(X, y)
        if not self._quantities:
            self.classes_ = self.learner_.classes_
        return self

    def score(self, X: Features, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy, or R² of a regressor, as scikit-learn's models do."""
        form = r2_score if self._quantities else accuracy_score
        return float(form(y, self.predict(X), sample_weight=sample_weight))

    @property
    def _quantities(self) -> bool:
        """Whether the learner inside predicts quantities."""
        return kind_of(self.inner()) == "regressor"

    @property
    def _measured(self) -> Measure:
        """What candidates are judged by."""
        if self.measure == "auto":
            return measure_named("mae" if self._quantities else "error")
        return measure_named(self.measure)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self._quantities:
            tags.estimator_type = "regressor"
            tags.classifier_tags, tags.regressor_tags = None, RegressorTags()
        return tags

    @property
    def search_(self) -> SearchOutcome:
        """What was chosen and by what inner score, for a validation around it."""
        check_is_fitted(self)
        measure = self._measured
        classes = () if self._quantities else tuple(self.classes_.tolist())
        positive = positive_class(classes, self.pos_label)
        # The whole area is the same whichever class is positive.
        of_class = measure.positive and not isinstance(measure, AreaMeasure)
        return SearchOutcome(
            chosen=values_text(self.best_params_),
            score=self.path_.best.score.value,
            measure=measure.name,
            scoring=measure.name,
            positive=positive if of_class else None,
        )

    def check_options(self) -> None:
        """Refuse a grid, a measure or a rule that cannot work, whatever the data are."""
        learner = self.inner()
        check_grid(self.grid)
        check_level(self.level)
        if self.keep not in _RULES:
            raise InputError("must be 'best' or 'one-se'", argument="keep", value=repr(self.keep))
        measure = self._measured
        if measure.costs:
            raise InputError(
                f"measure {measure.name!r} cannot be tuned for",
                concerning="measure",
                remedy="use error, or weight classes",
            )
        _check_names(learner, self.grid)
        candidates = [self._with(learner, values) for values in ParameterGrid(self.grid)]
        if measure.scores and not any(score_method(c) for c in candidates):
            kind = type(last_step(learner)[1]).__name__
            raise InputError(
                f"{measure.name} needs scores, and {kind} has neither predict_proba nor "
                "decision_function",
                concerning="measures",
                remedy="use another measure or learner",
            )

    def _judged(self, judge: InnerJudge, learner: Any) -> TuningPath:
        measure = self._measured
        positive = positive_class(judge.data.classes, self.pos_label)
        check_measures(measure, positive, judge.data.classes)
        candidates = []
        for parameters in ParameterGrid(self.grid):
            table = judge.predictions(self._with(learner, parameters), scores=measure.scores)
            measuring = Measuring(
                predictions=table, positive=positive, level=self.level, seed=judge.seed
            )
            score = replace(measuring.estimate(measure.name), method=judge.plan.description)
            candidates.append(Candidate(parameters=parameters, score=score))
        if not any(c.score.defined for c in candidates):
            raise InputError(
                f"{measure.name} is undefined for every candidate: {candidates[0].score.reason}",
                concerning="model",
                remedy="use another measure, or fewer inner folds",
            )
        kept, rule = kept_candidate(candidates, self.keep)
        return TuningPath(candidates=tuple(candidates), kept=kept, rule=rule)

    def _with(self, learner: Any, parameters: Mapping[str, Any]) -> Any:
        named = {_full_name(learner, name): value for name, value in parameters.items()}
        try:
            copy = clone(learner).set_params(**named)
            # scikit-learn's classes know which values they take; others say so when fitted.
            last = last_step(copy)[1]
            if hasattr(last, "_parameter_constraints"):
                last._validate_params()
        except (ValueError, TypeError) as problem:
            said = " ".join(str(problem).split())
            raise InputError(
                f"grid: {values_text(parameters)} is refused: {said}", concerning="grid"
            ) from problem
        return copy


def _check_names(learner: Any, grid: Any) -> None:
    """Refuse parameters that the learner does not have; of a pipeline name those of its end."""
    parts = [grid] if isinstance(grid, Mapping) else grid
    names = [_full_name(learner, name) for part in parts for name in part]
    known = learner.get_params(deep=True)
    whole = any(n in known or "__" in n for n in names)
    check_names(learner if whole else last_step(learner)[1], names, "grid")


def _full_name(learner: Any, name: str) -> str:
    """Return a parameter's name with that of the last step, where it was left out."""
    known = learner.get_params(deep=True)
    prefix, last = last_step(learner)
    if name in known or name not in last.get_params(deep=True):
        return name
    return prefix + name
