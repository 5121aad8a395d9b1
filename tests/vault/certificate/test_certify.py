"""From a protocol to a certificate: verdicts, one run only, and what is refused before it."""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import referee
from referee.errors import InputError, RefereeError, Refusal
from referee.vault.certificate import certify, freeze
from referee.vault.certificate.protocol.lock import read_lock

sys.path.insert(0, str(Path(__file__).parent))

from certificates import (
    answers,
    labels_mode,
    predict,
    run,
    run_labels,
    seal,
    whole,
    write_protocol,
)


@pytest.mark.parametrize(("wrong", "outcome"), [(0, "pass"), (3, "undecided"), (18, "fail")])
def test_verdicts_and_verification_with_and_without_labels(tmp_path, wrong, outcome):
    certificate = whole(tmp_path, wrong)
    assert certificate.verdict.outcome.value == outcome
    (result,) = certificate.results
    assert (result["n"], result["counts"]) == (20, [wrong])
    public = {"public_key": tmp_path / "signing.pub"}
    check = referee.verify(tmp_path / "certificate.zip", **public)
    assert check.verdict.shown, check
    assert {s.name for s in check.steps if not s.checked} == {"time stamp", "labels"}
    vault = referee.Vault(tmp_path / "vault", key=tmp_path / "vault.key")
    assert vault.check().verdict.shown
    vault.open()
    labels = {"labels": tmp_path / "vault" / "labels.csv"}
    again = referee.verify(tmp_path / "certificate.zip", **public, **labels)
    assert again.verdict.shown, again
    assert [s.name for s in again.steps if not s.checked] == ["time stamp"]
    assert vault.check().verdict.shown


def test_another_labels_file_is_seen(tmp_path):
    whole(tmp_path)
    vault = referee.Vault(tmp_path / "vault", key=tmp_path / "vault.key")
    path = vault.open()
    lines = path.read_text().splitlines()
    name, label = lines[3].split(",")
    lines[3] = f"{name},{'well' if label == 'ill' else 'ill'}"
    path.write_text("\n".join(lines) + "\n")
    check = referee.verify(tmp_path / "certificate.zip", labels=path)
    assert not check.verdict.shown
    assert "does not hold the labels" in check.verdict.sentence


def test_a_vault_certifies_once_and_answers_no_look_after(tmp_path):
    whole(tmp_path)
    before = (tmp_path / "vault" / "ledger.sqlite").read_bytes()
    with pytest.raises(Refusal, match="used for a certificate"):
        run(tmp_path, tmp_path / "p.csv", out="again.zip")
    with pytest.raises(RefereeError, match="used for a certificate"):
        referee.Vault(tmp_path / "vault", key=tmp_path / "vault.key").score(tmp_path / "p.csv")
    assert (tmp_path / "vault" / "ledger.sqlite").read_bytes() == before
    assert not (tmp_path / "again.zip").exists()
    status = referee.Vault(tmp_path / "vault").status()
    assert status.left == 0
    assert "used for a certificate" in str(status)


def test_another_protocol_for_a_used_vault_is_refused(tmp_path):
    whole(tmp_path)
    with pytest.raises(Refusal, match="used for a certificate"):
        freeze(tmp_path / "protocol.toml", out=tmp_path / "second.lock.json")


def test_a_vault_that_was_looked_at_gives_no_certificate(tmp_path):
    vault = seal(tmp_path)
    path = write_protocol(tmp_path)
    freeze(path)
    p = answers(tmp_path)
    vault.score(p)
    with pytest.raises(Refusal, match="looked at once"):
        run(tmp_path, p)
    with pytest.raises(Refusal, match="looked at once"):
        freeze(path, out=tmp_path / "second.lock.json")
    assert not (tmp_path / "certificate.zip").exists()


def test_a_process_that_dies_in_between_has_used_the_test_set(tmp_path, monkeypatch):
    seal(tmp_path)
    freeze(write_protocol(tmp_path))
    p = answers(tmp_path)

    def dies(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules[certify.__module__], "counted", dies)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, p)
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with pytest.raises(Refusal, match="used for a certificate"):
        run(tmp_path, p)
    assert referee.Vault(tmp_path / "vault", key=tmp_path / "vault.key").check().verdict.shown


def test_labels_in_a_file(tmp_path):
    y = np.arange(60) % 2
    p = y.copy()
    p[:2] ^= 1
    freeze(write_protocol(tmp_path, claim="accuracy >= 0.9", data=labels_mode(tmp_path, y)))
    opening = tmp_path / "protocol.opening.json"
    assert oct(opening.stat().st_mode & 0o777) == "0o600"
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    assert certificate.results[0]["counts"] == [2]
    with pytest.raises(Refusal, match="run already"):
        run_labels(tmp_path, tmp_path / "p.csv", out="second.zip")
    check = referee.verify(
        tmp_path / "certificate.zip", labels=tmp_path / "labels.csv", opening=opening
    )
    assert check.verdict.shown, check


def test_labels_that_changed_since_are_refused_and_cost_nothing(tmp_path):
    y = np.arange(60) % 2
    freeze(write_protocol(tmp_path, data=labels_mode(tmp_path, y)))
    labels_mode(tmp_path, 1 - y)
    with pytest.raises(InputError, match="does not hold the labels"):
        run_labels(tmp_path, predict(tmp_path, y))
    assert not (tmp_path / "protocol.run.json").exists()
    labels_mode(tmp_path, y)
    assert run_labels(tmp_path, tmp_path / "p.csv").verdict.shown


def test_both_sides_of_a_conjunction_are_judged(tmp_path):
    y = np.array(["ill"] * 100 + ["well"] * 200)
    p = y.copy()
    p[100:130] = "ill"  # fpr .15
    path = write_protocol(
        tmp_path,
        claim="tpr >= 0.95 and fpr <= 0.05",
        data=labels_mode(tmp_path, y),
        top={"pos_label": "ill"},
    )
    freeze(path)
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    assert [(r["part"], r["n"], r["counts"], r["outcome"]) for r in certificate.results] == [
        ("tpr >= 0.95", 100, [0], "PASS"),
        ("fpr <= 0.05", 200, [30], "FAIL"),
    ]
    assert certificate.verdict.outcome.value == "fail"


def test_every_stratum_must_hold_and_exclusions_do_not_count(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    site = np.repeat(["A", "B"], 200)
    p = y.copy()
    p[:20] ^= 1  # site A: 10 % wrong
    data = labels_mode(tmp_path, y, site)
    sections = {"strata": {"columns": ["site"]}}
    freeze(write_protocol(tmp_path, claim="error <= 0.1", data=data, **sections))
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    assert [(r["stratum"], r["outcome"]) for r in certificate.results] == [
        ("site = A", "UNDECIDED"),
        ("site = B", "PASS"),
    ]
    assert certificate.predicate["overall"][0]["counts"] == [20]
    # With the bad cases excluded in advance (by id, with a reason) site A passes as well.
    folder = tmp_path / "second"
    folder.mkdir()
    data = labels_mode(folder, y, site)
    sections["exclusions"] = {"ids": [str(i) for i in range(1, 19)], "reason": "blurred"}
    freeze(write_protocol(folder, claim="error <= 0.1", data=data, **sections))
    certificate = run_labels(folder, predict(folder, p))
    assert certificate.verdict.shown
    assert [r["n"] for r in certificate.results] == [182, 200]
    assert certificate.predicate["excluded"] == 18


def test_single_strata_name_those_that_pass(tmp_path):
    y = np.zeros(600, dtype=int)
    y[::2] = 1
    p = y.copy()
    p[:60] ^= 1
    data = labels_mode(tmp_path, y, np.repeat(["A", "B", "C"], 200))
    strata = {"columns": ["site"], "rule": "single"}
    freeze(write_protocol(tmp_path, claim="error <= 0.05", data=data, strata=strata))
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    assert [r["outcome"] for r in certificate.results] == ["FAIL", "PASS", "PASS"]
    assert "shown for site = B, site = C" in certificate.verdict.sentence
    assert "Holm" in str(certificate)
    assert referee.verify(tmp_path / "certificate.zip").verdict.shown


def test_exclusion_by_a_column_of_the_vaults_inputs(tmp_path):
    seal(tmp_path, n=120)
    exclusions = {"where": ["site == A"], "reason": "scanner broken"}
    freeze(write_protocol(tmp_path, exclusions=exclusions))
    certificate = run(tmp_path, answers(tmp_path))
    n = (pd.read_csv(tmp_path / "vault" / "test.csv")["site"] != "A").sum()
    assert certificate.results[0]["n"] == n


def test_columns_of_a_vault_may_be_numbers(tmp_path):
    """A table without a header gets numbers as names, and so do the files of its vault."""
    y = pd.Series(np.arange(40) % 2, name="2")
    options = {"test": 0.5, "random_state": 0, "key": tmp_path / "vault.key"}
    vault = referee.Vault.seal(pd.DataFrame({"1": y - 0.5}), y, out=tmp_path / "vault", **options)
    freeze(write_protocol(tmp_path))
    right = (vault.test_inputs["1"] > 0).astype(int)
    assert run(tmp_path, right.to_numpy()).results[0]["counts"] == [0]
    vault.open()
    check = referee.verify(tmp_path / "certificate.zip", labels=tmp_path / "vault/labels.csv")
    assert check.verdict.shown, check


def test_not_worse_than_a_baseline(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1500)
    old, new = (np.where(rng.random(1500) < share, 1 - y, y) for share in (0.1, 0.05))
    data = labels_mode(tmp_path, y)
    predict(tmp_path, old, "BASELINE.csv")
    freeze(
        write_protocol(tmp_path, claim="not worse than BASELINE.csv by more than 0.01", data=data)
    )
    certificate = run_labels(tmp_path, predict(tmp_path, new))
    assert certificate.verdict.shown
    counts = certificate.results[0]["counts"]
    right = (old == y).astype(int) * 2 + (new == y)
    assert counts == [
        np.sum(right == 3),
        np.sum(right == 1),
        np.sum(right == 2),
        np.sum(right == 0),
    ]
    check = referee.verify(
        tmp_path / "certificate.zip",
        labels=tmp_path / "labels.csv",
        opening=tmp_path / "protocol.opening.json",
    )
    assert check.verdict.shown, check


def test_a_baseline_that_changed_is_refused(tmp_path):
    y = np.arange(60) % 2
    predict(tmp_path, y, "b.csv")
    claim = "not worse than b.csv by more than 0.1"
    freeze(write_protocol(tmp_path, claim=claim, data=labels_mode(tmp_path, y)))
    predict(tmp_path, 1 - y, "b.csv")
    with pytest.raises(InputError, match="frozen with"):
        run_labels(tmp_path, predict(tmp_path, y))
    assert not (tmp_path / "protocol.run.json").exists()


def test_a_sequential_plan_stops_when_it_is_clear(tmp_path):
    y = np.arange(1000) % 2
    p = y.copy()
    p[900:] ^= 1  # never reached
    plan = {"kind": "sequential", "most": 1000}
    data = labels_mode(tmp_path, y)
    freeze(write_protocol(tmp_path, claim="error <= 0.05", data=data, plan=plan))
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    (result,) = certificate.results
    assert certificate.verdict.shown
    assert result["n"] < 100
    assert result["counts"] == [0]
    check = referee.verify(
        tmp_path / "certificate.zip",
        labels=tmp_path / "labels.csv",
        opening=tmp_path / "protocol.opening.json",
    )
    assert check.verdict.shown, check


def test_an_acceptance_plan_takes_its_first_cases(tmp_path):
    y = np.arange(400) % 2
    p = y.copy()
    p[350:] ^= 1
    plan = {"kind": "acceptance", "n": 299, "failures": 0}
    data = labels_mode(tmp_path, y)
    freeze(write_protocol(tmp_path, claim="error <= 0.01", data=data, plan=plan))
    certificate = run_labels(tmp_path, predict(tmp_path, p))
    assert certificate.verdict.shown
    assert certificate.results[0]["n"] == 299


def test_predictions_from_python(tmp_path):
    vault = seal(tmp_path)
    freeze(write_protocol(tmp_path))
    said = np.where(vault.test_inputs["x"] > 0, "ill", "well")
    certificate = run(tmp_path, said)
    assert certificate.verdict.shown
    assert len(certificate.frame()) == 1
    assert referee.verify(tmp_path / "certificate.zip").verdict.shown


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"claim": "error <= 0"}, "cannot be shown"),
        ({"claim": ""}, "has no claim"),
        ({"claim": "tpr >= 0.9"}, "positive class"),
        ({"claim": "tpr >= 0.8", "top": {"pos_label": "odd"}}, "none of the 2 classes"),
        ({"claim": "error <= 0.01"}, "299 are needed"),
        ({"top": {"level": 95}}, "for 95 % write 0.95"),
        ({"top": {"level": 0.3}}, "at least 0.5"),
        ({"top": {"levle": 0.9}}, "did you mean 'level'"),
        ({"plan": {"kind": "acceptance", "n": 5, "failures": 0}}, "14 cases are needed"),
        ({"plan": {"kind": "acceptance", "n": 21, "failures": 0}}, "the plan takes 21"),
        ({"plan": {"kind": "exact", "n": 5}}, "does not belong"),
        ({"plan": {"kind": "acceptance", "n": 20}}, "plan.failures"),
        ({"plan": {"kind": "exakt"}}, "did you mean 'exact'"),
        ({"strata": {"columns": ["sight"]}}, "did you mean 'site'"),
        ({"strata": {"columns": ["site"]}}, "cannot show"),
        ({"strata": {"columns": "site"}}, "must be a list"),
        ({"strata": {"rule": "all"}}, "unknown"),
        ({"exclusions": {"ids": ["1"]}}, "reason is empty"),
        ({"exclusions": {"ids": ["x"], "reason": "r"}}, "no cases of the test set"),
        ({"exclusions": {"where": ["site is A"], "reason": "r"}}, "cannot be read"),
        ({"exclusions": {"where": ["site == Z"], "reason": "r"}}, "excludes no case"),
        ({"signer": {"name": "", "public_key": "signing.pub"}}, "name who signs"),
        ({"signer": {"name": "A", "public_key": "signing.pem"}}, "no public Ed25519 key"),
        ({"signer": {"name": "A", "public_key": "none.pub"}}, "cannot be read"),
        ({"data": {}}, "one of the two"),
        ({"data": {"vault": "nowhere"}}, "is no directory"),
        ({"data": {"vault": "vault", "target": "y"}}, "does not belong to a vault"),
        ({"claim": "not worse than none.csv by more than 0.1"}, "none.csv"),
        (
            {
                "claim": "not worse than b.csv by more than 0.1",
                "plan": {"kind": "acceptance", "n": 20, "failures": 0},
            },
            "compares two models",
        ),
    ],
)
def test_protocols_that_cannot_be_frozen(tmp_path, change, words):
    seal(tmp_path)
    path = write_protocol(tmp_path, **change)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(RefereeError, match=words):
        freeze(path)
    assert sorted(os.listdir(tmp_path)) == before


def test_grouped_cases_are_refused(tmp_path):
    seal(tmp_path, groups=np.arange(40) // 2)
    with pytest.raises(Refusal, match="one case of each group"):
        freeze(write_protocol(tmp_path))


def test_freezing_twice_is_refused(tmp_path):
    seal(tmp_path)
    path = write_protocol(tmp_path)
    freeze(path)
    with pytest.raises(InputError, match="exists already"):
        freeze(path)


def test_what_is_wrong_is_said_before_the_test_set_is_used(tmp_path):
    vault = seal(tmp_path)
    freeze(write_protocol(tmp_path))
    p = answers(tmp_path)
    ledger = (tmp_path / "vault" / "ledger.sqlite").read_bytes()
    frame = pd.read_csv(p)
    frame.assign(id=frame["id"] + 1000).to_csv(tmp_path / "other.csv", index=False)
    frame.assign(prediction="odd").to_csv(tmp_path / "odd.csv", index=False)
    frame[1:].to_csv(tmp_path / "short.csv", index=False)
    (tmp_path / "taken.zip").write_bytes(b"")
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    write_protocol(stranger)
    seal(stranger, n=60)
    for arguments, words in [
        ({"predictions": tmp_path / "other.csv"}, "no ids of test.csv"),
        ({"predictions": tmp_path / "odd.csv"}, "none of the 2 classes"),
        ({"predictions": tmp_path / "short.csv"}, "have no prediction"),
        ({"key": stranger / "signing.pem"}, "is not the key of Test"),
        ({"key": tmp_path / "signing.pub"}, "no Ed25519 key that signs"),
        ({"out": "taken.zip"}, "exists already"),
        ({"out": "no/where.zip"}, "no directory"),
        ({"vault": stranger / "vault"}, "not the vault of the protocol"),
        ({"vault": None}, "one of the two"),
        ({"vault": None, "labels": p}, "frozen with a vault"),
        ({"vault_key": stranger / "vault.key"}, "key"),
        ({"vault_key": tmp_path / "none.key"}, "name its file with vault_key"),
    ]:
        with pytest.raises(InputError, match=words):
            run(tmp_path, **({"predictions": p} | arguments))
        assert (tmp_path / "vault" / "ledger.sqlite").read_bytes() == ledger
        assert not (tmp_path / "certificate.zip").exists()
    assert vault.check().verdict.shown
    assert run(tmp_path, p).verdict.shown


def test_an_edited_lock_is_refused(tmp_path):
    """Every byte, exhaustively; also an edit whose fingerprint was computed again is seen later."""
    seal(tmp_path, n=30)
    freeze(write_protocol(tmp_path))
    path = tmp_path / "protocol.lock.json"
    content = path.read_bytes()
    assert read_lock(path).content == content
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(InputError):
            read_lock(path)
    path.write_bytes(content.replace(b'"version":1', b'"version":2'))
    with pytest.raises(InputError, match="update referee"):
        read_lock(path)


def test_without_the_extra_the_message_names_it(tmp_path, monkeypatch):
    seal(tmp_path)
    path = write_protocol(tmp_path)
    monkeypatch.setitem(sys.modules, "securesystemslib", None)
    monkeypatch.setitem(sys.modules, "securesystemslib.signer", None)
    with pytest.raises(InputError, match=r"install referee\[certify\]"):
        freeze(path)
    assert not (tmp_path / "protocol.lock.json").exists()
