"""A result of every type, with names that try to break a report."""

import numpy as np
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Bar, Bars, Curve, Curves

NAMES = {
    "markup": (
        "<script>alert(1)</script>",
        "</svg></style><img src=x onerror=alert(1)> {{ 7 * 7 }}",
    ),
    "long": ("m" * 400, "a name of many words " * 20),
    "scripts": ("نموذج 🐱👩‍👩‍👧‍👦🇩🇪❤️", "מודל " + "模型分类器ﾓﾃﾞﾙ" * 9),
    "latex": ("50% & $5 #1_{x}^2 ~ \\end{document} -- ---", '[x] \\\\ "q" `b` | é'),
    "markdown": ("a|b|c {% raw %}", "*b* _c_ `d` [e](f) # g"),
    "codes": (
        "\x1b[31mred\x1b]0;title\x07\nsecond\r\n\nline",
        "\x9b2J\x00\x08 a\u202eb\u2066c\u2028d",
    ),
}


def evaluation(first, second):
    rng = np.random.default_rng(0)
    labels = np.array([first, second], dtype=object)
    truth = rng.integers(0, 2, 80)
    answers = np.where(rng.random(80) < 0.2, 1 - truth, truth)
    return referee.evaluate_predictions(
        labels[truth],
        labels[answers],
        y_score=rng.normal(size=80) + truth,
        pos_label=second,
        name=first,
    )


def many_classes(first, second):
    rng = np.random.default_rng(0)
    labels = np.array([f"{first} {k}" if k % 2 else f"{second} {k}" for k in range(40)], object)
    truth = np.repeat(np.arange(40), 5)
    answers = np.where(rng.random(200) < 0.3, rng.integers(0, 40, 200), truth)
    return referee.evaluate_predictions(labels[truth], labels[answers], name=first)


def cross_validation(first, second):
    rng = np.random.default_rng(0)
    y = np.array([first, second], dtype=object)[np.arange(60) % 2]
    X = rng.normal(size=(60, 2)) + (np.arange(60) % 2)[:, None]
    return referee.evaluate(GaussianNB(), X, y, by="2x3", name=second, random_state=0)


def comparison(first, second):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 90)
    answers = {
        name: np.where(rng.random(90) < wrong, 1 - truth, truth)
        for name, wrong in ((first, 0.1), (second, 0.25))
    }
    return referee.compare_predictions(truth, answers, rope=0.02)


def ranking(first, second):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 90)
    names = (first, second, "third")
    answers = {
        n: np.where(rng.random(90) < 0.1 * k, 1 - truth, truth) for k, n in enumerate(names, 1)
    }
    return referee.compare_predictions(truth, answers)


def datasets(first, second):
    rng = np.random.default_rng(0)
    return referee.compare_datasets(
        scores={name: rng.uniform(size=9) + k for k, name in enumerate((first, second, "third"))},
        measure=first,
        greater_is_better=True,
    )


def permutation(first, second):
    rng = np.random.default_rng(0)
    y = np.array([first, second], dtype=object)[np.arange(40) % 2]
    X = rng.normal(size=(40, 2)) + (np.arange(40) % 2)[:, None]
    return referee.permutation_test(
        GaussianNB(), X, y, by=4, permutations=20, name=first, random_state=0
    )


def scores(first, second):
    rng = np.random.default_rng(0)
    human = np.where(rng.random(120) < 0.3, rng.integers(0, 2, 120), np.nan)
    table = {
        "item": np.repeat([f"{second} {i}" for i in range(60)], 2),
        "run": np.tile([first, second], 60),
        "model": [first] * 120,
        second: rng.integers(0, 2, 120),
        "human": human,
    }
    return referee.evaluate_scores(table, score=second, at_least=0.3)


def scores_compared(first, second):
    rng = np.random.default_rng(0)
    table = {name: rng.integers(0, 2, 50) for name in (first, second)}
    return referee.compare_scores(table, rope=0.05)


def board(first, second):
    rng = np.random.default_rng(0)
    table = {n: rng.random(50) * (1 + k) for k, n in enumerate((first, second, "third", "4"))}
    return referee.board(table, limits=(0, 5))


class Named(Experiment):
    """An experiment that says and draws what it is told."""

    title = "named"

    def __init__(self, first, second):
        self.first, self.second = first, second

    def frame(self):
        import pandas as pd

        return pd.DataFrame({self.first: [1.0, 2.0], "name": [self.second, "b"]})

    @property
    def conclusion(self):
        return f"{self.first} was seen."

    @property
    def setting(self):
        return self.second

    @property
    def pictures(self):
        curve = Curve(self.first, (1.0, 2.0), (0.1, 0.2), (0.0, 0.1), (0.2, 0.3))
        return (
            Curves((curve,), self.second, self.first, self.second),
            Bars((Bar(self.first, 0.2, 0.1, 0.3, "20 %"),), self.second),
        )


def plan(first, second):
    return referee.sample_size(a=0.9, b=0.95, n=200)


def audit(first, second):
    return referee.audit_table(["99.00", "99.50"], n=900)


KINDS = {
    "evaluation": evaluation,
    "many classes": many_classes,
    "cross-validation": cross_validation,
    "comparison": comparison,
    "ranking": ranking,
    "data sets": datasets,
    "scores": scores,
    "scores compared": scores_compared,
    "board": board,
    "permutation": permutation,
    "experiment": Named,
    "plan": plan,
    "audit": audit,
}
