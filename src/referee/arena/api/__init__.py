"""The HTTP API under /api/v1: JSON over the same functions that the pages call."""
