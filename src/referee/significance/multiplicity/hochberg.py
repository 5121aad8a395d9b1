"""Hochberg's method: sharper than Holm's where tests are independent or depend positively.

References
----------
Hochberg (1988), Biometrika 75.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee.core.arrays import Floats
from referee.significance.multiplicity.adjustment import Adjustment, checked_p_values, restored
from referee.significance.works import HOCHBERG_1988

__all__ = ["HOCHBERG", "hochberg"]


def hochberg(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted by Hochberg's step-up: family-wise error of independent tests.

    Tests may depend positively, too.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.04, 0.04, 0.02]
    """
    values = checked_p_values(p)
    order = np.argsort(values, kind="stable")[::-1]
    factors = np.arange(1, len(values) + 1)
    return restored(np.minimum.accumulate(values[order] * factors), order)


HOCHBERG = Adjustment(
    "hochberg",
    title="Hochberg's method",
    formula=r"""$p_{(1)} \le \ldots \le p_{(m)}$ are the p-values of $m$ tests.

$$
\tilde p_{(i)} = \min_{j \ge i} \, (m - j + 1) \, p_{(j)}
$$
""",
    measured=(
        "Proved for independent and for positively dependent p-values; the adjusted ones are those"
        " of statsmodels (`pytest tests/significance/multiplicity/test_adjustments.py`)."
    ),
    citations=(HOCHBERG_1988,),
    compute=hochberg,
    assumptions=("tests are independent of each other, or depend positively",),
)
