from __future__ import annotations

import json

import pytest
from django.http import HttpResponse
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from config import errors
from config.middleware import DomainErrorMiddleware

KINDS = [
    (errors.InvalidInput, 400),
    (errors.NotAllowed, 403),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.DomainError, 409),
    (errors.Unavailable, 503),
]


def test_every_kind_has_a_status():
    assert set(errors.STATUS) == set(errors.ErrorKind)


@pytest.mark.parametrize(("kind", "status"), KINDS)
def test_the_api_answers_with_code_message_and_detail(kind, status):
    class View(APIView):
        authentication_classes = ()
        permission_classes = ()

        def get(self, request):
            raise kind("round_closed", "The round is closed.", {"round": 7})

    reply = View.as_view()(APIRequestFactory().get("/")).render()
    assert reply.status_code == status
    assert json.loads(reply.content) == {
        "code": "round_closed",
        "message": "The round is closed.",
        "detail": {"round": 7},
    }


def test_the_frameworks_own_errors_look_the_same():
    class View(APIView):
        authentication_classes = ()

        def post(self, request):
            raise ValidationError({"choice": ["Not a choice."]})

    factory = APIRequestFactory()
    refused = View.as_view()(factory.post("/", {}))
    assert refused.data["code"] == "permission_denied"
    assert set(refused.data) == {"code", "message", "detail"}

    View.permission_classes = ()
    invalid = View.as_view()(factory.post("/", {}))
    assert invalid.data["code"] == "invalid"
    assert invalid.data["detail"] == {"choice": ["Not a choice."]}


class TestPages:
    error = errors.Conflict("round_closed", "The <round> is closed.")

    def answer(self, rf, error: Exception, **headers) -> HttpResponse | None:
        middleware = DomainErrorMiddleware(lambda request: HttpResponse())
        return middleware.process_exception(rf.get("/", headers=headers), error)

    def test_a_browser_gets_a_page(self, rf):
        reply = self.answer(rf, self.error, accept="text/html")
        assert reply.status_code == 409
        assert b"The &lt;round&gt; is closed." in reply.content
        assert b"<html" in reply.content

    def test_htmx_gets_a_fragment(self, rf):
        reply = self.answer(rf, self.error, accept="text/html", hx_request="true")
        assert reply.status_code == 409
        assert b"is closed." in reply.content
        assert b"<html" not in reply.content

    def test_a_program_gets_json(self, rf):
        reply = self.answer(rf, self.error, accept="application/json")
        assert json.loads(reply.content)["code"] == "round_closed"

    def test_other_exceptions_are_left_alone(self, rf):
        assert self.answer(rf, ValueError("x")) is None


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("base_url: must be http", "base_url"),
        ("format_options.place: is missing", "format_options.place"),
        ("Judge v1: can't be frozen", None),
        ("line 3, case_id: unknown", None),
        ("no field", None),
    ],
)
def test_what_can_t_be_read_names_its_field(message, field):
    assert errors.InvalidInput("bad", message).detail.get("field") == field
    named = errors.InvalidInput("bad", message, {"field": "x"})
    assert named.detail == {"field": "x"}
