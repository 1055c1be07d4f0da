"""What all API resources share: paging and the shape of errors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import SimpleNamespace
from typing import IO, Any, NoReturn
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.signing import BadSignature, Signer
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import exception_handler, set_rollback

from config.errors import DomainError, status_of
from config.middleware import error_body

# What a browser's form sends beside its fields.
FORM_KEYS = {"csrfmiddlewaretoken"}
DEEPEST = 40


class StrictJson(JSONParser):
    """Bodies as the importers read files: one meaning each, and none that breaks us.

    Refused are keys that occur twice, NaN and Infinity, numbers too large for a float,
    more levels than `DEEPEST`, and texts that can't be stored or sent.
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read the one JSON value that a body holds."""
        del media_type, parser_context
        # A body that is too large must stay the error it is, so it is read outside.
        body = stream.read()
        try:
            found = json.loads(
                body.decode(),
                object_pairs_hook=_object,
                parse_constant=_constant,
                parse_float=_float,
            )
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except ValueError as error:
            raise ParseError(f"The body can't be read as JSON: {error}") from error
        _refuse_flaws(found)
        return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{_shown(twice)} occurs twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is none of its values")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _refuse_flaws(value: Any) -> None:
    """Refuse what is too deep, and texts by the field that they stand in."""
    level: list[tuple[str, Any]] = [("", value)]
    for _ in range(DEEPEST + 1):
        inner: list[tuple[str, Any]] = []
        for field, one in level:
            if isinstance(one, dict):
                inner += [(field, key) for key in one]
                inner += [(field or key, each) for key, each in one.items()]
            elif isinstance(one, list):
                inner += [(field, each) for each in one]
            elif isinstance(one, str) and not storable(one):
                _refuse_text(field, one)
        level = inner
        if not level:
            return
    raise ParseError("The JSON is nested too deeply.")


def storable(text: str) -> bool:
    """Whether a text can be stored and sent: no NUL, no half of a surrogate pair."""
    try:
        return b"\x00" not in text.encode()
    except UnicodeEncodeError:
        return False


def _refuse_text(field: str, text: str) -> NoReturn:
    fault = f"Holds characters that cannot be stored: {_shown(text)}"
    if field and storable(field):
        raise serializers.ValidationError({field: [fault]})
    raise ParseError(f"A name h{fault[1:]}")


def _shown(text: str) -> str:
    return ascii(text[:DEEPEST])


def _signer() -> Signer:
    """Made when it is needed: a missing secret key is for the system checks to say."""
    return Signer(salt="evenhand.cursor")


class NewestFirst(CursorPagination):
    """Pages that stay stable while rows are added."""

    ordering: Any = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500

    def decode_cursor(self, request: Any) -> Any:
        """Read a cursor that was made here: any other could hold any position."""
        name = self.cursor_query_param
        sent = request.query_params.get(name)
        if sent is None:
            return None
        try:
            plain: Any = SimpleNamespace(query_params={name: _signer().unsign(sent)})
        except BadSignature as error:
            raise NotFound(self.invalid_cursor_message) from error
        return super().decode_cursor(plain)

    def encode_cursor(self, cursor: Any) -> str:
        """Give the address of a page, its cursor signed."""
        name = self.cursor_query_param
        made = QueryDict(urlsplit(super().encode_cursor(cursor)).query)[name]
        signed = _signer().sign(str(made))
        return str(replace_query_param(str(self.base_url), name, signed))


class Strict(serializers.Serializer[object]):
    """What is sent, and nothing beside: a misspelt key is refused, not passed over.

    Of JSON each value must have its field's own type: "1" is no number, 5 no text.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Refuse keys that stand for no field and values of other types, by name."""
        if isinstance(data, Mapping):
            faults = self._strays(data) or self._lacking(data) or self._mistyped(data)
            if faults:
                raise serializers.ValidationError(faults)
        return super().to_internal_value(data)

    def _strays(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        strays = sorted(map(str, set(data) - set(self.fields) - FORM_KEYS))
        return {name: [f"There is no field {name!r} here."] for name in strays}

    def _lacking(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """A change of some fields still gives the entries of a list in full."""
        parent: Any = self.parent
        if parent is None:
            return {}
        wanted = (name for name, field in self.fields.items() if field.required)
        return {n: ["This field is required."] for n in wanted if n not in data}

    def _mistyped(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        if isinstance(data, QueryDict):  # of a form or an address: all is text
            return {}
        pairs = ((n, field, data.get(n)) for n, field in self.fields.items())
        faults = {
            n: _type_fault(field, one) for n, field, one in pairs if not field.read_only
        }
        return {name: [fault] for name, fault in faults.items() if fault}


_TYPES: dict[type, tuple[tuple[type, ...], str]] = {
    serializers.CharField: ((str,), "Must be a text."),
    serializers.ChoiceField: ((str,), "Must be a text."),
    serializers.IntegerField: ((int,), "Must be a whole number."),
    serializers.FloatField: ((int, float), "Must be a number."),
    serializers.BooleanField: ((bool,), "Must be true or false."),
}


def _type_fault(field: Any, value: Any) -> str | None:
    """Why a value of a JSON body is not of its field's type, or None."""
    if value is None:
        return None  # whether it may be is for the field to say
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return _first_fault(field.child, value)
    if isinstance(field, serializers.DictField) and isinstance(value, dict):
        return _first_fault(field.child, value.values())
    for kind, (types, fault) in _TYPES.items():
        if isinstance(field, kind):
            truth = isinstance(value, bool) and bool not in types
            return fault if truth or not isinstance(value, types) else None
    return None


def _first_fault(field: Any, values: Iterable[Any]) -> str | None:
    return next((fault for v in values if (fault := _type_fault(field, v))), None)


def handle_exception(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Answer every refusal as `{"code", "message", "detail"}`."""
    if isinstance(exc, DomainError):
        set_rollback()
        return Response(error_body(exc), status=status_of(exc))
    if isinstance(exc, RequestDataTooBig):
        set_rollback()
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        message = f"The body is larger than {most} bytes."
        body = {"code": "too_large", "message": message, "detail": {"most": most}}
        return Response(body, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    response = exception_handler(exc, context)
    if response is not None:
        response.data = _uniform(exc, response.data)
    return response


def _uniform(exc: Exception, data: Any) -> dict[str, Any]:
    """Give the framework's own errors the same shape."""
    if isinstance(data, dict) and set(data) == {"detail"}:
        message = str(data["detail"])
        code = getattr(data["detail"], "code", None)
        return {"code": code or "error", "message": message, "detail": {}}
    code = getattr(exc, "default_code", "invalid")
    return {"code": code, "message": "The request is not valid.", "detail": data}
