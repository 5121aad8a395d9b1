"""The environment of a computation: versions and machine, on which last digits depend."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from referee.core.fingerprint import fingerprint
from referee.judging.settings import versions

__all__ = ["Environment", "here"]


@dataclass(frozen=True)
class Environment:
    """Where numbers were computed.

    Attributes
    ----------
    versions : mapping of str to str
        Of Python, referee and what it stands on.
    machine : str
        System and processor; sums may differ in their last digits between processors.
    """

    versions: Mapping[str, str]
    machine: str

    def changes(self, other: Environment) -> tuple[str, ...]:
        """Return what differs in another environment, in words.

        Examples
        --------
        >>> Environment({"numpy": "2.0"}, "x").changes(Environment({"numpy": "2.1"}, "x"))
        ('numpy 2.0, now 2.1',)
        """
        names = dict.fromkeys([*self.versions, *other.versions])
        differences = [
            f"{n} {self.versions.get(n, 'absent')}, now {other.versions.get(n, 'absent')}"
            for n in names
            if self.versions.get(n) != other.versions.get(n)
        ]
        if self.machine != other.machine:
            differences.append(f"{self.machine}, now {other.machine}")
        return tuple(differences)


@cache
def here() -> Environment:
    """Return the environment of this process."""
    config = np.show_config(mode="dicts")
    simd = fingerprint([config.get("SIMD Extensions")]) if config else ""
    machine = f"{platform.system()} {platform.machine()} (vector units {simd[:6]})"
    return Environment(dict(versions()), machine)
