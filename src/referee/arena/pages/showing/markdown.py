"""Rules in Markdown as HTML in which nothing can act."""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from referee.core.showing.characters import one_line

__all__ = ["markdown"]

_TAGS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "em", "strong", "del", "code", "pre", "blockquote"),
    *("ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_LOWER = {f"h{k}": f"h{min(k + 2, 6)}" for k in range(6, 0, -1)}


@lru_cache(maxsize=64)
def markdown(text: str) -> Markup:
    r"""Return Markdown as HTML; raw HTML, images and addresses that act are left out.

    Headings go two levels down, below those of the page.

    Examples
    --------
    >>> print(markdown("# Data\n*train* on `train.csv` <script>alert(1)</script>"))
    <h3>Data</h3>
    <p><em>train</em> on <code>train.csv</code> &lt;script&gt;alert(1)&lt;/script&gt;</p>
    >>> print(markdown("[here](javascript:alert(1)) [there](https://example.org)"))
    <p>[here](javascript:alert(1))
    <a href="https://example.org" rel="noopener noreferrer nofollow">there</a></p>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    lines = "\n".join(_line(line) for line in text.splitlines())
    tokens = reader.parse(lines)
    for token in tokens:
        token.tag = _LOWER.get(token.tag, token.tag)
    html = reader.renderer.render(tokens, reader.options, {})
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)


def _line(text: str) -> str:
    """Return a line with codes for characters that act; the blanks before it mean something."""
    bare = text.lstrip(" ")
    return " " * (len(text) - len(bare)) + one_line(bare)
