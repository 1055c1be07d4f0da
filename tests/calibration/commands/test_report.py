"""`report`: text, JSON and one HTML file, and clean refusals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from calibration.models import Look, Report
from config.db.urls import parse_database_url
from judging.models import Run, RunStatus
from tests.calibration.world import make_world

ROOT = Path(__file__).parents[3]


def report(*args: object, **options: object) -> str:
    out = StringIO()
    call_command("report", *args, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


@pytest.mark.django_db
class TestForms:
    def test_text_is_the_default(self, world):
        text = report(world.run.pk)
        assert text.startswith("Calibration report")
        assert "SIMULATED JUDGE" in text
        assert "held-out looks: 1 of 10" in text

    def test_json_is_the_whole_output(self, world):
        found = json.loads(report(world.run.pk, "--json"))
        assert found["schema"] == "evenhand.report/1"
        assert found["digest"] == Report.objects.get().digest
        looks = found["looks"]
        assert (looks["n"], looks["budget"], looks["this"]) == (1, 10, 1)
        assert not any(looks[key] for key in ("over_budget", "sealed", "words"))

    def test_csv_goes_to_a_file(self, world, tmp_path):
        path = tmp_path / "report.csv"
        assert report(world.run.pk, "--csv", str(path)) == ""
        lines = path.read_bytes().decode().split("\r\n")
        assert lines[0].startswith("split,slice,figure,value,")
        assert any(line.startswith("held_out,,exact_agreement,") for line in lines)

    def test_html_goes_to_a_file(self, world, tmp_path):
        path = tmp_path / "report.html"
        assert report(world.run.pk, "--html", str(path)) == ""
        page = path.read_text("utf-8")
        assert "May this judge be trusted?" in page
        assert "<style>" in page

    def test_a_set_and_a_judge_name_their_newest_run(self, world):
        again = world.run_again()
        names = {"gold_set": world.gold_set.name, "judge": world.run.config.name}
        found = json.loads(report(json=True, **names))
        assert found["run"]["id"] == again.run.pk

    def test_the_same_again_is_the_same_report_and_look(self, world):
        assert report(world.run.pk, "--json") == report(world.run.pk, "--json")
        assert (Report.objects.count(), Look.objects.count()) == (1, 1)

    def test_the_look_names_who_ran_it(self, world, monkeypatch):
        monkeypatch.setattr("getpass.getuser", lambda: "ann")
        report(world.run.pk, reason="weekly")
        look = Look.objects.get()
        assert (look.actor, look.door, look.reason) == ("ann", "command", "weekly")
        assert look.looked_by is None

    def test_an_account_without_a_name_can_run_it(self, world, monkeypatch):
        def nameless() -> str:
            raise KeyError

        monkeypatch.setattr("getpass.getuser", nameless)
        report(world.run.pk)
        assert Look.objects.get().actor == "unknown"


@pytest.mark.django_db
class TestRefusals:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"gold_set": "x"},
            {"judge": "x"},
            {"run": 1, "judge": "x"},
            {"run": 1, "gold_set": "x", "judge": "y"},
        ],
    )
    def test_what_to_report_on_must_be_clear(self, options):
        run = options.pop("run", None)
        with pytest.raises(CommandError, match="either a run, or both"):
            report(*([run] if run else []), **options)

    def test_unknown_run(self):
        with pytest.raises(CommandError, match="There is no run 5"):
            report(5)

    def test_unknown_judge(self, world):
        with pytest.raises(CommandError, match="no run of 'nobody'"):
            report(gold_set=world.gold_set.name, judge="nobody")

    def test_unknown_gold_version(self, world):
        with pytest.raises(CommandError, match="no gold version 9"):
            report(world.run.pk, gold_version=9)

    def test_unfinished_run(self, world):
        Run.objects.update(status=RunStatus.RUNNING)
        with pytest.raises(CommandError, match="has finished yet"):
            report(gold_set=world.gold_set.name, judge=world.run.config.name)

    def test_a_file_that_cannot_be_written(self, world, tmp_path):
        with pytest.raises(CommandError, match=r"Cannot write .*: No such file"):
            report(world.run.pk, html=str(tmp_path / "no" / "x.html"))

    def test_past_the_budget_it_says_how(self):
        world = make_world(look_budget=0)
        with pytest.raises(CommandError, match="Give one with --reason"):
            report(world.run.pk)
        assert "held-out looks: 1 of 0" in report(world.run.pk, reason="audit")


@pytest.mark.django_db(transaction=True)
class TestProcess:
    def run(self, *args: object) -> subprocess.CompletedProcess[str]:
        name = connection.settings_dict["NAME"]
        url = f"sqlite:///{name}"
        if connection.vendor != "sqlite":
            url = os.environ["DATABASE_URL"].replace("/postgres?", f"/{name}?", 1)
            assert parse_database_url(url, base=ROOT)["NAME"] == name
        env = os.environ | {"DATABASE_URL": url, "SECRET_KEY": settings.SECRET_KEY}
        command = [sys.executable, "manage.py", "report", *map(str, args)]
        return subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )

    def test_json_alone_on_stdout(self):
        done = self.run(make_world().run.pk, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["splits"]["held_out"]["n"] == 4

    def test_a_refusal_is_one_line_and_no_traceback(self):
        done = self.run(99)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr == "CommandError: There is no run 99.\n"
