"""One demo for all tests of this folder that only look at it."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import call_command

from calibration.management.demo import judge
from calibration.management.demo.fixture import Fixture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker


@dataclass(frozen=True)
class Demo:
    """What a run of the demo said, and how long it took."""

    said: str
    seconds: float
    fixture: Fixture


def run_demo() -> str:
    said = StringIO()
    call_command("demo", no_serve=True, stdout=said)
    return said.getvalue()


@pytest.fixture(scope="module")
def ran(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Demo]:
    """Run the demo while something else listens on its judge's usual port."""
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        socket.socket() as other,
    ):
        patch.setattr(settings, "EVENHAND_DEMO", True)
        other.bind(("127.0.0.1", 0))
        other.listen()
        patch.setattr(judge, "PORT", other.getsockname()[1])
        started = time.monotonic()
        said = run_demo()
        try:
            yield Demo(said, time.monotonic() - started, Fixture())
        finally:
            call_command("flush", verbosity=0, interactive=False)


@pytest.fixture
def demo(ran: Demo, django_db_blocker: DjangoDbBlocker) -> Iterator[Demo]:
    with django_db_blocker.unblock():
        yield ran


@pytest.fixture
def report(demo: Demo) -> dict[str, Any]:
    import json

    from calibration.models import Report

    found: dict[str, Any] = json.loads(Report.objects.get().payload)
    return found
