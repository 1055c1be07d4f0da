"""What stops a command from outside is one line and exit code 1, for all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.management import get_commands
from django.db import OperationalError

from config.db.refusals import in_words
from tests.processes import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"
OWN = ("config", "annotation", "judging", "calibration")
AWAY = "postgres://somebody:hidden@127.0.0.1:1/gold"
# What each needs to get as far as the database.
COMMANDS = {
    "acknowledge_alarm": "1 --note n",
    "assign_splits": "s --slices topic",
    "check_gold_set": "s",
    "close_round": "s r",
    "compare_judges": "--gold-set s --judges a,b",
    "decide": "1 --policy p",
    "define_sentinel": "n --gold-set s --judge j",
    "createsuperuser": "--no-input --username x --email x@example.org",
    "export_audit": "s",
    "export_gold": "s",
    "export_labels": "s",
    "export_marks": "1",
    "export_rulings": "s",
    "freeze_gold": "s",
    "freeze_judge": "j --spec {folder}/judge.json",
    "freeze_policy": "p --file {folder}/policy.json",
    "gold_diff": "s 1 2",
    "import_labels": "{folder}/labels.jsonl --gold-set s",
    "import_pairs": "{folder}/pairs.jsonl --gold-set s --systems a,b",
    "import_verdicts": "{folder}/labels.jsonl --gold-set s --judge j",
    "open_review": "1 n --policy p",
    "open_round": "s r",
    "plan_labels": "--gold-set s --judge j",
    "plan_looks": "s --mode open --budget 3",
    "prices": "",
    "rank_systems": "1",
    "report": "1",
    "request_corrections": "s --pairs {folder}/p --controls {folder}/p"
    " --category gold_wrong --note n --by x",
    "run_judge": "--judge j --gold-set s",
    "run_sentinels": "",
    "serve": "--port 0",
    "start_release": "--judge j --gold-set s --share 0.5 --seed 1",
    "sync_roles": "",
    "unseal_held_out": "s --reason r",
}
# They need no database, wait for it, empty it or make it.
OTHERS = {"simulate_judge", "work", "flush", "demo", "migrate", "verify_audit"}
RUN_ALL = """
import io, json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from config.management.refusals import run
found = {}
for name, line in json.loads(sys.argv[1]).items():
    sys.stderr = io.StringIO()
    try:
        code = run(["manage.py", name, *line.split()])
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        code = repr(error)
    found[name] = [code, sys.stderr.getvalue()]
print(json.dumps(found))
"""


def python(folder: Path, *arguments: str, **variables: str) -> list[str | int]:
    """Exit code, standard output and standard error of a process of its own."""
    given = {"PATH": os.environ["PATH"], "EVENHAND_VAR": str(folder), "SECRET_KEY": KEY}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=given | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return [done.returncode, done.stdout, done.stderr]


def refusals(folder: Path, **variables: str) -> dict[str, list[str | int]]:
    lines = {name: line.format(folder=folder) for name, line in COMMANDS.items()}
    _, said, errors = python(folder, "-c", RUN_ALL, json.dumps(lines), **variables)
    assert said, errors
    return json.loads(str(said).splitlines()[-1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Input files that can be read."""
    pair = {"case_id": "c", "prompt": "p", "responses": {"a": "1", "b": "2"}}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair))
    label = {"case_id": "c", "choice": "tie", "reviewer": "x"}
    (tmp_path / "p").write_text("c a b\n")
    (tmp_path / "labels.jsonl").write_text(json.dumps(label))
    policy = {
        "policyLabel": "x",
        "minimumCandidatePreferenceLowerBound": 0.52,
        "maximumSwapFlipRate": 0.05,
        "maximumInvalidJudgeRate": 0.01,
        "criticalSliceRule": "no-new-critical-regressions",
        "wideIntervalDisposition": "human-review",
    }
    (tmp_path / "policy.json").write_text(json.dumps(policy))
    from judging.services.drafting import default_spec_json

    (tmp_path / "judge.json").write_text(json.dumps(default_spec_json()))
    return tmp_path


def test_every_command_of_our_own_is_tried() -> None:
    own = {
        name for name, app in get_commands().items() if str(app).split(".")[0] in OWN
    }
    assert own == set(COMMANDS) - {"createsuperuser"} | OTHERS


def bad(found: dict[str, list[str | int]], wanted: str) -> dict[str, object]:
    """What did not end with the exit code 1 and one line that holds the words."""
    return {
        name: (code, said)
        for name, (code, said) in found.items()
        if code != 1 or str(said).count("\n") != 1 or wanted not in str(said)
    }


def test_a_new_database(folder: Path) -> None:
    assert bad(refusals(folder), "python manage.py migrate\n") == {}


def test_a_database_that_is_away(folder: Path) -> None:
    found = refusals(folder, DATABASE_URL=AWAY)
    assert bad(found, "The database refused: connection failed") == {}
    assert "hidden" not in str(found)


@pytest.mark.parametrize("command", ["migrate", "report", "sync_roles", "serve"])
def test_settings_that_cannot_be_read(tmp_path: Path, command: str) -> None:
    code, said, errors = python(tmp_path, "manage.py", command, WEB_CONCURRENCY="two")
    assert (code, said) == (1, "")
    assert errors == (
        "SettingsError: The environment variable WEB_CONCURRENCY must be a whole "
        "number.\n"
    )


def test_a_var_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "var").touch()
    code, said, errors = python(tmp_path / "var", "manage.py", "migrate")
    assert (code, said) == (1, "")
    assert errors == (
        "SettingsError: The environment variable EVENHAND_VAR names no folder that can "
        "be used (File exists).\n"
    )


@pytest.mark.parametrize(
    "said", ["attempt to write a readonly database", "unable to open database file"]
)
def test_no_migration_is_advised_where_nothing_can_be_written(said: str) -> None:
    words = in_words(OperationalError(said))
    assert words.startswith(f"The database refused: {said}. ")
    assert "must be writable" in words
    assert "migrate" not in words


def test_what_is_interrupted_says_so_in_one_line(monkeypatch, capsys) -> None:
    from config.management import refusals as module

    def interrupted(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "execute_from_command_line", interrupted)
    assert module.run(["manage.py", "report"]) == 130
    assert capsys.readouterr().err == "Interrupted.\n"
    with pytest.raises(KeyboardInterrupt):
        module.run(["manage.py", "report", "--traceback"])


def test_migrate_without_a_database(tmp_path: Path) -> None:
    code, _, errors = python(tmp_path, "manage.py", "migrate", DATABASE_URL=AWAY)
    assert code == 1
    assert str(errors).count("\n") == 1


def test_where_it_stopped_is_shown_on_demand(tmp_path: Path) -> None:
    code, _, errors = python(tmp_path, "manage.py", "report", "1", "--traceback")
    assert code == 1
    assert "Traceback" in str(errors)


def test_a_fault_of_our_own_keeps_its_traceback(monkeypatch) -> None:
    from config.management import refusals as module

    def broken(_: list[str]) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "execute_from_command_line", broken)
    with pytest.raises(ZeroDivisionError):
        module.run(["manage.py", "report"])
