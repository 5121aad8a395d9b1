"""Every test and every adjustment of p-values by name.

A new one is a file of its own and one line here; its place among `automatic` says when ``"auto"``
tries it. Packages add theirs by the entry-point group ``referee.methods``.
"""

from __future__ import annotations

from referee.core.method import Catalogue, load_offers
from referee.significance.comparison_test import ComparisonTest, ComparisonTests
from referee.significance.datasets.bonferroni_dunn import BONFERRONI_DUNN
from referee.significance.datasets.dataset_test import DatasetTest, DatasetTests
from referee.significance.datasets.friedman import FRIEDMAN
from referee.significance.datasets.iman_davenport import IMAN_DAVENPORT
from referee.significance.datasets.nemenyi import NEMENYI
from referee.significance.datasets.sign import SIGN
from referee.significance.datasets.wilcoxon import WILCOXON
from referee.significance.learners.calibrated_t import CALIBRATED_T
from referee.significance.learners.corrected_t import CORRECTED_T
from referee.significance.learners.five_by_two_f import FIVE_BY_TWO_F
from referee.significance.learners.five_by_two_t import FIVE_BY_TWO_T
from referee.significance.learners.kfold_t import KFOLD_T
from referee.significance.learners.shrunken_t import SHRUNKEN_T
from referee.significance.multiplicity.adjustment import Adjustment
from referee.significance.multiplicity.benjamini_hochberg import BENJAMINI_HOCHBERG
from referee.significance.multiplicity.hochberg import HOCHBERG
from referee.significance.multiplicity.holm import HOLM
from referee.significance.paired.cochran import COCHRAN_Q
from referee.significance.paired.delong import DELONG_PAIRED
from referee.significance.paired.group_flip import GROUP_FLIP
from referee.significance.paired.mcnemar_asymptotic import MCNEMAR_ASYMPTOTIC
from referee.significance.paired.mcnemar_exact import MCNEMAR_EXACT
from referee.significance.paired.mcnemar_midp import MCNEMAR_MIDP
from referee.significance.paired.paired_bootstrap import PAIRED_BOOTSTRAP
from referee.significance.paired.paired_losses import PAIRED_T
from referee.significance.sequential.differences import BETTING_SEQUENTIAL
from referee.significance.sequential.pairs import MCNEMAR_SEQUENTIAL
from referee.significance.unpaired.barnard import BARNARD
from referee.significance.unpaired.boschloo import BOSCHLOO
from referee.significance.unpaired.delong import DELONG_UNPAIRED
from referee.significance.unpaired.fisher import FISHER
from referee.significance.unpaired.two_sample_z import TWO_SAMPLE_Z

__all__ = ["ADJUSTMENTS", "COMPARISON_TESTS", "DATASET_TESTS"]

COMPARISON_TESTS = ComparisonTests(
    ComparisonTest,
    "test",
    "significance",
    (
        MCNEMAR_EXACT,
        MCNEMAR_MIDP,
        MCNEMAR_ASYMPTOTIC,
        GROUP_FLIP,
        DELONG_PAIRED,
        PAIRED_BOOTSTRAP,
        PAIRED_T,
        BOSCHLOO,
        BARNARD,
        FISHER,
        TWO_SAMPLE_Z,
        DELONG_UNPAIRED,
        CALIBRATED_T,
        SHRUNKEN_T,
        CORRECTED_T,
        KFOLD_T,
        FIVE_BY_TWO_T,
        FIVE_BY_TWO_F,
        MCNEMAR_SEQUENTIAL,
        BETTING_SEQUENTIAL,
    ),
    automatic=(
        "mcnemar-exact",
        "group-flip",
        "delong-paired",
        "paired-t",
        "paired-bootstrap",
        "boschloo",
        "delong-unpaired",
        "calibrated-t",
        "corrected-t",
        "mcnemar-sequential",
        "betting-sequential",
    ),
)
"""Tests of two models."""

DATASET_TESTS = DatasetTests(
    DatasetTest,
    "test",
    "significance",
    (WILCOXON, SIGN, FRIEDMAN, IMAN_DAVENPORT, NEMENYI, BONFERRONI_DUNN, COCHRAN_Q),
    automatic=("wilcoxon", "iman-davenport", "nemenyi", "bonferroni-dunn"),
)
"""Tests over several data sets, and of more than two models at once."""

ADJUSTMENTS = Catalogue(Adjustment, "adjust", "adjust", (HOLM, HOCHBERG, BENJAMINI_HOCHBERG))
"""How p-values are raised for the number of pairs."""

load_offers(COMPARISON_TESTS, DATASET_TESTS, ADJUSTMENTS)
