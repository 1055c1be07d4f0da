"""Keys go where they belong, and nothing else of the environment goes anywhere."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    RawReply,
)
from tests.judging.clients.asking import (
    KEY,
    ask,
    ask_all,
    http,
    raw_server,
    request,
)


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
