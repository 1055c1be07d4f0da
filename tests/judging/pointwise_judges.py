"""Frozen pointwise judges, and a client that marks by what is written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judging.domain.ports import RawReply
from judging.services.configuring import draft_judge, freeze_judge
from judging.services.drafting import default_pointwise_spec, ensure_provider
from judging.services.starting import start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS
from tests.judging.talkers import Talker

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.domain.ports import JudgeRequest
    from judging.models import JudgeConfig, Run

GATED: dict[str, object] = {
    "kind": "gated_score",
    "gates": [{"name": "safe", "question": "Is it safe?"}],
    "cap": 3,
    "pass_mark": 6,
}
SHORT: dict[str, object] = {"kind": "short_scale", "levels": ["bad", "fair", "good"]}


def pointwise_judge(
    base_url: str = ADDRESS,
    *,
    name: str = "marker",
    scale: dict[str, object] | None = None,
    **spec: Any,
) -> JudgeConfig:
    ensure_provider(alias="local", base_url=base_url)
    now = spec.pop("now", START)
    whole = default_pointwise_spec(
        provider="local", base_url=base_url, model="simulated-judge", scale=scale
    )
    draft = draft_judge(name=name, spec=replace(whole, **spec), by=None, now=now)
    return freeze_judge(config=draft, by=None, now=now)


def pointwise_run(
    base_url: str = ADDRESS,
    *,
    cases: int = 3,
    gold_set: GoldSet | None = None,
    **spec: Any,
) -> Run:
    return start_run(
        config=pointwise_judge(base_url, **spec),
        gold_set=gold_set or make_set(cases),
        concurrency=4,
        by=None,
        now=START,
    )


class Marker(Talker):
    """Says of each response what its text begins with, or ``said`` of all of them."""

    def __init__(self, said: dict[str, str] | None = None, usual: str = "PASS") -> None:
        super().__init__()
        self.said, self.usual = said or {}, usual
        self.requests: list[JudgeRequest] = []

    async def ask(self, request: JudgeRequest) -> RawReply:
        await super().ask(request)
        self.requests.append(request)
        text = request.messages[-1].content
        found = [mark for needle, mark in self.said.items() if needle in text]
        return RawReply(
            text=(found or [self.usual])[0], body="{}", finish_reason="stop"
        )


def gated(score: int, **passed: bool) -> str:
    gates = {name: "pass" if ok else "fail" for name, ok in passed.items()}
    return json.dumps({"gates": gates, "score": score})
