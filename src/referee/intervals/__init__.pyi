from .area.area_interval import (
    AreaInterval as AreaInterval,
)
from .area.auc import (
    newcombe as newcombe,
)
from .bands import (
    RocBand as RocBand,
)
from .bands import (
    roc_band as roc_band,
)
from .catalogue import (
    AREA_INTERVALS as AREA_INTERVALS,
)
from .catalogue import (
    DIFFERENCE_INTERVALS as DIFFERENCE_INTERVALS,
)
from .catalogue import (
    MEASURE_INTERVALS as MEASURE_INTERVALS,
)
from .catalogue import (
    RISK_INTERVALS as RISK_INTERVALS,
)
from .catalogue import (
    risk_interval as risk_interval,
)
from .difference.clustered_difference import (
    clustered_pairs as clustered_pairs,
)
from .difference.clustered_difference import (
    effective_pairs as effective_pairs,
)
from .difference.difference_interval import (
    DifferenceInterval as DifferenceInterval,
)
from .difference.paired import (
    bonett_price as bonett_price,
)
from .difference.paired import (
    newcombe_paired as newcombe_paired,
)
from .difference.paired import (
    tango as tango,
)
from .difference.paired import (
    wald_paired as wald_paired,
)
from .difference.unpaired import (
    newcombe_unpaired as newcombe_unpaired,
)
from .difference.unpaired import (
    wald_unpaired as wald_unpaired,
)
from .looks.grid import (
    Grid as Grid,
)
from .looks.guaranteed import (
    LookInterval as LookInterval,
)
from .looks.guaranteed import (
    look_interval as look_interval,
)
from .looks.guaranteed import (
    look_interval_of_mean as look_interval_of_mean,
)
from .measure_interval import (
    MeasureInterval as MeasureInterval,
)
from .one_set.bentkus import (
    bentkus as bentkus,
)
from .one_set.bootstrap.bootstrap import (
    Bootstrapped as Bootstrapped,
)
from .one_set.bootstrap.bootstrap import (
    abc_mean as abc_mean,
)
from .one_set.bootstrap.bootstrap import (
    basic as basic,
)
from .one_set.bootstrap.bootstrap import (
    bca as bca,
)
from .one_set.bootstrap.bootstrap import (
    bootstrap_mean as bootstrap_mean,
)
from .one_set.bootstrap.bootstrap import (
    logit_t as logit_t,
)
from .one_set.bootstrap.bootstrap import (
    percentile as percentile,
)
from .one_set.dependent.effective_n import (
    effective_n as effective_n,
)
from .one_set.priors import (
    checked_priors as checked_priors,
)
from .one_set.priors import (
    prior_weighted as prior_weighted,
)
from .one_set.proportion import (
    agresti_coull as agresti_coull,
)
from .one_set.proportion import (
    clopper_pearson as clopper_pearson,
)
from .one_set.proportion import (
    jeffreys as jeffreys,
)
from .one_set.proportion import (
    wald as wald,
)
from .one_set.proportion import (
    wilson as wilson,
)
from .risk import (
    RiskInterval as RiskInterval,
)
from .risk import (
    RiskSample as RiskSample,
)
from .risk import (
    Trial as Trial,
)
from .scores.catalogue import (
    MEAN_INTERVALS as MEAN_INTERVALS,
)
from .scores.catalogue import (
    mean_interval as mean_interval,
)
from .scores.mean_interval import (
    MeanInterval as MeanInterval,
)
from .sequential.beta_binomial import (
    beta_binomial as beta_binomial,
)
from .sequential.beta_binomial import (
    beta_binomial_at as beta_binomial_at,
)
from .sequential.betting import (
    betting as betting,
)
from .sequential.betting import (
    betting_interval as betting_interval,
)
from .sequential.sequence import (
    ConfidenceSequence as ConfidenceSequence,
)
from .several_fits.conservative_z import (
    conservative_z as conservative_z,
)
from .several_fits.cross_validation import (
    effective_jeffreys as effective_jeffreys,
)
from .several_fits.cross_validation import (
    effective_size as effective_size,
)
from .several_fits.cv_clt import (
    cv_clt as cv_clt,
)
from .several_fits.efron_tibshirani import (
    adjusted_standard_error as adjusted_standard_error,
)
from .several_fits.efron_tibshirani import (
    efron_tibshirani as efron_tibshirani,
)
from .several_fits.efron_tibshirani import (
    out_of_bag_standard_error as out_of_bag_standard_error,
)
from .several_fits.nested_cv import (
    nested_cv as nested_cv,
)
from .several_fits.nested_cv import (
    nested_error as nested_error,
)
from .several_fits.student import (
    corrected_t as corrected_t,
)
from .several_fits.student import (
    student_t as student_t,
)

__all__: list[str]
