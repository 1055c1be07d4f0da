"""What is said beside the choice: flags, criteria, confidence, reasons, times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.answers import AbstainReason
from annotation.domain.outcomes import SlotChoice
from annotation.models import Draft, GoldSet, Label
from annotation.services.drafting import save_draft
from annotation.services.gold_sets import add_guideline
from annotation.services.labelling import Answer, said_in, submit_label
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START

if TYPE_CHECKING:
    from tests.annotation.factory import Desk

CRITICAL = [{"code": "invented_action", "label": "Claims an action it did not take"}]


@pytest.fixture
def asking(desk: Desk, gold_set: GoldSet) -> Desk:
    """A reviewer of a set that asks for everything."""
    GoldSet.objects.filter(pk=gold_set.pk).update(
        strength_wanted=True, critical_errors=CRITICAL
    )
    from annotation.domain.answers import Option

    add_guideline(
        gold_set=gold_set, text="Facts.", by=None, now=START,
        criteria=[Option("tone", "Tone")],
    )  # fmt: skip
    return desk


SAID: dict[str, Any] = {
    "strength": 2,
    "note": "n",
    "confidence": 3,
    "critical": {"second": ("invented_action",)},
    "criteria": {"tone": "tie"},
}


def test_all_that_was_said_is_stored_by_slot(asking: Desk) -> None:
    label = asking.submit(
        asking.claim(), **SAID, active_seconds=7.5, view={"texts": "raw"}
    )
    label.refresh_from_db()

    assert said_in(label) == {
        **SAID, "choice": "first", "abstain_reason": "",
        "critical": {"second": ["invented_action"]},
    }  # fmt: skip
    assert (label.active_seconds, label.view) == (7.5, {"texts": "raw"})


@pytest.mark.parametrize(
    "change",
    [{"confidence": 1}, {"critical": {}}, {"criteria": {"tone": "first"}}],
)
def test_any_change_of_it_is_a_revision_and_the_same_again_is_none(
    change: dict[str, Any], asking: Desk
) -> None:
    assignment = asking.claim()
    asking.submit(assignment, **SAID)
    again = asking.submit(assignment, **SAID, active_seconds=99.0)
    assert (again.revision, again.active_seconds) == (1, None)

    assert asking.submit(assignment, **(SAID | change)).revision == 2
    assert Label.objects.count() == 2


def test_an_abstain_keeps_its_reason(asking: Desk) -> None:
    reason = AbstainReason.OUTSIDE_EXPERTISE.value
    label = asking.submit(asking.claim(), SlotChoice.ABSTAIN, abstain_reason=reason)
    assert (label.outcome, label.abstain_reason) == ("abstain", reason)


@pytest.mark.parametrize(
    ("choice", "rest", "field"),
    [
        (SlotChoice.FIRST, {"abstain_reason": "broken_text"}, "abstain_reason"),
        (SlotChoice.ABSTAIN, {"abstain_reason": ""}, "abstain_reason"),
        (SlotChoice.ABSTAIN, {"abstain_reason": "bored"}, "abstain_reason"),
        (
            SlotChoice.ABSTAIN,
            {"abstain_reason": "other", "note": " "},
            "abstain_reason",
        ),
        (SlotChoice.TIE, {"confidence": 0}, "confidence"),
        (SlotChoice.TIE, {"critical": {"first": ("unknown",)}}, "critical"),
        (SlotChoice.TIE, {"critical": {"both": ()}}, "critical"),
        (SlotChoice.TIE, {"criteria": {"style": "tie"}}, "criteria"),
        (SlotChoice.TIE, {"criteria": {"tone": "left"}}, "criteria"),
    ],
)
def test_what_was_not_asked_is_refused_by_field(
    choice: SlotChoice, rest: dict[str, Any], field: str, asking: Desk
) -> None:
    assignment = asking.claim()
    with pytest.raises(InvalidInput) as refusal:
        asking.submit(assignment, choice, **rest)
    assert refusal.value.message.startswith(f"{field}: ")
    assert not Label.objects.exists()


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ({"strength": 1}, "strength"),
        ({"critical": {"first": ("invented_action",)}}, "critical"),
        ({"criteria": {"tone": "tie"}}, "criteria"),
    ],
)
def test_what_another_set_asks_is_refused_where_it_is_not_asked(
    rest: dict[str, Any], field: str, desk: Desk
) -> None:
    assignment = desk.claim()
    with pytest.raises(InvalidInput) as refusal:
        desk.submit(assignment, **rest)
    assert refusal.value.message.startswith(f"{field}: ")
    assert not Label.objects.exists()


def test_a_change_made_in_ignorance_of_a_newer_one_is_refused(desk: Desk) -> None:
    assignment = desk.claim()

    def send(choice: SlotChoice, revision: int) -> Label:
        return submit_label(
            token=str(assignment.token), reviewer=desk.reviewer,
            answer=Answer(choice), now=START, revision=revision,
        )  # fmt: skip

    assert send(SlotChoice.FIRST, 0).revision == 1
    assert send(SlotChoice.FIRST, 0).revision == 1  # sent again: the same label
    with pytest.raises(Conflict) as refusal:
        send(SlotChoice.TIE, 0)
    assert refusal.value.code == "label_changed"
    assert refusal.value.detail == {"revision": 1}
    assert send(SlotChoice.TIE, 1).revision == 2
    for unseen in (1, 3):
        with pytest.raises(Conflict, match="says something else"):
            send(SlotChoice.SECOND, unseen)
    said = Label.objects.order_by("revision").values_list("choice", "revision")
    assert list(said) == [("first", 1), ("tie", 2)]


def test_a_label_ends_its_draft(desk: Desk) -> None:
    assignment = desk.claim()
    save_draft(
        token=str(assignment.token), reviewer=desk.reviewer,
        content={"choice": "tie"}, active_seconds=1, now=START,
    )  # fmt: skip
    desk.submit(assignment)
    assert not Draft.objects.exists()
