"""Runs of a gate counted: the ledger, decisions over all runs, test sets that were used."""
