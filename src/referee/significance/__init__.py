"""Is a difference real, or due to chance? One file per test; each returns Evidence."""

from referee.significance.contrast import Contrast

__all__ = ["Contrast"]
