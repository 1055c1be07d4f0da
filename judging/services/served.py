"""Which models answered a run, and the notice where that changed under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count

from judging.domain.simulated import says_simulated
from judging.models import Reply, Run
from judging.services.simulations import note_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

CHANGED = "served_model_changed"
# Some providers name a new build with every reply; past these nothing is learnt.
MOST_SERVED = 8


@dataclass(frozen=True, slots=True)
class Served:
    """A model and fingerprint that the provider named, and how many replies it gave."""

    model: str
    fingerprint: str
    calls: int

    def __str__(self) -> str:
        build = f" ({self.fingerprint})" if self.fingerprint else ""
        return f"{self.model or 'an unnamed model'}{build}: {self.calls} replies"


def served_by(run: Run) -> tuple[Served, ...]:
    """Who answered, by the provider's own word; empty names where it gave none."""
    rows = (
        Reply.objects.filter(call__run=run)
        .values_list("served_model", "fingerprint")
        .annotate(calls=Count("pk"))
        .order_by("served_model", "fingerprint")
    )
    return tuple(Served(*row) for row in rows)


def has_changed(served: Sequence[Served]) -> bool:
    """Whether more than one model, or more than one build of one, answered.

    A name that was not given is unknown, and no other.
    """
    models = {each.model for each in served if each.model}
    builds = {each.fingerprint for each in served if each.fingerprint}
    return len(models) > 1 or len(builds) > 1


def look_who_served(run: Run, now: datetime) -> list[str]:
    """The run's notices, with the one about its served models as it stands now.

    Where a reply says that it is simulated, so is the judge.
    """
    served = [each for each in served_by(run) if each.model or each.fingerprint]
    if any(says_simulated(each.model, each.fingerprint) for each in served):
        note_run(run, now)
    others = [text for text in run.notices if not str(text).startswith(CHANGED)]
    if not has_changed(served):
        return others
    named = "; ".join(str(each) for each in served[:MOST_SERVED])
    more = len(served) - MOST_SERVED
    rest = f" and {more} more" if more > 0 else ""
    return [*others, f"{CHANGED}: the provider answered with {named}{rest}"]


@transaction.atomic
def note_served(run_id: int, now: datetime) -> None:
    """Write the notice about served models while a run is under way."""
    run = Run.objects.select_for_update(of=("self",)).get(pk=run_id)
    run.notices = look_who_served(run, now)
    run.save(update_fields=["notices"])
