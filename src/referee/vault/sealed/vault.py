"""The vault: a test set in a safe place, whose every look is counted before it is answered."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.randomness import RandomState, integer_seed
from referee.errors import InputError, Refusal
from referee.intervals.looks import LadderState
from referee.sources.tables import read_table
from referee.vault.sealed.cases.case_ids import ids_in_table
from referee.vault.sealed.cases.cases import cases_of_arrays
from referee.vault.sealed.cases.splitting import share_of
from referee.vault.sealed.files import LABELS, OPENING, SEALED, TEST, TRAIN, csv_bytes
from referee.vault.sealed.history import answer_content, look_content, look_of
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.keys.key_place import KeyPlace, Passphrase
from referee.vault.sealed.labels.header import Header
from referee.vault.sealed.labels.sealed_file import SealedFile, read_sealed_file
from referee.vault.sealed.labels.secret_labels import SecretLabels, label_text
from referee.vault.sealed.ledger.books import Books, open_books, right_key, state_of
from referee.vault.sealed.ledger.canonical import canonical_bytes
from referee.vault.sealed.ledger.durable import create_file
from referee.vault.sealed.ledger.entry import Entry, EntryKind
from referee.vault.sealed.ledger.ledger import file_digest
from referee.vault.sealed.ledger.lock import alone
from referee.vault.sealed.look import Look
from referee.vault.sealed.request import SealRequest
from referee.vault.sealed.sealing import seal_cases
from referee.vault.sealed.status import VaultStatus, looks_counted, read_entries, read_status
from referee.vault.sealed.submissions.offer import offered_file, offered_values
from referee.vault.sealed.submissions.submission import Offered, Submission, checked_submission

if TYPE_CHECKING:
    import pandas as pd

    from referee.vault.sealed.vault_check import VaultCheck

__all__ = ["Vault"]

_ROOM = 256 * 1024
"""Bytes that must be free before a look is written, so that its answer can be, too."""


class Vault:
    """A sealed test set.

    Parameters
    ----------
    directory : str or path
        What `Vault.seal` or ``referee vault seal`` wrote.
    key : str or path, optional
        The key file, where it is not in the user's configuration directory.
    passphrase : str or callable, optional
        The passphrase, where the vault has one; a callable is asked when it is needed.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(1000, 2)), np.arange(1000) % 2
    >>> X[:, 0] += 2 * y
    >>> folder = tempfile.TemporaryDirectory()
    >>> place = f"{folder.name}/vault"
    >>> vault = Vault.seal(
    ...     X, y, out=place, key=f"{folder.name}/key", policy="ladder", random_state=0
    ... )
    >>> vault.n, vault.train.shape, list(vault.test_inputs.columns)
    (200, (800, 3), ['x0', 'x1'])
    >>> look = vault.score((vault.test_inputs["x0"] > 1.0).astype(int), name="threshold")
    >>> look.looks, look.releases, look.released < 0.3
    (1, 1, True)
    >>> vault.check().verdict.outcome.value
    'pass'
    >>> folder.cleanup()
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        key: str | os.PathLike[str] | None = None,
        passphrase: Passphrase = None,
    ) -> None:
        self.directory = Path(directory)
        self._place = KeyPlace(None if key is None else Path(key), passphrase)
        if not self.directory.is_dir():
            raise InputError(
                f"{directory} is no directory", remedy="name one that referee vault seal wrote"
            )
        self._sealed: SealedFile = read_sealed_file(self.directory / SEALED)
        self.header: Header = Header.of(self._sealed.header, self._sealed.path)

    @classmethod
    def seal(
        cls,
        X: Any,
        y: Any,
        *,
        out: str | os.PathLike[str],
        test: str | float | tuple[Any, Any] = 0.2,
        ids: Any = None,
        groups: Any = None,
        policy: str = "once",
        looks: int | None = None,
        measure: str = "error",
        baseline: str | float | None = None,
        step: float | None = None,
        level: float = 0.95,
        pos_label: Any = None,
        costs: tuple[float, float] | None = None,
        labels: Sequence[Any] = (),
        key: str | os.PathLike[str] | None = None,
        passphrase: Passphrase = None,
        random_state: RandomState = None,
    ) -> Vault:
        """Set a part of the cases aside, seal its labels, and write the vault's directory.

        Parameters
        ----------
        X, y : frame or array, array
            Inputs and labels of all cases.
        out : str or path
            The new directory.
        test : float, str or tuple
            The share to seal, as 0.2 or "20%"; every class keeps its share. Or inputs and labels
            of test cases of their own, ``(X_test, y_test)``.
        ids : array, optional
            What the cases are called; numbers from 1 on if not given.
        groups : array, optional
            Cases that belong together, and are sealed together.
        policy : {"once", "ladder"}
            One look that shows the score; or many, each answered only if it improves by a step.
        looks : int, optional
            How many looks a ladder has at most; later looks then have shorter intervals.
        measure : str
            error, accuracy, tpr, tnr, fpr, fnr, auc, brier or cost.
        baseline : "majority" or float, optional
            What a ladder starts at; what guessing reaches if not given.
        step : float, optional
            The least improvement that a ladder shows; 1.25 standard errors if not given, and never
            less than one.
        level : float
            The probability with which all intervals hold at once.
        pos_label : label, optional
            The positive class, where the measure has one and labels are not 0/1.
        costs : tuple of float, optional
            Of a false positive and a false negative, for the measure "cost".
        labels : sequence of labels
            Classes that may occur though no training case has them.
        key : str or path, optional
            Where to write the key; into the user's configuration directory if not given.
        passphrase : str or callable, optional
            Seal with a passphrase instead of a key file.
        random_state : int, optional
            Which cases are sealed follows from it.
        """
        share = None if isinstance(test, tuple) else share_of(test)
        if share is None and not isinstance(test, tuple):
            raise InputError(
                "must be a share, as 0.2 or '20%', or (X_test, y_test)",
                argument="test",
                value=repr(test),
            )
        request = SealRequest(
            measure=measure,
            policy=policy,
            looks=looks,
            baseline=baseline,
            step=step,
            level=level,
            pos_label=None if pos_label is None else label_text(pos_label),
            costs=costs,
            labels=tuple(label_text(label) for label in labels),
        )
        place = KeyPlace(None if key is None else Path(key), passphrase)
        cases = cases_of_arrays(
            X, y, test=test if isinstance(test, tuple) else None, ids=ids, groups=groups
        )
        seed = integer_seed(random_state)
        seal_cases(cases, Path(out), share=share, request=request, place=place, seed=seed)
        return cls(out, key=key, passphrase=passphrase)

    def __repr__(self) -> str:
        return f"<Vault {self.directory}: {self.n} sealed cases, {self.header.policy.title}>"

    @property
    def n(self) -> int:
        """The number of sealed cases."""
        return self.header.n

    @property
    def key_file(self) -> Path:
        """Where the key is, if it is in a file."""
        return self._place.key_file(self.header.vault)

    @property
    def head_file(self) -> Path:
        """Where the head of the ledger is kept, with the key."""
        return self._place.head_file(self.header.vault)

    @cached_property
    def train(self) -> pd.DataFrame:
        """The training cases with their labels, as train.csv has them."""
        table = read_table(self.directory / TRAIN, header=True)
        frame: pd.DataFrame = table.features().reset_index(drop=True)
        return frame.assign(**{self.header.target: table.labels(self.header.target)})

    @cached_property
    def test_inputs(self) -> pd.DataFrame:
        """The inputs of the sealed cases, as test.csv has them, by their ids."""
        import pandas as pd

        table = read_table(self.directory / TEST, header=True)
        column = self.header.id_column
        index = pd.Index(ids_in_table(table, column), name=column)
        columns = [name for name in table.columns if name != column]
        return pd.DataFrame(
            {
                name: pd.Series(table.values[name], dtype=table.values[name].dtype)
                for name in columns
            }
        ).set_axis(index)

    def score(self, predictions: Any, *, scores: Any = None, name: str = "") -> Look:
        """Spend a look: score predictions and return what the policy releases.

        Whatever is wrong with the predictions is said before the look is spent, and before any
        label is decrypted.

        Parameters
        ----------
        predictions : path, array, Series, frame or mapping
            A label for each sealed case. A Series goes by its index of ids, a frame by that or by
            its column of ids; arrays stand in the order of `test_inputs`. A path names a file with
            a column of ids and one of labels.
        scores : array, Series or frame, optional
            For measures of scores (auc, brier): those of the positive class; for the Brier score
            of several classes a frame with a column for each.
        name : str
            How to call what is scored; stands in the ledger.
        """
        if isinstance(predictions, (str, os.PathLike)):
            return self.score_file(predictions, name=name)
        offered = offered_values(predictions, self.header, scores=scores)
        return self._score(offered, name or "model", "")

    def score_file(
        self,
        path: str | os.PathLike[str],
        *,
        pred: str | None = None,
        score: str | None = None,
        ids: str | None = None,
        name: str = "",
    ) -> Look:
        """Spend a look on a file of predictions; columns may be named.

        Parameters
        ----------
        path : str or path
            CSV, Parquet or another table.
        pred, score, ids : str, optional
            The columns of answers, of scores, and of ids.
        name : str
            How to call what is scored; the file's name if not given.
        """
        offered = offered_file(path, self.header, pred=pred, score=score, ids=ids)
        return self._score(offered, name or Path(path).stem, file_digest(Path(path)))

    def _score(self, offered: Offered, name: str, file: str) -> Look:
        submission = checked_submission(offered, self.header)
        name = name.encode(errors="backslashreplace").decode()  # as SQLite can keep it
        looks = looks_counted(self.directory)
        try:
            self._refuse_full_disk()
            with open_books(self.directory, self.header, self._place) as books:
                self._refuse_other_file(books)
                look = self._spend(books, submission, name, file)
                answer = self._answer(books, submission)
            return look_of(self.header, str(self.directory), look, answer)
        except InputError as problem:
            raise InputError(f"{problem} ({self._cost(looks)})") from None

    def _cost(self, looks: int) -> str:
        """Say whether a look was spent, by what stands in the ledger."""
        try:
            spent = looks_counted(self.directory)
        except InputError:
            return "referee vault status shows whether a look was spent"
        return "no look was spent" if spent == looks else f"look {spent} was spent"

    def _spend(self, books: Books, submission: Submission, name: str, file: str) -> Entry:
        """Write down that a look is taken; it is on the disk when this returns."""

        def content(last: Entry) -> dict[str, object]:
            self._refuse_opened(last)
            state = state_of(last)
            allowed = self.header.policy.looks
            if allowed is not None and state.looks >= allowed:
                raise Refusal(
                    f"{self.directory}: all {allowed} looks were used; a test set that was looked "
                    "at this often shows nothing more, so seal a new one with fresh cases"
                    if allowed > 1
                    else f"{self.directory}: the only look was used, and referee vault status "
                    "shows its answer; seal a new test set with fresh cases"
                )
            counted = LadderState(state.looks + 1, state.releases, state.rung)
            return look_content(counted, name, submission.digest, file)

        return books.append(EntryKind.LOOK, content)

    def _answer(self, books: Books, submission: Submission) -> Entry:
        """Decrypt the labels, score, and write what is released."""
        secret = self._labels(books.key)

        def content(last: Entry) -> dict[str, object]:
            counted = state_of(last)
            before = LadderState(counted.looks - 1, counted.releases, counted.rung)
            return self._released(secret, submission, before)

        return books.append(EntryKind.ANSWER, content)

    def _released(
        self, secret: SecretLabels, submission: Submission, before: LadderState
    ) -> dict[str, object]:
        header = self.header
        try:
            loss = header.measure.loss(secret.codes, submission.answers, submission.scores)
            answer = header.policy.look(header.grid, before, loss)
            return answer_content(answer, header.policy.interval(header.grid, answer, header.level))
        except Exception as problem:
            # Whatever went wrong, its message may hold what nobody is to know.
            raise InputError(f"the score could not be computed: {type(problem).__name__}") from None

    def _labels(self, key: Key) -> SecretLabels:
        return SecretLabels.of(self._sealed.decrypt(key.labels))

    def certify(
        self,
        asked: Mapping[str, object],
        conclude: Callable[[SecretLabels], Mapping[str, object]],
    ) -> list[Entry]:
        """Use the labels once, for a certificate; no look follows, and none may have been before.

        Parameters
        ----------
        asked : mapping
            What is to be judged; on the disk before any label is decrypted.
        conclude : callable
            From the labels to what may be known of the verdict; written when it is there.

        Returns
        -------
        list of Entry
            The whole ledger.
        """
        self._refuse_full_disk()
        with open_books(self.directory, self.header, self._place) as books:
            self._refuse_other_file(books)
            books.append(EntryKind.CERTIFYING, lambda last: self._fresh(last) | dict(asked))
            secret = self._labels(books.key)
            try:
                concluded = dict(conclude(secret))
            except Exception as problem:
                # Whatever went wrong, its message may hold what nobody is to know.
                raise InputError(
                    f"the verdict could not be computed: {type(problem).__name__}; the test set "
                    "has been used"
                ) from None
            books.append(EntryKind.CERTIFIED, lambda last: self._state(last) | concluded)
        with alone(self.directory / SEALED):
            return read_entries(self.directory)

    def key_named_by(self, argument: str) -> Vault:
        """Return the vault; its messages name its key by another argument."""
        self._place = replace(self._place, argument=argument)
        return self

    def refuse_used(self) -> None:
        """Refuse a vault that was looked at, opened or certified; worth asking before any work."""
        with alone(self.directory / SEALED):
            self._fresh(read_entries(self.directory)[-1])

    def _fresh(self, last: Entry) -> dict[str, object]:
        self._refuse_opened(last)
        looks = state_of(last).looks
        if looks:
            raise Refusal(
                f"{self.directory} was looked at {looks} times, and a certificate needs a test set "
                "that nothing was chosen by; seal a new one with fresh cases"
                if looks > 1
                else f"{self.directory} was looked at once, and a certificate needs a test set "
                "that nothing was chosen by; seal a new one with fresh cases"
            )
        return self._state(last)

    def _state(self, last: Entry) -> dict[str, object]:
        return {"state": asdict(state_of(last))}

    def _refuse_opened(self, last: Entry) -> None:
        if last.kind in (EntryKind.CERTIFYING, EntryKind.CERTIFIED):
            raise Refusal(
                f"{self.directory} was used for a certificate on {last.time[:10]}, and that is "
                "done once",
                remedy="seal a new test set with fresh cases",
            )
        if last.kind == EntryKind.OPENED:
            raise Refusal(
                f"{self.directory} was opened on {last.time[:10]}: its labels are out, and it "
                "answers no more looks",
                remedy="seal a new test set with fresh cases",
            )

    def _refuse_other_file(self, books: Books) -> None:
        """Refuse a sealed file that is not the ledger's own, before a look is spent on it."""
        if books.sealed != self._sealed.sha256.hex():
            raise InputError(
                f"{self._sealed.path} is not the file that the ledger began with",
                remedy="restore it from a copy",
            )

    def _refuse_full_disk(self) -> None:
        for place in (self.directory, self.head_file.parent):
            if place.exists() and shutil.disk_usage(place).free < _ROOM:
                raise InputError(
                    f"the disk of {place} is full: {_ROOM // 1024} KiB must be free to write down "
                    "a look and its answer",
                    remedy="make room",
                )

    def status(self) -> VaultStatus:
        """Return what the ledger tells, without verifying it; no key is needed."""
        return read_status(self.directory, self.header)

    def check(self) -> VaultCheck:
        """Verify sealed file, ledger and head, from the first entry to the last."""
        from referee.vault.sealed.checking import check_vault

        return check_vault(self.directory, self._place)

    def open(self) -> Path:
        """End it: write the labels into labels.csv, and opening.json with the commitment's salt.

        The ledger says so first; no look follows. An opened vault can be opened again.
        """
        targets = [self.directory / name for name in (LABELS, OPENING)]
        for target in targets:
            if os.path.lexists(target):
                raise InputError(
                    f"{target} exists already", remedy="move it away to write it again"
                )
        secret = self.reveal()
        names = (self.header.id_column, self.header.target)
        rows = [list(pair) for pair in zip(self.header.ids, secret.texts, strict=True)]
        opening = {
            "commitment": self.header.commitment,
            "salt": secret.salt.hex(),
            "vault": self.header.vault,
        }
        create_file(targets[0], csv_bytes(names, rows))
        create_file(targets[1], canonical_bytes(opening) + b"\n")
        return targets[0]

    def reveal(self) -> SecretLabels:
        """End it, and return the labels; nothing but the ledger is written.

        A ledger is taken as it stands here, also without its head: what comes out now cannot be
        had twice.
        """
        secret = self._labels(right_key(self._place, self.header))
        with open_books(self.directory, self.header, self._place, trust=True) as books:
            if books.last.kind != EntryKind.OPENED:
                books.append(EntryKind.OPENED, lambda last: {"state": asdict(state_of(last))})
        return secret
