"""Who froze, ran and brought what by a command: the account that ran it is kept."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.management.actors import account
from annotation.models import GoldVersion, LabelImport
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from calibration.presenters.activity import ActivityFilter, activity, lines
from calibration.services.sentinels.tending import start_due
from judging.models import JudgeConfig, Run
from tests.annotation.factory import make_set
from tests.calibration.sentinels import make_watched

if TYPE_CHECKING:
    from pathlib import Path

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ROWS = [
    {"case_id": f"case-{n:04d}", "reviewer": "ana", "outcome": "candidate"}
    for n in range(2)
]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


def run(name: str, *args: str) -> None:
    call_command(name, *args, stdout=StringIO(), stderr=StringIO())


def who(kind: str) -> list[tuple[str, str]]:
    found = lines(activity(ActivityFilter(kinds=(kind,))))
    return [(line.who, line.gold_set) for line in found]


@pytest.fixture
def by_commands(tmp_path: Path) -> str:
    """Labels, gold and verdicts of a set, all of them by commands."""
    name = make_set(2, labels_per_pair=1).name
    labels = written(tmp_path / "labels.jsonl", ROWS)
    run("import_labels", labels, "--gold-set", name)
    run("freeze_gold", name)
    replies = [
        {"case_id": row["case_id"], "order": order, "raw": "1"}
        for row in ROWS
        for order in ("baseline_first", "candidate_first")
    ]
    verdicts = written(tmp_path / "verdicts.jsonl", replies)
    run("import_verdicts", verdicts, "--gold-set", name, "--judge", "rec")
    return name


def test_the_account_is_kept_and_told(by_commands) -> None:
    told = f"{account()} (command)"
    assert account()
    for kind in ("brought_labels", "froze_gold", "ran"):
        assert who(kind) == [(told, by_commands)], kind
    assert who("froze_judge") == [(told, "")]
    for model in (GoldVersion, JudgeConfig, Run, LabelImport):
        assert model._default_manager.get().actor == account()


def test_sets_and_reports_name_the_account_too(tmp_path) -> None:
    rows = [
        {"case_id": n, "prompt": "?", "responses": {"old": f"a {n}", "new": f"b {n}"}}
        for n in ("c1", "c2")
    ]
    pairs = written(tmp_path / "pairs.jsonl", rows)
    run("import_pairs", pairs, "--gold-set", "told", "--systems", "old,new",
        "--labels-per-pair", "1")  # fmt: skip
    labels = [
        {"case_id": row["case_id"], "reviewer": "a", "outcome": "tie"} for row in rows
    ]
    run("import_labels", written(tmp_path / "l.jsonl", labels), "--gold-set", "told")
    run("freeze_gold", "told")
    replies = [
        {"case_id": row["case_id"], "order": order, "raw": "1"}
        for row in rows
        for order in ("baseline_first", "candidate_first")
    ]
    verdicts = written(tmp_path / "v.jsonl", replies)
    run("import_verdicts", verdicts, "--gold-set", "told", "--judge", "rec")
    run("report", str(Run.objects.get().pk))
    told = [(f"{account()} (command)", "told")]
    assert who("made_set") == who("reported") == told


def test_who_starts_checks_is_kept_with_their_runs(db: None) -> None:
    """The command's account, or the schedule; somebody who signed in needs neither."""
    make_watched()
    (check, *_) = start_due(now=timezone.now(), actor="cron").started
    assert (check.run.created_by, check.run.actor) == (None, "cron")
    ((told, _),) = [each for each in who("ran") if "cron" in each[0]]
    assert told == "cron (command)"


def test_labels_that_are_known_leave_no_second_entry(by_commands, tmp_path) -> None:
    labels = written(tmp_path / "again.jsonl", ROWS)
    run("import_labels", labels, "--gold-set", by_commands)
    (entry,) = LabelImport.objects.all()
    assert (entry.added, entry.known) == (2, 0)
    more = [*ROWS, {**ROWS[0], "reviewer": "ben"}]
    run("import_labels", written(tmp_path / "m.jsonl", more), "--gold-set", by_commands)
    newest = LabelImport.objects.latest("pk")
    assert (newest.added, newest.known) == (1, 2)
    (told, _) = lines(activity(ActivityFilter(kinds=("brought_labels",))))
    assert (told.did, told.what) == ("imported labels", "1 label, 2 known already")


def test_who_signed_in_is_named_without_a_command(lead: User) -> None:
    gold_set = make_set(2)
    source = Source("\n".join(map(json.dumps, ROWS)).encode(), "labels.jsonl")
    import_labels(gold_set=gold_set, source=source, by=lead, now=timezone.now())
    assert who("brought_labels") == [(lead.shown_name, gold_set.name)]
