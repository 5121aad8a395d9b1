"""Compiled loops: what remains of a kernel value when BLAS has done the products.

Every value is summed over the features in one fixed order, so that it does not depend on the block
it was computed in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic, overload

from referee.core.arrays import Anything
from referee.core.machine.compiling import compiled

__all__ = [
    "chi_squared",
    "decay",
    "gaussian",
    "gaussian_anew",
    "intersection",
    "manhattan",
    "mirror",
    "power",
]

_LOG2E = 1.4426950408889634
_FUSED = {"contract"}
"""Multiply and add may be one instruction; nothing else is rearranged."""

_TILE = 32
"""Rows and columns mirrored at a time, few enough to stay in the first-level cache."""

_F32 = types.float32
_F64 = types.float64


def _typed_power_of_two(typingctx: Any, shifted: Any) -> Any:
    """Return 2^n, where shifted is n + 1.5 * 2^23 (f32) or n + 1.5 * 2^52 (f64)."""
    bits, mantissa, one = (32, 23, 127) if shifted is _F32 else (64, 52, 1023)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole = ir.IntType(bits)
        n = builder.shl(builder.bitcast(args[0], whole), ir.Constant(whole, mantissa))
        biased = builder.add(n, ir.Constant(whole, one << mantissa))
        return builder.bitcast(biased, ir.FloatType() if bits == 32 else ir.DoubleType())

    return shifted(shifted), codegen


_power_of_two: Any = intrinsic(_typed_power_of_two)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def _exp32(x: Any) -> Any:
    """Return exp(x) for x <= 0 in f32: 2^n times Cephes' polynomial; relative error about 1e-7."""
    x = x if x > np.float32(-87.0) else np.float32(-87.0)
    shifted = x * np.float32(_LOG2E) + np.float32(12582912.0)
    n = shifted - np.float32(12582912.0)
    r = x - n * np.float32(0.693359375) + n * np.float32(2.12194440e-4)
    p = np.float32(1.9875691500e-4)
    p = p * r + np.float32(1.3981999507e-3)
    p = p * r + np.float32(8.3334519073e-3)
    p = p * r + np.float32(4.1665795894e-2)
    p = p * r + np.float32(1.6666665459e-1)
    p = p * r + np.float32(5.0000001201e-1)
    value = (p * r * r + r + np.float32(1.0)) * _power_of_two(shifted)
    return value if x > np.float32(-87.0) else np.float32(0.0)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def _exp64(x: Any) -> Any:
    """Return exp(x) for x <= 0 in f64: 2^n times Taylor's polynomial of degree 13."""
    x = x if x > -708.0 else -708.0
    shifted = x * _LOG2E + 6755399441055744.0
    n = shifted - 6755399441055744.0
    r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    value = (p * r * r + r + 1.0) * _power_of_two(shifted)
    return value if x > -708.0 else 0.0


def _exp(x: Any) -> Any:
    return np.exp(x)


@overload(_exp, strict=False)
def _exp_of_its_type(x: Any) -> Any:
    if x is _F32:
        return lambda x: _exp32(x)
    return lambda x: _exp64(x)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def decay(out: Anything, start: int, m: int, rate: float) -> None:
    """Replace a band of values v >= 0 by exp(-rate v)."""
    r = out.dtype.type(-rate)
    for i in range(out.shape[0]):
        row = out[i, start : start + m]
        for j in range(m):
            row[j] = _exp(r * row[j])


@njit(cache=True, nogil=True, fastmath=_FUSED)
def gaussian(
    products: Anything,
    left: Anything,
    right: Anything,
    gamma: float,
    out: Anything,
    start: int,
) -> None:
    """Turn products <x, z> and squared norms into exp(-gamma |x - z|^2), into a band of out."""
    m = products.shape[1]
    zero = products.dtype.type(0)
    half = products.dtype.type(0.5)
    rate = products.dtype.type(2 * gamma)
    for i in range(products.shape[0]):
        row = products[i]
        target = out[i, start : start + m]
        a = left[i]
        for j in range(m):
            # Halves are exact: a point lies at distance 0 from itself.
            near = row[j] - half * (a + right[j])
            near = near if near < zero else zero
            target[j] = _exp(rate * near)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def gaussian_anew(
    rows: Anything,
    others: Anything,
    left: Anything,
    right: Anything,
    gamma: float,
    reach: float,
    out: Anything,
    start: int,
) -> None:
    """Compute values from differences, where squared lengths add up to more than a reach.

    Values that vanish however they are rounded are left alone.
    """
    for i in range(rows.shape[0]):
        for j in range(others.shape[0]):
            lengths = left[i] + right[j]
            if not lengths > reach:
                continue
            # |x - z| is at least ||x| - |z||, less what was rounded in these lengths.
            one, two = np.sqrt(left[i]), np.sqrt(right[j])
            least = abs(one - two) - 1e-13 * (one + two)
            if least > 0.0 and gamma * least * least > 800.0:
                out[i, start + j] = 0.0
                continue
            total = 0.0
            for k in range(rows.shape[1]):
                apart = rows[i, k] - others[j, k]
                total += apart * apart
            out[i, start + j] = _exp(-gamma * total)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def power(out: Anything, start: int, m: int, scale: float, offset: float, degree: int) -> None:
    """Replace a band of products p by (scale p + offset)^degree."""
    s = out.dtype.type(scale)
    c = out.dtype.type(offset)
    base = np.empty(m, out.dtype)
    for i in range(out.shape[0]):
        row = out[i, start : start + m]
        for j in range(m):
            base[j] = s * row[j] + c
            row[j] = base[j]
        for _ in range(degree - 1):
            for j in range(m):
                row[j] *= base[j]


@njit(cache=True, nogil=True, fastmath=_FUSED)
def _intersect_two(
    left: Anything, other: Anything, columns: Anything, out: Anything, second: Anything
) -> None:
    """Sum the minima of two rows with every column, four features at a time."""
    out[:] = 0
    second[:] = 0
    for k in range(0, columns.shape[0], 4):
        a0, a1, a2, a3 = left[k], left[k + 1], left[k + 2], left[k + 3]
        b0, b1, b2, b3 = other[k], other[k + 1], other[k + 2], other[k + 3]
        c0, c1, c2, c3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
        for j in range(columns.shape[1]):
            x, y, z, w = c0[j], c1[j], c2[j], c3[j]
            out[j] += ((a0 if a0 < x else x) + (a1 if a1 < y else y)) + (
                (a2 if a2 < z else z) + (a3 if a3 < w else w)
            )
            second[j] += ((b0 if b0 < x else x) + (b1 if b1 < y else y)) + (
                (b2 if b2 < z else z) + (b3 if b3 < w else w)
            )


@compiled
def intersection(rows: Anything, columns: Anything, out: Anything, start: int) -> None:
    """Fill a band of out with the sums of min(x_k, z_k)."""
    n, m = rows.shape[0], columns.shape[1]
    spare = np.empty(m, rows.dtype)
    for i in range(0, n, 2):
        last = i + 1 == n
        second = spare if last else out[i + 1, start : start + m]
        other = rows[i] if last else rows[i + 1]
        _intersect_two(rows[i], other, columns, out[i, start : start + m], second)


@njit(cache=True, nogil=True, fastmath=_FUSED)
def manhattan(rows: Anything, columns: Anything, out: Anything, start: int) -> None:
    """Fill a band of out with the sums of |x_k - z_k|."""
    m = columns.shape[1]
    for i in range(rows.shape[0]):
        target = out[i, start : start + m]
        target[:] = 0
        for k in range(0, columns.shape[0], 4):
            a0, a1, a2, a3 = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
            c0, c1, c2, c3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
            for j in range(m):
                target[j] += (abs(a0 - c0[j]) + abs(a1 - c1[j])) + (
                    abs(a2 - c2[j]) + abs(a3 - c3[j])
                )


@njit(cache=True, nogil=True, fastmath=_FUSED, error_model="numpy")
def _by_fours(row: Anything, columns: Anything, squared: bool, fours: bool, out: Anything) -> None:
    """Sum fractions as `_one_by_one` does, with one division for two, or four, of them."""
    one = row.dtype.type(1)
    zero = row.dtype.type(0)
    out[:] = 0
    for k in range(0, columns.shape[0], 4):
        a0, a1, a2, a3 = row[k], row[k + 1], row[k + 2], row[k + 3]
        c0, c1, c2, c3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
        for j in range(columns.shape[1]):
            x, y, z, w = c0[j], c1[j], c2[j], c3[j]
            s, t, u, v = a0 + x, a1 + y, a2 + z, a3 + w
            s = s if s > zero else one
            t = t if t > zero else one
            u = u if u > zero else one
            v = v if v > zero else one
            if squared:
                x, y, z, w = (a0 - x) ** 2, (a1 - y) ** 2, (a2 - z) ** 2, (a3 - w) ** 2
            else:
                x, y, z, w = a0 * x, a1 * y, a2 * z, a3 * w
            st = s * t
            uv = u * v
            if fours:
                out[j] += ((x * t + y * s) * uv + (z * v + w * u) * st) / (st * uv)
            else:
                out[j] += (x * t + y * s) / st + (z * v + w * u) / uv


@njit(cache=True, nogil=True, fastmath=_FUSED, error_model="numpy")
def _one_by_one(row: Anything, columns: Anything, squared: bool, out: Anything) -> None:
    """Sum fractions x z / (x + z), or (x - z)^2 / (x + z); 0 / 0 counts as 0."""
    one = row.dtype.type(1)
    zero = row.dtype.type(0)
    out[:] = 0
    for k in range(columns.shape[0]):
        a = row[k]
        column = columns[k]
        for j in range(columns.shape[1]):
            x = column[j]
            s = a + x
            s = s if s > zero else one
            # Divided first, so that squares of tiny numbers do not vanish.
            out[j] += (a - x) * ((a - x) / s) if squared else a * (x / s)


@compiled
def chi_squared(
    rows: Anything, columns: Anything, squared: bool, at_once: int, out: Anything, start: int
) -> None:
    """Fill a band of out with sums of x z / (x + z), or of (x - z)^2 / (x + z) if squared.

    With one division at_once, 1, 2 or 4 fractions are added: the product of one more factor must
    not leave the range of numbers.
    """
    m = columns.shape[1]
    for i in range(rows.shape[0]):
        if at_once == 1:
            _one_by_one(rows[i], columns, squared, out[i, start : start + m])
        elif at_once == 2:
            _by_fours(rows[i], columns, squared, False, out[i, start : start + m])
        else:
            _by_fours(rows[i], columns, squared, True, out[i, start : start + m])


@compiled
def mirror(K: Anything, first: int, stop: int) -> None:
    """Copy what lies above the diagonal in rows first ... stop - 1 to below it, tile by tile."""
    n = K.shape[0]
    for top in range(first, stop, _TILE):
        for left in range(top, n, _TILE):
            for j in range(left, min(left + _TILE, n)):
                for i in range(top, min(top + _TILE, stop, j)):
                    K[j, i] = K[i, j]
