"""Is a difference real, or due to chance? One file per test; each returns Evidence."""

from referee.significance.acceptance import (
    AcceptancePlan,
    AcceptanceStep,
    acceptance_plan,
    acceptance_rows,
)
from referee.significance.bayes import Posterior, bayes_correlated_t, bayes_signed_rank
from referee.significance.calibrated_t import calibrated_contrast, calibrated_t
from referee.significance.cochran import cochran_q
from referee.significance.contrast import Contrast
from referee.significance.corrected_t import corrected_contrast, corrected_t
from referee.significance.critical_difference import (
    CriticalDifference,
    bonferroni_dunn,
    critical_difference,
    nemenyi,
    rank_contrast,
)
from referee.significance.delong import (
    paired_delong,
    paired_delong_contrast,
    unpaired_delong,
    unpaired_delong_contrast,
)
from referee.significance.equivalence import (
    equivalence,
    equivalence_of,
    non_inferiority,
    non_inferiority_of,
)
from referee.significance.five_by_two import five_by_two_contrast, five_by_two_f, five_by_two_t
from referee.significance.fold_spread import FoldAudit, FoldSpread, audit_folds
from referee.significance.friedman import average_ranks, friedman, iman_davenport
from referee.significance.group_flip import group_flip, smallest_group_p
from referee.significance.kfold_t import kfold_contrast, kfold_t
from referee.significance.mcnemar import mcnemar_asymptotic, mcnemar_exact, mcnemar_midp, smallest_p
from referee.significance.multiplicity import benjamini_hochberg, hochberg, holm
from referee.significance.one_class import Collapse, collapse
from referee.significance.paired_bootstrap import (
    PairedBootstrap,
    paired_matrix,
    paired_mean,
    paired_ranking,
)
from referee.significance.planning import Detectable, SamplePlan, Scenario, plan
from referee.significance.power import (
    connor_power,
    connor_rows,
    detectable_difference,
    detectable_nested,
    mcnemar_power,
    mcnemar_rows,
    two_sample_power,
    two_sample_rows,
)
from referee.significance.published_table import PairAudit, RateAudit, TableAudit, audit_table
from referee.significance.sign import sign_test
from referee.significance.two_sample import barnard, boschloo, fisher, two_sample_z
from referee.significance.wilcoxon import wilcoxon

__all__ = [
    "AcceptancePlan",
    "AcceptanceStep",
    "Collapse",
    "Contrast",
    "CriticalDifference",
    "Detectable",
    "FoldAudit",
    "FoldSpread",
    "PairAudit",
    "PairedBootstrap",
    "Posterior",
    "RateAudit",
    "SamplePlan",
    "Scenario",
    "TableAudit",
    "acceptance_plan",
    "acceptance_rows",
    "audit_folds",
    "audit_table",
    "average_ranks",
    "barnard",
    "bayes_correlated_t",
    "bayes_signed_rank",
    "benjamini_hochberg",
    "bonferroni_dunn",
    "boschloo",
    "calibrated_contrast",
    "calibrated_t",
    "cochran_q",
    "collapse",
    "connor_power",
    "connor_rows",
    "corrected_contrast",
    "corrected_t",
    "critical_difference",
    "detectable_difference",
    "detectable_nested",
    "equivalence",
    "equivalence_of",
    "fisher",
    "five_by_two_contrast",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "group_flip",
    "hochberg",
    "holm",
    "iman_davenport",
    "kfold_contrast",
    "kfold_t",
    "mcnemar_asymptotic",
    "mcnemar_exact",
    "mcnemar_midp",
    "mcnemar_power",
    "mcnemar_rows",
    "nemenyi",
    "non_inferiority",
    "non_inferiority_of",
    "paired_delong",
    "paired_delong_contrast",
    "paired_matrix",
    "paired_mean",
    "paired_ranking",
    "plan",
    "rank_contrast",
    "sign_test",
    "smallest_group_p",
    "smallest_p",
    "two_sample_power",
    "two_sample_rows",
    "two_sample_z",
    "unpaired_delong",
    "unpaired_delong_contrast",
    "wilcoxon",
]
