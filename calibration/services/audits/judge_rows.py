"""What judges did, as rows of a bundle: judges, runs, calls with all their replies."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order, Outcome, choice_for
from calibration.models import SwapPanel
from calibration.services.audits.values import plain, rows_of
from judging.models import Attempt, BatchPlan, JudgeConfig, Price, Provider
from judging.services.panels import is_panel, runs_behind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calibration.services.audits.scopes import Scope

    Rows = Iterator[dict[str, Any]]

CHUNK = 500
_EXCHANGE = (
    "finish_reason", "served_model", "fingerprint", "usage", "latency_ms",
    "request_hash", "baseline_sha256", "candidate_sha256", "subject_sha256",
)  # fmt: skip
REPLY = (
    "choice", "strength", "score", "stated", "passed", "failed_gates", "rubric",
    "invalid_reason", "detail", "flags", "span", "raw", "reasoning",
    "choice_was_stored", "answered_at", *_EXCHANGE,
)  # fmt: skip
ATTEMPT = (
    "sent_at", "order", "request_id", "status", "error", "detail", "body", *_EXCHANGE,
)  # fmt: skip
CALL = ("pk", "pair_id", "response_id", "case__external_id", "order", "repeat",
        "state", "tries")  # fmt: skip
RUN = (
    "status", "purpose", "reuse", "rubric_step", "source_digest", "notices",
    "max_calls", "max_tokens", "max_cost", "currency", "halt_reason", "failure",
    "created_at", "started_at", "finished_at", "halted_at",
)  # fmt: skip


def providers(scope: Scope) -> Rows:
    """Where judges live. Names of headers and variables, never what they hold."""
    found = Provider.objects.filter(configs__in=_judges(scope)).distinct()
    # Databases differ in how they sort names.
    for one in sorted(found, key=lambda provider: provider.alias):
        yield {
            "provider": one.alias,
            "base_url": one.base_url,
            "api_key_env": one.api_key_env,
            "headers": sorted({*one.headers, *one.secret_headers}),
            "query": sorted(one.query),
            "use_env_proxy": one.use_env_proxy,
            "simulated": one.simulated,
        }


def prices(scope: Scope) -> Rows:
    """What the providers charged, by day; of one day the last entered counts."""
    fields = {
        "price": "pk",
        "provider": "provider__alias",
        "created_by": "created_by__username",
    } | {
        name: name
        for name in (
            "model", "valid_from", "prompt", "completion", "cached", "batch_share",
            "currency", "created_at",
        )
    }  # fmt: skip
    found = Price.objects.filter(
        provider__configs__in=_judges(scope), created_at__lte=scope.until
    )
    return rows_of(found.order_by("pk").distinct(), fields)


def judges(scope: Scope) -> Rows:
    """Every judge that ran, with what its digest is taken of."""
    found = _judges(scope).select_related(
        "provider", "created_by", "frozen_by", "retirement__retired_by", "simulation"
    )
    for one in found.order_by("pk"):
        gone = one.retirement if one.retired else None
        yield {
            "judge": one.pk,
            "name": one.name,
            "version": one.version,
            "kind": one.kind,
            "provider": one.provider.alias if one.provider else None,
            "recorded": one.recorded,
            "spec": one.spec,
            "digest": one.digest,
            "created_at": plain(one.created_at),
            "created_by": _name(one.created_by),
            "frozen_at": plain(one.frozen_at),
            "frozen_by": _name(one.frozen_by),
            "actor": one.actor,
            "simulated_since": plain(one.simulation.noted_at)
            if one.simulated
            else None,
            "retired_at": plain(gone.retired_at) if gone else None,
            "retired_by": _name(gone.retired_by) if gone else None,
        }


def _judges(scope: Scope) -> Any:
    return JudgeConfig.objects.filter(
        pk__in={run.config_id for run in scope.runs}, frozen_at__isnull=False
    )


def _name(user: Any) -> str | None:
    return user.get_username() if user else None


def runs(scope: Scope) -> Rows:
    """Every run as the scope found it; a panel's names those its votes come from.

    Not read again: calls of a run that ends while a bundle is written stay out, and so
    it must not be said to be done.
    """
    for run in sorted(scope.runs, key=lambda run: run.pk):
        yield {
            "run": run.pk,
            "gold_set": run.gold_set.name,
            "judge": run.config_id,
            "members": [r.pk for r in runs_behind(run)] if is_panel(run) else [],
            "calls": run.calls.count(),
            "batches": BatchPlan.objects.filter(run=run).exists(),
            "created_by": _name(run.created_by),
            "actor": run.actor,
            "halted_by": _name(run.halted_by),
            "drawn": _drawn(run.pk),
            "notes": list(
                rows_of(
                    run.notes.order_by("pk"),
                    {
                        "event": "event",
                        "reason": "reason",
                        "at": "noted_at",
                        "by": "noted_by__username",
                    },
                )
            ),
            **{name: plain(getattr(run, name)) for name in RUN},
        }


def _drawn(run: int) -> dict[str, Any] | None:
    """How the pairs of a release run were drawn, where it does not judge all."""
    names = ("share", "seed", "slices", "drawn", "pairs", "drawn_at")
    found = SwapPanel.objects.filter(run=run)
    fields = {name: name for name in names} | {"drawn_by": "drawn_by__username"}
    return next(rows_of(found, fields), None)


def calls(scope: Scope) -> Rows:
    """Every call of the finished runs, with its answer and all that was sent.

    Rubrics come first, since the requests of the pairs are made from them. ``slots``
    says which system stood where; ``answered_by`` is the call that a reused reply was
    first given to, whose attempts are shown.
    """
    for run in scope.finished():
        for found in (run.calls.rubrics(), run.calls.marks(), run.calls.verdicts()):
            columns = (*CALL, *(f"reply__{name}" for name in REPLY))
            values = found.order_by("pk").values_list(
                *columns, "reply__pk", "reply__reused_from__call_id"
            )
            rows = values.iterator(chunk_size=CHUNK)
            while chunk := list(islice(rows, CHUNK)):
                yield from _calls(run.pk, chunk)


def _calls(run: int, chunk: list[tuple[Any, ...]]) -> Rows:
    attempts = _attempts({row[-1] or row[0] for row in chunk})
    for row in chunk:
        pk, pair, response, case, order, repeat, state, tries = row[: len(CALL)]
        reply, reused = row[-2], row[-1]
        said = zip(REPLY, row[len(CALL) : -2], strict=True)
        yield {
            "run": run,
            "call": pk,
            "pair": pair,
            "response": response,
            "case_id": case,
            "order": order,
            "repeat": repeat,
            "slots": _slots(order),
            "state": state,
            "tries": tries,
            "answered_by": reused or pk,
            "reply": {k: plain(v) for k, v in said} if reply else None,
            "attempts": attempts[reused or pk],
        }


def _slots(order: str) -> dict[str, str] | None:
    if not order:
        return None
    shown = {choice_for(one, Order(order)).value: one.value
             for one in (Outcome.BASELINE, Outcome.CANDIDATE)}  # fmt: skip
    return dict(sorted(shown.items()))


def _attempts(calls_: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Attempt.objects.filter(call__in=list(calls_)).order_by("pk")
    for call, *values in rows.values_list("call_id", *ATTEMPT):
        said = zip(ATTEMPT, values, strict=True)
        found[call].append({name: plain(value) for name, value in said})
    return found
