"""Reviewers as R1, R2, ...: the same on every page of a set, and no names."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from annotation.models import Label
from config.accounts.models import User

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.models import GoldSet

logger = logging.getLogger(__name__)
Author = tuple[int | None, str]


def reviewer_aliases(gold_set: GoldSet) -> Mapping[Author, str]:
    """Alias of each author of labels: (user id, "") or (None, outside name).

    Their order follows from the set's secret seed, so that neither names nor dates of
    joining show; a newcomer may shift it.
    """
    draws = alias_draws(gold_set)
    ranked = sorted(draws, key=lambda author: draws[author])
    return {author: f"R{number}" for number, author in enumerate(ranked, start=1)}


def alias_draws(gold_set: GoldSet) -> Mapping[Author, str]:
    """The number that puts each author in order; the seed can't be told from it."""
    authors = (
        Label.objects.of_set(gold_set.pk)
        .order_by()
        .values_list("reviewer_id", "external_reviewer")
        .distinct()
    )
    return {author: _draw(gold_set.seed, author) for author in authors}


def reviewer_names(gold_set: GoldSet) -> Mapping[Author, str]:
    """The names behind the aliases, for leads who ask for them outright."""
    authors = list(reviewer_aliases(gold_set))
    people = User.objects.in_bulk([pk for pk, _ in authors if pk is not None])
    return {
        (pk, outside): outside if pk is None else people[pk].shown_name
        for pk, outside in authors
    }


def reveal(*, gold_set: GoldSet, to: User) -> Mapping[str, str]:
    """The name behind each alias, for a lead who asks outright; it is logged."""
    named = reviewer_names(gold_set)
    extra = {"gold_set": gold_set.name, "by": to.get_username()}
    logger.info("reviewers revealed by name", extra=extra)
    aliases = reviewer_aliases(gold_set).items()
    return {alias: named[author] for author, alias in aliases}


def _draw(seed: str, author: Author) -> str:
    return hashlib.sha256(f"{seed}|{author[0]}|{author[1]}".encode()).hexdigest()
