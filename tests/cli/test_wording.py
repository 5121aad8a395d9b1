"""Messages for the command line speak of options."""

import pytest

from referee.cli.wording import flags


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("use by='loo'", "use --by loo"),
        ("use folds=5", "use --by 5"),
        ("pass groups= so that", "pass --groups so that"),
        ("pass header=True if", "pass --header if"),
        ("pos_label must be one of", "--pos-label must be one of"),
        ("test_share 0.9 of 6 rows", "--test-share 0.9 of 6 rows"),
        ("n_jobs must not be 0", "--jobs must not be 0"),
        ("with groups or sample_weight; use", "with groups or --weight; use"),
        ("no column 'pos_label'", "no column 'pos_label'"),
        ("pos_label.csv is empty", "pos_label.csv is empty"),
        ("data/pos_label is empty", "data/pos_label is empty"),
        ("my_pos_label=3", "my_pos_label=3"),
    ],
)
def test_arguments_become_options_and_names_stay(said, meant):
    assert flags(said) == meant
