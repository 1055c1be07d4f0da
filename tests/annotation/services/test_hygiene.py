"""The checks of a set: each finds what is planted, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.hygiene import Check, Severity
from annotation.models import GoldSet, SetCheck, System
from annotation.services.hygiene import SetFindings, check_set, last_check
from config.errors import InvalidInput
from tests.annotation.factory import START, add_case, make_set
from tests.annotation.hygiene_rows import KETTLE, load, load_leaky, row

if TYPE_CHECKING:
    from config.accounts.models import User


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

    def test_a_text_that_no_import_takes_stops_nothing(self):
        gold_set = make_set(cases=0)
        odd = [{"role": "user", "content": "Where is it?", "name": "v12"}]
        systems = list(gold_set.systems.all())
        add_case(gold_set, systems, "odd", texts=[odd, "Over there."], prompt=odd)
        [(cases, detail)] = found_in(check(gold_set))["identity-leaks"]
        assert cases == ("odd",)
        assert detail.startswith("v12 names 'v12': ")

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
        assert Check.SPLIT_LEAKS.severity is Severity.SETTLE_FIRST

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
    return load_leaky()


class TestKeeping:
    def test_what_was_found_is_kept_as_it_was(self, leaky: GoldSet, lead: User) -> None:
        now = check_set(gold_set=leaky, by=lead, now=START)
        assert last_check(leaky) == now
        assert now.checked_by == lead
        assert (now.cases, now.pairs, now.stale) == (4, 4, False)
        assert now.count(Severity.SETTLE_FIRST) == 3

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
