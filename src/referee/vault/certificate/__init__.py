"""Certificates: a protocol frozen before, a test set used once, a verdict that anyone can check."""

from __future__ import annotations

from referee.vault.certificate.certificate import Certificate
from referee.vault.certificate.certify import certify
from referee.vault.certificate.lock import Lock

__all__ = ["Certificate", "Lock", "certify"]
