"""Bodies of the API: one meaning each, the right types, and none breaks a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import GoldSet

DEEP = 100_000
JSON = "application/json"


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    return make_set(cases=1)


def patch(client: Client, gold_set: GoldSet, body: str | dict[str, Any]) -> Any:
    path = f"/api/v1/gold-sets/{gold_set.name}/settings"
    return client.patch(path, body, content_type=JSON)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("[" * DEEP, "nested too deeply"),
        ('{"a":' * (DEEP // 2), "nested too deeply"),
        ('{"title": ' + "[" * 60 + "]" * 60 + "}", "nested too deeply"),
        ('{"title": "a", "title": "b"}', "'title' occurs twice in one object"),
        ('{"critical_errors": [{"code": "a", "code": "b"}]}', "'code' occurs twice"),
        ('{"labels_per_pair": NaN}', "NaN is none of its values"),
        ('{"labels_per_pair": -Infinity}', "-Infinity is none of its values"),
        ('{"labels_per_pair": 1e999}', "a number is too large"),
        ('{"labels_per_pair": 1' + "0" * 9_999 + "}", "can't be read as JSON"),
        ('{"\\ud800": 1}', "cannot be stored"),
        ('{"title\\u0000": "a"}', "cannot be stored"),
        ('{"title": "a"', "can't be read as JSON"),
        (" ", "can't be read as JSON"),
    ],
)
def test_a_body_that_is_no_plain_json_is_refused_as_json(
    gold_set: GoldSet, lead_client: Client, body: str, words: str
) -> None:
    reply = patch(lead_client, gold_set, body)
    assert (reply.status_code, reply["Content-Type"]) == (400, JSON)
    assert reply.json()["code"] == "parse_error"
    assert words in reply.json()["message"]
    title = gold_set.title
    gold_set.refresh_from_db()
    assert gold_set.title == title


@pytest.mark.parametrize("text", ["\\ud800", "a\\u0000"])
def test_a_text_that_cannot_be_stored_is_refused_by_its_field(
    gold_set: GoldSet, lead_client: Client, text: str
) -> None:
    for body in (f'{{"title": "{text}"}}', f'{{"title": [{{"a": "{text}"}}]}}'):
        reply = patch(lead_client, gold_set, body)
        assert (reply.status_code, reply.json()["code"]) == (400, "invalid")
        assert list(reply.json()["detail"]) == ["title"]


def test_as_deep_as_the_importers_read_is_read(
    gold_set: GoldSet, lead_client: Client
) -> None:
    deepest = '{"title": ' + "[" * 39 + "]" * 39 + "}"
    assert patch(lead_client, gold_set, deepest).json()["code"] == "invalid"
    text = patch(lead_client, gold_set, '{"title": "one \\ud83d\\ude00"}')
    assert text.json()["title"] == "one \U0001f600"


@pytest.mark.parametrize("name", ["ruling_categories", "critical_errors"])
@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"label": "Slow"}, "code"),
        ({"code": "slow"}, "label"),
        ({"code": "slow", "label": "Slow", "lable": "x"}, "lable"),
        ({"code": "slow", "label": 5}, "label"),
    ],
)
def test_an_entry_of_a_list_is_given_in_full(
    gold_set: GoldSet, lead_client: Client, name: str, entry: object, field: str
) -> None:
    good = {"code": "good", "label": "Good"}
    reply = patch(lead_client, gold_set, {name: [good, entry]})
    assert reply.status_code == 400
    [(place, found)] = reply.json()["detail"][name].items()
    assert (place, list(found)) == ("1", [field])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("title", 5, "Must be a text."),
        ("title", True, "Must be a text."),
        ("labels_per_pair", "3", "Must be a whole number."),
        ("labels_per_pair", 3.0, "Must be a whole number."),
        ("labels_per_pair", True, "Must be a whole number."),
        ("strength_wanted", "yes", "Must be true or false."),
        ("strength_wanted", 1, "Must be true or false."),
        ("aliases", {"v12": ["a", 5]}, "Must be a text."),
    ],
)
def test_a_value_of_another_type_is_refused_by_its_field(
    gold_set: GoldSet, lead_client: Client, name: str, value: object, words: str
) -> None:
    reply = patch(lead_client, gold_set, {name: value})
    assert (reply.status_code, reply.json()["detail"]) == (400, {name: [words]})


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("judges/", {"name": 1, "spec": {}}, "name"),
        ("judges/j/1/retire/", {"reason": 5}, "reason"),
        ("judges/j/1/copy/", {"name": 5}, "name"),
        ("providers/", {"alias": 5}, "alias"),
        ("providers/p/prices/", {"model": 5}, "model"),
        ("panels/", {"name": 5}, "name"),
        ("gold-sets/SET/looks/plan", {"budget": "3"}, "budget"),
        ("gold-sets/SET/looks/plan", {"limits": {"ipr": "0.1"}}, "limits"),
        ("gold-sets/SET/looks/unseal", {"reason": 5}, "reason"),
    ],
)
def test_so_it_is_in_every_part(
    gold_set: GoldSet, lead_client: Client, path: str, body: object, field: str
) -> None:
    path = path.replace("SET", gold_set.name)
    reply = lead_client.post(f"/api/v1/{path}", body, content_type=JSON)
    assert reply.status_code == 400, reply.content
    assert list(reply.json()["detail"]) == [field]
