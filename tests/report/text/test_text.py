"""Plain text: within its width, complete, and without codes of a terminal."""

import pytest
from rich.cells import cell_len

from referee.report import describe, to_text
from referee.report.text.text import to_plain_text


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_no_line_is_wider_than_asked_for(result, width):
    for line in to_plain_text(describe(result), width).splitlines():
        assert cell_len(line) <= width, line
        assert len(line.rstrip()) == len(line)


def test_says_the_sentence_and_the_findings(result):
    squeezed = "".join(to_text(result).split())
    assert "".join(result.verdict.sentence.split()) in squeezed
    for finding in result.findings:
        assert finding.code in squeezed


def test_no_escape_codes_and_no_markup_interpreted(make):
    text = to_text(make("markup"))
    assert "\x1b" not in text
    assert "[bold]x[/bold]" in text


def test_str_and_to_text_agree(make):
    e = make("plain")
    assert str(e) == e.to_text() == to_text(e)


def test_an_unknown_result_is_a_type_error():
    with pytest.raises(TypeError, match="no report is known for int"):
        to_text(3)
