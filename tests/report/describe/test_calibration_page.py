"""The page in docs/ is the one that the kept table makes, with an anchor for every method."""

from pathlib import Path

from referee.core.calibration_record import calibrated
from referee.report import to_html
from referee.report.describe.calibration_page import calibration_page
from referee.study import Calibration

PAGE = Path(__file__).parents[3] / "docs" / "calibration.md"


def test_the_page_in_docs_is_the_one_of_the_kept_table():
    assert PAGE.read_text(encoding="utf-8") == calibration_page(Calibration.kept())


def test_every_method_has_a_heading():
    headings = {
        line[3:] for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:3] == "## "
    }
    for method in Calibration.kept().table.method.unique():
        assert method in headings
        assert calibrated(method).anchor.split("#")[1] == method


def test_every_promise_is_judged_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    made = Calibration.kept()
    assert made.conclusion in page
    assert {p.point for p in made.promises} == {1, 2, 3, 4, 5}
    for promise in made.promises:
        assert promise.text in page
        assert promise.cell.replace(" > ", r" \> ") in page


def test_the_report_draws_every_dot():
    made = Calibration.kept()
    html = to_html(made)
    # Each picture is laid out for a page and for a phone.
    assert html.count("<svg") == 4
    assert html.count("<circle") == 2 * int(made.table.quantity.isin(["coverage", "size"]).sum())
