"""What is told of a run while it is carried out."""

from __future__ import annotations

import pytest

from judging.models import RunStatus
from judging.services.carrying import carry_out
from tests.annotation.factory import make_set
from tests.judging.services.test_panel_runs import (
    Opinions,
    judges,
    panel_of,
    start,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_progress_of_a_panel_adds_its_members_up():
    run = start(panel_of(judges(3)), make_set(2))
    talker, told = Opinions(m1="no verdict at all"), []
    status = carry_out(
        run,
        open_client=lambda _endpoint: talker,
        open_batches=lambda _endpoint: pytest.fail("nothing is in batches"),
        on_progress=lambda now: told.append((now.answered, now.invalid, now.attempts)),
    )
    assert status == RunStatus.DONE
    # Three members, two pairs, two orders; the second member gave no verdict.
    assert told[-1] == (12, 4, 12)
    assert told == sorted(told)
