"""What is measured on predictions."""

from referee.measures.catalogue import CATALOGUE, DEFAULT, Kind, Measure, measure_named
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
from referee.measures.multiclass import auc_one_against_one, auc_one_against_rest
from referee.measures.precision_recall import average_precision, lift_curve, precision_recall
from referee.measures.probability import brier_losses, log_losses, reliability_curve
from referee.measures.ranking import auc
from referee.measures.roc import RocCurve, auc_k, partial_auc, roc_curve

__all__ = [
    "CATALOGUE",
    "DEFAULT",
    "Costs",
    "Kind",
    "Losses",
    "Measure",
    "RocCurve",
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
    "measure_named",
    "partial_auc",
    "precision_recall",
    "quadratic",
    "reliability_curve",
    "roc_curve",
    "zero_one",
]
