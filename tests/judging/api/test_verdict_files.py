"""Verdicts over the API: as on the page, in one request."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Upload
from config.accounts.roles import Role
from judging.models import JudgeConfig, Reply, Run
from tests.annotation.factory import make_set
from tests.judging.factory import ADDRESS as HOST
from tests.judging.factory import make_judge
from tests.judging.views.test_verdict_files import ROWS, row

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/runs/import/"


@pytest.fixture(autouse=True)
def var_dir(tmp_path, settings):
    settings.VAR_DIR = tmp_path


@pytest.fixture
def gold_set(db):
    return make_set(2)


def send(client, gold_set, *rows, **fields):
    lines = "\n".join(json.dumps(each) for each in rows).encode()
    wish = {"judge": "told", "gold_set": gold_set.name, "verdict_format": "choice_123"}
    file = SimpleUploadedFile("verdicts.jsonl", lines)
    reply = client.post(ADDRESS, {**wish, "sent": [file], **fields})
    return reply.status_code, reply.json()


COUNTS = {
    "known": False, "calls": 3, "invalid": 1, "contradicting": 0, "sealed": 0,
    "pairs_without": 0, "missing": 1,
}  # fmt: skip


def test_a_dry_run_says_what_would_come_of_it_and_writes_nothing(lead_client, gold_set):
    found = send(lead_client, gold_set, *ROWS, dry_run="true")
    assert found == (200, {"run": None, **COUNTS})
    assert not Run.objects.exists()
    assert not JudgeConfig.objects.exists()
    assert not Upload.objects.exists()


def test_they_become_a_finished_run_once(lead_client, gold_set):
    status, said = send(lead_client, gold_set, *ROWS)
    run = Run.objects.get()
    assert (status, said) == (201, {"run": run.pk, **COUNTS})
    assert run.created_by.username == "lead"
    again = send(lead_client, gold_set, *ROWS)
    assert again == (200, {"run": run.pk, **COUNTS, "known": True})
    assert Reply.objects.count() == 3
    assert not Upload.objects.exists()


@pytest.mark.parametrize("dry_run", ["true", "false"])
def test_bad_rows_are_named(lead_client, gold_set, dry_run):
    status, said = send(lead_client, gold_set, row(), row(9), dry_run=dry_run)
    assert (status, said["code"]) == (400, "import_refused")
    assert "line 2, case_id" in said["message"]
    assert not Run.objects.exists()
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"verdict_format": "stars"}, "verdict_format: Select a valid choice"),
        ({"gold_set": "nowhere"}, "gold_set: Select a valid choice"),
        ({"verdict_format": "regex"}, "format_options: "),
        ({"judge": "no name"}, "judge: "),
        ({"dry_run": "perhaps"}, "dry_run"),
    ],
)
def test_what_can_not_be_is_refused(lead_client, gold_set, fields, words):
    wish = {"judge": "told", "gold_set": gold_set.name, "verdict_format": "choice_123"}
    file = SimpleUploadedFile("verdicts.jsonl", json.dumps(row()).encode())
    reply = lead_client.post(ADDRESS, {**wish, "sent": [file], **fields})
    assert reply.status_code == 400
    assert words in json.dumps(reply.json())
    assert not Run.objects.exists()


def test_files_are_needed(lead_client, gold_set):
    wish = {"judge": "told", "gold_set": gold_set.name, "verdict_format": "choice_123"}
    reply = lead_client.post(ADDRESS, wish)
    assert reply.status_code == 400
    assert "choose at least one file" in reply.json()["message"]


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADJUDICATOR, Role.AUDITOR])
def test_nobody_else_imports(client, make_user, gold_set, role):
    client.force_login(make_user("other", role))
    assert send(client, gold_set, *ROWS)[0] == 403
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("nonsense", "1", "there is no such field"),
        ("file", "x", "there is no such field"),
        ("combining_rule", "mine", "Select a valid choice"),
    ],
)
def test_a_refusal_names_the_field_as_it_is_sent(
    lead_client, gold_set, field, value, why
):
    status, said = send(lead_client, gold_set, *ROWS, **{field: value})
    assert status == 400
    assert said["message"].startswith(f"{field}: ")
    assert why in said["message"]
    assert said["detail"] == {"field": field}
    assert not Run.objects.exists()


def test_files_that_are_missing_are_asked_for_by_the_name_of_their_field(
    lead_client, gold_set
):
    wish = {"judge": "told", "gold_set": gold_set.name, "verdict_format": "choice_123"}
    said = lead_client.post(ADDRESS, wish).json()
    assert said["detail"] == {"field": "sent"}


def test_a_line_of_an_asked_judge_is_not_taken_over(lead_client, gold_set):
    make_judge(HOST, name="asked")
    for dry in ("true", "false"):
        status, said = send(lead_client, gold_set, *ROWS, judge="asked", dry_run=dry)
        assert (status, said["code"]) == (409, "judge_not_recorded")
    assert JudgeConfig.objects.get().version == 1
