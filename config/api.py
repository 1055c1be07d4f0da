"""What all API resources share: paging and the shape of errors."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework import serializers
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from config.errors import DomainError, status_of
from config.middleware import error_body

# What a browser's form sends beside its fields.
FORM_KEYS = {"csrfmiddlewaretoken"}


class NewestFirst(CursorPagination):
    """Pages that stay stable while rows are added."""

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class Strict(serializers.Serializer[object]):
    """What is sent, and nothing beside: a misspelt key is refused, not passed over."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse keys that stand for no field, each by its name."""
        names = set(data) if isinstance(data, Mapping) else set()
        strays = sorted(map(str, names - set(self.fields) - FORM_KEYS))
        if strays:
            raise serializers.ValidationError(
                {name: [f"There is no field {name!r} here."] for name in strays}
            )
        return super().to_internal_value(data)


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
