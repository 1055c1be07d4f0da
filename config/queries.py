"""What may stand behind the question mark of an API address: what the schema says."""

from __future__ import annotations

from functools import cache
from inspect import getattr_static
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from django.http import JsonResponse
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from config.errors import InvalidInput, status_of
from config.middleware import error_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from rest_framework.views import APIView

# Read by what all views share: pages of a list, and the form of a reply.
SHARED_KEYS = frozenset({"cursor", "page_size", "format"})


class KnownQueryMiddleware:
    """Refuses keys in an API address that its operation does not know.

    A misspelt filter would otherwise show everything, as if nothing had been asked.
    What an operation knows is what its schema says of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Answer 400 and name the keys."""
        del args, kwargs
        kind = getattr(view, "cls", None)
        if kind is None or not request.GET or request.method == "OPTIONS":
            return None
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        strays = sorted(set(request.GET) - SHARED_KEYS - known_keys(kind, method))
        if not strays:
            return None
        names = ", ".join(map(ascii, strays))
        message = f"There is no such key in this address: {names}."
        detail = {name: ["There is no such key here."] for name in strays}
        refusal = InvalidInput("query_unknown", message, detail)
        return JsonResponse(error_body(refusal), status=status_of(refusal))


@cache
def known_keys(view: type[APIView], method: str) -> frozenset[str]:
    """The query keys that a method of a view declares in the schema."""
    of_method = getattr(getattr(view, method, None), "kwargs", {}).get("schema")
    schema: Any = (of_method or type(getattr_static(view, "schema")))()
    if not isinstance(schema, AutoSchema):  # of a view that declares nothing
        return frozenset()
    schema.method = method.upper()
    unversioned: Any = SimpleNamespace(
        request=None, kwargs={}, determine_version=lambda *_, **__: (None, None)
    )
    schema.view = unversioned
    names: set[str] = set()
    for one in schema.get_override_parameters():
        if isinstance(one, OpenApiParameter):
            names |= {one.name} if one.location == OpenApiParameter.QUERY else set()
        else:
            names |= set((one() if isinstance(one, type) else one).fields)
    return frozenset(names)
