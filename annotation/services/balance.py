"""Proof of balance: how often each system stood first in the labels submitted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.domain.intervals import SignTest, holm, sign_test
from annotation.domain.outcomes import Order
from annotation.domain.schedule import OrderCount, count_orders
from annotation.models import Case, Label
from annotation.services.aliases import reveal, reviewer_aliases
from annotation.services.claims import RETEST_PASS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from annotation.domain.estimates import Undefined
    from annotation.models import Round
    from config.accounts.models import User

LEVEL = 0.05
# With fewer labels even all in one order could not reach the level: 2 / 2**5 > 0.05.
LEAST_LABELS = 6

Place = tuple[str, str]
OVERALL: Place = ("overall", "all labels")
REPEATS: Place = ("repeats", "planned repeats")


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """Orders under one heading, with the exact test that both are equally likely.

    ``adjusted`` is Holm's p value over all rows of the report that have enough labels;
    None for the others.
    """

    kind: str
    name: str
    counts: OrderCount
    test: SignTest | Undefined
    adjusted: float | None

    @property
    def labels(self) -> int:
        """Labels in either order."""
        return self.counts.baseline_first + self.counts.candidate_first

    @property
    def enough(self) -> bool:
        """Whether the worst imbalance could show in so few labels."""
        return self.labels >= LEAST_LABELS

    @property
    def verdict(self) -> str:
        """``not_enough``, ``uneven`` or ``even`` (nothing against it was found)."""
        if self.adjusted is None:
            return "not_enough"
        return "uneven" if self.adjusted < LEVEL else "even"


@dataclass(frozen=True, slots=True)
class Balance:
    """The slot-balance report of a round; repeats are counted apart.

    Reviewers are under their aliases; ``names`` is empty unless asked for.
    """

    round: Round
    overall: BalanceRow
    passes: tuple[BalanceRow, ...]
    splits: tuple[BalanceRow, ...]
    slices: tuple[BalanceRow, ...]
    reviewers: tuple[BalanceRow, ...]
    repeats: BalanceRow
    names: Mapping[str, str] = field(default_factory=dict)

    def rows(self) -> tuple[BalanceRow, ...]:
        """Every row, as the page lists them."""
        parts = (self.passes, self.splits, self.slices, self.reviewers)
        return (self.overall, *(row for part in parts for row in part), self.repeats)


def balance(*, round_: Round, revealed_to: User | None = None) -> Balance:
    """Count the orders of all labels of a round, as each was on the screen.

    One label a seat counts: its last revision. Reviewers are named only where they are
    revealed to somebody, which is written to the log.
    """
    gold_set = round_.gold_set
    counted = _counted(round_)
    tests = {place: _test(counts) for place, counts in counted.items()}
    enough = [
        place
        for place, test in tests.items()
        if isinstance(test, SignTest) and test.n >= LEAST_LABELS
    ]
    p_values = holm([_p(tests[place]) for place in enough])
    adjusted = dict(zip(enough, p_values, strict=True))
    rows = {
        place: BalanceRow(*place, counted[place], tests[place], adjusted.get(place))
        for place in sorted(counted)
    }
    return Balance(
        round=round_,
        overall=rows.get(OVERALL) or _no_labels(OVERALL),
        passes=_of(rows, "pass"),
        splits=_of(rows, "split"),
        slices=_of(rows, "slice"),
        reviewers=_of(rows, "reviewer"),
        repeats=rows.get(REPEATS) or _no_labels(REPEATS),
        names=reveal(gold_set=gold_set, to=revealed_to) if revealed_to else {},
    )


def _counted(round_: Round) -> dict[Place, OrderCount]:
    found = count_orders(_headings(round_))
    return {place: count for place, count in found.items() if isinstance(place, tuple)}


def _headings(round_: Round) -> Iterator[tuple[Place, Order]]:
    """Each label's order under every heading that it belongs to."""
    cases = Case.objects.filter(gold_set=round_.gold_set_id).only("split", "slices")
    of_case = {case.pk: _places(case) for case in cases.iterator(chunk_size=2000)}
    aliases = reviewer_aliases(round_.gold_set)
    rows = Label.objects.current().filter(seat__round=round_)
    for case_id, pass_no, order, reviewer in rows.values_list(
        "seat__case", "seat__pass_no", "order", "reviewer_id"
    ).iterator(chunk_size=2000):
        shown = Order(order)
        if pass_no == RETEST_PASS:
            yield REPEATS, shown
            continue
        yield ("reviewer", aliases[reviewer, ""]), shown
        yield OVERALL, shown
        yield ("pass", str(pass_no)), shown
        for place in of_case[case_id]:
            yield place, shown


def _places(case: Case) -> tuple[Place, ...]:
    slices = sorted(f"{key} = {value}" for key, value in case.slices.items())
    return ("split", case.split), *(("slice", one) for one in slices)


def _test(counts: OrderCount) -> SignTest | Undefined:
    return sign_test(counts.baseline_first, counts.candidate_first)


def _p(test: SignTest | Undefined) -> float:
    return test.p_value if isinstance(test, SignTest) else 1.0


def _of(rows: dict[Place, BalanceRow], kind: str) -> tuple[BalanceRow, ...]:
    return tuple(row for row in rows.values() if row.kind == kind)


def _no_labels(place: Place) -> BalanceRow:
    none = OrderCount(0, 0)
    return BalanceRow(*place, none, _test(none), None)
