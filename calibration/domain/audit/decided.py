"""Reading decisions and what they rest on, and making each of them again."""

from __future__ import annotations

import hashlib
from itertools import combinations
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json, digest_of
from calibration.domain.audit.comparing import Difference, differences
from calibration.domain.audit.documents import canonical, compare, document, lasting
from calibration.domain.audit.evidence import (
    began_at,
    calibration_again,
    evidence_again,
)
from calibration.domain.audit.layout import (
    decision_file,
    evidence_file,
    report_file,
    table_file,
)
from calibration.domain.audit.material import (
    BadRow,
    Material,
    PolicyRow,
    WaiverRow,
    get,
    known,
    maybe,
    moment,
    texts,
)
from calibration.domain.audit.there import pairs_then
from calibration.domain.deciding import decide
from calibration.domain.rules import DECISION_RULES, other_rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings

    Row = Mapping[str, Any]

DECISIONS = table_file("decisions")
MOST = 3
# What evidence of other rules has to agree in all the same.
LASTING = ("run.gold_set", "run.systems", "run.judge", "run.purpose", "run.began_at")
LASTING_OF_PAIRS = (
    "case", "systems", "critical", "baseline_first", "candidate_first", "verdict",
    "consistency", "calls", "human",
)  # fmt: skip
BAD = (BadRow, KeyError, TypeError, ValueError, AttributeError, ArithmeticError)


def policies(row: Row, _number: int, material: Material) -> None:
    """A policy: its digest is that of its document."""
    document_ = get(row, "document", dict)
    if digest_of(document_) != get(row, "digest", str):
        raise BadRow("its document does not fit its digest")
    policy = PolicyRow(
        number=get(row, "policy", int),
        name=get(row, "name", str),
        version=get(row, "version", int),
        document=document_,
        digest=row["digest"],
        frozen_at=moment(row, "frozen_at"),
        frozen_by=maybe(row, "frozen_by", str),
    )
    material.policies[policy.number] = policy


def waivers(row: Row, _number: int, material: Material) -> None:
    """A waiver: nobody confirms their own."""
    confirmed, revoked = (
        moment(row, name) if row[name] is not None else None
        for name in ("confirmed_at", "revoked_at")
    )
    waiver = WaiverRow(
        number=get(row, "waiver", int),
        gold_set=get(row, "gold_set", str),
        case_ids=texts(row, "case_ids"),
        asked_by=get(row, "asked_by", str),
        asked_at=moment(row, "asked_at"),
        expires_at=moment(row, "expires_at"),
        confirmed_by=maybe(row, "confirmed_by", str),
        confirmed_at=confirmed,
        revoked_at=revoked,
        raw=row,
    )
    if waiver.confirmed_by == waiver.asked_by:
        raise BadRow("who asked for it confirmed it")
    _refuse_systems(row, material)
    material.waivers.append(waiver)


def _refuse_systems(row: Row, material: Material) -> None:
    """A waiver is for a pair of systems of its set; older bundles name none."""
    if row.get("systems") is None:
        return
    named, of_set = texts(row, "systems"), material.sets[row["gold_set"]].systems
    if named not in set(combinations(of_set, 2)):
        raise BadRow("systems are no baseline and candidate of its set")


def decisions(row: Row, number: int, material: Material) -> None:
    """A decision; its bytes come later."""
    known(material.runs, row["run"], "a run")
    known(material.policies, row["policy"], "a policy")
    material.decisions.append((number, row))


def check_decisions(
    material: Material, files: dict[str, bytes], found: Findings
) -> set[str]:
    """Make every decision again; give the files that belong to one."""
    names: set[str] = set()
    made: dict[tuple[Any, ...], int] = {}
    for row, decision in material.decisions:
        number = decision.get("decision")
        if isinstance(number, int):
            names |= {decision_file(number), evidence_file(number)}
        key = (decision["run"], decision["policy"], decision.get("evidence_digest"))
        if made.setdefault(key, row) != row:
            found.add(DECISIONS, row, f"it is made of the same as row {made[key]}")
        try:
            _check(decision, material, files, found)
        except BAD as error:
            words = str(error) or type(error).__name__
            what = f"it can't be made again: {words}"
            found.add(DECISIONS, row, " ".join(what.split())[:400])
    return names


def _check(
    row: Row, material: Material, files: dict[str, bytes], found: Findings
) -> None:
    number = get(row, "decision", int)
    name, evidence_name = decision_file(number), evidence_file(number)
    evidence = _stored(evidence_name, row["evidence_digest"], files, found)
    payload = _stored(name, row["digest"], files, found)
    if payload.get("result") != row["result"]:
        found.add(name, None, f"it says another result than its row: {row['result']}")
    _check_links(row, evidence, payload, material, found)
    rules = rules_of(evidence)
    if rules_of(payload) != rules:
        found.add(name, None, "it was made by other rules than its evidence names")
    if rules != DECISION_RULES:
        found.not_ours(other_rules(f"decision {number}", rules, DECISION_RULES))
        _check_lasting(row, evidence, payload, material, found)
        return
    compare(name, payload, decide(evidence), found)
    _check_evidence(row, evidence, material, files, found)
    found.counts["decisions"] += 1


def _check_links(
    row: Row, evidence: Any, payload: Any, material: Material, found: Findings
) -> None:
    """What holds whatever the rules: a decision is of its run, policy and evidence."""
    run, policy = material.runs[row["run"]], material.policies[row["policy"]]
    name = evidence_file(row["decision"])
    if policy.frozen_at > began_at(material, run):
        found.add(name, None, "its policy was frozen after its run began")
    if payload.get("evidence_digest") != row["evidence_digest"]:
        what = "it names the digest of other evidence"
        found.add(decision_file(row["decision"]), None, what)
    said = {"document": policy.document, "digest": policy.digest}
    for key, expected in said.items():
        if evidence["policy"].get(key) != expected:
            found.add(name, None, f"policy.{key} is not that of its policy")
    if evidence["run"].get("id") != run.number:
        found.add(name, None, f"run.id is {evidence['run'].get('id')!r}; its row says "
                  f"{run.number}")  # fmt: skip


def _check_lasting(
    row: Row, evidence: Any, payload: Any, material: Material, found: Findings
) -> None:
    """Of a decision by other rules, what each pair came to and how many there are."""
    run, policy = material.runs[row["run"]], material.policies[row["policy"]]
    decided = moment(row, "decided_at")
    again = canonical(evidence_again(material, run, policy, None, decided, 0))
    name = evidence_file(row["decision"])
    for one in lasting(evidence, again, LASTING):
        found.add(name, None, str(one))
    told, follow = ({p["pair"]: p for p in d["pairs"]} for d in (evidence, again))
    if told.keys() != follow.keys() or len(evidence["pairs"]) != len(told):
        found.add(name, None, f"it has {len(evidence['pairs'])} pairs, and not the "
                  f"{len(follow)} that its run judged")  # fmt: skip
    off = [
        Difference(f"pairs[{pair}].{one.path}", one.stored, one.follows)
        for pair in sorted(told.keys() & follow.keys())
        for one in lasting(told[pair], follow[pair], LASTING_OF_PAIRS)
    ]
    for one in off[:MOST]:
        found.add(name, None, str(one))
    conditions = {str(each.get("result")) for each in payload.get("conditions", ())}
    if payload.get("result") == "ship" and conditions != {"pass"}:
        what = "it ships, and not every condition of it is pass"
        found.add(decision_file(row["decision"]), None, what)


def _stored(name: str, digest: str, files: dict[str, bytes], found: Findings) -> Any:
    content = files.get(name)
    if content is None:
        raise BadRow(f"{name} is not there")
    if hashlib.sha256(content).hexdigest() != digest:
        found.add(name, None, "it does not fit the digest in its row")
    value = document(content)
    if canonical_json(value) != content:
        found.add(name, None, "it is not written as canonical JSON")
    return value


def _check_evidence(
    row: Row,
    evidence: dict[str, Any],
    material: Material,
    files: dict[str, bytes],
    found: Findings,
) -> None:
    """What a decision rests on follows from the rows; its policy came first."""
    run, policy = material.runs[row["run"]], material.policies[row["policy"]]
    name = evidence_file(row["decision"])
    there = get(evidence["not_judged"], "of", int)
    again = evidence_again(
        material,
        run,
        policy,
        _calibration(row, evidence, material, files),
        moment(row, "decided_at"),
        there,
    )
    _check_there(row, there, again["pairs"], material, found)
    off = differences(evidence, canonical(again))
    for one in [each for each in off if isinstance(each, Difference)][:MOST]:
        found.add(name, None, str(one))
    lacking = [each for each in off if not isinstance(each, Difference)]
    for each in lacking[:MOST]:
        found.add(name, None, f"{each.path} is missing")


def _check_there(
    row: Row, there: int, judged: list[Any], material: Material, found: Findings
) -> None:
    """How many pairs the set had, which the evidence says, can't be any number."""
    run, decided = material.runs[row["run"]], moment(row, "decided_at")
    least, now = pairs_then(material, run, judged, decided)
    if not least <= there <= now:
        what = f"not_judged.of is {there}; the set had {least} pairs or more by then"
        found.add(evidence_file(row["decision"]), None, f"{what}, and has {now}")
    elif there < now:
        found.leave(
            f"whether {now - there} of the pairs of {run.gold_set.name} came after "
            f"decision {row['decision']}, as it says: nothing was done with them then"
        )


def _calibration(
    row: Row, evidence: dict[str, Any], material: Material, files: dict[str, bytes]
) -> dict[str, Any] | None:
    if row["report"] is None:
        return None
    fitting = [each for _, each in material.reports if each["report"] == row["report"]]
    if not fitting:
        raise BadRow("its report is not in the bundle")
    report, decided = fitting[0], moment(row, "decided_at")
    stored = document(files[report_file(row["report"])])
    name = material.versions[report["version"]].gold_set.name
    plans = [limits for at, limits in material.plans[name] if at <= decided]
    limits = plans[-1] if plans else {}
    return calibration_again(stored, report, limits, evidence["calibration"] or {})
