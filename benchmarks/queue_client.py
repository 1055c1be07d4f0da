"""Reviewers as a light HTTP client plays them: one connection each, no HTML parser."""

# ruff: noqa: INP001 - part of a script

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

CHOICES = ("first", "second", "tie", "first", "second")
FORM_TOKEN = re.compile(rb'name="token" value="([0-9a-f-]{36})"')
API_TOKEN = re.compile(rb'"token": ?"([0-9a-f-]{36})","question"')
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}


@dataclass
class Reply:
    """Status and body of one HTTP reply."""

    status: int
    body: bytes


@dataclass
class Browser:
    """One reviewer's connection, with the cookies that a browser would keep."""

    port: int
    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Reply:
        """Send a request and read the reply, on a connection that is kept."""
        head = {
            "Host": "127.0.0.1",
            "Content-Length": str(len(body)),
            "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        request = f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body
        for _ in range(2):  # the server closes a connection now and then
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port
                )
            try:
                self.writer.write(request)
                return await self._read()
            except (ConnectionError, asyncio.IncompleteReadError):
                self.writer = None
        raise ConnectionError(path)

    async def _read(self) -> Reply:
        assert self.reader is not None  # noqa: S101 - opened just before
        head = await self.reader.readuntil(b"\r\n\r\n")
        status, length, closing = int(head.split(b" ", 2)[1]), 0, False
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b": ")
            match name.lower():
                case b"content-length":
                    length = int(value)
                case b"set-cookie":
                    key, _, rest = value.decode().partition("=")
                    self.cookies[key] = rest.split(";")[0]
                case b"connection":
                    closing = value == b"close"
        body = await self.reader.readexactly(length)
        if closing:
            self.writer = None
        return Reply(status, body)

    async def sign_in(self, password: str) -> None:
        """Sign in through the login page."""
        page = await self.ask("GET", "/login/")
        found = CSRF.search(page.body)
        assert found is not None  # noqa: S101 - else this is no Evenhand
        form = {
            "username": self.name,
            "password": password,
            "csrfmiddlewaretoken": found[1].decode(),
        }
        kind = {"Content_Type": "application/x-www-form-urlencoded"}
        reply = await self.ask("POST", "/login/", urlencode(form).encode(), **kind)
        if reply.status != 302:  # noqa: PLR2004 - a redirect to the start page
            raise SystemExit(f"{self.name} could not sign in: {reply.status}")


@dataclass
class Record:
    """What one reviewer measured: when each request began, and how long it took."""

    spans: list[tuple[float, float]] = field(default_factory=list)
    refused: int = 0


@dataclass(frozen=True)
class Shift:
    """How the reviewers work, and until when."""

    door: str
    round_id: int
    think: float
    until: float


async def work(browser: Browser, shift: Shift) -> Record:
    """Label through the page or the API until time is up or nothing is left."""
    record, rng = Record(), random.Random(browser.name)  # noqa: S311 - only think times
    label = _by_page if shift.door == "page" else _by_api
    token = await _first(browser, shift)
    while token is not None and time.monotonic() < shift.until:
        if shift.think:
            await asyncio.sleep(shift.think * rng.uniform(0.5, 1.5))
        began = time.monotonic()
        reply, pattern = await label(browser, shift, token, rng.choice(CHOICES))
        record.spans.append((began, time.monotonic() - began))
        record.refused += reply.status != 200  # noqa: PLR2004 - HTTP's OK
        found = pattern.search(reply.body)
        token = None if found is None else found[1].decode()
    return record


async def _first(browser: Browser, shift: Shift) -> str | None:
    if shift.door == "page":
        reply = await browser.ask("GET", f"/label/{shift.round_id}/")
        found = FORM_TOKEN.search(reply.body)
    else:
        path = f"/api/v1/rounds/{shift.round_id}/next"
        reply = await browser.ask("POST", path, b"{}", **_headers(browser, JSON))
        found = API_TOKEN.search(reply.body)
    if found is None:
        raise SystemExit(f"{browser.name} got no pair: {reply.status}")
    return found[1].decode()


async def _by_page(
    browser: Browser, shift: Shift, token: str, choice: str
) -> tuple[Reply, re.Pattern[bytes]]:
    form = {"token": token, "choice": choice, "elapsed": "1.5", "note": ""}
    path = f"/label/{shift.round_id}/answer"
    body = urlencode(form).encode()
    return await browser.ask("POST", path, body, **_headers(browser, FORM)), FORM_TOKEN


async def _by_api(
    browser: Browser, _: Shift, token: str, choice: str
) -> tuple[Reply, re.Pattern[bytes]]:
    body = json.dumps({"choice": choice, "elapsed_seconds": 1.5}).encode()
    path = f"/api/v1/assignments/{token}/label"
    return await browser.ask("POST", path, body, **_headers(browser, JSON)), API_TOKEN


def _headers(browser: Browser, base: dict[str, str]) -> dict[str, str]:
    return base | {"X-CSRFToken": browser.cookies["csrftoken"]}
