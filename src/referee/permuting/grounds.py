"""PermutationGrounds: everything a permutation test is concluded from, without data and models."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats
from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Evidence, Target
from referee.judging.estimating.quantity import Quantity
from referee.judging.evaluation import Provenance
from referee.judging.settings import versions
from referee.permuting.null_values import pooled_value
from referee.permuting.permutation_result import PermutationTest
from referee.permuting.permuting import Permuting
from referee.significance.permutation import permutation_p

__all__ = ["PermutationGrounds"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationGrounds:
    """Predictions under the true labels, values of relabellings, and what was asked of them.

    Attributes
    ----------
    predictions, plan : Predictions, Plan
        Under the true labels.
    null : array
        The measure on each relabelling that was used, in order.
    hypothesis, draw : str
        What chance made, and how: see `Permuting`.
    how : str
        By shared work, or by fits.
    data : str
        Fingerprint of the data.
    """

    name: str
    quantity: Quantity
    predictions: Predictions
    plan: Plan
    null: Floats
    hypothesis: str
    draw: str
    stop_after: int | None
    level: float
    how: str
    data: str
    seed: Seed

    def test(self) -> PermutationTest:
        """Count, and put it into words."""
        observed = pooled_value(self.predictions.unseen, self.quantity)
        counted = permutation_p(
            observed,
            self.null.tolist(),
            greater_is_better=bool(self.quantity.measure.greater_is_better),
            stop_after=self.stop_after,
        )
        return PermutationTest(
            name=self.name,
            measure=self.quantity.measure,
            observed=observed,
            null=counted.null,
            evidence=_evidence(
                self._permuting,
                counted.value,
                observed,
                counted.null,
            ),
            exceedances=counted.exceedances,
            stopped=counted.stopped,
            hypothesis=self.hypothesis,
            plan=self.plan.description,
            how=self.how,
            n=self.predictions.n,
            level=self.level,
            provenance=Provenance(
                seed=self.seed,
                data=self.data,
                plan=self.plan.fingerprint,
                versions=versions(),
            ),
            predictions=self.predictions,
            grounds=self,
        )

    @property
    def _permuting(self) -> Permuting:
        """How labels were dealt; of the data it tells from labels and groups alone."""
        p = self.predictions
        known = Dataset(
            X=np.zeros((p.n, 2)),
            y=p.truth if p.numeric else np.asarray(p.classes)[p.truth],
            classes=p.classes,
            codes=np.zeros(p.n, dtype=np.intp) if p.numeric else p.truth,
            groups=p.groups,
        )
        return Permuting(known, self.hypothesis, self.draw)


def _evidence(permuting: Permuting, p: float, observed: float, values: Floats) -> Evidence:
    what = "labels have" if permuting.data.classes else "the target has"
    nulls = {
        "labels": f"{what} nothing to do with features",
        "features": "within each class, features have nothing to do with each other",
    }
    unit = permuting.unit
    assumptions = [f"{unit} are exchangeable under the null hypothesis"]
    if permuting.draw == "sampled":
        assumptions.append("the classes' shares are taken as known")
    fewest = math.exp(-permuting.log_labellings) if permuting.log_labellings < 50 else 0.0
    flags = []
    if fewest > 0.01:
        many = round(math.exp(permuting.log_labellings))
        flags.append(
            f"there are only {many} different labellings, so p cannot be below {fewest:.2g}"
        )
    if permuting.mixes_sizes:
        flags.append(
            "too few groups share a size, so labels were dealt among all of them, keeping the "
            "classes' numbers of cases as nearly as whole groups can; p is approximate"
        )
    if failed := int(np.isnan(values).sum()):
        flags.append(
            f"{failed} of {len(values)} relabellings could not be learned or measured, as where a "
            "training set lacks a class; they count as doing as well"
        )
    return Evidence(
        test=f"permutation-{permuting.null}",
        statistic=observed,
        p_value=p,
        null=nulls[permuting.null],
        n=permuting.data.n,
        target=Target.EXPECTED,
        alternative="better than chance",
        assumptions=tuple(assumptions),
        flag="; ".join(flags),
    )
