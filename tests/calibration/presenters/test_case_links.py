"""Each list of pairs that a figure leads to holds as many as the page says."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from annotation.domain.outcomes import Order, Outcome
from calibration.domain.behind import LISTS, PEOPLE, behind
from calibration.domain.jsonable import jsonable
from calibration.domain.samples import CallOutcome, Sample
from calibration.presenters.case_links import (
    OF_FIGURES,
    OTHERS,
    WHOLE,
    count_of,
    figure_lists,
    words_of,
)
from calibration.presenters.columns import Column
from calibration.presenters.section_specs import SECTIONS
from judging.domain.terms import InvalidReason, JudgeOutcome
from tests.calibration.factory import GOLD, SYSTEMS, block_of, call, row

PAIRS = 600


def rich(pairs: int = PAIRS) -> Sample:
    """Pairs with repeats, reviewers, lengths, marks, forms and families, at random."""
    random = Random(31)
    return Sample.build([_row(i, random) for i in range(pairs)], SYSTEMS)


def _row(number: int, random: Random) -> Any:
    there = random.choice("BBCCTAI")
    back = random.choice([there, random.choice("BBCCTAI")])
    people = {
        f"R{k}": random.choice("BCTA") for k in range(1, 5) if random.random() < 0.6
    }
    side = [None, Outcome.BASELINE, Outcome.CANDIDATE]
    return row(
        random.choice("BCTAU"),
        there,
        back,
        pair=f"{number:04}",
        case=f"c{number:04}",
        cluster=f"c{number:04}",
        calls=tuple(_calls(there, Order.BASELINE_FIRST, random))
        + tuple(_calls(back, Order.CANDIDATE_FIRST, random)),
        labels=tuple(GOLD[one] for one in people.values()),
        reviewers={name: GOLD[one] for name, one in people.items()},
        reviewer_orders={name: random.choice(list(Order)) for name in people},
        lengths=random.choice([None, (random.randrange(90), random.randrange(90))]),
        by_marks=random.choice([None, *list(Outcome)[:3]]),
        formatted=random.choice(side),
        own_family=random.choice(side),
        critical=random.random() < 0.3,
    )


def _calls(said: str, order: Order, random: Random) -> Any:
    for repeat in range(1, random.choice([1, 2, 3]) + 1):
        now = random.choice([said, random.choice("BCTAI")])
        if now == "I":
            reason = random.choice(list(InvalidReason))
            yield CallOutcome(order, repeat, JudgeOutcome.INVALID, reason=reason)
        else:
            yield call(now, order, repeat)


SAMPLE = rich()
BLOCK: Any = jsonable(block_of(SAMPLE))


@pytest.mark.parametrize("figure", sorted(LISTS))
def test_a_list_holds_what_its_figure_counts(figure: str) -> None:
    wanted = {path for path, query in OF_FIGURES.items() if query == {"figure": figure}}
    assert wanted
    found = int(behind(SAMPLE, figure).sum())
    if figure.startswith("position.order_confusion."):
        counts = {_at(figure)}
    else:
        counts = {count_of(BLOCK, path) for path in wanted}
    assert counts == {found}
    assert found > 0


def _at(path: str) -> Any:
    found = BLOCK
    for key in path.split("."):
        found = found[key]
    return found


@pytest.mark.parametrize("place", range(4))
def test_the_lists_of_a_reviewer(place: int) -> None:
    told = BLOCK["single_reviewers"][place]
    name, agreed = told["reviewer"], told["judge_agreement"]
    labelled = behind(SAMPLE, "single_reviewers.labels", name)
    differs = behind(SAMPLE, "single_reviewers.judge_agreement", name)
    assert labelled.sum() == told["labels"] > 0
    assert differs.sum() == agreed["denominator"] - agreed["numerator"] > 0
    assert not (differs & ~labelled).any()


@pytest.mark.parametrize("place", range(6))
def test_the_lists_of_two_reviewers(place: int) -> None:
    told = BLOCK["between_reviewers"][place]
    names, agreed = (told["one"], told["other"]), told["agreement"]
    shared = behind(SAMPLE, "between_reviewers.shared", *names)
    differing = behind(SAMPLE, "between_reviewers.agreement", *names)
    assert shared.sum() == told["shared"] > 0
    assert differing.sum() == agreed["denominator"] - agreed["numerator"] > 0


def test_nobody_of_that_name_has_a_pair() -> None:
    for figure in PEOPLE:
        assert not behind(SAMPLE, figure, "R9", "R1").any()
    with pytest.raises(KeyError):
        behind(SAMPLE, "position.nowhere")


def test_nothing_is_behind_anything_in_an_empty_sample() -> None:
    empty = Sample.build([], SYSTEMS)
    for figure in LISTS:
        assert behind(empty, figure).shape == (0,)


def test_lists_by_row_do_not_depend_on_the_others() -> None:
    """A page asks the whole sample and keeps one split of it."""
    kept = np.arange(len(SAMPLE)) % 3 == 0
    part = SAMPLE.keep(kept)
    for figure in LISTS:
        assert (behind(SAMPLE, figure)[kept] == behind(part, figure)).all(), figure


def test_every_figure_is_known_by_one_name() -> None:
    paths = {path for *_, specs in SECTIONS for *_, path in specs}
    assert set(OF_FIGURES) >= OTHERS | WHOLE
    linked = {path for path in paths if path in OF_FIGURES}
    # Tests, calls, cases and models: what is no number of pairs.
    assert sorted(paths - linked) == sorted(
        {
            "confusion",
            "coherence.cases",
            "coherence.incomplete",
            "coherence.ipi",
            "coherence.tov",
            "coherence.excess",
            "direction.test",
            "formatting.test",
            "human_orders.coherence.cases",
            "human_orders.coherence.ipi",
            "human_orders.coherence.tov",
            "human_orders.ipi.same_order_disagreement",
            "length.ties_test",
            "length.wrong_test",
            "own_family.test",
            "position.first_slot_choices",
            "position.repeat_instability",
            "position.slot_test",
            "preference.gold.sign_test",
            "preference.judge.sign_test",
        }
    )


def test_a_list_of_nothing_has_no_link_and_an_old_report_none() -> None:
    (full,) = figure_lists((Column("dev", "dev", BLOCK),), "invalid_call_rate")
    assert full.count == str(BLOCK["pairs_with_invalid_calls"])
    old = {k: v for k, v in BLOCK.items() if k != "pairs_with_invalid_calls"}
    for block in (old, {**BLOCK, "pairs_with_invalid_calls": 0}):
        assert figure_lists((Column("dev", "dev", block),), "invalid_call_rate") == ()


def test_lists_are_told_in_words() -> None:
    assert words_of("") == ""
    assert words_of("invalid_calls.timeout") == "a call that is timeout"
    assert words_of("single_reviewers.labels", "R1", "") == "labelled by R1"
    both = words_of("between_reviewers.shared", "R1", "R2")
    assert both == "labelled by both R1 and R2"
