"""verify_certificate: signature, protocol, ledger, commitments and every number, offline."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee import __version__
from referee.core.arrays import Codes
from referee.errors import InputError, RefereeError
from referee.measures.formulas.paired_counts import PairedCounts
from referee.vault.bundle.container import Container
from referee.vault.bundle.manifest import sha256
from referee.vault.certificate.certificate import result_of, result_record, sentence
from referee.vault.certificate.certificate_check import CertificateCheck, Step
from referee.vault.certificate.certify import (
    ENVELOPE,
    LEDGER,
    PAGE,
    PROTOCOL,
    TEST_RESULT,
    TIMESTAMP,
    committed_codes,
    judged,
    predicate_of,
    results_digest,
    subjects_of,
)
from referee.vault.certificate.deciding.counting import stops
from referee.vault.certificate.deciding.decision import Decision, decide
from referee.vault.certificate.deciding.evidence import (
    PartEvidence,
    Thresholds,
    counted_evidence,
    paired_evidence,
)
from referee.vault.certificate.extra import extra_module
from referee.vault.certificate.page import certificate_page
from referee.vault.certificate.protocol.claim import SharePart
from referee.vault.certificate.protocol.lock import Lock, lock_of
from referee.vault.certificate.protocol.test_set import Opening, labels_file
from referee.vault.certificate.signing.envelope import EnvelopeProblem, opened_envelope
from referee.vault.certificate.signing.signing_key import PublicKey
from referee.vault.certificate.signing.statement import certificate_statement, test_result_statement
from referee.vault.certificate.signing.timestamp import checked_response
from referee.vault.sealed.ledger.canonical import read_canonical
from referee.vault.sealed.ledger.entry import Entry, EntryKind, broken_links
from referee.vault.sealed.submissions.offer import offered_file
from referee.vault.sealed.submissions.submission import Submission, checked_submission

__all__ = ["is_certificate", "verify_certificate"]

_TOLERANCE = 1e-9
"""Relative difference granted to numbers that another version or machine computed."""

_UNFIT = (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError)


def is_certificate(container: Container) -> bool:
    """Tell whether an archive is a certificate, and no other bundle."""
    return ENVELOPE in container.files


def verify_certificate(
    container: Container,
    path: str,
    digest: str,
    *,
    public_key: PublicKey | None = None,
    labels: Path | None = None,
    opening: Path | None = None,
) -> CertificateCheck:
    """Check a certificate, step by step; after a broken one the rest says nothing more.

    Parameters
    ----------
    container : Container
        What the archive holds.
    path, digest : str
        The file, and its SHA-256.
    public_key : PublicKey, optional
        The signer's key, from where you trust it; without it the key that the certificate itself
        names is used, which shows only that it agrees with itself.
    labels, opening : path, optional
        The labels, and the file with the salt of their commitment, once they are public.
    """
    for module in ("securesystemslib.dsse", "in_toto_attestation.v1.statement"):
        extra_module(module)
    if TIMESTAMP in container.files:
        extra_module("rfc3161_client")
    checking = _Checking(container, public_key, labels, opening)
    steps = []
    for name, work in checking.works:
        try:
            step = work()
        except (EnvelopeProblem, RefereeError) as problem:
            step = Step(name, str(problem))
        except _UNFIT as problem:
            step = Step(name, f"it is not what referee writes ({type(problem).__name__})")
        steps.append(step)
        if step.problem:
            break
    return CertificateCheck(
        path=path, sha256=digest, steps=tuple(steps), predicate=checking.predicate
    )


class _Checking:
    def __init__(
        self,
        container: Container,
        public_key: PublicKey | None,
        labels: Path | None,
        opening: Path | None,
    ) -> None:
        self.container, self.files = container, container.files
        self.public_key, self.labels_path, self.opening_path = public_key, labels, opening
        self.predicate: Mapping[str, Any] = {}
        self.statement: Mapping[str, Any] = {}
        self.works: tuple[tuple[str, Callable[[], Step]], ...] = (
            ("archive", self._archive),
            ("protocol", self._protocol),
            ("signature", self._signature),
            ("files", self._files),
            ("statement", self._statement),
            ("test result", self._test_result),
            ("ledger", self._ledger),
            ("numbers", self._numbers),
            ("page", self._page),
            ("time stamp", self._timestamp),
            ("labels", self._labels),
        )

    def _archive(self) -> Step:
        problem = ""
        if self.container.damaged or self.container.twice:
            names = ", ".join((*self.container.damaged, *self.container.twice))
            problem = f"{names} changed or there twice"
        elif not self.container.canonical:
            problem = "changed around the files"
        return Step("archive", problem, f"{len(self.files)} files, every byte accounted for")

    def _protocol(self) -> Step:
        self.lock: Lock = lock_of(self.files[PROTOCOL], PROTOCOL)
        return Step("protocol", "", f"frozen {self.lock.time}, {self.lock.fingerprint}")

    def _signature(self) -> Step:
        own = self.lock.signer.key
        if self.public_key is not None and self.public_key != own:
            return Step("signature", "the protocol names another signer than your public key")
        self.statement = opened_envelope(self.files[ENVELOPE], own)
        self.predicate = dict(self.statement["predicate"])
        whose = "your public key" if self.public_key else "the key that the protocol itself names"
        return Step("signature", "", f"Ed25519, by {whose} ({own.keyid[:16]})")

    def _files(self) -> Step:
        listed = self.predicate["files"]
        hashes = {
            name: {"bytes": len(content), "sha256": sha256(content)}
            for name, content in self.files.items()
            if name not in (ENVELOPE, TEST_RESULT)
        }
        odd = sorted(n for n in {*listed, *hashes} if listed.get(n) != hashes.get(n))
        if TEST_RESULT not in self.files:
            odd.append(TEST_RESULT)
        return Step(
            "files",
            f"{', '.join(odd)} changed, missing or added" if odd else "",
            f"{len(hashes)} files are those that were signed",
        )

    @property
    def _predictions(self) -> str:
        return next(n for n in self.files if n.startswith("predictions"))

    def _statement(self) -> Step:
        """Hold everything that is not a result against the protocol."""
        p = self.predicate
        results = {k: p[k] for k in ("outcome", "sentence", "results", "overall")}
        files = {n: c for n, c in self.files.items() if n not in (ENVELOPE, TEST_RESULT)}
        expected = predicate_of(self.lock, results, files, p["columns"], p["time"])
        expected["referee"] = p["referee"]
        subjects = subjects_of(self.lock, self._predictions, self.files[self._predictions])
        same = certificate_statement(subjects, expected) == self.statement
        problem = "" if same else "it does not say what protocol and files say"
        return Step("statement", problem, "in-toto Statement v1; its subjects are the files here")

    def _test_result(self) -> Step:
        own = opened_envelope(self.files[TEST_RESULT], self.lock.signer.key)
        subjects = subjects_of(self.lock, self._predictions, self.files[self._predictions])
        same = own == test_result_statement(subjects, self.predicate, PROTOCOL)
        problem = "" if same else "it does not say what the certificate says"
        return Step("test result", problem, "test-result/v0.1, signed by the same key")

    def _ledger(self) -> Step:
        ledger = read_canonical(self.files[LEDGER].removesuffix(b"\n"))
        submission = self._submission()
        asked = {
            "protocol": self.lock.fingerprint,
            "predictions": submission.digest,
            "file": sha256(self.files[self._predictions]),
        }
        concluded = {
            "outcome": self.predicate["outcome"],
            "results": results_digest(self.predicate),
        }
        if self.lock.cases.kind == "labels":
            known = {"kind": "labels", "time": ledger["time"], **asked, "concluded": concluded}
            problem = "" if ledger == known else "it tells of another run"
            return Step("ledger", problem, f"begun {ledger['time']}")
        return self._chain(ledger, asked, concluded)

    def _chain(
        self, ledger: Mapping[str, Any], asked: Mapping[str, Any], concluded: Mapping[str, Any]
    ) -> Step:
        entries = [
            Entry(
                e["number"], e["time"], e["kind"], e["text"],
                bytes.fromhex(e["hash"]), bytes.fromhex(e["mac"]),
            )
            for e in ledger["entries"]
        ]  # fmt: skip
        broken = next(broken_links(entries, bytes.fromhex(self.lock.cases.sealed), 1, None), "")
        if broken:
            return Step("ledger", broken)
        kinds = [e.kind for e in entries]
        if kinds != [EntryKind.SEALED, EntryKind.CERTIFYING, EntryKind.CERTIFIED]:
            return Step("ledger", "the test set was used for something else, too")
        cases = self.lock.cases
        contents = [dict(e.content) for e in entries]
        states = [t.pop("state") for t in contents]
        expected = [
            {"commitment": cases.commitment, "sealed": cases.sealed, "vault": cases.vault},
            asked,
            concluded,
        ]
        fresh = all(s == {"looks": 0, "releases": 0, "rung": 0} for s in states)
        problem = "" if contents == expected and fresh else "it tells of another run"
        return Step("ledger", problem, f"{len(entries)} entries, chained; no look before")

    def _numbers(self) -> Step:
        lock = self.lock
        stated = [result_of(r) for r in self.predicate["results"]]
        wanted = [(n, p.text) for n in lock.strata.members for p in lock.claim.parts]
        if [(e.stratum, e.part) for e in stated] != wanted:
            return Step("numbers", "not every part of the claim was judged in every stratum")
        if lock.plan.kind != "sequential":
            again = [_again(lock, e, stops(lock)) for e in stated]
            if any(not _close(a, b) for a, b in zip(stated, again, strict=True)):
                return Step("numbers", "bounds or p-values do not follow from the counts")
        decision = decide(stated, lock.strata.rule, lock.level)
        problem = self._decision_problem(decision)
        detail = f"{len(stated)} results follow from their counts"
        if lock.plan.kind == "sequential":
            detail = f"the verdict follows from {len(stated)} results; these need the labels"
        return Step("numbers", problem, detail)

    def _decision_problem(self, decision: Decision) -> str:
        p, lock = self.predicate, self.lock
        records = [result_record(r) for r in decision.parts]
        if not _same(records, p["results"]):
            return "outcomes do not follow from the p-values"
        words = sentence(lock.claim.text, lock.level, lock.strata.rule, decision)
        if decision.outcome.value.upper() != p["outcome"]:
            return f"the verdict should be {decision.outcome.value.upper()}"
        same_words = words == p["sentence"] or p["referee"] != __version__
        return "" if same_words else "the sentence does not follow from the numbers"

    def _page(self) -> Step:
        if self.predicate["referee"] != __version__:
            detail = f"signed, but made by referee {self.predicate['referee']}, not {__version__}"
            return Step("page", "", detail, checked=False)
        files = {n: f for n, f in self.predicate["files"].items() if n != PAGE}
        same = certificate_page({**self.predicate, "files": files}) == self.files[PAGE]
        problem = "" if same else "it does not show what the statement says"
        return Step("page", problem, "shows what the statement says")

    def _timestamp(self) -> Step:
        if TIMESTAMP not in self.files:
            return Step("time stamp", "", "there is none", checked=False)
        stamp = checked_response(self.files[TIMESTAMP], self.files[PROTOCOL], TIMESTAMP)
        detail = f"an authority states {stamp.time}; openssl ts -verify checks its own signature"
        return Step("time stamp", "", detail)

    def _labels(self) -> Step:
        if self.labels_path is None:
            return Step("labels", "", "not given; counts were not counted again", checked=False)
        cases, path = self.lock.cases, self.labels_path
        opening = self.opening_path or path.with_name("opening.json")
        labels = labels_file(path, cases.id_column, cases.target, cases.header)
        truth = committed_codes(labels, Opening.read(opening), self.lock, path)
        again = judged(self.lock, truth, self._submission(), self._others())
        same = _same([again[k] for k in sorted(again)], [self.predicate[k] for k in sorted(again)])
        problem = "" if same else "the results do not follow from labels and predictions"
        return Step("labels", problem, "those of the commitment; every count counted again")

    def _submission(self) -> Submission:
        columns = self.predicate["columns"]
        return self._read(self._predictions, pred=columns["pred"], ids=columns["ids"])

    def _others(self) -> dict[str, Codes]:
        others = {}
        for number, name in enumerate(self.lock.baselines, 1):
            file = next(n for n in self.files if n.startswith(f"baseline-{number}"))
            if sha256(self.files[file]) != self.lock.baselines[name]:
                raise InputError(
                    f"{file} is not the baseline of the protocol",
                    at=str(file),
                )
            answers = self._read(file).answers
            assert answers is not None
            others[name] = answers
        return others

    def _read(self, name: str, **columns: str | None) -> Submission:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(self.files[name])
            return checked_submission(
                offered_file(path, self.lock.cases, **columns), self.lock.cases
            )


def _again(lock: Lock, stated: PartEvidence, at: Thresholds) -> PartEvidence:
    """Compute everything anew from the counts."""
    part = next(p for p in lock.claim.parts if p.text == stated.part)
    if stated.n == 0:
        return stated
    if isinstance(part, SharePart):
        (failures,) = stated.counts
        return counted_evidence(part, stated.stratum, lock.plan, stated.n, failures, at)
    return paired_evidence(part, stated.stratum, PairedCounts(*stated.counts), at)


def _close(first: PartEvidence, second: PartEvidence) -> bool:
    return _same(result_record(first), result_record(second))


def _same(first: Any, second: Any) -> bool:
    """Tell whether two records agree, numbers nearly."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(_same(first[k], second[k]) for k in first)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, float) or isinstance(second, float):
        if first is None or second is None or isinstance(first, str) or isinstance(second, str):
            return False
        return bool(abs(first - second) <= _TOLERANCE * max(1e-300, abs(first), abs(second)))
    return bool(first == second)
