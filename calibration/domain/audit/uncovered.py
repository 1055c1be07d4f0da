"""What a bundle can't tell by itself: fields that contradict nothing when forged.

Whoever forges a bundle and all digests in it may change these and is not found out,
unless the manifest's digest was handed on by another way (``--expect``). They are what
people typed, who did something, options as they stand, and settings that no result
follows from. A test changes every field of every table and holds this list to be true.
"""

from __future__ import annotations

FIELDS: dict[str, tuple[str, ...]] = {
    "gold_sets": (
        "title", "question", "labels_per_pair", "primary_slice", "strength_wanted",
        "critical_errors", "ruling_categories", "blind_first_ruling", "look_budget",
        "systems.aliases", "systems.family", "created_at", "created_by",
        "consensus_rule", "simulated", "held_out_seen_at",
    ),
    "guidelines": ("created_by",),
    "cases": ("case", "split"),
    "pairs": ("flags",),
    "rounds": (
        "name", "labels_per_pair", "retest_share", "designed_rate", "opened_by",
        "closed_by", "disclosed_at",
    ),
    "reviewers": ("draw",),
    "label_imports": ("label_import", "known", "files", "imported_by", "actor"),
    "labels": (
        "strength", "note", "confidence", "criteria", "critical", "view",
        "elapsed_seconds", "active_seconds", "extra", "label", "abstain_reason",
        "round", "guideline",
    ),
    "adjudications": ("adjudication", "batch"),
    "splits": (
        "assignment", "seed", "held_out_share", "slices", "by_class",
        "join_near_duplicates", "reassigned", "moved", "strata.stratum", "assigned_by",
    ),
    "gold_versions": ("created_by", "actor"),
    "exposures": ("exposure", "user", "pair", "kind"),
    "look_plans": ("plan", "budget", "by"),
    "providers": (
        "base_url", "api_key_env", "headers", "query", "use_env_proxy", "simulated",
    ),
    "prices": ("price", "cached", "batch_share", "created_at", "created_by"),
    "judges": ("created_at", "created_by", "frozen_by", "actor", "retired_at"),
    "runs": ("max_calls", "max_tokens", "reuse", "batches", "created_by", "actor"),
    "calls": ("attempts.detail", "attempts.request_id", "attempts.status", "tries"),
    "reports": ("created_by",),
    "findings": ("pair", "note", "batch", "decided_by"),
    "looks": (
        "what", "subject", "door", "reason", "actor", "looked_by", "config_digest",
    ),
    "policies": ("created_at", "created_by", "actor"),
    "waivers": (),
    "decisions": ("decided_by", "actor"),
    "sentinels": (
        "period_hours", "concurrency", "least_agreement", "most_invalid", "created_by",
        "actor", "pointwise_judge", "production",
    ),
    "sentinel_points": ("point",),
    "sentinel_alarms": ("acknowledged_by", "actor", "note"),
}  # fmt: skip
# Fields that stand in several files of a bundle and that no result follows from: one
# forged alone is found out, forged alike in all of them it is not.
ALIKE: dict[str, tuple[str, ...]] = {
    "waivers": (
        "waiver", "case_ids", "systems", "impact", "owner", "reason", "expires_at",
        "asked_by", "confirmed_by",
    ),
    "labels": ("choice", "order"),
    "policies": ("name", "version", "document", "frozen_by"),
}  # fmt: skip
# Rows that nothing else rests on: the newest of these may be missing.
ROWS = (
    "rounds", "splits", "exposures", "findings", "looks", "waivers",
    "sentinel_points", "sentinel_alarms",
)  # fmt: skip


def uncovered() -> str:
    """Say it in one line."""
    count = sum(map(len, (*FIELDS.values(), *ALIKE.values())))
    return (
        f"without --expect {count} fields that contradict nothing (notes, names, "
        f"options as they stand) and the newest rows of {', '.join(ROWS)} are not "
        "covered: docs/files.md lists them"
    )
