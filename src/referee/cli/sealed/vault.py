"""referee vault: a test set in a safe place, and looks at it that are counted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from referee.cli.terminal import options
from referee.cli.terminal.catalogued import CataloguedCommand
from referee.cli.terminal.output import check_places, deliver, print_reports
from referee.cli.terminal.pulse import paused
from referee.cli.terminal.screen import note, say

if TYPE_CHECKING:
    from referee.vault.sealed import Vault

__all__ = ["baseline_of", "passphrase_source", "vault"]

PASSPHRASE = "REFEREE_PASSPHRASE"
"""The environment variable that may hold the passphrase of a vault."""

vault = typer.Typer(
    help="A test set in a safe place: every look is counted, and its interval still holds.",
    no_args_is_help=True,
)

Directory = Annotated[
    Path, typer.Argument(metavar="DIR", help="The vault: what referee vault seal wrote.")
]
KeyFile = Annotated[
    Optional[Path],  # noqa: UP045 (typer reads it at run time)
    typer.Option(
        "--key",
        metavar="FILE",
        help="The key file, if it is not in the user's configuration directory.",
    ),
]
PassphraseFile = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help=f"File with the passphrase; without it {PASSPHRASE} is read, or it is asked for.",
    ),
]


@vault.command(cls=CataloguedCommand)
def seal(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="Cases with their labels.")],
    target: options.Target,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The new directory.")],
    id_column: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--id", metavar="COL", help="Column with the ids; numbered if not named."),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            "--test", metavar="20%|FILE", help="The share to seal, or a table of its own."
        ),
    ] = "20%",
    groups: options.Groups = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="What a look shows: {policies}.",
        ),
    ] = "once",
    looks: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--looks",
            metavar="N",
            help="The most looks a ladder has; later ones then have shorter intervals.",
        ),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="error, accuracy, tpr, tnr, fpr, fnr, auc, brier or cost.",
        ),
    ] = "error",
    baseline: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--baseline",
            metavar="majority|VALUE",
            help="What a ladder starts at; what guessing reaches if not said.",
        ),
    ] = None,
    step: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--step",
            metavar="VALUE",
            help="The least improvement a ladder shows; 1.25 standard errors if not said.",
        ),
    ] = None,
    pos_label: options.PosLabel = None,
    costs: options.CostPair = None,
    label: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--label", metavar="CLASS", help="A class that training cases may lack; repeatable."
        ),
    ] = None,
    level: options.Level = 0.95,
    key: KeyFile = None,
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase",
            help=f"Seal with a passphrase ({PASSPHRASE}, or asked for) instead of a key file.",
        ),
    ] = False,
    passphrase_file: PassphraseFile = None,
    header: options.Header = None,
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--seed", help="Which cases are sealed follows from it; drawn if not said."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Set a part of a table aside, seal its labels, and write train.csv, test.csv and a ledger.

    Labels are encrypted; the key goes to the user's configuration directory, or to --key. Give it
    to a colleague, and nobody is tempted.
    """
    from referee.core.randomness import integer_seed
    from referee.errors import InputError
    from referee.vault.sealed.cases.cases import cases_of_table
    from referee.vault.sealed.cases.splitting import share_of
    from referee.vault.sealed.keys.key_place import KeyPlace
    from referee.vault.sealed.request import SealRequest
    from referee.vault.sealed.sealing import check_new_directory, seal_cases
    from referee.vault.sealed.vault import Vault

    secret = passphrase_source(passphrase_file, confirm=True)
    wanted = passphrase or passphrase_file is not None
    if wanted and key is not None:
        raise InputError(
            "--key and a passphrase exclude each other",
            concerning="key",
            remedy="use one of them",
        )
    place = KeyPlace(key, secret if wanted else None)
    check_new_directory(out, place)
    share = share_of(test)
    cases = cases_of_table(
        table,
        target=target,
        ids=id_column,
        groups=groups,
        test=test if share is None else None,
        header=header,
    )
    request = SealRequest(
        measure=measure,
        policy=policy,
        looks=looks,
        baseline=baseline_of(baseline),
        step=step,
        level=level,
        pos_label=pos_label,
        costs=costs,
        labels=tuple(label or ()),
    )
    seal_cases(cases, out, share=share, request=request, place=place, seed=integer_seed(seed))
    sealed = Vault(out, key=key)
    note(f"wrote {out}")
    if not wanted:
        note(f"the key is {sealed.key_file}, and the head of the ledger {sealed.head_file}")
    _print_status(sealed, as_json=json)


def _print_status(sealed: Vault, *, as_json: bool) -> None:
    """Print what was sealed; without the command, which may name a class that is a secret."""
    from referee.report import describe
    from referee.report.json import to_json_text

    document = describe(sealed.status())
    if as_json:
        say(f"[{to_json_text(document).rstrip()}]")
    else:
        print_reports([document])


def baseline_of(text: str | None) -> str | float | None:
    """Read a baseline: a number, majority, or nothing."""
    from referee.errors import InputError

    if text in (None, "majority"):
        return text
    try:
        return float(str(text))
    except ValueError:
        raise InputError(
            f"--baseline must be majority or a number, got {text!r}",
            concerning="baseline",
        ) from None


@vault.command()
def score(
    directory: Directory,
    predictions: Annotated[
        Path,
        typer.Argument(
            metavar="PREDICTIONS", help="Table with the ids of test.csv and an answer for each."
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="How to call the model in the ledger.")
    ] = "",
    pred: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--pred", metavar="COL", help="Column with the predictions."),
    ] = None,
    score_column: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--score", metavar="COL", help="Column with scores of the positive class."),
    ] = None,
    id_column: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--id", metavar="COL", help="Column with the ids; named as in test.csv."),
    ] = None,
    key: KeyFile = None,
    passphrase_file: PassphraseFile = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Spend a look: score predictions, and print what the policy releases.

    What is wrong with the file is said before the look is spent.
    """
    check_places(out, force=force)
    opened = _vault(directory, key, passphrase_file)
    look = opened.score_file(predictions, pred=pred, score=score_column, ids=id_column, name=name)
    deliver([look], as_json=json, out=out, force=force, claim=False)


@vault.command()
def status(
    directory: Directory,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Say what is sealed, how many looks there were and what they released; no key is needed."""
    check_places(out, force=force)
    deliver([_vault(directory).status()], as_json=json, out=out, force=force, claim=False)


@vault.command()
def check(
    directory: Directory,
    key: KeyFile = None,
    passphrase_file: PassphraseFile = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Verify the sealed labels and every entry of the ledger, from the seal on.

    Exits with 0 if everything is as it was written, with 1 if anything was changed, removed, put
    in another order or copied back, with 2 if there is no vault or no right key.
    """
    from referee.vault.sealed.checking import check_vault
    from referee.vault.sealed.keys.key_place import KeyPlace

    check_places(out, force=force)
    place = KeyPlace(key, passphrase_source(passphrase_file))
    deliver([check_vault(directory, place)], as_json=json, out=out, force=force)


@vault.command("open")
def open_vault(
    directory: Directory,
    key: KeyFile = None,
    passphrase_file: PassphraseFile = None,
    json: options.Json = False,
) -> None:
    """End it: write the labels into labels.csv. No look follows."""
    opened = _vault(directory, key, passphrase_file)
    written = opened.open()
    note(f"wrote {written} and {written.with_name('opening.json')}")
    deliver([opened.status()], as_json=json, claim=False)


def _vault(directory: Path, key: Path | None = None, passphrase_file: Path | None = None) -> Vault:
    from referee.vault.sealed.vault import Vault

    return Vault(directory, key=key, passphrase=passphrase_source(passphrase_file))


def passphrase_source(file: Path | None, *, confirm: bool = False) -> Callable[[], str]:
    """Return what finds the passphrase when it is needed: a file, the environment, or a prompt."""
    from referee.errors import InputError

    def passphrase() -> str:
        if file is not None:
            return _first_line(file)
        if PASSPHRASE in os.environ:
            return os.environ[PASSPHRASE]
        if not sys.stdin.isatty():
            raise InputError(
                "a passphrase is needed, and nobody is there to ask",
                concerning="passphrase_file",
                remedy=f"set {PASSPHRASE}, or name a file with --passphrase-file",
            )
        with paused():
            return str(
                typer.prompt("Passphrase", hide_input=True, confirmation_prompt=confirm, err=True)
            )

    return passphrase


def _first_line(file: Path) -> str:
    from referee.core.machine.plain_file import short_text
    from referee.errors import InputError

    try:
        lines = short_text(file).splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise InputError(
            f"--passphrase-file {file} cannot be read: {why}",
            concerning="passphrase_file",
        ) from None
    if not lines or not lines[0]:
        raise InputError(
            f"--passphrase-file {file}: its first line, the passphrase, is empty",
            concerning="passphrase_file",
        )
    return lines[0]
