"""The test by the paired bootstrap: every measure by the resampling that suits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.core.results import Target
from referee.errors import arg, named
from referee.measures import ClassesMeasure, LossMeasure, Measure, RankingMeasure
from referee.significance.comparison_test import (
    ComparisonSituation,
    ComparisonTest,
    Setting,
    interval_of_the_test,
)
from referee.significance.contrast import Contrast
from referee.significance.paired.paired_bootstrap import (
    PairedBootstrap,
    assumptions_of,
    paired_matrix,
    paired_mean,
    paired_ranking,
)
from referee.significance.paired.paired_function import paired_function
from referee.significance.samples import PairedSample
from referee.significance.works import EFRON_TIBSHIRANI_1993

__all__ = ["PAIRED_BOOTSTRAP"]


def _refusal(situation: ComparisonSituation) -> str | None:
    measure = situation.measure
    if isinstance(measure, ClassesMeasure):
        return (
            f"{measure.name} of fixed models cannot be compared yet; name {named('pos_label')} and "
            f"compare {arg('measure', 'auc')} of one class against the rest"
        )
    return interval_of_the_test(situation)


def _compute(sample: PairedSample) -> Contrast:
    contrast: Contrast = sample.measure.paired(_Resampling(sample)).contrast
    # The bootstrap speaks of the measure itself; contrasts are of losses.
    return contrast.swapped if sample.measure.greater_is_better else contrast


@dataclass(frozen=True, eq=False)
class _Resampling:
    """Resamples of the cases of two models; a measure asks for the way that suits it."""

    sample: PairedSample

    def of_means(self, measure: LossMeasure) -> PairedBootstrap:
        one, two = self.sample.losses
        return paired_mean(one, two, measure=measure.title, **self._options)

    def of_matrices(self, measure: Measure) -> PairedBootstrap:
        truth, first, second = self.sample.answers
        return paired_matrix(
            truth,
            first,
            second,
            self.sample.of_matrix,
            classes=self.sample.classes,
            measure=measure.title,
            **self._options,
        )

    def of_rankings(self, measure: RankingMeasure) -> PairedBootstrap:
        if not measure.column:
            return self.of_functions(measure)
        positive, first, second = self.sample.ranking
        return paired_ranking(positive, first, second, measure, **self._options)

    def of_functions(self, measure: Measure) -> PairedBootstrap:
        self.sample.check_order()
        truth, _, _ = self.sample.answers
        return paired_function(self.sample.values, truth, measure=measure.title, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        return {"groups": self.sample.groups, "seed": self.sample.seed}


PAIRED_BOOTSTRAP = ComparisonTest(
    "paired-bootstrap",
    title="a bootstrap of the paired cases",
    label="paired bootstrap",
    citations=(EFRON_TIBSHIRANI_1993,),
    target=Target.FIXED,
    assumptions=assumptions_of(None),
    setting=Setting.SAME_CASES,
    refusal=_refusal,
    compute=_compute,
)
