"""Checkpoints: runs that were cut short go on, to the same numbers."""

import errno
import json
import os

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.errors import InputError
from referee.fitting import checkpoint as module

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)


class Stopping(ClassifierMixin, BaseEstimator):
    """Stops everything in its fourth fit, once."""

    fits = 0

    def fit(self, X, y):
        Stopping.fits += 1
        if Stopping.fits == 4:
            raise KeyboardInterrupt
        self.classes_ = np.unique(y)
        self.inner_ = LogisticRegression().fit(X, y)
        return self

    def predict(self, X):
        return self.inner_.predict(X)


def _evaluated(model, folder=None, **more):
    return referee.evaluate(model, X, Y, by=5, random_state=0, checkpoint=folder, **more)


def test_a_run_goes_on_where_it_stopped(tmp_path):
    Stopping.fits = 0
    with pytest.raises(KeyboardInterrupt):
        _evaluated(Stopping(), tmp_path)
    e = _evaluated(Stopping(), tmp_path)
    assert Stopping.fits == 4 + 3
    plain = _evaluated(Stopping())
    assert e.error == plain.error
    assert np.array_equal(e.predictions.predicted, plain.predictions.predicted)
    assert e.model.predict(X).tolist() == plain.model.predict(X).tolist()


def test_a_finished_run_fits_nothing(tmp_path):
    first = _evaluated(DecisionTreeClassifier(), tmp_path)
    files = {f: f.stat().st_mtime_ns for f in tmp_path.rglob("*.split")}
    again = _evaluated(DecisionTreeClassifier(), tmp_path)
    assert len(files) == 6
    assert {f: f.stat().st_mtime_ns for f in tmp_path.rglob("*.split")} == files
    assert again.error == first.error


def test_searches_are_kept_with_what_they_found(tmp_path):
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=3)
    first, again = (_evaluated(search, tmp_path) for _ in range(2))
    assert again.search == first.search or str(again.search) == str(first.search)


def test_models_and_seeds_do_not_mix(tmp_path):
    _evaluated(DecisionTreeClassifier(max_depth=1), tmp_path)
    deep = _evaluated(DecisionTreeClassifier(max_depth=5), tmp_path)
    assert deep.error == _evaluated(DecisionTreeClassifier(max_depth=5)).error
    c = referee.compare(
        {"one": DecisionTreeClassifier(max_depth=1), "five": DecisionTreeClassifier(max_depth=5)},
        X, Y, by=5, random_state=0, checkpoint=tmp_path,
    )  # fmt: skip
    assert len([f for f in tmp_path.iterdir() if f.is_dir()]) >= 2
    assert c.verdict.sentence


def test_other_data_are_refused(tmp_path):
    _evaluated(DecisionTreeClassifier(), tmp_path)
    with pytest.raises(InputError, match="checkpoint belongs to other data"):
        referee.evaluate(DecisionTreeClassifier(), X + 1, Y, by=5, random_state=0,
                         checkpoint=tmp_path)  # fmt: skip


def test_another_plan_is_refused(tmp_path):
    _evaluated(DecisionTreeClassifier(), tmp_path)
    with pytest.raises(InputError, match="checkpoint belongs to other plan"):
        referee.evaluate(DecisionTreeClassifier(), X, Y, by=5, random_state=1, checkpoint=tmp_path)


def test_other_versions_are_refused(tmp_path):
    _evaluated(DecisionTreeClassifier(), tmp_path)
    mark = tmp_path / "checkpoint.json"
    mark.write_text(json.dumps(json.loads(mark.read_text()) | {"versions": "referee 0.0"}))
    with pytest.raises(InputError, match="belongs to other versions"):
        _evaluated(DecisionTreeClassifier(), tmp_path)


def test_a_half_written_split_is_done_again(tmp_path):
    first = _evaluated(DecisionTreeClassifier(), tmp_path)
    torn = sorted(tmp_path.rglob("*.split"))[2]
    torn.write_bytes(torn.read_bytes()[:50])
    again = _evaluated(DecisionTreeClassifier(), tmp_path)
    assert again.error == first.error
    assert len(torn.read_bytes()) > 50


@pytest.mark.parametrize("content", [None, "[]", "no json", '{"kind": "something else"}'])
def test_a_directory_of_something_else_is_refused(tmp_path, content):
    (tmp_path / ("notes.txt" if content is None else "checkpoint.json")).write_text(content or "x")
    with pytest.raises(InputError, match="checkpoint is a directory of something else"):
        _evaluated(DecisionTreeClassifier(), tmp_path)


def test_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, not a directory"):
        _evaluated(DecisionTreeClassifier(), tmp_path / "file")


def test_a_full_disk_is_told_and_leaves_no_half_file(tmp_path, monkeypatch):
    real, written = os.fsync, []

    def full(descriptor):
        written.append(descriptor)
        if len(written) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(module.os, "fsync", full)
    with pytest.raises(InputError, match="has no room left on its disk"):
        _evaluated(DecisionTreeClassifier(), tmp_path)
    assert len(list(tmp_path.rglob("*.split"))) == 2
    assert not list(tmp_path.rglob(".*"))


def test_command_line_goes_on(tmp_path, monkeypatch, capsys):
    from referee.cli import main

    table = tmp_path / "table.csv"
    np.savetxt(table, np.column_stack([X, Y]), delimiter=",", header="a,b,c,y", comments="")
    asked = ["evaluate", str(table), "--target", "y", "--by", "5", "--json", "--checkpoint"]

    def done(folder):
        monkeypatch.setattr("sys.argv", ["referee", *asked, str(folder)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr()

    (first, one), (again, two) = done(tmp_path / "kept"), done(tmp_path / "kept")
    assert first in (0, 1)
    assert first == again
    assert json.loads(one.out) == json.loads(two.out)
    assert list((tmp_path / "kept").rglob("*.split"))
    refused, said = done(table)
    assert refused == 2
    assert "--checkpoint is a file" in said.err


def test_a_permutation_test_goes_on(tmp_path, monkeypatch):
    from referee.permuting.null_values import Statistic

    asked = {"permutations": 24, "by": 3, "random_state": 0}
    plain = referee.permutation_test(DecisionTreeClassifier(max_depth=2), X, Y, **asked)
    real, done = Statistic._numbered, []

    def stopping(self, permuting, r):
        if len(done) == 10:
            raise KeyboardInterrupt
        done.append(r)
        return real(self, permuting, r)

    monkeypatch.setattr(Statistic, "_numbered", stopping)
    with pytest.raises(KeyboardInterrupt):
        referee.permutation_test(
            DecisionTreeClassifier(max_depth=2), X, Y, checkpoint=tmp_path, **asked
        )
    monkeypatch.setattr(
        Statistic, "_numbered", lambda self, p, r: done.append(r) or real(self, p, r)
    )
    again = referee.permutation_test(
        DecisionTreeClassifier(max_depth=2), X, Y, checkpoint=tmp_path, **asked
    )
    assert done == list(range(24))
    assert again.p_value == plain.p_value
    assert np.array_equal(again.null, plain.null)
    with pytest.raises(InputError, match="checkpoint belongs to other data"):
        referee.permutation_test(DecisionTreeClassifier(), X + 1, Y, checkpoint=tmp_path, **asked)


def test_a_study_goes_on(tmp_path):
    from referee.study import optimism, two_normals
    from referee.study.repetitions import repeated

    asked = {"settings": (1, 5), "n": 20, "repetitions": 3, "n_samples": 200}
    task = two_normals(1.0, 2)
    first, again = (optimism(task, checkpoint=tmp_path, **asked) for _ in range(2))
    assert again.steps == first.steps == optimism(task, **asked).steps
    assert len(list(tmp_path.rglob("*.split"))) == 6
    with pytest.raises(InputError, match="checkpoint belongs to other data"):
        _evaluated(DecisionTreeClassifier(), tmp_path)
    _evaluated(DecisionTreeClassifier(), tmp_path / "evaluation")
    with pytest.raises(InputError, match=r"belongs to other work \(none, now study\)"):
        optimism(task, checkpoint=tmp_path / "evaluation", **asked)
    with pytest.raises(InputError, match="have a place in a module"):
        repeated(lambda seed: [1.0], 3, checkpoint=tmp_path)


def test_a_directory_is_named_by_its_path(tmp_path):
    with pytest.raises(InputError, match="checkpoint must be the path of a directory, got 5"):
        referee.evaluate(LogisticRegression(), [[0.0], [1.0]] * 10, [0, 1] * 10, by=2, checkpoint=5)
