"""What is watched at all times: evidence over a series, and rates within a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import Counted, alpha_of, confidence_sequence, watch
from calibration.domain.sentinels import CheckKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calibration.domain.sentinels import Step

    Payload = Mapping[str, Any]

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
    step: Step,
    points: Sequence[Payload],
    part: object | None,
    fields: tuple[str, str],
    *,
    two_sided: bool = False,
) -> Any:
    """The evidence of the series up to and with this check; none of fresh cases.

    ``points`` are those of the parts before it, in order.
    """
    if step.kind is CheckKind.FRESH:
        return None
    found: dict[int, Counted] = {}
    for point in points:
        _add(found, point["cycle"], point["against_reference"], fields)
    if part is not None:
        _add(found, step.cycle, jsonable_fields(part), fields)
    return jsonable(watch(list(found.values()), two_sided=two_sided))


def _add(
    found: dict[int, Counted],
    cycle: int,
    told: Payload,
    fields: tuple[str, str],
) -> None:
    """Points of an earlier version did not count every field."""
    old, (worse, better) = found.get(cycle, Counted(0, 0)), fields
    found[cycle] = Counted(
        old.worse + told.get(worse, 0), old.better + told.get(better, 0)
    )


def watched_agreement(step: Step, points: Sequence[Payload], block: Any) -> Any:
    """Disagreement of groups in this cycle, at a level for all cycles together."""
    now = (block.wrong_groups, block.groups)
    return _watched(step, points, now, ("wrong_groups", "groups"), step.cycle)


def watched_invalid(step: Step, points: Sequence[Payload], block: Any) -> Any:
    """Groups without a usable verdict: of a reference, or of a cycle's parts so far.

    Both count, each with its share of the error rate, so that a judge that never gave
    a verdict is found at its first reference.
    """
    if step.kind is CheckKind.FRESH:
        return None
    now = (block.invalid_groups, block.judged_groups)
    number = 2 * step.cycle - (step.kind is not CheckKind.PART)
    return _watched(step, points, now, ("invalid_groups", "judged_groups"), number)


def _watched(
    step: Step,
    points: Sequence[Payload],
    now: tuple[float, int],
    fields: tuple[str, str],
    number: int,
) -> Any:
    """A rate with limits that hold at all times: the ``number``-th that is watched."""
    is_part = step.kind is CheckKind.PART
    same = [one for one in points if is_part and one["cycle"] == step.cycle]
    hits = sum(one.get(fields[0], 0) for one in same) + now[0]
    groups = sum(one.get(fields[1], 0) for one in same) + now[1]
    level = 1 - alpha_of(number)
    return jsonable(confidence_sequence(min(hits, groups), groups, level))
