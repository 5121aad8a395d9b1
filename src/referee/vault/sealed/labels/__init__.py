"""The sealed labels: their file, its header, and the commitment to them."""
