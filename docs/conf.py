"""How Sphinx builds the site: scripts/docs, or python -m sphinx -W docs build/docs.

Nothing is fetched from the network: no inventories of other projects, no fonts, no scripts.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "ext"))

import matplotlib as mpl  # noqa: E402

import referee  # noqa: E402

mpl.use("agg")

project = "referee"
author = "the referee developers"
copyright = "the referee developers, BSD 3-Clause"  # noqa: A001 (Sphinx reads this name)
version = release = referee.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "site_pages",
]
smartquotes = False  # --truth is an option, not a word after a dash
exclude_patterns = ["_build", "ext", "examples/**/*.ipynb", "examples/**/*.py"]
suppress_warnings = ["config.cache"]  # sphinx-gallery's settings are no plain values

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_typehints = "none"  # numpydoc's Parameters say them in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_use_plots = False

html_theme = "pydata_sphinx_theme"
html_title = "referee"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_context = {"default_mode": "auto"}
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "referee"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "collapse_navigation": True,
    "navigation_depth": 2,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "project/changelog": []}

sphinx_gallery_conf = {
    "examples_dirs": [str(DOCS.parent / "examples")],
    "gallery_dirs": ["examples"],
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"mended\.py",  # what the examples of findings share
    "capture_repr": (),
    "abort_on_example_error": True,
    "show_memory": False,
    "min_reported_time": 2,
    "write_computation_times": False,
    "download_all_examples": False,
    "show_signature": False,
    "plot_gallery": "True",
}
