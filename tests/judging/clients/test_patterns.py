"""Requests are made after the first of their kind; nothing of it stays but that."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import CallFailed
from tests.judging.clients.asking import http, raw_server, request

SCHEMA = {"verdict": {"type": "string"}, "because": {"type": "string"}}
ASKED = [
    request("short"),
    replace(request("much longer é 判" * 9), total_timeout=3.0),
    replace(request("with a header"), headers={"X-Of": "one"}),
    replace(request("with another"), headers={"X-Of": "two"}),
    request("without", response_format=SCHEMA),
    request("short"),
]


def sent_for(*asked):
    """The bytes that one client sends, one request after the other."""
    hang_up = http(b"{}").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with raw_server(hang_up) as (endpoint, seen):

        async def main():
            client = OpenAIChatClient(endpoint, environ={})
            try:
                for each in asked:
                    with pytest.raises(CallFailed, match="without choices"):
                        await client.ask(each)
            finally:
                await client.close()

        asyncio.run(main())
    return seen


def split(sent):
    head, _, body = sent.partition(b"\r\n\r\n")
    first, *lines = head.decode().lower().split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), len(lines), body


def test_each_request_has_its_own_body_length_headers_and_time():
    for sent, each in zip(sent_for(*ASKED), ASKED, strict=True):
        first, headers, lines, body = split(sent)
        assert first == "post /v1/chat/completions http/1.1"
        assert json.loads(body) == each.body
        assert lines == len(headers), "a header came twice"
        assert headers["content-length"] == str(len(body))
        assert headers["content-type"] == "application/json"
        assert headers.get("x-of") == each.headers.get("X-Of")
        assert headers["x-stainless-read-timeout"] == f"{each.total_timeout:.1f}"
        assert "authorization" not in headers


def test_a_request_is_the_same_whether_it_is_the_first_of_its_kind_or_not():
    first, _, again = sent_for(ASKED[0], ASKED[1], ASKED[0])
    assert first == again


def test_keys_are_sent_in_their_order():
    """A provider writes the fields of a schema in the order that they have there."""
    body = split(sent_for(ASKED[4])[0])[3]
    assert body.index(b'"verdict"') < body.index(b'"because"')
