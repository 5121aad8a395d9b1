"""What every file of golden numbers shares: how a made value is held against the expected one."""

import pytest


@pytest.fixture
def agree():
    """Return the check that made and expected values agree within the item's tolerance."""
    return _agree


def _agree(made, expected, item):
    if isinstance(expected, dict):
        assert made.keys() == expected.keys()
        for key in expected:
            _agree(made[key], expected[key], item)
    elif isinstance(expected, list):
        assert len(made) == len(expected)
        for one, other in zip(made, expected, strict=True):
            _agree(one, other, item)
    else:
        scale = abs(expected) if item["relative"] else 1.0
        # One part in 10^12 pays for floating point where the tolerance is 0.
        allowed = item["tolerance"] * scale or 1e-12 * max(1.0, abs(expected))
        assert abs(float(made) - expected) <= allowed
