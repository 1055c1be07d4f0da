"""What a run in batches waits for, in words for whoever watches."""

from __future__ import annotations

from judging.models import Batch, BatchState
from judging.services import batch_rows


def waits_for(run_id: int) -> str:
    """Say which batches are at the provider, or why none is."""
    batches = list(Batch.objects.open().filter(run_id=run_id).order_by("pk"))
    in_trouble = [batch for batch in batches if batch.troubles]
    if in_trouble:
        return f"Trying again, since a request failed: {in_trouble[0].detail}"
    sent = [batch for batch in batches if batch.state == BatchState.SUBMITTED]
    if sent:
        calls = sum(batch.requests for batch in sent)
        states = sorted({batch.provider_status for batch in sent} - {""})
        said = f" ({', '.join(states)})" if states else ""
        number = "a batch" if len(sent) == 1 else f"{len(sent)} batches"
        return f"Waiting for {number} of {calls} calls at the provider{said}"
    until = batch_rows.rests_until(run_id)
    if batches or until is None:
        return "Waiting until a batch is sent"
    return f"Waiting until {until:%H:%M:%S} UTC before the next batch is sent"
