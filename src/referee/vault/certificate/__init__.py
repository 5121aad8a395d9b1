"""Certificates: a protocol frozen before, a test set used once, a verdict that anyone can check."""

from __future__ import annotations

from referee.vault.certificate import describe_certificate  # noqa: F401 (it registers)
from referee.vault.certificate.certificate import Certificate
from referee.vault.certificate.certificate_check import CertificateCheck
from referee.vault.certificate.certify import certify
from referee.vault.certificate.protocol.freeze import freeze
from referee.vault.certificate.protocol.lock import Lock

__all__ = ["Certificate", "CertificateCheck", "Lock", "certify", "freeze"]
