"""Files of verdicts: every bad row is named, and what is odd about a file is said."""

from __future__ import annotations

import pytest

from annotation.services.importing import ImportRefused
from config.errors import Conflict
from judging.models import JudgeConfig, Run
from judging.services.configuring import draft_judge
from judging.services.drafting import default_spec
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.services.test_importing import row, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold_set(db):
    return make_set(3)


def test_rows_that_fit_no_case_are_named_beside_all_others(gold_set):
    with pytest.raises(ImportRefused) as refused:
        take(
            gold_set,
            row(),
            row(repeat=0),
            row(99),
            row(1, raw=None, choice="tie"),
            row(98, order="sideways"),
        )
    named = [(error.line, error.field) for error in refused.value.errors]
    assert named == [(2, "repeat"), (3, "case_id"), (4, "raw"), (5, "order")]
    assert not Run.objects.exists()


def test_repeats_that_do_not_begin_with_1_are_refused(gold_set):
    with pytest.raises(ImportRefused, match="count repeats from 1") as refused:
        take(gold_set, row(repeat=3), row(order="candidate_first", repeat=3))
    assert [(e.line, e.field) for e in refused.value.errors] == [(1, "repeat")]


def test_what_the_file_lacks_of_its_pairs_is_said(gold_set):
    done = take(gold_set, row(repeat=1), row(repeat=3), row(1, repeat=1))
    assert done.missing == 9
    assert (
        "9 replies are not in the file: of each pair one in both orders, 3 times. "
        "Each counts as invalid." in done.run.notices
    )
    whole = take(gold_set, row(), row(order="candidate_first"), judge="whole")
    assert whole.missing == 0
    assert not any("not in the file" in each for each in whole.run.notices)


def test_choices_that_their_text_contradicts_are_counted_when_the_text_is_read(
    gold_set,
):
    done = take(
        gold_set,
        row(raw="1", choice="second"),
        row(order="candidate_first", raw="1", choice="first"),
        row(1, raw="no idea", choice="tie"),
        row(1, order="candidate_first", raw="no idea", choice="invalid"),
        row(2, raw="3"),
    )
    assert done.contradicting == 2
    said = "2 stored choices contradict their text as the format choice_123 reads it."
    assert f"{said} The text was taken." in done.run.notices


class TestLines:
    def test_an_import_does_not_take_the_place_of_a_judge_that_is_asked(self, gold_set):
        make_judge(ADDRESS, name="asked")
        with pytest.raises(Conflict, match="a name of their own") as refused:
            take(gold_set, row(), judge="asked")
        assert refused.value.code == "judge_not_recorded"
        assert JudgeConfig.objects.get().version == 1

    def test_nor_does_a_judge_join_a_line_of_imports(self, gold_set):
        take(gold_set, row(), judge="told")
        make_judge(ADDRESS, name="other")
        spec = default_spec(provider="local", base_url=ADDRESS, model="m")
        with pytest.raises(Conflict, match="a line of imported verdicts"):
            draft_judge(name="told", spec=spec, by=None, now=START)

    def test_a_line_that_an_import_took_over_once_is_won_back(self, gold_set):
        judge = make_judge(ADDRESS, name="asked")
        told = take(gold_set, row(), judge="told").run.config
        JudgeConfig.objects.create(
            name="asked",
            version=2,
            recorded=True,
            spec=told.spec,
            digest=told.digest,
            verdict_format=told.verdict_format,
            combining_rule=told.combining_rule,
            repeat_rule=told.repeat_rule,
            created_at=START,
            frozen_at=START,
        )
        spec = default_spec(provider="local", base_url=ADDRESS, model="m")
        newer = draft_judge(name=judge.name, spec=spec, by=None, now=START)
        assert newer.version == 3
