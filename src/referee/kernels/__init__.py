"""Kernels: the lecture notes' and others, an algebra that is closed, and what can be asked of them.

>>> from referee import kernels
>>> k = kernels.exp(0.5 * kernels.Linear()) + kernels.Gaussian(gamma=2.0)
>>> print(k)
exp(0.5 <x, x'>) + exp(-2 |x - x'|^2)
"""

from __future__ import annotations

from referee.kernels.algebra import Exponential, Product, Scaled, Shifted, Sum, exp
from referee.kernels.distances import Gaussian, Laplacian
from referee.kernels.edit_distance import edit_distance
from referee.kernels.feature_maps import (
    MAPS_OF_TWICE_THE_PRODUCT,
    ExplicitMap,
    explicit_map,
)
from referee.kernels.given import FeatureMap, FromFunction, Precomputed
from referee.kernels.histograms import ChiSquared, ExpChiSquared, HistogramIntersection
from referee.kernels.inner_products import Linear, Polynomial
from referee.kernels.kernel import Kernel
from referee.kernels.refuting.definiteness import Definiteness, is_positive_definite
from referee.kernels.refuting.suspects import SUSPECTS
from referee.kernels.refuting.witness import Asymmetry, Witness
from referee.kernels.rkhs import RkhsFunction, section
from referee.kernels.rows import PreparedRows

__all__ = [
    "CATALOGUE",
    "MAPS_OF_TWICE_THE_PRODUCT",
    "SUSPECTS",
    "Asymmetry",
    "ChiSquared",
    "Definiteness",
    "ExpChiSquared",
    "ExplicitMap",
    "Exponential",
    "FeatureMap",
    "FromFunction",
    "Gaussian",
    "HistogramIntersection",
    "Kernel",
    "Laplacian",
    "Linear",
    "Polynomial",
    "Precomputed",
    "PreparedRows",
    "Product",
    "RkhsFunction",
    "Scaled",
    "Shifted",
    "Sum",
    "Witness",
    "edit_distance",
    "exp",
    "explicit_map",
    "is_positive_definite",
    "section",
]

CATALOGUE: dict[str, type[Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "intersection": HistogramIntersection,
    "chi2": ChiSquared,
    "exp-chi2": ExpChiSquared,
    "precomputed": Precomputed,
}
"""Kernels that can be made from their name alone, with default parameters."""
