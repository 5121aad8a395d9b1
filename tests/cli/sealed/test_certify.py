"""referee certify on the command line: the walk of docs/certificates.md, and bad input."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from referee.report.json import results_schema


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("REFEREE_PASSPHRASE", raising=False)


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    rng = np.random.default_rng(0)
    y = np.where(rng.random(1500) < 0.5, "ill", "well")
    x = (y == "ill") * 8.0 + rng.normal(size=1500)
    site = rng.choice(["north", "south"], 1500)
    pd.DataFrame({"x": x, "site": site, "state": y}).to_csv("scans.csv", index=False)
    return folder


def strict(outcome):
    (record,) = json.loads(outcome.out)
    Draft202012Validator(json.loads(results_schema())).validate(record)
    return record


def fill_in(claim="error <= 0.02"):
    text = Path("protocol.toml").read_text()
    text = text.replace('claim = "error <= 0.01"', f'claim = "{claim}"')
    text = text.replace('name = "" ', 'name = "Test laboratory" ')
    text = text.replace('# columns = ["site"]', 'columns = ["site"]')
    Path("protocol.toml").write_text(text)


def predict(name="p.csv"):
    test = pd.read_csv("vault/test.csv")
    said = np.where(test["x"] > 4, "ill", "well")
    pd.DataFrame({"id": test["id"], "prediction": said}).to_csv(name, index=False)


def ready(referee):
    seal = ("vault", "seal", "scans.csv", "--target", "state", "--test", "30%", "--out", "vault")
    assert referee(*seal, "--seed", "0").code == 0
    assert referee("certify", "init", "protocol.toml").code == 0
    assert referee("certify", "keygen", "signing.pem").code == 0
    fill_in()


RUN = ("certify", "run", "protocol.lock.json", "p.csv", "--vault", "vault", "--key", "signing.pem")


def test_the_whole_way(place, referee):
    ready(referee)
    lock = strict(referee("certify", "freeze", "protocol.toml", "--json"))
    assert lock["kind"] == "protocol_lock"
    assert set(lock["strata"]) == {"site = north", "site = south"}
    predict()
    ran = referee(*RUN, "--out", "certificate.zip", "--json")
    assert ran.code == 0, ran.err
    certificate = strict(ran)
    assert certificate["predicate"]["outcome"] == "PASS"
    second = referee(*RUN, "--out", "second.zip")
    assert second.code == 2
    assert "used for a certificate" in second.err
    assert not os.path.exists("second.zip")
    verify = ("verify", "certificate.zip", "--public-key", "signing.pub")
    checked = referee(*verify, "--json")
    assert checked.code == 0
    assert strict(checked)["kind"] == "certificate_check"
    assert referee("vault", "open", "vault").code == 0
    again = referee(*verify, "--labels", "vault/labels.csv")
    assert again.code == 0, again.out
    assert "every count counted again" in again.out
    status = strict(referee("vault", "status", "vault", "--json"))
    assert status["certified"]


def test_undecided_and_changed_exit_with_1(place, referee):
    ready(referee)
    assert referee("certify", "freeze", "protocol.toml").code == 0
    predict()
    frame = pd.read_csv("p.csv")
    frame.loc[:5, "prediction"] = np.where(frame.loc[:5, "prediction"] == "ill", "well", "ill")
    frame.to_csv("p.csv", index=False)
    ran = referee(*RUN, "--out", "certificate.zip")
    assert ran.code == 1
    assert "UNDECIDED" in ran.out
    data = bytearray(Path("certificate.zip").read_bytes())
    data[200] ^= 1
    Path("changed.zip").write_bytes(bytes(data))
    assert referee("verify", "changed.zip").code == 1
    assert strict(referee("verify", "changed.zip", "--json"))["verdict"]["outcome"] == "fail"


@pytest.mark.parametrize(
    ("break_it", "arguments", "words"),
    [
        (lambda: None, ("freeze", "none.toml"), "referee certify init writes one"),
        (lambda: None, ("init", "protocol.toml"), "exists already"),
        (lambda: None, ("keygen", "signing.pem"), "exists already"),
        (lambda: fill("error <= 0"), ("freeze", "protocol.toml"), "cannot be shown"),
        (lambda: fill(""), ("freeze", "protocol.toml"), "has no claim"),
        (lambda: Path("protocol.toml").write_text("x = ["), ("freeze", "protocol.toml"), "no TOML"),
        (lambda: None, (*RUN[1:], "--out", "c.zip"), "referee certify freeze writes it"),
    ],
)
def test_bad_input_exits_with_2_and_changes_nothing(place, referee, break_it, arguments, words):
    ready(referee)
    predict()
    break_it()
    before = sorted(os.listdir())
    ledger = Path("vault/ledger.sqlite").read_bytes()
    outcome = referee("certify", *arguments)
    assert outcome.code == 2
    assert words in outcome.err
    assert "Traceback" not in outcome.err
    assert sorted(os.listdir()) == before
    assert Path("vault/ledger.sqlite").read_bytes() == ledger


def fill(claim):
    text = Path("protocol.toml").read_text()
    Path("protocol.toml").write_text(text.replace("error <= 0.02", claim))


def test_an_edited_lock_is_refused(place, referee):
    ready(referee)
    assert referee("certify", "freeze", "protocol.toml").code == 0
    predict()
    text = Path("protocol.lock.json").read_text()
    Path("protocol.lock.json").write_text(text.replace("error <= 0.02", "error <= 0.20"))
    outcome = referee(*RUN, "--out", "c.zip")
    assert outcome.code == 2
    assert "edited after it was frozen" in outcome.err
    assert referee("vault", "status", "vault").out.count("no looks") == 1
