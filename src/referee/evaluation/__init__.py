"""From a model or predictions to an Evaluation."""

from referee.evaluation.compare import compare, compare_predictions
from referee.evaluation.compare_datasets import compare_datasets
from referee.evaluation.comparison import Comparison, Duel, Standing
from referee.evaluation.datasets import DatasetsComparison, compare_scores
from referee.evaluation.evaluate import evaluate, evaluate_predictions
from referee.evaluation.evaluation import Evaluation
from referee.evaluation.risk import risk
from referee.evaluation.run import Run, run

__all__ = [
    "Comparison",
    "DatasetsComparison",
    "Duel",
    "Evaluation",
    "Run",
    "Standing",
    "compare",
    "compare_datasets",
    "compare_predictions",
    "compare_scores",
    "evaluate",
    "evaluate_predictions",
    "risk",
    "run",
]
