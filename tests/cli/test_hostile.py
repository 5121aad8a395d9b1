"""Hostile input: a message, exit code 2, nothing left behind, within seconds and little memory.

Most cases run in this process; streams, terminals and limits of memory need one of their own.
"""

import json
import os
import re
import resource
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import referee as library
from referee.core.machine import limits

SECONDS = 30
MEMORY = 6 * 2**30
GROWTH = 2**30
"""Bytes by which the memory of this process may grow while a command runs in it."""

ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u206f]")
NB = ("--model", "nb", "--by", "3")
MODELS = """
import sys, warnings
from sklearn.naive_bayes import GaussianNB

class Closes(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        sys.stdout.close()
        sys.stderr.close()
        return super().fit(X, y)

class NoParams(GaussianNB):
    def get_params(self, deep=True):
        raise KeyError("none")

class NoCopy(GaussianNB):
    def __init__(self, a=None):
        self.a = [a]

class NoName(GaussianNB):
    def __repr__(self):
        raise ZeroDivisionError("no name")
    __str__ = __repr__

class Fails(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise ValueError("\\x1b[31mred\\u202e")
"""


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(command, **options):
    """Run a shell's command line in a process with a limit of time and memory."""
    shell = f"set -o pipefail; {command}".replace("referee ", f"{sys.executable} -m referee ")
    return subprocess.run(
        ["bash", "-c", shell],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=4 * SECONDS,  # the machine may be busy
        preexec_fn=limited,
        **options,
    )


def resident(what):
    """Return the resident memory of this process in bytes: now (VmRSS) or at its peak (VmHWM)."""
    return 1024 * int(re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text())[1])


@pytest.fixture(autouse=True)
def within_limits():
    """Limit the CPU and the memory of whatever a test does in this process, subprocesses apart."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from now on
    before, began = resident("VmRSS"), time.process_time()
    yield
    assert time.process_time() - began < 2 * SECONDS
    assert resident("VmHWM") - before < GROWTH


@pytest.fixture(autouse=True)
def answers(folder):
    table = pd.DataFrame({"y": ["a", "b"] * 50})
    table["m"] = table.y.where(table.index % 10 > 0, "a")
    table["k"] = table.y.where(table.index % 4 > 0, "b")
    table.to_csv("answers.csv", index=False)
    (folder / "models.py").write_text(MODELS)
    sys.modules.pop("models", None)
    return table


def refused(referee, *asked, says=()):
    """Run a command that is to be refused, and return its message."""
    before = sorted(Path().rglob("*"))
    began = time.process_time()
    outcome = referee(*asked)
    assert time.process_time() - began < SECONDS
    assert outcome.code == 2, outcome.out + outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("referee: ")
    assert len(outcome.err.splitlines()) == 1
    assert not ACTING.search(outcome.err.rstrip("\n"))
    assert "Traceback" not in outcome.err
    for part in says:
        assert part in outcome.err
    after = [p for p in sorted(Path().rglob("*")) if "__pycache__" not in p.parts]
    assert after == [p for p in before if "__pycache__" not in p.parts]
    return outcome.err


# Item: nothing that is printed acts on a terminal.


@pytest.mark.parametrize(
    "asked",
    [
        ("evaluate", "\x1b[31mx.csv", "--target", "y"),
        ("evaluate", "esc.csv", "--target", "nope"),
        ("evaluate", "esc.csv", "--target", "a\x1b[31m"),
        ("evaluate", "iris.csv", "--target", "\x1b]0;hi\x07"),
        ("evaluate", "iris.csv", "--target", "species", "--model", "\x1b[31m"),
        ("evaluate", "iris.csv", "--target", "species", "--model", "models:Fails"),
        ("evaluate", "iris.csv", "--target", "species", "--pos-label", "\u202e"),
        ("evaluate-predictions", "answers.csv", "--truth", "y", "--pred", "esc\x9b31m"),
        ("evaluate", "--\x1b[31m"),
        ("evaluate", "iris.csv", "--level", "\x1b[31m"),
        ("\x1b[31m",),
        ("verify", "\x1b[31m.zip"),
    ],
)
def test_nothing_printed_acts_on_a_terminal(asked, referee):
    Path("esc.csv").write_text("a\x1b[31m,class\n" + "1,x\n2.5,y\n" * 10)
    refused(referee, *asked)


def test_reports_notes_and_json_do_not_act_either(referee):
    rows = "1,2,x\x9b31m\n2,1,y\u202e\n" * 10
    Path("esc.csv").write_text("a,b\x1b[31m,class\n" + rows)
    for form in ((), ("--json",)):
        outcome = referee("evaluate", "esc.csv", "--target", "last", *NB, *form)
        assert outcome.code in (0, 1)
        assert not ACTING.search(outcome.out)
        assert not ACTING.search(outcome.err)
    [data] = json.loads(outcome.out)
    assert "x\x9b31m" in json.dumps(data, ensure_ascii=False)


# Item: only regular files are read.


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "fifo", "socket"])
@pytest.mark.parametrize(
    "verb",
    [
        ("evaluate", "--target", "y"),
        ("evaluate-predictions", "--truth", "y", "--pred", "m"),
        ("compare-scores",),
        ("verify",),
    ],
)
def test_only_regular_files_are_read(name, verb, referee, monkeypatch):
    import socket

    os.mkfifo("fifo")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        refused(referee, verb[0], name, *verb[1:], says=[name, "not a regular file", "- to read"])


@pytest.mark.parametrize("name", ["/dev/zero", "fifo"])
@pytest.mark.parametrize(
    "asked",
    [
        ("gate", "--config", "{}"),
        ("gate", "answers.csv", "--baseline", "{}", "--truth", "y", "--pred", "m"),
        ("certify", "freeze", "{}", "--key", "{}"),
        ("certify", "check", "{}"),
        ("evaluate-scores", "{}"),
        ("board", "{}"),
        ("arena", "submit", "http://127.0.0.1:9", "slug", "{}"),
    ],
    ids=lambda asked: " ".join(asked[:2]),
)
def test_other_files_are_regular_too(name, asked, referee, monkeypatch):
    """A device without end and a pipe that nobody writes to are refused, not waited for."""
    monkeypatch.setenv("REFEREE_TOKEN", "token")
    os.mkfifo("fifo")
    refused(referee, *(part.format(name) for part in asked))


@pytest.fixture
def foreign():
    """Serve an answer that the test chooses, at an address where no arena is."""
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Foreign(BaseHTTPRequestHandler):
        answer = b""

        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(Foreign.answer)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Foreign) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        Foreign.url = f"http://127.0.0.1:{server.server_port}"
        yield Foreign
        server.shutdown()


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b"{}", b"[" * 100_000, b"\xff", b"[1, 2]"])
def test_a_server_that_is_no_arena(answer, foreign, referee, monkeypatch):
    monkeypatch.setenv("REFEREE_TOKEN", "token")
    foreign.answer = answer
    says = [foreign.url, "not as an arena does"]
    refused(referee, "arena", "board", foreign.url, "slug", says=says)
    refused(referee, "arena", "submit", foreign.url, "slug", "answers.csv", says=says)


def test_a_board_of_a_foreign_server_does_not_act(foreign, referee):
    told = dict.fromkeys(("benchmark", "state", "measure", "interval_holds"), "\x1b[31m\u202e")
    told |= {"version": 1, "baseline": 0.5, "looks": 1, "teams": 1, "level": 0.95, "entries": []}
    foreign.answer = json.dumps(told).encode()
    for form in ((), ("--json",)):
        outcome = referee("arena", "board", foreign.url, "slug", *form)
        assert outcome.code == 0
        assert not ACTING.search(outcome.out)


def test_sizes_are_looked_at_before_files_are_read(referee):
    with open("huge.csv", "wb") as file:
        file.truncate(2**43)
    refused(
        referee, "evaluate", "huge.csv", "--target", "y", says=["more than 8.6 GB", "fewer rows"]
    )
    refused(referee, "verify", "huge.csv", says=["the most that is read"])


def test_standard_input_is_read_by_its_name():
    done = run("cat answers.csv | referee evaluate-predictions - --truth y --pred m --json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["name"] == "m"


# Item: streams that are closed, full or narrow.


JUDGED = "evaluate-predictions answers.csv --truth y --pred m"


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("schema | head -1", 0, ""),  # the quickest command prints through the same gate
        ("schema > /dev/full", 2, "cannot be written to standard output"),
        (f"{JUDGED} > /dev/full", 2, "cannot be written to standard output"),
        ("schema 2> /dev/full", 0, ""),
        (f"{JUDGED} >&- 2>&-", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(command, code, says):
    done = run(f"referee {command}")
    assert done.returncode == code
    assert "Traceback" not in done.stderr.decode()
    assert "Exception ignored" not in done.stderr.decode()
    assert says in done.stderr.decode()


def test_a_full_standard_error_does_not_change_the_code_of_an_error():
    assert run("referee evaluate no.csv --target y 2> /dev/full").returncode == 2
    assert run("referee --help > /dev/full").returncode == 2


@pytest.mark.parametrize("columns", ["1", "20"])
def test_a_narrow_terminal_ends(columns, referee, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    began = time.process_time()
    outcome = referee("evaluate-predictions", "answers.csv", "--truth", "y", "--pred", "m")
    assert outcome.code == 0
    assert time.process_time() - began < SECONDS
    assert max(map(len, outcome.out.splitlines())) <= 40


def test_odd_surroundings_give_no_traceback():
    odd = "PYTHONIOENCODING=latin-1 MPLBACKEND=junk"
    gone = "mkdir gone && cd gone && rmdir ../gone"
    file = Path("answers.csv").resolve()
    done = run(f"{gone} && {odd} referee evaluate-predictions {file} --truth y --pred m")
    assert done.returncode == 0, done.stderr
    done = run(f"{gone} && referee evaluate-predictions {file} --truth y --pred m --out x")
    assert done.returncode == 2
    assert done.stderr.decode().startswith("referee: x cannot be written")


# Item: sizes that cannot be.

IRIS = ("evaluate", "iris.csv", "--target", "species", "--model", "nb")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            (*IRIS, "--by", "1000000x10"),
            ["models would be trained", "at most 100000", "--by 10x10"],
        ),
        ((*IRIS, "--by", "bootstrap", "--rounds", "1000000000"), ["1000000000", "at most 100000"]),
        (
            ("permutation-test", *IRIS[1:], "--permutations", "1000000000000"),
            ["--permutations must be at most 10000000"],
        ),
        (("sample-size", "--n", str(10**18)), ["--n must be at most 100000000"]),
        (("sample-size", "--a", "1e-300", "--b", "1e-301"), ["at least 1e-09"]),
        (("sample-size", "--error", "1e-300"), ["between 1e-12"]),
        (("audit-table", "99.5", "99.6", "--n", str(10**12)), ["--n must be at most 100000000"]),
        (
            ("audit-table", *(f"{90 + i / 10:.1f}" for i in range(60)), "--n", "1000"),
            ["at most 50", "in parts"],
        ),
        ((*IRIS, "--by", "3", "--level", "0.9999999999999999"), ["--level", "0.999999999"]),
        ((*IRIS, "--by", "3", "--out", "a" * 300), ["cannot be written", "name another place"]),
        ((*IRIS, "--by", "3", "--bundle", "a" * 300 + ".zip"), ["cannot be written"]),
    ],
)
def test_numbers_that_cannot_be(asked, says, referee):
    refused(referee, *asked, says=says)


def test_too_many_classes_models_and_letters(referee):
    many = pd.DataFrame({"y": [f"c{i}" for i in range(30_000)] * 2})
    many.assign(p=many.y).to_csv("classes.csv", index=False)
    asked = ("--truth", "y", "--pred", "p")
    refused(referee, "evaluate-predictions", "classes.csv", *asked, says=["30000 classes", "1000"])
    wide = pd.DataFrame({f"m{i}": ["a", "b"] * 50 for i in range(300)})
    wide.assign(y=["a", "b"] * 50).to_csv("models.csv", index=False)
    names = [part for i in range(300) for part in ("--pred", f"m{i}")]
    said = refused(referee, "compare-predictions", "models.csv", "--truth", "y", *names)
    assert "at most 50 models" in said
    scores = pd.DataFrame(np.random.default_rng(0).random((10, 300)))
    scores.columns = [f"m{i}" for i in range(300)]
    scores.to_csv("scores.csv", index=False)
    assert "at most 200 models" in refused(referee, "compare-datasets", "scores.csv")
    long = pd.DataFrame({"y": ["a" * 100_000, "b" * 100_000] * 20})
    long.assign(p=long.y).to_csv("long.csv", index=False)
    said = refused(referee, "evaluate-predictions", "long.csv", *asked)
    assert "100000 characters" in said
    assert len(said) < 400


def test_a_parquet_file_of_more_rows_than_memory_holds(referee, monkeypatch):
    monkeypatch.setattr(limits, "_process", lambda: 4 * 2**30)
    rows = 200_000_000
    pl.select(x=pl.repeat(1.0, rows), y=pl.repeat(True, rows)).write_parquet("many.parquet")
    refused(
        referee, "evaluate", "many.parquet", "--target", "y",
        says=["200000000 rows and 2 columns", "of memory", "fewer rows"],
    )  # fmt: skip


def test_a_feature_of_a_number_no_model_can_keep(referee):
    Path("far.svmlight").write_text("1 1:1 2000000000:1\n0 2:1\n" * 20)
    asked = ("evaluate", "far.svmlight", *NB)
    refused(referee, *asked, says=["far.svmlight, line 1", "2000000000 features", "from 1 on"])


def test_arff_with_many_columns_and_with_a_catastrophic_line(referee):
    n = 30_000
    names = "".join(f"@attribute a{i} numeric\n" for i in range(n))
    rows = "".join(f"{','.join(['1'] * n)},{'ab'[k % 2]}\n" for k in range(4))
    Path("wide.arff").write_text(f"@relation r\n{names}@attribute class {{a,b}}\n@data\n{rows}")
    refused(referee, "evaluate", "wide.arff", "--target", "class", *NB, says=["constant"])
    blanks = " " * 40_000
    Path("line.arff").write_text(
        f"@relation r\n@attribute a string\n@attribute class {{a,b}}\n@data\nx{blanks}'{blanks}x\n"
    )
    refused(referee, "evaluate", "line.arff", "--target", "class", *NB, says=["line 5", "1 field"])


# Item: files that hold what no table holds.


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", "too many digits"),
        ('{"a": "x\\ud800"}', "\\ud800 is half a character"),
    ],
)
def test_json_that_no_parser_takes(line, says, referee):
    Path("odd.jsonl").write_text(f'{{"a": 1, "class": "x"}}\n{line}\n')
    refused(referee, "evaluate", "odd.jsonl", "--target", "class", says=["odd.jsonl, line 2", says])


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (pd.to_timedelta([1, 90], unit="s"), [1.0, 90.0]),
        ([Decimal("1.5"), Decimal("2.25")], [1.5, 2.25]),
        (pl.Series(["u", "v"], dtype=pl.Categorical), ["u", "v"]),
        (pl.Series(["u", "v"], dtype=pl.Enum(["u", "v", "w"])), ["u", "v"]),
    ],
)
def test_parquet_cells_that_are_read(cells, read):
    from referee.sources.tables import read_table

    pl.DataFrame({"d": cells}).write_parquet("d.parquet")
    assert read_table("d.parquet").column("d").tolist() == read


@pytest.mark.parametrize("cells", [[[1], [2]], [{"q": 1}, {"q": 2}], [b"u", b"v"]])
def test_parquet_cells_that_are_not(cells, referee):
    pl.DataFrame({"d": cells, "y": ["a", "b"]}).write_parquet("d.parquet")
    said = refused(referee, "evaluate", "d.parquet", "--target", "y", says=["column 'd'"])
    assert "neither numbers, dates, truth values nor text" in said


@pytest.mark.parametrize("labels", [["x\ud800", "y"] * 20, np.array(["x\ud800", "y"] * 20)])
def test_labels_with_half_a_character(labels):
    with pytest.raises(library.errors.InputError, match="half of a character"):
        library.evaluate_predictions(labels, labels)


def test_names_that_are_no_text(referee):
    Path("p\udcff.csv").write_text(Path("answers.csv").read_text())
    asked = ("compare-predictions", "p\udcff.csv", "answers.csv", "--truth", "y", "--pred", "m")
    outcome = referee(*asked, "--out", "shown", "--bundle", "kept.zip")
    assert outcome.code == 1, outcome.err
    assert referee("verify", "kept.zip").code == 0


# Item: models and studies.


@pytest.mark.parametrize("name", ["NoParams", "NoCopy"])
def test_models_that_cannot_be_copied(name, referee):
    asked = ("evaluate", "iris.csv", "--target", "species", "--model", f"models:{name}")
    refused(referee, *asked, "--by", "3", says=[name, "clone", "get_params"])


def test_models_that_have_no_name_or_close_the_streams(referee):
    asked = ("evaluate", "iris.csv", "--target", "species", "--by", "3", "--model")
    assert referee(*asked, "models:NoName").code == 0
    done = run(f"referee {' '.join(asked)} models:Closes")
    assert done.returncode == 0
    assert b"models:Closes errs on" in done.stdout


def test_a_study_of_bad_input_leaves_no_folder(referee):
    asked = ("study", "calibration", "--quick", "--cells", "nope", "--out", "made/deep")
    refused(referee, *asked, says=["nope"])


def test_a_study_on_a_full_disk_leaves_nothing_half_written(referee, monkeypatch):
    from matplotlib.figure import Figure

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", full)
    refused(referee, "study", "example", "1", "--out", "made/deep", says=["No space left"])


# Item: arguments of the wrong kind, in Python.


@pytest.mark.parametrize(
    "odd", [5, pd.NaT, pd.NA, pd.Timestamp("2020-01-01"), np.array([1, 2]), {}]
)
@pytest.mark.parametrize(
    "argument",
    ["measure", "significance", "interval", "claim", "costs", "rope", "adjust", "pos_label"],
)
def test_arguments_of_the_wrong_kind_are_named(argument, odd):
    if argument == "rope" and isinstance(odd, int):
        odd = -odd
    if argument == "costs" and isinstance(odd, np.ndarray):
        odd = np.array([1, 2, 3])
    truth = [0, 1] * 30
    with pytest.raises(library.errors.InputError, match=argument):
        library.compare_predictions(truth, {"a": truth, "b": truth[::-1]}, **{argument: odd})


@pytest.mark.parametrize("odd", [5, pd.NaT, pd.NA, pd.Timestamp("2020-01-01")])
@pytest.mark.parametrize(
    "argument", ["measures", "costs", "interval", "max_error", "name", "level"]
)
def test_arguments_of_an_evaluation_too(argument, odd):
    truth = [0, 1] * 30
    with pytest.raises(library.errors.InputError, match=argument):
        library.evaluate_predictions(truth, truth[::-1], **{argument: odd})
