"""Judges and providers over the API: the same services, the same refusals."""

from __future__ import annotations

import pytest

from judging.domain.digests import spec_digest, spec_to_json
from judging.models import JudgeConfig, Provider
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.views.test_judges import a_draft, spec_at

pytestmark = pytest.mark.django_db

API = "/api/v1"
JSON = "application/json"


def send(client, method, path, body=None):
    call = getattr(client, method)
    reply = call(API + path, body or {}, content_type=JSON)
    return reply.status_code, reply.json()


def get(client, path):
    reply = client.get(API + path)
    return reply.status_code, reply.json()


def test_the_versions_of_one_judge(
    lead_client, auditor_client, reviewer_client, adjudicator_client
):
    for name in ("fresh", "other", "fresh"):
        make_judge(ADDRESS, name=name, rubric_version=f"{JudgeConfig.objects.count()}")
    status, found = get(lead_client, "/judges/fresh/")
    assert status == 200
    named = [(each["name"], each["version"]) for each in found["results"]]
    assert named == [("fresh", 2), ("fresh", 1)]
    _, everything = get(lead_client, "/judges/")
    rows = [each for each in everything["results"] if each["name"] == "fresh"]
    assert found["results"] == rows
    _, one = get(lead_client, "/judges/fresh/?page_size=1")
    assert [each["version"] for each in one["results"]] == [2]
    assert one["next"]
    assert get(auditor_client, "/judges/fresh/")[0] == 200
    for client in (reviewer_client, adjudicator_client):
        assert get(client, "/judges/fresh/")[0] == 403
    status, refusal = get(lead_client, "/judges/nobody/")
    assert (status, refusal["code"]) == (404, "judge_unknown")
    assert get(lead_client, "/judges/fresh/?version=1")[0] == 400


def test_a_judge_from_template_to_frozen_copied_and_retired(lead_client, lead):
    _, template = get(lead_client, "/judges/template/")
    assert template["spec"]["schema"] == "evenhand.judge/1"
    spec = spec_at(offers_abstain=False)
    sent = {"name": "fresh", "spec": spec_to_json(spec)}
    status, made = send(lead_client, "post", "/judges/", sent)
    assert (status, made["state"], made["version"]) == (201, "draft", 1)
    assert JudgeConfig.objects.get().created_by == lead

    status, lint = get(lead_client, "/judges/fresh/1/lint/")
    assert (status, lint["may_freeze"]) == (200, False)
    assert "abstain_not_offered" in {found["code"] for found in lint["findings"]}
    status, refusal = send(lead_client, "post", "/judges/fresh/1/freeze/")
    assert (status, refusal["code"]) == (409, "judge_lint")

    good = spec_at()
    status, _ = send(
        lead_client, "put", "/judges/fresh/1/", {"spec": spec_to_json(good)}
    )
    assert status == 200
    status, frozen = send(lead_client, "post", "/judges/fresh/1/freeze/")
    assert (status, frozen["state"]) == (200, "frozen")
    assert frozen["digest"] == spec_digest(good)
    status, _ = send(
        lead_client, "put", "/judges/fresh/1/", {"spec": spec_to_json(good)}
    )
    assert status == 409

    status, copy = send(lead_client, "post", "/judges/fresh/1/copy/")
    assert (status, copy["version"], copy["spec"]) == (201, 2, frozen["spec"])
    status, other = send(lead_client, "post", "/judges/fresh/1/copy/", {"name": "b"})
    assert (other["name"], other["version"]) == ("b", 1)
    status, gone = send(lead_client, "post", "/judges/fresh/1/retire/")
    assert (status, gone["state"]) == (200, "retired")

    changed = spec_to_json(spec_at(rubric="One.\nTwo."))
    send(lead_client, "put", "/judges/fresh/2/", {"spec": changed})
    _, found = get(lead_client, "/judges/fresh/1/2/")
    assert [each["field"] for each in found] == ["rubric"]
    assert {line["change"] for line in found[0]["lines"]} >= {"added", "removed"}


def test_a_list_has_no_long_texts_and_is_paged(lead_client):
    make_judge(ADDRESS)
    send(lead_client, "post", "/judges/judge/1/copy/")
    _, page = get(lead_client, "/judges/?page_size=1")
    assert page["results"][0]["version"] == 2
    assert "spec" not in page["results"][0]
    following = lead_client.get(page["next"]).json()
    assert following["results"][0]["state"] == "frozen"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"offers_abstain": "false"}, "offers_abstain"),
        ({"surprise": 1}, "surprise"),
        ({"schema": "other/1"}, "schema"),
    ],
)
def test_a_bad_specification_is_refused_by_its_field(lead_client, change, field):
    spec = {**spec_to_json(spec_at()), **change}
    sent = {"name": "fresh", "spec": spec}
    status, refusal = send(lead_client, "post", "/judges/", sent)
    assert (status, refusal["code"]) == (400, "spec_invalid")
    assert refusal["detail"] == {"field": field}


def test_providers_and_prices_without_secrets(lead_client):
    sent = {
        "alias": "azure",
        "base_url": "https://x.example.com/v1",
        "api_key_env": "AZURE_KEY",
        "secret_headers": {"api-key": "AZURE_KEY"},
    }
    status, made = send(lead_client, "post", "/providers/", sent)
    assert (status, made["secret_headers"]) == (201, {"api-key": "AZURE_KEY"})
    assert send(lead_client, "post", "/providers/", sent)[0] == 409
    bad = {**sent, "alias": "other", "headers": {"Authorization": "Bearer abc"}}
    status, refusal = send(lead_client, "post", "/providers/", bad)
    assert (status, refusal["code"]) == (400, "secret_in_clear")
    assert "abc" not in str(refusal)
    changed = {"base_url": sent["base_url"], "api_key_env": "B"}
    status, now = send(lead_client, "put", "/providers/azure/", changed)
    assert (status, now["api_key_env"], now["secret_headers"]) == (200, "B", {})
    assert [each["alias"] for each in get(lead_client, "/providers/")[1]] == ["azure"]
    assert get(lead_client, "/providers/azure/")[1] == now
    assert get(lead_client, "/providers/x/")[0] == 404

    price = {"model": "m", "valid_from": "2026-01-01", "prompt": "1", "completion": "2"}
    status, row = send(lead_client, "post", "/providers/azure/prices/", price)
    assert (status, row["currency"], row["provider"]) == (201, "USD", "azure")
    assert get(lead_client, "/providers/azure/prices/")[1] == [row]


def test_auditors_read_and_others_do_not(
    auditor_client, reviewer_client, adjudicator_client
):
    a_draft()
    read = ("/judges/", "/judges/judge/1/", "/judges/judge/1/lint/", "/providers/",
            "/judges/template/", "/judges/judge/1/1/")  # fmt: skip
    for path in read:
        assert get(auditor_client, path)[0] == 200
        assert get(reviewer_client, path)[0] == 403
        assert get(adjudicator_client, path)[0] == 403
    for path in ("/judges/", "/judges/judge/1/freeze/", "/judges/judge/1/copy/",
                 "/judges/judge/1/retire/", "/providers/",
                 "/providers/local/prices/"):  # fmt: skip
        for client in (auditor_client, reviewer_client, adjudicator_client):
            assert send(client, "post", path)[0] == 403
    assert send(auditor_client, "put", "/providers/local/")[0] == 403
    assert send(auditor_client, "put", "/judges/judge/1/")[0] == 403
    assert JudgeConfig.objects.count() == 1
    assert Provider.objects.get().base_url == ADDRESS


def test_what_a_line_has_frozen_already_is_not_frozen_twice(lead_client, lead):
    make_judge(ADDRESS)
    for version in (2, 3):
        status, _ = send(lead_client, "post", "/judges/judge/1/copy/")
        assert status == 201
        status, refusal = send(lead_client, "post", f"/judges/judge/{version}/freeze/")
        assert (status, refusal["code"]) == (409, "judge_frozen_as")
        assert refusal["detail"]["version"] == 1
    body = {"reason": "Made by mistake."}
    assert send(lead_client, "post", "/judges/judge/1/retire/", body)[0] == 200
    assert send(lead_client, "post", "/judges/judge/2/freeze/")[0] == 200


def test_refusals_name_their_field_once(lead_client):
    spec = spec_to_json(spec_at("ab_bracket", format_options={"place": "top"}))
    assert (
        send(lead_client, "post", "/judges/", {"name": "odd", "spec": spec})[0] == 201
    )
    _, found = get(lead_client, "/judges/odd/1/lint/")
    (finding,) = [each for each in found["findings"] if each["severity"] == "error"]
    assert finding["field"] == "format_options.place"
    assert finding["message"].startswith("must be one of")
    status, refusal = send(
        lead_client, "post", "/providers/",
        {"alias": "new", "base_url": f"{ADDRESS}/chat/completions"},
    )  # fmt: skip
    assert (status, refusal["detail"]) == (400, {"field": "base_url"})
