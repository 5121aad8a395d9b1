"""Metrics: counts of responses since the process started."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict

__all__ = ["Metrics"]


class Metrics:
    """Counts of responses, by method and status.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.count("GET", 200, 0.25)
    >>> metrics.lines()[1]
    'referee_requests_total{method="GET",status="200"} 1'
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._lock = threading.Lock()

    def count(self, method: str, status: int, seconds: float) -> None:
        """Note a response."""
        with self._lock:
            self._counts[method, status] += 1
            self._seconds[method] += seconds

    def lines(self) -> list[str]:
        """Return the counts in Prometheus's format."""
        with self._lock:
            counts, seconds = dict(self._counts), dict(self._seconds)
        lines = ["# TYPE referee_requests_total counter"]
        for (method, status), number in sorted(counts.items()):
            lines.append(f'referee_requests_total{{method="{method}",status="{status}"}} {number}')
        lines.append("# TYPE referee_request_seconds_total counter")
        for method, spent in sorted(seconds.items()):
            lines.append(f'referee_request_seconds_total{{method="{method}"}} {spent:.6f}')
        return lines
