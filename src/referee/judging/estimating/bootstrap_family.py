"""Four error estimates from one bootstrap table (Efron and Tibshirani).

Every case is predicted in every round, and `seen` tells how often it was drawn, so one table gives

    Err1      out-of-bag: mean over cases of the mean loss over rounds that left the case out
    optimism  err + mean over rounds of [error on all cases - error on the drawn cases]
    .632      .368 err + .632 Err1
    .632+     (1 - w) err + w Err1',  w = .632 / (1 - .368 R),  R = (Err1' - err) / (gamma - err)

with err the training error, gamma the error if features told nothing, Err1' = min(Err1, gamma) and
R within [0, 1]. All of them estimate the risk of the classifier, not the Bayes error.

References
----------
Efron and Tibshirani (1997), JASA 92. Efron (1983), JASA 78.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.checks.results.interpolation import interpolates
from referee.core.arrays import Codes, Floats, Rows
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.intervals.one_set.dependent.effective_n import effective_n
from referee.intervals.several_fits.efron_tibshirani import (
    adjusted_standard_error,
    efron_tibshirani,
)

__all__ = ["BootstrapFamily", "bootstrap_family", "point_632_plus"]

_REFUSED = (
    "the learner (all but) reproduces its training set, which makes this estimate far too low; "
    "read the out-of-bag error"
)


@dataclass(frozen=True, kw_only=True)
class BootstrapFamily:
    """The estimates of one bootstrap table.

    Attributes
    ----------
    training_error : float
        err: the model trained on all rows, tested on them.
    out_of_bag, optimism, point_632, point_632_plus : float
        The four estimates.
    no_information : float
        gamma.
    standard_error : float
        Of the out-of-bag error, by Efron and Tibshirani's formula, adjusted for finite rounds.
    n : int
        The number of cases that were left out at least once.
    """

    training_error: float
    out_of_bag: float
    optimism: float
    point_632: float
    point_632_plus: float
    no_information: float
    standard_error: float
    n: int
    grouped: bool = False

    @property
    def interpolating(self) -> bool:
        """Whether the training error is (next to) nothing, and estimates that use it too low."""
        return interpolates(self.training_error, self.out_of_bag)

    def estimates(self, level: float) -> dict[str, Estimate]:
        """Return the four as estimates with their intervals, by name."""
        values = {
            "out-of-bag": self.out_of_bag,
            ".632+": self.point_632_plus,
            ".632": self.point_632,
            "optimism": self.optimism,
        }
        return {name: self._estimate(name, value, level) for name, value in values.items()}

    def _estimate(self, name: str, value: float, level: float) -> Estimate:
        title = f"error ({name})"
        if self.interpolating and name != "out-of-bag":
            return Estimate(
                name=title, value=math.nan, n=self.n, method="bootstrap", reason=_REFUSED
            )
        # The se of the others is that of Err1, scaled (Efron and Tibshirani 1997, section 5).
        scale = value / self.out_of_bag if self.out_of_bag > 0 else 1.0
        return Estimate(
            name=title,
            value=value,
            n=self.n,
            method="bootstrap",
            interval=efron_tibshirani(value, self.standard_error * scale, self.n, level),
            greater_is_better=False,
            assumptions=(f"{'groups' if self.grouped else 'cases'} are independent",),
        )


def bootstrap_family(predictions: Predictions) -> BootstrapFamily:
    """Read the four estimates off a bootstrap table."""
    main = predictions.of_part(Part.MAIN)
    rounds = len(np.unique(main.split))
    n = predictions.n
    wrong = main.wrong.reshape(rounds, n)
    drawn = main.seen.reshape(rounds, n)
    trained = predictions.resubstitution
    err = float(trained.wrong.mean())
    err1, tested = _out_of_bag(wrong, drawn == 0)
    bias = wrong.mean(axis=1) - (wrong * drawn).sum(axis=1) / drawn.sum(axis=1)
    gamma = no_information_error(trained)
    return BootstrapFamily(
        training_error=err,
        out_of_bag=err1,
        optimism=err + float(bias.mean()),
        point_632=0.368 * err + 0.632 * err1,
        point_632_plus=point_632_plus(err, err1, gamma),
        no_information=gamma,
        standard_error=_standard_error(wrong, drawn, predictions.groups),
        n=tested,
        grouped=predictions.groups is not None,
    )


def point_632_plus(err: float, err1: float, gamma: float) -> float:
    """Return the .632+ estimate.

    Examples
    --------
    >>> round(point_632_plus(0.05, 0.2, 0.45), 6)
    0.159977
    """
    capped = min(err1, gamma)
    rate = (capped - err) / (gamma - err) if gamma > err and capped > err else 0.0
    weight = 0.632 / (1 - 0.368 * min(1.0, rate))
    return (1 - weight) * err + weight * capped


def no_information_error(trained: Predictions) -> float:
    """Return gamma: the error when answers are dealt to cases at random."""
    k = len(trained.classes)
    truth = np.bincount(trained.truth[trained.case], minlength=k) / len(trained.case)
    answers = np.bincount(trained.predicted, minlength=k) / len(trained.case)
    return float(np.sum(truth * (1 - answers)))


def _standard_error(wrong: Floats, drawn: Rows, groups: Codes | None) -> float:
    """Return the adjusted standard error, raised where cases of a group resemble each other."""
    single = adjusted_standard_error(wrong, drawn)
    if groups is None:
        return single
    out = drawn == 0
    tested = out.any(axis=0)
    losses = (wrong * out).sum(axis=0)[tested] / out.sum(axis=0)[tested]
    p = float(losses.mean())
    worth = effective_n(losses, groups=groups[tested])
    return max(single, math.sqrt(p * (1 - p) / worth))


def _out_of_bag(wrong: Floats, out: Floats) -> tuple[float, int]:
    times = out.sum(axis=0)
    tested = times > 0
    per_case = (wrong * out).sum(axis=0)[tested] / times[tested]
    return float(per_case.mean()), int(tested.sum())
