"""What a look at 100 000 sealed cases and a check of 10 000 looks cost, in seconds of CPU."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import referee
from referee.intervals.looks import LadderState
from referee.sources.tables import read_table
from referee.vault.sealed.history import answer_content, look_content
from referee.vault.sealed.ledger.books import right_key
from referee.vault.sealed.ledger.entry import EntryKind
from referee.vault.sealed.ledger.head import Head, write_head
from referee.vault.sealed.ledger.ledger import file_digest, open_ledger

__all__ = ["vault"]

_CASES = 100_000
_LOOKS = 10_000
_ROUNDS = 5


def vault() -> list[tuple[str, float, float, str]]:
    """Return what was measured, its value, its goal and its unit."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_looks(Path(folder)), _check(Path(folder))]


def _looks(folder: Path) -> list[tuple[str, float, float, str]]:
    rows = []
    for measure in ("error", "auc"):
        truth, answers, scores = _cases()
        test = truth[_CASES:]
        sealed = _sealed(folder / measure, measure, truth)
        order = sealed.test_inputs["x0"].to_numpy().astype(int) - _CASES
        offered = pd.Series((answers if measure == "error" else scores)[order], sealed.header.ids)
        given = {} if measure == "error" else {"y_score": scores}
        look = _cpu(lambda: sealed.score(offered))  # noqa: B023
        peer = _cpu(
            lambda: referee.evaluate_predictions(test, answers, measures=[measure], **given)  # noqa: B023
        )
        name = f"a look at 100 000 cases, {measure}; evaluate_predictions takes {peer:.2f}"
        rows.append((name, look, 2 * peer + 0.1, "CPU s"))
        if measure == "error":
            path = folder / "answers.csv"
            offered.rename("prediction").rename_axis("id").to_csv(path)
            look = _cpu(lambda: sealed.score(path))  # noqa: B023
            peer += _cpu(lambda: read_table(path))  # noqa: B023
            name = f"the same from a CSV file; reading and evaluating it take {peer:.2f}"
            rows.append((name, look, 2 * peer + 0.1, "CPU s"))
    return rows


def _cases() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 2 * _CASES)
    test = truth[_CASES:]
    answers = np.where(rng.random(_CASES) < 0.1, 1 - test, test)
    return truth, answers, test + rng.normal(size=_CASES)


def _sealed(folder: Path, measure: str, truth: Any) -> referee.Vault:
    folder.mkdir()
    X = np.arange(2 * _CASES, dtype=float)[:, None]
    return referee.Vault.seal(
        X[:_CASES],
        truth[:_CASES],
        test=(X[_CASES:], truth[_CASES:]),
        out=folder / "vault",
        key=folder / "key",
        policy="ladder",
        measure=measure,
        random_state=0,
    )


def _check(folder: Path) -> tuple[str, float, float, str]:
    (folder / "long").mkdir()
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    made = referee.Vault.seal(
        y[:, None], y, out=folder / "long" / "vault", key=folder / "long" / "key", policy="ladder"
    )
    _write_looks(made)
    verdict = made.check().verdict
    assert verdict.shown, verdict.sentence
    return f"vault check of {_LOOKS} looks", _cpu(made.check), 1.0, "CPU s"


def _write_looks(made: referee.Vault) -> None:
    """Write looks as `score` does, but all in one go: the disk is not what is measured."""
    header, key = made.header, right_key(made._place, made.header)
    rng = np.random.default_rng(1)
    state, path = LadderState(), made.directory / "ledger.sqlite"
    with open_ledger(path) as ledger:
        with ledger.writing():
            last = ledger.last()
            for _ in range(_LOOKS):
                counted = LadderState(state.looks + 1, state.releases, state.rung)
                content = look_content(counted, "model", rng.bytes(32).hex(), "")
                last = ledger.append(EntryKind.LOOK, content, last, key)
                answer = header.policy.look(header.grid, state, int(rng.integers(150, 250)))
                told = answer_content(answer, header.policy.interval(header.grid, answer))
                last, state = ledger.append(EntryKind.ANSWER, told, last, key), answer.after
        ledger.settle()
    write_head(made.head_file, Head.of(last, file_digest(path)), key)


def _cpu(job: Callable[[], Any]) -> float:
    job()
    times = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return statistics.median(times)
