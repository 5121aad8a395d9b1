"""The libraries of the extra ``certify``, asked for when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.errors import InputError

__all__ = ["extra_module"]


def extra_module(name: str) -> Any:
    """Return a module of the extra, or say how to install it.

    Examples
    --------
    >>> extra_module("in_toto_attestation_of_the_future")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: in_toto_attestation_of_the_future is not installed, and \
certificates need it; install referee[certify]
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise InputError(
            f"{package} is not installed, and certificates need it",
            remedy="install referee[certify]",
        ) from None
