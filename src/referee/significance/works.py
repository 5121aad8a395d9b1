"""The works that tests of significance, and what is built on them, were published in."""

from __future__ import annotations

from referee.core.citations import Citation
from referee.intervals import works

__all__ = [
    "ALPAYDIN_1999",
    "BARNARD_1947",
    "BENJAMINI_HOCHBERG_1995",
    "BESAG_CLIFFORD_1991",
    "BOSCHLOO_1970",
    "COCHRAN_1950",
    "DELONG_1988",
    "DEMSAR_2006",
    "DIETTERICH_1998",
    "DUNN_1961",
    "DURKALSKI_2003",
    "EFRON_TIBSHIRANI_1993",
    "FAGERLAND_2013",
    "FISHER_1935",
    "FRIEDMAN_1937",
    "HOCHBERG_1988",
    "HOLM_1979",
    "IMAN_DAVENPORT_1980",
    "MCNEMAR_1947",
    "MITCHELL_1997",
    "MOGSTAD_2024",
    "NADEAU_BENGIO_2003",
    "NEMENYI_1963",
    "OBUCHOWSKI_1997",
    "OJALA_GARRIGA_2010",
    "PHIPSON_SMYTH_2010",
    "SCHUIRMANN_1987",
    "TANGO_1998",
    "WILCOXON_1945",
]

MCNEMAR_1947 = Citation("McNemar 1947", "McNemar, Q. (1947). Psychometrika 12, 153-157.")
FAGERLAND_2013 = Citation(
    "Fagerland, Lydersen and Laake 2013",
    "Fagerland, M. W., Lydersen, S. and Laake, P. (2013). BMC Medical Research Methodology 13, 91.",
)
DURKALSKI_2003 = works.DURKALSKI
DELONG_1988 = works.DELONG
OBUCHOWSKI_1997 = Citation("Obuchowski 1997", "Obuchowski, N. A. (1997). Biometrics 53, 567-578.")
EFRON_TIBSHIRANI_1993 = works.EFRON_TIBSHIRANI_BOOK
BARNARD_1947 = Citation("Barnard 1947", "Barnard, G. A. (1947). Biometrika 34, 123-138.")
FISHER_1935 = Citation(
    "Fisher 1935", "Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd."
)
BOSCHLOO_1970 = Citation("Boschloo 1970", "Boschloo, R. D. (1970). Statistica Neerlandica 24, 1-9.")
MITCHELL_1997 = works.MITCHELL
NADEAU_BENGIO_2003 = works.NADEAU_BENGIO
DIETTERICH_1998 = Citation(
    "Dietterich 1998", "Dietterich, T. G. (1998). Neural Computation 10, 1895-1923."
)
ALPAYDIN_1999 = Citation("Alpaydin 1999", "Alpaydin, E. (1999). Neural Computation 11, 1885-1892.")
SCHUIRMANN_1987 = Citation(
    "Schuirmann 1987",
    "Schuirmann, D. J. (1987). Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.",
)
TANGO_1998 = works.TANGO
HOLM_1979 = Citation("Holm 1979", "Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.")
HOCHBERG_1988 = Citation("Hochberg 1988", "Hochberg, Y. (1988). Biometrika 75, 800-802.")
BENJAMINI_HOCHBERG_1995 = Citation(
    "Benjamini and Hochberg 1995",
    "Benjamini, Y. and Hochberg, Y. (1995). Journal of the Royal Statistical Society B 57, "
    "289-300.",
)
WILCOXON_1945 = Citation("Wilcoxon 1945", "Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.")
FRIEDMAN_1937 = Citation(
    "Friedman 1937",
    "Friedman, M. (1937). Journal of the American Statistical Association 32, 675-701.",
)
IMAN_DAVENPORT_1980 = Citation(
    "Iman and Davenport 1980",
    "Iman, R. L. and Davenport, J. M. (1980). Communications in Statistics A9, 571-595.",
)
NEMENYI_1963 = Citation(
    "Nemenyi 1963",
    "Nemenyi, P. (1963). Distribution-free Multiple Comparisons. PhD thesis, Princeton University.",
)
DUNN_1961 = Citation(
    "Dunn 1961", "Dunn, O. J. (1961). Journal of the American Statistical Association 56, 52-64."
)
DEMSAR_2006 = Citation(
    "Demsar 2006", "Demsar, J. (2006). Journal of Machine Learning Research 7, 1-30."
)
COCHRAN_1950 = Citation("Cochran 1950", "Cochran, W. G. (1950). Biometrika 37, 256-266.")
OJALA_GARRIGA_2010 = Citation(
    "Ojala and Garriga 2010",
    "Ojala, M. and Garriga, G. C. (2010). Journal of Machine Learning Research 11, 1833-1863.",
)
BESAG_CLIFFORD_1991 = Citation(
    "Besag and Clifford 1991", "Besag, J. and Clifford, P. (1991). Biometrika 78, 301-304."
)
MOGSTAD_2024 = Citation(
    "Mogstad and others 2024",
    "Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). Review of Economic Studies "
    "91, 476-518.",
)
PHIPSON_SMYTH_2010 = Citation(
    "Phipson and Smyth 2010",
    "Phipson, B. and Smyth, G. K. (2010). Statistical Applications in Genetics and Molecular "
    "Biology 9, article 39.",
)
