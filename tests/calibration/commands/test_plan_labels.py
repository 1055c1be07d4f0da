"""`plan_labels`: sizes, suggestions, refusals."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Case, Round
from annotation.services.named_pairs import name_of
from calibration.domain.planning import drawn_pairs
from calibration.models import Look
from tests.calibration.several import several_world
from tests.calibration.world import Told, make_world

# The judge of the second flips, nobody has labelled any of them.
OPEN = (
    Told("dev", "U", "B", "B", {"language": "en"}),
    Told("dev", "U", "B", "C", {"language": "en"}),
    Told("held_out", "U", "C", "B", {"language": "de"}),
)


def planned(*args: str) -> str:
    out = StringIO()
    call_command("plan_labels", *args, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_sizes_in_words():
    text = planned(
        *("--half-width", "0.05", "--limit", "0.05", "--true", "0.02"),
        *("--class-share", "0.4", "--decisive", "100"),
    )
    assert "50.0 % to within 5.0 points either way: 381 pairs" in text
    assert "rate below 5.0 % with 59 pairs" in text
    assert "with 260 pairs that count" in text
    assert "100 decisive pairs find a share of 64.5 % or more" in text


def test_sizes_as_json():
    found = json.loads(
        planned("--limit", "0.25", "--true", "0.15", "--looks", "5", "--json")
    )
    assert found["gate"]["pairs"] == found["gate"]["drawn"] == 179
    assert (found["half_width"], found["sign"], found["next"]) == (None, None, [])


def test_a_difference_of_judges_and_a_gap():
    asked = (
        *("--difference", "0.3", "--discordant", "0.7"),
        *("--gap", "0.05", "--dev-rate", "0.85", "--held-out-share", "0.3"),
    )
    text = planned(*asked)
    assert "is found in 80.0 % of cases with 64 pairs with gold" in text
    assert "with 1,481 dev pairs and 635 held-out pairs with gold" in text
    found = json.loads(planned(*asked, "--json"))
    assert (found["judges"]["pairs"], found["gap"]["pairs"]) == (64, 2116)


def test_a_class_is_found_before_the_design_effect_multiplies():
    """METHODS 3.16: the 90 % point of the negative binomial, times the effect."""
    limit = ("--limit", "0.05", "--true", "0.02", "--class-share", "0.4")
    alone = json.loads(planned(*limit, "--json"))["gate"]
    twice = ("--pairs-per-prompt", "3", "--correlation", "0.5", "--json")
    found = json.loads(planned(*limit, *twice))["gate"]
    assert (alone["pairs"], found["pairs"]) == (260, 520)
    assert alone["drawn"] == drawn_pairs(260, 0.4)
    assert found["drawn"] == 2 * alone["drawn"]


def test_few_decisive_pairs_find_no_share():
    assert "5 decisive pairs find no share" in planned("--decisive", "5")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "Ask something"),
        (("--limit", "0.1"), "belong together"),
        (("--limit", "0.1", "--true", "0.2"), "The true error rate lies below the"),
        (("--limit", "0.05", "--true", "0.05"), "The true error rate lies below the"),
        (("--limit", "5", "--true", "2"), "A limit lies above 0 and below 1"),
        (("--half-width", "0.6"), "A half-width lies above 0 and below 0.5"),
        (("--share", "0.5"), "A share of wins to find lies between 0 and 1 and is not"),
        (("--half-width", "0.1", "--correlation", "2"), "A plan needs 1 pair a prompt"),
        (("--half-width", "0.1", "--output", "x"), "name a set with --gold-set"),
        (("--gold-set", "any", "--next", "0"), "Ask something"),
        (("--gold-set", "any", "--next", "0", "--output", "x"), "--next above 0"),
        (("--gold-set", "any", "--next", "-1"), "--next"),
    ],
)
def test_refusals(args, message):
    with pytest.raises(CommandError, match=message):
        planned(*args)


@pytest.mark.django_db
class TestSuggestions:
    def test_flips_come_first_and_held_out_pairs_never(self):
        world = make_world(OPEN)
        name, judge = world.gold_set.name, world.run.config.name
        found = json.loads(planned("--gold-set", name, "--judge", judge, "--json"))
        assert [one["case"] for one in found["next"]] == ["case-0001", "case-0000"]
        assert found["next"][0]["reasons"] == ["flipping", "thin_slice"]
        assert not Look.objects.exists()

    def test_case_ids_go_to_a_file(self, tmp_path):
        world, path = make_world(OPEN), tmp_path / "next.txt"
        text = planned(
            *("--gold-set", world.gold_set.name, "--next", "1"),
            *("--output", str(path)),
        )
        assert text == "To label next:\n  case-0000: thin slice (language=en)\n"
        assert path.read_text("utf-8") == "case-0000\n"

    def test_nothing_to_suggest_is_said_and_not_written(self, tmp_path):
        world, path, err = make_world((), name="bare"), tmp_path / "x", StringIO()
        asked = ("--gold-set", world.gold_set.name, "--output", str(path))
        out = StringIO()
        call_command("plan_labels", *asked, stdout=out, stderr=err)
        assert out.getvalue() == ""
        assert "Nothing is suggested" in err.getvalue()
        assert not path.exists()

    def test_none_wanted_none_spoken_of(self):
        world, err = make_world(OPEN), StringIO()
        asked = ("--gold-set", world.gold_set.name, "--next", "0", "--decisive", "100")
        out = StringIO()
        call_command("plan_labels", *asked, stdout=out, stderr=err)
        assert err.getvalue() == ""
        assert out.getvalue() == (
            "100 decisive pairs find a share of 64.5 % or more.\n"
            "Design effect 1.00: every prompt of the set has one pair.\n"
        )

    def test_a_round_takes_exactly_the_pairs_of_the_file(self, tmp_path):
        world = several_world(["UBB UBC UCC", "UBB UCC BBB"])
        name, judge = world.gold_set.name, world.run.config.name
        path = tmp_path / "next.txt"
        text = planned(
            *("--gold-set", name, "--judge", judge, "--next", "2"),
            *("--output", str(path)),
        )
        assert text == (
            "To label next:\n"
            "  case-0000 v12|v14: flipping, thin slice (language=en)\n"
            "  case-0000 v12|v13: thin slice (language=en)\n"
        )
        call_command("open_round", name, "next", f"--cases={path}", stdout=StringIO())
        seats = Round.objects.get().seats.select_related(
            "pair__baseline__system", "pair__candidate__system", "pair__case"
        )
        named = {name_of(seat.pair) for seat in seats}
        assert named == {"case-0000 v12|v14", "case-0000 v12|v13"}

    def test_a_file_that_cannot_be_written(self, tmp_path):
        world = make_world(OPEN)
        with pytest.raises(CommandError, match="Cannot write"):
            planned(
                *("--gold-set", world.gold_set.name),
                *("--output", str(tmp_path / "no" / "x")),
            )

    def test_an_unknown_set_is_refused(self):
        assert not Case.objects.exists()
        with pytest.raises(CommandError, match="no gold set"):
            planned("--gold-set", "nothing")
