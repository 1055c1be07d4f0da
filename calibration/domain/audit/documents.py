"""Documents of a bundle: read strictly, and compared with what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.digests import canonical_json
from annotation.domain.strict_json import BrokenJson, decode, flaws
from calibration.domain.audit.comparing import Difference, Missing, differences
from calibration.domain.audit.material import BadRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.domain.audit.findings import Findings

MOST_DIFFERENCES = 3
_NONE: Any = object()


def document(payload: bytes) -> Any:
    """Read a document: one object of strict JSON; raises :class:`BadRow`."""
    try:
        value = decode(payload.decode())
    except (UnicodeDecodeError, BrokenJson) as error:
        raise BadRow("its file is no JSON") from error
    for path, reason in flaws(value):
        raise BadRow(f"in its file {path or 'it'} {reason}")
    if not isinstance(value, dict):
        raise BadRow("its file is no object")
    return value


def canonical(value: dict[str, Any]) -> Any:
    """Give a document as it comes back from its canonical JSON."""
    return decode(canonical_json(value).decode())


def lasting(stored: Any, again: Any, paths: tuple[str, ...]) -> Iterator[Difference]:
    """Compare what no version of the rules changes: counts, digests, names.

    A path that either document lacks is passed over.
    """
    for path in paths:
        one, other = stored, again
        for key in path.split("."):
            one = one.get(key, _NONE) if isinstance(one, dict) else _NONE
            other = other.get(key, _NONE) if isinstance(other, dict) else _NONE
        if one is not _NONE and other is not _NONE:
            found = differences(one, other, path=path)
            yield from (each for each in found if isinstance(each, Difference))


def compare(
    name: str,
    stored: dict[str, Any],
    again: dict[str, Any],
    found: Findings,
    *,
    drawn: bool = True,
) -> None:
    """Name the first places where a document is not what follows from the rows.

    Without ``drawn``, bounds that were drawn at random are left out.
    """
    drawn_with = (stored.get("bootstrap") or {}).get("numpy", np.__version__)
    exact = drawn_with == np.__version__
    if not exact:
        found.leave(
            f"intervals of {name} that were drawn at random: it was made with numpy "
            f"{drawn_with}, this is {np.__version__}"
        )
        again["bootstrap"]["numpy"] = drawn_with
    off = differences(stored, canonical(again), exact=exact and drawn)
    wrong = [each for each in off if isinstance(each, Difference)]
    for one in wrong[:MOST_DIFFERENCES]:
        found.add(name, None, str(one))
    missing = [each.path for each in off if isinstance(each, Missing)]
    if missing:
        found.leave(
            f"{len(missing)} fields that {name} lacks and this version computes, "
            f"{missing[0]} the first: it was made by an earlier version, or cut"
        )
