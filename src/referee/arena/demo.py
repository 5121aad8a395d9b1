"""A demonstration: handwritten digits, six teams with different learners, a board to look at."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from referee.arena.accounts.account import Role
from referee.arena.accounts.accounts import add_account
from referee.arena.arena import Arena, create_arena
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.benchmark.request import BenchmarkRequest
from referee.arena.scoring.submitting import submit

__all__ = ["Demo", "build_demo"]

_RULES = """Each case is an image of 8 by 8 pixels; which digit was written?

Train on train.csv, predict the cases of test.csv, and send a file like example.csv. A team has five
tries a day. A score is shown when it beats the team's best by a whole step; the private half of the
test cases is opened once, at the end.
"""


@dataclass(frozen=True)
class Demo:
    """What a demonstration made.

    Attributes
    ----------
    directory : Path
        The arena.
    slug : str
        Its benchmark.
    organiser, participant : str
        Names of two accounts.
    password : str
        Of both.
    """

    directory: Path
    slug: str
    organiser: str
    participant: str
    password: str


def learners() -> dict[str, list[Any]]:
    """Return the models of each team, in the order in which they are sent."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "Team Forest": [
            RandomForestClassifier(10, random_state=0),
            RandomForestClassifier(100, random_state=0),
        ],
        "Team Neighbours": [KNeighborsClassifier(25), KNeighborsClassifier(3)],
        "Team Margin": [SVC(C=0.01), SVC(C=3.0)],
        "Team Logit": [LogisticRegression(C=1e-3, max_iter=2000)],
        "Team Bayes": [GaussianNB()],
        "Team Tree": [
            DecisionTreeClassifier(max_depth=4, random_state=0),
            DecisionTreeClassifier(random_state=0),
        ],
    }


def build_demo(directory: Path) -> Demo:
    """Make an arena with a benchmark and six teams, each fitted and scored for real."""
    password = secrets.token_urlsafe(9)
    sources = directory / "sources"
    sources.mkdir(parents=True)
    request = _digits(sources)
    home = directory / "arena"
    with create_arena(home, registration="open") as arena:
        slug = create_benchmark(arena, request, seed=0)
        add_account(arena, "organiser", password, role=Role.ORGANISER)
        train = pd.read_csv(arena.places.file(slug, 1, "train"))
        test = pd.read_csv(arena.places.file(slug, 1, "test"))
        for team, models in learners().items():
            _take_part(arena, team, password, slug, models, train, test)
    for path in sources.iterdir():
        path.unlink()  # it holds the labels
    sources.rmdir()
    return Demo(home, slug, "organiser", "Team Forest", password)


def _digits(folder: Path) -> BenchmarkRequest:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    frame = pd.DataFrame(bunch.data.astype(int), columns=[f"p{k}" for k in range(64)])
    frame.insert(0, "id", [f"d{k:04}" for k in range(len(frame))])
    frame["digit"] = bunch.target
    frame = frame.sample(frac=1, random_state=0)
    frame[:600].to_csv(folder / "train.csv", index=False)
    frame[600:].to_csv(folder / "test.csv", index=False)
    return BenchmarkRequest(
        name="Handwritten digits",
        train=folder / "train.csv",
        test=folder / "test.csv",
        target="digit",
        id_column="id",
        rules=_RULES,
    )


def _take_part(
    arena: Arena,
    team: str,
    password: str,
    slug: str,
    models: list[Any],
    train: pd.DataFrame,
    test: pd.DataFrame,
) -> None:
    account = add_account(arena, team, password)
    X, y = train.drop(columns=["id", "digit"]), train["digit"]
    for model in models:
        answers = model.fit(X, y).predict(test.drop(columns="id"))
        table = pd.DataFrame({"id": test["id"], "prediction": answers})
        submit(arena, account, slug, table.to_csv(index=False).encode(), note=str(model)[:200])
