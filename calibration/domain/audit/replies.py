"""What a call must have been asked, and what its raw reply must have been read as."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.texts import plain_text, text_from_json
from judging.domain.asking import NotWhole, ask, format_of, prompt_case
from judging.domain.exchange import reply_from_body
from judging.domain.kinds import outdated
from judging.domain.marks import Abstained, Mark
from judging.domain.pointwise import PointwiseCase, ask_pointwise, mark_of, scale_of
from judging.domain.ports import FINAL, FailureKind, JudgeRequest, RawReply
from judging.domain.prompts import RENDERER_VERSION
from judging.domain.readings import reading_of
from judging.domain.rubrics import (
    RubricCase,
    ask_for_rubric,
    rubric_from,
    rubric_step_of,
    without_rubric,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calibration.domain.audit.material import (
        CaseRow,
        JudgeRow,
        PairRow,
        ResponseRow,
    )
    from judging.domain.digests import JudgeSpec
    from judging.domain.prompts import Rendered

    Row = Mapping[str, Any]

STORED_CHOICES = "stored choices"
LONGEST_BODY = 2_000_000  # a longer one was cut when it was stored
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # turns dates of retries into waits only
ANSWER = (
    "choice", "strength", "score", "stated", "passed", "failed_gates", "rubric",
    "invalid_reason", "detail", "flags", "span",
)  # fmt: skip
_BLANK: dict[str, Any] = {
    "choice": "", "strength": None, "score": None, "stated": None, "passed": None,
    "failed_gates": [], "rubric": "", "invalid_reason": "", "detail": "", "flags": [],
    "span": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call was about, as far as its request follows from it.

    ``made`` is the rubric that was written for its case, or why there is none.
    """

    judge: JudgeRow
    pair: PairRow | None = None
    response: ResponseRow | None = None
    case: CaseRow | None = None
    order: str = ""
    made: str | Invalid | None = None


def stored_text(stored: Any) -> str:
    """Give the plain text of a stored string or list of messages."""
    return plain_text(text_from_json(stored))


def _optional(stored: Any) -> str | None:
    return None if stored is None else stored_text(stored)


def rubric_case(case: CaseRow) -> RubricCase:
    """Give a case as its rubric is written from it."""
    return RubricCase(
        stored_text(case.prompt), _optional(case.context), _optional(case.reference)
    )


def request_of(asked: Asked) -> str | Invalid:
    """Give the hash of the request that a call must have sent, or why it sent none."""
    try:
        rendered, params = _rendered(asked)
    except NotWhole as error:
        return Invalid(InvalidReason.PROVIDER_ERROR, f"not sent: {error}")
    if isinstance(rendered, Invalid):
        return rendered
    spec: Any = asked.judge.spec
    return JudgeRequest(rendered.messages, spec.model, params).request_hash


def _rendered(asked: Asked) -> tuple[Rendered | Invalid, Mapping[str, object]]:
    spec: Any = asked.judge.spec
    params = dict(spec.params)
    if spec.response_format is not None:
        params["response_format"] = dict(spec.response_format)
    if asked.response is not None:
        return ask_pointwise(spec, scale_of(spec), _response_case(asked)), params
    if asked.case is not None:
        step = rubric_step_of(spec)
        if step is None:
            raise NotWhole(("this judge writes no rubrics",))
        return ask_for_rubric(spec, step, rubric_case(asked.case)), step.params
    if isinstance(asked.made, Invalid):
        return without_rubric(asked.made), {}
    return _ask_pair(spec, asked), params


def _response_case(asked: Asked) -> PointwiseCase:
    response = asked.response
    assert response is not None  # noqa: S101 - its caller looked
    case = response.case
    return PointwiseCase(
        stored_text(case.prompt),
        stored_text(response.text),
        _optional(case.context),
        _optional(case.reference),
    )


def _ask_pair(spec: JudgeSpec, asked: Asked) -> Rendered | Invalid:
    pair = asked.pair
    assert pair is not None  # noqa: S101 - a call is of one of three things
    sides = stored_text(pair.baseline.text), stored_text(pair.candidate.text)
    in_front = choice_for(Outcome.BASELINE, Order(asked.order)) is SlotChoice.FIRST
    first, second = sides if in_front else sides[::-1]
    made = asked.made if isinstance(asked.made, str) else None
    case = prompt_case(
        spec,
        prompt=stored_text(pair.case.prompt),
        first=first,
        second=second,
        context=_optional(pair.case.context),
        reference=_optional(pair.case.reference),
        made_rubric=made,
    )
    return ask(spec, case)


def raws_of(reply: Row, attempts: Iterable[Row]) -> list[RawReply]:
    """Give what came back for a call, as it was before anything was read from it."""
    found = []
    for attempt in attempts:
        if attempt["error"]:
            continue
        body = attempt["body"]
        if len(body) >= LONGEST_BODY:
            found.append(_cut(reply, body))
            continue
        came = reply_from_body(attempt["status"] or 200, {}, body, now=_ANY_DAY)
        if isinstance(came, RawReply):
            found.append(came)
    return found


def _cut(reply: Row, body: str) -> RawReply:
    """What is known of a reply whose body was too long to be kept whole."""
    finish = reply["finish_reason"] or None
    return RawReply(text=reply["raw"], body=body, finish_reason=finish)


def answer_of(asked: Asked, raw: RawReply) -> dict[str, Any]:
    """Give the answer that a reply holds, by the parser that the judge declares."""
    spec: Any = asked.judge.spec
    if asked.response is not None:
        return _mark_row(mark_of(raw, scale_of(spec)))
    if asked.case is not None:
        step = rubric_step_of(spec)
        assert step is not None  # noqa: S101 - request_of refused it
        made = rubric_from(raw, step)
        if isinstance(made, Invalid):
            return invalid_answer(made)
        return _BLANK | {"rubric": storable(made.text), "flags": list(made.flags)}
    return verdict_answer(
        reading_of(raw, format_of(spec), offers_abstain=spec.offers_abstain)
    )


def verdict_answer(reading: Verdict | Invalid) -> dict[str, Any]:
    """Give the columns of a verdict."""
    if isinstance(reading, Invalid):
        return invalid_answer(reading)
    return _BLANK | {
        "choice": reading.choice.value,
        "strength": reading.strength,
        "flags": list(reading.flags),
        "span": list(reading.span) if reading.span else None,
    }


def _mark_row(reading: Mark | Abstained | Invalid) -> dict[str, Any]:
    if isinstance(reading, Invalid):
        return invalid_answer(reading)
    span = list(reading.span) if reading.span else None
    if isinstance(reading, Abstained):
        return _BLANK | {"choice": SlotChoice.ABSTAIN.value, "span": span}
    return _BLANK | {
        "score": reading.score,
        "stated": reading.stated,
        "passed": reading.passed,
        "failed_gates": list(reading.failed_gates),
        "flags": list(reading.flags),
        "span": span,
    }


def invalid_answer(reading: Invalid) -> dict[str, Any]:
    """Give the columns of an answer that is none."""
    reason = reading.reason.value
    return _BLANK | {"invalid_reason": reason, "detail": storable(reading.detail)}


def recorded_answer(spec: JudgeSpec, reply: Row) -> dict[str, Any] | None:
    """Give the answer of a recorded reply; ``None`` where the file said it."""
    raw = reply["raw"]
    if raw is not None and not raw.strip():
        empty = Invalid(InvalidReason.EMPTY, "the recorded reply is empty")
        return invalid_answer(empty)
    if spec.parser_version == STORED_CHOICES:
        return None
    came = RawReply(text=raw or "", body="", finish_reason="stop")
    return verdict_answer(
        reading_of(came, format_of(spec), offers_abstain=spec.offers_abstain)
    )


def unread(judge: JudgeRow) -> str:
    """Say why this version can't ask or read as a judge declares; else empty."""
    spec: Any = judge.spec
    if judge.recorded:
        if spec.parser_version == STORED_CHOICES:
            return ""
        spec = replace(spec, renderer=RENDERER_VERSION)  # nothing was rendered
    return outdated(spec)


def gave_up(reply: Row, attempts: Iterable[Row]) -> bool:
    """Whether an invalid answer without a reply follows from what failed."""
    kinds = {attempt["error"] for attempt in attempts if attempt["error"]}
    reasons = set()
    for kind in kinds & set(FailureKind):
        failure = FailureKind(kind)
        reasons.add(FINAL.get(failure, InvalidReason.PROVIDER_ERROR).value)
        if failure is FailureKind.TIMEOUT:
            reasons.add(InvalidReason.TIMEOUT.value)
    return reply["invalid_reason"] in reasons


def storable(text: str) -> str:
    """Give a text as the database holds it: no NUL, no half surrogate pair."""
    clean = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return clean.encode("utf-8", "replace").decode()
