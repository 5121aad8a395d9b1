"""Formulas as MathML, which browsers draw by themselves: no script and no fonts are needed."""

from __future__ import annotations

from typing import Any

__all__ = ["block", "inline"]


def inline(writer: Any, node: Any) -> None:
    """Write a formula within a line."""
    _finish(writer, _drawn(node, display=False))


def block(writer: Any, node: Any) -> None:
    """Write a formula on a line of its own."""
    _finish(writer, f'<div class="formula">{_drawn(node, display=True)}</div>')


def _drawn(node: Any, *, display: bool) -> str:
    from docutils.utils.math.latex2mathml import tex2mathml

    return str(tex2mathml(node.astext().strip(), as_block=display))


def _finish(writer: Any, html: str) -> None:
    from docutils import nodes

    writer.body.append(html)
    raise nodes.SkipNode
