"""What is fixed before anything is seen: protocol, claim, strata, test set, lock."""
