"""How often gold was corrected after a judge had spoken, and towards it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Order, Outcome, choice_for
from annotation.domain.rulings import RulingCategory
from annotation.models import GoldSet, Label
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from calibration.services.looks import without_held_out
from calibration.services.reporting import make_report, report_payload
from tests.annotation.factory import START, add_case, make_set
from tests.calibration.world import answer, make_config, make_run

if TYPE_CHECKING:
    from annotation.models import Pair
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
LATER = START + timedelta(hours=1)


def labelled(
    gold_set: GoldSet, name: str, outcomes: list[Outcome], split: str = "dev"
) -> Pair:
    case = add_case(gold_set, list(gold_set.systems.all()), name, split=split)
    pair = gold_set.pairs.get(case=case)
    for number, outcome in enumerate(outcomes):
        Label.objects.create(
            pair=pair,
            external_reviewer=f"r{number}",
            outcome=outcome.value,
            created_at=START,
        )
    return pair


def rule(pair: Pair, outcome: Outcome, by: User, category: RulingCategory) -> None:
    pair.refresh_from_db()
    adjudicate(pair=pair, opinion=Opinion(outcome, category, "why"), by=by, now=LATER)


def test_only_rulings_that_replace_gold_count(adjudicator):
    gold_set = make_set(0)
    run = make_run(gold_set, make_config("a-judge"))
    agreed = [Outcome.BASELINE] * 3
    disputed = [Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE]
    moved, control, away, settled, untouched = (
        labelled(gold_set, name, outcomes)
        for name, outcomes in (
            ("moved", agreed),
            ("control", agreed),
            ("away", agreed),
            ("settled", disputed),
            ("untouched", agreed),
        )
    )
    for pair in (moved, control, away, settled, untouched):
        for order in Order:
            answer(run, pair, order, choice_for(Outcome.CANDIDATE, order).value)
    GoldSet.objects.update(judged_at=START)
    rule(moved, Outcome.CANDIDATE, adjudicator, RulingCategory.GOLD_WRONG)
    rule(control, Outcome.BASELINE, adjudicator, RulingCategory.GENUINELY_CLOSE)
    rule(away, Outcome.TIE, adjudicator, RulingCategory.GOLD_WRONG)
    rule(settled, Outcome.CANDIDATE, adjudicator, RulingCategory.GENUINELY_CLOSE)
    gold = freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE,
        by=None,
        now=LATER,
    )

    found = report_payload(run, gold)["gold"]["corrections"]

    # "moved" and "away" gave up what stood; only "moved" went to what the judge said.
    assert found == {"total": 2, "after_judge": 2, "towards_judge": 1}


def test_where_held_out_pairs_are_closed_theirs_are_not_counted(adjudicator):
    """Judges that always say the same would tell which way sealed gold was moved."""
    gold_set = make_set(0)
    run = make_run(gold_set, make_config("a-judge"))
    agreed = [Outcome.BASELINE] * 3
    pairs = [
        labelled(gold_set, f"{split}-{number}", agreed, split)
        for split, count in (("dev", 2), ("held_out", 3))
        for number in range(count)
    ]
    for pair in pairs:
        for order in Order:
            answer(run, pair, order, choice_for(Outcome.CANDIDATE, order).value)
    GoldSet.objects.update(judged_at=START)
    moved, away, *closed = pairs
    rule(moved, Outcome.CANDIDATE, adjudicator, RulingCategory.GOLD_WRONG)
    rule(away, Outcome.TIE, adjudicator, RulingCategory.GOLD_WRONG)
    for pair in closed:
        rule(pair, Outcome.CANDIDATE, adjudicator, RulingCategory.GOLD_WRONG)
    gold = freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE,
        by=None,
        now=LATER,
    )
    report = make_report(run=run, gold=gold, by=None, now=LATER)

    shown = without_held_out(report)["gold"]["corrections"]

    assert shown == {"total": 2, "after_judge": 2, "towards_judge": 1}
    whole = {"total": 5, "after_judge": 5, "towards_judge": 4}
    assert json.loads(report.payload)["gold"]["corrections"] == whole
