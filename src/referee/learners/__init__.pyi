from . import (
    shortcuts as shortcuts,
)
from .gaussian.bayes import (
    GaussianBayes as GaussianBayes,
)
from .naming import (
    CATALOGUE as CATALOGUE,
)
from .naming import (
    model_from_name as model_from_name,
)
from .naming import (
    name_of as name_of,
)
from .neighbours.knn import (
    KNN as KNN,
)
from .neighbours.nca import (
    NcaKNN as NcaKNN,
)
from .neighbours.reducing.boundary import (
    BoundaryKNN as BoundaryKNN,
)
from .neighbours.reducing.condensed import (
    CondensedKNN as CondensedKNN,
)
from .neighbours.reducing.edited import (
    EditedKNN as EditedKNN,
)
from .neighbours.reducing.prototypes import (
    PrototypeKNN as PrototypeKNN,
)
from .svm.linear_svm import (
    LinearSVM as LinearSVM,
)
from .svm.svm import (
    SVM as SVM,
)
from .tabular import (
    SCALE_SENSITIVE as SCALE_SENSITIVE,
)
from .tabular import (
    for_table as for_table,
)

__all__: list[str]
