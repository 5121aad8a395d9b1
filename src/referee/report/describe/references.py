"""What the methods of an evaluation are called in a paper, and where they were published."""

from __future__ import annotations

from collections.abc import Iterable

from referee.comparing.methods_paragraph import REFERENCES
from referee.intervals.scores.catalogue import CATALOGUE as MEAN_INTERVALS
from referee.intervals.scores.prediction_powered import ANGELOPOULOS_2023
from referee.report.document import Block, Paragraph

__all__ = ["INTERVALS", "cited", "methods_blocks"]

INTERVALS = {
    "clopper-pearson": "the exact interval (Clopper and Pearson 1934)",
    "wilson": "the score interval (Wilson 1927)",
    "agresti-coull": "the adjusted Wald interval (Agresti and Coull 1998)",
    "jeffreys": "Jeffreys' interval (Brown, Cai and DasGupta 2001)",
    "wald": "the Wald interval, which covers too rarely (Brown, Cai and DasGupta 2001)",
    "student-t": "Student's t over splits, which ignores that training sets overlap "
    "(Nadeau and Bengio 2003)",
    "corrected-t": "the t interval corrected for overlapping training sets (Nadeau and Bengio "
    "2003)",
    "effective-jeffreys": "Jeffreys' interval (Brown, Cai and DasGupta 2001) at the number of "
    "independent cases that the cross-validation is worth",
    "nested-cv": "the interval of nested cross-validation (Bates, Hastie and Tibshirani 2024)",
    "conservative-z": "the conservative z interval over disjoint halves (Nadeau and Bengio 2003)",
    "cv-clt": "the interval of the central limit theorem of cross-validation (Bayle and others "
    "2020)",
    "clustered": "the exact interval at the number of independent cases that the groups are worth "
    "(Korn and Graubard 1998)",
    "percentile": "bootstrap percentiles (Efron and Tibshirani 1993)",
    "basic": "the basic bootstrap (Davison and Hinkley 1997)",
    "bca": "the BCa bootstrap (Efron 1987)",
    "abc": "the ABC interval (DiCiccio and Efron 1992)",
    "efron-tibshirani": "Jeffreys' interval at the bootstrap's standard error (Efron and "
    "Tibshirani 1997)",
    "delong": "DeLong's variance (DeLong, DeLong and Clarke-Pearson 1988)",
    "logit-delong": "DeLong's variance on the logit scale (DeLong, DeLong and Clarke-Pearson 1988)",
    "newcombe-auc": "the score interval of an area (Newcombe 2006)",
    "newcombe-delong": "the wider of the score interval of an area (Newcombe 2006) and DeLong's "
    "(DeLong, DeLong and Clarke-Pearson 1988)",
    "stratified-joint": "exact intervals of all classes at once, weighted",
    "stratified-logit-t": "a bootstrap within classes, with t quantiles on the logit scale (Efron "
    "and Tibshirani 1993)",
    "cluster-logit-t": "a bootstrap of whole groups, with t quantiles on the logit scale (Efron "
    "and Tibshirani 1993)",
    "stratified-percentile": "percentiles of a bootstrap within classes (Efron and Tibshirani "
    "1993)",
}
"""Interval method -> its name in a paper, with its citation."""

WORKS = {
    **REFERENCES,
    **{c.key: c.work for method in MEAN_INTERVALS.values() for c in method.citations},
    ANGELOPOULOS_2023.key: ANGELOPOULOS_2023.work,
    "Mogstad and others 2024": "Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). "
    "Review of Economic Studies 91, 476-518.",
    "Clopper and Pearson 1934": "Clopper, C. J. and Pearson, E. S. (1934). Biometrika 26, 404-413.",
    "Bates, Hastie and Tibshirani 2024": "Bates, S., Hastie, T. and Tibshirani, R. (2024). Journal "
    "of the American Statistical Association 119, 1434-1445.",
    "Bayle and others 2020": "Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Advances in "
    "Neural Information Processing Systems 33.",
    "Wilson 1927": "Wilson, E. B. (1927). Journal of the American Statistical Association 22, "
    "209-212.",
    "Agresti and Coull 1998": "Agresti, A. and Coull, B. A. (1998). American Statistician 52, "
    "119-126.",
    "Brown, Cai and DasGupta 2001": "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Statistical "
    "Science 16, 101-133.",
    "Korn and Graubard 1998": "Korn, E. L. and Graubard, B. I. (1998). Survey Methodology 24, "
    "193-201.",
    "Davison and Hinkley 1997": "Davison, A. C. and Hinkley, D. V. (1997). Bootstrap Methods and "
    "their Application. Cambridge University Press.",
    "Efron 1987": "Efron, B. (1987). Journal of the American Statistical Association 82, 171-185.",
    "DiCiccio and Efron 1992": "DiCiccio, T. and Efron, B. (1992). Biometrika 79, 231-245.",
    "Efron and Tibshirani 1997": "Efron, B. and Tibshirani, R. (1997). Journal of the American "
    "Statistical Association 92, 548-560.",
    "Newcombe 2006": "Newcombe, R. G. (2006). Statistics in Medicine 25, 559-573.",
    "Ojala and Garriga 2010": "Ojala, M. and Garriga, G. C. (2010). Journal of Machine Learning "
    "Research 11, 1833-1863.",
    "Besag and Clifford 1991": "Besag, J. and Clifford, P. (1991). Biometrika 78, 301-304.",
    "Phipson and Smyth 2010": "Phipson, B. and Smyth, G. K. (2010). Statistical Applications in "
    "Genetics and Molecular Biology 9, article 39.",
}
"""How a work is cited -> where it appeared."""


def cited(text: str) -> list[str]:
    """Return the works a text cites, in the order of their authors.

    Examples
    --------
    >>> cited("by the score interval (Wilson 1927)")
    ['Wilson, E. B. (1927). Journal of the American Statistical Association 22, 209-212.']
    """
    plain = " ".join(text.split())
    return sorted({work for name, work in WORKS.items() if " ".join(name.split()) in plain})


def methods_blocks(text: str, methods: Iterable[str] = ()) -> tuple[Block, ...]:
    """Return a paragraph for a paper and the works it cites."""
    works = cited(text)
    told: tuple[Block, ...] = (Paragraph(text, tuple(methods)),)
    return (*told, Paragraph("References: " + " ".join(works))) if works else told
