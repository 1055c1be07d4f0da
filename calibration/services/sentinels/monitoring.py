"""What is watched at all times: evidence over a series, and rates within a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import Counted, alpha_of, confidence_sequence, watch
from calibration.domain.sentinels import CheckKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier

# Fields of a comparison with a reference: groups to the worse, and the reverse.
DRIFT: Final = ("worse_groups", "better_groups")
USABLE: Final = ("lost_groups", "regained_groups")
MARKS: Final = ("lower_groups", "higher_groups")


def jsonable_fields(block: object) -> dict[str, Any]:
    """A result's fields as plain JSON."""
    found = jsonable(block)
    assert isinstance(found, dict)  # noqa: S101 - a dataclass becomes an object
    return found


def monitored(
    check: SentinelCheck,
    before: Earlier,
    part: object | None,
    fields: tuple[str, str],
    *,
    two_sided: bool = False,
) -> Any:
    """The evidence of the series up to and with this check; none of fresh cases."""
    if check.kind == CheckKind.FRESH.value:
        return None
    found: dict[int, Counted] = {}
    for point in before.points:
        _add(found, point["cycle"], point["against_reference"], fields)
    if part is not None:
        _add(found, check.cycle, jsonable_fields(part), fields)
    return jsonable(watch(list(found.values()), two_sided=two_sided))


def _add(
    found: dict[int, Counted],
    cycle: int,
    told: Mapping[str, Any],
    fields: tuple[str, str],
) -> None:
    """Points of an earlier version did not count every field."""
    old, (worse, better) = found.get(cycle, Counted(0, 0)), fields
    found[cycle] = Counted(
        old.worse + told.get(worse, 0), old.better + told.get(better, 0)
    )


def watched_agreement(check: SentinelCheck, before: Earlier, block: Any) -> Any:
    """Disagreement of groups in this cycle, at a level for all cycles together."""
    now = (block.wrong_groups, block.groups)
    return _watched(check, before, now, ("wrong_groups", "groups"), check.cycle)


def watched_invalid(check: SentinelCheck, before: Earlier, block: Any) -> Any:
    """Groups without a usable verdict: of a reference, or of a cycle's parts so far.

    Both count, each with its share of the error rate, so that a judge that never gave
    a verdict is found at its first reference.
    """
    if check.kind == CheckKind.FRESH.value:
        return None
    is_part = check.kind == CheckKind.PART.value
    now = (block.invalid_groups, block.judged_groups)
    number = 2 * check.cycle - (not is_part)
    return _watched(check, before, now, ("invalid_groups", "judged_groups"), number)


def _watched(
    check: SentinelCheck,
    before: Earlier,
    now: tuple[float, int],
    fields: tuple[str, str],
    number: int,
) -> Any:
    """A rate with limits that hold at all times: the ``number``-th that is watched."""
    is_part = check.kind == CheckKind.PART.value
    same = [one for one in before.points if is_part and one["cycle"] == check.cycle]
    hits = sum(one.get(fields[0], 0) for one in same) + now[0]
    groups = sum(one.get(fields[1], 0) for one in same) + now[1]
    level = 1 - alpha_of(number)
    return jsonable(confidence_sequence(min(hits, groups), groups, level))
