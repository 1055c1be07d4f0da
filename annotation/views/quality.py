"""How the reviewers of a set label, for those who lead them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.presenters.figures import Cell, number_cell, share_cell, test_cell
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LookNeeded, LooksSpent, Viewer
from annotation.services.quality import SPLITS, look_at_labels, set_quality
from annotation.views.gold_common import is_lead, readers, refuse_readers, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from annotation.domain.quality import ReviewerQuality
    from annotation.domain.team import Between, TeamQuality
    from annotation.models import GoldSet
    from annotation.services.quality import SetQuality

HEADS = (
    "With consensus", "Designed", "Same again", "Left", "Ties", "Abstains",
)  # fmt: skip
TIME_HEADS = ("Active seconds", "Elapsed seconds")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of figures."""

    name: str
    labels: int | None
    cells: tuple[Cell, ...]
    about: str = ""

    @property
    def under(self) -> list[tuple[str, Cell]]:
        """A reviewer's cells, each with the head of its column."""
        return list(zip((*HEADS, *TIME_HEADS), self.cells, strict=False))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def quality(request: HttpRequest, name: str) -> HttpResponse:
    """Show the figures without names; a POST by a lead shows the names too.

    Times are for leads alone. With held-out pairs it is a look, which a POST with a
    reason asks for; a GET only says what it would cost.
    """
    gold_set = gold_set_named(name)
    if "reason" in request.POST:
        return _take_look(request, gold_set)
    revealing = request.method == "POST"
    if revealing:
        refuse_readers(request)
    split = request.GET.get("split", "")
    viewer = Viewer(user=user_of(request), door="page", asked=False)
    try:
        found = set_quality(
            gold_set=gold_set,
            split=split,
            viewer=viewer,
            revealed_to=user_of(request) if revealing else None,
            now=timezone.now(),
        )
    except LookNeeded as needed:
        status = 409 if isinstance(needed, LooksSpent) else 200
        return _closed(request, gold_set, needed.message, status)
    times = is_lead(request)
    context = {
        "gold_set": gold_set,
        "quality": found,
        "split": split,
        "splits": SPLITS,
        "heads": HEADS + (TIME_HEADS if times else ()),
        "reviewers": [_reviewer(one, found, times=times) for one in found.reviewers],
        "team": _team(found.team),
        "between": [_between(one, found) for one in found.team.between],
        "revealed": revealing,
        "is_lead": times,
    }
    return render(request, "annotation/quality.html", context)


def _take_look(request: HttpRequest, gold_set: GoldSet) -> HttpResponse:
    reason = request.POST["reason"].strip()
    if not reason:
        return _closed(request, gold_set, "Say why you look.", 400)
    viewer = Viewer(user=user_of(request), door="page", reason=reason)
    look_at_labels(gold_set=gold_set, viewer=viewer, now=timezone.now())
    return redirect(request.get_full_path())


def _closed(
    request: HttpRequest, gold_set: GoldSet, needed: str, status: int
) -> HttpResponse:
    split = request.GET.get("split", "")
    context = {
        "gold_set": gold_set, "split": split, "splits": SPLITS, "needed": needed,
    }  # fmt: skip
    return render(request, "annotation/quality_closed.html", context, status=status)


def _name(alias: str, found: SetQuality) -> str:
    named = found.names.get(alias)
    return f"{alias}: {named}" if named else alias


def _reviewer(one: ReviewerQuality, found: SetQuality, *, times: bool) -> Row:
    cells: tuple[Cell, ...] = (
        share_cell(one.consensus),
        share_cell(one.designed),
        share_cell(one.retest),
        _left(one),
        share_cell(one.ties),
        share_cell(one.abstains),
    )
    if times:
        cells += (
            number_cell(one.active, "labels", 1),
            number_cell(one.elapsed, "labels", 1),
        )
    noun = "repeat" if one.retest_flips == 1 else "repeats"
    flips = f"{one.retest_flips} {noun} preferred the other system"
    about = flips if one.retest_flips else ""
    return Row(_name(one.reviewer, found), one.labels, cells, about)


def _left(one: ReviewerQuality) -> Cell:
    share, test = share_cell(one.left), test_cell(one.left_test)
    if share.undefined:
        return share
    return Cell(share.value, f"{share.detail}; {test.value}, sign test")


def _between(one: Between, found: SetQuality) -> Row:
    name = f"{_name(one.one, found)} and {_name(one.other, found)}"
    return Row(name, None, (share_cell(one.agreement), number_cell(one.kappa)))


def _team(team: TeamQuality) -> list[Row]:
    ipi = team.ipi
    same = f"{ipi.same_order_differing} of {ipi.same_order_comparisons} comparisons"
    both = f"{ipi.differing} of {ipi.comparisons} comparisons differ"
    rows = (
        (
            "Pairwise agreement",
            share_cell(team.agreement),
            "of two labels of a pair, each pair counting once",
        ),
        ("All labels the same", share_cell(team.unanimous), "pairs with two or more"),
        (
            "Krippendorff's alpha",
            number_cell(team.alpha),
            "1 is perfect, 0 is chance; over baseline, candidate, tie and abstain",
        ),
        (
            "Gwet's AC1",
            number_cell(team.ac1),
            "steadier where one outcome dominates",
        ),
        (
            "Human IPI",
            share_cell(ipi.instability),
            f"two people who saw a pair in different orders differ; {both}",
        ),
        (
            "of which flips",
            share_cell(ipi.flips),
            "they prefer opposite systems",
        ),
        (
            "In the same order",
            share_cell(ipi.same_order_disagreement),
            f"two people differ without any change of order: the yardstick; {same}",
        ),
    )
    return [Row(name, None, (cell,), about) for name, cell, about in rows]
