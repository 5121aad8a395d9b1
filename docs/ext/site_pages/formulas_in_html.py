"""Formulas as MathML, which browsers draw by themselves: no script and no fonts are needed."""

from __future__ import annotations

from typing import Any

__all__ = ["block", "inline"]


def inline(writer: Any, node: Any) -> None:
    """Write a formula within a line."""
    _write(writer, node, display=False)


def block(writer: Any, node: Any) -> None:
    """Write a formula on a line of its own."""
    writer.body.append('<div class="formula">')
    _write(writer, node, display=True)
    writer.body.append("</div>")


def _write(writer: Any, node: Any, *, display: bool) -> None:
    from docutils import nodes
    from docutils.utils.math.latex2mathml import tex2mathml

    writer.body.append(tex2mathml(node.astext().strip(), as_block=display))
    raise nodes.SkipNode
