"""Evidence bundles: a result with everything it was concluded from, for anyone to check."""

from __future__ import annotations

from referee.vault import describe_verification  # noqa: F401 (it registers its description)
from referee.vault.bundle import Bundle, check_bundle, write_bundle
from referee.vault.verification import FileCheck, Verification
from referee.vault.verifying import verify

__all__ = ["Bundle", "FileCheck", "Verification", "check_bundle", "verify", "write_bundle"]
