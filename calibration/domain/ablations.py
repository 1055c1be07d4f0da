"""Which specifications differ in one field alone, so that results tell what it does."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

# A new rubric has a new version: that is one change, not two.
TOGETHER = {"rubric_version": "rubric"}


@dataclass(frozen=True, slots=True)
class Ablation:
    """Judges that are the same but for one field, each with its value of it."""

    field: str
    values: Mapping[str, Any]


def ablations(specs: Mapping[str, Mapping[str, Any]]) -> tuple[Ablation, ...]:
    """Group judges, given by name with their specifications, by what they differ in.

    Objects are compared key by key (``params.temperature``). A judge may be in several
    groups; a group has two values of its field or more.
    """
    flat = {name: _flat(spec) for name, spec in specs.items()}
    fields = sorted({_whole(key) for one in flat.values() for key in one})
    return tuple(
        Ablation(field, values) for field in fields for values in _groups(field, flat)
    )


def _groups(field: str, flat: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    alike: defaultdict[bytes, dict[str, Any]] = defaultdict(dict)
    for name, spec in flat.items():
        rest = {key: value for key, value in spec.items() if _whole(key) != field}
        alike[canonical_json(rest)][name] = spec.get(field)
    return [
        dict(sorted(values.items(), key=_by_value))
        for values in alike.values()
        if len({canonical_json(value) for value in values.values()}) > 1
    ]


def _by_value(named: tuple[str, Any]) -> tuple[bool, float, str, str]:
    """Numbers by size, after what is no number."""
    name, value = named
    if isinstance(value, int | float) and not isinstance(value, bool):
        return True, float(value), "", name
    return False, 0.0, canonical_json(value).decode(), name


def _whole(key: str) -> str:
    return TOGETHER.get(key, key)


def _flat(spec: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in spec.items():
        if isinstance(value, dict) and value:
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = value
    return found
