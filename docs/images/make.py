"""Draw the pictures of the documentation: python docs/images/make.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee
from referee.learners import (
    KNN,
    BoundaryKNN,
    CondensedKNN,
    EditedKNN,
    GaussianBayes,
    PrototypeKNN,
)
from referee.planning import acceptance_plan, operating_characteristic, sequential_plan
from referee.report.displays import (
    ConfusionDisplay,
    CostDisplay,
    IntervalDisplay,
    PrecisionRecallDisplay,
    ReductionDisplay,
    ReliabilityDisplay,
    Roc50Display,
    RocDisplay,
)
from referee.report.displays.gaussian import GaussianTaskDisplay
from referee.report.figures.picture import pictures_figure
from referee.study import (
    EXAMPLES,
    BayesErrorStudy,
    bounds,
    consistency,
    optimism,
    selection_bias,
    stopping,
    two_normals,
)

HERE = Path(__file__).parent

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :10]  # the ten means: enough for a doctor, and hard enough for a picture
y = 1 - y  # positive is malignant
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)

MODELS = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "5 nearest neighbours": KNeighborsClassifier(5),
}
SCORES = {
    name: model.fit(X_train, y_train).predict_proba(X_test)[:, 1] for name, model in MODELS.items()
}


def save(display: Any, name: str) -> None:
    """Write one picture, small enough for a repository."""
    display.figure_.savefig(HERE / f"{name}.png", dpi=110, metadata={"Software": None})
    plt.close(display.figure_)


def draw_examples() -> None:
    """Draw the notes' Gaussian tasks as `referee study example` does."""
    for number, task in EXAMPLES.items():
        X, y = task.sample(120, random_state=0)
        learners = {
            "quadratic": GaussianBayes().fit(X, y),
            "linear": GaussianBayes(covariance="shared").fit(X, y),
        }
        save(GaussianTaskDisplay(task, X, y, classifiers=learners).plot_all(), f"example-{number}")


def draw_study() -> None:
    """Draw the tables that `referee study bayes-error` wrote."""
    pictures = []
    for name in ("bayes-error", "bayes-error-by-error", "bayes-error-by-cases"):
        table = pd.read_csv(HERE / f"{name}.csv")
        pictures += BayesErrorStudy(table=table, repetitions=int(table.repetitions[0])).pictures
    figure = pictures_figure(pictures)
    figure.savefig(HERE / "bayes-error.png", dpi=90, metadata={"Software": None})
    plt.close(figure)


def draw_claims() -> None:
    """Draw what `referee study optimism`, `bounds` and `consistency` draw."""
    task = two_normals(1.0, 2)
    made = (optimism(task), bounds(task), consistency(task))
    figure = pictures_figure([picture for one in made for picture in one.pictures])
    figure.savefig(HERE / "claims.png", dpi=90, metadata={"Software": None})
    plt.close(figure)


def draw_neighbours() -> None:
    """Draw what docs/neighbours.md says about fewer cases, fewer features and consistency."""
    X, y = two_normals(1.2, 2).sample(300, random_state=0)
    rules = {
        "border kept (exact)": BoundaryKNN(),
        "condensed (Hart)": CondensedKNN(),
        "edited (Wilson)": EditedKNN(),
        "8 prototypes a class": PrototypeKNN(8, random_state=0),
    }
    save(ReductionDisplay(X, y, rules).plot(), "reduction")
    X, y = load_breast_cancer(return_X_y=True)
    selected = referee.Selected(KNN(5), random_state=0)
    path = selected.fit(StandardScaler().fit_transform(X), y).path_
    for name, made in {"selection": path, "selection-bias": selection_bias()}.items():
        figure = pictures_figure(made.pictures)
        figure.savefig(HERE / f"{name}.png", dpi=110, metadata={"Software": None})
        plt.close(figure)


def draw_sequential() -> None:
    """Draw what peeking does, and operating characteristics of acceptance plans."""
    plans = acceptance_plan(0.01)
    some = replace(plans, steps=tuple(s for s in plans.steps if s.failures in (0, 1, 3, 5)))
    curves = operating_characteristic(some, sequential_plan(0.01)).picture
    for name, pictures in {"operating": (curves,), "stopping": stopping().pictures}.items():
        figure = pictures_figure(pictures)
        figure.savefig(HERE / f"{name}.png", dpi=110, metadata={"Software": None})
        plt.close(figure)


def main() -> None:
    """Draw all of them."""
    draw_sequential()
    draw_examples()
    draw_study()
    draw_claims()
    draw_neighbours()
    logistic = {"logistic regression": SCORES["logistic regression"]}
    bayes = {"naive Bayes": SCORES["naive Bayes"]}
    save(RocDisplay.from_predictions(y_test, bayes), "roc")
    save(RocDisplay.from_predictions(y_test, SCORES, band=None), "roc_several")
    texture_and_smoothness = StandardScaler().fit(X_train).transform(X)[:, [1, 4]]
    near, far, *_ = train_test_split(
        texture_and_smoothness, test_size=0.5, random_state=0, stratify=y
    )
    save(RocDisplay.from_neighbours(near, y_train, far, y_test), "roc_neighbours")
    save(Roc50Display.from_predictions(y_test, SCORES), "roc50")
    save(PrecisionRecallDisplay.from_predictions(y_test, SCORES), "precision_recall")
    save(CostDisplay.from_predictions(y_test, bayes), "cost")
    save(ReliabilityDisplay.from_predictions(y_test, logistic, bins=8), "reliability")
    digits = load_digits()
    result = referee.evaluate(
        GaussianNB(), digits.data, digits.target, by=10, random_state=0, name="naive Bayes, digits"
    )
    save(ConfusionDisplay.from_evaluation(result), "confusion")
    result = referee.evaluate(
        GaussianNB(), X, y, by="holdout", random_state=0, name="naive Bayes, breast cancer"
    )
    save(IntervalDisplay.from_evaluation(result), "intervals")


if __name__ == "__main__":
    main()
