from .bayes_error import (
    METHODS as METHODS,
)
from .bayes_error import (
    BayesErrorStudy as BayesErrorStudy,
)
from .bayes_error import (
    bayes_error_study as bayes_error_study,
)
from .bounds import (
    Bounds as Bounds,
)
from .bounds import (
    bounds as bounds,
)
from .bracket import (
    Bracket as Bracket,
)
from .bracket import (
    bracket as bracket,
)
from .bracket import (
    cover_hart as cover_hart,
)
from .calibration import (
    Calibration as Calibration,
)
from .calibration import (
    Draws as Draws,
)
from .calibration import (
    calibration as calibration,
)
from .consistency import (
    Consistency as Consistency,
)
from .consistency import (
    consistency as consistency,
)
from .consistency import (
    nearest_limit as nearest_limit,
)
from .luntz_brailovsky import (
    LuntzBrailovsky as LuntzBrailovsky,
)
from .luntz_brailovsky import (
    luntz_brailovsky as luntz_brailovsky,
)
from .optimism import (
    Optimism as Optimism,
)
from .optimism import (
    optimism as optimism,
)
from .selection_bias import (
    SelectionBias as SelectionBias,
)
from .selection_bias import (
    selection_bias as selection_bias,
)
from .tasks.examples import (
    EXAMPLES as EXAMPLES,
)
from .tasks.examples import (
    fukunaga_I_I as fukunaga_I_I,
)
from .tasks.examples import (
    separation_for as separation_for,
)
from .tasks.examples import (
    two_normals as two_normals,
)
from .tasks.gaussian_task import (
    Densities as Densities,
)
from .tasks.gaussian_task import (
    GaussianTask as GaussianTask,
)
from .tasks.known import (
    CATALOGUE as CATALOGUE,
)
from .tasks.known import (
    HeavyTails as HeavyTails,
)
from .tasks.known import (
    Rings as Rings,
)
from .tasks.known import (
    Xor as Xor,
)
from .tasks.known import (
    imbalanced as imbalanced,
)
from .tasks.known import (
    more_features_than_cases as more_features_than_cases,
)
from .tasks.noisy_function import (
    FunctionRisk as FunctionRisk,
)
from .tasks.noisy_function import (
    NoisyFunction as NoisyFunction,
)
from .tasks.task import (
    KnownTask as KnownTask,
)
from .tasks.task import (
    Task as Task,
)
from .truth.bayes_risk import (
    gaussian_bayes_risk as gaussian_bayes_risk,
)
from .truth.bayes_rule import (
    BayesRule as BayesRule,
)
from .truth.known_risk import (
    KnownRisk as KnownRisk,
)
from .truth.quadric import (
    Quadric as Quadric,
)
from .truth.true_risk import (
    true_risk as true_risk,
)

__all__: list[str]
