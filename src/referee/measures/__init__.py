"""What is measured on predictions: measures by name, users' own, and what they are made of."""

from referee.core.method import load_offers
from referee.measures.catalogue import MEASURES, measure_named
from referee.measures.formulas.confusion import confusion, confusion_frame
from referee.measures.formulas.cost import (
    Costs,
    asymmetric_losses,
    best_threshold,
    cost_curve,
    decide,
)
from referee.measures.formulas.loss import quadratic, zero_one
from referee.measures.formulas.multiclass import auc_one_against_one, auc_one_against_rest
from referee.measures.formulas.precision_recall import (
    average_precision,
    lift_curve,
    precision_recall,
)
from referee.measures.formulas.probability import brier_losses, log_losses, reliability_curve
from referee.measures.formulas.ranking import auc
from referee.measures.formulas.roc import RocCurve, auc_k, partial_auc, roc_curve
from referee.measures.label_sets import RatioMeasure, SetMeasure
from referee.measures.losses import Losses
from referee.measures.matrix import MatrixMeasure, RatesMeasure
from referee.measures.mean_losses import LossMeasure, are_probabilities
from referee.measures.measure import Measure
from referee.measures.own import OwnMeasure, as_measure, as_measures, make_measure
from referee.measures.rankings import AreaMeasure, ClassesMeasure, RankingMeasure
from referee.measures.residuals import MAE, MedianMeasure, ResidualMeasure, make_loss
from referee.measures.shares import ERROR, ShareMeasure

__all__ = [
    "ERROR",
    "MAE",
    "MEASURES",
    "AreaMeasure",
    "ClassesMeasure",
    "Costs",
    "LossMeasure",
    "Losses",
    "MatrixMeasure",
    "Measure",
    "MedianMeasure",
    "OwnMeasure",
    "RankingMeasure",
    "RatesMeasure",
    "RatioMeasure",
    "ResidualMeasure",
    "RocCurve",
    "SetMeasure",
    "ShareMeasure",
    "are_probabilities",
    "as_measure",
    "as_measures",
    "asymmetric_losses",
    "auc",
    "auc_k",
    "auc_one_against_one",
    "auc_one_against_rest",
    "average_precision",
    "best_threshold",
    "brier_losses",
    "confusion",
    "confusion_frame",
    "cost_curve",
    "decide",
    "lift_curve",
    "log_losses",
    "make_loss",
    "make_measure",
    "measure_named",
    "partial_auc",
    "precision_recall",
    "quadratic",
    "reliability_curve",
    "roc_curve",
    "zero_one",
]

load_offers(MEASURES)
