"""Handing labels, rulings and gold out: the look and the exposure come first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.exports import ExportFormat, written
from annotation.models import Pair
from annotation.services.disclosure import (
    at_stake,
    refuse_open_rounds,
    refuse_unsaid,
)
from annotation.services.exporting import (
    Export,
    Part,
    expose,
    gold_export,
    labels_export,
    rulings_export,
)
from annotation.services.gold_sets import gold_set_named
from annotation.services.seals import refuse_sealed
from calibration.services.looks import disclose_export
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from annotation.models import GoldSet, GoldVersion, Round
    from annotation.services.held_out import Viewer


class ExportKind(StrEnum):
    """What can be taken out of a gold set."""

    LABELS = "labels"
    RULINGS = "rulings"
    GOLD = "gold"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What is wanted, and how it is to be written."""

    gold_set: str
    kind: ExportKind
    part: Part = Part.DEV
    form: ExportFormat = ExportFormat.JSONL
    bom: bool = False
    names: bool = False
    every_revision: bool = False
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """A file ready to be streamed."""

    filename: str
    content_type: str
    pieces: Iterator[bytes]


@transaction.atomic
def hand_out(
    *,
    plan: ExportPlan,
    viewer: Viewer,
    now: datetime,
    disclosing: Collection[int] | None = None,
) -> Download:
    """Log what is about to be seen, then give the file piece by piece.

    Held-out rows count as a look at the set's held-out results and are refused while
    they are sealed, also where they are dev rows of this set (DESIGN rule 15). A
    person is exposed to the labels and systems of the pairs, so that they are never
    given these to label. Labels and rulings wait until no round of the set is open:
    nobody reads labels where people still label (DESIGN rule 6). ``disclosing`` names
    the rounds that the caller knows this to show for the first time, which are then not
    reopened; None where they were told of them before.
    """
    gold_set = gold_set_named(plan.gold_set)
    if plan.kind is not ExportKind.GOLD:
        refuse_open_rounds(gold_set.pk, to=f"export {plan.kind.value}")
    asked = Pair.objects.filter(plan.part.of("case__split"), gold_set=gold_set)
    refuse_sealed(asked)
    if disclosing is not None:
        refuse_unsaid(asked, disclosing=disclosing)
    export = _export(gold_set, plan)
    if export.held_out:
        disclose_export(
            gold_set=gold_set,
            what=f"{plan.kind.value} export ({export.name})",
            state=export.state,
            viewer=viewer,
            now=now,
        )
    expose(gold_set=gold_set, part=plan.part, user=viewer.user, now=now)
    ending = "" if plan.part is Part.DEV else f"-{plan.part.value}"
    return Download(
        filename=f"{export.name}{ending}.{plan.form.value}",
        content_type=plan.form.content_type,
        pieces=written(export.columns, export.rows(), plan.form, bom=plan.bom),
    )


def rounds_first_shown(gold_set: GoldSet) -> tuple[Round, ...]:
    """The closed rounds whose labels an export would be the first to show."""
    return at_stake(gold_set.pairs.values_list("pk", flat=True)).undisclosed


def _export(gold_set: GoldSet, plan: ExportPlan) -> Export:
    _refuse_unfit(plan)
    if plan.kind is ExportKind.LABELS:
        return labels_export(
            gold_set=gold_set,
            part=plan.part,
            names=plan.names,
            every_revision=plan.every_revision,
        )
    if plan.kind is ExportKind.RULINGS:
        return rulings_export(gold_set=gold_set, part=plan.part, names=plan.names)
    return gold_export(version=_version(gold_set, plan.version), part=plan.part)


def _refuse_unfit(plan: ExportPlan) -> None:
    if plan.bom and plan.form is not ExportFormat.CSV:
        raise InvalidInput("export_invalid", "bom: a byte order mark is for CSV only.")


def _version(gold_set: GoldSet, number: int | None) -> GoldVersion:
    versions = gold_set.versions.order_by("-number")
    if number is not None:
        versions = versions.filter(number=number)
    found = versions.first()
    if found is None:
        wanted = "no gold version yet" if number is None else f"no version {number}"
        raise NotFound("gold_version_unknown", f"{gold_set.name} has {wanted}.")
    return found
