"""Which findings predictions and plan alone can show: verification of bundles relies on it."""

import inspect
import re
import sys

import pytest

from referee.checks import CATALOGUE, NEED_DATA


@pytest.mark.parametrize("code", CATALOGUE)
def test_codes_that_need_data_are_those_whose_checks_look_at_data_or_fits(code):
    source = inspect.getsource(sys.modules[CATALOGUE[code].__module__])
    looks = re.search(r"context\.(data|warned)\b", source) is not None
    assert (code in NEED_DATA) == looks
