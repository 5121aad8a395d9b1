"""Nemenyi's critical difference of average ranks: which of several models differ, all pairs?

References
----------
Nemenyi (1963), Distribution-free multiple comparisons. Demšar (2006), JMLR 7, section 3.2.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from referee.core.results import Target, check_level
from referee.errors import arg
from referee.significance.datasets.dataset_test import DatasetSituation, DatasetTest, Role
from referee.significance.datasets.rank_error import rank_se
from referee.significance.works import NEMENYI_1963

__all__ = ["NEMENYI", "nemenyi"]


def nemenyi(k: int, n: int, alpha: float = 0.05) -> float:
    """Return by how much average ranks of any two of k models on n data sets must differ.

    Examples
    --------
    >>> round(nemenyi(4, 14), 3)
    1.254
    """
    q = float(scipy.stats.studentized_range.isf(check_level(alpha), k, np.inf)) / math.sqrt(2)
    return q * rank_se(k, n)


def _refusal(situation: DatasetSituation) -> str | None:
    if situation.control:
        return f"{arg('significance', 'nemenyi')} compares all pairs, not each with a control"
    return None


NEMENYI = DatasetTest(
    "nemenyi",
    title="Nemenyi's critical difference of average ranks",
    citations=(NEMENYI_1963,),
    target=Target.EXPECTED,
    assumptions=("data sets are independent and enough for the normal law",),
    role=Role.AFTER,
    refusal=_refusal,
    compute=nemenyi,
)
