"""referee certify: a protocol frozen before, a test set used once, a signed verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.sealed.vault import PassphraseFile, passphrase_source
from referee.cli.terminal import options
from referee.cli.terminal.output import deliver
from referee.cli.terminal.screen import note, say

__all__ = ["certify"]

certify = typer.Typer(
    help="A certificate: a protocol frozen before, a test set used once, a signed verdict.",
    no_args_is_help=True,
)

LockFile = Annotated[
    Path, typer.Argument(metavar="LOCK", help="The frozen protocol, as certify freeze wrote it.")
]


@certify.command()
def init(
    protocol: Annotated[Path, typer.Argument(metavar="PROTOCOL", help="The new file, a TOML.")],
) -> None:
    """Write a protocol to be filled in; every line says what it is for."""
    from referee.vault.certificate.protocol.protocol import write_template

    write_template(protocol)
    note(f"wrote {protocol}; fill it in, then: referee certify freeze {protocol}")


@certify.command()
def keygen(
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The new key, as signing.pem.")],
) -> None:
    """Make a key that signs (Ed25519), and its public half beside it.

    The key is readable by its owner alone. Publish the .pub file where others trust it.
    """
    from referee.vault.certificate.signing.signing_key import create_signing_key, read_public_key

    public = create_signing_key(key)
    note(f"wrote {key} and {public}")
    say(read_public_key(public).keyid)


@certify.command()
def freeze(
    protocol: Annotated[Path, typer.Argument(metavar="PROTOCOL", help="The protocol, filled in.")],
    out: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--out", metavar="FILE", help="The lock; PROTOCOL.lock.json if not named."),
    ] = None,
    timestamp_request: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--timestamp-request",
            metavar="FILE",
            help="Also write a request for a time stamp of the lock (RFC 3161).",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Fix a protocol and everything it names, and write the lock."""
    from referee.vault.certificate import freeze as fix
    from referee.vault.certificate.protocol.freeze import lock_path

    lock = fix(protocol, out=out, timestamp_request_file=timestamp_request)
    note(f"wrote {lock_path(protocol) if out is None else out}")
    deliver([lock], as_json=json, claim=False)


@certify.command()
def attach(
    lock: LockFile,
    response: Annotated[
        Path, typer.Argument(metavar="RESPONSE", help="What the time stamping authority answered.")
    ],
) -> None:
    """Put a time stamp beside its lock, if it is one for it; run takes it into the certificate."""
    from referee.vault.certificate.places import lock_places
    from referee.vault.certificate.protocol.lock import read_lock
    from referee.vault.certificate.signing.timestamp import attach_response

    place = lock_places(lock).timestamp
    stamp = attach_response(response, read_lock(lock).content, place)
    note(f"wrote {place}; an authority states {stamp.time}")


@certify.command()
def run(
    lock: LockFile,
    predictions: Annotated[
        Path, typer.Argument(metavar="PREDICTIONS", help="Table with ids and an answer for each.")
    ],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key that signs.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The certificate, a zip.")],
    vault: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--vault", metavar="DIR", help="The vault with the labels."),
    ] = None,
    labels: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--labels", metavar="FILE", help="The file with the labels."),
    ] = None,
    vault_key: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--vault-key",
            metavar="FILE",
            help="The vault's key, if it is not in the user's configuration directory.",
        ),
    ] = None,
    passphrase_file: PassphraseFile = None,
    pred: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--pred", metavar="COL", help="Column with the predictions."),
    ] = None,
    id_column: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--id", metavar="COL", help="Column with the ids."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Open the test set once, judge the predictions by the protocol, and sign the verdict.

    Exits with 0 for PASS, with 1 for FAIL and UNDECIDED, with 2 if something is wrong; what is
    wrong with files or keys is said before the test set is used. There is no second run.
    """
    from referee.vault.certificate import certify as judge

    certificate = judge(
        lock,
        predictions,
        key=key,
        out=out,
        vault=vault,
        labels=labels,
        vault_key=vault_key,
        passphrase=passphrase_source(passphrase_file),
        pred=pred,
        ids=id_column,
    )
    note(f"wrote {out}")
    deliver([certificate], as_json=json)
