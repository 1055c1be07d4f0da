"""Deciding a release: the evidence is gathered, decided on by a pure rule, and kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from annotation.domain.digests import canonical_json, digest_of
from annotation.models import Pair
from calibration.domain.deciding import decide as decide_on
from calibration.models import Decision, Policy
from calibration.services.decision_reports import refuse_report
from calibration.services.look_counts import looks_before
from calibration.services.looks import disclose, is_under_seal
from calibration.services.policy_times import refuse_policy
from calibration.services.release_evidence import calibration_json, gather
from calibration.services.releases import (
    disclose_run,
    note_seen,
    refuse_several,
    release_runs,
)
from calibration.services.sealed_looks import look_sealed
from config.errors import Conflict, NotFound
from judging.models import ConfigKind, Run, RunPurpose, RunStatus
from judging.services.controlling import how_to_go_on

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.services.held_out import Viewer
    from calibration.models import Report


@transaction.atomic
def decide(
    *,
    run: Run,
    policy: Policy,
    report: Report | None,
    viewer: Viewer,
    now: datetime,
) -> Decision:
    """Decide on a run; the same evidence has the same decision and the same row.

    Refused for a run that is no release run, lacks calls or compares more than one
    pair of systems, for a policy that is a draft or was frozen after the run began, or
    after replies of it were known. Who decides sees held-out results of the report: a
    look.
    """
    _refuse_run(run)
    refuse_policy(policy, run)
    refuse_several(run)
    disclose_run(run=run, viewer=viewer, now=now)
    calibration = _calibration(report, viewer, now)
    evidence = gather(run=run, policy=policy, calibration=calibration, now=now)
    decision = _stored(run, policy, report, evidence, viewer, now)
    note_seen(viewer.user, _named_pairs(decision), now)
    return decision


def _stored(
    run: Run,
    policy: Policy,
    report: Report | None,
    evidence: dict[str, Any],
    viewer: Viewer,
    now: datetime,
) -> Decision:
    """The decision of this evidence: the one there is, or a new one."""
    text = canonical_json(evidence).decode()
    digest = digest_of(json.loads(text))
    key = {"run": run, "policy": policy, "evidence_digest": digest}
    known = Decision.objects.filter(**key).first()
    if known is not None:
        return known
    payload = decide_on(json.loads(text))
    try:
        with transaction.atomic():
            return Decision.objects.create(
                **key,
                report=report,
                result=payload["result"],
                evidence=text,
                payload=canonical_json(payload).decode(),
                digest=digest_of(payload),
                decided_at=now,
                decided_by=viewer.user,
                actor=viewer.actor,
            )
    except IntegrityError:  # two at once: the other one's evidence is the same
        return Decision.objects.get(**key)


def decision_by_id(decision_id: int) -> Decision:
    """One decision; raises ``NotFound``."""
    rows = Decision.objects.for_pages().defer(None)
    found = rows.filter(pk=decision_id).first()
    if found is None:
        raise NotFound("decision_unknown", f"There is no decision {decision_id}.")
    return found


@transaction.atomic
def disclosed(*, decision: Decision, viewer: Viewer, now: datetime) -> dict[str, Any]:
    """A decision as every door gives it out; its held-out figures are a look."""
    disclose_run(run=decision.run, viewer=viewer, now=now)
    payload: dict[str, Any] = json.loads(decision.payload)
    if decision.report is not None and not payload["calibration"]["word"]:
        disclose(report=decision.report, viewer=viewer, now=now)
    note_seen(viewer.user, _named_pairs(decision), now)
    return {
        **payload,
        "id": decision.pk,
        "digest": decision.digest,
        "decided_at": decision.decided_at.isoformat(),
        "decided_by": decided_by(decision),
        "looks_before_judge": _looks_before(decision),
        "others": _others(decision),
    }


def _others(decision: Decision) -> dict[str, Any]:
    """What else was decided on the run, and other release runs over the set.

    Whoever runs or decides until it ships leaves traces, and they are shown.
    """
    run = decision.run
    decisions = Decision.objects.filter(run=run).exclude(pk=decision.pk).order_by("pk")
    runs = release_runs().filter(gold_set=run.gold_set_id).exclude(pk=run.pk)
    return {
        "decisions": list(decisions.values("id", "result")),
        "runs": sorted(runs.values_list("pk", flat=True)),
    }


def _looks_before(decision: Decision) -> int:
    """Held-out results that were seen before the judge was frozen: it may know them."""
    report = decision.report
    if report is None:
        return 0
    return looks_before(report.gold_version.gold_set, report.run.config)


def decided_by(decision: Decision) -> str:
    """Who decided."""
    user = decision.decided_by
    return user.username if user else decision.actor or "command"


def _named_pairs(decision: Decision) -> list[dict[str, Any]]:
    """Pairs whose verdicts a decision tells by naming their cases."""
    payload = json.loads(decision.payload)
    named = {
        case
        for condition in payload["conditions"]
        if condition["key"] in ("criticalSliceRule", "abstainPath")
        for case in (*condition["names"], *condition["waived"])
    }
    rows = Pair.objects.filter(
        gold_set=decision.run.gold_set_id, case__external_id__in=named
    )
    return [{"pair": pk} for pk in rows.values_list("pk", flat=True)]


def _calibration(
    report: Report | None, viewer: Viewer, now: datetime
) -> dict[str, Any] | None:
    """Take the look that a decision is: at a sealed set, its word alone."""
    if report is None:
        return None
    refuse_report(report)
    if is_under_seal(report):
        found = look_sealed(report=report, viewer=viewer, now=now)
        return calibration_json(report, word=found.word.value)
    disclose(report=report, viewer=viewer, now=now)
    return calibration_json(report, word=None)


def _refuse_run(run: Run) -> None:
    released = run.purpose == RunPurpose.RELEASE or run.config.recorded
    if not released or run.config.kind == ConfigKind.POINTWISE:
        raise Conflict(
            "run_not_release",
            f"Run {run.pk} is no release run: start one with the purpose release.",
        )
    if run.status != RunStatus.DONE:
        raise Conflict(
            "run_incomplete",
            f"Run {run.pk} is {run.status}, not done. {how_to_go_on(run)}".strip(),
        )
