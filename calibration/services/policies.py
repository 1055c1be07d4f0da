"""Writing release policies, and freezing them before the run that they decide."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from annotation.domain.digests import digest_of
from annotation.models import Case
from calibration.domain.policies import PolicyFault, policy_of, read_policy
from calibration.models import Policy
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from calibration.domain.policies import Policy as Rule
    from config.accounts.models import User

NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")


def document_from(text: str) -> dict[str, Any]:
    """The policy that a file or a form holds; raises ``InvalidInput``, naming keys."""
    try:
        return dict(read_policy(text).document)
    except PolicyFault as fault:
        raise refused(fault) from fault


def refused(fault: PolicyFault) -> InvalidInput:
    """A fault as people and programs are told of it."""
    return InvalidInput("policy_invalid", f"{fault}", {"faults": fault.faults})


def policy_by_id(policy_id: int) -> Policy:
    """One policy; raises ``NotFound``."""
    found = Policy.objects.for_pages().filter(pk=policy_id).first()
    if found is None:
        raise NotFound("policy_unknown", f"There is no policy {policy_id}.")
    return found


def policy_named(name: str, version: int | None = None) -> Policy:
    """A frozen policy by name, the newest version where none is named."""
    rows = Policy.objects.filter(name=name)
    if version is not None:
        rows = rows.filter(version=version)
    found = rows.frozen().order_by("-version").first()
    if found is not None:
        return found
    if rows.exists():
        message = f"Policy {name!r} is a draft: freeze it before the run it decides."
        raise Conflict("policy_unfrozen", message)
    which = "" if version is None else f" v{version}"
    raise NotFound("policy_unknown", f"There is no policy {name!r}{which}.")


def rule_of(policy: Policy) -> Rule:
    """The rule in a policy; raises ``Conflict`` where it is not the one frozen.

    The database guards frozen rows, but not against whoever may change its schema.
    """
    message = f"{policy} no longer holds what was frozen under its digest"
    if policy.frozen_at is not None and digest_of(policy.document) != policy.digest:
        raise Conflict("policy_altered", f"{message}: it decides nothing any more.")
    try:
        return policy_of(policy.document)
    except PolicyFault as fault:
        message = f"{policy} can't be applied: {fault}."
        raise Conflict("policy_unusable", message) from fault


def warnings_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Why nothing may ship under a policy, as far as that is plain beforehand.

    A slice that no case of any set has is most likely misspelt: it would be told as one
    with too few cases only once the run is paid for.
    """
    rule = policy_of(dict(document))
    named = rule.slice_minimums if isinstance(rule.slice_minimums, dict) else {}
    unknown = [
        key for key in named if not Case.objects.filter(slices__has_key=key).exists()
    ]
    return (
        *rule.warnings,
        *(
            f"minimumCasesPerSlice: no case of any gold set has the slice {key!r} yet. "
            "Over cases without it nothing ships."
            for key in unknown
        ),
    )


def refuse_altered(policy: Policy) -> None:
    """Refuse a policy that is not what it was, by digest or by earlier decisions."""
    rule_of(policy)
    first = policy.decisions.order_by("pk").values_list("payload", flat=True).first()
    earlier = json.loads(first)["policy"]["digest"] if first else policy.digest
    if earlier != policy.digest:
        raise Conflict(
            "policy_altered",
            f"{policy} has another digest than when it first decided ({earlier}): it "
            "decides nothing any more.",
        )


@transaction.atomic
def draft_policy(
    *,
    name: str,
    document: Mapping[str, Any],
    by: User | None,
    now: datetime,
    actor: str = "",
) -> Policy:
    """Write a draft: a new version, or the draft there is with new content."""
    if not NAME.fullmatch(name):
        message = "name: letters, digits, - and _ only, 80 at most"
        raise InvalidInput("policy_name_invalid", message)
    document = _checked(document)
    last = Policy.objects.select_for_update().filter(name=name).order_by("-version")
    newest = last.first()
    if newest is not None and newest.frozen_at is None:
        return _rewritten(newest, document, by, actor, now)
    try:
        with transaction.atomic():
            return Policy.objects.create(
                name=name,
                version=newest.version + 1 if newest else 1,
                document=document,
                created_at=now,
                created_by=by,
                actor=actor,
            )
    except IntegrityError as error:
        message = f"Somebody is writing policy {name!r} at this moment; try again."
        raise Conflict("policy_busy", message) from error


@transaction.atomic
def edit_policy(
    *, policy: Policy, document: Mapping[str, Any], by: User | None, now: datetime
) -> Policy:
    """Change a draft; a frozen policy stays as it is, its next version is a new one."""
    found = Policy.objects.select_for_update().get(pk=policy.pk)
    _refuse_frozen(found)
    return _rewritten(found, _checked(document), by, "", now)


@transaction.atomic
def freeze_policy(
    *, policy: Policy, by: User | None, now: datetime, actor: str = ""
) -> Policy:
    """Freeze a draft under its digest; from then on it can decide later runs."""
    found = Policy.objects.select_for_update().get(pk=policy.pk)
    _refuse_frozen(found)
    found.digest = digest_of(_checked(found.document))
    found.frozen_at, found.frozen_by = now, by
    found.actor = actor or found.actor
    found.save(update_fields=["digest", "frozen_at", "frozen_by", "actor"])
    return found


@transaction.atomic
def frozen_policy(
    *,
    name: str,
    document: Mapping[str, Any],
    by: User | None,
    now: datetime,
    actor: str = "",
) -> Policy:
    """Freeze a document under a name; the same content again is the same policy."""
    wanted = digest_of(_checked(document))
    rows = Policy.objects.filter(name=name)
    newest = rows.order_by("-version").first()
    if newest is not None and newest.frozen_at and newest.digest == wanted:
        return newest
    draft = draft_policy(name=name, document=document, by=by, now=now, actor=actor)
    return freeze_policy(policy=draft, by=by, now=now, actor=actor)


def _rewritten(
    draft: Policy, document: dict[str, Any], by: User | None, actor: str, now: datetime
) -> Policy:
    draft.document, draft.created_by, draft.created_at = document, by, now
    draft.actor = actor
    draft.save(update_fields=["document", "created_by", "created_at", "actor"])
    return draft


def _refuse_frozen(policy: Policy) -> None:
    if policy.frozen_at is not None:
        raise Conflict(
            "policy_frozen",
            f"{policy} is frozen and stays as it is; write a new version instead.",
        )


def _checked(document: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict(policy_of(dict(document)).document)
    except PolicyFault as fault:
        raise refused(fault) from fault
