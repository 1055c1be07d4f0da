"""The real client against the real simulated server and against broken ones."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from dataclasses import replace

import pytest

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    FailureKind,
    JudgeRequest,
    Message,
    RawReply,
    Role,
)
from judging.domain.terms import InvalidReason
from judging.simulator.options import Fault, Options, Shape
from judging.simulator.running import SimulatedJudge

KEY = "sk-test-0123456789abcdef"
PROMPT = "Which is better? [[A>>B]] [[A>B]] [[A=B]] [[B>A]] [[B>>A]] [[ABSTAIN]]"


@pytest.fixture(scope="module")
def server():
    with SimulatedJudge() as judge:
        yield judge


@pytest.fixture
def plant(server):
    """Plant options for one test."""

    def change(**options):
        server.options = Options(**options)
        return server

    yield change
    server.options = Options()


def ask_all(endpoint, *requests, environ=None):
    """Ask with one client; failures are given back, not raised."""

    async def main():
        client = OpenAIChatClient(endpoint, environ=environ or {})
        try:
            return await asyncio.gather(
                *(client.ask(request) for request in requests), return_exceptions=True
            )
        finally:
            await client.close()

    found = asyncio.run(main())
    for each in found:
        assert isinstance(each, RawReply | CallFailed), repr(each)
    return found


def request(prompt=PROMPT, timeout=10.0, **params):
    return JudgeRequest(
        (Message(Role.USER, prompt),), "any-model", params, total_timeout=timeout
    )


def ask(server, asked=None, **endpoint) -> RawReply | CallFailed:
    return ask_all(Endpoint(server.base_url, **endpoint), asked or request())[0]


class TestReplies:
    def test_a_reply_comes_back_labelled_as_simulated(self, plant):
        found = ask(plant(latency=0.05))
        assert isinstance(found, RawReply)
        assert found.text.endswith("[[A=B]]")
        assert found.served_model == "simulated-judge"
        assert found.fingerprint == "simulated"
        assert found.finish_reason == "stop"
        assert found.usage.prompt > 0
        assert found.latency_ms >= 50

    @pytest.mark.parametrize(
        ("shape", "fields"),
        [
            (Shape.UNPARSED, {"finish_reason": "stop"}),
            (Shape.TRUNCATED, {"finish_reason": "length"}),
            (Shape.TRUNCATED_EMPTY, {"finish_reason": "length", "text": ""}),
            (Shape.REFUSAL_FIELD, {"text": None}),
            (Shape.FILTERED, {"finish_reason": "content_filter", "text": ""}),
            (Shape.EMPTY, {"finish_reason": "stop", "text": ""}),
            (Shape.NULL_CONTENT, {"finish_reason": "stop", "text": None}),
            (Shape.NO_CHOICES, {"finish_reason": None, "text": None}),
            (Shape.NULL_CHOICES, {"finish_reason": None, "text": None}),
            (Shape.TOOL_CALL, {"tool_calls": True, "text": None}),
            (Shape.NO_FINISH_REASON, {"finish_reason": None}),
            (Shape.REASONING_ONLY, {"text": ""}),
        ],
    )
    def test_an_odd_reply_is_recorded_as_it_is(self, plant, shape, fields):
        found = ask(plant(shapes={shape: 1}))
        assert isinstance(found, RawReply)
        assert {name: getattr(found, name) for name in fields} == fields
        assert found.usage.prompt > 0
        assert found.body

    def test_a_refusal_and_reasoning_are_kept_apart(self, plant):
        assert "sorry" in ask(plant(shapes={Shape.REFUSAL_FIELD: 1})).refusal
        assert "[[A=B]]" in ask(plant(shapes={Shape.REASONING_ONLY: 1})).reasoning

    @pytest.mark.parametrize(
        ("shape", "kind"),
        [
            (Shape.HTML, FailureKind.BAD_BODY),
            (Shape.JSON_LIST, FailureKind.BAD_BODY),
            (Shape.JSON_TEXT, FailureKind.BAD_BODY),
            (Shape.BROKEN_JSON, FailureKind.BAD_BODY),
            (Shape.ERROR_BODY, FailureKind.SERVER),
            (Shape.BLOCKED, FailureKind.FILTERED),
        ],
    )
    def test_what_is_no_reply_fails_as_what_it_is(self, plant, shape, kind):
        found = ask(plant(shapes={shape: 1}))
        assert isinstance(found, CallFailed)
        assert found.kind is kind
        assert found.body

    def test_the_body_is_sent_as_it_is(self, plant, server):
        asked = request(temperature=0, max_completion_tokens=7, custom={"a": [1]})
        before = server.stats()["by_hash"].get(asked.request_hash, 0)
        assert isinstance(ask(plant(), asked), RawReply)
        assert server.stats()["by_hash"][asked.request_hash] == before + 1


class TestFailures:
    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            (Fault.RESET, FailureKind.CONNECTION),
            (Fault.CUT_SHORT, FailureKind.CONNECTION),
            (Fault.SERVER_ERROR, FailureKind.SERVER),
            (Fault.RATE_LIMITED, FailureKind.RATE_LIMITED),
        ],
    )
    def test_a_passing_fault_is_to_be_retried(self, plant, fault, kind):
        found = ask(plant(faults={fault: 1}))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.retry) == (kind, True)

    @pytest.mark.parametrize("fault", [Fault.HANG, Fault.DRIP])
    def test_a_hung_or_dripping_server_hits_the_total_deadline(self, plant, fault):
        started = time.monotonic()
        found = ask(plant(faults={fault: 1}), request(timeout=0.6))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.retry) == (FailureKind.TIMEOUT, True)
        assert found.exhausted_reason is InvalidReason.TIMEOUT
        assert 0.5 < time.monotonic() - started < 3
        assert found.latency_ms >= 600

    def test_one_hung_call_does_not_hold_the_rest(self, plant):
        options = Options(faults={Fault.HANG: 0.5})
        server = plant(faults=options.faults)
        asked = [request(f"{PROMPT} {n}", timeout=1.0) for n in range(20)]
        found = ask_all(Endpoint(server.base_url), *asked)
        replies = [each for each in found if isinstance(each, RawReply)]
        assert 0 < len(replies) < len(asked)
        assert all(each.latency_ms < 900 for each in replies)

    def test_the_wait_that_is_asked_for_is_passed_on(self, plant):
        server = plant(faults={Fault.RATE_LIMITED: 1}, retry_after=2.5)
        assert ask(server).retry_after == 2.5

    def test_a_real_rate_limit_answers_429(self, plant):
        server = plant(rate_limit=5)
        found = ask_all(Endpoint(server.base_url), *[request()] * 8)
        limited = [each for each in found if isinstance(each, CallFailed)]
        assert {each.kind for each in limited} == {FailureKind.RATE_LIMITED}
        assert 2 <= len(limited) <= 3

    @pytest.mark.parametrize(
        ("options", "kind"),
        [
            ({"api_key": "another key"}, FailureKind.UNAUTHORISED),
            ({"only_model": "one"}, FailureKind.MODEL_NOT_FOUND),
            ({"quota": 0}, FailureKind.QUOTA),
            ({"refuses_params": ("seed",)}, FailureKind.MISCONFIGURED),
        ],
    )
    def test_a_wrong_configuration_stops_the_run(self, plant, options, kind):
        found = ask(plant(**options), request(seed=1))
        assert isinstance(found, CallFailed)
        assert (found.kind, found.stop_run) == (kind, True)

    def test_a_prompt_that_does_not_fit_is_final(self, plant):
        assert ask(plant(context_chars=20)).final_reason is InvalidReason.TOO_LONG

    def test_nobody_listening_is_unreachable(self):
        with SimulatedJudge() as gone:
            base_url = gone.base_url
        found = ask_all(Endpoint(base_url), request())[0]
        assert (found.kind, found.retry) == (FailureKind.UNREACHABLE, True)

    @pytest.mark.parametrize("base_url", ["nonsense", "ftp://127.0.0.1/v1", "http://"])
    def test_an_unusable_address_stops_the_run(self, base_url):
        async def main():
            client = OpenAIChatClient(Endpoint(base_url), environ={})
            try:
                await client.ask(request(timeout=5))
            finally:
                await client.close()

        with pytest.raises(CallFailed) as found:
            asyncio.run(main())
        assert found.value.stop_run, found.value

    def test_something_that_is_no_http_is_a_broken_connection(self):
        with raw_server(b"SSH-2.0-OpenSSH_9.6\r\n\r\n") as (endpoint, _):
            found = ask_all(endpoint, request())[0]
        assert (found.kind, found.retry) == (FailureKind.CONNECTION, True)

    def test_a_redirect_is_not_followed(self, server):
        target = f"{server.base_url}/chat/completions".encode()
        head = b"HTTP/1.1 307 Moved\r\nContent-Length: 0\r\nLocation: "
        with raw_server(head + target + b"\r\n\r\n") as (endpoint, _):
            found = ask_all(endpoint, request())[0]
        assert (found.kind, found.status) == (FailureKind.MISCONFIGURED, 307)


class TestSecretsAndEnvironment:
    def test_a_missing_key_is_named_and_stops_the_run(self):
        endpoint = Endpoint("http://127.0.0.1:1/v1", api_key_env="JUDGE_KEY")
        for environ in ({}, {"JUDGE_KEY": " "}):
            with pytest.raises(CallFailed, match="JUDGE_KEY") as found:
                OpenAIChatClient(endpoint, environ=environ)
            assert found.value.stop_run

    def test_the_key_is_sent(self, plant):
        endpoint = Endpoint(plant(api_key=KEY).base_url, api_key_env="JUDGE_KEY")
        found = ask_all(endpoint, request(), environ={"JUDGE_KEY": KEY})[0]
        assert isinstance(found, RawReply)

    def test_only_what_the_endpoint_names_is_sent(self, monkeypatch):
        for name in ("ORG_ID", "PROJECT_ID", "API_KEY", "ADMIN_KEY"):
            monkeypatch.setenv(f"OPENAI_{name}", "canary-of-the-environment")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Odd: canary-of-the-environment")
        monkeypatch.setenv("OPENAI_BASE_URL", "http://canary.invalid/v1")
        with raw_server(http(b"{}")) as (plain, seen):
            endpoint = replace(
                plain,
                headers={"X-Team": "judges"},
                secret_headers={"api-key": "AZURE_KEY"},
                query={"api-version": "2024-10-21"},
            )
            ask_all(endpoint, request(), environ={"AZURE_KEY": KEY})
        sent = seen[0].decode().lower()
        assert "canary" not in sent
        assert "authorization" not in sent
        assert f"api-key: {KEY}" in sent
        assert "x-team: judges" in sent
        assert "/v1/chat/completions?api-version=2024-10-21" in sent

    @pytest.mark.parametrize("status", [b"200 OK", b"401 No", b"500 No"])
    def test_an_echoed_key_reaches_nobody(self, status, caplog):
        body = b'{"error": {"message": "bad key %s"}}' % KEY.encode()
        with raw_server(http(body, status)) as (plain, _):
            endpoint = replace(plain, api_key_env="JUDGE_KEY")
            found = ask_all(endpoint, request(), environ={"JUDGE_KEY": KEY})[0]
        assert "[secret]" in found.detail
        assert "[secret]" in found.body
        told = f"{found!r} {found} {found.__dict__} {found.__context__} {caplog.text}"
        assert KEY not in told
        assert found.__context__ is None

    @pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY", "http_proxy"])
    def test_proxies_of_the_environment_are_ignored(self, plant, monkeypatch, name):
        for variable in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setitem(os.environ, name, "http://127.0.0.1:9")
        assert isinstance(ask(plant()), RawReply)
        proxied = ask(plant(), request(timeout=5), trust_env=True)
        assert isinstance(proxied, CallFailed), "the variable was not looked at at all"


def http(body: bytes, status: bytes = b"200 OK") -> bytes:
    head = (
        b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    )
    return head % (status, len(body)) + body


@contextlib.contextmanager
def raw_server(reply: bytes):
    """Serve fixed bytes; give the endpoint and what was received."""
    import socket
    import threading

    seen: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    seen.append(connection.recv(65536))
                    connection.sendall(reply)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield Endpoint(f"http://127.0.0.1:{listener.getsockname()[1]}/v1"), seen
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)
