"""Open a labelling round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.domain.outcomes import Split
from annotation.domain.round_notes import shortfalls
from annotation.management.files import refusals_in_words
from annotation.management.values import key_value, number, whole
from annotation.services.gold_sets import gold_set_named
from annotation.services.round_members import labeller_named, warnings
from annotation.services.round_planning import (
    LARGEST_SAMPLE,
    MOST_LABELS,
    MOST_MINUTES,
    NO_SPLIT,
    RoundPlan,
    Selection,
    Which,
)
from annotation.services.rounds import new_sample_seed, open_chosen
from config.errors import InvalidInput

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from annotation.models import GoldSet, Round
    from config.accounts.models import User


CASES = (
    "file with a case id a line; for one pair of a case that has several, a space and "
    "baseline|candidate after it"
)


class Command(BaseCommand):
    """`open_round GOLD_SET NAME`."""

    help = (
        "Open a labelling round on a gold set: which pairs, how many labels of each, "
        "and who labels. Conditions on the pairs hold together."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what a round is made of."""
        splits = [NO_SPLIT, *(split.value for split in Split)]
        add = parser.add_argument
        add("gold_set")
        add("name", help="name of the round; its reviewers see it")
        labels = whole(1, MOST_LABELS)
        add("--labels-per-pair", type=labels, help="1 to 5; default: the set's own")
        add("--reviewer", action="append", default=[], help="may be repeated")
        add("--which", choices=[w.value for w in Which], default=Which.ALL.value)
        add("--split", choices=splits, default="")
        add("--slice", type=key_value(), help="KEY=VALUE")
        add("--cases", help=CASES)
        sample = whole(1, LARGEST_SAMPLE)
        add("--sample", type=sample, help="so many pairs at random")
        add("--seed", help="of the sample; one is drawn and printed without it")
        minutes = whole(1, MOST_MINUTES)
        add("--minutes", type=minutes, default=30, help="how long a pair is reserved")
        add("--retest-share", type=number(0, 1), default=0.0)
        add("--designed-rate", type=number(0, 1), default=0.0)

    def handle(self, *args: Any, **options: Any) -> None:
        """Open the round, and say what is in it."""
        with refusals_in_words():
            gold_set = gold_set_named(options["gold_set"])
            people = [labeller_named(name) for name in options["reviewer"]]
            round_ = open_chosen(
                gold_set=gold_set,
                plan=_plan(gold_set, options),
                selection=_selection(options),
                reviewers=people,
                by=None,
                now=timezone.now(),
            )
        self.stdout.write(_told(round_))
        self._warn(round_, people)

    def _warn(self, round_: Round, people: list[User]) -> None:
        found = warnings(round_=round_, users=people)
        for user in people:
            if words := found[user.pk].words():
                self.stderr.write(f"{user.get_username()}: {words}")
        if not people:
            self.stderr.write("Nobody is in the round yet; add people on its page.")


def _plan(gold_set: GoldSet, options: dict[str, Any]) -> RoundPlan:
    return RoundPlan(
        name=options["name"],
        labels_per_pair=options["labels_per_pair"] or gold_set.labels_per_pair,
        reservation_minutes=options["minutes"],
        retest_share=options["retest_share"],
        designed_rate=options["designed_rate"],
    )


def _selection(options: dict[str, Any]) -> Selection:
    key, _, value = (part.strip() for part in (options["slice"] or "").partition("="))
    return Selection(
        which=Which(options["which"]),
        split=options["split"],
        slice_key=key,
        slice_value=value,
        case_ids=_case_ids(options["cases"]),
        sample=options["sample"],
        seed=options["seed"] or new_sample_seed(),
    )


def _case_ids(name: str | None) -> tuple[str, ...]:
    if name is None:
        return ()
    try:
        lines = Path(name).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("file_unreadable", f"{name}: {error}") from error
    found = tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not found:
        raise InvalidInput("round_empty", f"{name} names no case.")
    return found


def _told(round_: Round) -> str:
    facts = round_.selection
    parts = [
        f"{facts['pairs']} pairs, {facts['seats']} labels wanted",
        f"designed pairs mixed in: {facts['designed']}" if facts["designed"] else "",
        f"planned repeats: {facts['retests']}" if facts["retests"] else "",
        f"sample seed {facts['seed']}" if facts.get("seed") else "",
    ]
    told = f"Round {round_.pk} {round_.name!r}: {', '.join(p for p in parts if p)}"
    return "\n".join((told, *shortfalls(facts)))
