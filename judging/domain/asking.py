"""One frozen judge and one pair in one order: the messages, or why none may be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.formats.registry import get_format
from judging.domain.prompts import (
    JudgeTemplate,
    PromptCase,
    occurrences,
    render,
    too_long,
)

if TYPE_CHECKING:
    from judging.domain.digests import JudgeSpec
    from judging.domain.formats.base import VerdictFormat
    from judging.domain.prompts import Rendered
    from judging.domain.verdicts import Invalid


class NotWhole(ValueError):
    """A text would not reach the judge exactly once and whole: nothing may be sent."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def template_of(spec: JudgeSpec) -> JudgeTemplate:
    """Give the two templates of a judge."""
    return JudgeTemplate(spec.system_template, spec.user_template)


def format_of(spec: JudgeSpec) -> VerdictFormat:
    """Give the verdict format of a judge with its options, to ask with and to read by.

    Raises ``UnknownFormat`` for one that does not exist or has wrong options.
    """
    return get_format(spec.verdict_format, spec.format_options)


def prompt_case(
    spec: JudgeSpec,
    *,
    prompt: str,
    first: str,
    second: str,
    context: str | None = None,
    reference: str | None = None,
    made_rubric: str | None = None,
) -> PromptCase:
    """Join one pair in one order with the judge's own question, rubric and menu.

    ``made_rubric`` is what a judge with a rubric step wrote for this case; without it
    nothing may be asked, and :class:`NotWhole` is raised. Raises ``UnknownFormat`` for
    a verdict format that does not exist.
    """
    if spec.rubric_step is not None and not made_rubric:
        raise NotWhole(("the rubric of this case has not been written",))
    if spec.rubric_step is None and made_rubric:
        raise NotWhole(("this judge writes no rubrics",))
    menu = format_of(spec).menu(offers_abstain=spec.offers_abstain)
    return PromptCase(
        prompt=prompt,
        first=first,
        second=second,
        context=context,
        reference=reference,
        question=spec.question,
        rubric=made_rubric or spec.rubric,
        menu=menu,
    )


def ask(spec: JudgeSpec, case: PromptCase) -> Rendered | Invalid:
    """Render what is sent, rechecked (DESIGN rule 17), or the ``too_long`` reading.

    Raises :class:`NotWhole` if a text would be missing, repeated or damaged, and
    ``TemplateError`` for templates that do not parse; a linted judge causes neither.
    """
    rendered = render(template_of(spec), case)
    problems = occurrences(rendered, case)
    if problems:
        raise NotWhole(problems)
    return too_long(rendered, spec.input_limit) or rendered
