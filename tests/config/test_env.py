from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.fixture
def given(monkeypatch):
    return lambda value: monkeypatch.setenv("X", value)


def test_unset_and_blank_give_the_default(monkeypatch, given):
    monkeypatch.delenv("X", raising=False)
    for _ in range(2):
        assert env.read_text("X", "d") == "d"
        assert env.read_bool("X", default=True) is True
        assert env.read_int("X", 7) == 7
        assert env.read_list("X", ["a"]) == ["a"]
        assert env.read_choice("X", ["a", "b"], "b") == "b"
        given("  ")


@pytest.mark.parametrize(
    ("value", "meant"),
    [("1", True), ("TRUE", True), ("on", True), ("0", False), (" No ", False)],
)
def test_switches(given, value, meant):
    given(value)
    assert env.read_bool("X", default=not meant) is meant


@pytest.mark.parametrize("value", ["ture", "2", "none", "'1'"])
def test_a_mistyped_switch_is_refused_without_repeating_it(given, value):
    given(value)
    with pytest.raises(ImproperlyConfigured, match="X must be one of") as caught:
        env.read_bool("X")
    assert value not in str(caught.value).replace("one of 1, true", "")


@pytest.mark.parametrize("value", ["x", "1.5", "-1"])
def test_numbers_that_are_none(given, value):
    given(value)
    with pytest.raises(ImproperlyConfigured, match="X must be"):
        env.read_int("X", 1)


def test_numbers(given):
    given("12")
    assert env.read_int("X", 1) == 12
    with pytest.raises(ImproperlyConfigured, match="at least 13"):
        env.read_int("X", 1, minimum=13)


def test_lists(given):
    given("a, b")
    assert env.read_list("X") == ["a", "b"]
    given("a,,b")
    with pytest.raises(ImproperlyConfigured, match="empty entry"):
        env.read_list("X")


def test_choices(given):
    given("Json")
    assert env.read_choice("X", ["json", "text"], "text") == "json"
    given("xml")
    with pytest.raises(ImproperlyConfigured, match="json, text"):
        env.read_choice("X", ["json", "text"], "text")


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.example.org/a?b=c",
        "http://127.0.0.1:8000/hook",
        "http://localhost/hook",
        "http://[::1]:9/",
    ],
)
def test_addresses_that_data_may_be_posted_to(given, address):
    given(address)
    assert env.read_private_address("X") == address


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example.org/",
        "http://10.0.0.1/",
        "http://127.0.0.1.example.org/",
        "http://localhost.example.org/",
        "ftp://localhost/",
        "file:///etc/passwd",
        "https:///path",
        "https://user:secret@hooks.example.org/",
        "https://hooks.example.org:port/",
        "http://[::1/",
        "hooks.example.org",
    ],
)
def test_addresses_that_others_could_read(given, address):
    given(address)
    with pytest.raises(ImproperlyConfigured, match="X must be an https") as caught:
        env.read_private_address("X")
    assert address not in str(caught.value)


def test_a_secret_that_is_needed_is_long_enough(monkeypatch, given):
    given("short")
    assert env.read_secret("X", needed=False) == "short"
    with pytest.raises(ImproperlyConfigured, match="at least 16") as caught:
        env.read_secret("X", needed=True)
    assert "short" not in str(caught.value)
    given("a" * 16)
    assert env.read_secret("X", needed=True) == "a" * 16
    monkeypatch.delenv("X")
    assert env.read_private_address("X") == env.read_secret("X", needed=False) == ""
    with pytest.raises(ImproperlyConfigured):
        env.read_secret("X", needed=True)
