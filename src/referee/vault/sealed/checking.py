"""Checking a vault: every byte of the sealed file, every entry from the seal on, and the head."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from referee.errors import InputError
from referee.intervals.looks import Cell, LadderState
from referee.vault.sealed.files import LABELS, LEDGER, SEALED, csv_bytes
from referee.vault.sealed.keys.key import Key
from referee.vault.sealed.keys.key_place import KeyPlace
from referee.vault.sealed.labels.header import Header, class_digest
from referee.vault.sealed.labels.sealed_file import NewerFormatError, SealedFile, read_sealed_file
from referee.vault.sealed.labels.secret_labels import SecretLabels
from referee.vault.sealed.ledger.books import right_key, state_of, tail_problem
from referee.vault.sealed.ledger.entry import Entry, EntryKind, broken_links
from referee.vault.sealed.ledger.head import Head, read_head
from referee.vault.sealed.ledger.ledger import file_digest, has_journal
from referee.vault.sealed.ledger.lock import alone
from referee.vault.sealed.status import read_entries
from referee.vault.sealed.vault_check import VaultCheck

__all__ = ["check_vault"]

_T = TypeVar("_T")

_AFTER: dict[str, tuple[str, ...]] = {
    EntryKind.CERTIFYING: (EntryKind.CERTIFIED, EntryKind.OPENED),
    EntryKind.CERTIFIED: (EntryKind.OPENED,),
    EntryKind.OPENED: (EntryKind.OPENED,),
}
"""What may follow when no more looks may."""


def check_vault(directory: Path, place: KeyPlace) -> VaultCheck:
    """Verify a vault against its key and its head.

    Raises
    ------
    InputError
        If there is no vault, or the key is missing or wrong: then nothing can be verified. What
        was changed is no error but a problem in the result.
    """
    if not directory.is_dir():
        raise InputError(
            f"{directory} is no directory", remedy="name one that referee vault seal wrote"
        )
    with alone(directory / SEALED):
        return _Checking(directory, place).result()


@dataclass
class _Checking:
    directory: Path
    place: KeyPlace
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    def result(self) -> VaultCheck:
        file = "" if has_journal(self.directory / LEDGER) else self._file()
        self._read_entries()
        sealed = self._sealed()
        header = None if sealed is None else self._header(sealed)
        key = None if header is None else self._key(header)
        if sealed is not None and header is not None and key is not None:
            self.problems += _label_problems(sealed, header, key, self.directory)
            self.problems += list(broken_links(self.entries, sealed.sha256, 1, key))
            self._check_head(header, key, file)
            self.problems += _story_problems(self.entries, header)
            self._check_tables(header)
        return self._check(header)

    def _file(self) -> str:
        path = self.directory / LEDGER
        return file_digest(path) if path.is_file() else ""

    def _read_entries(self) -> None:
        try:
            self.entries = read_entries(self.directory)
        except NewerFormatError:
            raise
        except InputError as problem:
            self.problems.append(str(problem))
        if not self.entries and not self.problems:
            self.problems.append(f"{LEDGER} is empty")

    def _sealed(self) -> SealedFile | None:
        """Return the sealed file, or write down why it cannot be read."""
        path = self.directory / SEALED
        if self.entries and file_digest(path) != _recorded(self.entries[0], "sealed"):
            self.problems.append(f"{SEALED} is not the file that the ledger began with")
        return self._or_problem(lambda: read_sealed_file(path))

    def _header(self, sealed: SealedFile) -> Header | None:
        return self._or_problem(lambda: Header.of(sealed.header, sealed.path))

    def _key(self, header: Header) -> Key | None:
        return self._or_problem(lambda: right_key(self.place, header))

    def _or_problem(self, job: Callable[[], _T]) -> _T | None:
        """Return what a job returns. Where files were changed its error is one more problem.

        Where they were not, the error says that nothing can be verified, and is raised.
        """
        try:
            return job()
        except InputError as problem:
            if not self.problems or isinstance(problem, NewerFormatError):
                raise
            self.problems.append(str(problem))
            return None

    def _check_head(self, header: Header, key: Key, file: str) -> None:
        try:
            head = read_head(self.place.head_file(header.vault), key)
        except InputError as problem:
            self.problems.append(str(problem))
            return
        if head is None:
            self.problems.append(
                f"{self.place.head_file(header.vault)} is missing, so an older ledger could have "
                "been copied back unseen; bring it along with the key"
            )
            return
        behind = tail_problem(self.entries[head.number - 1 :], head, key)
        if behind:
            self.problems.append(behind)
        elif head.file and file and self._at(head) and head.file != file:
            self.problems.append(
                f"the bytes of {LEDGER} are not those that referee left, though its entries are"
            )

    def _at(self, head: Head) -> bool:
        return self.entries[-1].number == head.number

    def _check_tables(self, header: Header) -> None:
        for name, digest in header.files.items():
            path = self.directory / name
            if not path.is_file():
                self.notes.append(f"{name} is not there any more")
            elif file_digest(path) != digest:
                self.problems.append(f"{name} is not the file that was written at the seal")

    def _check(self, header: Header | None) -> VaultCheck:
        answered = {e.content.get("look") for e in self._of(EntryKind.ANSWER)}
        looks = [_recorded(e, "look") for e in self._of(EntryKind.LOOK)]
        unanswered = [look for look in looks if look not in answered]
        released = [e for e in self._of(EntryKind.ANSWER) if e.content.get("released") is not None]
        return VaultCheck(
            vault=str(self.directory),
            problems=tuple(dict.fromkeys(self.problems)),
            notes=tuple(self.notes),
            entries=len(self.entries),
            looks=len(looks),
            releases=len(released),
            unanswered=tuple(look for look in unanswered if isinstance(look, int)),
            head=self.entries[-1].hash.hex() if self.entries else "",
            commitment="" if header is None else header.commitment,
        )

    def _of(self, kind: EntryKind) -> list[Entry]:
        return [e for e in self.entries if e.kind == kind and _readable(e)]


def _readable(entry: Entry) -> bool:
    try:
        return bool(entry.content)
    except ValueError:
        return False


def _recorded(entry: Entry, name: str) -> object:
    return entry.content.get(name) if _readable(entry) else None


def _label_problems(sealed: SealedFile, header: Header, key: Key, directory: Path) -> Iterator[str]:
    """Decrypt the labels and hold them against everything public that speaks of them."""
    try:
        labels = SecretLabels.of(sealed.decrypt(key.labels))
    except InputError as problem:
        yield str(problem)
        return
    if labels.commitment(header.ids) != header.commitment:
        yield "the sealed labels are not those of the commitment"
    if header.classes != tuple(class_digest(header.class_salt, c) for c in labels.classes):
        yield "the sealed classes are not those of the header"
    opened = directory / LABELS
    if opened.is_file():
        rows = [list(pair) for pair in zip(header.ids, labels.texts, strict=True)]
        if opened.read_bytes() != csv_bytes((header.id_column, header.target), rows):
            yield f"{LABELS} does not hold the labels that were sealed"


def _story_problems(entries: list[Entry], header: Header) -> Iterator[str]:
    """Say where entries, each of them authentic, do not tell a story that can have happened."""
    state, open_look, ended = LadderState(), 0, ""
    for entry in entries:
        try:
            after = state_of(entry)
            problem = _step_problem(entry, state, after, open_look, ended, header)
        except (InputError, ValueError, KeyError, TypeError):
            problem, after = "is not what referee writes", state
        if problem:
            yield f"entry {entry.number} {problem}"
        open_look = after.looks if entry.kind == EntryKind.LOOK else 0
        ended = entry.kind if entry.kind in _AFTER else ended
        state = after


def _step_problem(
    entry: Entry,
    before: LadderState,
    after: LadderState,
    open_look: int,
    ended: str,
    header: Header,
) -> str:
    content = entry.content
    if ended and entry.kind not in _AFTER[ended]:
        what = "opened" if ended == EntryKind.OPENED else "used for a certificate"
        return f"follows after the vault was {what}"
    if entry.kind == EntryKind.CERTIFYING and before.looks:
        return "certifies with a test set that was looked at"
    if entry.kind == EntryKind.CERTIFIED and ended != EntryKind.CERTIFYING:
        return "concludes a certificate that was not begun"
    if entry.kind == EntryKind.LOOK:
        counted = LadderState(before.looks + 1, before.releases, before.rung)
        allowed = header.policy.looks
        if after != counted or content["look"] != after.looks:
            return "does not count its look"
        if allowed is not None and after.looks > allowed:
            return f"is a look beyond the {allowed} that there are"
    elif entry.kind == EntryKind.ANSWER:
        return _answer_problem(entry, before, after, open_look, header)
    elif after != before:
        return "changes the state without a look"
    return ""


def _answer_problem(
    entry: Entry, before: LadderState, after: LadderState, open_look: int, header: Header
) -> str:
    content = entry.content
    if content["look"] != open_look or after.looks != before.looks:
        return "answers no look"
    released = content["released"] is not None
    climbed = not header.policy.exact and after.rung <= before.rung
    if after.releases != before.releases + released or (released and climbed):
        return "releases something else than it counts"
    if released:
        intervals = header.grid.interval(
            Cell(*content["cell"]),
            after.looks,
            before.releases,
            header.level,
            looks=header.policy.looks,
        )
        ends = [intervals.interval.low, intervals.interval.high]
        if any(abs(a - b) > 1e-9 for a, b in zip(ends, content["interval"], strict=True)):
            return "states an interval that does not follow from what was released"
    return ""
