"""What the machine can hold, and loops compiled for it."""
