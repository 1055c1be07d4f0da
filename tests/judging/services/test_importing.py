"""Recorded verdicts: whole or not at all, read as the format says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.services.importing import ImportRefused, Source
from config.errors import InvalidInput
from judging.models import Call, JudgeConfig, Reply, Run
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan
from tests.annotation.factory import START, make_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold_set(db):
    return make_set(3)


def row(
    case: int = 0,
    order: str | None = "baseline_first",
    raw: object = "1",
    **more: Any,
) -> dict[str, Any]:
    values: dict[str, Any] = {
        "case_id": f"case-{case:04d}",
        "systems": ["v12", "v13"],
        "order": order,
        "raw": raw,
    }
    return {k: v for k, v in (values | more).items() if v is not None}


def source(*rows):
    lines = [r if isinstance(r, str) else json.dumps(r) for r in rows]
    return Source("\n".join(lines).encode(), "verdicts.jsonl")


def take(gold_set, *rows, **plan):
    plan.setdefault("verdict_format", "choice_123")
    return import_verdicts(
        gold_set=gold_set,
        plan=RecordedPlan(judge=plan.pop("judge", "told"), **plan),
        source=source(*rows),
        by=None,
        now=START,
    )


def said(run):
    rows = Reply.objects.filter(call__run=run).order_by("pk")
    return [r.choice or f"invalid {r.invalid_reason}" for r in rows]


def test_texts_become_a_finished_run(gold_set):
    done = take(
        gold_set,
        row(raw="I like it.\n\n1"),
        row(order="candidate_first", raw="2"),
        row(1, raw="3"),
        row(1, order="candidate_first", raw="no idea"),
    )
    assert said(done.run) == ["first", "second", "tie", "invalid unparsed"]
    assert (done.calls, done.invalid, done.pairs_without) == (4, 1, 1)
    assert (done.run.status, done.run.config.recorded) == ("done", True)
    assert done.run.notices == ["1 pair of the set was not judged."]
    assert not Reply.objects.filter(choice_was_stored=True).exists()


BAD = [
    (row(order="left_first"), "order"),
    (row(order=None), "order"),
    (row(systems=["v13", "v12"]), "systems"),
    (row(systems=["v12", "v99"]), "systems"),
    (row(systems="v12"), "systems"),
    (row(case=77), "case_id"),
    (row(case_id=None), "case_id"),
    (row(raw=None), "raw"),
    (row(raw=7), "raw"),
    (row(raw="a\u0000b"), "raw"),
    (row(choice="left"), "choice"),
    (row(repeat=0), "repeat"),
    (row(repeat="1"), "repeat"),
    (row(repeat=True), "repeat"),
    ("{not json", ""),
    ('["a list"]', ""),
    ('{"case_id": "case-0001", "raw": NaN}', ""),
]


@pytest.mark.parametrize(("bad", "field"), BAD)
def test_one_bad_row_keeps_the_whole_file_out(gold_set, bad, field):
    with pytest.raises(ImportRefused) as refused:
        take(gold_set, row(1), bad, row(2))
    assert field in refused.value.message
    assert "line 2" in refused.value.message
    assert "Nothing was imported" in refused.value.message
    for model in (Run, Call, Reply, JudgeConfig):
        assert not model.objects.exists()
    gold_set.refresh_from_db()
    assert gold_set.judged_at is None


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xff\xfe\x00bad", b"[]"])
def test_a_file_without_rows_is_refused(gold_set, data):
    with pytest.raises(ImportRefused):
        import_verdicts(
            gold_set=gold_set,
            plan=RecordedPlan("told", "choice_123"),
            source=Source(data, "verdicts.jsonl"),
            by=None,
            now=START,
        )
    assert not Run.objects.exists()


def test_two_verdicts_on_one_call_are_refused_unless_they_are_the_same(gold_set):
    with pytest.raises(ImportRefused, match="line 2"):
        take(gold_set, row(raw="1"), row(raw="2"))
    assert take(gold_set, row(raw="1"), row(raw="1")).calls == 1


def test_a_choice_alone_needs_use_choice(gold_set):
    with pytest.raises(ImportRefused, match="--use-choice of the command; `stated` as"):
        take(gold_set, row(raw=None, choice="first"))
    done = take(gold_set, row(raw=None, choice="first"), use_choice=True)
    assert said(done.run) == ["first"]
    assert Reply.objects.get().choice_was_stored


def test_use_choice_needs_a_choice(gold_set):
    with pytest.raises(ImportRefused, match="choice"):
        take(gold_set, row(raw="1"), use_choice=True)


@pytest.mark.parametrize(
    ("raw", "choice", "outcome"),
    [
        ("", "first", "invalid empty"),
        ("  \n", "tie", "invalid empty"),
        ("1", "invalid", "invalid invalid_in_file"),
        (None, "invalid", "invalid invalid_in_file"),
        ("no idea", "invalid", "invalid invalid_in_file"),
        ("whatever", "abstain", "abstain"),
        ("2", "first", "first"),
        (None, "tie", "tie"),
    ],
)
def test_a_stored_choice_is_taken_as_it_is(gold_set, raw, choice, outcome):
    done = take(gold_set, row(raw=raw, choice=choice), use_choice=True)
    assert said(done.run) == [outcome]
    stored = not outcome.startswith("invalid")
    assert Reply.objects.get().choice_was_stored is stored
    assert "Choices were taken as stored" in done.run.notices[0]


def test_choices_that_contradict_their_text_are_counted(gold_set):
    rows = [row(0, raw="2", choice="first"), row(1, raw="1", choice="first")]
    done = take(gold_set, *rows, use_choice=True)
    assert done.contradicting == 1
    assert any("1 stored choice contradicts its text" in n for n in done.run.notices)


def test_without_use_choice_the_text_counts_and_the_choice_is_not_called_stored(
    gold_set,
):
    done = take(gold_set, row(raw="2", choice="first"))
    assert said(done.run) == ["second"]
    assert not Reply.objects.get().choice_was_stored


def test_an_empty_text_is_empty(gold_set):
    assert said(take(gold_set, row(raw="")).run) == ["invalid empty"]


def test_the_same_file_twice_is_the_same_run(gold_set):
    first, second = take(gold_set, row()), take(gold_set, row())
    assert (first.known, second.known) == (False, True)
    assert first.run == second.run
    assert Call.objects.count() == 1


def test_another_file_another_format_and_another_set_are_other_runs(gold_set):
    runs = [
        take(gold_set, row()).run,
        take(gold_set, row(), row(1)).run,
        take(gold_set, row(), verdict_format="five_token").run,
        take(gold_set, row(choice="first"), use_choice=True).run,
        take(make_set(3), row()).run,
    ]
    assert len({run.pk for run in runs}) == 5
    versions = {run.pk: run.config.version for run in runs}
    assert list(versions.values()) == [1, 1, 2, 3, 1]
    assert said(runs[2]) == ["invalid unparsed"]


def test_another_file_under_the_same_name_is_told(gold_set):
    """A wrong file name would change what a report by that name is about."""
    first = take(gold_set, row())
    assert not any("Other files" in one for one in first.run.notices)
    second = take(gold_set, row(raw="[[B>A]]"))
    assert second.run.notices[-1] == (
        f"Other files were imported as {second.run.config.name} before: run "
        f"{first.run.pk}. Where no run is named, the newest counts."
    )
    again = take(gold_set, row())
    assert (again.run, again.known) == (first.run, True)


def test_repeats_are_kept_apart(gold_set):
    done = take(gold_set, row(repeat=1), row(repeat=3, raw="2"))
    assert done.run.config.repeats == 3
    assert list(done.run.calls.values_list("repeat", flat=True)) == [1, 3]


def test_an_unknown_format_is_refused(gold_set):
    with pytest.raises(InvalidInput, match="format"):
        take(gold_set, row(), verdict_format="nonsense")


def test_a_reply_that_ends_by_declining_is_refused_as_a_live_one_would_be(gold_set):
    text = "[[A>B]] looks better. I'm sorry, but I can't assist with judging this."
    done = take(gold_set, row(raw=text), verdict_format="five_token")
    assert said(done.run) == ["invalid refused"]
