"""The judging commands as people type them."""

from __future__ import annotations

import io
import json
import logging

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from config.db.declarations import own_models
from judging.management.commands import work as command
from judging.models import JudgeConfig, Provider, Run, RunStatus
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import make_set
from tests.judging.factory import make_judge, make_run

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "http://127.0.0.1:9/v1"
SECRET = "sk-canary-0123456789abcdefghij"


def said(*arguments, **options):
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=out, stderr=err, **options)
    return out.getvalue() + err.getvalue()


@pytest.fixture
def spec_file(tmp_path):
    path = tmp_path / "judge.json"
    path.write_text(said("freeze_judge", template=True))
    return path


class TestFreezeJudge:
    def test_the_template_freezes_once_it_is_edited(self, spec_file):
        spec = json.loads(spec_file.read_text())
        spec["model"] = "some-model"
        spec_file.write_text(json.dumps(spec))
        text = said("freeze_judge", "mine", spec=str(spec_file))
        frozen = JudgeConfig.objects.get()
        assert f"mine v1 is frozen, digest {frozen.digest}" in text
        again = said("freeze_judge", "mine", spec=str(spec_file))
        assert "is frozen already" in again
        spec["model"] = "another-model"
        spec_file.write_text(json.dumps(spec))
        assert "mine v2 is frozen" in said("freeze_judge", "mine", spec=str(spec_file))

    @pytest.mark.parametrize(
        ("change", "word"),
        [
            ({"user_template": "nothing"}, "prompt"),
            ({"repeats": "3"}, "repeats"),
            ({"offers_abstain": "false"}, "offers_abstain"),
            ({"colour": "red"}, "colour"),
            ({"repeats": 0}, "repeats"),
            ({"repeats": float("nan")}, "json: repeats: is NaN, which JSON does not"),
            ({"rubric": "a\ud800"}, "rubric: holds half a surrogate pair"),
            ({"params": {"max_tokens": 9, "user": "sk-live-abc123"}}, "credential"),
        ],
    )
    def test_what_can_not_be_frozen_leaves_nothing_behind(
        self, spec_file, change, word
    ):
        spec = json.loads(spec_file.read_text()) | change
        spec_file.write_text(json.dumps(spec))
        with pytest.raises(CommandError, match=word):
            said("freeze_judge", "mine", spec=str(spec_file))
        assert not JudgeConfig.objects.exists()
        assert not Provider.objects.exists()

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"a":1,"a":2}'])
    def test_a_file_that_is_no_specification(self, spec_file, data):
        spec_file.write_bytes(data)
        with pytest.raises(CommandError):
            said("freeze_judge", "mine", spec=str(spec_file))

    def test_the_name_is_needed(self):
        with pytest.raises(CommandError, match="Name the judge"):
            said("freeze_judge")


class TestRunJudge:
    def test_it_runs_once_and_says_when_nothing_is_left_to_buy(self):
        with SimulatedJudge() as server:
            make_judge(server.base_url)
            gold_set = make_set(2)
            options = {"judge": "judge", "gold_set": gold_set.name}
            assert "is done: 4 calls, 0 invalid" in said("run_judge", **options)
            assert "nothing to buy" in said("run_judge", **options)
            assert server.stats()["bought"] == 4

    def test_a_run_that_stops_ends_with_its_reason_and_how_to_resume(self):
        with SimulatedJudge(Options(quota=1)) as server:
            run = make_run(server.base_url, cases=2, concurrency=1)
            with pytest.raises(CommandError) as stopped:
                said("run_judge", run=run.pk)
            assert "quota" in str(stopped.value)
            assert f"run_judge --run {run.pk}" in str(stopped.value)
            server.options = Options()
            assert "is done" in said("run_judge", run=run.pk, concurrency=2)
            assert server.stats()["bought"] == 4

    @pytest.mark.parametrize(
        ("options", "word"),
        [
            ({"run": 99}, "no run 99"),
            ({"judge": "nobody", "gold_set": "x"}, "no judge"),
            ({"judge": "judge"}, "Name --judge and --gold-set"),
            ({"judge": "judge", "gold_set": "nothing"}, "no gold set"),
            ({"judge": "judge", "gold_set": "x", "concurrency": 0}, "concurrency"),
        ],
    )
    def test_what_can_not_run(self, options, word):
        make_judge(ADDRESS)
        with pytest.raises(CommandError, match=word):
            said("run_judge", **options)
        assert not Run.objects.exists()

    def test_a_key_is_sent_and_found_nowhere_else(self, monkeypatch, caplog):
        monkeypatch.setenv("CANARY_KEY", SECRET)
        with (
            caplog.at_level(logging.DEBUG),
            SimulatedJudge(Options(api_key=SECRET)) as server,
        ):
            run = make_run(server.base_url, cases=1, api_key_env="CANARY_KEY")
            text = said("run_judge", run=run.pk)
            assert "is done" in text
            wrong = make_run(
                server.base_url,
                cases=1,
                name="other",
                provider="other",
                api_key_env="WRONG_KEY",
            )
            monkeypatch.setenv("WRONG_KEY", SECRET + "-wrong")
            with pytest.raises(CommandError, match="API key") as stopped:
                said("run_judge", run=wrong.pk)
        for place in (text, str(stopped.value), caplog.text, everything_stored()):
            assert SECRET not in place

    def test_a_key_that_is_not_set_is_named(self, monkeypatch):
        monkeypatch.delenv("MISSING_KEY", raising=False)
        run = make_run(ADDRESS, cases=1, api_key_env="MISSING_KEY")
        with pytest.raises(CommandError, match="MISSING_KEY is not set"):
            said("run_judge", run=run.pk)
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED


def everything_stored():
    rows = []
    with connection.cursor() as cursor:
        for model in own_models(apps):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            rows += cursor.fetchall()
    assert len(rows) > 10
    return repr(rows)


class TestWork:
    def test_it_carries_out_what_there_is(self):
        with SimulatedJudge() as server:
            runs = [make_run(server.base_url, name=name, cases=1) for name in "ab"]
            said("work", once=True)
        for run in runs:
            run.refresh_from_db()
            assert run.status == RunStatus.DONE

    def test_one_bad_run_does_not_keep_the_others_from_being_done(self, monkeypatch):
        monkeypatch.delenv("MISSING_KEY", raising=False)
        with SimulatedJudge() as server:
            bad = make_run(ADDRESS, cases=1, provider="bad", api_key_env="MISSING_KEY")
            good = make_run(server.base_url, cases=1, name="good")
            with pytest.raises(CommandError, match=f"run {bad.pk}"):
                said("work", once=True)
        good.refresh_from_db()
        assert good.status == RunStatus.DONE

    def test_a_failed_run_is_not_tried_again_by_itself(self):
        with SimulatedJudge(Options(quota=0)) as server:
            run = make_run(server.base_url, cases=1)
            with pytest.raises(CommandError):
                said("work", once=True)
            received = server.stats()["received"]
            said("work", once=True)
            assert server.stats()["received"] == received
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED

    def test_a_run_that_was_paused_and_resumed_is_taken_up_at_once(self, monkeypatch):
        make_run(ADDRESS, cases=1)
        statuses = [RunStatus.PAUSED, RunStatus.DONE]

        def carry_out(run, **_):
            status = statuses.pop(0)  # paused meanwhile, and resumed at once
            Run.objects.filter(pk=run.pk).update(
                status=status if status == RunStatus.DONE else RunStatus.PENDING
            )
            return status

        monkeypatch.setattr(command, "carry_out", carry_out)
        monkeypatch.setattr(command, "POLL_SECONDS", 0.01)
        said("work", once=True)
        assert statuses == []

    def test_a_run_with_an_error_of_its_own_rests(self, monkeypatch):
        run = make_run(ADDRESS, cases=1)
        tried = []

        def explode(run, **_):
            tried.append(run.pk)
            raise RuntimeError("odd")

        monkeypatch.setattr(command, "carry_out", explode)
        monkeypatch.setattr(command, "POLL_SECONDS", 0.01)
        with pytest.raises(CommandError):
            said("work", once=True)
        assert tried == [run.pk]


def test_import_verdicts_says_what_came_of_it(tmp_path):
    gold_set, file = make_set(1), tmp_path / "told.jsonl"
    row = {"case_id": "case-0000", "systems": ["v12", "v13"], "raw": "1"}
    lines = [json.dumps(row | {"order": o}) for o in ("baseline_first", "nonsense")]
    options = {"gold_set": gold_set.name, "judge": "told"}
    file.write_text(lines[0])
    assert "1 replies imported as run" in said("import_verdicts", str(file), **options)
    assert "1 replies known already" in said("import_verdicts", str(file), **options)
    file.write_text("\n".join(lines))
    with pytest.raises(CommandError, match="line 2, order"):
        said("import_verdicts", str(file), **options)
    with pytest.raises(CommandError, match="no gold set"):
        said("import_verdicts", str(file), gold_set="nothing", judge="told")
    with pytest.raises(CommandError):
        said("import_verdicts", str(tmp_path / "absent.jsonl"), **options)


def run_judge(run, **options):
    out = io.StringIO()
    call_command(
        "run_judge",
        judge=run.config.name,
        gold_set=run.gold_set.name,
        stdout=out,
        **options,
    )
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
class TestRunJudgeOptions:
    def test_a_dry_run_asks_nothing(self):
        with SimulatedJudge(Options()) as server:
            run = make_run(server.base_url, cases=3)
            said = run_judge(run, dry_run=True)
            assert server.stats()["bought"] == 0
        assert "3 pairs, 6 calls: 6 to ask, 0 from earlier runs, 0 too long." in said
        assert "Cost unknown: no price." in said

    def test_a_limit_pauses_and_a_higher_one_goes_on(self):
        with SimulatedJudge(Options()) as server:
            run = make_run(server.base_url, cases=5)
            with pytest.raises(CommandError, match="budget of 4 requests"):
                run_judge(run, max_calls=4)
            assert server.stats()["bought"] == 4
            with pytest.raises(CommandError, match="Raise the budget"):
                run_judge(run)
            assert "is done: 10 calls" in run_judge(run, max_calls=40)
            assert server.stats()["bought"] == 10

    def test_only_again_and_runs_for_noise_buy_again(self):
        with SimulatedJudge(Options()) as server:
            run = make_run(server.base_url, cases=2)
            run_judge(run)
            assert "4 from earlier runs" in run_judge(run, purpose="release")
            assert server.stats()["bought"] == 4
            run_judge(run, purpose="noise")
            assert server.stats()["bought"] == 8
            assert "earlier" not in run_judge(run, again=True)
            assert server.stats()["bought"] == 12

    def test_what_is_no_amount(self):
        with pytest.raises(CommandError, match="no amount"):
            call_command("run_judge", "--run", "1", "--max-cost", "much")
