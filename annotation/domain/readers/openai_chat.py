"""OpenAI-style chats: JSONL of ``messages``, and the Batch API's input and output.

A chat is the prompt up to its last message and the response in it, which must be the
assistant's. Which system it was follows from ``model`` or, without that, from the
file's name. Preference files (``preferred_output``) don't say which system wrote what,
so they are refused. Source: the OpenAI documentation of chat fine-tuning data and of
the Batch API.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.gathering import Cases, Others, made_id, or_error
from annotation.domain.readers.items import items_of
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems, Row

ASSISTANT = "assistant"
GOOD = 200


def read(
    _kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn chats, or batch requests and replies, into cases."""
    cases, others = Cases(problems), Others(options)
    for item in items_of(rows, problems):
        if item.has("preferred_output") or item.has("non_preferred_output"):
            reason = "does not say which system wrote the preferred output"
            item.fail("preferred_output", reason)
        elif item.has("messages"):
            _chat(cases, item, others, options)
        elif item.has("custom_id", "response"):
            _reply(cases, item, others, options)
        elif item.has("custom_id", "body"):
            _request(cases, item)
        else:
            item.fail("messages", "missing; neither a chat nor a line of a batch")
    others.report(problems)
    return or_error(cases.rows(), options, problems)


def _chat(cases: Cases, item: Item, others: Others, options: ReadOptions) -> None:
    messages = item.list_of("messages")
    system = _system(item, options)
    if messages is None or system is None or others.skip(item.line, system):
        return
    last = messages[-1] if messages else None
    if not isinstance(last, dict) or last.get("role") != ASSISTANT or not messages[:-1]:
        reason = "must be a question and, last, the assistant's answer"
        item.fail("messages", reason)
        return
    prompt = _prompt(messages[:-1])
    case_id = _id(item) or made_id("chat", prompt)
    cases.put(case_id, item.line, "prompt", prompt)
    cases.respond(case_id, item.line, system, last.get("content"))


def _id(item: Item) -> str | None:
    for name in ("case_id", "custom_id", "id"):
        if item.has(name):
            return item.key(name)
    return None


def _system(item: Item, options: ReadOptions) -> str | None:
    if item.has("model"):
        name = item.key("model")
        return None if name is None else options.system(name)
    filename = getattr(item.line, "filename", "")
    name = PurePath(filename).stem
    if not name:
        item.fail("model", "missing; then each system needs a file named after it")
        return None
    return options.system(name)


def _prompt(messages: list[object]) -> object:
    """A single question of the user is plain text, anything else stays messages."""
    only = messages[0] if len(messages) == 1 else None
    if isinstance(only, dict) and only.get("role") == "user":
        content = only.get("content")
        return content if isinstance(content, str) else messages
    return messages


def _request(cases: Cases, item: Item) -> None:
    body, case_id = item.inside("body"), item.key("custom_id")
    messages = body.list_of("messages") if body else None
    if messages and case_id is not None:
        cases.put(case_id, item.line, "prompt", _prompt(messages))


def _reply(cases: Cases, item: Item, others: Others, options: ReadOptions) -> None:
    response, case_id = item.inside("response"), item.key("custom_id")
    body = response.inside("body") if response else None
    if response is None or body is None or case_id is None:
        return
    if response.values.get("status_code") != GOOD:
        status = shown(response.values.get("status_code"))
        response.fail("status_code", f"is {status}: the request failed")
        return
    name, choices = body.key("model"), body.items("choices")
    if name is None or others.skip(item.line, options.system(name)):
        return
    if len(choices) != 1:
        body.fail("choices", f"holds {len(choices)} choices; one is needed")
        return
    message = choices[0].inside("message")
    text = message.need("content") if message else None
    if text is not None:
        cases.respond(case_id, item.line, options.system(name), text)


READER = Reader(
    name="openai",
    title="OpenAI-style chats",
    takes="chat JSONL (messages), or the input and output files of the Batch API",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "case_id, custom_id or id; otherwise made from the prompt"),
            ("prompt", "messages but the last (batch input: body.messages)"),
            ("responses.SYSTEM", "the last message (batch output: choices[0].message)"),
            ("SYSTEM", "model; otherwise the file's name without its ending"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.NAMES}),
)
