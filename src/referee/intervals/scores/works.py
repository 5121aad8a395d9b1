"""Where intervals of scores were published, besides what intervals of risks share."""

from __future__ import annotations

from referee.core.citations import Citation

__all__ = [
    "ANGELOPOULOS_2023",
    "BELL_MCCAFFREY_2002",
    "IMBENS_KOLESAR_2016",
    "MILLER_2024",
    "WAUDBY_SMITH_2024",
    "WILLINK_2005",
]

ANGELOPOULOS_2023 = Citation(
    "Angelopoulos, Duchi and Zrnic 2023",
    "Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: Efficient Prediction-Powered "
    "Inference. arXiv 2311.01453.",
)
BELL_MCCAFFREY_2002 = Citation(
    "Bell and McCaffrey 2002",
    "Bell, R. M. and McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.",
)
IMBENS_KOLESAR_2016 = Citation(
    "Imbens and Kolesár 2016",
    "Imbens, G. W. and Kolesár, M. (2016). Review of Economics and Statistics 98, 701-712.",
)
MILLER_2024 = Citation(
    "Miller 2024", "Miller, E. (2024). Adding Error Bars to Evals. arXiv 2411.00640."
)
WAUDBY_SMITH_2024 = Citation(
    "Waudby-Smith and Ramdas 2024",
    "Waudby-Smith, I. and Ramdas, A. (2024). Journal of the Royal Statistical Society B 86, 1-27.",
)
WILLINK_2005 = Citation(
    "Willink 2005",
    "Willink, R. (2005). Communications in Statistics: Theory and Methods 34, 753-766.",
)
