"""`freeze_policy` and `decide`: exit codes, files, and clean refusals."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from calibration.models import Decision, Policy
from calibration.services.policies import frozen_policy
from tests.calibration.evidence import ILLUSTRATIVE, POLICY
from tests.calibration.releases import LOOSE, NOW, Released, make_release

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def decide(
    run: int, *args: str, policy: str = "usual", **options: Any
) -> tuple[int, str]:
    """Run the command; its exit code and what it said."""
    out = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("decide", run, *args, policy=policy, stdout=out, **options)
    assert isinstance(exit_.value.code, int)
    return exit_.value.code, out.getvalue()


@pytest.mark.parametrize(
    ("letters", "policy", "code", "word"),
    [
        ("CCCCCCCCBT", LOOSE, 0, "Ship"),
        ("B" * 20, LOOSE, 10, "Hold"),
        ("I" * 400, POLICY, 10, "Hold"),
        ("CCC", LOOSE, 11, "Human review"),
    ],
)
def test_each_result_has_its_exit_code(
    letters: str, policy: dict[str, Any], code: int, word: str
) -> None:
    released = make_release(letters, policy=policy)
    found, text = decide(released.run.pk)
    assert found == code
    assert f"\n{word}: " in text
    assert text.startswith("SIMULATED DATA")


def test_files_are_written_as_json_and_junit(tmp_path: Path) -> None:
    released = make_release()
    json_file, junit_file = tmp_path / "d.json", tmp_path / "d.xml"
    code, _ = decide(released.run.pk, json=str(json_file), junit=str(junit_file))
    found = json.loads(json_file.read_text("utf-8"))
    decision = Decision.objects.get()
    assert code == 0
    assert (found["result"], found["digest"]) == ("ship", decision.digest)
    assert found["schema"] == "evenhand.decision/1"
    suite = ET.parse(junit_file).getroot()
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")
    assert len(suite) == len(found["conditions"]) + 1


def test_a_second_time_is_the_same_decision() -> None:
    released = make_release()
    assert decide(released.run.pk) == decide(released.run.pk)
    assert Decision.objects.count() == 1


def refused(*args: Any, **options: Any) -> CommandError:
    with pytest.raises(CommandError) as caught:
        call_command("decide", *args, stdout=StringIO(), **options)
    assert caught.value.returncode not in (0, 10, 11)
    return caught.value


def test_what_can_not_be_decided_has_another_code(released: Released) -> None:
    run = released.run.pk
    assert "no run 0" in str(refused(0, policy="usual"))
    assert "no policy" in str(refused(run, policy="other"))
    assert "no policy 'usual' v9" in str(refused(run, policy="usual", policy_version=9))
    assert "no report 0" in str(refused(run, policy="usual", report=0))
    assert "no release run" in str(refused(released.world.run.pk, policy="usual"))
    late = LOOSE | {"maximumSwapFlipRate": 0.9}
    frozen_policy(name="usual", document=late, by=None, now=NOW + timedelta(days=1))
    assert "frozen before the run" in str(refused(run, policy="usual"))
    assert decide(run, policy_version=1)[0] == 0


def test_a_file_that_can_not_be_written_is_no_decision_for_the_caller(
    released: Released, tmp_path: Path
) -> None:
    missing = str(tmp_path / "none" / "d.json")
    said = refused(released.run.pk, policy="usual", json=missing)
    assert "Cannot write" in str(said)


def test_no_earlier_decision_is_left_where_nothing_is_decided(
    released: Released, tmp_path: Path
) -> None:
    path = tmp_path / "d.json"
    assert decide(released.run.pk, json=str(path))[0] == 0
    assert path.exists()
    refused(released.run.pk, policy="other", json=str(path))
    assert not path.exists()
    refused(released.run.pk, policy="usual", json=str(tmp_path))
    assert tmp_path.exists()


def test_past_the_budget_of_looks_a_reason_is_asked_for(released: Released) -> None:
    type(released.world.gold_set).objects.update(look_budget=0)
    assert "--reason" in str(refused(released.run.pk, policy="usual"))
    assert decide(released.run.pk, reason="the release is due")[0] == 0


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def freeze(*args: str, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("freeze_policy", *args, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_a_policy_is_frozen_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(b"\xef\xbb\xbf" + ILLUSTRATIVE.encode())
    out, err = freeze("illustrative", file=str(path))
    policy = Policy.objects.get()
    assert policy.digest in out
    assert "nothing ships" in err
    assert policy.actor
    assert freeze("illustrative", file=str(path))[0] == out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ILLUSTRATIVE.replace("maximumSwap", "maximalSwap"), "maximalSwapFlipRate"),
        (ILLUSTRATIVE.replace("0.05", "NaN"), "maximumSwapFlipRate: is NaN"),
        ("{", "no JSON"),
    ],
)
def test_a_policy_with_a_fault_is_refused_by_key(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "policy.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CommandError, match=said):
        freeze("x", file=str(path))
    assert not Policy.objects.exists()


def test_the_file_and_the_name_have_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Cannot read"):
        freeze("x", file=str(tmp_path / "none.json"))
    with pytest.raises(CommandError, match="Name the policy"):
        freeze("x")


def test_the_schema_is_printed() -> None:
    out, _ = freeze(schema=True)
    assert json.loads(out)["additionalProperties"] is False
