"""Storing a group of results by one statement, where the database can.

A runner writes many times a second, and each call in flight waits for it: five
statements and the ends of a transaction are as many ways to the server and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db import connection

from judging.models import Attempt, Call, CallState, Reply, Run
from judging.services.inserting import columns_of, rows_as_json

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Sequence


@dataclass(frozen=True, slots=True)
class Written:
    """How many calls were answered, how many of them invalid, and the run's status."""

    answered: int
    invalid: int
    status: str


def write_at_once(
    *,
    owner: uuid.UUID,
    ids: Collection[int],
    attempts: Sequence[Attempt],
    replies: Sequence[Reply],
    run_id: int | None = None,
) -> Written | None:
    """Keep attempts, and the replies of those calls that are the owner's still.

    Returns ``None``, and does nothing, on other databases than PostgreSQL and for calls
    of a run with a budget, whose books need more than one statement.
    """
    if connection.vendor != "postgresql":
        return None
    values: dict[str, Any] = {
        "owner": owner,
        "run": run_id,
        "ids": list(ids),
        "asked": [attempt.call_id for attempt in attempts],
        "attempts": rows_as_json(Attempt, attempts),
        "replies": rows_as_json(Reply, replies),
        "claimed": CallState.CLAIMED.value,
        "done": CallState.DONE.value,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(), values)
        limited, answered, invalid, status = cursor.fetchone()
    return None if limited else Written(answered, invalid, status or "")


@cache
def _statement() -> str:
    """Lock the calls in one order, insert, and count; nothing if there is a budget."""
    call, run = _table(Call), _table(Run)
    return f"""
    WITH held AS MATERIALIZED (
        SELECT id, owner = %(owner)s AND state = %(claimed)s AS ours
        FROM {call} WHERE id = ANY(%(ids)s) ORDER BY id FOR UPDATE
    ), limited AS MATERIALIZED (
        SELECT EXISTS (
            SELECT 1 FROM {call} JOIN {run} ON {run}.id = {call}.run_id
            WHERE {call}.id = ANY(%(ids)s) AND (
                max_calls IS NOT NULL OR max_tokens IS NOT NULL OR max_cost IS NOT NULL
            )
        ) AS so
    ), sent AS (
        {_insert(Attempt, "attempts")} WHERE NOT (SELECT so FROM limited)
    ), answered AS (
        {_insert(Reply, "replies")} WHERE NOT (SELECT so FROM limited)
        AND call_id IN (SELECT id FROM held WHERE ours)
        RETURNING call_id, invalid_reason
    ), counted AS (
        UPDATE {call} SET
            state = CASE WHEN a.call_id IS NULL THEN state ELSE %(done)s END,
            owner = CASE WHEN a.call_id IS NULL THEN {call}.owner END,
            lease_until = CASE WHEN a.call_id IS NULL THEN lease_until END,
            tries = tries + (held.id = ANY(%(asked)s))::int
        FROM held LEFT JOIN answered a ON a.call_id = held.id
        WHERE {call}.id = held.id AND NOT (SELECT so FROM limited)
        AND (a.call_id IS NOT NULL OR held.id = ANY(%(asked)s))
    )
    SELECT (SELECT so FROM limited), count(*), count(*) FILTER (
        WHERE invalid_reason <> ''
    ), (SELECT status FROM {run} WHERE id = %(run)s) FROM answered
    """  # noqa: S608 - names of our own models


def _insert(model: type[Attempt | Reply], values: str) -> str:
    columns = ", ".join(connection.ops.quote_name(c) for _, c in columns_of(model))
    rows = f"json_populate_recordset(NULL::{_table(model)}, %({values})s)"
    return f"INSERT INTO {_table(model)} ({columns}) SELECT {columns} FROM {rows}"  # noqa: S608 - as above


def _table(model: type[Attempt | Call | Reply | Run]) -> str:
    return str(connection.ops.quote_name(model._meta.db_table))
