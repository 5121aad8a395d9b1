"""Time stamps (RFC 3161): a third party's word that a lock existed at a time.

Nothing is sent anywhere. A request is written to a file; whoever wants one sends it to an authority
of their choice, and puts the answer beside the lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import new
from pathlib import Path

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError
from referee.vault.certificate.extra import extra_module
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["Stamp", "attach_response", "checked_response", "timestamp_request"]

_HASHES = {"2.16.840.1.101.3.4.2.1": "sha256", "2.16.840.1.101.3.4.2.3": "sha512"}


@dataclass(frozen=True)
class Stamp:
    """What an authority states; its own signature is for ``openssl ts -verify`` to check.

    Attributes
    ----------
    time : str
        When, in UTC.
    serial : str
        The number of the stamp, in hexadecimal.
    """

    time: str
    serial: str


def timestamp_request(lock: bytes) -> bytes:
    """Return a request for a time stamp of a lock."""
    client = extra_module("rfc3161_client")
    request = client.TimestampRequestBuilder().data(lock)
    return bytes(request.hash_algorithm(client.HashAlgorithm.SHA256).build().as_bytes())


def checked_response(response: bytes, lock: bytes, path: str) -> Stamp:
    """Return what a response states; one for other bytes than the lock's is refused."""
    client = extra_module("rfc3161_client")
    try:
        answer = client.decode_timestamp_response(response)
        stated = answer.tst_info
        imprint = stated.message_imprint
        algorithm = _HASHES.get(imprint.hash_algorithm.dotted_string, "")
        granted = int(answer.status) in (0, 1)
        stamp = Stamp(stated.gen_time.strftime("%Y-%m-%dT%H:%M:%SZ"), f"{stated.serial_number:x}")
    except Exception:  # whatever a library makes of bytes that are no response
        raise InputError(
            f"{path} is no answer of a time stamping authority", remedy="ask again"
        ) from None
    if not granted or not algorithm or new(algorithm, lock).digest() != bytes(imprint.message):
        raise InputError(f"{path} is no time stamp of this lock", remedy="send its own request")
    return stamp


def attach_response(response: Path, lock: bytes, target: Path) -> Stamp:
    """Put a response beside its lock, if it is one for it."""
    try:
        content = file_bytes(response)
    except OSError as problem:
        raise InputError(
            f"{response} cannot be read: {problem.strerror}", at=str(response)
        ) from None
    stamp = checked_response(content, lock, str(response))
    create_file(target, content)
    return stamp
