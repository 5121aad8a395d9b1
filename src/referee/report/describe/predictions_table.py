"""The table of predictions as it is written to disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.core.predictions import Predictions

if TYPE_CHECKING:
    import polars as pl

__all__ = ["predictions_table"]


def predictions_table(predictions: Predictions | Mapping[str, Predictions]) -> pl.DataFrame:
    """Return one row per split and case; those of several models one below the other, by name.

    Examples
    --------
    >>> table = predictions_table(Predictions.of(["a", "b"], ["a", "a"]))
    >>> table.select("case", "truth", "predicted").rows()
    [(0, 'a', 'a'), (1, 'b', 'a')]
    """
    import polars as pl

    if isinstance(predictions, Predictions):
        return _columns(predictions)
    # A model without scores has empty cells where others have them.
    return pl.concat(
        [
            _columns(table).select(pl.lit(name).alias("model"), pl.all())
            for name, table in predictions.items()
        ],
        how="diagonal",
    )


def _columns(table: Predictions) -> pl.DataFrame:
    import polars as pl

    frame = table.frame()
    return pl.DataFrame({str(c): frame[c].to_numpy() for c in frame.columns})
