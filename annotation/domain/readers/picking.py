"""Finding prompt and response in what a tracing tool calls input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.readers.items import message_text, one_of
from annotation.domain.values import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item

PROMPTS = ("messages", "prompt", "input", "question", "query", "instruction")
RESPONSES = ("output", "response", "answer", "completion", "content", "messages")
REFERENCES = ("reference", "answer", "output", "expected", "expected_output", "label")
CONTEXTS = ("context", "documents")


def text_in(
    item: Item, name: str, role: str, known: tuple[str, ...], options: ReadOptions
) -> object:
    """The text in a field that may be text, chat messages or an object around them.

    In an object, the key that a person named for this role is taken; else the one of
    the ``known`` keys that is there; else the only key. More than one is an error.
    """
    value = item.need(name)
    if isinstance(value, dict):
        inside = item.inside(name)
        if inside is None or not value:
            item.fail(name, "is empty")
            return None
        if isinstance(value.get("content"), str) and "role" in value:
            return value["content"]
        key = _key(inside, value, role, known, options)
        return None if key is None else message_text(value[key])
    if value is not None and not isinstance(value, str | list):
        item.fail(name, f"must be text, messages or an object, not {kind_of(value)}")
        return None
    return value


def _key(
    inside: Item,
    value: Mapping[str, object],
    role: str,
    known: tuple[str, ...],
    options: ReadOptions,
) -> str | None:
    chosen = options.fields.get(role)
    if chosen is not None:
        if inside.has(chosen):
            return chosen
        inside.fail(chosen, f"missing; it was named as the {role}")
        return None
    found = one_of(inside, known) or one_of(inside, tuple(value))
    if found is None:
        keys = ", ".join(shown(key) for key in value)
        inside.fail(None, f"holds {keys}: say which is the {role} (fields)")
    return found


def optional_in(
    item: Item, name: str, role: str, known: tuple[str, ...], options: ReadOptions
) -> object:
    """The same for what need not be there; an object without such a key has none."""
    value = item.values.get(name)
    if isinstance(value, dict):
        chosen = options.fields.get(role)
        key = chosen if chosen in value else next((k for k in known if k in value), "")
        return message_text(value.get(key)) if key else None
    return value if isinstance(value, str | list) and value else None
