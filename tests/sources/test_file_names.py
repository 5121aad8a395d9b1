"""What models without a name are called after their files."""

from referee.sources.file_names import names_of_files


def test_files_of_one_name_are_called_after_their_folders():
    assert names_of_files(["d1/preds.csv", "d2/preds.csv"]) == ["d1/preds", "d2/preds"]
    assert names_of_files(["/a/x/p.csv", "/b/x/p.csv"]) == ["a/x/p", "b/x/p"]
    assert names_of_files(["p.csv", "p.tsv"]) == ["p.csv", "p.tsv"]
    assert names_of_files(["p.csv", "p.csv"]) == ["p", "p"]
