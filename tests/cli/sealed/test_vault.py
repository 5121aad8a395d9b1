"""referee vault on the command line: a walk through, and bad input, which changes nothing."""

import io
import json

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from referee.report.json import results_schema

SEAL = ("vault", "seal", "iris.csv", "--target", "species", "--out", "v", "--seed", "0")
LADDER = (*SEAL, "--policy", "ladder", "--test", "40%")


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("REFEREE_PASSPHRASE", raising=False)
    return tmp_path / "config" / "referee" / "vaults"


def answers(folder, at=2.5, name="p.csv"):
    test = pd.read_csv(folder / "v" / "test.csv")
    flower = ["setosa" if x < at else "versicolor" for x in test["pl"]]
    flower = ["virginica" if x > 4.8 else f for x, f in zip(test["pl"], flower, strict=True)]
    pd.DataFrame({"id": test["id"], "prediction": flower}).to_csv(folder / name, index=False)


def strict(outcome):
    (record,) = json.loads(outcome.out)
    Draft202012Validator(json.loads(results_schema())).validate(record)
    return record


def files(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_whole_way(folder, referee, config):
    sealed = referee(*LADDER)
    assert sealed.code == 0, sealed.err
    assert "60 sealed cases, no looks" in sealed.out
    assert str(config) in sealed.err
    train, test = pd.read_csv("v/train.csv"), pd.read_csv("v/test.csv")
    assert (len(train), len(test)) == (90, 60)
    assert train["species"].value_counts().tolist() == [30, 30, 30]
    assert "species" not in test
    answers(folder)
    look = strict(referee("vault", "score", "v", "p.csv", "--json"))
    assert (look["looks"], look["releases"], look["name"]) == (1, 1, "p")
    assert look["interval"]["low"] <= look["naive_interval"]["low"]
    again = referee("vault", "score", "v", "p.csv", "--name", "again", "--out", "report")
    assert again.code == 0
    assert "NO IMPROVEMENT" in again.out
    assert (folder / "report" / "report.html").is_file()
    status = strict(referee("vault", "status", "v", "--json"))
    assert [look["outcome"] for look in status["looks"]] == ["released", "no improvement"]
    checked = referee("vault", "check", "v")
    assert checked.code == 0
    assert "PASS" in checked.out
    assert strict(referee("vault", "check", "v", "--json"))["looks"] == 2
    opened = referee("vault", "open", "v")
    assert opened.code == 0
    assert "OPENED" in opened.out
    labels = pd.read_csv("v/labels.csv")
    assert labels["species"].value_counts().tolist() == [20, 20, 20]
    assert referee("vault", "check", "v").code == 0


def test_a_key_that_a_colleague_keeps(folder, referee, config):
    (folder / "colleague").mkdir()
    assert referee(*SEAL, "--key", "colleague/key").code == 0
    assert not config.exists()
    answers(folder)
    missing = referee("vault", "score", "v", "p.csv")
    assert missing.code == 2
    assert "name its file with --key, or ask the person who keeps it" in missing.err
    assert "no look was spent" in missing.err
    assert referee("vault", "status", "v").code == 0  # needs no key
    scored = referee("vault", "score", "v", "p.csv", "--key", "colleague/key")
    assert scored.code == 0
    assert "in the only look there was" in " ".join(scored.out.split())
    assert referee("vault", "check", "v", "--key", "colleague/key").code == 0
    assert referee("vault", "open", "v", "--key", "colleague/key").code == 0


def test_a_changed_ledger_is_exit_1(folder, referee):
    referee(*SEAL)
    path = folder / "v" / "ledger.sqlite"
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)
    outcome = referee("vault", "check", "v")
    assert outcome.code == 1
    assert "FAIL" in outcome.out
    assert "not as it was written" in outcome.out


def test_groups_ids_and_a_test_file(folder, referee):
    frame = pd.read_csv("iris.csv")
    frame["name"] = [f"flower {k}" for k in range(150)]
    frame.to_csv("named.csv", index=False)
    asked = ("vault", "seal", "named.csv", "--target", "species", "--id", "name")
    assert referee(*asked, "--groups", "plant", "--out", "v", "--test", "30%").code == 0
    train, test = pd.read_csv("v/train.csv"), pd.read_csv("v/test.csv")
    assert not set(train["plant"]) & set(test["plant"])
    assert test.columns[0] == "name"
    assert len(train) + len(test) == 150
    frame[:100].to_csv("one.csv", index=False)
    frame[100:].to_csv("two.csv", index=False)
    both = ("vault", "seal", "one.csv", "--test", "two.csv", "--target", "species", "--out", "w")
    outcome = referee(*both, "--groups", "plant")
    assert outcome.code == 2
    assert "one group has cases in both files" in outcome.err
    assert not (folder / "w").exists()
    assert referee(*both, "--id", "name").code == 0
    assert set(pd.read_csv("w/test.csv")["name"]) == set(frame["name"][100:])


def test_a_passphrase_from_file_and_environment(folder, referee, config, monkeypatch):
    from referee.vault.sealed.keys.passphrase import Stretching

    monkeypatch.setattr(Stretching, "new", lambda: Stretching("ab" * 16, n=2))
    (folder / "secret.txt").write_text("correct horse\n")
    (folder / "wrong.txt").write_text("wrong horse\n")
    assert referee(*SEAL, "--passphrase-file", "secret.txt").code == 0
    assert not list(config.glob("*.key"))
    assert referee("vault", "check", "v", "--passphrase-file", "secret.txt").code == 0
    outcome = referee("vault", "check", "v", "--passphrase-file", "wrong.txt")
    assert outcome.code == 2
    assert "passphrase is not the one" in outcome.err
    monkeypatch.setenv("REFEREE_PASSPHRASE", "correct horse")
    answers(folder)
    assert referee("vault", "score", "v", "p.csv").code == 0
    monkeypatch.setenv("REFEREE_PASSPHRASE", "")
    assert referee("vault", "check", "v").code == 2
    monkeypatch.delenv("REFEREE_PASSPHRASE")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    nobody = referee("vault", "check", "v")
    assert nobody.code == 2
    assert "a passphrase is needed, and nobody is there to ask" in nobody.err
    monkeypatch.setenv("REFEREE_PASSPHRASE", "from the environment")
    assert referee(*SEAL[:-3], "w", "--passphrase").code == 0
    assert referee("vault", "check", "w").code == 0


BAD_SEALS = {
    "no table": (("vault", "seal", "nix.csv", "--target", "species", "--out", "v"), "no such file"),
    "no column": (("vault", "seal", "iris.csv", "--target", "spezies", "--out", "v"), "did you"),
    "a quantity": (("vault", "seal", "iris.csv", "--target", "sl", "--out", "v"), "not a class"),
    "a directory that exists": (("vault", "seal", "iris.csv", "--target", "species", "--out", "."),
                                "exists already; name a new directory with --out"),
    "a share too small": ((*SEAL, "--test", "1%"), "leaves a class out"),
    "no share": ((*SEAL, "--test", "120%"), "--test must be a share"),
    "no file": ((*SEAL, "--test", "nix.csv"), "no such file"),
    "policy": ((*SEAL, "--policy", "lader"), "did you mean 'ladder'"),
    "measure": ((*SEAL, "--measure", "mcc"), "use one of error, accuracy"),
    "precision": ((*SEAL, "--measure", "precision"), "use tpr or fpr"),
    "log loss": ((*SEAL, "--measure", "log_loss"), "use brier"),
    "positive class": ((*SEAL, "--measure", "auc"), "name it with --pos-label"),
    "no such class": ((*SEAL, "--measure", "auc", "--pos-label", "rose"), "--pos-label must be"),
    "costs alone": ((*SEAL, "--costs", "1", "2"), "go together"),
    "cost alone": ((*SEAL, "--measure", "cost", "--pos-label", "setosa"), "go together"),
    "baseline": ((*LADDER, "--baseline", "zero"), "--baseline must be majority or a number"),
    "impossible baseline": ((*LADDER, "--baseline", "1.5"), "baseline must lie strictly between"),
    "step": ((*LADDER, "--step", "0.001"), "step must be at least one standard error"),
    "step without ladder": ((*SEAL, "--step", "0.1"), "--step belongs to --policy ladder"),
    "looks without ladder": ((*SEAL, "--looks", "5"), "use --policy ladder for several"),
    "no looks": ((*LADDER, "--looks", "0"), "--looks must be a whole number"),
    "level": ((*SEAL, "--level", "95"), "--level must lie strictly between 0 and 1"),
    "ids twice": ((*SEAL, "--id", "plant"), "stands"),
    "two roles": ((*SEAL, "--groups", "species"), "name the same column"),
    "seed": ((*SEAL[:-1], "-1"), "from 0 to 4294967295"),
    "two keys": ((*SEAL, "--key", "k", "--passphrase-file", "iris.csv"), "exclude each other"),
    "key in the vault": ((*SEAL, "--key", "v/key"), "keep it elsewhere"),
    "no passphrase file": ((*SEAL, "--passphrase-file", "nix"), "--passphrase-file nix cannot"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_SEALS)
def test_a_bad_seal_writes_nothing(folder, referee, name):
    before = files(folder)
    asked, said = BAD_SEALS[name]
    outcome = referee(*asked)
    assert outcome.code == 2, outcome.out
    assert said in " ".join(outcome.err.split())
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert files(folder) == before
    assert not [p for p in folder.rglob("*") if p.name.startswith(".referee")]


def newer(folder):
    path = folder / "v" / "labels.sealed"
    path.write_bytes(path.read_bytes().replace(b"REFVAULT\0\1", b"REFVAULT\0\2", 1))


def without_key(folder):
    for path in (folder / "config").rglob("*.key"):
        path.unlink()


def other_ids(folder):
    (folder / "p.csv").write_text("id,prediction\n1000,setosa\n")


BAD_STATES = {
    "newer format": (newer, "has format 2, and this referee reads format 1", ("check", "status")),
    "no key": (without_key, "is missing", ("check", "open")),
    "other ids": (other_ids, "'1000' is no id of test.csv", ()),
    "no sealed file": (
        lambda f: (f / "v" / "labels.sealed").unlink(),
        "cannot be read",
        ("check",),
    ),
    "no ledger": (lambda f: (f / "v" / "ledger.sqlite").unlink(), "is missing", ("open", "status")),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_bad_state_costs_no_look(folder, referee, name):
    referee(*SEAL)
    answers(folder)
    spoil, said, verbs = BAD_STATES[name]
    spoil(folder)
    before = files(folder)
    for asked in (("score", "v", "p.csv"), *((verb, "v") for verb in verbs)):
        outcome = referee("vault", *asked)
        assert outcome.code == 2, (asked, outcome.out)
        assert said in " ".join(outcome.err.split())
        assert "Traceback" not in outcome.err
        assert outcome.out == ""
    assert files(folder) == before


def test_no_vault_at_all(folder, referee):
    for verb in ("status", "check", "open"):
        outcome = referee("vault", verb, "nix")
        assert outcome.code == 2
        assert "name one that referee vault seal wrote" in outcome.err
    outcome = referee("vault", "status", ".")
    assert outcome.code == 2
    assert "name a directory that referee vault seal wrote" in outcome.err


def test_scored_again_after_the_only_look_and_after_opening(folder, referee):
    referee(*SEAL)
    answers(folder)
    assert referee("vault", "score", "v", "p.csv").code == 0
    again = referee("vault", "score", "v", "p.csv")
    assert again.code == 2
    assert "the only look was used" in again.err
    referee("vault", "open", "v")
    after = referee("vault", "score", "v", "p.csv")
    assert after.code == 2
    assert "was opened on" in after.err
    assert "seal a new test set" in after.err
    assert strict(referee("vault", "check", "v", "--json"))["looks"] == 1


def test_columns_by_name(folder, referee):
    referee(*LADDER)
    answers(folder)
    frame = pd.read_csv("p.csv").rename(columns={"id": "flower", "prediction": "a"})
    frame.assign(b="setosa").to_csv("q.csv", index=False)
    outcome = referee("vault", "score", "v", "q.csv", "--id", "flower")
    assert outcome.code == 2
    assert "say which to take with --pred" in outcome.err
    assert referee("vault", "score", "v", "q.csv", "--id", "flower", "--pred", "a").code == 0


def test_a_report_that_cannot_be_written_costs_no_look(folder, referee):
    referee(*SEAL)
    answers(folder)
    outcome = referee("vault", "score", "v", "p.csv", "--out", "v")
    assert outcome.code == 2
    assert strict(referee("vault", "check", "v", "--json"))["looks"] == 0


def test_a_passphrase_that_is_asked_for(folder, referee, monkeypatch):
    from referee.vault.sealed.keys.passphrase import Stretching

    asked = []

    def prompt(text, **options):
        asked.append((text, options["hide_input"], options["confirmation_prompt"], options["err"]))
        return "correct horse"

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(Stretching, "new", lambda: Stretching("ab" * 16, n=2))
    monkeypatch.setattr("typer.prompt", prompt)
    monkeypatch.setattr("sys.stdin", Terminal())
    assert referee(*SEAL, "--passphrase").code == 0
    assert referee("vault", "check", "v").code == 0
    assert asked == [("Passphrase", True, True, True), ("Passphrase", True, False, True)]
