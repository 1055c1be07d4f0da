"""What a decision rests on once more, from the rows of a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order
from annotation.domain.texts import text_from_json
from calibration.domain import copies
from calibration.domain.audit.results import evidence_of, runs_behind
from calibration.domain.audit.rows import marks_of
from calibration.domain.audit.simulated import any_simulated
from calibration.domain.audit.there import not_judged_again
from calibration.domain.deciding import EVIDENCE_SCHEMA
from calibration.domain.held_out import counts_json
from calibration.domain.rules import DECISION_RULES
from calibration.domain.waivers import Standing, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from calibration.domain.audit.material import (
        ItemRow,
        Material,
        PairRow,
        PolicyRow,
        RunRow,
        VersionRow,
        WaiverRow,
    )
    from calibration.domain.audit.rows import Evidence
    from judging.domain.marks import ResponseMark

    Document = dict[str, Any]


def evidence_again(
    material: Material,
    run: RunRow,
    policy: PolicyRow,
    calibration: Document | None,
    decided: datetime,
    there: int,
) -> Document:
    """Gather what a decision rested on when it was made.

    ``there`` is how many pairs the set then had, as the evidence says: rows of a set
    have no time, and cases can be added to it.
    """
    pairs = _pairs(material, run, decided)
    return {
        "schema": EVIDENCE_SCHEMA,
        "rules": DECISION_RULES,
        "policy": {
            "document": policy.document,
            "digest": policy.digest,
            "name": policy.name,
            "label": policy.document["policyLabel"],
            "version": policy.version,
            "frozen_at": policy.frozen_at.isoformat(),
        },
        "run": _run(material, run, decided),
        "pairs": pairs,
        "not_judged": not_judged_again(material, run, pairs, there),
        "calibration": calibration,
        "waivers": list(_waivers(material, run, pairs, decided)),
        "owners": _owners(run, policy),
    }


def began_at(material: Material, run: RunRow) -> datetime:
    """When a run began; of a panel, the first of its members."""
    return min(each.created for each in (run, *runs_behind(material, run)))


def _run(material: Material, run: RunRow, decided: datetime) -> Document:
    judge, behind = run.judge, runs_behind(material, run)
    gold, marked = _gold(material, run, decided), _marking(material, run, decided)
    return {
        "id": run.number,
        "gold_set": run.gold_set.name,
        "systems": list(run.gold_set.systems),
        "judge": {
            "name": judge.name,
            "version": judge.version,
            "digest": judge.digest,
        },
        "purpose": run.purpose,
        "began_at": began_at(material, run).isoformat(),
        "served_models": sorted({m for each in behind for m, _ in each.served if m}),
        "gold": {"version": gold.version, "digest": gold.digest} if gold else None,
        "marks": {
            "run": marked.number,
            "judge": f"{marked.judge.name} v{marked.judge.version}",
        }
        if marked
        else None,
        "simulated": run.gold_set.simulated
        or any_simulated((each.judge for each in behind), decided),
    }


def _gold(material: Material, run: RunRow, decided: datetime) -> VersionRow | None:
    fitting = [
        version
        for version in material.versions.values()
        if version.gold_set is run.gold_set and version.at <= decided
    ]
    return max(fitting, key=lambda version: version.version, default=None)


def _marking(material: Material, run: RunRow, decided: datetime) -> RunRow | None:
    fitting = [
        each
        for each in material.runs.values()
        if each.marks_by(decided) and each.gold_set is run.gold_set
    ]
    return max(fitting, key=lambda each: each.number, default=None)


def _pairs(material: Material, run: RunRow, decided: datetime) -> list[Document]:
    found, gold = evidence_of(material, run), _gold(material, run, decided)
    items = material.items[gold.number] if gold else []
    human = {item.pair.number: item for item in items}
    marks = marks_of(_marking(material, run, decided))
    pairs = [material.pairs[number] for number in sorted(found)]
    standing = copies.standings(map(_texts, pairs))
    return [
        _pair(
            pair,
            found[pair.number],
            standing[pair.case.case_id],
            human.get(pair.number),
            marks,
        )
        for pair in pairs
    ]


def _texts(pair: PairRow) -> copies.CaseTexts:
    case, sides = pair.case, (pair.baseline, pair.candidate)
    one, other = ((text_from_json(s.text), s.sha256) for s in sides)
    return copies.case_texts(
        case.case_id,
        case.cluster,
        text_from_json(case.prompt),
        None if case.context is None else text_from_json(case.context),
        (one, other),
    )


def _pair(
    pair: PairRow,
    found: Evidence,
    standing: copies.Standing,
    item: ItemRow | None,
    marks: Mapping[int, ResponseMark],
) -> Document:
    calls, verdict = found
    case, orders = pair.case, [call.order for call in calls]
    return {
        "pair": str(pair.number),
        "case": case.case_id,
        "cluster": standing.cluster,
        "copy_of": standing.copy_of,
        "systems": list(pair.systems),
        "slices": {str(key): str(value) for key, value in case.slices.items()},
        "critical": case.critical,
        "lengths": [pair.baseline.length, pair.candidate.length],
        "baseline_first": verdict.baseline_first.value,
        "candidate_first": verdict.candidate_first.value,
        "verdict": verdict.outcome.value,
        "consistency": verdict.consistency.value,
        "tie_source": verdict.tie_source.value if verdict.tie_source else None,
        "calls": [orders.count(order) for order in Order],
        "human": item.outcome.value if item and item.outcome else None,
        "only_candidate_fails": _only_candidate_fails(pair, marks),
    }


def _only_candidate_fails(
    pair: PairRow, marks: Mapping[int, ResponseMark]
) -> bool | None:
    one, other = marks.get(pair.baseline.number), marks.get(pair.candidate.number)
    if one is None or other is None or one.passed is None or other.passed is None:
        return None
    return one.passed and not other.passed


def _waivers(
    material: Material, run: RunRow, pairs: list[Document], decided: datetime
) -> Iterator[Document]:
    """All that named a critical case of the run by then, as they stood then."""
    critical = {pair["case"] for pair in pairs if pair["critical"]}
    for waiver in material.waivers:
        about = waiver.gold_set == run.gold_set.name and critical & set(waiver.case_ids)
        if about and waiver.asked_at <= decided:
            yield _waiver(waiver, decided)


def _waiver(waiver: WaiverRow, decided: datetime) -> Document:
    confirmed = waiver.confirmed_at is not None and waiver.confirmed_at <= decided
    revoked = waiver.revoked_at is not None and waiver.revoked_at <= decided
    at = waiver.confirmed_at if confirmed else None
    gone = waiver.revoked_at if revoked else None
    standing = Standing(
        asked_by=waiver.asked_by,
        expires_at=waiver.expires_at,
        confirmed_by=waiver.confirmed_by if confirmed else None,
        revoked=revoked,
    )
    return {
        "id": waiver.number,
        "case_ids": list(waiver.case_ids),
        "systems": waiver.raw.get("systems"),
        "impact": waiver.raw["impact"],
        "owner": waiver.raw["owner"],
        "reason": waiver.raw["reason"],
        "asked_by": waiver.asked_by,
        "asked_at": waiver.asked_at.isoformat(),
        "expires_at": waiver.expires_at.isoformat(),
        "confirmed_by": standing.confirmed_by,
        "confirmed_at": at.isoformat() if at else None,
        "revoked_by": waiver.raw["revoked_by"] if revoked else None,
        "revoked_at": gone.isoformat() if gone else None,
        "revoked_because": waiver.raw["revoked_because"] if revoked else None,
        "state": state_of(standing, decided).value,
    }


def _owners(run: RunRow, policy: PolicyRow) -> dict[str, str]:
    made = {
        "run": run.created_by,
        "calibration": run.judge.frozen_by,
        "cases": run.gold_set.created_by,
        "abstains": policy.frozen_by,
        "critical": policy.frozen_by,
        "policy": policy.frozen_by,
    }
    known = {name: user for name, user in made.items() if user is not None}
    return {**known, **policy.document.get("evidenceOwners", {})}


def calibration_again(
    report: Document, row: Mapping[str, Any], limits: Any, said: Document
) -> Document:
    """What a report says of its judge; ``said`` is what the evidence says it does.

    Of a sealed set that is the word alone. How many looks were planned, and how many
    pairs were open elsewhere, depends on sets with the same pairs, which need not be in
    the bundle.
    """
    block, sealed = report["splits"]["held_out"], bool(said.get("word"))
    served = {str(each["model"]) for each in report["run"]["served_models"]}
    return {
        "report": {"id": row["report"], "digest": row["digest"]},
        "judge": {key: report["judge"][key] for key in ("name", "version", "digest")},
        "gold": {key: report["gold"][key] for key in ("set", "version", "digest")},
        **counts_json(block, sealed=sealed),
        "open_elsewhere": said.get("open_elsewhere"),
        "limits": limits,
        "looks": said.get("looks"),
        "word": said.get("word", ""),
        "served_models": sorted(filter(None, served)),
    }
