"""Policies as rows: drafts, versions, freezing, and what stays as it is."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError, transaction

from annotation.domain.digests import digest_of
from calibration.domain.policies import policy_of
from calibration.models import Policy
from calibration.services.policies import (
    document_from,
    draft_policy,
    edit_policy,
    freeze_policy,
    frozen_policy,
    policy_by_id,
    policy_named,
    warnings_of,
)
from config.errors import Conflict, InvalidInput, NotFound
from tests.annotation.factory import START, make_set
from tests.calibration.evidence import ILLUSTRATIVE, POLICY
from tests.guards import change

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
OTHER = POLICY | {"maximumSwapFlipRate": 0.1}
LATER = START + timedelta(hours=1)


def test_a_draft_is_written_edited_and_frozen_under_its_digest(lead: User) -> None:
    draft = draft_policy(name="usual", document=POLICY, by=lead, now=START)
    assert (str(draft), draft.digest, draft.frozen_at) == ("usual v1", "", None)
    edited = edit_policy(policy=draft, document=OTHER, by=lead, now=START)
    assert edited.document == OTHER
    frozen = freeze_policy(policy=draft, by=lead, now=LATER)
    assert frozen.digest == digest_of(OTHER)
    assert (frozen.frozen_at, frozen.frozen_by) == (LATER, lead)
    assert Policy.objects.get().document == OTHER


def test_the_illustrative_policy_is_kept_as_it_is() -> None:
    document = document_from(ILLUSTRATIVE)
    found = frozen_policy(name="illustrative", document=document, by=None, now=START)
    found.refresh_from_db()
    assert found.document == json.loads(ILLUSTRATIVE)
    assert found.digest == digest_of(found.document)
    assert found.label == "illustrative-only"


def test_a_draft_written_again_is_the_same_draft() -> None:
    first = draft_policy(name="usual", document=POLICY, by=None, now=START)
    again = draft_policy(name="usual", document=OTHER, by=None, now=LATER)
    assert (again.pk, again.document) == (first.pk, OTHER)


def test_the_same_content_frozen_again_is_the_same_version() -> None:
    first = frozen_policy(name="usual", document=POLICY, by=None, now=START)
    turned = dict(reversed(POLICY.items()))
    assert frozen_policy(name="usual", document=turned, by=None, now=LATER) == first
    other = frozen_policy(name="usual", document=OTHER, by=None, now=LATER)
    assert (str(other), other.frozen_at) == ("usual v2", LATER)
    assert policy_named("usual") == other
    assert policy_named("usual", 1) == first


def test_a_frozen_policy_is_neither_edited_nor_frozen_again() -> None:
    frozen = frozen_policy(name="usual", document=POLICY, by=None, now=START)
    with pytest.raises(Conflict, match="is frozen"):
        edit_policy(policy=frozen, document=OTHER, by=None, now=LATER)
    with pytest.raises(Conflict, match="is frozen"):
        freeze_policy(policy=frozen, by=None, now=LATER)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.update(document=OTHER),
        lambda rows: rows.update(frozen_at=START - timedelta(days=9)),
        lambda rows: rows.update(frozen_at=None, digest=""),
        lambda rows: rows.delete(),
        lambda rows: rows.filter(pk__gt=0)._raw_delete("default"),
    ],
)
def test_the_database_refuses_changes_of_a_frozen_policy(change) -> None:
    frozen_policy(name="usual", document=POLICY, by=None, now=START)
    with pytest.raises(DatabaseError, match="guard"), transaction.atomic():
        change(Policy.objects.all())
    assert Policy.objects.get().document == POLICY


def test_a_policy_with_a_fault_is_refused_and_the_fault_named() -> None:
    with pytest.raises(InvalidInput, match="winRate: there is no such key") as caught:
        draft_policy(name="x", document=POLICY | {"winRate": 1}, by=None, now=START)
    assert caught.value.detail == {"faults": {"winRate": "there is no such key"}}
    with pytest.raises(InvalidInput, match="maximumSwapFlipRate"):
        document_from(ILLUSTRATIVE.replace("0.05", "NaN"))
    draft = draft_policy(name="x", document=POLICY, by=None, now=START)
    with pytest.raises(InvalidInput, match="policyLabel"):
        edit_policy(policy=draft, document={}, by=None, now=START)


@pytest.mark.parametrize("name", ["", "a b", "ä", "x" * 81, "a/b"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="name"):
        draft_policy(name=name, document=POLICY, by=None, now=START)


def test_what_is_not_there_or_not_frozen_is_told_apart() -> None:
    draft_policy(name="usual", document=POLICY, by=None, now=START)
    with pytest.raises(Conflict, match="is a draft"):
        policy_named("usual")
    with pytest.raises(NotFound, match="no policy 'other'"):
        policy_named("other")
    with pytest.raises(NotFound, match="v7"):
        policy_named("usual", 7)
    with pytest.raises(NotFound):
        policy_by_id(0)


def test_a_slice_that_no_set_has_is_told_before_the_run() -> None:
    case = make_set(1).cases.get()
    change(case, slices={"language": "de"})
    known = POLICY | {"minimumCasesPerSlice": {"language": 1}}
    odd = POLICY | {"minimumCasesPerSlice": {"language": 1, "langauge": 1, 'a"b': 2}}
    assert warnings_of(known) == policy_of(known).warnings
    told = warnings_of(odd)[len(policy_of(odd).warnings) :]
    assert [one.split("'")[1] for one in told] == ["langauge", 'a"b']
    assert all("nothing ships" in one for one in told)
