"""The small tables that the saved commands read, the same on every machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris

__all__ = ["write_tables"]


def write_tables(folder: Path) -> None:
    """Write every table as CSV; floats are written so that they are read back exactly."""
    for name, frame in _tables().items():
        frame.to_csv(folder / f"{name}.csv", index=False)


def _tables() -> dict[str, pd.DataFrame]:
    iris, answers = _iris(), _answers()
    return {
        "iris": iris,
        "iris-train": iris[:100],
        "iris-test": iris[100:],
        "tumours": _tumours(),
        "patients": _patients(),
        "tiny": _tiny(),
        "noise": _noise(),
        "flawed": _flawed(),
        "answers": answers,
        "answers-a": _of_one_model(answers, "a"),
        "answers-b": _of_one_model(answers, "b").sample(frac=1, random_state=1),
        "hospital-a": _of_one_model(_answers(150, 1), "a"),
        "hospital-b": _of_one_model(_answers(110, 2), "b"),
        "grades": _grades(),
        "flawless": _flawless(),
        "scores": _scores(),
    }


def _iris() -> pd.DataFrame:
    """Three classes; plants of three flowers each, weights, and a day for each flower."""
    bunch = load_iris()
    frame = pd.DataFrame(bunch.data, columns=["sl", "sw", "pl", "pw"])
    frame["species"] = bunch.target_names[bunch.target]
    frame["plant"] = np.arange(150) // 3
    frame["weight"] = 1.0 + frame.plant % 3
    frame["day"] = np.random.default_rng(0).permutation(150)
    return frame.sample(frac=1, random_state=0).reset_index(drop=True)


def _tumours() -> pd.DataFrame:
    """Two classes, 160 rows of the Wisconsin data and six features that differ."""
    bunch = load_breast_cancer()
    chosen = [0, 1, 4, 5, 8, 9]
    frame = pd.DataFrame(bunch.data[:, chosen], columns=[f"f{i}" for i in chosen])
    frame["diagnosis"] = bunch.target_names[bunch.target]
    return frame.sample(160, random_state=0).reset_index(drop=True)


def _patients() -> pd.DataFrame:
    """Numbers, categories and gaps; four visits of each patient, ordered in time."""
    rng = np.random.default_rng(3)
    patient = np.repeat(np.arange(30), 4)
    ill = (rng.random(30) < 0.4)[patient]
    age = 50 + 8 * ill + rng.normal(0, 9, 120)
    return pd.DataFrame(
        {
            "patient": patient,
            "visit": rng.permutation(120),
            "age": np.where(rng.random(120) < 0.08, np.nan, age.round(1)),
            "pressure": (120 + 6 * ill + rng.normal(0, 8, 120)).round(),
            "ward": rng.choice(["east", "north", "west"], 120),
            "outcome": np.where(ill ^ (rng.random(120) < 0.1), "ill", "well"),
        }
    )


def _tiny() -> pd.DataFrame:
    """Two overlapping normal classes, 60 rows: cheap enough for hundreds of fits."""
    rng = np.random.default_rng(1)
    label = np.arange(60) % 2
    frame = pd.DataFrame(rng.normal(size=(60, 2)) + 1.4 * label[:, None], columns=["x1", "x2"])
    frame["pair"] = np.arange(60) // 2 % 15
    frame["label"] = np.where(label == 1, "b", "a")
    return frame


def _noise() -> pd.DataFrame:
    """No structure at all: nothing is to be shown."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(40, 3)), columns=["x1", "x2", "x3"])
    frame["label"] = rng.choice(["a", "b"], 40)
    return frame


def _flawed() -> pd.DataFrame:
    """Sorted by class, with a rare class, a column without values and one that is the class."""
    rng = np.random.default_rng(7)
    label = np.repeat(["a", "b", "c"], [30, 27, 3])
    return pd.DataFrame(
        {
            "x": rng.normal(size=60) + (label == "b"),
            "empty": np.full(60, np.nan),
            "same": np.repeat([3, 1, 2], [30, 27, 3]),
            "label": label,
        }
    )


def _answers(n: int = 160, seed: int = 0) -> pd.DataFrame:
    """Truth, answers and scores of three models, wards of four, weights; one row per case."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["ill", "well"], n)
    other = np.where(truth == "ill", "well", "ill")
    columns = {
        "id": [f"p{i:03d}" for i in range(n)],
        "y": truth,
        "ward": np.arange(n) // 4,
        "weight": rng.integers(1, 4, n).astype(float),
    }
    for name, share, signal in (("a", 0.08, 0.5), ("b", 0.16, 0.4), ("c", 0.2, 0.3)):
        columns[name] = np.where(rng.random(n) < share, other, truth)
        score = (truth == "ill") * signal + rng.random(n) * (1 - signal)
        columns[f"{name}_score"] = score.round(3)
    return pd.DataFrame(columns)


def _of_one_model(answers: pd.DataFrame, name: str) -> pd.DataFrame:
    frame = answers[["id", "y", "ward", name, f"{name}_score"]]
    return frame.set_axis(["id", "y", "ward", "pred", "score"], axis=1)


def _grades() -> pd.DataFrame:
    """Three classes and two models."""
    rng = np.random.default_rng(4)
    grades = np.array(["high", "low", "middle"])
    truth = rng.choice(3, 120, p=[0.2, 0.5, 0.3])
    frame = pd.DataFrame({"y": grades[truth]})
    for name, share in (("a", 0.15), ("b", 0.3)):
        shifted = (truth + rng.integers(1, 3, 120)) % 3
        frame[name] = grades[np.where(rng.random(120) < share, shifted, truth)]
    return frame


def _flawless() -> pd.DataFrame:
    """A model without errors and its copy, and one that errs once."""
    truth = np.array(["no", "yes"])[np.arange(40) % 2]
    once = truth.copy()
    once[7] = "no"
    return pd.DataFrame({"y": truth, "a": truth, "copy": truth, "once": once})


def _scores() -> pd.DataFrame:
    """Accuracies of four models on twelve data sets, with a tie."""
    rng = np.random.default_rng(6)
    base = rng.uniform(0.6, 0.95, 12)
    frame = pd.DataFrame({"set": [f"set-{i}" for i in range(12)]})
    for name, gain in (("old", 0.0), ("wide", 0.01), ("deep", 0.03), ("new", 0.035)):
        frame[name] = (base + gain + rng.normal(0, 0.012, 12)).round(3)
    frame.loc[3, "deep"] = frame.loc[3, "new"]
    return frame
