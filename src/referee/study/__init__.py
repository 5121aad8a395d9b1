"""Tasks whose truth is known, and what they teach about estimates."""

# Functions here bear the names of their modules, so they are imported at once, not lazily.

from referee.core.calibration_record import CalibrationRecord, calibrated
from referee.study.bayes_error_study import METHODS, BayesErrorStudy, bayes_error_study
from referee.study.bounds import Bounds, bounds
from referee.study.bracket import Bracket, bracket, cover_hart
from referee.study.calibration import Calibration, Draws, calibration
from referee.study.consistency import Consistency, consistency, nearest_limit
from referee.study.looks import LookStudy, looks
from referee.study.luntz_brailovsky import LuntzBrailovsky, luntz_brailovsky
from referee.study.optimism import Optimism, optimism
from referee.study.scores import ScoresStudy, scores
from referee.study.selection_bias import SelectionBias, selection_bias
from referee.study.stopping import Stopping, stopping
from referee.study.tasks.examples import EXAMPLES, fukunaga_I_I, separation_for, two_normals
from referee.study.tasks.gaussian_task import Densities, GaussianTask
from referee.study.tasks.known import (
    CATALOGUE,
    HeavyTails,
    Rings,
    Xor,
    imbalanced,
    more_features_than_cases,
)
from referee.study.tasks.noisy_function import FunctionRisk, NoisyFunction
from referee.study.tasks.task import KnownTask, Task
from referee.study.truth.bayes_risk import gaussian_bayes_risk
from referee.study.truth.bayes_rule import BayesRule
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadric import Quadric
from referee.study.truth.true_risk import true_risk

__all__ = [
    "CATALOGUE",
    "EXAMPLES",
    "METHODS",
    "BayesErrorStudy",
    "BayesRule",
    "Bounds",
    "Bracket",
    "Calibration",
    "CalibrationRecord",
    "Consistency",
    "Densities",
    "Draws",
    "FunctionRisk",
    "GaussianTask",
    "HeavyTails",
    "KnownRisk",
    "KnownTask",
    "LookStudy",
    "LuntzBrailovsky",
    "NoisyFunction",
    "Optimism",
    "Quadric",
    "Rings",
    "ScoresStudy",
    "SelectionBias",
    "Stopping",
    "Task",
    "Xor",
    "bayes_error_study",
    "bounds",
    "bracket",
    "calibrated",
    "calibration",
    "consistency",
    "cover_hart",
    "fukunaga_I_I",
    "gaussian_bayes_risk",
    "imbalanced",
    "looks",
    "luntz_brailovsky",
    "more_features_than_cases",
    "nearest_limit",
    "optimism",
    "scores",
    "selection_bias",
    "separation_for",
    "stopping",
    "true_risk",
    "two_normals",
]
