"""A sealed test set: labels in a safe place, looks that are counted, answers that are rationed."""

from __future__ import annotations

from referee.vault.sealed import describe_vault  # noqa: F401 (it registers its descriptions)
from referee.vault.sealed.look import Look
from referee.vault.sealed.status import VaultStatus
from referee.vault.sealed.vault import Vault
from referee.vault.sealed.vault_check import VaultCheck

__all__ = ["Look", "Vault", "VaultCheck", "VaultStatus"]
