"""Dunn's critical difference of average ranks: which models differ from one control?

References
----------
Dunn (1961), JASA 56. Demšar (2006), JMLR 7, section 3.2.
"""

from __future__ import annotations

import math

import scipy

from referee.core.results import Target, check_level
from referee.errors import arg
from referee.significance.datasets.dataset_test import DatasetSituation, DatasetTest, Role
from referee.significance.datasets.rank_error import rank_se
from referee.significance.works import DUNN_1961

__all__ = ["BONFERRONI_DUNN", "bonferroni_dunn"]


def bonferroni_dunn(k: int, n: int, alpha: float = 0.05) -> float:
    """Return by how much the average rank of a model must differ from that of one control.

    Examples
    --------
    >>> round(bonferroni_dunn(4, 14), 3)
    1.168
    """
    z = float(scipy.stats.norm.isf(check_level(alpha) / (2 * (k - 1)))) if k > 1 else math.nan
    return z * rank_se(k, n)


def _refusal(situation: DatasetSituation) -> str | None:
    if not situation.control:
        return (
            f"{arg('significance', 'bonferroni-dunn')} compares each model with one control; name "
            f"it with {arg('control', 'MODEL')}"
        )
    return None


BONFERRONI_DUNN = DatasetTest(
    "bonferroni-dunn",
    title="Dunn's critical difference of average ranks",
    formula=r"""The average rank of a model differs from that of the control if they are at least
this far apart, for $k$ models on $N$ data sets; $z$ is the normal quantile at
$1 - \alpha / (2 (k - 1))$.

$$
CD = z \sqrt{\frac{k (k + 1)}{6 N}}
$$
""",
    measured=(
        "Of 20 000 random rankings of 3 to 10 equal models on 5 to 30 data sets .027 to .044 have "
        "any model declared different from the control (`pytest -m slow "
        "tests/significance/datasets/test_critical_difference.py -s`)."
    ),
    citations=(DUNN_1961,),
    target=Target.EXPECTED,
    assumptions=("data sets are independent and enough for the normal law",),
    role=Role.AFTER,
    refusal=_refusal,
    compute=bonferroni_dunn,
)
