"""Reading what judges did: each call's request and reply are worked out again."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from calibration.domain.audit.material import (
    BadRow,
    JudgeRow,
    Material,
    RunRow,
    get,
    known,
    maybe,
    moment,
)
from calibration.domain.audit.replies import (
    ANSWER,
    Asked,
    answer_of,
    gave_up,
    invalid_answer,
    raws_of,
    recorded_answer,
    request_of,
    rubric_case,
    storable,
    unread,
)
from calibration.domain.audit.simulated import simulated_since
from judging.domain.costs import Price
from judging.domain.kinds import asked_from_json
from judging.domain.marks import Abstained, Mark
from judging.domain.panels import (
    AbstainRule,
    NoQuorum,
    PanelSpec,
    TopTie,
    VoteRule,
)
from judging.domain.rubrics import case_digest
from judging.domain.terms import CombiningRule, InvalidReason
from judging.domain.verdicts import CallReading, Invalid, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.ports import RawReply

    Row = Mapping[str, Any]

PANEL = "panel"
DONE = "done"
FINISHED = (DONE, "stopped", "failed")
DESCRIBED = {"finish_reason": 40, "served_model": 200, "fingerprint": 200}
COUNTS = ("prompt", "completion", "reasoning", "cached")


def providers(row: Row, _number: int, material: Material) -> None:
    """Where judges live."""
    alias, simulated = get(row, "provider", str), get(row, "simulated", bool)
    material.providers[alias] = simulated


def prices(row: Row, _number: int, material: Material) -> None:
    """A price, and when it was entered."""
    cached, share = maybe(row, "cached", str), maybe(row, "batch_share", str)
    price = Price(
        provider=get(row, "provider", str),
        model=get(row, "model", str),
        valid_from=date.fromisoformat(get(row, "valid_from", str)),
        prompt=Decimal(get(row, "prompt", str)),
        completion=Decimal(get(row, "completion", str)),
        cached=Decimal(cached) if cached is not None else None,
        currency=get(row, "currency", str),
        batch_share=Decimal(share) if share is not None else None,
    )
    material.prices.append((moment(row, "created_at"), price))


def judges(row: Row, _number: int, material: Material) -> None:
    """A judge: its digest is that of everything that determines its verdicts."""
    raw, kind = get(row, "spec", dict), get(row, "kind", str)
    if digest_of(raw) != get(row, "digest", str):
        raise BadRow("its specification does not fit its digest")
    judge = JudgeRow(
        number=get(row, "judge", int),
        name=get(row, "name", str),
        version=get(row, "version", int),
        kind=kind,
        provider=maybe(row, "provider", str),
        recorded=get(row, "recorded", bool),
        frozen_by=maybe(row, "frozen_by", str),
        digest=row["digest"],
        raw=raw,
        spec=panel_from(raw) if kind == PANEL else asked_from_json(raw),
        simulated=simulated_since(row, material),
    )
    material.judges[judge.number] = judge


def panel_from(raw: Row) -> PanelSpec:
    """Read a panel from its JSON form."""
    return PanelSpec(
        members=tuple(map(str, raw["members"])),
        combining_rule=CombiningRule(raw["combining_rule"]),
        rule=VoteRule(raw["rule"]),
        top_tie=TopTie(raw["top_tie"]),
        abstain_rule=AbstainRule(raw["abstain_rule"]),
        no_quorum=NoQuorum(raw["no_quorum"]),
        quorum=raw["quorum"],
    )


def runs(row: Row, number: int, material: Material) -> None:
    """A run."""
    finished = maybe(row, "finished_at", str)
    run = RunRow(
        number=get(row, "run", int),
        row=number,
        gold_set=known(material.sets, row["gold_set"], "a gold set"),
        judge=known(material.judges, row["judge"], "a judge"),
        status=get(row, "status", str),
        purpose=get(row, "purpose", str),
        members=tuple(map(int, get(row, "members", list))),
        calls=get(row, "calls", int),
        batches=get(row, "batches", bool),
        notices=row["notices"],
        created=moment(row, "created_at"),
        created_by=maybe(row, "created_by", str),
        finished=moment(row, "finished_at") if finished else None,
        drawn=maybe(row, "drawn", dict),
    )
    material.runs[run.number] = run


def calls(row: Row, _number: int, material: Material) -> list[str]:
    """A call: where which system stood, what was asked, and what its reply says.

    Gives what can't be told with this version.
    """
    run = known(material.runs, row["run"], "a run")
    asked = _asked(row, run, material)
    run.seen += 1
    _spend(row, run)
    reply = row["reply"]
    if reply is None:
        if run.status == DONE:
            raise BadRow("it has no answer, and its run is done")
        return []
    _check_subject(asked, reply)
    untold = _check_answer(asked, row, reply)
    _keep(row, reply, run)
    return untold


def _asked(row: Row, run: RunRow, material: Material) -> Asked:
    judge = run.judge
    if row["case_id"] is not None:
        key = run.gold_set.name, row["case_id"]
        return Asked(judge, case=known(material.cases, key, "a case"))
    if row["response"] is not None:
        response = known(material.responses, row["response"], "a response")
        return Asked(judge, response=response)
    pair = known(material.pairs, row["pair"], "a pair")
    order = Order(get(row, "order", str))
    slots = {choice_for(one, order).value: one.value
             for one in (Outcome.BASELINE, Outcome.CANDIDATE)}  # fmt: skip
    if row["slots"] != slots:
        raise BadRow("its slots do not fit its order")
    made = run.rubrics.get(pair.case.case_id)
    return Asked(judge, pair=pair, order=order.value, made=made)


def _check_subject(asked: Asked, reply: Row) -> None:
    """The digests beside a reply are those of the texts it is about."""
    if asked.pair is not None:
        sides = asked.pair.baseline.sha256, asked.pair.candidate.sha256
        if (reply["baseline_sha256"], reply["candidate_sha256"]) != sides:
            raise BadRow("the digests of its responses are not those of its pair")
    elif asked.response is not None:
        if reply["subject_sha256"] != asked.response.sha256:
            raise BadRow("the digest of its response is another one's")
    elif asked.case is not None:
        digest = case_digest(rubric_case(asked.case))
        if reply["subject_sha256"] != digest:
            raise BadRow("the digest of its case is another one's")


def _check_answer(asked: Asked, row: Row, reply: Row) -> list[str]:
    spec: Any = asked.judge.spec
    said = {name: reply[name] for name in ANSWER}
    if why := unread(asked.judge):
        return [f"replies to {asked.judge.name} v{asked.judge.version}: {why}"]
    if asked.judge.recorded:
        expected = recorded_answer(spec, reply)
        if expected is None and (reply["choice_was_stored"] or said["invalid_reason"]):
            return []
        _compare(said, expected)
        return []
    _check_asked(asked, row, reply, said)
    return []


def _check_asked(asked: Asked, row: Row, reply: Row, said: Row) -> None:
    """A request was sent as it must be, and a reply that came says what is kept."""
    attempts, request = get(row, "attempts", list), request_of(asked)
    if isinstance(request, Invalid):
        _compare(said, invalid_answer(request))
        return
    hashes = {reply["request_hash"], *(each["request_hash"] for each in attempts)}
    if hashes != {request}:
        raise BadRow("its request is not what the judge and the texts come to")
    came = raws_of(reply, attempts)
    if not came:
        if not gave_up(reply, attempts):
            raise BadRow("no reply is there that says what it says")
        return
    kept = [raw for raw in came if answer_of(asked, raw) == said] or came
    fits = [raw for raw in kept if _is_kept(reply, raw)]
    _compare(said, answer_of(asked, (fits or kept)[0]))
    if not fits:
        raise BadRow("its text, model or token counts are not those of its raw body")


def _is_kept(reply: Row, raw: RawReply) -> bool:
    """Whether what is kept of a reply is what came back."""
    text = None if raw.text is None else storable(raw.text)
    counts = {name: getattr(raw.usage, name) for name in COUNTS}
    return (
        reply["raw"] == text
        and reply["reasoning"] == storable(raw.reasoning or "")
        and reply["usage"] == {k: n for k, n in counts.items() if n is not None}
        and all(
            reply[name] == storable(getattr(raw, name) or "")[:longest]
            for name, longest in DESCRIBED.items()
        )
    )


def _compare(said: Row, expected: Row | None) -> None:
    """Name the first part of an answer that its raw reply does not give."""
    for name in ANSWER if expected is not None else ():
        if said[name] != expected[name]:  # type: ignore[index]  # not None, see above
            what = name.replace("_", " ")
            raise BadRow(
                f"its {what} is {said[name]!r}; its raw reply says {expected[name]!r}"  # type: ignore[index]  # as above
            )
    if expected is None:
        raise BadRow("nothing says where its answer comes from")


def _spend(row: Row, run: RunRow) -> None:
    """Keep what the cost and the served models are summed up from."""
    reply = row["reply"]
    if reply is not None:
        run.served[reply["served_model"], reply["fingerprint"]] += 1
    if row["answered_by"] != row["call"]:
        run.reused += 1
        return  # its attempts were paid for by an earlier run
    for attempt in row["attempts"]:
        run.spent.append((attempt["sent_at"], attempt["error"], attempt["usage"]))


def _keep(row: Row, reply: Row, run: RunRow) -> None:
    """Keep what a reply was read as, for the verdicts."""
    reason = reply["invalid_reason"]
    invalid = Invalid(InvalidReason(reason), reply["detail"]) if reason else None
    if row["case_id"] is not None:
        run.rubrics[row["case_id"]] = invalid or reply["rubric"]
    elif row["response"] is not None:
        run.marks[row["response"]].append(invalid or _mark(reply))
    else:
        reading = invalid or Verdict(SlotChoice(reply["choice"]), reply["strength"])
        call = CallReading(Order(row["order"]), get(row, "repeat", int), reading)
        run.readings[row["pair"]].append(call)


def _mark(reply: Row) -> Mark | Abstained:
    if reply["score"] is None:
        return Abstained()
    return Mark(
        reply["score"],
        reply["passed"],
        reply["stated"],
        tuple(reply["failed_gates"]),
        tuple(reply["flags"]),
    )
