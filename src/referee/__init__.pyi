from . import (
    checks as checks,
)
from . import (
    choosing as choosing,
)
from . import (
    comparing as comparing,
)
from . import (
    core as core,
)
from . import (
    errors as errors,
)
from . import (
    fitting as fitting,
)
from . import (
    gating as gating,
)
from . import (
    intervals as intervals,
)
from . import (
    judging as judging,
)
from . import (
    kernels as kernels,
)
from . import (
    learners as learners,
)
from . import (
    measures as measures,
)
from . import (
    permuting as permuting,
)
from . import (
    planning as planning,
)
from . import (
    report as report,
)
from . import (
    resampling as resampling,
)
from . import (
    significance as significance,
)
from . import (
    sources as sources,
)
from . import (
    study as study,
)
from . import (
    vault as vault,
)
from .choosing.selection import (
    Selected as Selected,
)
from .choosing.tuning import (
    Tuned as Tuned,
)
from .comparing.compare import (
    compare as compare,
)
from .comparing.comparison import (
    Comparison as Comparison,
)
from .comparing.datasets.compare_datasets import (
    compare_datasets as compare_datasets,
)
from .comparing.datasets.datasets_comparison import (
    DatasetsComparison as DatasetsComparison,
)
from .comparing.predictions.compare_predictions import (
    compare_predictions as compare_predictions,
)
from .comparing.reduction import (
    ReductionCost as ReductionCost,
)
from .comparing.reduction import (
    reduction_cost as reduction_cost,
)
from .comparing.scores.board import (
    board as board,
)
from .comparing.scores.compare_scores import (
    compare_scores as compare_scores,
)
from .comparing.scores.comparison import (
    ScoresComparison as ScoresComparison,
)
from .comparing.scores.standings import (
    Board as Board,
)
from .core.dataset import (
    Dataset as Dataset,
)
from .core.plan import (
    Plan as Plan,
)
from .core.predictions import (
    Predictions as Predictions,
)
from .core.results import (
    Estimate as Estimate,
)
from .core.results import (
    Evidence as Evidence,
)
from .core.results import (
    Finding as Finding,
)
from .core.results import (
    Interval as Interval,
)
from .core.results import (
    Outcome as Outcome,
)
from .core.results import (
    Verdict as Verdict,
)
from .core.scores.scores import (
    Scores as Scores,
)
from .errors import (
    FitError as FitError,
)
from .errors import (
    InputError as InputError,
)
from .errors import (
    RefereeError as RefereeError,
)
from .errors import (
    Refusal as Refusal,
)
from .gating.decision import (
    Gate as Gate,
)
from .gating.gate import (
    gate as gate,
)
from .gating.sides.baseline import (
    Baseline as Baseline,
)
from .judging.evaluate import (
    evaluate as evaluate,
)
from .judging.evaluate_predictions import (
    evaluate_predictions as evaluate_predictions,
)
from .judging.evaluation import (
    Evaluation as Evaluation,
)
from .judging.risk import (
    risk as risk,
)
from .judging.scores.evaluate_scores import (
    evaluate_scores as evaluate_scores,
)
from .judging.scores.evaluation import (
    ScoresEvaluation as ScoresEvaluation,
)
from .permuting.permutation_result import (
    PermutationTest as PermutationTest,
)
from .permuting.permutation_test import (
    permutation_test as permutation_test,
)
from .planning.fold_spread import (
    audit_folds as audit_folds,
)
from .planning.published_table import (
    TableAudit as TableAudit,
)
from .planning.published_table import (
    audit_table as audit_table,
)
from .planning.sample_size import (
    sample_size as sample_size,
)
from .planning.sizes.result import (
    SampleSize as SampleSize,
)
from .report.displays.confusion import (
    ConfusionDisplay as ConfusionDisplay,
)
from .report.displays.cost import (
    CostDisplay as CostDisplay,
)
from .report.displays.gaussian import (
    GaussianTaskDisplay as GaussianTaskDisplay,
)
from .report.displays.interval import (
    IntervalDisplay as IntervalDisplay,
)
from .report.displays.precision_recall import (
    PrecisionRecallDisplay as PrecisionRecallDisplay,
)
from .report.displays.reliability import (
    ReliabilityDisplay as ReliabilityDisplay,
)
from .report.displays.roc import (
    RocDisplay as RocDisplay,
)
from .report.displays.roc50 import (
    Roc50Display as Roc50Display,
)
from .report.displays.sequence import (
    SequenceDisplay as SequenceDisplay,
)
from .report.displays.trace import (
    TraceDisplay as TraceDisplay,
)
from .sources.tables import (
    read_table as read_table,
)
from .vault import (
    Verification as Verification,
)
from .vault import (
    verify as verify,
)
from .vault.certificate import (
    Certificate as Certificate,
)
from .vault.certificate import (
    certify as certify,
)
from .vault.sealed import (
    Look as Look,
)
from .vault.sealed import (
    Vault as Vault,
)

__version__: str
__all__: list[str]
