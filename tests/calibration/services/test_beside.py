"""Marks, forms and families that a report sets beside gold and verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Outcome
from annotation.models import Pair, Response, System
from calibration.models import ReportPair
from calibration.presenters.page import report_page
from calibration.services.beside import FORMAT_SLICE, Beside, is_own
from calibration.services.report_cases import CaseFilter, cases
from calibration.services.reporting import report_payload
from judging.domain.terms import InvalidReason
from judging.models import Call, CallState, JudgeConfig, Reply, Run
from tests.annotation.factory import START
from tests.calibration.world import SHA, Told, World, make_config, make_run, make_world

pytestmark = pytest.mark.django_db


def with_spec(config: JudgeConfig, **spec: Any) -> JudgeConfig:
    """A frozen judge does not change: make it anew."""
    return JudgeConfig.objects.create(
        name=f"{config.name}-with", version=1, kind=spec.pop("kind", config.kind),
        provider=config.provider, verdict_format=config.verdict_format,
        combining_rule="" if "marks" in spec else config.combining_rule,
        repeat_rule=config.repeat_rule, created_at=START, frozen_at=START,
        digest=digest_of(spec), spec=spec,
    )  # fmt: skip


def judged_by(world: World, model: str) -> World:
    """The same answers by a judge that asks ``model``."""
    again = world.run_again(f"asker-{model}")
    config = with_spec(again.run.config, model=model)
    run = make_run(world.gold_set, config)
    for call in again.run.calls.select_related("reply"):
        reply = call.reply
        mine = Call.objects.create(
            run=run, pair=call.pair, order=call.order, repeat=1, state=CallState.DONE
        )
        Reply.objects.create(
            call=mine, choice=reply.choice, invalid_reason=reply.invalid_reason,
            baseline_sha256=SHA, candidate_sha256=SHA, answered_at=START,
        )  # fmt: skip
    return World(world.gold_set, world.gold, run)


def marked(world: World, model: str, scores: dict[str, int | None]) -> Run:
    """A finished pointwise run: a score by system, None for an invalid one."""
    config = with_spec(
        make_config(f"marker-{model}-{Run.objects.count()}"),
        kind="pointwise", model=model, marks=True,
    )  # fmt: skip
    run = make_run(world.gold_set, config)
    for response in Response.objects.filter(case__gold_set=world.gold_set):
        call = Call.objects.create(
            run=run, response=response, repeat=1, state=CallState.DONE
        )
        score = scores[response.system.name]
        Reply.objects.create(
            call=call, score=score, subject_sha256=SHA, answered_at=START,
            invalid_reason="" if score is not None else InvalidReason.UNPARSED.value,
        )  # fmt: skip
    return run


def dev_of(world: World) -> dict[str, object]:
    return report_payload(world.run, world.gold)["splits"]["dev"]


def test_marks_of_the_same_model_stand_beside_the_verdicts(world):
    mine = judged_by(world, "m-1")
    run = marked(mine, "m-1", {"v12": 9, "v13": 4})
    payload = report_payload(mine.run, mine.gold)
    assert payload["pointwise"]["run"] == run.pk
    assert payload["pointwise"]["digest"] == run.config.digest
    assert payload["judge"]["models"] == ["m-1"]
    marks = payload["splits"]["dev"]["marks"]
    # Verdicts are B, C and a tie from a flip; the marks say B of all.
    assert (marks["pairs"], marks["unmarked"]) == (3, 0)
    assert marks["consistency"]["numerator"] == 1
    assert (marks["agreement"]["numerator"], marks["agreement"]["denominator"]) == (
        1,
        3,
    )


def test_the_newest_run_of_the_same_model_counts(world):
    mine = judged_by(world, "m-1")
    marked(mine, "m-1", {"v12": 9, "v13": 4})
    newest = marked(mine, "m-1", {"v12": 4, "v13": 9})
    marked(mine, "m-2", {"v12": 9, "v13": 4})
    payload = report_payload(mine.run, mine.gold)
    assert payload["pointwise"]["run"] == newest.pk
    assert payload["splits"]["dev"]["marks"]["agreement"]["numerator"] == 2


def test_invalid_marks_are_left_out_and_counted(world):
    mine = judged_by(world, "m-1")
    marked(mine, "m-1", {"v12": 9, "v13": None})
    marks = dev_of(mine)["marks"]
    assert (marks["pairs"], marks["unmarked"]) == (0, 3)
    assert marks["consistency"]["undefined"] == "no pair with marks of both responses"


def test_no_marks_of_another_model_or_of_none(world):
    marked(world, "m-1", {"v12": 9, "v13": 4})
    payload = report_payload(world.run, world.gold)
    assert payload["pointwise"] is None
    assert payload["judge"]["models"] == []
    assert payload["splits"]["dev"]["marks"]["pairs"] == 0


@pytest.mark.parametrize(
    ("family", "models", "own"),
    [
        ("gpt", ["gpt-4o"], True),
        ("GPT ", ["openai/gpt-4o"], True),
        ("claude", ["gpt-4o"], False),
        ("4o", ["gpt-4o"], False),
        ("openai", ["openai/gpt-4o"], False),
        ("qwen", ["llama-3", "Qwen2-7b"], True),
        ("", ["gpt-4o"], False),
        (None, ["gpt-4o"], False),
        (3, ["3-model"], False),
        ("gpt", [], False),
    ],
)
def test_whose_family_a_system_is(family, models, own):
    assert is_own(family, models) is own


def test_a_side_alone_of_the_family_or_with_a_form():
    ours = Response(pk=1, text="- one\n- two", meta={"family": "gpt"})
    theirs = Response(
        pk=2, text=[{"role": "assistant", "content": "Yes."}], meta={}, system=System()
    )
    known = Beside(("gpt-4o",), None, {7: Outcome.TIE})
    found = known.of_pair(Pair(pk=7, baseline=theirs, candidate=ours))
    assert found == {
        "by_marks": Outcome.TIE,
        "formatted": Outcome.CANDIDATE,
        "own_family": Outcome.CANDIDATE,
    }
    turned = known.of_pair(Pair(pk=8, baseline=ours, candidate=theirs))
    assert turned["formatted"] is turned["own_family"] is Outcome.BASELINE
    same = known.of_pair(Pair(pk=9, baseline=ours, candidate=ours))
    assert same == {"by_marks": None, "formatted": None, "own_family": None}


def test_the_family_of_a_system_holds_where_its_response_names_none():
    gpt, none = System(family="gpt"), System()
    known = Beside(("gpt-4o",), None, {})

    def own(baseline: dict[str, str], candidate: dict[str, str]) -> Any:
        pair = Pair(
            baseline=Response(pk=1, text="No.", system=gpt, meta=baseline),
            candidate=Response(pk=2, text="Yes.", system=none, meta=candidate),
        )
        return known.of_pair(pair)["own_family"]

    assert own({}, {}) is Outcome.BASELINE
    assert own({"family": "claude"}, {}) is None
    assert own({}, {"family": "gpt"}) is None
    assert own({"family": "claude"}, {"family": "gpt"}) is Outcome.CANDIDATE


def test_a_report_says_which_families_it_took():
    told = [Told("dev", "B", "C", "C"), Told("dev", "C", "C", "C")]
    world = judged_by(make_world(told, name="families"), "gpt-4o")
    before = report_payload(world.run, world.gold)
    assert before["gold"]["families"] == ["", ""]
    assert before["splits"]["dev"]["own_family"]["pairs"] == 0
    world.gold_set.systems.filter(name="v13").update(family="gpt")
    after = report_payload(world.run, world.gold)
    assert after["gold"]["families"] == ["", "gpt"]
    assert after["splits"]["dev"]["own_family"]["pairs"] == 2
    assert after["splits"]["dev"]["own_family"]["false_wins"]["numerator"] == 1
    page = report_page({**after, "looks": None})
    assert ("Families of their models", "v13: gpt") in page.facts


LIST = "- one\n- two"
FORMS = (
    Told("dev", "B", "B", "B", texts=(LIST, LIST)),
    Told("dev", "C", "B", "B", texts=(LIST, "Yes.")),
    Told("dev", "B", "B", "B", texts=("Yes.", "No.")),
    Told("dev", "T", "C", "C", {FORMAT_SLICE: "own"}, texts=("Yes.", "No.")),
)


def test_forms_are_a_slice_that_leads_to_its_pairs(lead):
    world = make_world(FORMS, name="forms")
    report = world.report()
    block = json.loads(report.payload)["splits"]["dev"]
    sizes = {key: part["n"] for key, part in block["slices"][FORMAT_SLICE].items()}
    assert sizes == {"different": 1, "list": 1, "own": 1, "plain": 1}
    assert block["formatting"]["false_wins"]["numerator"] == 1
    for form, case in [("list", 0), ("different", 1), ("plain", 2), ("own", 3)]:
        wanted = CaseFilter(slice=f"{FORMAT_SLICE}={form}")
        (found,) = cases(report, wanted, lead)
        assert isinstance(found, ReportPair)
        assert found.pair.case.external_id == f"case-{case:04d}"


def test_one_form_for_all_is_no_slice(world):
    assert FORMAT_SLICE not in dev_of(world)["slices"]
