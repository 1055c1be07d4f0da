"""The difference of two gold versions as plain data, for API and command alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.gold_changes import ChangeKind

if TYPE_CHECKING:
    from annotation.domain.gold_changes import GoldRow
    from annotation.services.gold_diff import Explained, GoldDiff


def diff_json(found: GoldDiff) -> dict[str, Any]:
    """Give a difference as JSON values; reviewers under their aliases"""
    changes = found.changes
    return {
        "gold_set": found.before.gold_set.name,
        "before": _version(found.before),
        "after": _version(found.after),
        "unchanged": changes.unchanged,
        "withheld": found.withheld,
        "counts": {kind.value: changes.count(kind) for kind in ChangeKind},
        "flow": [
            {"from": one, "to": two, "pairs": count}
            for (one, two), count in sorted(changes.flow().items())
        ],
        "split_moves": [
            {"from": one, "to": two, "pairs": count}
            for (one, two), count in sorted(changes.split_moves().items())
        ],
        "rulings": found.rulings,
        "rulings_after_judge": found.rulings_after_judge,
        "changes": [_change(one) for one in found.shown],
    }


def _version(version: Any) -> dict[str, Any]:
    return {
        "number": version.number,
        "digest": version.digest,
        "rule": version.rule,
        "pairs": version.pairs,
        "left_open": version.left_open,
        "created_at": version.created_at.isoformat(),
    }


def _change(one: Explained) -> dict[str, Any]:
    row = one.change.row
    return {
        "case_id": row.case,
        "systems": list(row.systems),
        "kind": one.change.kind.value,
        "before": _side(one.change.before),
        "after": _side(one.change.after),
        "rulings": [
            {
                "by": ruling.by,
                "outcome": ruling.outcome,
                "category": ruling.category,
                "note": ruling.note,
                "after_judge": ruling.after_judge,
                "at": ruling.at.isoformat(),
                "correction": ruling.correction,
                "correction_note": ruling.correction_note,
            }
            for ruling in one.rulings
        ],
        "labels": [
            {
                "by": label.by,
                "outcome": label.outcome,
                "note": label.note,
                "revision": label.revision,
                "at": label.at.isoformat(),
            }
            for label in one.labels
        ],
    }


def _side(row: GoldRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "outcome": row.outcome.value if row.outcome else None,
        "source": row.source.value,
        "open_reason": row.open_reason,
        "split": row.split,
        "labels": [label.value for label in row.labels],
    }
