"""Commands for prices, pointwise judges and their marks, and declared formats."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError

from judging.models import JudgeConfig, Price, Reply
from judging.services.drafting import ensure_provider
from tests.annotation.factory import make_set
from tests.judging.answers import split_set
from tests.judging.commands.test_commands import ADDRESS, said
from tests.judging.pointwise_judges import pointwise_run
from tests.judging.simulator.test_other_tasks import REGEX
from tests.judging.views.test_marks import marked_run

pytestmark = pytest.mark.django_db


class TestPrices:
    ADD = ("prices", "--add", "--provider", "p", "--model", "m")

    def test_one_is_entered_and_listed_and_corrected(self):
        ensure_provider(alias="p", base_url=ADDRESS)
        cost = ("--prompt", "0.50", "--completion", "2", "--valid-from", "2025-01-02")
        line = "p m from 2025-01-02: 0.5 in, 2 out, EUR per million tokens"
        cost += ("--currency", "eur")
        assert said(*self.ADD, *cost).strip() == line
        more = (*cost, "--cached", "0.05", "--batch-share", "0.5")
        said(*self.ADD, *more)
        newest, oldest = said("prices", "--provider", "p").splitlines()
        assert oldest == line
        assert newest == (
            "p m from 2025-01-02: 0.5 in, 0.05 cached, 2 out, EUR per million tokens, "
            "times 0.5 in batches"
        )
        assert Price.objects.count() == 2

    def test_none_known(self):
        assert "unknown, not zero" in said("prices", "--model", "m")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "needs --prompt"),
            (("--prompt", "1"), "needs --completion"),
            (("--prompt", "x", "--completion", "1"), "is no amount"),
            (("--prompt", "nan", "--completion", "1"), "is no amount"),
            (("--prompt=-1", "--completion", "1"), "must be 0 or more"),
            (
                ("--prompt", "1", "--completion", "1", "--currency", "x"),
                "three letters",
            ),
            (("--prompt", "1", "--completion", "1", "--valid-from", "x"), "is no day"),
        ],
    )
    def test_what_can_t_be_one_is_refused(self, arguments, message):
        ensure_provider(alias="p", base_url=ADDRESS)
        with pytest.raises(CommandError, match=message):
            said(*self.ADD, *arguments)
        assert not Price.objects.exists()

    def test_an_unknown_provider_is_refused(self):
        with pytest.raises(CommandError, match="no provider p"):
            said(*self.ADD, "--prompt", "1", "--completion", "1")


class TestFreezeJudge:
    @pytest.mark.parametrize("kind", ["pointwise", "rubric_step"])
    def test_the_templates_of_other_kinds_freeze(self, kind, tmp_path):
        path = tmp_path / "judge.json"
        path.write_text(said("freeze_judge", template=True, **{kind: True}))
        assert "is frozen" in said("freeze_judge", "mine", spec=str(path))
        config = JudgeConfig.objects.get()
        assert config.kind == ("pointwise" if kind == "pointwise" else "pairwise")
        assert "is frozen already" in said("freeze_judge", "mine", spec=str(path))

    def test_not_both(self):
        with pytest.raises(CommandError, match="no rubric step"):
            said("freeze_judge", template=True, pointwise=True, rubric_step=True)


class TestExportMarks:
    def test_open_responses_as_lines(self):
        run = marked_run(split_set(dev=1, held_out=1))
        text = said("export_marks", str(run.pk))
        rows = [json.loads(line) for line in text.splitlines() if line[0] == "{"]
        assert [(row["system"], row["score"], row["passed"]) for row in rows] == [
            ("v12", 1.0, True),
            ("v13", 0.0, False),
        ]
        assert "2 held-out responses were left out." in text

    def test_a_run_that_is_not_complete_is_refused(self):
        run = pointwise_run()
        with pytest.raises(CommandError, match="lacks 6 calls"):
            said("export_marks", str(run.pk))
        with pytest.raises(CommandError, match="no run 99999"):
            said("export_marks", "99999")


class TestImportVerdicts:
    @pytest.fixture
    def file(self, tmp_path):
        make_set(1, name="support")
        rows = [
            {
                "case_id": "case-0000", "systems": ["v12", "v13"], "order": order,
                "repeat": 1, "raw": f"Well.\nVERDICT: {word}",
            }
            for order, word in (
                ("baseline_first", "LEFT"), ("candidate_first", "RIGHT"),
            )
        ]  # fmt: skip
        path = tmp_path / "verdicts.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        return str(path)

    def imported(self, file, **options):
        return said("import_verdicts", file, gold_set="support", judge="old", **options)

    @pytest.mark.parametrize("from_file", [False, True])
    def test_a_declared_expression_reads_the_replies(self, file, tmp_path, from_file):
        options = json.dumps(REGEX)
        if from_file:
            (tmp_path / "options.json").write_text(options)
            options = f"@{tmp_path / 'options.json'}"
        self.imported(file, format="regex", format_options=options)
        replies = Reply.objects.order_by("call__order")
        assert [reply.choice for reply in replies] == ["first", "second"]
        config = JudgeConfig.objects.get()
        assert config.spec["format_options"]["pattern"] == REGEX["pattern"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"format": "regex"}, "pattern"),
            ({"format": "regex", "format_options": "[]"}, "must be a JSON object"),
            ({"format": "regex", "format_options": "{"}, "--format-options"),
            ({"format": "regex", "format_options": "@/none"}, "Cannot read /none"),
            ({"format_options": "{}"}, "are those of a --format"),
            ({"format": "choice_123", "format_options": "{}"}, "takes none"),
        ],
    )
    def test_wrong_options_are_said(self, file, options, message):
        with pytest.raises(CommandError, match=message):
            self.imported(file, **options)
        assert not JudgeConfig.objects.exists()
