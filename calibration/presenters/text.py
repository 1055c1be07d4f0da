"""The calibration report as plain text, its splits side by side."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from calibration.presenters.columns import columns_of, few_pairs
from calibration.presenters.figures import (
    compact_text,
    count_text,
    percent,
    served_text,
)
from calibration.presenters.notices import report_notices
from calibration.presenters.reviewers import (
    alt_test_text,
    between_text,
    reviewer_text,
)
from calibration.presenters.reviews import review_facts
from calibration.presenters.sections import gap_lines
from calibration.presenters.slices import flag_texts
from calibration.presenters.text_specs import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.presenters.columns import Column
    from calibration.presenters.text_specs import Payload, Row

WIDTH = 98
_LABEL = 30
_VERDICTS = ("baseline", "candidate", "tie", "abstain", "invalid")
_HEADS = ("base", "cand", "tie", "abst", "inval")


def text_report(payload: Payload) -> str:
    """Write the report ``payload`` (DESIGN 7) as text of at most 98 columns.

    Shows dev and held-out where they have pairs, else all pairs; a split that the
    payload withholds is left out and said so.
    """
    columns = columns_of(payload)
    names = [column.name for column in columns]
    blocks = [column.block for column in columns]
    lines = [*_head(payload, columns), ""]
    if not blocks:
        return "\n".join(lines)
    lines += [_line("", names), "=" * WIDTH]
    for title, rows in SECTIONS:
        lines += ["", title]
        lines += [line for row in rows if (line := _row(row, blocks))]
        if title == "Agreement":
            lines += ["", *_confusion(names, blocks)]
    lines += ["", *_invalid(blocks)]
    lines += _gaps(payload)
    lines += _reviews(payload)
    for column in columns:
        lines += _reviewers(column.name, column.block)
    for column in columns:
        lines += _slices(column.name, column.block)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(payload: Payload, columns: tuple[Column, ...]) -> list[str]:
    judge, gold, run = payload["judge"], payload["gold"], payload["run"]
    rule = judge["combining_rule"].replace("_", " ")
    served = served_text(run["served_models"])
    lines = [
        "Calibration report",
        f"gold set {gold['set']}, version {gold['version']}, rule {gold['rule']}",
        f"judge {judge['name']}, version {judge['version']}, two orders: {rule}",
        f"run {run['id']}, {count_text(run['calls'], 'call')}, served by {served}",
    ]
    looks = payload.get("looks")
    if looks:
        lines.append(f"held-out looks: {looks.get('n')} of {looks.get('budget')}")
    for notice in report_notices(payload, columns):
        mark = "NOTE: " if notice.level == "warn" else ""
        lines += textwrap.wrap(f"{mark}{notice.text}", WIDTH)
    lines.append(f"Shares read: value, {_level(payload)} interval, (k/n).")
    if any(map(_clustered, payload["splits"].values())):
        lines.append("Intervals allow for several pairs of one case or group.")
    return lines


def _clustered(block: Payload | None) -> bool:
    return "clustered" in (block["exact_agreement"]["method"] or "") if block else False


def _level(payload: Payload) -> str:
    """The level that the figures carry; all have the same."""
    for block in filter(None, payload["splits"].values()):
        level = block["invalid_rate"]["level"]
        if level:
            return f"{100 * level:g} %"
    return "95 %"


def _row(row: Row, blocks: list[Payload]) -> str:
    """One figure of every block; empty where an older report does not hold it."""
    label, cell = row
    try:
        return _line(f"  {label}", [cell(block) for block in blocks])
    except KeyError:
        return ""


def _line(label: str, cells: list[str]) -> str:
    width = (WIDTH - _LABEL) // max(len(cells), 2)
    return f"{label:<{_LABEL}}" + "".join(f"{cell:<{width}}" for cell in cells)


def _confusion(names: list[str], blocks: list[Payload]) -> list[str]:
    heads = "".join(f"{head:>6}" for head in _HEADS)
    lines = [
        f"{'Confusion (gold down)':<{_LABEL}}" + "".join(f"{heads}    " for _ in names)
    ]
    golds = _VERDICTS[:-1]
    lines += [f"  {gold:<{_LABEL - 2}}" + _counts(gold, blocks) for gold in golds]
    return [*lines, "  (gold abstain is its own line, never part of agreement)"]


def _counts(gold: str, blocks: list[Payload]) -> str:
    rows = (block["confusion"][gold] for block in blocks)
    return "".join(
        "".join(f"{row[verdict]:>6}" for verdict in _VERDICTS) + "    " for row in rows
    )


def _invalid(blocks: list[Payload]) -> list[str]:
    """Reasons that occur in some column; the rate even when none does."""
    rates = [compact_text(block["invalid_rate"]) for block in blocks]
    calls = [compact_text(block["invalid_call_rate"]) for block in blocks]
    lines = ["Invalid", _line("  pairs", rates), _line("  calls", calls)]
    for reason in blocks[0]["invalid_calls"]:
        counts = [block["invalid_calls"][reason] for block in blocks]
        if any(counts):
            lines.append(_line(f"    {reason}", [f"{count:,}" for count in counts]))
    return lines


def _gaps(payload: Payload) -> list[str]:
    """Dev against held-out, where both are shown."""
    rows = [
        f"  {line.label.lower():<{_LABEL - 2}}{cell.value} ({cell.detail})"
        for line in gap_lines(payload)
        for cell in line.cells
    ]
    return ["", "Dev less held-out", *rows] if rows else []


def _reviews(payload: Payload) -> list[str]:
    """What disagreements were found to be, where any were looked at."""
    rows = [f"  {part}: {text}" for part, text in review_facts(payload)]
    wrapped = [line for row in rows for line in textwrap.wrap(row, WIDTH - 2)]
    return ["", *wrapped] if rows else []


def _reviewers(name: str, block: Payload) -> list[str]:
    """The judge against each reviewer, where it is known who said what."""
    rows = [reviewer_text(row) for row in block.get("single_reviewers", ())]
    told = textwrap.wrap(alt_test_text(block), WIDTH - 2) if rows else []
    title = ["", f"Judge against each reviewer, {name}"] if rows else []
    twos = [between_text(row) for row in block.get("between_reviewers", ())]
    lines = [line for two in twos for line in textwrap.wrap(two, WIDTH - 2)]
    head = ["", f"Reviewers with each other, {name}"] if twos else []
    return [*title, *_indented((*rows, *told)), *head, *_indented(lines)]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _slices(name: str, block: Payload) -> list[str]:
    if not block["slices"]:
        return []
    heads = ("pairs", "agreement", "false candidate wins", "flips")
    lines = ["", f"Slices, {name}", _slice_line("", *heads)]
    parts = [
        (f"{key} = {value}", part)
        for key, values in block["slices"].items()
        for value, part in values.items()
    ]
    for label, part in parts:
        lines.append(_slice_row(label, part))
        lines += [f"      {text}" for text in flag_texts(part)]
    if any(few_pairs(part) for _, part in parts):
        lines.append("  * fewer than 20 scored pairs: read with care")
    return lines


def _slice_row(label: str, part: Payload) -> str:
    return _slice_line(
        label,
        f"{part['n']:,}{'*' if few_pairs(part) else ''}",
        compact_text(part["exact_agreement"]),
        compact_text(part["false_candidate_wins"]),
        percent(part["flip_rate"]),
    )


def _slice_line(label: str, pairs: str, agreed: str, wrong: str, flips: str) -> str:
    return f"  {label[:23]:<24}{pairs:>6}  {agreed:<28}{wrong:<28}{flips:>8}"
