"""The shortcut for a Pipeline: label-free steps once a split, then that of its last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn import get_config

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.plain_numbers import numbers_of
from referee.learners.shortcuts.gaussian import GaussianShortcut
from referee.learners.shortcuts.neighbours import NeighboursShortcut
from referee.learners.shortcuts.pipeline_steps import is_affine, known_steps, transformed
from referee.learners.shortcuts.value_shortcut import Request
from referee.learners.units import Units

__all__ = ["PipelineShortcut", "pipeline_shortcut"]

_FEWEST = 8
"""Label columns from which on splits that share nothing with each other are worth the trouble."""

_ALIKE = 1.4
"""Factor by which the units of splits may differ for bounds on rounding errors to hold for all."""

_OFFSET = 100.0
"""Distance of the cases from 0, in scales, beyond which multiplying before adding loses digits."""


@dataclass(frozen=True, eq=False)
class PipelineShortcut:
    """A Pipeline of steps that never look at labels, and the shortcut for its last step.

    Attributes
    ----------
    model : Pipeline
        Never fitted itself; clones of it decide where a doubt is left.
    steps : tuple of transformers
        Those before the last that do something.
    last : the shortcut for the last step, with the pipeline as its model
        Whatever it fits plainly are clones of the whole pipeline.
    """

    model: Any
    steps: tuple[Any, ...]
    last: Any

    @property
    def name(self) -> str:
        """The classes of the steps."""
        classes = [*self.steps, self.model.steps[-1][1]]
        return f"Pipeline({', '.join(type(step).__name__ for step in classes)})"

    @property
    def score_method(self) -> str:
        """The method whose values are the scores."""
        return str(getattr(self.last, "score_method", "predict_proba"))

    @property
    def dear_answers(self) -> bool:
        """Whether the pipeline's own answers take longer than its fit."""
        return bool(getattr(self.last, "dear_answers", False))

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what the pipeline predicts in every split; see `SharedWork`.

        Nearest neighbours, and normal classes whose rule does not depend on units, share the work
        of all splits; others that of all label columns of a split.

        Raises
        ------
        SteppedAside
            Where the shortcut for the last step does, and where there is little to share.
        """
        Y = label_columns(Y, plan.n, len(classes))
        asked = partial(Request, X=X, Y=Y, plan=plan, classes=classes, scores=scores)
        if not self.steps:
            return tuple(self.last.predict_values(asked(values=numbers_of(X))))
        many = Y.shape[1] >= _FEWEST
        if len(self.steps) == 1 and is_affine(self.steps[0]):
            try:
                return self._in_common_units(asked(values=numbers_of(X)))
            except SteppedAside:
                if not many:
                    raise
        if not many:
            raise SteppedAside("splits share nothing but the label columns, which are few")
        outputs: list[SplitOutput] = []
        for number, split in enumerate(plan.splits):
            values = transformed(self.steps, X, split, plan.n)
            part = asked(values=values, plan=plan.only([number]), check=number == 0)
            outputs.extend(self.last.predict_values(part))
        return tuple(outputs)

    def _in_common_units(self, request: Request) -> tuple[SplitOutput, ...]:
        """Predict all splits from cases in the same units, and what is known of the splits'."""
        X, raw, plan = request.X, request.values, request.plan
        if isinstance(self.last, NeighboursShortcut):
            if self.last.p not in (1, 2, np.inf):
                raise SteppedAside("the rounding of scales with other powers is not known")
            exact = self.last.weights != "uniform"
            units = Units.of(self.steps[0], X, raw, plan, exact=exact)
            return self.last.predict_values(replace(request, values=units.values, units=units))
        if isinstance(self.last, GaussianShortcut) and self.last.rule.ignores_units:
            units = Units.of(self.steps[0], X, raw, plan)
            shortcut = replace(self.last, rule=self._rule_in(units, raw))
            return shortcut.predict_values(replace(request, values=units.values))
        raise SteppedAside("what the model makes of features depends on the units of each split")

    def _rule_in(self, units: Units, raw: Floats) -> Any:
        """Return the rule for all splits, if their units are so alike that its bounds hold."""
        factors = units.factors
        if not (factors.min() > 1 / _ALIKE and factors.max() < _ALIKE):
            raise SteppedAside("the units of splits differ widely")
        if not _constants_stay(raw):
            raise SteppedAside("a constant is not a whole number, and may become noise")
        if type(self.steps[0]).__name__ == "MinMaxScaler":
            spread = raw.max(axis=0) - raw.min(axis=0)
            far = np.abs(raw).max(axis=0) > _OFFSET * np.where(spread > 0, spread, np.inf)
            if far.any():
                raise SteppedAside("multiplying before adding loses digits")
        rule = self.last.rule
        if rule.least is None:
            return rule
        return replace(rule, least=rule.least / float(factors.min()) ** 2)


def _constants_stay(raw: Floats) -> bool:
    """Tell whether features that are constant are small whole numbers, whose means are exact."""
    first = raw[0]
    constant = (raw == first).all(axis=0)
    whole = (first == np.round(first)) & (np.abs(first) <= 2**20)
    return bool((~constant | whole).all())


def pipeline_shortcut(model: Any, last: Any) -> PipelineShortcut | None:
    """Return the shortcut for a pipeline given that of its last step, None for what is not known.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import RobustScaler
    >>> from referee.learners.shortcuts.gaussian import gaussian_shortcut
    >>> model = make_pipeline(RobustScaler(), GaussianNB())
    >>> pipeline_shortcut(model, gaussian_shortcut(GaussianNB())).name
    'Pipeline(RobustScaler, GaussianNB)'
    """
    options = model.get_params(deep=False)
    unset = {"memory": None, "verbose": False, "transform_input": None}
    changed = [name for name, value in unset.items() if options.get(name, value) is not value]
    if changed or set(options) - {"steps", *unset}:
        return None
    if _frames_are_made(model) or isinstance(last, PipelineShortcut):
        return None
    steps = known_steps([step for _, step in model.steps[:-1]])
    return None if steps is None else PipelineShortcut(model, steps, replace(last, model=model))


def _frames_are_made(model: Any) -> bool:
    """Tell whether steps are asked to give data frames, whose names a model might look at."""
    asked = "_sklearn_output_config" in vars(model)
    return asked or get_config().get("transform_output", "default") != "default"
