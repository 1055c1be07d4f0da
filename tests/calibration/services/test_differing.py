"""Controls of a correction are pairs on which judge and gold agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.rulings import RulingCategory
from annotation.models import RulingRequest
from annotation.services.corrections import pairs_named, request_corrections
from calibration.models import ReportPair
from calibration.services.differing import differing_pairs
from calibration.services.report_cases import pairs_of
from config.errors import InvalidInput
from tests.annotation.factory import START
from tests.calibration.reviews import review_world

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return review_world()


def named(world: World, *, agree: bool, held_out: bool = False) -> list[str]:
    """Cases with gold on which the report's judge agrees, or not."""
    rows = pairs_of(world.report()).of_part(held_out=held_out).exclude(gold="")
    found = rows.filter(rank__isnull=agree).order_by("pair_id")
    return list(found.values_list("pair__case__external_id", flat=True))


def send(world: World, pair: str, control: str, by: User) -> None:
    first, second = (
        pairs_named(gold_set=world.gold_set, text=one) for one in (pair, control)
    )
    request_corrections(
        pairs=first,
        controls=second,
        by=by,
        category=RulingCategory.GOLD_WRONG,
        note="The judge says otherwise.",
        now=START,
    )


def test_a_control_on_which_they_differ_is_refused_by_name(
    world: World, lead: User
) -> None:
    wrong, other, *_ = named(world, agree=False)
    with pytest.raises(InvalidInput, match=f"they differ on: {other}$") as refusal:
        send(world, wrong, other, lead)
    assert refusal.value.code == "control_differs"
    assert not RulingRequest.objects.exists()

    send(world, wrong, named(world, agree=True)[0], lead)
    assert RulingRequest.objects.count() == 2


def test_nothing_is_told_of_held_out_pairs(world: World) -> None:
    assert named(world, agree=False, held_out=True)
    text = "\n".join(named(world, agree=False, held_out=True))
    assert differing_pairs(pairs_named(gold_set=world.gold_set, text=text)) == set()


def test_without_a_report_nothing_is_known(world: World) -> None:
    every = list(world.gold_set.pairs.select_related("case", "gold_set"))
    assert differing_pairs(every) == set()
    assert differing_pairs([]) == set()
    assert not ReportPair.objects.exists()
