"""People as R-7KQ2M and the like: the same wherever a set shows them, and no names."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from annotation.domain.aliases import names_of
from annotation.models import Adjudication, Label
from config.accounts.models import User

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.models import GoldSet

logger = logging.getLogger(__name__)
Author = tuple[int | None, str]


def reviewer_aliases(gold_set: GoldSet) -> Mapping[Author, str]:
    """Alias of each author of labels: (user id, "") or (None, outside name)."""
    return names_of(alias_draws(gold_set))


def aliases_of_all(gold_set: GoldSet) -> Mapping[int, str]:
    """Alias of each of our own people who labelled or ruled in a set, by user id."""
    ruled = Adjudication.objects.filter(pair__gold_set=gold_set).order_by()
    rulers = ruled.values_list("adjudicator_id", flat=True).distinct()
    authors: set[Author] = {(pk, "") for pk in rulers}
    draws = {each: _draw(gold_set.seed, each) for each in authors}
    found = names_of({**alias_draws(gold_set), **draws})
    return {pk: name for (pk, _), name in found.items() if pk is not None}


def alias_draws(gold_set: GoldSet) -> Mapping[Author, str]:
    """What each author's alias follows from; the seed can't be told from it."""
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
