"""A label planted in the secret set is in no output of any command but `open`."""

import logging
import sys
import traceback
from pathlib import Path

import pandas as pd
import pytest

from referee import Vault
from referee.cli import main
from referee.errors import RefereeError

sys.path.insert(0, str(Path(__file__).parent))
from vaults import data

CANARY = "kanarienvogel-7f3a"


@pytest.fixture
def command(capsys, monkeypatch, tmp_path, caplog):
    """Run a command line and keep all it printed, logged and wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    caplog.set_level(logging.DEBUG)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        captured = capsys.readouterr()
        return caught.value.code or 0, captured.out + captured.err + caplog.text

    return run


def table(path, labels):
    X, _ = data(len(labels))
    frame = pd.DataFrame({"case": [f"c{k}" for k in range(len(labels))], "x": X[:, 0]})
    frame.assign(y=labels).to_csv(path, index=False)


def places(tmp_path):
    """Return every file whose bytes hold the canary."""
    files = (p for p in tmp_path.rglob("*") if p.is_file())
    return {str(p.relative_to(tmp_path)) for p in files if CANARY.encode() in p.read_bytes()}


def predictions(tmp_path, change=None, answer="plain"):
    ids = pd.read_csv(tmp_path / "v" / "test.csv")["case"]
    frame = pd.DataFrame({"case": ids, "prediction": answer})
    if change is not None:
        change(frame)
    frame.to_csv(tmp_path / "p.csv", index=False)


def spoilt(column, value):
    def change(frame):
        frame.loc[3, column] = value

    return change


@pytest.mark.parametrize("declared", [False, True])
def test_no_command_but_open_tells(command, tmp_path, declared):
    if declared:  # only secret cases have it; the sealer names it as a class that may occur
        table(tmp_path / "train.csv", ["plain", "other"] * 20)
        table(tmp_path / "secret.csv", ["plain", "other", CANARY, "plain"] * 5)
        more = ("train.csv", "--test", "secret.csv", "--label", CANARY)
        known = {"secret.csv"}
    else:
        table(tmp_path / "all.csv", ["plain", "other", CANARY, "plain"] * 10)
        more = ("all.csv", "--test", "50%", "--seed", "1")
        known = {"all.csv", "v/train.csv"}
    options = ("--target", "y", "--id", "case", "--out", "v", "--policy", "ladder")
    code, said = command("vault", "seal", *more, *options, "--baseline", "0.9")
    assert code == 0, said
    assert CANARY not in said
    assert places(tmp_path) == known

    runs = []
    predictions(tmp_path)
    score = ("score", "v", "p.csv")
    for verb in (score, ("status", "v"), ("check", "v")):
        for extra in ((), ("--json",), ("--out", f"{verb[0]}d")):
            runs.append(command("vault", *verb, *extra))  # noqa: PERF401 (one by one)
    runs.append(command("vault", *score, "--name", "second"))
    assert [code for code, _ in runs] == [0] * len(runs)
    for column, value in (("case", "c0x"), ("case", None), ("prediction", "odd")):
        predictions(tmp_path, spoilt(column, value))
        code, said = command("vault", "score", "v", "p.csv")
        assert code == 2
        runs.append((code, said))
    for name in ("labels.sealed", "ledger.sqlite"):
        path = tmp_path / "v" / name
        kept = path.read_bytes()
        path.write_bytes(kept[:-3] + b"xyz")
        predictions(tmp_path)
        runs += [command("vault", verb, "v", *rest) for verb, *rest in (("check",), ("status",))]
        runs.append(command("vault", "score", "v", "p.csv"))
        path.write_bytes(kept)
    assert not any(CANARY in said for _, said in runs)
    assert not any("Traceback" in said for _, said in runs)
    assert places(tmp_path) == known

    code, said = command("vault", "open", "v")
    assert code == 0
    assert CANARY not in said
    assert places(tmp_path) == {*known, "v/labels.csv"}
    assert command("vault", "check", "v", "--json")[0] == 0
    runs = [command("vault", "status", "v"), command("vault", "score", "v", "p.csv")]
    assert not any(CANARY in said for _, said in runs)


def test_a_class_that_only_secret_cases_have_is_not_named(command, tmp_path):
    table(tmp_path / "train.csv", ["plain", "other"] * 20)
    table(tmp_path / "secret.csv", ["plain", "other", CANARY, "plain"] * 5)
    code, said = command(
        "vault", "seal", "train.csv", "--test", "secret.csv", "--target", "y", "--out", "v"
    )
    assert code == 2
    assert "secret.csv, lines 4, 8, 12, 16, 20, column 'y': a class that no training case" in said
    assert CANARY not in said
    assert not (tmp_path / "v").exists()


def test_a_rare_class_is_not_named(command, tmp_path):
    table(tmp_path / "all.csv", ["plain", "other"] * 20 + [CANARY])
    code, said = command("vault", "seal", "all.csv", "--target", "y", "--out", "v")
    assert code == 2
    assert "leaves a class out: no case of the class of all.csv, line 42" in said
    assert CANARY not in said


def test_python_objects_print_no_labels(tmp_path, monkeypatch):
    X, _ = data(40)
    y = ["plain", "other", CANARY, "plain"] * 10
    vault = Vault.seal(X, y, out=tmp_path / "v", key=tmp_path / "k", test=0.5, policy="ladder",
                       baseline=0.9, random_state=0)  # fmt: skip
    look = vault.score(["plain"] * 20)
    results = (vault, look, vault.status(), vault.check(), vault.header)
    shown = "".join(f"{r!r}{r!s}{vars(r) if hasattr(r, '__dict__') else ''}" for r in results)
    shown += "".join(
        r.to_json() + r.to_markdown() + r.to_latex() + r._repr_html_() for r in results[1:4]
    )
    assert CANARY not in shown
    assert CANARY not in str(vars(vault))

    def broken(*_):
        raise ValueError(f"something about {CANARY}")

    monkeypatch.setattr("referee.vault.sealed.sealed_measure.SealedMeasure.loss", broken)
    try:
        vault.score(["plain"] * 20)
    except RefereeError as problem:
        told = "".join(traceback.format_exception(problem)) + repr(problem)
    assert "could not be computed: ValueError (look 2 was spent)" in told
    assert CANARY not in told
    assert vault.check().unanswered == (2,)
