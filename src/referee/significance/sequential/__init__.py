"""Evidence that may be read at any time: e-values of pairs and of bounded differences."""

from referee.significance.sequential.differences import (
    difference_e_process,
    non_inferiority_e_process,
)
from referee.significance.sequential.e_process import EProcess
from referee.significance.sequential.pairs import pair_e_process, pair_log_e

__all__ = [
    "EProcess",
    "difference_e_process",
    "non_inferiority_e_process",
    "pair_e_process",
    "pair_log_e",
]
