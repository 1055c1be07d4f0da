"""What is planted in a simulated judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Menu(StrEnum):
    """The verdict notations that the simulated judge can write."""

    FIVE_TOKEN = "five_token"  # noqa: S105 - a notation, no password
    JSON_WINNER = "json_winner"
    CHOICE_123 = "choice_123"
    AB_BRACKET = "ab_bracket"
    OUTPUT_AB = "output_ab"


class Shape(StrEnum):
    """What a reply can look like instead of a clean verdict."""

    UNPARSED = "unparsed"
    OFF_MENU = "off_menu"
    CONFLICTING = "conflicting"
    TRUNCATED = "truncated"
    TRUNCATED_EMPTY = "truncated_empty"
    REFUSED = "refused"
    REFUSAL_FIELD = "refusal_field"
    FILTERED = "filtered"
    EMPTY = "empty"
    NULL_CONTENT = "null_content"
    NO_CHOICES = "no_choices"
    NULL_CHOICES = "null_choices"
    TOOL_CALL = "tool_call"
    NO_FINISH_REASON = "no_finish_reason"
    REASONING_ONLY = "reasoning_only"
    HTML = "html"
    JSON_LIST = "json_list"
    JSON_TEXT = "json_text"
    BROKEN_JSON = "broken_json"
    ERROR_BODY = "error_body"
    BLOCKED = "blocked"


class Fault(StrEnum):
    """What can happen to one attempt; the next attempt draws again."""

    RESET = "reset"
    HANG = "hang"
    SERVER_ERROR = "server_error"
    RATE_LIMITED = "rate_limited"
    CUT_SHORT = "cut_short"
    DRIP = "drip"


class BatchFate(StrEnum):
    """What can become of a batch."""

    COMPLETED = "completed"
    EXPIRED = "expired"
    FAILED = "failed"
    QUEUE_FULL = "queue_full"
    CANCELLED = "cancelled"


NEEDED = ("first", "second", "tie", "abstain")


@dataclass(frozen=True)
class Options:
    """Planted parameters; rates are probabilities from 0 to 1.

    Verdicts: ``first_slot`` (``second_slot``) is the share of requests answered
    "first" ("second") whatever the content; of the others, ``length`` is the share of
    pairs whose longer response is preferred, then ``abstain`` and ``tie`` the shares of
    pairs so answered; the rest goes by quality, rightly for a share ``accuracy`` of
    pairs. Qualities that differ by less than ``tie_margin`` are ties, by at least
    ``strong_margin`` strong preferences. ``oracle`` maps the SHA-256 of a stripped
    response text to its quality, or to None if it can't be judged; other texts have a
    quality from 0 to 1 derived from their hash.

    ``notation`` gives other words for ``first``, ``second``, ``tie`` and ``abstain``
    (and perhaps ``first_strong``, ``second_strong`` and ``other``), for judges that
    read their verdict by a regular expression.

    Single responses are marked by their quality: from 0.5 they pass. ``accuracy`` is
    the share marked rightly (others as if their quality were the opposite),
    ``abstain`` the share that is not marked, ``gate_fails`` the share of responses
    that fail each gate.

    Trouble: ``shapes`` gives the rate of each malformed reply by request, ``faults``
    the rate of each fault by attempt. ``latency`` and ``latency_spread`` are seconds
    (each request's delay is its own, within plus or minus the spread); ``rate_limit``
    is requests a second (0: none), ``retry_after`` the seconds asked for; ``quota`` is
    how many replies there are before the quota is gone. ``refuses_params`` names body
    fields answered with ``unsupported_parameter``; ``only_model`` is the one model that
    exists; ``api_key`` the one key accepted; ``context_chars`` the input limit.

    Batches: each takes ``batch_seconds``; ``batch_fates`` is what becomes of the first
    ones (the rest are completed), of which a share ``batch_done`` is carried out where
    they are not. ``batch_delay`` is how long requests about files and batches take
    after their effect.

    Raises ``ValueError`` for a rate outside 0 to 1 or rates that add up to over 1.
    """

    seed: int = 0
    menu: Menu | None = None
    notation: Mapping[str, str] = field(default_factory=dict)
    first_slot: float = 0.0
    second_slot: float = 0.0
    length: float = 0.0
    abstain: float = 0.0
    tie: float = 0.0
    accuracy: float = 1.0
    gate_fails: float = 0.0
    tie_margin: float = 0.02
    strong_margin: float = 0.4
    oracle: Mapping[str, float | None] = field(default_factory=dict)
    shapes: Mapping[Shape, float] = field(default_factory=dict)
    faults: Mapping[Fault, float] = field(default_factory=dict)
    latency: float = 0.0
    latency_spread: float = 0.0
    rate_limit: float = 0.0
    retry_after: float = 1.0
    quota: int | None = None
    refuses_params: tuple[str, ...] = ()
    only_model: str | None = None
    api_key: str | None = None
    context_chars: int | None = None
    batch_seconds: float = 0.0
    batch_fates: tuple[BatchFate, ...] = ()
    batch_done: float = 0.5
    batch_delay: float = 0.0

    def __post_init__(self) -> None:
        rates: dict[str, float] = {
            name: getattr(self, name)
            for name in ("first_slot", "second_slot", "length", "abstain", "tie")
        }
        rates["accuracy"] = self.accuracy
        rates["gate_fails"] = self.gate_fails
        rates["batch_done"] = self.batch_done
        rates.update({str(shape): rate for shape, rate in self.shapes.items()})
        rates.update({str(fault): rate for fault, rate in self.faults.items()})
        for name, rate in rates.items():
            if not 0 <= rate <= 1:
                msg = f"{name} must lie between 0 and 1, not {rate}"
                raise ValueError(msg)
        for name in ("latency", "latency_spread", "batch_seconds", "batch_delay"):
            if not 0 <= (seconds := getattr(self, name)) < float("inf"):
                msg = f"{name} must be 0 seconds or more, not {seconds}"
                raise ValueError(msg)
        lacking = [
            word for word in NEEDED if self.notation and word not in self.notation
        ]
        if lacking:
            msg = f"notation must say how {lacking[0]} is written"
            raise ValueError(msg)
        _adds_up("slot preferences", [self.first_slot, self.second_slot])
        _adds_up("pair rates", [self.length, self.abstain, self.tie])
        _adds_up("shapes", list(self.shapes.values()))
        _adds_up("faults", list(self.faults.values()))


def _adds_up(name: str, rates: list[float]) -> None:
    if sum(rates) > 1 + 1e-9:
        msg = f"{name} add up to more than 1"
        raise ValueError(msg)
