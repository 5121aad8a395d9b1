"""The logs that the tools themselves wrote."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.core.scores.scores import Scores
from referee.sources.logs.log import Log, column

DATA = Path(__file__).parents[3] / "sources" / "logs" / "data"


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def with_logs():
    """Return Scores that come from logs with these attributes, five questions each."""

    def build(*changes):
        logs = []
        for number, change in enumerate(changes):
            log = Log(
                path=f"{number}.eval",
                format="inspect",
                model=f"m{number}",
                task="t",
                metric="match",
                item=column([f"q{i}" for i in range(5)]),
                score=np.array([1.0, 0, 1, 0, 1]),
                run=np.ones(5, dtype=np.intp),
                problem=column([""] * 5),
            )
            logs.append(replace(log, **change))
        table = {
            "item": np.concatenate([log.item[log.scored] for log in logs]),
            "model": np.concatenate([[log.name] * int(log.scored.sum()) for log in logs]),
            "score": np.concatenate([log.score[log.scored] for log in logs]),
        }
        return replace(Scores.of(table), logs=tuple(logs))

    return build
