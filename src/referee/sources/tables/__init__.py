"""From a file to columns: tables that know the file and line of every row."""

from referee.sources.tables.delimited import Header
from referee.sources.tables.joining import aligned
from referee.sources.tables.reading import CATALOGUE, read_table
from referee.sources.tables.source import Source
from referee.sources.tables.stacking import Stacked, stack
from referee.sources.tables.table import Table

__all__ = ["CATALOGUE", "Header", "Source", "Stacked", "Table", "aligned", "read_table", "stack"]
