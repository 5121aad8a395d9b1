"""From a file to columns: tables that know the file and line of every row."""

from referee.tables.delimited import Header
from referee.tables.joining import aligned
from referee.tables.reading import CATALOGUE, read_table
from referee.tables.source import Source
from referee.tables.stacking import Stacked, stack
from referee.tables.table import Table

__all__ = ["CATALOGUE", "Header", "Source", "Stacked", "Table", "aligned", "read_table", "stack"]
