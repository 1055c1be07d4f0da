"""The dev part of a bundle: what may leave a set while its held-out part is sealed.

Each table says what of it goes along; one that says nothing here gives nothing. What a
row sums up over all pairs is summed up over the dev pairs instead, or left out.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json
from annotation.domain.outcomes import Split
from annotation.models import Adjudication, GoldItem, Pair, Response
from annotation.services.seals import sealed_of
from calibration.domain.audit.layout import DEV, SPLIT_REPORT, ruling_head
from calibration.models import Report
from calibration.services.audits.sentinel_scopes import whole_sentinels
from config.errors import NotFound
from judging.models import Call, RunPurpose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from annotation.models import GoldSet
    from calibration.services.audits.scopes import Scope

    Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DevPart:
    """What of a set is dev, and under no seal: its cases, and all that is about them.

    ``items`` and ``calls`` count by gold version and run; ``reports`` are those whose
    dev pairs are all here, and ``sentinels`` those whose pairs are.
    """

    cases: frozenset[str]
    pairs: frozenset[int]
    responses: frozenset[int]
    runs: frozenset[int]
    reports: tuple[int, ...]
    items: Mapping[int, tuple[int, int]]
    calls: Mapping[int, int]
    sentinels: frozenset[int] = frozenset()


def dev_pairs(gold_set: GoldSet) -> set[int]:
    """Rows of the dev pairs of a set; no case with texts that are sealed anywhere."""
    found = Pair.objects.filter(gold_set=gold_set, case__split=Split.DEV.value)
    rows = list(found.values_list("pk", "case_id"))
    sealed = sealed_of(gold_set)
    closed = {case for pair, case in rows if pair in sealed}
    return {pair for pair, case in rows if case not in closed}


def dev_part(scope: Scope) -> DevPart:
    """Gather what is dev of the one set of a scope."""
    (gold_set,) = scope.gold_sets
    pairs = dev_pairs(gold_set)
    if not pairs:
        raise NotFound("audit_empty", f"{gold_set.name} has no dev pair to hand out.")
    own = Pair.objects.filter(gold_set=gold_set)
    cases = dict(own.values_list("pk", "case__external_id"))
    names = {cases[pair] for pair in pairs}
    responses = Response.objects.filter(case__gold_set=gold_set)
    runs = {run.pk for run in scope.runs if run.purpose != RunPurpose.RELEASE}
    items, short = _items(gold_set, pairs)
    part = DevPart(
        cases=frozenset(names),
        pairs=frozenset(pairs),
        responses=frozenset(
            pk
            for pk, case in responses.values_list("pk", "case__external_id")
            if case in names
        ),
        runs=frozenset(runs),
        reports=tuple(
            pk
            for pk, run, version in Report.objects.filter(pk__in=scope.reports)
            .order_by("pk")
            .values_list("pk", "run_id", "gold_version_id")
            if run in runs and version not in short
        ),
        items=items,
        calls=Counter(),
        sentinels=whole_sentinels(scope, pairs),
    )
    return _counted(part)


def _items(
    gold_set: GoldSet, pairs: set[int]
) -> tuple[dict[int, tuple[int, int]], set[int]]:
    """Count the dev pairs of each version, all and open ones; name cut versions."""
    found, still_open = Counter[int](), Counter[int]()
    short = set()
    rows = GoldItem.objects.filter(
        version__gold_set=gold_set, split=Split.DEV.value
    ).values_list("version_id", "pair_id", "outcome")
    for version, pair, outcome in rows.iterator():
        if pair not in pairs:
            short.add(version)
            continue
        found[version] += 1
        still_open[version] += not outcome
    return {version: (n, still_open[version]) for version, n in found.items()}, short


def _counted(part: DevPart) -> DevPart:
    calls = Counter[int]()
    asked = Call.objects.filter(run__in=part.runs).values_list(
        "run_id", "pair_id", "response_id", "case__external_id"
    )
    for run, pair, response, case in asked.iterator():
        calls[run] += _about(part, pair, response, case)
    return DevPart(
        part.cases, part.pairs, part.responses, part.runs, part.reports, part.items,
        calls, part.sentinels,
    )  # fmt: skip


def _about(
    part: DevPart, pair: int | None, response: int | None, case: str | None
) -> bool:
    return pair in part.pairs or response in part.responses or case in part.cases


def dev_rows(table: str, rows: Iterator[Row], part: DevPart) -> Iterator[Row]:
    """What goes along of a table."""
    keep = KEEP.get(table)
    return (made for row in rows if keep and (made := keep(row, part)) is not None)


def _all(row: Row, _part: DevPart) -> Row | None:
    return row


def _none(_row: Row, _part: DevPart) -> Row | None:
    return None


def _of_case(row: Row, part: DevPart) -> Row | None:
    return row if row["case_id"] in part.cases else None


def _of_pair(row: Row, part: DevPart) -> Row | None:
    return row if row["pair"] in part.pairs else None


def _item(row: Row, part: DevPart) -> Row | None:
    return _of_pair(row, part) if row["split"] == Split.DEV.value else None


def _label_import(row: Row, _part: DevPart) -> Row | None:
    """Its counts and digests are over labels of all pairs."""
    return row | {"added": None, "known": None, "files": []}


def _version(row: Row, part: DevPart) -> Row | None:
    pairs, left_open = part.items.get(row["version"], (0, 0))
    return row | {"pairs": pairs, "left_open": left_open}


def _run(row: Row, part: DevPart) -> Row | None:
    """Notices speak of all pairs together."""
    if row["run"] not in part.runs:
        return None
    return row | {"calls": part.calls[row["run"]], "notices": []}


def _call(row: Row, part: DevPart) -> Row | None:
    about = _about(part, row["pair"], row["response"], row["case_id"])
    return row if about and row["run"] in part.runs else None


def _report(row: Row, part: DevPart) -> Row | None:
    return row if row["report"] in part.reports else None


def _finding(row: Row, part: DevPart) -> Row | None:
    return _of_pair(row, part) if row["run"] in part.runs else None


def _sentinel(row: Row, part: DevPart) -> Row | None:
    return row if row["sentinel"] in part.sentinels else None


# Strata of splits may count held-out outcomes; decisions and waivers tell verdicts.
KEEP: dict[str, Callable[[Row, DevPart], Row | None]] = {
    **dict.fromkeys(
        (
            "gold_sets", "guidelines", "rounds", "reviewers", "look_plans",
            "providers", "prices", "judges", "looks",
        ),
        _all,
    ),
    **dict.fromkeys(("cases", "responses", "pairs"), _of_case),
    **dict.fromkeys(("labels", "adjudications", "exposures"), _of_pair),
    **dict.fromkeys(("splits", "policies", "waivers", "decisions"), _none),
    "label_imports": _label_import,
    "gold_versions": _version,
    "gold_items": _item,
    "runs": _run,
    "calls": _call,
    "reports": _report,
    "findings": _finding,
    **dict.fromkeys(
        (
            "sentinels", "sentinel_pairs", "sentinel_series", "sentinel_checks",
            "sentinel_points", "sentinel_alarms",
        ),
        _sentinel,
    ),
}  # fmt: skip


def dev_report(number: int) -> bytes:
    """The dev figures of a report, and what they were computed with."""
    payload = json.loads(
        Report.objects.values_list("payload", flat=True).get(pk=number)
    )
    kept = {name: payload[name] for name in SPLIT_REPORT if name in payload}
    families = payload["gold"].get("families", [])
    dev = payload["splits"][DEV]
    return canonical_json({**kept, "families": families, DEV: dev})


def dev_ruling_head(gold_set: GoldSet, part: DevPart, until: datetime) -> str:
    """The end of the chains of the dev pairs alone."""
    rulings = Adjudication.objects.filter(
        pair__gold_set=gold_set, created_at__lte=until
    )
    rows = rulings.order_by("sequence").values_list("pair", "pair__digest", "digest")
    return ruling_head({pair: last for pk, pair, last in rows if pk in part.pairs})
