"""The tool's own calibration: coverage of every interval, size and power of every test."""

from referee.study.calibration.draws import Draws
from referee.study.calibration.table import Calibration, calibration

__all__ = ["Calibration", "Draws", "calibration"]
