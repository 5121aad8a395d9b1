"""Engines against a plain loop; Dask and Ray are really started, and workers really killed."""

import contextlib
import os
import signal
import socket
import threading
import time
import warnings
from importlib import import_module

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from referee import evaluate, evaluate_predictions
from referee.errors import ClusterError, FitError, InputError, TableError
from referee.fitting.engines import dask_engine, engine_named, ray_engine

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)


class Slow(ClassifierMixin, BaseEstimator):
    """Takes a while, warns, and dies with its process where a file says so."""

    def __init__(self, seconds=0.0, deadly="", broken=False):
        self.seconds, self.deadly, self.broken = seconds, deadly, broken

    def fit(self, X, y):
        time.sleep(self.seconds)
        warnings.warn("slow as ever", UserWarning, stacklevel=1)
        if self.broken:
            raise ValueError("broken on purpose")
        if self.deadly:
            # Of two workers at once only one removes the file, and dies.
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.deadly)
                os.kill(os.getpid(), signal.SIGKILL)
        self.classes_ = np.unique(y)
        self.inner_ = LogisticRegression().fit(X, y)
        return self

    def predict(self, X):
        return self.inner_.predict(X)


@contextlib.contextmanager
def _listening(answer):
    """Listen, say the same to everybody, and then hold the line; hang up at once for None."""
    held = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                other, _ = listener.accept()
                if answer is None:
                    other.recv(1024)
                    other.close()
                    continue
                held.append(other)
                other.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()
        for other in held:
            other.close()


@pytest.fixture(scope="module")
def dask():
    """Return the address of a cluster of two processes."""
    distributed = import_module("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
    yield f"dask:{cluster.scheduler_address}"
    cluster.close()


@pytest.fixture(scope="module")
def ray():
    """Return the name of a cluster of two cores on this machine."""
    ray = import_module("ray")
    here = os.path.dirname(__file__)
    path = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            runtime_env={"env_vars": {"PYTHONPATH": path}},
        )
    yield "ray"
    ray.shutdown()


@pytest.fixture(params=["dask", "ray"])
def cluster(request):
    return request.getfixturevalue(request.param)


def _same(one, two):
    assert one.error == two.error
    assert np.array_equal(one.predictions.predicted, two.predictions.predicted)
    assert np.array_equal(one.predictions.case, two.predictions.case)
    assert [f.code for f in one.findings] == [f.code for f in two.findings]


def test_results_are_those_of_a_plain_loop(cluster):
    _same(
        evaluate(Slow(), X, Y, by=5, random_state=0, backend=cluster),
        evaluate(Slow(), X, Y, by=5, random_state=0),
    )


def test_a_killed_worker_costs_time_and_nothing_else(cluster, tmp_path):
    deadly = tmp_path / "deadly"
    deadly.write_text("")
    model = Slow(deadly=str(deadly))
    e = evaluate(model, X, Y, by=5, random_state=0, backend=cluster)
    assert not deadly.exists()
    _same(e, evaluate(model, X, Y, by=5, random_state=0))


def test_errors_of_a_model_are_told_as_here(cluster):
    with pytest.raises(FitError, match=r"Slow failed in split 0 .*broken on purpose"):
        evaluate(Slow(broken=True), X, Y, by=5, random_state=0, backend=cluster)


def test_a_dead_scheduler_is_named_and_what_was_done_is_kept(tmp_path):
    distributed = import_module("distributed")
    scheduler, worker, address = _processes(distributed)
    kept = tmp_path / "kept"
    try:
        with pytest.raises(ClusterError, match=r"stopped answering after \d+ of 6 fits"):
            evaluate(
                _Counting(0.15, str(tmp_path / "count"), scheduler.pid),
                X, Y, by=5, random_state=0, backend=f"dask:{address}", checkpoint=kept,
            )  # fmt: skip
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    finished = len(list(kept.rglob("*.split")))
    assert 1 <= finished < 6
    calm = _Counting(0.15, str(tmp_path / "count"), scheduler.pid)
    (tmp_path / "count").write_text("")
    e = evaluate(calm, X, Y, by=5, random_state=0, checkpoint=kept)
    assert len((tmp_path / "count").read_text()) == 6 - finished
    _same(e, evaluate(Slow(), X, Y, by=5, random_state=0))


class _Counting(Slow):
    """Counts its fits in a file, and ends the scheduler in the third."""

    def __init__(self, seconds=0.0, count="", pid=0):
        super().__init__(seconds)
        self.count, self.pid = count, pid

    def fit(self, X, y):
        with open(self.count, "a") as out:
            out.write(".")
        if os.path.getsize(self.count) == 3 and os.getppid() != 0:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        return super().fit(X, y)


def _processes(distributed):
    """Start a scheduler and a worker as processes of their own."""
    import socket
    import subprocess
    import sys

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    }
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1",
         "--port", str(port), "--no-dashboard"], **quiet,
    )  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
         "--no-nanny", "--no-dashboard"], **quiet,
    )  # fmt: skip
    return scheduler, worker, address


def test_an_address_that_does_not_answer_is_named_soon():
    start = time.monotonic()
    with pytest.raises(ClusterError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        evaluate(Slow(), X, Y, by=5, backend="dask:tcp://127.0.0.1:9")
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"])
def test_whoever_answers_but_is_no_scheduler_is_told_from_one(answer, monkeypatch):
    monkeypatch.setattr(dask_engine, "_ANSWERS", 1.0)
    with _listening(answer) as (host, port):
        where = f"tcp://{host}:{port}"
        with pytest.raises(ClusterError, match=f"no scheduler of Dask answers at {where}"):
            evaluate(Slow(), X, Y, by=5, backend=f"dask:{where}")


def test_an_address_of_ray_where_nobody_listens_is_named_at_once():
    engine = engine_named("ray:127.0.0.1:9")
    with pytest.raises(ClusterError, match=r"no cluster of Ray answers at 127.0.0.1:9 .*refused"):
        engine._refuse_silence()


@pytest.mark.parametrize(
    ("answer", "why"),
    [(b"", "timed out"), (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is not Ray"), (None, "hung up")],
)
def test_whoever_listens_but_is_no_ray_is_told_from_one(answer, why, monkeypatch):
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    monkeypatch.setattr(ray_engine, "_ANSWERS", 1.0)
    start = time.monotonic()
    with _listening(answer) as (host, port):
        where = f"{host}:{port}"
        with pytest.raises(ClusterError, match=rf"no cluster of Ray answers at {where} .*{why}"):
            engine_named(f"ray:{where}")._refuse_silence()
    assert time.monotonic() - start < 30


def test_the_head_of_ray_greets(ray):
    where = import_module("ray").get_runtime_context().gcs_address
    host, port = where.rsplit(":", 1)
    assert ray_engine._greeted(host, int(port)) is None


def test_limits_of_patience_are_ten_seconds():
    assert dask_engine._ANSWERS <= 10
    assert ray_engine._ANSWERS <= 10


@pytest.mark.parametrize("backend", ["dusk", "spark:local", 3, "dask2:x"])
def test_an_unknown_backend_is_refused(backend):
    with pytest.raises(InputError, match="backend must be dask:ADDRESS"):
        evaluate(Slow(), X, Y, by=5, backend=backend)


@pytest.mark.parametrize("backend", ["threading", "loky", "sequential"])
def test_backends_of_joblib(backend):
    e = evaluate(LogisticRegression(), X, Y, by=5, random_state=0, n_jobs=2, backend=backend)
    _same(e, evaluate(LogisticRegression(), X, Y, by=5, random_state=0))


@pytest.mark.parametrize(
    "model", [MLPClassifier((4,), max_iter=5), SVC(probability=True)], ids=["mlp", "svc"]
)
def test_threads_give_the_numbers_of_one_after_the_other(model):
    """Both draw random numbers: each split has a seed of its own, whichever thread fits it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five passes over the data are few, and SVC has a new name
        asked = {"by": 4, "random_state": 0, "measures": ["error", "log_loss"]}
        alone = evaluate(model, X, Y, **asked)
        for backend in ("threading", "loky"):
            e = evaluate(model, X, Y, n_jobs=2, backend=backend, **asked)
            np.testing.assert_array_equal(e.predictions.scores, alone.predictions.scores)
            assert e.frame().value.tolist() == alone.frame().value.tolist()


class FailsLater(GaussianNB):
    """Fails on every split; the first of the plan, whose fit takes longest, fails last."""

    def fit(self, X, y):
        time.sleep(0.3 if len(X) < 48 else 0.0)
        raise ValueError("no fit")


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_split_that_is_named_does_not_depend_on_who_fails_first(backend):
    rows = np.arange(60)
    splits = [(rows[14:], rows[:14]), *((rows[:50], rows[50:]) for _ in range(3))]
    with pytest.raises(FitError) as caught:
        evaluate(FailsLater(), X, Y, by=splits, random_state=0, n_jobs=2, backend=backend)
    assert "failed in split 0 (46 training rows)" in str(caught.value)


def test_results_come_in_order_whatever_ends_first(dask):
    engine = engine_named(dask)
    jobs = [(0.2,), (0.0,), (0.1,), (0.0,)]
    assert list(engine.results(_slept, jobs)) == [0.2, 0.0, 0.1, 0.0]


def _slept(seconds):
    time.sleep(seconds)
    return seconds


def test_files_of_predictions_are_counted_by_workers(dask, tmp_path):
    import polars as pl

    predicted = np.where(RNG.random(60) < 0.2, 1 - Y, Y)
    frame = pl.DataFrame({"truth": Y, "p": predicted})
    for number in range(3):
        frame[number * 20 : (number + 1) * 20].write_parquet(tmp_path / f"{number}.parquet")
    e = evaluate_predictions(tmp_path, "p", backend=dask)
    known = evaluate_predictions(Y, predicted)
    assert {n: (x.value, x.interval) for n, x in e.estimates.items()} == {
        n: (x.value, x.interval) for n, x in known.estimates.items()
    }
    frame[:9].with_columns(p=None).write_parquet(tmp_path / "1.parquet")
    with pytest.raises(TableError, match=r"column 'p' holds Int64 in .*0.parquet and Null"):
        evaluate_predictions(tmp_path, "p", backend=dask)
