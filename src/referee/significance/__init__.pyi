from .bayes import (
    Posterior as Posterior,
)
from .bayes import (
    bayes_correlated_t as bayes_correlated_t,
)
from .bayes import (
    bayes_signed_rank as bayes_signed_rank,
)
from .catalogue import (
    ADJUSTMENTS as ADJUSTMENTS,
)
from .catalogue import (
    COMPARISON_TESTS as COMPARISON_TESTS,
)
from .catalogue import (
    DATASET_TESTS as DATASET_TESTS,
)
from .comparison_test import (
    ComparisonSituation as ComparisonSituation,
)
from .comparison_test import (
    ComparisonTest as ComparisonTest,
)
from .comparison_test import (
    Setting as Setting,
)
from .contrast import (
    Contrast as Contrast,
)
from .datasets.bonferroni_dunn import (
    bonferroni_dunn as bonferroni_dunn,
)
from .datasets.critical_difference import (
    CriticalDifference as CriticalDifference,
)
from .datasets.critical_difference import (
    critical_difference as critical_difference,
)
from .datasets.critical_difference import (
    rank_contrast as rank_contrast,
)
from .datasets.dataset_test import (
    DatasetTest as DatasetTest,
)
from .datasets.friedman import (
    average_ranks as average_ranks,
)
from .datasets.friedman import (
    friedman as friedman,
)
from .datasets.iman_davenport import (
    iman_davenport as iman_davenport,
)
from .datasets.nemenyi import (
    nemenyi as nemenyi,
)
from .datasets.sign import (
    sign_test as sign_test,
)
from .datasets.wilcoxon import (
    wilcoxon as wilcoxon,
)
from .learners.calibrated_t import (
    calibrated_contrast as calibrated_contrast,
)
from .learners.calibrated_t import (
    calibrated_t as calibrated_t,
)
from .learners.corrected_t import (
    corrected_contrast as corrected_contrast,
)
from .learners.corrected_t import (
    corrected_t as corrected_t,
)
from .learners.five_by_two_f import (
    five_by_two_f as five_by_two_f,
)
from .learners.five_by_two_t import (
    five_by_two_t as five_by_two_t,
)
from .learners.kfold_t import (
    kfold_contrast as kfold_contrast,
)
from .learners.kfold_t import (
    kfold_t as kfold_t,
)
from .learners.one_class import (
    Collapse as Collapse,
)
from .learners.one_class import (
    collapse as collapse,
)
from .multiplicity.adjustment import (
    Adjustment as Adjustment,
)
from .multiplicity.benjamini_hochberg import (
    benjamini_hochberg as benjamini_hochberg,
)
from .multiplicity.hochberg import (
    hochberg as hochberg,
)
from .multiplicity.holm import (
    holm as holm,
)
from .paired.cochran import (
    cochran_q as cochran_q,
)
from .paired.delong import (
    paired_delong as paired_delong,
)
from .paired.delong import (
    paired_delong_contrast as paired_delong_contrast,
)
from .paired.equivalence import (
    equivalence as equivalence,
)
from .paired.equivalence import (
    equivalence_of as equivalence_of,
)
from .paired.equivalence import (
    non_inferiority as non_inferiority,
)
from .paired.equivalence import (
    non_inferiority_of as non_inferiority_of,
)
from .paired.group_flip import (
    group_flip as group_flip,
)
from .paired.group_flip import (
    smallest_group_p as smallest_group_p,
)
from .paired.mcnemar import (
    smallest_p as smallest_p,
)
from .paired.mcnemar_asymptotic import (
    mcnemar_asymptotic as mcnemar_asymptotic,
)
from .paired.mcnemar_exact import (
    mcnemar_exact as mcnemar_exact,
)
from .paired.mcnemar_midp import (
    mcnemar_midp as mcnemar_midp,
)
from .paired.paired_bootstrap import (
    PairedBootstrap as PairedBootstrap,
)
from .paired.paired_bootstrap import (
    paired_matrix as paired_matrix,
)
from .paired.paired_bootstrap import (
    paired_mean as paired_mean,
)
from .paired.paired_bootstrap import (
    paired_ranking as paired_ranking,
)
from .score_tests import (
    SCORE_TESTS as SCORE_TESTS,
)
from .score_tests import (
    ScoreTest as ScoreTest,
)
from .sequential.differences import (
    difference_e_process as difference_e_process,
)
from .sequential.differences import (
    non_inferiority_e_process as non_inferiority_e_process,
)
from .sequential.e_process import (
    EProcess as EProcess,
)
from .sequential.pairs import (
    pair_e_process as pair_e_process,
)
from .unpaired.barnard import (
    barnard as barnard,
)
from .unpaired.boschloo import (
    boschloo as boschloo,
)
from .unpaired.delong import (
    unpaired_delong as unpaired_delong,
)
from .unpaired.delong import (
    unpaired_delong_contrast as unpaired_delong_contrast,
)
from .unpaired.fisher import (
    fisher as fisher,
)
from .unpaired.two_sample_z import (
    two_sample_z as two_sample_z,
)

__all__: list[str]
