"""From labels and answers to PASS, FAIL or UNDECIDED."""
