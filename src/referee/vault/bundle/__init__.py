"""Evidence bundles: a result with everything it was concluded from, for anyone to check."""

from __future__ import annotations

from referee.vault.bundle import describe_verification  # noqa: F401 (it registers its description)
from referee.vault.bundle.bundle import Bundle, check_bundle, write_bundle
from referee.vault.bundle.verification import FileCheck, Verification
from referee.vault.bundle.verifying import verify_bundle

__all__ = ["Bundle", "FileCheck", "Verification", "check_bundle", "verify_bundle", "write_bundle"]
