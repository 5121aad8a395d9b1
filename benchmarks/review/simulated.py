"""Situations whose figure is a share of simulated data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats

import referee
from benchmarks.review.row import Row, at_least, at_most

__all__ = ["rows"]


def rows(rounds: int) -> Iterator[Row]:
    """Yield every figure that is simulated, from so many data sets each."""
    parts = (_near_one, _rankings, _permutation, _rates, _losses, _areas, _time, _forward, _weights)
    for part in parts:
        yield from part(rounds)


def _held(rounds: int, one: Callable[[np.random.Generator], bool | None]) -> tuple[float, int]:
    """Return the share of data sets in which something holds, of those that are not refused."""
    outcomes = [one(np.random.default_rng([16, r])) for r in range(rounds)]
    told = [o for o in outcomes if o is not None]
    return float(np.mean(told)), len(told)


def _covers(made: Any, name: str, truth: float) -> bool | None:
    interval = made.estimates[name].interval
    return None if interval is None else bool(interval.low <= truth <= interval.high)


def _truth_of(name: str, shift: float, share: float, n: int) -> float:
    """Return the mean of a measure over large samples of the same law."""
    from referee.measures.formulas.precision_recall import average_precision
    from referee.measures.formulas.roc import auc_k, roc_curve

    rng, values = np.random.default_rng(5), []
    for _ in range(400 if name == "auc50" else 20):
        m = n if name == "auc50" else 100_000
        y = rng.random(m) < share
        curve = roc_curve(y, rng.normal(size=m) + shift * y)
        values.append(auc_k(curve) if name == "auc50" else average_precision(curve))
    return float(np.mean(values))


def _near_one(rounds: int) -> Iterator[Row]:
    """Average precision of rankings that are nearly perfect, as many of either class."""
    for auc, m, was in ((0.98, 30, ".83"), (0.999, 100, ".61")):
        shift = stats.norm.ppf(auc) * math.sqrt(2)
        truth = _truth_of("average_precision", shift, 0.5, 2 * m)
        y = np.repeat([0, 1], m)

        def one(rng: np.random.Generator, y=y, shift=shift, truth=truth):  # type: ignore[no-untyped-def]
            s = rng.normal(size=len(y)) + shift * y
            name = "average_precision"
            made = referee.evaluate_predictions(y, y, y_score=s, measures=[name])
            return _covers(made, name, truth)

        share, n = _held(rounds, one)
        yield at_least(1, f"AP at AUC {auc:g}, {m} + {m}: coverage", was, 0.93, share, n)


def _rankings(rounds: int) -> Iterator[Row]:
    """Measures of rankings of test sets drawn as a whole, a fifth positive."""
    for n in (300, 1000):
        for name, was in (("average_precision", ".893"), ("auc50", ".90")):
            truth = _truth_of(name, 1.5, 0.2, n)

            def one(rng, n=n, name=name, truth=truth):  # type: ignore[no-untyped-def]
                y = (rng.random(n) < 0.2).astype(int)
                s = rng.normal(size=n) + 1.5 * y
                made = referee.evaluate_predictions(y, y, y_score=s, measures=[name])
                return _covers(made, name, truth)

            share, told = _held(rounds, one)
            yield at_least(2, f"{name}, n {n}: coverage", was, 0.93, share, told)


def _permutation(rounds: int) -> Iterator[Row]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    sizes = np.arange(30) % 10 + 1
    groups = np.repeat(np.arange(30), sizes)

    def one(rng: np.random.Generator) -> bool:
        made = referee.permutation_test(
            LinearDiscriminantAnalysis(),
            rng.normal(size=(len(groups), 3)),
            (sizes > 5).astype(int)[groups],
            groups=groups,
            permutations=99,
            random_state=int(rng.integers(2**31)),
        )
        return made.p_value <= 0.05

    share, n = _held(rounds, one)
    yield at_most(3, "noise, label = group of more than five: size", ".77", 0.06, share, n)


def _rates(rounds: int) -> Iterator[Row]:
    """Balanced accuracy where heavy cases err more, and where groups err together."""

    def weighted(rng: np.random.Generator) -> bool | None:
        y, heavy = np.arange(240) % 2, rng.random(240) < 0.1
        wrong = rng.random(240) < np.where(heavy, 0.5, 0.1)
        made = referee.evaluate_predictions(
            y, y ^ wrong, sample_weight=np.where(heavy, 10.0, 1.0), measures=["balanced_accuracy"]
        )
        return _covers(made, "balanced_accuracy", 1 - (0.1 * 10 * 0.5 + 0.9 * 0.1) / 1.9)

    def grouped(rng: np.random.Generator) -> bool | None:
        groups, y = np.repeat(np.arange(24), 10), np.tile([0, 1], 120)
        bad = rng.random(24) < 0.25
        wrong = rng.random(240) < np.where(bad[groups], 0.6, 0.05)
        made = referee.evaluate_predictions(
            y, y ^ wrong, groups=groups, measures=["balanced_accuracy"]
        )
        return _covers(made, "balanced_accuracy", 1 - (0.25 * 0.6 + 0.75 * 0.05))

    for what, one, was in (("weights", weighted, ".66"), ("groups", grouped, ".87")):
        share, n = _held(rounds, one)
        yield at_least(5, f"balanced accuracy with {what}: coverage", was, 0.945, share, n)


def _probabilities(rng, n, prior, group):  # type: ignore[no-untyped-def]
    """Return classes and probabilities; groups share class and half the noise."""
    if group is None:
        y, noise = rng.random(n) < prior, rng.standard_normal(n)
    else:
        many = group.max() + 1
        y = (rng.random(many) < prior)[group]
        noise = (rng.standard_normal(many)[group] + rng.standard_normal(n)) / math.sqrt(2)
    odds = 1.5 * (noise + 1.5 * y) - 1.5**2 / 2 + math.log(prior / (1 - prior))
    return y.astype(int), 1 / (1 + np.exp(-2.5 * odds))


def _losses(rounds: int) -> Iterator[Row]:
    """Log loss, Brier score and cost of a model that is too sure, through the front door."""
    names = ("log_loss", "brier", "cost")
    cells = (
        ("n 30, 1:10", 30, 1 / 11, None, (".871", ".892", ".810")),
        ("15 groups of 5", 75, 0.5, np.arange(75) % 15, (".87", ".89", ".91")),
    )
    for what, n, prior, group, was in cells:
        y, p = _probabilities(np.random.default_rng(99), 1_000_000, prior, None)
        own = np.where(y == 1, p, 1 - p)
        cost = np.where(y == 1, 5.0 * (p < 1 / 6), 1.0 * (p >= 1 / 6))
        known = dict(zip(names, (-np.log(own), (1 - own) ** 2, cost), strict=True))
        hits: dict[str, list[bool]] = {name: [] for name in names}
        for r in range(rounds):
            y, p = _probabilities(np.random.default_rng([7, r]), n, prior, group)
            if y.min() == y.max():
                continue
            made = referee.evaluate_predictions(
                y,
                (p >= 1 / 6).astype(int),
                y_score=p,
                groups=group,
                measures=list(names),
                costs=(1.0, 5.0),
            )
            for name in names:
                held = _covers(made, name, float(known[name].mean()))
                hits[name] += [] if held is None else [held]
        for name, before in zip(names, was, strict=True):
            told = len(hits[name])
            note = f" (given in {told / rounds:.2f})" if told < rounds else ""
            share = float(np.mean(hits[name]))
            yield at_least(7, f"{name}, {what}: coverage{note}", before, 0.93, share, told)


def _areas(rounds: int) -> Iterator[Row]:
    for groups, was in ((6, ".88"), (8, ".89")):
        unit = np.repeat(np.arange(groups), 10)

        def one(rng, unit=unit, groups=groups):  # type: ignore[no-untyped-def]
            y = (rng.random(len(unit)) < 0.5).astype(int)
            noise = rng.standard_normal(groups)[unit] + rng.standard_normal(len(unit))
            s = noise / math.sqrt(2) + stats.norm.ppf(0.8) * math.sqrt(2) * y
            made = referee.evaluate_predictions(y, y, y_score=s, groups=unit, measures=["auc"])
            return _covers(made, "auc", 0.8)

        share, n = _held(rounds, one)
        yield at_least(7, f"AUC .8, {groups} groups of 10: coverage", was, 0.93, share, n)


def _persistent(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return labels that stay with probability .95."""
    flips = rng.random(n) >= 0.95
    flips[0] = rng.random() < 0.5
    return np.cumsum(flips) % 2


def _time(rounds: int) -> Iterator[Row]:
    """A fixed model that errs on one class more, and cases of that class come in runs."""
    for n, was in ((50, ".752"), (300, ".72"), (1000, ".655")):

        def one(rng, n=n):  # type: ignore[no-untyped-def]
            y = _persistent(n, rng)
            wrong = rng.random(n) < np.where(y == 1, 0.35, 0.05)
            made = referee.evaluate_predictions(y, y ^ wrong, time=np.arange(n), labels=[0, 1])
            return _covers(made, "error", 0.2)

        share, told = _held(rounds, one)
        yield at_least(8, f"predictions in time, n {n}: coverage", was, 0.90, share, told)


def _forward(rounds: int) -> Iterator[Row]:
    """Forward validation of a learner, labels that persist, without and with drift."""
    from sklearn.naive_bayes import GaussianNB

    for n, drift, was in ((300, 0.0, "-"), (300, 1.0, ".72"), (1000, 1.0, ".655")):
        few = max(40, rounds // 4)

        def one(rng, n=n, drift=drift):  # type: ignore[no-untyped-def]
            return _forward_holds(GaussianNB(), n, drift, rng)

        share, told = _held(few, one)
        what = f"forward validation, n {n}, drift {drift:g}: coverage"
        yield at_least(8, what, was, 0.90, share, told)


def _forward_holds(model: Any, n: int, drift: float, rng: np.random.Generator) -> bool | None:
    """Tell whether the interval holds the mean risk over the stretch that was tested.

    Each split's model has a true risk at each moment, by the law of the cases then; the labels'
    own persistence is averaged out, for either label is as likely in the long run.
    """
    y = _persistent(n, rng)
    when = np.arange(n)
    middle = drift * when / n
    x = rng.standard_normal(n) + 2.0 * (y - 0.5) + middle
    made = referee.evaluate(model, x[:, None], y, time=when, random_state=0, measures=["error"])
    interval = made.error.interval
    if interval is None:
        return None
    risks = []
    for split in made.grounds.plan.splits:
        fitted = model.fit(x[split.train][:, None], y[split.train])
        risks += [_risk(fitted, middle[t]) for t in split.test]
    return bool(interval.low <= np.mean(risks) <= interval.high)


def _risk(fitted: Any, middle: float) -> float:
    """Return the risk of a rule of one feature, by a fine grid of it."""
    grid = np.linspace(-5, 5, 401) + middle
    answers = fitted.predict(grid[:, None])
    weight = [stats.norm.pdf(grid - middle - s) for s in (-1.0, 1.0)]
    wrong = [np.sum(w[answers != c]) / np.sum(w) for c, w in enumerate(weight)]
    return float(np.mean(wrong))


def _weights(rounds: int) -> Iterator[Row]:
    """Two cases in a hundred weigh 50 and err more often."""

    def one(rng: np.random.Generator) -> bool | None:
        y, heavy = np.arange(500) % 2, rng.random(500) < 0.02
        wrong = rng.random(500) < np.where(heavy, 0.5, 0.1)
        w = np.where(heavy, 50.0, 1.0)
        made = referee.evaluate_predictions(y, y ^ wrong, sample_weight=w)
        return _covers(made, "error", (0.02 * 50 * 0.5 + 0.98 * 0.1) / (0.02 * 50 + 0.98))

    share, n = _held(rounds, one)
    yield at_least(9, "one case in 50 weighs 50 and errs more: coverage", ".864", 0.93, share, n)
