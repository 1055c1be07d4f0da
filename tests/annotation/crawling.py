"""Walk every address of the site as one person, and keep all that comes back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, get_resolver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.test import Client

PARAMETER = re.compile(r"<(?:(?P<kind>\w+):)?\w+>")
GROUP = re.compile(r"\(\?P<\w+>[^)]*\)")
# Signing out would end the walk.
LEFT_OUT = frozenset({"logout/", "admin/logout/"})


@dataclass(frozen=True)
class Answered:
    """One reply, with everything of it that a person could read."""

    method: str
    path: str
    status: int
    text: str


def addresses(values: Mapping[str, Sequence[object]]) -> Iterator[str]:
    """Every path of the url conf, with every combination of the values given."""
    for route in dict.fromkeys(_routes(get_resolver().url_patterns, "")):
        if route in LEFT_OUT:
            continue
        kinds = [found["kind"] or "str" for found in PARAMETER.finditer(route)]
        for chosen in product(*(values[kind] for kind in kinds)):
            filled = iter(chosen)
            yield "/" + PARAMETER.sub(lambda _: str(next(filled)), route)  # noqa: B023 - used at once


def _routes(patterns: Sequence[Any], before: str) -> Iterator[str]:
    for entry in patterns:
        route = GROUP.sub("x", str(entry.pattern)).strip("^$").replace("\\Z", "")
        if isinstance(entry, URLPattern):
            yield before + route
        else:
            yield from _routes(entry.url_patterns, before + route)


def ask(
    client: Client, method: str, path: str, body: object = None, **rest: Any
) -> Answered:
    """One request; the reply's body, headers and cookies as one text."""
    client.raise_request_exception = False
    if method == "GET":
        reply = client.get(path, **rest)
    else:
        reply = client.post(path, body, **rest)
    parts = [
        _body(reply),
        *(f"{name}: {value}" for name, value in reply.headers.items()),
        *(cookie.OutputString() for cookie in reply.cookies.values()),
    ]
    # What the asker wrote into the address is no news to them.
    text = "\n".join(parts).replace(path, "")
    return Answered(method, path, reply.status_code, text)


def _body(reply: Any) -> str:
    if reply.streaming:
        return b"".join(reply.streaming_content).decode(errors="replace")
    return str(reply.content.decode(errors="replace"))


def crawl(client: Client, values: Mapping[str, Sequence[object]]) -> list[Answered]:
    """GET and POST every address, as a page, as a partial and as the API.

    The many pages of the admin are one product, so they are asked once each way.
    """
    answers = []
    partial = {"HX-Request": "true"}
    for path in addresses(values):
        in_admin = path.startswith("/admin/")
        answers.append(ask(client, "GET", path))
        if not in_admin:
            answers.append(ask(client, "GET", path, headers=partial))
        json = {"choice": "tie", "strength": 1}
        answers.append(ask(client, "POST", path, json, content_type="application/json"))
        for token in () if in_admin else values["uuid"]:
            form = {"token": str(token), "choice": "first", "note": "mine"}
            answers.append(ask(client, "POST", path, form, headers=partial))
    return answers
