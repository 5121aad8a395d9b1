"""Checkpoint: finished splits kept on disk, so that a run that was cut short goes on.

A directory holds ``checkpoint.json`` (of which data, plan and versions it is) and a folder for
every model, with a file for every finished split. A file is written beside its place, brought to
the disk and then renamed, and carries its own hash: what a crash left half-written is not read.
Files are pickles; go on only from directories of your own.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from referee.core.machine.plain_file import file_bytes
from referee.errors import InputError

__all__ = ["Checkpoint", "Kept", "versions_used"]

_MARK = "checkpoint.json"
_KIND = "referee checkpoint"
_FORMAT = 1


@dataclass(frozen=True)
class Checkpoint:
    """A directory for the finished splits of runs on the same data and plan.

    Parameters
    ----------
    path : str or Path
        The directory; made where there is none.
    of : mapping of str to str
        What the checkpoint belongs to: fingerprints of data and plan, versions.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> kept = Checkpoint(folder, {"data": "ab12"}).of_run("a model", 7)
    >>> kept.keep(0, "result of split 0")
    >>> Checkpoint(folder, {"data": "ab12"}).of_run("a model", 7).load(0)
    'result of split 0'
    >>> Checkpoint(folder, {"data": "cd34"})
    Traceback (most recent call last):
    ...
    referee.errors.InputError: checkpoint belongs to other data (ab12, now cd34) in ...
    """

    path: Path
    of: Mapping[str, str]

    def __init__(self, path: str | os.PathLike[str], of: Mapping[str, str]) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise InputError(
                "must be the path of a directory", argument="checkpoint", value=repr(path)
            )
        object.__setattr__(self, "path", Path(path))
        object.__setattr__(self, "of", dict(of))
        known = _read_mark(self.path)
        if known is None:
            _write(self.path / _MARK, json.dumps(self._mark, indent=1).encode())
            return
        for name, value in self.of.items():
            if known.get(name) != value:
                raise InputError(
                    f"belongs to other {name} ({known.get(name, 'none')}, now {value})",
                    argument="checkpoint",
                    place=str(self.path),
                    remedy="name another directory, or remove this one",
                )

    @property
    def _mark(self) -> dict[str, Any]:
        return {"kind": _KIND, "format": _FORMAT, **self.of}

    def of_run(self, *key: Any) -> Kept:
        """Return the folder of one run: of a model, with its seed and what it was asked."""
        folder = self.path / _named(key)
        try:
            folder.mkdir(exist_ok=True)
        except OSError as problem:
            raise _unwritable(folder, problem) from None
        return Kept(folder)


@dataclass(frozen=True)
class Kept:
    """Finished splits of one run, by their numbers."""

    folder: Path

    def __iter__(self) -> Iterator[int]:
        return (int(f.stem) for f in sorted(self.folder.glob("*.split")) if f.stem.isdigit())

    def keep(self, number: int, result: Any) -> None:
        """Write the result of a split."""
        content = pickle.dumps(result, protocol=5)
        _write(self._file(number), hashlib.sha256(content).digest() + content)

    def load(self, number: int) -> Any | None:
        """Return the result of a split; None where there is none, or only a part of one."""
        try:
            held = self._file(number).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise InputError(
                f"cannot be read ({problem.strerror})",
                argument="checkpoint",
                place=str(self.folder),
            ) from None
        digest, content = held[:32], held[32:]
        return pickle.loads(content) if hashlib.sha256(content).digest() == digest else None

    def completed(
        self, numbers: Sequence[int], values: Callable[[list[int]], Iterator[Any]]
    ) -> Iterator[Any]:
        """Yield the result of every number: what is kept is read, the rest is made and kept.

        Examples
        --------
        >>> import tempfile
        >>> kept = Kept(Path(tempfile.mkdtemp()))
        >>> kept.keep(1, "kept")
        >>> list(kept.completed([0, 1], lambda missing: (f"made {n}" for n in missing)))
        ['made 0', 'kept']
        """
        there, wanted = set(self), set(numbers)
        known = {n: r for n in there & wanted if (r := self.load(n)) is not None}
        fresh = values([n for n in numbers if n not in known])
        try:
            for number in numbers:
                if number not in known:
                    known[number] = next(fresh)
                    self.keep(number, known[number])
                yield known.pop(number)
        finally:
            close = getattr(fresh, "close", None)
            if close is not None:
                close()

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:08d}.split"


def versions_used() -> str:
    """Return what results depend on besides data and settings: the versions of what computes."""
    import sklearn

    from referee import __version__

    return f"referee {__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"


def _named(key: Any) -> str:
    """Return the name of a run's folder, which follows from what the run is of."""
    try:
        return str(joblib.hash(_bare(key))[:16])
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        said = " ".join(str(problem).split())[:200]
        raise InputError(
            f"can only be of models and functions that have a place in a module ({said})",
            argument="checkpoint",
            remedy="define them at the top of a module, without lambda",
        ) from None


def _bare(key: Any) -> Any:
    """Return what something was made of, without what it has computed and kept since."""
    if isinstance(key, partial):
        return key.func, _bare(key.args), _bare(key.keywords)
    if isinstance(key, (list, tuple)):
        return [_bare(part) for part in key]
    if isinstance(key, dict):
        return {name: _bare(part) for name, part in key.items()}
    kind = type(key)
    if kind.__module__.startswith("referee.") and hasattr(key, "__dict__"):
        kept = {name: part for name, part in vars(key).items() if not _is_cached(kind, name)}
        return kind.__qualname__, _bare(kept)
    return key


def _is_cached(kind: type, name: str) -> bool:
    return isinstance(getattr(kind, name, None), cached_property)


def _read_mark(path: Path) -> dict[str, Any] | None:
    """Return what a checkpoint says it is of; None for a new or empty directory."""
    try:
        if path.exists() and not path.is_dir():
            raise InputError("is a file, not a directory", argument="checkpoint", place=str(path))
        path.mkdir(parents=True, exist_ok=True)
        if not (path / _MARK).exists():
            if any(path.iterdir()):
                raise _foreign(path)
            return None
        content = file_bytes(path / _MARK)
    except OSError as problem:
        raise _unwritable(path, problem) from None
    try:
        mark = json.loads(content)
    except ValueError:
        raise _foreign(path) from None
    if not isinstance(mark, dict) or mark.get("kind") != _KIND or mark.get("format") != _FORMAT:
        raise _foreign(path)
    return mark


def _foreign(path: Path) -> InputError:
    return InputError(
        "is a directory of something else",
        argument="checkpoint",
        place=str(path),
        remedy="name a new or empty directory",
    )


def _unwritable(path: Path, problem: OSError) -> InputError:
    full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
    return InputError(
        "has no room left on its disk" if full else f"cannot be written ({problem.strerror})",
        argument="checkpoint",
        place=str(path),
        remedy="free some space and run again; what was done is kept" if full else "",
    )


def _write(path: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, path)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise _unwritable(path.parent, problem) from None
