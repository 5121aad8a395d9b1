"""What is measured on predictions."""

from referee.measures.catalogue import CATALOGUE, DEFAULT, Measure, measure_named
from referee.measures.confusion import confusion
from referee.measures.losses import Losses
from referee.measures.ranking import auc

__all__ = ["CATALOGUE", "DEFAULT", "Losses", "Measure", "auc", "confusion", "measure_named"]
