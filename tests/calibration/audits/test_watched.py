"""Sentinels in a bundle: points and alarms are made again, and forged ones named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.domain.digests import digest_of
from annotation.models import Case, Pair
from calibration.domain.audit.layout import (
    MANIFEST,
    SCHEMA,
    WITHOUT_SENTINELS,
    table_file,
)
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from config.db import guards
from tests.calibration.audits.everything import build_everything, bundle_of_everything
from tests.calibration.audits.forging import changed
from tests.calibration.audits.tools import (
    Files,
    check,
    forged,
    rows_of,
    said,
    unpacked,
    with_manifest,
    with_rows,
)
from tests.calibration.audits.watching import KNOWN
from tests.calibration.audits.world import COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
POINTS = 9  # four checks of pairs and of marks, and one beside the panel
REFERENCE, BESIDE, MARKS, PART, LATER = 0, 1, 2, 3, 7
TABLES = (
    "sentinels", "sentinel_pairs", "sentinel_series", "sentinel_checks",
    "sentinel_points", "sentinel_alarms",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Files]:
    with django_db_blocker.unblock():
        try:
            build_everything()
            yield unpacked(bundle_of_everything())
        finally:
            call_command("flush", verbosity=0, interactive=False)


def taken(**wish: Any) -> Files:
    wanted = Wanted(gold_set=KNOWN, **wish)
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    return unpacked(b"".join(found.download().pieces))


def pointed(files: Files, place: int, path: tuple[Any, ...], value: Any) -> Files:
    """Forge a place of a point, and its digest with it."""

    def change(row: dict[str, Any]) -> None:
        row["payload"] = changed(row["payload"], path, value)
        row["digest"] = digest_of(row["payload"])

    return forged(files, "sentinel_points", change, place)


def test_every_point_is_made_again(files) -> None:
    found = check(files)
    assert found.findings.problems == []
    assert found.findings.untold == found.findings.other_rules == []
    assert found.findings.counts["points"] == POINTS
    kinds = [row["payload"]["kind"] for row in rows_of(files, "sentinel_points")]
    assert kinds.count("fresh") == 1
    assert kinds.count("reference") == kinds.count("part") == 4


@pytest.mark.parametrize(
    ("place", "path", "value"),
    [
        (PART, ("against_reference", "test", "p_value"), 0.04),
        (PART, ("against_reference", "worse_groups"), 9),
        (PART, ("monitor", "evidence"), 21.5),
        (PART, ("usable", "evidence"), 21.5),
        (PART, ("watched_agreement", "low"), 0.2),
        (REFERENCE, ("agreement", "numerator"), 77),
        (REFERENCE, ("verdicts", "tie"), 40),
        (PART, ("changed",), []),
        (LATER, ("against_first", "shares", "p_value"), 0.5),
        (BESIDE, ("agreement", "denominator"), 77),
        (MARKS, ("systems", 0, "invalid"), 77),
        (REFERENCE, ("served_models",), []),
    ],
)
def test_a_forged_point_is_named(files, place, path, value) -> None:
    stored: Any = rows_of(files, "sentinel_points")[place]["payload"]
    for key in path:
        stored = stored[key]
    assert stored != value
    problems = said(pointed(files, place, path, value))
    assert any(
        p.startswith(f"sentinel_points.jsonl row {place + 1}: ") for p in problems
    )


def test_a_forged_alarm_is_named(files) -> None:
    rows = rows_of(files, "sentinel_alarms")
    for place, row in enumerate(rows):
        made = forged(
            files,
            "sentinel_alarms",
            lambda r: r.update(detail="Nothing to see."),
            place,
        )
        name = f"sentinel_alarms.jsonl row {place + 1}: "
        assert any(p.startswith(name) for p in said(made)), row
        made = forged(files, "sentinel_alarms", lambda r: r.update(kind="drift"), place)
        assert said(made) != []


def test_an_alarm_that_was_dropped_is_missed_by_its_point(files) -> None:
    rows = rows_of(files, "sentinel_alarms")
    for place, row in enumerate(rows):
        if row["check"] is None:
            continue
        problems = said(
            with_rows(files, "sentinel_alarms", rows[:place] + rows[place + 1 :])
        )
        assert any(f"it raised no {row['kind']} alarm" in p for p in problems)


def test_an_alarm_that_nothing_calls_for_is_named(files) -> None:
    rows = rows_of(files, "sentinel_alarms")
    last = rows[-1]
    more = rows[0] | {"alarm": last["alarm"] + 1, "key": "drift:1", "kind": "drift"}
    problems = said(with_rows(files, "sentinel_alarms", [*rows, more]))
    assert any("its point calls for no such alarm" in p for p in problems)


def test_a_dropped_pair_does_not_fit_its_panel(files) -> None:
    rows = rows_of(files, "sentinel_pairs")
    problems = said(with_rows(files, "sentinel_pairs", rows[1:]))
    assert any("it has 6 pairs; 5 are there" in p for p in problems)


def test_a_point_of_other_rules_is_neither(files) -> None:
    found = check(pointed(files, PART, ("rules",), 99)).findings
    assert found.problems == []
    (said_so,) = found.other_rules
    assert said_so == (
        "a part of sentinel daily (1 of its points) was made by a newer rule version "
        "99 (here is 2): not recomputed"
    )
    assert found.counts["points"] == POINTS - 1


def test_what_no_version_changes_is_compared_all_the_same(files) -> None:
    made = pointed(files, PART, ("rules",), 99)
    made = pointed(made, PART, ("verdicts", "tie"), 40)
    assert any("verdicts.tie is 40" in p for p in said(made))


def test_points_from_before_there_were_rules_are_older(files) -> None:
    def change(row: dict[str, Any]) -> None:
        del row["payload"]["rules"]
        row["digest"] = digest_of(row["payload"])

    found = check(forged(files, "sentinel_points", change, LATER)).findings
    assert found.problems == []
    assert len(found.other_rules) == 1
    assert "an older rule version that it does not name" in found.other_rules[0]


def test_a_bundle_from_before_sentinels_is_read(files) -> None:
    lacking = ("sentinel", "label_imports")
    left = {n: c for n, c in files.items() if not n.startswith(lacking)}
    manifest = left[MANIFEST].replace(SCHEMA.encode(), WITHOUT_SENTINELS.encode())
    found = check(with_manifest(left | {MANIFEST: manifest})).findings
    assert found.problems == []
    assert found.counts["points"] == 0
    # Of today's layout they may not be missing.
    assert any("does not list sentinels.jsonl" in p for p in said(with_manifest(left)))


def test_another_set_does_not_come_along(files) -> None:
    alone = taken()
    found = check(alone)
    assert found.findings.problems == []
    (left_out,), (untold,) = found.manifest.left_out, found.findings.untold
    assert left_out == (
        "what sentinel daily was asked beside its panel: gold set live is not in the "
        "bundle"
    )
    assert untold == (
        "alarms of sentinel daily about served models: what it was asked of gold set "
        "live is not in the bundle"
    )
    assert found.findings.counts["points"] == POINTS - 1
    assert {row["gold_set"] for row in rows_of(alone, "gold_sets")} == {KNOWN}


def test_of_dev_pairs_alone_it_is_there_and_checked(files) -> None:
    found = check(dev := taken(dev_only=True))
    assert found.findings.problems == []
    assert found.findings.counts["points"] == POINTS - 1
    assert len(rows_of(dev, "sentinel_pairs")) == 2 * 6
    problems = said(pointed(dev, 0, ("agreement", "numerator"), 77))
    assert any("agreement.numerator" in p for p in problems)


def test_of_a_panel_with_a_pair_that_is_held_out_now_nothing_leaves(files) -> None:
    pair = Pair.objects.filter(gold_set__name=KNOWN).latest("pk")
    with guards.lifted(connection, Case._meta.db_table):
        Case.objects.filter(pk=pair.case_id).update(split="held_out")
    dev = taken(dev_only=True)
    assert {name for name in TABLES if dev[table_file(name)]} == set()
    assert pair.digest.encode() not in b"\n".join(dev.values())
    assert check(dev).findings.problems == []


def test_odd_values_are_named_and_stop_nothing(files) -> None:
    calls = rows_of(files, "calls")
    last = [row for row in calls if row["response"] is not None][-1]
    twice = [x for row in calls for x in ([row, row] if row is last else [row])]
    assert any(
        "sentinel_series.jsonl" in p for p in said(with_rows(files, "calls", twice))
    )
    for path, value in ((("rules",), "x"), (("cycle",), []), (("served_models",), 1)):
        assert said(pointed(files, PART, path, value)) != []
