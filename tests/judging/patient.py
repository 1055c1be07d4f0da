"""Asking for decisions on failures, at any time."""

from __future__ import annotations

from judging.domain.ports import CallFailed, FailureKind
from judging.services.pace import Pace
from judging.services.patience import History, Rest
from judging.services.steps import Again

PACE = Pace(tries=3, backoff=1.0, ceiling=4.0, longest_wait=100.0, patience=60.0)


MANY = Rest(50)


class Watch:
    """A clock that stands where it is put."""

    now = 0.0

    def __call__(self):
        return self.now


def failed(kind, retry_after=None, status=None, body=""):
    return CallFailed(kind, "told", retry_after=retry_after, status=status, body=body)


def decide(patience, kind, history=None, *, rest=MANY, **told):
    """Decide on a failure of what was sent just now."""
    return patience.decide(
        failed(kind, **told),
        history or History(1),
        rest,
        sent_at=patience._clock(),
    )


def exhaust(patience, history, kind=FailureKind.SERVER, *, answered=None, **more):
    """Fail to the end; a reply to what was sent at a time comes before the last."""
    for _ in range(PACE.tries - 1):
        assert isinstance(decide(patience, kind, history, **more), Again)
    if answered is not None:
        patience.replied(answered)
    return decide(patience, kind, history, **more)
