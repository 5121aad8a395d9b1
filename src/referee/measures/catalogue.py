"""MEASURES: every measure by name. A new one is an object in its file and one line here."""

from __future__ import annotations

from referee.core.arguments import SCORERS
from referee.core.method import Catalogue, load_offers
from referee.measures.label_sets import (
    CASE_F1,
    HAMMING,
    JACCARD,
    MACRO_LABEL_F1,
    MICRO_LABEL_F1,
    MICRO_LABEL_PRECISION,
    MICRO_LABEL_RECALL,
)
from referee.measures.matrix import (
    BALANCED_ACCURACY,
    F1,
    INFORMEDNESS,
    KAPPA,
    MACRO_F1,
    MACRO_PRECISION,
    MCC,
    MICRO_F1,
    WEIGHTED_F1,
    WEIGHTED_PRECISION,
    f_beta,
)
from referee.measures.mean_losses import BRIER, COST, LOG_LOSS
from referee.measures.measure import Measure
from referee.measures.rankings import (
    AUC,
    AUC50,
    AUC_OVO,
    AUC_OVR,
    AVERAGE_PRECISION,
    PARTIAL_AUC,
    area_up_to_k,
)
from referee.measures.residuals import MAE, MEDIAN_AE, MSE, R2, RMSE, pinball
from referee.measures.shares import (
    ACCURACY,
    ERROR,
    FNR,
    FPR,
    NPV,
    PRECISION,
    TNR,
    TPR,
    ShareMeasure,
)

__all__ = ["MEASURES", "measure_named", "shares_of_known_cases"]

MEASURES: Catalogue[Measure] = Catalogue(
    Measure,
    "measure",
    "measure",
    (
        ERROR,
        ACCURACY,
        BALANCED_ACCURACY,
        MCC,
        KAPPA,
        TPR,
        TNR,
        FPR,
        FNR,
        PRECISION,
        NPV,
        F1,
        INFORMEDNESS,
        MACRO_PRECISION,
        WEIGHTED_PRECISION,
        MACRO_F1,
        WEIGHTED_F1,
        MICRO_F1,
        AUC,
        AUC50,
        PARTIAL_AUC,
        AVERAGE_PRECISION,
        AUC_OVR,
        AUC_OVO,
        LOG_LOSS,
        BRIER,
        COST,
        MAE,
        RMSE,
        R2,
        MEDIAN_AE,
        MSE,
        HAMMING,
        JACCARD,
        CASE_F1,
        MICRO_LABEL_F1,
        MACRO_LABEL_F1,
        MICRO_LABEL_PRECISION,
        MICRO_LABEL_RECALL,
    ),
    families=(f_beta, area_up_to_k, pinball),
    elsewhere=SCORERS,
)
"""In the order of reports. Also understood: f and a number (f2), auc and a number (auc10),
pinball and a quantile (pinball0.9)."""


def measure_named(name: str) -> Measure:
    """Return the measure with that name, or that other name.

    Examples
    --------
    >>> measure_named("mcc").title, measure_named("f2").title, measure_named("auc10").title
    ('Matthews correlation', 'F2', 'AUC10')
    >>> measure_named("recall").name
    'tpr'
    >>> measure_named("acuracy")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: measure 'acuracy' is unknown; did you mean 'accuracy' or 'auc'?
    """
    return MEASURES.named(name)


def shares_of_known_cases() -> dict[str, ShareMeasure]:
    """Return the shares whose number of cases is known before any answer: they have exact tests.

    Examples
    --------
    >>> list(shares_of_known_cases())
    ['error', 'accuracy', 'tpr', 'tnr', 'fpr', 'fnr']
    """
    return {
        name: measure
        for name, measure in MEASURES.items()
        if isinstance(measure, ShareMeasure) and measure.counts_cases
    }


load_offers(MEASURES)
