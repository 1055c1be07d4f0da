"""A judge's line: editing, copying, comparing, retiring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from config.errors import Conflict, InvalidInput
from judging.models import JudgeConfig
from judging.services.configuring import draft_judge, spec_of
from judging.services.drafting import default_spec, ensure_provider
from judging.services.editing import (
    copy_to_draft,
    diff_lines,
    differences,
    edit_draft,
    retire,
    spec_differences,
)
from judging.services.starting import start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": START}


def draft():
    ensure_provider(alias="local", base_url=ADDRESS)
    spec = default_spec(provider="local", base_url=ADDRESS, model="m")
    return draft_judge(name="judge", spec=spec, **BY)


def test_a_draft_is_edited_in_all_its_columns():
    config = draft()
    spec = replace(spec_of(config), repeats=3, params={"temperature": 1})
    edited = edit_draft(config=config, spec=spec, **BY)
    edited.refresh_from_db()
    assert spec_of(edited) == spec
    assert edited.repeats == 3
    assert JudgeConfig.objects.count() == 1


def test_what_is_frozen_or_retired_is_not_edited():
    frozen = make_judge(ADDRESS)
    with pytest.raises(Conflict, match="copy it"):
        edit_draft(config=frozen, spec=spec_of(frozen), **BY)
    config = draft()
    retire(config=config, **BY)
    with pytest.raises(Conflict, match="retired"):
        edit_draft(config=config, spec=spec_of(config), **BY)


def test_a_draft_keeps_to_what_is_possible():
    config = draft()
    with pytest.raises(InvalidInput, match="repeats"):
        edit_draft(config=config, spec=replace(spec_of(config), repeats=0), **BY)


def test_a_copy_is_the_next_version_and_the_same_judge():
    frozen = make_judge(ADDRESS)
    copy = copy_to_draft(config=frozen, **BY)
    assert (copy.name, copy.version, copy.frozen_at) == ("judge", 2, None)
    assert differences(frozen, copy) == ()
    assert copy_to_draft(config=frozen, name="other", **BY).version == 1


def test_a_recorded_judge_is_not_copied():
    config = draft()
    JudgeConfig.objects.filter(pk=config.pk).update(recorded=True)
    config.refresh_from_db()
    with pytest.raises(Conflict, match="asked"):
        copy_to_draft(config=config, **BY)


def test_a_retired_judge_runs_no_more():
    frozen = make_judge(ADDRESS)
    retire(config=frozen, reason="a better one", **BY)
    frozen = JudgeConfig.objects.in_use().first() or JudgeConfig.objects.get()
    assert frozen.retired
    with pytest.raises(Conflict, match="retired"):
        start_run(config=frozen, gold_set=make_set(1), concurrency=1, **BY)
    with pytest.raises(Conflict, match="already"):
        retire(config=frozen, **BY)


def test_differences_are_found_field_by_field():
    config = draft()
    spec = replace(
        spec_of(config),
        params={"temperature": 0, "seed": 7},
        rubric="One.\nTwo.\nThree.",
    )
    other = draft_judge(name="judge", spec=spec, **BY)
    found = {each.field: each for each in differences(config, other)}
    assert found.keys() == {"params.max_tokens", "params.seed", "rubric"}
    assert (found["params.seed"].before, found["params.seed"].after) == (None, 7)
    assert found["params.seed"].lines == ()
    assert {line.change for line in found["rubric"].lines} >= {"added", "removed"}


def test_true_and_1_are_not_the_same():
    assert len(spec_differences({"a": 1}, {"a": True})) == 1
    assert spec_differences({"a": {"b": [1]}}, {"a": {"b": [1]}}) == ()


def test_lines_say_what_stayed_came_and_went():
    lines = diff_lines("a\nb\nc", "a\nB\nc\nd")
    assert [(line.change, line.text) for line in lines] == [
        ("same", "a"),
        ("removed", "b"),
        ("added", "B"),
        ("same", "c"),
        ("added", "d"),
    ]
