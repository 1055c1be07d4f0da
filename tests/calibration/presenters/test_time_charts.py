"""Rates over time: where dots stand, what is joined, and what is left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from annotation.domain.estimates import Undefined
from annotation.domain.intervals import share
from calibration.domain.jsonable import jsonable
from calibration.presenters.time_charts import HEIGHT, TOP, Given, time_chart

START = datetime(2030, 5, 1, 9, tzinfo=UTC)


def given(day: float, k: int, n: int = 10, *, hollow: bool = False) -> Given:
    figure = jsonable(share(k, n))
    assert isinstance(figure, dict)
    return Given(START + timedelta(days=day), figure, hollow)


def nothing(day: float) -> Given:
    figure = jsonable(Undefined("0 cases", 0, 0))
    assert isinstance(figure, dict)
    return Given(START + timedelta(days=day), figure)


def test_dots_stand_at_their_time_and_rate_with_their_interval():
    chart = time_chart("Rates", [("a", [given(0, 10), given(1, 5), given(4, 0)])])
    assert chart is not None
    (line,) = chart.lines
    assert [dot.x for dot in line.dots] == ["3.00%", "26.50%", "97.00%"]
    assert [dot.y for dot in line.dots] == [TOP, TOP + HEIGHT / 2, TOP + HEIGHT]
    assert all(dot.high <= dot.y <= dot.low for dot in line.dots)
    assert line.dots[1].text.startswith("2030-05-02 09:00: 50.0 % (5 of 10;")
    assert [(tick.label, tick.anchor) for tick in chart.dates] == [
        ("2030-05-01", "start"),
        ("2030-05-05", "end"),
    ]


def test_lines_join_the_dots_of_one_series_and_never_two_series():
    chart = time_chart(
        "Rates",
        [("a", [given(0, 9), given(1, 8)]), ("b", [given(2, 5), given(3, 4)])],
    )
    assert chart is not None
    one, two = chart.lines
    assert (len(one.segments), len(two.segments)) == (1, 1)
    assert one.segments[0].x2 == one.dots[1].x
    assert two.segments[0].x1 == two.dots[0].x
    assert one.colour != two.colour


def test_what_is_undefined_has_no_dot_and_a_series_of_it_no_line():
    chart = time_chart("Rates", [("a", [nothing(0), given(1, 8)]), ("b", [nothing(2)])])
    assert chart is not None
    assert [line.name for line in chart.lines] == ["a"]
    assert [dot.x for dot in chart.lines[0].dots] == ["50.00%"]
    assert time_chart("Rates", [("b", [nothing(2)])]) is None
    assert time_chart("Rates", []) is None


def test_a_series_keeps_its_colour_where_another_is_not_drawn():
    chart = time_chart("Rates", [("a", [nothing(0)]), ("b", [given(1, 2)])])
    assert chart is not None
    assert chart.lines[0].colour == 1


def test_pictures_can_share_their_ends():
    ends = START, START + timedelta(days=10)
    chart = time_chart("Rates", [("a", [given(5, 5)])], ends=ends)
    assert chart is not None
    assert chart.lines[0].dots[0].x == "50.00%"
    assert [tick.label for tick in chart.dates] == ["2030-05-01", "2030-05-11"]


def test_checks_of_one_day_are_told_apart_by_the_clock():
    chart = time_chart("t", [("one", [given(0, 1), given(2 / 24, 2)])])
    assert chart is not None
    labels = [tick.label for tick in chart.dates]
    assert labels == ["2030-05-01 09:00", "2030-05-01 11:00"]
