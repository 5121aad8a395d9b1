"""What models without a name are called: their files, and folders where files have one name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

__all__ = ["names_of_files"]


def names_of_files(paths: Sequence[str]) -> list[str]:
    """Return the stems of the files, after as many folders as tell them apart.

    Files that differ by their ending keep it; files that are named twice have one name.

    Examples
    --------
    >>> names_of_files(["old.csv", "new.csv"]), names_of_files(["d1/preds.csv", "d2/preds.csv"])
    (['old', 'new'], ['d1/preds', 'd2/preds'])
    >>> names_of_files(["a/x/preds.csv", "b/x/preds.csv"])
    ['a/x/preds', 'b/x/preds']
    >>> names_of_files(["preds.csv", "preds.parquet"]), names_of_files(["a.csv", "a.csv"])
    (['preds.csv', 'preds.parquet'], ['a', 'a'])
    """
    parts = [(*PurePath(p).parent.parts, PurePath(p).stem) for p in paths]
    for length in range(1, max((len(p) for p in parts), default=0) + 1):
        names = ["/".join(p[-length:]) for p in parts]
        if len(set(names)) == len(set(paths)):
            return names
    return [PurePath(p).name for p in paths]
