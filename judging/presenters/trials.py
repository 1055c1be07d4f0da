"""A pair that a judge was tried on, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import outcome_of
from config.errors import Conflict
from judging.domain.marks import Abstained, Mark
from judging.domain.verdicts import Invalid
from judging.models import ConfigKind
from judging.presenters.calls import Marked, cut
from judging.presenters.judges import readable_asked_spec
from judging.presenters.messages import ORDER_NAMES, RUBRIC_TITLE
from judging.services import diagnosing

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import Pair
    from judging.domain.ports import Endpoint, JudgeClient, RawReply
    from judging.models import JudgeConfig
    from judging.services.diagnosing import Exchanged, PairTrial, ResponseTrial

    OpenClient = Callable[[Endpoint], JudgeClient]


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """One order: what was read, and the reply or why there is none."""

    title: str
    reading: str
    invalid: bool
    detail: str
    flags: tuple[str, ...]
    reply: RawReply | None
    raw: Marked | None


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """Every request of a trial and what came of it; ``result`` in one line."""

    result: str
    orders: tuple[ShownOrder, ...]


def shown_trial(trial: PairTrial) -> ShownTrial:
    """Put a trial of a pair into words."""
    verdict = trial.verdict
    consistency = verdict.consistency.value.replace("_", " ")
    orders = tuple(
        _shown(
            ORDER_NAMES[each.order],
            each.exchanged,
            each.reading
            if isinstance(each.reading, Invalid)
            else Said(
                outcome_of(each.reading.choice, each.order).value,
                each.reading.flags,
                each.reading.span,
            ),
        )
        for each in trial.orders
    )
    if trial.rubric is not None:
        made = trial.rubric.made
        said = made if isinstance(made, Invalid) else Said("written", made.flags)
        orders = (_shown(RUBRIC_TITLE, trial.rubric.exchanged, said), *orders)
    return ShownTrial(f"{verdict.outcome.value}, {consistency}", orders)


def shown_marks_trial(trials: tuple[ResponseTrial, ...]) -> ShownTrial:
    """Put a trial of both responses into words."""
    orders = tuple(
        _shown(
            f"{each.which.value.capitalize()} response",
            each.exchanged,
            each.reading
            if isinstance(each.reading, Invalid)
            else Said(
                reading_in_words(each.reading),
                each.reading.flags if isinstance(each.reading, Mark) else (),
                each.reading.span,
            ),
        )
        for each in trials
    )
    return ShownTrial("each response by itself", orders)


@dataclass(frozen=True, slots=True)
class Said:
    """What was read from a reply, in words, and where."""

    words: str
    flags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None


def reading_in_words(reading: Mark | Abstained) -> str:
    """A mark in words."""
    if isinstance(reading, Abstained):
        return "abstain"
    passed = {True: ", passes", False: ", fails", None: ""}[reading.passed]
    return f"score {reading.score}{passed}"


def _shown(title: str, exchanged: Exchanged, said: Said | Invalid) -> ShownOrder:
    reply = exchanged.reply
    text = None if reply is None else reply.text
    if isinstance(said, Invalid):
        return ShownOrder(
            title=title,
            reading=f"invalid: {said.reason.value}",
            invalid=True,
            detail=said.detail or exchanged.failure,
            flags=(),
            reply=reply,
            raw=None if text is None else cut(text, None),
        )
    return ShownOrder(
        title=title,
        reading=said.words,
        invalid=False,
        detail="",
        flags=said.flags,
        reply=reply,
        raw=None if text is None else cut(text, said.span),
    )


def tried_connection(config: JudgeConfig, open_client: OpenClient) -> Exchanged:
    """Ask a judge's provider for one word; raises ``Conflict`` if none is asked."""
    spec = readable_asked_spec(config)
    if spec is None or config.provider is None:
        raise Conflict("judge_not_asked", "This judge can't be asked by itself.")
    return diagnosing.try_connection(
        provider=config.provider,
        model=spec.model,
        params=dict(spec.params),
        open_client=open_client,
    )


def tried_pair(config: JudgeConfig, pair: Pair, open_client: OpenClient) -> ShownTrial:
    """Try a judge of any kind that is asked on a dev pair, and put it into words."""
    if config.kind == ConfigKind.POINTWISE:
        return shown_marks_trial(
            diagnosing.try_responses(config=config, pair=pair, open_client=open_client)
        )
    return shown_trial(
        diagnosing.try_pair(config=config, pair=pair, open_client=open_client)
    )
