"""The four bootstrap estimates against a plain loop over the resamples."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core import Dataset, Outcome, Part
from referee.errors import InputError
from referee.fitting.run import run
from referee.intervals import out_of_bag_standard_error
from referee.judging.estimating.bootstrap_family import bootstrap_family, point_632_plus
from referee.resampling import Bootstrap

MODELS = {
    "nb": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "knn": KNeighborsClassifier(7),
}


def noisy_wine():
    X, y = load_wine(return_X_y=True)
    X, _, y, _ = train_test_split(X, y, train_size=60, random_state=0)
    flip = np.random.default_rng(1).random(60) < 0.2
    return X, np.where(flip, (y + 1) % 3, y)


def by_hand(model, X, y, resamples):
    """Return err, Err1, optimism, .632, .632+ and gamma, straight from their definitions."""
    n = len(y)
    whole = clone(model).fit(X, y).predict(X)
    err = np.mean(whole != y)
    gamma = np.mean([[a != b for b in whole] for a in y])
    losses, optimism = [[] for _ in range(n)], []
    for rows in resamples:
        fitted = clone(model).fit(X[rows], y[rows])
        on_all = fitted.predict(X) != y
        on_drawn = fitted.predict(X[rows]) != y[rows]
        optimism.append(on_all.mean() - on_drawn.mean())
        for i in sorted(set(range(n)) - set(rows.tolist())):
            losses[i].append(on_all[i])
    err1 = np.mean([np.mean(case) for case in losses if case])
    point = 0.368 * err + 0.632 * err1
    capped = min(err1, gamma)
    R = (capped - err) / (gamma - err) if capped > err and gamma > err else 0.0
    w = 0.632 / (1 - 0.368 * R)
    return {
        "training_error": err,
        "out_of_bag": err1,
        "optimism": err + np.mean(optimism),
        "point_632": point,
        "point_632_plus": (1 - w) * err + w * capped,
        "no_information": gamma,
    }


@pytest.mark.parametrize("model", MODELS)
def test_all_estimates_against_a_plain_loop(model):
    X, y = noisy_wine()
    data = Dataset.of(X, y)
    plan = Bootstrap(rounds=25).plan(data, seed=3)
    family = bootstrap_family(run(MODELS[model], data, plan).predictions)
    expected = by_hand(MODELS[model], X, y, [s.train for s in plan.splits[:25]])
    for name, value in expected.items():
        assert getattr(family, name) == pytest.approx(value, abs=1e-12), name
    assert family.n == len(y)


def test_standard_error_against_the_formula_case_by_case():
    X, y = noisy_wine()
    data = Dataset.of(X, y)
    plan = Bootstrap(rounds=20).plan(data, seed=3)
    main = run(GaussianNB(), data, plan).predictions.of_part(Part.MAIN)
    n, N, Q = len(y), [], []
    for split in plan.splits[:20]:
        N.append([int(np.sum(split.train == i)) for i in range(n)])
        Q.append(GaussianNB().fit(X[split.train], y[split.train]).predict(X) != y)
    N, Q = np.array(N), np.array(Q, dtype=float)
    out = N == 0
    E = np.array([Q[out[:, i], i].mean() for i in range(n)])
    q = [Q[b][out[b]].sum() / n for b in range(20)]
    D = [
        (2 + 1 / (n - 1)) * (E[i] - E.mean()) / n
        + sum((N[b, i] - N[:, i].mean()) * q[b] for b in range(20)) / out[:, i].sum()
        for i in range(n)
    ]
    ours = out_of_bag_standard_error(main.wrong.reshape(20, n), main.seen.reshape(20, n))
    assert ours == pytest.approx(np.sqrt(np.sum(np.square(D))), abs=1e-12)


@pytest.mark.parametrize("seeds", [20, pytest.param(40, marks=pytest.mark.slow)])
def test_standard_error_against_repeating_the_experiment(seeds):
    """The se that one table states, against the spread of Err1 over fresh data sets."""
    points, stated = [], []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([0, 1], 25))
        data = Dataset.of(rng.normal(size=(50, 2)) + y[:, None], y)
        family = bootstrap_family(
            run(GaussianNB(), data, Bootstrap(25).plan(data, seed=seed)).predictions
        )
        points.append(family.out_of_bag)
        stated.append(family.standard_error)
    assert 0.6 < np.mean(stated) / np.std(points, ddof=1) < 1.6


@pytest.mark.parametrize(
    ("err", "err1", "gamma", "expected"),
    [
        (0.0, 0.5, 0.5, 0.5),  # no information at all: R = 1, w = 1
        (0.2, 0.2, 0.5, 0.2),  # no overfitting: R = 0
        (0.3, 0.2, 0.5, 0.368 * 0.3 + 0.632 * 0.2),  # Err1 below err: R = 0, plain .632
        (0.1, 0.9, 0.5, 0.5),  # Err1 above gamma is capped
    ],
)
def test_632_plus_at_its_corners_against_the_definition(err, err1, gamma, expected):
    assert point_632_plus(err, err1, gamma) == pytest.approx(expected, abs=1e-12)


def test_evaluate_reports_the_estimate_asked_for_and_all_four():
    X, y = noisy_wine()
    for name in (".632+", ".632", "out-of-bag", "optimism"):
        e = referee.evaluate(GaussianNB(), X, y, by=Bootstrap(20, name), random_state=5)
        assert e.error.value == e.estimates[f"error ({name})"].value
        assert e.error.method == f"bootstrap, {name}"
        assert list(e.estimates)[1:] == [
            f"error ({n})" for n in ("out-of-bag", ".632+", ".632", "optimism")
        ]
        assert e.error.value in e.error.interval


def test_interpolating_learner_is_refused_and_out_of_bag_reported():
    X, y = noisy_wine()
    model = KNeighborsClassifier(1)
    e = referee.evaluate(model, X, y, by=Bootstrap(20), random_state=5)
    data = Dataset.of(X, y)
    family = bootstrap_family(
        run(model, data, e.plan).predictions  # 1-NN is not random: the same table
    )
    assert e.error.value == family.out_of_bag
    assert e.error.method == "bootstrap, out-of-bag"
    for name in (".632+", ".632", "optimism"):
        refused = e.estimates[f"error ({name})"]
        assert not refused.defined
        assert refused.interval is None
        assert "out-of-bag" in refused.reason
    assert "R007" in [f.code for f in e.findings]


def test_one_nearest_neighbour_resubstitution_is_0_and_no_result():
    X, y = noisy_wine()
    e = referee.evaluate(KNeighborsClassifier(1), X, y, by="resubstitution")
    assert e.training_error.value == 0
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert not e.verdict.shown
    assert not e.error.defined
    assert e.error.interval is None
    assert e.optimism is None
    assert e.findings[0].code == "R001"
    assert e.findings[0].severity == "serious"
    assert "Training error 0.0 %" in e.to_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measures": ["mcc"]}, "error only"),
        ({"measures": "macro_f1"}, "error only"),
        ({"interval": "wilson"}, "wilson"),
        ({"sample_weight": np.arange(1, 61)}, "weight"),
    ],
)
def test_what_the_bootstrap_would_leave_out_is_refused(options, says):
    X, y = noisy_wine()
    with pytest.raises(InputError, match=says):
        referee.evaluate(GaussianNB(), X, y, by="bootstrap", **options)
