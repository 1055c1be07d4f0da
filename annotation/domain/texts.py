"""Prompts, contexts and responses: plain text, or a list of chat messages."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from annotation.domain.digests import digest_of
from annotation.domain.values import kind_of, shown


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: str
    content: str


Text = str | tuple[Message, ...]


class TextError(ValueError):
    """A value that is no text; ``path`` is where in it, "" for the whole."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path, self.reason = path, reason


def text_from_json(value: object) -> Text:
    """Read a text from its JSON form; the inverse of :func:`text_to_json`.

    A string stays as it is. A list must hold messages with ``role`` and ``content``,
    and content is a string or a list of ``{"type": "text", "text": ...}`` parts, which
    are joined. Raises :class:`TextError` for anything else: nothing is dropped unseen.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        raise TextError("", f"must be text or chat messages, not {kind_of(value)}")
    if not value:
        raise TextError("", "has no messages")
    return tuple(_message(f"[{i}]", item) for i, item in enumerate(value))


def text_to_json(text: Text) -> str | list[dict[str, str]]:
    """Give the JSON form of a text, the one that digests are made of."""
    if isinstance(text, str):
        return text
    return [{"role": turn.role, "content": turn.content} for turn in text]


def text_digest_of(text: Text) -> str:
    """SHA-256 of a text's canonical JSON; a string and a message list never agree."""
    return digest_of(text_to_json(text))


def plain_text(text: Text) -> str:
    """Give a text as one string: turns as "Role: content" with a blank line between."""
    if isinstance(text, str):
        return text
    return "\n\n".join(
        f"{turn.role[:1].upper()}{turn.role[1:]}: {turn.content}" for turn in text
    )


def text_length(text: Text) -> int:
    """Count the characters of a text, without the roles of its turns."""
    if isinstance(text, str):
        return len(text)
    return sum(len(turn.content) for turn in text)


def is_blank(text: Text) -> bool:
    """Whether a text holds nothing but spaces."""
    if isinstance(text, str):
        return not text.strip()
    return all(not turn.content.strip() for turn in text)


def _message(path: str, value: object) -> Message:
    if not isinstance(value, dict):
        raise TextError(path, f"must be a message, not {kind_of(value)}")
    for key in ("role", "content"):
        if key not in value:
            raise TextError(f"{path}.{key}", "missing")
    # Exports often carry keys without content, such as "tool_calls": null.
    for key in sorted(value.keys() - {"role", "content"}):
        if value[key] not in (None, [], {}, ""):
            raise TextError(f"{path}.{key}", "only role and content can be shown")
    role = value["role"]
    if not isinstance(role, str) or not role.strip():
        raise TextError(f"{path}.role", f"must name who speaks, not {shown(role)}")
    return Message(role, _content(f"{path}.content", value["content"]))


def _content(path: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise TextError(path, f"must be text or text parts, not {kind_of(value)}")
    return "".join(_part(f"{path}[{i}]", part) for i, part in enumerate(value))


def _part(path: str, value: object) -> str:
    if not isinstance(value, dict) or value.get("type") != "text":
        kind = value.get("type") if isinstance(value, dict) else None
        found = shown(kind) if kind is not None else kind_of(value)
        raise TextError(path, f"only text parts can be shown, not {found}")
    if not isinstance(value.get("text"), str):
        raise TextError(f"{path}.text", "must be text")
    text: str = value["text"]
    return text


def says_something(words: str) -> bool:
    """Tell whether a note or reason has a visible character.

    Spaces, line ends, zero-width and combining marks alone say nothing.
    """
    return any(
        not one.isspace() and unicodedata.category(one)[0] not in "CZM" for one in words
    )
