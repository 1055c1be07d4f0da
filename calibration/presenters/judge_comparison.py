"""A comparison of judges as text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from calibration.presenters.columns import NAMES
from calibration.presenters.comparisons import mcnemar_text, votes_worth, wrong_names
from calibration.presenters.figures import (
    count_text,
    estimate_text,
    points_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Payload

SHOWN = 20
WIDTH = 98


def judge_comparison_text(payload: Payload) -> str:
    """Judges by agreement, then every two of them, then what all got wrong."""
    gold, part = payload["gold"], NAMES[payload["split"]]
    title = (
        f"Judges on {gold['set']}, gold version {gold['version']}, {part}: "
        f"{count_text(payload['pairs'], 'pair')} with gold that all of them judged"
    )
    lines = [title, ""]
    if not payload["pairs"]:
        return "\n".join([title, *textwrap.wrap(payload["why_none"], WIDTH)]) + "\n"
    lines += [
        f"  {row['judge']}: {estimate_text(row['exact_agreement'])}"
        for row in payload["judges"]
    ]
    for one in payload["versus"]:
        lines += ["", *_versus(one)]
    votes = payload["effective_votes"]
    if not votes.get("undefined"):
        worth, more = votes_worth(votes)
        told = f"Effective votes: {worth} of {votes['members']}"
        lines += ["", *textwrap.wrap(f"{told}.{more}" if more else told, WIDTH)]
    return "\n".join([*lines, "", *_all_wrong(wrong_names(payload))]) + "\n"


def _versus(one: Payload) -> Iterator[str]:
    first, second = one["first"], one["second"]
    yield f"{first} less {second}: {points_text(one['difference'])}"
    yield (
        f"  right alone: {first} {one['first_only']:,}, {second} "
        f"{one['second_only']:,} (exact McNemar {mcnemar_text(one)})"
    )
    yield (
        f"  both wrong: {one['both_wrong']:,}, the same verdict on "
        f"{one['same_wrong']:,} of these"
    )
    if one["adjusted"] is None:
        yield f"  No test: {one['test']['undefined']}."
        return
    if not one["separable"]:
        yield "  Not separable: these pairs do not show which of the two is better."
        return
    better = first if one["first_only"] > one["second_only"] else second
    yield f"  {better} agrees with gold more often."


def _all_wrong(names: list[str]) -> Iterator[str]:
    yield f"Wrong by every judge: {count_text(len(names), 'pair')}"
    if names:
        more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
        yield f"  {', '.join(names[:SHOWN])}{more}"
