"""Judges on pages: who may see and change them, and what a draft goes through."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Exposure, Pair
from judging.models import JudgeConfig
from judging.services.configuring import draft_judge, spec_of
from judging.services.drafting import ensure_provider
from judging.services.editing import copy_to_draft
from judging.views import judges as judge_views
from tests.annotation.factory import START, make_set
from tests.judging.domain.specs import a_spec
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.forms.test_judges import sent

pytestmark = pytest.mark.django_db

PREVIEW = "/judges/preview"


def page(client, path, status=200):
    reply = client.get(path)
    assert reply.status_code == status, reply.content
    return " ".join(reply.content.decode().split())


def spec_at(*args, address=ADDRESS, **changes):
    ensure_provider(alias="local", base_url=address)
    return a_spec(*args, base_url=address, **changes)


def a_draft(**changes):
    return draft_judge(name="judge", spec=spec_at(**changes), by=None, now=START)


def url_of(config, action=""):
    return f"/judges/{config.name}/{config.version}/{action}"


class TestRoles:
    READ = ("", "shown")
    WRITE = ("edit", "freeze", "copy", "retire", "test")

    def test_leads_and_auditors_read(self, lead_client, auditor_client):
        config = make_judge(ADDRESS)
        for client in (lead_client, auditor_client):
            for path in (
                "/judges/",
                "/providers/",
                *(url_of(config, a) for a in self.READ),
            ):
                page(client, path)

    def test_auditors_change_nothing(self, auditor_client):
        config = a_draft()
        for action in self.WRITE:
            assert auditor_client.post(url_of(config, action)).status_code == 403
        for path in ("/judges/new/", "/judges/preview", "/providers/", "/runs/new/"):
            assert auditor_client.post(path).status_code == 403
        text = page(auditor_client, url_of(config))
        for word in ("Freeze</button>", "Retire", "Copy to", ">Edit<", "Test the"):
            assert word not in text
        assert JudgeConfig.objects.count() == 1

    def test_reviewers_and_adjudicators_are_refused(
        self, reviewer_client, adjudicator_client, client
    ):
        config = make_judge(ADDRESS)
        for path in ("/judges/", "/judges/new/", "/providers/", url_of(config)):
            assert reviewer_client.get(path).status_code == 403
            assert adjudicator_client.get(path).status_code == 403
            assert client.get(path).status_code == 302


class TestPages:
    def test_lines_show_versions_states_and_digests(self, lead_client):
        frozen = make_judge(ADDRESS)
        copy_to_draft(config=frozen, by=None, now=START)
        text = page(lead_client, "/judges/")
        assert frozen.digest[:12] in text
        assert text.index("judge v2</a>") < text.index("v1</a>")
        assert all(f">{state}</span>" in text for state in ("draft", "frozen"))

    def test_judges_are_one_table_newest_first_with_older_versions_folded(
        self, lead_client
    ):
        frozen = make_judge(ADDRESS)
        later = START + timedelta(days=1)
        draft_judge(name="apart", spec=spec_at(), by=None, now=later)
        copy_to_draft(config=frozen, by=None, now=START)
        text = page(lead_client, "/judges/")
        assert text.count("<table>") == text.count("<details>") == 1
        assert text.index("apart v1</a>") < text.index("judge v2</a>")
        assert text.index("<details>") < text.index("v1</a>", text.index("<details>"))
        assert "1 older" in text

    def test_a_version_shows_all_of_its_digest_and_its_runs(self, lead_client):
        config = make_judge(ADDRESS, rubric="Be <b>kind</b>.")
        text = page(lead_client, url_of(config))
        assert config.digest in text
        assert "Be &lt;b&gt;kind&lt;/b&gt;." in text
        assert "five_token/4" in text
        assert "It has not run yet." in text
        assert "Freeze</button>" not in text

    def test_an_unreadable_specification_is_no_crash(self, lead_client):
        JudgeConfig.objects.create(
            name="old", version=1, spec={"schema": "other/9"}, created_at=START,
            verdict_format="five_token", combining_rule="agree_else_tie",
            repeat_rule="mean",
        )  # fmt: skip
        assert "old v1" in page(lead_client, "/judges/old/1/")
        assert "be shown as a prompt" in page(lead_client, "/judges/old/1/shown")

    def test_unknown_ones_are_not_found(self, lead_client):
        page(lead_client, "/judges/nobody/1/", 404)

    def test_a_difference_names_settings_and_lines(self, lead_client):
        one = make_judge(ADDRESS)
        was = spec_of(one)
        spec = replace(was, params={"max_tokens": 7}, rubric=was.rubric + "\nMore.")
        draft_judge(name="judge", spec=spec, by=None, now=START)
        text = page(lead_client, "/judges/judge/1/2/")
        assert "Body fields: max_tokens" in text
        assert 'class="line-added"' in text
        assert "More." in text
        assert "Nothing differs" in page(lead_client, "/judges/judge/1/1/")


class TestDrafts:
    def test_a_lead_drafts_edits_freezes_copies_and_retires(self, lead_client, lead):
        spec = spec_at()
        data = sent(spec)
        data["name"] = "fresh"
        assert lead_client.post("/judges/new/", data)["Location"] == "/judges/fresh/1/"
        draft = JudgeConfig.objects.get()
        assert (draft.created_by, spec_of(draft)) == (lead, spec)

        assert "Edit fresh v1" in page(lead_client, "/judges/fresh/1/edit")
        lead_client.post("/judges/fresh/1/edit", sent(spec, model="other-model"))
        draft.refresh_from_db()
        assert spec_of(draft).model == "other-model"

        assert "Freeze</button>" in page(lead_client, "/judges/fresh/1/")
        lead_client.post("/judges/fresh/1/freeze")
        draft.refresh_from_db()
        assert draft.frozen_by == lead
        assert lead_client.get("/judges/fresh/1/edit").status_code == 409
        reply = lead_client.post("/judges/fresh/1/edit", sent(spec))
        assert reply.status_code == 409

        reply = lead_client.post("/judges/fresh/1/copy")
        assert reply["Location"] == "/judges/fresh/2/edit"
        lead_client.post("/judges/fresh/1/retire", {"reason": "Too dear."})
        text = page(lead_client, "/judges/fresh/1/")
        assert "Too dear." in text
        assert "Start a run</a>" not in text

    def test_a_draft_that_breaks_the_rules_is_kept_and_not_frozen(self, lead_client):
        config = a_draft(offers_abstain=False)
        text = page(lead_client, url_of(config))
        assert "abstain must be offered" in text
        assert "Freeze</button>" not in text
        reply = lead_client.post(url_of(config, "freeze"))
        assert reply.status_code == 409
        assert b"abstain must be offered" in reply.content

    def test_what_was_typed_stays_when_it_is_refused(self, lead_client):
        data = sent(spec_at(), extra="{oops")
        data["name"] = "fresh"
        reply = lead_client.post("/judges/new/", data)
        assert reply.status_code == 400
        assert b"{oops" in reply.content
        assert b"is not JSON" in reply.content
        assert not JudgeConfig.objects.exists()

    def test_without_a_provider_the_way_to_one_is_shown(self, lead_client):
        assert "add one first" in page(lead_client, "/judges/new/")
        assert "add one first" in page(lead_client, "/judges/")


def dev_set(cases=3, **splits):
    gold_set = make_set(cases)
    gold_set.cases.update(split="dev")
    for external_id, split in splits.items():
        gold_set.cases.filter(external_id=external_id.replace("_", "-")).update(
            split=split
        )
    return gold_set


class TestPreview:
    def ask(self, client, spec, gold_set="", number=1, **changes):
        data = sent(spec, **changes)
        data["pair-gold_set"], data["pair-number"] = gold_set, str(number)
        reply = client.post(PREVIEW, data)
        assert reply.status_code == 200
        return reply.content.decode()

    def test_both_orders_with_fences_and_the_lint(self, lead_client):
        text = self.ask(lead_client, spec_at(offers_abstain=False))
        assert text.count("&lt;&lt;&lt;BEGIN") >= 6
        first, second = text.split("Candidate first</h3>")
        assert first.rindex("Canberra.") < first.index("It is Sydney.")
        assert second.index("It is Sydney.") < second.rindex("Canberra.")
        assert "abstain must be offered" in text
        assert not Exposure.objects.exists()

    def test_a_dev_pair_is_shown_and_noted(self, lead_client, lead):
        gold_set = dev_set(2)
        text = self.ask(lead_client, spec_at(), gold_set.name, 2)
        assert "case-0001, dev pair 2 of 2" in text
        assert "Please answer request number 0001." in text
        seen = Exposure.objects.get()
        assert (seen.user, seen.kind) == (lead, "systems")
        assert seen.pair.case.external_id == "case-0001"

    def test_a_held_out_pair_is_never_shown(self, lead_client):
        gold_set = dev_set(2, case_0001="held_out")
        text = self.ask(lead_client, spec_at(), gold_set.name, 1)
        assert "case-0000, dev pair 1 of 1" in text
        assert "number 0001" not in text
        text = self.ask(lead_client, spec_at(), gold_set.name, 2)
        assert "must be 1 to 1, the dev pairs of" in text
        assert "number 0001" not in text

    def test_nor_one_that_is_held_out_in_another_set(self, lead_client):
        gold_set, other = dev_set(1), dev_set(1, case_0000="held_out")
        assert Pair.objects.values("digest").distinct().count() == 1
        assert other.name != gold_set.name
        text = self.ask(lead_client, spec_at(), gold_set.name)
        assert "A built-in example." in text

    def test_what_is_not_complete_is_said(self, lead_client):
        text = self.ask(lead_client, spec_at(), limit="")
        assert "Not complete yet" in text
        assert "Output limit, in tokens" in text

    def test_a_prompt_shows_before_a_model_is_chosen(self, lead_client):
        text = self.ask(lead_client, spec_at(), model="")
        assert "&lt;&lt;&lt;BEGIN" in text
        assert "must not be empty" in text
        assert "must not be empty" not in self.ask(lead_client, spec_at())

    def test_a_broken_template_is_said_not_raised(self, lead_client):
        text = self.ask(lead_client, spec_at(), user_template="{{#context}} {{first}}")
        assert "Nothing would be sent" in text

    def test_a_name_of_a_system_is_found_while_typing(self, lead_client):
        make_set(1, systems=("aardvark", "badger"))
        text = self.ask(lead_client, spec_at(), rubric="Prefer badger.")
        assert "names the system" in text

    def test_names_resolve(self):
        assert reverse("judging:preview") == PREVIEW


def test_many_judges_are_listed_in_pages(lead_client, monkeypatch):
    monkeypatch.setattr(judge_views, "PAGE", 2)
    for number in range(5):
        make_judge(ADDRESS, name=f"judge-{number}")
    first = page(lead_client, "/judges/")
    assert "page 1 of 3" in first
    assert 'href="?page=2"' in first
    listed = [
        name
        for number in (1, 2, 3)
        for name in re.findall(
            r"/judges/(judge-\d)/1/", page(lead_client, f"/judges/?page={number}")
        )
    ]
    assert sorted(listed) == [f"judge-{number}" for number in range(5)]
    assert page(lead_client, "/judges/?page=99").count("/judges/judge-") == 1


@pytest.mark.parametrize("number", ["x", "0", "-1", "999"])
def test_a_pair_number_that_there_is_none_of_is_said(lead_client, number):
    config, gold_set = make_judge(ADDRESS), dev_set(2)
    there = "shown?gold_set=" + gold_set.name
    assert "dev pair 2 of 2" in page(lead_client, url_of(config, f"{there}&number=2"))
    text = page(lead_client, url_of(config, f"{there}&number={number}"))
    assert "number: " in text
    assert "dev pair" not in text.replace("the dev pairs of", "")
    assert "built-in example" not in text
    data = {**sent(spec_at()), "pair-gold_set": gold_set.name, "pair-number": number}
    shown = lead_client.post(PREVIEW, data).content.decode()
    assert "number: " in shown
    assert "built-in example" not in shown
