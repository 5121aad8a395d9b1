"""Likeness: rows that are nearly the same, by spelling, by distance or by text.

Three ways in which a row may come back in another dress:

- *spelling*: equal once blanks, case and the format of numbers are set aside;
- *distance*: closer than rows of their kind ever are. Features are scaled, the distance to the
  next rows is typical of the table, and its growth tells the dimension the rows really fill
  (Levina and Bickel 2004). A fraction of the typical distance is taken so small that chance
  alone would bring about one pair in twenty tables;
- *text*: long texts that share at least four fifths of their runs of three words, found by
  MinHash (Broder 1997) in bands and then counted exactly.

References
----------
Broder (1997), Compression and Complexity of Sequences. Levina and Bickel (2004), Advances in Neural
Information Processing Systems 17.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import scipy
from scipy import special

from referee.checks.data.overlap import equal_rows, joint_codes
from referee.core.arrays import Codes, Features, Floats, Rows

__all__ = ["alike", "close_pairs", "respelled", "texts_alike"]

_SAMPLED = 300
"""Rows whose nearest neighbours tell what distance is typical."""

_BY_CHANCE = 0.05
"""Pairs that chance alone may bring so close, over the whole table."""

_WIDEST = 0.1
"""The largest fraction of the typical distance that still counts as nearly the same."""

_FEWEST = 20
"""With fewer rows nothing is typical."""

_NEAR, _FAR = 4, 8
"""Neighbours whose distances tell what is typical."""

_SHADOWS = range(3, 9)
"""Dimensions in which close pairs may be looked for before they are measured in all."""

_CHUNK = 250
"""Rows compared at a time, so that their distances stay in the cache."""

_MERGED = 32
"""Chunks whose smallest distances are held before the smallest of all are told."""

_LONG = 40
"""Letters from which on a column's values, on average, are texts rather than names."""

_SHARED = 0.8
_HASHES, _BAND = 64, 4
_PRIME = np.uint64((1 << 61) - 1)
_WORD = re.compile(r"\w+")


def alike(X: Features) -> Codes:
    """Return a code per row; rows that are nearly the same, directly or in a chain, share it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"city": ["Rome", " rome", "Oslo"], "size": ["1", "1.0", "2"]})
    >>> alike(frame).tolist()
    [0, 0, 1]
    """
    n = X.shape[0]
    if hasattr(X, "tocsr"):
        return np.arange(n)
    columns = _columns(X)
    texts = [c for c in columns if _is_text(c)]
    others = [c for c in columns if not _is_text(c)]
    names = [c for c in others if c.dtype.kind == "O"]
    pairs = [respelled(columns)] if names or texts else []
    pairs += [_close_rows(others)] if not texts else []
    pairs += [_within_same(texts_alike(c), others) for c in texts]
    joined = np.concatenate([np.empty((0, 2), dtype=np.intp), *pairs])
    graph = scipy.sparse.coo_array(
        (np.ones(len(joined)), (joined[:, 0], joined[:, 1])), shape=(n, n)
    )
    return np.asarray(scipy.sparse.csgraph.connected_components(graph, directed=False)[1])


def respelled(columns: list[Any]) -> Rows:
    """Return pairs of rows that are equal but for blanks, case and the format of numbers."""
    codes = joint_codes(_canonical(c) for c in columns)
    first = np.unique(codes, return_index=True)[1][codes]
    rows = np.arange(len(codes))
    pairs: Rows = np.column_stack([first, rows])[first != rows]
    return pairs


def _close_rows(columns: list[Any]) -> Rows:
    """Return pairs of rows of the same names whose numbers lie close together."""
    names = [c for c in columns if c.dtype.kind == "O"]
    kinds = joint_codes(_canonical(c) for c in names) if names else None
    numbers, rows = _places([c for c in columns if c.dtype.kind != "O"])
    return close_pairs(numbers, rows, kinds if kinds is None else kinds[rows])


def close_pairs(places: Floats, rows: Rows, kinds: Codes | None = None) -> Rows:
    """Return pairs of rows that lie closer together than chance would bring them.

    What is close is told by all rows; only those of one kind are compared.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> places = rng.normal(size=(200, 4))
    >>> places[7] = places[3] + 1e-6
    >>> close_pairs(places, np.arange(200)).tolist()
    [[3, 7]]
    """
    if len(rows) < _FEWEST or places.shape[1] == 0:
        return np.empty((0, 2), dtype=np.intp)
    radius = _radius(_nearest(places), len(rows))
    if radius == 0:
        return np.empty((0, 2), dtype=np.intp)
    kinds = np.zeros(len(rows), dtype=np.intp) if kinds is None else kinds
    # Rows that are equal would make as many pairs as their square; one of them stands for all.
    of = equal_rows(len(rows), [kinds, *places.T])
    kept = np.unique(of, return_index=True)[1]
    again = np.flatnonzero(kept[of] != np.arange(len(rows)))
    equal = np.column_stack([kept[of[again]], again])
    del of
    shadow = _shadow(places if len(kept) == len(places) else places[kept], radius)
    if kinds.any():
        shadow = np.column_stack([shadow, kinds[kept] * (4 * radius)])
    pairs = kept[scipy.spatial.KDTree(shadow).query_pairs(radius, output_type="ndarray")]
    apart = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    close = (apart <= radius) & (kinds[pairs[:, 0]] == kinds[pairs[:, 1]])
    joined = np.concatenate([pairs[close], equal])
    return np.sort(np.asarray(rows[joined]).reshape(-1, 2), axis=1)


def _shadow(places: Floats, radius: float) -> Floats:
    """Return the rows in few dimensions: distances shrink, so no close pair is lost there.

    In as few as bring, by chance, no more pairs so close than there are rows: were coordinates
    independent and normal, half the squared distance would have a chi-squared law.
    """
    by_chance = (special.gammainc(k / 2, radius**2 / 4) * len(places) for k in _SHADOWS)
    enough = (k for k, pairs in zip(_SHADOWS, by_chance, strict=True) if pairs <= 2)
    k = next(enough, _SHADOWS[-1])
    if places.shape[1] <= k:
        return places
    mixture = np.random.default_rng(0).normal(size=(places.shape[1], k))
    return np.asarray(places @ np.linalg.qr(mixture)[0])


def _nearest(places: Floats, k: int = 2 * _FAR) -> Floats:
    """Return the distances from some rows to their k nearest, themselves included, in order."""
    some = places[:: max(1, len(places) // _SAMPLED)][:_SAMPLED]
    kept: list[Floats] = []
    for start in range(0, len(places), _CHUNK):
        squared = scipy.spatial.distance.cdist(some, places[start : start + _CHUNK], "sqeuclidean")
        if squared.shape[1] > k:
            squared.partition(k - 1, axis=1)
        kept.append(squared[:, :k].copy())
        if len(kept) == _MERGED:
            kept = [_smallest(kept, k)]
    return np.asarray(np.sqrt(_smallest(kept, k)))


def _smallest(pieces: list[Floats], k: int) -> Floats:
    """Return the k smallest of every line, in order."""
    lines: Floats = np.sort(np.hstack(pieces), axis=1)[:, :k].copy()
    return lines


def _radius(distances: Floats, n: int) -> float:
    """Return the distance below which two rows are nearly the same.

    The fourth to the eighth neighbour tell how rows lie, so that a table full of pairs does not
    pass for a table of lower dimension. Exact copies are another finding, and are set aside.
    """
    apart = [d[d > 0][_NEAR - 1 : _FAR] for d in distances]
    known = np.array([d for d in apart if len(d) == _FAR - _NEAR + 1])
    if len(known) < _FEWEST:
        return 0.0
    growth = np.log(known[:, -1:] / known[:, :-1])
    if not growth.any():
        return 0.0
    # Were rows strewn evenly, the number within a distance r would be Poisson, mean ~ r^dimension:
    # the logarithms of distances then differ by differences of digamma over the dimension.
    expected = special.digamma(_FAR) - special.digamma(np.arange(_NEAR, _FAR))
    dimension = float(np.mean(expected) / np.mean(growth))
    median = float(np.median(known[:, 0]))
    typical = median * (np.log(2.0) / special.gammaincinv(_NEAR, 0.5)) ** (1.0 / dimension)
    chance = (_BY_CHANCE / (n * np.log(2.0))) ** (1.0 / dimension)
    return float(typical * min(_WIDEST, chance))


def texts_alike(texts: Any) -> Rows:
    """Return pairs of texts that share at least four fifths of their runs of three words.

    Examples
    --------
    >>> text = "the quick brown fox jumps over the lazy dog and runs away from the farm " * 2
    >>> texts_alike([text + "today", "something else entirely", text + "now"]).tolist()
    [[0, 2]]
    """
    runs, ends = _runs_of_words(texts)
    if not len(runs):
        return np.empty((0, 2), dtype=np.intp)
    starts = np.concatenate([[0], ends[:-1]])
    filled = np.flatnonzero(ends > starts)
    signatures = _signatures(runs, starts[filled])
    candidates: set[tuple[int, int]] = set()
    for band in range(0, _HASHES, _BAND):
        keys: dict[bytes, int] = {}
        for place, signature in zip(filled, signatures[:, band : band + _BAND], strict=True):
            first = keys.setdefault(signature.tobytes(), int(place))
            if first != place:
                candidates.add((first, int(place)))
    sets = {i: set(runs[starts[i] : ends[i]].tolist()) for pair in candidates for i in pair}
    pairs = [(a, b) for a, b in sorted(candidates) if _share(sets[a], sets[b]) >= _SHARED]
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _share(first: set[int], second: set[int]) -> float:
    return len(first & second) / len(first | second)


def _runs_of_words(texts: Any) -> tuple[Any, Rows]:
    """Return numbers of all runs of three words, and where those of each text end."""
    numbers: dict[str, int] = {}
    flat: list[int] = []
    sizes = []
    for text in texts:
        words = _WORD.findall(str(text).casefold())
        flat.extend(numbers.setdefault(word, len(numbers) + 1) for word in words)
        sizes.append(len(words))
    words_of = np.array(flat, dtype=np.uint64)
    counts = np.array(sizes)
    if len(words_of) < 3:
        return np.empty(0, dtype=np.uint64), np.zeros(len(counts), dtype=np.intp)
    base = np.uint64(len(numbers) + 1)
    runs = (words_of[:-2] * base + words_of[1:-1]) * base + words_of[2:]
    text_of = np.repeat(np.arange(len(counts)), counts)
    whole = text_of[:-2] == text_of[2:]
    return runs[whole], np.cumsum(np.bincount(text_of[:-2][whole], minlength=len(counts)))


def _signatures(runs: Any, starts: Rows) -> Any:
    """Return the smallest of each of many hashes over the runs of every text."""
    rng = np.random.default_rng(0)
    factors = rng.integers(1, 1 << 61, size=_HASHES, dtype=np.uint64) | np.uint64(1)
    shifts = rng.integers(0, 1 << 61, size=_HASHES, dtype=np.uint64)
    columns = []
    for factor, shift in zip(factors, shifts, strict=True):
        mixed = runs * factor + shift  # modulo 2^64, as a multiplicative hash wants it
        mixed ^= mixed >> np.uint64(29)
        columns.append(np.minimum.reduceat(mixed % _PRIME, starts))
    return np.column_stack(columns)


def _within_same(pairs: Rows, columns: list[Any]) -> Rows:
    """Keep the pairs of texts whose other columns are equal in spelling."""
    if not columns or not len(pairs):
        return pairs
    codes = joint_codes(_canonical(c) for c in columns)
    same: Rows = pairs[codes[pairs[:, 0]] == codes[pairs[:, 1]]]
    return same


def _columns(X: Features) -> list[Any]:
    if hasattr(X, "columns"):
        return [_plain(X[c]) for c in X.columns]
    return [_plain(column) for column in np.atleast_2d(np.asarray(X).T)]


def _plain(column: Any) -> Any:
    values = np.asarray(column)
    return values if values.dtype.kind in "biuf" else values.astype(object, copy=False)


def _is_text(column: Any) -> bool:
    if column.dtype.kind != "O":
        return False
    some = [len(v) for v in column[:: max(1, len(column) // 200)] if isinstance(v, str)]
    return bool(some) and float(np.mean(some)) >= _LONG


def _canonical(column: Any) -> Codes:
    """Return a code per value; those share it that differ in spelling only."""
    if column.dtype.kind != "O":
        return np.unique(column.astype(float), return_inverse=True)[1]
    written: dict[Any, int] = {}
    reduced: dict[Any, int] = {}
    codes = (
        written[v]
        if v in written
        else written.setdefault(v, reduced.setdefault(_reduced(v), len(reduced)))
        for v in column.tolist()
    )
    return np.fromiter(codes, dtype=np.intp, count=len(column))


def _reduced(value: Any) -> Any:
    """Return a value without what spelling may change: 'Rome ' is 'rome', '1.0' is 1.

    Numbers are kept to their last digit: those of accounts and orders are longer than a float.
    """
    text = " ".join(str(value).split()).casefold()
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return None if number.is_nan() else number


def _places(columns: list[Any]) -> tuple[Floats, Rows]:
    """Return scaled coordinates of the rows without gaps."""
    spreads = [_spread(column) for column in columns]
    kept = [(column, spread) for column, spread in zip(columns, spreads, strict=True) if spread > 0]
    places = np.empty((len(columns[0]) if columns else 0, len(kept)))
    for position, (column, spread) in enumerate(kept):
        places[:, position] = column / spread
    rows = np.flatnonzero(np.isfinite(places).all(axis=1))
    return places if len(rows) == len(places) else places[rows], rows


def _spread(column: Any) -> float:
    finite = column[np.isfinite(column)].astype(float)
    return float(np.std(finite)) if len(finite) else 0.0
