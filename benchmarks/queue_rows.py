"""The rows of the queue's benchmark, and what is measured inside the database."""

# ruff: noqa: INP001, PLC0415 - part of a script

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.digests import digest_of, text_digest
from annotation.domain.same_texts import texts_digest
from annotation.models import (
    Case,
    GoldSet,
    Label,
    Pair,
    Response,
    Round,
    RoundMember,
    Seat,
    System,
)
from annotation.services.queue import AllDone, next_assignment
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import open_round
from config.accounts.models import User
from config.accounts.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 2_000
TEXT = (
    "Thanks for writing in. **Here is what to do**:\n\n1. Open the settings.\n"
    "2. Choose *Billing* and check the address.\n3. Save, and wait a minute.\n\n"
    "If this does not help, send us the number of your order, and what the page says "
    "when you try it again; then we look into it the same day.\n\n"
) * 3


def fill(pairs: int, labels: int, reviewers: int, password: str) -> int:
    """Return a fresh round over so many pairs, which are made where there are none."""
    people = _people(reviewers, password)
    gold_set = GoldSet.objects.filter(name=f"queue-{pairs}").first()
    if gold_set is None:
        gold_set = _make_set(pairs)
    number = gold_set.rounds.count() + 1
    round_ = open_round(
        gold_set=gold_set,
        plan=RoundPlan(f"Round {number}", labels),
        pairs=list(gold_set.pairs.only("pk", "case_id", "gold_set_id")),
        reviewers=people,
        by=None,
        now=timezone.now(),
    )
    _analyze()
    return round_.pk


def _people(count: int, password: str) -> list[User]:
    from django.contrib.auth.models import Group

    group = Group.objects.get(name=Role.REVIEWER.value)
    people = []
    for number in range(count):
        user, new = User.objects.get_or_create(username=f"r{number}")
        if new:
            user.set_password(password)
            user.save()
            user.groups.add(group)
        people.append(user)
    return people


@transaction.atomic
def _make_set(pairs: int) -> GoldSet:
    now = timezone.now()
    gold_set = GoldSet.objects.create(
        name=f"queue-{pairs}",
        title="Replies to customers",
        question="Which reply helps the customer more?",
        created_at=now,
    )
    systems = System.objects.bulk_create(
        System(gold_set=gold_set, name=name, position=place)
        for place, name in enumerate(("one", "two"))
    )
    for numbers in _chunks(pairs):
        cases = Case.objects.bulk_create(_case(gold_set, n) for n in numbers)
        responses = Response.objects.bulk_create(
            _response(case, system) for case in cases for system in systems
        )
        both = iter(responses)
        Pair.objects.bulk_create(
            Pair(
                gold_set=gold_set,
                case=case,
                baseline=one,
                candidate=two,
                digest=digest_of([case.external_id, one.sha256, two.sha256]),
                texts_digest=texts_digest(case.prompt, (one.text, two.text)),
            )
            for case, one, two in zip(cases, both, both, strict=True)
        )
    return gold_set


def _chunks(total: int) -> Iterator[range]:
    for start in range(0, total, CHUNK):
        yield range(start, min(start + CHUNK, total))


def _case(gold_set: GoldSet, number: int) -> Case:
    return Case(
        gold_set=gold_set,
        external_id=f"case-{number:06d}",
        prompt=f"Request {number}: my invoice shows the wrong address. What can I do?",
        slices={"language": "en" if number % 3 else "de"},
        digest=text_digest(str(number)),
    )


def _response(case: Case, system: System) -> Response:
    text = f"Reply {system.name} to {case.external_id}. {TEXT}"
    return Response(
        case=case,
        system=system,
        text=text,
        sha256=text_digest(text),
        length=len(text),
    )


def _analyze() -> None:
    with connection.cursor() as cursor:
        vacuum = connection.vendor == "postgresql"
        cursor.execute("VACUUM ANALYZE annotation_seat" if vacuum else "ANALYZE")
        cursor.execute("ANALYZE")


def inside(round_id: int) -> dict[str, object]:
    """Explain the claim, and time the answer to a reviewer with nothing left."""
    return {**_explained(round_id), **_nothing_left(round_id)}


def _ask(round_id: int, user: User) -> tuple[object, float]:
    began = time.perf_counter()
    found = next_assignment(
        round_id=round_id,
        reviewer=user,
        now=timezone.now(),
        rng=random.SystemRandom(),
    )
    return found, round((time.perf_counter() - began) * 1000, 1)


def _explained(round_id: int) -> dict[str, object]:
    """The claim of a reviewer who has done some, by EXPLAIN ANALYZE (PostgreSQL)."""
    if connection.vendor != "postgresql":
        return {}
    user = User.objects.get(username="r0")
    held = Seat.objects.filter(round=round_id, reviewer=user)
    held.filter(available_at__isnull=False).update(reviewer=None)
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        _ask(round_id, user)
        transaction.set_rollback(True)
    claim = next(q["sql"] for q in queries if _claims(q["sql"]))
    runs, plans = [], []
    for _ in range(20):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {claim}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
            transaction.set_rollback(True)
        runs.append(_milliseconds("Execution", plan))
        plans.append(_milliseconds("Planning", plan))
    return {
        "claim_execution_ms": round(sorted(runs)[10], 3),
        "claim_planning_ms": round(sorted(plans)[10], 3),
    }


def _claims(sql: str) -> bool:
    """Whether a statement is the claim, be it by the name it was planned under."""
    with connection.cursor() as cursor:
        cursor.execute(PLANNED_CLAIMS)
        names = [name for (name,) in cursor.fetchall()]
    if sql.startswith("EXECUTE"):
        return any(name in sql for name in names)
    return "SKIP LOCKED" in sql and not sql.startswith("PREPARE")


PLANNED_CLAIMS = """
SELECT name FROM pg_prepared_statements WHERE statement LIKE '%SKIP LOCKED%'
"""


def _milliseconds(what: str, plan: str) -> float:
    found = re.search(rf"{what} Time: ([\d.]+) ms", plan)
    assert found is not None  # noqa: S101 - PostgreSQL prints both
    return float(found[1])


def _nothing_left(round_id: int) -> dict[str, object]:
    """Two reviewers for whom nothing is left while 100,000 seats are open to others.

    One has labelled every pair. The other has labelled the half that is still open,
    which no count of theirs can tell; others have finished the rest.
    """
    figures: dict[str, object] = {}
    for name, share in (("all", 1), ("half", 2)):
        with transaction.atomic():
            user = _veteran(round_id, name, share)
            (first, first_ms), (again, again_ms) = (
                _ask(round_id, user),
                _ask(round_id, user),
            )
            if not isinstance(first, AllDone) or not isinstance(again, AllDone):
                raise SystemExit(f"Something was left for {name}: {first}")
            transaction.set_rollback(True)
        figures[f"nothing_left_{name}_first_ms"] = first_ms
        figures[f"nothing_left_{name}_again_ms"] = again_ms
    return figures


def _veteran(round_id: int, name: str, share: int) -> User:
    user = User.objects.create(username=f"veteran-{name}")
    seats = Seat.objects.filter(round=round_id, pass_no=1)
    mine = seats.annotate(
        part=_modulo(share),
    ).filter(part=0)
    labelled = mine.update(reviewer=user, available_at=None)
    if share > 1:
        other = User.objects.create(username=f"other-{name}")
        done = Seat.objects.filter(round=round_id, available_at__isnull=False)
        helper = User.objects.create(username=f"helper-{name}")
        rest = done.annotate(part=_modulo(share)).exclude(part=0)
        rest.filter(pass_no=1).update(reviewer=other, available_at=None)
        rest.filter(pass_no__gt=1).update(reviewer=helper, available_at=None)
    RoundMember.objects.create(
        round_id=round_id,
        reviewer=user,
        added_at=timezone.now(),
        baseline_first=labelled // 2,
        candidate_first=labelled - labelled // 2,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_seat")
    return user


def _modulo(share: int):  # type: ignore[no-untyped-def]  # noqa: ANN202 - an expression
    from django.db.models import F, Func, Value

    return Func(F("pair_id"), Value(share), function="MOD")


def check(round_id: int) -> dict[str, object]:
    """Count what must be nought: labels too many, and two of one person on a pair."""
    round_ = Round.objects.get(pk=round_id)
    first = Label.objects.filter(seat__round=round_id, revision=1).order_by()
    by_pair = first.values("pair").annotate(n=Count("pk"))
    by_both = first.values("pair", "reviewer").annotate(n=Count("pk"))
    return {
        "labels": first.count(),
        "over_labelled": by_pair.filter(n__gt=round_.labels_per_pair).count(),
        "doubles": by_both.filter(n__gt=1).count(),
    }
