"""Learners that choose their parameters or features from their training rows alone."""
