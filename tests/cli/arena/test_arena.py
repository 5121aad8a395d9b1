"""The arena's commands: what they write, their exit codes, and what bad input gets."""

import json
import socket
import stat
import zipfile

import pandas as pd
import pytest

from referee.cli.arena.taking_part import _sentence

from ...arena.conftest import PASSWORD, cheap_passwords, served, write_tables


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    monkeypatch.setattr("referee.arena.accounts.passwords.Passwords.__init__", _cheap)
    monkeypatch.setenv("REFEREE_PASSWORD", PASSWORD)


_PLAIN = cheap_passwords()


def _cheap(self, hasher=None):
    self.__dict__.update(_PLAIN.__dict__)


def asked(folder, **changes):
    """Return the arguments of init or add for the tables of a folder."""
    options = {
        "name": "Two kinds",
        "train": folder / "train.csv",
        "test": folder / "test.csv",
        "target": "kind",
        "id": "id",
    } | changes
    return [part for name, value in options.items() for part in (f"--{name}", value)]


@pytest.fixture
def tables(tmp_path):
    tmp_path.joinpath("tables").mkdir()
    write_tables(tmp_path / "tables", n_train=60, n_test=80)
    return tmp_path / "tables"


def test_an_arena_may_begin_without_a_benchmark(referee, tables, tmp_path):
    home = tmp_path / "site"
    made = referee("arena", "init", home)
    assert made.code == 0, made.err
    assert "no benchmark yet" in made.out
    added = referee("arena", "add", home, *asked(tables, test="25%"))
    assert added.code == 0, added.err
    assert "15 test cases sealed" in added.out
    half = referee("arena", "init", tmp_path / "other", "--name", "Half")
    assert half.code == 2
    assert "--train, --test, --target are missing" in half.err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("measure", "start", "words"),
    [
        ("error", "0.25", "always answering the commonest class"),
        ("brier", "0.1875", "always giving the classes' shares as probabilities"),
        ("cost", "0.5", "always giving the cheaper answer"),
    ],
)
def test_the_start_is_said_to_come_from_the_training_cases(
    referee, tables, tmp_path, measure, start, words
):
    # The test cases have the classes the other way round, and no part in the start.
    rewritten(tables, "train", lambda f: f.assign(kind=["cat", "cat", "cat", "dog"] * 15))
    rewritten(tables, "test", lambda f: f.assign(kind=["dog", "dog", "dog", "cat"] * 20))
    more = () if measure == "error" else ("--pos-label", "dog")
    more += ("--costs", "1", "2") if measure == "cost" else ()
    made = referee("arena", "init", tmp_path / "site", *asked(tables, measure=measure), *more)
    assert made.code == 0, made.err
    said = " ".join(made.out.split())
    assert f"starts at {start} (what {words} scores on train.csv)" in said


def test_the_life_of_an_arena_by_commands(referee, tables, tmp_path):
    home = tmp_path / "site"
    made = referee("arena", "init", home, *asked(tables, closes="2100-01-01"))
    assert made.code == 0, made.err
    for path in (home / "secret", *(home / "secret").rglob("*")):
        open_to_all = path.name == "signing.pub"  # in a folder that nobody else may enter
        assert open_to_all or stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert stat.S_IMODE((home / "arena.sqlite").stat().st_mode) == 0o600
    right = pd.read_csv(tables / "test.csv")
    for row in (home / "public").rglob("test.csv"):
        assert "kind" not in row.read_text().splitlines()[0]
    assert referee("arena", "add", home, *asked(tables, name="Second")).code == 0
    again = referee("arena", "add", home, *asked(tables)[2:], "--version-of", "second")
    assert again.code == 0, again.err
    assert "Second (second, version 2)" in again.out
    other = referee("arena", "add", home, *asked(tables), "--version-of", "second")
    assert (other.code, "'Second', which a new version keeps" in other.err) == (2, True)
    nameless = referee("arena", "add", home, *asked(tables)[2:])
    assert (nameless.code, "give it with --name" in nameless.err) == (2, True)
    assert referee("arena", "user", "add", home, "Ada").code == 0
    assert referee("arena", "user", "reset", home, "Ada").code == 0
    assert referee("arena", "user", "add", home, "Ada").code == 2

    from referee.arena.app import create_app
    from referee.arena.client import Client

    answers = right[["id", "kind"]].rename(columns={"kind": "prediction"})
    answers.to_csv(tmp_path / "answers.csv", index=False)
    with served(create_app(home)) as address:
        client = Client(address)
        token = tmp_path / "token"
        token.write_text(client.sign_in("Ada", PASSWORD))
        send = ["arena", "submit", address, "two-kinds", tmp_path / "answers.csv"]
        send += ["--token-file", token]
        first, second = referee(*send, "--json"), referee(*send)
        assert first.code == 0, first.err
        answer = json.loads(first.out)
        assert answer["improved"] is True
        assert f"error {answer['released']['value']:.4g} or better (95 %" in _sentence(answer)
        assert (second.code, second.out.startswith("Not improved")) == (1, True)
        (tmp_path / "answers.csv").write_text("id,prediction\nnobody,cat\n")
        refused = referee(*send)
        assert refused.code == 2
        assert "no id of test.csv" in refused.err
        board = referee("arena", "board", address, "two-kinds", "--json")
        assert json.loads(board.out)["entries"][0]["team"] == "Ada"
        shown = referee("arena", "board", address, "two-kinds").out
        assert "Ada" in shown
        assert "2 looks by 1 team." in shown
        assert referee("arena", "board", address, "nothing").code == 2
        copied = referee("arena", "backup", home, "--out", tmp_path / "backup.zip")
        assert copied.code == 0, copied.err  # while it is served
        assert "has one writer" in referee("arena", "user", "disable", home, "Ada").err
        asked_for_nothing = referee("arena", "finish", home, "two-kinds")
        assert (asked_for_nothing.code, "has one writer" in asked_for_nothing.err) == (2, True)
        assert "Open the private half" not in asked_for_nothing.err
    assert referee("arena", "user", "disable", home, "Ada").code == 0
    assert referee("arena", "check", home).code == 0
    assert referee("arena", "export", home, "--out", tmp_path / "before.zip").code == 0
    assert referee("arena", "finish", home, "two-kinds", "--yes").code == 0
    assert referee("arena", "finish", home, "two-kinds", "--yes").code == 2
    assert referee("arena", "export", home, "--out", tmp_path / "after.zip").code == 0
    names = [zipfile.ZipFile(tmp_path / f"{n}.zip").namelist() for n in ("before", "after")]
    assert [sum("labels" in name for name in found) for found in names] == [0, 1]
    (next((home / "public").rglob("example.csv"))).write_text("changed")
    broken = referee("arena", "check", home)
    assert broken.code == 1
    assert "example.csv was changed" in broken.out + broken.err


def rewritten(folder, name, change):
    frame = pd.read_csv(folder / f"{name}.csv")
    change(frame).to_csv(folder / f"{name}.csv", index=False)


def twice(frame):
    frame.loc[1, "id"] = frame.loc[0, "id"]
    return frame


def missing(frame):
    frame.loc[3, "id"] = None
    return frame


def new_class(frame):
    frame.loc[0, "kind"] = "yeti"
    return frame


def one_dog(frame):
    return frame.assign(kind=["dog"] + ["cat"] * (len(frame) - 1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"public": "60%"},
            "--public 60% leaves the class 'dog' (column 'kind') out of one half of the 80 test "
            "cases (test.csv): they hold 1 case of it; take a share nearer to 50%, or give more "
            "test cases of it",
        ),
        ({}, "they hold 1 case of it; give more test cases of it"),
        (
            {"groups": "people"},
            "they hold 1 case of it, in 1 group; give more and smaller groups with cases of it",
        ),
    ],
)
def test_a_class_that_one_half_would_lack_is_named(referee, tables, tmp_path, options, words):
    for name, first in (("train", 0), ("test", 100)):
        rewritten(tables, name, lambda f, k=first: one_dog(f).assign(people=k + f.index // 4))
    found = referee("arena", "init", tmp_path / "site", *asked(tables, **options))
    assert found.code == 2, found.out
    assert words in " ".join(found.err.split())
    assert not (tmp_path / "site").exists()


def test_a_class_that_only_secret_cases_have_is_not_named_when_one_half_lacks_it(
    referee, tables, tmp_path
):
    rewritten(tables, "test", new_class)
    found = referee("arena", "init", tmp_path / "site", *asked(tables, label="yeti"))
    assert found.code == 2, found.out
    assert "leaves a class that no training case has (column 'kind') out" in " ".join(
        found.err.split()
    )
    assert "yeti" not in found.err


def test_a_class_that_may_occur_and_does_not_is_no_matter(referee, tables, tmp_path):
    made = referee("arena", "init", tmp_path / "site", *asked(tables, label="dog"))
    assert made.code == 0, made.err


@pytest.mark.parametrize("only", ["cat", "zebrafish"])
@pytest.mark.parametrize("measure", ["error", "tpr"])
def test_a_class_without_a_test_case_is_refused(referee, tables, tmp_path, only, measure):
    rewritten(tables, "test", lambda f: f.assign(kind=only))
    lacking = {"cat": "zebrafish", "zebrafish": "cat"}[only]
    options = asked(tables, measure=measure)
    options += [] if measure == "error" else ["--pos-label", "cat"]
    found = referee("arena", "init", tmp_path / "site", *options)
    assert found.code == 2, found.out
    told = f"test.csv, column 'kind': no test case has the class '{lacking}'"
    assert told in " ".join(found.err.split())
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("name", "change", "options", "words"),
    [
        ("test", lambda f: f.drop(columns="x"), {}, ["x", "test"]),
        ("test", lambda f: f.rename(columns={"x": "z"}), {}, ["x", "z"]),
        ("test", twice, {}, ["id"]),
        ("test", missing, {}, ["id"]),
        ("test", lambda f: f[:0], {}, ["a header and no row below it; add rows"]),
        # The class itself is not named: that the secret cases have it is a secret.
        ("test", new_class, {}, ["test.csv, line 2", "'kind'", "--label"]),
        ("test", lambda f: f.drop(columns="kind"), {}, ["kind"]),
        ("train", lambda f: f, {"target": "sort"}, ["sort"]),
        ("train", lambda f: f, {"id": "number"}, ["number"]),
        ("train", lambda f: f, {"test": "nowhere.csv"}, ["nowhere.csv"]),
        ("train", lambda f: f, {"opens": "2027-01-02", "closes": "2027-01-01"}, ["closes"]),
        ("train", lambda f: f, {"closes": "soon"}, ["closes", "soon", "2026-05-01"]),
        ("train", lambda f: f, {"measure": "log_loss"}, ["log_loss"]),
        ("train", lambda f: f, {"public": "150%"}, ["--public must be a share", "150%"]),
        ("train", lambda f: f, {"public": "0%"}, ["--public must be a share", "0%"]),
        ("train", lambda f: f, {"test": "100%"}, ["--test must be a share", "100%"]),
        (
            "train",
            lambda f: f,
            {"measure": "tpr", "pos-label": "'cat'"},
            ["--pos-label must be one of the 2 classes", "training cases have 'cat', 'zebrafish'"],
        ),
        ("train", lambda f: f, {"per-day": "0"}, ["per", "0"]),
        ("train", lambda f: f, {"registration": "secret"}, ["registration", "secret"]),
        ("train", lambda f: f, {"database": "mysql://x/y"}, ["postgresql://"]),
        (
            "train",
            lambda f: f,
            {"database": "postgresql://u:hidden@127.0.0.1:1/x"},
            ["does not answer"],
        ),
    ],
)
def test_bad_input_is_named_and_nothing_is_left(
    referee, tables, tmp_path, name, change, options, words
):
    rewritten(tables, name, change)
    found = referee("arena", "init", tmp_path / "site", *asked(tables, **options))
    assert found.code == 2, found.out
    assert all(word in found.err for word in words), found.err
    assert "Traceback" not in found.err
    assert "hidden" not in found.err
    assert "--no-header" not in found.err
    assert not (tmp_path / "site").exists()


def test_what_cannot_be_served_is_said(referee, tables, tmp_path):
    home = tmp_path / "site"
    assert referee("arena", "init", home, *asked(tables)).code == 0
    assert referee("arena", "init", home, *asked(tables)).code == 2  # it is there already
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        busy = referee("arena", "serve", home, "--port", port)
    assert (busy.code, f"port {port}" in busy.err) == (2, True)
    assert "one" in referee("arena", "serve", home, "--workers", "2").err
    assert referee("arena", "serve", home, "--workers", "0").code == 2
    nowhere = referee("arena", "serve", tmp_path / "nowhere")
    assert (nowhere.code, "is no arena" in nowhere.err) == (2, True)
    gone = referee("arena", "board", "http://127.0.0.1:1", "x")
    assert gone.code == 2
    assert "127.0.0.1:1" in gone.err
    record = json.loads((home / "arena.json").read_text())
    (home / "arena.json").write_text(json.dumps(record | {"format": 99}))
    newer = referee("arena", "check", home)
    assert (newer.code, "format 99" in newer.err) == (2, True)
