"""A release run as tables: counts first, then what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.figures import (
    compact_text,
    count_text,
    estimate_text,
    exact_test_text,
    number_text,
    p_text,
    rounded,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Stored = Mapping[str, Any]

LEAST_ADDED = 0.005  # below half a percent narrower, verdicts add nothing
COUNTS = (
    ("candidate_wins", "Candidate wins"),
    ("baseline_wins", "Baseline wins"),
    ("ties", "Ties"),
    ("abstain", "Abstains"),
    ("invalid", "Invalid"),
)


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One part of a run's pairs."""

    label: str
    small: bool
    pairs: int
    cases: int
    counts: tuple[int, ...]
    share: str
    sign_test: str
    flips: str


@dataclass(frozen=True, slots=True)
class ReleasePage:
    """What the page of a run, and of a decision, shows of the counts."""

    counts: tuple[tuple[str, int], ...]
    pairs: int
    basis: str
    figures: tuple[tuple[str, str], ...]
    secondary: tuple[tuple[str, str], ...]
    length: tuple[tuple[str, str], ...]
    slices: tuple[tuple[str, tuple[SliceRow, ...]], ...]
    critical: SliceRow

    @property
    def critical_rows(self) -> tuple[SliceRow, ...]:
        """As a table of slices takes it."""
        return (self.critical,)


def release_page(summary: Stored) -> ReleasePage:
    """Tables of a stored summary."""
    said = summary["preference"]
    cases = count_text(summary["cases"], "case")
    return ReleasePage(
        counts=tuple((label, said[name]) for name, label in COUNTS),
        pairs=summary["n"],
        basis=f"{count_text(summary['n'], 'pair')} of {cases}.{_copies(summary)}",
        figures=(
            ("Candidate among decisive pairs", estimate_text(said["decisive_share"])),
            ("Exact sign test", exact_test_text(said["sign_test"])),
            ("Net preference (wins less losses)", number_text(said["net"])),
            ("Flips when slots swap", estimate_text(summary["flip_rate"])),
            ("Invalid pairs", estimate_text(summary["invalid_rate"])),
        ),
        secondary=(("Ties counted as half", estimate_text(said["half_tie"])),),
        length=_length(summary["length_matched"]),
        slices=tuple(
            (key, tuple(_slice(value, one) for value, one in values.items()))
            for key, values in summary["slices"].items()
        ),
        critical=_slice("Critical pairs", summary["critical"]),
    )


def _copies(summary: Stored) -> str:
    """A decision that was made before copies were told apart names none."""
    copies = summary.get("copies")
    if not copies:
        return ""
    repeat = "1 more repeats" if copies == 1 else f"{copies:,} more repeat"
    return f" {repeat} the texts of one of these, which counts once and as one cluster."


def _length(matched: Stored) -> tuple[tuple[str, str], ...]:
    said = matched["preference"]
    unknown = count_text(matched["unknown"], "pair")
    rows = [
        ("Pairs of similar length", estimate_text(matched["kept"])),
        ("Candidate among decisive ones", estimate_text(said["decisive_share"])),
        ("Exact sign test", exact_test_text(said["sign_test"])),
    ]
    if matched["unknown"]:
        rows.append(("Length not known", unknown))
    return tuple(rows)


def _slice(label: str, one: Stored) -> SliceRow:
    said = one["preference"]
    p = said["sign_test"]["p_value"]
    return SliceRow(
        label=label,
        small=one["small"],
        pairs=one["n"],
        cases=one["cases"],
        counts=tuple(said[name] for name, _ in COUNTS),
        share=compact_text(said["decisive_share"]),
        sign_test="p n/a" if p is None else p_text(p),
        flips=compact_text(one["flip_rate"]),
    )


def correction_rows(found: Stored) -> tuple[tuple[str, str], ...]:
    """The corrected preference, or why there is none."""
    if found["undefined"]:
        return (("Corrected preference", f"n/a ({found['undefined']})"),)
    rows = [
        ("Corrected share of decisive pairs", estimate_text(found["decisive_share"])),
        ("Corrected net preference", number_text(found["net"])),
        ("Post-stratified net preference", number_text(found["post_stratified"])),
    ]
    if found.get("few_verdicts"):  # decisions of older rules do not have it
        rows.append(("Verdicts that few held-out pairs tell of", _few(found)))
    if "powered" in found:  # decisions of rules before 4 do not have it
        rows += [
            (
                "Net preference by gold and verdicts (PPI++)",
                number_text(found["powered"]),
            ),
            ("Net preference by held-out gold alone", number_text(found["gold_only"])),
            ("What the judge adds to that gold", _added(found)),
        ]
    if found["separation"] is not None:
        weak = ": weak, so that the interval is wide" if found["weak"] else ""
        separation = f"{found['separation']:.2f}{weak}"
        rows.append(("How well the judge tells gold apart", separation))
    return tuple(rows)


def _few(found: Stored) -> str:
    """Each verdict whose mean gold rests on few pairs, or on those of all verdicts."""
    return "; ".join(
        f"{name} ({count_text(n, 'pair')})" if n else f"{name} (none: the mean of all)"
        for name, n in found["few_verdicts"].items()
    )


def _added(found: Stored) -> str:
    """By how much the verdicts narrow the interval of gold alone, if they do."""
    both, alone = found["powered"], found["gold_only"]
    if both["undefined"] or alone["undefined"]:
        return f"n/a ({both['undefined'] or alone['undefined']})"
    if both["low"] is None:
        return f"n/a ({both['method']})"
    widths = [one["high"] - one["low"] for one in (both, alone)]
    saved = 1 - widths[0] / widths[1]
    if saved < LEAST_ADDED:
        return "nothing: with the verdicts the interval is as wide as without"
    return (
        f"an interval {rounded(100 * saved, 1)} % narrower; the verdicts weigh "
        f"{rounded(found['weight'], 2)}"
    )


def critical_rows(pairs: Sequence[Stored]) -> list[tuple[str, str, str]]:
    """Critical pairs to look at: case, what the judge said, what people settled on."""
    return [
        (pair["case"], _said(pair), pair["human"] or "nothing yet") for pair in pairs
    ]


def _said(pair: Stored) -> str:
    if pair["only_candidate_fails"] is True:
        return f"{pair['verdict']}; marks fail the candidate alone"
    return "flip" if pair["consistency"] == "flip" else str(pair["verdict"])
