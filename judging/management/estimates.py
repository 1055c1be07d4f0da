"""What a run would come to, as commands say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.presenters.seats import seat_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judging.services.estimating import RunEstimate
    from judging.services.seats import Seat


SIMULATED = "SIMULATED JUDGE: its answers say nothing about a real model."


def estimate_lines(
    found: RunEstimate, seats: Sequence[Seat] = (), *, batch: bool = False
) -> Iterator[str]:
    """Whose votes a panel takes, then calls, tokens and cost."""
    if found.simulated:
        yield SIMULATED
    for seat in seats:
        yield f"{seat.member}: {seat_words(seat)}."
    cost, money = "unknown: no price", found.batch_cost if batch else found.cost
    if not found.to_ask:
        cost = "none: nothing is to be asked"
    elif money is not None:
        cost = f"about {money.amount:.4f} {money.currency}"
    yield (
        f"{found.pairs} pairs, {found.calls} calls: {found.to_ask} to ask, "
        f"{found.reused} from earlier runs, {found.too_long} too long."
    )
    yield (
        f"About {found.prompt_tokens} tokens in and {found.completion_tokens} out. "
        f"Cost {cost}."
    )
