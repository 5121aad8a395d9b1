"""Holm's method: the family keeps its level, however the tests depend on each other.

References
----------
Holm (1979), Scandinavian Journal of Statistics 6.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats
from referee.significance.multiplicity.adjustment import Adjustment, checked_p_values, restored
from referee.significance.works import HOLM_1979

__all__ = ["HOLM", "holm"]


def holm(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted by Holm's step-down: family-wise error, however tests depend.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    values = checked_p_values(p)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    return restored(np.maximum.accumulate(values[order] * factors), order)


HOLM = Adjustment(
    "holm",
    title="Holm's method",
    formula=r"""$p_{(1)} \le \ldots \le p_{(m)}$ are the p-values of $m$ tests.

$$
\tilde p_{(i)} = \min\left(1,\; \max_{j \le i} \, (m - j + 1) \, p_{(j)}\right)
$$
""",
    measured=(
        "Proved for all p-values that keep their own level; the adjusted ones are those of "
        "statsmodels (`pytest tests/significance/multiplicity/test_adjustments.py`)."
    ),
    citations=(HOLM_1979,),
    compute=holm,
    assumptions=("each p-value keeps its own level, however the tests depend on each other",),
)
