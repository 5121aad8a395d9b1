"""What all tests share."""

from hypothesis import settings

# How long an example takes says how busy the machine is, not whether it is right.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_collection_modifyitems(config, items):
    """Leave out the one check of scikit-learn that would only skip itself.

    It wants the array API, which no learner here claims to support, and an environment variable.
    """
    left = [item for item in items if _check_of(item) == "check_array_api_input"]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def _check_of(item):
    check = getattr(getattr(item, "callspec", None), "params", {}).get("check")
    return getattr(getattr(check, "func", check), "__name__", None)
