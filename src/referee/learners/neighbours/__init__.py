"""Nearest neighbours: searching, voting, resampling from one search, and reducing cases."""
