"""Statements: what a certificate says, in the form of in-toto, which other tools read.

Two statements have the same subjects. One has a predicate of our own, with every number; the other
the public predicate ``test-result/v0.1``, for tools that only ask whether a test was passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.vault.certificate.extra import extra_module

__all__ = [
    "PREDICATE_TYPE",
    "TEST_RESULT_TYPE",
    "certificate_statement",
    "statement_of",
    "test_result_statement",
]

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:referee:certificate:1"
TEST_RESULT_TYPE = "https://in-toto.io/attestation/test-result/v0.1"

_PUBLIC = {"PASS": "PASSED", "FAIL": "FAILED", "UNDECIDED": "FAILED"}
"""A claim that was not shown is not passed: who reads only this word must not let it through."""


def certificate_statement(
    subjects: Mapping[str, str], predicate: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the statement with every number.

    Parameters
    ----------
    subjects : mapping of str to str
        SHA-256 of predictions and protocol, and the commitment to the labels, by name.
    predicate : mapping
        What is said about them.
    """
    return statement_of(subjects, PREDICATE_TYPE, predicate)


def test_result_statement(
    subjects: Mapping[str, str], predicate: Mapping[str, Any], protocol: str
) -> dict[str, Any]:
    """Return the same verdict in the words of ``test-result/v0.1``.

    `protocol` names the subject that is the configuration of the test.
    """
    results: Sequence[Mapping[str, Any]] = predicate["results"]
    names = {
        outcome: [f"{r['part']} ({r['stratum']})" for r in results if r["outcome"] == outcome]
        for outcome in ("PASS", "UNDECIDED", "FAIL")
    }
    public = {
        "result": _PUBLIC[str(predicate["outcome"])],
        "configuration": [{"name": protocol, "digest": {"sha256": subjects[protocol]}}],
        "passedTests": names["PASS"],
        "warnedTests": names["UNDECIDED"],
        "failedTests": names["FAIL"],
    }
    return statement_of(subjects, TEST_RESULT_TYPE, public)


def statement_of(
    subjects: Mapping[str, str], kind: str, predicate: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a statement about subjects (name to SHA-256) with a predicate of some kind."""
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": n, "digest": {"sha256": code}} for n, code in subjects.items()],
        "predicateType": kind,
        "predicate": dict(predicate),
    }
    _validate(statement)
    return statement


def _validate(statement: Mapping[str, Any]) -> None:
    """Let the library of in-toto read the statement, as anybody else would."""
    parts = extra_module("in_toto_attestation.v1.statement_pb2")
    message = extra_module("google.protobuf.json_format").ParseDict(statement, parts.Statement())
    extra_module("in_toto_attestation.v1.statement").Statement.copy_from_pb(message).validate()
