"""Prefetch: ask for memory some steps before it is needed, where an order is random."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic

__all__ = ["prefetch"]

cgutils: Any = _cgutils


def _prefetch(typing: Any, array: Any, place: Any) -> Any:
    if not isinstance(array, types.Array) or array.ndim != 1:
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = context.cast(builder, arguments[1], signature.args[1], types.intp)
        element = cgutils.get_item_pointer(
            context, builder, signature.args[0], array, [place], wraparound=False
        )
        byte = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        read, keep, is_data = (ir.Constant(word, v) for v in (0, 3, 1))
        builder.call(function, [builder.bitcast(element, byte), read, keep, is_data])
        return context.get_dummy_value()

    return types.void(array, place), generate


prefetch: Any = intrinsic(_prefetch)
"""Fetch the cache line of an element of a one-dimensional array, without waiting for it.

Only within compiled loops. Nothing is computed, so results cannot depend on it.
"""
