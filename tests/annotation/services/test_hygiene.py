"""The checks of a set: each finds what is planted, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.hygiene import Check, Severity
from annotation.models import GoldSet, Pair, SetAside, SetCheck, System
from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.hygiene import SetFindings, check_set, last_check
from annotation.services.importing import Source, import_pairs
from annotation.services.set_aside import lift, set_aside, set_aside_all
from config.errors import InvalidInput, NotFound
from tests.annotation.factory import START, add_case, make_set

if TYPE_CHECKING:
    from config.accounts.models import User

KETTLE = (
    "I ordered a blue kettle last week and it arrived with a broken lid. The shop says "
    "I must send photos first. How do I get my money back without a receipt"
)
TOPICS = (
    "blue kettles", "train tickets", "garden chairs", "old novels", "winter boots",
    "bread ovens", "school maps", "phone cables", "wool carpets", "paper lamps",
)  # fmt: skip


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A case without fault; the systems take turns at the longer reply."""
    topic = TOPICS[number % 10]
    names = ("v12", "v13") if number % 2 else ("v13", "v12")
    replies = (f"You find {topic} on floor {number}.", f"Floor {number} has {topic}.")
    given: dict[str, Any] = {
        "case_id": f"case-{number:02d}",
        "prompt": f"Where do I find {topic} in shop number {number}, and till when?",
        "slices": {"language": "en"},
        "responses": dict(zip(names, replies, strict=True)),
    }
    return given | changes


def load(*rows: dict[str, Any], name: str = "shop") -> GoldSet:
    lines = "\n".join(json.dumps(one) for one in rows).encode()
    plan = SetPlan(name=name, systems=("v12", "v13"))
    import_pairs(plan=plan, source=Source(lines, "x.jsonl"), by=None, now=START)
    return gold_set_named(name)


def check(gold_set: GoldSet) -> SetFindings:
    return check_set(gold_set=gold_set, by=None, now=START)


def found_in(found: SetFindings) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    return {
        result.check.value: [(f.cases, f.detail) for f in result.findings]
        for result in found.results
        if result.count
    }


@pytest.mark.django_db
class TestEachCheck:
    def only(self, *rows: dict[str, Any]) -> tuple[str, tuple[str, ...], str]:
        """The one finding in a set of ten good rows and these."""
        found = found_in(check(load(*[row(n) for n in range(10)], *rows)))
        [(name, [(cases, detail)])] = found.items()
        return name, cases, detail

    def test_a_clean_set_has_none(self):
        assert found_in(check(load(*[row(n) for n in range(10)]))) == {}

    def test_empty(self):
        gold_set = make_set(cases=0)  # an import refuses it
        add_case(gold_set, list(gold_set.systems.all()), "blank", texts=["Yes.", " "])
        [(cases, detail)] = found_in(check(gold_set))["empty-responses"]
        assert (cases, detail) == (("blank",), "v13 answers nothing")

    def test_identity_leak_by_alias_given_later(self):
        leak = row(11)
        leak["responses"]["v13"] = "As Heron I can say: on floor 11."
        gold_set = load(leak)
        assert "identity-leaks" not in found_in(check(gold_set))
        System.objects.filter(name="v12").update(aliases=["heron"])
        [(cases, detail)] = found_in(check(gold_set))["identity-leaks"]
        assert cases == ("case-11",)
        assert detail == "v13 names 'heron': As Heron I can say: on floor 11."

    def test_identical(self):
        same = {"v12": "On floor 11.", "v13": "On floor 11."}
        tie = {"responses": {"v12": "Yes, 12.", "v13": "Yes, 12."}, "designed": "tie"}
        assert self.only(row(11, responses=same), row(12, **tie)) == (
            "identical-responses",
            ("case-11",),
            "v12 and v13 answer the same",
        )

    def test_marked_as_cut_off(self):
        meta = {"v12": {"finish_reason": "length"}}
        assert self.only(row(11, response_meta=meta)) == (
            "truncated-responses",
            ("case-11",),
            "v12: finish_reason=length",
        )

    def test_looks_cut_off(self):
        cut = row(11)
        cut["responses"]["v12"] = (
            "We looked into your order. It left our store on Monday and is on its way. "
            "You can follow it with the"
        )
        name, cases, detail = self.only(cut)
        assert (name, cases) == ("cut-off-looks", ("case-11",))
        assert detail == "v12: it ends with the word 'the'"

    def test_evidence_and_attempts(self):
        evidence = {"v12": {"evidence_sha256": "a"}, "v13": {"evidence_sha256": "b"}}
        assert self.only(row(11, response_meta=evidence))[0] == "evidence-differs"

    def test_attempts(self):
        attempts = {"v12": {"attempts": 1}, "v13": {"attempts": 3}}
        assert self.only(row(11, response_meta=attempts))[0] == "attempts-differ"

    def test_scripts(self):
        other = row(11)
        other["responses"]["v13"] = "Вы найдете чайники на одиннадцатом этаже."
        assert self.only(other) == (
            "languages",
            ("case-11",),
            "the prompt is in Latin, v13 answers in Cyrillic",
        )

    def test_lengths(self):
        rows = [row(n) for n in range(30)]
        for one in rows:
            one["responses"]["v13"] = one["responses"]["v13"] * 3
        found = check(load(*rows))
        [finding] = found.of(Check.LENGTHS).findings
        assert finding.detail.startswith("v13 writes longer than v12: ")
        [balance] = found.lengths
        assert balance.is_unbalanced
        assert (balance.candidate_longer, balance.pairs) == (30, 30)


@pytest.mark.django_db
class TestAlike:
    def findings(self, *rows: dict[str, Any]) -> dict[str, Any]:
        return found_in(check(load(*[row(n) for n in range(10)], *rows)))

    def test_near_duplicates_in_no_split(self):
        found = self.findings(
            row(11, prompt=f"{KETTLE} 1?"), row(12, prompt=f"{KETTLE} 2?")
        )
        [(cases, detail)] = found["near-duplicates"]
        assert cases == ("case-11", "case-12")
        assert detail == "the prompts share 94% of their wording"

    def test_near_duplicates_across_splits_block(self):
        found = self.findings(
            row(11, prompt=f"{KETTLE} 1?", split="dev"),
            row(12, prompt=f"{KETTLE} 2?", split="held_out"),
        )
        [(cases, detail)] = found["split-leaks"]
        assert cases == ("case-11", "case-12")
        assert detail.endswith("; in different splits")
        assert Check.SPLIT_LEAKS.severity is Severity.BLOCKS

    def test_one_group_is_meant_to_be_alike(self):
        tied = {"prompt": f"{KETTLE}?", "group": "kettle"}
        assert self.findings(row(11, **tied), row(12, **tied)) == {}

    def test_the_same_texts_under_two_ids(self):
        twice = {"prompt": f"{KETTLE}?", "context": "A shop."}
        found = self.findings(row(11, **twice), row(12, **twice))
        assert found == {
            "repeated-cases": [(("case-11", "case-12"), "2 cases with the same texts")]
        }

    def test_the_same_prompt_with_another_context_is_near(self):
        found = self.findings(
            row(11, prompt=f"{KETTLE}?", context="A shop."),
            row(12, prompt=f"{KETTLE}?", context="A market."),
        )
        assert list(found) == ["near-duplicates"]

    def test_a_group_in_both_splits_blocks(self):
        gold_set = load(
            row(1, group="thread", split="dev"), row(2, group="thread", split="dev")
        )
        gold_set.cases.filter(external_id="case-02").update(split="held_out")
        [(cases, detail)] = found_in(check(gold_set))["split-leaks"]
        assert cases == ("case-01", "case-02")
        assert "'thread'" in detail


@pytest.fixture
def leaky(db: None) -> GoldSet:
    rows = [row(n) for n in range(4)]
    for one in rows[:3]:
        one["responses"]["v12"] = f"As v12 I say floor {one['case_id']}."
    return load(*rows)


def pairs_of(gold_set: GoldSet, *cases: str) -> list[int]:
    rows = Pair.objects.filter(gold_set=gold_set, case__external_id__in=cases)
    return list(rows.values_list("pk", flat=True))


class TestKeeping:
    def test_what_was_found_is_kept_as_it_was(self, leaky: GoldSet, lead: User) -> None:
        now = check_set(gold_set=leaky, by=lead, now=START)
        assert last_check(leaky) == now
        assert now.checked_by == lead
        assert (now.cases, now.pairs, now.stale) == (4, 4, False)
        assert now.count(Severity.BLOCKS) == 3

    def test_changed_splits_and_new_cases_make_it_stale(self, leaky: GoldSet) -> None:
        check(leaky)
        leaky.cases.filter(external_id="case-00").update(split="dev")
        found = last_check(leaky)
        assert found is not None
        assert found.stale
        check(leaky)
        load(row(77), name=leaky.name)
        again = last_check(leaky)
        assert again is not None
        assert again.stale

    def test_all_are_counted_and_some_are_kept(
        self, leaky: GoldSet, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotation.services.hygiene.MOST_KEPT", 2)
        result = check(leaky).of(Check.IDENTITY_LEAKS)
        assert (result.count, len(result.findings)) == (3, 2)

    def test_an_empty_set_is_refused_and_an_unchecked_one_has_none(
        self, db: None
    ) -> None:
        gold_set = make_set(cases=0)
        assert last_check(gold_set) is None
        with pytest.raises(InvalidInput):
            check(gold_set)
        assert not SetCheck.objects.exists()

    def test_as_many_queries_for_any_size(self, db: None) -> None:
        few, many = load(*map(row, range(3))), load(*map(row, range(90)), name="large")
        with CaptureQueriesContext(connection) as small:
            check(few)
        with CaptureQueriesContext(connection) as large:
            check(many)
        assert len(small) == len(large)


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
