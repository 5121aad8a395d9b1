"""Who trains and who tests."""

from referee.resampling.bootstrap import Bootstrap
from referee.resampling.choice import CATALOGUE, Choice, scheme_for
from referee.resampling.cross_validation import CrossValidation
from referee.resampling.given import FromPairs, FromSplitter, TestRows
from referee.resampling.holdout import Holdout, share_by_size
from referee.resampling.leave_one_out import LeaveOneOut
from referee.resampling.resubstitution import Resubstitution
from referee.resampling.scheme import Scheme

__all__ = [
    "CATALOGUE",
    "Bootstrap",
    "Choice",
    "CrossValidation",
    "FromPairs",
    "FromSplitter",
    "Holdout",
    "LeaveOneOut",
    "Resubstitution",
    "Scheme",
    "TestRows",
    "scheme_for",
    "share_by_size",
]
