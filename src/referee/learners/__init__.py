"""Learners: models by name, and models made ready for tables."""

from referee.learners.naming import CATALOGUE, model_from_name, name_of
from referee.learners.tabular import SCALE_SENSITIVE, for_table

__all__ = ["CATALOGUE", "SCALE_SENSITIVE", "for_table", "model_from_name", "name_of"]
