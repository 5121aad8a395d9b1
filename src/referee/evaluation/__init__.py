"""From a model or predictions to an Evaluation."""

from referee.evaluation.compare import compare, compare_predictions
from referee.evaluation.comparison import Comparison, Duel, Standing
from referee.evaluation.evaluate import evaluate, evaluate_predictions
from referee.evaluation.evaluation import Evaluation
from referee.evaluation.risk import risk
from referee.evaluation.run import Run, run

__all__ = [
    "Comparison",
    "Duel",
    "Evaluation",
    "Run",
    "Standing",
    "compare",
    "compare_predictions",
    "evaluate",
    "evaluate_predictions",
    "risk",
    "run",
]
