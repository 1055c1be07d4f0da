"""The layout of a report: no part is lost, and a folded one says its main figure."""

from __future__ import annotations

from dataclasses import replace

from calibration.presenters.columns import columns_of
from calibration.presenters.parts import (
    GROUPS,
    MAIN_LINES,
    OPEN,
    Gist,
    flags_gist,
    groups_of,
)
from calibration.presenters.section_specs import SECTIONS
from calibration.presenters.sections import Section, sections_of
from tests.calibration.presenters.test_headline import payload

TOLD = ((6, "C", "C", "C"), (2, "C", "B", "C"), (3, "B", "B", "B"))
PLACED = [name for _, _, names in GROUPS for name in names]


def groups(*more: Section):
    columns = columns_of(payload(*TOLD))
    return groups_of((*sections_of(columns), *more), columns, orders=True)


def anchors(found) -> list[str]:
    return [part.anchor for group in found for part in group.parts]


def test_every_section_has_its_place_once() -> None:
    assert len(PLACED) == len(set(PLACED))
    assert not {anchor for anchor, _, _ in GROUPS} & set(PLACED)
    known = {anchor for anchor, *_ in SECTIONS}
    assert known <= set(PLACED)
    shown = anchors(groups())
    assert sorted(shown) == sorted(
        {*known, "contingency", "orders", "slices", "origin"}
    )


def test_what_nobody_placed_is_shown_all_the_same() -> None:
    strange = Section("strange", "Strange", "", ("held-out",), ())
    by_split = replace(strange, anchor="between-dev")
    found = groups(strange, by_split)
    assert [part.anchor for part in found[-1].parts] == ["strange", "origin"]
    people = next(group for group in found if group.anchor == "people")
    assert people.parts[-1].anchor == "between-dev"


def test_only_what_answers_first_is_open() -> None:
    parts = [part for group in groups() for part in group.parts]
    assert {part.anchor for part in parts if part.open} == OPEN
    assert all(part.gist is None for part in parts if part.open)


def test_each_main_line_is_a_line_of_its_section() -> None:
    """But for the difference of dev and held-out, which no single split has."""
    lines = {
        one.anchor: {line.label for line in one.lines}
        for one in sections_of(columns_of(payload(*TOLD)))
    }
    lines["gap"] = {"Exact agreement"}
    assert MAIN_LINES.keys() <= lines.keys()
    assert all(label in lines[name] for name, label in MAIN_LINES.items())


def test_a_folded_part_says_its_figure_with_what_stands_behind_it() -> None:
    parts = {part.anchor: part for group in groups() for part in group.parts}
    gist = parts["position"].gist
    assert gist is not None
    ((name, cell),) = gist.cells
    assert (gist.label, name) == ("Flip rate", "held-out")
    assert cell.value == "18.2 %"
    assert cell.detail.startswith("2 of 11; 95 % ")


def test_flagged_slices_are_named() -> None:
    (column,) = columns_of(payload(*TOLD))
    part = {"agreement_flag": {"flagged": False}, "false_candidate_flag": None}
    bad = part | {"false_candidate_flag": {"flagged": True}}
    told = [
        ({}, "No pair has a slice."),
        ({"lang": {"de": part}}, "1 slice, none shown to be worse than all pairs"),
        ({"lang": {"de": {}}}, "1 slice, none shown to be worse than all pairs"),
        (
            {"lang": {"de": bad, "en": part}},
            "2 slices; worse than all pairs: lang=de (held-out)",
        ),
    ]
    for slices, said in told:
        block = {**column.block, "slices": slices}
        assert flags_gist([replace(column, block=block)]) == Gist(said)


def test_without_a_pair_there_is_only_what_the_report_is_of() -> None:
    assert anchors(groups_of((), (), orders=False)) == ["origin"]
