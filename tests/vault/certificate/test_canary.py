"""A class that only secret cases have is in nothing that certificates write, print or raise."""

import sys
from pathlib import Path

import pytest

import referee
from referee.cli import main
from referee.errors import RefereeError
from referee.vault.certificate import certify, freeze

sys.path.insert(0, str(Path(__file__).parent))

from certificates import run, write_protocol

CANARY = "zebra-canary-7"


def everything(folder):
    """Return all bytes of all files but the sealed labels' own home and the source table."""
    return b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


@pytest.fixture
def sealed(tmp_path):
    import numpy as np
    import pandas as pd

    y = np.where(np.arange(80) % 2, "ill", "well").astype(object)
    train = pd.DataFrame({"x": np.arange(80.0)})
    test, labels = train[:40], y[:40].copy()
    labels[:3] = CANARY
    referee.Vault.seal(
        train,
        y,
        out=tmp_path / "vault",
        test=(test, labels),
        labels=[CANARY],
        key=tmp_path / "vault.key",
        random_state=0,
    )
    return tmp_path


def test_it_appears_nowhere(sealed, capsys, monkeypatch, caplog):
    import pandas as pd

    path = write_protocol(sealed)
    texts = [str(freeze(path))]
    ids = pd.read_csv(sealed / "vault" / "test.csv")["id"]
    p = sealed / "p.csv"
    pd.DataFrame({"id": ids, "prediction": "ill"}).to_csv(p, index=False)
    pd.DataFrame({"id": ids, "prediction": "odd"}).to_csv(sealed / "odd.csv", index=False)
    with pytest.raises(RefereeError) as refused:
        run(sealed, sealed / "odd.csv")
    texts.append(str(refused.value))
    certificate = run(sealed, p)
    texts += [str(certificate), certificate.to_json(), certificate._repr_html_(), repr(certificate)]
    with pytest.raises(RefereeError) as second:
        run(sealed, p, out="second.zip")
    texts.append(str(second.value))
    check = referee.verify(sealed / "certificate.zip")
    assert check.verdict.shown
    texts += [str(check), check.to_json()]
    monkeypatch.setattr(
        sys, "argv", ["referee", "verify", str(sealed / "certificate.zip"), "--json"]
    )
    with pytest.raises(SystemExit):
        main()
    captured = capsys.readouterr()
    texts += [captured.out, captured.err, caplog.text]
    assert not [t for t in texts if CANARY in t]
    assert CANARY.encode() not in everything(sealed)
    vault = referee.Vault(sealed / "vault", key=sealed / "vault.key")
    vault.open()
    assert CANARY.encode() in everything(sealed)  # the test can see it


def test_an_error_in_the_middle_tells_its_kind_alone(sealed, monkeypatch):
    import pandas as pd

    freeze(write_protocol(sealed))
    ids = pd.read_csv(sealed / "vault" / "test.csv")["id"]
    p = sealed / "p.csv"
    pd.DataFrame({"id": ids, "prediction": "ill"}).to_csv(p, index=False)

    def leaks(lock, truth, *_):
        raise ValueError(f"{CANARY} {truth.tolist()}")

    monkeypatch.setattr(sys.modules[certify.__module__], "counted", leaks)
    with pytest.raises(RefereeError) as problem:
        run(sealed, p)
    assert CANARY not in str(problem.value)
    assert "ValueError" in str(problem.value)
    assert problem.value.__cause__ is None
    assert problem.value.__suppress_context__
