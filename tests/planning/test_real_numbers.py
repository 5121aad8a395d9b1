"""Plans are made of numbers; what is none is refused by its name, before any work."""

import numpy as np
import pytest

from referee import sample_size
from referee.errors import InputError
from referee.planning.acceptance import acceptance_rows
from referee.planning.real_numbers import check_real


@pytest.mark.parametrize("junk", ["x", [], {"a": 1}, object(), True, np.nan, np.inf, len, 1j])
def test_what_is_no_number_is_refused_by_its_name(junk):
    for name in ("n", "a", "b", "error", "power", "discordance", "confidence", "non_inferior"):
        given = {"error": 0.01, "a": 0.1, "b": 0.2} if name in "ab" else {"error": 0.01}
        with pytest.raises(InputError, match=f"^{name} must be a number"):
            sample_size(**{**given, name: junk})
    with pytest.raises(InputError, match=r"^failures must be a number"):
        acceptance_rows(0.01, failures=junk)


def test_numbers_of_numpy_are_numbers():
    check_real(n=np.int64(3), a=np.float32(0.5), b=None)
    assert sample_size(error=np.float64(0.01)).acceptance.steps[0].rows == 299
