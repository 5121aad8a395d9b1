"""Tests of fixed models on the same cases."""
