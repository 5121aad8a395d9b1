"""How many cases it takes: one file for each thing that can be asked, and the answer."""
