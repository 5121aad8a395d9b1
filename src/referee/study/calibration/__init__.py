"""The tool's own calibration: coverage of every interval, size and power of every test (X13)."""
