"""Two models compared: on the same cases, on different ones, in order, or after several fits."""
