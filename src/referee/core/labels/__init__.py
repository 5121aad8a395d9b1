"""Labels: class labels, sets of them, tables of them, and which of the three a target holds."""
