"""A folder of draws: what a calibration study has done so far, a CSV file for each part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.study.delivery import place
from referee.errors import InputError
from referee.study.calibration.draws import Draws

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DrawFolder"]


@dataclass
class DrawFolder(Draws):
    """Draws that are written to a folder as they are made.

    A file is replaced at once, so that a study that is stopped leaves no half of one behind.
    """

    folder: Path = Path("draws")

    def read(self, cell: str, probe: str) -> pd.DataFrame | None:
        """Return what the folder holds of a probe of a cell."""
        import pandas as pd

        if (cell, probe) not in self.tables and self._path(cell, probe).exists():
            path = self._path(cell, probe)
            try:
                # By way of text: pandas reads some numbers wrong in the last digit.
                table = pd.read_csv(path, dtype=str).astype(float)
            except (ValueError, OSError) as problem:
                why = " ".join(str(problem).split())
                raise InputError(
                    f"{path} holds no draws: {why}",
                    concerning="fresh",
                    at=str(path),
                    remedy="use --fresh",
                ) from None
            if "repetition" not in table or table["repetition"].isna().any():
                raise InputError(
                    f"{path} holds no draws",
                    concerning="fresh",
                    at=str(path),
                    remedy="use --fresh or another --out",
                )
            self.tables[cell, probe] = table.astype({"repetition": int})
        return self.tables.get((cell, probe))

    def write(self, cell: str, probe: str, table: pd.DataFrame) -> None:
        """Write all draws of a probe of a cell."""
        from referee.report import write_text

        super().write(cell, probe, table)
        path = self._path(cell, probe)
        beside = place(path.parent, f"{path.name}.new")
        write_text(beside, table.to_csv(index=False))
        beside.replace(path)

    def _path(self, cell: str, probe: str) -> Path:
        return self.folder / _file_name(cell) / f"{_file_name(probe)}.csv"


def _file_name(name: str) -> str:
    """Return a name for a file, from that of a cell or a scheme.

    Examples
    --------
    >>> _file_name("imbalance 1:20, lda, n 200"), _file_name("25 x 90/10")
    ('imbalance-1-20-lda-n-200', '25-x-90-10')
    >>> _file_name("p > n, nb, n 60")
    'p-n-nb-n-60'
    """
    return re.sub(r"[^\w.+]+", "-", name).strip("-")
