"""Markdown: tables keep their columns whatever the names hold."""

import re


def test_every_table_row_has_as_many_columns_as_its_head(result):
    text = result.to_markdown()
    tables = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    assert tables
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_verdict_and_findings_are_there(result):
    text = result.to_markdown()
    assert f"**{result.verdict.outcome.value.upper()}.**" in text
    for finding in result.findings:
        assert f"**{finding.code} {finding.severity.value}**" in text


def test_html_in_names_is_escaped(make):
    assert "<script" not in make("script").to_markdown().replace("\\<", "")
