"""One site and its bundle for all tests of a module; nobody changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.utils import timezone

from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.tools import Files, unpacked
from tests.calibration.audits.world import BEGAN, COMMAND, NAME, Site, build

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock():
        try:
            yield build()
        finally:
            call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def bundle(site: Site, django_db_blocker: DjangoDbBlocker) -> bytes:
    with django_db_blocker.unblock():
        wanted = Wanted(gold_set=NAME)
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return b"".join(found.download().pieces)


@pytest.fixture(scope="module")
def early(site: Site, django_db_blocker: DjangoDbBlocker) -> Files:
    """What there was before any judge ran: checked in no time."""
    with django_db_blocker.unblock():
        wanted = Wanted(since=BEGAN, to=BEGAN.replace(year=2026))
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return unpacked(b"".join(found.download().pieces))


@pytest.fixture(scope="module")
def files(bundle: bytes) -> Files:
    return unpacked(bundle)
