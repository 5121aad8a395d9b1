"""Vaults in a folder of their own, with a configuration directory of their own."""

import pytest


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    """No test touches the keys of whoever runs it."""
    place = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))
    monkeypatch.delenv("REFEREE_PASSPHRASE", raising=False)
    return place
