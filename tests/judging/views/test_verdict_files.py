"""Verdicts from the browser: looked at, then imported, for leads only."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Exposure, ExposureKind, Upload
from config.accounts.roles import Role
from judging.models import JudgeConfig, Reply, Run
from judging.services.verdict_files import VerdictsPlan
from tests.annotation.factory import make_set

pytestmark = pytest.mark.django_db
ADDRESS = "/runs/import/"


@pytest.fixture(autouse=True)
def var_dir(tmp_path, settings):
    settings.VAR_DIR = tmp_path


@pytest.fixture
def gold_set(db):
    return make_set(2)


def row(case=0, order="baseline_first", **more):
    return {"case_id": f"case-{case:04d}", "systems": ["v12", "v13"], "order": order,
            "raw": "1", **more}  # fmt: skip


def send(client, gold_set, *rows, **fields):
    lines = "\n".join(json.dumps(each) for each in rows).encode()
    return client.post(
        ADDRESS,
        {
            "judge": "told",
            "gold_set": gold_set.name,
            "reader": "evenhand",
            "verdict_format": "choice_123",
            "combining_rule": "agree_else_tie",
            "sent": [SimpleUploadedFile("verdicts.jsonl", lines)],
            **fields,
        },
    )


def shown(client, address):
    reply = client.get(address)
    assert reply.status_code == 200
    return " ".join(reply.content.decode().split())


ROWS = [row(), row(order="candidate_first", raw="2"), row(1, raw="nothing of use")]


def test_a_file_is_looked_at_and_then_imported(lead_client, gold_set):
    sent = send(lead_client, gold_set, *ROWS)
    assert sent.status_code == 302
    page = shown(lead_client, sent.url)
    assert "3 replies will become a finished run" in page
    assert "read by choice_123" in page
    assert "1 of 3" in page
    assert not Run.objects.exists()
    assert not JudgeConfig.objects.exists()
    assert not Exposure.objects.exists()
    done = lead_client.post(f"{sent.url}confirm", follow=True)
    run = Run.objects.get()
    assert done.redirect_chain[-1][0] == f"/runs/{run.pk}/"
    assert f"3 replies are imported as run {run.pk}." in done.content.decode()
    assert Reply.objects.filter(call__run=run, invalid_reason="unparsed").count() == 1
    assert run.created_by.username == "lead"
    assert not Upload.objects.exists()


def test_whoever_imports_verdicts_has_seen_them(lead_client, gold_set):
    sent = send(lead_client, gold_set, *ROWS)
    lead_client.post(f"{sent.url}confirm")
    seen = Exposure.objects.filter(kind=ExposureKind.VERDICTS)
    assert {each.pair_id for each in seen} == {p.pk for p in gold_set.pairs.all()}
    assert {each.user.username for each in seen} == {"lead"}


def test_the_same_file_again_changes_nothing(lead_client, gold_set):
    for _ in range(2):
        sent = send(lead_client, gold_set, *ROWS)
        page = shown(lead_client, sent.url)
        lead_client.post(f"{sent.url}confirm")
    assert f"were imported already, as run {Run.objects.get().pk};" in page


def test_every_bad_row_is_named_and_nothing_imported(lead_client, gold_set):
    sent = send(lead_client, gold_set, row(), row(9), row(order="sideways"))
    page = shown(lead_client, sent.url)
    assert "Nothing can be imported: 2 errors." in page
    assert "case-0009" in page
    assert "Import 3" not in page
    again = lead_client.post(f"{sent.url}confirm", follow=True).content.decode()
    assert "Nothing was imported; see below why." in again
    assert not Run.objects.exists()


def test_stated_choices_are_taken_where_that_was_chosen(lead_client, gold_set):
    rows = [row(choice="second", raw="1"), row(order="candidate_first", choice="tie")]
    sent = send(lead_client, gold_set, *rows, verdict_format="stated")
    page = shown(lead_client, sent.url)
    assert "own choices are taken, and marked so" in page
    assert "2 stated choices are not what the text says" in page
    lead_client.post(f"{sent.url}confirm")
    replies = Reply.objects.order_by("pk")
    assert [(r.choice, r.choice_was_stored) for r in replies] == [
        ("second", True),
        ("tie", True),
    ]
    lacking = send(lead_client, gold_set, row(), verdict_format="stated")
    assert "choice: missing" in shown(lead_client, lacking.url)


def test_the_format_has_its_options(lead_client, gold_set):
    options = {"place": "json_field", "field": "verdict"}
    rows = [row(raw='{"verdict": "[[B]]"}')]
    sent = send(
        lead_client,
        gold_set,
        *rows,
        verdict_format="ab_bracket",
        format_options=json.dumps(options),
    )
    lead_client.post(f"{sent.url}confirm")
    assert Reply.objects.get().choice == "second"
    assert JudgeConfig.objects.get().spec["format_options"] == options


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"verdict_format": ""}, "This field is required."),
        ({"verdict_format": "regex"}, "pattern"),
        ({"format_options": '{"place": "up"}'}, "choice_123 takes none"),
        ({"verdict_format": "stated", "format_options": "{}"}, ""),
        ({"verdict_format": "stated", "format_options": '{"a": 1}'},
         "Only a format has options."),
        ({"answers": "v12"}, "name the systems of the first and the second answer"),
        ({"combining_rule": "any"}, "Select a valid choice."),
    ],
)  # fmt: skip
def test_what_can_not_be_is_said_at_once(lead_client, gold_set, fields, words):
    sent = send(lead_client, gold_set, row(choice="first"), **fields)
    if not words:
        assert sent.status_code == 302
        return
    assert sent.status_code == 400
    assert words in sent.content.decode()
    assert not Upload.objects.exists()


def test_an_upload_is_thrown_away(lead_client, gold_set):
    sent = send(lead_client, gold_set, *ROWS)
    lead_client.post(f"{sent.url}discard")
    assert not Upload.objects.exists()
    assert lead_client.get(sent.url).status_code == 404


def test_uploads_of_cases_and_of_verdicts_are_kept_apart(lead_client, gold_set):
    verdicts = send(lead_client, gold_set, *ROWS)
    other = lead_client.post(
        "/imports/",
        {
            "kind": "labels",
            "reader": "evenhand",
            "gold_set": gold_set.name,
            "labels_per_pair": "3",
            "sent": [SimpleUploadedFile("labels.jsonl", b"{}")],
        },
    )
    token = other.url.rstrip("/").rsplit("/", 1)[1]
    assert lead_client.get(f"{ADDRESS}{token}/").status_code == 404
    token = verdicts.url.rstrip("/").rsplit("/", 1)[1]
    assert lead_client.get(f"/imports/{token}/").status_code == 404


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADJUDICATOR, Role.AUDITOR])
def test_nobody_else_imports(client, make_user, lead_client, gold_set, role):
    sent = send(lead_client, gold_set, *ROWS)
    client.force_login(make_user("other", role))
    assert client.get(ADDRESS).status_code == 403
    assert send(client, gold_set, *ROWS).status_code == 403
    for path in ("", "confirm", "discard"):
        reply = client.post(sent.url + path) if path else client.get(sent.url)
        assert reply.status_code == 403
    assert not Run.objects.exists()


def test_another_leads_upload_is_not_there(client, make_user, lead_client, gold_set):
    sent = send(lead_client, gold_set, *ROWS)
    client.force_login(make_user("second", Role.LEAD))
    assert client.get(sent.url).status_code == 404


def test_a_plan_comes_back_as_it_was_stored(lead_client, gold_set):
    send(lead_client, gold_set, *ROWS)
    stored = Upload.objects.get().plan
    assert VerdictsPlan.restored(stored).stored() == stored
