"""A policy that is no longer what was frozen decides nothing, in any door."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.digests import digest_of
from calibration.models import Decision, Policy
from config.errors import Conflict
from tests.calibration.releases import BEFORE, LOOSE, Released, make_release

if TYPE_CHECKING:
    from django.test import Client

WORDS = "altered v1 no longer holds what was frozen under its digest"
EASIER = LOOSE | {"minimumCandidatePreferenceLowerBound": 0.1}


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def altered(document: Any, **fields: Any) -> Policy:
    return Policy.objects.create(
        name="altered", version=1, document=document, created_at=BEFORE,
        **{"frozen_at": BEFORE, "digest": digest_of(LOOSE)} | fields,
    )  # fmt: skip


@pytest.mark.parametrize("document", [EASIER, {}, [], "easy"])
def test_every_door_refuses_it_in_one_line(
    released: Released, lead_client: Client, document: Any
) -> None:
    policy, run = altered(document), released.run.pk
    with pytest.raises(CommandError) as caught:
        call_command("decide", run, policy="altered", stdout=StringIO())
    assert str(caught.value) == f"{WORDS}: it decides nothing any more."
    assert caught.value.returncode not in (0, 10, 11)
    body = json.dumps({"policy": policy.pk})
    reply = lead_client.post(
        f"/api/v1/releases/{run}/decide", body, content_type="application/json"
    )
    assert (reply.status_code, reply.json()["code"]) == (409, "policy_altered")
    page = lead_client.post(f"/releases/{run}/decide", {"policy": policy.pk})
    assert page.status_code == 400
    assert WORDS in page.content.decode()
    shown = lead_client.get(f"/policies/{policy.pk}/")
    assert shown.status_code == 409
    assert WORDS in shown.content.decode()
    assert not Decision.objects.exists()


def test_what_no_version_can_apply_is_refused(released: Released) -> None:
    document = LOOSE | {"noSuchKey": 1}
    policy = altered(document, digest=digest_of(document))
    with pytest.raises(Conflict, match="noSuchKey: there is no such key"):
        released.decide(policy=policy)


def test_document_and_digest_changed_together_are_told_by_an_earlier_decision(
    released: Released,
) -> None:
    first = released.decide()
    policy = Policy.objects.get(pk=released.policy.pk)
    policy.document, policy.digest = EASIER, digest_of(EASIER)
    with pytest.raises(Conflict, match=digest_of(LOOSE)) as caught:
        released.decide(policy=policy)
    assert caught.value.code == "policy_altered"
    assert list(Decision.objects.all()) == [first]
