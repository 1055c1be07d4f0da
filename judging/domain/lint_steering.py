"""Whether something beside the prompt could steer what a judge says.

A schema keyword can take a choice away, or tell the model which response is better,
without a word of it in the prompt. Only what is understood here may be frozen: the rest
is refused by name, since nothing tells what it would do. ``lint_params`` does the same
for body fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from judging.domain.digests import JudgeSpec
    from judging.domain.pointwise import PointwiseSpec

_FORMAT_KEYS = frozenset({"type", "json_schema", "schema"})
_WRAPPER_KEYS = frozenset({"name", "description", "strict", "schema"})
_NOTES = frozenset({"title", "description", "$schema", "$id", "$comment"})
_ROOT = _NOTES | {
    "type", "properties", "required", "additionalProperties", "$defs", "definitions",
    "$ref",
}  # fmt: skip
_INSIDE = _ROOT | {
    "enum", "const", "anyOf", "oneOf", "allOf", "items", "minItems", "maxItems",
    "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "nullable",
}  # fmt: skip
# What makes a model say one thing, whatever it thinks.
_FIXED = ("const", "pattern", "allOf")


def settings_texts(spec: JudgeSpec | PointwiseSpec) -> dict[str, str]:
    """What a judge sends beside its prompt, as text in which names can be found."""
    given = {"params": spec.params, "response_format": spec.response_format}
    return {k: json.dumps(v, ensure_ascii=False) for k, v in given.items() if v}


def unknown_keywords(
    response_format: Mapping[str, object], read: Collection[str]
) -> Iterator[str]:
    """Say what of a ``response_format`` can't be checked; ``read`` are its fields."""
    yield from _others(response_format, _FORMAT_KEYS, "response_format")
    if "schema" in response_format and "json_schema" in response_format:
        yield "holds two schemas; give one"
    wrapped = response_format.get("json_schema")
    if wrapped is not None and response_format.get("type") != "json_schema":
        yield "json_schema belongs to the type of that name"
    if isinstance(wrapped, Mapping):
        yield from _others(wrapped, _WRAPPER_KEYS, "json_schema")
    holder = wrapped if isinstance(wrapped, Mapping) else response_format
    schema = holder.get("schema")
    if isinstance(schema, Mapping):
        yield from _root(schema, read)


def _root(schema: Mapping[str, object], read: Collection[str]) -> Iterator[str]:
    yield from _others(schema, _ROOT, "the schema")
    if "$ref" not in schema and schema.get("type", "object") != "object":
        yield 'the schema must be of type "object"'
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    if isinstance(required, list | tuple) and known:
        missing = [str(name) for name in required if name not in known]
        yield from (f'requires "{name}", which it does not have' for name in missing)
    for name, part in known.items():
        yield from _part(part, f'"{name}"', free=name not in read)
    for key in ("$defs", "definitions"):
        given = schema.get(key)
        for name, part in (given if isinstance(given, Mapping) else {}).items():
            yield from _part(part, f'"{name}"', free=False)


def _part(part: object, where: str, *, free: bool) -> Iterator[str]:
    """Look at a field; in a ``free`` one, which isn't read, nothing may be fixed."""
    if not isinstance(part, Mapping):
        return
    yield from _others(part, _INSIDE, where)
    if "$ref" in part and part.keys() - _NOTES - {"$ref"}:
        yield f"{where} has keywords beside $ref, which servers take differently"
    options = part.get("enum")
    alone = isinstance(options, list | tuple) and len(options) < 2  # noqa: PLR2004 - a choice
    if free and (alone or any(key in part for key in _FIXED)):
        yield f"{where} fixes what the judge says"
    inside = part.get("properties")
    for name, each in (inside if isinstance(inside, Mapping) else {}).items():
        yield from _part(each, f'"{name}"', free=free)
    for key in ("anyOf", "oneOf", "allOf"):
        many = part.get(key)
        for each in many if isinstance(many, list | tuple) else ():
            yield from _part(each, where, free=free and key == "allOf")
    yield from _part(part.get("items"), where, free=free)


def _others(
    given: Mapping[str, object], known: Collection[str], where: str
) -> Iterator[str]:
    for key in sorted(str(key) for key in given.keys() - set(known)):
        yield f'{where} holds "{key}", of which nothing tells what it would do'
