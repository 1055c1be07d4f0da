"""Whether a reply held to a ``response_format`` can still say everything on the menu.

A schema that lacks a choice would make the judge never say it, and one without the
field that is read would make every reply invalid, and paid for. So it must let through
what the format's own worked examples say, and nothing that would be off the menu.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judging.domain.findings import Finding
from judging.domain.lint_steering import unknown_keywords

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FIELD = "response_format"
_REASON = "reason"
_DEEPEST = 20
_KINDS: Mapping[str, tuple[type, ...]] = {
    "object": (Mapping,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}


def schema_findings(
    response_format: Mapping[str, object],
    own: Mapping[str, object],
    examples: Iterable[str],
) -> Iterator[Finding]:
    """Compare a ``response_format`` with the format's ``own`` schema and examples."""
    kind = response_format.get("type")
    if kind not in ("json_object", "json_schema"):
        yield _wrong('type must be "json_schema" or "json_object"')
        return
    read = [name for name in _mapping(own.get("properties")) if name != _REASON]
    yield from map(_wrong, unknown_keywords(response_format, read))
    schema = _schema_in(response_format)
    if schema is None:
        if kind == "json_schema":
            yield _wrong("json_schema must hold a name and an object called schema")
        return
    replies = [json.loads(each) for each in examples]
    for field, meant in _mapping(own.get("properties")).items():
        if field != _REASON:
            yield from _field(schema, field, _mapping(meant), replies)


def _field(
    schema: Mapping[str, object],
    field: str,
    meant: Mapping[str, object],
    replies: Sequence[Mapping[str, object]],
) -> Iterator[Finding]:
    """Check one field that is read: there, demanded, and with every choice."""
    top = _resolved(schema, schema)
    declared = _mapping(top.get("properties")).get(field)
    if declared is None:
        yield _wrong(f'has no property "{field}", which is what is read')
        return
    required = top.get("required")
    if not isinstance(required, Sequence) or field not in required:
        yield _wrong(f'"{field}" must be among the required properties')
    said = [reply[field] for reply in replies if field in reply]
    missing = [each for each in said if not _accepts(declared, each, schema)]
    for shown in dict.fromkeys(
        json.dumps(each, ensure_ascii=False) for each in missing
    ):
        yield _wrong(f'"{field}" must allow {shown}')
    offered = {_folded(each) for each in _listed(meant, meant)}
    for value in _listed(declared, schema):
        if offered and _folded(value) not in offered:
            shown = json.dumps(value, ensure_ascii=False)
            yield _wrong(f'"{field}" allows {shown}, which is not on the menu')


def _wrong(message: str) -> Finding:
    return Finding("bad_response_format", _FIELD, message)


def _schema_in(response_format: Mapping[str, object]) -> Mapping[str, object] | None:
    """Give the JSON Schema; some servers take it beside ``json_object``."""
    if response_format.get("type") == "json_object":
        schema = response_format.get("schema")
        return schema if isinstance(schema, Mapping) else None
    declared = _mapping(response_format.get("json_schema"))
    schema = declared.get("schema")
    named = isinstance(declared.get("name"), str) and declared["name"]
    return schema if named and isinstance(schema, Mapping) else None


def _accepts(
    schema: object, value: object, root: Mapping[str, object], depth: int = 0
) -> bool:
    """Whether a schema lets a value through, as far as its common keywords tell."""
    if isinstance(schema, bool) or depth > _DEEPEST:
        return schema is True
    if not isinstance(schema, Mapping):
        return False
    schema = _resolved(schema, root)

    def inner(each: object, part: object = value) -> bool:
        return _accepts(each, part, root, depth + 1)

    parts = [any(map(inner, _list(schema[key]))) for key in _ANY if key in schema]
    parts += [all(map(inner, _list(schema["allOf"])))] if "allOf" in schema else []
    if not all(parts) or not _is_listed(schema, value) or not _is_typed(schema, value):
        return False
    if isinstance(value, str):
        return _fits_text(schema, value)
    if isinstance(value, Mapping):
        known = _mapping(schema.get("properties"))
        others = schema.get("additionalProperties", True)
        there = all(name in value for name in _list(schema.get("required")))
        return there and all(inner(known.get(k, others), v) for k, v in value.items())
    return _fits_number(schema, value)


_ANY = ("anyOf", "oneOf")


def _is_listed(schema: Mapping[str, object], value: object) -> bool:
    if "const" in schema and schema["const"] != value:
        return False
    return "enum" not in schema or value in _list(schema["enum"])


def _is_typed(schema: Mapping[str, object], value: object) -> bool:
    stated = schema.get("type")
    kinds = _list(stated) if isinstance(stated, list | tuple) else [stated]
    return stated is None or any(_is_kind(str(kind), value) for kind in kinds)


def _is_kind(kind: str, value: object) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, _KINDS.get(kind, ()))


def _fits_text(schema: Mapping[str, object], value: str) -> bool:
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(value))
    if not (isinstance(least, int) and isinstance(most, int)):
        return False
    pattern = schema.get("pattern")
    if pattern is None:
        return least <= len(value) <= most
    try:
        found = re.search(str(pattern), value)
    except re.error:
        return False
    return found is not None and least <= len(value) <= most


def _fits_number(schema: Mapping[str, object], value: object) -> bool:
    if not isinstance(value, int | float):
        return True
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    return all(
        (
            not isinstance(low, int | float) or low <= value,
            not isinstance(high, int | float) or value <= high,
            not isinstance(over, int | float) or over < value,
            not isinstance(under, int | float) or value < under,
        )
    )


def _listed(schema: object, root: Mapping[str, object], depth: int = 0) -> list[object]:
    """Give the values that a schema lists one by one."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return []
    schema = _resolved(schema, root)
    found = list(_list(schema.get("enum")))
    found += [schema["const"]] if "const" in schema else []
    for key in _ANY:
        for each in _list(schema.get(key)):
            found += _listed(each, root, depth + 1)
    return found


def _resolved(
    schema: Mapping[str, object], root: Mapping[str, object]
) -> Mapping[str, object]:
    """Follow references within the schema; one that leads nowhere allows nothing."""
    for _ in range(_DEEPEST):
        ref = schema.get("$ref")
        if not isinstance(ref, str):
            return schema
        at: object = root
        for part in ref.removeprefix("#").strip("/").split("/"):
            at = _mapping(at).get(part.replace("~1", "/").replace("~0", "~"))
        if not isinstance(at, Mapping):
            return {"enum": []}
        schema = at
    return {"enum": []}


def _folded(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()
