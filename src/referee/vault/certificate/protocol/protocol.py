"""The protocol: everything that is decided before anything is seen, as a person writes it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.core.machine.plain_file import file_text
from referee.core.results import check_level
from referee.errors import InputError, nearest
from referee.vault.certificate.protocol.claim import Claim, claim_of
from referee.vault.certificate.protocol.plan import CertificatePlan, plan_of
from referee.vault.sealed.ledger.durable import create_file

__all__ = ["TEMPLATE", "Protocol", "read_protocol", "write_template"]

TEMPLATE = """\
# The protocol of a certificate: everything that is decided before anything is seen.
# Fill it in, then: referee certify freeze THIS_FILE

title = "Release test"

# What is to be shown: shares (error, accuracy, tpr, tnr, fpr, fnr), joined by "and", as
#   "error <= 0.01"
#   "tpr >= 0.95 and fpr <= 0.05"
#   "not worse than BASELINE.csv by more than 0.01"
claim = "error <= 0.01"
# measure = "error"     # in what "not worse than" is meant
level = 0.95            # how surely it is to be shown
# pos_label = "ill"     # the positive class, where tpr, tnr, fpr or fnr is claimed

[data]
# A vault (see referee vault seal) ...
vault = "vault"
# ... or a file of labels that only one person has:
# labels = "labels.csv"
# id = "id"
# target = "label"
# inputs = "test.csv"   # table with the columns of strata and exclusions, if not in labels
# classes = ["ill", "well"]   # all classes that may be answered, if labels has not all

[strata]
# columns = ["site"]    # every value is a stratum
rule = "each"           # each: one claim, that all strata hold; single: each is a claim of its own

[exclusions]
# ids = ["17"]
# where = ["quality == bad"]
# reason = "blurred before anybody saw an answer"

[plan]
kind = "exact"          # all cases, by the exact binomial law
# kind = "acceptance"   # n cases (of each stratum) with at most so many failures
# n = 299
# failures = 0
# kind = "sequential"   # case after case in the order of the test set, until it is clear
# most = 2000

[signer]
name = ""               # who answers for it
role = ""
public_key = "signing.pub"   # from referee certify keygen signing.pem
"""

_TOP = ("title", "claim", "measure", "level", "pos_label")
_KNOWN = {
    "data": ("vault", "labels", "id", "target", "inputs", "classes"),
    "strata": ("columns", "rule"),
    "exclusions": ("ids", "where", "reason"),
    "plan": ("kind", "n", "failures", "most"),
    "signer": ("name", "role", "public_key"),
}


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """A protocol that can be frozen; files in it are not read yet.

    Attributes
    ----------
    title : str
        What is certified.
    claim : Claim
        What is to be shown.
    level : float
        How surely.
    pos_label : str or None
        The positive class.
    plan : CertificatePlan
        When it is enough.
    data, strata, exclusions, signer : mapping
        As they were written.
    folder : Path
        Where the protocol lies; files are named from there.
    """

    title: str
    claim: Claim
    level: float
    pos_label: str | None
    plan: CertificatePlan
    data: Mapping[str, Any]
    strata: Mapping[str, Any]
    exclusions: Mapping[str, Any]
    signer: Mapping[str, Any]
    folder: Path

    def file(self, name: str) -> Path:
        """Return where a file that the protocol names is."""
        return self.folder / name


def write_template(path: Path) -> None:
    """Write a protocol to be filled in."""
    create_file(path, TEMPLATE.encode())


def read_protocol(path: Path) -> Protocol:
    """Read a protocol; what cannot be meant is refused, with the remedy."""
    record = _parsed(path)
    _refuse_unknown(record, path)
    claim = claim_of(record.get("claim"), str(record.get("measure", "error")))
    level = check_level(record.get("level", 0.95))
    if level < 0.5:
        raise InputError(
            "level must be at least 0.5", value=f"{level:g}", remedy="for example 0.95"
        )
    pos_label = record.get("pos_label")
    if claim.by_class and pos_label is None:
        raise InputError(
            f"claim {claim.text!r} needs to know the positive class",
            concerning="pos_label",
            remedy="name it with pos_label",
        )
    sections = {name: _section(record, name, path) for name in _KNOWN}
    plan = plan_of(sections["plan"])
    plan.refuse_unfit(claim, level)
    _refuse_no_signer(sections["signer"])
    _refuse_no_data(sections["data"])
    title = str(record.get("title", "")).strip()
    if not title:
        raise InputError("the protocol has no title", remedy="say what is certified")
    return Protocol(
        title=title,
        claim=claim,
        level=level,
        pos_label=None if pos_label is None else str(pos_label),
        plan=plan,
        data=sections["data"],
        strata=sections["strata"],
        exclusions=sections["exclusions"],
        signer=sections["signer"],
        folder=path.absolute().parent,
    )


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file_text(path))
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); referee certify init writes one",
            at=str(path),
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8", remedy="save it so") from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path} is no TOML: {problem}", remedy="correct it") from None


def _refuse_unknown(record: Mapping[str, Any], path: Path) -> None:
    known = (*_TOP, *_KNOWN)
    for name in record:
        if name not in known:
            raise InputError(f"{path}: {name!r} is unknown", remedy=nearest(name, known))


def _section(record: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    section = record.get(name, {})
    if not isinstance(section, dict):
        raise InputError(f"{path}: {name} must be a section, [{name}]", value=repr(section))
    for key, value in section.items():
        if key not in _KNOWN[name]:
            raise InputError(f"{path}: {name}.{key} is unknown", remedy=nearest(key, _KNOWN[name]))
        if key in ("columns", "ids", "where", "classes") and not isinstance(value, list):
            raise InputError(
                f"{path}: {name}.{key} must be a list, as [{value!r}]",
                at=str(path),
            )
    return section


def _refuse_no_signer(signer: Mapping[str, Any]) -> None:
    for name, what in (("name", "who signs"), ("public_key", "the key that will sign")):
        if not str(signer.get(name, "")).strip():
            raise InputError(f"signer.{name} is empty", remedy=f"name {what}")


def _refuse_no_data(data: Mapping[str, Any]) -> None:
    if ("vault" in data) == ("labels" in data):
        raise InputError(
            "[data] must name a vault or a file of labels, one of the two", concerning="vault"
        )
    if "labels" in data and "target" not in data:
        raise InputError("data.target is missing", remedy="name the column of labels")
    odd = [k for k in ("id", "target", "inputs", "classes") if "vault" in data and k in data]
    if odd:
        raise InputError(
            f"data.{odd[0]} does not belong to a vault, which knows it", remedy="leave it out"
        )
