"""freeze: fix a protocol, and write the lock beside it."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path

from referee.errors import InputError
from referee.vault.certificate.places import lock_places
from referee.vault.certificate.protocol.lock import Lock, frozen
from referee.vault.certificate.protocol.protocol import read_protocol
from referee.vault.certificate.signing.timestamp import timestamp_request
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["freeze", "lock_path"]


def lock_path(protocol: Path) -> Path:
    """Return where the lock of a protocol goes.

    Examples
    --------
    >>> lock_path(Path("a/protocol.toml")).as_posix()
    'a/protocol.lock.json'
    """
    return protocol.with_name(f"{protocol.name.removesuffix('.toml')}.lock.json")


def freeze(
    protocol: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    timestamp_request_file: str | PathLike[str] | None = None,
) -> Lock:
    """Fix everything that a protocol names, and write it as a lock.

    Parameters
    ----------
    protocol : path
        A TOML file, as ``referee certify init`` writes it, filled in.
    out : path, optional
        The lock; by default protocol.lock.json beside the protocol. For a file of labels a second
        file, protocol.opening.json, keeps the salt of their commitment: a secret like the labels.
    timestamp_request_file : path, optional
        Where to write a request for a time stamp (RFC 3161) of the lock.
    """
    target = lock_path(Path(protocol)) if out is None else Path(out)
    places = lock_places(target)
    request = None if timestamp_request_file is None else Path(timestamp_request_file)
    for path in (target, places.opening, places.run, places.timestamp, request):
        if path is not None and os.path.lexists(path):
            raise InputError(f"{path} exists already", remedy="name another place, or move it away")
    lock, opening = frozen(read_protocol(Path(protocol)))
    contents: list[tuple[Path, bytes, int]] = [(target, lock.content, 0o644)]
    if opening is not None:
        contents.append((places.opening, opening.content(), 0o600))
    if request is not None:
        contents.append((request, timestamp_request(lock.content), 0o644))
    written: list[Path] = []
    try:
        for path, content, mode in contents:
            create_file(path, content, mode=mode)
            written.append(path)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    return lock
