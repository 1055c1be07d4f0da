"""The demo's judge: simulated, with planted biases, asked through the real client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from annotation.domain.digests import text_digest
from annotation.domain.outcomes import Outcome
from annotation.domain.records import plain_text, text_from_json
from calibration.management.demo import release
from judging.domain.kinds import outdated
from judging.models import JudgeConfig, Provider
from judging.services.configuring import asked_spec_of, draft_judge, freeze_judge
from judging.services.drafting import default_spec, ensure_provider
from judging.simulator.options import Options, Shape
from judging.simulator.running import SimulatedJudge

if TYPE_CHECKING:
    from calibration.management.demo.fixture import Fixture
    from config.accounts.models import User
    from judging.domain.digests import JudgeSpec

JUDGE = "simulated-judge"
PORT = 8799
CONCURRENCY = 16

# What is planted; the report has to find it. The seed is one whose draws are near
# these rates, with each kind of malformed reply at least once.
FIRST_SLOT = 0.25
LENGTH = 0.18
ACCURACY = 0.94
LATENCY = 0.05
LATENCY_SPREAD = 0.03
SEED = 549
SHAPES = {
    Shape.UNPARSED: 0.009,
    Shape.CONFLICTING: 0.008,
    Shape.TRUNCATED: 0.008,
    Shape.REFUSED: 0.008,
    Shape.EMPTY: 0.008,
}
QUALITY = {
    Outcome.BASELINE: (0.8, 0.3),
    Outcome.CANDIDATE: (0.3, 0.8),
    Outcome.TIE: (0.5, 0.5),
}


def oracle(fixture: Fixture) -> dict[str, float | None]:
    """Give every response the quality that the simulated people saw in it."""
    found: dict[str, float | None] = {}
    names = [system["name"] for system in fixture.gold_set["systems"]]
    for line in fixture.pairs.decode().splitlines():
        case = json.loads(line)
        outcome = fixture.outcomes.get(case["case_id"], Outcome.TIE)
        for name, quality in zip(
            names, QUALITY.get(outcome, (None, None)), strict=True
        ):
            text = plain_text(text_from_json(case["responses"][name]))
            found[text_digest(text.strip())] = quality
    return found | release.qualities(fixture)


def options(fixture: Fixture) -> Options:
    """Return the simulated judge's planted parameters."""
    return Options(
        first_slot=FIRST_SLOT,
        length=LENGTH,
        accuracy=ACCURACY,
        latency=LATENCY,
        latency_spread=LATENCY_SPREAD,
        seed=SEED,
        shapes=SHAPES,
        oracle=oracle(fixture),
    )


def start(fixture: Fixture) -> SimulatedJudge:
    """Start the server on its usual port, or on a free one if that is taken.

    It runs in a thread: whatever ends the demo ends it too, and leaves the port free.
    """
    planted = options(fixture)
    try:
        return SimulatedJudge(planted, port=usual_port()).start()
    except OSError:
        return SimulatedJudge(planted).start()


def usual_port() -> int:
    """Return the port that the frozen judge names, if there is one."""
    known = Provider.objects.filter(alias=JUDGE).first()
    if known is None:
        return PORT
    return int(known.base_url.split(":")[-1].split("/")[0])


def spec(fixture: Fixture, *, alias: str, base_url: str) -> JudgeSpec:
    """Return everything that determines the judge's verdicts."""
    return default_spec(
        provider=alias,
        base_url=base_url,
        model="simulated-judge",
        question=fixture.gold_set["question"],
        rubric=fixture.gold_set["rubric"],
    )


@transaction.atomic
def frozen_judge(fixture: Fixture, base_url: str, lead: User) -> JudgeConfig:
    """Freeze the judge at this address; one that is frozen already is taken.

    Not one of an earlier release, which this one would ask or read otherwise: the next
    version of its line follows it.
    """
    alias = _alias(base_url)
    ensure_provider(alias=alias, base_url=base_url, simulated=True)
    frozen = JudgeConfig.objects.frozen().filter(name=JUDGE, provider__alias=alias)
    for known in frozen.order_by("-version"):
        if not outdated(asked_spec_of(known)):
            return known
    now, wanted = timezone.now(), spec(fixture, alias=alias, base_url=base_url)
    draft = draft_judge(name=JUDGE, spec=wanted, by=lead, now=now)
    return freeze_judge(config=draft, by=lead, now=now)


def _alias(base_url: str) -> str:
    """Name the provider; another address is another provider and another judge."""
    known = Provider.objects.filter(alias=JUDGE).first()
    if known is None or known.base_url == base_url:
        return JUDGE
    return f"{JUDGE}-{base_url.rsplit(':', maxsplit=1)[-1].split('/', maxsplit=1)[0]}"
