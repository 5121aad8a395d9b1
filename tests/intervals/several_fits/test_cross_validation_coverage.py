"""Coverage of the intervals from resampling, against true risks known from a formula.

Two Gaussians at ±e1 in 2 dimensions, LDA, whose true risk is a normal distribution function of its
weights. Each interval is counted against its own target; the expected risk is the mean over 20 000
training sets, computed here.
"""

from functools import cache

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import referee
from referee.core import Part
from referee.core.results import Target
from referee.resampling import NestedCrossValidation

N, SAMPLES = 60, 200


def draw(rng):
    y = (rng.random(N) < 0.5).astype(int)
    X = rng.standard_normal((N, 2))
    X[:, 0] += 2 * y - 1
    return X, y


def true_risk(w, b):
    """The risk of the rule w.x + b > 0 when classes lie at ±e1 with unit covariance."""
    scale = np.linalg.norm(w)
    return 0.5 * (stats.norm.cdf((b - w[0]) / scale) + stats.norm.cdf((-b - w[0]) / scale))


@cache
def expected_risk():
    """Mean true risk of LDA at N, from its formula: pooled covariance, priors from the counts."""
    rng = np.random.default_rng(99)
    risks = []
    for _ in range(20_000):
        X, y = draw(rng)
        means = [X[y == k].mean(axis=0) for k in (0, 1)]
        pooled = sum((y == k).sum() * np.cov(X[y == k].T, bias=True) for k in (0, 1)) / N
        w = np.linalg.solve(pooled, means[1] - means[0])
        b = -w @ (means[0] + means[1]) / 2 + np.log((y == 1).sum() / (y == 0).sum())
        risks.append(true_risk(w, b))
    return np.mean(risks)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({}, 0.93),
        ({"target": "expected"}, 0.93),
        ({"max_fits": 10}, 0.93),
        ({"by": "nested-cv"}, 0.89),
        ({"by": NestedCrossValidation(10, 5)}, 0.89),
        ({"by": "conservative-z"}, 0.92),
        ({"by": "repeated-holdout"}, 0.87),
        ({"interval": "cv-clt"}, 0.85),
        ({"interval": "student-t"}, 0.85),
    ],
    ids=str,
)
def test_coverage(options, least):
    rng = np.random.default_rng(7)
    expected = expected_risk()
    hits, widths, about = [], [], None
    for sample in range(SAMPLES):
        X, y = draw(rng)
        e = referee.evaluate(
            LinearDiscriminantAnalysis(), X, y, measures=["error"], random_state=sample, **options
        )
        about = e.error.interval.target
        models = [e.model]
        if about is Target.FOLD_MODELS:
            folds = e.plan.part(Part.MAIN)
            models = [LinearDiscriminantAnalysis().fit(X[s.train], y[s.train]) for s in folds]
        risks = [true_risk(m.coef_[0], m.intercept_[0]) for m in models]
        truth = expected if about is Target.EXPECTED else np.mean(risks)
        hits.append(truth in e.error.interval)
        widths.append(e.error.interval.width)
    error = np.sqrt(np.mean(hits) * (1 - np.mean(hits)) / SAMPLES)
    print(
        f"\n{options}: {about.value}, coverage {np.mean(hits):.3f} ± {error:.3f}, "
        f"width {np.mean(widths):.3f}"
    )
    assert np.mean(hits) >= least - 2 * error
