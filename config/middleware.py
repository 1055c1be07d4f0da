"""Turn domain errors raised by pages into replies."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from config.errors import DomainError, NotAllowed, NotFound, status_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Of the databases' 64-bit integers.
LARGEST_ID = 2**63 - 1


def error_body(error: DomainError) -> dict[str, object]:
    """Return what a program is told, the same from every URL."""
    return {"code": error.code, "message": error.message, "detail": error.detail}


class DomainErrorMiddleware:
    """Answers a `DomainError` with its status, as a page or as JSON."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        return _plain_refusal(response) if _is_page(request, response) else response

    def process_view(
        self,
        request: HttpRequest,
        view: object,  # noqa: ARG002 - Django's signature
        args: object,  # noqa: ARG002
        kwargs: Mapping[str, object],
    ) -> HttpResponse | None:
        """Answer 404 to a number in the address that no database can hold."""
        if any(isinstance(n, int) and n > LARGEST_ID for n in kwargs.values()):
            return _reply(request, NotFound("not_found", "There is no such thing."))
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Reply to refusals; leave all others to Django.

        Django answers `PermissionDenied` too, but logs a traceback as if at fault.
        """
        if isinstance(exception, PermissionDenied):
            return _forbidden(request)
        if not isinstance(exception, DomainError):
            return None
        return _reply(request, exception)


def _forbidden(request: HttpRequest) -> HttpResponse:
    if _wants_json(request):
        refusal = NotAllowed("forbidden", "Your account may not do this.")
        return JsonResponse(error_body(refusal), status=status_of(refusal))
    return render(request, "403.html", status=HTTPStatus.FORBIDDEN)


def _is_page(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether a program under /api/ is about to be refused with a page for people.

    The browsable API, which there is only while developing, may answer as it likes.
    """
    return (
        request.path.startswith("/api/")
        and response.status_code >= HTTPStatus.BAD_REQUEST
        and response.get("Content-Type", "").startswith("text/html")
        and not hasattr(response, "accepted_renderer")
    )


def _plain_refusal(response: HttpResponse) -> HttpResponse:
    """The same status as JSON; what the framework found, it tells nobody."""
    status = HTTPStatus(response.status_code)
    body = {"code": status.name.lower(), "message": status.phrase, "detail": {}}
    refusal = JsonResponse(body, status=status)
    for name in ("Cache-Control", "Vary", "Allow", "Retry-After"):
        if name in response:
            refusal[name] = response[name]
    refusal.cookies = response.cookies
    return refusal


def _reply(request: HttpRequest, exception: DomainError) -> HttpResponse:
    status = status_of(exception)
    if _wants_json(request):
        return JsonResponse(error_body(exception), status=status)
    name = "errors/_domain.html" if _is_partial(request) else "errors/domain.html"
    return render(request, name, {"error": exception}, status=status)


def _is_partial(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def _wants_json(request: HttpRequest) -> bool:
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return request.path.startswith("/api/") or preferred == "application/json"
