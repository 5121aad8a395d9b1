"""Who trains and who tests."""

from referee.core.method import load_offers
from referee.resampling.bootstrap import Bootstrap
from referee.resampling.catalogue import SCHEMES
from referee.resampling.choice import Choice, scheme_for, scheme_to_compare
from referee.resampling.cross_validation import CrossValidation
from referee.resampling.given import FromPairs, FromSplitter, TestRows
from referee.resampling.halved_holdout import HalvedHoldout
from referee.resampling.halving import CalibratedCrossValidation
from referee.resampling.holdout import Holdout, share_by_size
from referee.resampling.leave_one_out import LeaveOneOut
from referee.resampling.nested_cv import NestedCrossValidation
from referee.resampling.resubstitution import Resubstitution
from referee.resampling.scheme import NamedScheme, Scheme

__all__ = [
    "SCHEMES",
    "Bootstrap",
    "CalibratedCrossValidation",
    "Choice",
    "CrossValidation",
    "FromPairs",
    "FromSplitter",
    "HalvedHoldout",
    "Holdout",
    "LeaveOneOut",
    "NamedScheme",
    "NestedCrossValidation",
    "Resubstitution",
    "Scheme",
    "TestRows",
    "scheme_for",
    "scheme_to_compare",
    "share_by_size",
]

load_offers(SCHEMES)
