from .dataset import (
    Dataset as Dataset,
)
from .plan import (
    Part as Part,
)
from .plan import (
    Plan as Plan,
)
from .plan import (
    Split as Split,
)
from .predictions import (
    Predictions as Predictions,
)
from .results import (
    Estimate as Estimate,
)
from .results import (
    Evidence as Evidence,
)
from .results import (
    Finding as Finding,
)
from .results import (
    Interval as Interval,
)
from .results import (
    Outcome as Outcome,
)
from .results import (
    Severity as Severity,
)
from .results import (
    Target as Target,
)
from .results import (
    Verdict as Verdict,
)
from .scores.scores import (
    Scores as Scores,
)
