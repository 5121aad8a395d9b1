"""Who is sealed: every class its share, groups whole, the same seed the same cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.vault.sealed.cases.splitting import sealed_rows, share_of


@given(
    sizes=st.lists(st.integers(10, 60), min_size=2, max_size=5),
    share=st.floats(0.1, 0.9),
    seed=st.integers(0, 1000),
)
def test_every_class_keeps_its_share_to_one_case(sizes, share, seed):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    chosen = sealed_rows(codes, share, None, seed, str)
    inside = np.bincount(codes[chosen], minlength=len(sizes))
    assert np.all(np.abs(inside - share * np.array(sizes)) < 1 + 1e-9)
    assert abs(chosen.sum() - share * len(codes)) <= 0.5 + 1e-9
    assert np.array_equal(chosen, sealed_rows(codes, share, None, seed, str))


@given(seed=st.integers(0, 200), share=st.sampled_from([0.2, 0.3, 0.5]))
def test_groups_stay_whole_and_classes_near_their_shares(seed, share):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(60), rng.integers(1, 6, 60))
    codes = (rng.random(len(groups)) < 0.3).astype(int)
    chosen = sealed_rows(codes, share, groups, seed, str)
    for group in range(60):
        assert len(set(chosen[groups == group])) == 1
    for code in (0, 1):
        assert abs(chosen[codes == code].mean() - share) < 0.1


def test_every_group_is_sealed_by_some_seed():
    """Balancing leaves room for chance: no group is always on one side."""
    groups = np.repeat(np.arange(20), 5)
    codes = np.tile([0, 0, 1, 1, 1], 20)
    often = np.mean([sealed_rows(codes, 0.25, groups, s, str)[::5] for s in range(300)], axis=0)
    assert often.mean() == pytest.approx(0.25)
    assert often.min() > 0.12
    assert often.max() < 0.42


def test_classes_that_would_be_left_out():
    codes = np.array([0] * 40 + [1] * 2)
    with pytest.raises(
        InputError, match=r"test=0.05 leaves a class out: .* \[40, 41\] would be sea"
    ):
        sealed_rows(codes, 0.05, None, 0, str)
    with pytest.raises(InputError, match=r"left to train on; take a smaller share"):
        sealed_rows(np.array([0] * 40 + [1]), 0.9, None, 0, str)
    with pytest.raises(InputError, match="in whole groups"):
        sealed_rows(np.array([0, 0, 1, 0, 0]), 0.4, np.array([0, 1, 2, 3, 4]), 0, str)


@pytest.mark.parametrize("text", ["0%", "100%", "120 %", "0", "1", 0, 1.5, -0.1, "7"])
def test_shares_that_are_none(text):
    with pytest.raises(InputError, match="share strictly between 0 and 1"):
        share_of(text)


@pytest.mark.parametrize(
    ("text", "share"), [("20%", 0.2), ("33.3 %", 0.333), (".5", 0.5), ("x", None)]
)
def test_shares(text, share):
    assert share_of(text) == (share if share is None else pytest.approx(share))
