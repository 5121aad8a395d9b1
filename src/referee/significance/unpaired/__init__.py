"""Tests of fixed models on different cases."""
