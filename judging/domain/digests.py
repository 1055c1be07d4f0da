"""A judge as it is frozen: everything that determines a verdict, and its digest.

Source: DESIGN rule 16. Secrets are never in it: a provider is named by its alias, and
the alias names an environment variable elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from annotation.domain.strict_json import flaws
from judging.domain.prompts import RENDERER_VERSION
from judging.domain.terms import CombiningRule, RepeatRule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

    Reader = Callable[[str, Any], Any]

SCHEMA = "evenhand.judge/1"
ON_TOO_LONG = "invalid"
REASK_NEVER = "never"
LEFT_OUT_IF_NONE = ("format_options", "rubric_step")


class SpecError(ValueError):
    """A judge specification that cannot be read; ``field`` is where."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """Everything that determines a verdict.

    ``params`` are body fields that are sent as they are (``temperature``, ``top_p``,
    ``max_tokens`` or ``max_completion_tokens``, ``seed``, ``reasoning_effort``, and
    whatever else a provider takes); whole numbers are kept as integers, so that the
    digest survives any database. ``response_format`` is the body field of that name, or
    ``None`` to send none. ``input_limit`` is in characters over all messages; ``None``
    is no limit. ``repeats`` counts calls in each order. ``format_options`` are the
    verdict format's own (place, pattern); ``rubric_step`` is a first call that writes
    a rubric for each case. Both are left out of the JSON form, and so of the digest,
    where there are none: a judge frozen before they existed keeps its digest.
    """

    provider: str
    base_url: str
    model: str
    params: Mapping[str, object]
    system_template: str
    user_template: str
    rubric: str
    rubric_version: str
    question: str
    verdict_format: str
    parser_version: str
    response_format: Mapping[str, object] | None = None
    offers_abstain: bool = True
    combining_rule: CombiningRule = CombiningRule.AGREE_ELSE_TIE
    repeats: int = 1
    repeat_rule: RepeatRule = RepeatRule.MEAN
    input_limit: int | None = None
    on_too_long: str = ON_TOO_LONG
    reask: str = REASK_NEVER
    renderer: str = RENDERER_VERSION
    format_options: Mapping[str, object] | None = None
    rubric_step: Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        # A copy of our own, so that the caller's mapping cannot change a frozen spec.
        object.__setattr__(self, "params", settled("params", self.params))
        for name in ("response_format", *LEFT_OUT_IF_NONE):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, settled(name, getattr(self, name)))


def spec_digest(spec: JudgeSpec) -> str:
    """SHA-256 of the canonical JSON of a judge, as 64 hexadecimal digits."""
    return digest_of(spec_to_json(spec))


def spec_to_json(spec: JudgeSpec) -> dict[str, object]:
    """Give the JSON form that is stored, exported and digested."""
    values = {each.name: getattr(spec, each.name) for each in fields(JudgeSpec)}
    for name in LEFT_OUT_IF_NONE:
        if values[name] is None:
            del values[name]
    return {"schema": SCHEMA, **values}


def spec_from_json(value: object) -> JudgeSpec:
    """Read a judge from its JSON form; the inverse of :func:`spec_to_json`.

    Nothing is assumed: every key must be there (but those of ``LEFT_OUT_IF_NONE``), no
    other may be, and no value is converted ("false" is no truth value). Raises
    :class:`SpecError`.
    """
    return JudgeSpec(**read_fields(value, SCHEMA, _READERS, LEFT_OUT_IF_NONE))


def read_fields(
    value: object,
    schema: str,
    readers: Mapping[str, Reader],
    may_be_missing: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Read the fields of a specification of any kind; raises :class:`SpecError`."""
    if not isinstance(value, dict):
        raise SpecError("judge", f"must be an object, not {type(value).__name__}")
    refuse_flaws(value)
    if value.get("schema") != schema:
        raise SpecError("schema", f"must be {schema!r}, not {value.get('schema')!r}")
    unknown = sorted(str(key) for key in value.keys() - readers.keys() - {"schema"})
    if unknown:
        raise SpecError(unknown[0], "is not a known key")
    missing = [n for n in readers if n not in value and n not in may_be_missing]
    if missing:
        raise SpecError(missing[0], "is missing")
    return {n: read(n, value[n]) for n, read in readers.items() if n in value}


def refuse_flaws(value: object) -> None:
    """Raise :class:`SpecError` for what no database or reply can hold."""
    for path, reason in flaws(value):
        raise SpecError(path or "judge", reason)


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise SpecError(field, f"must be text, not {type(value).__name__}")
    return value


def _truth(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise SpecError(field, f"must be true or false, not {value!r}")
    return value


def _whole(field: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SpecError(field, f"must be a whole number, not {value!r}")
    return value


def read_mapping(field: str, value: object) -> dict[str, object]:
    """Read a field that must be an object."""
    if not isinstance(value, dict):
        raise SpecError(field, f"must be an object, not {type(value).__name__}")
    return value


def _optional(
    reader: Callable[[str, object], object],
) -> Callable[[str, object], object]:
    return lambda field, value: None if value is None else reader(field, value)


def _one_of(kind: type[StrEnum]) -> Callable[[str, object], StrEnum]:
    def read(field: str, value: object) -> StrEnum:
        known = ", ".join(kind)
        if not isinstance(value, str) or value not in set(kind):
            raise SpecError(field, f"must be one of {known}, not {value!r}")
        return kind(value)

    return read


def _fixed(only: str) -> Callable[[str, object], str]:
    def read(field: str, value: object) -> str:
        if value != only:
            raise SpecError(field, f"can only be {only!r}, not {value!r}")
        return only

    return read


# The fields that a pointwise judge has too.
SHARED_READERS: Mapping[str, Reader] = {
    "provider": _text,
    "base_url": _text,
    "model": _text,
    "params": read_mapping,
    "system_template": _text,
    "user_template": _text,
    "rubric": _text,
    "rubric_version": _text,
    "question": _text,
    "parser_version": _text,
    "response_format": _optional(read_mapping),
    "repeats": _whole,
    "repeat_rule": _one_of(RepeatRule),
    "input_limit": _optional(_whole),
    "on_too_long": _fixed(ON_TOO_LONG),
    "reask": _fixed(REASK_NEVER),
    "renderer": _text,
}
_READERS: Mapping[str, Reader] = {
    **SHARED_READERS,
    "verdict_format": _text,
    "offers_abstain": _truth,
    "combining_rule": _one_of(CombiningRule),
    "format_options": _optional(read_mapping),
    "rubric_step": _optional(read_mapping),
}


def settled(path: str, value: object) -> object:
    """Copy a JSON value with whole floats as integers; refuse what JSON cannot hold."""
    if isinstance(value, dict):
        return {_key(path, k): settled(f"{path}.{k}", v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [settled(f"{path}[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise SpecError(path, "must be a finite number")
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, str | int):
        return value
    raise SpecError(path, f"cannot be {type(value).__name__}")


def _key(path: str, key: object) -> str:
    if not isinstance(key, str):
        raise SpecError(path, f"has a key that is no text: {key!r}")
    return key
