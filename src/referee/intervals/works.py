"""Where the intervals were published."""

from __future__ import annotations

from referee.core.citations import Citation

__all__: list[str] = []

AGRESTI_COULL = Citation(
    "Agresti and Coull 1998",
    "Agresti, A. and Coull, B. A. (1998). American Statistician 52, 119-126.",
)
BATES = Citation(
    "Bates, Hastie and Tibshirani 2024",
    "Bates, S., Hastie, T. and Tibshirani, R. (2024). Journal of the American Statistical "
    "Association 119, 1434-1445.",
)
BAYLE = Citation(
    "Bayle and others 2020",
    "Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Advances in Neural Information "
    "Processing Systems 33.",
)
BONETT_PRICE = Citation(
    "Bonett and Price 2012",
    "Bonett, D. G. and Price, R. M. (2012). Journal of Educational and Behavioral Statistics 37, "
    "479-488.",
)
BROWN = Citation(
    "Brown, Cai and DasGupta 2001",
    "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Statistical Science 16, 101-133.",
)
CLOPPER_PEARSON = Citation(
    "Clopper and Pearson 1934",
    "Clopper, C. J. and Pearson, E. S. (1934). Biometrika 26, 404-413.",
)
DAVISON = Citation(
    "Davison and Hinkley 1997",
    "Davison, A. C. and Hinkley, D. V. (1997). Bootstrap Methods and their Application. Cambridge "
    "University Press.",
)
DELONG = Citation(
    "DeLong, DeLong and Clarke-Pearson 1988",
    "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Biometrics 44, 837-845.",
)
DICICCIO = Citation(
    "DiCiccio and Efron 1992", "DiCiccio, T. and Efron, B. (1992). Biometrika 79, 231-245."
)
DURKALSKI = Citation(
    "Durkalski et al. 2003",
    "Durkalski, V. L., Palesch, Y. Y., Lipsitz, S. R. and Rust, P. F. (2003). Statistics in "
    "Medicine 22, 2417-2428.",
)
EFRON = Citation(
    "Efron 1987",
    "Efron, B. (1987). Journal of the American Statistical Association 82, 171-185.",
)
EFRON_TIBSHIRANI_BOOK = Citation(
    "Efron and Tibshirani 1993",
    "Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.",
)
EFRON_TIBSHIRANI = Citation(
    "Efron and Tibshirani 1997",
    "Efron, B. and Tibshirani, R. (1997). Journal of the American Statistical Association 92, "
    "548-560.",
)
KORN = Citation(
    "Korn and Graubard 1998",
    "Korn, E. L. and Graubard, B. I. (1998). Survey Methodology 24, 193-201.",
)
MITCHELL = Citation(
    "Mitchell 1997", "Mitchell, T. M. (1997). Machine Learning, chapter 5. McGraw-Hill."
)
NADEAU_BENGIO = Citation(
    "Nadeau and Bengio 2003",
    "Nadeau, C. and Bengio, Y. (2003). Machine Learning 52, 239-281.",
)
LAZARUS = Citation(
    "Lazarus and others 2018",
    "Lazarus, E., Lewis, D. J., Stock, J. H. and Watson, M. W. (2018). Journal of Business and "
    "Economic Statistics 36, 541-559.",
)
CHAN_ZHANG = Citation(
    "Chan and Zhang 1999",
    "Chan, I. S. F. and Zhang, Z. (1999). Biometrics 55, 1202-1209.",
)
NEWCOMBE = Citation(
    "Newcombe 1998",
    "Newcombe, R. G. (1998). Statistics in Medicine 17, 873-890 and 2635-2650.",
)
NEWCOMBE_AREA = Citation(
    "Newcombe 2006", "Newcombe, R. G. (2006). Statistics in Medicine 25, 559-573."
)
TANGO = Citation("Tango 1998", "Tango, T. (1998). Statistics in Medicine 17, 891-908.")
WILSON = Citation(
    "Wilson 1927",
    "Wilson, E. B. (1927). Journal of the American Statistical Association 22, 209-212.",
)
BENTKUS = Citation("Bentkus 2004", "Bentkus, V. (2004). Annals of Probability 32, 1650-1673.")
ROBBINS = Citation(
    "Robbins 1970", "Robbins, H. (1970). Annals of Mathematical Statistics 41, 1397-1409."
)
WAUDBY_SMITH_RAMDAS = Citation(
    "Waudby-Smith and Ramdas 2024",
    "Waudby-Smith, I. and Ramdas, A. (2024). Journal of the Royal Statistical Society B 86, 1-27.",
)
DWORK = Citation(
    "Dwork and others 2015",
    "Dwork, C., Feldman, V., Hardt, M., Pitassi, T., Reingold, O. and Roth, A. (2015). "
    "Generalization in adaptive data analysis and holdout reuse. Advances in Neural Information "
    "Processing Systems 28.",
)
