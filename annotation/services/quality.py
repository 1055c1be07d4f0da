"""How the reviewers of a set label, for those who lead them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import transaction

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Order, Outcome, Split
from annotation.domain.quality import Rating, ReviewerQuality, reviewer_qualities
from annotation.domain.team import TeamQuality, team_quality
from annotation.models import Label
from annotation.services.aliases import reveal, reviewer_aliases
from annotation.services.exporting import Part, labels_export
from annotation.services.held_out import Showing, show_held_out
from annotation.services.seals import not_under_seal
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from annotation.models import GoldSet
    from annotation.services.aliases import Author
    from annotation.services.held_out import Viewer
    from config.accounts.models import User

SEED = 20_300_506
ALL = "all"
SPLITS = ("", *(split.value for split in Split), ALL)
COLUMNS = (
    "pair_id", "reviewer_id", "external_reviewer", "outcome", "order",
    "seat__retest_of_id", "active_seconds", "elapsed_seconds", "pair__designed",
    "pair__case_id", "pair__case__group",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SetQuality:
    """Everything on the quality page; ``names`` is empty unless they were asked for."""

    split: str
    reviewers: tuple[ReviewerQuality, ...]
    team: TeamQuality
    names: Mapping[str, str]


@transaction.atomic
def set_quality(
    *,
    gold_set: GoldSet,
    now: datetime,
    split: str = "",
    viewer: Viewer | None = None,
    revealed_to: User | None = None,
) -> SetQuality:
    """Compute the figures over the current labels of a part of the set.

    ``split`` is a split, "" for every pair that is not held out, or "all". With
    held-out pairs this is a look of ``viewer``, refused while they are sealed.
    Reviewers are under their aliases unless they are revealed to somebody by name,
    which is written to the log.
    """
    if split not in SPLITS:
        raise InvalidInput("split_unknown", f"There is no split {split!r}.")
    if split in (Split.HELD_OUT.value, ALL):
        look_at_labels(gold_set=gold_set, viewer=viewer, now=now)
    aliases = reviewer_aliases(gold_set)
    ratings = list(_ratings(gold_set, split, aliases))
    rule = ConsensusRule(gold_set.consensus_rule)
    found = reviewer_qualities(ratings, rule, gold_set.labels_per_pair)
    return SetQuality(
        split=split,
        reviewers=tuple(sorted(found, key=lambda one: one.reviewer)),
        team=team_quality(ratings, rng=np.random.default_rng(SEED)),
        names=reveal(gold_set=gold_set, to=revealed_to) if revealed_to else {},
    )


def look_at_labels(*, gold_set: GoldSet, viewer: Viewer | None, now: datetime) -> None:
    """Count a look, where anything held out has a label."""
    held_out = labels_export(gold_set=gold_set, part=Part.HELD_OUT)
    if not held_out.held_out:
        return
    if viewer is None:
        raise InvalidInput("look_unsaid", "Say who looks at held-out pairs.")
    # The same labels as an export gives: seeing both is one look.
    showing = Showing(gold_set, "reviewer quality", held_out.state, viewer)
    show_held_out(showing, now=now)


def _ratings(
    gold_set: GoldSet, split: str, aliases: Mapping[Author, str]
) -> Iterator[Rating]:
    rows = Label.objects.of_set(gold_set.pk).current().order_by("pk")
    if split == "":
        rows = rows.exclude(pair__case__split=Split.HELD_OUT.value)
    elif split != ALL:
        rows = rows.filter(pair__case__split=split)
    rows = rows.filter(not_under_seal("pair"))
    for row in rows.values_list(*COLUMNS).iterator():
        pair, user, outside, outcome, order, repeats, active, elapsed = row[:8]
        designed, case, group = row[8:]
        yield Rating(
            pair=pair,
            reviewer=aliases[user, outside],
            outcome=Outcome(outcome),
            order=Order(order) if order else None,
            cluster=group or case,
            designed=Outcome(designed) if designed else None,
            is_repeat=repeats is not None,
            active=active,
            elapsed=elapsed,
        )
