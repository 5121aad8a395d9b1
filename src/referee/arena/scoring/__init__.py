"""Scoring: what a look answers, what the board shows, and how a season ends."""
