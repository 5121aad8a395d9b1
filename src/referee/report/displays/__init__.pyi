from .confusion import (
    ConfusionDisplay as ConfusionDisplay,
)
from .cost import (
    CostDisplay as CostDisplay,
)
from .gaussian import (
    GaussianTaskDisplay as GaussianTaskDisplay,
)
from .interval import (
    IntervalDisplay as IntervalDisplay,
)
from .precision_recall import (
    PrecisionRecallDisplay as PrecisionRecallDisplay,
)
from .reduction import (
    ReductionDisplay as ReductionDisplay,
)
from .reliability import (
    ReliabilityDisplay as ReliabilityDisplay,
)
from .roc import (
    RocDisplay as RocDisplay,
)
from .roc50 import (
    Roc50Display as Roc50Display,
)
from .sequence import (
    SequenceDisplay as SequenceDisplay,
)
from .trace import (
    TraceDisplay as TraceDisplay,
)

__all__: list[str]
