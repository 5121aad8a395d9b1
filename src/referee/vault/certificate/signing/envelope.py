"""Envelopes: statements signed as DSSE says, in the one way that they are written here.

DSSE signs the payload together with its type, so neither can be exchanged. The JSON around it is
canonical: an envelope that says the same in other bytes is not the one that was written.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.vault.certificate.extra import extra_module
from referee.vault.certificate.signing.signing_key import PublicKey
from referee.vault.sealed.ledger.canonical import canonical_bytes, read_canonical

__all__ = ["PAYLOAD_TYPE", "EnvelopeProblem", "opened_envelope", "sealed_envelope"]

PAYLOAD_TYPE = "application/vnd.in-toto+json"


class EnvelopeProblem(Exception):
    """What is wrong with an envelope."""


def sealed_envelope(statement: Mapping[str, Any], key: Ed25519PrivateKey) -> bytes:
    """Return a signed envelope around a statement."""
    dsse = extra_module("securesystemslib.dsse")
    signer = extra_module("securesystemslib.signer").CryptoSigner(key)
    envelope = dsse.Envelope(canonical_bytes(statement), PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return canonical_bytes(envelope.to_dict()) + b"\n"


def opened_envelope(content: bytes, key: PublicKey) -> dict[str, Any]:
    """Return the statement of an envelope that the key has signed.

    Raises
    ------
    EnvelopeProblem
        Where it is no envelope, of another type, by another key, or changed.
    """
    dsse = extra_module("securesystemslib.dsse")
    wrong = extra_module("securesystemslib.exceptions").VerificationError
    envelope = _parsed(content, dsse)
    if envelope.payload_type != PAYLOAD_TYPE:
        raise EnvelopeProblem(f"its payload type is not {PAYLOAD_TYPE}")
    try:
        envelope.verify([key.checked], 1)
    except wrong:
        raise EnvelopeProblem(
            "the signature does not hold: it is by another key, or the statement was changed"
        ) from None
    try:
        statement = read_canonical(envelope.payload)
    except (ValueError, RecursionError):
        raise EnvelopeProblem("its statement is not written as referee writes it") from None
    return dict(statement)


def _parsed(content: bytes, dsse: Any) -> Any:
    try:
        record = json.loads(content)
        envelope = dsse.Envelope.from_dict(copy.deepcopy(record))
        again = canonical_bytes(envelope.to_dict()) + b"\n"
    except Exception:  # whatever a library makes of bytes that are no envelope
        raise EnvelopeProblem("it is no DSSE envelope") from None
    if again != content or len(envelope.signatures) != 1:
        raise EnvelopeProblem("it is not written as referee writes it")
    return envelope
