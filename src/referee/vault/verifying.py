"""verify: is a bundle, or a certificate, what was written, and do its numbers follow?"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import InputError, named
from referee.vault.bundle.container import unpack
from referee.vault.bundle.manifest import sha256
from referee.vault.bundle.verification import Verification
from referee.vault.bundle.verifying import read_bundle, verify_bundle

if TYPE_CHECKING:
    from referee.vault.certificate.certificate_check import CertificateCheck

__all__ = ["verify"]


def verify(
    path: str | PathLike[str],
    *,
    public_key: str | PathLike[str] | None = None,
    labels: str | PathLike[str] | None = None,
    opening: str | PathLike[str] | None = None,
) -> Verification | CertificateCheck:
    """Check every byte of a bundle or a certificate, and recompute its numbers.

    Parameters
    ----------
    path : path
        A bundle, as ``--bundle`` or ``to_bundle`` wrote it, or a certificate.
    public_key : path, optional
        The signer's public key, for a certificate.
    labels : path, optional
        The labels of a certificate's test set, once they are public; every count is then counted
        again.
    opening : path, optional
        The file with the salt of their commitment; by default opening.json beside the labels.

    Returns
    -------
    Verification or CertificateCheck
        PASS where everything is as it was written, and follows.

    Raises
    ------
    InputError
        Where the file is neither, only a part of one, or of a newer format.

    Notes
    -----
    A bundle shows that its numbers follow from its predictions. It cannot show that the predictions
    were made honestly, nor who made them: hashes are no signature. A certificate is signed.

    Examples
    --------
    >>> import tempfile, referee
    >>> folder = tempfile.TemporaryDirectory()
    >>> e = referee.evaluate_predictions([0, 1] * 50, [0, 1] * 45 + [1, 0] * 5)
    >>> path = e.to_bundle(f"{folder.name}/e.zip")
    >>> referee.verify(path).verdict.outcome.value
    'pass'
    >>> folder.cleanup()
    """
    data = read_bundle(path)
    container = unpack(data, str(path))
    if "certificate.dsse.json" in container.files:  # known here, so that bundles need no extra
        from referee.vault.certificate.signing.signing_key import read_public_key
        from referee.vault.certificate.verify import verify_certificate

        return verify_certificate(
            container,
            str(path),
            sha256(data),
            public_key=None if public_key is None else read_public_key(Path(public_key)),
            labels=None if labels is None else Path(labels),
            opening=None if opening is None else Path(opening),
        )
    for name, value in (("public_key", public_key), ("labels_file", labels), ("opening", opening)):
        if value is not None:
            raise InputError(
                f"{path} is no certificate, so {named(name)} is not used", remedy="leave it out"
            )
    return verify_bundle(data, container, path)
