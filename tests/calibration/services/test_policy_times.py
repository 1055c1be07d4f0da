"""A policy is frozen before anybody knew what the run came to, imported or not."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.services.intake import Source
from calibration.services.policies import frozen_policy
from calibration.services.policy_times import known_since, policies_for, refuse_policy
from config.errors import Conflict
from judging.domain.terms import CombiningRule
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan
from tests.annotation.factory import START, make_set
from tests.calibration.releases import LOOSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.models import GoldSet
    from judging.models import Run

pytestmark = pytest.mark.django_db
OTHER_RULE = CombiningRule.AGREE_ELSE_ABSTAIN
HOUR = timedelta(hours=1)
LATER = START + 2 * HOUR
LONG = "The first response answers the question, and the second one does not."


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    return make_set(4)


def row(case: int, text: str = "", **changes: Any) -> dict[str, Any]:
    raw = f"{text or LONG} Number {case}.\n[[A]]"
    return {"case_id": f"case-{case:04d}", "order": "baseline_first", "raw": raw} | {
        name: value for name, value in changes.items() if value is not None
    }


def both(cases: Iterable[int], **changes: Any) -> list[dict[str, Any]]:
    orders = ("baseline_first", "candidate_first")
    return [row(case, order=order, **changes) for case in cases for order in orders]


def take(
    gold_set: GoldSet, rows: Sequence[dict[str, Any]], at: Any = START, **plan: Any
) -> Run:
    given = {"judge": "told", "verdict_format": "ab_bracket"} | plan
    return import_verdicts(
        gold_set=gold_set,
        plan=RecordedPlan(**given),
        source=Source("\n".join(map(json.dumps, rows)).encode(), "v.jsonl"),
        by=None,
        now=at,
    ).run


def test_the_same_replies_in_another_order_are_no_other_run(gold_set: GoldSet) -> None:
    first = take(gold_set, both(range(4)))
    policy = frozen_policy(name="after", document=LOOSE, by=None, now=START + HOUR)
    again = take(gold_set, both(range(4))[::-1], LATER)
    assert again.pk != first.pk
    assert known_since(again) == START
    assert policy not in policies_for(again)
    with pytest.raises(Conflict, match="that an earlier run had too") as caught:
        refuse_policy(policy, again)
    assert caught.value.code == "policy_too_late"


@pytest.mark.parametrize("cases", [[0], [2, 3], [0, 1, 2, 3]])
def test_some_of_them_are_enough(gold_set: GoldSet, cases: list[int]) -> None:
    """What was imported and more, a part of it, or all with a space more in most."""
    take(gold_set, both(cases))
    assert known_since(take(gold_set, both(range(4))[::-1], LATER)) == START
    assert known_since(take(gold_set, both(cases[:1]), LATER)) == START
    spaced = [*both(range(1, 4), text=f" {LONG}"), *both([0], text=f" {LONG}")[:1]]
    assert known_since(take(gold_set, spaced, LATER)) == LATER
    one = row(cases[0], order="candidate_first")
    rest = [
        r
        for r in spaced
        if (r["case_id"], r["order"]) != (one["case_id"], one["order"])
    ]
    assert known_since(take(gold_set, [one, *rest], LATER + HOUR)) == START


def test_another_name_format_or_set_does_not_make_them_new(gold_set: GoldSet) -> None:
    take(gold_set, both(range(4)))
    copy = make_set(4, name="copy")
    found = [
        take(gold_set, both(range(4)), LATER, judge="other"),
        take(gold_set, both(range(4)), LATER, combining_rule=OTHER_RULE),
        take(copy, both(range(4)), LATER),
    ]
    assert [known_since(run) for run in found] == [START] * 3


def test_what_was_not_said_before_began_with_its_import(gold_set: GoldSet) -> None:
    take(gold_set, both([0, 1]))
    take(gold_set, both([2, 3], raw="[[A]]"), judge="short")
    others = [
        take(gold_set, both(range(4), text="Something else is said of these."), LATER),
        take(gold_set, both([2, 3]), LATER, judge="third"),
        # A few letters are no other judge's for that it chose alike.
        take(gold_set, both([2, 3], raw="[[A]]"), LATER, judge="fourth"),
    ]
    assert [known_since(run) for run in others] == [LATER] * 3
    policy = frozen_policy(name="after", document=LOOSE, by=None, now=START + HOUR)
    for run in others:
        refuse_policy(policy, run)
        assert policy in policies_for(run)


def test_choices_without_texts_are_the_same_by_their_judge(gold_set: GoldSet) -> None:
    def chosen(cases: Iterable[int], at: Any, judge: str = "told") -> Run:
        rows = [
            {name: value for name, value in each.items() if name != "raw"}
            for each in both(cases, choice="first")
        ]
        return take(gold_set, rows, at, judge=judge, use_choice=True)

    chosen(range(4), START)
    assert known_since(chosen([1], LATER)) == START
    assert known_since(chosen(range(4), LATER, "other")) == LATER


def short(choices: str, **columns: Any) -> list[dict[str, Any]]:
    """Replies in a few letters, or their choices alone, to cases in both orders."""
    found = []
    for case, said in enumerate(choices):
        for each, letter in zip(both([case], raw=f"[[{said}]]"), "xy", strict=True):
            if columns:
                del each["raw"]
                each |= {"choice": {"A": "first", "B": "second"}[said]}
            found.append(each | {"id": f"{case}{letter}"})
    return found


SAID = "ABABABBBABAA"


def test_a_whole_run_of_short_replies_is_known_by_any_name(db: None) -> None:
    """All of it, with one turned, in another set, and with its texts left out."""
    gold_set, copy = make_set(12), make_set(12, name="copy")
    take(gold_set, short(SAID))
    one = short(SAID)
    one[0]["raw"] = "[[C]]"
    found = [
        take(gold_set, short(SAID), LATER, judge="other"),
        take(gold_set, one, LATER, judge="another"),
        take(copy, short(SAID), LATER, judge="third"),
        take(gold_set, short(SAID, bare=True), LATER, judge="bare", use_choice=True),
    ]
    assert [known_since(run) for run in found] == [START] * 4
    policy = frozen_policy(name="after", document=LOOSE, by=None, now=START + HOUR)
    with pytest.raises(Conflict, match="that an earlier run had too"):
        refuse_policy(policy, found[0])


def test_a_judge_that_often_says_the_same_is_another(db: None) -> None:
    gold_set = make_set(12)
    take(gold_set, short(SAID))
    take(gold_set, short(f"{SAID[:6]}AAAAAA"), START + HOUR, judge="half")
    run = take(gold_set, short(f"{SAID[:10]}BB"), LATER, judge="other")
    assert known_since(run) == LATER
