"""A demonstration: handwritten digits, six teams with different learners, a board to look at.

The models are fitted and scored for real; the days on which they are sent are made up, so that the
board has a history: one file every nine hours, the last one an hour ago.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pandas as pd

from referee.arena.accounts.account import Account, Role
from referee.arena.accounts.accounts import add_account
from referee.arena.arena import Arena, create_arena
from referee.arena.benchmark.creating import create_benchmark
from referee.arena.benchmark.request import BenchmarkRequest
from referee.arena.clock import system_clock, time_text
from referee.arena.scoring.submitting import submit

__all__ = ["Demo", "build_demo"]

_BETWEEN = 9
"""Hours between two files."""

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
    now = system_clock()
    request = _digits(sources, closes=time_text(now + timedelta(days=10)))
    home = directory / "arena"
    files = sum(len(models) for models in learners().values())
    time = now - timedelta(hours=1 + _BETWEEN * files)
    with create_arena(home, registration="open", clock=lambda: time) as arena:
        slug = create_benchmark(arena, request, seed=0)
        add_account(arena, "organiser", password, role=Role.ORGANISER)
        train = pd.read_csv(arena.places.file(slug, 1, "train"))
        test = pd.read_csv(arena.places.file(slug, 1, "test"))
        accounts = {team: add_account(arena, team, password) for team in learners()}
        for team, model in _in_turns(learners()):
            time += timedelta(hours=_BETWEEN)
            _send(arena, accounts[team], slug, model, train, test)
    for path in sources.iterdir():
        path.unlink()  # it holds the labels
    sources.rmdir()
    return Demo(home, slug, "organiser", "Team Forest", password)


def _in_turns(models: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    """Return who sends what: everybody's first model, then the second ones."""
    rounds = max(len(own) for own in models.values())
    return [(team, own[k]) for k in range(rounds) for team, own in models.items() if k < len(own)]


def _digits(folder: Path, *, closes: str) -> BenchmarkRequest:
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
        closes=closes,
    )


def _send(
    arena: Arena,
    account: Account,
    slug: str,
    model: Any,
    train: pd.DataFrame,
    test: pd.DataFrame,
) -> None:
    X, y = train.drop(columns=["id", "digit"]), train["digit"]
    answers = model.fit(X, y).predict(test.drop(columns="id"))
    table = pd.DataFrame({"id": test["id"], "prediction": answers})
    submit(arena, account, slug, table.to_csv(index=False).encode(), note=str(model)[:200])
