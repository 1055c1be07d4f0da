"""Published data come out to the last count: five commands, 800 pairs, two judges."""

from __future__ import annotations

import io
import json
import math

import pytest
from django.core.management import call_command
from django.db import transaction

from annotation.domain.intervals import wilson
from tests.shared import shared_data

pytestmark = pytest.mark.django_db
SYSTEMS = "bard,gpt35,vicuna-13b,claude,gpt4"


@pytest.fixture(scope="module")
def reports(django_db_setup, django_db_blocker):
    """Both judges' reports, rolled back when the module is done."""
    files = {
        name: str(shared_data(f"prd/{name}"))
        for name in (
            "pairs.jsonl",
            "labels.jsonl",
            "verdicts-gpt4.jsonl",
            "verdicts-gpt35.jsonl",
        )
    }
    with django_db_blocker.unblock(), transaction.atomic():
        say("import_pairs", files["pairs.jsonl"], gold_set="prd", systems=SYSTEMS)
        say("import_labels", files["labels.jsonl"], gold_set="prd")
        say("freeze_gold", "prd", rule="mode_or_tie")
        yield {judge: _report(judge, files) for judge in ("gpt4", "gpt35")}
        transaction.set_rollback(True)


def say(*arguments, **options):
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO(), **options)
    return out.getvalue()


def _report(judge, files):
    file = files[f"verdicts-{judge}.jsonl"]
    say("import_verdicts", file, gold_set="prd", judge=judge, use_choice=True)
    return json.loads(say("report", gold_set="prd", judge=judge, json=True))


@pytest.fixture(params=["gpt4", "gpt35"])
def both(request, reports):
    """A judge's block over all pairs, and what must be in it."""
    expected = json.loads(shared_data("prd/expected.json").read_text())
    return reports[request.param]["splits"]["all"], expected[request.param]


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-9)


def assert_share(estimate, expected):
    counts = estimate["numerator"], estimate["denominator"]
    assert counts == (expected["k"], expected["n"])
    if "rate" in expected:
        assert close(estimate["value"], expected["rate"])
    if "wilson95" in expected:
        # The report widens the interval, since ten pairs share a case.
        plain = wilson(*counts)
        assert close(plain.low, expected["wilson95"][0])
        assert close(plain.high, expected["wilson95"][1])
        widened = wilson(*counts, design_effect=estimate["design_effect"])
        assert (estimate["low"], estimate["high"]) == (widened.low, widened.high)


def test_the_pairs_and_their_gold(both):
    block, expected = both
    assert block["n"] == expected["n"] == 800
    gold = {name: sum(row.values()) for name, row in block["confusion"].items() if row}
    counted = {name: count for name, count in gold.items() if count}
    assert counted == expected["gold_counts"]


def test_every_cell_of_the_confusion(both):
    block, expected = both
    for gold, row in expected["confusion_both"].items():
        assert {name: block["confusion"][gold][name] for name in row} == row
        assert block["confusion"][gold]["abstain"] == 0


def test_agreement_and_kappa(both):
    block, expected = both
    exact = block["exact_agreement"]
    assert close(exact["value"], expected["acc_both_agree_else_tie"])
    assert close(block["kappa"]["value"], expected["kappa_both_agree_else_tie"])
    if "agreement_with_stated_ties_only" in expected:
        stated = block["stated_agreement"]["value"]
        assert close(stated, expected["agreement_with_stated_ties_only"])
        assert block["ties"] == expected["tie_verdicts"]


def test_wins_that_were_not(both):
    block, expected = both
    assert_share(
        block["false_candidate_wins"], expected["false_candidate_wins_on_baseline_gold"]
    )
    assert_share(
        block["false_baseline_wins"], expected["false_baseline_wins_on_candidate_gold"]
    )
    assert_share(block["missed_ties"], expected["tie_gold_called_decisive"])
    assert_share(block["invented_ties"], expected["decisive_gold_called_tie"])


def test_what_the_order_did(both):
    block, expected = both
    position = block["position"]
    assert position["consistent"] == expected["consistent"]
    assert position["flip"] == expected["strict_flips"]
    assert position["tie_transition"] == expected["decisive_to_tie_transitions"]
    assert position["invalid"] == expected["invalid_pairs"]
    assert position["first_slot_flips"] == expected["flips_first_first"]
    assert position["second_slot_flips"] == expected["flips_second_second"]
    test = expected["position_sign_test"]
    assert position["slot_test"]["n"] == test["n"]
    assert close(position["slot_test"]["p_value"], test["p_two_sided"])


def test_what_each_order_alone_said(both):
    block, expected = both
    alone = block["position"]["order_accuracy"]
    assert close(alone["baseline_first"]["value"], expected["acc_order1"])
    assert close(alone["candidate_first"]["value"], expected["acc_order2"])


def test_wins_and_losses(both):
    block, expected = both
    judge, test = block["preference"]["judge"], expected["win_loss_sign_test_both"]
    assert judge["candidate_wins"] == test["candidate_wins"]
    assert judge["baseline_wins"] == test["baseline_wins"]
    assert close(judge["sign_test"]["p_value"], test["p_two_sided"])


def test_coherence_over_five_systems(both):
    block, expected = both
    assert close(block["coherence"]["ipi"]["value"], expected["ipi_mean_over_cases"])
    assert close(block["coherence"]["tov"]["value"], expected["tov_mean_over_cases"])
