"""Protocols, locks and certificates for the tests."""

import json

import numpy as np
import pandas as pd

from referee import Vault
from referee.vault.certificate import certify, freeze
from referee.vault.certificate.signing.signing_key import create_signing_key


def toml(value):
    return json.dumps(value)


def write_protocol(folder, *, claim="error <= 0.2", data=None, **sections):
    top = {"title": "Release test", "claim": claim, "level": 0.95} | sections.pop("top", {})
    sections = {
        "data": {"vault": "vault"} if data is None else data,
        "signer": {"name": "Test laboratory", "public_key": "signing.pub"},
    } | sections
    lines = [f"{k} = {toml(v)}" for k, v in top.items()]
    for name, section in sections.items():
        lines += [f"[{name}]", *(f"{k} = {toml(v)}" for k, v in section.items())]
    path = folder / "protocol.toml"
    path.write_text("\n".join(lines) + "\n")
    if not (folder / "signing.pem").exists():
        create_signing_key(folder / "signing.pem")
    return path


def seal(folder, n=40, test=0.5, sites=2, **options):
    """Seal cases whose label is the sign of x, so that a model can be as good as one likes."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    X = pd.DataFrame(
        {
            "x": 2 * y - 1 + 0.01 * rng.random(n),
            "site": np.array(["A", "B", "C"])[np.arange(n) // 2 % sites],
        }
    )
    labels = np.where(y == 1, "ill", "well")
    settings = {"test": test, "random_state": 0, "key": folder / "vault.key"} | options
    return Vault.seal(X, labels, out=folder / "vault", **settings)


def answers(folder, wrong=0, name="p.csv", only=None):
    """Answer the sealed cases, so many of them wrongly, first to last."""
    test = pd.read_csv(folder / "vault" / "test.csv")
    right = np.where(test["x"] > 0, "ill", "well")
    at = np.flatnonzero(np.ones(len(test), bool) if only is None else only(test, right))[:wrong]
    right[at] = np.where(right[at] == "ill", "well", "ill")
    pd.DataFrame({"id": test["id"], "prediction": right}).to_csv(folder / name, index=False)
    return folder / name


def run(folder, predictions, out="certificate.zip", **options):
    settings = {
        "key": folder / "signing.pem",
        "out": folder / out,
        "vault": folder / "vault",
        "vault_key": folder / "vault.key",
    } | options
    return certify(folder / "protocol.lock.json", predictions, **settings)


def whole(folder, wrong=0, n=40, claim="error <= 0.2", only=None, **sections):
    """Seal, freeze, answer and certify."""
    seal(folder, n=n)
    freeze(write_protocol(folder, claim=claim, **sections))
    return run(folder, answers(folder, wrong, only=only))


def labels_mode(folder, y, sites=None):
    """Write labels.csv and return the data section that names it."""
    frame = pd.DataFrame({"id": np.arange(1, len(y) + 1), "label": y})
    if sites is not None:
        frame["site"] = sites
    frame.to_csv(folder / "labels.csv", index=False)
    return {"labels": "labels.csv", "target": "label", "id": "id"}


def predict(folder, p, name="p.csv"):
    frame = pd.DataFrame({"id": np.arange(1, len(p) + 1), "prediction": p})
    frame.to_csv(folder / name, index=False)
    return folder / name


def run_labels(folder, predictions, out="certificate.zip"):
    return certify(
        folder / "protocol.lock.json",
        predictions,
        key=folder / "signing.pem",
        out=folder / out,
        labels=folder / "labels.csv",
    )
