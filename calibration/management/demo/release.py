"""The demo's release part: invented cases nobody labelled, a policy, and a decision."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.domain.digests import text_digest
from annotation.domain.outcomes import Outcome
from annotation.models import GoldSet
from annotation.services.gold_sets import SetPlan
from annotation.services.held_out import Viewer
from annotation.services.importing import Source, import_pairs
from calibration.services.deciding import decide
from calibration.services.decision_reports import report_for
from calibration.services.policies import frozen_policy

if TYPE_CHECKING:
    from calibration.management.demo.fixture import Fixture
    from calibration.models import Decision, Policy
    from config.accounts.models import User
    from judging.models import Run

GOLD_SET = "demo-release"
POLICY = "demo-policy"
SEED = 13
# Of the cases, how many are really better answered by the candidate, and so on.
SHARES = {Outcome.CANDIDATE: 0.62, Outcome.BASELINE: 0.22, Outcome.TIE: 0.16}
CRITICAL = 10  # one case in so many
QUALITY = {
    Outcome.CANDIDATE: (0.3, 0.8),
    Outcome.BASELINE: (0.8, 0.3),
    Outcome.TIE: (0.7, 0.7),
}
DOCUMENT = {
    "policyLabel": "demo: illustrative only",
    "minimumCandidatePreferenceLowerBound": 0.52,
    "maximumSwapFlipRate": 0.05,
    "maximumInvalidJudgeRate": 0.01,
    "minimumHeldOutAgreement": 0.6,
    "maximumFalseCandidateWinRate": 0.2,
    "slotBalance": "equal-calls",
    "criticalSliceRule": "no-new-critical-regressions",
    "wideIntervalDisposition": "human-review",
}


def cases(fixture: Fixture) -> list[dict[str, Any]]:
    """The cases of the release, each with the outcome that was planted."""
    rng = random.Random(SEED)  # noqa: S311 - invented data, the same each time
    names = [system["name"] for system in fixture.gold_set["systems"]]
    made = []
    parts = product(fixture.release["products"], fixture.release["topics"])
    for number, (thing, topic) in enumerate(parts):
        outcome = rng.choices(list(SHARES), list(SHARES.values()))[0]
        baseline, candidate = _texts(outcome, topic["good"], topic["poor"])
        made.append(
            {
                "outcome": outcome,
                "case_id": f"release-{number + 1:03d}",
                "prompt": topic["question"].format(thing),
                "responses": {
                    names[0]: baseline.format(thing),
                    names[1]: candidate.format(thing),
                },
                "slices": {"category": topic["category"]},
                "critical": number % CRITICAL == 0,
            }
        )
    return made


def _texts(outcome: Outcome, good: str, poor: str) -> tuple[str, str]:
    """Baseline and candidate; of a tie both are good, in other words."""
    if outcome is Outcome.TIE:
        return good, f"Gladly. {good}"
    return (good, poor) if outcome is Outcome.BASELINE else (poor, good)


def pairs_file(fixture: Fixture) -> bytes:
    """The pairs as they are imported: without what was planted."""
    rows = [
        {k: v for k, v in case.items() if k != "outcome"} for case in cases(fixture)
    ]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"{text}\n".encode()


def qualities(fixture: Fixture) -> dict[str, float]:
    """Text digest of each response to how good it is."""
    names = [system["name"] for system in fixture.gold_set["systems"]]
    return {
        text_digest(case["responses"][name].strip()): quality
        for case in cases(fixture)
        for name, quality in zip(names, QUALITY[case["outcome"]], strict=True)
    }


def load(fixture: Fixture, lead: User) -> GoldSet:
    """Import the cases; there are no labels, and nobody needs any."""
    facts = fixture.gold_set
    plan = SetPlan(
        name=GOLD_SET,
        title="Simulated release of the new assistant",
        question=facts["question"],
        systems=[system["name"] for system in facts["systems"]],
        aliases={system["name"]: system["aliases"] for system in facts["systems"]},
        labels_per_pair=facts["labels_per_pair"],
        rule=ConsensusRule(facts["consensus_rule"]),
        primary_slice="category",
        simulated=True,
    )
    source = Source(pairs_file(fixture), "release.jsonl")
    import_pairs(plan=plan, source=source, by=lead, now=timezone.now())
    return GoldSet.objects.get(name=GOLD_SET)


def policy(lead: User) -> Policy:
    """Freeze the demo's policy, once: before the run that it decides."""
    now = timezone.now()
    return frozen_policy(name=POLICY, document=DOCUMENT, by=lead, now=now)


def decided(run: Run, rule: Policy, lead: User) -> Decision:
    """Decide; again the same, as long as nothing has changed."""
    viewer = Viewer(user=lead, door="command", reason="demo")
    return decide(
        run=run, policy=rule, report=report_for(run), viewer=viewer, now=timezone.now()
    )
