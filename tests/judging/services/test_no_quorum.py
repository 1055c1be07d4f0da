"""A panel's order without a quorum is invalid for that reason and no other."""

from __future__ import annotations

from annotation.domain.outcomes import Order
from judging.domain.panels import NoQuorum, PanelSpec, panel_verdict
from judging.domain.terms import InvalidReason, JudgeOutcome
from judging.domain.verdicts import Invalid, Verdict
from judging.services.panels import order_calls


def test_the_reason_is_no_quorum() -> None:
    lost, said = JudgeOutcome.INVALID, JudgeOutcome.CANDIDATE
    spec = PanelSpec(members=("a", "b", "c"), no_quorum=NoQuorum.INVALID)
    voted = panel_verdict([(said, lost), (said, lost), (lost, lost)], spec=spec)
    there, back = order_calls(
        {
            Order.BASELINE_FIRST: voted.baseline_first,
            Order.CANDIDATE_FIRST: voted.candidate_first,
        }
    )
    assert isinstance(there.reading, Verdict)
    assert isinstance(back.reading, Invalid)
    assert back.reading.reason is InvalidReason.NO_QUORUM
