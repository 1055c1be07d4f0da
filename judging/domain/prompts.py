"""From templates and one pair to the messages that a judge is sent (DESIGN rule 18)."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.ports import Message, Role
from judging.domain.templates import PAIRWISE, fill, parse
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judging.domain.templates import Names

# Changes whenever the same template and pair would give other messages.
RENDERER_VERSION = "fenced/1"

_FENCE_DIGITS = 16


@dataclass(frozen=True, slots=True)
class JudgeTemplate:
    """The two templates of a judge; an empty ``system`` sends no system message."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class PromptCase:
    """One pair in one order, as texts. An empty or missing optional text is absent."""

    prompt: str
    first: str
    second: str
    context: str | None = None
    reference: str | None = None
    question: str = ""
    rubric: str = ""
    menu: str = ""

    @property
    def swapped(self) -> PromptCase:
        """The same pair in the opposite order."""
        return PromptCase(
            prompt=self.prompt,
            first=self.second,
            second=self.first,
            context=self.context,
            reference=self.reference,
            question=self.question,
            rubric=self.rubric,
            menu=self.menu,
        )

    def case_texts(self) -> dict[str, str]:
        """Give the untrusted texts that are there, by name."""
        optional = {"context": self.context, "reference": self.reference}
        return {
            "prompt": self.prompt,
            **{name: text for name, text in optional.items() if text},
            "first": self.first,
            "second": self.second,
        }


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is sent; ``fence`` is the code in the delimiter lines."""

    messages: tuple[Message, ...]
    fence: str

    @property
    def length(self) -> int:
        """Characters in all messages together."""
        return sum(len(message.content) for message in self.messages)


def fence_for(case: PromptCase) -> str:
    """Derive a pair's delimiter code: the same in both orders and in none of its texts.

    SHA-256 over the lengths and bytes of the texts, the two responses sorted, and a
    counter that rises until the code occurs in no text.
    """
    texts = case.case_texts()
    responses = sorted((texts.pop("first"), texts.pop("second")))
    return fence_over([*responses, *(f"{name}={text}" for name, text in texts.items())])


def fence_over(everything: Sequence[str]) -> str:
    """Derive a delimiter code from texts; it occurs in none of them."""
    base = hashlib.sha256()
    for text in everything:
        data = text.encode("utf-8", "surrogatepass")
        base.update(f"{len(data)}:".encode() + data)
    return _unused_code(base.digest(), everything)


def fenced(text: str, fence: str) -> str:
    """Put a text, unchanged, between its two delimiter lines."""
    return f"<<<BEGIN {fence}>>>\n{text}\n<<<END {fence}>>>"


def render(template: JudgeTemplate, case: PromptCase) -> Rendered:
    """Render the messages. Raises ``TemplateError`` for a template that is broken."""
    own = {name: getattr(case, name) for name in ("question", "rubric", "menu")}
    return render_texts(template, case.case_texts(), own, fence=fence_for(case))


def render_texts(
    template: JudgeTemplate,
    material: Mapping[str, str],
    own: Mapping[str, str],
    *,
    fence: str,
    names: Names = PAIRWISE,
) -> Rendered:
    """Render messages of any kind: ``material`` is fenced, ``own`` words are not."""
    texts = {name: fenced(text, fence) for name, text in material.items()}
    texts |= {name: text for name, text in own.items() if text}
    system, user = (
        fill(parse(template.system, names), texts),
        fill(parse(template.user, names), texts),
    )
    head = (Message(Role.SYSTEM, system),) if system.strip() else ()
    return Rendered((*head, Message(Role.USER, user)), fence)


def occurrences(rendered: Rendered, case: PromptCase) -> tuple[str, ...]:
    """Say which texts do not occur exactly once and whole; empty when all do.

    Each text must stand between its delimiter lines once; two equal texts (a designed
    tie) must stand there twice. Checked again on every call before it is sent.
    """
    return not_whole(rendered, case.case_texts())


def not_whole(rendered: Rendered, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Say which of these texts do not stand once and whole between their lines."""
    wanted = Counter(texts.values())
    problems = []
    for name, text in texts.items():
        found = _count(rendered, fenced(text, rendered.fence))
        if found != wanted[text]:
            problems.append(f"{name}: {found} times, not {wanted[text]}")
    marks = _count(rendered, rendered.fence)
    if not problems and marks != 2 * len(texts):
        problems.append(f"{marks} delimiter lines for {len(texts)} texts")
    return tuple(problems)


def too_long(rendered: Rendered, limit: int | None) -> Invalid | None:
    """Give the reading of a call that may not be sent: input is never cut.

    ``limit`` is in characters over all messages; ``None`` is no limit.
    """
    if limit is None or rendered.length <= limit:
        return None
    detail = f"{rendered.length} characters, the limit is {limit}"
    return Invalid(InvalidReason.TOO_LONG, detail)


def _unused_code(seed: bytes, texts: Iterable[str]) -> str:
    everything = tuple(texts)
    counter = 0
    while True:
        code = hashlib.sha256(seed + str(counter).encode()).hexdigest()[:_FENCE_DIGITS]
        if not any(code in text for text in everything):
            return code
        counter += 1


def _count(rendered: Rendered, piece: str) -> int:
    return sum(message.content.count(piece) for message in rendered.messages)
