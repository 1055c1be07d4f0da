"""Gathering what a decision rests on into one plain document.

What stands in it is described in ``calibration.domain.deciding``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order
from annotation.domain.texts import text_from_json
from annotation.models import GoldItem, GoldVersion, Pair
from annotation.services.look_plans import terms_of
from calibration.domain.copies import case_texts, standings
from calibration.domain.deciding import EVIDENCE_SCHEMA
from calibration.domain.held_out import counts_json
from calibration.domain.rules import DECISION_RULES
from calibration.models import Report, Waiver
from calibration.services.look_counts import budget_of, open_elsewhere
from calibration.services.looks import report_pairs
from calibration.services.unjudged import unjudged_json
from calibration.services.waivers import waiver_state
from judging.models import ConfigKind, Run, RunStatus
from judging.services.evidence import pair_evidence, served_models
from judging.services.marks import marks_by_response
from judging.services.panels import runs_behind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from calibration.domain.copies import CaseTexts, Standing
    from calibration.models import Policy
    from judging.domain.marks import ResponseMark
    from judging.services.evidence import PairEvidence

    Document = dict[str, Any]


def began_at(run: Run) -> datetime:
    """When the first call of a run became a row; of a panel, of any member."""
    return min(each.created_at for each in (run, *runs_behind(run)))


def gather(
    *,
    run: Run,
    policy: Policy,
    calibration: Document | None,
    now: datetime,
) -> Document:
    """Everything a decision rests on; for ``calibration`` see ``calibration_json``."""
    pairs = pair_rows(run)
    return {
        "schema": EVIDENCE_SCHEMA,
        "rules": DECISION_RULES,
        "policy": {
            "document": policy.document,
            "digest": policy.digest,
            "name": policy.name,
            "label": policy.label,
            "version": policy.version,
            "frozen_at": policy.frozen_at.isoformat() if policy.frozen_at else None,
        },
        "run": run_json(run),
        "pairs": pairs,
        "not_judged": unjudged_json(run, pairs),
        "calibration": calibration,
        "waivers": list(_waivers(run, pairs, now)),
        "owners": _owners(run, policy),
    }


def run_json(run: Run) -> Document:
    """What a run is, without what it came to."""
    config = run.config
    gold = newest_gold(run)
    marked = marking_run(run)
    return {
        "id": run.pk,
        "gold_set": run.gold_set.name,
        "systems": list(run.gold_set.system_names()),
        "judge": {
            "name": config.name,
            "version": config.version,
            "digest": config.digest,
        },
        "purpose": run.purpose,
        "began_at": began_at(run).isoformat(),
        "served_models": _models(served_models(run)),
        "gold": {"version": gold.number, "digest": gold.digest} if gold else None,
        "marks": {"run": marked.pk, "judge": str(marked.config)} if marked else None,
        "simulated": run.gold_set.simulated
        or any(each.config.simulated for each in runs_behind(run)),
    }


def _models(served: list[dict[str, Any]]) -> list[str]:
    return sorted({str(each["model"]) for each in served if each["model"]})


def pair_rows(run: Run) -> list[Document]:
    """One object a pair of the run, by pair; raises ``Conflict`` for missing calls."""
    evidence = pair_evidence(run)
    human, marks = human_outcomes(run), _marks(run)
    standing = standings(_texts(run, evidence))
    rows = Pair.objects.filter(gold_set=run.gold_set_id).order_by("pk")
    found = rows.select_related(
        "case", "baseline__system", "candidate__system"
    ).defer(
        "case__prompt", "case__context", "case__reference", "case__extra",
        "baseline__text", "candidate__text", "baseline__meta", "candidate__meta",
    )  # fmt: skip
    return [
        _pair_json(
            pair,
            evidence[pair.pk],
            standing[pair.case.external_id],
            human.get(pair.pk),
            marks,
        )
        for pair in found.iterator(chunk_size=2000)
        if pair.pk in evidence
    ]


def _texts(run: Run, judged: Mapping[int, PairEvidence]) -> Iterator[CaseTexts]:
    """The texts of every judged pair, which tell copies of a case."""
    rows = Pair.objects.filter(gold_set=run.gold_set_id).order_by("pk")
    found = rows.select_related("case", "baseline", "candidate").defer("case__extra")
    for pair in found.iterator(chunk_size=1000):
        if pair.pk in judged:
            case, sides = pair.case, (pair.baseline, pair.candidate)
            one, other = ((text_from_json(s.text), s.sha256) for s in sides)
            yield case_texts(
                case.external_id,
                case.cluster,
                text_from_json(case.prompt),
                None if case.context is None else text_from_json(case.context),
                (one, other),
            )


def _pair_json(
    pair: Pair,
    evidence: PairEvidence,
    standing: Standing,
    human: str | None,
    marks: Mapping[int, ResponseMark],
) -> Document:
    verdict, case = evidence.verdict, pair.case
    orders = [call.order for call in evidence.calls]
    return {
        "pair": str(pair.pk),
        "case": case.external_id,
        "cluster": standing.cluster,
        "copy_of": standing.copy_of,
        "systems": [pair.baseline.system.name, pair.candidate.system.name],
        "slices": {str(key): str(value) for key, value in case.slices.items()},
        "critical": case.critical,
        "lengths": [pair.baseline.length, pair.candidate.length],
        "baseline_first": verdict.baseline_first.value,
        "candidate_first": verdict.candidate_first.value,
        "verdict": verdict.outcome.value,
        "consistency": verdict.consistency.value,
        "tie_source": verdict.tie_source.value if verdict.tie_source else None,
        "calls": [orders.count(order) for order in Order],
        "human": human,
        "only_candidate_fails": _only_candidate_fails(pair, marks),
    }


def _only_candidate_fails(pair: Pair, marks: Mapping[int, ResponseMark]) -> bool | None:
    one, other = marks.get(pair.baseline_id), marks.get(pair.candidate_id)
    if one is None or other is None or one.passed is None or other.passed is None:
        return None
    return one.passed and not other.passed


def newest_gold(run: Run) -> GoldVersion | None:
    """What people settled on so far, frozen; a set that nobody labelled has none."""
    rows = GoldVersion.objects.filter(gold_set=run.gold_set_id)
    return rows.order_by("-number").first()


def human_outcomes(run: Run) -> dict[int, str]:
    """The outcomes of the newest gold version, by pair."""
    gold = newest_gold(run)
    items = GoldItem.objects.filter(version=gold).exclude(outcome="")
    return dict(items.values_list("pair_id", "outcome")) if gold else {}


def marking_run(run: Run) -> Run | None:
    """The newest finished run that marked single responses of the set."""
    rows = Run.objects.representative().filter(
        gold_set=run.gold_set_id,
        status=RunStatus.DONE,
        config__kind=ConfigKind.POINTWISE,
    )
    return rows.select_related("config").order_by("-pk").first()


def _marks(run: Run) -> dict[int, ResponseMark]:
    marked = marking_run(run)
    return marks_by_response(marked) if marked else {}


def _waivers(run: Run, pairs: list[Document], now: datetime) -> Iterator[Document]:
    """All waivers that name a critical case of the run, whatever their state."""
    critical = {pair["case"] for pair in pairs if pair["critical"]}
    rows = Waiver.objects.filter(gold_set=run.gold_set_id).with_people()
    for waiver in rows.order_by("pk"):
        if critical & set(waiver.case_ids):
            yield waiver_json(waiver, now)


def waiver_json(waiver: Waiver, now: datetime) -> Document:
    """A waiver as decisions and the API list it."""
    confirmation = getattr(waiver, "confirmation", None)
    revocation = getattr(waiver, "revocation", None)
    return {
        "id": waiver.pk,
        "case_ids": list(waiver.case_ids),
        "systems": waiver.systems,
        "impact": waiver.impact,
        "owner": waiver.owner,
        "reason": waiver.reason,
        "asked_by": waiver.asked_by.username,
        "asked_at": waiver.asked_at.isoformat(),
        "expires_at": waiver.expires_at.isoformat(),
        "confirmed_by": confirmation.confirmed_by.username if confirmation else None,
        "confirmed_at": confirmation.confirmed_at.isoformat() if confirmation else None,
        "revoked_by": revocation.revoked_by.username if revocation else None,
        "revoked_at": revocation.revoked_at.isoformat() if revocation else None,
        "revoked_because": revocation.reason if revocation else None,
        "state": waiver_state(waiver, now).value,
    }


def _owners(run: Run, policy: Policy) -> dict[str, str]:
    """Who brings what is missing: as the policy says, else whoever made the thing."""
    made = {
        "run": run.created_by,
        "calibration": run.config.frozen_by,
        "cases": run.gold_set.created_by,
        "abstains": policy.frozen_by,
        "critical": policy.frozen_by,
        "policy": policy.frozen_by,
    }
    known = {name: user.username for name, user in made.items() if user is not None}
    return {**known, **policy.document.get("evidenceOwners", {})}


def calibration_json(report: Report, *, word: str | None) -> Document:
    """What a report says of its judge on held-out pairs.

    ``word`` is what the look at a sealed set said: then nothing else is in it.
    """
    payload = json.loads(report.payload)
    block, terms = payload["splits"]["held_out"], terms_of(report.gold_version.gold_set)
    return {
        "report": {"id": report.pk, "digest": report.digest},
        "judge": {key: payload["judge"][key] for key in ("name", "version", "digest")},
        "gold": {key: payload["gold"][key] for key in ("set", "version", "digest")},
        **counts_json(block, sealed=word is not None),
        "open_elsewhere": open_elsewhere(report_pairs(report, held_out=True)),
        "limits": dict(terms.limits),
        "looks": budget_of(report.gold_version.gold_set, terms),
        "word": word or "",
        "served_models": _models(payload["run"]["served_models"]),
    }


def held_out_pairs(report: Report) -> int:
    """How many held-out pairs a report counted; to know that is no look."""
    found: int = json.loads(report.payload)["splits"]["held_out"]["n"]
    return found
