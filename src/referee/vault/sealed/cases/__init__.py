"""Cases to be sealed and their ids: which are split off, and what may be known of them."""
