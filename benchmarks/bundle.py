"""Evidence bundles of 100 000 predictions: bytes, seconds to write, seconds to verify.

Run with ``python -m benchmarks.bundle``; there is nothing to race, so it is not part of the races.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB

import referee

N = 100_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, result in _results():
            path = Path(folder) / "kept.zip"
            start = time.process_time()
            result.to_bundle(path, force=True)
            written = time.process_time()
            verified = referee.verify(path)
            done = time.process_time()
            assert verified.verdict.shown, verified.verdict.sentence
            print(
                f"{name:<46} {path.stat().st_size / 1e6:7.2f} MB   written in "
                f"{written - start:5.2f} s, verified in {done - written:5.2f} s of CPU"
            )


def _results() -> Iterator[tuple[str, Any]]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, N)
    said = [np.where(rng.random(N) < wrong, 1 - truth, truth) for wrong in (0.1, 0.11)]
    score = truth + rng.normal(size=N)
    yield f"{N} predictions", referee.evaluate_predictions(truth, said[0])
    yield (
        f"{N} predictions with scores",
        referee.evaluate_predictions(truth, said[0], y_score=score),
    )
    yield (
        f"two models, {N} predictions each",
        referee.compare_predictions(truth, {"a": said[0], "b": said[1]}),
    )
    many = rng.integers(0, 40, N)
    wrong = np.where(rng.random(N) < 0.2, rng.integers(0, 40, N), many)
    names = np.array([f"class {k}" for k in range(40)])
    yield f"{N} predictions, 40 classes", referee.evaluate_predictions(names[many], names[wrong])
    X = rng.normal(size=(N // 10, 3)) + truth[: N // 10, None]
    yield (
        f"10 x 10-fold on {N // 10} cases",
        referee.evaluate(GaussianNB(), X, truth[: N // 10], by="10x10", random_state=0),
    )


if __name__ == "__main__":
    main()
