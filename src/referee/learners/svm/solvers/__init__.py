"""Solvers of support vector machines, each headed by the problem it solves."""
