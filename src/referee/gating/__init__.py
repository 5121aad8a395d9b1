"""The gate: may a candidate take the place of a baseline? A decision for pipelines.

Imports nothing, so that the pytest plugin costs nothing where no test asks for it.
"""
