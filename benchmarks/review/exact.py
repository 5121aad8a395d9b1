"""Situations whose figure is computed or enumerated, without chance."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import referee
from benchmarks.review.row import Row, at_least, at_most, near, told

__all__ = ["rows"]


def rows() -> Iterator[Row]:
    """Yield every figure that needs no simulation."""
    for part in (_rankings, _holdouts, _friedman, _rates, _groups, _statements, _paired, _own_task):
        yield from part()


def _ends(interval: referee.Interval) -> str:
    return f"({interval.low:.5f}, {interval.high:.5f})"


def _rankings() -> Iterator[Row]:
    y, s = np.repeat([0, 1], 30), np.arange(60.0)
    s[[29, 30]] = s[[30, 29]]
    names = ["average_precision", "auc50", "auc"]
    made = referee.evaluate_predictions(y, y, y_score=s, measures=names).estimates
    was = {"average_precision": "(.99482, .99665)", "auc50": "(.9946, .9968)", "auc": "(.931, 1)"}
    for name in names:
        e = made[name]
        assert e.interval is not None
        inside = e.interval.low <= e.value <= e.interval.high
        text = f"{e.value:.5f} in {_ends(e.interval)}"
        yield told(1, f"{name}, two of 60 swapped", was[name], "holds its value", text, inside)
    groups = np.arange(60) % 20
    e = referee.evaluate_predictions(
        y, y, y_score=np.arange(60.0), groups=groups, measures=["partial_auc"]
    ).estimates["partial_auc"]
    assert e.interval is not None
    wide = e.interval.low < e.interval.high
    what = "partial AUC, perfect, 20 groups"
    yield told(1, what, "(.09975, .09975)", "some width", _ends(e.interval), wide)


def _holdouts() -> Iterator[Row]:
    """Count measures whose value lies outside its interval, on twenty holdouts of each set."""
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    names = ["average_precision", "auc50", "auc", "partial_auc"]
    for load, was in ((load_iris, "9"), (load_wine, "8"), (load_breast_cancer, "4")):
        X, y = load(return_X_y=True)
        X, y = (X, y) if y.max() == 1 else (X[y > 0], y[y > 0] - 1)
        outside = 0
        for seed in range(20):
            a, b, u, v = train_test_split(X, y, test_size=0.4, random_state=seed, stratify=y)
            p = make_pipeline(StandardScaler(), LogisticRegression()).fit(a, u).predict_proba(b)
            made = referee.evaluate_predictions(
                v, (p[:, 1] > 0.5).astype(int), y_score=p[:, 1], measures=names
            ).estimates.values()
            outside += any(
                e.interval is not None and not e.interval.low <= e.value <= e.interval.high
                for e in made
            )
        what = f"holdouts of 20 with a value outside, {load.__name__[5:]}"
        yield at_most(1, what, was, 0, outside)


def _friedman() -> Iterator[Row]:
    from referee.significance import iman_davenport

    table = np.array([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [0.9, 0.7, 0.8]])
    right = 7 / 36
    yield near(4, "Iman-Davenport, three data sets", ".0494", right, iman_davenport(table).p_value)


def _rates() -> Iterator[Row]:
    truth = np.repeat([0, 1, 2], 30)
    answers = np.where(truth == 2, 2, 1 - truth)
    e = referee.evaluate_predictions(
        truth, answers, measures=["informedness"], pos_label=2
    ).estimates["informedness"]
    assert e.interval is not None
    holds = e.interval.low < 1 == e.interval.high
    what = "informedness of three classes, 1.0"
    yield told(5, what, "(.18, .41)", "holds 1", _ends(e.interval), holds)
    y = np.repeat([0, 1], 20)
    made = referee.evaluate_predictions(y, np.ones(40, int), measures=["tnr", "fpr"]).estimates
    for name, was in (("tnr", "(0, -2e-16)"), ("fpr", "(1.0000000000000002, 1)")):
        i = made[name].interval
        assert i is not None
        ordered = 0 <= i.low < i.high <= 1
        yield told(10, f"{name} of one answer", was, "ends in order", _ends(i), ordered)


def _groups() -> Iterator[Row]:
    groups, truth = np.repeat(np.arange(12), 5), np.arange(60) % 2

    def answers(k: int) -> np.ndarray:
        given = truth.copy()
        given[5 * np.arange(k)] ^= 1
        return given

    made = [
        referee.evaluate_predictions(truth, answers(k), groups=groups, max_error=0.25)
        for k in range(13)
    ]
    highs = np.array([e.error.interval.high for e in made])
    text = " ".join(f"{h:.3f}" for h in highs[[0, 4, 8, 11, 12]])
    yield told(
        6,
        "upper ends at 0, 4, 8, 11, 12 errors in 12 groups",
        ".265 .21 .25 .304 .520",
        "never falls",
        text,
        bool((np.diff(highs) >= -1e-12).all()),
    )
    said = [made[k].verdict.outcome for k in (0, 8)]
    fair = not (said[0] == "undecided" and said[1] == "pass")
    yield told(6, "max_error .25: no error, eight errors", "undecided, pass", "in order",
               ", ".join(said), fair)  # fmt: skip
    pair = referee.compare_predictions(truth, {"a": truth, "b": answers(12)}, groups=groups).pairs[
        0
    ]
    i = pair.difference.interval
    assert i is not None
    agrees = i.high < 0 and pair.evidence.p_value < 0.05
    text = f"({i.low:.3f}, {i.high:.3f}), p {pair.evidence.p_value:.4f}"
    yield told(6, "a wins in 12 of 12 groups", "(-.108, .451), p < .001", "agree", text, agrees)


def _statements() -> Iterator[Row]:
    y, s = np.repeat([0, 1], 10), np.arange(20.0)
    both = {"a": y, "b": 1 - y}
    made = referee.compare_predictions(y, both, y_scores={"a": s, "b": -s}, measure="auc")
    p = made.pairs[0].evidence.p_value
    yield at_most(11, "AUC 1 against 0 with 10 + 10, p", ".052", 0.05, p)
    rows = referee.sample_size(a=0.0, b=1.0, paired=False).scenarios[-1].rows
    yield near(11, "sample_size(a=0, b=1): cases each, by exact power", "2", 3, float(rows or 0))
    yield from _unpaired()


def _unpaired() -> Iterator[Row]:
    from referee.intervals.catalogue import DIFFERENCE_INTERVALS
    from referee.significance.comparison_test import ComparisonSituation
    from referee.study.calibration.fixed.exact_unpaired import unpaired_coverage

    default = DIFFERENCE_INTERVALS.choose(ComparisonSituation(n=50, paired=False))
    for (m, n), was in (((10, 10), ".884"), ((20, 20), ".899")):
        least = unpaired_coverage(default.name, default.compute, m, n).worst
        yield at_least(15, f"{default.name}, {m} + {n}, least coverage", was, 0.95, least)


def _paired() -> Iterator[Row]:
    from referee.intervals.difference.exact_paired import exact_paired
    from referee.intervals.difference.paired import tango
    from referee.measures.formulas.paired_counts import PairedCounts

    shares = np.r_[0.002, 0.01, 0.03, np.linspace(0.05, 0.95, 19)]
    for n in (5, 10, 20, 30, 50):
        tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
        counts = [PairedCounts(n - b - c, b, c, 0) for b, c in tables]
        made, score = [exact_paired(k) for k in counts], [tango(k) for k in counts]
        low, high = (np.array([getattr(i, end) for i in made]) for end in ("low", "high"))
        least, wider = _covered(n, np.array(tables), low, high, shares, (made, score))
        yield at_least(13, f"exact-paired, n {n}, least coverage", "none", 0.95, least)
        yield at_most(13, f"exact-paired, n {n}, mean width over Tango's", "none", 1.12, wider)


def _covered(n, tables, low, high, shares, pair):  # type: ignore[no-untyped-def]
    """Return the least coverage over shares, and the expected width over the other's."""
    from scipy import special

    b, c = tables.T
    many = special.gammaln(n + 1) - sum(special.gammaln(k + 1) for k in (b, c, n - b - c))
    mine, other = (np.array([i.width for i in made]) for made in pair)
    coverage, ratios = [], []
    for p in shares:
        for q in shares[shares < 1 - p - 1e-9]:
            chance = np.exp(many + b * np.log(p) + c * np.log(q) + (n - b - c) * np.log(1 - p - q))
            coverage.append(chance[(low <= q - p + 1e-12) & (q - p <= high + 1e-12)].sum())
            ratios.append(chance @ mine / (chance @ other))
    return min(coverage), float(np.mean(ratios))


def _own_task() -> Iterator[Row]:
    from typer.testing import CliRunner

    from referee.cli.app import app

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_text(
            'learner = "nb"\nsizes = [30]\nrepetitions = 3\n[task]\n'
            "means = [[-1.0, 0.0], [1.0, 0.0]]\ncovariances = [[1.0, 0.0], [0.0, 1.0]]\n"
        )
        out = CliRunner().invoke(
            app,
            ["study", "calibration", "--method", "wilson", "--task", str(file),
             "--out", str(Path(folder) / "out")],
        )  # fmt: skip
    yield told(16, "--method NAME --task FILE", "none", "exit 0", f"exit {out.exit_code}",
               out.exit_code == 0)  # fmt: skip
