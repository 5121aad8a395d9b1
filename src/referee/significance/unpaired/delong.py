"""DeLong's test of two areas under the ROC curve, each on cases of its own.

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Robin et al. (2011), BMC Bioinformatics 12
(pROC, whose degrees of freedom these are).
"""

from __future__ import annotations

import math

from referee.core.arrays import Flags, Floats
from referee.core.results import Evidence, Target
from referee.errors import arg
from referee.intervals.area.placements import Placements, placements
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest, Setting
from referee.significance.contrast import Contrast
from referee.significance.paired.delong import NULL, UNKNOWN
from referee.significance.samples import UnpairedSample
from referee.significance.works import DELONG_1988

__all__ = ["DELONG_UNPAIRED", "unpaired_delong", "unpaired_delong_contrast"]

ASSUMPTIONS = ("all cases are independent of each other", "both models are fixed")


def unpaired_delong(
    positive1: Flags, scores1: Floats, positive2: Flags, scores2: Floats
) -> Evidence:
    """Test whether two models rank equally well, each on cases of its own.

    Student's t with Welch's degrees of freedom, as in pROC.

    Examples
    --------
    >>> import numpy as np
    >>> positive = np.arange(60) < 25
    >>> scores = np.sin(np.arange(60.0)) + positive
    >>> unpaired_delong(positive, scores, positive, -scores).p_value < 0.001
    True
    """
    return unpaired_delong_contrast(positive1, scores1, positive2, scores2).evidence()


def unpaired_delong_contrast(
    positive1: Flags, scores1: Floats, positive2: Flags, scores2: Floats
) -> Contrast:
    """Return the difference of two areas on different cases, with its standard error."""
    p1, p2 = placements(positive1, scores1), placements(positive2, scores2)
    sizes = [len(p.of_positives) + len(p.of_negatives) for p in (p1, p2)]
    variances, whys = zip(*(_variance(p) for p in (p1, p2)), strict=True)
    total = sum(variances)
    welch = sum(v**2 / (m - 1) for v, m in zip(variances, sizes, strict=True))
    return Contrast(
        value=p1.auc - p2.auc,
        se=math.sqrt(total),
        df=total**2 / welch if welch > 0 else math.inf,
        test="delong-unpaired",
        null=NULL,
        n=sum(sizes),
        assumptions=ASSUMPTIONS,
        flag=next((UNKNOWN.format(why=why) for why in whys if why), ""),
    )


def _variance(p: Placements) -> tuple[float, str]:
    """Return the variance of one area; a quarter per class at most, as placements are in [0, 1]."""
    m, n = len(p.of_positives), len(p.of_negatives)
    at_most = 0.25 / m + 0.25 / n
    if min(m, n) < 2:
        return at_most, "a class has one case only"
    if p.variance == 0:
        # Newcombe and others: a perfect ranking is not known to be perfect.
        return at_most, "a ranking is perfect, reversed or constant"
    return p.variance, ""


def _refusal(situation: ComparisonSituation) -> str | None:
    if not situation.area:
        return (
            f"{arg('significance', 'delong-unpaired')} judges areas, not errors; use "
            f"{arg('significance', 'boschloo')}"
        )
    return None


def _compute(sample: UnpairedSample) -> Contrast:
    # The area is something to make large; contrasts are of losses.
    return unpaired_delong_contrast(*sample.rankings).swapped


DELONG_UNPAIRED = ComparisonTest(
    "delong-unpaired",
    title="DeLong's test for independent ROC curves",
    formula=r"""$A_i$ is the area of model $i$ on its $N_i$ cases and $V_i$ its variance by DeLong:
the variances of the placements of positives and of negatives, each over their number.

$$
t = \frac{A_1 - A_2}{\sqrt{V_1 + V_2}}, \quad
\nu = \frac{(V_1 + V_2)^2}{V_1^2 / (N_1 - 1) + V_2^2 / (N_2 - 1)}
$$

$\nu$ are the degrees of freedom.
""",
    measured=(
        "Equal binormal models, areas of .7 to .98: size at most .077 (5 + 100 cases each), .064 "
        "(10 + 100), .048 (50 + 50) and .041 (10 + 10); near an area of 1 it hardly ever rejects "
        "(`pytest -m slow tests/significance/paired/test_delong.py -k unpaired -s`)."
    ),
    label="unpaired DeLong",
    citations=(DELONG_1988,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.DIFFERENT_CASES,
    refusal=_refusal,
    compute=_compute,
)
