"""Who saw what about which pair: written by every app, through here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BigIntegerField, TextField, Value

from annotation.models import Exposure, ExposureKind, GoldSet
from annotation.services.disclosure import RESULTS, note_disclosed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import Pair
    from config.accounts.models import User


def record_exposures(
    *, user: User, pair_ids: Iterable[int], kind: ExposureKind, now: datetime
) -> None:
    """Note that a person saw something about pairs; the first time is kept."""
    rows = [
        Exposure(user=user, pair_id=pair_id, kind=kind, seen_at=now)
        for pair_id in sorted(set(pair_ids))
    ]
    Exposure.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
    if kind in RESULTS:
        note_disclosed(pairs=[row.pair_id for row in rows], now=now)


def record_exposures_of(
    *,
    user: User | None,
    pairs: QuerySet[Pair],
    kinds: Iterable[ExposureKind],
    now: datetime,
) -> None:
    """The same for a whole query of pairs, which never come into memory.

    A command has no user to note; what it hands out was disclosed all the same.
    """
    table = connection.ops.quote_name(Exposure._meta.db_table)
    seen_at = connection.ops.adapt_datetimefield_value(now)
    for kind in kinds:
        if kind in RESULTS:
            note_disclosed(pairs=pairs, now=now)
        if user is None:
            continue
        who = Value(user.pk, BigIntegerField())
        what = Value(kind.value, TextField())
        asked = pairs.order_by().annotate(who=who, what=what)
        named = asked.values_list("pk", "who", "what")
        try:
            rows, values = named.query.sql_with_params()
        except EmptyResultSet:  # no row can be among these: Django writes no SQL
            continue
        with connection.cursor() as cursor:
            # SQLite needs the WHERE to tell ON CONFLICT from a join's ON.
            cursor.execute(
                f"INSERT INTO {table} (pair_id, user_id, kind, seen_at) "  # noqa: S608 - names of our own
                f"SELECT found.*, %s FROM ({rows}) AS found WHERE 1 = 1 "
                "ON CONFLICT DO NOTHING",
                [seen_at, *values],
            )


def note_judged(*, gold_set_id: int, now: datetime) -> None:
    """Note when the first judge results of a gold set began to exist."""
    GoldSet.objects.filter(pk=gold_set_id, judged_at__isnull=True).update(judged_at=now)
