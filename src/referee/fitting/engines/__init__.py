"""Engines: who carries out many independent jobs, here or on a cluster."""

from referee.fitting.engines.engine import Engine, engine_named

__all__ = ["Engine", "engine_named"]
