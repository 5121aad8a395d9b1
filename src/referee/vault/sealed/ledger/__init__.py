"""The ledger of a vault: entries bound to each other, kept so that nothing is lost."""
