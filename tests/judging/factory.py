"""Frozen judges over small gold sets, and a runner with little patience."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.models import GoldItem, GoldSet, GoldVersion, Pair
from judging.clients.openai_chat import OpenAIChatClient
from judging.models import Attempt, Call, CallState, JudgeConfig, Reply, Run
from judging.services.configuring import draft_judge, freeze_judge
from judging.services.drafting import default_spec, ensure_provider
from judging.services.pace import Pace
from judging.services.starting import start_run
from judging.services.working import work_on
from tests.annotation.factory import START, make_set
from tests.processes import database_url

if TYPE_CHECKING:
    from judging.models import RunStatus

QUICK = Pace(tries=4, backoff=0.01, ceiling=0.05, longest_wait=5.0, patience=0.0)
ADDRESS = "http://127.0.0.1:9/v1"  # nobody listens there
ROOT = Path(__file__).parents[2]


def make_judge(base_url: str, *, name: str = "judge", **spec: Any) -> JudgeConfig:
    """A frozen judge at an address."""
    alias, now = spec.pop("provider", "local"), spec.pop("now", START)
    ensure_provider(
        alias=alias, base_url=base_url, api_key_env=spec.pop("api_key_env", "")
    )
    whole = default_spec(provider=alias, base_url=base_url, model="simulated-judge")
    draft = draft_judge(name=name, spec=replace(whole, **spec), by=None, now=now)
    return freeze_judge(config=draft, by=None, now=now)


def make_run(
    base_url: str,
    *,
    cases: int = 4,
    concurrency: int = 4,
    gold_set: GoldSet | None = None,
    **spec: Any,
) -> Run:
    return start_run(
        config=make_judge(base_url, **spec),
        gold_set=gold_set or make_set(cases),
        concurrency=concurrency,
        by=None,
        now=START,
    )


def work(run: Run, **options: Any) -> RunStatus:
    options.setdefault("pace", QUICK)
    options.setdefault("call_seconds", 5.0)
    run.refresh_from_db()
    return work_on(run, open_client=OpenAIChatClient, **options)


def freeze_gold(gold_set: GoldSet, outcome: str = "baseline") -> GoldVersion:
    """Gold that says the same of every pair."""
    pairs = list(Pair.objects.filter(gold_set=gold_set).order_by("pk"))
    version = GoldVersion.objects.create(
        gold_set=gold_set,
        number=1,
        rule="mode_or_tie",
        created_at=START,
        digest="0" * 64,
        pairs=len(pairs),
        left_open=0,
    )
    GoldItem.objects.bulk_create(
        GoldItem(
            version=version,
            pair=pair,
            outcome=outcome,
            source="consensus",
            split="dev",
            labels=[outcome],
        )
        for pair in pairs
    )
    return version


def assert_settled(run: Run) -> None:
    """Every call has exactly one answer and nobody's claim is left."""
    calls = Call.objects.filter(run=run)
    assert not calls.exclude(state=CallState.DONE).exists()
    assert not calls.exclude(owner=None).exists()
    assert Reply.objects.filter(call__run=run).count() == calls.count()
    for call in calls.prefetch_related("attempts"):
        assert call.tries == call.attempts.count()


def attempts_of(run: Run) -> list[Attempt]:
    return list(Attempt.objects.filter(call__run=run).order_by("pk"))


def manage(*arguments: str, **environ: str) -> subprocess.Popen[str]:
    """Start `manage.py` in a process of its own, on the test database."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": database_url(),
            "SECRET_KEY": settings.SECRET_KEY,
            "EVENHAND_INSECURE_HTTP": "1",
            **environ,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def dice(seed: int = 1) -> random.Random:
    return random.Random(seed)
