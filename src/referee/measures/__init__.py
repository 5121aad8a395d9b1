"""What is measured on predictions: measures by name, users' own, and what they are made of."""

from referee.measures.catalogue import MEASURES, measure_named
from referee.measures.confusion import confusion, confusion_frame
from referee.measures.cost import (
    Costs,
    asymmetric_losses,
    best_threshold,
    cost_curve,
    decide,
)
from referee.measures.loss import quadratic, zero_one
from referee.measures.losses import Losses
from referee.measures.matrix import MatrixMeasure, RatesMeasure
from referee.measures.mean_losses import LossMeasure, are_probabilities
from referee.measures.measure import Measure
from referee.measures.multiclass import auc_one_against_one, auc_one_against_rest
from referee.measures.own import OwnMeasure, as_measure, as_measures, make_measure
from referee.measures.precision_recall import average_precision, lift_curve, precision_recall
from referee.measures.probability import brier_losses, log_losses, reliability_curve
from referee.measures.ranking import auc
from referee.measures.rankings import AreaMeasure, ClassesMeasure, RankingMeasure
from referee.measures.roc import RocCurve, auc_k, partial_auc, roc_curve
from referee.measures.shares import ERROR, ShareMeasure

__all__ = [
    "ERROR",
    "MEASURES",
    "AreaMeasure",
    "ClassesMeasure",
    "Costs",
    "LossMeasure",
    "Losses",
    "MatrixMeasure",
    "Measure",
    "OwnMeasure",
    "RankingMeasure",
    "RatesMeasure",
    "RocCurve",
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
    "make_measure",
    "measure_named",
    "partial_auc",
    "precision_recall",
    "quadratic",
    "reliability_curve",
    "roc_curve",
    "zero_one",
]
