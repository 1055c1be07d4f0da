"""A rubric that the judge writes for each case before it compares (Sage's self-rubric).

A judge may have a first step: one call per case, before any pair of it is judged, that
writes a rubric from the prompt, context and reference, never from the responses. Its
text is stored once and stands for ``{{rubric}}`` in every call on a pair of that case,
in both orders and all repeats. The step is part of the judge's digest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of, text_digest
from judging.domain.asking import NotWhole
from judging.domain.formats.declining import is_refusal
from judging.domain.formats.options import Options
from judging.domain.formats.reasoning import without_reasoning
from judging.domain.prompts import (
    JudgeTemplate,
    fence_over,
    not_whole,
    render_texts,
    too_long,
)
from judging.domain.readings import SEVERAL_CHOICES, finish_flags, no_answer
from judging.domain.templates import Names
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.digests import JudgeSpec
    from judging.domain.ports import RawReply
    from judging.domain.prompts import Rendered

PLACEHOLDERS = Names(
    known=("prompt", "context", "reference", "rubric", "question"),
    optional=("context", "reference", "rubric", "question"),
)
MAX_CHARS = 20_000
_OPENING = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricStep:
    """The first step of a judge.

    ``params`` are sent as they are, to the judge's own model. ``max_chars`` is the
    longest rubric that is used; a longer one makes the case invalid and is never cut.
    In its templates ``{{rubric}}`` is the judge's written rubric, to start from.
    """

    system_template: str
    user_template: str
    params: Mapping[str, object]
    max_chars: int


@dataclass(frozen=True, slots=True)
class RubricCase:
    """What a rubric is written from: one case, without its responses."""

    prompt: str
    context: str | None = None
    reference: str | None = None

    def texts(self) -> dict[str, str]:
        """Give the untrusted texts that are there, by name."""
        optional = {"context": self.context, "reference": self.reference}
        there = {name: text for name, text in optional.items() if text}
        return {"prompt": self.prompt, **there}


@dataclass(frozen=True, slots=True)
class MadeRubric:
    """A rubric as it was written for one case; ``digest`` is that of its text."""

    text: str
    digest: str
    flags: tuple[str, ...] = ()


def case_digest(case: RubricCase) -> str:
    """SHA-256 of the texts that a rubric is written from."""
    return digest_of(case.texts())


def rubric_step_of(spec: JudgeSpec) -> RubricStep | None:
    """Give the first step of a judge, if it has one; raises ``BadOptions``."""
    return None if spec.rubric_step is None else read_step(spec.rubric_step)


def read_step(value: Mapping[str, object]) -> RubricStep:
    """Read a step from its JSON form; nothing is converted, no key is ignored."""
    given = Options(value)
    step = RubricStep(
        system_template=given.text("system_template", may_be_empty=True),
        user_template=given.text("user_template"),
        params=given.mapping("params"),
        max_chars=given.whole("max_chars", 1, MAX_CHARS),
    )
    given.refuse_others()
    return step


def ask_for_rubric(
    spec: JudgeSpec, step: RubricStep, case: RubricCase
) -> Rendered | Invalid:
    """Render the messages that ask for a case's rubric, or the ``too_long`` reading.

    Raises ``NotWhole`` if a text would not reach the judge whole and once.
    """
    texts = case.texts()
    rendered = render_texts(
        JudgeTemplate(step.system_template, step.user_template),
        texts,
        {"rubric": spec.rubric, "question": spec.question},
        fence=fence_over([f"{name}={text}" for name, text in texts.items()]),
        names=PLACEHOLDERS,
    )
    problems = not_whole(rendered, texts)
    if problems:
        raise NotWhole(problems)
    return too_long(rendered, spec.input_limit) or rendered


def rubric_from(reply: RawReply, step: RubricStep) -> MadeRubric | Invalid:
    """Accept a reply as the rubric of its case, or say why it can't be one.

    An answer that the provider marks as refused, filtered, cut off or empty is none;
    nor is one that opens by declining, that is longer than the step allows, or that
    writes the delimiter lines of the prompt. Reasoning blocks are left out.
    """
    stated = no_answer(reply)
    if stated is not None:
        return stated
    text = without_reasoning(reply.text or "").strip()
    if not text:
        return Invalid(InvalidReason.EMPTY, "reasoning but no rubric")
    if is_refusal(text[:_OPENING]):
        return Invalid(InvalidReason.REFUSED, "the reply declines to write a rubric")
    if len(text) > step.max_chars:
        detail = f"{len(text)} characters, at most {step.max_chars}; never cut"
        return Invalid(InvalidReason.UNPARSED, detail)
    if "<<<BEGIN" in text or "<<<END" in text:
        return Invalid(InvalidReason.UNPARSED, "it writes the prompt's delimiter lines")
    flags = finish_flags(reply)
    if reply.others:
        flags = (*flags, SEVERAL_CHOICES)
    return MadeRubric(text, text_digest(text), flags)


def without_rubric(why: Invalid) -> Invalid:
    """Give the reading of every call of a case whose rubric could not be written."""
    return replace(why, detail=f"no rubric for this case: {why.detail}")
