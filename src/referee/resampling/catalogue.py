"""SCHEMES: every resampling scheme by name. A new one is an object in its file and a line here."""

from __future__ import annotations

from referee.core.method import Catalogue, load_offers
from referee.resampling.bootstrap import BOOTSTRAP
from referee.resampling.cross_validation import CV, folds_named
from referee.resampling.halved_holdout import CONSERVATIVE_Z
from referee.resampling.halving import CALIBRATED_CV
from referee.resampling.holdout import HOLDOUT, REPEATED_HOLDOUT
from referee.resampling.leave_one_out import LOO
from referee.resampling.nested_cv import NESTED_CV
from referee.resampling.resubstitution import RESUBSTITUTION
from referee.resampling.scheme import NamedScheme

__all__ = ["SCHEMES"]

SCHEMES: Catalogue[NamedScheme] = Catalogue(
    NamedScheme,
    "scheme",
    "by",
    (
        RESUBSTITUTION,
        HOLDOUT,
        REPEATED_HOLDOUT,
        CV,
        NESTED_CV,
        CONSERVATIVE_Z,
        CALIBRATED_CV,
        LOO,
        BOOTSTRAP,
    ),
    families=(folds_named,),
)
"""Also understood: a number of folds, as 5, and repetitions of them, as 10x5."""

load_offers(SCHEMES)
