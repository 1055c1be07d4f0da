"""The calibration report as plain text, its splits side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from calibration.presenters.figures import (
    compact_number,
    compact_text,
    p_text,
    percent,
    points_text,
    signed_points,
)

Payload = Mapping[str, Any]
Cell = Callable[[Payload], str]

WIDTH = 98
_LABEL = 30
_SPLITS = (("dev", "dev"), ("held_out", "held-out"))
_VERDICTS = ("baseline", "candidate", "tie", "abstain", "invalid")
_HEADS = ("base", "cand", "tie", "abst", "inval")


def text_report(payload: Payload) -> str:
    """Write the report ``payload`` (DESIGN 7) as text of at most 98 columns.

    Shows dev and held-out where they have pairs, else all pairs; a split that the
    payload withholds is left out and said so.
    """
    splits = payload["splits"]
    columns = _columns(splits)
    names = [name for name, _ in columns]
    blocks = [block for _, block in columns]
    lines = [*_head(payload), *_withheld(splits), ""]
    if not blocks:
        return "\n".join(lines)
    lines += [_line("", names), "=" * WIDTH]
    for title, rows in _SECTIONS:
        lines += ["", title]
        lines += [
            _line(f"  {label}", [cell(b) for b in blocks]) for label, cell in rows
        ]
        if title == "Agreement":
            lines += ["", *_confusion(names, blocks)]
    lines += ["", *_invalid(blocks)]
    for name, block in columns:
        lines += _slices(name, block)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _columns(splits: Payload) -> list[tuple[str, Payload]]:
    """Dev and held-out where they have pairs, else everything."""
    found = [(name, splits.get(key)) for key, name in _SPLITS]
    filled = [(name, block) for name, block in found if block and block["n"]]
    whole = splits.get("all")
    return filled or ([("all pairs", whole)] if whole else [])


def _withheld(splits: Payload) -> list[str]:
    return [
        f"The {name} results are not disclosed."
        for key, name in _SPLITS
        if splits.get(key) is None
    ]


def _head(payload: Payload) -> list[str]:
    judge, gold = payload.get("judge", {}), payload.get("gold", {})
    lines = [
        "Calibration report",
        f"gold set {gold.get('set')}, version {gold.get('version')}",
        f"judge {judge.get('name')}, version {judge.get('version')}",
    ]
    if judge.get("simulated"):
        lines.append("SIMULATED JUDGE: these figures say nothing about a real model.")
    looks = payload.get("looks")
    if looks:
        lines.append(f"held-out looks: {looks.get('n')} of {looks.get('budget')}")
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


def _line(label: str, cells: list[str]) -> str:
    width = (WIDTH - _LABEL) // max(len(cells), 2)
    return f"{label:<{_LABEL}}" + "".join(f"{cell:<{width}}" for cell in cells)


def _share(*path: str) -> Cell:
    return lambda block: compact_text(_at(block, path))


def _count(*path: str) -> Cell:
    return lambda block: f"{_at(block, path):,}"


def _number(*path: str) -> Cell:
    return lambda block: compact_number(_at(block, path))


def _p_value(*path: str) -> Cell:
    return lambda block: p_text(_at(block, path)["p_value"])


def _at(block: Payload, path: tuple[str, ...]) -> Any:
    found: Any = block
    for key in path:
        found = found[key]
    return found


def _points(block: Payload) -> str:
    text = points_text(block["direction"]["difference"])
    return text.split(" (")[0] if text[0] in "+-" else text


def _gap_limits(block: Payload) -> str:
    gap = block["direction"]["difference"]
    if gap["low"] is None:
        return "-"
    return f"{signed_points(gap['low'])} to {signed_points(gap['high'])} points"


_SECTIONS: tuple[tuple[str, tuple[tuple[str, Cell], ...]], ...] = (
    (
        "Agreement",
        (
            ("pairs", _count("n")),
            ("without gold (left out)", _count("no_gold")),
            ("exact agreement", _share("exact_agreement")),
            ("with stated ties only", _share("stated_agreement")),
            ("coverage", _share("coverage")),
            ("agreement when it answers", _share("answered_agreement")),
            ("kappa", _number("kappa")),
            ("balanced accuracy", _share("balanced_accuracy")),
            ("reviewers: pairwise", _share("human", "pairwise_agreement")),
            ("reviewers: alpha", _number("human", "alpha")),
            ("judge with reviewers", _share("human", "judge_agreement")),
        ),
    ),
    (
        "Errors",
        (
            ("false candidate wins", _share("false_candidate_wins")),
            ("false baseline wins", _share("false_baseline_wins")),
            ("unearned candidate wins", _share("unearned_candidate_wins")),
            ("wrong candidate verdicts", _share("wrong_candidate_verdicts")),
            ("direction of errors", _points),
            ("  interval", _gap_limits),
            ("  Fisher exact", _p_value("direction", "test")),
            ("critical: false cand. wins", _share("critical", "false_candidate_wins")),
        ),
    ),
    (
        "Ties and abstains",
        (
            ("missed ties", _share("missed_ties")),
            ("  called candidate", _share("missed_ties_to_candidate")),
            ("  called baseline", _share("missed_ties_to_baseline")),
            ("invented ties", _share("invented_ties")),
            ("tie verdicts: stated", _count("ties", "stated")),
            ("  from tie transitions", _count("ties", "transition")),
            ("  from flips", _count("ties", "flip")),
            ("missed abstains", _share("missed_abstains")),
            ("invented abstains", _share("invented_abstains")),
        ),
    ),
    (
        "Position",
        (
            ("consistent pairs", _count("position", "consistent")),
            ("flips", _count("position", "flip")),
            ("tie transitions", _count("position", "tie_transition")),
            ("abstain transitions", _count("position", "abstain_transition")),
            ("invalid pairs", _count("position", "invalid")),
            ("flip rate", _share("position", "flip_rate")),
            ("consistency rate", _share("position", "consistency_rate")),
            ("first-slot flips", _count("position", "first_slot_flips")),
            ("second-slot flips", _count("position", "second_slot_flips")),
            ("  sign test", _p_value("position", "slot_test")),
            ("first slot, decisive calls", _share("position", "first_slot_choices")),
        ),
    ),
    (
        "Preference of the judge",
        (
            (
                "decisive share, candidate",
                _share("preference", "judge", "decisive_share"),
            ),
            ("  sign test", _p_value("preference", "judge", "sign_test")),
            ("net", _number("preference", "judge", "net")),
        ),
    ),
    (
        "Coherence",
        (
            ("complete cases", _count("coherence", "cases")),
            ("incomplete cases", _count("coherence", "incomplete")),
            ("IPI", _number("coherence", "ipi")),
            ("TOV", _number("coherence", "tov")),
            ("excess after order flips", _number("coherence", "excess")),
        ),
    ),
)


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
    lines += [_slice_row(label, part) for label, part in parts]
    if any(part["small"] for _, part in parts):
        lines.append("  * fewer than 20 pairs: read with care")
    return lines


def _slice_row(label: str, part: Payload) -> str:
    return _slice_line(
        label,
        f"{part['n']:,}{'*' if part['small'] else ''}",
        compact_text(part["exact_agreement"]),
        compact_text(part["false_candidate_wins"]),
        percent(part["flip_rate"]),
    )


def _slice_line(label: str, pairs: str, agreed: str, wrong: str, flips: str) -> str:
    return f"  {label[:23]:<24}{pairs:>6}  {agreed:<28}{wrong:<28}{flips:>8}"
