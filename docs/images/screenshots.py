"""python docs/images/screenshots.py: pictures of the report and of the terminal for the README.

Needs the test extra and Debian's chromium. The data are scikit-learn's breast cancer table.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee
from referee.report import describe, print_document

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"


def evaluated() -> referee.Evaluation:
    """Return the evaluation that is shown."""
    data = load_breast_cancer()
    labels = data.target_names[data.target]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return referee.evaluate(
        model, data.data, labels, by="10x10", pos_label="malignant", random_state=0,
        name="logistic regression",
    )  # fmt: skip


def photograph(browser: Browser, page: Path, picture: str, width: int, **options: Any) -> None:
    """Open a page and keep what is seen of it."""
    context = browser.new_context(
        viewport={"width": width, "height": options.pop("height")}, device_scale_factor=1.5
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.screenshot(path=str(HERE / picture), **options)
    context.close()


def on_a_terminal(result: referee.Evaluation, file: Path) -> None:
    """Write what a terminal shows of the verdict and the first two sections, as a page."""
    with open("/dev/null", "w") as nowhere:
        console = Console(record=True, width=92, file=nowhere, force_terminal=True, highlight=False)
        document = describe(result)
        print_document(replace(document, sections=document.sections[:2]), console)
    lines = console.export_svg(title="referee evaluate", theme=MONOKAI)
    file.write_text(f"<!doctype html><style>body{{margin:0}}</style>{lines}", encoding="utf-8")


def main() -> None:
    """Make both pictures."""
    result = evaluated()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = Path(folder)
        result.to_html(made / "report.html")
        on_a_terminal(result, made / "terminal.html")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        photograph(browser, made / "report.html", "report.png", 880, height=1120)
        photograph(
            browser, made / "terminal.html", "terminal.png", 1160, height=400, full_page=True
        )
        browser.close()


if __name__ == "__main__":
    main()
