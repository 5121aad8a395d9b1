"""The method of Benjamini and Hochberg: bounds the share of false discoveries.

References
----------
Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from referee.core.arrays import Floats
from referee.significance.multiplicity.adjustment import Adjustment, checked_p_values
from referee.significance.works import BENJAMINI_HOCHBERG_1995

__all__ = ["BENJAMINI_HOCHBERG", "benjamini_hochberg"]


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted for the false discovery rate of independent tests.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    values = checked_p_values(p)
    return np.asarray(scipy.stats.false_discovery_control(values)) if len(values) else values


BENJAMINI_HOCHBERG = Adjustment(
    "benjamini-hochberg",
    title="a method that controls the rate of false discoveries",
    formula=r"""$p_{(1)} \le \ldots \le p_{(m)}$ are the p-values of $m$ tests.

$$
\tilde p_{(i)} = \min_{j \ge i} \, \frac{m}{j} \, p_{(j)}
$$
""",
    measured=(
        "Proved for independent and for positively dependent p-values; the adjusted ones are those"
        " of statsmodels (`pytest tests/significance/multiplicity/test_adjustments.py`)."
    ),
    citations=(BENJAMINI_HOCHBERG_1995,),
    compute=benjamini_hochberg,
    assumptions=("tests are independent of each other, or depend positively",),
    family_wise=False,
)
