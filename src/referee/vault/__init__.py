"""Evidence that can be checked: results kept with everything they were concluded from."""

from __future__ import annotations

from referee.vault.bundle import Bundle, FileCheck, Verification, check_bundle, write_bundle
from referee.vault.verifying import verify

__all__ = ["Bundle", "FileCheck", "Verification", "check_bundle", "verify", "write_bundle"]
