"""certify: open the test set once, judge a frozen protocol, and sign what came out."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee import __version__
from referee.core.arrays import Codes
from referee.errors import InputError, Refusal, arg
from referee.vault.bundle.container import pack
from referee.vault.bundle.manifest import sha256
from referee.vault.certificate.certificate import Certificate, result_record, sentence
from referee.vault.certificate.deciding.counting import counted, overall
from referee.vault.certificate.extra import extra_module
from referee.vault.certificate.page import certificate_page
from referee.vault.certificate.places import lock_places
from referee.vault.certificate.protocol.lock import Lock, read_lock
from referee.vault.certificate.protocol.test_set import LabelsFile, Opening, labels_file
from referee.vault.certificate.signing.envelope import sealed_envelope
from referee.vault.certificate.signing.signing_key import PublicKey, read_signing_key
from referee.vault.certificate.signing.statement import certificate_statement, test_result_statement
from referee.vault.certificate.signing.timestamp import checked_response
from referee.vault.sealed.files import SEALED, csv_bytes
from referee.vault.sealed.keys.key_place import Passphrase
from referee.vault.sealed.labels.commitment import commitment
from referee.vault.sealed.labels.secret_labels import SecretLabels, label_text
from referee.vault.sealed.ledger.canonical import canonical_bytes
from referee.vault.sealed.ledger.durable import create_file
from referee.vault.sealed.ledger.entry import Entry, now
from referee.vault.sealed.ledger.ledger import file_digest
from referee.vault.sealed.submissions.offer import offered_file, offered_values
from referee.vault.sealed.submissions.submission import Submission, checked_submission
from referee.vault.sealed.vault import Vault

__all__ = ["ENVELOPE", "LEDGER", "PAGE", "PROTOCOL", "TEST_RESULT", "TIMESTAMP", "certify"]

ENVELOPE, TEST_RESULT = "certificate.dsse.json", "test-result.dsse.json"
PROTOCOL, LEDGER, PAGE, TIMESTAMP = (
    "protocol.lock.json",
    "ledger.json",
    "certificate.html",
    "timestamp.tsr",
)


def certify(
    lock: str | PathLike[str],
    predictions: Any,
    *,
    key: str | PathLike[str],
    out: str | PathLike[str],
    vault: str | PathLike[str] | None = None,
    labels: str | PathLike[str] | None = None,
    vault_key: str | PathLike[str] | None = None,
    passphrase: Passphrase = None,
    pred: str | None = None,
    ids: str | None = None,
) -> Certificate:
    """Judge predictions by a frozen protocol, once, and write the signed certificate.

    Whatever is wrong with lock, predictions, key or places is said before the test set is used.

    Parameters
    ----------
    lock : path
        The frozen protocol, as ``referee certify freeze`` wrote it.
    predictions : path, array, Series, frame or mapping
        A label for each case, as `Vault.score` takes it.
    key : path
        The key that signs: that of the protocol's signer.
    out : path
        The certificate, a zip; it must not exist.
    vault, labels : path
        Where the labels are; the one of them that the protocol was frozen with.
    vault_key, passphrase : path, str, optional
        What opens the vault, as in `Vault`.
    pred, ids : str, optional
        The columns of answers and of ids.
    """
    run = _Run.prepared(lock, predictions, key, out, pred=pred, ids=ids)
    if (vault is None) == (labels is None):
        raise InputError(
            f"name {arg('vault')} or {arg('labels_file')}, one of the two",
            concerning="vault",
        )
    if run.lock.cases.kind != ("vault" if labels is None else "labels"):
        kind = run.lock.cases.kind
        what = "a vault" if kind == "vault" else "a file of labels"
        option = arg("vault" if kind == "vault" else "labels_file")
        raise InputError(f"the protocol was frozen with {what}", remedy=f"name it with {option}")
    if vault is not None:
        opened = Vault(vault, key=vault_key, passphrase=passphrase)
        return run.with_vault(opened.key_named_by("vault_key"))
    assert labels is not None
    return run.with_labels(Path(labels))


@dataclass(frozen=True, eq=False)
class _Run:
    """Everything that is known before the test set is used."""

    lock: Lock
    path: Path
    submission: Submission
    predictions: tuple[str, bytes]
    columns: Mapping[str, str | None]
    others: Mapping[str, Codes]
    files: Mapping[str, bytes]
    signing: Ed25519PrivateKey
    out: Path

    @classmethod
    def prepared(
        cls, lock_path: Any, predictions: Any, key: Any, out: Any, **columns: str | None
    ) -> _Run:
        lock = read_lock(Path(lock_path))
        signing = read_signing_key(Path(key))
        if PublicKey.of(signing.public_key()) != lock.signer.key:
            raise InputError(
                f"{key} is not the key of {lock.signer.name}, who signs by the protocol",
                remedy="use that one, or freeze a new protocol",
            )
        target = _new_file(Path(out))
        for module in ("securesystemslib.dsse", "in_toto_attestation.v1.statement"):
            extra_module(module)
        files = {PROTOCOL: lock.content}
        others: dict[str, Codes] = {}
        for number, name in enumerate(lock.baselines, 1):
            at = Path(lock_path).absolute().parent / name
            others[name], files[f"baseline-{number}{_suffix(at)}"] = _baseline(lock, name, at)
        response = lock_places(Path(lock_path)).timestamp
        if response.is_file():
            files[TIMESTAMP] = response.read_bytes()
            checked_response(files[TIMESTAMP], lock.content, str(response))
        submission, content = _submission(predictions, lock, columns)
        return cls(
            lock, Path(lock_path), submission, content, columns, others, files, signing, target
        )

    @property
    def asked(self) -> dict[str, object]:
        """What is written down before the labels are used."""
        return {
            "protocol": self.lock.fingerprint,
            "predictions": self.submission.digest,
            "file": sha256(self.predictions[1]),
        }

    def with_vault(self, vault: Vault) -> Certificate:
        cases = self.lock.cases
        sealed = file_digest(vault.directory / SEALED)
        if (vault.header.vault, sealed) != (cases.vault, cases.sealed):
            raise InputError(
                f"{vault.directory} is not the vault of the protocol",
                remedy="name the one it was frozen with",
            )
        vault.refuse_used()
        results: dict[str, Any] = {}

        def conclude(secret: SecretLabels) -> dict[str, object]:
            results.update(self._judged(secret.codes))
            return _concluded(results)

        entries = vault.certify(self.asked, conclude)
        ledger = {"kind": "vault", "entries": [_entry_record(e) for e in entries]}
        return self._written(results, canonical_bytes(ledger) + b"\n")

    def with_labels(self, path: Path) -> Certificate:
        cases, places = self.lock.cases, lock_places(self.path)
        if os.path.lexists(places.run):
            raise Refusal(
                f"{places.run}: this protocol was run already, and a certificate is made once",
                remedy="freeze a new protocol with fresh cases",
            )
        labels = labels_file(path, cases.id_column, cases.target)
        truth = committed_codes(labels, Opening.read(places.opening), self.lock, path)
        begun = {"kind": "labels", "time": now(), **self.asked}
        create_file(places.run, canonical_bytes(begun) + b"\n")
        try:
            results = self._judged(truth)
        except Exception as problem:
            raise InputError(
                f"the verdict could not be computed: {type(problem).__name__}; the test set has "
                "been used"
            ) from None
        ledger = begun | {"concluded": _concluded(results)}
        return self._written(results, canonical_bytes(ledger) + b"\n")

    def _judged(self, truth: Codes) -> dict[str, Any]:
        return judged(self.lock, truth, self.submission, self.others)

    def _written(self, results: Mapping[str, Any], ledger: bytes) -> Certificate:
        """Sign and pack everything, and write it, whole or not at all."""
        name, content = self.predictions
        files = {**self.files, name: content, LEDGER: ledger}
        predicate = predicate_of(self.lock, results, files, self.columns, now())
        page = certificate_page(predicate)
        predicate["files"][PAGE] = _file_record(page)
        subjects = subjects_of(self.lock, name, content)
        statements = {
            ENVELOPE: certificate_statement(subjects, predicate),
            TEST_RESULT: test_result_statement(subjects, predicate, PROTOCOL),
        }
        envelopes = {n: sealed_envelope(s, self.signing) for n, s in statements.items()}
        create_file(self.out, pack({**files, **envelopes, PAGE: page}))
        return Certificate(path=str(self.out), predicate=predicate)


def judged(
    lock: Lock, truth: Codes, submission: Submission, others: Mapping[str, Codes]
) -> dict[str, Any]:
    """Return verdict, sentence and results, as the statement writes them."""
    assert submission.answers is not None
    decision = counted(lock, truth, submission.answers, others)
    every = overall(lock, truth, submission.answers, others)
    return {
        "outcome": decision.outcome.value.upper(),
        "sentence": sentence(lock.claim.text, lock.level, lock.strata.rule, decision),
        "results": [result_record(result) for result in decision.parts],
        "overall": [result_record(evidence) for evidence in every],
    }


def predicate_of(
    lock: Lock,
    results: Mapping[str, Any],
    files: Mapping[str, bytes],
    columns: Mapping[str, str | None],
    time: str,
) -> dict[str, Any]:
    """Return all that is signed; only the page is not among the files yet."""
    return {
        "format": 1,
        "referee": __version__,
        "time": time,
        "title": lock.title,
        "claim": lock.claim.text,
        "level": lock.level,
        "pos_label": lock.pos_label,
        "plan": lock.plan.record(),
        "rule": lock.strata.rule,
        **results,
        "cases": lock.cases.n,
        "excluded": len(lock.exclusions.ids),
        "exclusion_reason": lock.exclusions.reason,
        "protocol": {"fingerprint": lock.fingerprint, "frozen": lock.time},
        "signer": {
            "name": lock.signer.name,
            "role": lock.signer.role,
            "keyid": lock.signer.key.keyid,
        },
        "data": {
            "kind": lock.cases.kind,
            "vault": lock.cases.vault,
            "commitment": lock.cases.commitment,
        },
        "columns": dict(columns),
        "files": {name: _file_record(content) for name, content in sorted(files.items())},
    }


def subjects_of(lock: Lock, name: str, predictions: bytes) -> dict[str, str]:
    """Return what the statements are about."""
    return {
        name: sha256(predictions),
        PROTOCOL: sha256(lock.content),
        "labels": lock.cases.commitment,
        **dict(lock.baselines),
    }


def committed_codes(labels: LabelsFile, opening: Opening, lock: Lock, path: Path) -> Codes:
    """Return the classes of the cases, if the labels are those that were committed to."""
    cases = lock.cases
    texts = labels.ordered(cases)
    if commitment(bytes.fromhex(opening.salt), cases.ids, texts) != cases.commitment:
        raise InputError(
            f"{path} does not hold the labels that the protocol was frozen with",
            remedy="restore them",
        )
    codes = [cases.class_code(text) for text in texts]
    assert None not in codes
    return np.array(codes, dtype=np.intp)


def _concluded(results: Mapping[str, Any]) -> dict[str, object]:
    return {"outcome": results["outcome"], "results": results_digest(results)}


def results_digest(results: Mapping[str, Any]) -> str:
    """Return the SHA-256 that the ledger keeps of all numbers."""
    return sha256(canonical_bytes({"results": results["results"], "overall": results["overall"]}))


def _entry_record(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "time": entry.time,
        "kind": entry.kind,
        "text": entry.text,
        "hash": entry.hash.hex(),
        "mac": entry.mac.hex(),
    }


def _file_record(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "sha256": sha256(content)}


def _submission(
    predictions: Any, lock: Lock, columns: Mapping[str, str | None]
) -> tuple[Submission, tuple[str, bytes]]:
    """Check the predictions, and return them with the file that keeps them."""
    cases = lock.cases
    if isinstance(predictions, (str, PathLike)):
        path = Path(predictions)
        offered = offered_file(path, cases, pred=columns["pred"], ids=columns["ids"])
        return checked_submission(offered, cases), (
            f"predictions{_suffix(path)}",
            path.read_bytes(),
        )
    offered = offered_values(predictions, cases)
    submission = checked_submission(offered, cases)
    ids = cases.ids if offered.ids is None else offered.ids
    assert offered.answers is not None
    rows = [[name, label_text(value)] for name, value in zip(ids, offered.answers, strict=True)]
    content = csv_bytes([cases.id_column, "prediction"], rows)
    return submission, ("predictions.csv", content)


def _baseline(lock: Lock, name: str, path: Path) -> tuple[Codes, bytes]:
    if not path.is_file() or file_digest(path) != lock.baselines[name]:
        raise InputError(
            f"{path} is not the file that the protocol was frozen with",
            remedy="put it beside the lock",
        )
    submission = checked_submission(offered_file(path, lock.cases), lock.cases)
    assert submission.answers is not None
    return submission.answers, path.read_bytes()


def _suffix(path: Path) -> str:
    suffix = "".join(path.suffixes[-2:]) if path.suffix in (".gz", ".zst", ".bz2") else path.suffix
    return suffix if re.fullmatch(r"(\.[A-Za-z0-9]{1,10}){0,2}", suffix) else ""


def _new_file(path: Path) -> Path:
    if os.path.lexists(path):
        raise InputError(f"{path} exists already", remedy=f"name a new file with {arg('out')}")
    if not path.absolute().parent.is_dir():
        raise InputError(
            f"{path} cannot be written: there is no directory {path.parent}", concerning="out"
        )
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputError(
            f"{path} cannot be written: {path.parent} is not writable", concerning="out"
        )
    return path
