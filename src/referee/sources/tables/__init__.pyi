from .delimited import (
    Header as Header,
)
from .joining import (
    aligned as aligned,
)
from .reading import (
    CATALOGUE as CATALOGUE,
)
from .reading import (
    read_table as read_table,
)
from .source import (
    Source as Source,
)
from .stacking import (
    Stacked as Stacked,
)
from .stacking import (
    stack as stack,
)
from .table import (
    Table as Table,
)

__all__ = ["CATALOGUE", "Header", "Source", "Stacked", "Table", "aligned", "read_table", "stack"]
