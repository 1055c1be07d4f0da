"""The rows of a bundle as values, each read strictly, by the ids that join them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from calibration.domain.audit.sentinel_material import Watched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.outcomes import Outcome, Split
    from judging.domain.digests import JudgeSpec
    from judging.domain.panels import PanelSpec
    from judging.domain.pointwise import PointwiseSpec
    from judging.domain.verdicts import CallReading

    Row = Mapping[str, Any]
    Author = tuple[str | None, str]

T = TypeVar("T")


class BadRow(ValueError):
    """A row that lacks a field, has one of the wrong type, or contradicts itself."""


def get(row: Row, name: str, kind: type[T]) -> T:
    """Read a field that must be of one type; raises :class:`BadRow`."""
    value = row.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadRow(f"{name} is missing or no {kind.__name__}")
    return value


def maybe(row: Row, name: str, kind: type[T]) -> T | None:
    """Read a field that may be null."""
    return get(row, name, kind) if row.get(name) is not None else None


def moment(row: Row, name: str) -> datetime:
    """Read a time with its zone."""
    try:
        found = datetime.fromisoformat(get(row, name, str))
    except ValueError as error:
        raise BadRow(f"{name} is no time") from error
    if found.utcoffset() is not None:
        return found
    raise BadRow(f"{name} has no time zone")


def texts(row: Row, name: str) -> tuple[str, ...]:
    """Read a list of texts."""
    found = tuple(get(row, name, list))
    if all(isinstance(each, str) for each in found):
        return found
    raise BadRow(f"{name} is no list of texts")


@dataclass(frozen=True, slots=True)
class SetRow:
    """A gold set as far as results rest on it."""

    name: str
    systems: tuple[str, ...]
    wanted: int
    rule: str
    simulated: bool
    created_by: str | None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case."""

    gold_set: str
    case_id: str
    prompt: Any
    context: Any
    reference: Any
    slices: Mapping[str, Any]
    critical: bool
    group: str

    @property
    def cluster(self) -> str:
        """The unit that stays together: the group, or the case where it has none."""
        return f"group:{self.group}" if self.group else f"case:{self.case_id}"


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """A response."""

    number: int
    case: CaseRow
    system: str
    text: Any
    sha256: str
    length: int
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair; the baseline is the system earlier in the set's list."""

    number: int
    case: CaseRow
    baseline: ResponseRow
    candidate: ResponseRow
    digest: str

    @property
    def systems(self) -> tuple[str, str]:
        """Baseline and candidate by name."""
        return self.baseline.system, self.candidate.system


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label that counts: no planned repeat."""

    author: Author
    outcome: Outcome
    order: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling, and at which row it stands."""

    row: int
    at: datetime
    outcome: Outcome
    digest: str
    after_judge: bool
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A pair of a gold version."""

    row: int
    pair: PairRow
    split: Split | None
    outcome: Outcome | None
    source: str
    open_reason: str
    labels: tuple[str, ...]
    ruling: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A frozen gold version."""

    number: int
    version: int
    gold_set: SetRow
    rule: str
    digest: str
    pairs: int
    left_open: int
    at: datetime


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A frozen judge; ``spec`` is its reading of ``raw``, by its kind."""

    number: int
    name: str
    version: int
    kind: str
    provider: str | None
    recorded: bool
    frozen_by: str | None
    digest: str
    raw: Mapping[str, Any]
    spec: JudgeSpec | PanelSpec | PointwiseSpec
    simulated: datetime | None = None


@dataclass(slots=True)
class RunRow:
    """A run, and what its calls came to as they are read."""

    number: int
    row: int
    gold_set: SetRow
    judge: JudgeRow
    status: str
    purpose: str
    members: tuple[int, ...]
    calls: int
    batches: bool
    notices: Any
    created: datetime
    created_by: str | None
    finished: datetime | None
    drawn: Mapping[str, Any] | None
    seen: int = 0
    readings: dict[int, list[CallReading]] = field(
        default_factory=lambda: defaultdict(list)
    )
    marks: dict[int, list[Any]] = field(default_factory=lambda: defaultdict(list))
    rubrics: dict[str, Any] = field(default_factory=dict)
    served: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    spent: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)
    reused: int = 0

    def marks_by(self, at: datetime) -> bool:
        """Whether it had marked all responses by then; a sentinel marks a few."""
        if self.status != "done" or self.purpose == "sentinel" or not self.finished:
            return False
        return self.judge.kind == "pointwise" and self.finished <= at


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """A frozen policy."""

    number: int
    name: str
    version: int
    document: Mapping[str, Any]
    digest: str
    frozen_at: datetime
    frozen_by: str | None


@dataclass(frozen=True, slots=True)
class WaiverRow:
    """A waiver, and what has happened to it."""

    number: int
    gold_set: str
    case_ids: tuple[str, ...]
    asked_by: str
    asked_at: datetime
    expires_at: datetime
    confirmed_by: str | None
    confirmed_at: datetime | None
    revoked_at: datetime | None
    raw: Mapping[str, Any]


@dataclass(slots=True)
class Material:
    """Everything that was read so far; ``dev_only`` of a bundle of dev pairs alone."""

    dev_only: bool = False
    sets: dict[str, SetRow] = field(default_factory=dict)
    guidelines: set[str] = field(default_factory=set)
    cases: dict[tuple[str, str], CaseRow] = field(default_factory=dict)
    responses: dict[int, ResponseRow] = field(default_factory=dict)
    pairs: dict[int, PairRow] = field(default_factory=dict)
    draws: dict[str, Any] = field(default_factory=lambda: defaultdict(dict))
    labels: dict[int, list[LabelRow]] = field(default_factory=lambda: defaultdict(list))
    rulings: dict[int, list[RulingRow]] = field(
        default_factory=lambda: defaultdict(list)
    )
    versions: dict[int, VersionRow] = field(default_factory=dict)
    items: dict[int, list[ItemRow]] = field(default_factory=lambda: defaultdict(list))
    wanted: dict[int, int] = field(default_factory=dict)
    providers: dict[str, bool] = field(default_factory=dict)
    prices: list[tuple[datetime, Any]] = field(default_factory=list)
    judges: dict[int, JudgeRow] = field(default_factory=dict)
    runs: dict[int, RunRow] = field(default_factory=dict)
    reports: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    looks: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    plans: dict[str, list[tuple[datetime, Any]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    policies: dict[int, PolicyRow] = field(default_factory=dict)
    waivers: list[WaiverRow] = field(default_factory=list)
    decisions: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    watched: Watched = field(default_factory=Watched)


def known(found: Mapping[Any, T], key: object, what: str) -> T:
    """Look up what a row refers to; raises :class:`BadRow` where it is not there."""
    try:
        return found[key]
    except (KeyError, TypeError) as error:
        raise BadRow(f"it names {what} that is not in the bundle") from error
