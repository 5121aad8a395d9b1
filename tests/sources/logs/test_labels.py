"""Names that tell the models of several logs apart."""

from dataclasses import replace

import numpy as np
import pytest

from referee.errors import InputError
from referee.sources.logs.labels import labelled
from referee.sources.logs.log import Log, column


def log(model="m", task="t", origin="x", runs=(1, 1)):
    return Log(
        path=f"{origin}.eval",
        format="inspect",
        model=model,
        task=task,
        metric="s",
        item=column(["a", "b"]),
        score=np.array([1.0, 0.0]),
        run=np.array(runs, dtype=np.intp),
        problem=column(["", ""]),
        origin=origin,
    )


def test_names_of_their_own_stay():
    logs = [log("a"), log("b"), log("a", task="u")]
    assert [x.name for x in labelled(logs)] == ["a", "b", "a"]


def test_the_shortest_end_that_tells_apart_is_taken():
    logs = [log(origin="runs/one/log"), log(origin="runs/two/log"), log("n", origin="runs/one/n")]
    assert [x.name for x in labelled(logs)] == ["m (one/log)", "m (two/log)", "n"]


def test_a_model_keeps_its_label_on_all_its_tasks():
    logs = [
        log(origin="p/one"),
        log(origin="p/two"),
        log(task="u", origin="p/one"),
        log(task="u", origin="p/two"),
    ]
    assert [x.name for x in labelled(logs)] == ["m (one)", "m (two)"] * 2


def test_runs_are_counted_on():
    first, second, third = labelled([log(), log(origin="y"), log(task="u")], "runs")
    assert (first.run.tolist(), second.run.tolist(), third.run.tolist()) == ([1, 1], [2, 2], [1, 1])


def test_the_same_log_twice_is_refused():
    with pytest.raises(InputError, match=r"hold the same model \(m \(x\)\) on the same task"):
        labelled([log(), replace(log(), path="copy.eval")])


def test_items_that_repeat_without_runs_are_refused():
    with pytest.raises(InputError, match="sample 'a' stands there twice"):
        replace(log(), item=column(["a", "a"]))
    assert replace(log(runs=(1, 2)), item=column(["a", "a"])).n == 2


def test_a_log_without_rows_is_refused():
    none = {"item": column([]), "score": np.array([]), "run": np.array([], dtype=np.intp)}
    with pytest.raises(InputError, match="has no sample; check that the evaluation ran"):
        replace(log(), **none, problem=column([]))
