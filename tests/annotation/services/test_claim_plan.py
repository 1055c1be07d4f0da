"""How PostgreSQL carries out the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Seat
from tests.annotation.factory import Clock, Desk, make_round, make_set
from tests.queries import statements

if TYPE_CHECKING:
    from config.accounts.models import User

PLANNED_CLAIMS = """
SELECT name FROM pg_prepared_statements WHERE statement LIKE '%SKIP LOCKED%'
"""


@pytest.mark.postgres_only
def test_the_claim_walks_the_index_of_open_seats(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """It must not sort or read the whole round, however large that is."""
    round_ = make_round(
        make_set(cases=700, systems=("a1", "b2", "c3")),
        reviewer,
        other_reviewer,
        labels_per_pair=2,
    )
    desk = Desk(round_, reviewer, clock)
    for _ in range(20):
        desk.submit(desk.claim())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        assert isinstance(desk.next(), Assignment)
    with connection.cursor() as cursor:
        cursor.execute(PLANNED_CLAIMS)
        names = [name for (name,) in cursor.fetchall()]
        [claim] = [q["sql"] for q in queries if any(n in q["sql"] for n in names)]
        cursor.execute(f"EXPLAIN {claim}")
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert Seat.objects.count() == 4200
    assert "Index Scan using seat_open_by_rank on annotation_seat s" in plan, plan
    assert "Sort" not in plan, plan
    assert "Seq Scan on annotation_seat" not in plan, plan
    # A join would read all that this reviewer ever labelled, however much that is.
    assert "Join" not in plan, plan


def test_a_reply_costs_a_fixed_number_of_queries(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Labelling and the next pair, on a small and on a larger set."""
    counts = []
    for cases in (5, 60):
        round_ = make_round(make_set(cases=cases), reviewer, other_reviewer)
        desk = Desk(round_, reviewer, clock)
        first = desk.claim()
        with CaptureQueriesContext(connection) as queries:
            desk.submit(first)
            desk.claim()
        counts.append(len(statements(queries)))
        # A search that starts past the last free seat asks once more.
        assert counts[-1] <= 20, statements(queries)
    assert abs(counts[0] - counts[1]) <= 1
