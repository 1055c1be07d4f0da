"""What is asked of a new run."""

from __future__ import annotations

from dataclasses import dataclass

from judging.models import NEVER_REUSE, RunPurpose
from judging.services.budgets import UNLIMITED, Budget


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run is for, and what it may copy and spend.

    ``reuse`` is the purpose's own unless said otherwise; noise, sentinel and stability
    runs never reuse (DESIGN rule 22). ``pair_ids`` limits the run to some pairs.
    ``batches`` has calls sent as files, which takes longer and costs less.
    ``member_runs`` are complete runs that members of a panel are to sit with.
    ``actor`` is who ran the command, where nobody signed in.
    """

    purpose: RunPurpose = RunPurpose.CALIBRATION
    reuse: bool | None = None
    budget: Budget = UNLIMITED
    pair_ids: tuple[int, ...] | None = None
    batches: bool = False
    member_runs: tuple[int, ...] = ()
    actor: str = ""

    @property
    def reuses(self) -> bool:
        """Whether earlier replies are copied."""
        may = self.purpose not in NEVER_REUSE
        return may if self.reuse is None else self.reuse and may


USUAL = RunOptions()
