"""Benchmarks: what is public about them, their secret labels, and files that are uploaded."""
