"""The notes of adjudicators as one document, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from annotation.domain.exports import ExportFormat, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

COLUMNS = (
    "at", "by", "gold_set", "case_id", "systems", "sequence", "replaced", "outcome",
    "moved", "category", "note", "judge_results", "asked", "asked_by", "asked_note",
    "digest",
)  # fmt: skip
TITLE = "Adjudication notes"
BEFORE, AFTER = "before judge results", "after judge results"
STYLE = """\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #888;padding:1rem 0}
h2{font-size:1.1rem;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:.5rem 0}
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
blockquote{margin:.5rem 0;padding-left:1rem;border-left:4px solid #888;
white-space:pre-wrap;overflow-wrap:anywhere}
"""


@dataclass(frozen=True, slots=True)
class Note:
    """One ruling: who, when, why, what it replaced, and whether a judge had spoken.

    ``replaced`` is the gold that stood before, ``None`` where none did. ``asked`` is
    ``correction`` or ``control`` where somebody asked for the ruling.
    """

    at: str
    by: str
    gold_set: str
    case_id: str
    systems: tuple[str, str]
    sequence: int
    replaced: str | None
    outcome: str
    category: str
    note: str
    after_judge: bool
    asked: str | None
    asked_by: str | None
    asked_note: str | None
    digest: str

    @property
    def judge_results(self) -> str:
        """Whether judge results existed, or had been seen, when it was made."""
        return AFTER if self.after_judge else BEFORE

    @property
    def moved(self) -> bool:
        """Whether gold that stood was changed."""
        return self.replaced is not None and self.replaced != self.outcome

    def cells(self) -> list[object]:
        """The values of its row, by :data:`COLUMNS`."""
        own: Mapping[str, object] = {
            "systems": list(self.systems),
            "moved": self.moved,
            "judge_results": self.judge_results,
        }
        return [own[c] if c in own else getattr(self, c) for c in COLUMNS]


def notes_from(
    rulings: Iterable[Mapping[str, Any]], places: Mapping[int, Sequence[str]]
) -> list[Note]:
    """Make the notes of rows of rulings, oldest first.

    ``places`` gives the gold set, case, baseline and candidate of each pair by its id.
    """
    found = []
    for row in rulings:
        gold_set, case_id, baseline, candidate = places[row["pair"]]
        note = Note(
            at=row["created_at"],
            by=row["adjudicator"],
            gold_set=gold_set,
            case_id=case_id,
            systems=(baseline, candidate),
            **{name: row[name] for name in _SAME},
        )
        found.append((note.at, row["pair"], row["sequence"], note))
    return [note for *_, note in sorted(found, key=lambda each: each[:3])]


_SAME = (
    "sequence", "replaced", "outcome", "category", "note", "after_judge", "asked",
    "asked_by", "asked_note", "digest",
)  # fmt: skip


def as_csv(notes: Iterable[Note]) -> Iterator[bytes]:
    """Write the notes as CSV that no spreadsheet takes for formulas."""
    return written(COLUMNS, (note.cells() for note in notes), ExportFormat.CSV)


def as_html(notes: Sequence[Note], title: str) -> Iterator[bytes]:
    """Write the notes as one page that needs nothing else."""
    after = sum(note.after_judge for note in notes)
    moved = sum(note.moved for note in notes)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n"
        f"<p>{_count(len(notes), 'ruling')}, oldest first; {after} after judge "
        f"results; {moved} changed gold that stood.</p>\n"
    ).encode()
    for number, note in enumerate(notes, start=1):
        yield _article(number, note).encode()
    yield b"</body>\n</html>\n"


def _article(number: int, note: Note) -> str:
    asked = ""
    if note.asked:
        asked = _term("Asked for", f"{note.asked}, by {note.asked_by}")
        asked += _term("Why asked", note.asked_note or "(no note)")
    return (
        f"<article>\n<h2>{number}. {escape(note.case_id)}: "
        f"{escape(' | '.join(note.systems))}</h2>\n<dl>\n"
        + _term("When", note.at)
        + _term("Who", note.by)
        + _term("Gold set", f"{note.gold_set}, ruling {note.sequence} on this pair")
        + _term("Ruled", note.outcome)
        + _term("Replaced", note.replaced or "nothing: there was no gold")
        + _term("Why", note.category)
        + _term("Judge", note.judge_results)
        + asked
        + _term("Digest", note.digest)
        + f"</dl>\n<blockquote>{escape(note.note)}</blockquote>\n</article>\n"
    )


def _term(name: str, value: str) -> str:
    return f"<dt>{name}</dt><dd>{escape(value)}</dd>\n"


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
