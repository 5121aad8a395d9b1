"""What the site is made of besides its written pages; a Sphinx extension.

Pages are generated when a build starts, under docs/reference and docs/project; links that are meant
for readers of the repository are put right while pages are read. Only `setup` knows Sphinx: the
tests look at the generated pages without building them.
"""

from __future__ import annotations

from typing import Any

from site_pages import docstrings, finding_examples, formulas_in_html, links_of_pages
from site_pages.all_pages import write_pages

__all__ = ["setup"]


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_html_math_renderer(
        "mathml",
        inline_renderers=(formulas_in_html.inline, None),
        block_renderers=(formulas_in_html.block, None),
    )
    app.connect("config-inited", lambda app, config: write_pages(app.srcdir))
    app.connect("source-read", links_of_pages.on_source_read)
    app.connect("source-read", finding_examples.on_source_read)
    # Before numpydoc, which listens at the usual priority.
    app.connect("autodoc-process-docstring", docstrings.on_docstring, priority=400)
    app.connect("autodoc-skip-member", docstrings.skipped_member)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
