"""Importing from the browser and over the API: the same, for leads only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from annotation.models import Case, Label, Upload
from config.accounts.roles import Role
from tests.annotation.commands.imports import case, label, lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
FORM = {
    "kind": "pairs",
    "reader": "evenhand",
    "gold_set": "box",
    "systems": "v12, v13",
    "labels_per_pair": "3",
}
API = "/api/v1/imports/"


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path


def file(*rows: Any, name: str = "pairs.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, lines(*rows))


def send(client: Client, *files: SimpleUploadedFile, **fields: str) -> Any:
    return client.post("/imports/", FORM | fields | {"sent": list(files)})


def test_a_file_is_previewed_and_then_imported(lead_client: Client) -> None:
    sent = send(lead_client, file(case("c-1"), case("c-2")))
    assert sent.status_code == 302
    page = lead_client.get(sent.url)
    text = page.content.decode()
    assert "2 of 2 rows are new" in text
    assert "It is on its way." in text
    assert not Case.objects.exists()
    done = lead_client.post(f"{sent.url}confirm", follow=True)
    assert "Imported 2 cases." in done.content.decode()
    assert done.redirect_chain[-1][0] == reverse("calibration:gold-set", args=["box"])
    assert Case.objects.count() == 2
    assert not Upload.objects.exists()


def test_bad_rows_are_listed_and_nothing_can_be_confirmed(lead_client: Client) -> None:
    sent = send(lead_client, file(case("c-1", split="x"), case("c-2", prompt="")))
    text = lead_client.get(sent.url).content.decode()
    assert "Nothing can be imported: 2 errors." in text
    assert "<code>split</code>" in text
    assert "import-confirm" not in text
    assert f"{sent.url}confirm" not in text
    refused = lead_client.post(f"{sent.url}confirm", follow=True)
    assert "Nothing was imported" in refused.content.decode()
    assert not Case.objects.exists()


def test_labels_are_imported_the_same_way(lead_client: Client) -> None:
    sent = send(lead_client, file(case("c-1")))
    lead_client.post(f"{sent.url}confirm")
    sent = send(lead_client, file(label("c-1")), kind="labels", systems="")
    done = lead_client.post(f"{sent.url}confirm", follow=True)
    assert "Imported 1 labels" in done.content.decode()
    assert Label.objects.get().external_reviewer == "ann"


def test_an_upload_can_be_thrown_away(lead_client: Client) -> None:
    sent = send(lead_client, file(case("c-1")))
    gone = lead_client.post(f"{sent.url}discard")
    assert gone["Location"] == "/imports/?gold_set=box"
    assert lead_client.get(sent.url).status_code == 404


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"gold_set": "a b"}, "valid"),
        ({"systems": ""}, "A new gold set needs its systems."),
        ({"kind": "labels"}, "There is no gold set of this name."),
        ({"reader": "langfuse", "kind": "labels"}, "Langfuse gives pairs only."),
        ({"names": "x"}, "must be KEY=VALUE"),
        ({"labels_per_pair": "9"}, "less than or equal to 5"),
    ],
)
def test_the_form_says_what_is_missing(
    lead_client: Client, fields: dict[str, str], said: str
) -> None:
    reply = send(lead_client, file(case("c-1")), **fields)
    assert reply.status_code == 400
    assert said in reply.content.decode()
    assert not Upload.objects.exists()


def test_no_file_is_a_form_error(lead_client: Client) -> None:
    reply = lead_client.post("/imports/", FORM)
    assert reply.status_code == 400
    assert "required" in reply.content.decode()


def test_a_refusal_of_the_whole_is_shown_on_the_preview(lead_client: Client) -> None:
    sent = send(lead_client, file(case("c-1")), systems="v12")
    text = lead_client.get(sent.url).content.decode()
    assert "systems: name at least two" in text


def test_another_leads_upload_is_not_there(
    lead_client: Client,
    make_user: Callable[..., User],
    client_of: Callable[..., Client],
) -> None:
    sent = send(lead_client, file(case("c-1")))
    other = client_of(make_user("second-lead", Role.LEAD))
    assert other.get(sent.url).status_code == 404
    assert other.post(f"{sent.url}confirm").status_code == 404


@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "auditor", "outsider"])
def test_only_leads_import(
    role: str, request: pytest.FixtureRequest, client_of: Callable[..., Client]
) -> None:
    client = client_of(request.getfixturevalue(role))
    assert client.get("/imports/").status_code == 403
    assert send(client, file(case("c-1"))).status_code == 403
    assert client.post(API, {}).status_code == 403
    assert not Upload.objects.exists()


def test_the_page_lists_every_source(lead_client: Client) -> None:
    text = lead_client.get("/imports/?gold_set=box").content.decode()
    assert 'value="box"' in text
    for title in ("LangSmith", "Langfuse", "Argilla", "Label Studio", "AlpacaEval"):
        assert title in text


def api_send(client: Client, *files: SimpleUploadedFile, **fields: Any) -> Any:
    body = {"kind": "pairs", "gold_set": "box", "systems": ["v12", "v13"]} | fields
    return client.post(API, body | {"files": list(files)})


def test_the_api_does_the_same(lead_client: Client) -> None:
    sent = api_send(lead_client, file(case("c-1")), file(case("c-2"), name="b.jsonl"))
    assert sent.status_code == 201, sent.content
    found = sent.json()
    assert (found["found"], found["fresh"], found["errors"]) == (2, 2, [])
    assert found["rows"][0][0] == "c-1"
    url = f"{API}{found['token']}/"
    assert lead_client.get(url).json() == found
    done = lead_client.post(f"{url}commit")
    assert done.json()["added"] == 2
    assert lead_client.get(url).status_code == 404


@pytest.mark.parametrize("systems", ["v12,v13", "v12, v13", ["v12", "v13,"]])
def test_the_api_takes_systems_with_commas_too(
    lead_client: Client, systems: object
) -> None:
    sent = api_send(lead_client, file(case("c-1")), systems=systems)
    assert (sent.status_code, sent.json()["systems"]) == (201, ["v12", "v13"])


def test_the_schema_says_that_files_are_binary() -> None:
    shapes = SchemaGenerator().get_schema(request=None, public=True)
    sent = shapes["components"]["schemas"]["NewImport"]["properties"]["files"]
    assert sent["items"] == {"type": "string", "format": "binary"}


def test_the_api_names_bad_rows(lead_client: Client) -> None:
    found = api_send(lead_client, file(case("c-1", split="x"))).json()
    (error,) = found["errors"]
    assert (error["line"], error["field"]) == ("1", "split")
    url = f"{API}{found['token']}/"
    refused = lead_client.post(f"{url}commit")
    assert refused.status_code == 400
    assert refused.json()["code"] == "import_refused"
    assert lead_client.delete(url).status_code == 204
    assert not Upload.objects.exists()


def test_the_api_refuses_what_it_can_not_read(lead_client: Client) -> None:
    assert api_send(lead_client, file(case("c")), names=["x"]).status_code == 400
    assert api_send(lead_client).status_code == 400
    assert not Upload.objects.exists()
