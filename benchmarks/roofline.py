"""How near races come to what the machine can do: GFLOP/s and GB/s against peaks of the same run.

`python -m benchmarks.roofline` measures the peaks of one core (matrix products, copying, writing
new memory, additions and divisions in the first-level cache, bootstrap counts), then the work that
bounds each race at those peaks, and prints which share of its time that work alone would take. What
is left is what could still be won; names of groups (`kernels`, `bootstrap`, `neighbours`, `tree`,
`svm`) leave out the others. Times are CPU times, the least of several rounds, so that other
jobs on the machine disturb little.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from benchmarks.resampling import two_normals
from benchmarks.svm import classes
from referee.core.plan import Plan
from referee.fitting.run import run
from referee.intervals.one_set.bootstrap.draws import _count, _hash, thresholds
from referee.intervals.one_set.bootstrap.ranking import bootstrap_auc
from referee.kernels import ChiSquared, Gaussian, HistogramIntersection
from referee.learners import SVM
from referee.learners.neighbours.index.brute import BruteForce
from referee.learners.neighbours.index.kd_tree import KDTree
from referee.resampling import CrossValidation, LeaveOneOut

__all__ = ["Bound", "Peaks", "bounds"]

_MACHINES = ((5000, 20, "hard"), (20_000, 50, "hard"), (20_000, 50, "easy"))

_LINE = "| {} | {:.1f} ms | {} | {:.1f} ms | {:.0f} % |"


@dataclass(frozen=True)
class Peaks:
    """What one core does in a second, in units of 10^9.

    Attributes
    ----------
    product32, product64 : float
        Operations of a matrix product in single and double precision.
    copied, written : float
        Bytes copied from and to memory, and bytes written to memory that is new to the process.
    added, divided : float
        Additions, with a minimum before each, and divisions of doubles that lie in the cache.
    drawn : float
        Counts of the bootstrap: a hash of 32 bits each, compared with ten thresholds.
    """

    product32: float
    product64: float
    copied: float
    written: float
    added: float
    divided: float
    drawn: float

    @classmethod
    def measured(cls) -> Peaks:
        """Measure them."""
        n, rng = 1536, np.random.default_rng(0)
        A = rng.normal(size=(n, n))
        S = A.astype(np.float32)
        long, other = np.ones(1 << 24), np.zeros(1 << 24)
        row, sums = rng.uniform(1, 2, size=1024), np.zeros(1024)
        hashes, counts = np.zeros(8192, np.uint32), np.zeros(8192, np.uint8)
        t = thresholds(rng.random(100_000) < 0.5)
        return cls(
            product32=2 * n**3 / least(lambda: S @ S) / 1e9,
            product64=2 * n**3 / least(lambda: A @ A) / 1e9,
            copied=2 * long.nbytes / least(lambda: np.copyto(other, long)) / 1e9,
            written=128_000_000 / least(lambda: np.full(16_000_000, 1.0)) / 1e9,
            added=2 * 1024 * 4096 / least(lambda: _add_up(row, sums, 1024)) / 1e9,
            divided=1024 * 1024 / least(lambda: _divide(row, sums, 1024)) / 1e9,
            drawn=8192 * 512 / least(lambda: _draw(hashes, counts, t, 512)) / 1e9,
        )

    def __str__(self) -> str:
        return (
            f"matrix products {self.product32:.0f} GFLOP/s (f32) and {self.product64:.0f} (f64), "
            f"copies {self.copied:.1f} GB/s, new memory {self.written:.1f} GB/s, minima and sums "
            f"{self.added:.1f} G/s, divisions {self.divided:.1f} G/s (f64), "
            f"bootstrap counts {self.drawn:.1f} G/s"
        )


@dataclass(frozen=True)
class Bound:
    """A race's own time, and what its least work takes at the peaks."""

    name: str
    seconds: float
    why: str
    least: float

    def __str__(self) -> str:
        share = 100 * self.least / self.seconds
        return _LINE.format(self.name, 1e3 * self.seconds, self.why, 1e3 * self.least, share)


def least(job: Callable[[], Any], rounds: int = 7) -> float:
    """Return the least CPU time of a job, which is run once before."""
    job()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def bounds(peaks: Peaks, names: Sequence[str] = ()) -> Iterator[Bound]:
    """Measure the races and what bounds them, or only those named."""
    groups: dict[str, Callable[[], Iterable[Bound]]] = {
        "kernels": lambda: _kernels(peaks),
        "bootstrap": lambda: (_bootstrap(peaks, *of) for of in ((100_000, 400), (1_000_000, 40))),
        "neighbours": lambda: _neighbours(peaks),
        "tree": lambda: [_tree(peaks)],
        "svm": lambda: (_machine(*of) for of in _MACHINES),
    }
    for name in names or groups:
        yield from groups[name]()


def _kernels(peaks: Peaks, n: int = 4000, d: int = 100) -> list[Bound]:
    X = np.random.default_rng(0).dirichlet(np.ones(d), n)
    written = n * n * 8 / (peaks.written * 1e9)
    mirrored = n * n * 8 / (peaks.copied * 1e9)
    pairs = n * n / 2 * d / 1e9
    parts = (
        (HistogramIntersection(), 2 * pairs / peaks.added, "a minimum and a sum a feature"),
        (ChiSquared(), pairs / 4 / peaks.divided + 4 * pairs / peaks.added, "a division for four"),
        (Gaussian(gamma=1.0), 2 * n * n * d / 2 / (peaks.product64 * 1e9), "the product"),
    )
    return [
        Bound(
            f"{type(kernel).__name__} matrix, n=4k d=100, float64",
            least(lambda k=kernel: k.gram(X, dtype=np.float64), 3),
            f"{why}; new memory, mirrored",
            work + written + mirrored,
        )
        for kernel, work, why in parts
    ]


def _bootstrap(peaks: Peaks, n: int, rounds: int) -> Bound:
    rng = np.random.default_rng(0)
    positive = rng.random(n) < 0.5
    scores = rng.normal(size=n) + positive
    seconds = least(lambda: bootstrap_auc(positive, scores, rounds=rounds), 3)
    sorting = least(lambda: np.argsort(-scores, kind="stable"), 3)
    return Bound(
        f"AUC bootstrap, n = {n:,}, {rounds} replicates",
        seconds,
        "a hash and ten comparisons a case; one sort",
        rounds * n / (peaks.drawn * 1e9) + sorting,
    )


def _neighbours(peaks: Peaks) -> list[Bound]:
    data, model = two_normals(2000, 20), KNeighborsClassifier()
    n, d = data.X.shape
    product = 2 * n * n * (d + 1) / (peaks.product32 * 1e9)
    made = []
    for title, scheme in (
        ("leave-one-out", LeaveOneOut()),
        ("10x10 cross-validation", CrossValidation(10, 10, halves=0)),
    ):
        plan: Plan = scheme.plan(data, 0)
        seconds = least(lambda p=plan: run(model, data, p), 5)
        why = "one product of all pairs (f32)"
        made.append(Bound(f"run(k-NN, {title}), n=2000 d=20", seconds, why, product))
    index = BruteForce.of(data.X)
    for k in (6, 17):
        seconds = least(lambda k=k: index.query(data.X, k))
        why = "one product of all pairs (f32)"
        made.append(Bound(f"lists of {k} neighbours, n=2000 d=20", seconds, why, product))
    return made


def _tree(peaks: Peaks, n: int = 100_000, d: int = 2) -> Bound:
    X = np.random.default_rng(0).normal(size=(n, d))
    levels = int(np.ceil(np.log2(n / 16)))
    moved = levels * n * (d + 1) * 8 * 2
    return Bound(
        f"a k-d tree of {n:,} rows, d={d}",
        least(lambda: KDTree.of(X)),
        f"{levels} levels, all rows read and written in each",
        moved / (peaks.copied * 1e9),
    )


def _machine(n: int, d: int, kind: str) -> Bound:
    X, y = classes(n, d, kind)
    kernel, some = Gaussian(gamma=1 / d), np.arange(512)
    support = len(SVM(kernel=kernel).fit(X, y).support_)
    rows, out = kernel.prepare(X, np.float32), np.empty((len(some), n), np.float32)
    value = least(lambda: rows.block(some, out=out)) / out.size
    return Bound(
        f"RBF SVM, n={n} d={d}, {kind}",
        least(lambda: SVM(kernel=kernel).fit(X, y), 2),
        f"each kernel value of {support} support vectors once (f32), as measured",
        value * (support * n - support**2 / 2),
    )


@njit
def _add_up(row: Any, sums: Any, times: int) -> None:
    """Add minima to sums, four at a time, as long as the values stay in the cache."""
    for t in range(times):
        a, b, c, e = 1.1 + t, 1.3 + t, 1.5 + t, 1.7 + t
        for j in range(len(row)):
            x = row[j]
            sums[j] += ((a if a < x else x) + (b if b < x else x)) + (
                (c if c < x else x) + (e if e < x else x)
            )


@njit(error_model="numpy")
def _divide(row: Any, sums: Any, times: int) -> None:
    for t in range(times):
        for j in range(len(row)):
            sums[j] += t / row[j]


def _draw(hashes: Any, counts: Any, t: Any, times: int) -> None:
    """Draw counts that stay in the cache, as the bootstrap does in blocks."""
    for seed in range(times):
        _hash(hashes, 0, np.uint32(0x9E3779B9), np.uint32(seed), np.uint32(7))
        _count(hashes, t, counts)


if __name__ == "__main__":
    with threadpool_limits(1):
        peaks = Peaks.measured()
        print(f"One core: {peaks}.\n")
        print("| job | CPU | its least work | at the peaks | share |\n|---|---:|---|---:|---:|")
        for bound in bounds(peaks, sys.argv[1:]):
            print(bound, flush=True)
