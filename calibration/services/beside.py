"""What a report knows of a pair beside gold and verdict: marks, form, family."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotation.domain.texts import plain_text, text_from_json
from calibration.domain.beside import (
    FAMILY,
    FORMAT_SLICE,
    alone,
    is_own,
    telling,
)
from calibration.domain.formats import (
    ResponseFormat,
    format_of,
    format_of_pair,
)
from judging.models import ConfigKind, Run, RunStatus
from judging.services.marks import marks_for_version
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.outcomes import Outcome
    from annotation.models import GoldVersion, Pair, Response

__all__ = [
    "FORMAT_SLICE",
    "Beside",
    "beside",
    "is_own",
    "models_of",
    "pointwise_json",
    "telling",
]


@dataclass(slots=True)
class Beside:
    """What is known beside, for the rows of one sample.

    ``models`` are those that the judge asks, ``pointwise`` the run whose marks count.
    """

    models: tuple[str, ...]
    pointwise: Run | None
    by_marks: Mapping[int, Outcome | None]
    formats: dict[int, ResponseFormat] = field(default_factory=dict)

    @classmethod
    def of_texts(cls) -> Beside:
        """What the texts alone tell."""
        return cls((), None, {})

    def of_pair(self, pair: Pair) -> dict[str, Any]:
        """The fields of the pair's row."""
        plain = ResponseFormat.PLAIN
        return {
            "by_marks": self.by_marks.get(pair.pk),
            "formatted": alone(
                self._format(pair.baseline) is not plain,
                self._format(pair.candidate) is not plain,
            ),
            "own_family": alone(self._own(pair.baseline), self._own(pair.candidate)),
        }

    def slices_of(self, pair: Pair) -> dict[str, str]:
        """The slices that the case has, and the form of the two responses."""
        form = format_of_pair(self._format(pair.baseline), self._format(pair.candidate))
        known = {str(key): str(value) for key, value in pair.case.slices.items()}
        return {FORMAT_SLICE: form, **known}

    def _format(self, response: Response) -> ResponseFormat:
        """Each response once: with several systems it is in several pairs."""
        if response.pk not in self.formats:
            text = plain_text(text_from_json(response.text))
            self.formats[response.pk] = format_of(text)
        return self.formats[response.pk]

    def _own(self, response: Response) -> bool:
        """The response's own family goes before that of its system."""
        family = response.meta.get(FAMILY) or response.system.family
        return is_own(family, self.models)


def beside(run: Run, gold: GoldVersion) -> Beside:
    """Look up what a report on a run under a gold version can say beside."""
    models = models_of(run)
    pointwise = pointwise_of(run, models)
    marks = marks_for_version(pointwise, gold) if pointwise else ()
    by_marks = {one.pair_id: one.preferred for one in marks}
    return Beside(models, pointwise, by_marks)


def models_of(run: Run) -> tuple[str, ...]:
    """The models that a run asks, by name; of a panel those of its members."""
    names = (str(each.config.spec.get("model") or "") for each in runs_behind(run))
    return tuple(sorted(set(filter(None, names))))


def pointwise_of(run: Run, models: tuple[str, ...]) -> Run | None:
    """The newest finished pointwise run on the set by the run's own model, if any."""
    if len(models) != 1:
        return None
    found = Run.objects.representative().filter(
        gold_set=run.gold_set_id,
        status=RunStatus.DONE,
        config__kind=ConfigKind.POINTWISE,
        config__provider=run.config.provider_id,
    )
    for one in found.select_related("config").order_by("-pk"):
        if one.config.spec.get("model") == models[0]:
            return one
    return None


def pointwise_json(run: Run) -> dict[str, Any] | None:
    """The run whose marks stand in the report of a run."""
    found = pointwise_of(run, models_of(run))
    if found is None:
        return None
    config = found.config
    return {
        "run": found.pk,
        "judge": config.name,
        "version": config.version,
        "digest": config.digest,
    }
