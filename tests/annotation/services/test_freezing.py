"""Gold versions: what they hold, what they refuse, and that they stay the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome, Split
from annotation.domain.rulings import RulingCategory
from annotation.models import Case, GoldItem, GoldVersion, Label, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold, gold_digest, standings
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START, Clock, make_set

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User

MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
B, C, T = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE


def say(pair: Pair, *outcomes: Outcome, revision: int = 1) -> None:
    Label.objects.bulk_create(
        Label(
            pair=pair,
            external_reviewer=f"outside-{number}",
            outcome=outcome.value,
            revision=revision,
            created_at=START,
        )
        for number, outcome in enumerate(outcomes)
    )


@pytest.fixture
def pairs(db: None) -> list[Pair]:
    """Settled for the candidate, settled as a tie, and disputed."""
    gold_set = make_set(cases=3, labels_per_pair=3)
    found = list(Pair.objects.filter(gold_set=gold_set).order_by("pk"))
    say(found[0], C, C, B)
    say(found[1], T, T, T)
    say(found[2], B, C, T)
    return found


@pytest.fixture
def gold_set(pairs: list[Pair]) -> GoldSet:
    return pairs[0].gold_set


def freeze(gold_set: GoldSet, *, leave_open: bool = False) -> GoldVersion:
    return freeze_gold(
        gold_set=gold_set, rule=MAJORITY, by=None, now=START, leave_open=leave_open
    )


def settle(pair: Pair, by: User, outcome: Outcome = T) -> None:
    opinion = Opinion(outcome, RulingCategory.GENUINELY_CLOSE, "Equal in all points.")
    adjudicate(pair=pair, opinion=opinion, by=by, now=START)


def test_open_pairs_are_refused_by_name_and_reason(gold_set: GoldSet) -> None:
    with pytest.raises(Conflict) as refusal:
        freeze(gold_set)
    assert refusal.value.code == "gold_open"
    message = refusal.value.message
    assert message.startswith("1 pair has no gold yet: case-0002 (v12|v13: disputed).")
    assert not GoldVersion.objects.exists()


def test_left_open_is_recorded_and_is_no_tie(gold_set: GoldSet) -> None:
    version = freeze(gold_set, leave_open=True)

    assert (version.number, version.pairs, version.left_open) == (1, 3, 1)
    items = GoldItem.objects.order_by("pair_id")
    assert [(i.outcome, i.source, i.open_reason) for i in items] == [
        ("candidate", "consensus", ""),
        ("tie", "consensus", ""),
        ("", "none", "disputed"),
    ]
    assert items[2].labels == ["baseline", "candidate", "tie"]


def test_a_ruling_settles_a_dispute_and_overrules_a_consensus(
    gold_set: GoldSet, pairs: list[Pair], adjudicator: User
) -> None:
    settle(pairs[2], adjudicator)
    settle(pairs[0], adjudicator, B)
    settle(pairs[0], adjudicator, T)
    version = freeze(gold_set)

    found = {i.pair_id: (i.outcome, i.source) for i in version.items.all()}
    assert found[pairs[2].pk] == ("tie", "adjudication")
    assert found[pairs[0].pk] == ("tie", "adjudication")
    assert version.left_open == 0


def test_the_same_gold_is_the_same_version(gold_set: GoldSet) -> None:
    first = freeze(gold_set, leave_open=True)
    assert freeze(gold_set, leave_open=True).pk == first.pk
    assert GoldVersion.objects.count() == 1


def test_a_new_revision_makes_a_new_version_and_the_old_one_stays(
    gold_set: GoldSet, pairs: list[Pair]
) -> None:
    old = freeze(gold_set, leave_open=True)
    say(pairs[2], C, revision=2)
    new = freeze(gold_set)

    assert (new.number, new.left_open) == (2, 0)
    assert new.digest != old.digest
    assert old.items.get(pair=pairs[2]).outcome == ""
    assert new.items.get(pair=pairs[2]).outcome == "candidate"


def test_the_digest_follows_content_not_row_order(gold_set: GoldSet) -> None:
    found = standings(gold_set, rule=MAJORITY)
    digest = gold_digest(gold_set, MAJORITY, found)

    assert gold_digest(gold_set, MAJORITY, reversed(found)) == digest
    assert gold_digest(gold_set, MAJORITY, found[:2]) != digest
    other = gold_digest(gold_set, ConsensusRule.MODE_OR_TIE, found)
    assert other != digest


def test_the_digest_follows_the_split(gold_set: GoldSet) -> None:
    before = freeze(gold_set, leave_open=True)
    Case.objects.filter(external_id="case-0000").update(split=Split.HELD_OUT.value)
    after = freeze(gold_set, leave_open=True)

    assert after.digest != before.digest
    assert after.items.filter(split="held_out").count() == 1
    assert not before.items.filter(split="held_out").exists()


@pytest.mark.parametrize(
    ("rule", "outcomes"),
    [
        (ConsensusRule.MAJORITY_ELSE_ADJUDICATE, [C, T, None]),
        (ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE, [None, T, None]),
        (ConsensusRule.MODE_OR_TIE, [C, T, T]),
    ],
)
def test_each_rule_gives_its_gold(
    rule: ConsensusRule, outcomes: list[Outcome | None], gold_set: GoldSet
) -> None:
    found = standings(gold_set, rule=rule)
    assert [standing.outcome for standing in found] == outcomes


def test_a_set_without_pairs_has_no_gold(db: None) -> None:
    with pytest.raises(InvalidInput) as refusal:
        freeze(make_set(cases=0))
    assert refusal.value.code == "gold_empty"


def test_a_pair_with_too_few_labels_says_so(gold_set: GoldSet, clock: Clock) -> None:
    say(Pair.objects.filter(gold_set=make_set(cases=1)).get(), C, C)
    [standing] = standings(Pair.objects.latest("pk").gold_set, rule=MAJORITY)
    assert (standing.outcome, standing.open_reason) == (None, "too_few_labels")


def test_freezing_reads_no_long_texts_and_asks_as_often_for_any_size(
    gold_set: GoldSet,
) -> None:
    large = make_set(cases=30)
    with CaptureQueriesContext(connection) as few:
        freeze(gold_set, leave_open=True)
    with CaptureQueriesContext(connection) as many:
        freeze(large, leave_open=True)

    assert len(many) == len(few)
    assert not [q for q in many if '"prompt"' in q["sql"] or '"text"' in q["sql"]]
