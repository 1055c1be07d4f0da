"""When a policy has to have been frozen to decide a run: before anybody knew of it.

A run of our own began with its first call. What is imported begins with its import, and
earlier where the same replies, or some of them, had been imported before: under another
order of lines, with more or fewer pairs, in another set or by another name. Of replies
in a few letters, and of choices without their text, that is only told by almost all of
a run: two judges may well say the same in few words, and hardly so throughout.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, Min, OuterRef, Q, Subquery
from django.db.models.functions import Length

from calibration.domain.retold import retold
from calibration.models import Policy
from calibration.services.policies import refuse_altered
from calibration.services.release_evidence import began_at
from config.errors import Conflict
from judging.models import Reply, Run
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

TELLING = 40  # characters: what is as long is hardly said twice by chance
_SHOWN = ("call__order", "call__repeat")
_TEXTS = "call__pair__texts_digest"


def known_since(run: Run) -> datetime:
    """When the first reply of a run could be known."""
    began = began_at(run)
    if not run.config.recorded:
        return began
    mine = Reply.objects.filter(call__run=run)
    same = _same_text(run)
    own = Q(call__run__config__digest=run.config.digest) | Q(
        call__run__config__name=run.config.name
    )
    told = same.annotate(length=Length("raw")).filter(own | Q(length__gte=TELLING))
    # A choice that came without its text is the same where it is that of the judge.
    silent = _earlier(run).filter(
        own, raw__isnull=True, choice=OuterRef("choice"),
        invalid_reason=OuterRef("invalid_reason"),
    )  # fmt: skip
    found = [
        _first(mine.filter(raw__isnull=False), told),
        _first(mine.filter(raw__isnull=True), silent),
        _retold_since(run, mine),
    ]
    return min([began, *(at for at in found if at is not None)])


def _earlier(run: Run) -> QuerySet[Reply]:
    """Replies of earlier runs about the same texts, in the same order and repeat."""
    return Reply.objects.filter(
        call__pair__texts_digest=OuterRef("call__pair__texts_digest"),
        call__order=OuterRef("call__order"),
        call__repeat=OuterRef("call__repeat"),
        call__run__created_at__lt=run.created_at,
    )


def _same_text(run: Run) -> QuerySet[Reply]:
    return _earlier(run).filter(raw=OuterRef("raw"))


def _first(mine: QuerySet[Reply], same: QuerySet[Reply]) -> datetime | None:
    began = same.order_by("call__run__created_at").values(at=F("call__run__created_at"))
    rows = mine.annotate(known=Subquery(began[:1]))
    found: datetime | None = rows.aggregate(first=Min("known"))["first"]
    return found


def _retold_since(run: Run, mine: QuerySet[Reply]) -> datetime | None:
    """When the first run began that gave almost all answers of this one."""
    texts = Count(_TEXTS, distinct=True)
    of = sum(row["n"] for row in mine.values(*_SHOWN).annotate(n=texts))
    told = _alike(run, mine).values("call__run", "call__run__created_at", *_SHOWN)
    same: Counter[tuple[int, datetime]] = Counter()
    for row in told.annotate(n=texts):
        same[row["call__run"], row["call__run__created_at"]] += row["n"]
    return min((at for (_, at), n in same.items() if retold(n, of)), default=None)


def _alike(run: Run, mine: QuerySet[Reply]) -> QuerySet[Reply]:
    """Earlier replies that say what this run says of the same texts.

    Where either came without its text, the choice is all that can be compared.
    """
    there = mine.filter(**{name: OuterRef(name) for name in (_TEXTS, *_SHOWN)})
    chosen = there.filter(
        choice=OuterRef("choice"), invalid_reason=OuterRef("invalid_reason")
    )
    return Reply.objects.filter(
        Exists(there.filter(raw=OuterRef("raw")))
        | Exists(chosen.filter(raw__isnull=True))
        | Q(Exists(chosen), raw__isnull=True),
        call__run__created_at__lt=run.created_at,
        call__pair__texts_digest__in=mine.values(_TEXTS),
    )


def policies_for(run: Run, *, with_path: bool = False) -> list[Policy]:
    """Policies frozen before a run was known; or those that send abstains to people."""
    early = Policy.objects.frozen().filter(frozen_at__lte=known_since(run))
    rows = early.order_by("name", "-version")
    return [one for one in rows if not with_path or "abstainPath" in one.document]


def refuse_policy(policy: Policy, run: Run) -> None:
    """Refuse a policy that is a draft, was altered, or came too late for a run."""
    if policy.frozen_at is None:
        raise Conflict(
            "policy_unfrozen", f"{policy} is a draft; only a frozen policy decides."
        )
    refuse_altered(policy)
    began, known = began_at(run), known_since(run)
    if policy.frozen_at > began:
        raise Conflict(
            "policy_too_late",
            f"{policy} was frozen on {policy.frozen_at:%Y-%m-%d %H:%M:%S} UTC, after "
            f"run {run.pk} began on {began:%Y-%m-%d %H:%M:%S} UTC: a policy is frozen "
            "before the run that it decides.",
        )
    if policy.frozen_at > known:
        raise Conflict(
            "policy_too_late",
            f"{policy} was frozen on {policy.frozen_at:%Y-%m-%d %H:%M:%S} UTC. Run "
            f"{run.pk} has replies that an earlier run had too, which began on "
            f"{known:%Y-%m-%d %H:%M:%S} UTC: what they came to could be known by then.",
        )
    copied = Reply.objects.filter(
        call__run__in=runs_behind(run), reused_from__answered_at__lt=policy.frozen_at
    )
    if copied.exists():
        raise Conflict(
            "policy_too_late",
            f"Run {run.pk} copies replies that were given before {policy} was frozen: "
            "what they came to could be known. Run the judge again without reuse.",
        )
