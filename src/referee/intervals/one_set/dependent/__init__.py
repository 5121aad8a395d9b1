"""Cases that are worth fewer independent ones: groups, stretches of time, weights."""
