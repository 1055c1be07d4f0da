"""The pieces of the report page: tints, places on the scale, notices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.presenters.cells import Cell, cell_of, share
from calibration.presenters.columns import columns_of
from calibration.presenters.forest import forest_of
from calibration.presenters.heat import class_tables, heat_tables, order_tables
from calibration.presenters.sections import sections_of
from calibration.presenters.slices import slice_tables
from tests.calibration.presenters.test_headline import payload


def columns(*told):
    return columns_of(payload(*told))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("34.1 % (46 of 135; 95 % 26-42)", Cell("34.1 %", "46 of 135; 95 % 26-42")),
        ("n/a (0 cases)", Cell("n/a", "0 cases", undefined=True)),
        ("p n/a (0 flips)", Cell("p n/a", "0 flips", undefined=True)),
        ("n/a (one (1) label)", Cell("n/a", "one (1) label", undefined=True)),
    ],
)
def test_a_cell_keeps_value_and_what_stands_behind_it_apart(text, cell):
    assert cell_of(text) == cell


class TestHeat:
    def test_tint_follows_the_share_of_the_row(self):
        told = [(1, "C", "B", "B"), (3, "C", "T", "T"), (6, "C", "C", "C")]
        (table,) = heat_tables(columns(*told))
        cells = table.rows[1].cells
        assert [cell.tint for cell in cells] == [0, 3, 1, 0, 0]
        assert [cell.share for cell in cells[:3]] == ["10.0 %", "60.0 %", "30.0 %"]
        assert [cell.agrees for cell in cells] == [False, True, False, False, False]

    def test_a_full_row_is_darkest_and_an_empty_one_undefined(self):
        (table,) = heat_tables(columns((4, "C", "C", "C")))
        assert table.rows[1].cells[1].tint == 4
        assert {cell.share for cell in table.rows[0].cells} == {"n/a"}

    def test_abstain_and_invalid_have_columns_and_no_gold_is_counted(self):
        told = [(2, "C", "A", "A"), (3, "C", "I", "C"), (1, "U", "C", "C")]
        (table,) = heat_tables(columns(*told))
        assert [cell.count for cell in table.rows[1].cells] == ["0", "0", "0", "2", "3"]
        assert (table.total, table.without_gold) == ("5", "1 pair")

    def test_each_order_has_a_table_of_its_own(self):
        there, back = order_tables(columns((3, "C", "B", "C"), (1, "C", "I", "T")))
        assert there.name == "held-out, baseline first"
        assert back.name == "held-out, candidate first"
        counts = [
            [cell.count for cell in table.rows[1].cells] for table in (there, back)
        ]
        assert counts == [["3", "0", "0", "0", "1"], ["0", "3", "1", "0", "0"]]
        assert there.rows[1].cells[0].cases == (
            "split=held_out&figure=position.order_confusion.baseline_first."
            "candidate.baseline"
        )
        assert not there.rows[1].cells[1].cases  # no pair is there

    def test_classes_stand_by_gold_and_lead_to_their_cases(self):
        told = [(3, "C", "B", "C"), (1, "T", "T", "C"), (2, "U", "B", "B")]
        (table,) = class_tables(columns(*told))
        rows = {row.gold: [cell.count for cell in row.cells] for row in table.rows}
        assert rows["candidate"] == ["0", "3", "0", "0", "0"]
        assert rows["tie"] == ["0", "0", "1", "0", "0"]
        assert rows["no gold"] == ["2", "0", "0", "0", "0"]
        assert table.rows[1].cells[1].cases == (
            "split=held_out&gold=candidate&consistency=flip"
        )
        assert table.total == "6"

    def test_older_reports_lack_both(self):
        found = columns((3, "C", "B", "C"))
        position = found[0].block["position"]
        for key in ("order_confusion", "classes_by_gold"):
            del position[key]
        assert order_tables(found) == class_tables(found) == ()


class TestForest:
    def test_marks_lie_between_their_limits_inside_the_picture(self):
        forest = forest_of(columns((30, "C", "C", "C"), (10, "B", "C", "C")))
        marks = [mark for row in forest.rows for mark in row.marks]
        assert marks
        for mark in marks:
            low, at, high = (
                float(x.rstrip("%")) for x in (mark.low, mark.at, mark.high)
            )
            assert 0 < low <= at <= high < 100
            assert 0 < mark.y < forest.height

    def test_what_is_undefined_has_words_and_no_mark(self):
        forest = forest_of(columns((30, "C", "C", "C")))
        row = next(row for row in forest.rows if row.label == "Missed ties")
        assert (row.marks, row.value) == ((), "n/a")
        assert row.text == "held-out n/a (0 cases)"


class TestSections:
    def test_every_line_has_a_cell_for_every_column(self):
        found = columns((5, "C", "C", "C"))
        for section in sections_of(found):
            assert all(len(line.cells) == len(found) for line in section.lines)

    def test_every_figure_of_a_block_is_somewhere_on_the_page(self):
        # A figure added to the report must not be forgotten here.
        block = columns((5, "C", "C", "C"))[0].block
        from calibration.presenters.section_specs import SECTIONS

        shown = {path.split(".")[0] for *_, specs in SECTIONS for *_, path in specs}
        elsewhere = {"confusion", "slices", "invalid_calls", "n", "no_gold", "scored"}
        elsewhere |= {"single_reviewers", "alt_test", "between_reviewers"}
        elsewhere |= {"invalid_pairs", "pairs_with_invalid_calls"}
        elsewhere |= {"mcc", "intersections"}  # in the export only
        assert set(block) == shown | elsewhere

    def test_an_estimate_shows_k_of_n_interval_and_method(self):
        block = columns((15, "C", "C", "C"), (5, "B", "C", "C"))[0].block
        cell = share(block["exact_agreement"])
        assert cell.value == "75.0 %"
        assert cell.detail.startswith("15 of 20; 95 % ")
        assert cell.detail.endswith("Wilson")


def test_a_slice_row_is_few_by_its_scored_pairs():
    (column,) = columns((30, "C", "C", "C"))
    for scored, few in ((19, True), (20, False)):
        part = {**column.block["critical"], "n": 20, "scored": scored, "small": False}
        block = {**column.block, "critical": part}
        (table,) = slice_tables((replace(column, block=block),))
        assert table.groups[0].rows[0].small is few


def test_slices_of_any_size_have_their_row():
    (table,) = slice_tables(columns((1, "C", "C", "C")))
    assert [group.key for group in table.groups] == ["critical"]
    assert table.groups[0].rows[0].n == "0"
    assert table.any_small
