"""From a model or predictions to an Evaluation."""

from referee.evaluation.evaluate import evaluate, evaluate_predictions
from referee.evaluation.evaluation import Evaluation
from referee.evaluation.risk import risk
from referee.evaluation.run import Run, run

__all__ = ["Evaluation", "Run", "evaluate", "evaluate_predictions", "risk", "run"]
