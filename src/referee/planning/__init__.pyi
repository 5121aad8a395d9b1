from .acceptance import (
    AcceptancePlan as AcceptancePlan,
)
from .acceptance import (
    AcceptanceStep as AcceptanceStep,
)
from .acceptance import (
    acceptance_plan as acceptance_plan,
)
from .acceptance import (
    acceptance_rows as acceptance_rows,
)
from .advice import (
    Advice as Advice,
)
from .advice import (
    advise as advise,
)
from .fold_spread import (
    FoldAudit as FoldAudit,
)
from .fold_spread import (
    FoldSpread as FoldSpread,
)
from .fold_spread import (
    audit_folds as audit_folds,
)
from .operating import (
    OperatingCharacteristic as OperatingCharacteristic,
)
from .operating import (
    operating_characteristic as operating_characteristic,
)
from .power import (
    connor_power as connor_power,
)
from .power import (
    connor_rows as connor_rows,
)
from .power import (
    detectable_difference as detectable_difference,
)
from .power import (
    detectable_nested as detectable_nested,
)
from .power import (
    mcnemar_power as mcnemar_power,
)
from .power import (
    mcnemar_rows as mcnemar_rows,
)
from .power import (
    two_sample_power as two_sample_power,
)
from .power import (
    two_sample_rows as two_sample_rows,
)
from .published_table import (
    PairAudit as PairAudit,
)
from .published_table import (
    RateAudit as RateAudit,
)
from .published_table import (
    TableAudit as TableAudit,
)
from .published_table import (
    audit_table as audit_table,
)
from .sequential_acceptance import (
    SequentialPlan as SequentialPlan,
)
from .sequential_acceptance import (
    sequential_plan as sequential_plan,
)
from .sizes.result import (
    Detectable as Detectable,
)
from .sizes.result import (
    SampleSize as SampleSize,
)
from .sizes.result import (
    Scenario as Scenario,
)

__all__: list[str]
