"""Pairs kept out of rounds, and let in again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.hygiene import Check
from annotation.models import GoldSet, Pair, SetAside
from annotation.services.hygiene import check_set
from annotation.services.set_aside import lift, set_aside, set_aside_all
from config.errors import InvalidInput, NotFound
from tests.annotation.factory import START, make_set
from tests.annotation.hygiene_rows import load_leaky

if TYPE_CHECKING:
    from annotation.services.hygiene import SetFindings
    from config.accounts.models import User


@pytest.fixture
def leaky(db: None) -> GoldSet:
    return load_leaky()


def check(gold_set: GoldSet) -> SetFindings:
    return check_set(gold_set=gold_set, by=None, now=START)


def pairs_of(gold_set: GoldSet, *cases: str) -> list[int]:
    rows = Pair.objects.filter(gold_set=gold_set, case__external_id__in=cases)
    return list(rows.values_list("pk", flat=True))


class TestSettingAside:
    def test_keeps_pairs_out_of_checks_and_in_the_count(
        self, leaky: GoldSet, lead: User
    ) -> None:
        pairs = pairs_of(leaky, "case-00", "case-01")
        given = {"gold_set": leaky, "reason": "identity-leaks", "now": START}
        assert set_aside(pair_ids=pairs, by=lead, **given) == 2  # type: ignore[arg-type]  # as given
        assert set_aside(pair_ids=pairs[:1], by=lead, **given) == 0  # type: ignore[arg-type]  # as given
        found = check(leaky)
        assert [f.cases for f in found.of(Check.IDENTITY_LEAKS).findings] == [
            ("case-02",)
        ]
        assert (found.pairs, found.set_aside) == (2, 2)

    def test_all_of_a_check(self, leaky: GoldSet) -> None:
        given: dict[str, Any] = {"gold_set": leaky, "by": None, "now": START}
        with pytest.raises(InvalidInput):
            set_aside_all(reason="identity-leaks", **given)
        check(leaky)
        assert set_aside_all(reason="identity-leaks", **given) == 3
        assert Pair.objects.filter(gold_set=leaky).usable().count() == 1

    def test_lifting_brings_them_back_and_they_can_go_again(
        self, leaky: GoldSet, lead: User
    ) -> None:
        pairs = pairs_of(leaky, "case-00")
        given: dict[str, Any] = {"gold_set": leaky, "by": lead, "now": START}
        set_aside(pair_ids=pairs, reason="by-hand", **given)
        assert lift(pair_ids=pairs, **given) == 1
        assert lift(pair_ids=pairs, **given) == 0
        assert set_aside(pair_ids=pairs, reason="by-hand", **given) == 1
        rows = SetAside.objects.order_by("pk").values_list("lifted_by", flat=True)
        assert list(rows) == [lead.pk, None]

    @pytest.mark.parametrize(
        ("pairs", "rest", "error"),
        [
            ([], {}, InvalidInput),
            ([1], {"reason": "dislike"}, InvalidInput),
            ([1], {"note": "n" * 2001}, InvalidInput),
            ([10**9], {}, NotFound),
        ],
    )
    def test_refusals(
        self,
        leaky: GoldSet,
        pairs: list[int],
        rest: dict[str, str],
        error: type[Exception],
    ) -> None:
        given: dict[str, Any] = {"reason": "by-hand", **rest}
        with pytest.raises(error):
            set_aside(gold_set=leaky, pair_ids=pairs, by=None, now=START, **given)

    def test_pairs_of_another_set_are_not_touched(self, leaky: GoldSet) -> None:
        other = Pair.objects.filter(gold_set=make_set(cases=1)).get()
        given: dict[str, Any] = {"gold_set": leaky, "by": None, "now": START}
        with pytest.raises(NotFound):
            set_aside(pair_ids=[other.pk], reason="by-hand", **given)
        SetAside.objects.create(pair=other, reason="by-hand", set_aside_at=START)
        assert lift(pair_ids=[other.pk], **given) == 0
