"""What was asked of a new run, where there is one already that is given instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.models import RunEvent, RunNote, RunStatus
from judging.services.batching import in_batches
from judging.services.panels import is_panel, runs_behind

if TYPE_CHECKING:
    from judging.models import Run
    from judging.services.budgets import Budget
    from judging.services.run_options import RunOptions


def not_taken_up(
    run: Run, options: RunOptions, *, again: bool, concurrency: int | None = None
) -> list[str]:
    """Say in which wishes an unfinished or complete run differs.

    ``concurrency`` is ``None`` where nobody asked for any; so is no limit in a budget.
    How many calls one that is done had in flight makes no difference.
    """
    done = run.status == RunStatus.DONE
    wishes = (
        (again and not done, "no new one is started beside it"),
        (options.reuses != run.reuse, _reuses(run)),
        (options.batches != _in_batches(run), _sends(run)),
        (
            not done and concurrency not in (None, run.concurrency),
            f"it keeps {run.concurrency} calls in flight",
        ),
        (
            not (options.budget.unlimited or _has(run, options.budget)),
            "its budget is another",
        ),
        (not _seated(run) >= set(options.member_runs), _votes(run)),
    )
    return [words for differs, words in wishes if differs]


def _seated(run: Run) -> set[int]:
    return {each.pk for each in runs_behind(run)}


def _votes(run: Run) -> str:
    numbers = ", ".join(str(pk) for pk in sorted(_seated(run)))
    return f"it takes its votes from runs {numbers}"


def _reuses(run: Run) -> str:
    return "it copies earlier replies" if run.reuse else "it copies no earlier replies"


def _sends(run: Run) -> str:
    return "it is sent in batches" if _in_batches(run) else "it is sent call by call"


def _in_batches(run: Run) -> bool:
    return any(in_batches(each) for each in runs_behind(run))


def _has(run: Run, budget: Budget) -> bool:
    """Whether a run has this very budget; a panel's is shared out, but was noted."""
    if is_panel(run):
        last = RunNote.objects.filter(run=run, event=RunEvent.BUDGET).last()
        return last is not None and last.reason == f"{budget}, shared out"
    return (budget.calls, budget.tokens, budget.cost) == (
        run.max_calls, run.max_tokens, run.max_cost,
    ) and (budget.cost is None or budget.currency == run.currency)  # fmt: skip
