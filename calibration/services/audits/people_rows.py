"""What people did, as rows of a bundle: sets, texts, labels, rulings, gold."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.domain.consensus import (
    ConsensusRule,
    Settled,
    consensus,
    votes_among,
)
from annotation.domain.outcomes import Outcome
from annotation.models import (
    Adjudication,
    Case,
    Exposure,
    GoldItem,
    GoldVersion,
    Guideline,
    Label,
    LabelImport,
    LookPlan,
    Pair,
    Response,
    Round,
    SplitAssignment,
    System,
    Unsealing,
)
from annotation.services.aliases import alias_draws
from calibration.services.audits.values import plain, rows_of
from config.accounts.models import User

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotation.domain.consensus import Author
    from calibration.services.audits.scopes import Scope

    Rows = Iterator[dict[str, Any]]

SET_FIELDS = (
    "title", "question", "labels_per_pair", "consensus_rule", "primary_slice",
    "strength_wanted", "critical_errors", "ruling_categories", "blind_first_ruling",
    "look_budget", "simulated", "judged_at", "held_out_seen_at", "created_at",
)  # fmt: skip
_IS_RETEST = ExpressionWrapper(
    Q(seat__retest_of__isnull=False), output_field=BooleanField()
)


def _named(*names: str, **others: str) -> dict[str, str]:
    return {**others, **{name: name for name in names}}


def gold_sets(scope: Scope) -> Rows:
    """Each set with its systems in order, and the options as they stand."""
    for gold_set in scope.gold_sets:
        systems = System.objects.filter(gold_set=gold_set).order_by("position")
        by = gold_set.created_by
        yield {
            "gold_set": gold_set.name,
            "systems": [
                {"name": s.name, "aliases": s.aliases, "family": s.family}
                for s in systems
            ],
            "created_by": by.get_username() if by else None,
            **{name: plain(getattr(gold_set, name)) for name in SET_FIELDS},
        }


def guidelines(scope: Scope) -> Rows:
    """Every version of the guidelines."""
    found = Guideline.objects.filter(
        gold_set__in=scope.set_ids, created_at__lte=scope.until
    )
    fields = _named(
        "version", "text", "criteria", "digest", "created_at",
        gold_set="gold_set__name", created_by="created_by__username",
    )  # fmt: skip
    for gold_set in scope.gold_sets:
        mine = found.filter(gold_set=gold_set)
        yield from rows_of(mine.order_by("version"), fields)


def cases(scope: Scope) -> Rows:
    """Every case with its texts."""
    fields = _named(
        "prompt", "context", "reference", "slices", "critical", "group", "split",
        "extra", "digest", case="pk", gold_set="gold_set__name", case_id="external_id",
    )  # fmt: skip
    found = Case.objects.filter(gold_set__in=scope.set_ids)
    return rows_of(found.order_by("pk"), fields)


def responses(scope: Scope) -> Rows:
    """Every response with its text."""
    fields = _named(
        "text", "sha256", "length", "meta", response="pk",
        gold_set="case__gold_set__name", case_id="case__external_id",
        system="system__name",
    )  # fmt: skip
    found = Response.objects.filter(case__gold_set__in=scope.set_ids)
    return rows_of(found.order_by("pk"), fields)


def pairs(scope: Scope) -> Rows:
    """Every pair, by the ids that all other tables use."""
    fields = _named(
        "designed", "flags", "digest", "texts_digest", pair="pk",
        gold_set="gold_set__name", case_id="case__external_id",
        baseline="baseline_id", candidate="candidate_id",
    )  # fmt: skip
    found = Pair.objects.filter(gold_set__in=scope.set_ids)
    return rows_of(found.order_by("pk"), fields)


def rounds(scope: Scope) -> Rows:
    """Every round; its seed, which tells orders beforehand, stays where it is."""
    fields = _named(
        "name", "labels_per_pair", "retest_share", "designed_rate", "opened_at",
        "closed_at", "disclosed_at", round="pk", gold_set="gold_set__name",
        opened_by="opened_by__username", closed_by="closed_by__username",
    )  # fmt: skip
    found = Round.objects.filter(gold_set__in=scope.set_ids, opened_at__lte=scope.until)
    return rows_of(found.order_by("pk"), fields)


def reviewers(scope: Scope) -> Rows:
    """Who labelled, with the draw that their alias follows from."""
    for gold_set in scope.gold_sets:
        draws = alias_draws(gold_set)
        people = User.objects.in_bulk([pk for pk, _ in draws if pk is not None])
        for (pk, outside), draw in sorted(draws.items(), key=lambda item: item[1]):
            yield {
                "gold_set": gold_set.name,
                "reviewer": people[pk].get_username() if pk else None,
                "outside": outside,
                "draw": draw,
            }


def label_imports(scope: Scope) -> Rows:
    """Who brought labels from outside, when, and from which files."""
    fields = _named(
        "added", "known", "files", "imported_at", "actor", label_import="pk",
        gold_set="gold_set__name", imported_by="imported_by__username",
    )  # fmt: skip
    found = LabelImport.objects.filter(
        gold_set__in=scope.set_ids, imported_at__lte=scope.until
    )
    return rows_of(found.order_by("pk"), fields)


def labels(scope: Scope) -> Rows:
    """Every revision of every label, with the order that was shown."""
    fields = _named(
        "revision", "choice", "order", "outcome", "strength", "note", "confidence",
        "abstain_reason", "critical", "criteria", "view", "elapsed_seconds",
        "active_seconds", "extra", "created_at", label="pk", pair="pair_id",
        round="seat__round_id", seat="seat_id", retest="is_retest",
        reviewer="reviewer__username", outside="external_reviewer",
        guideline="guideline__version",
    )  # fmt: skip
    found = Label.objects.filter(
        pair__gold_set__in=scope.set_ids, created_at__lte=scope.until
    ).annotate(is_retest=_IS_RETEST)
    return rows_of(found.order_by("pk"), fields)


def adjudications(scope: Scope) -> Rows:
    """Every ruling with its note, in the order of their chains.

    ``replaced`` is the gold that stood before it: of the ruling before, else what the
    labels of that time settle; ``None`` where none stood.
    """
    fields = _named(
        "sequence", "outcome", "category", "note", "after_judge", "first_outcome",
        "previous_digest", "digest", "created_at", adjudication="pk", pair="pair_id",
        adjudicator="adjudicator__username", guideline="guideline__digest",
        order="hearing__order", asked="request__kind", batch="request__batch",
        asked_by="request__requested_by__username", asked_at="request__requested_at",
        asked_category="request__category", asked_note="request__note",
    )  # fmt: skip
    found = Adjudication.objects.filter(
        pair__gold_set__in=scope.set_ids, created_at__lte=scope.until
    )
    standing: dict[int, str | None] = {}
    ordered = found.order_by("pair_id", "sequence")
    firsts = _settled_before(scope)
    for row in rows_of(ordered, fields):
        pair = row["pair"]
        if row["sequence"] == 1:
            standing = {pair: firsts.get(pair)}
        yield {**row, "replaced": standing[pair]}
        standing[pair] = row["outcome"]


def _settled_before(scope: Scope) -> dict[int, str | None]:
    """What the labels of ruled pairs settled when they were first ruled on."""
    firsts = dict(
        Adjudication.objects.filter(
            pair__gold_set__in=scope.set_ids, sequence=1
        ).values_list("pair_id", "created_at")
    )
    said: dict[int, list[tuple[Author, Outcome]]] = defaultdict(list)
    rows = Label.objects.counted().filter(
        pair__gold_set__in=scope.set_ids, pair__adjudications__sequence=1
    )
    columns = ("pair_id", "reviewer_id", "external_reviewer", "outcome", "created_at")
    for pair, who, outside, outcome, at in rows.order_by("pk").values_list(*columns):
        if at <= firsts[pair]:
            said[pair].append(((who, outside), Outcome(outcome)))
    terms = {
        s.pk: (ConsensusRule(s.consensus_rule), s.labels_per_pair)
        for s in scope.gold_sets
    }
    ruled = Pair.objects.filter(gold_set__in=scope.set_ids, adjudications__sequence=1)
    sets = ruled.values_list("pk", "gold_set_id")
    return {pair: _outcome(said[pair], *terms[set_id]) for pair, set_id in sets}


def _outcome(
    said: list[tuple[Author, Outcome]], rule: ConsensusRule, wanted: int
) -> str | None:
    found = consensus(votes_among(said, wanted), rule, wanted)
    return found.outcome.value if isinstance(found, Settled) else None


def splits(scope: Scope) -> Rows:
    """How the cases came into their splits."""
    fields = _named(
        "seed", "held_out_share", "slices", "by_class", "join_near_duplicates",
        "reassigned", "moved", "dev", "held_out", "strata", "digest", "assigned_at",
        assignment="pk",
        gold_set="gold_set__name", assigned_by="assigned_by__username",
    )  # fmt: skip
    found = SplitAssignment.objects.filter(
        gold_set__in=scope.set_ids, assigned_at__lte=scope.until
    )
    return rows_of(found.order_by("pk"), fields)


def gold_versions(scope: Scope) -> Rows:
    """Every frozen version."""
    fields = _named(
        "number", "rule", "digest", "pairs", "left_open", "created_at", "actor",
        version="pk",
        gold_set="gold_set__name", created_by="created_by__username",
    )  # fmt: skip
    found = GoldVersion.objects.filter(
        gold_set__in=scope.set_ids, created_at__lte=scope.until
    )
    return rows_of(found.order_by("pk"), fields)


def gold_items(scope: Scope) -> Rows:
    """Every pair of every version."""
    fields = _named(
        "split", "outcome", "source", "open_reason", "labels", "ruling_digest",
        version="version_id", pair="pair_id",
    )  # fmt: skip
    found = GoldItem.objects.filter(
        version__gold_set__in=scope.set_ids, version__created_at__lte=scope.until
    )
    return rows_of(found.order_by("version_id", "pair_id"), fields)


def exposures(scope: Scope) -> Rows:
    """Who saw what about which pair, and when first."""
    fields = _named(
        "kind", "seen_at", exposure="pk", pair="pair_id", user="user__username"
    )
    found = Exposure.objects.filter(
        pair__gold_set__in=scope.set_ids, seen_at__lte=scope.until
    )
    return rows_of(found.order_by("pk"), fields)


def look_plans(scope: Scope) -> Rows:
    """How held-out results may be looked at; the end of a seal comes last."""
    fields = _named(
        "sequence", "mode", "budget", "limits", gold_set="gold_set__name",
        at="planned_at", by="planned_by__username", plan="pk",
    )  # fmt: skip
    found = LookPlan.objects.filter(
        gold_set__in=scope.set_ids, planned_at__lte=scope.until
    )
    yield from rows_of(found.order_by("pk"), fields)
    ends = {
        "plan": "pk",
        "gold_set": "gold_set__name",
        "unsealed_at": "unsealed_at",
        "unsealed_by": "unsealed_by__username",
        "reason": "reason",
    }
    unsealed = Unsealing.objects.filter(
        gold_set__in=scope.set_ids, unsealed_at__lte=scope.until
    )
    yield from rows_of(unsealed.order_by("pk"), ends)
