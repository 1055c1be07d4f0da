"""The way into the API: what there is, of it only what the caller may open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import clone_request
from rest_framework.response import Response
from rest_framework.views import APIView

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rest_framework.request import Request

ROOT = "api/v1/"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


class DoorSerializer(serializers.Serializer[object]):
    """One address of the API."""

    url = serializers.URLField()
    methods = serializers.ListField(child=serializers.ChoiceField(METHODS))
    about = serializers.CharField(help_text="What the first of the methods does.")


@dataclass(frozen=True, slots=True)
class Door:
    """A route below the root with the view behind it."""

    route: str
    view: type[APIView]
    options: Mapping[str, Any]

    def methods_for(self, request: Request) -> list[str]:
        """The methods that the caller's role lets them use."""
        return [m for m in METHODS if self._lets_in(request, m)]

    def about(self, method: str) -> str:
        """What a method does, in its own first sentence."""
        words = getattr(self.view, method.lower()).__doc__ or self.view.__doc__ or ""
        return " ".join(words.split("\n\n")[0].split())

    def _lets_in(self, request: Request, method: str) -> bool:
        view = self.view(**self.options)
        if method not in view.allowed_methods:
            return False
        view.request = clone_request(request, method)
        return all(
            one.has_permission(view.request, view) for one in view.get_permissions()
        )


def doors_for(
    request: Request, under: str = "", **filled: object
) -> list[dict[str, object]]:
    """The addresses that the caller may open, and that need nothing more to be known.

    ``under`` is the route that they begin with, ``filled`` what stands in it.
    """
    found: list[dict[str, object]] = []
    for door in _all_doors(get_resolver()):
        if not door.route.startswith(ROOT + under):
            continue
        if set(PARAMETER.findall(door.route)) != set(filled):
            continue
        if methods := door.methods_for(request):
            path = PARAMETER.sub(lambda one: str(filled[one[1]]), door.route)
            url = request.build_absolute_uri(f"/{path}")
            about = door.about(methods[0])
            found.append({"url": url, "methods": methods, "about": about})
    return found


@cache
def _all_doors(resolver: URLResolver) -> tuple[Door, ...]:
    return tuple(_doors(resolver.url_patterns, ""))


def _doors(patterns: Sequence[Any], before: str) -> Iterator[Door]:
    for entry in patterns:
        route = f"{before}{entry.pattern}"
        if not isinstance(entry, URLPattern):
            yield from _doors(entry.url_patterns, route)
            continue
        view = getattr(entry.callback, "cls", None)
        if isinstance(view, type) and issubclass(view, APIView):
            yield Door(route, view, getattr(entry.callback, "initkwargs", {}))


class IndexView(APIView):
    """The way into the API."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses={200: DoorSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """List the addresses that you may open without knowing the name of anything."""
        return Response(doors_for(request))
