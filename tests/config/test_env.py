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
